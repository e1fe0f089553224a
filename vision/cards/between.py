"""Which equal marks (the indices in the corners of cards) have cloth between them.

In a pack with indices in all four corners both upper marks of a card stand side by side, and so do
the marks of equal cards in two columns beside each other. Between the former there is nothing but
paper along the edge of the card; between the latter the cloth mostly shows, so that they do not
tell of such a pack.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.marks import are_jollies
from vision.cards.paper import NOISE, TINT, colours_at, within
from vision.cards.places import USUAL, Matrix, card_sides, unlikeness
from vision.pyramid import RGB

SPARSE = 3  # of the points within a mark, one in so many tells the colour of its paper


@dataclass(frozen=True)
class BetweenConfig:
    """Where cloth is looked for, and how much of it tells.

    Colours are looked at along `lines` lines from one mark to the other: from `first` to `last`,
    counted downwards along the marks in their heights. Between two marks of one card at least one
    of these lines runs on paper alone.
    """

    lines: int = 8
    first: float = -0.05
    last: float = 1.0
    points: int = 48  # on each line
    # Longest stretch of each line, as a share of its length, that is not paper. Of equal marks that
    # stand side by side on 1,020 rendered hands (seeds 16600 to 18200) it is at least this between
    # 2,350 of 3,212 pairs that are of two cards, and between 50 of 14,951 that are of one.
    cloth: float = 0.08
    most_pairs: int = 400  # that are looked at, the nearest ones: printed sheets may have thousands
    # Two marks stand side by side if the direction from one to the other, and the direction of
    # either, differ from that of the first mark by no more than this.
    level_degrees: float = 45.0


def cloth_between(
    pixels: RGB,
    quads: NDArray[np.float32],
    faces: NDArray[np.float32],
    config: BetweenConfig = BetweenConfig(),
) -> NDArray[np.bool_]:
    """Return a symmetric mask (n, n) of the pairs of marks that may show the same face, stand side
    by side the same way up, and have cloth between them. Pairs of jollies' marks are left out,
    since of those many a picture lies between.

    `pixels` are those of the picture, (h, w, 3), `quads` (n, 4, 2) the marks, and `faces` (n, 53)
    log-probabilities.
    """
    apart = np.zeros((len(quads), len(quads)), np.bool_)
    left, right = _side_by_side(quads, faces, config)
    if not len(left):
        return apart
    asked, place = np.unique([left, right], return_inverse=True)
    papers = _papers(pixels, quads[asked])[place.reshape(2, -1)]
    down = np.linspace(config.first, config.last, config.lines)[:, None]
    begin = _along(quads[left, 1], quads[left, 2], down)
    end = _along(quads[right, 0], quads[right, 3], down)
    share = np.linspace(0, 1, config.points)[:, None]
    points = begin[:, :, None] + share * (end - begin)[:, :, None]
    colours = colours_at(pixels, points.reshape(-1, 2)).reshape(*points.shape[:3], 3)
    paper = (papers[0][:, None] + share * (papers[1] - papers[0])[:, None])[:, None]
    limit = TINT * paper.max(axis=-1) + NOISE
    no_paper = np.abs(colours - paper).max(axis=-1) > limit
    cloth = _longest_stretch(no_paper).min(axis=1) >= config.cloth
    apart[left[cloth], right[cloth]] = apart[right[cloth], left[cloth]] = True
    return apart


def _side_by_side(
    quads: NDArray[np.float32], faces: NDArray[np.float32], config: BetweenConfig
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the left and the right marks of the pairs that may be of one card, as indices, (m,)
    each.
    """
    alike = unlikeness(faces) <= USUAL.same_face
    jolly = are_jollies(faces)
    alike &= ~(jolly[:, None] | jolly)
    middles, across = quads.mean(axis=1, dtype=np.float64), card_sides(quads)[:, 0]
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-6)
    moves = middles[None] - middles[:, None]
    moves /= np.maximum(np.linalg.norm(moves, axis=2, keepdims=True), 1e-6)
    level = np.cos(np.radians(config.level_degrees))
    beside = (np.einsum("ijb,ib->ij", moves, across) >= level) & (across @ across.T >= level)
    left, right = np.nonzero(alike & beside)
    away = np.linalg.norm(middles[right] - middles[left], axis=1)
    nearest = np.sort(np.argsort(away, kind="stable")[: config.most_pairs])
    return left[nearest], right[nearest]


def _papers(pixels: RGB, quads: NDArray[np.float32]) -> Matrix:
    """Return the colours (n, 3) of the paper on which n marks, (n, 4, 2), stand, as `paper_colour`
    tells them, from one in SPARSE points and for all marks at once.
    """
    points = within(quads)[:, ::SPARSE]
    colours = colours_at(pixels, points.reshape(-1, 2)).reshape(*points.shape[:2], 3)
    lighter = np.argsort(colours.min(axis=2), axis=1)[:, points.shape[1] // 2 :, None]
    return np.asarray(np.median(np.take_along_axis(colours, lighter, axis=1), axis=1))


def _along(begin: NDArray[np.float32], end: NDArray[np.float32], shares: Matrix) -> Matrix:
    """Return points (m, k, 2) on m lines from `begin` to `end`, (m, 2) each, at the `shares` (k, 1)
    of their lengths.
    """
    return np.asarray(begin[:, None] + shares * (end - begin)[:, None])


def _longest_stretch(marked: NDArray[np.bool_]) -> Matrix:
    """Return the longest unbroken stretch of True along the last axis, as a share of its length."""
    count = np.zeros(marked.shape[:-1], np.intp)
    longest = count.copy()
    for at in range(marked.shape[-1]):
        count = np.where(marked[..., at], count + 1, 0)
        longest = np.maximum(longest, count)
    return np.asarray(longest / marked.shape[-1])
