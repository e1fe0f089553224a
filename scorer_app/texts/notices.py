"""Sentences about a photograph that a command has read."""

from __future__ import annotations

from scorer_app.texts.translator import Translate
from vision.reading import Notice


def explain_photo_notice(notice: str, say: Translate) -> str:
    """Return the sentence by which the command line explains a `Notice` about a photograph.

    The sentence is the one that a match shows, with one exception. Where the photograph shows the
    other kind of pieces, the sentence tells how the command line reads that kind.
    """
    return say(f"{'read' if notice == Notice.OTHER_PIECES else 'photo.notice'}.{notice}")
