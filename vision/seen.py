"""What is known of the pieces of a photograph before they are decided on together."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.grouping import Indices


@dataclass(frozen=True)
class Rows:
    """The rows of a table, and which of its tiles are none."""

    rows: list[Indices]  # indices of the pieces, of each row in the order they lie
    printed: frozenset[int] = frozenset()  # indices of printed pictures of tiles, and of keys

    def take(self, indices: NDArray[np.intp]) -> Rows:
        """Return the rows of the pieces with these `indices` (k,), which count from 0 in this
        order. One piece alone is no row.
        """
        new = _new_indices(indices)
        rows = [tuple(new[piece] for piece in row if piece in new) for row in self.rows]
        printed = frozenset(new[piece] for piece in self.printed if piece in new)
        return Rows([row for row in rows if len(row) > 1], printed)


@dataclass(frozen=True)
class Seen:
    """The n pieces that were found, before the joint decision.

    `joint_scores` (n,) are those of both networks. `quads` (n, 4, 2) are the faces, in pixels of
    the frame, and `faces` (n, 53) their log-probabilities. `table` has the rows in which the pieces
    lie. `strange_to_set` tells that the tiles look unlike those of the set that was chosen, so that
    nothing of it counted. `left_out` (k, 4, 2), in pixels of the frame, are finds that may be
    pieces and are not among the n; None where nothing is known of such finds. `in_doubt` has the
    indices of the pieces that may be none, because of how they lie among the others: each gets the
    doubt `faint`, however high its joint score is.
    """

    joint_scores: NDArray[np.float32]
    quads: NDArray[np.float32]
    faces: NDArray[np.float32]
    table: Rows
    strange_to_set: bool = False
    left_out: NDArray[np.float32] | None = None
    in_doubt: frozenset[int] = frozenset()

    def with_more(
        self,
        joint_scores: NDArray[np.float32],
        quads: NDArray[np.float32],
        faces: NDArray[np.float32],
    ) -> Seen:
        """Return the same with k further pieces, which follow the n that are known and lie in no
        row. `joint_scores` (k,), `quads` (k, 4, 2) and `faces` (k, 53) are theirs.
        """
        return replace(
            self,
            joint_scores=np.concatenate([self.joint_scores, joint_scores]),
            quads=np.concatenate([self.quads, quads]),
            faces=np.concatenate([self.faces, faces]),
        )

    def with_in_doubt(self, pieces: Collection[int]) -> Seen:
        """Return the same with the pieces with these indices in doubt, too."""
        return replace(self, in_doubt=self.in_doubt.union(pieces))

    def sureness(self, of_doubtful: float) -> NDArray[np.float32]:
        """Return how surely each is a piece, (n,), to compare them by: their joint scores, but
        `of_doubtful` at most for what is in doubt.
        """
        sureness, doubtful = self.joint_scores.copy(), sorted(self.in_doubt)
        sureness[doubtful] = np.minimum(sureness[doubtful], of_doubtful)
        return sureness

    def take(self, indices: NDArray[np.intp]) -> Seen:
        """Return what is known of the pieces with these `indices` (k,), in this order."""
        new = _new_indices(indices)
        return replace(
            self,
            joint_scores=self.joint_scores[indices],
            quads=self.quads[indices],
            faces=self.faces[indices],
            table=self.table.take(indices),
            in_doubt=frozenset(new[piece] for piece in self.in_doubt if piece in new),
        )


def _new_indices(kept: NDArray[np.intp]) -> dict[int, int]:
    """Map the indices (k,) of the pieces that are `kept` to those that they have afterwards."""
    return {int(old): at for at, old in enumerate(kept)}
