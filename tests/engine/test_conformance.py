"""What every ruleset must do, with or without options; and the figures that the published texts
print.
"""

from dataclasses import replace

import pytest

from engine import RULESETS, RuleSet, Side, judge_meld, ruleset, score_hand, set_up, tally, tiles
from engine.reasons import Reason

HOUSE = replace(
    ruleset("burako"), id="house", wilds_per_meld=2, pierna_max=8, muerto_bonus=50, target=1000
)
EVERY_RULESET = pytest.mark.parametrize(
    "rules", [*RULESETS.values(), HOUSE], ids=lambda rules: rules.id
)

# id, target, jokers, joker's points, hand of four, of two, bonus and penalty of the muerto, canasta
# values
PRINTED = [
    ("buracco", 2000, 2, 50, 11, 12, 100, 100, [200, 100]),
    ("buraco", 2000, 2, 50, 6, 12, 100, 100, [200, 100]),
    ("burako", 3000, 2, 50, 11, 12, 100, 100, [200, 100]),
    ("burraco_it", 2005, 4, 30, 11, 11, 0, 100, [200, 150, 100]),
    ("pagat", 3000, 2, 50, 11, 12, 0, 100, [200, 100]),
]
LEGAL = [
    "3R 4R 5R",
    "1K 2K 3K",
    "12Y 13Y 1Y",
    "5R 5B 5B",
    "9K J 11K",
    "2B 3R 4R",
    "2R 2R 3R",
    "J 7B 7K",
    "6B 5B 4B",
]
ILLEGAL = [
    ("", Reason.TOO_SHORT),
    ("3R", Reason.TOO_SHORT),
    ("3R J", Reason.TOO_SHORT),
    ("13R 1R 2R", Reason.WRAPAROUND),
    ("3R 4B 5R", Reason.COLOUR_MISMATCH),
    ("J J 2R", Reason.ALL_WILD),
    ("3R 5R 7R", Reason.GAP),
    ("3R 6R 5R 4R", Reason.ORDER),
    ("5R 5R 5R", Reason.TOO_MANY_COPIES),
    ("3R 3R 4R", Reason.DUPLICATE_IN_RUN),
    ("3R 5B 9K", Reason.MIXED),
    ("5R 5B 9K", Reason.MIXED),
]


@pytest.mark.parametrize("printed", PRINTED, ids=lambda printed: printed[0])
def test_figures_as_printed(printed: tuple) -> None:
    rules = ruleset(printed[0])
    four, two = set_up(rules).hand_size, set_up(replace(rules, players=2)).hand_size
    canastas = [points for _, points in rules.canasta_values]
    figures = (rules.target, rules.jokers, rules.points(tiles("J")), four, two)
    assert (rules.id, *figures, rules.muerto_bonus, rules.muerto_penalty, canastas) == printed
    assert [rules.points(tiles(f"{number}K")) for number in range(1, 14)] == [
        15,
        20,
        *[5] * 5,
        *[10] * 6,
    ]


def test_every_ruleset_is_compared_with_its_text() -> None:
    assert list(RULESETS) == [printed[0] for printed in PRINTED]
    with pytest.raises(ValueError, match=r"expected a ruleset, one of buracco, .* got 'rummikub'"):
        ruleset("rummikub")


@EVERY_RULESET
@pytest.mark.parametrize("row", LEGAL)
def test_legal_everywhere(rules: RuleSet, row: str) -> None:
    meld = judge_meld(tiles(row), rules)
    assert meld.valid and meld.kind and meld.points == rules.points(tiles(row))
    assert judge_meld(tiles(row), rules, ordered=False).valid


@EVERY_RULESET
@pytest.mark.parametrize(("row", "reason"), ILLEGAL)
def test_illegal_everywhere(rules: RuleSet, row: str, reason: Reason) -> None:
    meld = judge_meld(tiles(row), rules)
    assert (
        not meld.valid
        and meld.reason is reason
        and meld.kind is None
        and meld.wilds == 0
        and meld.canasta is None
    )


@pytest.mark.parametrize("row", ["3R J 2R 6R", "5R 5B 2R J", "5R 5R J 2B"])
def test_no_text_allows_two_wilds_in_a_meld_and_a_table_may(row: str) -> None:
    reasons = {judge_meld(tiles(row), rules).reason for rules in RULESETS.values()}
    assert reasons == {Reason.TWO_WILDS}
    assert judge_meld(tiles(row), HOUSE).valid


@pytest.mark.parametrize(
    ("row", "forbidden_by"),
    [
        ("2R 2B 2K", {"burraco_it", "pagat"}),
        ("1K 2K 3K 4K 5K 6K 7K 8K 9K 10K 11K 12K 13K 1K", {"burraco_it"}),
    ],
)
def test_what_only_some_texts_allow(row: str, forbidden_by: set[str]) -> None:
    verdicts = {name: judge_meld(tiles(row), rules).valid for name, rules in RULESETS.items()}
    assert {name for name, valid in verdicts.items() if not valid} == forbidden_by


@EVERY_RULESET
def test_a_closed_hand_adds_up(rules: RuleSet) -> None:
    closer = Side((tiles("3R 4R 5R 6R 7R 8R 9R"),), ((), tiles("4B")), muerto_taken=True)
    other = Side((tiles("9Y 10Y 11Y"),), (tiles("1R"), tiles("2B")), muerto_taken=False)
    score = score_hand({"A": closer, "B": other}, "A", rules)
    sign = -1 if rules.all_against_without_canasta else 1
    assert score.valid_close
    assert (
        score.sides["A"].total
        == 45 + rules.canasta_values[0][1] + rules.close_bonus + rules.muerto_bonus - 5
    )
    assert score.sides["B"].total == sign * 30 - rules.muerto_penalty - 35
    for side in score.sides.values():
        assert side.base + side.puntos == side.total == sum(line.points for line in side.lines)


@EVERY_RULESET
def test_the_target_ends_the_match(rules: RuleSet) -> None:
    assert not tally([{"A": rules.target - 5, "B": 0}], rules.target).finished
    assert tally([{"A": rules.target, "B": rules.target + 5}], rules.target).winner == "B"
    assert not tally([{"A": rules.target, "B": rules.target}], rules.target).finished


@EVERY_RULESET
@pytest.mark.parametrize("players", [2, 4])
def test_the_deal_uses_the_whole_set(rules: RuleSet, players: int) -> None:
    deal = set_up(replace(rules, players=players))
    dealt = deal.players * deal.hand_size + deal.muertos * deal.muerto_size
    assert dealt + deal.stock == 104 + rules.jokers


@pytest.mark.parametrize(
    ("name", "players", "stock", "adds_up"),
    [
        ("buracco", 4, 40, False),
        ("buracco", 2, 60, False),
        ("buraco", 4, 60, True),
        ("buraco", 2, 60, True),
        ("burako", 4, 40, True),
        ("burako", 2, 60, True),
        ("burraco_it", 4, 42, True),
        ("pagat", 4, 40, True),
        ("pagat", 2, 60, False),
    ],
)
def test_counts_that_do_not_add_up_are_told(
    name: str, players: int, stock: int, adds_up: bool
) -> None:
    deal = set_up(replace(ruleset(name), players=players))
    assert (deal.stock, deal.adds_up) == (stock, adds_up)


def test_hands_that_the_set_cannot_fill() -> None:
    with pytest.raises(ValueError, match="expected hands that 106 tiles suffice for, got 4 of 30"):
        set_up(replace(ruleset("burako"), hand_size=30))
    # 4 x 21 and the two muertos are all 106 tiles: such a deal leaves no stock, and is one.
    assert set_up(replace(ruleset("burako"), hand_size=21)).stock == 0
    with pytest.raises(ValueError, match="got 4 of 22"):
        set_up(replace(ruleset("burako"), hand_size=22))
    # One tile is missing.
    with pytest.raises(ValueError, match="got 2 of 43"):
        set_up(replace(ruleset("burako"), players=2, jokers=3, hand_size=43))
