"""Sentences about a photograph that a command has read."""

from __future__ import annotations

from scorer_app.texts.translator import Translate
from vision.reading import Notice


def explain_photo_notice(notice: str, say: Translate) -> str:
    """Say in one sentence what a person should know about a photograph. What a command can do about
    pieces of the other kind is not what a match can.
    """
    return say(f"{'read' if notice == Notice.OTHER_PIECES else 'photo.notice'}.{notice}")
