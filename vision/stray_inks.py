"""Doubts tiles that look yellow or orange because the ink mirrors a lamp.

A lamp that grazes the table is mirrored by the ink; red looks orange then, and black does, too, and
the reader is sure of what it sees. Along a run `vision.drift` tells such tiles by their neighbours.
Elsewhere the table's other yellow tiles tell them: the share of green light that the ink absorbs
differs from theirs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.colour import unit_vectors

RED, BLACK, YELLOW = 0, 2, 3  # indices into engine.tiles.COLOURS
LOOKS_YELLOW = (RED, BLACK)  # what a warm lamp can make look yellow


@dataclass(frozen=True)
class StrayConfig:
    """When a yellow tile is doubted.

    Of 521 yellow tiles rightly read on `burako_renders`, `other_sets`, `rummikub_ivory` and fresh
    rendered tables and racks, one lies farther from the others than `farthest`, and it is in doubt
    anyway; the next lies at 10.8 degrees. Seven red tiles and black ones on `burako_renders` looked
    yellow after a lamp had been added that their ink mirrors: six lie at 11.4 to 28.7 degrees.
    """

    # Degrees between the direction of the tile's absorbance in red, green and blue and the median
    # direction of the other yellow tiles.
    farthest: float = 11.0
    others: int = 2  # yellow tiles, at least, with which the tile is compared
    sure: float = 0.9  # probability of yellow of these
    # Probability of yellow that is left, of what it was; red and black share the rest.
    left: float = 0.7


def doubted_strays(
    inks: NDArray[np.float64],
    colour: NDArray[np.float32],
    numbered: NDArray[np.bool_],
    config: StrayConfig = StrayConfig(),
) -> NDArray[np.float32]:
    """Return log-probabilities of red, blue, black and yellow, (n, 4): `colour`, in which yellow is
    less likely where a tile's ink is unlike that of the other yellow tiles.

    `inks` (n, 3) are the directions of the tiles' inks, as `vision.colour.ink_directions` measures
    them, `colour` (n, 4) the log-probabilities of the tiles' colours, and `numbered` (n,) tells
    which tiles bear a number.
    """
    yellow = np.flatnonzero(numbered & (colour.argmax(axis=1) == YELLOW))
    is_sure = colour[yellow, YELLOW] > np.log(config.sure)
    least = np.cos(np.radians(config.farthest))
    strays = []
    for place, tile in enumerate(yellow):
        others = np.delete(yellow, place)[np.delete(is_sure, place)]
        if len(others) >= config.others:
            usual = unit_vectors(np.median(inks[others], axis=0)[None])[0]
            if inks[tile] @ usual < least:
                strays.append(tile)
    if not strays:
        return colour
    result = colour.copy()
    shares = np.exp(colour[strays].astype(np.float64))
    moved = (1 - config.left) * shares[:, YELLOW]
    shares[:, YELLOW] -= moved
    shares[:, LOOKS_YELLOW] += moved[:, None] / len(LOOKS_YELLOW)
    result[strays] = np.log(shares)
    return result
