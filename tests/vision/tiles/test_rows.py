"""What is hardly read at the end of a row belongs to it, if it may be a tile by its light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.rulesets import ruleset
from engine.tiles import BY_NOTATION, FACE_INDEX, FACES
from vision.decoding import DecodingConfig
from vision.reading import Layout
from vision.tiles.rows import LEGIBLE, rows_of_tiles

TILE = np.array([[0, 0], [30, 0], [30, 42], [0, 42]], np.float32)
CLOTH, BODY = 70, 225


def laid(
    last: str | None, light: int = BODY, layout: Layout = Layout.MELDS, legible: float = 0.9
) -> list[list[int]]:
    """Return the rows of an illegal meld of three tiles and one that lies across in the next place:
    the tile `last`, surely read, or something of that `light` that may be any face, with the
    probability `legible`.
    """
    quads = np.stack([TILE + np.float32([60 + 30 * at, 60]) for at in range(4)])
    middle = quads[3].mean(axis=0)
    quads[3] = (quads[3] - middle) @ np.float32([[0, 1], [-1, 0]]) + middle
    pixels = np.full((160, 260, 3), CLOTH, np.uint8)
    for quad, body in zip(quads, (BODY, BODY, BODY, light), strict=True):
        cv2.fillConvexPoly(pixels, quad.astype(np.int32), (body, body, body))
    faces = np.full((4, len(FACES)), np.log(1e-4), np.float32)
    for tile, face in enumerate(("3R", "8B", "11K", last)):
        if face:
            faces[tile, FACE_INDEX[BY_NOTATION[face]]] = np.log(0.99)
        else:
            faces[tile] = np.log(legible / len(FACES))
    table = rows_of_tiles(pixels, quads, faces, layout, ruleset("burako"), DecodingConfig())
    return [sorted(row) for row in table.rows]


def test_what_is_hardly_read_at_the_end_of_a_row_belongs_to_it() -> None:
    """Else nobody would hear of it: what lies beside the melds counts for nobody."""
    assert laid(None) == [[0, 1, 2, 3]]


@pytest.mark.parametrize(
    ("last", "light", "layout"),
    [
        pytest.param("5Y", BODY, Layout.MELDS, id="surely read, it may have been set aside"),
        pytest.param(None, CLOTH, Layout.MELDS, id="as dark as the cloth"),
        pytest.param(None, BODY, Layout.LOOSE, id="on a rack"),
    ],
)
def test_other_things_there_do_not(last: str | None, light: int, layout: Layout) -> None:
    assert laid(last, light, layout) == [[0, 1, 2]]


def test_what_shows_no_face_does_not() -> None:
    assert laid(None, legible=LEGIBLE - 0.01) == [[0, 1, 2]]
