"""Recognises tiles too faint to be found by themselves, by the row that they continue or make.

Where tiles are far away, blurred, burnt out or seen from very low, the detector is unsure of each.
But unsure finds hardly lie in line by chance where there are three of them, or where one continues
a row of sure tiles. The detector also takes an empty place on a rack for a faint tile, of the shape
of the tiles beside it. So the body of a faint find has to be about as light as those of the row's
tiles.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.grouping import LOOSE, find_rows
from vision.pyramid import RGB

GRID = np.linspace(0.1, 0.9, 9)  # places on a face, in its widths and heights, that are looked at
BODY = 75  # percentile of the light there that is taken for the body's: ink is darker


@dataclass(frozen=True)
class FaintConfig:
    """When a find counts as a tile because of its row. Values are detector scores, 0-1, where no
    unit is given.
    """

    least: float = 0.35  # of any find that is looked at
    beside_a_tile: float = 0.40  # of a find in a row with a tile
    # Of a find in a row with a tile, on which the reader surely sees a digit: with more than
    # `surely_read`, its probability. On six sets of rendered photographs (9703-9707 ordinary, 9703
    # hard) five finds are tiles by this alone, and all five are.
    read_beside_a_tile: float = 0.25
    surely_read: float = 0.95
    # Of a find in a row with a tile, whose body is as light as `burnt` in R, G and B, 0-255: a lamp
    # may have burnt its ink out. On 384 rendered tables three finds are tiles by this alone, and
    # all three are.
    burnt_beside_a_tile: float = 0.27
    burnt: float = 250.0
    of_the_best: float = 0.50  # mean of the three best of a row without a tile
    row: int = 3  # finds in such a row
    # Largest difference, in R, G or B, of the natural logarithm of the body's light: `alike` from
    # the tiles in the row, `alike_elsewhere` from all tiles, where the row has none.
    alike: float = 0.45
    alike_elsewhere: float = 0.6
    reach: float = 4.0  # sizes of a find: farthest tile that may be the next one in its row


CONFIG = FaintConfig()


def faint_tiles(
    pixels: RGB,
    quads: NDArray[np.float32],
    detector_scores: NDArray[np.float32],
    tiles: NDArray[np.bool_],
    digits: NDArray[np.float32],
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds that are tiles because of the row in which they lie. `tiles`
    (n,) tells which finds are already known to be tiles; the result is False for these.

    `pixels` is (h, w, 3) RGB, `quads` (n, 4, 2) in its pixels, `detector_scores` (n,) tell how
    surely they were found, and `digits` (n,) are the reader's probabilities of the likeliest digit.
    """
    result = np.zeros(len(quads), bool)
    read = (digits > CONFIG.surely_read) & (detector_scores > CONFIG.read_beside_a_tile)
    burnt = _are_burnt(pixels, quads, ~tiles & (detector_scores > CONFIG.burnt_beside_a_tile))
    beside_a_tile = (detector_scores > CONFIG.beside_a_tile) | read | burnt
    faint = ~tiles & ((detector_scores > CONFIG.least) | read | burnt)
    if not faint.any():
        return result
    asked = _near(quads, faint, tiles, CONFIG.reach)
    bodies = body_light(pixels, quads[asked])
    body = dict(zip(asked.tolist(), bodies, strict=True))
    elsewhere = bodies[tiles[asked]]
    for row in find_rows(quads[asked], LOOSE):
        members = asked[list(row)]
        sure, others = members[tiles[members]], members[~tiles[members]]
        if len(sure):
            usual, most = np.median([body[i] for i in sure], axis=0), CONFIG.alike
            told = others[beside_a_tile[others]]
        elif _is_row(detector_scores[members]):
            usual = np.median(elsewhere if len(elsewhere) else bodies, axis=0)
            most, told = CONFIG.alike_elsewhere, others
        else:
            continue
        result[[i for i in told if np.abs(body[i] - usual).max() < most]] = True
    return result


def _are_burnt(
    pixels: RGB, quads: NDArray[np.float32], asked: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds on which a lamp may have burnt the ink out, among those that
    are `asked` about, (n,).
    """
    burnt = np.zeros(len(quads), bool)
    burnt[asked] = (body_light(pixels, quads[asked]) >= np.log(CONFIG.burnt)).all(axis=1)
    return burnt


def _is_row(detector_scores: NDArray[np.float32]) -> bool:
    best = np.sort(detector_scores)[-CONFIG.row :]
    return len(detector_scores) >= CONFIG.row and float(best.mean()) > CONFIG.of_the_best


def _near(
    quads: NDArray[np.float32], faint: NDArray[np.bool_], tiles: NDArray[np.bool_], reach: float
) -> NDArray[np.intp]:
    """Return the indices, in ascending order, of all faint finds and of the tiles near them. The
    masks `faint` and `tiles`, (n,), tell which of the finds at `quads` (n, 4, 2) are faint and
    which are tiles. A tile is near if its centre lies within `reach` sizes of a faint find. The
    size of a find is the distance from its centre to its farthest corner.
    """
    centres = quads.mean(axis=1)
    sizes = np.linalg.norm(quads - centres[:, None], axis=2).max(axis=1)[faint]
    away = np.linalg.norm(centres[:, None] - centres[faint], axis=2)
    return np.flatnonzero(faint | (tiles & (away < reach * sizes).any(axis=1)))


def body_light(pixels: RGB, quads: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return how light the bodies of tiles at n quads, (n, 4, 2), are: natural logarithms of red,
    green and blue, (n, 3), as `light_on` measures them.
    """
    return light_on(pixels, quads, BODY)


def are_as_light(
    pixels: RGB, quads: NDArray[np.float32], usual_light: NDArray[np.float64], most: float
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the tiles at `quads` (n, 4, 2) whose body is as light as `usual_light`,
    (n, 3) as `body_light` returns it: red, green and blue each differ by less than `most`.
    """
    difference = np.abs(body_light(pixels, quads) - usual_light).max(axis=1)
    return np.asarray(difference < most)


def light_on(pixels: RGB, quads: NDArray[np.float32], percentile: float) -> NDArray[np.float64]:
    """Return this percentile of the light on tiles at n quads, (n, 4, 2): natural logarithms of
    red, green and blue, (n, 3). Each of these levels, 0-255, counts as 1 at least, so that it has a
    logarithm.

    `pixels` is (h, w, 3) RGB. Places outside the picture count as those at its edge.
    """
    across, down = (side.ravel()[:, None] for side in np.meshgrid(GRID, GRID))
    shares = [(1 - across) * (1 - down), across * (1 - down), across * down, (1 - across) * down]
    points = np.rint(np.einsum("pc,nck->npk", np.hstack(shares), quads)).astype(int)
    last = np.array(pixels.shape[1::-1]) - 1
    x, y = np.moveaxis(np.clip(points, 0, last), 2, 0)
    light = np.percentile(pixels[y, x], percentile, axis=1)
    return np.asarray(np.log(np.maximum(light, 1.0)))
