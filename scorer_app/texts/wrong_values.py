"""Sentences about values from outside that cannot be used: in a case of `burako judge`, or in an
option of a command line.
"""

from __future__ import annotations

from enum import StrEnum

from engine.checks import WrongValue
from engine.pieces import Pieces
from scorer_app.texts.languages import DEFAULT, Language
from scorer_app.texts.translator import translator


class CaseTrouble(StrEnum):
    """What is wrong with a case of `burako judge`, beside what the engine finds (`Trouble`). Each
    has its sentence (`wrong.VALUE`); the value is the code in JSON.
    """

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
    OTHER_PLAYERS = "other_players"  # the options say another number, `count`


def explain_wrong(
    error: ValueError, language: Language = DEFAULT, pieces: Pieces = Pieces.TILES
) -> str:
    """Return one sentence that says what was expected and what came, in the words for `pieces`. An
    error of another library says it in its own words.
    """
    if isinstance(error, WrongValue):
        return translator(language, pieces)(f"wrong.{error.trouble}", **error.values)
    return str(error)
