"""Tiles printed on the game's box are no melds to the live referee, whatever is done with the box;
tiles that somebody lays always are.
"""

from __future__ import annotations

import pytest

from engine.tiles import Tile
from tests.vision.live.doubles import LID, PRINTED, DrawnTable, made_once, summary
from vision.live import LiveEvent

BOX = 400, 40
MELDS = ["3R 4R 5R", "6B 6K 6Y"]
LONG = 8.0  # seconds in which something large that was put there is no longer taken for a hand


@made_once
def started(*, box: bool = True, melds: bool = True) -> DrawnTable:
    table = DrawnTable(fps=5.0)
    if box:
        table.put_box(*BOX)
    if melds:
        lay_melds(table)
    assert table.play(1.5) == []
    return table


def lay_melds(table: DrawnTable) -> None:
    table.lay(MELDS[0], 100, 60)
    table.lay(MELDS[1], 100, 160)


def test_a_box_that_was_there_is_no_meld_and_nothing_is_told_of_it() -> None:
    table = started()
    assert (table.melds(), table.printed()) == (MELDS, [PRINTED])
    assert table.watch.table is not None and not table.watch.table.loose
    for hand in ((470, 90), (300, 120)):
        table.hand = hand
        assert table.play(1) == []
        table.hand = None
        assert table.play(1) == []
        assert table.printed() == [PRINTED]
    table.lay("2R", 175, 60)
    table.lay("12B 12K 12Y", 300, 250)
    told = table.play(1.5)
    assert [(event.kind.value, event.legal) for event in told] == [
        ("tiles_added", True),
        ("meld_laid", True),
    ]
    assert table.printed() == [PRINTED]


def test_a_nudge_of_the_camera_takes_it_along() -> None:
    table = started()
    table.shift = (9, 6)
    assert table.play(2) == []
    assert (table.melds(), table.printed()) == (MELDS, [PRINTED])


def test_an_empty_table_with_its_box() -> None:
    table = started(melds=False)
    assert (table.melds(), table.printed()) == ([], [PRINTED])
    lay_melds(table)
    assert [event.legal for event in table.play(1.5)] == [True, True]
    assert (table.melds(), table.printed()) == (MELDS, [PRINTED])


def test_what_seemed_a_box_on_an_empty_table_is_a_wrong_meld_once_others_lie_beside_it() -> None:
    table = DrawnTable()
    table.lay(PRINTED, 400, 80)
    table.play(1.5)
    assert table.melds() == []
    lay_melds(table)
    assert [event.legal for event in table.play(1.5)] == [True, True]
    assert (table.melds(), table.printed()) == ([*MELDS, PRINTED], [])


@pytest.mark.film
def test_a_box_is_put_there_pushed_along_and_taken_away() -> None:
    table = started(box=False)
    table.put_box(*BOX)
    assert table.play(LONG) == []
    table.lay("2R", 175, 60)
    assert summary(table.play(1.5)) == [("tiles_added", "2R", True, None)]
    assert (table.melds(), table.printed()) == ([f"{MELDS[0]} 2R", MELDS[1]], [PRINTED])
    table.take_box(*BOX)
    table.put_box(BOX[0] + 30, BOX[1] + 60)
    assert table.play(LONG) == []
    table.lay("6R", 175, 160)
    assert summary(table.play(1.5)) == [("tiles_added", "6R", True, None)]
    assert len(table.melds()) == 2 and PRINTED in table.printed()
    table.take_box(BOX[0] + 30, BOX[1] + 60)
    assert table.play(LONG) == []
    table.lay("9K", 200, 60)
    assert summary(table.play(1.5)) == [("tiles_added", "9K", False, "mixed")]


@pytest.mark.parametrize("mat", [(380, 40, 600, 170), (300, 0, 639, 359)])
def test_a_row_that_is_laid_on_a_mat_of_its_own_is_told(mat: tuple[int, int, int, int]) -> None:
    table = DrawnTable()
    table.mats[mat] = LID
    lay_melds(table)
    assert table.play(1.5) == []
    table.lay(PRINTED, 440, 85)
    assert summary(table.play(1.5)) == [("meld_laid", PRINTED, False, "colour_mismatch")]
    table.lay("11K", 515, 85)
    assert summary(table.play(1.5)) == [("tiles_added", "11K", False, "mixed")]
    assert table.printed() == []


def test_a_row_beside_the_box_on_the_mat_that_it_stands_on_is_told() -> None:
    table = DrawnTable()
    table.mats[360, 0, 639, 330] = (150, 40, 40)
    table.put_box(*BOX)
    lay_melds(table)
    assert table.play(1.5) == []
    assert table.printed() == [PRINTED]
    table.lay("4R 8B 9Y", BOX[0] + 55, BOX[1] + 140)
    assert summary(table.play(1.5)) == [("meld_laid", "4R 8B 9Y", False, "mixed")]
    assert table.printed() == [PRINTED]


def test_where_a_box_stood_a_row_is_a_row() -> None:
    table = started()
    table.take_box(*BOX)
    table.lay("4R 8B 9Y", BOX[0] + 20, BOX[1] + 15)
    assert summary(table.play(LONG)) == [("meld_laid", "4R 8B 9Y", False, "mixed")]


def test_a_legal_row_on_a_ground_of_its_own_is_a_meld() -> None:
    table = DrawnTable()
    table.mats[380, 40, 600, 170] = LID
    table.lay("7R 8R 9R", 440, 85)
    lay_melds(table)
    assert table.play(1.5) == []
    assert (table.melds(), table.printed()) == ([*MELDS, "7R 8R 9R"], [])


def test_a_row_that_a_person_lets_stand_stays_a_meld_alone_on_a_ground_of_its_own() -> None:
    table = DrawnTable()
    table.mats[380, 20, 620, 220] = LID
    table.lay(PRINTED, 440, 60)
    table.lay("10R 11R 12R", 440, 150)
    lay_melds(table)
    assert table.play(1.5) == []
    assert table.watch.table is not None
    table.watch.accept(
        next(meld.id for meld in table.watch.table.melds if meld.verdict and not meld.verdict.valid)
    )
    table.lift(440, 150, 3)
    assert len(table.play(3)) == 1
    assert (table.melds(), table.printed()) == ([*MELDS, PRINTED], [])


def test_a_person_who_names_one_of_its_tiles_makes_it_a_meld() -> None:
    table = started()
    assert table.watch.table is not None
    tile = table.watch.table.printed[0][1]
    told = [
        one for one in table.watch.correct(tile.id, Tile.parse("8R")) if isinstance(one, LiveEvent)
    ]
    assert [event.legal for event in told] == [False]
    assert (table.melds(), table.printed()) == ([*MELDS, "7R 8R 9Y"], [])
    assert table.play(1) == []
    table.lay("2R", 175, 60)
    assert [event.legal for event in table.play(1.5)] == [True]
    assert (table.printed(), len(table.melds())) == ([], 3)
