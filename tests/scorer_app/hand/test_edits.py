"""What a person may do to the record of a hand, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rulesets import BURAKO
from scorer_app.hand.edits import EDITS, apply, read_edit
from scorer_app.hand.fields import MAX_TILES, EditRefused, Refusal
from scorer_app.hand.record import Place, Record
from scorer_app.hand.table_rules import FACES, TableRules

from .test_duplicates import hand

RULES = TableRules(BURAKO, 4)


def edited(*operations: dict[str, Any], record: Record | None = None) -> Record:
    record = record or Record()
    for operation in operations:
        record = apply(record, read_edit(operation), RULES)
    return record


def tapped(faces: str, side: str = "A", place: str = "melds") -> list[dict[str, Any]]:
    return [
        {"op": "add_tile", "side": side, "place": place, "face": face} for face in faces.split()
    ]


def rows_of(record: Record) -> list[list[str | None]]:
    return [record.faces(row) for row in record.rows]


def test_tapped_tiles_fall_into_melds_by_themselves() -> None:
    record = edited(*tapped("3R 4R 5R 6R 7B 7K 7Y 10K J 12K"))
    assert rows_of(record) == [["3R", "4R", "5R", "6R"], ["7B", "7K", "7Y"], ["10K", "J", "12K"]]


@pytest.mark.parametrize(
    ("faces", "expected"),
    [
        ("3R 4R 5R 6R 9R 7R 8R", ["3R 4R 5R 6R 9R 7R 8R"]),
        ("3R 4R 5R 9R 8R 7R 6R 10R", ["3R 4R 5R 9R 8R 7R 6R 10R"]),
        ("3R 4R 5R 11R 9R 10R 8R 7R 6R", ["3R 4R 5R 11R 9R 10R 8R 7R 6R"]),
        ("3R 4R J 6R 9R 7R 8R", ["3R 4R J 6R 9R 7R 8R"]),
        ("3R 4R 5R 7R J", ["3R 4R 5R 7R J"]),
        # A joker makes one meld of the newest row before it makes one of both.
        ("3R 4R 5R 7R 8R 9R", ["3R 4R 5R", "7R 8R 9R"]),
        ("3R 4R 5R 7R 8R 9R J", ["3R 4R 5R", "7R 8R 9R J"]),
        ("3R 4R 5R 3R 4R 5R 6R", ["3R 4R 5R", "3R 4R 5R 6R"]),
        ("7B 7K 7Y 3R 4R 5R 8R 6R 7R", ["7B 7K 7Y", "3R 4R 5R 8R 6R 7R"]),
    ],
)
def test_the_tiles_of_a_meld_may_be_tapped_in_any_order(faces: str, expected: list[str]) -> None:
    assert rows_of(edited(*tapped(faces))) == [row.split() for row in expected]


@pytest.mark.parametrize("first", ["7R", "8R"])
def test_rows_that_a_person_parted_are_not_joined_by_what_is_tapped_later(first: str) -> None:
    later = {"7R": "8R 9R", "8R": "7R 9R"}[first]
    record = edited(*tapped("3R 4R 5R 6R"), {**tapped(first)[0], "row": "new"}, *tapped(later))
    assert rows_of(record) == [["3R", "4R", "5R", "6R"], [first, *later.split()]]
    whole = edited(*tapped("3R 4R 5R 6R 7R 8R"))
    parted = edited({"op": "split_row", "row": whole.rows[0].id, "at": 3}, record=whole)
    assert rows_of(edited(*tapped("9R"), record=parted)) == [
        ["3R", "4R", "5R"],
        ["6R", "7R", "8R", "9R"],
    ]


def on_two_phones(mine: str, theirs: str) -> list[dict[str, Any]]:
    """Return the operations of two browsers that tap in tiles by turns, the first one mine."""
    pairs = zip(tapped(mine), tapped(theirs), strict=True)
    return [
        {**tap, "by": by} for pair in pairs for tap, by in zip(pair, ("me", "x-Y_1"), strict=True)
    ]


def test_two_phones_tap_in_a_meld_each_although_they_tap_by_turns() -> None:
    taps = on_two_phones("4R 5R 6R", "4B 4K 4Y")
    assert rows_of(edited(*taps)) == [["4R", "5R", "6R"], ["4B", "4K", "4Y"]]
    mixed = edited(*({**tap, "by": ""} for tap in taps))  # of a program, which gives no name
    assert rows_of(mixed) != rows_of(edited(*taps))
    # What makes one meld of my rows leaves those of the other phone alone.
    apart = edited(*on_two_phones("4R 5R 7R", "9R 10R 11R"), {**tapped("6R")[0], "by": "me"})
    assert rows_of(apart) == [["4R", "5R", "7R", "6R"], ["9R", "10R", "11R"]]
    # A meld that nobody's browser began, as in hands of earlier versions, grows on every phone.
    old = edited(*tapped("3R 4R"))
    grown = edited({**tapped("5R")[0], "by": "me"}, {**tapped("6R")[0], "by": "x"}, record=old)
    assert rows_of(grown) == [["3R", "4R", "5R", "6R"]]
    assert rows_of(edited(*tapped("6R"), record=edited(*taps[:3:2]))) == [["4R", "5R"], ["6R"]]


@pytest.mark.parametrize(
    "parting",
    [
        {"op": "split_row", "row": "{row}", "at": 2},
        {"op": "move_tile", "tile": "{last}", "row": "new", "side": "A", "place": "melds"},
    ],
)
def test_what_is_parted_from_my_meld_grows_on_no_other_phone(parting: dict[str, Any]) -> None:
    mine = edited(*({**tap, "by": "me"} for tap in tapped("4R 5R 6R")))
    (row,) = mine.rows
    ids = {"{row}": row.id, "{last}": row.tiles[-1]}
    edit = {key: ids.get(value, value) for key, value in parting.items()}
    other = {**tapped("1K")[0], "by": "other"}
    assert rows_of(edited(edit, other, record=mine)) == [["4R", "5R"], ["6R"], ["1K"]]


def test_a_rack_is_one_row_whoever_taps_it_in_and_a_range_stays_with_its_phone() -> None:
    racks = [{**tap, "place": "rack"} for tap in on_two_phones("4R 9K", "4B J")]
    assert rows_of(edited(*racks)) == [["4R", "4B", "9K", "J"]]
    span = {"op": "add_tiles", "faces": ["5R", "6R"], "side": "A", "place": "melds", "by": "me"}
    record = edited(*on_two_phones("4R", "4B"), span)
    assert rows_of(record) == [["4R", "5R", "6R"], ["4B"]]
    assert Record.from_json(record.to_json()) == record


def test_no_row_read_in_a_photograph_is_joined_by_tapped_tiles() -> None:
    record = hand("A melds p1: 3R 4R 5R 6R", "A melds tapped: 9R")
    record = edited(*tapped("8R 7R"), record=record)
    assert rows_of(record) == [["3R", "4R", "5R", "6R"], ["9R", "8R", "7R"]]


def test_a_tile_tapped_for_a_new_row_never_joins_the_last() -> None:
    record = edited(*tapped("3R 4R 5R"), {**tapped("6R")[0], "row": "new"})
    assert rows_of(record) == [["3R", "4R", "5R"], ["6R"]]


def test_racks_are_one_row_each() -> None:
    record = edited(*tapped("3R 9K", place="rack"), *tapped("J", side="B", place="rack"))
    assert [(row.side, row.place, record.faces(row)) for row in record.rows] == [
        ("A", Place.RACK, ["3R", "9K"]),
        ("B", Place.RACK, ["J"]),
    ]


def test_split_join_move_and_remove() -> None:
    record = edited(*tapped("3R 4R 5R 6R 7R 8R"))
    record = edited({"op": "split_row", "row": record.rows[0].id, "at": 3}, record=record)
    assert rows_of(record) == [["3R", "4R", "5R"], ["6R", "7R", "8R"]]
    first, second = record.rows
    joined = edited({"op": "join_rows", "row": second.id, "into": first.id}, record=record)
    assert rows_of(joined) == [["3R", "4R", "5R", "6R", "7R", "8R"]]
    moved = edited({"op": "move_tile", "tile": second.tiles[0], "row": first.id}, record=record)
    assert rows_of(moved) == [["3R", "4R", "5R", "6R"], ["7R", "8R"]]
    removed = edited(*({"op": "remove_tile", "tile": tile} for tile in second.tiles), record=record)
    assert rows_of(removed) == [["3R", "4R", "5R"]]
    aside = edited(
        {"op": "move_row", "row": second.id, "side": "A", "place": "pozo"}, record=record
    )
    assert aside.row(second.id).place is Place.POZO


def test_a_row_that_changes_must_be_accepted_anew() -> None:
    record = edited(*tapped("3R 4R 6R"))
    record = edited({"op": "accept_row", "row": record.rows[0].id, "accepted": True}, record=record)
    assert record.rows[0].accepted
    assert (
        not edited({"op": "remove_tile", "tile": record.rows[0].tiles[0]}, record=record)
        .rows[0]
        .accepted
    )


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        ({"op": "fly"}, Refusal.UNKNOWN_OPERATION),
        ({}, Refusal.UNKNOWN_OPERATION),
        ({"op": ["add_tile"]}, Refusal.UNKNOWN_OPERATION),
        ({"op": "add_tile", "side": "A", "place": "melds", "face": "14R"}, Refusal.BAD_VALUE),
        ({**tapped("4R")[0], "by": "a b"}, Refusal.BAD_VALUE),
        ({**tapped("4R")[0], "by": "a" * 41}, Refusal.BAD_VALUE),
        ({**tapped("4R")[0], "by": "me\n"}, Refusal.BAD_VALUE),
        ({"op": "add_tile", "side": "C", "place": "melds", "face": "7R"}, Refusal.BAD_VALUE),
        ({"op": "add_tile", "side": "A", "place": "lap", "face": "7R"}, Refusal.BAD_VALUE),
        (
            {"op": "add_tile", "side": "A", "place": "melds", "face": "7R", "corners": [[1, 2]]},
            Refusal.BAD_VALUE,
        ),
        ({"op": "set_tile", "tile": "t99", "face": "7R"}, Refusal.NOT_THERE),
        ({"op": "remove_tiles", "tiles": ["t98", "t99"]}, Refusal.NOT_THERE),
        ({"op": "remove_tiles", "tiles": []}, Refusal.BAD_VALUE),
        ({"op": "remove_tiles", "tiles": ["t1"] * 217}, Refusal.BAD_VALUE),
        ({"op": "set_end", "end": "close", "closed_by": None}, Refusal.BAD_VALUE),
        ({"op": "set_end", "end": "stock_exhausted", "closed_by": "A"}, Refusal.BAD_VALUE),
        ({"op": "set_muerto", "side": "A", "taken": "yes"}, Refusal.BAD_VALUE),
        ({"op": "add_adjustment", "side": "A", "points": 0, "reason": "x"}, Refusal.BAD_VALUE),
        ({"op": "add_adjustment", "side": "A", "points": 10, "reason": " "}, Refusal.BAD_VALUE),
        ({"op": "remove_adjustment", "adjustment": "x1"}, Refusal.NOT_THERE),
    ],
)
def test_what_does_not_fit_is_refused(operation: dict[str, Any], reason: Refusal) -> None:
    with pytest.raises(EditRefused) as refused:
        apply(Record(), read_edit(operation), RULES)
    assert refused.value.reason is reason


anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 300),
    st.floats(allow_nan=False),
    st.text(max_size=5),
    st.sampled_from(
        ["A", "B", "melds", "rack", "pozo", "new", "t1", "t3", "r2", "close", *sorted(FACES)]
    ),
    st.lists(st.lists(st.integers(-9, 9), max_size=3), max_size=5),
)
keys = [
    "tile",
    "face",
    "row",
    "side",
    "place",
    "into",
    "at",
    "index",
    "end",
    "closed_by",
    "taken",
    "points",
    "reason",
]
values = st.dictionaries(st.sampled_from(keys), anything)
operations = st.builds(
    lambda name, given: {**given, "op": name}, st.sampled_from(sorted(EDITS)), values
)


@pytest.mark.parametrize(
    ("taken", "played", "unplayed"),
    [
        (True, True, ()),
        (True, False, ("A",)),
        (False, True, ()),
        (False, False, ()),
        (None, False, ()),
    ],
)
def test_a_muerto_is_unplayed_only_where_it_was_taken(
    taken: bool | None, played: bool, unplayed: tuple[str, ...]
) -> None:
    other = {"op": "set_muerto", "side": "B", "taken": True, "played": False}
    told = {"op": "set_muerto", "side": "A", "taken": taken, "played": played}
    record = edited(other, told)
    assert record.muerto == {"A": taken, "B": True}
    assert record.muerto_unplayed == (*unplayed, "B")
    again = edited({**other, "played": True}, record=record)
    assert again.muerto_unplayed == unplayed
    assert edited({"op": "set_muerto", "side": "A", "taken": True}).muerto_unplayed == ()


def test_so_many_tiles_are_taken_and_no_more() -> None:
    record = edited(*tapped(" ".join(["3R"] * MAX_TILES), place="rack"))
    with pytest.raises(EditRefused, match=f"at most {MAX_TILES} tiles, got {MAX_TILES + 1}"):
        edited(*tapped("3R"), record=record)


def test_a_row_that_others_join_has_to_be_accepted_anew() -> None:
    record = edited(*tapped("3R 4R 9R"), {**tapped("5B")[0], "row": "new"})
    first, second = record.rows
    accepted = {"op": "accept_row", "row": first.id, "accepted": True}
    record = edited(
        accepted, {"op": "join_rows", "row": second.id, "into": first.id}, record=record
    )
    (joined,) = record.rows
    assert (record.faces(joined), joined.accepted) == (["3R", "4R", "9R", "5B"], False)


def test_twenty_adjustments_are_taken_and_no_more() -> None:
    one = {"op": "add_adjustment", "side": "A", "points": -5, "reason": " late "}
    record = edited(*[one] * 20)
    assert {(item.points, item.reason) for item in record.adjustments} == {(-5, "late")}
    with pytest.raises(EditRefused, match="at most 20 adjustments, got 21") as refused:
        edited(one, record=record)
    assert refused.value.reason is Refusal.TOO_MANY
    first = record.adjustments[0].id
    fewer = edited({"op": "remove_adjustment", "adjustment": first}, record=record)
    assert fewer.adjustments == record.adjustments[1:]
    assert len(edited(one, record=fewer).adjustments) == 20


@pytest.mark.parametrize(("letters", "fits"), [(1, True), (80, True), (81, False)])
def test_a_reason_has_up_to_eighty_letters(letters: int, fits: bool) -> None:
    adjustment = {"op": "add_adjustment", "side": "B", "points": 1, "reason": "r" * letters}
    if fits:
        record = edited(adjustment)
        assert record.adjustments[0].reason == "r" * letters
        assert Record.from_json(record.to_json()) == record
    else:
        with pytest.raises(EditRefused, match="reason, 1 to 80 letters"):
            edited(adjustment)


@given(st.lists(operations, max_size=12))
def test_any_operation_is_applied_or_refused_and_every_tile_lies_in_exactly_one_row(
    made: list[dict[str, Any]],
) -> None:
    record = edited(*tapped("3R 4R 5R 9K"))
    for operation in made:
        try:
            record = apply(record, read_edit(operation), RULES)
        except EditRefused:
            continue
        lying = [tile for row in record.rows for tile in row.tiles]
        assert sorted(lying) == sorted(record.tiles)
        assert Record.from_json(record.to_json()) == record


def test_a_record_under_the_names_of_earlier_versions_is_read_as_ever() -> None:
    record = edited(*tapped("3R 4R 5R"), {"op": "remove_tile", "tile": "t1"})
    new = json.dumps(record.to_json())
    old = new.replace("confirmed", "settled").replace("ordered", "as_laid")
    old = old.replace("user_arranged", "by_hand")
    assert old != new
    assert Record.from_json(json.loads(old)) == record == Record.from_json(json.loads(new))
