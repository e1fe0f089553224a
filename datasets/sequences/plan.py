"""Where things lie on the table of a sequence, and the records of what is done with them. Places
are in millimetres from the table's middle, x to the right and y away from the camera.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

STEP, LANE = 26.4, 52.0  # mm from tile to tile in a row, and from row to row
MARGIN = 20.0  # mm around all that has to be in the picture
POZO_STEP = (48.0, 50.0)
Row = tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """Where things may lie. Melds lie side by side in `columns` (left end in mm, number of places
    for tiles), and one behind another in lanes: `lanes` of them on either side of the middle.

    The pozo begins at `pozo`, x and y in mm, and grows away from the camera, two tiles side by
    side, up to `most` tiles. `stock` holds the places of piles that lie face down, x and y in mm
    each. `crooked` is the standard deviation of how far tiles lie from where they should: along
    their row and across it in mm, and in their angle in radians. `box` is where the game's box
    stands, x and y in mm; None without a box. `mug` holds the places between which a mug is moved,
    x and y in mm each; it is empty without a mug.
    """

    columns: tuple[tuple[float, int], ...] = ((-395.0, 12), (-25.0, 11))
    lanes: int = 4
    pozo: tuple[float, float] = (305.0, -190.0)
    most: int = 14
    stock: tuple[tuple[float, float], ...] = ((330.0, 205.0), (372.0, 205.0))
    crooked: tuple[float, float, float] = (0.25, 0.7, 0.012)
    box: tuple[float, float] | None = None
    mug: tuple[tuple[float, float], ...] = ()

    def extent(self) -> NDArray[np.float64]:
        """Return the corners of the rectangle on the table that has to be in the picture, (4, 2)
        mm.
        """
        ends = [(left - STEP, 0.0) for left, _ in self.columns] + [
            (left + cells * STEP, 0.0) for left, cells in self.columns
        ]
        reach = 46 + (self.lanes - 1) * LANE + 20
        pozo = (
            (self.pozo[0], self.pozo[1] + (self.most // 2) * POZO_STEP[1]),
            (self.pozo[0] + POZO_STEP[0], self.pozo[1]),
        )
        box = [np.add(self.box, corner) for corner in ((-100, -80), (100, 80))] if self.box else []
        mugs = [np.add(place, corner) for place in self.mug for corner in ((-50, -50), (50, 50))]
        stock = self.stock
        points = np.array([*ends, (0, reach), (0, -reach), self.pozo, *pozo, *stock, *box, *mugs])
        (x0, y0), (x1, y1) = points.min(axis=0) - MARGIN, points.max(axis=0) + MARGIN
        return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


WIDE = Plan()
CLOSE = Plan(((-260.0, 12),), 2, (90.0, -105.0), 8, ((200.0, 80.0),))  # few melds, seen from near
BOXED = replace(CLOSE, box=(265.0, -65.0))
MUGGED = replace(CLOSE, mug=((265.0, -70.0), (270.0, 10.0), (200.0, -30.0)))
# For a picture higher than wide.
UPRIGHT = Plan(((-170.0, 13),), 5, (-120.0, -480.0), 8, ((60.0, -440.0), (120.0, -400.0)))
UPRIGHT_MUGGED = replace(UPRIGHT, mug=((130.0, -320.0), (-130.0, 330.0), (40.0, 340.0)))


@dataclass(frozen=True)
class Piece:
    """A tile on the table: its middle, `x` and `y` in mm, and its angle `turn` in radians. `copy`
    tells two equal tiles apart.
    """

    tile: str
    copy: int
    x: float
    y: float
    turn: float
    cell: int = -1  # its place in the lane of its meld, from 0; -1: it is in no meld


@dataclass
class Laid:
    """A meld on the table, with its tiles, `pieces`, in the order they lie. `lane` and `column` are
    indices of the lane and the column of `Plan` in which it lies. `start` says at which place of
    the column its first tile lies, from 0.
    """

    side: str
    lane: int
    column: int
    start: int
    pieces: list[Piece]

    @property
    def row(self) -> Row:
        return tuple(piece.tile for piece in self.pieces)


@dataclass(frozen=True)
class Beat:
    """One thing that is done at the table, and what is true of it.

    `place` is where the hand goes, x and y in mm. `added` and `removed` are the tiles that came to
    melds or left them, and `moved` the tiles that lie elsewhere in the melds. `reason` is the code
    of the rule that the change breaks; None for a legal one.
    """

    side: str | None  # whose meld it is done to; None: no meld's
    place: tuple[float, float]
    added: Row = ()
    removed: Row = ()
    moved: Row = ()
    legal: bool = True
    reason: str | None = None
    note: str = ""  # what was done, in words
    wait: float = 0.0  # seconds that it has to be left alone before it is reported
