"""Keeps the tracks: looks for tiles where the picture changed and lies still again, and follows the
table when the camera is nudged.

A `look` tells how the faces in the latest frame match the tracks; `diff` is the difference between
that frame and the known table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

import numpy as np

from engine.tiles import Tile
from vision.live.change.alignment import Homography, transform_points
from vision.live.change.difference import FrameDiff
from vision.live.change.gate import ChangeGate, Glance
from vision.live.change.occluders import BODY_MARGIN, Occluders, find_occluders
from vision.live.change.steadying import EYE
from vision.live.eyes import Eyes
from vision.live.pictures import RGB, Mask
from vision.live.settings import LiveConfig
from vision.live.tracking.blocking import BlockedPlaces
from vision.live.tracking.look import (
    Look,
    compare,
    nearest_tracks,
    observe,
    refreshed,
    stacked,
)
from vision.live.tracking.masks import at_faces, at_rest, near_hands, with_surroundings
from vision.live.tracking.moves import pair_moved
from vision.live.tracking.occlusion import OcclusionTimer
from vision.live.tracking.outcomes import Confirmation, LookOutcome
from vision.live.tracking.relocalise import displaces
from vision.live.tracking.table_motion import LookedAt
from vision.live.tracking.tentative import TentativeTracks
from vision.live.tracking.tracks import Observation, Track

FALLBACK_WIDTH = 1 / 30  # of the picture's width: a tile's width before any tile was seen
SETTLED = 0.15  # tile widths that the picture may have moved before the known tiles are moved, too
CARRIED = 0.7  # share of a tile's surroundings that has to be new where the tile came with them


@dataclass(frozen=True)
class _LatestLook:
    """What the latest look saw; it is needed again when the changes that it shows are confirmed."""

    diff: FrameDiff
    occluders: Occluders
    matched: frozenset[int]  # ids of the tracks that were found in their places
    time: float  # of the frame, in seconds


class Observer:
    """Owns the tracks, all that is not decided yet, and the gate, which compares each frame with
    the known table. Mutable. Quads are (4, 2) pixels of the frames given; times are in seconds.
    """

    def __init__(self, eyes: Eyes, config: LiveConfig) -> None:
        self._eyes, self._config = eyes, config
        self._gate = ChangeGate(config)
        self._tentative = TentativeTracks(config)
        self._timer = OcclusionTimer(config)
        self._tracks: dict[int, Track] = {}
        self._next_id = 1
        self._latest: _LatestLook | None = None
        self._last_absorbed = float("-inf")
        self._is_lost = False

    @property
    def tracks(self) -> Mapping[int, Track]:
        """The confirmed tracks by id, as a view that always shows the present ones."""
        return MappingProxyType(self._tracks)

    @property
    def is_lost(self) -> bool:
        """Whether the table has to be found again in the picture."""
        return self._is_lost

    @property
    def last_motion(self) -> float:
        """When anything last moved, in seconds; minus infinity before the first motion."""
        return self._gate.last_motion

    @property
    def last_absorbed(self) -> float:
        """When something at rest last became scenery, in seconds; minus infinity before that first
        happens.
        """
        return self._last_absorbed

    @property
    def has_counts(self) -> bool:
        """Whether any tile seems to have come or gone."""
        return self._tentative.has_counts

    @property
    def is_undecided(self) -> bool:
        """Whether a decision is awaited: a tile seems to have come or gone, or may have done so at
        a place where a hand or an object is in the way.
        """
        return self._tentative.is_undecided

    def is_calm(self, time: float) -> bool:
        """Whether nothing has moved for `LiveConfig.calm` seconds, not even single cells of the
        picture.
        """
        return self._gate.is_calm(time)

    def has_moving_things(self, time: float) -> bool:
        """Whether anything larger than flicker has moved in the last `LiveConfig.calm` seconds
        before `time`.
        """
        return bool(self._gate.moved_lately(time).any())

    def see(self, frame: RGB, time: float) -> Glance:
        """Compare one (h, w, 3) RGB frame, taken at `time` in seconds, with the known table. The
        Glance returned tells where they differ, whether anything moves, and whether it is time to
        look.
        """
        return self._gate.see(frame, time)

    def drop_counts(self) -> None:
        """Forget which tiles seemed to have come or gone, because nothing differs from the known
        table any more.
        """
        self._tentative.clear()

    def set_user_label(self, track: int, tile: Tile) -> None:
        """Note that a person says that `track` is `tile`; this holds as long as the track
        exists.
        """
        self._tracks[track] = replace(self._tracks[track], user_label=tile)

    def rescale(self, factor: float) -> None:
        """Note that from now on the sides of frames are `factor` times as long, and that the table
        may lie elsewhere in them.
        """
        for name, track in self._tracks.items():
            self._tracks[name] = track.at((track.quad * factor).astype(np.float32))
        self._tentative.clear()
        self._is_lost = bool(self._tracks)
        if self._is_lost:
            self._gate.lose(factor)

    def forget(self) -> None:
        """Give up the known table: what is seen from now on is another one."""
        self._tracks.clear()
        self._tentative.clear()
        if self._is_lost:
            self._gate.forget_lost()
        else:
            self._gate.begin_anew()
        self._is_lost = False

    def look(self, picture: RGB, glance: Glance, time: float, at_once: bool) -> LookOutcome:
        """Look once at the (h, w, 3) picture, taken at `time` in seconds. The LookOutcome tells
        whether what is undecided may be confirmed now, and how the table moved. `glance` is what
        `see` returned for the picture.

        With `at_once`, tiles that move or lie near a hand are counted too.
        """
        diff, look, motion = self._compared(picture, glance)
        if self._is_lost:
            if not self._looked_at(look, diff).shows_table:
                return LookOutcome(False, motion)
            motion = self._find_again(glance, motion, time)
            found = replace(glance, changed=self._gate.changed(), motion=EYE)
            diff, look, further = self._compared(picture, found)
            motion = motion if further is None else further @ motion
        occluders = self._find_occluders(diff.substance, look, diff)
        occluders = occluders.with_things_at_rest(
            self._gate.moved_lately(time, self._config.thing_rest)
        )
        self._latest = _LatestLook(diff, occluders, frozenset(look.matched), time)
        moving = self._gate.moved_lately(time, self._config.hand_rest)
        self._timer.update(occluders.has_hand_at_work(moving), bool(look.missing), time)
        self._count(look, diff, occluders, time, at_once)
        ready = not self._timer.is_held(time) and self._tentative.is_ready(time)
        return LookOutcome(ready, motion, len(look.matched), len(look.missing))

    def learn(self) -> None:
        """Take what the latest look saw as known, where all is calm and decided, and what has come
        to rest as scenery. `look` has to be called before this method.
        """
        latest = self._latest
        assert latest is not None, "look() comes first"
        self._learn_table(latest)
        self._absorb(latest.occluders, latest.time)

    def _find_again(self, glance: Glance, motion: Homography | None, time: float) -> Homography:
        """Go on with the lost table, whose tracks were matched in the latest frame, taken at `time`
        in seconds. `glance` tells how that frame differs from the known table, and `motion`, (3,
        3), how the tracks were moved to match; None where they match without. Returns the motion of
        the table, from where the tracks were to where they lie in the latest frame.
        """
        if motion is None:
            motion = glance.motion
            self._follow(motion, glance.scale)
        self._gate.find(time)
        self._is_lost = False
        return motion

    def _compared(self, picture: RGB, glance: Glance) -> tuple[FrameDiff, Look, Homography | None]:
        """Compare the picture with the known table, and follow the table where it moved. Returns
        three things: the difference between the two; the look, which matches faces with tracks; and
        the motion of the table, (3, 3) in frame pixels, None where it did not move.
        """
        diff = self._diff(glance.changed, glance.scale)
        see = partial(
            observe, self._eyes, picture, self._candidates(), diff, self._config, glance.motion
        )
        observations = see()
        look = self._compare(observations, diff)
        looked_at = self._looked_at(look, diff)
        found, observations = looked_at.find_motion(observations, partial(see, read_all=True))
        if found is None:
            return diff, look, None
        motion = glance.motion @ found
        self._tentative.clear()
        self._follow(motion, glance.scale)
        observations = [observation.moved(glance.motion) for observation in observations]
        diff = self._diff(self._gate.changed(), glance.scale)
        return diff, self._compare(observations, diff), motion

    def settle(self, glance: Glance, time: float) -> Homography | None:
        """If nothing moves and the camera has moved noticeably since the known table was seen, move
        all tracks and the known table to where they are seen now.

        `glance` tells how the latest frame, taken at `time`, differs from the known table. Returns
        the motion, (3, 3), from pixels of the known table to those of the frame; None where nothing
        is moved.
        """
        if self._is_lost or not self._tracks or self.has_moving_things(time):
            return None
        if not displaces(glance.motion, list(self._tracks.values()), self._tile_width(), SETTLED):
            return None
        self._follow(glance.motion, glance.scale)
        return glance.motion

    def confirm(self, everything: bool) -> Confirmation:
        """Confirm that tiles came or are gone: those on which enough looks agree, or with
        `everything` all that seem to have. Return the ids of the tracks that came or moved, and of
        those that were found in their place.

        A tile that is gone from one place and has come at another keeps its identity. `look` has to
        be called before this method.
        """
        latest = self._latest
        assert latest is not None, "look() comes first"
        if everything:
            new, gone = self._tentative.new, self._tentative.missing
        else:
            new, gone = self._tentative.confirmed()
        left = [self._tracks.pop(track) for track in gone]
        origins = pair_moved(left, new)
        exchanged = nearest_tracks(
            stacked([track.quad for track in new]), left, self._config.same_place
        )
        touched: set[int] = set()
        found_late: set[int] = set()
        seen: dict[int, float] = {}
        for at, tentative in enumerate(new):
            track = self._keep(tentative, origins.get(at))
            touched.add(track.id)
            seen[track.id] = self._tentative.first_seen(tentative)
            is_unexpected = at in origins or at in exchanged
            if not is_unexpected and latest.diff.looks_as_before(track.quad):
                found_late.add(track.id)
        carried = self._carried(touched, latest.diff)
        self._tentative.drop(new, gone)
        undecided = self._undecided(latest, latest.matched | touched)
        faces = [self._tracks[track].quad for track in touched]
        laid = at_faces(faces, latest.diff.changed, latest.diff.scale)
        self._gate.accept(undecided, latest.time, laid)
        return Confirmation(
            frozenset(touched), frozenset(found_late), frozenset(carried), latest.matched, seen
        )

    def _keep(self, tentative: Track, origin: Track | None) -> Track:
        """Add a new track to the confirmed ones, and return it. Its id is that of `origin`, the
        track of the same tile in its former place; a new id where `origin` is None.
        """
        if origin is not None:
            track = tentative.as_moved_from(origin)
        else:
            track = replace(tentative, id=self._next_id)
            self._next_id += 1
        self._tracks[track.id] = track
        return track

    def _carried(self, tracks: Iterable[int], diff: FrameDiff) -> set[int]:
        """Return those of `tracks` that lie on something that was carried in: the picture changed
        all around them, beyond where sides and shadows of tiles fall.
        """
        margin = BODY_MARGIN * self._tile_width()
        quads = [track.quad for track in self._tracks.values()]
        return {
            track
            for track in tracks
            if diff.renewed_around(self._tracks[track].quad, margin, quads) >= CARRIED
        }

    def _candidates(self) -> list[Track]:
        """All tracks that a face in the picture may belong to, confirmed or not."""
        return [*self._tracks.values(), *self._tentative.new]

    def _compare(self, observations: list[Observation], diff: FrameDiff) -> Look:
        return compare(observations, list(self._tracks.values()), diff, self._config)

    def _looked_at(self, look: Look, diff: FrameDiff) -> LookedAt:
        tile_width = self._tile_width()
        return LookedAt(self._tracks, look, diff, tile_width, self._config, self._is_lost)

    def _diff(self, changed: Mask, scale: float) -> FrameDiff:
        known, now = self._gate.pictures()
        resting = self._gate.resting()
        return FrameDiff.between(known, now, changed, scale, self._config, resting)

    def _tile_width(self, picture_width: float = 0.0) -> float:
        """Median width of all tiles, in frame pixels; before any tile is seen, a fixed part of
        `picture_width`.
        """
        widths = [track.width for track in self._candidates()]
        return float(np.median(widths)) if widths else FALLBACK_WIDTH * picture_width

    def _follow(self, motion: Homography, scale: float) -> None:
        """Move the tracks, the tentative tiles and the pictures that the gate knows to where the
        table is now: `motion`, (3, 3), maps pixels of the known table to those of the latest frame,
        and `scale` frame pixels make one small pixel.

        While the table is lost only the picture of it that the gate has put aside is moved: the
        gate began anew when the table was lost, and its other pictures are of the present.
        """
        if self._is_lost:
            self._gate.move_lost(motion)
        else:
            self._gate.follow(motion, scale)
        self._tentative.follow(motion)
        for name, track in self._tracks.items():
            self._tracks[name] = track.at(transform_points(track.quad, motion))

    def _find_occluders(self, change: Mask, look: Look, diff: FrameDiff) -> Occluders:
        """The occluders in `change`, the (h, w) mask of where the small picture changed: all that
        no tile explains. A tile that seems to have come explains its place even if this look missed
        it.
        """
        explained = [observation.quad for observation in look.new]
        explained += [self._tracks[track].quad for track in look.missing]
        explained += [
            observation.quad
            for observation in look.matched.values()
            if diff.is_stirred(observation.quad)
        ]
        explained += [track.quad for track in self._tentative.new]
        width = self._tile_width(diff.changed.shape[1] * diff.scale) / diff.scale
        small = [quad / diff.scale for quad in explained]
        return find_occluders(change, small, width, self._config)

    def _count(
        self, look: Look, diff: FrameDiff, occluders: Occluders, time: float, at_once: bool
    ) -> None:
        """Count the tiles that the look found or missed, except at places near hands, under objects
        or where something moves; with `at_once` also there. A tile of which an arm at rest hides a
        part stays as it was known: the look shows only the rest of it, as a narrower tile beside
        its place.
        """
        if at_once:
            blocked = BlockedPlaces.nowhere(diff.changed, diff.scale)
        else:
            reach = self._config.beside * self._tile_width() / diff.scale
            hands = near_hands(occluders.hands, self._gate.moved_lately(time), reach)
            cover = self._cover(look, diff, time)
            blocked = BlockedPlaces(hands, occluders.objects, cover, diff.scale)
        self._tentative.count(look, self._tracks, blocked.is_blocked, blocked.may_hide, time)
        for name, observation in look.matched.items():
            track = self._tracks[name]
            if not (blocked.is_blocked(observation.quad) or diff.is_partly_hidden(track.quad)):
                self._tracks[name] = refreshed(track, observation, self._config)

    def _cover(self, look: Look, diff: FrameDiff, time: float) -> Mask:
        """Mask (h, w) of large things in the small picture that may hide the tiles that this look
        did not find. They are in the mask even where only the light seems to have changed, since a
        pale hand on a grey table looks like a shadow. The mask is empty where no tile is missed,
        and once tiles have been missed for more than `LiveConfig.pale_hold` seconds.
        """
        if not self._timer.may_be_covered(time):
            return np.zeros_like(diff.changed)
        return self._find_occluders(diff.changed, look, diff).hands

    def _learn_table(self, latest: _LatestLook) -> None:
        """Replace the known table by what the latest look saw, once all is calm and decided and
        nothing lies over the table.

        While something moves, half of a passing shadow would stay in the known picture, with hard
        edges.
        """
        if not self._gate.is_calm(latest.time) or self._tentative.is_undecided:
            return
        if not latest.occluders.everything().any():
            self._gate.accept(self._undecided(latest, latest.matched), latest.time)

    def _undecided(self, latest: _LatestLook, matched: frozenset[int]) -> Mask:
        """Mask (h, w) of where the known table must stay as it is: under hands and objects, where
        something moves, where tiles wait to be confirmed, and where tracks other than `matched` are
        missed.
        """
        diff = latest.diff
        covered = latest.occluders.everything() | self._gate.moved_lately(latest.time)
        quads = [*self._tentative.blocked, *(track.quad for track in self._tentative.new)]
        quads += [
            track.quad
            for name, track in self._tracks.items()
            if name not in matched and diff.is_stirred(track.quad)
        ]
        margin = self._tile_width() / diff.scale / 2
        return with_surroundings(covered, quads, margin, diff.scale)

    def _absorb(self, occluders: Occluders, time: float) -> None:
        """Turn objects into scenery soon after they have come to rest, and hands only after a long
        rest. `time` is the present, in seconds.
        """
        self._absorb_still(occluders.objects, self._config.small_hold, time, hand=False)
        self._absorb_still(occluders.hands, self._config.hold, time, hand=True)

    def _absorb_still(self, mask: Mask, rest: float, time: float, hand: bool) -> None:
        """Make scenery of the part of `mask`, (h, w), that has not moved for `rest` seconds before
        `time`. `hand` tells whether a hand lies there, and not another thing.
        """
        still = at_rest(mask, self._gate.moved_lately(time, rest))
        if still.any():
            self._gate.absorb(still, hand=hand)
            self._last_absorbed = time
