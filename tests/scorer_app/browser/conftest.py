"""Fixtures of several test modules."""

from .filming import legal, table_filmed  # noqa: F401
