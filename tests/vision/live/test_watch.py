"""The live referee from frames to events, on a table drawn with rectangles."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from engine.tiles import Tile
from tests.vision.live.doubles import HEIGHT, SETTLED, WIDTH, DrawnTable, started, summary
from vision.detector import Detections
from vision.live import StableTable
from vision.live.pictures import RGB
from vision.quads import Quad


def test_the_first_table_comes_without_any_event() -> None:
    table = DrawnTable()
    table.lay("3R 4R 5R", 100, 60)
    table.lay("9K", 500, 200)
    (first,) = table.play_all(1.5)
    assert isinstance(first, StableTable)
    shown = json.loads(json.dumps(first.to_json()))
    assert shown["event"] == "table" and shown["loose"] == ["9K"]
    assert [meld["tiles"] for meld in shown["melds"]] == [["3R", "4R", "5R"]]


def test_lines_are_as_the_contract_says() -> None:
    table = started(line=((0.0, 130.0), (640.0, 130.0)))
    table.lay("7R", 175, 60)
    event, after = (json.loads(json.dumps(told.to_json())) for told in table.play_all(SETTLED))
    assert {
        key: event[key] for key in ("event", "tiles", "meld", "side", "legal", "reason", "doubtful")
    } == {
        "event": "tiles_added",
        "tiles": ["7R"],
        "meld": ["3R", "4R", "5R", "7R"],
        "side": "B",
        "legal": False,
        "reason": "gap",
        "doubtful": False,
    }
    assert "message" not in event and event["time"] == event["frame"] / table.fps
    assert after["event"] == "table" and (after["time"], after["frame"]) == (
        event["time"],
        event["frame"],
    )
    assert [(meld["tiles"], meld["side"], meld["legal"]) for meld in after["melds"]] == [
        (["3R", "4R", "5R", "7R"], "B", False),
        (["6B", "6K", "6Y"], "A", True),
    ]
    assert after["loose"] == []


def test_an_empty_table_is_told_once() -> None:
    assert [told.to_json()["melds"] for told in DrawnTable().play_all(2)] == [[]]


def test_where_something_never_rests_the_first_table_is_taken_after_three_seconds() -> None:
    table = DrawnTable()
    table.lay("3R 4R 5R", 100, 60)
    told = []
    for frame in range(40):
        table.hand = (380 + 35 * (frame % 6), 230)
        told += table.play_all(1 / table.fps)
    assert [round(first.time) for first in told[:1]] in ([3], [4])
    assert table.melds() == ["3R 4R 5R"]


@pytest.mark.parametrize("fps", [5.0, 10.0, pytest.param(30.0, marks=pytest.mark.film)])
def test_a_change_is_told_in_time_at_any_frame_rate(fps: float) -> None:
    table = started(fps=fps)
    table.lay("6R", 175, 60)
    events = table.play(SETTLED)
    assert summary(events) == [("tiles_added", "6R", True, None)]
    assert [str(tile) for tile in events[0].row] == ["3R", "4R", "5R", "6R"]
    assert table.play(3) == []


def test_nothing_is_decided_under_a_hand_and_nothing_forgotten() -> None:
    table = started(fps=5.0)
    table.hand = (140, 120)  # covers much of both melds, and stays
    assert table.play(3) == []
    assert table.melds() == ["3R 4R 5R", "6B 6K 6Y"]
    table.lay("6R", 175, 60)
    assert table.play(1) == []
    table.hand = None
    assert summary(table.play(SETTLED)) == [("tiles_added", "6R", True, None)]


@pytest.mark.film
def test_a_hand_that_rests_for_long_hides_its_tiles_but_no_others() -> None:
    table = started(fps=5.0)
    table.hand = (140, 150)
    assert table.play(9) == []
    table.lay("9K 10K 11K", 400, 60)
    assert summary(table.play(8)) == [("meld_laid", "9K 10K 11K", True, None)]
    table.hand = None
    assert table.play(2) == []
    assert table.melds() == ["3R 4R 5R", "6B 6K 6Y", "9K 10K 11K"]


@pytest.mark.film
@pytest.mark.parametrize("place", [(120, 140), (160, 100)])
def test_an_arm_that_stirs_where_it_rests_takes_no_tile_from_its_meld(
    place: tuple[int, int],
) -> None:
    table = started(fps=5.0)
    table.hand = place
    assert table.play(9) == []
    for x, y in ((3, -1), (-2, 3), (0, -3)):
        table.hand = place[0] + x, place[1] + y
        assert table.play(2) == []
    table.hand = None
    assert table.play(2) == []
    assert table.melds() == ["3R 4R 5R", "6B 6K 6Y"]


def test_a_wild_that_is_found_too_narrow_keeps_the_shape_it_was_read_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = DrawnTable()
    table.lay("3R 4R J", 100, 60)
    detect, read = table.eyes.detect, table.eyes.read

    def lying(quad: Quad) -> int:
        return int(
            np.linalg.norm(table.table_at(0)[1].mean(axis=1) - quad.mean(axis=0), axis=1).argmin()
        )

    def narrow(picture: RGB) -> Detections:
        found = detect(picture)
        quads = [
            quad.mean(axis=0) + (0.3 if lying(quad) == 2 else 1.0) * (quad - quad.mean(axis=0))
            for quad in found.quads
        ]
        return replace(found, points=np.array(quads, np.float32))

    monkeypatch.setattr(table.eyes, "detect", narrow)
    monkeypatch.setattr(
        table.eyes,
        "read",
        lambda picture, quads: read(picture, table.table_at(0)[1][[*map(lying, quads)]]),
    )
    assert table.play(1.5) == []
    table.hand = (400, 150)  # while it rests there the others are found again, but not read
    assert table.play(2) == []
    table.hand = None
    table.lay("6R", 175, 60)
    assert summary(table.play(SETTLED)) == [("tiles_added", "6R", True, None)]


def test_a_tile_of_which_a_resting_arm_hides_a_part_lies_there_once_when_it_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = started()
    (x, y), middle = (300, 200), HEIGHT // 2

    def visible(picture: RGB) -> Detections:
        quads = table.table_at(0)[1]
        if table.eyes.covered is not None:
            left = np.count_nonzero(~table.eyes.covered[y + middle, x : x + WIDTH])
            quads[-1, [1, 2], 0] = x + left
        return Detections(quads, np.full(len(quads), 0.9, np.float32))

    monkeypatch.setattr(table.eyes, "detect", visible)
    table.lay("7K", x, y)
    assert table.play(2) == []
    table.hand = (x + 30, 120)
    assert table.play(9) == []
    for stirred in (26, 30, 26, 30, 26, 30):
        table.hand = (x + stirred, 120)
        assert table.play(0.6) == []
    table.hand = None
    assert table.play(2) == []
    table.lay("6R", 175, 60)
    assert summary(table.play(SETTLED)) == [("tiles_added", "6R", True, None)]
    assert table.watch.table is not None
    (loose,) = table.watch.table.loose
    assert str(loose.tile) == "7K"
    assert loose.corners == pytest.approx(table.table_at(0)[1][-2], abs=2)


def test_two_tiles_left_alone_are_a_meld_that_is_too_short() -> None:
    table = started(fps=5.0)
    table.lay("9K 10K", 400, 60)
    assert table.play(4) == []
    assert summary(table.play(2)) == [("meld_laid", "9K 10K", False, "too_short")]
    assert table.play(8) == []
    table.lay("11K", 450, 60)
    assert summary(table.play(SETTLED)) == [("tiles_added", "11K", True, None)]
    table.lay("9Y 9B", 400, 200)
    assert len(table.play(6.5)) == 1
    table.lift(400, 200, 2)
    assert [(e.kind, e.legal) for e in table.play(SETTLED)] == [("taken_back", True)]


def test_two_tiles_that_a_third_follows_are_one_meld() -> None:
    table = started(fps=5.0)
    table.lay("9K 10K", 400, 60)
    assert table.play(4) == []
    table.lay("11K", 450, 60)
    assert summary(table.play(SETTLED)) == [("meld_laid", "9K 10K 11K", True, None)]
    assert table.play(6) == []


@pytest.mark.parametrize("wait", [0.8, 2.0, 4.0])
def test_a_pair_that_a_wrong_third_tile_follows_is_told(wait: float) -> None:
    table = started(fps=5.0)
    table.lay("9K 10K", 400, 60)
    assert table.play(wait) == []
    table.lay("4R", 450, 60)
    assert summary(table.play(SETTLED)) == [("meld_laid", "9K 10K 4R", False, "mixed")]
    assert table.play(6) == []
    table.lift(450, 60)
    table.lay("11K", 450, 60)
    assert [(e.kind, e.legal) for e in table.play(SETTLED)] == [("taken_back", True)]


def test_tiles_that_came_one_by_one_or_lie_in_a_heap_are_no_short_meld() -> None:
    table = started(fps=5.0)
    table.lay("9K", 400, 60)
    assert table.play(4) == []
    table.lay("10Y", 425, 60)
    assert table.play(8) == []
    table.lay("1R", 480, 200)
    table.lay("8Y", 480, 250)
    assert table.play(3) == []
    table.lay("12B 4K", 510, 225)
    assert table.play(8) == []


def test_discards_laid_one_by_one_beside_a_resting_hand_are_no_short_meld() -> None:
    table = started(fps=5.0)
    table.hand = (412, 276)
    table.lay("9K", 400, 200)
    assert table.play(4) == []
    table.lay("4R", 425, 200)
    assert table.play(1) == []
    table.hand = None
    assert table.play(7) == []
    assert loose(table) == ["4R", "9K"]


def test_two_tiles_laid_at_once_beside_a_resting_hand_are_a_short_meld() -> None:
    table = started(fps=5.0)
    table.hand = (412, 276)
    table.lay("9K 10K", 400, 200)
    assert table.play(4) == []
    table.hand = None
    assert summary(table.play(7)) == [("meld_laid", "9K 10K", False, "too_short")]


@pytest.mark.parametrize("place", [(250, 200), (300, 40)])
def test_a_mug_moved_just_before_costs_no_time(place: tuple[int, int]) -> None:
    table = started(fps=5.0)
    x, y = place
    table.mats[x, y, x + 90, y + 90] = (150, 60, 40)
    table.hand = (140, 300)
    assert table.play(0.5) == []
    table.hand = None
    assert table.play(0.3) == []
    table.lay("6R", 175, 60)
    assert summary(table.play(SETTLED)) == [("tiles_added", "6R", True, None)]
    assert table.play(8) == []


def test_a_mug_at_the_edge_of_the_picture_is_no_arm_for_long() -> None:
    table = started()
    table.mats[550, 150, 640, 250] = (150, 60, 40)
    assert table.play(1.2) == []
    table.lay("6R", 175, 60)
    assert summary(table.play(1.5)) == [("tiles_added", "6R", True, None)]


def test_sides_are_told_by_the_line() -> None:
    table = started(line=((0.0, 130.0), (640.0, 130.0)))
    assert table.watch.table is not None
    assert sorted((str(m.row[0]), m.side) for m in table.watch.table.melds) == [
        ("3R", "B"),
        ("6B", "A"),
    ]
    table.watch.line = ((640.0, 130.0), (0.0, 130.0))
    assert sorted((str(m.row[0]), m.side) for m in table.watch.table.melds) == [
        ("3R", "A"),
        ("6B", "B"),
    ]


def test_a_wrong_tile_exchanged_for_the_right_one_is_one_correction() -> None:
    table = started()
    table.lay("7R", 175, 60)
    table.play(SETTLED)
    table.places[175, 60] = "6R"
    (event,) = table.play(SETTLED)
    assert summary([event]) == [("taken_back", "6R 7R", True, None)]
    assert " ".join(map(str, event.row)) == "3R 4R 5R 6R"


def loose(table: DrawnTable) -> list[str]:
    assert table.watch.table is not None
    return sorted(str(tile.tile) for tile in table.watch.table.loose)


def test_a_tile_that_goes_with_the_hand_it_lay_beside_is_gone() -> None:
    """The hand has rested there since the tile was laid."""
    table = started(fps=10.0)
    table.lay("2B 7Y", 125, 220)
    table.play_all(0.4)
    table.hand = (100, 268)
    table.play_all(7.5)
    assert loose(table) == ["2B", "7Y"]
    table.lift(125, 220)
    table.play_all(0.2)
    table.hand = None
    assert table.play(6) == []
    assert loose(table) == ["7Y"]


def test_taken_back_restores_the_legal_state_silently() -> None:
    table = started()
    table.lay("2R", 175, 160)
    table.lay("J", 200, 160)
    assert summary(table.play(SETTLED)) == [("tiles_added", "2R J", False, "two_wilds")]
    table.lift(200, 160)
    table.lift(175, 160)
    events = table.play(SETTLED)
    assert [(event.kind, event.legal, event.alarming) for event in events] == [
        ("taken_back", True, False)
    ]


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


def test_the_pozo_changes_only_the_table() -> None:
    table = started()
    for place, tile in enumerate(["9K", "9R", "9B", "12Y", "1R"]):
        table.lay(tile, 400 + 27 * (place % 2), 200 + 40 * (place // 2))
        told = table.play_all(SETTLED)
        assert [type(each) for each in told] == [StableTable]
    assert Counter(tile.tile and str(tile.tile) for tile in table.watch.table.loose) == Counter(
        ["9K", "9R", "9B", "12Y", "1R"]
    )  # type: ignore[union-attr]
    table.places = {place: tile for place, tile in table.places.items() if place[0] < 400}
    assert [type(each) for each in table.play_all(SETTLED)] == [StableTable]


def test_a_person_corrects_a_reading_and_it_sticks() -> None:
    table = started()
    table.lay("7R", 175, 60)
    (event,) = table.play(SETTLED)
    assert not event.legal
    (tile,) = [
        tile for meld in table.watch.table.melds for tile in meld.tiles if tile.tile == Tile(7, "R")
    ]  # type: ignore[union-attr]
    told = table.watch.correct(tile.id, Tile(6, "R"))
    assert [each.kind for each in told if not isinstance(each, StableTable)] == ["taken_back"]
    table.lay("J", 200, 60)
    assert summary(table.play(SETTLED)) == [("tiles_added", "J", True, None)]
    assert "3R 4R 5R 6R J" in table.melds()


def test_what_the_players_accept_stays_accepted() -> None:
    table = started()
    table.lay("8R", 175, 60)
    (event,) = table.play(SETTLED)
    assert not event.legal
    table.watch.accept(event.meld_id)
    table.lay("9R", 200, 60)
    assert summary(table.play(SETTLED)) == [("tiles_added", "9R", True, None)]


def test_what_the_players_accepted_is_held_against_them_again_when_they_say_so() -> None:
    table = started()
    table.lay("8R", 175, 60)
    (event,) = table.play(SETTLED)
    table.watch.accept(event.meld_id)
    table.lay("9R", 200, 60)
    table.play(SETTLED)
    table.watch.accept(event.meld_id, accepted=False)
    table.lay("10R", 225, 60)
    assert [(tiles, legal) for _, tiles, legal, _ in summary(table.play(SETTLED))] == [
        ("10R", False)
    ]
    table.lift(175, 60, 3)
    assert [(change, legal) for change, _, legal, _ in summary(table.play(SETTLED))] == [
        ("taken_back", True)
    ]


def test_review_now_does_not_wait_for_stillness() -> None:
    table = started(fps=10.0)
    table.lay("6R", 175, 60)
    table.watch.review_now()
    assert summary(table.play(0.1)) == [("tiles_added", "6R", True, None)]
