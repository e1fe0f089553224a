"""Tells tiles from the figures of a score sheet, which lies on many a table: a crowd of finds that
are far smaller than the tiles of the melds around would be there, and most of which show no face.
Nobody hears of them, or a sheet would make a clear photograph look blurred.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.plane import fit_plane
from vision.quads import areas

# When finds are writing. On 2,112 rendered tables 166 finds of seven photographs are told by these
# limits, and no tile; with 0.7 for SMALLER 176 of the same photographs, and with 0.5 147.
SMALLER = 0.6  # side of the figures' quads, in sides of a tile at the same place of the table
CROWD = 6  # figures at least
UNREAD = 0.5  # share of them, at least
FEWEST_LAID = 6  # tiles that surely lie in melds, by which a tile's size is told


def are_writing(
    quads: NDArray[np.float32],
    unread: NDArray[np.bool_],
    laid: NDArray[np.bool_],
    size: tuple[int, int],
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds that are writing. `quads` (n, 4, 2) are those of all finds in
    a picture of `size`, its width and height in pixels. `unread` (n,) tells which of them show no
    face, and `laid` (n,) which surely are tiles in melds.
    """
    nothing = np.zeros(len(quads), np.bool_)
    if laid.sum() < FEWEST_LAID:
        return nothing
    area = areas(quads)
    small = ~laid & (area <= SMALLER**2 * area[laid].min())
    if not _is_crowd(small, unread):
        return nothing
    plane = fit_plane(quads[laid], size)
    if plane is None:
        return nothing
    on_table = areas(
        plane.places(quads).astype(np.float32)
    )  # of a tile: its height, where its width is 1
    small &= on_table <= SMALLER**2 * plane.aspect
    return small if _is_crowd(small, unread) else nothing


def _is_crowd(small: NDArray[np.bool_], unread: NDArray[np.bool_]) -> bool:
    return bool(small.sum() >= CROWD and unread[small].mean() >= UNREAD)
