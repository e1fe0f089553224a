"""Between which totals a hand lies whose closing the rules refuse."""

from __future__ import annotations

from dataclasses import replace

from engine.rulesets import RULESETS
from scorer_app.hand.intervals import intervals
from scorer_app.hand.record import End, Place, Record
from scorer_app.hand.refused_closing import intervals_if_refused
from scorer_app.hand.table_rules import TableRules

from .test_intervals import PURA, table

RULES = TableRules(RULESETS["burako"], 4)


def closed(record: Record, *, taken: bool = True) -> Record:
    muerto: dict[str, bool] = {"A": taken, "B": False}
    return replace(record, end=End.CLOSE, closed_by="A", muerto=muerto)


def test_nobody_closed_or_the_closing_pays() -> None:
    both = table(PURA, side="B", record=table("3R 4R 5R"))
    assert intervals_if_refused(closed(both), RULES) == {"A": (115, 215), "B": (145, 145)}


def test_a_side_that_closed_took_its_muerto() -> None:
    both = table(PURA, side="B", record=table("3R 4R 5R"))
    assert intervals_if_refused(closed(both, taken=False), RULES)["A"] == (15 - 100, 215)


def test_a_hand_that_was_closed_is_not_void() -> None:
    rack = table("9K", side="B", place=Place.RACK, record=table("3R 4R 5R"))
    assert intervals_if_refused(closed(rack), RULES) == {"A": (0, 215), "B": (-110, 0)}


def test_every_plausible_reading_counts() -> None:
    """With the 6 in red the closing stands."""
    record = closed(table("3R 4R 5R 6B/6R 7R 8R 9R"))
    (low, high), (_, most) = intervals_if_refused(record, RULES)["A"], intervals(record, RULES)["A"]
    assert (low, high) == (0, 445) == (0, most)


def test_a_hand_that_nobody_closed_is_as_it_is() -> None:
    record = table(PURA)
    assert intervals_if_refused(record, RULES) == intervals(record, RULES)
