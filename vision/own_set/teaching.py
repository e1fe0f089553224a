"""A photograph of tiles laid in rows from 1 to 13 teaches a set: position tells each face.

So a face is known whatever its digits look like. What the reader makes of them decides only from
which end a row counts, and the inks, taken together over a row, which colour it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.tiles import COLOURS, JOKER, NUMBERS, Colour, Tile
from vision.crops import crop_faces, white_balance
from vision.frame import Frame, load
from vision.grouping import Indices, find_rows
from vision.own_set.examples import FaceExample
from vision.reader import FaceScores

if TYPE_CHECKING:
    from vision.pipeline import TableReader

LENGTH = len(NUMBERS)  # tiles of a row
LOWEST_LOG = -4.0  # of a probability, below which one unreadable digit would outweigh a whole row
# Mean of a row's log-probabilities by which the inks prefer one colour of the rows to another.
SURE_COLOUR = 0.5
SURE_NUMBER = float(np.log(0.9))  # of a digit that lies upside down in its row
MOST_SURE, FEWEST_RIGHT = 10, 4  # digits of a row that is in some other order
TURNED = (6, 9)  # the numbers that are each other upside down
LONE_SCORE = 0.5  # of the detector, for a tile apart from the rows
LONE_SIZE = (0.7, 1.4)  # of it, in heights of the tiles in the rows
Quads = NDArray[np.float32]


class TeachingFailure(Enum):
    """Why a photograph teaches nothing; the value is the code in JSON."""

    NO_ROW = "no_row"  # it shows no row of thirteen tiles


class TeachingError(Exception):
    """This photograph teaches nothing; `reason` says why."""

    def __init__(self, reason: TeachingFailure) -> None:
        super().__init__(reason.value)
        self.reason = reason


@dataclass(frozen=True, eq=False)
class TaughtFace:
    """One tile of the photograph. `corners` is (4, 2): x, y in pixels of the upright original, in
    the tile's own reading direction. `row` counts from the top; None for a comodín.
    """

    example: FaceExample
    corners: NDArray[np.float32]
    row: int | None


@dataclass(frozen=True)
class TaughtRow:
    """A row from 1 to 13. Where its colour is not `sure`, a person should name it."""

    colour: Colour
    sure: bool


@dataclass(frozen=True, eq=False)
class TaughtPhoto:
    """All that one photograph teaches: rows from top to bottom, their tiles from 1 to 13, and the
    comodines last. `width` and `height` are those of the upright original, in pixels.
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
    """Find the rows of thirteen tiles, and comodines apart from them.

    `rows` are the rows' colours from top to bottom, where a person told them.

    Raises PhotoError for what is no usable picture, TeachingError where there is no row of
    thirteen, and ValueError where `rows` are not as many as are found.
    """
    frame = photo if isinstance(photo, Frame) else load(photo)
    found = tables.detector.detect(frame.pixels)
    scores = tables.reader.read(frame.pixels, found.quads)
    touching = find_rows(scores.quads, is_meld=lambda row: len(row) <= LENGTH)
    lines = [_counted(row, scores) for row in touching if len(row) == LENGTH]
    lines = [line for line in lines if not _reads_otherwise(line, scores)]
    if not lines:
        raise TeachingError(TeachingFailure.NO_ROW)
    lines.sort(key=lambda line: float(_centres(scores.quads[list(line)])[:, 1].mean()))
    upright = _upright_in_rows(lines, scores)
    joined = {tile for row in touching if len(row) > 2 for tile in row}
    lone = [tile for tile in range(len(scores)) if tile not in joined]
    jokers = [tile for tile in lone if _is_joker(tile, found.scores, scores, upright)]
    known = _row_colours(lines, scores)
    crops = white_balance(crop_faces(frame.pixels, upright))
    faces: list[TaughtFace] = []

    def add(tile: int, face: Tile, row: int | None) -> None:
        corners = (upright[tile] + 0.5) * np.float32(frame.scale) - 0.5
        faces.append(TaughtFace(FaceExample(str(face), crops[tile]), corners, row))

    for at, (line, row) in enumerate(zip(lines, known, strict=True)):
        for number, tile in zip(NUMBERS, line, strict=True):
            add(tile, Tile(number, row.colour), at)
    for tile in jokers:
        add(tile, JOKER, None)
    taught = TaughtPhoto(frame.width, frame.height, known, tuple(faces))
    return named_rows(taught, rows) if rows else taught


def named_rows(taught: TaughtPhoto, colours: Sequence[Colour]) -> TaughtPhoto:
    """Return what was taught with the rows' colours as a person named them, from top to bottom.

    Raises ValueError where they are not as many as the rows.
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


def _centres(quads: Quads) -> NDArray[np.float32]:
    return np.asarray(quads.mean(axis=1))


def _counted(row: Indices, scores: FaceScores) -> Indices:
    """Return the row from its 1 to its 13: from left to right in the upright picture, unless the
    digits read better the other way.
    """
    centres = _centres(scores.quads[list(row)])
    across, down = centres[-1] - centres[0]
    if (across if abs(across) >= abs(down) else down) < 0:
        row = row[::-1]
    log = np.maximum(scores.number[list(row), :LENGTH], LOWEST_LOG)
    forwards, backwards = float(np.trace(log)), float(np.trace(log[::-1]))
    return row[::-1] if backwards > forwards else row


def _reads_otherwise(line: Indices, scores: FaceScores) -> bool:
    """Whether nearly all digits are read surely, and hardly one as its place says: thirteen tiles
    in some other order.
    """
    log = scores.number[list(line), :LENGTH]
    sure = log.max(axis=1) > SURE_NUMBER
    right = log.argmax(axis=1) == np.arange(LENGTH)
    return bool(sure.sum() >= MOST_SURE and (sure & right).sum() < FEWEST_RIGHT)


def _upright_in_rows(lines: Sequence[Indices], scores: FaceScores) -> Quads:
    """Return all quads, (n, 4, 2); those in rows turned so that their up is the row's.

    A tile that surely reads as its number the other way up lies upside down, and stays so.
    """
    quads = scores.quads.copy()
    for line in lines:
        centres = _centres(quads[list(line)])
        along = centres[-1] - centres[0]
        for number, tile in zip(NUMBERS, line, strict=True):
            surely = scores.number[tile, number - 1] > SURE_NUMBER
            if surely and number not in TURNED:
                continue
            turns = [np.roll(quads[tile], turn, axis=0) for turn in range(4)]
            quads[tile] = max(turns, key=lambda quad: float((quad[1] - quad[0]) @ along))
    return quads


def _is_joker(tile: int, found: NDArray[np.float32], scores: FaceScores, upright: Quads) -> bool:
    """Whether a lone tile is a comodín: as large as the others, and no number that is surely
    read.
    """
    if found[tile] < LONE_SCORE:
        return False
    heights = np.linalg.norm(upright[:, 3] - upright[:, 0], axis=1)
    low, high = LONE_SIZE
    ratio = float(heights[tile] / np.median(heights))
    return low < ratio < high and bool(scores.number[tile, :LENGTH].max() < SURE_NUMBER)


def _row_colours(lines: Sequence[Indices], scores: FaceScores) -> tuple[TaughtRow, ...]:
    """Return the colours of the rows, each another one where there are no more than four."""
    log = np.maximum(scores.colour, LOWEST_LOG)
    by_row = np.array([log[list(line)].mean(axis=0) for line in lines])  # (rows, 4)
    if len(lines) > len(COLOURS):
        ordered = np.sort(by_row, axis=1)
        sure = ordered[:, -1] - ordered[:, -2] > SURE_COLOUR
        best = by_row.argmax(axis=1)
        return tuple(TaughtRow(COLOURS[b], bool(s)) for b, s in zip(best, sure, strict=True))
    each = np.arange(len(lines))
    choices = {
        choice: float(by_row[each, list(choice)].sum())
        for choice in permutations(range(len(COLOURS)), len(lines))
    }
    chosen = max(choices, key=choices.__getitem__)
    rows = []
    for at, colour in enumerate(chosen):
        others = [total for choice, total in choices.items() if choice[at] != colour]
        sure = choices[chosen] - max(others) > SURE_COLOUR
        rows.append(TaughtRow(COLOURS[colour], sure))
    return tuple(rows)
