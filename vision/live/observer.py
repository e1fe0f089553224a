"""Keeps the tracks: looks where the gate says so, and follows the table when the camera is
nudged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log

import cv2
import numpy as np

from vision.live.foreign import BODY_MARGIN, Foreign, covered_share, find_foreign, grown, shadows
from vision.live.gate import Gate, Glance
from vision.live.moves import pair_moved
from vision.live.pending import Pending
from vision.live.plates import RGB, Mask
from vision.live.refind import Homography, fit, moved, refind
from vision.live.settings import LiveConfig
from vision.live.tracks import (
    Eyes,
    Look,
    Seen,
    Stir,
    Track,
    aligned,
    compare,
    find,
    may_be,
    nearest,
)
from vision.quads import Quad

SMOOTHING = 0.3  # share of a new quad in that of a tile at rest
NUDGE = 0.06  # widths: median displacement of all tiles above which the camera has moved
MATCHED = 0.6  # share of tiles that must still be matched to tell a nudge from their displacement
FEWEST = 3  # tiles by which a moved table is recognised
LANDMARK = log(0.95)  # log-probability of its face from which on a tile is one of them
FALLBACK_WIDTH = 1 / 30  # of the picture: a tile's width before any was seen
NEAR_HAND, UNDER_THING = 0.05, 0.3  # shares of a place above which nothing is decided there
CARRIED = 0.7  # share of what is around a tile, that came with it


@dataclass(frozen=True)
class Settlement:
    """`touched`: tracks that came or lie elsewhere; `late`: those of them that lay there all
    along, only unseen; `carried`: those that came together with all that is around them;
    `seen`: tracks found in their place when the rest was decided.
    """

    touched: set[int] = field(default_factory=set)
    late: set[int] = field(default_factory=set)
    carried: set[int] = field(default_factory=set)
    seen: set[int] = field(default_factory=set)


class Observer:
    """Mutable: tracks by id, and what is not yet decided about them. Quads are in pixels of the
    pictures given.
    """

    def __init__(self, eyes: Eyes, config: LiveConfig) -> None:
        self.tracks: dict[int, Track] = {}
        self.motion: Homography | None = None  # of the table in the picture, in the latest look
        self.absorbed = float("-inf")  # when something at rest last became scenery
        self.lost = False  # whether the table has to be found again in the picture
        self.gate, self.pending = Gate(config), Pending(config)
        self._eyes, self._config = eyes, config
        self._hand_since: float | None = None
        self._covered_since: float | None = (
            None  # when tiles were first missed that may only be hidden
        )
        self._next = 1
        self._time = 0.0  # of the latest look
        self._stir: Stir | None = None
        self._seen: set[int] = set()  # tracks that the latest look found in their place
        self._foreign: Foreign | None = None

    def rescale(self, factor: float) -> None:
        """The pictures have another size from now on; what they show may lie elsewhere in them,
        too.
        """
        for track in self.tracks.values():
            track.quad = (track.quad * factor).astype(np.float32)
        self.pending.clear()
        self.lost = bool(self.tracks)

    def forget(self) -> None:
        """The table cannot be found again: what is seen from now on is another one."""
        self.tracks.clear()
        self.lost = False

    def look(self, picture: RGB, glance: Glance, time: float, at_once: bool = False) -> bool:
        """Look once; whether what is pending may be settled now. `at_once`: believe what moves and
        what is near a hand, too.
        """
        stir = self._compare_pictures(glance.changed, glance.scale)
        seen = find(self._eyes, picture, self._known(), stir, self._config)
        look = compare(seen, list(self.tracks.values()), stir, self._config)
        self.motion, seen = self._table_motion(picture, seen, look, stir)
        if self.motion is not None:
            stir = self._follow(glance.scale)
            look = compare(seen, list(self.tracks.values()), stir, self._config)
        self.lost = self.lost and len(look.same) < MATCHED * len(self.tracks)
        if self.lost:
            return False
        foreign = self._find_foreign(stir.substance, look, stir)
        self._stir, self._seen, self._foreign, self._time = stir, set(look.same), foreign, time
        self._count(look, foreign, stir, time, at_once)
        quiet = self.gate.is_calm(
            time
        )  # half a shadow on its way would stay in the memory, with hard edges
        if quiet and not self.pending.outstanding and not foreign.everything().any():
            self.gate.accept(self._undecided(), self._time)
        self._absorb(foreign, time)
        return not self._is_held(foreign, time) and self.pending.settled(time)

    def settle(self, everything: bool = False) -> Settlement:
        """Make believed what enough looks agree on (`everything`: a single look will do). A tile
        gone from one place and come at another keeps its identity.
        """
        assert self._stir is not None and self._foreign is not None
        new, gone = (
            (self.pending.new, list(self.pending.absent)) if everything else self.pending.believed()
        )
        left = [self.tracks.pop(id) for id in gone]
        origins = pair_moved(left, new)
        exchanged = (
            nearest(np.stack([track.quad for track in new]), left, self._config.same_place)
            if new
            else {}
        )
        settlement = Settlement(seen=set(self._seen))
        for i, track in enumerate(new):
            origin = origins.get(i)
            track.id = self._next if origin is None else origin.id
            if origin is None:
                self._next += 1
            else:
                track.inherit(origin)
            self.tracks[track.id] = track
            self._seen.add(track.id)
            settlement.touched.add(track.id)
            if origin is None and i not in exchanged and self._stir.shows_as_before(track.quad):
                settlement.late.add(track.id)
        settlement.carried.update(self._carried(settlement.touched))
        self.pending.drop(new, gone)
        self.gate.accept(self._undecided(), self._time)
        return settlement

    def _carried(self, ids: set[int]) -> set[int]:
        """Those around which nothing is as it was, beyond where tiles' sides and shadows fall."""
        assert self._stir is not None
        margin, tiles = BODY_MARGIN * self._width(0), [track.quad for track in self.tracks.values()]
        return {
            id
            for id in ids
            if self._stir.renewed_around(self.tracks[id].quad, margin, tiles) >= CARRIED
        }

    def _undecided(self) -> Mask:
        """Where the memory may not be renewed: under hands and things, where something moves,
        where tiles wait or are missed.
        """
        assert self._stir is not None and self._foreign is not None
        mask = cv2.bitwise_or(self._foreign.everything(), self.gate.busy(self._time))
        missed = [
            track.quad
            for id, track in self.tracks.items()
            if id not in self._seen and self._stir.touches(track.quad)
        ]
        for quad in [*self.pending.waiting, *missed, *(track.quad for track in self.pending.new)]:
            small = grown(quad / self._stir.scale, self._width(0) / self._stir.scale / 2)
            cv2.fillConvexPoly(mask, np.round(small).astype(np.int32), 255)
        return mask

    def _known(self) -> list[Track]:
        return [*self.tracks.values(), *self.pending.new]

    def _compare_pictures(self, changed: Mask, scale: float) -> Stir:
        known, now = self.gate.lighting()
        light = shadows(known, now) if changed.any() else np.zeros_like(changed)
        substance = cv2.bitwise_and(changed, cv2.bitwise_not(light))
        return Stir(changed, substance, known, now, scale, self._config)

    def _width(self, picture_width: float) -> float:
        widths = [track.width for track in self._known()]
        return float(np.median(widths)) if widths else FALLBACK_WIDTH * picture_width

    def _table_motion(
        self, picture: RGB, seen: list[Seen], look: Look, stir: Stir
    ) -> tuple[Homography | None, list[Seen]]:
        """How the table moved in the picture, None where it did not; and the faces seen, all of
        them read if that was needed.
        """
        count = len(self.tracks)
        if count < FEWEST:
            return None, seen
        if len(look.same) >= MATCHED * count:
            old = np.stack([self.tracks[id].quad for id in look.same])
            new = np.stack([one.quad for one in look.same.values()])
            apart = np.linalg.norm(new.mean(axis=1) - old.mean(axis=1), axis=1)
            if float(np.median(apart)) <= NUDGE * self._width(0):
                return None, seen
            return fit(list(old), [aligned(*pair) for pair in zip(new, old, strict=True)]), seen
        landmarks = self._landmarks()
        if len(seen) < self._config.moved_camera * len(landmarks):
            return None, seen
        seen = find(self._eyes, picture, self._known(), stir, self._config, read_all=True)
        motion = refind(landmarks, seen, self._config.moved_camera)
        return (motion if motion is not None and self._moves(motion) else None), seen

    def _landmarks(self) -> list[Track]:
        """Tiles to know the table by: those surely read, if there are some. Of a printed cloth
        other figures pass for tiles in each view, but hardly ever surely.
        """
        known = list(self.tracks.values())
        sure = [track for track in known if track.read_scores().max() > LANDMARK]
        return sure if len(sure) >= FEWEST else known

    def _moves(self, motion: Homography) -> bool:
        """Not so where a hand covers much and what it leaves lies as it lay."""
        centres = np.stack([track.quad.mean(axis=0) for track in self.tracks.values()])
        return float(
            np.median(np.linalg.norm(moved(centres, motion) - centres, axis=1))
        ) > NUDGE * self._width(0)

    def _follow(self, scale: float) -> Stir:
        """Take the memory where the table is now; that of a picture of another size has begun
        anew.
        """
        assert self.motion is not None
        if not self.lost:
            self.gate.move(self.motion, scale)
        self.pending.clear()
        for track in self.tracks.values():
            track.quad = moved(track.quad, self.motion)
        return self._compare_pictures(self.gate.changed(), scale)

    def _find_foreign(self, change: Mask, look: Look, stir: Stir) -> Foreign:
        explained = [one.quad for one in look.new] + [self.tracks[id].quad for id in look.absent]
        explained += [one.quad for one in look.same.values() if stir.touches(one.quad)]
        explained += [
            track.quad for track in self.pending.new
        ]  # a tile that this look missed is nothing foreign
        width = self._width(stir.changed.shape[1] * stir.scale) / stir.scale
        return find_foreign(change, [quad / stir.scale for quad in explained], width, self._config)

    def _count(self, look: Look, foreign: Foreign, stir: Stir, time: float, at_once: bool) -> None:
        reach = max(int(2 * self._config.beside * self._width(0) / stir.scale), 1)
        hands = cv2.dilate(foreign.hands, np.ones((reach, reach), np.uint8))
        hands = cv2.bitwise_or(hands, self.gate.busy(time))

        def blocked(quad: Quad) -> bool:
            small = quad / stir.scale
            if at_once:
                return False
            return (
                covered_share(hands, small) > NEAR_HAND
                or covered_share(foreign.things, small) > UNDER_THING
            )

        cover = self._cover(look, stir, time)

        def hidden(quad: Quad) -> bool:
            return blocked(quad) or (
                not at_once and covered_share(cover, quad / stir.scale) > NEAR_HAND
            )

        self.pending.take(look, self.tracks, blocked, hidden, time)
        for id, one in look.same.items():
            if not blocked(one.quad):
                self._refresh(self.tracks[id], one)

    def _cover(self, look: Look, stir: Stir, time: float) -> Mask:
        """Large changes, were they light alone: a pale hand on a grey table looks like a shadow,
        and what it hides is not gone.
        """
        if not look.absent:
            self._covered_since = None
            return np.zeros_like(stir.changed)
        self._covered_since = time if self._covered_since is None else self._covered_since
        if time - self._covered_since > self._config.pale_hold:
            return np.zeros_like(stir.changed)
        return self._find_foreign(stir.changed, look, stir).hands

    def _refresh(self, track: Track, seen: Seen) -> None:
        """A tile at rest: its place follows slowly, a reading is added unless it contradicts all
        before. Its shape is known by reading it: what is found of a comodín, that has no
        upright, may be narrow.
        """
        here = track.quad - track.quad.mean(axis=0)
        quad = (
            here + seen.quad.mean(axis=0)
            if seen.reading is None
            else aligned(seen.quad, track.quad)
        )
        track.quad = ((1 - SMOOTHING) * track.quad + SMOOTHING * quad).astype(np.float32)
        if seen.reading is not None and may_be(track, seen, self._config):
            track.add(seen.reading)

    def _absorb(self, foreign: Foreign, time: float) -> None:
        """Things at rest become scenery; a hand does so only after long, and will leave again."""
        for mask, rest in (
            (foreign.things, self._config.small_hold),
            (foreign.hands, self._config.hold),
        ):
            still = cv2.bitwise_and(mask, cv2.bitwise_not(self.gate.busy(time, rest)))
            if still.any():
                self.gate.absorb(
                    cv2.dilate(still, np.ones((5, 5), np.uint8)), hand=mask is foreign.hands
                )
                self.absorbed = time

    def _is_held(self, foreign: Foreign, time: float) -> bool:
        """Whether a hand in view keeps everything waiting."""
        if not foreign.hand_in_view:
            self._hand_since = None
            return False
        if self._hand_since is None:
            self._hand_since = time
        return time - self._hand_since < self._config.hold
