"""Sentences about a photograph that has been read, in the words of what is played with."""

from __future__ import annotations

from engine.pieces import Pieces
from scorer_app.texts.translator import Translate
from vision.reading import Notice

# The notices that say something else of cards than of tiles.
OF_CARDS = (
    Notice.NO_TILES,
    Notice.TOO_SMALL,
    Notice.CUT_OFF,
    Notice.FEW_COLOURS,
    Notice.OTHER_PIECES,
)


def explain_photo_notice(notice: str, say: Translate, pieces: Pieces = Pieces.TILES) -> str:
    """Say in one sentence what a person should know about a photograph of tiles or cards."""
    if pieces is Pieces.CARDS and notice in OF_CARDS:
        return say(f"card.notice.{notice}")
    return say(f"photo.notice.{notice}")
