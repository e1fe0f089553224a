"""Sentences about a photograph that a command has read."""

from __future__ import annotations

from scorer_app.texts.translator import Translate
from vision.reading import Notice

# What a match says of these names its pages.
_OF_COMMANDS = frozenset({Notice.OTHER_PIECES, Notice.OTHER_SET})


def explain_photo_notice(notice: str, say: Translate) -> str:
    """Return the sentence by which the command line explains a `Notice` about a photograph.

    The sentence is the one that a match shows, with two exceptions, which name options of the
    command line: where the photograph shows the other kind of pieces, and where it shows another
    set of tiles than the named one.
    """
    return say(f"{'read' if notice in _OF_COMMANDS else 'photo.notice'}.{notice}")
