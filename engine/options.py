"""Table options on top of a ruleset: each name with its reader, bad values answered by what was
expected and what came.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engine.checks import expect, shown, true_or_false, whole_number
from engine.rulesets import Canasta, RuleSet, Special, SpecialCanasta

POINTS = (0, 100_000)
TARGET = (1, 1_000_000)
COUNT = (0, 14)  # of tiles in a meld, wilds among them
HAND_SIZE = (1, 40)
MUERTO_BONUS = 100
# Values seen at tables for canastas paid apart; None: an ordinary canasta.
SPECIAL_VALUES: dict[Special, tuple[int | None, int | None]] = {
    Special.WILDS: (1000, 1000),
    Special.ONES: (500, 300),
    Special.ONE_TO_THIRTEEN: (500, None),
    Special.ONE_TO_ONE: (1000, None),
}

Changes = Mapping[str, Any]


def with_options(rules: RuleSet, options: Mapping[str, object]) -> RuleSet:
    """The ruleset as played at this table. Raises ValueError for an unknown option or a value that
    it cannot have.
    """
    changes: dict[str, Any] = {}
    for name, value in options.items():
        if name not in OPTIONS:
            raise ValueError(f"expected an option, one of {', '.join(OPTIONS)}, got {shown(name)}")
        changes |= OPTIONS[name](name, value, rules)
    return replace(rules, **changes)


def number_option(low: int, high: int) -> Callable[[str, object, RuleSet], Changes]:
    return lambda name, value, _: {name: whole_number(name, value, low, high)}


def limit_option(low: int, high: int) -> Callable[[str, object, RuleSet], Changes]:
    def read(name: str, value: object, _: RuleSet) -> Changes:
        return {name: None if value is None else whole_number(name, value, low, high, " or null")}

    return read


def choice_option(*choices: int) -> Callable[[str, object, RuleSet], Changes]:
    def read(name: str, value: object, _: RuleSet) -> Changes:
        if not isinstance(value, int) or isinstance(value, bool) or value not in choices:
            raise expect(name, " or ".join(map(str, choices)), value)
        return {name: value}

    return read


def switch_option(name: str, value: object, _: RuleSet) -> Changes:
    return {name: true_or_false(name, value)}


def muerto_bonus(name: str, value: object, _: RuleSet) -> Changes:
    return {name: MUERTO_BONUS if true_or_false(name, value) else 0}


def close_requires(name: str, value: object, _: RuleSet) -> Changes:
    if value not in ("canasta", "pura"):
        raise expect(name, "'canasta' or 'pura'", value)
    return {name: Canasta.PURA if value == "pura" else None}


def points_by_name(name: str, value: object, names: list[str]) -> dict[str, int]:
    """Points under some of the names, the others staying as they are."""
    if not isinstance(value, Mapping) or not set(value) <= set(names):
        raise expect(name, f"points under {', '.join(names)}", value)
    return {key: whole_number(f"{name} of {key}", points, *POINTS) for key, points in value.items()}


def tile_values(name: str, value: object, rules: RuleSet) -> Changes:
    names = ["J", *map(str, range(1, 14))]
    changed = points_by_name(name, value, names)
    return {
        name: tuple(
            changed.get(key, old) for key, old in zip(names, rules.tile_values, strict=True)
        )
    }


def canasta_values(name: str, value: object, rules: RuleSet) -> Changes:
    changed = points_by_name(name, value, [str(key) for key, _ in rules.canasta_values])
    return {name: tuple((key, changed.get(key, old)) for key, old in rules.canasta_values)}


def special_canastas(name: str, value: object, _: RuleSet) -> Changes:
    """Names, paid as `SPECIAL_VALUES` says, or objects `{"canasta": name, "pura": points,
    "impura": points}`.
    """
    if not isinstance(value, (list, tuple)):
        raise expect(name, "a list", value)
    return {name: tuple(special_canasta(name, entry) for entry in value)}


def special_canasta(name: str, entry: object) -> SpecialCanasta:
    fields = {"canasta": entry} if isinstance(entry, str) else entry
    if not isinstance(fields, Mapping) or not {"canasta"} <= set(fields) <= {
        "canasta",
        "pura",
        "impura",
    }:
        raise expect(name, "names, or objects with canasta, pura and impura", entry)
    if fields["canasta"] not in list(Special):
        raise expect(name, f"one of {', '.join(Special)}", fields["canasta"])
    special = Special(fields["canasta"])
    prices = zip(("pura", "impura"), SPECIAL_VALUES[special], strict=True)
    pura, impura = (
        whole_number(f"{name} {key}", fields[key], *POINTS) if key in fields else usual
        for key, usual in prices
    )
    return SpecialCanasta(special, pura, impura)


OPTIONS: dict[str, Callable[[str, object, RuleSet], Changes]] = {
    "target": number_option(*TARGET),
    "tile_values": tile_values,
    "jokers": choice_option(2, 4),
    "wilds_per_meld": limit_option(*COUNT),
    "pierna_max": limit_option(3, COUNT[1]),
    "canasta_values": canasta_values,
    "special_canastas": special_canastas,
    "muerto_bonus": muerto_bonus,
    "muerto_penalty": number_option(*POINTS),
    "muerto_penalty_if_nobody": switch_option,
    "muerto_unplayed_penalty": number_option(*POINTS),
    "close_bonus": number_option(*POINTS),
    "close_requires": close_requires,
    "all_against_without_canasta": switch_option,
    "void_without_canasta": switch_option,
    "players": choice_option(2, 4),
    "hand_size": number_option(*HAND_SIZE),
}
