"""Why a request about a watched table is refused."""

from __future__ import annotations

from enum import StrEnum
from typing import Any


class LiveTrouble(StrEnum):
    """Why a watch refuses something; each has its sentence in the texts (`error.live.VALUE`)."""

    BUSY = "busy"  # another camera watches the table
    NO_TABLE = "no_table"  # nobody watches the table, or it has not been seen yet
    NO_LINE = "no_line"  # it is not known which side a meld belongs to
    COUNTED = "counted"  # the table still shows the melds of the hand that was saved last
    REPLACES = "replaces"  # melds handed over before would go, and nobody has agreed to that
    FULL = "full"  # too many tables are watched at once
    BAD_SOURCE = "bad_source"  # neither a camera's number nor a stream's address
    CARDS = "cards"  # the match is played with cards, which cannot be watched as yet
    STALE = "stale"  # a part of a frame that does not fit the frame before it


class LiveRefused(Exception):
    """A request about a watched table that is refused; `trouble` says why, and `figures` fill the
    blanks of its sentence.
    """

    def __init__(self, trouble: LiveTrouble, **figures: int) -> None:
        super().__init__(trouble.value)
        self.trouble = trouble
        self.figures: dict[str, Any] = dict(figures)
