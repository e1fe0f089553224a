"""What people said of a watched table, kept so that another watch of it can go on from there.

A watch ends with its process. The next one numbers its tiles anew, so a tile is known again by its
place in the picture and by what it reads as, both as the earlier watch saw them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import dist

import numpy as np

from engine.tiles import FACES, Tile
from vision.live.table.sides import Line, scale_line
from vision.live.table.stable import LiveMeld
from vision.live.tracking.moves import IN_PLACE, SAME_TILE
from vision.live.tracking.tracks import Track

Point = tuple[float, float]  # x, y in frame pixels

MOST_LABELS, MOST_MELDS = 216, 72  # remembered: the tiles of two sets of 108, three tiles a meld
MOST_TILES = 26  # of a remembered meld; a longer one is not remembered
FACES_KEPT = 5  # of a tile's reading, the likeliest ones
LEAST_KEPT = 0.01  # probability of such a face
SAME_FORMAT = 0.01  # difference of two frames' width to height, beyond which places say nothing
AT_REST = 0.005  # of the frame's width: a place that moved less has not been moved


@dataclass(frozen=True)
class LabelledTile:
    """A tile of which a person said what it is.

    `face` is what the person said, in the engine's notation. `read` holds the faces that the
    network found likeliest, each with its probability. `centre` (x, y) and `width` are the tile's,
    in frame pixels.
    """

    face: str
    centre: Point
    width: float
    read: dict[str, float]

    def __post_init__(self) -> None:
        """Raise ValueError where `face` is not a tile's notation, or `width` is not above 0."""
        Tile.parse(self.face)
        if self.width <= 0:
            raise ValueError(f"expected a width above 0, got {self.width!r}")

    def is_seen_as(self, track: Track) -> bool:
        """Whether `track` lies where this tile lay and reads like it. It does so if its likeliest
        face is the one that the person named, or if its readings resemble those in `read`.
        """
        if dist(self.centre, track.centre.tolist()) > IN_PLACE * self.width:
            return False
        probabilities = np.exp(track.scores)
        likeness = sum(
            float(probabilities[at]) * self.read.get(str(face), 0.0)
            for at, face in enumerate(FACES)
        )
        return likeness >= SAME_TILE or str(FACES[track.face]) == self.face


@dataclass(frozen=True)
class TableMemory:
    """What people said of a table that is seen in frames of `width` by `height` pixels.

    `line` is the line between the two sides, and `labels` are the tiles that people named.
    `accepted` holds, for each meld that the players accepted although it is illegal, the centres of
    its tiles, x, y in frame pixels.
    """

    width: int
    height: int
    line: Line | None = None
    labels: tuple[LabelledTile, ...] = ()
    accepted: tuple[tuple[Point, ...], ...] = ()

    def __post_init__(self) -> None:
        """Raise ValueError where `width` or `height` is below 1."""
        if min(self.width, self.height) < 1:
            raise ValueError(f"expected a size, got {self.width!r} x {self.height!r}")

    @property
    def is_empty(self) -> bool:
        """Whether people have said nothing of the table."""
        return self.line is None and not self.labels and not self.accepted

    def without_tiles(self) -> TableMemory:
        """Return the memory without what people said of tiles and melds; the line stays."""
        return replace(self, labels=(), accepted=())

    def in_frames(self, width: int, height: int) -> TableMemory:
        """Return the memory for frames of `width` by `height` pixels, with all places converted. It
        is empty where the ratio of width to height changes, since places in the old frames then say
        nothing.
        """
        if not is_same_format((self.width, self.height), (width, height)):
            return TableMemory(width, height)
        factor = width / self.width
        return TableMemory(
            width,
            height,
            scale_line(self.line, factor),
            tuple(
                replace(one, centre=_times(one.centre, factor), width=one.width * factor)
                for one in self.labels
            ),
            tuple(tuple(_times(point, factor) for point in meld) for meld in self.accepted),
        )

    def tells_as_much_as(self, other: TableMemory | None) -> bool:
        """Whether both memories hold the same tiles, melds and line between the sides, in the same
        places. None counts as an empty memory.
        """
        if other is None:
            return self.is_empty
        if _said(self) != _said(other):
            return False
        pairs = zip(_points(self), _points(other), strict=True)
        return all(dist(one, another) <= AT_REST * self.width for one, another in pairs)


def is_same_format(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether frames of the sizes `one` and `other`, (width, height) each, have about the same
    ratio of width to height, so that places in the one tell places in the other.
    """
    return abs(one[0] * other[1] / (one[1] * other[0]) - 1) <= SAME_FORMAT


def _said(memory: TableMemory) -> object:
    """What `memory` says apart from places, as one value to compare: the frames' size, whether a
    line between the sides is known, the faces that people named, and how many tiles each accepted
    meld has.
    """
    faces, melds = [one.face for one in memory.labels], [len(meld) for meld in memory.accepted]
    return memory.width, memory.height, memory.line is None, faces, melds


def _points(memory: TableMemory) -> list[Point]:
    melds = [point for meld in memory.accepted for point in meld]
    return [*(memory.line or ()), *(one.centre for one in memory.labels), *melds]


class Recall:
    """What people said of a table in an earlier watch. It covers only those tiles and melds
    that the present watch has not found again yet.
    """

    def __init__(self, memory: TableMemory) -> None:
        self.labels, self.accepted = memory.labels, memory.accepted

    def labels_of(self, tracks: Iterable[Track]) -> dict[int, Tile]:
        """Return, by track id, the tiles that people named in the earlier watch and that are
        recognised among `tracks`. What was said of one tile is given to one track at most, in all
        calls together.
        """
        found: dict[int, Tile] = {}
        for track in tracks:
            again = next((one for one in self.labels if one.is_seen_as(track)), None)
            if again is not None:
                found[track.id] = Tile.parse(again.face)
                self.labels = tuple(one for one in self.labels if one is not again)
        return found

    def accepted_among(self, melds: Iterable[LiveMeld]) -> list[int]:
        """Return the ids of those `melds` that lie where the players accepted an illegal meld in
        the earlier watch. Each accepted meld is found only once, the first time that a meld lies in
        its place.
        """
        found = []
        for meld in melds:
            again = next((one for one in self.accepted if _lies_there(meld, one)), None)
            if again is not None:
                found.append(meld.id)
                self.accepted = tuple(one for one in self.accepted if one is not again)
        return found


def labelled(tracks: Mapping[int, Track]) -> tuple[LabelledTile, ...]:
    """Return a LabelledTile for each of `tracks`, given by id, that a person named; the oldest
    track comes first.
    """
    return tuple(
        LabelledTile(str(track.user_label), _point(track.centre), track.width, _read(track))
        for _name, track in sorted(tracks.items())
        if track.user_label is not None
    )


def let_lie(melds: Iterable[LiveMeld]) -> tuple[tuple[Point, ...], ...]:
    """Return the centres of the tiles, x, y in frame pixels, of each meld that the players accepted
    although it is illegal. Melds of more than MOST_TILES tiles are left out.
    """
    return tuple(_centres(meld) for meld in melds if meld.accepted and len(meld.row) <= MOST_TILES)


def _read(track: Track) -> dict[str, float]:
    probabilities = np.exp(track.scores)
    likeliest = np.argsort(probabilities)[::-1][:FACES_KEPT].tolist()
    return {
        str(FACES[at]): round(float(probabilities[at]), 3)
        for at in likeliest
        if probabilities[at] >= LEAST_KEPT
    }


def _lies_there(meld: LiveMeld, centres: tuple[Point, ...]) -> bool:
    """Whether the tiles of `meld` lie at these centres, x, y in frame pixels, from first to last or
    from last to first.
    """
    places = _centres(meld)
    if len(places) != len(centres):
        return False
    widths = [float(np.linalg.norm(tile.corners[1] - tile.corners[0])) for tile in meld.tiles]
    reach = IN_PLACE * max(widths)
    return any(
        all(dist(one, another) <= reach for one, another in zip(places, order, strict=True))
        for order in (centres, centres[::-1])
    )


def _centres(meld: LiveMeld) -> tuple[Point, ...]:
    return tuple(_point(tile.corners.mean(axis=0)) for tile in meld.tiles)


def _point(centre: np.ndarray) -> Point:
    x, y = centre.tolist()
    return round(x, 1), round(y, 1)


def _times(point: Point, factor: float) -> Point:
    return point[0] * factor, point[1] * factor
