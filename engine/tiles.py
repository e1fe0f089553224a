"""Tiles and their notation: number 1-13 and colour letter, `7R`, `13K`; `J` is the comodín.

Colour order everywhere is `COLOURS`: red, blue, black, yellow (orange ink counts as yellow).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

Colour: TypeAlias = Literal["R", "B", "K", "Y"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
NUMBERS = range(1, 14)
COPIES = 2  # of each number and colour, in the tile set and in two packs of cards alike


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile face; both fields None for the comodín.

    Raises ValueError when number or colour is not one that exists, or only one of the two is given.
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
        return self.number is None

    @property
    def can_be_wild(self) -> bool:
        """Whether the tile may stand for another: the comodín and every 2."""
        return self.number is None or self.number == 2

    @classmethod
    def parse(cls, text: str) -> Tile:
        """The tile written as `text`, exactly as `str(tile)` writes it; ValueError for anything
        else.
        """
        try:
            return BY_NOTATION[text]
        except (KeyError, TypeError):
            raise ValueError(f"expected a tile such as '7R', '13K' or 'J', got {text!r}") from None

    def __str__(self) -> str:
        return "J" if self.number is None else f"{self.number}{self.colour}"


Row: TypeAlias = tuple[Tile, ...]
JOKER = Tile(None, None)
# The fixed order of the 53 faces: red 1-13, blue 1-13, black 1-13, yellow 1-13, comodín. Score
# vectors follow it.
FACES: Row = (*(Tile(number, colour) for colour in COLOURS for number in NUMBERS), JOKER)
FACE_INDEX: dict[Tile, int] = {face: index for index, face in enumerate(FACES)}
BY_NOTATION: dict[str, Tile] = {str(face): face for face in FACES}


def tiles(text: str) -> Row:
    """Several tiles parted by blanks: `tiles("3R 4R J")`. Raises ValueError naming the first
    unknown one.
    """
    return tuple(map(Tile.parse, text.split()))


def notation(row: Iterable[Tile]) -> str:
    """The inverse of `tiles`."""
    return " ".join(map(str, row))


def full_set(jokers: int = 2) -> Row:
    """Every tile of a set: 106 with two comodines, 108 (two packs of cards) with four."""
    return FACES[:-1] * COPIES + (JOKER,) * jokers
