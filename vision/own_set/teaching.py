"""A photograph of tiles laid in rows from 1 to 13 teaches a set: the place of a tile in its row
tells its number.

So a face is known whatever its digits look like. What the reader sees on the tiles decides only two
things: the digits tell at which end a row begins, which numbers it lacks where no gap shows it or a
comodín lies there, which tiles lie in each other's places, and which lie upside down; the inks,
taken together over a row, tell its colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.tiles import COLOURS, JOKER, NUMBERS, Colour, Tile
from vision.detector import Detections
from vision.frame import Frame, load
from vision.own_set.certainty import SURE
from vision.own_set.examples import FaceExample
from vision.own_set.lattice import ROW_LENGTH, PlacedRow, find_teaching_rows
from vision.own_set.lines import (
    BACKWARDS,
    PLAIN_COMODIN,
    Line,
    are_mirrored,
    in_reading_order,
    seen_line,
    shows_one_face,
)
from vision.own_set.lone_comodines import comodines_apart
from vision.own_set.lost_tiles import places_by_digits
from vision.own_set.row_colours import RowInks, TaughtRow, row_colours
from vision.own_set.swapped_tiles import places_of_swapped
from vision.own_set.turned_tiles import upside_down
from vision.pyramid import RGB
from vision.reader import JOKER as JOKER_CLASS
from vision.reader import FaceScores, Reader

if TYPE_CHECKING:
    from vision.tiles.pipeline import TableReader

# A row is in some other order if so many of its digits are read surely, and fewer than so many of
# these are what their places say.
MOST_SURE, FEWEST_RIGHT = 10, 4
# Of the usual size, at which the picture is looked at where rows are not found at once.
SHARES = (0.36, 0.5, 0.7)
FAINT_SCORE = 0.1  # of the detector: tiles of an odd set are hardly found


class TeachingFailure(Enum):
    """Why a photograph teaches nothing; the value is the code in JSON."""

    NO_ROW = "no_row"  # it shows no row of thirteen tiles
    ONE_FACE = "one_face"  # a row shows comodines alone, or one other face thirteen times
    MIRRORED = "mirrored"  # by a telephone's front camera


class TeachingError(Exception):
    """This photograph teaches nothing; `reason` says why."""

    def __init__(self, reason: TeachingFailure) -> None:
        super().__init__(reason.value)
        self.reason = reason


@dataclass(frozen=True, eq=False)
class TaughtFace:
    """One tile of the photograph. `corners` is (4, 2), x, y in pixels of the photograph in its full
    size, turned upright, and begins top-left as one reads the tile. `row` is the index of its row,
    0 for the top one; None for a comodín.
    """

    example: FaceExample
    corners: NDArray[np.float32]
    row: int | None


@dataclass(frozen=True, eq=False)
class TaughtPhoto:
    """All that one photograph teaches: its rows from top to bottom, and its faces in the order of
    the rows, 1 to 13 in each, with the comodines last. `width` and `height` are those of the
    photograph in its full size, turned upright, in pixels.
    """

    width: int
    height: int
    rows: tuple[TaughtRow, ...]
    faces: tuple[TaughtFace, ...]


def teach(
    tables: TableReader,
    photo: str | Path | bytes | Frame,
    rows: Sequence[Colour] | None = None,
) -> TaughtPhoto:
    """Find the rows of thirteen tiles in a photograph, and the comodines apart from them or in the
    place of a lost tile; return what they teach.

    `photo` is a file's path, its bytes or a frame. `tables` is the reader of tables whose two
    networks look at it. `rows` are the rows' colours from top to bottom, if a person named them;
    without them the colours are read.

    Raises PhotoError for what is no usable picture, TeachingError where there is no row of
    thirteen, where a row shows one face alone and where the picture is mirrored, and ValueError
    where `rows` are not as many as the rows found.
    """
    frame = photo if isinstance(photo, Frame) else load(photo)
    look = _best_look(tables, frame.pixels)
    reader, found, placed = look.reader, look.found, look.rows
    seen = [seen_line(reader, frame, row) for row in placed]
    if are_mirrored(reader, frame, seen):
        raise TeachingError(TeachingFailure.MIRRORED)
    if any(shows_one_face(line) for line in seen):
        raise TeachingError(TeachingFailure.ONE_FACE)
    lines = in_reading_order(seen)
    lines = [_with_upright_faces(_with_swapped_back(_with_gaps(line))) for line in lines]
    lines = [line for line in lines if not _reads_otherwise(line.upright)]
    if not lines:
        raise TeachingError(TeachingFailure.NO_ROW)
    among = [_comodines_among(line) for line in lines]
    lines = [
        replace(line, present=line.present & ~comodines)
        for line, comodines in zip(lines, among, strict=True)
    ]
    shown = [line.upright.take(np.flatnonzero(line.present)) for line in lines]
    known = row_colours(RowInks.of([(row.colour, row.crops) for row in shown]))
    faces = [
        _face(frame, line.upright, number - 1, Tile(number, row.colour), at)
        for at, (line, row) in enumerate(zip(lines, known, strict=True))
        for number in NUMBERS
        if line.present[number - 1]
    ]
    faces += [
        _face(frame, line.upright, at, JOKER, None)
        for line, comodines in zip(lines, among, strict=True)
        for at in np.flatnonzero(comodines).tolist()
    ]
    places = np.concatenate([row.quads for row in placed])
    numbers = np.concatenate([row.features for row in shown])
    lone = comodines_apart(reader, frame.pixels, found, places, numbers)
    faces += [_face(frame, lone, at, JOKER, None) for at in range(len(lone))]
    taught = TaughtPhoto(frame.width, frame.height, known, tuple(faces))
    return named_rows(taught, rows) if rows else taught


@dataclass(frozen=True, eq=False)
class _Look:
    """What was found in the picture in one way, the rows of thirteen tiles among it, and the reader
    to read them with.
    """

    reader: Reader
    found: Detections
    rows: list[PlacedRow]


def _best_look(tables: TableReader, picture: RGB) -> _Look:
    """Find the tiles of the picture, (h, w, 3) RGB, and rows of thirteen among them.

    Where the rows hold fewer tiles than four complete rows would, the networks for odd sets look,
    too, and then both detectors look at the picture in each of the sizes SHARES, until the rows
    hold enough. The result is the look in which the rows hold most tiles.
    """
    looks = list[_Look]()
    for reader, found in _looks(tables, picture):
        looks.append(_Look(reader, found, find_teaching_rows(found)))
        if _tiles_in(looks[-1].rows) >= ROW_LENGTH * len(COLOURS):
            break
    return max(looks, key=lambda look: _tiles_in(look.rows))


def _looks(tables: TableReader, picture: RGB) -> Iterator[tuple[Reader, Detections]]:
    """Yield what is found in the picture in one way after the other, the usual one first, each with
    the reader for it.
    """
    yield tables.reader, tables.detector.detect(picture, FAINT_SCORE)
    odd_detector, odd_reader = tables.odd_networks()
    yield odd_reader, odd_detector.detect(picture, FAINT_SCORE)
    for share in SHARES:
        yield tables.reader, tables.detector.glance(picture, share, FAINT_SCORE)
        yield odd_reader, odd_detector.glance(picture, share, FAINT_SCORE)


def _tiles_in(rows: Sequence[PlacedRow]) -> int:
    return sum(int((row.found >= 0).sum()) for row in rows)


def named_rows(taught: TaughtPhoto, colours: Sequence[Colour]) -> TaughtPhoto:
    """Return `taught` with its rows and their faces in other colours: `colours`, from top to
    bottom, as a person named them.

    Raises ValueError where there are not as many colours as rows.
    """
    if len(colours) != len(taught.rows):
        raise ValueError(f"expected {len(taught.rows)} colours, got {len(colours)}")
    rows = tuple(TaughtRow(colour, True) for colour in colours)
    return replace(taught, rows=rows, faces=tuple(_renamed(one, rows) for one in taught.faces))


def _renamed(taught: TaughtFace, rows: Sequence[TaughtRow]) -> TaughtFace:
    number = Tile.parse(taught.example.face).number
    if taught.row is None or number is None:
        return taught
    face = str(Tile(number, rows[taught.row].colour))
    return replace(taught, example=replace(taught.example, face=face))


def _face(frame: Frame, seen: FaceScores, at: int, face: Tile, row: int | None) -> TaughtFace:
    corners = (seen.quads[at] + 0.5) * np.float32(frame.scale) - 0.5
    return TaughtFace(FaceExample(str(face), seen.crops[at]), corners, row)


def _with_gaps(line: Line) -> Line:
    """Return the line with gaps for lost tiles, if its digits plainly show that it was laid without
    them.
    """
    return _rearranged(line, places_by_digits(line.upright.number, line.present))


def _with_swapped_back(line: Line) -> Line:
    """Return the line with those tiles in their places that plainly lie in each other's."""
    seen = line.upright
    return _rearranged(line, places_of_swapped(seen.number, seen.turn, line.present))


def _with_upright_faces(line: Line) -> Line:
    """Return the line with what is seen on its tiles that surely lie upside down turned upright."""
    turned = line.turned.take(BACKWARDS)
    where = np.flatnonzero(line.present & upside_down(line.upright, turned))
    upright = line.upright.with_replaced(where, turned.take(where))
    turned = turned.with_replaced(where, line.upright.take(where))
    return Line(upright, turned.take(BACKWARDS), line.present)


def _comodines_among(line: Line) -> NDArray[np.bool_]:
    """Return a mask (13,) of the places of a line at which there plainly is a comodín, since
    somebody has laid it where a tile is lost. All other tiles of such a line are surely read as the
    numbers of their places: a reader that cannot read a set may take its numbers for comodines.
    """
    log = line.upright.number
    comodines = line.present & (log[:, JOKER_CLASS] > PLAIN_COMODIN)
    right = np.diagonal(log[:, :ROW_LENGTH]) > SURE
    return comodines & bool((right | comodines | ~line.present).all())


def _rearranged(line: Line, order: NDArray[np.intp]) -> Line:
    """Return the line with the places `order`, (13,), in this order."""
    turned = line.turned.take((ROW_LENGTH - 1 - order)[::-1])
    return Line(line.upright.take(order), turned, line.present[order])


def _reads_otherwise(seen: FaceScores) -> bool:
    """Whether the tiles of a row lie in some other order than 1 to 13: nearly all digits are read
    surely, and hardly any is the one that its place demands. `seen` is what the reader sees on the
    thirteen tiles.
    """
    log = seen.number[:, :ROW_LENGTH]
    sure = log.max(axis=1) > SURE
    right = log.argmax(axis=1) == np.arange(ROW_LENGTH)
    return bool(sure.sum() >= MOST_SURE and (sure & right).sum() < FEWEST_RIGHT)
