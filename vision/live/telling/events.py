"""The events of the live referee: what happened to a meld, as codes.

An event holds all that its sentence needs; the sentence itself is made elsewhere, in the language
of whoever reads it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.changes import ChangeVerdict
from engine.reasons import Reason
from engine.rulesets import RuleSet
from engine.sides import SideName
from vision.live.table.judging import JudgedChange
from vision.live.table.kinds import ChangeKind, TileRow
from vision.live.table.sides import Line, side_of
from vision.live.table.stable import Moment, StableTable, row_to_json
from vision.quads import Quad


@dataclass(frozen=True)
class LiveEvent:
    """One change of one meld, and whether the rules allow it."""

    time: float  # seconds of the clock that the frames came with
    frame: int  # counted from 0
    kind: ChangeKind
    tiles: TileRow  # those added, taken or moved
    row: TileRow  # the meld after the change, empty where nothing is left of it
    meld_id: int  # stays with the meld as it grows
    side: SideName | None  # None where no line between the sides is known
    verdict: ChangeVerdict | None  # None where a tile is unread, so that nothing can be judged
    doubtful: bool  # whether a tile concerned should be looked at by a person
    rules: RuleSet = field(repr=False)  # those that the verdict refers to
    box: tuple[int, int, int, int] | None = None  # x0, y0, x1, y1 of the meld in frame pixels
    mends: tuple[int, ...] = ()  # ids of the melds that are put right by the change

    @property
    def legal(self) -> bool:
        """Whether the change is legal; True also where a tile is unread, so that the change cannot
        be judged.
        """
        return self.verdict is None or self.verdict.legal

    @property
    def reason(self) -> Reason | None:
        """Why the change is illegal; None where it is legal or cannot be judged."""
        return None if self.verdict is None else self.verdict.reason

    @property
    def alarming(self) -> bool:
        """Whether the event deserves a sound: illegal, and no tile is doubtful."""
        return not self.legal and not self.doubtful

    def to_json(self) -> dict[str, Any]:
        """The event in JSON: codes without any sentence, under the keys of the public interface."""
        return {
            "time": round(self.time, 3),
            "frame": self.frame,
            "event": self.kind.value,
            "tiles": row_to_json(self.tiles),
            "meld": row_to_json(self.row),
            "meld_id": self.meld_id,
            "side": self.side,
            "legal": self.legal,
            "reason": self.reason,
            "doubtful": self.doubtful,
            "box": self.box,
        }


def report(
    change: JudgedChange,
    moment: Moment,
    rules: RuleSet,
    line: Line | None,
    last_table: StableTable | None,
) -> LiveEvent:
    """Make the event of one judged change, at the `moment` of a frame. The event names the side of
    `line` on which the meld lies; without a line it names no side. A meld that is gone keeps the
    side that it had in `last_table`, the table reported before.
    """
    quads = change.quads
    ruling = change.ruling
    side = side_of(quads, line) if quads else _last_side(ruling.meld_id, last_table)
    return LiveEvent(
        time=moment.time,
        frame=moment.frame,
        kind=ruling.kind,
        tiles=ruling.tiles,
        row=change.row,
        meld_id=ruling.meld_id,
        side=side,
        verdict=ruling.verdict,
        doubtful=change.doubtful or ruling.verdict is None,
        rules=rules,
        box=_box_around(quads) if quads else None,
        mends=ruling.mends,
    )


def _last_side(meld_id: int, table: StableTable | None) -> SideName | None:
    melds = table.melds if table is not None else ()
    return next((meld.side for meld in melds if meld.id == meld_id), None)


def _box_around(quads: tuple[Quad, ...]) -> tuple[int, int, int, int]:
    """The upright box of whole pixels that holds all quads, (4, 2) each: x0, y0, x1, y1."""
    points = np.concatenate(quads)
    x0, y0 = np.floor(points.min(axis=0))
    x1, y1 = np.ceil(points.max(axis=0))
    return int(x0), int(y0), int(x1), int(y1)
