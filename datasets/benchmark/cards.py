"""`python -m datasets.benchmark.cards`: how well cards are read. It reads labelled pictures and
counts how many cards are right, missing or invented, how many photographs are exact, how many
errors are silent (not marked as doubtful), and how many columns are read in their order.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from datasets.benchmark.command import asked_reader, bench_parser, print_rows
from datasets.benchmark.measures import Measure, share
from datasets.benchmark.tables import COLUMNS, Row, write_tables
from datasets.cards.photos import FOLDERS, CardPicture, load_photographs, load_renders
from datasets.options import positive
from datasets.photos import PhotosMissing
from vision import Layout, Pieces

FILE = "cards.csv"
RENDERS = "own_renders"


@dataclass(frozen=True)
class CardCount:
    """How the cards of one picture were read. `right` counts the cards that are shown and were
    read. `missing` lists those that are shown and were not read, `extra` those that were read and
    are not shown. Where a card lies does not matter: if one of two `7H` was read, one is right and
    one is missing.
    """

    picture: CardPicture
    right: int
    missing: tuple[str, ...]  # cards of the picture that were not read
    extra: tuple[str, ...]  # cards read that the picture does not show, or `unread`
    doubtful: int  # reported cards that the reading marks as doubtful
    reported: int  # all cards of the reading
    columns_right: int  # columns read with exactly their cards, in order from either end
    seconds: float  # that the reading took

    @property
    def exact(self) -> bool:
        return not self.missing and not self.extra

    @property
    def silent(self) -> int:
        """How many errors the reading does not mark as doubtful: the larger of the numbers of
        missing and extra cards, less the number of doubtful cards, but not less than 0.
        """
        return max(0, max(len(self.missing), len(self.extra)) - self.doubtful)


def count_cards(picture: CardPicture, reading: dict[str, Any]) -> CardCount:
    """Compare `reading`, the JSON of a reading, with the cards of `picture`. Where the picture does
    not list all its cards, no card that was read counts as extra.
    """
    told = [entry["card"] or "unread" for entry in reading["tiles"]]
    true, read = Counter(picture.cards), Counter(told)
    extra = (read - true) if picture.all_listed else Counter[str]()
    columns = [[told[i] for i in meld["tiles"]] for meld in reading["melds"]]
    right_columns = sum(
        list(column) in columns or list(column)[::-1] in columns for column in picture.columns
    )
    return CardCount(
        picture,
        (true & read).total(),
        tuple((true - read).elements()),
        tuple(extra.elements()),
        sum(entry["doubtful"] for entry in reading["tiles"]),
        len(told),
        right_columns,
        float(reading["seconds"]["total"]),
    )


def measures(counts: Sequence[CardCount]) -> list[Measure]:
    cards = sum(len(count.picture.cards) for count in counts)
    return [
        share("cards_right", sum(count.right for count in counts), cards),
        share("photos_exact", sum(count.exact for count in counts), len(counts)),
        share("silent", sum(count.silent for count in counts), cards),
        share("extra", sum(len(count.extra) for count in counts), cards),
        share("doubtful", sum(c.doubtful for c in counts), sum(c.reported for c in counts)),
        share(
            "columns_right",
            sum(count.columns_right for count in counts),
            sum(len(count.picture.columns) for count in counts),
        ),
    ]


def _row(source: str, measure: Measure) -> Row:
    numbers = (measure.value, measure.low, measure.high)
    value, low, high = ("" if number is None else f"{number:.4f}" for number in numbers)
    cells = (source, "all", measure.name, value, str(measure.count), str(measure.of), low, high)
    return dict(zip(COLUMNS[FILE], cells, strict=True))


def _sources(asked: argparse.Namespace) -> dict[str, list[CardPicture]]:
    """Load the pictures of every source that the command line asks for and that has any.

    Raises PhotosMissing where a folder that the command line names lacks them. Photographs missing
    in the usual folder are left out, with a message.
    """
    found = {}
    for folder in asked.sources:
        try:
            found[folder] = load_photographs(folder, asked.photos)
        except PhotosMissing as missing:
            if asked.photos:
                raise
            print(f"{folder} is left out: {missing}", file=sys.stderr)
    if asked.renders:
        found[RENDERS] = load_renders(asked.renders)
    if asked.sample:
        found = {
            name: random.Random(1).sample(pictures, min(asked.sample, len(pictures)))
            for name, pictures in found.items()
        }
    return {name: pictures for name, pictures in found.items() if pictures}


def main(arguments: list[str] | None = None) -> int:
    asked = _parser().parse_args(arguments)
    reader = asked_reader(asked, Pieces.CARDS)
    try:
        sources = _sources(asked)
    except PhotosMissing as missing:
        print(missing, file=sys.stderr)
        return 1
    if not sources:
        print("nothing was measured", file=sys.stderr)
        return 0
    rows: list[Row] = []
    for source, pictures in sources.items():
        layout = Layout.MELDS if source == RENDERS else Layout.LOOSE
        counts = [
            count_cards(picture, reader.read(picture.path, layout).to_json())
            for picture in tqdm(pictures, source)
        ]
        rows += [_row(source, measure) for measure in measures(counts)]
        if asked.failures:
            _tell_failures(counts)
    print_rows(COLUMNS[FILE], rows)
    if not asked.dry_run:
        write_tables({FILE: rows}, sources, asked.out)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = bench_parser("datasets.benchmark.cards", __doc__)
    parser.add_argument("--sources", nargs="*", choices=FOLDERS, default=list(FOLDERS))
    parser.add_argument("--photos", type=Path, help="folder of the labelled photographs")
    parser.add_argument("--renders", type=Path, help="folder of rendered pictures of fresh seeds")
    parser.add_argument("--sample", type=positive, help="only so many pictures of each, by chance")
    parser.add_argument("--failures", action="store_true", help="print each picture that fails")
    return parser


def _tell_failures(counts: Sequence[CardCount]) -> None:
    for count in counts:
        if not count.exact or count.columns_right < len(count.picture.columns):
            missing, extra = " ".join(count.missing), " ".join(count.extra)
            columns = f"columns {count.columns_right} of {len(count.picture.columns)}"
            print(
                f"{count.picture.path.name}: missing {missing or '-'}, extra {extra or '-'},"
                f" {count.silent} silent, {columns}"
            )


if __name__ == "__main__":
    sys.exit(main())
