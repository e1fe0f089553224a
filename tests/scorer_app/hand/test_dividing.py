"""Loose tiles that count as melds after all: each meld that a photograph shows is a row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer_app.hand.edits_of_rows import MoveRow
from scorer_app.hand.questions import Ask, questions
from scorer_app.hand.record import Place, Record
from scorer_app.hand.table_rules import TableRules

from .test_duplicates import TAPPED, hand
from .test_each_edit import lines

RULES = TableRules.of("burako", {}, 4)


def aside(*rows: str) -> Record:
    """Return a record with all tiles of these `rows`, which their photograph shows below one
    another, in one row that was set aside.
    """
    record = hand(*(f"A pozo {row}" for row in rows))
    first, *_others = record.rows
    tiles = tuple(name for row in record.rows for name in row.tiles)
    return replace(record, rows=(replace(first, tiles=tiles, ordered=False),))


def counted(record: Record) -> Record:
    """Return the record once its only row counts among the melds."""
    (row,) = record.rows
    return MoveRow(row.id, "A", Place.MELDS).change(record, RULES)


def test_the_melds_that_lay_behind_a_rack_count_each_as_one() -> None:
    record = counted(aside("p1: 3R 4R 5R", "p1: 9B 9K J 9Y", "p1: 13K 12K 11K"))
    assert lines(record) == ["A melds 3R 4R 5R !", "A melds 9B 9K J 9Y !", "A melds 13K 12K 11K !"]
    assert Ask.ROW not in {question.ask for question in questions(record, RULES)}
    assert Record.from_json(record.to_json()) == record


def test_what_makes_no_meld_stays_one_row_and_is_asked_about() -> None:
    record = counted(aside("p1: 3R 4R 5R", "p1: 7K", "p1: 9B 9K 9Y", "p1: 12Y 1B"))
    rest, *melds = lines(record)
    assert rest == "A melds 7K 12Y 1B ! ~"
    assert melds == ["A melds 3R 4R 5R !", "A melds 9B 9K 9Y !"]
    asked = [question for question in questions(record, RULES) if question.ask is Ask.ROW]
    assert [one.tiles for one in asked] == [record.rows[0].tiles]


def test_melds_of_two_photographs_are_told_apart_where_they_lie_in_one_place() -> None:
    record = counted(aside("p1: 3R 4R 5R", "p2: 9B 9K 9Y"))
    assert lines(record) == ["A melds 3R 4R 5R !", "A melds 9B 9K 9Y !"]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["p1: 3R 4R 5R", "p1: 6R"], "A melds 3R 4R 5R 6R ! ~"),  # one lies a little apart
        ([f"{TAPPED}: 3R 4R 5R", f"{TAPPED}: 9B 9K 9Y"], "A melds 3R 4R 5R 9B 9K 9Y ! ~"),
        (["p1: 3R 9K 5R"], "A melds 3R 9K 5R ! ~"),
    ],
)
def test_a_row_without_melds_of_its_own_stays_whole(rows: list[str], expected: str) -> None:
    assert lines(counted(aside(*rows))) == [expected]


def test_a_meld_that_was_set_aside_comes_back_as_it_lay() -> None:
    record = hand("A melds p1: 3R 4R 5R 9B 9K 9Y")
    (row,) = record.rows
    gone = MoveRow(row.id, "A", Place.POZO).change(record, RULES)
    assert lines(counted(gone)) == ["A melds 3R 4R 5R 9B 9K 9Y !"]


def test_a_tile_pointed_out_with_corners_that_are_no_tile_s_is_in_no_meld() -> None:
    record = aside("p1: 3R 4R 5R", "p1: 9B 9K 9Y", "p1: 10B")
    flat = record.tiles[record.rows[0].tiles[-1]]
    for corners in (((5.0, 5.0),) * 4, ((0.0, 0.0), (9.0, 9.0), (9.0, 0.0), (0.0, 9.0))):
        found = counted(record.with_tiles([replace(flat, corners=corners)]))
        assert lines(found) == ["A melds 10B ! ~", "A melds 3R 4R 5R !", "A melds 9B 9K 9Y !"]


def test_an_unread_tile_is_left_over() -> None:
    record = aside("p1: 3R 4R 5R", "p1: 9B 9K 9Y")
    last = record.tiles[record.rows[0].tiles[-1]]
    found = counted(record.with_tiles([replace(last, face=None)]))
    assert lines(found) == ["A melds 9B 9K ? ! ~", "A melds 3R 4R 5R !"]
