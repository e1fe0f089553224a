"""Fixtures of several test modules."""

from .public import held, stranger  # noqa: F401
