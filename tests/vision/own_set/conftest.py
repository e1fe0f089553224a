"""Renders look alike on every machine."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def rendered_alike(same_typefaces: Path) -> None:
    """Every test here draws with the same typefaces."""
