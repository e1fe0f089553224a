"""From confirmed tracks to judged melds; no pictures are involved."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.reasons import Reason
from engine.rulesets import ruleset
from engine.tiles import COLOURS, Tile
from vision.live.settings import LiveConfig
from vision.live.table.judging import JudgedChange, TableJudge
from vision.live.table.sides import Line
from vision.live.table.stable import Moment, StableTable
from vision.live.tracking.outcomes import Confirmation
from vision.live.tracking.tracks import Track

CONFIG = LiveConfig()
PICTURE = np.full((360, 640, 3), (40, 120, 60), np.uint8)
MOMENT = Moment(3.0, 15, 640, 360)
LINE: Line = (0.0, 150.0), (640.0, 150.0)  # side A lies below it
WIDTH, STEP = 24, 25


def track(id: int, face: str, x: float, y: float = 60, sure: float = 0.999) -> Track:
    """Make the track of a tile that reads as `face` with probability `sure`, else as nothing
    legible.
    """
    quad = np.array([[x, y], [x + WIDTH, y], [x + WIDTH, y + 34], [x, y + 34]], np.float32)
    number, colour = np.full(15, 1e-6), np.full(4, 1e-6)
    number[14], number[13 if face == "J" else int(face[:-1]) - 1] = 1 - sure, sure
    colour[COLOURS.index(face[-1]) if face != "J" else 0] = 1.0  # type: ignore[arg-type]
    logs = (np.log(each).astype(np.float32) for each in (number, colour))
    return Track(id, quad, *logs, looks=1)


class Table:
    """Tracks that a test lays and lifts, and a judge that sees them."""

    def __init__(self) -> None:
        self.judge = TableJudge(ruleset("burako"), CONFIG)
        self.tracks: dict[int, Track] = {}

    def lay(self, faces: str, x: float, y: float = 60, **how: Any) -> set[int]:
        """Lay tiles side by side and return the ids of their tracks, which continue the former
        ones.
        """
        first = max(self.tracks, default=0) + 1
        for at, face in enumerate(faces.split()):
            self.tracks[first + at] = track(first + at, face, x + STEP * at, y, **how)
        return set(range(first, first + len(faces.split())))

    def begin(self, colourless: bool = False) -> None:
        self.judge.begin(self.tracks, PICTURE, colourless)

    def told(
        self,
        laid: Collection[int] = (),
        found_late: Collection[int] = (),
        colourless: bool = False,
        time: float = 1.0,
    ) -> list[tuple[str, str, Reason | None, bool]]:
        seen = Confirmation(frozenset({*laid, *found_late}), frozenset(found_late))
        return told(self.judge.update(self.tracks, seen, PICTURE, colourless, time))

    def shown(self, line: Line | None = None) -> StableTable:
        return self.judge.table(self.tracks, MOMENT, line)

    def melds(self) -> list[str]:
        return [" ".join(map(str, meld.row)) for meld in self.shown().melds]


def told(changes: list[JudgedChange]) -> list[tuple[str, str, Reason | None, bool]]:
    """Return for each change its kind, its tiles, the reason why it is wrong and whether anything
    of it is in doubt.
    """
    found = []
    for change in changes:
        ruling = change.ruling
        tiles = " ".join("?" if tile is None else str(tile) for tile in ruling.tiles)
        reason = ruling.verdict.reason if ruling.verdict else None
        found.append((ruling.kind.value, tiles, reason, change.doubtful))
    return found


@pytest.fixture
def table() -> Table:
    """A table on which two melds and a loose tile lay from the beginning."""
    one = Table()
    one.lay("3R 4R 5R", 100, 60)  # 1 2 3
    one.lay("6B 6K 6Y", 100, 200)  # 4 5 6
    one.lay("9K", 500, 60)  # 7
    one.begin()
    return one


def test_a_table_shows_melds_with_sides_and_verdicts_and_what_lies_loose(table: Table) -> None:
    shown = table.shown(LINE)
    assert [(meld.id, meld.side, meld.accepted) for meld in shown.melds] == [
        (1, "B", False),
        (2, "A", False),
    ]
    assert table.melds() == ["3R 4R 5R", "6B 6K 6Y"]
    assert all(meld.verdict is not None and meld.verdict.valid for meld in shown.melds)
    assert [(tile.id, str(tile.tile)) for tile in shown.loose] == [(7, "9K")]
    assert shown.printed == () and len(shown.tiles) == 7
    assert (shown.time, shown.frame, shown.width, shown.height) == (3.0, 15, 640, 360)
    assert all(meld.side is None for meld in table.shown().melds)
    first = shown.melds[0].tiles[0]
    assert first.confidence > 0.99 and sum(each for _tile, each in first.alternatives) < 0.01
    np.testing.assert_array_equal(first.corners, table.tracks[1].quad)


def test_a_change_comes_with_the_row_as_it_lies_now(table: Table) -> None:
    laid = table.lay("7R", 175)
    seen = Confirmation(frozenset(laid))
    (change,) = table.judge.update(table.tracks, seen, PICTURE, False, 1.0)
    assert told([change]) == [("tiles_added", "7R", Reason.GAP, False)]
    assert [str(tile) for tile in change.row] == ["3R", "4R", "5R", "7R"]
    np.testing.assert_array_equal(change.quads, [table.tracks[at].quad for at in (1, 2, 3, 8)])


def test_a_change_is_in_doubt_where_a_tile_of_the_meld_or_one_that_is_gone_was(
    table: Table,
) -> None:
    assert table.told(table.lay("6R", 175, sure=0.6)) == [("tiles_added", "6R", None, True)]
    del table.tracks[8]
    assert table.told() == [("tile_removed", "6R", Reason.TILE_REMOVED, True)]
    assert table.told(table.lay("9B 10B 11B", 300, 200)) == [
        ("meld_laid", "9B 10B 11B", None, False)
    ]


def test_a_tile_that_cannot_be_read_leaves_its_meld_unjudged(table: Table) -> None:
    laid = table.lay("9B 1R 11B", 300, 200)
    table.tracks[9] = track(9, "1R", 300 + STEP, 200, sure=0.02)
    ((kind, tiles, reason, doubtful),) = table.told(laid)
    assert (kind, reason, doubtful) == ("meld_laid", None, True) and "?" in tiles
    (unread,) = (meld for meld in table.shown().melds if None in meld.row)
    assert unread.verdict is None and unread.doubtful


def test_a_long_meld_is_one_though_its_tiles_lie_a_little_apart() -> None:
    table = Table()
    table.lay("3R 4R 5R 6R", 100)
    table.lay("7R 8R 9R 10R", 110 + 4 * STEP)
    table.begin()
    assert table.melds() == ["3R 4R 5R 6R 7R 8R 9R 10R"]


def test_what_was_there_all_along_joins_in_silence(table: Table) -> None:
    late = table.lay("6R", 175) | table.lay("9B 10B 11B", 300, 200)
    assert table.told(found_late=late) == []
    assert table.melds() == ["3R 4R 5R 6R", "6B 6K 6Y", "9B 10B 11B"]


def test_two_tiles_laid_together_and_left_alone_are_told_once(table: Table) -> None:
    assert table.told(table.lay("9B 10B", 300, 200), time=10.0) == []
    alone = 10.0 + CONFIG.left_alone
    assert table.judge.judge_left_alone(table.tracks, alone - 0.1) == []
    assert told(table.judge.judge_left_alone(table.tracks, alone)) == [
        ("meld_laid", "9B 10B", Reason.TOO_SHORT, False)
    ]
    assert table.judge.judge_left_alone(table.tracks, alone + 10) == []
    assert table.told(table.lay("11B", 350, 200), time=20.0) == [
        ("tiles_added", "11B", None, False)
    ]


def test_a_tile_beside_one_that_lay_there_is_no_short_meld(table: Table) -> None:
    assert table.told(table.lay("10K", 525), time=10.0) == []
    assert table.judge.judge_left_alone(table.tracks, 99.0) == []


def test_where_the_camera_sees_no_colours_every_number_is_in_doubt(table: Table) -> None:
    assert table.told(table.lay("6R", 175), colourless=True) == [("tiles_added", "6R", None, True)]
    assert all(meld.doubtful for meld in table.shown().melds)
    other = Table()
    other.lay("3R 4R J", 100)
    other.begin(colourless=True)
    assert [tile.doubtful for tile in other.shown().melds[0].tiles] == [True, True, False]


def test_a_corrected_tile_is_judged_with_its_meld_alone(table: Table) -> None:
    table.tracks[3] = replace(table.tracks[3], user_label=Tile(9, "R"))
    changes = table.judge.correct(table.tracks, 3, Tile(9, "R"))
    assert told(changes) == [("tiles_added", "9R", Reason.GAP, False)]
    assert table.melds() == ["3R 4R 9R", "6B 6K 6Y"]
    table.tracks[7] = replace(table.tracks[7], user_label=Tile(1, "Y"))
    assert table.judge.correct(table.tracks, 7, Tile(1, "Y")) == []
    assert [str(tile.tile) for tile in table.shown().loose] == ["1Y"]


def test_a_meld_is_shown_as_let_lie_until_the_players_take_that_back(table: Table) -> None:
    table.told(table.lay("7R", 175))
    for accepted in (True, False):
        table.judge.accept(1, accepted)
        assert [meld.accepted for meld in table.shown().melds] == [accepted, False]


def test_a_meld_that_is_gone_leaves_an_empty_row(table: Table) -> None:
    for at in (1, 2, 3):
        del table.tracks[at]
    (change,) = table.judge.update(table.tracks, Confirmation(), PICTURE, False, 1.0)
    assert told([change]) == [("tile_removed", "3R 4R 5R", Reason.MELD_REMOVED, False)]
    assert change.row == () and change.quads == ()
    assert table.melds() == ["6B 6K 6Y"]


def test_what_is_legal_let_lie_or_laid_by_somebody_is_no_picture() -> None:
    """A row that is no legal meld may be a picture of tiles, unless somebody laid or
    accepted it.
    """
    one = Table()
    wrong = one.lay("3R 4R 9R", 100, 60)
    right = one.lay("7K 8K 9K", 100, 200) | one.lay("9B 10B 11B", 300, 60)
    right |= one.lay("11Y 12Y 13Y", 300, 200)
    one.begin()
    assert len(one.melds()) == 4

    def sound(*laid: int) -> set[int]:
        return one.judge._in_sound_melds(one.tracks, Confirmation(frozenset(laid)))

    assert sound() == right
    assert sound(min(wrong)) == sound(*wrong) == wrong | right
    assert sound(*right) == right
    one.judge.accept(1, True)
    assert sound() == wrong | right
