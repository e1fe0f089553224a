"""The truth of a sequence, with an event for each change. Written as JSON it has the same shape as
the labels of real videos, which lie beside the project's folder and not in it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class TrueRow:
    """A row on the table; `corners` holds for each tile its corners TL, TR, BR, BL as one reads it,
    (4, 2) px.

    `kind` is the kind of a meld, such as `escalera`, or `meld` for an illegal one. Loose tiles form
    a row of the `kind` `pozo`, with None for `side` and `legal`.
    """

    kind: str
    side: str | None  # whose meld it is
    legal: bool | None  # the verdict on a meld
    tiles: tuple[str, ...]
    corners: tuple[Any, ...]


@dataclass(frozen=True)
class TrueEvent:
    """A change, with the table as it is from frame `frame` on.

    `free_from_frame` is the first frame after the change without a hand; where a change is reported
    only after the tiles have been left alone for a while, it is a later frame. `added`, `removed`
    and `moved` are the tiles that came to melds, left them or lie elsewhere in them. The first
    event of a sequence is the table at the start.
    """

    frame: int
    free_from_frame: int
    side: str | None  # whose meld changed; None: no meld, or unknown
    added: tuple[str, ...]
    removed: tuple[str, ...]
    moved: tuple[str, ...]
    legal: bool
    reason: str | None  # code of the rule that the change breaks; None for a legal one
    note: str  # what was done, in words
    table: tuple[TrueRow, ...]
    hand_frames: tuple[int, int] | None = None  # the first and the last with a hand
    event: str = ""  # its name, where the file gives one

    @property
    def is_change(self) -> bool:
        """Whether a meld changed. False for the table at the start, and where only the pozo or
        loose tiles changed.
        """
        return bool(self.added or self.removed or self.moved)


@dataclass(frozen=True)
class TrueSequence:
    """The truth of one film: the name of its file, its size in pixels, the two ends of the line
    between the sides in pixels, x and y each, and every event in order.
    """

    video: str
    fps: float
    frames: int
    width: int
    height: int
    side_line_px: tuple[tuple[float, float], tuple[float, float]]
    events: tuple[TrueEvent, ...]

    def table_at(self, frame: int) -> tuple[list[str], NDArray[np.float32]]:
        """Return the tiles on the table in a frame, counted from 0, and their corners, (n, 4, 2)
        px, whether hands hide them or not.
        """
        return table_at(self.events, frame)


def table_at(events: Sequence[TrueEvent], frame: int) -> tuple[list[str], NDArray[np.float32]]:
    at = bisect_right([event.frame for event in events], frame) - 1
    rows = events[max(at, 0)].table
    tiles = [tile for row in rows for tile in row.tiles]
    corners = [quad for row in rows for quad in row.corners]
    return tiles, np.array(corners, np.float32).reshape(-1, 4, 2)


def load(path: Path) -> TrueSequence:
    """Load the truth of a sequence from its JSON file. Raises msgspec.ValidationError where the
    file has another shape.
    """
    return msgspec.json.decode(path.read_bytes(), type=TrueSequence)
