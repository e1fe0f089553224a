"""Between which totals a hand lies whose closing the rules refuse."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.options import with_options
from engine.reasons import Reason
from engine.rulesets import RULESETS
from scorer_app.hand.intervals import intervals
from scorer_app.hand.record import End, Place, Record
from scorer_app.hand.refused_closing import intervals_if_refused
from scorer_app.hand.score import score_hand
from scorer_app.hand.table_rules import TableRules

from .test_intervals import PURA, table

MISSED = 200 + 7 * 20  # points of the best canasta that may have been missed, one of seven 2s
RULES = TableRules(RULESETS["burako"], 4)


def closed(record: Record, *, taken: bool = True) -> Record:
    muerto: dict[str, bool] = {"A": taken, "B": False}
    return replace(record, end=End.CLOSE, closed_by="A", muerto=muerto)


def test_nobody_closed_or_a_canasta_was_missed() -> None:
    both = table(PURA, side="B", record=table("3R 4R 5R"))
    assert intervals_if_refused(closed(both), RULES) == {"A": (115, 215 + MISSED), "B": (145, 145)}


def test_a_side_that_closed_took_its_muerto() -> None:
    both = table(PURA, side="B", record=table("3R 4R 5R"))
    assert intervals_if_refused(closed(both, taken=False), RULES)["A"] == (15 - 100, 215 + MISSED)


def test_a_hand_that_was_closed_is_not_void() -> None:
    rack = table("9K", side="B", place=Place.RACK, record=table("3R 4R 5R"))
    assert intervals_if_refused(closed(rack), RULES) == {"A": (0, 215 + MISSED), "B": (-110, 0)}


def test_every_plausible_reading_counts() -> None:
    """With the 6 in red the closing stands."""
    record = closed(table("3R 4R 5R 6B/6R 7R 8R 9R"))
    (low, high), (_, most) = intervals_if_refused(record, RULES)["A"], intervals(record, RULES)["A"]
    assert (low, high) == (0, 445) == (0, most)


@pytest.mark.parametrize("missed", range(3, 10))
def test_the_score_with_the_missed_tile_of_a_canasta_is_inside(missed: int) -> None:
    """The closing is refused for that tile alone."""
    found = " ".join(f"{number}R" for number in range(3, 10) if number != missed)
    low, high = intervals_if_refused(closed(table(found)), RULES)["A"]
    assert low <= score_hand(closed(table(PURA)), RULES).total("A") <= high


def test_what_was_taken_for_a_tile_of_an_empty_rack_does_not_count() -> None:
    """Of two players, each of whom has one rack: the closing stands if nothing lies on it."""
    two = TableRules(with_options(RULESETS["burako"], {"players": 2}), 2)
    record = closed(table("4B", place=Place.RACK, record=table(PURA)))
    assert score_hand(record, two).reason == Reason.HAND_NOT_EMPTY
    if_nobody_closed = score_hand(replace(record, end=End.STOCK_EXHAUSTED, closed_by=None), two)
    as_told = score_hand(closed(table(PURA)), two)
    spans = intervals_if_refused(record, two)
    assert spans["A"] == (if_nobody_closed.total("A"), as_told.total("A")) == (340, 445)


def test_a_hand_that_nobody_closed_is_as_it_is() -> None:
    record = table(PURA)
    assert intervals_if_refused(record, RULES) == intervals(record, RULES)
