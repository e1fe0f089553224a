"""Finds the right quads of faces whose corners the detector got wrong.

Tiles that stand on a rack and are seen from the side look more sheared than any tile on a table.
The detector finds them but misplaces their corners, and the reader then sees a slice of a face
beside a slice of the rack. For each such find a search tries other quads near by and keeps the one
in which the reader sees a face most surely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.crops import quad_with_offsets
from vision.detector import DetectorConfig
from vision.doubts import DoubtConfig
from vision.pyramid import RGB, Pyramid
from vision.quads import Quads, across, are_convex, areas, down, drawn, overlap
from vision.reader import JOKER, SURELY_LEGIBLE, FaceScores, Reader


@dataclass(frozen=True)
class AskewConfig:
    """Which finds are searched, which quads are tried, and when a quad is taken.

    Scores and legibility are 0-1; lengths are fractions of a quad's sides.
    """

    # What is less legible than this is looked at, and is taken only if it becomes more legible.
    legible: float = SURELY_LEGIBLE
    score: float = DoubtConfig.perhaps  # detector's, from which there may be a face
    most: int = 12  # finds of one picture that are looked at
    passes: int = 4  # at most; the faces found in one tell the next how others look
    # First the shape of the nearest face that is surely read is tried, also moved by `move`. Then
    # the best quad so far is moved by `near`, at most `rounds` times, as long as its face is less
    # legible than `surely_read` and more legible than `hopeless`.
    move: float = 0.25
    near: float = 0.10
    rounds: int = 2
    surely_read: float = 0.99
    hopeless: float = 0.02
    # A shear moves one pair of sides along themselves; a stretch lengthens one pair or both. The
    # large ones serve where no face is sure.
    shears: tuple[float, float] = (0.35, 0.18)
    stretches: tuple[float, float] = (1.28, 1.14)
    # Area of what is taken, in areas of the nearest sure face.
    usual_area: tuple[float, float] = (0.5, 2.0)
    # Largest `overlap` of what is taken with another face surely read: a search beside a face
    # easily ends on it, and its tile would be counted twice.
    max_overlap: float = DetectorConfig.max_overlap


CONFIG = AskewConfig()


def with_corners_found(
    reader: Reader,
    picture: RGB,
    quads: Quads,
    detector_scores: NDArray[np.float32],
    scores: FaceScores,
) -> FaceScores:
    """Return `scores` after looking for better quads of the finds that are not legible: where
    another quad near by surely shows a face, the find gets what the reader sees in that quad.

    `picture` is (h, w, 3) RGB. The detector's `quads` (n, 4, 2) are in pixels of it, and its
    `detector_scores` are (n,). `scores` are what the reader saw in these quads.
    """
    search = _Search(reader, picture, Pyramid(picture))
    known = -1  # sure faces at the pass before
    for _ in range(CONFIG.passes):
        legible = scores.legible
        asked = np.flatnonzero((legible < CONFIG.legible) & (detector_scores > CONFIG.score))
        asked = asked[: CONFIG.most]
        sure = scores.quads[(legible > CONFIG.legible) & (detector_scores > CONFIG.score)]
        if not len(asked) or len(sure) == known:
            break
        known = len(sure)
        usual = _nearest(sure, quads[asked]) if known else None
        seen = search.search(quads[asked], usual)
        taken = _are_faces(seen, usual)
        taken = taken[_are_apart(seen.quads[taken], sure)]
        scores = scores.with_replaced(asked[taken], seen.take(taken))
    return scores


def _are_faces(seen: FaceScores, usual: Quads | None) -> NDArray[np.intp]:
    """Return the indices of those among the n finds `seen` that count as faces: they are surely
    read, and their area is about that of `usual`, (n, 4, 2), the sure face whose middle is nearest
    to each.

    Where no face in the picture is sure, `usual` is None and areas are not compared. A comodín
    never counts, since other things look like its figure.
    """
    taken = (seen.legible > CONFIG.legible) & (seen.number.argmax(axis=1) != JOKER)
    if usual is not None:
        ratio = areas(seen.quads) / np.maximum(areas(usual), 1.0)
        low, high = CONFIG.usual_area
        taken &= (ratio > low) & (ratio < high)
    return np.flatnonzero(taken)


def _are_apart(quads: Quads, others: Quads) -> NDArray[np.bool_]:
    """Return a mask (n,) of those `quads` (n, 4, 2) that overlap no other quad by more than
    `AskewConfig.max_overlap`: none of `others` (m, 4, 2), and no earlier one of `quads` for which
    the mask is True.
    """
    apart, known = np.zeros(len(quads), bool), [*others]
    for number, quad in enumerate(quads):
        if all(overlap(quad, other) <= CONFIG.max_overlap for other in known):
            apart[number] = True
            known.append(quad)
    return apart


def _nearest(quads: Quads, to: Quads) -> Quads:
    """Return an array (m, 4, 2) with one of `quads` (n, 4, 2) for each of the m quads in `to` (m,
    4, 2): the one whose middle is nearest to the middle of that quad.
    """
    away = np.linalg.norm(to.mean(axis=1)[:, None] - quads.mean(axis=1), axis=2)
    return np.asarray(quads[away.argmin(axis=1)])


@dataclass(frozen=True, eq=False)
class _Search:
    """Looks for the quads in which the reader sees a face most surely."""

    reader: Reader
    picture: RGB
    pyramid: Pyramid

    def search(self, quads: Quads, usual: Quads | None) -> FaceScores:
        """Search around each of the quads (n, 4, 2); return what the reader sees in the best quad
        that is found for each. `usual` (n, 4, 2) is, for each quad, the sure face whose middle is
        nearest; None where no face in the picture is sure.
        """
        if usual is None:
            tried = _reshaped(quads, CONFIG.shears[0], CONFIG.stretches[0])
        else:
            alike = drawn(quads.mean(axis=1), across(usual), down(usual))
            tried = [alike, *_moved(alike, CONFIG.move)]
        best = self._surest([quads, *tried])
        for _ in range(CONFIG.rounds):
            legible = best.legible
            going_on = (legible < CONFIG.surely_read) & (legible > CONFIG.hopeless)
            asked = np.flatnonzero(going_on)
            if not len(asked):
                break
            best = best.with_replaced(asked, self._surest(self._around(best.take(asked))))
        return self.reader.read(self.picture, best.quads)

    def _around(self, seen: FaceScores) -> list[Quads]:
        """Return quads to try next for the n faces `seen`, as a list of (n, 4, 2) arrays with one
        quad for each face: their own quads, the quads with the corners where the reader sees them,
        and quads moved or reshaped a little.
        """
        quads = seen.quads
        pairs = zip(quads, seen.corner_offsets, strict=True)
        told = np.array([quad_with_offsets(quad, offsets) for quad, offsets in pairs])
        reshaped = _reshaped(quads, CONFIG.shears[1], CONFIG.stretches[1])
        return [quads, told, *_moved(quads, CONFIG.near), *reshaped]

    def _surest(self, tried: Sequence[Quads]) -> FaceScores:
        """Read n faces in several quads each; return, for each face, what the reader sees in the
        quad where it is most legible.

        Each array of `tried`, (n, 4, 2), has one quad for each face. A quad that is not convex is
        replaced by the face's quad in the first array.
        """
        count = len(tried[0])
        quads = np.concatenate(tried)
        convex = are_convex(quads)
        quads = np.where(convex[:, None, None], quads, np.tile(tried[0], (len(tried), 1, 1)))
        looks = self.reader.look(self.pyramid, quads.astype(np.float32))
        best = looks.legible.reshape(len(tried), count).argmax(axis=0)
        return looks.take(best * count + np.arange(count))


def _moved(quads: Quads, share: float) -> list[Quads]:
    """Return four copies of the quads (n, 4, 2), as a list of (n, 4, 2) arrays: moved to the right,
    left, down and up, as one reads the face, by `share` of its width or height.
    """
    steps = [share * across(quads)[:, None], share * down(quads)[:, None]]
    return [quads + sign * step for step in steps for sign in (1, -1)]


def _reshaped(quads: Quads, shear: float, stretch: float) -> list[Quads]:
    """Return ten copies of the quads (n, 4, 2), as a list of (n, 4, 2) arrays. Four are sheared by
    `shear` of a side, along either pair of sides and both ways. The width, the height or both of
    the other six are multiplied or divided by `stretch`.
    """
    middles, wide, tall = quads.mean(axis=1), across(quads), down(quads)
    width = np.maximum(np.linalg.norm(wide, axis=1, keepdims=True), 1.0)
    height = np.maximum(np.linalg.norm(tall, axis=1, keepdims=True), 1.0)
    result = []
    for sign in (1, -1):
        result.append(drawn(middles, wide + sign * shear * tall * width / height, tall))
        result.append(drawn(middles, wide, tall + sign * shear * wide * height / width))
    for factor in (stretch, 1 / stretch):
        result.append(drawn(middles, factor * wide, tall))
        result.append(drawn(middles, wide, factor * tall))
        result.append(drawn(middles, factor * wide, factor * tall))
    return result
