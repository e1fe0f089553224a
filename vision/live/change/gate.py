"""The gate tells which frames are worth a look: where a frame differs from the known table, that
is, the table as it was last understood, and whether what differs has come to rest.

Hands and things that rest on the table become scenery: they count as no change any more, and the
table beneath them stays known. The gate works on small pictures whose overall light is evened out,
so that an unchanged frame costs about a millisecond.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.change.alignment import Homography, at_scale, enlargement, refine_motion
from vision.live.change.light import gain_between, in_light_of
from vision.live.change.motion import MotionMonitor
from vision.live.change.occluders import arms_among
from vision.live.change.reference import ReferenceImage
from vision.live.change.steadying import Steadier, shrink
from vision.live.pictures import RGB, Mask
from vision.live.settings import LiveConfig

# Levels between the darkest and the brightest place; with less the picture shows nothing at all.
LEAST_CONTRAST = 32
# After a step larger than LARGE_STEP, in small pixels, the camera is searched for again from where
# it was found, up to MOST_STEPS times: the first search of a large step is less exact.
MOST_STEPS, LARGE_STEP = 3, 1.0
SAMPLING = 6  # every 6th small pixel each way tells whether the picture has colours


@dataclass(frozen=True)
class Glance:
    """How one frame compares with the known table: where the two differ, whether anything moves,
    whether it is time to look, and how the camera has moved since the known table was seen.
    """

    changed: Mask  # (h, w) of the small picture
    ready: bool  # whether some changed place has been still long enough to be looked at
    moving: bool  # whether anything moves anywhere
    scale: float  # frame pixels that make one small pixel
    motion: Homography  # (3, 3): maps pixels of the known table to those of the frame


@dataclass(frozen=True)
class _Images:
    """The small pictures that the gate compares, all of one size and aligned with the known table.
    Only the gate changes their pixels.
    """

    clear: ReferenceImage  # the table as understood, with nothing lying over it
    scenery: ReferenceImage  # `clear`, with hands and objects that have come to rest on it
    now: ReferenceImage  # the latest picture, in the light of `clear`
    raw: RGB  # the latest picture in its own light
    is_grey: bool
    resting_hands: Mask  # where `scenery` shows a hand that will leave again


@dataclass(frozen=True)
class _Lost:
    """The known table as it was before frames took another size, and the homography (3, 3) that
    takes its small pixels to the places where the table lies in the frame, as far as is known.
    """

    images: _Images
    place: Homography


class ChangeGate:
    """Compares each frame with the known table, and tells when a look is worth while. Mutable;
    owned by the observer.
    """

    def __init__(self, config: LiveConfig) -> None:
        self._config = config
        self._motion = MotionMonitor(config)
        self._steadier = Steadier()
        self._known: _Images | None = None
        self._lost: _Lost | None = None
        self._frame: RGB = np.zeros((0, 0, 3), np.uint8)  # the latest, as it came

    @property
    def last_motion(self) -> float:
        """When anything last moved, in seconds; minus infinity before the first motion."""
        return self._motion.last_motion

    def see(self, frame: RGB, time: float) -> Glance:
        """Compare one (h, w, 3) RGB frame, taken at `time` in seconds, with the known table. The
        Glance returned tells where they differ, whether anything moves, and whether it is time to
        look.

        The frame itself becomes the known table if it is the first one, if its size differs from
        the last frame's, or if it has colours and the last one had none, or the other way round. A
        frame that shows nothing, as of a covered lens, counts as the last one in that.
        """
        factor = shrink_factor(frame, self._config.small_side)
        self._frame = frame
        small = self._steadier.shrunk(frame, factor)
        known = self._known
        is_grey = _is_grey(small) if known is None or _shows_something(small) else known.is_grey
        if known is None or known.raw.shape != small.shape or known.is_grey != is_grey:
            small = shrink(frame, factor)
            known = self._begin(small, is_grey, time)
        self._known = replace(known, now=in_light_of(known.clear, small), raw=small)
        changed = self.changed()
        if self._motion.cells(changed).any():
            self._follow_camera(factor)
            self._tolerate()
            changed = self.changed()
        self._motion.watch(self._images().now, time)
        cells = self._motion.cells(changed)
        ready = bool(cells.any()) and bool((cells & self._motion.still_cells(time)).any())
        return Glance(changed, ready, self._motion.is_moving, factor, self._steadier.motion)

    def is_calm(self, time: float) -> bool:
        """Whether nothing has moved anywhere for `LiveConfig.calm` seconds."""
        return time - self.last_motion >= self._config.calm

    def moved_lately(self, time: float, within: float | None = None) -> Mask:
        """Mask (h, w), in small pixels, of where a thing has moved in the last `within` seconds
        before `time`; `LiveConfig.calm` seconds if `within` is None.
        """
        return self._motion.moved_lately(time, self._config.calm if within is None else within)

    def changed(self) -> Mask:
        """Mask (h, w), in small pixels, of where the latest frame differs from the known table, and
        from the scenery too.
        """
        images = self._images()
        return self._motion.significant(
            cv2.min(images.now.difference(images.clear), images.now.difference(images.scenery))
        )

    def resting(self) -> Mask:
        """Mask (h, w), in small pixels, of arms that have come to rest and lie over the known table
        in the latest frame. An arm that stirs a little where it rests is in the mask as a whole,
        with its edges that lie elsewhere now.
        """
        images = self._images()
        unstirred = cv2.bitwise_and(self._unstirred(), images.resting_hands)
        return arms_among(self._differs(), unstirred)

    def pictures(self) -> tuple[RGB, RGB]:
        """The small pictures, (h, w, 3) each, of the known table and of the latest frame, which is
        brought to the light of the known table.
        """
        images = self._images()
        return images.clear.low, images.now.low

    def accept(self, except_at: Mask, time: float, tiles: Mask | None = None) -> None:
        """Replace the known table by what the latest frame shows, except at three kinds of places,
        where the table stays as it was known: the places `except_at`, those with resting hands, and
        those with things that came to rest only lately. The places `tiles`, at which tiles are
        seen, do not count as places of the last two kinds.

        `except_at` and `tiles` are masks (h, w) in small pixels. `time` is the frame's, in seconds.
        """
        images = self._images()
        self._steadier.forget_corners()
        arms = self.resting()
        resting = cv2.bitwise_or(self._unstirred(), arms)
        hands = cv2.bitwise_and(images.resting_hands, self._differs())
        resting_hands = cv2.bitwise_or(hands, arms)
        self._known = images = replace(images, resting_hands=resting_hands)
        lately = self.moved_lately(time, self._config.hold)
        keep = cv2.bitwise_and(resting, cv2.bitwise_or(lately, resting_hands))
        if tiles is not None:
            keep = cv2.bitwise_and(keep, cv2.bitwise_not(tiles))
        keep = cv2.bitwise_or(except_at, keep)
        if keep.any():
            images.clear.paste(images.now, cv2.bitwise_not(keep))
            images.scenery.paste(images.now, cv2.bitwise_not(keep))
            return
        clear = _as_reference(images.raw)
        self._known = replace(images, clear=clear, scenery=clear.copy())
        self._motion.set_anchor(clear)

    def absorb(self, mask: Mask, hand: bool) -> None:
        """Count what has come to rest under `mask`, (h, w) small pixels, as scenery from now on.

        The known table beneath it stays. `hand` tells that a hand rests there: it is never taken
        for the table, however long it rests.
        """
        images = self._images()
        images.scenery.paste(images.now, mask)
        if hand:
            hands = cv2.bitwise_or(images.resting_hands, mask)
            self._known = replace(images, resting_hands=hands)

    def follow(self, motion: Homography, scale: float) -> None:
        """Move the known table as the camera moved: `motion` (3, 3) maps old frame pixels to new
        ones, and `scale` frame pixels make one small pixel.

        The motion is refined on the whole picture, since on a patterned cloth even half a pixel
        makes a difference. Where the moved table differs from the latest frame by no more than
        resampling explains, the latest frame replaces it.
        """
        self._steadier.begin()
        self._motion.tolerate(None)
        images = self._images()
        raw = shrink(self._frame, round(scale))
        images = replace(images, now=in_light_of(images.clear, raw), raw=raw)
        small_motion = at_scale(motion, scale)
        small_motion = refine_motion(images.clear.low, images.now.low, small_motion)
        everywhere = np.full(images.now.shape, 255, np.uint8)
        seen = _warp_mask(everywhere, small_motion)
        resting_hands = _warp_mask(images.resting_hands, small_motion)
        self._known = replace(images, resting_hands=resting_hands)
        for memory in (images.clear, images.scenery):
            warped = memory.warped(small_motion)
            differs = self._differs_beyond_resampling(images.now, warped)
            memory.paste(images.now, everywhere)
            memory.paste(warped, cv2.bitwise_and(seen, differs))

    def lose(self, factor: float) -> None:
        """Put the known table aside, since frames of another size follow, whose sides are `factor`
        times as long: the table may lie elsewhere in them. `find` brings it back.
        """
        if self._known is not None and self._lost is None:
            scale = shrink_factor(self._frame, self._config.small_side)
            self._lost = _Lost(self._known, enlargement(scale))
        self.move_lost(np.diag([factor, factor, 1.0]))

    def move_lost(self, motion: Homography) -> None:
        """Note that the table that was put aside lies elsewhere: `motion` (3, 3) leads there, in
        frame pixels.
        """
        if self._lost is not None:
            self._lost = replace(self._lost, place=motion @ self._lost.place)

    def find(self, time: float) -> None:
        """Begin anew with the latest frame, and bring back the table that was put aside, in its
        place there: what has come or gone meanwhile then differs from it. Where it does not reach,
        and where it differs from the latest frame by no more than resampling explains, the latest
        frame is the known table; so it is everywhere where only one of the two has colours. What
        differs counts as having moved at `time`, that of the latest frame, in seconds.
        """
        lost, self._lost, is_grey = self._lost, None, self._images().is_grey
        factor = shrink_factor(self._frame, self._config.small_side)
        raw = shrink(self._frame, factor)
        now = _as_reference(raw)
        self._steadier.begin()
        self._motion.tolerate(None)
        self._motion.set_anchor(now)
        clear, scenery, hands = now.copy(), now.copy(), np.zeros(now.shape, np.uint8)
        if lost is not None and lost.images.is_grey == is_grey:
            place = np.linalg.inv(enlargement(factor)) @ lost.place
            place = _refined(lost.images.clear, place, now)
            clear = self._with_moved(now, lost.images.clear, place)
            scenery = self._with_moved(now, lost.images.scenery, place)
            hands = _warp_mask(lost.images.resting_hands, place, now.shape)
        self._known = _Images(clear, scenery, now, raw, is_grey, hands)
        self._motion.note_moved(self.changed(), time)

    def forget_lost(self) -> None:
        """Forget the table that was put aside: another one is seen now."""
        self._lost = None

    def begin_anew(self) -> None:
        """Forget the known table: the next frame becomes the known one."""
        self._known = None

    def _with_moved(
        self, now: ReferenceImage, former: ReferenceImage, place: Homography
    ) -> ReferenceImage:
        """Return the picture `now`, but where it differs from the picture `former` by more than
        resampling explains, with what that one shows. `place` (3, 3) takes pixels of `former` to
        those of `now`.
        """
        moved, seen = _moved(former, place, now.shape)
        moved = moved.lit(gain_between(moved.low, now.low, seen))
        differs = self._differs_beyond_resampling(now, moved)
        made = now.copy()
        made.paste(moved, cv2.bitwise_and(seen, differs))
        return made

    def _follow_camera(self, factor: int) -> None:
        """Find out whether the camera moved, and if so align the latest picture with the known
        table anew. `factor` is the number of frame pixels in one small pixel, each way.
        """
        for _ in range(MOST_STEPS):
            images = self._images()
            off = self._steadier.follow(images.clear.low, images.now.low, factor)
            if not off:
                return
            small = self._steadier.shrunk(self._frame, factor)
            self._known = replace(images, now=in_light_of(images.clear, small), raw=small)
            if off < LARGE_STEP:
                return

    def _tolerate(self) -> None:
        """Tell the motion monitor by how many levels pixels may change because the camera moved."""
        images = self._images()
        self._motion.tolerate(self._steadier.tolerance(images.clear.low, images.now.low))

    def _unstirred(self) -> Mask:
        """Mask (h, w), in small pixels, of where the latest frame differs from the known table and
        shows the scenery.
        """
        images = self._images()
        stirs = self._motion.significant(images.now.difference(images.scenery))
        return cv2.bitwise_and(self._differs(), cv2.bitwise_not(stirs))

    def _differs(self) -> Mask:
        """Mask (h, w), in small pixels, of where the latest frame differs from the known table."""
        images = self._images()
        return self._motion.significant(images.now.difference(images.clear))

    def _images(self) -> _Images:
        assert self._known is not None, "see() comes first"
        return self._known

    def _begin(self, small: RGB, is_grey: bool, time: float) -> _Images:
        clear = _as_reference(small)
        self._motion.begin(clear, time)
        self._steadier.begin()
        no_hands = np.zeros(clear.shape, np.uint8)
        return _Images(clear, clear.copy(), clear, small, is_grey, no_hands)

    def _differs_beyond_resampling(self, now: ReferenceImage, warped: ReferenceImage) -> Mask:
        """Mask (h, w) of where the latest picture, `now`, differs from `warped`, the moved known
        table, by more than resampling explains; a margin of 3 pixels is added.

        Both are softened first, and thin edges are left out: there resampling makes a difference.
        """
        differs = self._motion.significant(now.softened().difference(warped.softened()))
        differs = cv2.morphologyEx(differs, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        return cv2.dilate(differs, np.ones((7, 7), np.uint8))


def shrink_factor(frame: RGB, small_side: int) -> int:
    """The factor by which a (h, w, 3) frame is shrunk so that no side exceeds `small_side` pixels:
    a power of two, because OpenCV averages whole blocks of pixels fastest.
    """
    factor = 1
    while max(frame.shape[:2]) / factor > small_side:
        factor *= 2
    return factor


def _is_grey(small: RGB) -> bool:
    """Whether the picture shows something, but no colours."""
    sample = small[::SAMPLING, ::SAMPLING]
    return _shows_something(small) and bool((sample == sample[..., :1]).all())


def _shows_something(small: RGB) -> bool:
    """Whether the picture is no mere surface: that of a covered lens shows nothing."""
    return int(np.ptp(small[::SAMPLING, ::SAMPLING])) > LEAST_CONTRAST


def _as_reference(small: RGB) -> ReferenceImage:
    """Return the (h, w, 3) picture as a reference image, its light unchanged."""
    return ReferenceImage.of(small, np.ones(3))


def _moved(
    picture: ReferenceImage, place: Homography, shape: tuple[int, int]
) -> tuple[ReferenceImage, Mask]:
    """Return the picture moved by `place`, (3, 3), in a picture of the `shape`, height and width;
    and the mask of that shape of where the moved picture reaches, without its outermost pixels.
    """
    reach = np.zeros(picture.shape, np.uint8)
    reach[1:-1, 1:-1] = 255
    return picture.warped(place, shape), _warp_mask(reach, place, shape)


def _refined(former: ReferenceImage, place: Homography, now: ReferenceImage) -> Homography:
    """Return the homography (3, 3) from pixels of the picture `former` to those of `now` after
    which the two are most alike. The search begins at `place`.
    """
    moved, seen = _moved(former, place, now.shape)
    aligned = now.copy()
    aligned.paste(moved, seen)
    return np.asarray(refine_motion(aligned.low, now.low, np.eye(3)) @ place)


def _warp_mask(
    mask: Mask, motion: NDArray[np.float64], shape: tuple[int, int] | None = None
) -> Mask:
    """Return the (h, w) mask moved by `motion`, (3, 3). The result has the `shape`, height and
    width; where `shape` is None, it is as large as `mask`.
    """
    size = (shape or mask.shape)[::-1]
    return cv2.warpPerspective(mask, motion, size, flags=cv2.INTER_NEAREST)
