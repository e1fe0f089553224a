"""The two sides of a match; the page calls them by the names that the table gave them."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

SideName: TypeAlias = Literal["A", "B"]
SIDES: tuple[SideName, ...] = get_args(SideName)
