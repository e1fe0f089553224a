"""Finds the table again after the camera was nudged or turned, with the tiles as landmarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log

import numpy as np

from vision.live.change.alignment import Homography, estimate_motion, transform_points
from vision.live.tracking.look import Look, aligned
from vision.live.tracking.tracks import Observation, Track
from vision.matching import pair_off

REACH = 0.45  # tile widths between where a moved tile should be and where its face is seen
ROUNDS = 4  # of refitting: each may reach tiles further away than the fit before
FEWEST_MATCHES = 2
FEWEST_LANDMARKS = 3  # tiles by which a moved table is recognised
SURE_LANDMARK = log(0.95)  # log-probability of its face from which on a tile is surely read
NUDGE = 0.06  # tile widths: median displacement of all tiles above which the camera has moved

# Index of a known tile -> index of the observation that shows it.
Matches = dict[int, int]


def nudge(tracks: Mapping[int, Track], look: Look, tile_width: float) -> Homography | None:
    """The motion of the picture after a camera was nudged so little that `look` still matches
    `tracks`: (3, 3), from the places of the tracks to those that the look found, in frame pixels.
    None where the tiles lie in the picture as before.

    `tile_width` is in frame pixels.
    """
    old = [tracks[track].quad for track in look.matched]
    new = [observation.quad for observation in look.matched.values()]
    displacement = np.stack(new).mean(axis=1) - np.stack(old).mean(axis=1)
    if float(np.median(np.linalg.norm(displacement, axis=1))) <= NUDGE * tile_width:
        return None
    return estimate_motion(
        old, [aligned(after, like=was) for was, after in zip(old, new, strict=True)]
    )


def displaces(
    motion: Homography, tracks: Sequence[Track], tile_width: float, least: float = NUDGE
) -> bool:
    """Whether the (3, 3) `motion` moves most tracks by more than `least` tile widths. `tile_width`
    is in frame pixels. The usual limit, NUDGE, is above the detector's own error.

    Where the camera stood still and a hand covers many tiles, a motion may be found too, but it
    moves the tracks by less.
    """
    centres = np.stack([track.centre for track in tracks])
    distances = np.linalg.norm(transform_points(centres, motion) - centres, axis=1)
    return float(np.median(distances)) > least * tile_width


def landmarks_among(tracks: Sequence[Track]) -> Sequence[Track]:
    """The tracks by which to recognise the table: those whose face is surely read if there are
    enough of them, else all.

    On a printed cloth other figures pass for tiles in each view, but are hardly ever surely read.
    """
    sure = [track for track in tracks if track.scores.max() > SURE_LANDMARK]
    return sure if len(sure) >= FEWEST_LANDMARKS else tracks


def relocalise(
    tracks: Sequence[Track], observations: Sequence[Observation], least_share: float
) -> Homography | None:
    """The motion, (3, 3), that brings most of `tracks` onto observations of the same face; None
    where it does so for less than `least_share` (0..1) of the tracks.

    Each pair of a track and an observation of the same face proposes a similarity; the proposal
    with the most matches is refitted on all its matches. This is the hypothesise-and-verify search
    of RANSAC (Fischler & Bolles 1981), exhaustive because a table holds few tiles.
    """
    faces = [_likeliest_face(observation) for observation in observations]
    matches = _best_proposal(tracks, observations, faces)
    motion = None
    for _ in range(ROUNDS):
        motion = _fit(matches, tracks, observations)
        if motion is None:
            break
        grown = _match(motion, tracks, observations, faces)
        if len(grown) <= len(matches):
            break
        matches = grown
    if len(matches) < max(FEWEST_MATCHES, least_share * len(tracks)):
        return None
    return motion


def _likeliest_face(observation: Observation) -> int | None:
    """Return the likeliest face, an index into FACES; None where the observation was not read."""
    scores = observation.scores
    return None if scores is None else int(scores.argmax())


def _best_proposal(
    tracks: Sequence[Track], observations: Sequence[Observation], faces: Sequence[int | None]
) -> Matches:
    """Try the motion between each track and each observation of its face, and return the largest
    set of matches that one of these motions explains: index of a track -> index of an observation.
    `faces` are the observations' likeliest faces, None for an observation that was not read.
    """
    best: Matches = {}
    for track in tracks:
        for at, face in enumerate(faces):
            if face != track.face:
                continue
            motion = estimate_motion([track.quad], [observations[at].quad])
            if motion is None:
                continue
            matches = _match(motion, tracks, observations, faces)
            if len(matches) > len(best):
                best = matches
    return best


def _fit(
    matches: Matches, tracks: Sequence[Track], observations: Sequence[Observation]
) -> Homography | None:
    if not matches:
        return None
    old = [tracks[at].quad for at in matches]
    new = [observations[at].quad for at in matches.values()]
    return estimate_motion(old, new)


def _match(
    motion: Homography,
    tracks: Sequence[Track],
    observations: Sequence[Observation],
    faces: Sequence[int | None],
) -> Matches:
    """Pair tracks with observations. Returns a map from the index of a track to the index of its
    observation.

    The centre of each track is moved by `motion`, and the observation nearest to the moved centre
    is taken, if it is near enough and shows the face of the track. No observation is taken for two
    tracks. `faces` are the observations' likeliest faces; None for an observation that was not
    read.
    """
    moved = transform_points(np.stack([track.quad.mean(axis=0) for track in tracks]), motion)
    seen = np.stack([observation.quad.mean(axis=0) for observation in observations])
    distances = np.linalg.norm(moved[:, None] - seen[None], axis=2)
    nearest = [int(observation) for observation in distances.argmin(axis=1)]
    return pair_off(
        (index, nearest[index])
        for index, track in enumerate(tracks)
        if distances[index, nearest[index]] <= REACH * track.width
        and faces[nearest[index]] == track.face
    )
