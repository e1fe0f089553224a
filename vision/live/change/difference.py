"""How the latest frame differs, at any place, from the known table: the table as last
understood.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.live.change.light import find_shadows
from vision.live.change.places import covered_share, grown, pattern_correlation, renewed_share
from vision.live.pictures import RGB, Mask
from vision.live.settings import LiveConfig
from vision.quads import Quad

# Of a face's sides. Its rim is left out, since a neighbour's side or shadow may have come there.
INNER_PART = 0.8


@dataclass(frozen=True)
class FrameDiff:
    """The difference between the known table and the latest frame, whose pictures are `known` and
    `now`. In `changed` all pixels that differ are set, in `substance` only those that differ by
    more than the light; in `resting`, if it is known, those where an arm at rest lies over the
    known table.

    Masks are (h, w) and pictures (h, w, 3), all in small pixels and of one size. Quads are (4, 2)
    frame pixels; `scale` frame pixels make one small pixel.
    """

    changed: Mask  # where anything differs
    substance: Mask  # where more differs than the light
    known: RGB
    now: RGB
    scale: float
    config: LiveConfig
    resting: Mask | None = None

    @classmethod
    def between(
        cls,
        known: RGB,
        now: RGB,
        changed: Mask,
        scale: float,
        config: LiveConfig,
        resting: Mask | None = None,
    ) -> FrameDiff:
        """Return the difference between `known`, the small picture of the known table, and `now`,
        that of the latest frame.

        `changed` is the mask of where the two differ; the shadows within it are found here. `scale`
        frame pixels make one small pixel. `resting` is the mask of where an arm at rest lies over
        the known table.
        """
        substance = changed
        if changed.any():
            substance = cv2.bitwise_and(changed, cv2.bitwise_not(find_shadows(known, now)))
        return cls(changed, substance, known, now, scale, config, resting)

    def is_stirred(self, quad: Quad) -> bool:
        """Whether enough of the face at `quad` changed for it to be read again."""
        return covered_share(self.changed, self._inner(quad)) >= self.config.stirred

    def is_partly_hidden(self, quad: Quad) -> bool:
        """Whether an arm at rest covers a part of the place of the face at `quad`."""
        if self.resting is None:
            return False
        return covered_share(self.resting, self._inner(quad)) > self.config.covered

    def may_be_gone(self, quad: Quad) -> bool:
        """Whether the picture at `quad` changed and lost its pattern, as it does where a tile was
        taken. False where an arm at rest covers a part of the place: the edge of a sleeve that lies
        over a tile changes whenever the arm stirs.
        """
        inner, config = self._inner(quad), self.config
        if self.is_partly_hidden(quad):
            return False
        changed = covered_share(self.changed, inner)
        if changed < config.faded:
            return False
        correlation = pattern_correlation(self.known, self.now, inner)
        return correlation < (
            config.same_pattern if changed >= config.uncovered else config.no_pattern
        )

    def looks_as_before(self, quad: Quad) -> bool:
        """Whether the picture at `quad` kept its pattern: then a face that is found there lay there
        all along, and was missed before.

        The answer is wrongly True for a tile that came together with a larger thing, such as a box,
        that has become scenery: the picture of the known table then shows the tile already,
        although the tile has no track.
        """
        least = self.config.same_face if self.is_stirred(quad) else self.config.same_pattern
        return pattern_correlation(self.known, self.now, self._inner(quad)) >= least

    def renewed_around(self, quad: Quad, margin: float, tiles: Sequence[Quad]) -> float:
        """Share (0..1) of the surroundings of the face at `quad` that changed by more than the
        light explains.

        The surroundings reach 2 * `margin` frame pixels beyond the quad; what lies within `margin`
        of any quad in `tiles` is left out.
        """
        excluded = [grown(tile, margin) / self.scale for tile in tiles]
        around = grown(quad, 2 * margin) / self.scale
        return renewed_share(self.known, self.now, around, excluded)

    def _inner(self, quad: Quad) -> Quad:
        """Return the inner part of a face's quad, in small pixels: a quad with sides INNER_PART as
        long around the same middle, which leaves out the rim of the face. `quad` is in frame
        pixels.
        """
        centre = quad.mean(axis=0)
        return np.asarray((centre + INNER_PART * (quad - centre)) / self.scale, np.float32)
