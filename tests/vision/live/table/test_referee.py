"""What is reported of melds that changed, by the engine's rules and the registry of the last legal
state.
"""

from __future__ import annotations

import pytest

from engine.reasons import Reason
from engine.rulesets import ruleset
from engine.tiles import tiles
from vision.live.table.referee import MeldChange, judge_changes

BURAKO = ruleset("burako")


def told(
    *changes: MeldChange, rules: str = "burako"
) -> tuple[list[tuple[str, str, bool | None, str | None]], bool]:
    judgement = judge_changes(changes, ruleset(rules))
    rulings = [
        (
            r.kind.value,
            " ".join(map(str, r.tiles)),
            r.verdict and r.verdict.legal,
            r.verdict and r.verdict.reason,
        )
        for r in judgement.rulings
    ]
    return rulings, judgement.resolved


def change(
    before: str, after: str, legal_before: str | None = None, meld_id: int = 1, **parts: str
) -> MeldChange:
    legal = None if legal_before is None else tiles(legal_before)
    return MeldChange(
        meld_id,
        tiles(before),
        tiles(after),
        legal,
        **{name: tiles(text) for name, text in parts.items()},
    )


@pytest.mark.parametrize(
    ("happened", "mends"),
    [
        (change("3R 4R 5R", "3R 4R 5R 6R", "3R 4R 5R 6R", added="6R"), (1,)),  # put back
        (change("3R 4R 5R", "3R 4R 5R 6R 7R", "3R 4R 5R 6R", added="6R 7R"), (1,)),
        (change("3R 4R 5R", "2R 3R 4R 5R", "3R 4R 5R 6R", added="2R"), ()),  # the 6R is gone
        (change("3R 4R 5R", "3R 4R 5R 6R", added="6R"), ()),  # nothing was wrong
    ],
)
def test_what_puts_melds_right_says_so(happened: MeldChange, mends: tuple[int, ...]) -> None:
    rulings = judge_changes([happened], BURAKO).rulings
    assert rulings and all(ruling.mends == mends for ruling in rulings)


@pytest.mark.parametrize(
    ("happened", "event"),
    [
        (change("", "6R 6R 6K", added="6R 6R 6K"), ("meld_laid", "6R 6R 6K", True, None)),
        (change("", "6R 6R 7K", added="6R 6R 7K"), ("meld_laid", "6R 6R 7K", False, Reason.MIXED)),
        (change("5B 6B 7B", "5B 6B 7B 2Y", added="2Y"), ("tiles_added", "2Y", True, None)),
        (
            change("7K 8K 9K", "7K 8K 9K 11K", added="11K"),
            ("tiles_added", "11K", False, Reason.GAP),
        ),
        (
            change("12R 12B J", "12R 12B J 2R", added="2R"),
            ("tiles_added", "2R", False, Reason.TWO_WILDS),
        ),
        (
            change("5B 6B 2Y", "2Y 5B 6B 7B", added="7B", reordered="2Y"),
            ("tiles_added", "7B", True, None),
        ),
        (change("J 5B 6B 7B", "5B 6B 7B J", reordered="J"), ("wild_moved", "J", True, None)),
        (
            change("5B 6B 7B 8B", "5B 6B 7B", removed="8B"),
            ("tile_removed", "8B", False, Reason.TILE_REMOVED),
        ),
        (
            change("2Y 5B 6B 7B", "5B 6B 7B", removed="2Y"),
            ("tile_removed", "2Y", False, Reason.TILE_REMOVED),
        ),
        (
            change("5B 6B 7B", "", removed="5B 6B 7B"),
            ("tile_removed", "5B 6B 7B", False, Reason.MELD_REMOVED),
        ),
        (
            change("7K 8K 9K 11K", "7K 8K 9K", "7K 8K 9K", removed="11K"),
            ("taken_back", "11K", True, None),
        ),
        (
            change("5B 6B 7B", "5B 6B 7B 8B", "5B 6B 7B 8B", added="8B"),
            ("taken_back", "8B", True, None),
        ),
        (change("6R 6R 7K", "", "", removed="6R 6R 7K"), ("taken_back", "6R 6R 7K", True, None)),
        (change("5B 7B 6B", "5B 6B 7B", "", reordered="6B"), ("taken_back", "6B", True, None)),
    ],
    ids=lambda value: " ".join(map(str, value.after)) if isinstance(value, MeldChange) else None,
)
def test_one_meld_changed(happened: MeldChange, event: tuple[str, str, bool, str | None]) -> None:
    rulings, resolved = told(happened)
    assert rulings == [event]
    assert resolved == event[2]


def test_a_wrong_tile_exchanged_for_the_right_one_is_one_correction() -> None:
    rulings, resolved = told(
        change("7K 8K 9K 11K", "7K 8K 9K 10K", "7K 8K 9K", added="10K", removed="11K")
    )
    assert rulings == [("taken_back", "10K 11K", True, None)]
    assert resolved


def test_a_wrong_tile_exchanged_for_another_wrong_one_is_not_asked_back() -> None:
    exchanged = change("7K 8K 9K 11K", "7K 8K 9K 12K", "7K 8K 9K", added="12K", removed="11K")
    assert told(exchanged) == ([("tiles_added", "12K", False, Reason.GAP)], False)
    (ruling,) = judge_changes([exchanged], BURAKO).rulings
    assert ruling.verdict is not None and ruling.verdict.fix is not None
    assert "11K" not in map(str, ruling.verdict.fix.tiles)


def test_a_wrong_tile_exchanged_for_one_of_another_meld_is_not_asked_back() -> None:
    rulings, resolved = told(
        change("3R 4R 5R 6R", "3R 4R 5R"),
        change("6B 6K 6Y 9Y", "6B 6K 6Y 6R", "6B 6K 6Y", 2, moved_in="6R", removed="9Y"),
    )
    assert rulings == [("tile_moved", "6R", False, Reason.TILE_MOVED)]
    assert not resolved


def test_one_of_two_wrong_tiles_taken_back_leaves_the_other() -> None:
    left = change("7K 8K 9K 11K 13K", "7K 8K 9K 11K", "7K 8K 9K", removed="13K")
    assert told(left) == ([("tile_removed", "13K", False, Reason.GAP)], False)


def test_a_right_tile_taken_from_an_illegal_meld_is_asked_back() -> None:
    """It is asked back also if a wrong tile came or stays."""
    taken = change("7K 8K 9K 11K", "7K 8K 11K", "7K 8K 9K", removed="9K")
    assert told(taken) == ([("tile_removed", "9K", False, Reason.TILE_REMOVED)], False)
    exchanged = change("7K 8K 9K 11K", "7K 8K 11K 12K", "7K 8K 9K", added="12K", removed="9K")
    assert told(exchanged)[0] == [
        ("tiles_added", "12K", False, Reason.TILE_REMOVED),
        ("tile_removed", "9K", False, Reason.TILE_REMOVED),
    ]


def test_another_wrong_tile_is_told_by_what_lies_there_now() -> None:
    """The tile that went earlier has been reported already, and does not count against what comes
    later.
    """
    added = change("5B 6B 7B", "5B 6B 7B 10B", "4B 5B 6B 7B", added="10B")
    assert told(added) == ([("tiles_added", "10B", False, Reason.GAP)], False)


@pytest.mark.parametrize("after", ["7K 8K 9K 11K", "11K 9K 8K 7K"])
def test_an_illegal_meld_of_which_a_tile_is_found_anew_stays_to_be_put_right(after: str) -> None:
    assert told(change("7K 8K 9K 11K", after, "7K 8K 9K")) == ([], False)


def test_the_missing_tile_makes_an_illegal_row_legal() -> None:
    assert told(change("7K 8K 9K 11K", "7K 8K 9K 10K 11K", "7K 8K 9K", added="10K"))[0] == [
        ("tiles_added", "10K", True, None)
    ]


def test_a_removal_that_nobody_minded_does_not_spoil_what_follows() -> None:
    rulings, resolved = told(change("5B 6B 7B", "5B 6B 7B 8B", "4B 5B 6B 7B", added="8B"))
    assert rulings == [("tiles_added", "8B", True, None)]
    assert resolved


def test_a_wild_that_a_natural_replaced_and_that_is_gone_was_withdrawn() -> None:
    rulings, resolved = told(change("5B J 7B", "5B 6B 7B", added="6B", removed="J"))
    assert rulings == [
        ("tiles_added", "6B", False, Reason.WILD_WITHDRAWN),
        ("tile_removed", "J", False, Reason.WILD_WITHDRAWN),
    ]
    assert not resolved


def test_moving_a_wild_alone_is_forbidden_in_italy() -> None:
    assert told(change("J 5B 6B 7B", "5B 6B 7B J", reordered="J"), rules="burraco_it")[0] == [
        ("wild_moved", "J", False, Reason.WILD_MOVED)
    ]


def test_naturals_of_a_pierna_may_change_places_unnoticed() -> None:
    assert told(change("6R 6B 6K", "6B 6R 6K", reordered="6B")) == ([], True)


def test_a_tile_between_melds_and_back() -> None:
    there = [
        change("3R 4R 5R 6R", "3R 4R 5R"),
        change("6B 6K 6Y", "6B 6K 6Y 6R", meld_id=2, moved_in="6R"),
    ]
    assert told(*there) == ([("tile_moved", "6R", False, Reason.TILE_MOVED)], False)
    back = [
        change("3R 4R 5R", "3R 4R 5R 6R", "3R 4R 5R 6R", moved_in="6R"),
        change("6B 6K 6Y 6R", "6B 6K 6Y", "6B 6K 6Y", meld_id=2),
    ]
    assert told(*back) == ([("taken_back", "6R", True, None)], True)


def test_an_unread_tile_is_not_held_against_anybody() -> None:
    judgement = judge_changes(
        [MeldChange(1, (), (None, *tiles("4R 5R")), added=(None, *tiles("4R 5R")))], BURAKO
    )
    assert [(ruling.kind.value, ruling.verdict) for ruling in judgement.rulings] == [
        ("meld_laid", None)
    ]
    assert judgement.resolved
