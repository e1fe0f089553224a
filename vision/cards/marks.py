"""Which marks (the indices in the corners of cards) are of one card.

A card shows up to four marks; those at its lower end stand upside down. Marks that show the same
face are joined even where they lie only roughly in corners of one card; marks that were read
differently are joined only where they lie there exactly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.tiles import FACE_INDEX, FACES, JOKER
from vision.cards.corners import ENOUGH, as_corners_tell
from vision.cards.places import (
    ASPECT,
    IN_CORNER,
    USUAL,
    MarkConfig,
    Matrix,
    Places,
    card_frames,
    plumb_pairs,
    unlikeness,
)
from vision.cards.sides import on_one_side
from vision.cards.sizes import has_four_indices
from vision.reader import log_softmax

LEVEL, BENEATH, ACROSS = 1, 2, 3  # how two corners of a card lie from each other
# Log-probabilities (1, 53) of a card that may show any face.
ANY_FACE = np.full((1, len(FACES)), -np.log(len(FACES)), np.float32)


@dataclass(frozen=True)
class _Pairs:
    """How n marks lie pair by pair, each (n, n).

    `sides` tells how two marks may lie on one card: LEVEL, BENEATH or ACROSS, or 0 where they
    cannot be of one card. `distances` are those of `_distances`. `plumb` tells of which pairs one
    mark lies beneath the other, and `complete` which pairs are all the marks that a card of their
    pack has. `too_near` tells which pairs stand level with each other and too near to be the upper
    corners of one card, as marks of equal cards beside each other in a row do, and `far_too_near`
    which of these are nearer still; none does where the pack has two indices.
    """

    sides: NDArray[np.int64]
    distances: Matrix
    plumb: NDArray[np.bool_]
    complete: NDArray[np.bool_]
    too_near: NDArray[np.bool_]
    far_too_near: NDArray[np.bool_]


def one_card_each(
    quads: NDArray[np.float32],
    outlines: NDArray[np.float32],
    faces: NDArray[np.float32],
    config: MarkConfig = USUAL,
) -> list[list[int]]:
    """Return, for each card, the indices of its marks, the surest mark first. The cards are in the
    order of their surest marks.

    `quads` (n, 4, 2) are the marks, the surest first, `outlines` (n, 4, 2) the cards that the
    network gives them, and `faces` (n, 53) log-probabilities.
    """
    lies, unlike = Places.of(quads, outlines), unlikeness(faces)
    of_four = has_four_indices(lies, faces, unlike <= config.same_face, config)
    if of_four:
        config = replace(config, beside=config.beside_of_four)
    sides, distances = ways_to_lie(lies, config), _distances(lies, config)
    plumb = plumb_pairs(quads)
    if of_four:
        opposite = _opposite_in_row(lies, plumb & (unlike <= config.same_face), config)
        opposite &= np.isfinite(distances)
        distances[_interrupted(lies, opposite, config)] = np.inf
        complete = np.zeros(distances.shape, np.bool_)
    else:
        complete = _at_both_ends(lies, config)
        whole = int(np.triu(complete & (unlike <= config.plainly_same), 1).sum())
        if len(quads) >= config.enough_marks or whole >= config.enough_whole:
            distances[_are_two_cards(lies, sides, distances, faces, config)] = np.inf
    level = (lies.turn <= config.turn_degrees) & (ASPECT * lies.slant <= config.off_line)
    near = np.where(level & of_four, lies.x, np.inf)
    pairs = _Pairs(sides, distances, plumb, complete, near < config.too_near, near < config.nearest)
    card_of = [[mark] for mark in range(len(quads))]
    for i, j in _most_alike_first(lies, distances, faces, config):
        if card_of[i] is not card_of[j] and _joins(i, j, card_of, pairs, faces, config):
            joined = card_of[i] + card_of[j]
            for mark in joined:
                card_of[mark] = joined
    return [list(card) for card in sorted({tuple(sorted(marks)) for marks in card_of})]


def _opposite_in_row(
    lies: Places, edges: NDArray[np.bool_], config: MarkConfig
) -> NDArray[np.bool_]:
    """Return a mask (n, n) of the pairs of marks that stand upside down to each other at two edges
    of one card, or of two cards in a row: both ends of either edge show. `edges` (n, n) tells which
    marks may be the two ends of one edge.
    """
    shown = np.asarray(edges.any(axis=1))
    opposite = lies.head_to_head(config.turn_degrees) & (lies.x > config.off_line)
    return np.asarray(opposite & shown[:, None] & shown)


def _at_both_ends(lies: Places, config: MarkConfig) -> NDArray[np.bool_]:
    """Return a mask (n, n) of the pairs of marks that stand at the upper left and at the lower
    right of one card, as the marks of a pack with two indices do.
    """
    found = lies.head_to_head(config.turn_degrees) & (lies.diagonal() <= config.just_so)
    return np.asarray(found & (lies.lies[..., 0] + lies.lies[..., 0].T > 0))


def _are_two_cards(
    lies: Places,
    sides: NDArray[np.int64],
    distances: Matrix,
    faces: NDArray[np.float32],
    config: MarkConfig,
) -> NDArray[np.bool_]:
    """Return a mask (n, n) of the pairs of marks that are of two cards if the pack has two indices:
    then no card has both at one edge. Jollies' marks may stand anywhere.
    """
    plainly = (unlikeness(faces) <= config.plainly_same) & (distances <= config.just_so)
    at_one_edge = (lies.turn <= config.turn_degrees) | ((sides == BENEATH) & ~plainly)
    jolly = are_jollies(faces)
    return np.asarray(at_one_edge & ~(jolly[:, None] & jolly))


def _most_alike_first(
    lies: Places, distances: Matrix, faces: NDArray[np.float32], config: MarkConfig
) -> list[tuple[int, int]]:
    """Return the pairs of marks that may be of one card, in the order in which they are joined.

    Pairs that are surely read and show plainly one face come first, so that a mark that is hardly
    read does not take the place of a card's own mark.
    """
    unlike = unlikeness(faces)
    joined = (unlike <= config.same_face) & (distances <= config.alike - config.less_alike * unlike)
    joined |= (unlike <= config.perhaps_same) & (distances <= config.just_so)
    askew = np.minimum(lies.turn, 180 - lies.turn)
    costs = distances + config.a_nat * unlike + config.a_degree * askew
    surely_read = np.exp(faces.max(axis=1)) >= config.surely_read
    rank = 1 * ~(surely_read[:, None] & surely_read) + (unlike > config.plainly_same)
    first, second = np.nonzero(np.triu(joined, 1))
    order = np.lexsort((second, first, costs[first, second], rank[first, second]))
    return list(zip(first[order].tolist(), second[order].tolist(), strict=True))


def _joins(
    i: int,
    j: int,
    card_of: list[list[int]],
    pairs: _Pairs,
    faces: NDArray[np.float32],
    config: MarkConfig,
) -> bool:
    """Tell whether the marks `i` and `j`, and with them all marks of their cards, are of one card.
    `card_of` lists for each mark all marks of its card, and `faces` (n, 53) are log-probabilities.
    """
    one, other = card_of[i], card_of[j]
    if not _fit(one, other, pairs, faces, config):
        return False
    if not may_be_corners(one + other, pairs.plumb, faces):
        return False
    one_complete = _any(pairs.complete, one) or _any(pairs.complete, other)
    return not one_complete or bool(pairs.distances[i, j] <= config.just_so)


def _any(pairs: NDArray[np.bool_], marks: list[int]) -> bool:
    return bool(pairs[np.ix_(marks, marks)].any())


def _fit(
    some: list[int],
    others: list[int],
    pairs: _Pairs,
    faces: NDArray[np.float32],
    config: MarkConfig,
) -> bool:
    """Tell whether all marks of two groups, `some` and `others`, can be corners of one card. Both
    groups are indices of marks, and `faces` (n, 53) their log-probabilities.

    Marks of different jollies look alike, so no two marks of a jolly may claim the same corner.
    Both ends of an edge, and those of another one too near to it, are of two equal cards, and so
    are two marks that stand level far too near each other.
    """
    marks, sides = some + others, pairs.sides
    if len(marks) > 4 or not (sides[np.ix_(some, others)] > 0).all():
        return False
    each_once = all(len(np.unique(row)) == len(marks) for row in sides[np.ix_(marks, marks)])
    if not each_once and is_jolly(faces, marks):
        return False
    edges = _any(pairs.plumb, some) and _any(pairs.plumb, others)
    too_near = pairs.too_near if edges else pairs.far_too_near
    if too_near[np.ix_(some, others)].any():
        return False
    return unlike_together(faces, marks) <= config.perhaps_same


def may_be_corners(marks: list[int], plumb: NDArray[np.bool_], faces: NDArray[np.float32]) -> bool:
    """Tell whether the `marks`, given by their indices, may be corners of one card. Three or more
    marks may be, if at least two of them lie one beneath the other, as two of any three corners of
    a card do. No mark lies beneath another where the marks are those of equal cards side by side.
    Fewer marks, and marks of jollies, which have no sure direction, always pass.

    `plumb` (n, n) tells of which pairs one mark lies beneath the other, and `faces` (n, 53) are
    log-probabilities.
    """
    return len(marks) < ENOUGH or _any(plumb, marks) or is_jolly(faces, marks)


def ways_to_lie(lies: Places, config: MarkConfig = USUAL) -> NDArray[np.int64]:
    """Return for each pair of marks how they may lie on one card, (n, n), with generous limits:
    LEVEL with each other, one BENEATH the other, ACROSS the card, or 0 where they cannot be of one
    card. `lies` tells how the n marks lie.
    """
    far = lies.x > 2 * lies.width + config.apart
    far |= np.abs(lies.y) > 2 * lies.height + config.apart
    level = (lies.turn <= 2 * config.turn_degrees) & (lies.x >= config.apart / 2)
    opposite = lies.head_to_head(2 * config.turn_degrees)
    beneath = opposite & (lies.x < lies.width / 2) & (lies.y >= config.apart / 2)
    across = opposite & (lies.x >= lies.width / 2)
    return np.where(far, 0, np.select([level, beneath, across], [LEVEL, BENEATH, ACROSS], 0))


def _distances(lies: Places, config: MarkConfig) -> Matrix:
    """Return for each pair of n marks a distance, (n, n), in widths of a card: how far one mark
    lies from where it would be if both stood in corners of one card. It is infinite where they
    cannot be of one card. `lies` tells how the marks lie.
    """
    head_to_head = lies.head_to_head(config.turn_degrees)
    found = np.where(head_to_head, lies.diagonal(), np.inf)
    beneath = head_to_head & (lies.x <= config.off_line)
    found[beneath] = np.minimum(found, lies.along_side())[beneath]
    along_top = np.hypot(lies.x - lies.width, ASPECT * lies.slant)
    beside = np.where(lies.facing, config.beside_if_facing, config.beside)
    level = (lies.turn <= config.turn_degrees) & (along_top <= beside)
    far_enough = lies.x >= config.apart * np.minimum(lies.width / (2 * IN_CORNER), 1.0)
    level &= far_enough
    level &= ~_interrupted(lies, level, config)
    found[level] = along_top[level]
    return found


def _interrupted(lies: Places, asked: NDArray[np.bool_], config: MarkConfig) -> NDArray[np.bool_]:
    """Return a mask (n, n) of the pairs of marks among those `asked` (n, n) that have a third mark
    between them which is level with one of the two. Such two marks are of two cards in a row: where
    both edges of one card show, no mark lies between those at its edges and level with them. `lies`
    tells how the marks lie.
    """
    level = (lies.turn <= config.turn_degrees) & (
        ASPECT * np.abs(lies.lies[..., 1]) <= config.off_line
    )
    found = np.zeros(level.shape, np.bool_)
    for i, j in zip(*np.nonzero(asked), strict=True):
        x = lies.lies[i, :, 0]
        if x[j]:
            found[i, j] = (level[i] & (x / x[j] > 0.15) & (x / x[j] < 0.85)).any()
    return found | found.T


def joint_outlines(
    quads: NDArray[np.float32],
    outlines: NDArray[np.float32],
    cards: list[list[int]],
    jolly: NDArray[np.bool_] | None = None,
) -> NDArray[np.float32]:
    """Return the outlines of m cards, (m, 4, 2), whose marks are known. Each outline has the
    direction of the card's first mark.

    `quads` (n, 4, 2) are the marks, `outlines` (n, 4, 2) the cards that the network gives them;
    `cards` lists for each card which rows of `quads` are its marks. Each mark of a card proposes an
    outline; the one in whose corners all marks lie best is taken. A mark at the right edge, as
    packs with marks in all four corners have it, is easily taken for one at the left edge of the
    card beside it, so the mirror image of each outline is tried too; on which side cards lie that
    show one long edge alone is told by all cards of their row (`on_one_side`).

    Where enough corners of a card show, they alone determine its outline. In the case of a jolly
    they also determine its direction. `jolly` (m,) tells which cards are jollies; without it none
    counts as one.
    """
    chosen = [
        outlines[marks[0]] if len(marks) == 1 else _outline_of(quads[marks], outlines[marks])
        for marks in cards
    ]
    if not chosen:
        return outlines[:0]
    told = as_corners_tell(quads, np.stack(chosen), cards, jolly)
    return on_one_side(quads, outlines, told, cards)


def _outline_of(quads: NDArray[np.float32], outlines: NDArray[np.float32]) -> NDArray[np.float32]:
    marks = quads.mean(axis=1, dtype=np.float64)
    frames = card_frames(outlines)
    across = frames[..., 0]
    inward = np.einsum("ia,ia->i", outlines.mean(axis=1) - marks, across)
    shift = 2 * (inward / np.maximum((across**2).sum(axis=1), 1e-6))[:, None] * across
    told = np.concatenate([outlines, outlines - shift[:, None]])
    planes = np.linalg.inv(np.concatenate([frames, frames]))
    stand = np.einsum("iab,ikb->ika", planes, marks[None] - told.mean(axis=1)[:, None])
    away = np.hypot(np.abs(stand[..., 0]) - IN_CORNER, ASPECT * (np.abs(stand[..., 1]) - IN_CORNER))
    best = told[int(away.mean(axis=1).argmin())]
    upside_down = float((best[1] - best[0]) @ across[0]) < 0
    return np.asarray(np.roll(best, 2, axis=0) if upside_down else best, np.float32)


def unlike_together(faces: NDArray[np.float32], marks: list[int]) -> float:
    """Return how much is lost, in nats, if all marks must show the same face: the sum over the
    marks of each one's highest log-probability, less the highest sum for a single face. Infinite
    where that face is a jolly and none of the marks reads as one: what is unsure always looks a
    little like a jolly.

    `faces` (n, 53) are log-probabilities of n marks; `marks` holds the indices of those compared.
    """
    if is_jolly(faces, marks) and not are_jollies(faces[marks]).any():
        return np.inf
    return float(faces[marks].max(axis=1).sum() - faces[marks].sum(axis=0).max())


def are_jollies(faces: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return a mask (n,) of the cards whose likeliest face is a jolly, by log-probabilities
    (n, 53).
    """
    return np.asarray(faces.argmax(axis=1) == FACE_INDEX[JOKER])


def is_jolly(faces: NDArray[np.float32], marks: list[int]) -> bool:
    return bool(faces[marks].sum(axis=0).argmax() == FACE_INDEX[JOKER])


def joint_faces(faces: NDArray[np.float32], cards: list[list[int]]) -> NDArray[np.float32]:
    """Return log-probabilities of the face of each of m cards, (m, 53), from those of its marks.
    `faces` (n, 53) are the log-probabilities of all marks; `cards` lists the indices of the marks
    of each card.

    The marks of a card are alike in drawing and light, so what is misread in one is often misread
    in the others. The sum of their log-probabilities, which would be right for independent marks,
    is divided by the cube root of their number. On 12,841 cards of rendered hands with two to four
    marks, that gives the true face a mean log-probability of -0.0193 instead of -0.0218. The square
    root would give -0.0189, and add twice as many doubts on real photographs.
    """
    joint = [
        faces[marks[0]]
        if len(marks) == 1
        else log_softmax(faces[marks].sum(axis=0) / np.cbrt(len(marks)))
        for marks in cards
    ]
    return np.stack(joint) if joint else faces[:0]
