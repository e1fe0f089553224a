"""Sentences about a photograph that a command has read."""

from __future__ import annotations

from scorer_app.texts.translator import Translate
from vision.reading import Notice


def explain_photo_notice(notice: str, say: Translate) -> str:
    """Say in one sentence what a person should know about a photograph.

    That it shows the other kind of pieces is said in other words than in a match: a command reads
    them with another option, and a match has to be changed.
    """
    return say(f"{'read' if notice == Notice.OTHER_PIECES else 'photo.notice'}.{notice}")
