"""Looks again at faces that seem to lie across a row of tiles.

A blurred digit may look more like another one that lies on its side, a blurred 8 like a 1. Between
two tiles of a row there is no room for a tile that lies across it, so it is looked at in the
direction of these two.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vision.pyramid import RGB, Pyramid
from vision.quads import across, down, drawn, sides
from vision.reader import JOKER, FaceScores, Reader


@dataclass(frozen=True)
class AcrossRowConfig:
    """When a face lies across a row. Lengths are in mean sides of that face.

    On 1,471 rendered tables of 30 seeds nine hardly legible digits seem to lie so, and none does.
    """

    legible: float = 0.97  # 0-1; what is surely read stays
    near: float = 1.4  # from its middle to that of a tile beside it
    off: float = 0.35  # from its middle to the middle between the tiles at its sides
    across_degrees: float = 50.0  # from the direction of these tiles to that of the face
    alike_degrees: float = 25.0  # between the directions of these tiles
    straight: float = 0.9  # cosine of the angle from their direction to the line through both


def looked_along_row(
    reader: Reader,
    picture: RGB,
    scores: FaceScores,
    tiles: NDArray[np.bool_],
    config: AcrossRowConfig = AcrossRowConfig(),
) -> FaceScores:
    """Return `scores` after looking again, once, at the hardly legible digits that seem to lie
    across the row between two tiles: each in a quad of the shape and direction of these two. Where
    no face is seen in it, the digit stays as it was.

    `picture` is (h, w, 3) RGB. `scores` are those of n finds, and `tiles` (n,) tells which of them
    are tiles.
    """
    digits = scores.number.argmax(axis=1) != JOKER  # a comodín shows no direction
    asked = np.flatnonzero(tiles & digits & (scores.legible < config.legible))
    quads = {int(face): _along_row(scores.quads, int(face), tiles, config) for face in asked}
    found = {face: quad for face, quad in quads.items() if quad is not None}
    if not found:
        return scores
    seen = reader.look(Pyramid(picture), np.stack([*found.values()]))
    shown = np.flatnonzero(~seen.blank)
    return scores.with_replaced(np.array([*found], np.intp)[shown], seen.take(shown))


def _along_row(
    quads: NDArray[np.float32], face: int, tiles: NDArray[np.bool_], config: AcrossRowConfig
) -> NDArray[np.float32] | None:
    """Return the quad (4, 2) of a tile in the place of number `face` that lies as the two at its
    sides do; None where the face lies across no row. `quads` (n, 4, 2) are those of all finds.
    """
    size = np.mean(sides(quads[[face]]))
    middles, rights, lefts = quads.mean(axis=1), across(quads), down(quads)
    directions = rights / np.maximum(np.linalg.norm(rights, axis=1, keepdims=True), 1e-6)
    near = tiles & (np.linalg.norm(middles - middles[face], axis=1) < config.near * size)
    near[face] = False
    for one, other in combinations(np.flatnonzero(near), 2):
        line = middles[other] - middles[one]
        line /= max(float(np.linalg.norm(line)), 1e-6)
        alike = directions[one] @ directions[other]
        is_row = abs(alike) >= np.cos(np.radians(config.alike_degrees))
        is_row &= abs(directions[one] @ line) >= config.straight
        is_across = abs(directions[one] @ directions[face]) <= np.cos(
            np.radians(config.across_degrees)
        )
        off = np.linalg.norm(middles[face] - (middles[one] + middles[other]) / 2)
        if is_row and is_across and off <= config.off * size:
            wide = (rights[one] + np.sign(alike) * rights[other]) / 2
            tall = (lefts[one] + np.sign(alike) * lefts[other]) / 2
            return np.asarray(drawn(middles[[face]], wide[None], tall[None])[0])
    return None
