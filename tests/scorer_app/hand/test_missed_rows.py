"""A hand that is void as it was read, though a canasta may have been missed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.rulesets import RULESETS
from engine.sides import SideName
from scorer_app.hand.intervals import intervals, sides_with_doubtful_melds
from scorer_app.hand.questions import Ask, questions
from scorer_app.hand.record import End, Place, Record
from scorer_app.hand.table_rules import TableRules

from .test_intervals import PURA, table

RULES = TableRules(RULESETS["burako"], 4)
LAID, LEFT, CANASTA = 15, 10, 200 + 7 * 10  # of 3R 4R 5R, 9K, and at least that for a canasta


def void(melds: str) -> Record:
    """Make a hand in which the stock ran out: A laid `melds` and took its muerto, B has 9K left."""
    both = table(melds, record=table("9K", side="B", place=Place.RACK))
    return replace(both, end=End.STOCK_EXHAUSTED, muerto={"A": True, "B": False})


@pytest.mark.parametrize("melds", ["3R 4R 5R", "3R 4R 5R/5Y"])
def test_a_void_hand_counts_if_a_canasta_was_missed(melds: str) -> None:
    found = intervals(void(melds), RULES, ["A"])
    assert found["A"][0] == 0
    assert 100 + LAID + CANASTA <= found["A"][1] < 100 + LAID + 2 * CANASTA
    assert found["B"] == (-100 - LEFT, 0)


def test_a_hand_that_is_surely_read_is_surely_void() -> None:
    assert intervals(void("3R 4R 5R"), RULES) == {"A": (0, 0), "B": (0, 0)}
    assert not [one for one in questions(void("3R 4R 5R"), RULES) if one.ask is Ask.TILE]


def test_a_tile_in_doubt_on_a_rack_makes_no_canasta() -> None:
    record = table("9K/6K", side="B", place=Place.RACK, record=void("3R 4R 5R"))
    assert sides_with_doubtful_melds(record, RULES) == set()
    assert sides_with_doubtful_melds(table("3R 4R 5R/5Y", record=record), RULES) == {"A"}


def test_a_person_is_asked_about_the_tile_in_doubt_of_a_void_hand() -> None:
    (asked,) = [one for one in questions(void("3R 4R 5R/5Y"), RULES) if one.ask is Ask.TILE]
    assert asked.effect >= 100 + LAID + CANASTA


@pytest.mark.parametrize("unseen", [(), ("A",), ("A", "B")])
def test_a_hand_with_a_canasta_is_not_void_and_counts_as_it_was_read(
    unseen: tuple[SideName, ...],
) -> None:
    record = replace(table(PURA), end=End.STOCK_EXHAUSTED, muerto={"A": True, "B": True})
    assert intervals(record, RULES, unseen) == intervals(record, RULES)
