"""Tiles and their notation: number 1-13 and colour letter, `7R`, `13K`; `J` is the comodín.

Colours are always in the order of `COLOURS`: red, blue, black, yellow. Orange ink counts as yellow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

Colour: TypeAlias = Literal["R", "B", "K", "Y"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
NUMBERS = range(1, 14)
COPIES = 2  # of each number and colour, in the tile set and in two packs of cards alike


@dataclass(frozen=True, slots=True)
class Tile:
    """One face of a tile. Number and colour are both None for the comodín.

    Raises ValueError for a number or a colour that does not exist, or for one without the other.

    >>> Tile(7, "R")
    Tile(number=7, colour='R')
    >>> Tile(14, "R")
    Traceback (most recent call last):
    ValueError: expected a number 1-13 with a colour R, B, K or Y, or neither, got Tile(number=14, \
colour='R')
    """

    number: int | None
    colour: Colour | None

    def __post_init__(self) -> None:
        if self.number is None and self.colour is None:
            return
        if self.number not in NUMBERS or self.colour not in COLOURS:
            raise ValueError(
                f"expected a number 1-13 with a colour R, B, K or Y, or neither, got {self!r}"
            )

    @property
    def joker(self) -> bool:
        """Whether the tile is a comodín."""
        return self.number is None

    @property
    def can_be_wild(self) -> bool:
        """Whether the tile may stand for another one: the comodín and every 2 may."""
        return self.number is None or self.number == 2

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Read one tile, written exactly as `str(tile)` writes it.

        Raises ValueError for any other text.

        >>> Tile.parse("13K")
        Tile(number=13, colour='K')
        >>> Tile.parse("7r")
        Traceback (most recent call last):
        ValueError: expected a tile such as '7R', '13K' or 'J', got '7r'
        """
        try:
            return BY_NOTATION[text]
        except (KeyError, TypeError):
            raise ValueError(f"expected a tile such as '7R', '13K' or 'J', got {text!r}") from None

    def __str__(self) -> str:
        return "J" if self.number is None else f"{self.number}{self.colour}"


# Tiles in order: a row as it lies on the table, or the tiles that a player holds.
Tiles: TypeAlias = tuple[Tile, ...]
JOKER = Tile(None, None)
# The fixed order of the 53 faces: red 1-13, blue 1-13, black 1-13, yellow 1-13, comodín. Vectors of
# scores have this order.
FACES: Tiles = (*(Tile(number, colour) for colour in COLOURS for number in NUMBERS), JOKER)
FACE_INDEX: Mapping[Tile, int] = MappingProxyType({face: index for index, face in enumerate(FACES)})
BY_NOTATION: Mapping[str, Tile] = MappingProxyType({str(face): face for face in FACES})


def tiles(text: str) -> Tiles:
    """Read several tiles separated by blanks.

    Raises ValueError naming the first text that is no tile.

    >>> [str(tile) for tile in tiles("3R 4R J")]
    ['3R', '4R', 'J']
    """
    return tuple(map(Tile.parse, text.split()))


def notation(tiles: Iterable[Tile]) -> str:
    """Write tiles separated by blanks, as `tiles` reads them.

    >>> notation((Tile(3, "R"), JOKER))
    '3R J'
    """
    return " ".join(map(str, tiles))


def full_set(jokers: int = 2) -> Tiles:
    """List every tile of a set: 106 with two comodines, 108 (two packs of cards) with four.

    >>> len(full_set()), len(full_set(jokers=4))
    (106, 108)
    """
    return FACES[:-1] * COPIES + (JOKER,) * jokers


def naturals_of(tiles: Iterable[Tile]) -> list[Tile]:
    """List the naturals among the tiles, which can never be a wild, in their order.

    >>> notation(naturals_of(tiles("J 3R 2R 4R")))
    '3R 4R'
    """
    return [tile for tile in tiles if not tile.can_be_wild]


def possible_wilds_of(tiles: Iterable[Tile]) -> list[Tile]:
    """List the comodines and the 2s, in their order.

    >>> notation(possible_wilds_of(tiles("J 3R 2R 4R")))
    'J 2R'
    """
    return [tile for tile in tiles if tile.can_be_wild]


def numbers_of(naturals: Iterable[Tile]) -> list[int]:
    """List the printed numbers of tiles; comodines are left out.

    >>> numbers_of(tiles("3R J 4R"))
    [3, 4]
    """
    return [tile.number for tile in naturals if tile.number is not None]
