"""Sentences about values from outside that cannot be used: in a case of `burako judge`, or in an
option of a command line.
"""

from __future__ import annotations

from engine.checks import WrongValue
from engine.pieces import Pieces
from scorer_app.texts.languages import DEFAULT, Language
from scorer_app.texts.translator import translator


def explain_wrong(
    error: ValueError, language: Language = DEFAULT, pieces: Pieces = Pieces.TILES
) -> str:
    """Return one sentence that says what was expected and what came, in the words for `pieces`. An
    error of another library says it in its own words.
    """
    if isinstance(error, WrongValue):
        return translator(language, pieces)(f"wrong.{error.trouble}", **error.values)
    return str(error)
