"""The likeliest legal readings, against trying every combination of a few faces a tile."""

import random
from dataclasses import replace
from itertools import product

import pytest

from engine import (
    FACE_INDEX,
    FACES,
    RULESETS,
    Candidate,
    RuleSet,
    Tile,
    best_candidates,
    judge_meld,
    notation,
    ruleset,
    tiles,
)
from engine.candidates import count_of_starts, patterns
from engine.melds import is_meld
from engine.options import with_options

UNLIKELY = -1000.0
BURAKO = ruleset("burako")
HOUSE = [
    with_options(BURAKO, {"wilds_per_meld": 2, "pierna_max": 4}),
    with_options(BURAKO, {"wilds_per_meld": None}),
    with_options(ruleset("pagat"), {"wilds_per_meld": 0}),
    with_options(ruleset("pagat"), {"special_canastas": ["wilds"]}),
]
HOUSE = [replace(rules, id=f"house{index}") for index, rules in enumerate(HOUSE)]


def scores_of(*choices: dict[str, float]) -> list[list[float]]:
    """Make one row of 53 scores for each tile: those of the faces named, all others very low."""
    return [[choice.get(str(face), UNLIKELY) for face in FACES] for choice in choices]


def certain(row: str) -> list[list[float]]:
    return scores_of(*({text: 0.0} for text in row.split()))


def random_scores(rng: random.Random, size: int) -> list[dict[Tile, float]]:
    """Draw three or four likely faces for each tile, so that the tiles are about a run or a pierna,
    with comodines and 2s.
    """
    low, colour, number = rng.randint(1, 13), rng.choice("RBKY"), rng.randint(1, 13)
    run = rng.random() < 0.5
    row = [
        Tile((low + step - 1) % 13 + 1, colour) if run else Tile(number, rng.choice("RBKY"))
        for step in range(size)
    ]
    if rng.random() < 0.5:
        row.reverse()
    others = (*tiles("J 2R 2B"), *rng.sample(FACES, 3))
    return [
        {
            tile: -rng.random(),
            **{each: -4 * rng.random() for each in rng.sample(others, 3 if size < 5 else 2)},
        }
        for tile in row
    ]


def by_brute_force(choices: list[dict[Tile, float]], rules: RuleSet) -> list[float]:
    totals = []
    for row in product(*choices):
        if is_meld(row, rules):
            totals.append(sum(choice[tile] for choice, tile in zip(choices, row, strict=True)))
    return sorted(totals, reverse=True)


@pytest.mark.parametrize("rules", [*RULESETS.values(), *HOUSE], ids=lambda rules: rules.id)
@pytest.mark.parametrize(
    "size",
    [
        3,
        4,
        5,
        *(
            pytest.param(size, marks=(pytest.mark.slow, pytest.mark.timeout(3600)))
            for size in (6, 7)
        ),
    ],
)
def test_the_best_are_found(rules: RuleSet, size: int) -> None:
    rng = random.Random(size)
    compared = 0
    for _ in range(10 if size == 5 else 20):  # few long rows are legal without wilds
        choices = random_scores(rng, size)
        scores = scores_of(
            *({str(tile): score for tile, score in choice.items()} for choice in choices)
        )
        found = best_candidates(scores, rules, count=4)
        expected = by_brute_force(choices, rules)[:4]
        compared += len(expected)
        assert [one.score for one in found.legal][: len(expected)] == pytest.approx(expected)
        assert all(judge_meld(one.tiles, rules).valid for one in found.legal)
        assert found.unrestricted.score == pytest.approx(
            sum(max(choice.values()) for choice in choices)
        )
    assert compared > 4


@pytest.mark.parametrize("rules", [BURAKO, *HOUSE], ids=lambda rules: rules.id)
def test_the_level_of_the_scores_changes_nothing(rules: RuleSet) -> None:
    """The search bounds what it may still reach by the scores, whether these are below
    0 or above.
    """
    rng = random.Random(11)
    for size in (3, 4, 5, 5):
        named = [
            {str(tile): score for tile, score in choice.items()}
            for choice in random_scores(rng, size)
        ]
        scores = scores_of(*named)
        raised = [[score + 2000.0 + at for score in row] for at, row in enumerate(scores)]
        found, again = (best_candidates(each, rules, count=5).legal for each in (scores, raised))
        more = 2000.0 * size + sum(range(size))
        assert [one.score + more for one in found] == pytest.approx([one.score for one in again])


@pytest.mark.parametrize("row", ["2R 2B J J", "2R 2R 2B 2B 2K 2K J", "2R 2B 2K 2Y J J 2R 2B 2K 2Y"])
def test_a_meld_of_wilds_alone_is_found_where_the_table_pays_for_it(row: str) -> None:
    """It has no limit of wilds, and may be longer than any pierna of these rules."""
    (found, *_) = best_candidates(certain(row), HOUSE[3], count=1).legal
    assert (notation(found.tiles), found.score) == (row, 0.0)
    (other, *_) = best_candidates(certain("5R 5B J J J"), HOUSE[3], count=1).legal
    assert other.score < 0  # of other numbers the limit holds


@pytest.mark.parametrize(
    "row",
    [
        "3R 4R 5R",
        "5R 4R 3R",
        "12Y 13Y 1Y",
        "1Y 13Y 12Y",
        "9B J 11B",
        "4K 2R 6K",
        "2K 2R 3R 4R",
        "5R 5B 5B J",
        "2R 2B J",
        "13R 13R 13B 13B 13K 13K 13Y 13Y 2K",
        "1K 2K 3K 4K 5K 6K 7K 8K 9K 10K 11K 12K 13K 1K",
    ],
)
def test_a_clear_row_reads_as_it_lies(row: str) -> None:
    found = best_candidates(certain(row), BURAKO)
    assert notation(found.legal[0].tiles) == notation(found.unrestricted.tiles) == row
    assert found.legal[0].score == found.unrestricted.score == 0.0


def test_a_pierna_grows_with_the_copies_that_the_set_has_gained() -> None:
    row = "5R 5R 5R 5B 5B 5K 5K 5Y 5Y J"
    more = with_options(BURAKO, {"copies": {"5R": 3}})
    (found, *_) = best_candidates(certain(row), more, count=1).legal
    assert (notation(found.tiles), found.score) == (row, 0.0)


def test_a_search_that_takes_too_long_ends_with_what_it_has_found() -> None:
    scores = scores_of({"3R": 0.0}, {"4R": 0.0, "4B": -1.0}, {"5R": 0.0, "J": -2.0})
    whole = best_candidates(scores, BURAKO, count=2)
    assert len(whole.legal) == 2
    assert best_candidates(scores, BURAKO, count=2, most_states=100_000) == whole
    assert best_candidates(scores, BURAKO, count=2, most_states=4).legal == whole.legal[:1]
    none = best_candidates(scores, BURAKO, count=2, most_states=3)
    assert (none.legal, none.unrestricted) == ((), whole.unrestricted)


def test_rules_settle_a_doubt() -> None:
    doubt = {"8R": -0.6, "6R": -0.8, "6B": -4.0}
    found = best_candidates(scores_of({"4R": 0.0}, {"5R": 0.0}, doubt, {"7R": 0.0}), BURAKO)
    assert notation(found.legal[0].tiles) == "4R 5R 6R 7R"
    assert notation(found.unrestricted.tiles) == "4R 5R 8R 7R"


@pytest.mark.parametrize(
    ("row", "rules", "first_legal"),
    [
        ("1K 2K 3K 4K 5K 6K 7K 8K 9K 10K 11K 12K 13K 1K", "burraco_it", False),
        ("2R 2B 2K", "pagat", False),
        ("2R 2B 2K", "buraco", True),
    ],
)
def test_rulesets_are_honoured(row: str, rules: str, first_legal: bool) -> None:
    legal = best_candidates(certain(row), ruleset(rules)).legal
    assert bool(legal and legal[0].score == 0.0) is first_legal


def test_no_reading_needs_a_third_copy() -> None:
    all_red = {"9R": 0.0, "9B": -1.0, "9K": -2.0, "9Y": -3.0, "J": -50.0}
    best = best_candidates(scores_of(*[all_red] * 8), BURAKO).legal[0]
    assert sorted(map(str, best.tiles)) == sorted(["9R", "9B", "9K", "9Y"] * 2)
    assert best.score == -12.0


@pytest.mark.parametrize("row", ["", "3R", "3R 4R"])
def test_too_short_for_a_meld(row: str) -> None:
    found = best_candidates(certain(row), BURAKO)
    assert found.legal == () and found.unrestricted == Candidate(tiles(row), 0.0)


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize("length", [15, 16, 17, 24, 28, 60])
def test_longer_than_any_meld(length: int, rules: str) -> None:
    """Two melds laid end to end are one long row to the camera."""
    found = best_candidates(
        certain("3R 4R 5R 6R " * (length // 4) + "9K " * (length % 4)), ruleset(rules), 8
    )
    assert found.legal == () and len(found.unrestricted.tiles) == length


def test_a_pattern_bounds_what_its_tiles_can_score_with_each_number_of_wilds() -> None:
    choices = random_scores(random.Random(4), 5)
    scores = [[choice.get(face, -5.0) for face in FACES] for choice in choices]
    for _, pattern in patterns(scores, HOUSE[0]):
        pattern.open(scores)
        naturals = [max(one for one, _, wild in tile if not wild) for tile in pattern.options]
        wilds = [max(one for one, _, wild in tile if wild) for tile in pattern.options]
        gains = sorted(
            (wild - own for own, wild in zip(naturals, wilds, strict=True)), reverse=True
        )
        for allowed, bounds in enumerate(pattern.rest):
            gained = sum(gain for gain in gains[:allowed] if gain > 0)
            assert bounds[0] == pytest.approx(sum(naturals) + gained)


@pytest.mark.parametrize(
    ("size", "both_aces", "starts"),
    [(3, False, 12), (13, False, 2), (14, False, 0), (14, True, 1), (15, True, 0)],
)
def test_a_run_begins_where_it_ends_on_a_place(size: int, both_aces: bool, starts: int) -> None:
    assert count_of_starts(size, replace(BURAKO, ace_at_both_ends=both_aces)) == starts


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda row: row[:52], "expected 53 scores for tile 1, got 52"),
        (lambda row: [*row[:52], float("nan")], "expected finite log-scores for tile 1"),
        (
            lambda row: [*row[:52], float("-inf")],
            "expected finite log-scores for tile 1, got -inf to 0.0",
        ),
    ],
)
def test_bad_scores_say_what_was_expected(spoil, message: str) -> None:
    scores = certain("3R 4R 5R")
    scores[1] = spoil(scores[1])
    with pytest.raises(ValueError, match=message):
        best_candidates(scores, BURAKO)


def test_scores_follow_the_order_of_the_faces() -> None:
    scores = [
        [-float(abs(FACE_INDEX[tile] - index)) for index in range(53)]
        for tile in tiles("13Y 13K J")
    ]
    assert notation(best_candidates(scores, BURAKO).unrestricted.tiles) == "13Y 13K J"
