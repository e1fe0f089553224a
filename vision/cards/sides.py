"""On which side of their marks cards lie that show marks along one long edge alone.

Packs with an index in all four corners look the same at the left and at the right edge. Of a row of
cards that lie over one another sideways, or of a fan, only such an edge of each card is seen, but
for the free card. All cards of a row lie on the same side of their marks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.corners import ENOUGH
from vision.cards.places import Matrix, card_frames


@dataclass(frozen=True)
class SideConfig:
    """Which cards lie in one row. Lengths are in widths and heights of a card."""

    # From the marks of one card to those of the next: across the marks' edge, and along it.
    most_across: float = 0.75
    most_along: float = 0.35
    most_turn_degrees: float = 25.0
    # Votes of each free card beside a row. A mark has one vote: the side on which the network sees
    # its card.
    votes_of_free: float = 1.0
    # From the marks of a card to the middle of a free card that lies over it or over the next.
    free_across: float = 1.25


CONFIG = SideConfig()


def on_one_side(
    quads: NDArray[np.float32],
    outlines: NDArray[np.float32],
    told: NDArray[np.float32],
    cards: Sequence[list[int]],
) -> NDArray[np.float32]:
    """Return the outlines of m cards, `told` (m, 4, 2) in pixels, those of one row on the same side
    of their marks: where most marks of the row see their cards. Where as many see either side, and
    no free card tells, they stay as they are. So does a card that shows marks along its upper or
    lower edge, or three marks or more.

    `quads` (n, 4, 2) are the marks and `outlines` (n, 4, 2) the cards that the network gives them;
    `cards` lists for each card the indices of its marks.
    """
    told = told.copy()
    middles = quads.mean(axis=1, dtype=np.float64)
    inward = outlines.mean(axis=1, dtype=np.float64) - middles
    frames, centres = card_frames(told), told.mean(axis=1, dtype=np.float64)
    edges = np.array([middles[marks].mean(axis=0) for marks in cards]).reshape(-1, 2)
    aside = [n for n, marks in enumerate(cards) if _along_a_side(middles[marks], told[n])]
    free = [n for n, marks in enumerate(cards) if len(marks) >= ENOUGH]
    votes = {card: float(np.sign(inward[cards[card]] @ frames[card][:, 0]).sum()) for card in aside}
    for row in _rows(votes, edges, frames):
        told_right = sum(right * votes[card] for card, right in row.items())
        told_right += CONFIG.votes_of_free * _free_beside(row, free, edges, centres, frames)
        for card, right in row.items():
            lies_right = right * float((centres[card] - edges[card]) @ frames[card][:, 0])
            if told_right * lies_right < 0:
                told[card] = _mirrored(told[card], edges[card], frames[card])
    return told


def _along_a_side(marks: Matrix, outline: NDArray[np.float32]) -> bool:
    """Tell whether the marks, (k, 2) in pixels, are two that stand one beneath the other at the
    left or at the right edge of the card with this outline (4, 2).
    """
    if len(marks) != 2:
        return False
    places = np.linalg.solve(card_frames(outline[None])[0], (marks - outline.mean(axis=0)).T).T
    (x, y), (other_x, other_y) = places
    return bool(x * other_x > 0 and y * other_y < 0)


def _rows(votes: Mapping[int, float], edges: Matrix, frames: Matrix) -> list[dict[int, float]]:
    """Return the rows of the cards that are keys of `votes`, each next to another one of its row,
    or by itself. A row maps each card to 1, or to -1 if its right is the left of the row's first
    card, as that of a card upside down is. In a fan right turns from card to card.

    `votes` tell how many more marks of a card see it to their right than to their left; `edges`
    (m, 2) are the middles between the marks of each card, `frames` (m, 2, 2) its sides.
    """
    seen = {card: vote * frames[card][:, 0] for card, vote in votes.items()}
    near = {
        card: [other for other in votes if other != card and _are_next(card, other, edges, frames)]
        for card in votes
    }
    cuts = {
        (card, other)
        for card in votes
        for other in near[card]
        if _back_to_back(card, other, seen, near, edges)
    }
    rows, met = list[dict[int, float]](), set[int]()
    for first in votes:
        if first in met:
            continue
        row, waiting = {first: 1.0}, [first]
        for card in waiting:
            for other in near[card]:
                if other in row or _are_parted(card, other, cuts, near, edges):
                    continue
                alike = float(frames[other][:, 0] @ frames[card][:, 0])
                row[other] = row[card] * float(np.copysign(1.0, alike))
                waiting.append(other)
        met |= row.keys()
        rows.append(row)
    return rows


def _back_to_back(
    card: int,
    other: int,
    seen: Mapping[int, Matrix],
    near: Mapping[int, list[int]],
    edges: Matrix,
) -> bool:
    """Tell whether two cards next to each other are of two rows that lie to either side: both are
    `seen` to lie away from each other, and either has a further card near it that is seen as it is.
    """
    away = edges[other] - edges[card]
    if not (float(seen[card] @ away) < 0 < float(seen[other] @ away)):
        return False
    return all(
        any(float(seen[one] @ seen[further]) > 0 for further in near[one]) for one in (card, other)
    )


def _are_parted(
    card: int,
    other: int,
    cuts: Collection[tuple[int, int]],
    near: Mapping[int, list[int]],
    edges: Matrix,
) -> bool:
    """Tell whether two rows meet between two cards that lie next to each other, or at them. `cuts`
    are the pairs of cards that lie back to back.
    """
    away = edges[other] - edges[card]
    for one in (card, *near[card]):
        for further in (other, *near[other]):
            start, end = (float((edges[at] - edges[card]) @ away) for at in (one, further))
            if (one, further) in cuts and 0 <= start < end <= float(away @ away):
                return True
    return False


def _are_next(i: int, j: int, edges: Matrix, frames: Matrix) -> bool:
    """Tell whether the marks of two cards lie next to each other, as in one row."""
    for one, other in ((i, j), (j, i)):
        across, along = np.abs(np.linalg.solve(frames[one], edges[other] - edges[one]))
        if across > CONFIG.most_across or along > CONFIG.most_along:
            return False
    return _parallel(frames[i], frames[j])


def _parallel(frame: Matrix, other: Matrix) -> bool:
    """Tell whether two cards stand alike, or one upside down to the other, within the angle of the
    configuration. `frame` and `other` (2, 2) are their sides.
    """
    aside, down = np.linalg.solve(frame, other[:, 1]) * np.linalg.norm(frame, axis=0)
    return bool(abs(aside) <= np.tan(np.radians(CONFIG.most_turn_degrees)) * abs(down))


def _free_beside(
    row: Mapping[int, float],
    free: Sequence[int],
    edges: Matrix,
    centres: Matrix,
    frames: Matrix,
) -> int:
    """Return how many more of the `free` cards lie beside the row to the right of its first card
    than to the left.
    """
    right = 0
    for other in free:
        for card, side in row.items():
            across, along = np.linalg.solve(frames[card], centres[other] - edges[card])
            if abs(across) <= CONFIG.free_across and abs(along) <= CONFIG.most_along:
                right += 1 if across * side > 0 else -1
                break
    return right


def _mirrored(outline: NDArray[np.float32], edge: Matrix, frame: Matrix) -> NDArray[np.float32]:
    """Return the outline (4, 2) of a card on the other side of `edge`, the middle of its marks."""
    beside = np.linalg.solve(frame, edge - outline.mean(axis=0))[0]
    return np.asarray(outline + 2 * beside * frame[:, 0], np.float32)
