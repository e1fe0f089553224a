"""Puts together a reading: the tiles of a photograph, in the full size of it, and their rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.melds import judge_meld
from engine.rulesets import RuleSet
from engine.tiles import FACES
from vision.decoding import Decoded, alternatives
from vision.frame import Frame
from vision.grouping import Indices
from vision.reading import Doubt, Layout, MeldReading, TileReading
from vision.seen import Seen


def tile_readings(
    frame: Frame, seen: Seen, decoded: Decoded, doubts: list[frozenset[Doubt]]
) -> tuple[TileReading, ...]:
    """Put together what is known of each tile that was `seen`: return one reading for each.
    `decoded` is the joint decision on these tiles, and `doubts` are those worth asking about.
    """
    row_number = {tile: number for number, row in enumerate(seen.table.rows) for tile in row}
    corners = in_full_size(seen.quads, frame)
    return tuple(
        _tile_reading(int(face), decoded.posterior[i], corners[i], doubts[i], row_number.get(i))
        for i, face in enumerate(decoded.face)
    )


def in_full_size(quads: NDArray[np.float32], frame: Frame) -> NDArray[np.float32]:
    """Map quads, (..., 4, 2) in pixels of the frame, to pixels of the photograph in full size."""
    return np.asarray((quads + 0.5) * np.float32(frame.scale) - 0.5, np.float32)


def _tile_reading(
    face: int,
    posterior: NDArray[np.float32],
    corners: NDArray[np.float32],
    doubts: frozenset[Doubt],
    meld: int | None,
) -> TileReading:
    unread = Doubt.UNREAD in doubts
    return TileReading(
        None if unread else FACES[face],
        corners,
        float(posterior[face]),
        doubts,
        alternatives(posterior, -1 if unread else face),
        meld,
    )


def meld_reading(
    row: Indices, tiles: tuple[TileReading, ...], layout: Layout, rules: RuleSet
) -> MeldReading:
    """Return the reading of the row whose tiles have the indices `row` in `tiles`. It holds a
    verdict if the layout is that of melds and all tiles of the row are read, otherwise None.
    """
    laid = tuple(tiles[i].tile for i in row)
    known = [tile for tile in laid if tile is not None]
    judged = layout is Layout.MELDS and len(known) == len(laid)
    doubtful = any(tiles[i].doubtful for i in row)
    return MeldReading(row, laid, judge_meld(known, rules) if judged else None, doubtful)
