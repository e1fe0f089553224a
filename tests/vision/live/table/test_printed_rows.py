"""When a row counts as printed on a thing, and when that decision has to wait for other tiles to
compare it with.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.live.tracking.readings import quads_at
from vision.live.table import printed
from vision.live.table.printed import LEAST_OTHERS, PrintedRows
from vision.live.table.rows import TrackRow
from vision.live.tracking.outcomes import Confirmation
from vision.live.tracking.tracks import Track

PICTURE = np.full((400, 600, 3), (60, 120, 70), np.uint8)  # the same ground everywhere
ROW: TrackRow = (1, 2, 3)


def table(others: int) -> dict[int, Track]:
    """Make tracks of three tiles side by side and of `others` farther down."""
    places = [(30.0 * at, 20.0) for at in range(3)] + [(60.0 * at, 200.0) for at in range(others)]
    return {at: Track(at, quad) for at, quad in enumerate(quads_at(*places), 1)}


def seen(rows: PrintedRows, tracks: dict[int, Track], laid: set[int], late: set[int]) -> set[int]:
    """Update the printed rows with a table on which ROW is no meld; return the tracks that no
    longer count as printed.

    `laid` and `late` are the tracks that were laid, and those found late.
    """
    together = Confirmation(frozenset(laid | late), frozenset(late), frozenset(), frozenset(tracks))
    return rows.update(
        tracks, together, (), lambda asked: [ROW] if asked.issuperset(ROW) else [], PICTURE
    )


@pytest.mark.parametrize(("others", "waits"), [(0, True), (2, True), (3, False)])
def test_a_row_that_nobody_laid_waits_for_three_other_tiles(others: int, waits: bool) -> None:
    rows, tracks = PrintedRows(), table(others)
    assert seen(rows, tracks, set(), set(tracks)) == set()
    assert rows.rows == ([ROW] if waits else [])
    assert rows.tracks == (set(ROW) if waits else set())
    assert LEAST_OTHERS == 3


def test_what_waited_and_lies_on_the_same_ground_was_a_row_all_along() -> None:
    rows = PrintedRows()
    seen(rows, table(0), set(), set(ROW))
    more = table(3)
    assert seen(rows, more, set(more) - set(ROW), set()) == set(ROW)
    assert rows.rows == []


def test_a_row_that_somebody_laid_is_never_asked_about() -> None:
    rows, tracks = PrintedRows(), table(0)
    seen(rows, tracks, set(tracks), set())
    assert rows.rows == []
    seen(rows, tracks, set(), set())
    assert rows.rows == []


def test_a_person_who_says_what_a_tile_is_ends_the_waiting() -> None:
    rows, tracks = PrintedRows(), table(0)
    seen(rows, tracks, set(), set(tracks))
    assert rows.deny(9) == () and rows.rows == [ROW]
    assert rows.deny(2) == ROW and rows.rows == []
    seen(rows, tracks, set(), set())
    assert rows.rows == []


def test_a_printed_row_loses_the_tiles_that_are_laid_elsewhere_and_those_that_are_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows, tracks = PrintedRows(), table(3)
    monkeypatch.setattr(printed, "are_printed", lambda _picture, _quads, asked: [True] * len(asked))
    seen(rows, tracks, set(), set(tracks))
    assert rows.rows == [ROW]
    seen(rows, tracks, set(), set())
    assert rows.rows == [ROW]
    seen(rows, tracks, {1}, set())
    assert rows.rows == [(2, 3)]
    del tracks[3]
    seen(rows, tracks, set(), set())
    assert rows.rows == [(2,)]
