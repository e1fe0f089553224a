"""One tile on the table over many frames, and what one look at the table says of those already
known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import dist
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.tiles import COLOURS, Tile
from vision.colour import ink_directions
from vision.detector import Detections
from vision.doubts import DoubtConfig, are_tiles
from vision.live.foreign import covered_share, grown, likeness, renewed_share
from vision.live.plates import RGB, Mask
from vision.live.settings import LiveConfig
from vision.quads import Quad
from vision.quads import nearest as nearest_quads
from vision.reader import NUMBER_CLASSES, FaceScores, face_scores, log_softmax

INNER = 0.8  # of a face's sides
FLOOR = -9.0  # log-probability: a single look cannot rule a face out
DOUBTS = DoubtConfig()
COMPANY = 3  # neighbours read along with a new face


class Eyes(Protocol):
    """Finds faces and reads them; a `vision.pipeline.TableReader` has both."""

    def detect(self, picture: RGB) -> Detections: ...

    def read(self, picture: RGB, quads: NDArray[np.float32]) -> FaceScores: ...


@dataclass(frozen=True)
class Reading:
    """One look at one face: log-probabilities `number` (15,) and `colour` (4,), and the direction
    (3,) of its ink.
    """

    number: NDArray[np.float32]
    colour: NDArray[np.float32]
    ink: NDArray[np.float64]

    @property
    def scores(self) -> NDArray[np.float32]:
        """(53,) log-probabilities of the faces."""
        return np.asarray(face_scores(self.number[None], self.colour[None])[0])


@dataclass
class Track:
    """A tile that stays where it is. `quad` (4, 2) frame pixels; the rest are sums over `looks`,
    as in a Reading.
    """

    id: int
    quad: Quad
    number: NDArray[np.float32] = field(
        default_factory=lambda: np.zeros(len(NUMBER_CLASSES), np.float32)
    )
    colour: NDArray[np.float32] = field(default_factory=lambda: np.zeros(len(COLOURS), np.float32))
    ink: NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))
    looks: int = 0
    sightings: int = 0  # while it is not yet believed: looks that found it,
    chances: int = 0  # ... of those that could have
    pinned: Tile | None = None  # a person said so
    _face: int | None = None  # kept, since a lost table is sought by it many times over

    def add(self, reading: Reading) -> None:
        self.number = self.number + np.maximum(reading.number, FLOOR)
        self.colour = self.colour + np.maximum(reading.colour, FLOOR)
        self.ink = self.ink + reading.ink
        self.looks, self._face = self.looks + 1, None

    def inherit(self, other: Track) -> None:
        """This is the tile that was `other`, lying elsewhere now."""
        self.pinned = other.pinned
        self.number, self.colour, self.ink = (
            self.number + other.number,
            self.colour + other.colour,
            self.ink + other.ink,
        )
        self.looks, self._face = self.looks + other.looks, None

    def reading(self) -> Reading:
        """The mean of all looks: the errors of looks at one tile are not independent, so they do
        not add up.
        """
        looks = np.float32(max(self.looks, 1))
        return Reading(
            log_softmax(self.number / looks), log_softmax(self.colour / looks), self.ink / looks
        )

    def read_scores(self) -> NDArray[np.float32]:
        """(53,) what the eye alone makes of it; what is left to 1 is the probability that it is
        not readable.
        """
        return self.reading().scores

    @property
    def face(self) -> int:
        """Index into FACES of what the eye alone makes of it: what to recognise it by."""
        if self._face is None:
            self._face = int(self.read_scores().argmax())
        return self._face

    @property
    def width(self) -> float:
        a, b, c, d = self.quad.tolist()
        return (dist(a, b) + dist(c, d)) / 2


@dataclass(frozen=True)
class Seen:
    """A face found in one look; `reading` is None where nothing stirred, so that it was not read
    again.
    """

    quad: Quad
    reading: Reading | None

    @property
    def scores(self) -> NDArray[np.float32] | None:
        return None if self.reading is None else self.reading.scores


@dataclass
class Look:
    """`same`: track id -> where it was seen; `absent`: tracks whose place now shows something
    else; `new`: faces of no track.
    """

    same: dict[int, Seen] = field(default_factory=dict)
    absent: set[int] = field(default_factory=set)
    new: list[Seen] = field(default_factory=list)


@dataclass(frozen=True)
class Stir:
    """What differs from the memory, masks of the small picture: `changed` at all, `substance` not
    by the light alone; and the small pictures `known` and `now` themselves.
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
        inner, config = self._inner(quad), self.config
        changed = covered_share(self.changed, inner)
        if changed < config.faded:
            return False
        return likeness(self.known, self.now, inner) < (
            config.same_pattern if changed >= config.uncovered else config.no_pattern
        )

    def shows_as_before(self, quad: Quad) -> bool:
        """Whether what lies there lay there all along, only unseen: a shadow may have come over
        it. What came to rest together with something larger is no change any more, but not what
        was known.
        """
        least = self.config.same_face if self.touches(quad) else self.config.same_pattern
        return likeness(self.known, self.now, self._inner(quad)) >= least

    def renewed_around(self, quad: Quad, margin: float, tiles: Sequence[Quad]) -> float:
        """Share of what is around a face, from `margin` frame pixels away to twice that and under
        none of the `tiles`, that differs from what was known by more than the light.
        """
        kept = [grown(tile, margin) / self.scale for tile in tiles]
        return renewed_share(self.known, self.now, grown(quad, 2 * margin) / self.scale, kept)

    def _inner(self, quad: Quad) -> Quad:
        """Without the rim, where a neighbour's side or shadow may have come; small pixels."""
        middle = quad.mean(axis=0)
        return np.asarray((middle + INNER * (quad - middle)) / self.scale, np.float32)


def find(
    eyes: Eyes,
    frame: RGB,
    tracks: Sequence[Track],
    stir: Stir,
    config: LiveConfig,
    read_all: bool = False,
) -> list[Seen]:
    """All faces in the frame; those at rest under a known track are not read."""
    found = eyes.detect(frame)
    pairs = nearest(found.quads, tracks, config.same_place)
    known = {index for index, track in pairs.items() if track.looks >= config.looks}
    again = [
        i for i in range(len(found)) if read_all or i not in known or stir.touches(found.quads[i])
    ]
    asked = [
        *again,
        *_company(found.quads, [i for i in again if i not in known], sorted(known - set(again))),
    ]
    read = eyes.read(frame, found.quads[asked]).take(np.arange(len(again)))
    inks = ink_directions(read.crops)
    quads, readings, together = found.quads.copy(), {}, found.scores.copy()
    together[again] *= read.legible
    for place, i in enumerate(again):
        quads[i] = read.quads[place]
        readings[i] = Reading(read.number[place], read.colour[place], inks[place])
    tile = are_tiles(quads, found.scores, together, DOUBTS)
    return [
        Seen(quads[i], readings.get(i))
        for i in range(len(found))
        if tile[i] or (i in known and not stir.uncovers(found.quads[i]))
    ]


def _company(quads: NDArray[np.float32], fresh: Sequence[int], known: Sequence[int]) -> set[int]:
    """The reader tries what it cannot read in the size and shape of its neighbours: known ones
    near each fresh face.
    """
    models = np.array(known, np.intp)
    return (
        {int(j) for i in fresh for j in nearest_quads(quads, i, models)[:COMPANY]}
        if known
        else set()
    )


def nearest(quads: NDArray[np.float32], tracks: Sequence[Track], reach: float) -> dict[int, Track]:
    """Pairs each of (n, 4, 2) quads with the track at its place, nearest first; `reach` in widths
    of the tile.
    """
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
    """Which tracks are where they were. One that was not found is only absent where its place
    looks different now.
    """
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
    """Whether the tile at this place has been exchanged: it looks different, and reads surely as
    another.
    """
    if seen.scores is None or may_be(track, seen, config) or not stir.touches(track.quad):
        return False
    return bool(np.exp(seen.scores.max()) > config.sure)


def aligned(quad: Quad, like: Quad) -> Quad:
    """The same corners, starting at the one that makes it read as `like` does."""
    up, was_up = quad[0] + quad[1] - quad[2] - quad[3], like[0] + like[1] - like[2] - like[3]
    if float(up @ was_up) > 0.8 * float(was_up @ was_up):  # as nearly always
        return quad
    turns = [np.roll(quad, -turn, axis=0) for turn in range(4)]
    return min(
        turns,
        key=lambda turned: float(np.abs((turned - turned.mean(0)) - (like - like.mean(0))).sum()),
    )
