"""What truly happened in a sequence, one record a change, in the shape of
`../shared/videos/*.json`.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class TrueRow:
    """`corners`: (4, 2) pixels a tile. `kind` is `pozo` for loose tiles, whose side and verdict
    are None.
    """

    kind: str
    side: str | None
    legal: bool | None
    tiles: tuple[str, ...]
    corners: tuple[Any, ...]


@dataclass(frozen=True)
class TrueEvent:
    """The table from frame `frame` on. `free_from_frame`: the first without a hand; the first
    event is the table at the start.
    """

    frame: int
    free_from_frame: int
    side: str | None
    added: tuple[str, ...]
    removed: tuple[str, ...]
    moved: tuple[str, ...]
    legal: bool
    reason: str | None
    note: str
    table: tuple[TrueRow, ...]
    hand_frames: tuple[int, int] | None = None
    event: str = ""  # its name, where that is told

    @property
    def is_change(self) -> bool:
        """False for the first table, and where only the pozo or loose tiles changed."""
        return bool(self.added or self.removed or self.moved)


@dataclass(frozen=True)
class TrueSequence:
    video: str
    fps: float
    frames: int
    width: int
    height: int
    side_line_px: tuple[tuple[float, float], tuple[float, float]]
    events: tuple[TrueEvent, ...]

    def table_at(self, frame: int) -> tuple[list[str], NDArray[np.float32]]:
        """All tiles lying there and their corners (n, 4, 2) in that frame, hidden by hands or
        not.
        """
        return table_at(self.events, frame)


def table_at(events: Sequence[TrueEvent], frame: int) -> tuple[list[str], NDArray[np.float32]]:
    at = bisect_right([event.frame for event in events], frame) - 1
    rows = events[max(at, 0)].table
    tiles = [tile for row in rows for tile in row.tiles]
    corners = [quad for row in rows for quad in row.corners]
    return tiles, np.array(corners, np.float32).reshape(-1, 4, 2)


def load(path: Path) -> TrueSequence:
    return from_json(json.loads(path.read_text("utf-8")))


def from_json(raw: Mapping[str, Any]) -> TrueSequence:
    (x1, y1), (x2, y2) = raw["side_line_px"]
    line = ((float(x1), float(y1)), (float(x2), float(y2)))
    events = tuple(_event(event) for event in raw["events"])
    return TrueSequence(
        raw["video"],
        float(raw["fps"]),
        int(raw["frames"]),
        int(raw["width"]),
        int(raw["height"]),
        line,
        events,
    )


def _event(raw: Mapping[str, Any]) -> TrueEvent:
    rows = tuple(
        TrueRow(row["kind"], row["side"], row["legal"], tuple(row["tiles"]), tuple(row["corners"]))
        for row in raw["table"]
    )
    hand = raw["hand_frames"]
    return TrueEvent(
        raw["frame"],
        raw["free_from_frame"],
        raw["side"],
        tuple(raw["added"]),
        tuple(raw["removed"]),
        tuple(raw["moved"]),
        raw["legal"],
        raw["reason"],
        raw["note"],
        rows,
        (hand[0], hand[1]) if hand else None,
        raw.get("event", ""),
    )


def to_json(sequence: TrueSequence) -> dict[str, Any]:
    return asdict(sequence)
