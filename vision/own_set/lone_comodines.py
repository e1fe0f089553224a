"""Finds the comodines that lie apart from the rows in a photograph which teaches a set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.detector import Detections
from vision.faint import body_light, light_on
from vision.own_set.certainty import SURE
from vision.own_set.shapes import TileShapes
from vision.pyramid import RGB, Pyramid
from vision.quads import Quad, Quads, across, areas, overlap, scaled
from vision.reader import JOKER, FaceScores, Reader

# Natural logarithm by which a find must be more of a comodín in another direction.
CONVINCING = 1.0
LONE_SCORE = 0.5  # of the detector, for a tile apart from the rows
LONE_SIZE = (0.6, 1.7)  # area of it, in areas of the tiles in the rows
# A comodín of a set that the detector does not know scores less, and is found with a poor quad.
# Where no comodín is surely seen, a find is one, too, if a tile laid there would have a body as
# light as those of the rows, and a figure on it. On the teaching photographs of 32 rendered sets
# the bodies of 61 such comodines differ by up to 0.26, natural logarithm of R, G or B, and what
# else is found by 0.75 and more. Tiles that lie face down are as light, and some have a name on
# their back. Of 35 sets none has one comodín that is surely seen and another that is not.
FAINT_LONE_SCORE = 0.15
FAINT_LONE_SIZE = (0.4, 1.8)
# Of some comodines the detector takes the figure for the whole tile: its quad is 0.05 to 0.3 of a
# tile. Of 120 rendered sets ten were taught without their comodín for that. With this score the
# least size does not hold; without the score, motifs of a cloth as light as the tiles count, too.
SCORE_OF_FIGURE = 0.45
MOST_COMODINES = 4  # of a set: more faint ones are a motif of the cloth
ALIKE_BODY = 0.35
# Natural logarithm of R, G or B by which some of a figure is darker than the body.
FIGURE = 0.25
DARK = 5  # percentile of the light on a tile that is taken for the figure's
# Cosine between the features of a find and of a tile in the rows above which both show one number:
# somebody has left the other copies beside the rows. Of finds beside the rows of 48 rendered sets,
# ordinary and odd, 109 of 115 with a number have more, and the 78 comodines have up to 0.60.
LIKE_A_NUMBER = 0.67
INNER = 0.7  # of a tile, about its middle: whatever lies around a poor quad is left out
MOST_OVERLAP = 0.2  # of it with a place in a row


def comodines_apart(
    reader: Reader,
    picture: RGB,
    found: Detections,
    places: Quads,
    numbers: NDArray[np.float32],
) -> FaceScores:
    """Return what the reader sees on the comodines in an (h, w, 3) RGB picture. These are the finds
    that lie apart from the rows, whole inside the picture, are as large as the tiles in the rows,
    show no sure number, and look like none of the numbers in the rows, whichever way they lie.
    Faint finds count only where none of the others is surely a comodín.

    `places` (m, 4, 2) are the quads of the tiles in the rows, `numbers` (k, 1536) the features of
    those with a number, and `found` are all finds.
    """
    last = np.array(picture.shape[1::-1]) - 1
    whole = ((found.quads > 0) & (found.quads < last)).all(axis=(1, 2))
    lone = whole & np.array([not _overlaps(quad, places) for quad in found.quads], bool)
    size = areas(found.quads) / float(np.median(areas(places)))
    low, high = LONE_SIZE
    sure = lone & (found.scores >= LONE_SCORE) & (size > low) & (size < high)
    along = places[:, 1].sum(axis=0) - places[:, 0].sum(axis=0)
    known = [_along(quad, along) for quad in found.quads[sure]]
    known = _unlike(numbers, reader, picture, known)
    best = _in_best_direction(reader, picture, known)
    if not (best.number[:, JOKER] > SURE).any():
        faint = _faint_comodines(picture, found, lone & ~sure, places)
        for quad in _unlike(numbers, reader, picture, faint):
            if not _overlaps(quad, known):
                known.append(quad)
        best = _in_best_direction(reader, picture, known)
    return best.take(np.flatnonzero(best.number[:, :JOKER].max(axis=1) < SURE))


def _unlike(
    numbers: NDArray[np.float32], reader: Reader, picture: RGB, known: Sequence[Quad] | Quads
) -> list[Quad]:
    """Return those of the n quads `known`, each (4, 2), whose faces look like none of those with
    the features `numbers` (k, 1536), in any of four directions.
    """
    quads = np.array(known, np.float32).reshape(-1, 4, 2)
    pyramid, rows = Pyramid(picture), _directions(numbers)
    alike = np.zeros(len(quads), bool)
    for turn in range(4):
        seen = reader.look(pyramid, np.roll(quads, turn, axis=1)).features
        alike |= (_directions(seen) @ rows.T > LIKE_A_NUMBER).any(axis=1)
    return list(quads[~alike])


def _directions(features: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return n vectors of features, (n, 1536), each divided by its length."""
    return np.asarray(features / np.maximum(np.linalg.norm(features, axis=1, keepdims=True), 1e-6))


def _in_best_direction(reader: Reader, picture: RGB, known: Sequence[Quad]) -> FaceScores:
    """Return what the reader sees on the n quads `known`, each (4, 2). It looks at each in the
    direction of its top edge. What it sees in another direction counts instead if the quad is
    convincingly more of a comodín there.
    """
    pyramid = Pyramid(picture)
    quads = np.array(known, np.float32).reshape(-1, 4, 2)
    best = reader.look(pyramid, quads)
    for turn in (1, 2, 3):
        other = reader.look(pyramid, np.roll(quads, -turn, axis=1))
        gain = other.number[:, JOKER] - best.number[:, JOKER]
        better = np.flatnonzero(gain > CONVINCING)
        best = best.with_replaced(better, other.take(better))
    return best


def _overlaps(quad: Quad, others: Iterable[Quad]) -> bool:
    return any(overlap(quad, other) >= MOST_OVERLAP for other in others)


def _faint_comodines(
    picture: RGB, found: Detections, asked: NDArray[np.bool_], places: Quads
) -> Quads:
    """Return quads for those finds in the mask `asked`, (n,), that are tiles with a figure, though
    the detector is not sure of them. The quads, (m, 4, 2), have the shape that a tile has there,
    and the direction of the tiles in the rows, which lie at `places`. They may overlap.

    `picture` is (h, w, 3) RGB; the finds lie apart from the rows.
    """
    which = np.flatnonzero(asked & (found.scores >= FAINT_LONE_SCORE))
    shapes = TileShapes.of(places)
    if shapes is None or not len(which):
        return np.zeros((0, 4, 2), np.float32)
    way = np.median(across(places), axis=0)
    quads = shapes.at(found.quads[which].mean(axis=1), np.tile(way, (len(which), 1)))
    size = areas(found.quads[which]) / areas(quads)
    low, high = FAINT_LONE_SIZE
    body = body_light(picture, quads)
    unlike = np.abs(body - np.median(body_light(picture, places), axis=0)).max(axis=1)
    inked = (body - light_on(picture, scaled(quads, INNER), DARK)).max(axis=1)
    large = (size > low) | (found.scores[which] >= SCORE_OF_FIGURE)
    comodines = quads[large & (size < high) & (unlike < ALIKE_BODY) & (inked > FIGURE)]
    return np.asarray(comodines if len(comodines) <= MOST_COMODINES else comodines[:0])


def _along(quad: Quad, way: NDArray[np.float32]) -> Quad:
    """Return the quad with its corners renumbered so that its top edge runs along the vector `way`,
    x, y.
    """
    turns = [np.roll(quad, turn, axis=0) for turn in range(4)]
    return max(turns, key=lambda turned: float((turned[1] - turned[0]) @ way))
