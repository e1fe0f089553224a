"""Which tiles of a table that is handed over again are those of the hand-over before."""

from __future__ import annotations

import numpy as np
import pytest

from engine.tiles import Tile as Face
from scorer_app.hand.record import Place, Record, Row, Tile
from scorer_app.watch.same_tiles import follow_tiles
from vision.reading import TableReading, TileReading

QUAD = [[10, 10], [30, 10], [30, 40], [10, 40]]
SAID = Tile(
    id="t1",
    face="9B",
    photo="old",
    corners=tuple((float(x), float(y)) for x, y in QUAD),
    read="6B",
    confidence=0.9,
    alternatives=(("9B", 0.08),),
    confirmed=True,
)


def now(
    face: str | None, confidence: float, *others: tuple[str, float], at: int = 0
) -> TableReading:
    """Return the reading of a table with one tile, `at` pixels from where that of SAID lay."""
    tile = None if face is None else Face.parse(face)
    corners = np.array(QUAD, np.float32) + at
    alternatives = tuple((Face.parse(other), share) for other, share in others)
    read = TileReading(tile, corners, confidence, alternatives=alternatives)
    return TableReading(640, 480, (read,), (), (0,))


@pytest.mark.parametrize(
    ("reading", "is_same"),
    [
        (now("6B", 0.9), True),
        (now("9B", 0.95), True),  # the face that the person said
        (now("8B", 0.5, ("6B", 0.3)), True),
        (now(None, 0.3), True),  # it cannot be told now
        (now("12K", 0.99), False),  # another tile lies there by now
        (now("6B", 0.9, at=25), False),
    ],
)
def test_what_a_person_said_is_kept_for_a_tile_that_may_be_the_same(
    reading: TableReading, is_same: bool
) -> None:
    record = Record({"t1": SAID}, (Row("r2", "A", Place.MELDS, ("t1",)),), serial=2)
    after = follow_tiles(record, {"A": "old"}, {"B": ("new", reading)})
    assert [tile.photo for tile in after.tiles.values()] == (["new"] if is_same else [])
    assert [row.side for row in after.rows] == (["B"] if is_same else [])


@pytest.mark.parametrize(("face", "kept"), [("6B", ["new"]), ("12K", [])])
def test_a_tile_that_a_person_removed_stays_so_until_another_lies_there(
    face: str, kept: list[str]
) -> None:
    after = follow_tiles(Record(removed=(SAID,)), {"A": "old"}, {"A": ("new", now(face, 0.9))})
    assert [tile.photo for tile in after.removed] == kept


def test_what_was_said_of_a_photograph_is_said_of_the_one_in_its_place() -> None:
    """Or a question that was answered would come back with each table that is handed over."""
    record = Record(
        {"t1": SAID},
        (Row("r2", "A", Place.MELDS, ("t1",)),),
        compared=("other", "old"),
        told_apart=("old",),
        serial=2,
    )
    after = follow_tiles(record, {"A": "old"}, {"A": ("new", now("6B", 0.9))})
    assert (after.compared, after.told_apart) == (("other", "new"), ("new",))
