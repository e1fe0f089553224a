"""Where the table is after the camera was nudged or the table turned: the tiles themselves are the landmarks."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.tracks import Seen, Track
from vision.quads import Quad

Homography = NDArray[np.float64]  # (3, 3): old frame pixels to new ones
REACH = 0.45  # widths between where a tile should be and where one with its face is seen
FEW = 4  # tiles: with fewer the whole picture is only turned, shifted and scaled
RANSAC_PX = 3.0


def refind(tracks: Sequence[Track], seen: Sequence[Seen], least: float) -> Homography | None:
    """The motion that brings most known tiles onto seen ones of the same face, if it does so for a share `least` of them.

    Every pair of a known and a seen tile of one face proposes a similarity; the best is refined on all it explains
    (a hypothesise-and-verify search as in RANSAC, Fischler & Bolles 1981, exhaustive since tables are small).
    """
    faces = [None if one.scores is None else int(one.scores.argmax()) for one in seen]
    best: dict[int, int] = {}
    for track in tracks:
        for i, face in enumerate(faces):
            if face == track.face:
                motion = fit([track.quad], [seen[i].quad])
                explained = {} if motion is None else _explained(motion, tracks, seen, faces)
                if len(explained) > len(best):
                    best = explained
    if len(best) < max(2, least * len(tracks)):
        return None
    return fit([tracks[a].quad for a in best], [seen[b].quad for b in best.values()])


def fit(old: Sequence[Quad], new: Sequence[Quad]) -> Homography | None:
    """Motion that takes quads `old` to `new`: a similarity for few of them, else a homography."""
    source, target = np.concatenate(old).astype(np.float32), np.concatenate(new).astype(np.float32)
    if len(old) >= FEW:
        homography, _ = cv2.findHomography(source, target, cv2.RANSAC, RANSAC_PX)
        found = None if homography is None else np.asarray(homography, np.float64)
        if found is not None and _is_plausible(found, source):
            return found
    similarity, _ = cv2.estimateAffinePartial2D(source, target, method=cv2.LMEDS)
    if similarity is None:
        return None
    return np.vstack([similarity, [0, 0, 1]]).astype(np.float64)


def moved(quads: NDArray[np.float32], homography: Homography) -> NDArray[np.float32]:
    """(n, ..., 2) points where `homography` takes them."""
    flat = quads.reshape(1, -1, 2).astype(np.float32)
    return cv2.perspectiveTransform(flat, homography).reshape(quads.shape).astype(np.float32)


def _is_plausible(homography: Homography, points: NDArray[np.float32]) -> bool:
    """A nudge changes sizes little; a homography from a single row can do anything away from it."""
    middle = points.mean(axis=0)
    probe = np.array([middle, middle + [100, 0], middle + [0, 100]], np.float32)
    there = moved(probe, homography)
    lengths = np.linalg.norm(there[1:] - there[0], axis=1) / 100
    return bool((lengths > 0.6).all() and (lengths < 1.6).all())


def _explained(
    motion: Homography, tracks: Sequence[Track], seen: Sequence[Seen], faces: Sequence[int | None]
) -> dict[int, int]:
    """Index of each track that lands on a seen tile of its face -> index of that tile."""
    landed = moved(np.stack([track.quad.mean(axis=0) for track in tracks]), motion)
    centres = np.stack([one.quad.mean(axis=0) for one in seen])
    apart = np.linalg.norm(landed[:, None] - centres[None], axis=2)
    pairs: dict[int, int] = {}
    for a, track in enumerate(tracks):
        b = int(apart[a].argmin())
        if apart[a, b] <= REACH * track.width and faces[b] == track.face and b not in pairs.values():
            pairs[a] = b
    return pairs
