"""The two sides of a match and their names, A and B."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

SideName: TypeAlias = Literal["A", "B"]
SIDES: tuple[SideName, ...] = get_args(SideName)
