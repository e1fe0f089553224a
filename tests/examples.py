"""How many examples Hypothesis tries: all of them, or some in the quick part of the tests."""

from __future__ import annotations

from hypothesis import settings

USUAL = 100  # examples of a test that asks for no other number
QUICK = 30  # of which the quick part tries so many


def examples(number: int) -> int:
    """Return how many examples a test that asks for `number` tries in this run: all, or a share in
    the quick part.
    """
    return max(1, number * settings.default.max_examples // USUAL)
