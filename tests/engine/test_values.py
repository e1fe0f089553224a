"""What the engine returns cannot be changed afterwards, and takes no field that its class does not
declare.
"""

from __future__ import annotations

import dataclasses
import inspect
import pkgutil
from importlib import import_module

import pytest

import engine
from engine.candidates import Pattern

NAMES = [module.name for module in pkgutil.iter_modules(engine.__path__)]


def values() -> list[type]:
    """List the engine's dataclasses except the state of the search for candidates, which is filled
    while it runs.
    """
    found = set()
    for name in NAMES:
        for _, one in inspect.getmembers(import_module(f"engine.{name}"), inspect.isclass):
            if dataclasses.is_dataclass(one) and one is not Pattern:
                found.add(one)
    return sorted(found, key=lambda one: one.__name__)


@pytest.mark.parametrize("value", values(), ids=lambda value: value.__name__)
def test_values_are_frozen_and_slotted(value: type) -> None:
    assert value.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert "__slots__" in vars(value) and "__dict__" not in dir(value)
