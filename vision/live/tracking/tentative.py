"""What several looks have to agree on before it counts: tiles that seem to have come or gone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.live.change.alignment import Homography, transform_points
from vision.live.settings import LiveConfig
from vision.live.tracking.look import Look, may_show, nearest_tracks, stacked
from vision.live.tracking.tracks import Observation, Track
from vision.quads import Quad

PlaceTest = Callable[[Quad], bool]  # asked of a (4, 2) quad in frame pixels
UNNAMED = -1  # id of a track that is not confirmed yet


@dataclass(frozen=True)
class Tentative:
    """A tile that seems to have come. Looks found it `hits` times, out of the `opportunities` they
    had since it was first seen.
    """

    track: Track
    hits: int
    opportunities: int

    @classmethod
    def first_seen(cls, observation: Observation) -> Tentative:
        track = Track(UNNAMED, observation.quad)
        return cls(track, hits=0, opportunities=1).found(observation)

    def found(self, observation: Observation) -> Tentative:
        """Return the tile after one more look found it, as `observation`: in its new place, with
        the new reading added.
        """
        track = self.track.at(observation.quad).with_reading(observation.reading)
        return replace(self, track=track, hits=self.hits + 1)


@dataclass(frozen=True, eq=False)
class Sighting:
    """A new face that looks saw in one place, be it beside a hand, where nothing is decided.
    `first` and `last` are the times of the first and the last of these looks, in seconds.
    """

    track: Track
    first: float
    last: float


class TentativeTracks:
    """Counts the looks that found a new tile or missed a known one. Mutable; owned by the observer.

    The wait for a decision begins with the first look that leaves something undecided, and ends
    when everything is decided.
    """

    def __init__(self, config: LiveConfig) -> None:
        self._config = config
        self._new: list[Tentative] = []
        self._missing: dict[int, int] = {}  # track id -> looks in a row that missed it
        self._sightings: list[Sighting] = []
        self._blocked: list[Quad] = []  # places where a hand is too close to count what changed
        self._began: float | None = None  # when the wait began, in seconds
        self._freed = 0.0  # when a place was last blocked, or else when the wait began
        self._time = 0.0  # of the latest look

    @property
    def new(self) -> list[Track]:
        """The tracks of the tiles that seem to have come."""
        return [tentative.track for tentative in self._new]

    @property
    def missing(self) -> list[int]:
        """Ids of the tracks that seem to be gone."""
        return list(self._missing)

    @property
    def blocked(self) -> list[Quad]:
        """The quads, (4, 2) in frame pixels, of the places where nothing can be decided yet."""
        return list(self._blocked)

    @property
    def has_counts(self) -> bool:
        """Whether any tile seems to have come or gone."""
        return bool(self._new or self._missing)

    @property
    def is_undecided(self) -> bool:
        """Whether a decision is awaited: a tile seems to have come or gone, or may have done so at
        a place where a hand or an object is in the way.
        """
        return self.has_counts or bool(self._blocked)

    def first_seen(self, track: Track) -> float:
        """Return when the tile of `track`, which seems to have come, was first seen in its place,
        in seconds.
        """
        nearest = self._sighting_near([track.quad])
        return nearest[0].first if nearest else self._time

    def clear(self) -> None:
        """Forget all that was counted."""
        self._new, self._missing, self._blocked, self._began = [], {}, [], None
        self._sightings = []

    def follow(self, motion: Homography) -> None:
        """Move all places as the camera moved: `motion`, (3, 3), maps old frame pixels to new
        ones.
        """
        self._new = [
            replace(each, track=each.track.at(transform_points(each.track.quad, motion)))
            for each in self._new
        ]
        self._blocked = [transform_points(quad, motion) for quad in self._blocked]
        self._sightings = [
            replace(each, track=each.track.at(transform_points(each.track.quad, motion)))
            for each in self._sightings
        ]

    def drop(self, new: Sequence[Track], missing: Collection[int]) -> None:
        """Forget those tiles about which a decision was made: tracks `new` of tiles that seemed to
        have come, and ids `missing` of tracks whose tiles seemed to have gone.
        """
        self._new = [
            tentative
            for tentative in self._new
            if not any(tentative.track is decided for decided in new)
        ]
        self._missing = {
            track: count for track, count in self._missing.items() if track not in missing
        }
        decided = self._sighting_near([track.quad for track in new]).values()
        self._sightings = [each for each in self._sightings if each not in decided]
        if not self.is_undecided:
            self._began = None

    def count(
        self,
        look: Look,
        tracks: Mapping[int, Track],
        is_blocked: PlaceTest,
        may_be_hidden: PlaceTest,
        time: float,
    ) -> None:
        """Add a look to the counts: for each new tile, how many looks found it; for each missing
        tile, how many looks in succession missed it. `time` is the look's, in seconds.

        `is_blocked` and `may_be_hidden` take the quad of a tile and tell whether nothing can be
        decided there. Where `is_blocked` returns True for a new tile, its count begins anew. Where
        `may_be_hidden` returns True for a missing tile, its count does.
        """
        self._time = time
        self._sightings = self._with_sightings(look.new, time)
        hidden = {track for track in look.missing if may_be_hidden(tracks[track].quad)}
        self._blocked = [tracks[track].quad for track in look.missing if track in hidden]
        self._missing = {
            track: self._missing.get(track, 0) + 1 for track in look.missing if track not in hidden
        }
        free = []
        for observation in look.new:
            if is_blocked(observation.quad):
                self._blocked.append(observation.quad)
            else:
                free.append(observation)
        kept = [each for each in self._new if not is_blocked(each.track.quad)]
        self._new = self._with_look(kept, free)
        self._keep_time(time)

    def is_ready(self, time: float) -> bool:
        """Whether something that seems to have come or gone may be confirmed: either all of it is
        certain and no place is blocked, or a part is certain and the rest has been waited for long
        enough.
        """
        if not self.has_counts:
            return False
        if not self._blocked and self._is_all_certain():
            return True
        return self._has_waited(time) and any(self.confirmed())

    def confirmed(self) -> tuple[list[Track], list[int]]:
        """The tracks that came, and the ids of the tracks that are gone, as far as enough looks
        agree on them.
        """
        come = [tentative.track for tentative in self._new if self._is_certain(tentative)]
        gone = [track for track, count in self._missing.items() if count >= self._config.looks]
        return come, gone

    def _with_look(
        self, tentatives: Sequence[Tentative], observations: Sequence[Observation]
    ) -> list[Tentative]:
        """Return the tentative tiles after one more look, which found the new faces `observations`.
        Tiles that too many looks missed are dropped.
        """
        tracks = [tentative.track for tentative in tentatives]
        quads = stacked([observation.quad for observation in observations])
        pairs = nearest_tracks(quads, tracks, self._config.same_place)
        found = {id(track): observations[at] for at, track in pairs.items()}
        after = []
        for tentative in tentatives:
            asked = replace(tentative, opportunities=tentative.opportunities + 1)
            observation = found.get(id(tentative.track))
            after.append(asked if observation is None else asked.found(observation))
        for at, observation in enumerate(observations):
            if at not in pairs:
                after.append(Tentative.first_seen(observation))
        return [tentative for tentative in after if not self._is_refuted(tentative)]

    def _with_sightings(self, observations: Sequence[Observation], time: float) -> list[Sighting]:
        """Return the sightings after one more look, which saw the new faces `observations` at
        `time`, in seconds. A face that reads as another than the one seen in its place before is
        seen for the first time. What no look has seen for `LiveConfig.hold` seconds is forgotten.
        """
        near = self._sighting_near([observation.quad for observation in observations])
        sightings = []
        for at, observation in enumerate(observations):
            before = near.get(at)
            if before is not None and may_show(before.track, observation, self._config):
                sightings.append(replace(before, last=time))
            else:
                track = Track(UNNAMED, observation.quad).with_reading(observation.reading)
                sightings.append(Sighting(track, first=time, last=time))
        lately = time - self._config.hold
        unseen = [each for each in self._sightings if each not in near.values()]
        return sightings + [each for each in unseen if each.last >= lately]

    def _sighting_near(self, quads: Sequence[Quad]) -> dict[int, Sighting]:
        """Return the sighting in the place of each of the `quads`, (4, 2) frame pixels, by the
        quad's index. Quads in whose place nothing was seen are left out.
        """
        seen = {id(each.track): each for each in self._sightings}
        places = [each.track for each in self._sightings]
        pairs = nearest_tracks(stacked(quads), places, self._config.same_place)
        return {at: seen[id(track)] for at, track in pairs.items()}

    def _keep_time(self, time: float) -> None:
        if not self.is_undecided:
            self._began = None
        elif self._began is None:
            self._began = self._freed = time
        if self._blocked:
            self._freed = time

    def _has_waited(self, time: float) -> bool:
        if time - self._freed > self._config.patience:
            return True
        return self._began is not None and time - self._began > self._config.hold

    def _is_all_certain(self) -> bool:
        counts: Iterable[int] = self._missing.values()
        return all(self._is_certain(tentative) for tentative in self._new) and all(
            count >= self._config.looks for count in counts
        )

    def _is_certain(self, tentative: Tentative) -> bool:
        return (
            tentative.hits >= self._config.looks
            and not self._is_refuted(tentative)
            and not self._needs_another_look(tentative)
        )

    def _is_refuted(self, tentative: Tentative) -> bool:
        """Whether too many looks missed the tile for it to lie there."""
        enough = tentative.opportunities > self._config.looks
        return enough and tentative.hits < self._config.share_of_looks * tentative.opportunities

    def _needs_another_look(self, tentative: Tentative) -> bool:
        """Whether the tile was read badly, and the wait for a decision began so lately that a later
        look may read the tile better: a hand that leaves takes its shadow with it.
        """
        if self._began is None or self._time - self._began >= self._config.second_thoughts:
            return False
        return float(np.exp(tentative.track.scores.max())) < self._config.unsure
