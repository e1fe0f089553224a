"""The examples in the engine's docstrings, and that every public function has one."""

from __future__ import annotations

import doctest
import inspect
import pkgutil
from importlib import import_module

import pytest

import engine

MODULES = ["engine", *(f"engine.{module.name}" for module in pkgutil.iter_modules(engine.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_come_out_as_written(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


@pytest.mark.parametrize("name", engine.__all__)
def test_what_is_public_is_described(name: str) -> None:
    public = getattr(engine, name)
    if inspect.isfunction(public):
        assert ">>> " in (public.__doc__ or ""), "expected an example in the docstring"
    elif inspect.isclass(public):
        assert public.__doc__
