"""What is told of melds that changed, by the engine's rules and the memory of the last legal
state.
"""

from __future__ import annotations

import pytest

from engine.reasons import Reason
from engine.rulesets import ruleset
from engine.tiles import tiles
from vision.live.memory import Memory
from vision.live.referee import MeldChange, explain

BURAKO = ruleset("burako")


def told(
    *changes: MeldChange, rules: str = "burako"
) -> tuple[list[tuple[str, str, bool | None, str | None]], bool]:
    explanation = explain(changes, ruleset(rules))
    rulings = [
        (
            r.change.value,
            " ".join(map(str, r.tiles)),
            r.verdict and r.verdict.legal,
            r.verdict and r.verdict.reason,
        )
        for r in explanation.rulings
    ]
    return rulings, explanation.settled


def change(
    before: str, after: str, legal_before: str | None = None, meld: int = 1, **parts: str
) -> MeldChange:
    legal = None if legal_before is None else tiles(legal_before)
    return MeldChange(
        meld,
        tiles(before),
        tiles(after),
        legal,
        **{name: tiles(text) for name, text in parts.items()},
    )


@pytest.mark.parametrize(
    ("happened", "event"),
    [
        (change("", "6R 6R 6K", came="6R 6R 6K"), ("meld_laid", "6R 6R 6K", True, None)),
        (change("", "6R 6R 7K", came="6R 6R 7K"), ("meld_laid", "6R 6R 7K", False, Reason.MIXED)),
        (change("5B 6B 7B", "5B 6B 7B 2Y", came="2Y"), ("tiles_added", "2Y", True, None)),
        (change("7K 8K 9K", "7K 8K 9K 11K", came="11K"), ("tiles_added", "11K", False, Reason.GAP)),
        (
            change("12R 12B J", "12R 12B J 2R", came="2R"),
            ("tiles_added", "2R", False, Reason.TWO_WILDS),
        ),
        (
            change("5B 6B 2Y", "2Y 5B 6B 7B", came="7B", shifted="2Y"),
            ("tiles_added", "7B", True, None),
        ),
        (change("J 5B 6B 7B", "5B 6B 7B J", shifted="J"), ("wild_moved", "J", True, None)),
        (
            change("5B 6B 7B 8B", "5B 6B 7B", left="8B"),
            ("tile_removed", "8B", False, Reason.TILE_REMOVED),
        ),
        (
            change("2Y 5B 6B 7B", "5B 6B 7B", left="2Y"),
            ("tile_removed", "2Y", False, Reason.TILE_REMOVED),
        ),
        (
            change("5B 6B 7B", "", left="5B 6B 7B"),
            ("tile_removed", "5B 6B 7B", False, Reason.MELD_REMOVED),
        ),
        (
            change("7K 8K 9K 11K", "7K 8K 9K", "7K 8K 9K", left="11K"),
            ("taken_back", "11K", True, None),
        ),
        (
            change("5B 6B 7B", "5B 6B 7B 8B", "5B 6B 7B 8B", came="8B"),
            ("taken_back", "8B", True, None),
        ),
        (change("6R 6R 7K", "", "", left="6R 6R 7K"), ("taken_back", "6R 6R 7K", True, None)),
        (change("5B 7B 6B", "5B 6B 7B", "", shifted="6B"), ("taken_back", "6B", True, None)),
    ],
    ids=lambda value: " ".join(map(str, value.after)) if isinstance(value, MeldChange) else None,
)
def test_one_meld_changed(happened: MeldChange, event: tuple[str, str, bool, str | None]) -> None:
    rulings, settled = told(happened)
    assert rulings == [event]
    assert settled == event[2]


def test_a_wrong_tile_exchanged_for_the_right_one_is_one_correction() -> None:
    rulings, settled = told(
        change("7K 8K 9K 11K", "7K 8K 9K 10K", "7K 8K 9K", came="10K", left="11K")
    )
    assert rulings == [("taken_back", "10K 11K", True, None)]
    assert settled


def test_the_missing_tile_makes_an_illegal_row_legal() -> None:
    assert told(change("7K 8K 9K 11K", "7K 8K 9K 10K 11K", "7K 8K 9K", came="10K"))[0] == [
        ("tiles_added", "10K", True, None)
    ]


def test_a_removal_that_nobody_minded_does_not_spoil_what_follows() -> None:
    rulings, settled = told(change("5B 6B 7B", "5B 6B 7B 8B", "4B 5B 6B 7B", came="8B"))
    assert rulings == [("tiles_added", "8B", True, None)]
    assert settled


def test_a_wild_that_a_natural_replaced_and_that_is_gone_was_withdrawn() -> None:
    rulings, settled = told(change("5B J 7B", "5B 6B 7B", came="6B", left="J"))
    assert rulings == [
        ("tiles_added", "6B", False, Reason.WILD_WITHDRAWN),
        ("tile_removed", "J", False, Reason.WILD_WITHDRAWN),
    ]
    assert not settled


def test_moving_a_wild_alone_is_forbidden_in_italy() -> None:
    assert told(change("J 5B 6B 7B", "5B 6B 7B J", shifted="J"), rules="burraco_it")[0] == [
        ("wild_moved", "J", False, Reason.WILD_MOVED)
    ]


def test_naturals_of_a_pierna_may_change_places_unnoticed() -> None:
    assert told(change("6R 6B 6K", "6B 6R 6K", shifted="6B")) == ([], True)


def test_a_tile_between_melds_and_back() -> None:
    there = [
        change("3R 4R 5R 6R", "3R 4R 5R"),
        change("6B 6K 6Y", "6B 6K 6Y 6R", meld=2, joined="6R"),
    ]
    assert told(*there) == ([("tile_moved", "6R", False, Reason.TILE_MOVED)], False)
    back = [
        change("3R 4R 5R", "3R 4R 5R 6R", "3R 4R 5R 6R", joined="6R"),
        change("6B 6K 6Y 6R", "6B 6K 6Y", "6B 6K 6Y", meld=2),
    ]
    assert told(*back) == ([("taken_back", "6R", True, None)], True)


def test_an_unread_tile_is_not_held_against_anybody() -> None:
    explanation = explain(
        [MeldChange(1, (), (None, *tiles("4R 5R")), came=(None, *tiles("4R 5R")))], BURAKO
    )
    assert [(ruling.change.value, ruling.verdict) for ruling in explanation.rulings] == [
        ("meld_laid", None)
    ]
    assert explanation.settled


@pytest.mark.parametrize(
    ("instead", "names"), [("9B", []), ("8B", ["tiles_added", "tile_removed"])]
)
def test_a_tile_seen_anew_or_exchanged_for_its_like_is_nothing_to_tell(
    instead: str, names: list[str]
) -> None:
    memory = Memory(BURAKO)
    laid = dict(enumerate(tiles("9B J 11B 12B")))
    memory.begin([(0, 1, 2, 3)], laid, set())
    (other,) = tiles(instead)
    rulings = memory.settle([(4, 1, 2, 3)], {1: laid[1], 2: laid[2], 3: laid[3], 4: other}, set())
    assert [ruling.change.value for ruling in rulings] == names
    assert memory.present()[0].tracks == (4, 1, 2, 3)
