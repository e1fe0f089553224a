"""How large a tile of a set looks at any place of a table, by the tiles that are surely seen around
that place.

All tiles of a set are equally large and lie in one plane or nearly so. A circle as wide as a tile
is seen as an ellipse, whichever way the tile lies; where that ellipse is known, a middle and a
direction tell the whole quad.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.quads import Quads, across, down, drawn

FEWEST = 4  # tiles that tell how others look
REACH = 6.0  # widths of a tile within which tiles tell most
NEAREST = 0.1  # squared REACH added to squared distances, or the nearest tile alone would tell
STEADY = 0.5  # weight of the belief that tiles look the same everywhere, in tiles
# Heights of a face in widths that are tried; foreshortened teaching photographs do not tell it.
ASPECTS = (1.25, 1.35, 1.45, 1.55)

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TileShapes:
    """The shapes of m tiles that are surely seen on one table.

    `middles` (m, 2) are in pixels. `reach` is a distance in pixels: tiles farther than this from a
    place tell little of how tiles look there. `aspect` is the height of a face divided by its
    width.

    At the place of each tile, a circle one tile wide is seen as an ellipse, which `logs` (m, 3)
    tell. Let the 2 x 2 matrix M take a circle of diameter 1 to this ellipse. Then `logs` are values
    of the matrix logarithm of M M^T: the two on the diagonal, then the one beside it.
    """

    middles: Array
    logs: Array
    reach: float
    aspect: float

    @classmethod
    def of(cls, quads: Quads) -> TileShapes | None:
        """Measure the quads of m tiles, (m, 4, 2), x, y in pixels. Returns None for fewer than
        FEWEST tiles.

        The ratio of a face's height to its width is not known. Of the ratios in ASPECTS, the one is
        taken that makes tiles in different directions look most alike.
        """
        if len(quads) < FEWEST:
            return None
        middles = quads.mean(axis=1).astype(np.float64)
        reach = REACH * float(np.median(np.linalg.norm(across(quads), axis=1)))
        fits = []
        for aspect in ASPECTS:
            shapes = cls(middles, _logs(_ellipses(quads, aspect)), reach, aspect)
            unlike = np.abs(shapes._logs_at(middles, itself=False) - shapes.logs).sum(axis=1)
            fits.append((float(np.median(unlike)), shapes))
        return min(fits, key=lambda fit: fit[0])[1]

    def at(self, middles: NDArray[np.floating], ways: NDArray[np.floating]) -> Quads:
        """Return the quads, (n, 4, 2), that n tiles have if their middles are `middles`, (n, 2),
        and their top edges run along the vectors `ways`, (n, 2). The lengths of these vectors do
        not matter.
        """
        roots = _exponentials(self._logs_at(middles) / 2)
        on_table = np.linalg.solve(roots, ways[..., None].astype(np.float64))[..., 0]
        on_table /= np.maximum(np.linalg.norm(on_table, axis=1, keepdims=True), 1e-9)
        upright = self.aspect * np.stack([-on_table[:, 1], on_table[:, 0]], axis=1)
        wide = np.einsum("nij,nj->ni", roots, on_table)
        tall = np.einsum("nij,nj->ni", roots, upright)
        return drawn(middles, wide, tall)

    def _logs_at(self, middles: NDArray[np.floating], itself: bool = True) -> Array:
        """Return what the `logs` of tiles would be at n places with these middles, (n, 2), as an
        array (n, 3). The values are fitted linearly in x and y to the `logs` (m, 3) of the m known
        tiles, with more weight for nearer tiles.

        By perspective sizes grow by nearly the same factor with each step along a line, so their
        logarithms are nearly linear. If `itself` is False, the places must be the middles of the m
        known tiles, and the fit at each of them leaves out the tile that lies there.
        """
        away = (self.middles - middles[:, None]) / self.reach  # (n, m, 2)
        weight = 1 / (NEAREST + (away**2).sum(axis=2))
        if not itself:
            np.fill_diagonal(weight, 0.0)
        weight /= weight.sum(axis=1, keepdims=True)
        terms = np.concatenate([np.ones((*away.shape[:2], 1)), away], axis=2)
        weighed = weight[..., None] * terms
        normal = weighed.transpose(0, 2, 1) @ terms
        normal[:, [1, 2], [1, 2]] += STEADY / len(self.middles)
        right = weighed.transpose(0, 2, 1) @ self.logs
        return np.asarray(np.linalg.solve(normal, right)[:, 0])


def _ellipses(quads: Quads, aspect: float) -> Array:
    axes = np.stack([across(quads), down(quads) / aspect], axis=2).astype(np.float64)
    return np.asarray(axes @ axes.transpose(0, 2, 1))


def _logs(ellipses: Array) -> Array:
    values, vectors = np.linalg.eigh(ellipses)
    logs = (vectors * np.log(np.maximum(values, 1.0))[:, None]) @ vectors.transpose(0, 2, 1)
    return np.stack([logs[:, 0, 0], logs[:, 1, 1], logs[:, 0, 1]], axis=1)


def _exponentials(logs: Array) -> Array:
    """Return n symmetric matrices, (n, 2, 2), given their matrix logarithms. A row of `logs` (n, 3)
    holds the upper left, the lower right and the upper right value of one logarithm.
    """
    upper = np.stack([logs[:, 0], logs[:, 2]], axis=1)
    lower = np.stack([logs[:, 2], logs[:, 1]], axis=1)
    values, vectors = np.linalg.eigh(np.stack([upper, lower], axis=1))
    return np.asarray((vectors * np.exp(values)[:, None]) @ vectors.transpose(0, 2, 1))
