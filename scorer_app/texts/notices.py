"""Sentences about a photograph that a command has read."""

from __future__ import annotations

from scorer_app.texts.translator import Translate
from vision.reading import Notice


def explain_photo_notice(notice: str, say: Translate) -> str:
    """Return one sentence for the command line that says what a person should know about a
    photograph.

    About a photograph of the other kind of pieces a match shows another sentence: there the match
    has to be changed, while at the command line another option reads such a photograph.
    """
    return say(f"{'read' if notice == Notice.OTHER_PIECES else 'photo.notice'}.{notice}")
