"""The places where one look decides nothing: at hands, under objects, where something moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.live.change.places import covered_share
from vision.live.pictures import Mask
from vision.quads import Quad

NEAR_HAND = 0.05  # share of a place at a hand above which nothing is decided there
UNDER_OBJECT = 0.3  # share of a place under an object above which nothing is decided there


@dataclass(frozen=True)
class BlockedPlaces:
    """The places of a frame about which a look should not decide, because of hands and things over
    them.

    Masks are (h, w) of the small picture, a pixel of which spans `scale` frame pixels; quads are
    (4, 2) frame pixels.
    """

    near_hands: Mask  # at hands with a margin, and wherever something moves
    objects: Mask
    cover: Mask  # what may hide tiles although it looks like a shadow
    scale: float

    @classmethod
    def nowhere(cls, like: Mask, scale: float) -> BlockedPlaces:
        """Return a BlockedPlaces that blocks no place. `like` is any mask of the small picture's
        size, and `scale` frame pixels make one small pixel.
        """
        nothing = np.zeros_like(like)
        return cls(nothing, nothing, nothing, scale)

    def is_blocked(self, quad: Quad) -> bool:
        """Whether nothing is decided at the place of `quad`, because of a hand, an object or a
        motion there.
        """
        small = quad / self.scale
        if covered_share(self.near_hands, small) > NEAR_HAND:
            return True
        return covered_share(self.objects, small) > UNDER_OBJECT

    def may_hide(self, quad: Quad) -> bool:
        """Whether a tile that was not found at the place of `quad` may still lie there, hidden."""
        return self.is_blocked(quad) or covered_share(self.cover, quad / self.scale) > NEAR_HAND
