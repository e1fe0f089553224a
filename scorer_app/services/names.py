"""When two names are one name: forms ask about them then, and statistics count them together."""

from __future__ import annotations

from collections.abc import Iterable


def folded(name: str) -> str:
    """Return what all spellings of a name have in common: the name without its capitals."""
    return name.casefold()


def are_one_name(name: str, other: str) -> bool:
    """Tell whether people cannot tell two names apart: whether they differ at most in capitals."""
    return folded(name) == folded(other)


def last_spellings(names: Iterable[str]) -> dict[str, str]:
    """Map each name, folded, to the last of its spellings among these names."""
    return {folded(name): name for name in names}
