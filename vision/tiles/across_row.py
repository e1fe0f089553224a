"""Looks again at faces that seem to lie across a row of tiles.

A blurred digit may look more like another one that lies on its side, a blurred 8 like a 1. Between
two tiles of a row there is no room for a tile that lies across it, so it is looked at in the
direction of these two.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.grouping import pairs_around
from vision.pyramid import Picture, pyramid_of
from vision.quads import across, down, drawn
from vision.reader import JOKER, SURELY_LEGIBLE, FaceScores, Reader


@dataclass(frozen=True)
class AcrossRowConfig:
    """When a face between two tiles of a row is looked at in their direction.

    By wider limits nine hardly legible digits on 1,471 rendered tables of 30 seeds seemed to lie
    so, and none did (experiments 198 and 203 of models/EXPERIMENTS.md).
    """

    legible: float = SURELY_LEGIBLE  # 0-1; what is surely read stays
    across_degrees: float = 50.0  # from the direction of these tiles to that of the face


CONFIG = AcrossRowConfig()


def looked_along_row(
    reader: Reader,
    picture: Picture,
    scores: FaceScores,
    tiles: NDArray[np.bool_],
) -> FaceScores:
    """Return `scores` after looking again, once, at the hardly legible digits that seem to lie
    across the row between two tiles: each in a quad of the shape and direction of these two. Where
    no face is seen in it, the digit stays as it was.

    `picture` is (h, w, 3) RGB or its pyramid. `scores` are those of n finds, and `tiles` (n,) tells
    which of them are tiles.
    """
    digits = scores.number.argmax(axis=1) != JOKER  # a comodín shows no direction
    asked = np.flatnonzero(tiles & digits & (scores.legible < CONFIG.legible))
    quads = {int(face): _along_row(scores.quads, int(face), tiles) for face in asked}
    found = {face: quad for face, quad in quads.items() if quad is not None}
    if not found:
        return scores
    seen = reader.look(pyramid_of(picture), np.stack([*found.values()]))
    shown = np.flatnonzero(~seen.blank)
    return scores.with_replaced(np.array([*found], np.intp)[shown], seen.take(shown))


def _along_row(
    quads: NDArray[np.float32], face: int, tiles: NDArray[np.bool_]
) -> NDArray[np.float32] | None:
    """Return the quad (4, 2) of a tile in the place of number `face` that lies as the two at its
    sides do; None where the face lies across no row. `quads` (n, 4, 2) are those of all finds.
    """
    rights, downs = across(quads), down(quads)
    directions = rights / np.maximum(np.linalg.norm(rights, axis=1, keepdims=True), 1e-6)
    least = np.cos(np.radians(CONFIG.across_degrees))
    for one, other in pairs_around(quads, face):
        is_across = np.abs(directions[[one, other]] @ directions[face]) <= least
        if tiles[[one, other]].all() and is_across.all():
            same_way = np.sign(directions[one] @ directions[other])  # one may be upside down
            wide = (rights[one] + same_way * rights[other]) / 2
            tall = (downs[one] + same_way * downs[other]) / 2
            middle = quads[face].mean(axis=0)
            return np.asarray(drawn(middle[None], wide[None], tall[None])[0])
    return None
