"""Checks of values that came from outside: every refusal says what was expected and what came."""

from __future__ import annotations

import reprlib


def shown(value: object) -> str:
    """What came, short enough for one line."""
    return reprlib.repr(value)


def expect(name: str, expected: str, value: object) -> ValueError:
    return ValueError(f"expected {name} to be {expected}, got {shown(value)}")


def whole_number(name: str, value: object, low: int, high: int, also: str = "") -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise expect(name, f"a whole number {low} to {high}{also}", value)
    return value


def true_or_false(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise expect(name, "true or false", value)
    return value
