"""The paper of cards: its colour at places of the picture, and which marks lie on anything else and
so are no marks of cards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.cards.places import Matrix
from vision.pyramid import RGB
from vision.quads import MIN_NEIGHBOURS, nearest_sure

# Where a mark's quad is looked at, in its widths and heights.
ACROSS_MARK, DOWN_MARK = np.linspace(-0.05, 1.05, 14), np.linspace(-0.05, 1.05, 18)
DARKEST = 4.0  # of 255: added before a logarithm, since the tint of what is darker is noise
# A point is paper if no channel of its colour, 0-255, differs from the paper's by more than NOISE
# plus TINT times the paper's brightness.
TINT, NOISE = 0.12, 8.0
# Something is not the paper of the cards around if its tint differs by more than this: one
# channel's difference in natural logarithms, less the mean difference of all three. On 500 training
# scenes 1 in 418 marks of jollies differed by more, and 3 of 22 things that were taken for a
# jolly's mark.
OTHER_TINT = 0.1


def off_paper(
    pixels: RGB,
    quads: NDArray[np.float32],
    asked: NDArray[np.intp],
    sure: NDArray[np.intp],
) -> NDArray[np.bool_]:
    """Tell which of the marks with the indices `asked` (k,) lie on something of another tint than
    the paper of cards: a mask (k,).

    `pixels` are those of the picture, (h, w, 3), `quads` (n, 4, 2) the marks, and `sure` the
    indices of marks that are surely of cards. Each mark is compared with the median of the other
    sure marks whose centres are nearest, so that the light may change over the picture. With too
    few sure marks the mask is False everywhere.
    """
    near = nearest_sure(quads, sure)[asked]
    if near.shape[1] < MIN_NEIGHBOURS or not len(asked):
        return np.zeros(len(asked), bool)
    papers = np.zeros((len(quads), 3))
    needed = np.union1d(asked, near)
    for mark, points in zip(needed, within(quads[needed]), strict=True):
        papers[mark] = np.log(paper_colour(colours_at(pixels, points)) + DARKEST)
    away = papers[asked] - np.median(papers[near], axis=1)
    return np.asarray(_tint(away) > OTHER_TINT)


def within(quads: NDArray[np.float32]) -> Matrix:
    """Return points (n, k, 2): k of them for each of n quads, (n, 4, 2), spread evenly over the
    quad and a little beyond it.
    """
    x, y = (axis.ravel() for axis in np.meshgrid(ACROSS_MARK, DOWN_MARK))
    weights = np.stack([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y], axis=1)
    return np.asarray(np.einsum("kc,ncx->nkx", weights, quads))


def colours_at(pixels: RGB, points: Matrix) -> Matrix:
    """Return the colours (k, 3) of the picture at k points, (k, 2); for points beyond the picture,
    those at its edge.
    """
    height, width = pixels.shape[:2]
    x, y = np.clip(np.round(points), 0, [width - 1, height - 1]).astype(np.intp).T
    return np.asarray(pixels[y, x], np.float64)


def paper_colour(colours: Matrix) -> Matrix:
    """Return the colour (3,) of paper: the median of the lighter half of `colours` (k, 3), or of
    their logarithms.
    """
    light = colours.min(axis=1)
    return np.asarray(np.median(colours[light >= np.median(light)], axis=0))


def _tint(away: Matrix) -> NDArray[np.float64]:
    """Return by how much tints differ, (...), given the differences of colours as logarithms,
    (..., 3): one channel's difference at most, less the mean difference of all three.
    """
    return np.asarray(np.abs(away - away.mean(axis=-1, keepdims=True)).max(axis=-1))
