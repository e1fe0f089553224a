"""An illegal meld leaves the score of a hand open unless everything that was photographed is
clear.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.pieces import Pieces
from engine.rulesets import RULESETS
from scorer_app.hand.intervals import intervals
from scorer_app.hand.plainness import (
    accept_plainly_illegal,
    is_plainly_illegal,
    with_plain_finds,
)
from scorer_app.hand.questions import Ask, questions
from scorer_app.hand.record import End, Place, Record, Row, Tile
from scorer_app.hand.table_rules import TableRules

RULES = TableRules(replace(RULESETS["burako"], void_without_canasta=False), 2)
SLIP = "5R 6R 7R 9R"  # 5 + 5 + 5 + 10


def photographed(*rows: str, side: float = 30.0, step: float = 30.0) -> Record:
    """Make a record of rows of side A as one photograph shows them, with tiles `side` pixels wide
    and `step` apart.
    """
    record = Record(end=End.STOCK_EXHAUSTED, muerto={"A": False, "B": False})
    for y, row in enumerate(rows):
        names = []
        for x, face in enumerate(row.split()):
            name, record = record.next_id("t")
            left, top = 50 + x * step, 100.0 + 100 * y
            right, bottom = left + side, top + 1.4 * side
            corners = ((left, top), (right, top), (right, bottom), (left, bottom))
            tile = Tile(name, face, "p", corners, face, 0.99, alternatives=(("1K", 0.002),))
            record = record.with_tiles([tile])
            names.append(name)
        name, record = record.next_id("r")
        laid = Row(name, "A", Place.MELDS, tuple(names), ordered=True)
        record = replace(record, rows=(*record.rows, laid))
    return record


def changed(record: Record, name: str, **fields: Any) -> Record:
    return record.with_tiles([replace(record.tiles[name], **fields)])


def is_open(record: Record, rules: TableRules = RULES) -> bool:
    low, high = intervals(accept_plainly_illegal(record, rules), rules)["A"]
    return low < high


@pytest.mark.parametrize("rows", [[SLIP], [SLIP, "3K 4K 5K"], ["10R 11R"], ["3R 4B 5R"]])
def test_where_all_is_clear_an_illegal_meld_counts_as_it_lies(rows: list[str]) -> None:
    record = photographed(*rows)
    assert not is_open(record)
    points = sum(RULES.points([tile.face]) for tile in record.tiles.values())
    accepted = accept_plainly_illegal(record, RULES)
    assert intervals(accepted, RULES)["A"] == (points - 100, points - 100)


@pytest.mark.parametrize("arranged", [False, True])
def test_where_a_person_can_be_asked_it_counts_or_not(arranged: bool) -> None:
    record = photographed("10R 11B", "3K 4K 5K")
    row = replace(record.rows[0], user_arranged=arranged)
    record = replace(record, rows=(row, record.rows[1]))
    (asked,) = [one for one in questions(record, RULES) if one.ask is Ask.ROW]
    low, high = intervals(record, RULES)["A"]
    assert (low, high) == (15 - 100, 15 + asked.effect - 100)
    accepted = replace(record, rows=(replace(row, accepted=True), record.rows[1]))
    assert intervals(accepted, RULES)["A"] == (high, high)


def test_a_legal_meld_and_one_that_is_not_clear_are_not_accepted() -> None:
    record = photographed("3K 4K 5K", SLIP)
    assert [row.accepted for row in accept_plainly_illegal(record, RULES).rows] == [False, True]
    doubted = changed(record, "t1", doubtful=True)
    assert accept_plainly_illegal(doubted, RULES) == doubted


def test_one_doubt_anywhere_in_the_hand_leaves_it_open() -> None:
    """A photograph with a tile in doubt may lack one as well."""
    record = photographed(SLIP, "3K 4K 5K")
    assert is_open(changed(record, "t6", doubtful=True))
    assert is_open(changed(record, "t6", face=None))


@pytest.mark.parametrize("perhaps_none", [True, False])
def test_what_was_set_aside_is_no_doubt_about_melds(perhaps_none: bool) -> None:
    record = changed(photographed(SLIP, "3K"), "t6", doubtful=True, perhaps_none=perhaps_none)
    aside = replace(record.rows[1], place=Place.POZO)
    assert not is_open(replace(record, rows=(record.rows[0], aside)))
    assert is_open(record)
    on_the_rack = replace(record, rows=(record.rows[0], replace(aside, place=Place.RACK)))
    assert not is_plainly_illegal(on_the_rack, on_the_rack.rows[0], RULES)
    of_the_row = changed(photographed(SLIP), "t1", doubtful=True, perhaps_none=perhaps_none)
    assert not is_plainly_illegal(of_the_row, of_the_row.rows[0], RULES)


def test_small_tiles_leave_it_open() -> None:
    assert is_open(photographed(SLIP, side=14.0, step=14.0))


@pytest.mark.parametrize(("wide", "high"), [(17.9, 40.0), (40.0, 17.9), (18.1, 18.1)])
def test_the_shorter_side_tells_whether_a_tile_is_small(wide: float, high: float) -> None:
    corners = ((0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high))
    record = changed(photographed(SLIP, "3K 4K 5K"), "t6", corners=corners)
    assert is_open(record) is (min(wide, high) < 18)


@pytest.mark.parametrize(("away", "is_left_open"), [(30, True), (43, True), (45, False)])
def test_a_tile_set_aside_beside_the_row_leaves_it_open(away: float, is_left_open: bool) -> None:
    """It may be one that the players laid askew at the row's end."""
    record = photographed(SLIP, "3K")
    last = record.tiles["t4"].corners
    assert last
    record = changed(record, "t6", corners=tuple((x + away, y) for x, y in last))
    aside = replace(record.rows[1], place=Place.POZO)
    assert is_open(replace(record, rows=(record.rows[0], aside))) is is_left_open


def test_a_gap_in_the_row_leaves_it_open() -> None:
    """A tile may lie there that was not found."""
    record = photographed(SLIP)
    last = record.tiles["t4"]
    assert last.corners is not None
    moved = tuple((x + 30.0, y) for x, y in last.corners)
    assert is_open(changed(record, "t4", corners=moved))


@pytest.mark.parametrize(("share", "left_open"), [(0.04, True), (0.02, False)])
def test_another_face_that_makes_it_legal_leaves_it_open(share: float, left_open: bool) -> None:
    record = changed(photographed(SLIP), "t4", alternatives=(("8R", share),))
    assert is_open(record) is left_open


@pytest.mark.parametrize(
    ("row", "tile", "other"), [("9K 4R 5R", "t1", "3R"), ("3R 9K 5R 6R", "t2", "4R")]
)
def test_the_other_face_may_be_that_of_any_tile(row: str, tile: str, other: str) -> None:
    record = photographed(row)
    assert is_plainly_illegal(record, record.rows[0], RULES)
    doubted = changed(record, tile, alternatives=((other, 0.3),))
    assert not is_plainly_illegal(doubted, doubted.rows[0], RULES)


def test_cards_may_be_covered() -> None:
    cards = replace(RULES, pieces=Pieces.CARDS)
    assert is_open(photographed(SLIP), cards)


# --- a tile that only the detector is unsure of ---


def faint(name: str, *rows: str, **fields: Any) -> Record:
    """Make a record of photographed rows in which the tile `name` was seen faintly but read
    surely.
    """
    return changed(photographed(*rows), name, doubtful=True, perhaps_none=True, **fields)


def test_a_faint_tile_of_a_legal_meld_is_one_where_all_else_is_clear() -> None:
    record = faint("t2", "5R 6R 7R 8R", "3K 4K 5K")
    assert not is_open(record)
    assert Ask.TILE not in [question.ask for question in questions(record, RULES)]
    plain = with_plain_finds(record, RULES)
    assert plain == changed(record, "t2", doubtful=False, perhaps_none=False)


def test_an_illegal_meld_beside_it_counts_too() -> None:
    record = faint("t2", "5R 6R 7R 8R", SLIP)
    assert not is_open(record)


@pytest.mark.parametrize(
    "record",
    [
        faint("t2", "5R 6R 8R 9R"),  # no meld
        faint("t2", "5R 6R 7R 8R", confidence=0.96),
        changed(faint("t2", "5R 6R 7R 8R", "3K 4K 5K"), "t6", doubtful=True),
        changed(faint("t2", "5R 6R 7R"), "t3", doubtful=True, perhaps_none=True),  # one is sure
        faint("t2", "5R 6R 7R 8R", "6R 6R 6K"),  # the set has two of them
    ],
)
def test_elsewhere_a_faint_tile_leaves_the_hand_open(record: Record) -> None:
    assert is_open(record)
    assert Ask.TILE in [question.ask for question in questions(record, RULES)]


def test_a_faint_tile_that_is_small_or_far_from_the_next_leaves_it_open() -> None:
    small = photographed("5R 6R 7R 8R", side=14.0, step=14.0)
    assert is_open(changed(small, "t2", doubtful=True, perhaps_none=True))
    row = faint("t4", "5R 6R 7R 8R")
    last = row.tiles["t4"]
    assert last.corners is not None
    assert is_open(changed(row, "t4", corners=tuple((x + 30.0, y) for x, y in last.corners)))


def test_copies_in_another_photograph_leave_no_doubt_whether_a_find_is_a_tile() -> None:
    """Together the two photographs show three 6R, but each shows no more than the set has."""
    record = faint("t2", "5R 6R 7R 8R", "6R 6R 6K")
    for name in ("t6", "t7", "t8"):
        record = changed(record, name, photo="q")
    plain = with_plain_finds(record, RULES)
    assert plain == changed(record, "t2", doubtful=False, perhaps_none=False)
