"""What an event reports of one judged change."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from engine.changes import ChangeVerdict
from engine.reasons import Reason
from engine.rulesets import ruleset
from engine.sides import SideName
from engine.tiles import tiles
from vision.live.table.judging import JudgedChange
from vision.live.table.kinds import ChangeKind
from vision.live.table.referee import Ruling
from vision.live.table.sides import Line
from vision.live.table.stable import LiveMeld, Moment, StableTable
from vision.live.telling.events import LiveEvent, report
from vision.quads import Quad

RULES = ruleset("burako")
MOMENT = Moment(12.34567, 61, 640, 360)
LINE: Line = (0.0, 100.0), (640.0, 100.0)  # side A lies below it
QUADS: tuple[Quad, ...] = (
    np.array([[10.2, 150.7], [30, 149.5], [31.5, 180.1], [11, 181]], np.float32),
    np.array([[33, 151], [53, 150], [54.1, 178], [34, 180]], np.float32),
)
GAP = ChangeVerdict(Reason.GAP)


def reported(
    verdict: ChangeVerdict | None = GAP,
    doubtful: bool = False,
    quads: tuple[Quad, ...] = QUADS,
    last: StableTable | None = None,
    line: Line | None = LINE,
) -> LiveEvent:
    ruling = Ruling(ChangeKind.TILES_ADDED, 4, tiles("7R"), verdict)
    row = tiles("4R 5R 7R") if quads else ()
    return report(JudgedChange(ruling, row, quads, doubtful), MOMENT, RULES, line, last)


def test_an_event_tells_what_changed_where_and_when() -> None:
    assert json.loads(json.dumps(reported().to_json())) == {
        "time": 12.346,
        "frame": 61,
        "event": "tiles_added",
        "tiles": ["7R"],
        "meld": ["4R", "5R", "7R"],
        "meld_id": 4,
        "side": "A",
        "legal": False,
        "reason": "gap",
        "doubtful": False,
        "box": [10, 149, 55, 181],  # whole pixels that hold all corners
    }


@pytest.mark.parametrize(
    ("verdict", "doubtful", "legal", "asks", "alarms"),
    [
        (GAP, False, False, False, True),
        (GAP, True, False, True, False),
        (ChangeVerdict(), False, True, False, False),
        (ChangeVerdict(), True, True, True, False),
        (None, False, True, True, False),  # a tile could not be read
    ],
)
def test_an_alarm_is_given_only_for_what_is_surely_wrong(
    verdict: ChangeVerdict | None, doubtful: bool, legal: bool, asks: bool, alarms: bool
) -> None:
    event = reported(verdict, doubtful)
    assert (event.legal, event.doubtful, event.alarming) == (legal, asks, alarms)
    assert event.reason == (None if legal else Reason.GAP)


def meld(id: int, side: SideName) -> LiveMeld:
    return LiveMeld(id, (), side, None)


def test_a_meld_that_is_gone_keeps_the_side_it_was_on() -> None:
    last = StableTable(12.0, 60, 640, 360, melds=(meld(3, "A"), meld(4, "B")))
    gone = reported(quads=(), last=last)
    assert (gone.side, gone.box, gone.row) == ("B", None, ())
    unknown = replace(last, melds=last.melds[:1])
    assert reported(quads=(), last=unknown).side is reported(quads=(), last=None).side is None
    assert reported(last=last).side == "A"  # where it lies now
    assert reported(last=last, line=None).side is None
