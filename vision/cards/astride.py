"""Finds that lie astride two marks of a column: the suit of the one and the rank of the next look
like an index that stands the other way up.

Where indices are large and cards lie close, the rank of a card begins just below the suit of the
card before. Turned by half a turn, suit and rank stand as in an index, so that the reader sees a
face there as surely as on a mark.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.quads import across, down, overlap, sides

# Joint score that each of the two marks needs.
OF_A_MARK = 0.3
# Least share of the find that either mark has, and both together. On 360 rendered hands eleven
# finds that are read lie so, none of them a mark.
SHARE, TOGETHER = 0.3, 0.75


def astride_two(
    quads: NDArray[np.float32], joint_scores: NDArray[np.float32], jollies: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds that lie astride two marks which stand the other way up, and
    so are none. `quads` (n, 4, 2) are the finds as they were read, `joint_scores` (n,) are theirs,
    and `jollies` (n,) tells which read as jollies: of these no other way up is known.

    The faintest find is judged first, and one that is no mark does not count for others.
    """
    middles = quads.mean(axis=1)
    longest = np.max(sides(quads), axis=0)
    rightwards, downwards = across(quads), down(quads)
    near = np.linalg.norm(middles[:, None] - middles, axis=2) <= longest
    turned = (rightwards @ rightwards.T < 0) & (downwards @ downwards.T < 0)
    marks = (joint_scores >= OF_A_MARK) & ~jollies
    found = np.zeros(len(quads), np.bool_)
    for one in np.argsort(joint_scores, kind="stable"):
        others = np.flatnonzero(near[:, one] & turned[:, one] & marks & ~found)
        shares = np.sort([overlap(quads[one], quads[other]) for other in others])[-2:]
        astride = len(shares) == 2 and shares[0] >= SHARE and shares.sum() >= TOGETHER
        found[one] = astride and not jollies[one]
    return found
