"""The labels of a picture, rendered or photographed: one form of them for training, benchmark and
tests.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

# (4, 2): x, y in pixels; top-left, top-right, bottom-right, bottom-left as one reads the tile.
Corners = NDArray[np.float32]


@dataclass(frozen=True)
class LabelledTile:
    """One true tile. `tile` is in the engine's notation, such as `7R` or `J`."""

    tile: str
    centre: tuple[float, float]  # x, y in pixels
    corners: Corners | None = None  # None where the source gives a centre or an outline only
    outline: NDArray[np.float32] | None = None  # (n, 2): a hand-drawn polygon, in no known order
    row: int | None = None  # index into LabelledPicture.rows, None for a loose tile
    counted: bool = (
        True  # False: cut by the frame, hidden or otherwise too little seen to be judged
    )
    visible: float = 1.0  # share of the face that can be seen, 0..1
    mirror_upright: bool = False  # the face looks the same upside down: it has no reading direction


@dataclass(frozen=True)
class LabelledRow:
    """Tiles laid side by side, as indices into LabelledPicture.tiles in the order in which they
    lie.
    """

    tiles: tuple[int, ...]
    legal: bool | None = None  # None: the source gives no verdict
    reason: str | None = None  # code of the rule that an illegal row breaks; None for other rows
    kind: str | None = None  # what the source calls it: meld, rack, pozo...
    whole: bool = True  # False: some of its tiles are cut or hidden


@dataclass(frozen=True)
class LabelledPicture:
    """One picture and its truth. `path` is None for a scene that has only just been rendered."""

    name: str  # file name without its ending; empty for a scene that was just rendered
    source: str  # rummikub_ivory, other_sets, burako_renders, rendered
    width: int
    height: int
    tiles: tuple[LabelledTile, ...]
    rows: tuple[LabelledRow, ...] = ()
    path: str | None = None
    shoot: str | None = None  # photographs of one shoot are alike: data are split by shoot
    style: str | None = None  # name or kind of the set of tiles, where the source gives it
    # Boxes x0, y0, x1, y1 in which finds count neither as right nor as wrong.
    ignore: tuple[tuple[float, float, float, float], ...] = ()
    cut_off: tuple[tuple[float, float], ...] = ()  # centres of tiles cut by the frame
    rack: bool = False  # shows a rack: `burako read` reads it with `--as loose`
    notes: dict[str, str] = field(default_factory=dict)  # of a rendered scene: "jpeg", its quality
