"""A correction that is put back by hand to what was saved is none, unless it says something new."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer_app.hand.edits import apply
from scorer_app.hand.edits_of_rows import MoveRow
from scorer_app.hand.intervals import intervals
from scorer_app.hand.put_back import tells_the_same
from scorer_app.hand.record import Place

from .test_intervals import PURA, RULES, table
from .test_plainness import RULES as RULES_OF_TILES
from .test_plainness import changed, photographed


def test_a_row_moved_to_the_melds_and_aside_again_is_no_meld_any_more() -> None:
    read = table("3R ?/4R 5R", place=Place.POZO, record=table(PURA))
    aside = replace(read.rows[-1], ordered=True)
    read = read.with_row(aside)
    moved = apply(read, MoveRow(aside.id, "A", Place.MELDS), RULES)
    back = apply(moved, MoveRow(aside.id, "A", Place.POZO), RULES)
    assert intervals(read, RULES)["A"] != intervals(back, RULES)["A"]
    assert not tells_the_same(back, read, RULES)


@pytest.mark.parametrize(("height", "same"), [(30.0, True), (17.0, False)])
def test_a_tile_confirmed_says_something_new_where_it_leaves_less_open(
    height: float, same: bool
) -> None:
    """Another find may be no tile, which stays open as long as a tile is small and unconfirmed."""
    read = photographed("3R 4R 5R 6R", "3K 4K 5K")
    read = changed(read, "t4", doubtful=True, perhaps_none=True)
    low = ((50.0, 200.0), (80.0, 200.0), (80.0, 200.0 + height), (50.0, 200.0 + height))
    read = changed(read, "t6", corners=low)
    confirmed = changed(read, "t6", confirmed=True)
    assert tells_the_same(confirmed, read, RULES_OF_TILES) == same
