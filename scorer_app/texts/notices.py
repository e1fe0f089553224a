"""Sentences about a photograph that a command has read."""

from __future__ import annotations

from scorer_app.texts.translator import Translate
from vision.reading import Notice


def explain_photo_notice(notice: str, say: Translate) -> str:
    """Return one sentence that says what a person should know about a photograph.

    The sentence about a photograph of the other kind of pieces is not the one that a match shows.
    At the command line another option reads such a photograph; in a match the match has to be
    changed.
    """
    return say(f"{'read' if notice == Notice.OTHER_PIECES else 'photo.notice'}.{notice}")
