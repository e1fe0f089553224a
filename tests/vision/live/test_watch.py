"""The live referee from frames to events, on a table drawn with rectangles."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from engine.tiles import Tile
from tests.vision.live.doubles import HEIGHT, SETTLED, WIDTH, DrawnTable, loose, started, summary
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
