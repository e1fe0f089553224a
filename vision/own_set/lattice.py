"""Finds rows of thirteen tiles by their places alone, whatever stands on the tiles.

A tile's neighbour lies about one width to its right. Links between neighbours make chains; a gap of
about two widths is a tile that was not found, and complete rows tell at which end others are short.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detector import Detections
from vision.quads import Quad, across, areas, down, drawn

ROW_LENGTH = 13
FEWEST = 10  # tiles of a row that must be found; the others are filled in
SEEN = 0.3  # detector's score of a tile that makes rows
ALIKE = (0.6, 1.6)  # area of a tile in a row, in median areas
NEIGHBOURS = 13  # nearest tiles, itself among them, that tell how a tile lies
ODD = 0.25  # by which an edge may differ from its neighbours', in their lengths
# Where a right neighbour's centre lies: widths to the right, heights up or down.
BESIDE, SHIFT = (0.75, 4.0), 0.4
UNEVEN = 0.35  # by which a gap may differ from a whole number of usual gaps


@dataclass(frozen=True, eq=False)
class PlacedRow:
    """The places of the thirteen tiles of a row, in the row's order.

    `quads` is (13, 4, 2), x, y in pixels, each with its top edge along the row. `found` (13,) are
    the indices of the tiles' detections, -1 for a tile that the detector missed; the quad of such a
    tile is guessed from those of the others.
    """

    quads: NDArray[np.float32]
    found: NDArray[np.intp]


def find_teaching_rows(found: Detections) -> list[PlacedRow]:
    """Return the rows of thirteen among the detections, from top to bottom.

    A row runs from left to right in the picture, or from top to bottom where it is nearly upright.
    """
    usable = np.flatnonzero(found.scores >= SEEN)
    if len(usable) < FEWEST:
        return []
    area = areas(found.quads[usable])
    surest = found.scores[usable] >= np.median(found.scores[usable])
    size = area / np.median(area[surest])
    usable, size = usable[size < ALIKE[1]], size[size < ALIKE[1]]
    usable = usable[_apart(found.quads[usable], size > ALIKE[0])]
    quads = _of_usual_shape(_turned_alike(found.quads[usable]))
    chains = [chain for chain in _chains(quads) if len(chain.tiles) >= FEWEST]
    whole = [chain for chain in chains if chain.span == ROW_LENGTH]
    rows = []
    for chain in chains:
        first = _first_place(chain, whole, quads)
        if first is not None:
            rows.append(_placed(chain, first, quads, usable))
    return sorted(rows, key=lambda row: _depth(row, rows))


@dataclass(frozen=True, eq=False)
class _Chain:
    """Tiles in a line: `tiles` are their indices, from left to right. `places` counts along the
    line from 0, in tiles, and leaves a number out for each missing tile.
    """

    tiles: NDArray[np.intp]
    places: NDArray[np.intp]

    @property
    def span(self) -> int:
        return int(self.places[-1]) + 1


def _turned_alike(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return n quads, (n, 4, 2), with their corners renumbered so that all top edges run in nearly
    one direction: the direction of most quads or its opposite, whichever leads to the right, or
    downwards if it is nearly upright.
    """
    edges = quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]
    angle = np.arctan2(edges[:, 1], edges[:, 0])
    doubled = np.exp(2j * angle)
    usual = np.angle(np.median(doubled.real) + 1j * np.median(doubled.imag)) / 2
    way = np.array([np.cos(usual), np.sin(usual)])
    if way @ (1.0, 0.0) < 0 or (abs(way[0]) < abs(way[1]) and way[1] < 0):
        way = -way
    turned = quads.copy()
    for i, quad in enumerate(quads):
        rolled = [np.roll(quad, -turn, axis=0) for turn in range(4)]
        turned[i] = max(rolled, key=lambda q: float(_direction(q) @ way))
    return turned


def _apart(quads: NDArray[np.float32], alike: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask (n,) of the quads, (n, 4, 2), that may show a tile.

    `alike` (n,) marks the quads that are as large as a tile; all of these may show one. Any other
    quad is smaller, and may show a tile unless its middle lies on one of the large quads: then it
    may be a part of the face there, such as the middle of an ornament.
    """
    whole = quads[alike]
    middles = quads.mean(axis=1)
    lone = [
        not any(cv2.pointPolygonTest(one, (float(x), float(y)), False) >= 0 for one in whole)
        for x, y in middles
    ]
    return np.asarray(alike | np.array(lone, bool))


def _of_usual_shape(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the quads, (n, 4, 2), all of which are turned alike, with the odd ones among them
    corrected.

    A quad that differs from its neighbours in size, shape or direction keeps its middle, and gets
    the median sides of its neighbours.
    """
    edges = np.stack([across(quads), down(quads)], axis=1)  # (n, 2, 2)
    middles = quads.mean(axis=1)
    away = np.linalg.norm(middles[:, None] - middles, axis=2)
    near = np.argsort(away, axis=1)[:, :NEIGHBOURS]
    usual = np.median(edges[near], axis=1)
    odd = (np.linalg.norm(edges - usual, axis=2) > ODD * np.linalg.norm(usual, axis=2)).any(axis=1)
    mended = drawn(middles, usual[:, 0], usual[:, 1])
    return np.where(odd[:, None, None], mended, quads).astype(np.float32)


def _direction(quad: Quad) -> NDArray[np.float32]:
    along = quad[1] - quad[0] + quad[2] - quad[3]
    return np.asarray(along / max(float(np.linalg.norm(along)), 1e-6))


def _chains(quads: NDArray[np.float32]) -> list[_Chain]:
    """Link the tiles at `quads` (n, 4, 2), which are all turned alike, to chains. Two tiles are
    linked if the second is the nearest at the right of the first, and the first the nearest at the
    left of the second. Chains of one tile, and chains with uneven gaps, are left out.
    """
    right, distance = _nearest_beside(quads, 1)
    left, _ = _nearest_beside(quads, -1)
    follows = {i: int(j) for i, j in enumerate(right) if j >= 0 and left[j] == i}
    starts = set(range(len(quads))) - set(follows.values())
    chains = []
    for start in sorted(starts):
        tiles, gaps = [start], []
        while tiles[-1] in follows:
            gaps.append(distance[tiles[-1]])
            tiles.append(follows[tiles[-1]])
        if len(tiles) > 1:
            pitches = np.array(gaps) / np.median(gaps)
            steps = np.maximum(np.rint(pitches), 1)
            if np.abs(pitches - steps).max() > UNEVEN:
                continue
            places = np.concatenate([[0], np.cumsum(steps)]).astype(np.intp)
            chains.append(_Chain(np.array(tiles, np.intp), places))
    return chains


def _nearest_beside(
    quads: NDArray[np.float32], side: int
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the index of the nearest tile at the right (`side` 1) or left (-1) of each tile at
    `quads` (n, 4, 2), and how far away that is, both (n,).

    Distances are measured along the tile's upper edge, in widths of the tile. Where there is no
    tile the index is -1 and the distance infinite.
    """
    centres = quads.mean(axis=1)
    # The columns of each matrix are the tile's width and height, as vectors.
    bases = np.stack([across(quads), down(quads)], axis=2).astype(np.float64)
    apart = centres[None] - centres[:, None]
    there = np.linalg.solve(bases[:, None], apart[..., None].astype(np.float64))[..., 0]
    widths = side * there[..., 0]
    beside = (widths > BESIDE[0]) & (widths < BESIDE[1])
    beside &= np.abs(there[..., 1]) < SHIFT
    widths = np.where(beside, widths, np.inf)
    nearest = widths.argmin(axis=1)
    distance = widths.min(axis=1)
    return np.where(np.isfinite(distance), nearest, -1), distance


def _first_place(chain: _Chain, whole: list[_Chain], quads: NDArray[np.float32]) -> int | None:
    """Return the place, 0 to 12, that the first tile of a chain has in its row; None where the
    chain is no part of a row of thirteen. `quads` are those of all tiles, (n, 4, 2).

    A chain that is shorter than a row is compared with the complete rows above and below it,
    `whole`. Their ends tell which of its places are missing.
    """
    if chain.span == ROW_LENGTH:
        return 0
    if chain.span > ROW_LENGTH or not whole:
        return None
    centre = quads[chain.tiles[0]].mean(axis=0)
    votes = []
    for row in whole:
        line = quads[row.tiles].mean(axis=1)
        pitch = (line[-1] - line[0]) / (ROW_LENGTH - 1)
        votes.append((centre - line[0]) @ pitch / (pitch @ pitch))
    first = round(float(np.median(votes)))
    return first if 0 <= first <= ROW_LENGTH - chain.span else None


def _placed(
    chain: _Chain, first: int, quads: NDArray[np.float32], usable: NDArray[np.intp]
) -> PlacedRow:
    """Return the row of thirteen in which the first tile of `chain` has the place `first`, 0 to 12.
    The quads of tiles that were not found are estimated from those of the others.

    `quads` are those of the usable detections, and `usable` their indices among all detections.
    """
    places = chain.places + first
    known = quads[chain.tiles].reshape(-1, 8).astype(np.float64)
    everywhere = np.arange(ROW_LENGTH)
    filled = np.stack([_along(everywhere, places, values) for values in known.T], axis=1)
    found = np.full(ROW_LENGTH, -1, np.intp)
    found[places] = usable[chain.tiles]
    return PlacedRow(filled.reshape(ROW_LENGTH, 4, 2).astype(np.float32), found)


def _along(
    everywhere: NDArray[np.intp], places: NDArray[np.intp], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Estimate a value at each of the places `everywhere`, (n,), from the `values`, (m,), that are
    known at `places`, (m,) ascending: linearly between known places, and on the line fitted to all
    of them beyond the ends.
    """
    slope, start = np.polyfit(places, values, 1)
    result = np.interp(everywhere, places, values)
    outside = (everywhere < places[0]) | (everywhere > places[-1])
    result[outside] = slope * everywhere[outside] + start
    return np.asarray(result)


def _depth(row: PlacedRow, rows: list[PlacedRow]) -> float:
    """Return how far down in the picture a row lies, measured at a right angle to the way in which
    `rows` run. The unit is the same for all of these rows, but it is not a pixel.
    """
    along = np.mean(
        [one.quads[-1].mean(axis=0) - one.quads[0].mean(axis=0) for one in rows], axis=0
    )
    down = np.array([-along[1], along[0]])
    return float(row.quads.mean(axis=(0, 1)) @ down)
