"""The engine against the brute-force oracle: every short row over a reduced set, then many random
longer ones.
"""

import random
from itertools import combinations_with_replacement, product

import pytest
from oracle import fewest_wilds

from engine import FACES, RULESETS, RuleSet, Tile, judge_meld, tiles
from engine.melds import is_meld

REDUCED = tiles("1R 2R 3R 4R 13R 2B 3B J")
RANDOM_ROWS = 100_000
LONG = (pytest.mark.slow, pytest.mark.timeout(3600))


def agree(row: tuple[Tile, ...], rules: RuleSet, *, ordered: bool = True) -> bool:
    meld = judge_meld(row, rules, ordered=ordered)
    if ordered and is_meld(row, rules) != meld.valid:
        return False
    return (meld.wilds if meld.valid else None) == fewest_wilds(row, rules, ordered=ordered)


def random_row(rng: random.Random, longest: int = 15) -> tuple[Tile, ...]:
    """Draw a run or pierna, mostly damaged: tiles exchanged, replaced by wilds or by any tile, or
    the row turned round.
    """
    size, colour, low = rng.randint(3, longest), rng.choice("RBKY"), rng.randint(-1, 12)
    if rng.random() < 0.7:
        row = [Tile((low + step - 1) % 13 + 1, colour) for step in range(size)]
    else:
        row = [Tile(rng.randint(1, 3), each) for each in rng.sample("RBKYRBKY", min(size, 8))]
    for _ in range(rng.choice((0, 0, 1, 2))):
        row[rng.randrange(len(row))] = rng.choice((*tiles("J 2R 2B 2K 2Y J"), rng.choice(FACES)))
    if rng.random() < 0.2:
        first, second = rng.randrange(len(row)), rng.randrange(len(row))
        row[first], row[second] = row[second], row[first]
    return tuple(row if rng.random() < 0.5 else reversed(row))


EVERY_RULESET = pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
SIZES = pytest.mark.parametrize(
    "size", [0, 1, 2, 3, *(pytest.param(size, marks=LONG) for size in (4, 5))]
)


@EVERY_RULESET
@SIZES
def test_every_row_of_a_reduced_set(rules: RuleSet, size: int) -> None:
    assert not [row for row in product(REDUCED, repeat=size) if not agree(row, rules)][:5]


@EVERY_RULESET
@SIZES
def test_every_bag_of_a_reduced_set(rules: RuleSet, size: int) -> None:
    bags = combinations_with_replacement(REDUCED, size)
    assert not [bag for bag in bags if not agree(bag, rules, ordered=False)][:5]


@EVERY_RULESET
@pytest.mark.parametrize("count", [400, pytest.param(RANDOM_ROWS, marks=LONG)])
def test_random_rows(rules: RuleSet, count: int) -> None:
    rng = random.Random(count)
    rows = [random_row(rng) for _ in range(count)]
    assert sum(judge_meld(row, rules).valid for row in rows) > count / 10
    assert not [row for row in rows if not agree(row, rules)][:5]


@EVERY_RULESET
def test_random_bags(rules: RuleSet) -> None:
    rng = random.Random(5)
    bags = [random_row(rng, longest=5) for _ in range(40)]
    assert not [bag for bag in bags if not agree(bag, rules, ordered=False)][:5]
