"""How the known table moved in the picture, by what one look found of its tiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from vision.live.change.alignment import Homography, at_scale, fits_better_at_rest
from vision.live.change.difference import FrameDiff
from vision.live.settings import LiveConfig
from vision.live.tracking.look import Look
from vision.live.tracking.relocalise import (
    FEWEST_LANDMARKS,
    displaces,
    landmarks_among,
    nudge,
    relocalise,
)
from vision.live.tracking.tracks import Observation, Track

MATCHED = 0.6  # share of the tracks that a look must match to show the table where it is known


@dataclass(frozen=True)
class LookedAt:
    """The confirmed tracks by id, and what one look saw of them. `tile_width` is in frame pixels,
    and `diff` is the difference between the frame looked at and the known table.
    """

    tracks: Mapping[int, Track]
    look: Look
    diff: FrameDiff
    tile_width: float
    config: LiveConfig
    is_lost: bool  # whether the table has to be found again in the picture

    @property
    def shows_table(self) -> bool:
        """Whether so many tracks were found in their places that the table lies there."""
        return len(self.look.matched) >= MATCHED * len(self.tracks)

    def find_motion(
        self, observations: list[Observation], read_all: Callable[[], list[Observation]]
    ) -> tuple[Homography | None, list[Observation]]:
        """Return two things: the motion of the table beyond the known motion of the camera, (3, 3),
        and the observations. The first is None where the table did not move, or no motion is found.
        Where too few tracks are found in their places, but enough faces are seen, all faces are
        read again by `read_all`, and the observations returned are the new ones.
        """
        tracks = list(self.tracks.values())
        if len(tracks) < FEWEST_LANDMARKS:
            return None, observations
        if self.shows_table:
            motion = nudge(self.tracks, self.look, self.tile_width)
            return None if self._stands(motion) else motion, observations
        landmarks = landmarks_among(tracks)
        least_share = self.config.moved_camera
        if len(observations) < least_share * len(landmarks):
            return None, observations
        observations = read_all()
        motion = relocalise(landmarks, observations, least_share)
        if motion is not None and not displaces(motion, tracks, self.tile_width):
            motion = None
        return None if self._stands(motion) else motion, observations

    def _stands(self, motion: Homography | None) -> bool:
        """Whether the camera stands where it stood although most tiles moved by `motion`, (3, 3),
        as they do where somebody slides the meld that holds them: more of the table looks as before
        than fits the motion, or a tile still lies unchanged where the motion takes it away.

        False where `motion` is None. False also while the table is lost, since nothing is known
        then of what the picture showed before.
        """
        if motion is None or self.is_lost:
            return False
        diff = self.diff
        if fits_better_at_rest(diff.known, diff.now, at_scale(motion, diff.scale)):
            return True
        still = [
            track
            for track in (self.tracks[name] for name in self.look.matched)
            if not diff.is_stirred(track.quad)
        ]
        return bool(still) and displaces(motion, still, self.tile_width, self.config.same_place)
