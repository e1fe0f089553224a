"""What is wrong with a case of `burako judge`, as a code with a sentence in the texts."""

from __future__ import annotations

from enum import StrEnum

from engine.checks import WrongValue
from scorer_app.texts.translator import translator


class CaseTrouble(StrEnum):
    """Each has its sentence (`wrong.VALUE`), and so has each `Trouble` of the engine."""

    # the line
    EMPTY = "empty"  # there is no line at all
    TOO_LONG = "too_long"
    TOO_DEEP = "too_deep"
    NOT_UTF8 = "not_utf8"
    NOT_JSON = "not_json"  # no object
    BAD_JSON = "bad_json"  # a mistake in how it is written
    NO_NUMBER = "no_number"  # NaN or the like
    REPEATED_KEY = "repeated_key"
    # its keys, and the kind of their values
    OBJECT = "object"
    OBJECT_WITH = "object_with"
    MISSING_KEY = "missing_key"
    UNKNOWN_KEY = "unknown_key"
    TEXT_OR_NUMBER = "text_or_number"
    NO_CLOSER = "no_closer"
    # tiles
    TILE = "tile"
    TOO_MANY_ENTRIES = "too_many_entries"
    TOO_MANY_TILES = "too_many_tiles"
    OTHER_HANDS = "other_hands"  # another number of hands than of players


ILLEGAL_MELD = "illegal_meld"  # the `error` of a hand with such a meld, whose `reason` says why


def wrong(trouble: CaseTrouble, **values: object) -> WrongValue:
    """Return the error for a case, with what its sentence names."""
    return WrongValue(trouble, translator("en")(f"wrong.{trouble}", **values), **values)
