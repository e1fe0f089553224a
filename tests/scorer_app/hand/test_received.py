"""Records of hands that come from another installation are kept within limits and without their
photographs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.sides import SIDES
from scorer_app.hand.edits_of_hand import MOST_ADJUSTMENTS
from scorer_app.hand.fields import MAX_TILES, WrongField
from scorer_app.hand.questions import left_open
from scorer_app.hand.received import received_record
from scorer_app.hand.record import FACES, Place, Record

from .test_edits import edited, tapped
from .test_intervals import RULES
from .test_merging import named, read
from .test_plainness import changed, photographed

ENDED = {"op": "set_end", "end": "stock_exhausted", "closed_by": None}
LATE = {"op": "add_adjustment", "side": "A", "points": -5, "reason": "late"}


def tiles_alike(count: int) -> dict[str, Any]:
    """Make the JSON of a hand that has ended and whose record holds one tile `count` times."""
    data = edited(*tapped("3R"), ENDED).to_json()
    (tile,) = data["tiles"].values()
    names = [f"t{number}" for number in range(1, count + 1)]
    data["tiles"] = {name: {**tile, "id": name} for name in names}
    data["rows"][0].update(id="r9999", tiles=names)
    return data


def adjusted(count: int) -> dict[str, Any]:
    data = edited(LATE, ENDED).to_json()
    (first,) = data["adjustments"]
    data["adjustments"] = [{**first, "id": f"x{number}"} for number in range(count)]
    return data


def with_alternatives(count: int) -> dict[str, Any]:
    data = edited(*tapped("3R"), ENDED).to_json()
    (tile,) = data["tiles"].values()
    tile["alternatives"] = [["4R", 0.001]] * count
    return data


@pytest.mark.parametrize(
    ("made", "most", "field"),
    [
        (tiles_alike, MAX_TILES, "tiles"),
        (adjusted, MOST_ADJUSTMENTS, "adjustments"),
        (with_alternatives, len(FACES), "alternatives"),
    ],
)
def test_a_record_is_received_up_to_its_limits(made: Any, most: int, field: str) -> None:
    received_record(made(most), "hands[0]", RULES)
    with pytest.raises(WrongField, match=f"expected other {field}") as refused:
        received_record(made(most + 1), "hands[0]", RULES)
    assert refused.value.field == f"hands[0].{field}"


def test_a_received_record_has_numbers_left_for_what_people_add() -> None:
    """Ids have six digits: one more tile would make a record that nobody can read again."""
    data = tiles_alike(1)
    data["rows"][0]["id"] = "r900000"
    added = edited(*tapped("12K"), record=received_record(data, "hands[0]", RULES))
    assert Record.from_json(added.to_json()) == added
    data["rows"][0]["id"] = "r999999"
    with pytest.raises(WrongField, match="expected other serial"):
        received_record(data, "hands[0]", RULES)


def test_a_hand_that_has_not_ended_is_not_received() -> None:
    with pytest.raises(WrongField, match="expected other end"):
        received_record(edited(*tapped("3R 4R 5R")).to_json(), "hands[0]", RULES)


def test_a_received_record_knows_no_photograph() -> None:
    record = read(Record())
    record = edited({"op": "remove_tile", "tile": named(record, "6B")}, ENDED, record=record)
    received = received_record(record.to_json(), "hands[0]", RULES)
    assert (received.removed, received.end) == ((), record.end)
    assert {(tile.photo, tile.corners) for tile in received.tiles.values()} == {(None, None)}
    assert [(row.place, received.faces(row)) for row in received.rows] == [
        (row.place, record.faces(row)) for row in record.rows
    ]
    added = edited(*tapped("12K"), record=received)
    assert len(added.tiles) == len(received.tiles) + 1
    assert [row.place for row in received.rows] == [Place.MELDS, Place.MELDS, Place.POZO]


@pytest.mark.parametrize(
    ("doubt", "is_open"),
    [
        ({"alternatives": (("9B", 0.0015),)}, False),  # far too unlikely
        ({"alternatives": (("9B", 0.4),)}, True),
        ({"perhaps_none": True}, False),  # plainly a tile
        ({"perhaps_none": True, "confidence": 0.9}, True),
    ],
)
def test_a_received_hand_has_the_doubts_that_it_had(doubt: dict[str, Any], is_open: bool) -> None:
    seen = replace(photographed("3R 4R 5R 6R 7R 8R 9R"), empty_racks=SIDES)
    saved = changed(seen, "t7", doubtful=True, **doubt)
    received = received_record(saved.to_json(), "hands[0]", RULES)
    assert left_open(received, RULES) == left_open(saved, RULES)
    assert (left_open(saved, RULES) is not None) == is_open
    assert received_record(received.to_json(), "hands[0]", RULES) == received
