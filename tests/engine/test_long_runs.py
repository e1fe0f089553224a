"""Runs with too many tiles to try every order: shuffled ones are found to be the meld that they
were.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine import JOKER, RULESETS, RuleSet, Tile, judge_meld, with_options
from engine.canastas import canasta_points
from engine.rulesets import HIGH_ACE


def laid_run(rng: random.Random) -> tuple[Tile, ...]:
    """Draw a run of eight tiles or more in its order, with a few wilds; it may end with the
    high 1.
    """
    size = rng.randint(8, HIGH_ACE)
    low = rng.randint(1, HIGH_ACE + 1 - size)
    colour, other = rng.sample("RBKY", 2)
    row = [Tile((place - 1) % 13 + 1, colour) for place in range(low, low + size)]
    for at, wild in zip(rng.sample(range(size), 3), (JOKER, Tile(2, other), JOKER), strict=True):
        if rng.random() < 0.3:
            row[at] = wild
    return tuple(row)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_a_bag_is_laid_as_a_run_wherever_one_may_be_laid_of_it(rules: RuleSet) -> None:
    rng = random.Random(5)
    valid = with_both_aces = 0
    for _ in range(300):
        row = laid_run(rng)
        bag = list(row)
        rng.shuffle(bag)
        in_order, mixed = judge_meld(row, rules), judge_meld(bag, rules, ordered=False)
        if in_order.valid:
            assert mixed.valid, row
        if mixed.valid:
            assert mixed.arrangement is not None
            arranged = mixed.arrangement.tiles
            assert Counter(arranged) == Counter(row) and judge_meld(arranged, rules).valid
            valid += 1
            with_both_aces += len(row) == HIGH_ACE
    assert valid > 50
    assert bool(with_both_aces) is rules.ace_at_both_ends


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_no_run_holds_three_aces_or_a_tile_twice(rules: RuleSet) -> None:
    whole = [Tile(number, "R") for number in (*range(1, 14), 1)]
    for at, instead in ((5, 1), (5, 7), (0, 3)):
        row = [*whole[:at], Tile(instead, "R"), *whole[at + 1 :]]
        assert not judge_meld(row, rules, ordered=False).valid


SPECIAL = [
    {"canasta": "one_to_thirteen", "pura": 500, "impura": 300},
    {"canasta": "one_to_one", "pura": 1000, "impura": 600},
]


@pytest.mark.parametrize("options", [{}, {"special_canastas": SPECIAL}], ids=["usual", "special"])
@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_a_bag_is_paid_as_its_best_order_with_as_few_wilds(rules: RuleSet, options: dict) -> None:
    rules = with_options(rules, options)
    for low in range(1, HIGH_ACE - 5):
        for end in range(low + 7, HIGH_ACE + 2):
            natural = [Tile((place - 1) % 13 + 1, "R") for place in range(low, end)]
            for wild in range(len(natural)):
                row = (*natural[:wild], JOKER, *natural[wild + 1 :])
                bag = judge_meld(row[::-1], rules, ordered=False)
                in_order = judge_meld(row, rules)
                if in_order.arrangement and in_order.wilds == bag.wilds:
                    assert bag.arrangement
                    paid = canasta_points(bag.arrangement, rules)
                    assert paid >= canasta_points(in_order.arrangement, rules), row
