"""Tells when the referee has lost sight of the table: the picture is out of focus, or the camera is
covered or looks elsewhere. What then seems to be gone was not taken by anybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vision.live.pictures import RGB
from vision.quads import Quad
from vision.quality import Sharpness, sharpness_of


@dataclass(frozen=True)
class SightConfig:
    """When the table counts as out of sight, and for how long."""

    # Sharpness of the tiles' places, as a share of that when the table was last read, below which
    # the picture is out of focus. Eight seconds of the film `felt_warm`, 1280, 640 and 480 pixels
    # wide with tiles of 40, 20 and 15, were blurred. Without this limit all changes are told under
    # blurs of 3, 2 and 1.5 pixels, which leave 0.29, 0.22 and 0.27 of the sharpness, and tiles that
    # lie there are missed under 6, 2.5 and 2 pixels, which leave 0.16, 0.18 and 0.21. 46 sharp
    # games of 34 kinds (`python -m datasets.sequences.stress`, seeds 7851 and 7852) keep 0.72.
    softer: float = 0.25
    # Fine detail anywhere in the picture, as a share of that when the table was last read, below
    # which the camera is covered or sees nothing but blur. The same film keeps 0.03 of it under a
    # blur of a third of a tile's width, and those games 0.64.
    fainter: float = 0.1
    # The tiles that have to be gone at once for the camera to look elsewhere: this share of all,
    # and more than the seven of a canasta, which a hand may take.
    share_gone: float = 0.7
    most_taken: int = 7
    # Seconds after which a table without its tiles counts as cleared, and a soft picture is looked
    # at all the same. Between two hands tiles are mixed and dealt for longer than that.
    patience: float = 60.0
    found: float = 0.9  # share of the tiles to be found in a soft picture for it to be sharp enough
    told: float = 2.0  # seconds after which it is told that the table is out of sight


class Sight:
    """Remembers how sharp the table was when it was last read, and since when it is out of sight.
    Mutable; owned by the watch. Times are seconds; quads are (4, 2) frame pixels.
    """

    def __init__(self, config: SightConfig = SightConfig()) -> None:
        self._config = config
        self._known: Sharpness | None = None  # when the table was last read
        self._now: Sharpness | None = None  # of the picture measured last
        self._soft_since: float | None = None
        self._gone_since: float | None = None

    def forget(self) -> None:
        """Forget how sharp the table was, and that it was out of sight."""
        self._known = None
        self.find()

    def find(self) -> None:
        """Note that the table is seen as it is known."""
        self._soft_since = self._gone_since = None

    def learn(self, picture: RGB, quads: Sequence[Quad]) -> None:
        """Note that the tiles at `quads` were read in the (h, w, 3) picture, soft or not."""
        self._known, self._soft_since = sharpness_of(picture, quads), None

    def measure(self, picture: RGB, quads: Sequence[Quad], time: float) -> None:
        """Note whether the (h, w, 3) picture, taken at `time`, is softer at the known tiles' places
        `quads` than when the table was last read, or shows next to no detail anywhere.
        """
        self._now = sharpness_of(picture, quads)
        if self._known is None or not self._is_softer(self._now, self._known):
            self._soft_since = None
        elif self._soft_since is None:
            self._soft_since = time

    def count(self, found: int, gone: int, known: int, time: float) -> None:
        """Note what a look at the picture measured last, taken at `time`, says of the `known`
        tiles: so many were `found` in their places, and so many are `gone` or hidden. Where a soft
        picture shows them, it is sharp enough from now on; one that does not says nothing of them.
        """
        if self._soft_since is not None and found >= self._config.found * known:
            self._known, self._soft_since = self._now, None
        is_gone = gone > self._config.most_taken and gone >= self._config.share_gone * known
        if self._soft_since is not None or not is_gone:
            self._gone_since = None
        elif self._gone_since is None:
            self._gone_since = time

    @property
    def sees_table(self) -> bool:
        """Whether what the latest look missed has been taken away: the picture is sharp enough, and
        the tiles are not gone nearly all at once.
        """
        return self._gone_since is None and self._soft_since is None

    def may_look(self, time: float) -> bool:
        """Whether the picture is worth a look at `time`: it is sharp, or it has been soft for so
        long that it may stay so, as that of a stream that saves bandwidth.
        """
        return self._soft_since is None or time - self._soft_since > self._config.patience

    def is_cleared(self, time: float) -> bool:
        """Whether the tiles have been gone for so long that the table counts as cleared."""
        return self._gone_since is not None and time - self._gone_since > self._config.patience

    def is_out_of_sight(self, time: float) -> bool:
        """Whether the table has been out of sight for so long that the players should know."""
        began = [since for since in (self._soft_since, self._gone_since) if since is not None]
        return bool(began) and time - min(began) > self._config.told

    def _is_softer(self, now: Sharpness, known: Sharpness) -> bool:
        if now.detail < self._config.fainter * known.detail:
            return True
        if now.edges is None or known.edges is None:
            return False
        return now.edges < self._config.softer * known.edges
