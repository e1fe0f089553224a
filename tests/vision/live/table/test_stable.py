"""The report of a table at rest, and when two tables count as different."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from engine.melds import judge_meld
from engine.rulesets import ruleset
from engine.tiles import Tile, tiles
from vision.live.table.stable import LiveMeld, LiveTile, StableTable

BURAKO = ruleset("burako")
SEVEN, EIGHT = tiles("7R 8R")


def tile(id: int, face: Tile | None = SEVEN, doubtful: bool = False, x: float = 0.0) -> LiveTile:
    quad = np.array([[x, 0.14], [x + 20.06, 0], [x + 20, 28], [x, 28]], np.float32)
    others = ((EIGHT, 0.123456),) if doubtful else ()
    return LiveTile(id, face, quad, 0.987654, doubtful, others)


def meld(id: int, faces: str, side: str | None = "A", **said: bool) -> LiveMeld:
    row = tiles(faces)
    held = tuple(tile(10 * id + at, face) for at, face in enumerate(row))
    return LiveMeld(id, held, side, judge_meld(row, BURAKO), **said)  # type: ignore[arg-type]


TABLE = StableTable(
    12.34567,
    61,
    640,
    360,
    melds=(meld(1, "5R 6R 7R"), meld(2, "9B 9K 9Y", "B")),
    loose=(tile(3), tile(4, None, doubtful=True, x=50)),
    printed=((tile(5, EIGHT),), (tile(6),)),
)


def test_a_table_is_written_with_all_its_tiles() -> None:
    shown = json.loads(json.dumps(TABLE.to_json()))
    details = shown.pop("loose_details")
    assert details[1] == {
        "id": 4,
        "tile": None,
        "corners": [[50.0, 0.1], [70.1, 0.0], [70.0, 28.0], [50.0, 28.0]],
        "confidence": 0.9877,
        "doubtful": True,
        "alternatives": [["8R", 0.1235]],
    }
    melds = shown.pop("melds")
    assert [[part.pop("id") for part in one.pop("details")] for one in melds] == [
        [10, 11, 12],
        [20, 21, 22],
    ]
    assert melds[0] == {
        "id": 1,
        "tiles": ["5R", "6R", "7R"],
        "side": "A",
        "kind": "escalera",
        "legal": True,
        "reason": None,
        "canasta": None,
        "points": 15,
        "doubtful": False,
        "overruled": False,
    }
    assert [[part["id"] for part in row] for row in shown.pop("printed_details")] == [[5], [6]]
    assert shown == {
        "event": "table",
        "time": 12.346,
        "frame": 61,
        "width": 640,
        "height": 360,
        "loose": ["7R", None],
        "printed": [["8R"], ["7R"]],
    }
    assert [one.id for one in TABLE.tiles] == [10, 11, 12, 20, 21, 22, 3, 4, 5, 6]


def test_a_meld_with_an_unread_tile_has_no_verdict() -> None:
    unread = LiveMeld(7, (tile(1), tile(2, None, doubtful=True)), None, None)
    shown = unread.to_json()
    unknown = {name for name, value in shown.items() if value is None}
    assert unknown == {"side", "kind", "legal", "reason", "canasta", "points"}
    assert shown["doubtful"] is True and shown["tiles"] == ["7R", None]
    illegal = meld(8, "5R 6R 9R", accepted=True).to_json()
    assert (illegal["legal"], illegal["reason"], illegal["overruled"]) == (False, "gap", True)


first, second = TABLE.melds


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (replace(TABLE, time=99.0, frame=400, width=1280), True),
        (replace(TABLE, melds=(second, first)), True),
        (replace(TABLE, loose=TABLE.loose[::-1], printed=TABLE.printed[::-1]), True),
        (replace(TABLE, loose=(tile(77, x=300), TABLE.loose[1])), True),  # it lies elsewhere
        (replace(TABLE, melds=(first,)), False),
        (replace(TABLE, melds=(replace(first, id=9), second)), False),
        (replace(TABLE, melds=(replace(first, side="B"), second)), False),
        (replace(TABLE, melds=(replace(first, accepted=True), second)), False),
        (replace(TABLE, melds=(replace(first, tiles=first.tiles[::-1]), second)), False),
        (
            replace(TABLE, melds=(replace(first, tiles=(tile(1, tiles("5R")[0], True),)), second)),
            False,
        ),
        (replace(TABLE, loose=TABLE.loose[:1]), False),
        (replace(TABLE, loose=(*TABLE.loose, tile(8))), False),
        (replace(TABLE, printed=TABLE.printed[:1]), False),
        (replace(TABLE, printed=((tile(5, EIGHT), tile(6)),)), False),
        (None, False),
    ],
)
def test_a_table_is_another_one_where_other_tiles_lie_there_or_melds_are_seen_otherwise(
    other: StableTable | None, same: bool
) -> None:
    assert TABLE.has_same_tiles(other) is same


def test_doubt_alone_makes_a_meld_another_one() -> None:
    doubted = replace(first, tiles=(replace(first.tiles[0], doubtful=True), *first.tiles[1:]))
    assert not TABLE.has_same_tiles(replace(TABLE, melds=(doubted, second)))
