"""One look at the table: which faces are there, and which known tiles they are.

`diff` is the difference between the latest frame and the known table, by which a face is known to
have changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.colour import ink_directions
from vision.doubts import DoubtConfig
from vision.live.change.alignment import Homography, transform_points
from vision.live.change.difference import FrameDiff
from vision.live.eyes import Eyes
from vision.live.pictures import RGB
from vision.live.settings import LiveConfig
from vision.live.tracking.tracks import FaceReading, Observation, Track
from vision.matching import pair_off
from vision.quads import ASPECT, Quad
from vision.quads import nearest as nearest_quads
from vision.reader import FaceScores
from vision.tiles.finds import are_tiles

DOUBTS = DoubtConfig()
NEIGHBOURS_READ = 3  # known faces read along with each new one
SMOOTHING = 0.3  # weight of a new quad against the known one of a tile at rest
TURNED_DEGREES = 20.0  # on the table, from which on a tile was turned and is no longer at rest
# Two quads of one tile read in the same direction if the product of their upward vectors is at
# least this share of one vector's squared length; a quarter turn or more gives less.
SAME_DIRECTION = 0.8


@dataclass(frozen=True)
class Look:
    """How one look at the picture matches the known tracks: which are in their places, which are
    missing, and which faces are new.
    """

    matched: dict[int, Observation] = field(default_factory=dict)  # track id -> where it was seen
    missing: set[int] = field(default_factory=set)  # ids of tracks whose place shows something else
    new: list[Observation] = field(default_factory=list)  # faces of no known track


def observe(
    eyes: Eyes,
    frame: RGB,
    tracks: Sequence[Track],
    diff: FrameDiff,
    config: LiveConfig,
    motion: Homography,
    read_all: bool = False,
) -> list[Observation]:
    """Find the tiles in the (h, w, 3) frame, and return each with its quad in pixels of the known
    table. `eyes` find and read faces, and `diff` is the difference between the frame and the known
    table.

    `motion`, (3, 3), maps pixels of the known table to those of the frame. Where nothing changed,
    the faces of tracks that were read often enough are not read again, unless `read_all` is True.
    """
    seen = eyes.detect(frame)
    to_table = np.asarray(np.linalg.inv(motion), np.float64)
    found = replace(seen, points=transform_points(seen.points, to_table))
    pairs = nearest_tracks(found.quads, tracks, config.same_place)
    known = {at for at, track in pairs.items() if track.looks >= config.looks}
    to_read = [
        at
        for at in range(len(found))
        if read_all or at not in known or diff.is_stirred(found.quads[at])
    ]
    fresh = [at for at in to_read if at not in known]
    models = _models_for(found.quads, fresh, sorted(known - set(to_read)))
    scores = eyes.read(frame, seen.quads[[*to_read, *models]]).take(np.arange(len(to_read)))
    readings = dict(zip(to_read, _readings(scores), strict=True))
    quads, joint_scores = found.quads.copy(), found.scores.copy()
    quads[to_read] = transform_points(scores.quads, to_table)
    joint_scores[to_read] *= scores.legible
    is_tile = are_tiles(quads, found.scores, joint_scores, DOUBTS)
    return [
        Observation(quads[at], readings.get(at))
        for at in range(len(found))
        if is_tile[at] or (at in known and not diff.may_be_gone(found.quads[at]))
    ]


def _readings(scores: FaceScores) -> list[FaceReading]:
    """A FaceReading for each face in `scores`, in their order: what the reader saw on the face, and
    in which proportion its ink absorbs red, green and blue.
    """
    inks = ink_directions(scores.crops)
    return [FaceReading(*each) for each in zip(scores.number, scores.colour, inks, strict=True)]


def _models_for(quads: NDArray[np.float32], fresh: Sequence[int], known: Sequence[int]) -> set[int]:
    """Return the indices of the NEIGHBOURS_READ `known` faces that are nearest to each of the
    `fresh` faces, by the distance of their centres. A known face needs no reading; a fresh one
    belongs to no well-known track. `quads` are those of all faces, (n, 4, 2).

    The known faces near by are read too, because the reader retries what it cannot read in the size
    and shape of the faces around it.
    """
    if not known:
        return set()
    candidates = np.array(known, np.intp)
    models: set[int] = set()
    for at in fresh:
        models.update(nearest_quads(quads, at, candidates)[:NEIGHBOURS_READ])
    return models


def nearest_tracks(
    quads: NDArray[np.float32], tracks: Sequence[Track], reach: float
) -> dict[int, Track]:
    """Pair quads with tracks in the same place, the nearest first; return the paired tracks by the
    indices of their quads.

    `quads` are (n, 4, 2) frame pixels. A quad and a track are not paired where their centres are
    further apart than `reach` times the width of the track's tile.
    """
    if not len(quads) or not tracks:
        return {}
    centres = np.stack([track.centre for track in tracks])
    widths = np.array([track.width for track in tracks])
    distances = np.linalg.norm(quads.mean(axis=1)[:, None] - centres[None], axis=2) / widths
    nearest_first = np.argsort(distances, axis=None)
    within_reach = nearest_first[distances.ravel()[nearest_first] <= reach]
    pairs = pair_off(divmod(int(flat), len(tracks)) for flat in within_reach)
    return {quad: tracks[track] for quad, track in pairs.items()}


def compare(
    observations: Sequence[Observation],
    tracks: Sequence[Track],
    diff: FrameDiff,
    config: LiveConfig,
) -> Look:
    """Return a Look that tells which tracks are still in their places, which are missing, and which
    of the `observations` are new faces.

    A track that was not found counts as missing only where its place looks different now.
    """
    look = Look()
    quads = stacked([observation.quad for observation in observations])
    pairs = nearest_tracks(quads, tracks, config.same_place)
    for at, observation in enumerate(observations):
        track = pairs.get(at)
        if track is None:
            look.new.append(observation)
        elif is_other_tile(track, observation, diff, config):
            look.missing.add(track.id)
            look.new.append(observation)
        elif not may_show(track, observation, config) and diff.may_be_gone(track.quad):
            # What lies there instead becomes a new face once this track is gone.
            look.missing.add(track.id)
        else:
            look.matched[track.id] = observation
    for track in tracks:
        if track.id not in look.matched and diff.may_be_gone(track.quad):
            look.missing.add(track.id)
    return look


def may_show(track: Track, observation: Observation, config: LiveConfig) -> bool:
    """Whether the tile of `track` may be the one that the `observation` in its place shows: what
    was read allows that, or nothing was read.
    """
    scores = observation.scores
    return scores is None or bool(np.exp(scores[track.face]) >= config.possible)


def is_other_tile(
    track: Track, observation: Observation, diff: FrameDiff, config: LiveConfig
) -> bool:
    """Whether another tile lies in the track's place: the picture changed there, and the
    `observation` there surely reads as another face.
    """
    scores = observation.scores
    if scores is None or may_show(track, observation, config):
        return False
    return diff.is_stirred(track.quad) and bool(np.exp(scores.max()) > config.sure)


def refreshed(track: Track, observation: Observation, config: LiveConfig) -> Track:
    """Return the track of a tile at rest after one more look. Its place moves a part of the way to
    that of the observation, and the reading is added unless it contradicts the earlier ones. A tile
    that was turned in its place lies as the observation shows it at once.

    Where the face was not read, only the centre moves, and the track keeps the shape of its quad:
    the detector alone may find too narrow a quad of a comodín, which has no upright direction.
    """
    moved = track.at(_place_of(track, observation))
    return (
        moved.with_reading(observation.reading) if may_show(track, observation, config) else moved
    )


def _place_of(track: Track, observation: Observation) -> Quad:
    """Return the quad, (4, 2) frame pixels, of a track that was found as `observation`."""
    if observation.reading is None:
        quad = (track.quad - track.quad.mean(axis=0)) + observation.quad.mean(axis=0)
    else:
        turned = as_turned(observation.quad, track.quad)
        if turned is not None:
            return turned
        quad = aligned(observation.quad, like=track.quad)
    return np.asarray((1 - SMOOTHING) * track.quad + SMOOTHING * quad, np.float32)


def as_turned(quad: Quad, before: Quad) -> Quad | None:
    """Return the quad, (4, 2), of a tile that lay at the quad `before` and was turned, with its
    corners numbered so that its top is one of the tile's short sides. None where the tile was not
    turned by TURNED_DEGREES or more; half a turn does not count.

    Both quads are compared in the plane of the table, which shows the tile's sides as they are.
    """
    to_plane = np.linalg.pinv(_sides(before))
    numbered = min(
        (quad, np.roll(quad, -1, axis=0)), key=lambda each: np.linalg.cond(to_plane @ _sides(each))
    )
    (a, b), (c, d) = (to_plane @ _sides(numbered)).tolist()
    degrees = np.degrees(np.arctan2(c - b, a + d))
    return numbered if abs((degrees + 90) % 180 - 90) >= TURNED_DEGREES else None


def _sides(quad: Quad) -> NDArray[np.float32]:
    """Return the vectors, as columns, by which a tile's width leads to the right and down on its
    face at the quad, (4, 2), in its reading direction.
    """
    top_left, top_right, bottom_right, bottom_left = quad
    right = (top_right + bottom_right - top_left - bottom_left) / 2
    down = (bottom_left + bottom_right - top_left - top_right) / 2
    return np.stack([right, down / np.float32(ASPECT)], axis=1)


def stacked(quads: Sequence[Quad]) -> NDArray[np.float32]:
    """Stack quads, (4, 2) each, into one (n, 4, 2) array; (0, 4, 2) where there are none."""
    return np.stack(quads) if quads else np.zeros((0, 4, 2), np.float32)


def aligned(quad: Quad, like: Quad) -> Quad:
    """Return the quad, (4, 2), with its corners renumbered so that it reads in the same direction
    as the quad `like`.
    """
    up = quad[0] + quad[1] - quad[2] - quad[3]
    wanted = like[0] + like[1] - like[2] - like[3]
    if float(up @ wanted) > SAME_DIRECTION * float(wanted @ wanted):
        return quad
    shape = like - like.mean(0)

    def error(turned: Quad) -> float:
        return float(np.abs((turned - turned.mean(0)) - shape).sum())

    return min((np.roll(quad, -turn, axis=0) for turn in range(4)), key=error)
