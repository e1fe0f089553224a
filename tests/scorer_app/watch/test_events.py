"""What a page is told of an event besides the event itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine import ruleset, tiles
from engine.melds import judge_meld
from scorer_app.watch.events import TableEvent, leaves_illegal
from vision.live import ChangeKind, LiveEvent, LiveMeld, LiveTile, StableTable

BURAKO = ruleset("burako")
ADDED = LiveEvent(1.0, 1, ChangeKind.TILES_ADDED, (), (), 1, None, None, False, BURAKO)


def table(row: str, doubtful: bool = False, accepted: bool = False, meld: int = 1) -> StableTable:
    laid = tuple(
        LiveTile(number, tile, np.zeros((4, 2), np.float32), 0.9, doubtful)
        for number, tile in enumerate(tiles(row))
    )
    verdict = judge_meld(tiles(row), BURAKO)
    return StableTable(1.0, 1, 640, 480, (LiveMeld(meld, laid, "A", verdict, accepted),))


@pytest.mark.parametrize(
    ("after", "lies"),
    [
        (table("3R 4R 9R"), True),
        (table("3R 4R 5R"), False),
        (table("3R 4R 9R", doubtful=True), False),
        (table("3R 4R 9R", accepted=True), False),
        (table("3R 4R 9R", meld=2), False),
        (None, False),
    ],
)
def test_an_event_leaves_an_illegal_meld_or_none(after: StableTable | None, lies: bool) -> None:
    assert leaves_illegal(ADDED, after) is lies


def test_a_page_learns_which_melds_an_event_put_right() -> None:
    mending = replace(ADDED, mends=(3, 1))
    told = [TableEvent(1, event, None).to_json("en", 1.0)["mends"] for event in (ADDED, mending)]
    assert told == [(), (3, 1)]
