"""Table options on top of a ruleset: what each changes, and what each refuses."""

from dataclasses import replace
from itertools import chain, permutations
from typing import Any

import pytest

from engine import (
    OPTIONS,
    Reason,
    Side,
    SideScore,
    judge_meld,
    ruleset,
    score_hand,
    tiles,
    with_options,
)
from engine.rulesets import RULESETS, Special, SpecialCanasta

PURA, IMPURA = "3R 4R 5R 6R 7R 8R 9R", "3Y 4Y J 6Y 7Y 8Y 9Y"


def side(melds: str = "", hands: str = ",", muerto: bool = True, played: bool = True) -> Side:
    """Make a side from notation; melds are separated by slashes, hands by commas."""
    rows = tuple(tiles(row) for row in melds.split("/") if row)
    return Side(rows, tuple(tiles(hand) for hand in hands.split(",")), muerto, played)


def scored(
    options: dict[str, Any], a: Side, b: Side, closed_by: Any = "A", rules: str = "burako"
) -> dict[str, SideScore]:
    score = score_hand({"A": a, "B": b}, closed_by, with_options(ruleset(rules), options))
    assert score.reason is None
    return dict(score.sides)


def total(options: dict[str, Any], melds: str, rules: str = "burako") -> int:
    """Return what a side with these melds scores that closed, less its closing bonus."""
    return scored(
        {**options, "close_bonus": 0, "muerto_bonus": False}, side(melds), side(), rules=rules
    )["A"].total


@pytest.mark.parametrize(
    ("rules", "options", "melds", "expected"),
    [
        ("burako", {}, PURA, 45 + 200),
        ("burako", {}, IMPURA, 90 + 100),
        ("burako", {"canasta_values": {"pura": 500, "impura": 300}}, f"{PURA}/{IMPURA}", 135 + 800),
        ("burako", {"canasta_values": {"pura": 500}}, f"{PURA}/{IMPURA}", 135 + 600),
        ("burraco_it", {"canasta_values": {"semipulito": 170}}, PURA + " J", 75 + 170),
        ("burraco_it", {}, PURA + " J", 75 + 150),
        ("burraco_it", {}, "3R 4R 5R 6R 7R 8R 9R J 11R", 85 + 100),
        ("burraco_it", {}, "9R 9R 9B 9B 9K 9K 9Y J", 100 + 150),
        ("burraco_it", {}, "9R 9R 9B 9B 9K 9K J", 90 + 100),
        ("burako", {"tile_values": {"2": 25, "1": 20}}, "1K 2K 3K 4K 5K 6K 7K", 70 + 200),
        ("burako", {"tile_values": {"J": 30}}, IMPURA, 70 + 100),
        # canastas paid apart
        ("burako", {"special_canastas": ["wilds"]}, "2R 2R 2B 2B 2K 2K J", 170 + 1000),
        ("burraco_it", {"special_canastas": ["wilds"]}, "2R 2R 2B 2B 2K J J", 160 + 1000),
        ("burako", {"special_canastas": ["wilds"]}, "2R 2R 2B 2B 2K 2K 2Y", 140 + 1000),
        (
            "pagat",
            {"special_canastas": [{"canasta": "wilds", "pura": 2000}]},
            "2R 2R 2B 2B 2K 2K 2Y",
            140 + 2000,
        ),
        (
            "pagat",
            {"special_canastas": [{"canasta": "wilds", "pura": 2000}]},
            "2R 2R 2B 2B 2K J J",
            200 + 1000,
        ),
        (
            "pagat",
            {"special_canastas": [{"canasta": "wilds", "impura": 700}]},
            "2R 2R 2B 2B 2K J J",
            200 + 700,
        ),
        ("burako", {"special_canastas": ["ones"]}, "1R 1R 1B 1B 1K 1K 1Y", 105 + 500),
        ("burako", {"special_canastas": ["ones"]}, "1R 1R 1B 1B 1K 1K 2Y", 110 + 300),
        (
            "burako",
            {"special_canastas": [{"canasta": "ones", "pura": None}]},
            "1R 1R 1B 1B 1K 1K 1Y",
            105 + 200,
        ),
        (
            "burako",
            {"special_canastas": [{"canasta": "ones", "impura": None}]},
            "1R 1R 1B 1B 1K 1K 2Y",
            110 + 100,
        ),
        ("burako", {"special_canastas": ["ones"]}, "3R 3R 3B 3B 3K 3K 3Y", 35 + 200),
        (
            "burako",
            {"special_canastas": ["one_to_thirteen"]},
            "1R 2R 3R 4R 5R 6R 7R 8R 9R 10R 11R 12R 13R",
            120 + 500,
        ),
        (
            "burako",
            {"special_canastas": ["one_to_thirteen"]},
            "1R 2R 3R 4R 5R 6R 7R J 9R 10R 11R 12R 13R",
            160 + 100,
        ),
        (
            "burako",
            {"special_canastas": ["one_to_one"]},
            "1R 2R 3R 4R 5R 6R 7R 8R 9R 10R 11R 12R 13R 1R",
            135 + 1000,
        ),
        ("burako", {"special_canastas": ["one_to_one"]}, PURA, 45 + 200),
    ],
)
def test_what_melds_are_worth(
    rules: str, options: dict[str, Any], melds: str, expected: int
) -> None:
    assert total(options, melds, rules) == expected


@pytest.mark.parametrize(
    ("options", "row", "reason"),
    [
        ({"wilds_per_meld": 2}, "3R J J 6R", None),
        ({"wilds_per_meld": 2}, "J 3R J J 7R", Reason.TOO_MANY_COPIES),
        ({"wilds_per_meld": None}, "3R J J 2B 2K 8R", None),
        ({"wilds_per_meld": None}, "J J 2R", Reason.ALL_WILD),
        ({"wilds_per_meld": None}, "5R J 2B", None),
        ({"wilds_per_meld": 0}, "3R J 5R", Reason.TWO_WILDS),
        ({"wilds_per_meld": 0}, "2R 3R 4R", None),
        ({"pierna_max": 4}, "5R 5B 5K 5Y", None),
        ({"pierna_max": 4}, "5R 5B 5K 5Y 5R", Reason.TOO_MANY_COPIES),
        ({"pierna_max": 4}, "2R 2B 2K 2Y 2R", Reason.TOO_MANY_COPIES),
        ({"pierna_max": None}, "5R 5B 5K 5Y 5R", None),
        ({"jokers": 4, "wilds_per_meld": 3}, "3R J J J 7R", None),
        ({"copies": {"J": 3}, "wilds_per_meld": 3}, "3R J J J 7R", None),
        ({"copies": {"5R": 3}}, "5R 5R 5R 5B", None),
        ({"copies": {"5R": 1}}, "5R 5R 5B", Reason.TOO_MANY_COPIES),
        ({"copies": {"5R": 1}}, "5R 5B 5B", None),
        ({"copies": {"5R": 0}}, "5R 5B 5K", Reason.TOO_MANY_COPIES),
        ({"special_canastas": ["wilds"]}, "J J 2R", None),
        ({"special_canastas": ["ones"]}, "J J 2R", Reason.ALL_WILD),
        ({"special_canastas": ["wilds"], "pierna_max": 4}, "J J 2R 2B 2K 2Y", None),
    ],
)
def test_what_melds_are_legal(options: dict[str, Any], row: str, reason: Reason | None) -> None:
    assert judge_meld(tiles(row), with_options(ruleset("burako"), options)).reason is reason


MUERTO = [
    # rules, options, A took it, B took it and played it or not, B's muerto points
    ("burako", {}, True, True, True, 100),
    ("burako", {"muerto_bonus": False}, True, True, True, 0),
    ("pagat", {}, True, True, True, 0),
    ("pagat", {"muerto_bonus": True}, True, True, True, 100),
    ("burako", {}, True, False, True, -100),
    ("burako", {"muerto_penalty": 50}, True, False, True, -50),
    ("burako", {"muerto_penalty": 0}, True, False, True, 0),
    ("burako", {"muerto_penalty_if_nobody": False}, True, False, True, -100),
    ("burako", {"muerto_penalty_if_nobody": False}, False, False, True, 0),
    ("burako", {}, False, False, True, -100),
    ("burako", {"muerto_unplayed_penalty": 100}, True, True, False, 0),
    ("burako", {"muerto_unplayed_penalty": 100}, True, True, True, 100),
    ("burako", {}, True, True, False, 100),
]


@pytest.mark.parametrize(("rules", "options", "a_took", "b_took", "b_played", "points"), MUERTO)
def test_the_muerto(
    rules: str, options: dict[str, Any], a_took: bool, b_took: bool, b_played: bool, points: int
) -> None:
    sides = scored(
        options, side(PURA, muerto=a_took), side(PURA, "", b_took, b_played), None, rules
    )
    assert sides["B"].base - 200 == points


@pytest.mark.parametrize(
    ("options", "melds", "reason"),
    [
        ({}, PURA, None),
        ({}, IMPURA, None),
        ({"close_requires": "canasta"}, IMPURA, None),
        ({"close_requires": "pura"}, IMPURA, Reason.NO_CANASTA),
        ({"close_requires": "pura"}, f"{IMPURA}/{PURA}", None),
        ({}, "3R 4R 5R", Reason.NO_CANASTA),
        ({}, "", Reason.NO_CANASTA),
    ],
)
def test_what_closing_needs(options: dict[str, Any], melds: str, reason: Reason | None) -> None:
    rules = with_options(ruleset("burako"), options)
    assert score_hand({"A": side(melds), "B": side()}, "A", rules).reason is reason


def test_close_bonus_goes_to_the_closer_alone() -> None:
    sides = scored({"close_bonus": 150}, side(PURA), side(PURA))
    assert sides["A"].total - sides["B"].total == 150


@pytest.mark.parametrize(
    ("rules", "options", "expected"),
    [
        ("buracco", {}, -15 - 10),
        ("buracco", {"all_against_without_canasta": False}, 15 - 10),
        ("burako", {}, 15 - 10),
        ("burako", {"all_against_without_canasta": True}, -15 - 10),
    ],
)
def test_everything_against_a_side_without_canasta(
    rules: str, options: dict[str, Any], expected: int
) -> None:
    assert scored(options, side(PURA), side("3B 4B 5B", "9B,"), rules=rules)["B"].puntos == expected


@pytest.mark.parametrize(
    ("rules", "options", "void"),
    [
        ("burako", {}, True),
        ("pagat", {}, True),
        ("burraco_it", {}, False),
        ("burako", {"void_without_canasta": False}, False),
        ("buraco", {"void_without_canasta": True}, True),
    ],
)
def test_a_stock_that_runs_out_without_canasta(
    rules: str, options: dict[str, Any], void: bool
) -> None:
    hand = {"A": side("3B 4B 5B", "J,"), "B": side("9R 9B 9K", "1R,")}
    score = score_hand(hand, None, with_options(ruleset(rules), options))
    assert score.void is void
    assert all(bool(one.lines) is not void for one in score.sides.values())


def test_options_that_the_match_and_the_deal_use() -> None:
    rules = with_options(
        ruleset("burako"), {"target": 2000, "players": 2, "hand_size": 15, "jokers": 4}
    )
    assert (rules.target, rules.players, rules.hand_size, rules.jokers) == (2000, 2, 15, 4)


REFUSED = [
    ({"red_threes": True}, "expected an option"),
    ({"target": "3000"}, "expected target to be a whole number 1 to 1000000, got '3000'"),
    ({"target": 0}, "whole number"),
    ({"target": 2000.0}, "whole number"),
    ({"target": True}, "whole number"),
    ({"target": None}, "whole number"),
    ({"tile_values": [1]}, "expected tile_values to be points under J, 1, 2"),
    ({"tile_values": {"14": 5}}, "points under"),
    (
        {"tile_values": {"1": -5}},
        "expected tile_values.1 to be a whole number 0 to 100000, got -5",
    ),
    ({"jokers": 3}, "expected jokers to be 2 or 4, got 3"),
    ({"jokers": 2.0}, "2 or 4"),
    ({"copies": {"14R": 1}}, "expected copies to be numbers of copies under tiles such as 7R or J"),
    ({"copies": ["7R"]}, "numbers of copies under tiles"),
    ({"copies": {"7R": -1}}, "expected copies.7R to be a whole number 0 to 8, got -1"),
    ({"copies": {"7R": 9}}, "whole number 0 to 8"),
    ({"copies": {"7R": 1.0}}, "whole number 0 to 8"),
    ({"players": True}, "2 or 4"),
    (
        {"wilds_per_meld": -1},
        "expected wilds_per_meld to be a whole number 0 to 14 or null, got -1",
    ),
    ({"pierna_max": 2}, "or null"),
    (
        {"canasta_values": {"pulito": 200}},
        "expected canasta_values to be points under pura, impura",
    ),
    ({"canasta_values": {"pura": "200"}}, "expected canasta_values.pura to be a whole number"),
    ({"special_canastas": "wilds"}, "expected special_canastas to be a list"),
    (
        {"special_canastas": ["threes"]},
        "one of wilds, ones, one_to_thirteen, one_to_one, got 'threes'",
    ),
    ({"special_canastas": [{"pura": 5}]}, "names, or objects with canasta, pura and impura"),
    ({"special_canastas": [{"canasta": "ones", "points": 5}]}, "names, or objects"),
    (
        {"special_canastas": [{"canasta": "ones", "pura": "500"}]},
        "expected special_canastas.pura to be a whole number 0 to 100000 or null",
    ),
    ({"special_canastas": [5]}, "names, or objects"),
    (
        {"special_canastas": ["ones", {"canasta": "ones", "pura": 2000}]},
        "expected special_canastas to be a list that names each canasta once",
    ),
    ({"muerto_bonus": 100}, "expected muerto_bonus to be true or false, got 100"),
    ({"muerto_penalty": -100}, "whole number"),
    ({"muerto_penalty_if_nobody": 1}, "true or false"),
    (
        {"close_requires": "impura"},
        "expected close_requires to be 'canasta' or 'pura', got 'impura'",
    ),
    ({"close_requires": ["pura"]}, "'canasta' or 'pura'"),
    ({"void_without_canasta": None}, "true or false"),
    ({"hand_size": 0}, "whole number"),
]


@pytest.mark.parametrize(
    ("options", "message"), REFUSED, ids=[str(options) for options, _ in REFUSED]
)
def test_bad_options_say_what_was_expected(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("'", ".")):
        with_options(ruleset("burako"), options)


@pytest.mark.parametrize("paid", list(chain(*(permutations(Special, n) for n in range(3)))))
def test_each_special_canasta_has_the_price_that_the_table_names(paid: tuple[Special, ...]) -> None:
    prices = tuple(SpecialCanasta(special, 100 + n, None) for n, special in enumerate(paid))
    rules = replace(RULESETS["burako"], special_canastas=prices)
    for special in Special:
        expected = prices[paid.index(special)] if special in paid else None
        assert rules.special(special) is expected


def test_every_option_is_tried_above() -> None:
    tried = {name for options, _ in REFUSED for name in options}
    tried |= {"muerto_unplayed_penalty", "close_bonus", "all_against_without_canasta"}
    assert set(OPTIONS) <= tried
