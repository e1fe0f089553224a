"""Corrects the outlines of cards. With each mark, the index in a corner, the network gives the
outline of its card. That outline is less exact the farther a corner is from the mark, and its size
is guessed from the mark alone. All marks together give better sizes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.tiles import FACE_INDEX, JOKER
from vision.cards.jollies import jollies_as_beside
from vision.cards.places import (
    ASPECT,
    IN_CORNER,
    SURELY_READ,
    USUAL,
    MarkConfig,
    Matrix,
    Places,
    card_frames,
    card_sides,
    resized,
    unlikeness,
)

ENOUGH_CARDS = 5  # that tell how sizes change over the picture
ROUNDS = 12  # of the fit of sizes: enough for two digits
ALIKE_SIZES = 0.03  # difference of sizes, as a natural logarithm, below which a card counts fully
# A pack has indices of two sizes if the logarithms of the marks' sizes, without the smallest and
# the largest fifth, span at least this. They span 0.06 to 0.4 in packs with one size of indices,
# and 0.55 to 1.05 in packs with two.
TWO_SIZES = 0.5
SURELY_RIGHT = -0.1  # widths from a mark to its card's middle, below which it is at the right edge


def outlines_as_read(
    outlines: NDArray[np.float32],
    found: NDArray[np.float32],
    read: NDArray[np.float32],
    faces: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Return the outlines of n cards, (n, 4, 2), with their corners renumbered by as many quarter
    turns as the reader turned the quad of their mark, where it is surely read. Which way others
    stand the detector rather knows: of the photographs of 2,490 rendered hands 31 were read rightly
    only without any such turn, and 15 only with all of them.

    `found` (n, 4, 2) are the quads of the marks as the detector gave them, `read` (n, 4, 2) those
    that the reader may have turned, and `faces` (n, 53) log-probabilities.
    """
    told = outlines.copy()
    for mark in np.flatnonzero(faces.max(axis=1) >= np.log(SURELY_READ)):
        away = [
            np.linalg.norm(np.roll(read[mark], turn, axis=0) - found[mark]) for turn in range(4)
        ]
        told[mark] = np.roll(outlines[mark], -int(np.argmin(away)), axis=0)
    return told


@dataclass(frozen=True)
class Sizing:
    """A way to tell how large cards are: `by_others`, as the cards around a card and marks at
    opposite ends of cards tell, or as the network does; `jollies_by_others` the same for jollies,
    whose direction the cards beside them tell, too; and `factors` by which width and height are
    multiplied in the end.
    """

    by_others: bool = True
    jollies_by_others: bool = True
    factors: tuple[float, float] = (1.0, 1.0)


AS_ALL_TELL = Sizing()


def sized_alike(
    quads: NDArray[np.float32],
    outlines: NDArray[np.float32],
    faces: NDArray[np.float32],
    sizing: Sizing = AS_ALL_TELL,
    config: MarkConfig = USUAL,
) -> NDArray[np.float32]:
    """Return the outlines of n cards, (n, 4, 2), scaled so that they agree with the distances
    between marks at opposite ends of cards. `quads` (n, 4, 2) are the marks, `outlines` (n, 4, 2)
    the cards that the network gives them, and `faces` (n, 53) log-probabilities; `sizing` tells
    how sizes are told.

    The network guesses from a mark alone how large its card is; indices differ from pack to pack,
    but all cards on the table are of one size.
    """
    if not len(quads):
        return outlines
    outlines = _with_marks_in_corners(quads, outlines)
    jolly = faces.argmax(axis=1) == FACE_INDEX[JOKER]
    if sizing.by_others:
        outlines = resized(quads, outlines, _usual_sizes(quads, outlines, jolly))
    if sizing.jollies_by_others:
        outlines = jollies_as_beside(quads, outlines, jolly)
    lies = Places.of(quads, outlines)
    same = unlikeness(faces) <= config.same_face
    packs = [np.ones(len(quads), bool)]
    if (four := four_corners_of(lies, same, config)) is not None:
        factors = np.stack([np.where(four.marks, four.spacing, 1), np.ones(len(quads))], axis=1)
        outlines = resized(quads, outlines, factors)
        lies = Places.of(quads, outlines)
        packs = [four.marks, ~four.marks]
    factors = np.ones((len(quads), 2))
    for pack in packs if sizing.by_others else ():
        factors[pack] = _as_opposite_marks_tell(lies, same & pack & pack[:, None], jolly, config)
    return resized(quads, outlines, factors * sizing.factors)


def _as_opposite_marks_tell(
    lies: Places, same: NDArray[np.bool_], jolly: NDArray[np.bool_], config: MarkConfig
) -> tuple[float, float]:
    """Return the factors by which cards are wider and higher than the network says, measured by the
    distances between marks at opposite ends of cards. They are 1 where too few such marks tell.

    `lies` is how the n marks lie, `same` (n, n) tells which of them show one face, and `jolly`
    (n,) which read as a jolly.
    """
    pairs = np.triu(same & lies.head_to_head(config.turn_degrees), 1)
    # A name on a jolly, between two corners, passes for a mark: its pairs tell where no others do.
    others = pairs & ~(jolly & jolly[:, None])
    pairs = others if others.any() else pairs
    across = pairs & (lies.diagonal() <= config.roughly) & (lies.x > config.apart)
    beneath = pairs & (lies.along_side() <= config.roughly) & (lies.x <= config.off_line)
    wider = lies.x[across] / lies.width[across]
    higher = (lies.y / lies.height)[across | beneath]
    # Two marks that are all there is but jollies are enough: a single card lies there.
    enough = 1 if np.count_nonzero(~jolly) == 2 else config.enough
    first, second = (
        float(np.median(told)) if len(told) >= enough else 1.0 for told in (wider, higher)
    )
    return first, second


@dataclass(frozen=True)
class FourCorners:
    """That cards have indices in all four corners: by which factor they are wider than the network
    says, and which of the n marks are theirs, (n,).
    """

    spacing: float
    marks: NDArray[np.bool_]


def four_corners_of(
    lies: Places, same: NDArray[np.bool_], config: MarkConfig
) -> FourCorners | None:
    """Tell which marks are of cards with indices in all four corners, and measure these cards by
    the distance between their two upper indices. Return None where no cards plainly are such.

    In a column of cards with four indices both upper corners of each card show: most marks have
    another of the same face level with them, and all such pairs are about equally far apart. Equal
    cards of a pack with two indices may lie side by side too; but then the network sees both cards
    on the same side of their marks, and the index in the opposite corner of each card is at another
    distance. Where less than most marks are of such pairs, a pack with four indices and one with
    two may lie mixed: marks that are of no such pair count as those of the latter then. `lies` is
    how the n marks lie, and `same` (n, n) tells which of them show one face.
    """
    level = same & (lies.turn <= config.turn_degrees)
    level &= lies.x > config.least_spacing
    level &= (ASPECT * np.abs(lies.y) <= config.off_line) & (ASPECT * lies.slant <= config.off_line)
    ratios = lies.x / lies.width
    across = same & lies.head_to_head(config.turn_degrees) & (lies.y > lies.height / 2)
    mixed = None
    for spacing in np.sort(ratios[np.triu(level, 1)]):
        near = level & (ratios >= spacing) & (ratios <= spacing * config.spread**2)
        if np.triu(near, 1).sum() < config.enough_level:
            continue
        if lies.facing[near].mean() < config.least_facing:
            continue
        told = float(np.median(ratios[near]))
        beneath = across & ((ratios <= config.beneath * told) | _about(ratios, told, config.spread))
        agrees = beneath.any(axis=1).sum() >= across.any(axis=1).sum() / 2
        paired = near.any(axis=1)
        if agrees and paired.mean() >= config.most_level:
            return FourCorners(told, np.ones(len(paired), bool))
        enough = config.enough_level_marks if agrees else config.enough_of_mixed
        if mixed is None and told <= config.usual_spacing and paired.mean() >= enough:
            mixed = FourCorners(told, paired)
    return mixed


def has_four_indices(
    lies: Places, faces: NDArray[np.float32], same: NDArray[np.bool_], config: MarkConfig
) -> bool:
    """Tell whether the pack has indices in all four corners, by columns (`four_corners_of`) or by
    rows: of cards that lie over one another sideways both ends of one long edge show, and in a pack
    with two indices no card has two at one edge. `faces` (n, 53) are the marks' log-probabilities;
    the other arguments are those of `four_corners_of`.
    """
    if four_corners_of(lies, same, config) is not None:
        return True
    read = faces.argmax(axis=1) != FACE_INDEX[JOKER]
    ends = same & read & read[:, None] & lies.head_to_head(config.turn_degrees)
    ends &= (lies.along_side() <= config.filled_by_each) & (lies.y > lies.height / 2)
    enough = np.triu(ends, 1).sum() >= config.enough_level
    return bool(enough and ends.any(axis=1).sum() >= config.most_level * read.sum())


def _about(ratios: Matrix, told: float, spread: float) -> NDArray[np.bool_]:
    return (ratios >= told / spread) & (ratios <= told * spread)


def _with_marks_in_corners(
    quads: NDArray[np.float32], outlines: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the outlines of n cards, (n, 4, 2), moved sideways so that each mark, `quads` (n, 4,
    2), lies in the left or in the right corner of its card, whichever the outline suggests. Where
    the network cannot decide between the two corners, it gives an outline in the middle.
    """
    across = card_frames(outlines)[..., 0]
    away = outlines.mean(axis=1) - quads.mean(axis=1)
    inward = np.einsum("ia,ia->i", away, across) / np.maximum((across**2).sum(axis=1), 1e-6)
    wanted = np.where(inward < SURELY_RIGHT, -IN_CORNER, IN_CORNER)
    return np.asarray(outlines + ((wanted - inward)[:, None] * across)[:, None], np.float32)


def _usual_sizes(
    quads: NDArray[np.float32], outlines: NDArray[np.float32], jolly: NDArray[np.bool_]
) -> Matrix:
    """Return factors for the width and height of n cards, (n, 2), that bring each to its likely
    size. A card's mark suggests that size, at the usual ratio of marks to cards, and so do the
    cards around it.

    `quads` (n, 4, 2) are the marks. `jolly` (n,) tells which cards are jollies: their marks are of
    any size, so that their factors are 1.
    """
    sizes = np.linalg.norm(card_sides(outlines), axis=2)
    marks = np.maximum(np.linalg.norm(card_sides(quads), axis=2), 1e-3)
    others = np.flatnonzero(~jolly)
    factors: Matrix = np.ones_like(sizes)
    if not len(others):
        return factors
    usual = np.median((sizes / marks)[others], axis=0) * marks[others]
    told = np.log(np.maximum(sizes[others], 1e-3)).mean(axis=1)
    smooth = _smooth(told, quads[others].mean(axis=1, dtype=np.float64))
    # What the mark tells and what the cards around tell count alike, in a pack whose indices are of
    # one size; else the cards around count alone.
    alone = _are_of_two_sizes(np.log(marks[others]).mean(axis=1) - smooth)
    usual *= np.exp((smooth - np.log(usual).mean(axis=1)) / (1 if alone else 2))[:, None]
    factors[others] = usual / np.maximum(sizes[others], 1e-3)
    return factors


def _are_of_two_sizes(marks: Matrix) -> bool:
    """Tell whether a pack has both large and small indices. `marks` (n,) are logarithms of how
    large each mark is in relation to its card.
    """
    if len(marks) < ENOUGH_CARDS:
        return False
    small, large = np.percentile(marks, [20, 80])
    return bool(large - small >= TWO_SIZES)


def _smooth(sizes: Matrix, at: Matrix) -> Matrix:
    """Smooth `sizes` (n,), which are logarithms, over the picture: fit a plane to them, and return
    its values (n,) at their places `at`, (n, 2) in pixels. Sizes far from the plane have little
    weight. Fewer than ENOUGH_CARDS sizes are returned as they are.
    """
    if len(sizes) < ENOUGH_CARDS:
        return sizes
    at = (at - at.mean(axis=0)) / max(float(at.std()), 1.0)
    places = np.insert(at, 0, 1.0, axis=1)
    weights = np.ones(len(sizes))
    for _ in range(ROUNDS):
        asked = np.concatenate([places * weights[:, None], np.eye(3)[1:]])
        solved = np.linalg.lstsq(asked, np.append(sizes * weights, [0, 0]), rcond=None)[0]
        away = np.abs(sizes - places @ solved)
        weights = 1 / np.sqrt(np.maximum(away, ALIKE_SIZES))
    return np.asarray(places @ solved)
