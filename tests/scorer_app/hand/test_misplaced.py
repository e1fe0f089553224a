"""A photograph that was given for a wrong area goes to where it belongs, with what people said and
arranged in it.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.sides import SideName
from scorer_app.hand.misplaced import area_of_photo, move_photo
from scorer_app.hand.record import Place, Record

from ..pictures import picture_of
from .test_edits import edited, rows_of
from .test_merging import FREE_SPOT, PHOTO, add_reading, added, named, places_of, read, row_with


def moved(record: Record, side: SideName, place: Place) -> Record:
    record = move_photo(record, PHOTO, side, place)
    record.check()
    return record


def test_melds_go_to_the_other_side_as_people_arranged_them() -> None:
    record = read(Record())
    record = edited(
        {"op": "set_tile", "tile": named(record, "9K"), "face": "4Y"},
        {"op": "accept_row", "row": row_with(record, "9R"), "accepted": True},
        {"op": "add_tile", "side": "A", "place": "melds", "face": "7B"},
        record=record,
    )
    record = edited(
        {
            "op": "join_rows",
            "row": row_with(record, "7B"),
            "into": row_with(record, "6B"),
        },
        record=record,
    )
    there = moved(record, "B", Place.MELDS)
    assert places_of(there) == [
        "B melds ['4B', '5B', '6B', '7B']",
        "B melds ['9R', '9B', '4Y']",
        "B pozo ['13Y']",
    ]
    assert there.row_of(named(there, "4Y")).accepted
    assert places_of(read(moved(there, "A", Place.MELDS))) == places_of(record)


def test_a_rack_goes_to_the_other_side_without_the_tiles_of_others() -> None:
    record = add_reading(Record(), PHOTO, "A", Place.RACK, picture_of(loose="9K 4B").reading)
    record = edited(
        {"op": "add_tile", "side": "A", "place": "rack", "face": "1R"},
        {"op": "add_tile", "side": "B", "place": "rack", "face": "2R"},
        record=record,
    )
    there = moved(record, "B", Place.RACK)
    assert places_of(there) == ["A rack ['1R']", "B rack ['2R', '9K', '4B']"]


def test_a_rack_given_as_melds_is_one_rack() -> None:
    record = moved(read(Record()), "A", Place.RACK)
    assert places_of(record) == ["A rack ['4B', '5B', '6B', '9R', '9B', '9K', '13Y']"]


def test_melds_given_as_a_rack_are_laid_as_they_are_read() -> None:
    melds = picture_of("4B 5B 6B", "9R 9B 9K", loose="13Y").reading
    record = add_reading(Record(), PHOTO, "A", Place.RACK, melds)
    by_hand = {**added("7R", record.rows[0].id, FREE_SPOT), "place": "rack"}
    record = edited(
        by_hand,
        {"op": "set_tile", "tile": named(record, "9K"), "face": "9Y"},
        record=record,
    )
    waiting = moved(record, "B", Place.MELDS)
    assert rows_of(waiting) == [["4B", "5B", "6B", "9R", "9B", "9Y", "13Y"], ["7R"]]
    laid = add_reading(waiting, PHOTO, "B", Place.MELDS, melds)
    assert places_of(laid) == [
        "B melds ['4B', '5B', '6B']",
        "B melds ['7R']",
        "B melds ['9R', '9B', '9Y']",
        "B pozo ['13Y']",
    ]


def test_tiles_tapped_in_where_the_photograph_goes_are_compared_with_it() -> None:
    record = replace(read(Record()), compared=(PHOTO, "p9"))
    assert moved(record, "B", Place.MELDS).compared == ("p9",)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (("A", Place.MELDS), ("A", Place.MELDS)),
        (("B", Place.MELDS), ("B", Place.MELDS)),
        (("B", Place.RACK), ("A", Place.MELDS)),
    ],
)
def test_a_photograph_is_found_where_its_tiles_lie(
    now: tuple[SideName, Place], expected: tuple[SideName, Place]
) -> None:
    record = read(Record())
    there = {"op": "move_row", "row": row_with(record, "9R"), "side": "B", "place": "melds"}
    assert area_of_photo(edited(there, record=record), PHOTO, now) == expected
    assert area_of_photo(record, "p9", now) == now
