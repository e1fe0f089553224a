"""One tile on the table over many frames, and what one look at the table says of those already known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import dist
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.tiles import FACE_INDEX, FACES, Tile
from vision.detector import Detections
from vision.live.foreign import covered_share, likeness
from vision.live.plates import RGB, Mask
from vision.live.settings import LiveConfig
from vision.quads import Quad
from vision.reader import UNREADABLE, FaceScores, face_scores

CERTAIN, IMPOSSIBLE = 0.0, -1e9
INNER = 0.8  # of a face's sides
FLOOR = -9.0  # log-probability: a single look cannot rule a face out


class Eyes(Protocol):
    """Finds faces and reads them; a `vision.pipeline.TableReader` has both."""

    def detect(self, picture: RGB) -> Detections: ...

    def read(self, picture: RGB, quads: NDArray[np.float32]) -> FaceScores: ...


@dataclass
class Track:
    """A tile that stays where it is. `quad` (4, 2) frame pixels; `evidence` (53,) sum of log-probabilities over `looks`."""

    id: int
    quad: Quad
    evidence: NDArray[np.float32] = field(default_factory=lambda: np.zeros(len(FACES), np.float32))
    mass: float = 0.0  # sum of the probabilities of being readable at all
    looks: int = 0
    sightings: int = 0  # while it is not yet believed: looks that found it,
    chances: int = 0  # ... of those that could have
    pinned: Tile | None = None  # a person said so

    def add(self, scores: NDArray[np.float32]) -> None:
        self.evidence = self.evidence + np.maximum(scores, FLOOR)
        self.mass += float(np.exp(scores).sum())
        self.looks += 1

    def inherit(self, other: Track) -> None:
        """This is the tile that was `other`, lying elsewhere now."""
        self.pinned = other.pinned
        self.evidence, self.mass, self.looks = self.evidence + other.evidence, self.mass + other.mass, self.looks + other.looks

    def scores(self) -> NDArray[np.float32]:
        """(53,) what it is taken for: what a person said, else what was read."""
        if self.pinned is None:
            return self.read_scores()
        certain = np.full(len(FACES), IMPOSSIBLE, np.float32)
        certain[FACE_INDEX[self.pinned]] = CERTAIN
        return certain

    def read_scores(self) -> NDArray[np.float32]:
        """(53,) mean log-probabilities: the errors of looks at one tile are not independent, so they do not add up. What is
        left to 1 is the probability that it is not readable.
        """
        looks = max(self.looks, 1)
        mean = self.evidence / np.float32(looks)
        total = np.logaddexp.reduce(mean)
        return np.asarray(mean - total + np.log(max(self.mass / looks, 1e-6)), np.float32)

    @property
    def face(self) -> int:
        """Index into FACES of what the eye alone makes of it: what to recognise it by."""
        return int(self.read_scores().argmax())

    @property
    def width(self) -> float:
        a, b, c, d = self.quad.tolist()
        return (dist(a, b) + dist(c, d)) / 2


@dataclass(frozen=True)
class Seen:
    """A face found in one look; `scores` (53,) is None where nothing stirred, so that it was not read again."""

    quad: Quad
    scores: NDArray[np.float32] | None


@dataclass
class Look:
    """`same`: track id -> where it was seen; `absent`: tracks whose place now shows something else; `new`: faces of no track."""

    same: dict[int, Seen] = field(default_factory=dict)
    absent: set[int] = field(default_factory=set)
    new: list[Seen] = field(default_factory=list)


@dataclass(frozen=True)
class Stir:
    """What differs from the memory, masks of the small picture: `changed` at all, `substance` not by the light alone; and the
    small pictures `known` and `now` themselves.
    """

    changed: Mask
    substance: Mask
    known: RGB
    now: RGB
    scale: float  # frame pixels a small one
    config: LiveConfig

    def touches(self, quad: Quad) -> bool:
        """Whether a face there should be read again."""
        return covered_share(self.changed, self._inner(quad)) >= self.config.stirred

    def uncovers(self, quad: Quad) -> bool:
        """Whether what lay there may be gone."""
        inner = self._inner(quad)
        changed = covered_share(self.changed, inner) >= self.config.uncovered
        return changed and likeness(self.known, self.now, inner) < self.config.same_pattern

    def _inner(self, quad: Quad) -> Quad:
        """Without the rim, where a neighbour's side or shadow may have come; small pixels."""
        middle = quad.mean(axis=0)
        return np.asarray((middle + INNER * (quad - middle)) / self.scale, np.float32)


def find(
    eyes: Eyes, frame: RGB, tracks: Sequence[Track], stir: Stir, config: LiveConfig, read_all: bool = False
) -> list[Seen]:
    """All faces in the frame; those at rest under a known track are not read."""
    found = eyes.detect(frame)
    pairs = nearest(found.quads, tracks, config.same_place)
    known = {index for index, track in pairs.items() if track.looks >= config.looks}
    again = [
        i for i in range(len(found))
        if read_all or i not in known or stir.touches(found.quads[i])
    ]
    read = eyes.read(frame, found.quads[again])
    scores = face_scores(read.number, read.colour)
    quads, values = found.quads.copy(), {}
    for place, i in enumerate(again):
        quads[i] = read.quads[place]
        values[i] = scores[place]
    blank = {i for place, i in enumerate(again) if read.number[place, UNREADABLE] > np.log(0.5)}
    no_face = {i for i in blank if i not in known or stir.uncovers(found.quads[i])}
    return [Seen(quads[i], values.get(i)) for i in range(len(found)) if i not in no_face]


def nearest(quads: NDArray[np.float32], tracks: Sequence[Track], reach: float) -> dict[int, Track]:
    """Pairs each of (n, 4, 2) quads with the track at its place, nearest first; `reach` in widths of the tile."""
    if not len(quads) or not tracks:
        return {}
    centres = np.stack([track.quad.mean(axis=0) for track in tracks])
    widths = np.array([track.width for track in tracks])
    apart = np.linalg.norm(quads.mean(axis=1)[:, None] - centres[None], axis=2) / widths
    pairs: dict[int, Track] = {}
    taken: set[int] = set()
    for flat in np.argsort(apart, axis=None):
        i, j = divmod(int(flat), len(tracks))
        if apart[i, j] > reach:
            break
        if i not in pairs and j not in taken:
            pairs[i] = tracks[j]
            taken.add(j)
    return pairs


def compare(seen: Sequence[Seen], tracks: Sequence[Track], stir: Stir, config: LiveConfig) -> Look:
    """Which tracks are where they were. One that was not found is only absent where its place looks different now."""
    look = Look()
    quads = np.stack([one.quad for one in seen]) if seen else np.zeros((0, 4, 2), np.float32)
    pairs = nearest(quads, tracks, config.same_place)
    for i, one in enumerate(seen):
        track = pairs.get(i)
        if track is None:
            look.new.append(one)
        elif is_other_tile(track, one, stir, config):
            look.absent.add(track.id)
            look.new.append(one)
        elif not may_be(track, one, config) and stir.uncovers(track.quad):
            look.absent.add(track.id)  # what else lies there is told once it is gone
        else:
            look.same[track.id] = one
    for track in tracks:
        if track.id not in look.same and stir.uncovers(track.quad):
            look.absent.add(track.id)
    return look


def may_be(track: Track, seen: Seen, config: LiveConfig) -> bool:
    """Whether what was read allows that it is still this tile."""
    return seen.scores is None or bool(np.exp(seen.scores[track.face]) >= config.possible)


def is_other_tile(track: Track, seen: Seen, stir: Stir, config: LiveConfig) -> bool:
    """Whether the tile at this place has been exchanged: it looks different, and reads surely as another."""
    if seen.scores is None or may_be(track, seen, config) or not stir.touches(track.quad):
        return False
    return bool(np.exp(seen.scores.max()) > config.sure)


def aligned(quad: Quad, like: Quad) -> Quad:
    """The same corners, starting at the one that makes it read as `like` does."""
    up, was_up = quad[0] + quad[1] - quad[2] - quad[3], like[0] + like[1] - like[2] - like[3]
    if float(up @ was_up) > 0.8 * float(was_up @ was_up):  # as nearly always
        return quad
    turns = [np.roll(quad, -turn, axis=0) for turn in range(4)]
    return min(turns, key=lambda turned: float(np.abs((turned - turned.mean(0)) - (like - like.mean(0))).sum()))
