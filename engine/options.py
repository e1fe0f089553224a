"""The options that a table may add to a ruleset, by name.

Source: RULES.md, "Table options that real tables use". Each option has a function, its reader. A
reader takes the option's name and value and the ruleset, and returns the fields of the `RuleSet` to
replace. A wrong value raises WrongValue, which says what is expected and what came.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from engine.checks import (
    Trouble,
    WrongValue,
    expect,
    expect_one_of,
    shown,
    true_or_false,
    whole_number,
    whole_number_or_none,
)
from engine.rulesets import Canasta, RuleSet, Special, SpecialCanasta
from engine.tiles import BY_NOTATION, NUMBERS

# Lowest and highest value that options accept.
POINTS = (0, 100_000)
TARGET = (1, 1_000_000)  # points
COUNT = (0, 14)  # of tiles in a meld, wilds among them
HAND_SIZE = (1, 40)  # tiles
COPIES_OF_ONE = (0, 8)  # of one tile: a set may have lost some, or gained some from another set
MUERTO_BONUS = 100  # points
# Points, without and with a wild, that tables pay for special canastas; None: the ordinary value.
SPECIAL_VALUES: Mapping[Special, tuple[int | None, int | None]] = MappingProxyType(
    {
        Special.WILDS: (1000, 1000),
        Special.ONES: (500, 300),
        Special.ONE_TO_THIRTEEN: (500, None),
        Special.ONE_TO_ONE: (1000, None),
    }
)

Fields = Mapping[str, Any]  # values of a ruleset by field
Reader = Callable[[str, object, RuleSet], Fields]


def with_options(rules: RuleSet, options: Mapping[str, object]) -> RuleSet:
    """Make the ruleset that is played at a table.

    Raises ValueError for an unknown option and for a value that the option cannot have.

    >>> from engine import ruleset
    >>> rules = with_options(ruleset("burako"), {"target": 2000, "close_requires": "pura"})
    >>> rules.target, rules.close_requires.value
    (2000, 'pura')
    """
    fields: dict[str, Any] = {}
    for name, value in options.items():
        if name not in OPTIONS:
            choices, got = ", ".join(OPTIONS), shown(name)
            sentence = f"expected an option, one of {choices}, got {got}"
            raise WrongValue(Trouble.UNKNOWN_OPTION, sentence, choices=choices, got=got)
        read = OPTIONS[name]
        fields |= read(name, value, rules)
    return replace(rules, **fields)


def number_option(low: int, high: int) -> Reader:
    """Make the reader of an option whose value is a whole number from `low` to `high`."""

    def read(name: str, value: object, _: RuleSet) -> Fields:
        return {name: whole_number(name, value, low, high)}

    return read


def limit_option(low: int, high: int) -> Reader:
    """Make the reader of an option whose value is a whole number from `low` to `high`, or None,
    which means no limit.
    """

    def read(name: str, value: object, _: RuleSet) -> Fields:
        return {name: whole_number_or_none(name, value, low, high)}

    return read


def choice_option(*choices: int) -> Reader:
    """Make the reader of an option whose value is one of the whole numbers `choices`."""

    def read(name: str, value: object, _: RuleSet) -> Fields:
        if not isinstance(value, int) or isinstance(value, bool) or value not in choices:
            raise expect_one_of(name, [*map(str, choices)], value)
        return {name: value}

    return read


def switch_option(name: str, value: object, _: RuleSet) -> Fields:
    """Read an option that is true or false."""
    return {name: true_or_false(name, value)}


def muerto_bonus(name: str, value: object, _: RuleSet) -> Fields:
    """Read, from true or false, whether taking the muerto gives MUERTO_BONUS points or none."""
    return {name: MUERTO_BONUS if true_or_false(name, value) else 0}


def other_copies(_: str, value: object, __: RuleSet) -> Fields:
    """Return the field `other_copies` of a ruleset: how many copies of some tiles the set has, read
    from an object such as `{"7R": 1, "J": 3}`.

    Tiles that the object does not name have the usual number of copies.
    """
    if not isinstance(value, Mapping) or not set(value) <= set(BY_NOTATION):
        expected = "numbers of copies under tiles such as 7R or J"
        raise expect("copies", expected, value, Trouble.COPIES_BY_TILE)
    return {
        "other_copies": tuple(
            (BY_NOTATION[face], whole_number(f"copies.{face}", count, *COPIES_OF_ONE))
            for face, count in value.items()
        )
    }


def close_requires(name: str, value: object, _: RuleSet) -> Fields:
    """Return the field `name` of a ruleset: the class of canasta that a closing needs. It is a pura
    for the value `pura`, and None, which stands for any canasta, for the value `canasta`.
    """
    if value not in ("canasta", "pura"):
        raise expect_one_of(name, ["'canasta'", "'pura'"], value)
    return {name: Canasta.PURA if value == "pura" else None}


def points_by_name(name: str, value: object, names: list[str]) -> dict[str, int]:
    """Check an object that gives points to some of `names`, such as `{"pura": 200}`, and return it.

    Raises ValueError for another name and for points outside the range POINTS.
    """
    if not isinstance(value, Mapping) or not set(value) <= set(names):
        listed = ", ".join(names)
        raise expect(name, f"points under {listed}", value, Trouble.POINTS_BY_NAME, names=listed)
    return {key: whole_number(f"{name}.{key}", points, *POINTS) for key, points in value.items()}


def tile_values(name: str, value: object, rules: RuleSet) -> Fields:
    """Read the points of some tiles from an object such as `{"1": 20, "J": 30}`, by number or `J`.
    Tiles that are not named keep their points.
    """
    values = dict(zip(["J", *map(str, NUMBERS)], rules.tile_values, strict=True))
    values |= points_by_name(name, value, list(values))
    return {name: tuple(values.values())}


def canasta_values(name: str, value: object, rules: RuleSet) -> Fields:
    """Read the points of some classes of canasta from an object such as `{"pura": 300}`. Classes
    that it does not name keep the points of `rules`.
    """
    changed = points_by_name(name, value, [str(key) for key, _ in rules.canasta_values])
    return {name: tuple((key, changed.get(key, old)) for key, old in rules.canasta_values)}


def special_canastas(name: str, value: object, _: RuleSet) -> Fields:
    """Return the field `name` of a ruleset: the special canastas that the list `value` names.

    `special_canasta` reads each entry of the list. Raises ValueError for any other value, and where
    the list names a canasta twice, since the two may have different prices.
    """
    if not isinstance(value, (list, tuple)):
        raise expect(name, "a list", value, Trouble.LIST)
    found = tuple(special_canasta(name, entry) for entry in value)
    if len({one.special for one in found}) < len(found):
        expected = "a list that names each canasta once"
        raise expect(name, expected, value, Trouble.EACH_ONCE)
    return {name: found}


def special_canasta(name: str, entry: object) -> SpecialCanasta:
    """Return one special canasta of the option `name`, read from `entry`.

    An entry is the name of a canasta, or an object `{"canasta": its name, "pura": points, "impura":
    points}`. Points that the entry leaves out are those of `SPECIAL_VALUES`. Where points are None,
    in the entry or in `SPECIAL_VALUES`, such a canasta is paid as an ordinary one. Raises
    ValueError for any other entry.
    """
    fields = {"canasta": entry} if isinstance(entry, str) else entry
    keys = {"canasta", "pura", "impura"}
    if not isinstance(fields, Mapping) or not {"canasta"} <= set(fields) <= keys:
        expected = "names, or objects with canasta, pura and impura"
        raise expect(name, expected, entry, Trouble.NAMES_OR_OBJECTS)
    if fields["canasta"] not in list(Special):
        raise expect_one_of(name, [*Special], fields["canasta"])
    special = Special(fields["canasta"])
    pura, impura = SPECIAL_VALUES[special]
    if "pura" in fields:
        pura = whole_number_or_none(f"{name}.pura", fields["pura"], *POINTS)
    if "impura" in fields:
        impura = whole_number_or_none(f"{name}.impura", fields["impura"], *POINTS)
    return SpecialCanasta(special, pura, impura)


OPTIONS: Mapping[str, Reader] = MappingProxyType(
    {
        "target": number_option(*TARGET),
        "tile_values": tile_values,
        "jokers": choice_option(2, 4),
        "copies": other_copies,
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
)
