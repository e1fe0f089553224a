"""Where the table is after the camera was nudged or the table turned: the tiles themselves are the
landmarks.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.plates import RGB, Mask
from vision.live.tracks import Seen, Track
from vision.quads import Quad

Homography = NDArray[np.float64]  # (3, 3): old frame pixels to new ones
REACH = 0.45  # widths between where a tile should be and where one with its face is seen
FEW = 4  # tiles: with fewer the whole picture is only turned, shifted and scaled
# widths: where turning, shifting and scaling brings the tiles so close, there was no more to it
SIMILAR = 0.1
ROUNDS = 4  # of growing from the tiles that a first guess explains to those further away
RANSAC_PX = 3.0
ECC_STOP = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 1e-4)
ECC_BLUR = 5  # pixels


def refind(tracks: Sequence[Track], seen: Sequence[Seen], least: float) -> Homography | None:
    """The motion that brings most known tiles onto seen ones of the same face, if it does so for a
    share `least` of them.

    Every pair of a known and a seen tile of one face proposes a similarity; the best is refined
    on all it explains (a hypothesise-and-verify search as in RANSAC, Fischler & Bolles 1981,
    exhaustive since tables are small).
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
    motion = None
    for _ in range(ROUNDS):  # a turned table looks like a similarity only from nearby
        motion = (
            fit([tracks[a].quad for a in best], [seen[b].quad for b in best.values()])
            if best
            else None
        )
        grown = {} if motion is None else _explained(motion, tracks, seen, faces)
        if len(grown) <= len(best):
            break
        best = grown
    return motion if len(best) >= max(2, least * len(tracks)) else None


def fit(old: Sequence[Quad], new: Sequence[Quad]) -> Homography | None:
    """Motion that takes quads `old` to `new`: a similarity, if it does; else a homography, less
    sure far from the tiles.
    """
    source, target = np.concatenate(old).astype(np.float32), np.concatenate(new).astype(np.float32)
    found, _ = cv2.estimateAffinePartial2D(source, target, method=cv2.LMEDS)
    similarity = None if found is None else np.vstack([found, [0, 0, 1]]).astype(np.float64)
    if similarity is not None and (
        len(old) < FEW or _error(similarity, old, new) <= SIMILAR * _width(new)
    ):
        return similarity
    if len(old) < FEW:
        return None
    found, _ = cv2.findHomography(source, target, cv2.RANSAC, RANSAC_PX)
    homography = None if found is None else np.asarray(found, np.float64)
    return (
        homography if homography is not None and _is_plausible(homography, source) else similarity
    )


def _error(motion: Homography, old: Sequence[Quad], new: Sequence[Quad]) -> float:
    """Pixels between the middles, that one tile in five exceeds."""
    middles = np.mean(old, axis=1), np.mean(new, axis=1)
    return float(np.quantile(np.linalg.norm(moved(middles[0], motion) - middles[1], axis=1), 0.8))


def _width(quads: Sequence[Quad]) -> float:
    return float(np.median([np.linalg.norm(quad[1] - quad[0]) for quad in quads]))


def registered(old: RGB, new: RGB, start: Homography) -> Homography:
    """`start`, a motion (3, 3) of small pixels, improved so that the pictures correlate best (ECC,
    Evangelidis & Psarakis 2008); `start` itself where that does not bring them closer.
    """
    known, now = (cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY) for picture in (old, new))
    back, everywhere = np.linalg.inv(start), np.full(known.shape, 255, np.uint8)
    try:
        _, found = cv2.findTransformECC(
            now,
            known,
            (back / back[2, 2]).astype(np.float32),
            cv2.MOTION_HOMOGRAPHY,
            ECC_STOP,
            everywhere,
            ECC_BLUR,
        )
    except cv2.error:  # it does not converge where there is next to no pattern
        return start
    motion = np.linalg.inv(found.astype(np.float64))
    return min(motion, start, key=lambda each: _apart(known, now, each))


def _apart(known: Mask, now: Mask, motion: Homography) -> float:
    """Levels between the picture as it was, moved, and as it is."""
    size = known.shape[1::-1]
    seen = cv2.warpPerspective(np.full_like(known, 255), motion, size, flags=cv2.INTER_NEAREST)
    return float(cv2.mean(cv2.absdiff(cv2.warpPerspective(known, motion, size), now), seen)[0])


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
        if (
            apart[a, b] <= REACH * track.width
            and faces[b] == track.face
            and b not in pairs.values()
        ):
            pairs[a] = b
    return pairs
