"""What several looks in a row have to agree on before it is believed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.live.settings import LiveConfig
from vision.live.tracks import Look, Track, nearest
from vision.quads import Quad

Place = Callable[[Quad], bool]
UNNAMED = -1  # id of a track that is not yet believed


@dataclass
class Pending:
    """`new`: tiles that seem to have come; `absent`: known tracks that seem gone, with the looks
    that said so.
    """

    config: LiveConfig
    new: list[Track] = field(default_factory=list)
    absent: dict[int, int] = field(default_factory=dict)
    waiting: list[Quad] = field(
        default_factory=list
    )  # places too close to a hand for what changed there to be counted
    begun: float | None = None  # when the first of it was seen
    now: float = 0.0  # of the latest look
    freed: float = 0.0  # when the last of it was seen near a hand, else as `begun`

    def clear(self) -> None:
        self.new, self.absent, self.waiting, self.begun = [], {}, [], None

    def drop(self, new: Sequence[Track], gone: Sequence[int]) -> None:
        """These are decided; the rest is waited for."""
        self.new = [track for track in self.new if not any(track is one for one in new)]
        self.absent = {id: count for id, count in self.absent.items() if id not in gone}
        if not self.outstanding:
            self.begun = None

    @property
    def outstanding(self) -> bool:
        return bool(self.new or self.absent or self.waiting)

    def take(
        self, look: Look, tracks: Mapping[int, Track], blocked: Place, hidden: Place, time: float
    ) -> None:
        """Count one look. A new tile that is `blocked`, a missed one that may be `hidden` begins
        anew.
        """
        self.now = time
        missed = [tracks[id].quad for id in look.absent]
        self.waiting = [
            *filter(hidden, missed),
            *(one.quad for one in look.new if blocked(one.quad)),
        ]
        self.absent = {
            id: self.absent.get(id, 0) + 1 for id in look.absent if not hidden(tracks[id].quad)
        }
        self._take_new(look, blocked)
        if not self.outstanding:
            self.begun = None
        elif self.begun is None:
            self.begun = self.freed = time
        if self.waiting:
            self.freed = time

    def _take_new(self, look: Look, blocked: Place) -> None:
        self.new = [track for track in self.new if not blocked(track.quad)]
        free = [one for one in look.new if not blocked(one.quad)]
        quads = np.stack([one.quad for one in free]) if free else np.zeros((0, 4, 2), np.float32)
        pairs = nearest(quads, self.new, self.config.same_place)
        for track in self.new:
            track.chances += 1
        for i, one in enumerate(free):
            track = pairs.get(i) or Track(UNNAMED, one.quad, chances=1)
            if i not in pairs:
                self.new.append(track)
            track.quad = one.quad
            track.sightings += 1
            if one.reading is not None:
                track.add(one.reading)
        self.new = [track for track in self.new if not self._refuted(track)]

    def _refuted(self, track: Track) -> bool:
        return (
            track.chances > self.config.looks
            and track.sightings < self.config.share_of_looks * track.chances
        )

    def settled(self, time: float) -> bool:
        """Whether all is certain, or what is not has been waited for long enough."""
        if not (self.new or self.absent):
            return False
        certain = not self.waiting and all(self._certain(track) for track in self.new)
        certain = certain and all(count >= self.config.looks for count in self.absent.values())
        waited = time - self.freed > self.config.patience or (
            self.begun is not None and time - self.begun > self.config.hold
        )
        return certain or (waited and any(self.believed()))

    def believed(self) -> tuple[list[Track], list[int]]:
        """The tracks come, and the ids of those gone, that enough looks agree on."""
        gone = [id for id, count in self.absent.items() if count >= self.config.looks]
        return [track for track in self.new if self._certain(track)], gone

    def _certain(self, track: Track) -> bool:
        return (
            track.sightings >= self.config.looks
            and not self._refuted(track)
            and not self._unsure(track)
        )

    def _unsure(self, track: Track) -> bool:
        """What is read badly is worth a few more looks: the shadow of a hand that leaves is over
        soon.
        """
        if self.begun is None or self.now - self.begun >= self.config.second_thoughts:
            return False
        return float(np.exp(track.read_scores().max())) < self.config.unsure
