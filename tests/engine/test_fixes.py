"""The smallest fix of an illegal meld, against trying out every subset."""

import random
from collections import Counter
from itertools import combinations

import pytest
from test_oracle import random_row

from engine import (
    RULESETS,
    Fix,
    FixAction,
    RuleSet,
    fix_meld,
    judge_meld,
    notation,
    ruleset,
    tiles,
    with_options,
)
from engine.fixes import neighbours


@pytest.mark.parametrize(
    ("row", "action", "touched", "becomes"),
    [
        ("3R 2R 4R", FixAction.REARRANGE, "3R 2R 4R", "2R 3R 4R"),
        ("9Y 10Y 11Y 13Y", FixAction.TAKE_BACK, "13Y", "9Y 10Y 11Y"),
        ("3R 4R 5R 6B 7R 8R 9R", FixAction.TAKE_BACK, "6B 7R 8R 9R", "3R 4R 5R"),
        ("5R 5B J 2K", FixAction.TAKE_BACK, "2K", "5R 5B J"),
        ("2R 3R J 5R 2K", FixAction.TAKE_BACK, "2K", "2R 3R J 5R"),
        ("13R 1R 2R 12R", FixAction.REARRANGE, "13R 1R 2R 12R", "2R 12R 13R 1R"),
        ("5R 5R 5R 5B", FixAction.TAKE_BACK, "5R", "5R 5R 5B"),
        ("3R 4R", FixAction.ADD, "2R", "2R 3R 4R"),
        ("12R 13R", FixAction.ADD, "1R", "12R 13R 1R"),
        ("3B 4B", FixAction.ADD, "2B", "2B 3B 4B"),
        ("5R J", FixAction.ADD, "3R", "3R J 5R"),
        ("5R 5B", FixAction.ADD, "5K", "5R 5B 5K"),
        ("J J 2R", FixAction.TAKE_BACK, "J J 2R", ""),
        ("3R", FixAction.TAKE_BACK, "3R", ""),
        ("", FixAction.TAKE_BACK, "", ""),
    ],
)
def test_the_smallest_fix(row: str, action: FixAction, touched: str, becomes: str) -> None:
    fix = fix_meld(judge_meld(tiles(row), ruleset("burako")), ruleset("burako"))
    assert (fix.action, notation(fix.tiles), notation(fix.row)) == (action, touched, becomes)


def longest_legal_part(row: tuple, rules: RuleSet) -> int:
    sizes = range(len(row), 2, -1)
    legal = (
        size
        for size in sizes
        if any(judge_meld(part, rules, ordered=False).valid for part in combinations(row, size))
    )
    return next(legal, 0)


CANASTAS_OF_WILDS = with_options(ruleset("pagat"), {"special_canastas": ["wilds"], "pierna_max": 4})


@pytest.mark.parametrize(
    "rules", [*RULESETS.values(), CANASTAS_OF_WILDS], ids=[*RULESETS, "canastas of wilds"]
)
def test_no_smaller_fix_exists(rules: RuleSet) -> None:
    rng = random.Random(7)
    illegal = [
        row
        for row in (random_row(rng, longest=9) for _ in range(150))
        if not judge_meld(row, rules).valid
    ]
    assert len(illegal) > 40
    for row in illegal:
        fix: Fix = fix_meld(judge_meld(row, rules), rules)
        longest = longest_legal_part(row, rules)
        if fix.action is FixAction.REARRANGE:
            assert longest == len(row)
        elif fix.action is FixAction.TAKE_BACK and fix.row:
            assert len(row) - len(fix.tiles) == longest == len(fix.row)
        else:
            assert longest == 0
        assert not fix.row or judge_meld(fix.row, rules).valid


@pytest.mark.parametrize(
    ("row", "action", "touched", "becomes", "order_matters"),
    [
        ("J 11B 2R 13B", FixAction.TAKE_BACK, "J", "11B 2R 13B", False),
        ("6R 2R 7R 8R 9R J", FixAction.TAKE_BACK, "2R", "6R 7R 8R 9R J", False),
        ("13R 12R J 2B 10R", FixAction.TAKE_BACK, "2B", "13R 12R J 10R", False),
        ("6R 7R 8R 10R 11R J 13R", FixAction.TAKE_BACK, "13R", "6R 7R 8R J 10R 11R", True),
        ("1Y J 2Y 6K", FixAction.TAKE_BACK, "6K", "1Y 2Y J", True),
        ("J 4R J 6R", FixAction.TAKE_BACK, "J", "4R J 6R", True),  # the first one, not the other
        ("4R J 6R J", FixAction.TAKE_BACK, "J", "4R J 6R", True),
        ("J 4R 5R J", FixAction.TAKE_BACK, "J", "J 4R 5R", False),  # either of them
        ("5B 4B 7B", FixAction.ADD, "6B", "4B 5B 6B 7B", True),
        ("4B 5B 7B", FixAction.ADD, "6B", "4B 5B 6B 7B", False),
        ("5K 2K J", FixAction.ADD, "3K", "2K 3K J 5K", True),
    ],
)
def test_the_tiles_that_stay_keep_their_order_where_they_can(
    row: str, action: FixAction, touched: str, becomes: str, order_matters: bool
) -> None:
    fix = fix_meld(judge_meld(tiles(row), ruleset("burako")), ruleset("burako"))
    assert (fix.action, notation(fix.tiles), notation(fix.row), fix.order_matters) == (
        action,
        touched,
        becomes,
        order_matters,
    )


@pytest.mark.parametrize("name", RULESETS)
def test_a_row_is_put_in_another_order_only_where_none_of_its_parts_stands_as_it_lies(
    name: str,
) -> None:
    rules = ruleset(name)
    rng = random.Random(11)
    wrong = 0
    for row in (random_row(rng, longest=8) for _ in range(300)):
        meld = judge_meld(row, rules)
        if meld.valid:
            continue
        fix = fix_meld(meld, rules)
        if fix.action is FixAction.TAKE_BACK and fix.row:
            rests = list(combinations(row, len(fix.row)))
            stands = any(judge_meld(rest, rules).valid for rest in rests)
            assert (fix.row in rests) is stands
            alike = [rest for rest in rests if Counter(rest) == Counter(fix.row)]
            others = [rest for rest in alike if not judge_meld(rest, rules).valid]
            assert fix.order_matters is bool(others)
            wrong += not stands
    assert wrong > 5


@pytest.mark.parametrize("limit", [None, 2, 3])
@pytest.mark.parametrize("name", RULESETS)
def test_no_smaller_fix_exists_where_a_meld_may_have_several_wilds(
    name: str, limit: int | None
) -> None:
    """A row may hold more copies of a wild than the set has; another wild may take its place."""
    rules = with_options(ruleset(name), {"wilds_per_meld": limit})
    rng = random.Random(7)
    wilds = tiles("J J J 2R 2R 2R 2B 2K")
    rows = [tuple(rng.sample(wilds, 5)) + random_row(rng, longest=3)[:3] for _ in range(40)]
    for row in (*rows, tiles("3Y 2R 2R 2R J 1B")):
        meld = judge_meld(row, rules)
        if not meld.valid:
            fix = fix_meld(meld, rules)
            stays = {FixAction.REARRANGE: row, FixAction.ADD: ()}.get(fix.action, fix.row)
            assert len(stays) == longest_legal_part(row, rules), row


@pytest.mark.parametrize(
    ("row", "touched", "becomes"),
    [
        ("2R 2B 2K J J 5Y", "5Y", "2R 2B 2K J J"),
        ("J J 2R 2R 2B 2K 2Y 7B", "7B", "J J 2R 2R 2B 2K 2Y"),
        ("2R 2R 2R 2B J J", "2R", "2R 2R 2B J J"),
    ],
)
def test_wilds_laid_for_a_canasta_of_wilds_stay(row: str, touched: str, becomes: str) -> None:
    fix = fix_meld(judge_meld(tiles(row), CANASTAS_OF_WILDS), CANASTAS_OF_WILDS)
    assert (fix.action, notation(fix.tiles), notation(fix.row)) == (
        FixAction.TAKE_BACK,
        touched,
        becomes,
    )


def test_a_bag_is_not_told_to_lie_in_order() -> None:
    rules = ruleset("burako")
    fix = fix_meld(judge_meld(tiles("9Y 3R 5R 4R"), rules, ordered=False), rules, ordered=False)
    assert (fix.action, notation(fix.tiles), notation(fix.row)) == (
        FixAction.TAKE_BACK,
        "9Y",
        "3R 4R 5R",
    )


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("7R 8R", "7B 7K 7Y 5R 6R 9R"),
        ("1R 2R", "1B 1K 1Y 3R 12R 13R"),
        ("12R J", "12B 12K 12Y 1R 10R 11R 13R"),
        ("13R 12R", "13B 13K 13Y 1R 2R 11R"),
        ("J 5K", "5R 5B 5Y 3K 4K 6K 7K"),
        ("J", ""),
        ("2R", "1R 2B 2K 2Y 3R 4R 13R"),
        ("J 2R", "1R 2B 2K 2Y 3R 4R 13R"),
    ],
)
def test_tiles_that_could_belong_to_a_row_are_near_its_first_natural(row: str, found: str) -> None:
    assert sorted(notation(neighbours(tiles(row))).split()) == sorted(found.split())
