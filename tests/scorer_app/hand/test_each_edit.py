"""What each edit makes of a hand, as lines of text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scorer_app.hand.edits import apply, read_edit
from scorer_app.hand.fields import EditRefused, Refusal
from scorer_app.hand.record import Record
from scorer_app.hand.table_rules import TableRules

from .test_duplicates import hand

RULES = TableRules.of("burako", {}, 4)
# r4: t1 3R, t2 4R, t3 5R; r7: t5 9B, t6 9K; r9: t8 J; r11: t10 12Y.
TABLE = hand("A melds p1: 3R 4R 5R", "A melds p1: 9B 9K", "A rack p2: J", "B rack p3: 12Y")


def lines(record: Record) -> list[str]:
    """Write each row as its side, place and faces, then `!` where a person arranged it, `~` where
    it is in no order, `ok` where it is accepted.
    """
    found = []
    for row in record.rows:
        marks = ["!"] * row.user_arranged + ["~"] * (not row.ordered) + ["ok"] * row.accepted
        faces = [face or "?" for face in record.faces(row)]
        found.append(" ".join([row.side, row.place, *faces, *marks]))
    return found


def after(record: Record, op: str, **fields: Any) -> Record:
    return apply(record, read_edit({"op": op} | fields), RULES)


A1, A2, RACK_A, RACK_B = "A melds 3R 4R 5R", "A melds 9B 9K", "A rack J", "B rack 12Y"


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ({"op": "set_tile", "tile": "t2", "face": "4B"}, ["A melds 3R 4B 5R", A2, RACK_A, RACK_B]),
        (
            {"op": "set_tile", "tile": "t2", "face": "4B", "seen": "4R"},
            ["A melds 3R 4B 5R", A2, RACK_A, RACK_B],
        ),
        (  # somebody else has said the same
            {"op": "set_tile", "tile": "t2", "face": "4R", "seen": "9K"},
            [A1, A2, RACK_A, RACK_B],
        ),
        ({"op": "remove_tile", "tile": "t1"}, ["A melds 4R 5R !", A2, RACK_A, RACK_B]),
        ({"op": "remove_tile", "tile": "t8"}, [A1, A2, RACK_B]),
        ({"op": "remove_tiles", "tiles": ["t1", "t8", "t1"]}, ["A melds 4R 5R !", A2, RACK_B]),
        ({"op": "remove_tiles", "tiles": ["t99", "t8"]}, [A1, A2, RACK_B]),
        (
            {"op": "add_tile", "face": "6R", "row": "r4"},
            ["A melds 3R 4R 5R 6R ! ~", A2, RACK_A, RACK_B],
        ),
        (
            {"op": "add_tile", "face": "2R", "row": "r4", "index": 0},
            ["A melds 2R 3R 4R 5R !", A2, RACK_A, RACK_B],
        ),
        (
            {"op": "add_tile", "face": "6R", "row": "new", "side": "B", "place": "melds"},
            [A1, A2, RACK_A, RACK_B, "B melds 6R ! ~"],
        ),
        (
            {"op": "add_tile", "face": "9Y", "side": "A", "place": "melds"},  # r7 was photographed
            [A1, A2, RACK_A, RACK_B, "A melds 9Y ! ~"],
        ),
        (
            {"op": "add_tiles", "faces": ["6Y", "7Y"], "side": "B", "place": "rack"},
            [A1, A2, RACK_A, "B rack 12Y 6Y 7Y ! ~"],
        ),
        (
            {"op": "add_tiles", "faces": ["6Y", "7Y"], "side": "A", "place": "melds", "row": "new"},
            [A1, A2, RACK_A, RACK_B, "A melds 6Y 7Y ! ~"],
        ),
        (
            {"op": "move_tile", "tile": "t3", "row": "r7"},
            ["A melds 3R 4R !", "A melds 9B 9K 5R ! ~", RACK_A, RACK_B],
        ),
        (
            {"op": "move_tile", "tile": "t8", "row": "r4", "index": 1},
            ["A melds 3R J 4R 5R !", A2, RACK_B],
        ),
        (
            {"op": "move_tile", "tile": "t2", "row": "new", "side": "A", "place": "pozo"},
            ["A melds 3R 5R !", A2, RACK_A, RACK_B, "A pozo 4R ! ~"],
        ),
        (
            {"op": "move_tile", "tile": "t2", "row": "new", "side": "A", "place": "rack"},
            ["A melds 3R 5R !", A2, "A rack J 4R ! ~", RACK_B],
        ),
        (
            {"op": "split_row", "row": "r4", "at": 1},
            ["A melds 3R !", A2, RACK_A, RACK_B, "A melds 4R 5R !"],
        ),
        (
            {"op": "join_rows", "row": "r4", "into": "r7"},
            ["A melds 9B 9K 3R 4R 5R ! ~", RACK_A, RACK_B],
        ),
        (
            {"op": "move_row", "row": "r4", "side": "B", "place": "melds"},
            ["B melds 3R 4R 5R !", A2, RACK_A, RACK_B],
        ),
        (
            {"op": "move_row", "row": "r7", "side": "B", "place": "rack"},
            [A1, RACK_A, "B rack 12Y 9B 9K ! ~"],
        ),
        (
            {
                "op": "move_rows",
                "moves": [
                    {"op": "move_row", "row": "r4", "side": "B", "place": "rack"},
                    {"op": "move_row", "row": "r7", "side": "A", "place": "pozo"},
                ],
            },
            ["A pozo 9B 9K !", RACK_A, "B rack 12Y 3R 4R 5R ! ~"],
        ),
        (
            {"op": "accept_row", "row": "r7", "accepted": True},
            [A1, "A melds 9B 9K ! ok", RACK_A, RACK_B],
        ),
        ({"op": "drop_repeats", "photo": "p1"}, [A1, A2, RACK_A, RACK_B]),
    ],
    ids=lambda given: given["op"] if isinstance(given, dict) else None,
)
def test_tiles_and_rows_lie_where_an_edit_puts_them(
    edit: dict[str, Any], expected: list[str]
) -> None:
    assert lines(TABLE) == [A1, A2, RACK_A, RACK_B]
    record = apply(TABLE, read_edit(edit), RULES)
    assert lines(record) == expected
    assert Record.from_json(record.to_json()) == record


@pytest.mark.parametrize(
    ("read", "face", "expected"),
    [
        ("4R 6R 7R", "5R", "4R 5R 6R 7R !"),
        ("9R 8R 7R", "10R", "10R 9R 8R 7R !"),
        ("3R 4R", "J", "3R 4R J ! ~"),
        ("9B 9K", "9Y", "9B 9K 9Y ! ~"),
        ("3R 4R", "9K", "3R 4R 9K ! ~"),  # legal nowhere
    ],
)
def test_a_tile_that_a_meld_lacks_goes_where_it_is_legal(
    read: str, face: str, expected: str
) -> None:
    record = hand(f"A melds p1: {read}")
    record = after(record, "add_tile", face=face, row=record.rows[0].id)
    assert lines(record) == [f"A melds {expected}"]


@pytest.mark.parametrize(
    ("read", "added", "expected"),
    [
        ("4R 5R 8R 9R", "7R 6R", "4R 5R 6R 7R 8R 9R ! ~"),
        ("4R 5R 8R 9R", "J 6R", "4R 5R 6R J 8R 9R ! ~"),
        ("4R 5R 8R 9R", "7K 6R", "4R 5R 8R 9R 7K 6R ! ~"),  # legal in no order
        ("9R 8R 4R 5R", "7R 6R", "4R 5R 6R 7R 8R 9R ! ~"),
        ("3R 4R 5R", "2R", "3R 4R 5R 2R ! ~"),  # legal at either end
        ("9B 9K", "9Y 9R", "9B 9K 9Y 9R ! ~"),
    ],
)
def test_tiles_added_one_by_one_stand_in_order_once_they_make_a_meld(
    read: str, added: str, expected: str
) -> None:
    record = hand(f"A melds p1: {read}")
    for face in added.split():
        record = after(record, "add_tile", face=face, row=record.rows[0].id)
    assert lines(record) == [f"A melds {expected}"]


@pytest.mark.parametrize(
    ("read", "face", "index", "expected"),
    [
        ("4R 6R 7R", "5R", 3, "4R 5R 6R 7R !"),  # the place where it was tapped makes no meld
        ("4R 6R 7R", "5R", 1, "4R 5R 6R 7R !"),
        ("3R 4R 5R", "J", 0, "J 3R 4R 5R !"),
        ("9B 9K 9Y", "9R", 1, "9B 9R 9K 9Y !"),
        ("3R 4R", "9K", 1, "3R 9K 4R !"),  # legal nowhere
    ],
)
def test_a_tile_tapped_on_a_photograph_goes_where_it_is_legal(
    read: str, face: str, index: int, expected: str
) -> None:
    record, corners = hand(f"A melds p1: {read}"), [[0, 0], [30, 0], [30, 40], [0, 40]]
    spot: dict[str, Any] = {"photo": "p1", "corners": corners, "index": index}
    record = after(record, "add_tile", face=face, row=record.rows[0].id, **spot)
    assert lines(record) == [f"A melds {expected}"]


def test_a_tapped_tile_joins_the_newest_meld_that_was_tapped_in() -> None:
    record = hand("A melds tapped: 3R 4R 5R", "A melds tapped: 9B 9K", "A melds p1: 9Y 9R")
    for face in ("9R", "12K"):
        record = after(record, "add_tile", face=face, side="A", place="melds")
    others = ["A melds 3R 4R 5R", "A melds 9Y 9R"]
    assert sorted(lines(record)) == sorted([*others, "A melds 9B 9K 9R ! ~", "A melds 12K ! ~"])


def test_a_tapped_tile_joins_no_photographed_meld_whose_tiles_a_person_had_to_name() -> None:
    unread = hand("A melds p1: 9B 9K")
    tiles = [replace(tile, face=None, read=None) for tile in unread.tiles.values()]
    record = unread.with_tiles(tiles)
    for edit in ({"tile": "t1", "face": "9B"}, {"tile": "t2", "face": "9K"}):
        record = after(record, "set_tile", **edit)
    record = after(record, "add_tile", face="9Y", side="A", place="melds")
    assert lines(record) == ["A melds 9B 9K", "A melds 9Y ! ~"]


def test_tiles_tapped_where_nothing_was_read_make_melds_that_grow() -> None:
    record, corners = Record(), [[0, 0], [30, 0], [30, 40], [0, 40]]
    for face in ("9R", "9B", "12K"):
        spot: dict[str, Any] = {"photo": "p1", "corners": corners}
        record = after(record, "add_tile", face=face, side="A", place="melds", **spot)
    assert lines(record) == ["A melds 9R 9B 12K ! ~"]


@pytest.mark.parametrize("seen", ["4Y", None])
def test_a_tile_that_somebody_else_has_corrected_since_is_not_changed(seen: str | None) -> None:
    """What a later reading says stands for less than what a person saw and said."""
    edit = {"tile": "t2", "face": "4B", "seen": seen}
    assert lines(after(TABLE, "set_tile", **edit))[0] == "A melds 3R 4B 5R"
    corrected = after(TABLE, "set_tile", tile="t2", face="4R")
    with pytest.raises(EditRefused) as refused:
        after(corrected, "set_tile", **edit)
    assert refused.value.reason is Refusal.TILE_CHANGED


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        ({"op": "move_tile", "tile": "t1", "row": "abc"}, Refusal.NOT_THERE),  # it is not "new"
        ({"op": "move_tile", "tile": "t1", "row": "zzz"}, Refusal.NOT_THERE),
        ({"op": "move_tile", "tile": "t99", "row": "r7"}, Refusal.NOT_THERE),
        ({"op": "set_tile", "tile": "t2", "face": "4B", "seen": "14R"}, Refusal.BAD_VALUE),
        ({"op": "add_tile", "face": "6R", "row": "abc"}, Refusal.NOT_THERE),
        ({"op": "add_tile", "face": "6R", "row": "zzz"}, Refusal.NOT_THERE),
        ({"op": "split_row", "row": "r4", "at": 0}, Refusal.BAD_VALUE),
        ({"op": "split_row", "row": "r4", "at": 3}, Refusal.BAD_VALUE),
        ({"op": "join_rows", "row": "r4", "into": "r4"}, Refusal.BAD_VALUE),
        (
            {
                "op": "move_rows",
                "moves": [
                    {"op": "move_row", "row": row, "side": "B", "place": "melds"}
                    for row in ("r4", "r99")
                ],
            },
            Refusal.NOT_THERE,
        ),
        ({"op": "move_rows", "moves": []}, Refusal.BAD_VALUE),
        ({"op": "remove_adjustment", "adjustment": "x1"}, Refusal.NOT_THERE),
        ({"op": "keep_tapped", "photo": "p9"}, Refusal.NOT_THERE),
        ({"op": "add_adjustment", "side": "A", "points": 0, "reason": "r"}, Refusal.BAD_VALUE),
    ],
)
def test_what_is_not_there_is_refused_and_changes_nothing(
    edit: dict[str, Any], reason: Refusal
) -> None:
    with pytest.raises(EditRefused) as caught:
        apply(TABLE, read_edit(edit), RULES)
    assert caught.value.reason is reason
    assert lines(TABLE) == [A1, A2, RACK_A, RACK_B]


def test_what_is_told_of_a_wrong_name_is_cut_off() -> None:
    with pytest.raises(EditRefused) as caught:
        after(TABLE, "remove_adjustment", adjustment="x" * 500)
    assert str(caught.value).endswith(f"got {'x' * 40!r}")
    with pytest.raises(EditRefused) as caught:
        after(TABLE, "add_adjustment", side="A", points=1, reason="r" * 500)
    assert str(caught.value).endswith(f"got {'r' * 100!r}")


@pytest.mark.parametrize("at", [0, 3, 4])
def test_a_row_is_split_between_two_of_its_tiles(at: int) -> None:
    with pytest.raises(EditRefused, match=f"expected at between 1 and 2, got {at}"):
        after(TABLE, "split_row", row="r4", at=at)


def test_a_range_has_no_more_tiles_than_a_colour_has_numbers() -> None:
    area = {"side": "A", "place": "melds", "row": "new"}
    colour = [f"{number}Y" for number in range(1, 14)]
    assert len(after(TABLE, "add_tiles", faces=colour, **area).tiles) == len(TABLE.tiles) + 13
    with pytest.raises(EditRefused) as caught:
        after(TABLE, "add_tiles", faces=[*colour, "1Y"], **area)
    assert caught.value.reason is Refusal.BAD_VALUE


def test_answers_about_a_side_leave_those_about_the_other() -> None:
    record = after(TABLE, "set_muerto", side="B", taken=True, played=False)
    record = after(record, "set_muerto", side="A", taken=True, played=False)
    assert (record.muerto, record.muerto_unplayed) == ({"A": True, "B": True}, ("A", "B"))
    record = after(record, "set_muerto", side="B", taken=True)
    assert (record.muerto, record.muerto_unplayed) == ({"A": True, "B": True}, ("A",))
    record = after(record, "set_muerto", side="A", taken=None, played=False)
    assert (record.muerto, record.muerto_unplayed) == ({"A": None, "B": True}, ())
    record = after(after(record, "empty_rack", side="B"), "empty_rack", side="A")
    assert record.empty_racks == ("A", "B")
    assert after(record, "empty_rack", side="A", empty=False).empty_racks == ("B",)


def test_adjustments_come_and_go_one_by_one() -> None:
    record = after(TABLE, "add_adjustment", side="A", points=-50, reason=" \u202elate\0 ")
    record = after(record, "add_adjustment", side="B", points=7, reason="r")
    told = [(item.id, item.side, item.points, item.reason) for item in record.adjustments]
    assert told == [("x12", "A", -50, "late"), ("x13", "B", 7, "r")]
    left = after(record, "remove_adjustment", adjustment="x12")
    assert [item.id for item in left.adjustments] == ["x13"]


def test_an_adjustment_of_nothing_is_refused_and_said_to_be_0() -> None:
    with pytest.raises(EditRefused, match=r"expected points other than 0, got 0$"):
        after(TABLE, "add_adjustment", side="A", points=0, reason="r")


def test_what_was_compared_is_remembered_by_photograph() -> None:
    record = after(after(TABLE, "keep_tapped", photo="p1"), "tell_apart", photo="p2")
    assert (record.compared, record.told_apart) == (("p1",), ("p2",))
    assert after(record, "keep_tapped", photo="p1").compared == ("p1",)
    record = after(after(record, "keep_copies", face="3R"), "keep_copies", face="3R")
    assert record.kept_copies == {"3R": 1}
    again = hand("A melds tapped: 3R 4R 5R", "A melds p1: 3R 4R 5R")
    dropped = after(again, "drop_tapped", photo="p1")
    assert (lines(dropped), dropped.compared) == (["A melds 3R 4R 5R"], ("p1",))
    twice = hand("A melds p1: 3R 4R 5R", "A melds p2: 3R 4R 5R")
    once = after(twice, "drop_repeats", photo="p2")
    assert lines(once) == ["A melds 3R 4R 5R"] and {tile.photo for tile in once.tiles.values()} == {
        "p1"
    }
    known = replace(once, tiles={}, rows=())
    assert after(known, "keep_tapped", photo="p2").compared == ("p2",)  # its tiles were removed


@pytest.mark.parametrize(
    "edit",
    [
        {"op": "split_row", "row": "r4", "at": 1},
        {"op": "join_rows", "row": "r4", "into": "r7"},
        {"op": "join_rows", "row": "r7", "into": "r4"},
        {"op": "move_row", "row": "r4", "side": "B", "place": "melds"},
        {"op": "add_tile", "face": "6R", "row": "r4"},
        {"op": "set_tile", "tile": "t1", "face": "9R"},
        {"op": "remove_tile", "tile": "t1"},
        {"op": "remove_tiles", "tiles": ["t1", "t8"]},
        {"op": "move_tile", "tile": "t1", "row": "r7"},
        {"op": "move_tile", "tile": "t1", "row": "r4", "index": 1},
        {"op": "accept_row", "row": "r4", "accepted": False},
    ],
    ids=lambda given: given["op"],
)
def test_a_row_that_was_accepted_is_not_accepted_as_another(edit: dict[str, Any]) -> None:
    accepted = after(TABLE, "accept_row", row="r4", accepted=True)
    assert [row.accepted for row in accepted.rows] == [True, False, False, False]
    assert not any(row.accepted for row in apply(accepted, read_edit(edit), RULES).rows)


@pytest.mark.parametrize(("tile", "face"), [("t1", "3R"), ("t5", "9R")])
def test_a_row_stays_accepted_while_its_faces_stay(tile: str, face: str) -> None:
    accepted = after(TABLE, "accept_row", row="r4", accepted=True)
    settled = after(accepted, "set_tile", tile=tile, face=face)
    assert [row.accepted for row in settled.rows] == [True, False, False, False]


@pytest.mark.parametrize(
    "again", [{"op": "remove_tile", "tile": "t1"}, {"op": "remove_tiles", "tiles": ["t1", "t8"]}]
)
def test_what_two_phones_remove_is_removed_once(again: dict[str, Any]) -> None:
    once = after(TABLE, "remove_tiles", tiles=["t1", "t8"])
    assert apply(once, read_edit(again), RULES) == once
