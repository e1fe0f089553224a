"""Which marks (the indices in the corners of cards) are of one card.

A card shows up to four: those at opposite ends stand on their heads against each other. The
network tells with each mark where its card lies, the more roughly the farther away; so marks of
one face are joined generously, marks that were read differently only where they lie just so.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.reader import log_softmax

ASPECT = 1.4  # height of a card in widths: 88 mm to 63 mm
IN_CORNER = (
    0.41  # how far a mark usually lies from the middle, in widths and in heights of the card
)
Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class MarkConfig:
    """When two marks are of one card. Lengths in widths of the card, as the network tells it.

    A distance is one between where the second mark lies and where the other corner of the first
    mark's card ought to be.
    """

    just_so: float = 0.16  # farthest, of marks that show perhaps the same face
    alike: float = 0.8  # farthest, of marks that show the same face
    beside: float = 0.25  # farthest, of marks along the top: equal cards may lie side by side
    roughly: float = 1.0  # farthest, before the sizes are set right
    enough: int = 2  # pairs that tell by how much the network mistakes the size
    off_line: float = 0.32  # farthest from the line along one edge of the card
    apart: float = 0.55  # least distance of two marks along one edge
    turn_degrees: float = 35.0  # greatest difference of direction, upright or on its head
    # Nats by which the likeliest face of both together may be less likely than both faces by
    # themselves, for them to show the same face, and perhaps the same face.
    same_face: float = 4.0
    perhaps_same: float = 7.0
    a_nat: float = 0.03  # what one of them counts against a distance: the nearest are joined first


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
    config: MarkConfig = MarkConfig(),
) -> NDArray[np.float32]:
    """Return the outlines (n, 4, 2) with the size that marks at opposite ends of cards tell.

    The network guesses from a mark alone how large its card is; indices differ from pack to pack,
    but all cards on the table are of one size. The arguments are those of `one_card_each`.
    """
    if not len(quads):
        return outlines
    outlines = _resized(quads, outlines, _against_marks(quads, outlines))
    lies = _Places.of(quads, outlines)
    pairs = (_unlikeness(faces) <= config.same_face) & lies.head_to_head(config.turn_degrees)
    pairs = np.triu(pairs, 1)
    across = pairs & (lies.diagonal() <= config.roughly) & (lies.x > config.apart)
    beneath = pairs & (lies.along_side() <= config.roughly) & (lies.x <= config.off_line)
    wider = lies.x[across] / lies.width[across]
    higher = (lies.y / lies.height)[across | beneath]
    factors = [
        float(np.median(told)) if len(told) >= config.enough else 1.0 for told in (wider, higher)
    ]
    return _resized(quads, outlines, np.array(factors))


def _against_marks(quads: NDArray[np.float32], outlines: NDArray[np.float32]) -> Matrix:
    """Return the factors (n, 2) by which width and height of each card become those that its mark
    has at most cards.
    """
    ratios = np.linalg.norm(_sides(outlines), axis=2)
    ratios /= np.maximum(np.linalg.norm(_sides(quads), axis=2), 1e-3)
    return np.asarray(np.median(ratios, axis=0) / np.maximum(ratios, 1e-3))


def _resized(
    quads: NDArray[np.float32], outlines: NDArray[np.float32], factors: Matrix
) -> NDArray[np.float32]:
    """Return the outlines with widths and heights times `factors`, (n, 2) or (2,), seen from their
    marks.
    """
    marks = quads.mean(axis=1, dtype=np.float64)[:, None]
    frames = _frames(outlines)
    in_plane = np.einsum("iab,ikb->ika", np.linalg.inv(frames), outlines - marks)
    in_plane *= factors[..., None, :]
    resized = marks + np.einsum("iab,ikb->ika", frames, in_plane)
    return np.asarray(resized, np.float32)


def one_card_each(
    quads: NDArray[np.float32],
    outlines: NDArray[np.float32],
    faces: NDArray[np.float32],
    config: MarkConfig = MarkConfig(),
) -> list[list[int]]:
    """Return the indices of the marks of each card, the surest mark first.

    `quads` (n, 4, 2) are the marks, the surest first, `outlines` (n, 4, 2) their cards, `faces`
    (n, 53) log-probabilities.
    """
    lies = _Places.of(quads, outlines)
    distances = _distances(lies, config)
    possible = _are_possible(lies, config)
    unlike = _unlikeness(faces)
    joined = (unlike <= config.same_face) & (distances <= config.alike)
    joined |= (unlike <= config.perhaps_same) & (distances <= config.just_so)
    costs = distances + config.a_nat * unlike
    pairs = sorted((float(costs[i, j]), int(i), int(j)) for i, j in np.argwhere(np.triu(joined, 1)))
    card_of = list(range(len(quads)))
    members = {i: [i] for i in range(len(quads))}
    for _, i, j in pairs:
        one, other = sorted((card_of[i], card_of[j]))
        if one == other or not _fit(members[one], members[other], possible, faces, config):
            continue
        for mark in members.pop(other):
            card_of[mark] = one
            members[one].append(mark)
    return [sorted(marks) for marks in members.values()]


def _fit(
    some: list[int],
    others: list[int],
    possible: NDArray[np.bool_],
    faces: NDArray[np.float32],
    config: MarkConfig,
) -> bool:
    """Tell whether all marks of both groups can be corners of one card."""
    if len(some) + len(others) > 4 or not possible[np.ix_(some, others)].all():
        return False
    whole = faces[some + others]
    unlike = float(whole.max(axis=1).sum() - whole.sum(axis=0).max())
    return unlike <= config.perhaps_same


def _unlikeness(faces: NDArray[np.float32]) -> Matrix:
    """Return for each two marks, (n, n), by how many nats one face explains both worse than each is
    explained by itself.
    """
    if not len(faces):
        return np.zeros((0, 0))
    best = faces.max(axis=1)
    together = np.stack([(faces + face).max(axis=1) for face in faces])
    return np.asarray(best[:, None] + best[None] - together, np.float64)


@dataclass(frozen=True)
class _Places:
    """How n marks lie from each other, each seen in the plane of its card: the card's width and
    height are 1, and each matrix (n, n) is the mean of both views.

    lies: (n, n, 2) mark j in the plane of mark i. x, y: lengths of it along the card's width and
    height. slant: how far the two are from level. width, height: from a mark to the other end of
    its card. turn: degrees between their directions, 0-180.
    """

    lies: Matrix
    x: Matrix
    y: Matrix
    slant: Matrix
    width: Matrix
    height: Matrix
    turn: Matrix

    @classmethod
    def of(cls, quads: NDArray[np.float32], outlines: NDArray[np.float32]) -> _Places:
        marks, cards = quads.mean(axis=1, dtype=np.float64), outlines.mean(axis=1, dtype=np.float64)
        frames = _frames(outlines)
        planes = np.linalg.inv(frames)
        lies = np.einsum("iab,ijb->ija", planes, marks[None] - marks[:, None])
        end = np.abs(2 * np.einsum("iab,ib->ia", planes, cards - marks))
        x, y = np.abs(lies[..., 0]), lies[..., 1]
        return cls(
            lies,
            (x + x.T) / 2,
            (y + y.T) / 2,
            np.abs(y - y.T) / 2,
            (end[:, None, 0] + end[:, 0]) / 2,
            (end[:, None, 1] + end[:, 1]) / 2,
            _turns(frames[..., 0]),
        )

    def head_to_head(self, degrees: float) -> NDArray[np.bool_]:
        return self.turn >= 180 - degrees

    def diagonal(self) -> Matrix:
        """Distances as corners across the card."""
        return np.hypot(self.x - self.width, ASPECT * (self.y - self.height))

    def along_side(self) -> Matrix:
        """Distances as corners along one side of the card, below one another."""
        return np.hypot(self.x, ASPECT * (self.y - self.height))


def _are_possible(lies: _Places, config: MarkConfig) -> NDArray[np.bool_]:
    """Tell of each two marks, (n, n), whether they may be of one card if a third one says so."""
    far = lies.x > 2 * lies.width + config.apart
    far |= np.abs(lies.y) > 2 * lies.height + config.apart
    along_edge = (lies.x >= config.apart / 2) | (lies.y >= config.apart / 2)
    level = (lies.turn <= 2 * config.turn_degrees) & (lies.x >= config.apart / 2)
    return ~far & along_edge & (level | lies.head_to_head(2 * config.turn_degrees))


def _distances(lies: _Places, config: MarkConfig) -> Matrix:
    """Return the distance (n, n) of each two marks as corners of one card; infinite where they
    cannot be.
    """
    head_to_head = lies.head_to_head(config.turn_degrees)
    found = np.where(head_to_head, lies.diagonal(), np.inf)
    beneath = head_to_head & (lies.x <= config.off_line)
    found[beneath] = np.minimum(found, lies.along_side())[beneath]
    along_top = np.hypot(lies.x - lies.width, ASPECT * lies.slant)
    level = (lies.turn <= config.turn_degrees) & (along_top <= config.beside)
    level &= (lies.x >= config.apart) & ~_interrupted(lies.lies, lies.turn, config)
    found[level] = along_top[level]
    return found


def _interrupted(lies: Matrix, turn: Matrix, config: MarkConfig) -> NDArray[np.bool_]:
    """Tell of each two marks side by side whether a third one stands in line between them: they are
    then of two cards in a row.

    `lies` (n, n, 2) tells where mark j lies in the plane of card i, `turn` (n, n) their degrees.
    """
    level = (turn <= config.turn_degrees) & (ASPECT * np.abs(lies[..., 1]) <= config.off_line)
    found = np.zeros(level.shape, np.bool_)
    for i, row in enumerate(level):
        x = lies[i, :, 0]
        for j in np.flatnonzero(row):
            found[i, j] = bool((row & (x / x[j] > 0.1) & (x / x[j] < 0.9)).any()) if x[j] else False
    return found | found.T


def _frames(outlines: NDArray[np.float32]) -> Matrix:
    """Return (n, 2, 2) matrices from the plane of each card, in its widths and heights, to the
    picture; those of degenerate outlines as those of a huge card.
    """
    frames = _sides(outlines).transpose(0, 2, 1)
    flat = np.abs(np.linalg.det(frames)) < 1e-3
    return np.where(flat[:, None, None], np.eye(2) * 1e6, frames)


def _sides(quads: NDArray[np.float32]) -> Matrix:
    """Return (n, 2, 2): the mean of top and bottom of each quad, and of its left and right side."""
    top_left, top_right, low_right, low_left = np.asarray(quads, np.float64).transpose(1, 0, 2)
    across = (top_right + low_right - top_left - low_left) / 2
    down = (low_left + low_right - top_left - top_right) / 2
    return np.stack([across, down], axis=1)


def _turns(across: Matrix) -> Matrix:
    """Return the angle (n, n) between the directions of each two cards, 0-180 degrees."""
    angles = np.degrees(np.arctan2(across[:, 1], across[:, 0]))
    return np.asarray(np.abs((angles[:, None] - angles + 180) % 360 - 180))


def joint_outlines(
    quads: NDArray[np.float32], outlines: NDArray[np.float32], cards: list[list[int]]
) -> NDArray[np.float32]:
    """Return the outlines (m, 4, 2) of cards whose marks are known, each in the direction of the
    card's first mark: of those that its marks tell the one in whose corners they all stand best.

    A mark at the right edge, as packs with four indices have it, is easily taken for one at the
    left edge of a card beside: the mirror image of each outline is weighed as well.
    """
    chosen = [
        outlines[marks[0]] if len(marks) == 1 else _outline_of(quads[marks], outlines[marks])
        for marks in cards
    ]
    return np.stack(chosen) if chosen else outlines[:0]


def _outline_of(quads: NDArray[np.float32], outlines: NDArray[np.float32]) -> NDArray[np.float32]:
    marks = quads.mean(axis=1, dtype=np.float64)
    frames = _frames(outlines)
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


def joint_faces(faces: NDArray[np.float32], cards: list[list[int]]) -> NDArray[np.float32]:
    """Return log-probabilities (m, 53) of each card, of those of its marks, (n, 53), as if each
    mark had been read by itself.
    """
    joint = [
        faces[marks[0]] if len(marks) == 1 else log_softmax(faces[marks].sum(axis=0))
        for marks in cards
    ]
    return np.stack(joint) if joint else faces[:0]
