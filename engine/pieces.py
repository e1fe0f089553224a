"""What a table is played with, and how a card is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType

from engine.tiles import FACES, Colour, Tile

SUIT_OF_COLOUR: Mapping[Colour, str] = MappingProxyType({"R": "H", "Y": "D", "B": "C", "K": "S"})
LETTERS = MappingProxyType({1: "A", 11: "J", 12: "Q", 13: "K"})
JOLLY = "*"


class Pieces(StrEnum):
    """What a table is played with."""

    TILES = "tiles"
    CARDS = "cards"


def card_name(tile: Tile) -> str:
    """Write a tile as the card that it stands for: rank, then suit; `*` for the comodín.

    >>> card_name(Tile(11, "R")), card_name(Tile(10, "K")), card_name(Tile(None, None))
    ('JH', '10S', '*')
    """
    if tile.number is None or tile.colour is None:
        return JOLLY
    return f"{LETTERS.get(tile.number, tile.number)}{SUIT_OF_COLOUR[tile.colour]}"


_FACES = MappingProxyType({card_name(tile): tile for tile in FACES})


def face_of_card(name: str) -> Tile:
    """Return the tile that stands for a card. Raises ValueError for text that names no card.

    >>> str(face_of_card("JH")), str(face_of_card("10S")), str(face_of_card("*"))
    ('11R', '10K', 'J')
    """
    if name not in _FACES:
        raise ValueError(f"expected a card such as 7H, QS or *, got {name!r}")
    return _FACES[name]


def piece_name(tile: Tile, pieces: Pieces) -> str:
    """Write a tile as people who play with `pieces` write it.

    >>> piece_name(Tile(11, "R"), Pieces.TILES), piece_name(Tile(11, "R"), Pieces.CARDS)
    ('11R', 'JH')
    """
    return card_name(tile) if pieces is Pieces.CARDS else str(tile)


def piece_names(tiles: Iterable[Tile], pieces: Pieces) -> str:
    """Write several tiles, each as `piece_name` does, with spaces between them."""
    return " ".join(piece_name(tile, pieces) for tile in tiles)
