"""Places on a table that may show a face of one's own set. Of places that overlap, which show the
face of one tile, one is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.own_set.prototypes import FACES, Prototypes
from vision.quads import Quads, are_convex, overlap
from vision.reader import FaceScores

# Share of the smaller quad above which two quads are of one face. Neighbours in a row overlap by
# less, however poor their corners.
ONE_FACE = 0.3


@dataclass(frozen=True, eq=False)
class Places:
    """n places on a table that may show a face: what the reader sees there, `seen`; how strange it
    looks beside the faces of the set, `strange` (n,); and how surely the detector found them,
    `scores` (n,), 0-1.
    """

    seen: FaceScores
    strange: NDArray[np.float32]
    scores: NDArray[np.float32]

    @classmethod
    def of(cls, prototypes: Prototypes, seen: FaceScores, scores: NDArray[np.float32]) -> Places:
        """Return the places of the faces `seen`, after comparing each with the taught faces.
        `scores` (n,) tell how surely the detector found them.
        """
        return cls(seen, prototypes.numbers.strangeness(seen.features, FACES), scores)

    def __len__(self) -> int:
        return len(self.strange)

    @property
    def quads(self) -> Quads:
        """Where the places are, (n, 4, 2), in pixels of the picture."""
        return self.seen.quads

    def take(self, which: NDArray[np.intp]) -> Places:
        """Return the places at these indices, in their order."""
        return Places(self.seen.take(which), self.strange[which], self.scores[which])

    def joined(self, others: Places) -> Places:
        """Return these places followed by the others."""
        return Places(
            self.seen.joined(others.seen),
            np.concatenate([self.strange, others.strange]),
            np.concatenate([self.scores, others.scores]),
        )

    def each_face_once(self, rank: NDArray[np.floating]) -> Places:
        """Return the places that remain when places are taken in rising order of `rank`, (n,), and
        those are left out that overlap a place already taken or whose quad is not convex.

        The score of a place that remains is the highest of its own score and those of the places
        that were left out because they overlap it.
        """
        scores, kept = self.scores.copy(), list[int]()
        convex = are_convex(self.quads)
        for i in np.argsort(rank, kind="stable"):
            over = _first_overlapped(self.quads, int(i), kept)
            if over is not None:
                scores[over] = max(scores[over], scores[i])
            elif convex[i]:
                kept.append(int(i))
        which = np.array(sorted(kept), np.intp)
        return Places(self.seen.take(which), self.strange[which], scores[which])


def overlapped(quads: Quads, others: Quads) -> NDArray[np.bool_]:
    """Return a mask (n,) of those `quads` (n, 4, 2) that overlap one of the `others` (m, 4, 2) so
    far that both are of one tile's face.
    """
    every = np.concatenate([quads, others])
    among = [*range(len(quads), len(every))]
    return np.array(
        [_first_overlapped(every, i, among) is not None for i in range(len(quads))], bool
    )


def _first_overlapped(quads: Quads, i: int, among: list[int]) -> int | None:
    """Return the first index in `among` whose quad overlaps quad `i` so far that both are of one
    tile's face; None where no quad does.
    """
    if not among:
        return None
    boxes = quads[among]
    lowest, highest = quads[i].min(axis=0), quads[i].max(axis=0)
    apart = (boxes.min(axis=1) >= highest) | (boxes.max(axis=1) <= lowest)
    for at in np.flatnonzero(~apart.any(axis=1)):
        if overlap(quads[i], quads[among[at]]) > ONE_FACE:
            return among[at]
    return None
