"""The rows of a photograph that teaches a set, as the reader sees them, and how they lie: which end
a row begins at, and whether the photograph is upside down or mirrored.

The reader tells the number of an upside down tile, too. So the numbers tell at which end a row
begins, and the tiles' directions whether the photograph is upside down or the row was laid from 13
to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame
from vision.own_set.certainty import LEGIBLE, LOWEST_LOG
from vision.own_set.lattice import ROW_LENGTH, PlacedRow
from vision.quads import Quads
from vision.reader import JOKER, UPRIGHT, UPSIDE_DOWN, FaceScores, Reader

# Mean of a row's log-probabilities by which digits read in another order, in a mirror, or in
# another direction must be likelier, before they are believed.
CONVINCING = 1.0
MOST_CORRECTED = 0.15  # widths by which the reader may move a corner
# Log-probability from which a tile in a row is plainly a comodín. Of 40 rendered odd sets without
# one, and with such rows that are read surely, no tile has more than 0.74.
PLAIN_COMODIN = float(np.log(0.98))
# Plain comodines of a row, or median cosine between the features of its tiles, from which it shows
# one face thirteen times. Of the rows 1 to 13 of 20 rendered odd sets none has more than one of
# them and 0.80; of 20 rows of comodines 19 have 7 or 0.97.
FEW_COMODINES, ALIKE = 4, 0.87
MIRROR = [1, 0, 3, 2]  # corners of a quad in the order in which its face is seen in a mirror
BACKWARDS = np.arange(ROW_LENGTH)[::-1]


@dataclass(frozen=True, eq=False)
class Line:
    """A row of thirteen places as the reader sees it: `upright`, from left to right, and `turned`,
    with the picture turned by half a turn, in the order from left to right after turning. `present`
    (13,) tells at which places of `upright` there is a tile.
    """

    upright: FaceScores
    turned: FaceScores
    present: NDArray[np.bool_]

    def reversed(self) -> Line:
        """Return the line with its places in the opposite order."""
        upright, turned = self.upright.take(BACKWARDS), self.turned.take(BACKWARDS)
        return Line(upright, turned, self.present[::-1])

    def upside_down(self) -> Line:
        """Return the line with the other side of its tiles up, in the same order."""
        return Line(self.turned.take(BACKWARDS), self.upright.take(BACKWARDS), self.present)

    @property
    def fit(self) -> float:
        """How well the tiles show 1 to 13 in this order, whichever of their sides is up."""
        turned = self.turned.number[::-1]
        return max(_fit(self.upright.number, self.present), _fit(turned, self.present))

    @property
    def gain_reversed(self) -> float:
        """How much better the tiles show 13 to 1."""
        return self.reversed().fit - self.fit

    @property
    def is_legible(self) -> bool:
        return max(self.fit, self.reversed().fit) > LEGIBLE

    @property
    def gain_upside_down(self) -> float:
        """How much likelier it is that the tiles lie upside down: a mean of log-probabilities; 0
        where the numbers cannot be read.
        """
        if not self.is_legible:
            return 0.0
        return (_heads_down(self.upright, self.present) - self._heads_down_turned) / 2

    @property
    def _heads_down_turned(self) -> float:
        return _heads_down(self.turned, self.present[::-1])


def seen_line(reader: Reader, frame: Frame, row: PlacedRow) -> Line:
    """Return what the reader sees at the thirteen places of a row. Where the detector found no tile
    at a place, a tile counts as present if the reader sees a face there.
    """
    upright = _look(reader, frame, row.quads)
    turned = _look(reader, frame, np.roll(row.quads[::-1], 2, axis=1))
    return Line(upright, turned, (row.found >= 0) | ~upright.blank | ~turned.blank[::-1])


def _look(reader: Reader, frame: Frame, quads: Quads) -> FaceScores:
    """Return what the reader sees on faces whose direction is known. First the reader corrects
    the corners of their `quads` (n, 4, 2).

    A quad stays as it is where the reader would move a corner far: a reader that has never seen
    such faces may take the frame of ornaments around them for their edge.
    """
    corrected = reader.read(frame.pyramid, quads).quads
    for i, quad in enumerate(quads):
        width = float(np.linalg.norm(quad[1] - quad[0]))
        turns = [np.roll(corrected[i], turn, axis=0) for turn in range(4)]
        offsets = [float(np.abs(turn - quad).max()) / width for turn in turns]
        near = int(np.argmin(offsets))
        corrected[i] = turns[near] if offsets[near] < MOST_CORRECTED else quad
    return reader.look(frame.pyramid, corrected)


def in_reading_order(lines: Sequence[Line]) -> list[Line]:
    """Return the lines from top to bottom, each from its 1 to its 13, with most of its tiles
    upright.

    Lines are taken to run from left to right in the upright picture, unless their digits show
    convincingly that they run the other way. Then the picture is upside down, unless the tiles'
    directions show that rows were laid from 13 to 1.
    """
    if not lines:
        return []
    backwards = float(np.mean([line.gain_reversed for line in lines])) > CONVINCING
    upside_down = float(np.mean([line.gain_upside_down for line in lines]))
    is_turned = upside_down > CONVINCING or (backwards and upside_down > -CONVINCING)
    ordered = [_in_order(_heads_up(line, is_turned), backwards) for line in lines]
    return ordered[::-1] if is_turned else ordered


def _heads_up(line: Line, is_turned: bool) -> Line:
    """Return the line with its tiles upright. They lie as the picture does, upside down where that
    `is_turned`, unless they show convincingly that they do not.
    """
    gain = line.gain_upside_down
    return line.upside_down() if gain > CONVINCING or (is_turned and gain > -CONVINCING) else line


def _in_order(line: Line, backwards: bool) -> Line:
    """Return the line from its 1 to its 13. It runs from right to left where `backwards` says so of
    all lines, unless its digits show convincingly that it runs the other way.
    """
    gain = line.gain_reversed
    return line.reversed() if gain > CONVINCING or (backwards and gain > -CONVINCING) else line


def are_mirrored(reader: Reader, frame: Frame, lines: Sequence[Line]) -> bool:
    """Whether the digits of the lines are convincingly read in a mirror alone, as on a picture of a
    telephone's front camera.
    """
    if not lines or all(line.is_legible for line in lines):
        return False
    return float(np.mean([_gain_mirrored(reader, frame, line) for line in lines])) > CONVINCING


def _gain_mirrored(reader: Reader, frame: Frame, line: Line) -> float:
    number = reader.look(frame.pyramid, line.upright.quads[:, MIRROR]).number
    seen = max(_fit(number, line.present), _fit(number[::-1], line.present[::-1]))
    return seen - max(line.fit, line.reversed().fit)


def shows_one_face(line: Line) -> bool:
    """Whether a line shows comodines alone, or one other face thirteen times."""
    shown = line.upright.take(np.flatnonzero(line.present))
    if int((shown.number[:, JOKER] > PLAIN_COMODIN).sum()) > FEW_COMODINES:
        return True
    vectors = shown.features / np.linalg.norm(shown.features, axis=1, keepdims=True)
    pairs = np.triu_indices(len(vectors), 1)
    return float(np.median((vectors @ vectors.T)[pairs])) > ALIKE


def _fit(number: NDArray[np.float32], present: NDArray[np.bool_]) -> float:
    """Return the mean log-probability that thirteen faces show 1 to 13 in this order. `number`
    (13, n) are the log-probabilities of the numbers; places without a tile, by `present` (13,), are
    left out.
    """
    log = np.maximum(np.diagonal(number[:, :ROW_LENGTH]), LOWEST_LOG)
    return float(log[present].mean())


def _heads_down(seen: FaceScores, present: NDArray[np.bool_]) -> float:
    """Return how much likelier it is that the tiles lie upside down than upright: the mean
    difference of both log-probabilities.
    """
    log = np.maximum(seen.turn, LOWEST_LOG)
    return float((log[:, UPSIDE_DOWN] - log[:, UPRIGHT])[present].mean())
