"""The finds of a photograph, and which of them are tiles.

The detector finds more than tiles: the backs of tiles, motifs of a cloth, empty places on a rack.
Which finds are tiles is told by how surely both networks see a face there, by its size, and by the
other finds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.rulesets import RuleSet
from vision.detector import Detections
from vision.doubts import DoubtConfig
from vision.faint import faint_tiles
from vision.frame import Frame
from vision.grouping import LOOSE, find_rows
from vision.quads import sides, size_outliers
from vision.reader import JOKER, FaceScores, Reader
from vision.reading import Layout
from vision.tiles import racks
from vision.tiles.backs import are_backs
from vision.tiles.low_views import unread_in_plane
from vision.tiles.motifs import are_of_motif

# Distance of the middles of two finds, in the longer side of one of them, up to which they are one.
NEAR = 0.5


@dataclass(frozen=True, eq=False)
class Finds:
    """n finds: how surely and where each was found, `found`; what the reader sees there, `scores`;
    and how `legible` (n,) each is.

    Without an own set, `legible` was computed while the probability that a face is a 6 or a 9 was
    not yet shared between the two numbers.
    """

    found: Detections
    scores: FaceScores
    legible: NDArray[np.float32]

    @property
    def joint_scores(self) -> NDArray[np.float32]:
        """The joint scores of both networks, (n,), 0-1."""
        return self.found.scores * self.legible

    def take(self, indices: NDArray[np.intp]) -> Finds:
        """Return the finds with these indices."""
        return Finds(self.found.take(indices), self.scores.take(indices), self.legible[indices])


def without_backs_and_motifs(
    finds: Finds, layout: Layout, rules: RuleSet, doubts: DoubtConfig
) -> Finds:
    """Return the finds without those that are the backs of a rack's tiles or a motif of the cloth.
    `rules` tell how many comodines a set has.
    """
    if layout is Layout.LOOSE:
        comodines = finds.scores.number.argmax(axis=1) == JOKER
        backs = are_backs(finds.scores.quads, finds.scores.crops, finds.legible, comodines)
        finds = finds.take(np.flatnonzero(~backs))
    motif = are_of_motif(finds.scores, finds.joint_scores, doubts.tile, rules)
    return finds.take(np.flatnonzero(~motif))


def tiles_among(
    finds: Finds, frame: Frame, reader: Reader, layout: Layout, doubts: DoubtConfig
) -> tuple[NDArray[np.float32], FaceScores]:
    """Return the joint scores, (n,), of the finds that are tiles, and what the `reader` sees on
    these n tiles. Left out are finds on which it sees no face, unless their row shows that tiles
    lie there, or on a table seen from low their size.
    """
    found, scores, joint_scores = finds.found, finds.scores, finds.joint_scores
    tiles = are_tiles(scores.quads, found.scores, joint_scores, doubts)
    tiles |= _are_faint_tiles(finds, tiles, frame, layout, doubts)
    if layout is Layout.MELDS:
        unread, quads = unread_in_plane(
            frame.pixels, found.quads, found.scores, scores.quads, tiles
        )
        if len(unread):
            tiles[unread] = True
            scores = scores.with_replaced(unread, reader.look(frame.pyramid, quads))
    keep = np.flatnonzero(tiles)
    return joint_scores[keep], scores.take(keep)


def are_tiles(
    quads: NDArray[np.float32],
    detector_scores: NDArray[np.float32],
    joint_scores: NDArray[np.float32],
    config: DoubtConfig,
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds that are tiles, and not backs of tiles, cards or cloth.
    `quads` (n, 4, 2) are those of the finds, `detector_scores` (n,) the detector's scores, 0-1, and
    `joint_scores` (n,) the joint scores.
    """
    outliers = size_outliers(quads, np.flatnonzero(joint_scores > config.odd_tile))
    readable = joint_scores > np.where(outliers, config.odd_tile, config.tile)
    unreadable = (detector_scores > config.surely_a_tile) & ~outliers
    tiles = readable | unreadable
    weak = (detector_scores > config.in_line) & ~outliers
    weak |= joint_scores > config.faint_in_line
    if (weak & ~tiles).any():
        tiles |= _continue_rows(quads, tiles, weak)
    return np.asarray(tiles)


def _continue_rows(
    quads: NDArray[np.float32], tiles: NDArray[np.bool_], weak: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds at `quads` (n, 4, 2) that lie in a row which has at least two
    tiles. `tiles` (n,) tells which finds are tiles, and `weak` (n,) which may be tiles. Rows are
    made of finds of these two kinds alone.
    """
    asked = np.flatnonzero(tiles | weak)
    supported = np.zeros(len(quads), bool)
    for row in find_rows(quads[asked], LOOSE):
        members = asked[list(row)]
        if tiles[members].sum() >= 2:
            supported[members] = True
    return supported


def _are_faint_tiles(
    finds: Finds, tiles: NDArray[np.bool_], frame: Frame, layout: Layout, doubts: DoubtConfig
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds that are tiles because of the others beside them. `tiles`
    (n,) tells which finds are already known to be tiles; the result is False for these.
    """
    quads, detector_scores = finds.scores.quads, finds.found.scores
    digits = np.exp(finds.scores.number[:, :JOKER].max(axis=1))
    faint = faint_tiles(frame.pixels, quads, detector_scores, tiles, digits)
    if layout is Layout.LOOSE:  # the tiles of a rack are about equally far away
        faint &= ~size_outliers(quads, np.flatnonzero(finds.joint_scores > doubts.odd_tile))
        sure = finds.joint_scores > doubts.faint
        faint |= racks.read_in_line(quads, detector_scores, digits, tiles, sure)
        faint |= racks.seen_beside(quads, detector_scores, digits, sure) & ~tiles
    return faint


def finds_left_out(
    quads: NDArray[np.float32],
    detector_scores: NDArray[np.float32],
    joint_scores: NDArray[np.float32],
    tiles: NDArray[np.float32],
    config: DoubtConfig,
) -> NDArray[np.float32]:
    """Return the quads, (k, 4, 2), of the finds that may be tiles and are told nowhere.

    `quads` (n, 4, 2), `detector_scores` (n,) and `joint_scores` (n,) are those of all finds;
    `tiles` (m, 4, 2) are the quads of the finds that count as tiles. A find near the middle of one
    of these is that tile, or a part of it.
    """
    outliers = size_outliers(quads, np.flatnonzero(joint_scores > config.odd_tile))
    asked = quads[(detector_scores > config.perhaps) & ~outliers]
    if not len(asked) or not len(tiles):
        return asked
    away = np.linalg.norm(asked.mean(axis=1)[:, None] - tiles.mean(axis=1), axis=2).min(axis=1)
    return np.asarray(asked[away > NEAR * np.maximum(*sides(asked))])
