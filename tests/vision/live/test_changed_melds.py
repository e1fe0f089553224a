"""Live: which meld is which while its tiles move, leave it and come to it, or it is moved."""

from __future__ import annotations

import pytest

from tests.vision.live.doubles import SETTLED, DrawnTable, started, summary


def test_a_meld_keeps_its_identity() -> None:
    table = started()
    assert table.watch.table is not None
    before = {str(meld.row[0]): meld.id for meld in table.watch.table.melds}
    table.lay("6R", 175, 60)
    table.play(SETTLED)
    table.lay("2R", 75, 60)
    table.play(SETTLED)
    after = {" ".join(map(str, meld.row)): meld.id for meld in table.watch.table.melds}
    assert after["2R 3R 4R 5R 6R"] == before["3R"] and after["6B 6K 6Y"] == before["6B"]


@pytest.mark.parametrize("slid", [(150, 40), (60, 20), (30, 0), (0, 50)])
def test_a_meld_of_most_tiles_that_is_slid_along_is_no_camera_that_moved(
    slid: tuple[int, int],
) -> None:
    table = DrawnTable(line=((0.0, 230.0), (640.0, 230.0)))
    row, (x, y) = "3R 4R 5R 6R 7R 8R 9R", (60, 60)
    table.lay(row, x, y)
    table.lay("6B 6K 6Y", 100, 260)
    table.play(1.5)
    table.lift(x, y, 7)
    table.lay(row, x + slid[0], y + slid[1])
    assert table.play(2) == [] and table.melds() == [row, "6B 6K 6Y"]
    assert table.watch.line == ((0.0, 230.0), (640.0, 230.0))
    table.lay("6R", 175, 260)
    assert summary(table.play(SETTLED)) == [("tiles_added", "6R", True, None)]


@pytest.mark.parametrize("slid", [(150, 40), (30, 0), (0, 120)])
@pytest.mark.parametrize("others", ["", "2K"])
def test_the_line_between_the_sides_stays_where_it_is_while_the_first_meld_is_slid_along(
    slid: tuple[int, int], others: str
) -> None:
    table = DrawnTable(line=((0.0, 230.0), (640.0, 230.0)))
    row, (x, y) = "3R 4R 5R 6R", (100, 60)
    table.lay(row, x, y)
    table.lay(others, 500, 150)
    table.play(1.5)
    table.lift(x, y, 4)
    table.lay(row, x + slid[0], y + slid[1])
    assert table.play(2) == [] and table.melds() == [row]
    assert table.watch.line == ((0.0, 230.0), (640.0, 230.0))
    assert table.watch.table is not None
    assert [str(tile.tile) for tile in table.watch.table.loose] == others.split()


def test_a_tile_that_a_sleeve_pushed_aside_is_still_in_its_meld() -> None:
    table = started()
    table.places[165, 60] = table.places.pop((150, 60))
    assert table.play(SETTLED) == [] and "3R 4R 5R" in table.melds()
    table.lay("6R", 190, 60)
    assert summary(table.play(SETTLED)) == [("tiles_added", "6R", True, None)]
    table.lift(165, 60, 2)
    assert summary(table.play(SETTLED)) == [("tile_removed", "5R 6R", False, "tile_removed")]


def test_a_wild_moves_and_a_natural_takes_its_place() -> None:
    table = started()
    table.lay("J", 75, 60)
    table.play(SETTLED)
    table.lift(75, 60)
    table.lay("J", 175, 60)
    assert summary(table.play(SETTLED)) == [("wild_moved", "J", True, None)]
    table.places[175, 60] = "6R"
    table.lay("J", 200, 60)
    assert summary(table.play(SETTLED)) == [("tiles_added", "6R", True, None)]


def test_a_wild_that_a_natural_replaced_puts_its_run_right_once_it_lies_at_an_end() -> None:
    """The player thinks for a while, with the wild in hand, about where to lay it."""
    table = DrawnTable()
    table.lay("3R J 5R 6R", 100, 60)
    table.lay("7B 8B 9B", 100, 160)
    table.play(1.5)
    table.places[125, 60] = "4R"
    taken = table.play(SETTLED)
    assert {(event.legal, event.reason, event.mends) for event in taken} == {
        (False, "wild_withdrawn", ())
    }
    table.lay("J", 200, 60)
    (laid,) = table.play(SETTLED)
    assert summary([laid]) == [("tiles_added", "J", True, None)]
    assert laid.mends == (laid.meld_id,) == (taken[0].meld_id,)


def test_a_wild_that_goes_back_to_its_meld_puts_both_melds_right() -> None:
    table = DrawnTable()
    table.lay("3R J 5R 6R", 100, 60)
    table.lay("7B 8B 9B", 100, 160)
    table.play(1.5)
    table.places[125, 60] = "4R"
    table.lay("J", 175, 160)
    wrong = table.play(SETTLED)
    assert not any(event.legal for event in wrong)
    table.lift(175, 160)
    table.lay("J", 200, 60)
    (moved,) = table.play(SETTLED)
    assert set(moved.mends) == {event.meld_id for event in wrong} and len(moved.mends) == 2


def test_a_tile_goes_from_one_meld_to_another_and_back() -> None:
    table = started()
    table.lay("6R", 175, 60)
    table.play(SETTLED)
    table.lift(175, 60)
    table.lay("6R", 175, 160)
    events = table.play(SETTLED)
    assert summary(events) == [("tile_moved", "6R", False, "tile_moved")]
    assert [str(tile) for tile in events[0].row] == ["6B", "6K", "6Y", "6R"]
    table.lift(175, 160)
    table.lay("6R", 175, 60)
    assert summary(table.play(SETTLED)) == [("taken_back", "6R", True, None)]


def test_a_whole_meld_taken_and_put_back() -> None:
    table = started(line=((0.0, 130.0), (640.0, 130.0)))
    table.lift(100, 60, 3)
    (event,) = table.play(SETTLED)
    assert (
        summary([event]) == [("tile_removed", "3R 4R 5R", False, "meld_removed")]
        and event.side == "B"
    )
    table.lay("3R 4R 5R", 300, 60)
    assert summary(table.play(SETTLED)) == [("taken_back", "3R 4R 5R", True, None)]


@pytest.mark.parametrize(
    ("more", "legal"), [("6R", True), ("J 7R", True), ("7R", False), ("2R", True)]
)
def test_a_whole_meld_taken_and_laid_elsewhere_with_more_tiles_is_that_meld(
    more: str, legal: bool
) -> None:
    table = started()
    table.lift(100, 60, 3)
    (taken,) = table.play(SETTLED)
    assert (taken.legal, taken.reason) == (False, "meld_removed")
    table.lay(f"3R 4R 5R {more}", 400, 200)
    (laid,) = table.play(SETTLED)
    assert (laid.kind, laid.legal, laid.meld_id) == ("meld_laid", legal, taken.meld_id)
    assert laid.mends == ((taken.meld_id,) if legal else ())
    if not legal:
        table.lift(475, 200)
        (mended,) = table.play(SETTLED)
        assert (mended.kind, mended.mends) == ("taken_back", (taken.meld_id,))


def test_a_meld_laid_after_another_was_taken_is_a_new_one_unless_it_has_all_its_tiles() -> None:
    table = started()
    table.lift(100, 60, 3)
    (taken,) = table.play(SETTLED)
    table.lay("4R 5R 6R 7R", 400, 200)
    (laid,) = table.play(SETTLED)
    assert laid.meld_id != taken.meld_id and laid.mends == ()


@pytest.mark.parametrize("forgotten", [True, False])
def test_a_meld_like_one_that_is_gone_is_put_back_or_is_a_new_one(forgotten: bool) -> None:
    table = started()
    table.lift(100, 60, 3)
    assert len(table.play(SETTLED)) == 1
    if forgotten:
        table.watch.forget_gone()
    table.lay("3R 4R 5R", 300, 60)
    kind = "meld_laid" if forgotten else "taken_back"
    assert summary(table.play(SETTLED)) == [(kind, "3R 4R 5R", True, None)]
    assert table.melds() == ["3R 4R 5R", "6B 6K 6Y"]
