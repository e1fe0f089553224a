"""`python -m datasets.benchmark`: reads the labelled photographs, writes and prints the tables of
results, and names the figures that differ from the committed tables.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from datasets.benchmark.command import FOLDS, RESULTS, bench_parser
from datasets.benchmark.counting import PictureCount
from datasets.benchmark.runner import (
    FoldMissing,
    Read,
    count_all,
    reader_in,
    reader_of_folds,
)
from datasets.benchmark.tables import (
    Change,
    Row,
    align,
    aligned,
    compare,
    read_table,
    tables,
    write_tables,
)
from datasets.labels import LabelledPicture
from datasets.photos import SOURCES, PhotosMissing
from vision.errors import VisionError

PROJECT = Path(__file__).resolve().parents[2]
SHEET = PROJECT / "var" / "failures.png"  # git ignores it: it shows photographs not to be copied
SEEN = "_seen"  # suffix of a source on which the reading models were trained


def main(arguments: list[str] | None = None) -> int:
    asked = _parser().parse_args(arguments)
    try:
        read = (
            reader_of_folds(asked.folds, asked.models) if asked.folds else reader_in(asked.models)
        )
        counted = _count(asked, read)
    except (PhotosMissing, FoldMissing, VisionError) as problem:
        print(problem, file=sys.stderr)
        return 1
    if not counted:
        print("nothing was measured", file=sys.stderr)
        return 0
    made = tables(counted)
    before = read_table(RESULTS / "summary.csv")
    print(aligned(made["summary.csv"]))
    _tell_changes(compare(before, made["summary.csv"]))
    _write(asked, made, counted)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = bench_parser("datasets.benchmark", __doc__)
    add = parser.add_argument
    add("--sources", nargs="+", choices=SOURCES, default=list(SOURCES), help="default: all")
    add("--photos", type=Path, help="folder of the labelled photographs")
    add("--folds", type=Path, help=FOLDS)
    add("--shoots", nargs="+", help="only these shoots")
    add("--sheet", type=Path, nargs="?", const=SHEET, help="contact sheet of the failures (PNG)")
    add("--plots", action="store_true", help="draw reliability and confusions of tables in --out")
    return parser


def _count(asked: argparse.Namespace, read: Read) -> dict[str, list[PictureCount]]:
    counted = {}
    for source in asked.sources:
        pictures = _pictures(source, asked)
        if pictures:
            counted[_told_name(source, asked)] = count_all(pictures, read)
    return counted


def _pictures(source: str, asked: argparse.Namespace) -> list[LabelledPicture]:
    """Load the pictures of `source`, one of SOURCES. If the command line has `--shoots`, only
    pictures of these shoots are loaded. `asked` holds the options of the command line.

    Where the photographs of the source are absent, PhotosMissing is raised if the command line has
    `--photos`; otherwise the list is empty.
    """
    try:
        pictures = SOURCES[source](asked.photos)
    except PhotosMissing as missing:
        if asked.photos:
            raise
        print(f"{source} is left out: {missing}", file=sys.stderr)
        return []
    return [picture for picture in pictures if not asked.shoots or picture.shoot in asked.shoots]


def _told_name(source: str, asked: argparse.Namespace) -> str:
    """Return the name of a source in the tables. Without the option `--folds` the networks were
    trained on the photographs of `rummikub_ivory`, so this source then gets the suffix SEEN. Any
    other source keeps its name. `asked` are the options of the command.
    """
    return source + SEEN if source == "rummikub_ivory" and not asked.folds else source


def _tell_changes(changes: list[Change]) -> None:
    if changes:
        print("\nAgainst the committed tables (clear: outside the old interval):")
        print(align([_change_line(change) for change in changes]))


def _change_line(change: Change) -> tuple[str, ...]:
    verdict = ("WORSE" if change.worse else "better") + (", clear" if change.clear else "")
    return verdict, change.source, change.group, change.measure, change.before, "->", change.after


def _write(
    asked: argparse.Namespace, made: dict[str, list[Row]], counted: dict[str, list[PictureCount]]
) -> None:
    if not asked.dry_run:
        write_tables(made, counted, asked.out)
        if asked.plots:
            from datasets.benchmark.plots import write_plots

            write_plots(asked.out)
    if asked.sheet:
        from datasets.benchmark.sheet import write_sheet

        print(f"\n{write_sheet(counted, asked.sheet)} failures on {asked.sheet}")


if __name__ == "__main__":
    sys.exit(main())
