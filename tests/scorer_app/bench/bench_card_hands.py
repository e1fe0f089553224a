"""`python -m tests.scorer_app.bench.bench_card_hands HANDS`: whole hands of cards that
`datasets.cards.hands` rendered, read and scored as `burako score --pieces cards` does, against the
true score.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tqdm import tqdm

from datasets.benchmark.command import asked_reader, bench_parser, write_rows
from datasets.benchmark.measures import Measure, share
from datasets.benchmark.tables import Row, align
from datasets.cards.hands import RULES
from engine.pieces import Pieces, card_name, face_of_card
from engine.scoring import Side, score_hand
from engine.sides import SIDES, SideName
from engine.tiles import Tile
from scorer_app.cli.score_sheet import Noticed, Sheet
from scorer_app.hand.intervals import open_tiles
from scorer_app.hand.merging import LAYOUTS, add_reading
from scorer_app.hand.record import End, Place, Record
from scorer_app.hand.score import score_hand as score_record
from scorer_app.hand.table_rules import TableRules
from vision import TableReading
from vision.tiles.pipeline import TableReader

COLUMNS = ("hand", "cards", "side", "true", "read", "low", "high", "doubtful", "missing", "extra")
TABLE = TableRules(RULES, 4, Pieces.CARDS)


@dataclass(frozen=True)
class Shot:
    """One photograph of a hand, by its file such as `NNN-melds-a.jpg`, and the cards that it
    shows.
    """

    path: Path
    columns: tuple[tuple[str, ...], ...]
    loose: tuple[str, ...]

    @property
    def area(self) -> tuple[Place, SideName]:
        """Whether the photograph shows melds or a rack, and of which side, by the name of its
        file.
        """
        _number, place, side = self.path.stem.split("-")
        return Place(place), "A" if side == "a" else "B"

    def cards(self) -> Counter[str]:
        return Counter(card for cards in (*self.columns, self.loose) for card in cards)


@dataclass(frozen=True)
class SideResult:
    """The score of one side of a hand; `sure` says that no doubt of the hand touches it."""

    hand: int
    cards: int  # of the whole hand
    side: SideName
    true: int
    read: int
    low: int
    high: int
    doubtful: int
    missing: tuple[str, ...]
    extra: tuple[str, ...]

    @property
    def exact(self) -> bool:
        return self.read == self.true

    @property
    def sure(self) -> bool:
        return self.low == self.high and not self.doubtful

    def row(self) -> Row:
        told = {name: getattr(self, name) for name in COLUMNS}
        told |= {"missing": " ".join(self.missing), "extra": " ".join(self.extra)}
        return {name: str(value) for name, value in told.items()}


def load_hands(folder: Path) -> Iterator[tuple[int, list[Shot], list[SideName]]]:
    """Yield of each rendered hand its number, its photographs and the sides that took a muerto."""
    for line in (folder / "hands.jsonl").read_text("utf-8").splitlines():
        told = json.loads(line)
        shots = [
            Shot(folder / name, tuple(map(tuple, area["columns"])), tuple(area["loose"]))
            for name, area in told["photos"].items()
        ]
        yield told["hand"], shots, told["muerto"]


def truth(shots: Iterable[Shot], muerto: Sequence[SideName]) -> dict[SideName, int]:
    """Return the true totals of a hand that ended because the stock ran out."""
    melds: dict[SideName, list[tuple[Tile, ...]]] = {side: [] for side in SIDES}
    left: dict[SideName, tuple[Tile, ...]] = {side: () for side in SIDES}
    for shot in shots:
        place, side = shot.area
        melds[side] += [tuple(map(face_of_card, column)) for column in shot.columns]
        if place is Place.RACK:
            left[side] = tuple(map(face_of_card, shot.loose))
    sides = {side: Side(tuple(melds[side]), (left[side],), side in muerto) for side in SIDES}
    scored = score_hand(sides, None, RULES)
    return {side: lines.total for side, lines in scored.sides.items()}


def judge(
    number: int, shots: Sequence[Shot], muerto: Sequence[SideName], reader: TableReader
) -> list[SideResult]:
    """Read the photographs of a hand into its record, and compare both sides with the truth."""
    record = Record()
    missing: dict[SideName, Counter[str]] = {side: Counter() for side in SIDES}
    extra: dict[SideName, Counter[str]] = {side: Counter() for side in SIDES}
    notices = list[Noticed]()
    for shot in shots:
        place, side = shot.area
        reading = reader.read(shot.path, layout=LAYOUTS[place], rules=RULES)
        record = add_reading(record, shot.path.name, side, place, reading)
        notices += [Noticed(shot.path.name, one, side, place) for one in reading.notices]
        read = Counter(_names(reading))
        missing[side] += shot.cards() - read
        extra[side] += read - shot.cards()
    taken: dict[Any, bool | None] = {side: side in muerto for side in SIDES}
    record = replace(record, end=End.STOCK_EXHAUSTED, closed_by=None, muerto=taken)
    score, spans = score_record(record, TABLE), Sheet.of(record, notices, TABLE, "en").interval
    photos = {side: {shot.path.name for shot in shots if shot.area[1] == side} for side in SIDES}
    doubts = [tile.photo for tile in open_tiles(record, TABLE)]
    true, cards = truth(shots, muerto), sum((shot.cards() for shot in shots), Counter()).total()
    return [
        SideResult(
            number,
            cards,
            side,
            true[side],
            score.total(side),
            *spans[side],
            sum(photo in photos[side] for photo in doubts),
            tuple(missing[side].elements()),
            tuple(extra[side].elements()),
        )
        for side in SIDES
    ]


def _names(reading: TableReading) -> list[str]:
    return ["unread" if tile.tile is None else card_name(tile.tile) for tile in reading.tiles]


def measures(results: Sequence[SideResult]) -> list[Measure]:
    """Compute the measures over the hands.

    A hand is exact when both of its sides are; interval and certainty are counted for each side.
    """
    hands = {result.hand for result in results}
    wrong = {result.hand for result in results if not result.exact}
    cards = sum({result.hand: result.cards for result in results}.values())
    lost = sum(len(result.missing) for result in results)
    inside = sum(result.low <= result.true <= result.high for result in results)
    sure_and_wrong = sum(result.sure and not result.exact for result in results)
    return [
        share("cards_right", cards - lost, cards),
        share("hands_exact", len(hands - wrong), len(hands)),
        share("true_inside_interval", inside, len(results)),
        share("sure", sum(result.sure for result in results), len(results)),
        share("sure_and_wrong", sure_and_wrong, len(results)),
    ]


def main(arguments: list[str] | None = None) -> None:
    parser = bench_parser("tests.scorer_app.bench.bench_card_hands", __doc__)
    parser.add_argument("hands", type=Path, help="folder of the rendered hands")
    parser.add_argument("--failures", action="store_true", help="print each side that is wrong")
    asked = parser.parse_args(arguments)
    reader = asked_reader(asked, Pieces.CARDS)
    results: list[SideResult] = []
    for number, shots, muerto in tqdm(list(load_hands(asked.hands))):
        results += judge(number, shots, muerto, reader)
    if asked.failures:
        for result in results:
            if not result.exact:
                print(json.dumps(result.row() | {"sure": result.sure}))
    lines = [("measure", "n", "value", "95 %")]
    for one in measures(results):
        if one.value is not None and one.low is not None and one.high is not None:
            spread = f"{one.low:.2%} - {one.high:.2%}"
            lines.append((one.name, f"{one.count}/{one.of}", f"{one.value:.2%}", spread))
    print(align(lines))
    write_rows(asked, "card_hands.csv", COLUMNS, [result.row() for result in results])


if __name__ == "__main__":
    main()
