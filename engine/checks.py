"""Checks of values that come from outside. Every error says what is expected and what came: in
English, and as a code with what a sentence in another language needs.
"""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from enum import StrEnum
from typing import TypeGuard


class Trouble(StrEnum):
    """What is wrong with a value. The comments say what `WrongValue.values` holds beside the
    `field` and what it `got`.
    """

    EITHER = "either"  # it is neither `one` nor the `other`
    ONE_OF = "one_of"  # it is none of the `choices`
    WHOLE_NUMBER = "whole_number"  # it is none from `low` to `high`
    WHOLE_NUMBER_OR_NULL = "whole_number_or_null"  # the same, and it is not null either
    LIST = "list"
    EACH_ONCE = "each_once"  # a list names something twice
    POINTS_BY_NAME = "points_by_name"  # it is no object with points under some of the `names`
    COPIES_BY_TILE = "copies_by_tile"  # it is no object with numbers under tiles
    NAMES_OR_OBJECTS = "names_or_objects"  # a list of special canastas holds something else
    UNKNOWN_OPTION = "unknown_option"  # `choices` are the options
    UNKNOWN_RULESET = "unknown_ruleset"  # `choices` are the rulesets
    AFTER_FINISH = "after_finish"  # the match was finished with hand number `hand`


class WrongValue(ValueError):
    """A value from outside cannot be used. `str()` is a sentence in English; `trouble` is a code,
    of `Trouble` or of an enumeration of whoever else checks values, and `values` holds what the
    sentence names. These are names, notation and figures, which are the same in every language.
    """

    def __init__(self, trouble: StrEnum, sentence: str, **values: object) -> None:
        super().__init__(sentence)
        self.trouble, self.values = trouble, values


def shown(value: object) -> str:
    """Write a value as Python does, shortened to fit on one line.

    >>> shown(list(range(100)))
    '[0, 1, 2, 3, 4, 5, ...]'
    """
    return reprlib.repr(value)


def expect(
    name: str, expected: str, value: object, trouble: StrEnum, **values: object
) -> WrongValue:
    """Make the error for a field `name` that holds `value` instead of what is `expected`. `trouble`
    and `values` tell the same to other languages.

    >>> str(expect("hands", "a list", 3, Trouble.LIST))
    'expected hands to be a list, got 3'
    """
    got = shown(value)
    sentence = f"expected {name} to be {expected}, got {got}"
    return WrongValue(trouble, sentence, field=name, got=got, **values)


def expect_one_of(name: str, choices: Sequence[str], value: object) -> WrongValue:
    """Make the error for a field `name` that holds `value`, which is none of two or more `choices`.

    >>> str(expect_one_of("players", ["2", "4"], 3))
    'expected players to be 2 or 4, got 3'
    """
    if len(choices) == 2:
        one, other = choices
        return expect(name, f"{one} or {other}", value, Trouble.EITHER, one=one, other=other)
    listed = ", ".join(choices)
    return expect(name, f"one of {listed}", value, Trouble.ONE_OF, choices=listed)


def whole_number(name: str, value: object, low: int, high: int) -> int:
    """Return `value` if it is an int from `low` to `high`, both included. Raises WrongValue for any
    other value, also for 4.0 and for True.

    >>> whole_number("target", 2000, 1, 1_000_000)
    2000
    """
    if not _is_whole_number(value, low, high):
        expected = f"a whole number {low} to {high}"
        raise expect(name, expected, value, Trouble.WHOLE_NUMBER, low=low, high=high)
    return value


def whole_number_or_none(name: str, value: object, low: int, high: int) -> int | None:
    """Return `value` if it is None or an int from `low` to `high`, both included. Raises WrongValue
    for any other value.

    >>> whole_number_or_none("pierna_max", None, 3, 14)
    """
    if value is None or _is_whole_number(value, low, high):
        return value
    expected = f"a whole number {low} to {high} or null"
    raise expect(name, expected, value, Trouble.WHOLE_NUMBER_OR_NULL, low=low, high=high)


def _is_whole_number(value: object, low: int, high: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def true_or_false(name: str, value: object) -> bool:
    """Return `value` if it is a bool. Raises WrongValue for any other value, also for 0 and 1.

    >>> true_or_false("ordered", True)
    True
    """
    if not isinstance(value, bool):
        raise expect_one_of(name, ("true", "false"), value)
    return value
