"""Fixtures for the commands about sets of tiles."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scorer_app.config import AppConfig
from scorer_app.services.sets import Sets
from scorer_app.store import Store

from .commands import Command, burako


@pytest.fixture
def sets(config: AppConfig) -> Iterator[Sets]:
    store = Store(config.database)
    yield Sets(store)
    store.close()


@pytest.fixture
def set_command(config: AppConfig) -> Command:
    """Return a function that runs `burako set` over the data of this test."""
    return lambda *arguments: burako("set", *arguments, "--data", str(config.data_dir))
