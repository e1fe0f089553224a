"""Changes on the table: melds are paired by their tiles, the first reason against a change is
named, and the smallest fix.
"""

from typing import Any

import pytest

from engine import (
    Change,
    FixAction,
    Reason,
    judge_change,
    notation,
    ruleset,
    tiles,
    with_options,
)
from engine.reasons import CHANGE_REASONS, CLOSING_REASONS, MELD_REASONS

BURAKO, ITALIAN = ruleset("burako"), ruleset("burraco_it")


def change(
    before: str, after: str, added: str = "", taken: str = "", owner: Any = "A", actor: Any = "A"
) -> Change:
    """Make a change from notation; melds are separated by slashes."""
    rows = [
        tuple(tiles(row) for row in melds.split("/") if row.strip()) for melds in (before, after)
    ]
    return Change(rows[0], rows[1], tiles(added), tiles(taken), owner, actor)


CASES: list[tuple[str, Change, Reason | None]] = [
    ("nothing happened", change("3R 4R 5R/9B 9K 9Y", "9B 9K 9Y/3R 4R 5R"), None),
    ("nothing on the table", change("", ""), None),
    ("a row turned round by the other side", change("3R 4R 5R", "5R 4R 3R", actor="B"), None),
    ("a new meld", change("3R 4R 5R", "9B 9K 9Y/3R 4R 5R", "9B 9K 9Y"), None),
    ("a pierna in another order", change("9B 9K 9Y", "9K 9Y 9B"), None),
    ("two melds grow", change("3R 4R 5R/9B 9K 9Y", "9B 9K 9Y 9R/3R 4R 5R 6R", "6R 9R"), None),
    ("equal melds, one grows", change("3R 4R 5R/3R 4R 5R", "3R 4R 5R/3R 4R 5R J", "J"), None),
    (
        "each has one place to go",
        change("4R 5R 6R/3R 4R 5R", "3R 4R 5R J/3R 4R 5R 6R", "J 3R"),
        None,
    ),
    (
        "an accepted illegal meld stays as it is",
        change("3R 4R 6R/9B 9K 9Y", "3R 4R 6R/9B 9K 9Y 9R", "9R"),
        None,
    ),
    (
        "new meld beside the other side's",
        change("", "9B 9K 9Y", "9B 9K 9Y", actor="B"),
        Reason.NOT_OWN_MELD,
    ),
    ("the other side moves a wild", change("J 4R 5R", "4R 5R J", actor="B"), Reason.NOT_OWN_MELD),
    ("a tile from nowhere", change("3R 4R 5R", "3R 4R 5R 6R 7R", "7R"), Reason.UNKNOWN_TILE),
    (
        "another tile than the one played",
        change("3R 4R 5R", "3R 4R 5R 6R", "6B"),
        Reason.UNKNOWN_TILE,
    ),
    ("a tile taken", change("3R 4R 5R 6R", "3R 4R 5R", taken="6R"), Reason.TILE_REMOVED),
    ("a tile gone unseen", change("3R 4R 5R 6R", "3R 4R 5R"), Reason.TILE_REMOVED),
    ("a natural 2 taken", change("2R 3R 4R 5R", "3R 4R 5R", taken="2R"), Reason.TILE_REMOVED),
    (
        "a natural 2 taken, another one wild",
        change("2R 3R 4R 5R/8Y 2R 10Y", "3R 4R 5R/8Y 2R 10Y", taken="2R"),
        Reason.TILE_REMOVED,
    ),
    (
        "a wild 2 taken, another one natural",
        change("2R 3R 4R/7Y 8Y 9Y 2R", "2R 3R 4R/7Y 8Y 9Y", taken="2R"),
        Reason.WILD_WITHDRAWN,
    ),
    ("from an illegal meld too", change("3R 4R 6R", "3R 4R", taken="6R"), Reason.TILE_REMOVED),
    (
        "a whole meld taken",
        change("3R 4R 5R/9B 9K 9Y", "9B 9K 9Y", taken="3R 4R 5R"),
        Reason.TILE_REMOVED,
    ),
    ("a meld gone unseen", change("3R 4R 5R/9B 9K 9Y", "9B 9K 9Y"), Reason.MELD_REMOVED),
    (
        "a comodín exchanged for another",
        change("4R J 6R", "4R J 6R", "J", "J"),
        Reason.WILD_WITHDRAWN,
    ),
    ("a wild gone unseen", change("4R J 6R", "4R 5R 6R", "5R"), Reason.WILD_WITHDRAWN),
    ("a played tile that is not there", change("3R 4R 5R", "3R 4R 5R", "6R"), Reason.TILE_REMOVED),
    (
        "split with a tile added",
        change("3R 4R 5R 6R 7R", "3R 4R 5R/6R 7R 8R", "8R"),
        Reason.MELD_SPLIT,
    ),
    (
        "one tile into a new meld",
        change("3R 4R 5R 6R", "3R 4R 5R/6R 6B 6K", "6B 6K"),
        Reason.TILE_MOVED,
    ),
    (
        "a wild to another meld",
        change("J 4R 5R 6R/9B 9K 9Y", "4R 5R 6R/9B 9K 9Y J"),
        Reason.TILE_MOVED,
    ),
    (
        "a freed wild to another meld",
        change("4R J 6R/9B 9K 9Y", "4R 5R 6R/9B 9K 9Y J", "5R"),
        Reason.TILE_MOVED,
    ),
    (
        "dissolved into two others",
        change("3R 4R 5R/7R 8R 9R/6R 6B 6K 6Y", "3R 4R 5R 6R/7R 8R 9R 6B 6K 6Y"),
        Reason.MELD_MERGED,
    ),
    ("wrong colour added", change("3R 4R 5R", "3R 4R 5R 6B", "6B"), Reason.COLOUR_MISMATCH),
    ("out of order", change("3R 4R 5R", "3R 4R 6R 5R", "6R"), Reason.ORDER),
    ("put out of order", change("3R 4R 5R", "3R 5R 4R"), Reason.ORDER),
    ("a third copy", change("5R 5R 5B", "5R 5R 5B 5R", "5R"), Reason.TOO_MANY_COPIES),
    ("a gap", change("3R 4R 5R", "3R 4R 5R 7R", "7R"), Reason.GAP),
]


@pytest.mark.parametrize(("name", "change", "reason"), CASES, ids=[name for name, _, _ in CASES])
def test_changes(name: str, change: Change, reason: Reason | None) -> None:
    verdict = judge_change(change, BURAKO)
    assert (verdict.reason, verdict.legal) == (reason, reason is None)
    assert verdict.fix is None if verdict.legal else verdict.tiles is not None


WILDS: list[tuple[str, Change, Reason | None]] = [
    ("its natural arrives", change("3R 4R J 6R", "3R 4R 5R 6R J", "5R"), None),
    ("stays while the run grows", change("3R 4R J", "3R 4R J 6R", "6R"), None),
    ("stays, the row turned round", change("3R 4R J", "6R J 4R 3R", "6R"), None),
    ("slides up as the run grows", change("3R 4R J", "3R 4R 5R J", "5R"), None),
    ("leaves its low end", change("J 4R 5R", "4R 5R 6R J", "6R"), Reason.WILD_MOVED),
    ("makes room", change("3R 4R J", "J 3R 4R"), Reason.WILD_MOVED),
    ("a 2 slides home unreplaced", change("3B 4B 5B 2B", "2B 3B 4B 5B"), Reason.WILD_MOVED),
    ("a pierna has no places", change("J 9B 9K", "9B J 9K"), None),
    ("a natural 2 goes to work", change("2R 3R 4R", "3R 4R 2R"), None),
    ("an illegal meld put right", change("3R J 4R", "3R 4R J"), None),
]


@pytest.mark.parametrize(("name", "change", "reason"), WILDS, ids=[name for name, _, _ in WILDS])
def test_wilds_move_freely_in_tile_rules_only(
    name: str, change: Change, reason: Reason | None
) -> None:
    assert judge_change(change, ITALIAN).reason is reason
    assert judge_change(change, BURAKO).legal


def test_two_wilds_of_a_pierna_have_no_places_either() -> None:
    rules = with_options(ITALIAN, {"wilds_per_meld": 2})
    turned = change("J 2R 9B 9K", "9B J 9K 2R")
    assert judge_change(turned, rules).legal


@pytest.mark.parametrize(
    ("before", "after", "added"),
    [
        ("J 4R 5R/4R 5R J", ("J 4R 5R 6R", "4R 5R J 7R"), "6R 7R"),
        ("2R 3R 4R/3R 4R 2R", ("J 2R 3R 4R", "2R 3R 4R 5R"), "J 5R"),
    ],
)
def test_of_two_melds_with_the_same_tiles_each_becomes_the_one_in_which_its_wild_may_lie(
    before: str, after: tuple[str, str], added: str
) -> None:
    for one, other in (after, after[::-1]):
        assert judge_change(change(before, f"{one}/{other}", added), ITALIAN).legal


def test_the_changed_melds_come_new_and_grown_first() -> None:
    verdict = judge_change(
        change("J 4R 5R/9B 9K 9Y", "4R 5R J/9B 9K 9Y 9R/6B 7B 8B", "9R 6B 7B 8B"), BURAKO
    )
    assert [notation(meld.tiles) for meld in verdict.melds] == [
        "6B 7B 8B",
        "9B 9K 9Y 9R",
        "4R 5R J",
    ]


@pytest.mark.parametrize(
    ("asked", "action", "touched", "row"),
    [
        (change("5R 5B 5K", "5R 5B 5K 5Y", "5Y", actor="B"), FixAction.TAKE_BACK, "5Y", ""),
        (change("3R 4R 5R", "3R 4R 5R 6R", ""), FixAction.TAKE_BACK, "6R", ""),
        (change("4R J 6R", "4R 5R 6R", "5R", "J"), FixAction.PUT_BACK, "J", ""),
        (change("3R 4R 5R/6R 7R 8R", "3R 4R 5R 6R 7R 8R"), FixAction.PUT_BACK, "6R 7R 8R", ""),
        (change("3R 4R 5R", "3R 4R 5R 7R", "7R"), FixAction.TAKE_BACK, "7R", "3R 4R 5R"),
        (
            change("3R 4R 5R", "3R 4R 6R 5R", "6R"),
            FixAction.REARRANGE,
            "3R 4R 6R 5R",
            "3R 4R 5R 6R",
        ),
        (change("3R J 5R", "3R J 5R 6R 2B", "6R 2B"), FixAction.TAKE_BACK, "2B", "3R J 5R 6R"),
        (
            change("3R 4R 5R", "3R 4R 5R 9B 10B 11B 12B", "9B 10B 11B 12B"),
            FixAction.TAKE_BACK,
            "9B 10B 11B 12B",
            "3R 4R 5R",
        ),
        (change("3R 4R 6R", "3R 4R 6R 9B", "9B"), FixAction.TAKE_BACK, "9B", "3R 4R 6R"),
        # The wild that lay there before stays, though the new one lies before it.
        (
            change("4R 5R 2B", "J 4R 5R 2B 7R", "J 7R"),
            FixAction.TAKE_BACK,
            "J",
            "4R 5R 2B 7R",
        ),
        (change("5B 5K 2R", "J 5B 5K 2R 5R", "J 5R"), FixAction.TAKE_BACK, "J", "5B 5K 2R 5R"),
        (
            change("2R 3R 2Y 5R", "2R 3R 2Y 5R 2R 6R", "2R 6R"),
            FixAction.TAKE_BACK,
            "2R",
            "2R 3R 2Y 5R 6R",
        ),
        (
            change("5R J 5B", "2R 5R J 5B 5K J", "2R 5K J"),
            FixAction.TAKE_BACK,
            "2R J",
            "5R J 5B 5K",
        ),
    ],
)
def test_fixes(asked: Change, action: FixAction, touched: str, row: str) -> None:
    fix = judge_change(asked, BURAKO).fix
    assert fix is not None
    assert (fix.action, notation(fix.tiles), notation(fix.row)) == (action, touched, row)


@pytest.mark.parametrize(
    ("asked", "action", "touched", "row"),
    [
        (change("J 4R 5R", "4R 5R J"), FixAction.REARRANGE, "4R 5R J", "J 4R 5R"),
        (change("J 3R 4R", "3R 4R J 6R", "6R"), FixAction.TAKE_BACK, "6R", "J 3R 4R"),
        (change("2B 8R 9R", "8R 2B 9R"), FixAction.REARRANGE, "8R 2B 9R", "2B 8R 9R"),
        (
            change("2B 8R 9R", "2B 8R 10R 9R", "10R"),
            FixAction.REARRANGE,
            "2B 8R 10R 9R",
            "2B 8R 9R 10R",
        ),
        (change("J 4R 5R", "J 4R 5R 7R", "7R"), FixAction.TAKE_BACK, "7R", "J 4R 5R"),
        (change("8R 9R J", "J 8R 9R J", "J"), FixAction.TAKE_BACK, "J", "8R 9R J"),
    ],
)
def test_the_fix_of_an_italian_change_leaves_the_wild_in_its_place(
    asked: Change, action: FixAction, touched: str, row: str
) -> None:
    fix = judge_change(asked, ITALIAN).fix
    assert fix is not None
    assert (fix.action, notation(fix.tiles), notation(fix.row)) == (action, touched, row)


def test_of_tiles_taken_with_a_wild_only_the_wild_is_named_and_all_are_to_be_put_back() -> None:
    verdict = judge_change(change("4K 5K 6K 2Y", "5K 6K", taken="4K 2Y"), BURAKO)
    assert (verdict.reason, notation(verdict.tiles)) == (Reason.WILD_WITHDRAWN, "2Y")
    assert verdict.fix is not None and notation(verdict.fix.tiles) == "4K 2Y"


def test_what_the_other_side_touched_is_named() -> None:
    moved = judge_change(change("J 4R 5R", "4R 5R J", actor="B"), BURAKO)
    assert (notation(moved.tiles), moved.fix) == ("4R 5R J", None)
    assert notation(judge_change(change("3R 4R 5R", "", actor="B"), BURAKO).tiles) == "3R 4R 5R"
    swapped = change("4R J 6R", "4R J 6R", taken="J", actor="B")
    assert notation(judge_change(swapped, BURAKO).tiles) == "J"


def test_a_row_turned_round_is_the_one_told_of() -> None:
    turned = judge_change(change("9B 9K 9Y/3R 4R 5R", "9B 9K 9Y/5R 4R 3R"), BURAKO)
    assert turned.legal
    assert [notation(meld.tiles) for meld in turned.melds] == ["5R 4R 3R"]


def test_every_reason_is_of_melds_of_changes_or_of_closings() -> None:
    assert [*MELD_REASONS, *CHANGE_REASONS, *CLOSING_REASONS] == list(Reason)
    assert (MELD_REASONS[-1], CHANGE_REASONS[0]) == (Reason.ORDER, Reason.TILE_REMOVED)
