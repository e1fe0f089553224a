"""Tells the backs of tiles on a rack, which stand there turned away, from faces.

The detector finds the outline of a back as it finds that of any tile. A back bears no ink, so next
to the faces around it its surface is even.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pyramid import RGB

BORDER = 8, 7  # pixels of a crop left out at top and bottom, and at both sides
BLUR = 1.2  # standard deviation, in pixels of a crop, by which grain is smoothed
BODY = 75  # percentile of a face's light that is the body's
DARKEST_INK = 97  # percentile of the absorbance that counts as the ink's
NOISE = 8.0  # of 255: added before a logarithm, since differences in what is darker are noise
# The ink of a back, at most, as a share of that of the faces around. On 216 rendered racks 17 of
# the 19 backs found are told by these limits, and none of 1,848 tiles: of backs most have 0.02 to
# 0.08 of the ink around, of tiles the palest, a comodín, has 0.20. On 265 photographs of
# `datasets.photos` no tile has less than 0.24. A ring pressed into a back looks much like a
# comodín: on 1,285 rendered racks eleven backs were read as one, each with less than 0.1 of the ink
# around, and none of 40 comodines has less than 0.13.
MOST_INK = 0.1
NEIGHBOURS = 3  # faces around that are looked at: the nearest
FEWEST = 2  # with fewer faces in the picture nothing is told
SURELY_READ = 0.9  # probability of the likeliest number above which a face is looked at
# A find on which a number is read with more than this is no back.
MOST_LEGIBLE = 0.7


def are_backs(
    quads: NDArray[np.float32],
    crops: RGB,
    legible: NDArray[np.float32],
    comodines: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds that are backs of tiles.

    `quads` (n, 4, 2) are those of the finds, `crops` (n, h, w, 3) RGB, white-balanced, what they
    show, `legible` (n,) the probability of the likeliest number or comodín, and `comodines` (n,)
    tells which are likelier a comodín than any number.
    """
    backs = np.zeros(len(quads), bool)
    read = np.flatnonzero(legible > SURELY_READ)
    asked = np.flatnonzero((legible < MOST_LEGIBLE) | comodines)
    if len(read) < FEWEST or not len(asked):
        return backs
    centres = quads.mean(axis=1)
    away = np.linalg.norm(centres[asked, None] - centres[read], axis=2)
    around = read[np.argsort(away, axis=1)[:, :NEIGHBOURS]]
    ink = np.zeros(len(quads))
    looked_at = np.union1d(asked, around)
    ink[looked_at] = ink_on(crops[looked_at])
    backs[asked] = ink[asked] < MOST_INK * np.median(ink[around], axis=1)
    return backs


def ink_on(crops: RGB) -> NDArray[np.float64]:
    """Return how dark the ink is on n crops, (n, h, w, 3) RGB: (n,), as natural logarithm of the
    body's light over the ink's, in the channel that is darkest.
    """
    down, across = BORDER
    told = np.zeros(len(crops))
    for at, crop in enumerate(crops):
        smooth = cv2.GaussianBlur(crop, (0, 0), BLUR)[down:-down, across:-across]
        colours = smooth.reshape(-1, 3).astype(np.float64)
        body = np.percentile(colours, BODY, axis=0)
        absorbance = np.log((body + NOISE) / (colours + NOISE)).max(axis=1)
        told[at] = np.percentile(absorbance, DARKEST_INK)
    return told
