"""Turns the engine's notation of faces into what people read on tiles and cards, and the names of
cards in sentences back into that notation. The engine's notation is `11R` or `J` for cards, too.
"""

from __future__ import annotations

from engine.pieces import LETTERS, Pieces, face_of_card
from engine.tiles import JOKER
from scorer_app.texts.translator import Translate


def rank_printed(number: int | str, pieces: Pieces) -> str:
    """Return a number, given as an int or as its digits, as a tile or a card shows it: 11 on a
    tile, J on a card.
    """
    letter = LETTERS.get(int(number)) if pieces is Pieces.CARDS and number else None
    return letter or str(number)


def face_in_words(face: str, pieces: Pieces, say: Translate) -> str:
    """Return the name of a face in words. `say` is the translator for the same `pieces`."""
    if face == str(JOKER):
        return say("tile.J")
    number, colour = face[:-1], say(f"colour.{face[-1]}")
    is_court = pieces is Pieces.CARDS and int(number) in LETTERS
    return say("tile.name", number=say(f"rank.{number}") if is_court else number, colour=colour)


def face_written(name: str, pieces: Pieces) -> str:
    """Return the engine's notation of a face that a sentence names. Where `pieces` is cards, `JH`
    gives `11R`; names of tiles are in that notation already.
    """
    return str(face_of_card(name)) if pieces is Pieces.CARDS else name
