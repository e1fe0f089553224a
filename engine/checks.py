"""Checks of values that come from outside. Every error says what is expected and what came."""

from __future__ import annotations

import reprlib


def shown(value: object) -> str:
    """Write a value as Python does, shortened to fit on one line.

    >>> shown(list(range(100)))
    '[0, 1, 2, 3, 4, 5, ...]'
    """
    return reprlib.repr(value)


def expect(name: str, expected: str, value: object) -> ValueError:
    """Make the error for a field `name` that holds `value` instead of what is `expected`.

    >>> str(expect("players", "2 or 4", 3))
    'expected players to be 2 or 4, got 3'
    """
    return ValueError(f"expected {name} to be {expected}, got {shown(value)}")


def whole_number(name: str, value: object, low: int, high: int, also: str = "") -> int:
    """Return `value` if it is an int from `low` to `high`, both included.

    `also` names in the error what else the caller accepts, such as " or null". Raises ValueError
    for any other value, also for 4.0 and for True.

    >>> whole_number("target", 2000, 1, 1_000_000)
    2000
    """
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise expect(name, f"a whole number {low} to {high}{also}", value)
    return value


def true_or_false(name: str, value: object) -> bool:
    """Return `value` if it is a bool. Raises ValueError for any other value, also for 0 and 1.

    >>> true_or_false("ordered", True)
    True
    """
    if not isinstance(value, bool):
        raise expect(name, "true or false", value)
    return value
