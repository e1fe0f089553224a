"""The outlines of cards, set right: the network tells with each mark where its card lies, the more
roughly the farther away, and guesses the card's size from the mark alone; the marks together know
better.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.tiles import FACE_INDEX, JOKER
from vision.cards.places import (
    ASPECT,
    IN_CORNER,
    UNIT,
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
# Cosine of the angle between a jolly and the card beside it, upright or on its head, above which
# what the network told of its direction stays.
ALIGNED = 0.6
A_STEP = 0.4  # heights of a card: farthest mark of the card beside a jolly in a column
LEAST_STEP, LONGEST_STEP = 0.1, 0.6  # of a column, heights of a card, from mark to mark
MOST_ASIDE = 0.35  # of a step, along the other side of the card
# Heights of a card: so far along a column two marks are not both of the covered part of one card,
# and so far across it they may be of one card.
COVERED, WITHIN = 0.35, 0.65
IN_LINE = 0.97  # least cosine of the angle between two steps of a column
SURELY_RIGHT = -0.1  # widths from a mark to the middle of its card, where it is a right one


def outlines_as_read(
    outlines: NDArray[np.float32], found: NDArray[np.float32], read: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the outlines (n, 4, 2) of cards in the direction in which their marks were read.

    `found` (n, 4, 2) are the quads of the marks as the detector gave them, `read` those that the
    reader may have turned.
    """
    turned = np.stack([np.roll(read, turn, axis=1) for turn in range(4)])
    away = np.linalg.norm(turned - found[None], axis=-1).sum(axis=-1)  # (4, n)
    turns = away.argmin(axis=0)
    rolled = [np.roll(one, -int(t), axis=0) for one, t in zip(outlines, turns, strict=True)]
    return np.stack(rolled) if len(rolled) else outlines


def sized_alike(
    quads: NDArray[np.float32],
    outlines: NDArray[np.float32],
    faces: NDArray[np.float32],
    config: MarkConfig = USUAL,
) -> NDArray[np.float32]:
    """Return the outlines (n, 4, 2) with the size that marks at opposite ends of cards tell.

    The network guesses from a mark alone how large its card is; indices differ from pack to pack,
    but all cards on the table are of one size. The arguments are those of `one_card_each`.
    """
    if not len(quads):
        return outlines
    outlines = _with_marks_in_corners(quads, outlines)
    jolly = faces.argmax(axis=1) == FACE_INDEX[JOKER]
    outlines = resized(quads, outlines, _usual_sizes(quads, outlines, jolly))
    outlines = _jollies_as_beside(quads, outlines, jolly)
    lies = Places.of(quads, outlines)
    same = unlikeness(faces) <= config.same_face
    if (spacing := four_corners_spacing(lies, same, config)) is not None:
        outlines = resized(quads, outlines, np.array([spacing, 1.0]))
        lies = Places.of(quads, outlines)
    pairs = same & lies.head_to_head(config.turn_degrees)
    pairs = np.triu(pairs, 1)
    across = pairs & (lies.diagonal() <= config.roughly) & (lies.x > config.apart)
    beneath = pairs & (lies.along_side() <= config.roughly) & (lies.x <= config.off_line)
    wider = lies.x[across] / lies.width[across]
    higher = (lies.y / lies.height)[across | beneath]
    factors = [
        float(np.median(told)) if len(told) >= config.enough else 1.0 for told in (wider, higher)
    ]
    return resized(quads, outlines, np.array(factors))


def four_corners_spacing(lies: Places, same: NDArray[np.bool_], config: MarkConfig) -> float | None:
    """Return by how much the network mistakes the width of cards that have indices in all four
    corners; None where they do not plainly have them.

    In a column both upper corners of each card show: most marks have one of the `same` (n, n) face
    level with them, all about equally far away. Equal cards of a pack with two corners may lie side
    by side too; but the corner across such a card lies otherwise far away.
    """
    level = same & (lies.turn <= config.turn_degrees)
    level &= lies.x > config.least_spacing
    level &= (ASPECT * np.abs(lies.y) <= config.off_line) & (ASPECT * lies.slant <= config.off_line)
    ratios = lies.x / lies.width
    across = same & lies.head_to_head(config.turn_degrees) & (lies.y > lies.height / 2)
    for spacing in np.sort(ratios[np.triu(level, 1)]):
        near = level & (ratios >= spacing) & (ratios <= spacing * config.spread**2)
        if np.triu(near, 1).sum() < config.enough_level:
            continue
        told = float(np.median(ratios[near]))
        beneath = across & ((ratios <= config.beneath * told) | _about(ratios, told, config.spread))
        agrees = beneath.any(axis=1).sum() >= across.any(axis=1).sum() / 2
        if near.any(axis=1).mean() >= config.most_level and agrees:
            return told
    return None


def _about(ratios: Matrix, told: float, spread: float) -> NDArray[np.bool_]:
    return (ratios >= told / spread) & (ratios <= told * spread)


def _with_marks_in_corners(
    quads: NDArray[np.float32], outlines: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the outlines moved sideways so that each mark lies in the corner, left or right, that
    it is nearer to: between two guesses the network tells a card in the middle.
    """
    across = card_frames(outlines)[..., 0]
    away = outlines.mean(axis=1) - quads.mean(axis=1)
    inward = np.einsum("ia,ia->i", away, across) / np.maximum((across**2).sum(axis=1), 1e-6)
    wanted = np.where(inward < SURELY_RIGHT, -IN_CORNER, IN_CORNER)
    return np.asarray(outlines + ((wanted - inward)[:, None] * across)[:, None], np.float32)


def _usual_sizes(
    quads: NDArray[np.float32], outlines: NDArray[np.float32], jolly: NDArray[np.bool_]
) -> Matrix:
    """Return the factors (n, 2) by which width and height of each card become those that its mark
    has at most cards and those that it has beside the cards around; cards with a `jolly` (n,),
    whose marks are of any size, stay as they are.
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
    # What the mark tells and what the cards around tell count alike.
    usual *= np.exp((smooth - np.log(usual).mean(axis=1)) / 2)[:, None]
    factors[others] = usual / np.maximum(sizes[others], 1e-3)
    return factors


def _smooth(sizes: Matrix, at: Matrix) -> Matrix:
    """Return logarithms of sizes, (n,), as they would change evenly over the picture from place to
    place, `at` (n, 2); of few cards as they are. Cards far from the others count little.
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


def _jollies_as_beside(
    quads: NDArray[np.float32], outlines: NDArray[np.float32], jolly: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """Return the outlines with those of jollies, which `jolly` (n,) tells, as large as that of the
    nearest other card: what stands in the corner of a jolly is of any size, and a star has no
    direction. In line with marks of a column the jolly lies as the nearest card of that one; where
    a card is near and the jolly seemed to lie across it, as that card.
    """
    others = np.flatnonzero(~jolly)
    if not len(others):
        return outlines
    centres, frames = quads.mean(axis=1, dtype=np.float64), card_frames(outlines)
    planes = np.linalg.inv(frames)
    corners = np.einsum("iab,ib->ia", planes, centres - outlines.mean(axis=1))
    outlines = outlines.copy()
    jollies = np.flatnonzero(jolly)
    for card in jollies:
        steps = np.einsum("iab,ib->ia", planes[others], centres[card] - centres[others])
        away = np.linalg.norm(centres[others] - centres[card], axis=1)
        nearest = int(away.argmin())
        frame, own = frames[others[nearest]], frames[card]
        lengths, own_lengths = np.linalg.norm(frame, axis=0), np.linalg.norm(own, axis=0)
        alike = float(frame[:, 1] @ own[:, 1]) / float(lengths[1] * own_lengths[1])
        costs = _costs_in_column(steps, corners[others])
        further = jollies[jollies != card]
        for at in np.flatnonzero(np.isfinite(costs)):
            moves = (centres[further] - centres[card]) @ planes[others[at]].T
            if _is_whole(steps[at], moves):
                costs[at] = np.inf
        if np.isfinite(costs).any():
            beside = others[costs.argmin()]
            frame, corner = frames[beside], corners[beside]
        elif away[nearest] > A_STEP * lengths[1] or abs(alike) > ALIGNED:
            outlines[card] = resized(quads[[card]], outlines[[card]], lengths / own_lengths)[0]
            continue
        else:
            corner = corners[card]
        outlines[card] = centres[card] + (UNIT - np.copysign(IN_CORNER, corner)) @ frame.T
    return outlines


def _is_whole(step: Matrix, further: Matrix) -> bool:
    """Tell whether further marks of jollies show that a jolly is seen whole, and not covered by the
    next card of a column: of a covered card only marks across the column are seen.

    `step` (2,) leads to its mark from that of the card before, and `further` (n, 2) from its mark
    to the others, in widths and heights of a card.
    """
    direction = np.array([step[0] / ASPECT, step[1]])
    direction /= max(float(np.linalg.norm(direction)), 1e-6)
    there = further / [ASPECT, 1.0]  # in heights
    along, across = np.abs(there @ direction), np.abs(there @ [direction[1], -direction[0]])
    return bool(((along >= COVERED) & (along <= 1) & (across <= WITHIN)).any())


def _costs_in_column(steps: Matrix, corners: Matrix) -> Matrix:
    """Return what it costs to take marks (n,) for those of the next card in a column through a
    place: the nearer and the less aside, the less; infinite where they are not a step away from it,
    in line with another mark in the same corner of its card, before it or behind.

    `steps` (n, 2) lead from each mark to the place, in widths and heights of the mark's card, and
    `corners` (n, 2) from the middle of its card to the mark.
    """
    there = np.stack([steps[:, 0] / ASPECT, steps[:, 1]], axis=1)  # both in heights
    lengths = np.maximum(np.linalg.norm(there, axis=1), 1e-6)
    aside = np.abs(there).min(axis=1)
    parallel = np.abs(there @ there.T) / (lengths[:, None] * lengths[None])
    same = (np.sign(corners)[:, None] == np.sign(corners)[None]).all(axis=2)
    apart = np.linalg.norm(there[:, None] - there[None], axis=2)
    lined_up = same & (parallel >= IN_LINE) & (apart >= LEAST_STEP)
    lined_up &= (lengths <= 2 * LONGEST_STEP)[None]
    a_step = (lengths <= LONGEST_STEP) & (aside <= MOST_ASIDE * lengths)
    return np.where(a_step & lined_up.any(axis=1), lengths + 2 * aside, np.inf)
