"""Sentences about a photograph that a command has read."""

from __future__ import annotations

from scorer_app.texts.translator import Translate
from vision.reading import Notice


def explain_photo_notice(notice: str, say: Translate) -> str:
    """Return one sentence that says what a person should know about a photograph.

    A photograph of the other kind of pieces has a sentence of its own here: at the command line
    another option reads it, while in a match the match has to be changed.
    """
    return say(f"{'read' if notice == Notice.OTHER_PIECES else 'photo.notice'}.{notice}")
