"""Scenes painted for these tests: pale faces with a blue upper left quarter on dark ground, so
that pixels tell the truth.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.recipes.scenes import HIDDEN, POSITIVE, TrainingScene

SIZE = 640
GROUND, BODY, MARK = (40, 40, 40), (225, 215, 190), (20, 20, 190)  # RGB
FACES = ("7R", "13K", "J", "1B", "10Y")


def turned(centre: tuple[float, float], width: float, degrees: float) -> NDArray[np.float32]:
    """Return the corners, (4, 2), of an upright tile turned clockwise."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    box = np.array([[-1, -1.4], [1, -1.4], [1, 1.4], [-1, 1.4]]) * width / 2
    return (box @ np.array([[c, s], [-s, c]]) + centre).astype(np.float32)


def paint(picture: NDArray[np.uint8], quad: NDArray[np.float32]) -> None:
    centre = quad.mean(axis=0)
    quarter = np.array([quad[0], (quad[0] + quad[1]) / 2, centre, (quad[0] + quad[3]) / 2])
    for points, colour in ((quad, BODY), (quarter, MARK)):
        cv2.fillConvexPoly(
            picture, np.round(points * 16).astype(np.int32), colour, cv2.LINE_AA, shift=4
        )


def painted_scene(folder: Path, hidden: tuple[int, ...] = ()) -> TrainingScene:
    """Paint five faces, each turned its own way. Those in `hidden` are painted too, but labelled as
    covered.
    """
    picture = np.full((SIZE, SIZE, 3), GROUND, np.uint8)
    places = [(130, 130), (480, 140), (320, 320), (150, 500), (500, 490)]
    quads = np.stack([turned(place, 70, 20 + 75 * i) for i, place in enumerate(places)])
    for quad in quads:
        paint(picture, quad)
    path = folder / "painted.png"
    cv2.imwrite(str(path), cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
    seen = np.array([HIDDEN if i in hidden else POSITIVE for i in range(len(quads))], np.int8)
    nothing = np.zeros((0, 4), np.float32)
    return TrainingScene(
        path, quads, FACES, seen, np.zeros(len(quads), bool), nothing, nothing.reshape(0, 4, 2)
    )


def is_blue(pixel: NDArray[np.uint8]) -> bool:
    """Whether an RGB pixel is of the mark, under any gains a recipe may apply."""
    red, _, blue = (float(value) for value in pixel)
    return blue > 1.6 * red + 10
