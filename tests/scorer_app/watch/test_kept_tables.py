"""What people say of a watched table is kept, so that another process that watches it knows it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select, update

from engine.rulesets import ruleset
from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.services.purging import purge_match
from scorer_app.store import Store, StoreUnavailable, WatchedTable
from scorer_app.store.tables import now
from scorer_app.watch import remembering
from scorer_app.watch.table_watch import CLEARING, SILENCE, TableWatch
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of
from tests.vision.live.doubles import DrawnTable

from ..conftest import Scorer
from ..drawn_table import ILLEGAL, LINE, Places
from .test_live_api import A_LINE, ILLEGAL_TABLE, LEGAL_TABLE, Camera, rows
from .test_live_follow import Fed


@pytest.fixture
def camera(app: Flask, scorer: Scorer) -> Camera:
    """A camera at whose table a line was drawn and a tile corrected."""
    one = Camera(app, scorer)
    table = one.show(ILLEGAL_TABLE, 2)["table"]
    assert one.order(**A_LINE).status_code == 200
    tiles = {tile["tile"]: tile["id"] for meld in table["melds"] for tile in meld["details"]}
    state = one.order(op="correct", tile=tiles[ILLEGAL], face="6R").get_json()
    assert rows(state)["3R 4R 5R 6R"] is True
    return one


@pytest.fixture
def elsewhere(config: AppConfig, camera: Camera) -> Iterator[Camera]:
    """The same camera after its frames have begun to reach another process."""
    other = create_app(config)
    moved = Camera(other, Scorer.of(other))
    moved.match, moved.base = camera.match, camera.base
    yield moved
    close(other)


def line_and_rows(state: Any) -> tuple[Any, list[str]]:
    return state["line"], sorted(rows(state))


def kept(app: Flask) -> int:
    with parts_of(app).store.reading() as session:
        return session.scalar(select(func.count()).select_from(WatchedTable)) or 0


def test_another_process_finds_the_line_and_the_corrections(elsewhere: Camera) -> None:
    state = elsewhere.show(ILLEGAL_TABLE, 2)
    assert line_and_rows(state) == (LINE, ["3R 4R 5R 6R", "7B 7K 7Y"])
    assert state["events"] == []
    assert elsewhere.scorer.post(f"{elsewhere.base}/hand-over").status_code == 200


def test_a_page_that_knew_another_watch_learns_all_of_this_one(elsewhere: Camera) -> None:
    """Both watches may have counted their events equally far by now."""
    known = elsewhere.show(ILLEGAL_TABLE, 2)
    query = f"camera=one&version={known['version']}&event=99"
    other, same = (
        elsewhere.send(ILLEGAL_TABLE, f"{query}&watch={watch}").get_json()
        for watch in ("another", known["watch"])
    )
    assert (line_and_rows(other), same["table"]) == (line_and_rows(known), None)


def test_a_process_that_gets_the_frames_back_learns_what_was_said_elsewhere(
    camera: Camera, elsewhere: Camera
) -> None:
    table = elsewhere.show(ILLEGAL_TABLE, 2)["table"]
    tiles = {tile["tile"]: tile["id"] for meld in table["melds"] for tile in meld["details"]}
    elsewhere.order(op="correct", tile=tiles["3R"], face="J")
    camera.time += SILENCE
    assert line_and_rows(camera.show(ILLEGAL_TABLE, 2)) == (LINE, ["7B 7K 7Y", "J 4R 5R 6R"])


def test_a_process_whose_frames_stopped_for_a_while_goes_on_with_its_watch(camera: Camera) -> None:
    version = camera.show(ILLEGAL_TABLE, 1)["version"]
    camera.time += SILENCE
    assert camera.show(ILLEGAL_TABLE, 1)["version"] == version


def save_a_hand(camera: Camera, app: Flask) -> None:
    parts_of(app).hands.save_counted(camera.match, {"A": (100, 50), "B": (0, 30)})


def test_the_table_of_the_next_hand_is_another_one(app: Flask, camera: Camera) -> None:
    """Nobody took the melds of the hand that was saved from the table against the rules, and the
    camera may stand elsewhere by now.
    """
    watched = camera.show(ILLEGAL_TABLE, 1)["watch"]
    save_a_hand(camera, app)
    camera.time += SILENCE
    state = camera.show(ILLEGAL_TABLE, 2)
    assert (state["watch"] != watched, state["events"]) == (True, [])
    assert line_and_rows(state) == (None, [f"3R 4R 5R {ILLEGAL}", "7B 7K 7Y"])
    camera.time += SILENCE
    assert camera.show(ILLEGAL_TABLE, 1)["watch"] == state["watch"]


def test_a_table_that_was_watched_while_a_hand_was_saved_is_watched_on(
    app: Flask, camera: Camera
) -> None:
    save_a_hand(camera, app)
    watched = camera.show(ILLEGAL_TABLE, 1)["watch"]
    camera.time += SILENCE
    state = camera.show(ILLEGAL_TABLE, 1)
    assert state["watch"] == watched
    assert line_and_rows(state) == (LINE, ["3R 4R 5R 6R", "7B 7K 7Y"])


@pytest.mark.parametrize(
    ("saved", "after", "is_taken"), [(0, 1, False), (1, 1, True), (1, CLEARING, False)]
)
def test_soon_after_a_hand_is_saved_all_its_melds_may_be_taken_from_the_table_at_once(
    app: Flask, camera: Camera, saved: int, after: float, is_taken: bool
) -> None:
    """At any other time the camera is thought to look elsewhere."""
    if saved:
        save_a_hand(camera, app)
    camera.show(ILLEGAL_TABLE, 1)
    camera.time += after
    places = Places()
    places.legal = {}
    state = camera.show(places.jpeg(False), 3)
    assert (rows(state) == {}) == is_taken and state["out_of_sight"] != is_taken
    assert "tile_removed" not in [event["event"] for event in state["events"]]
    kinds = [event["event"] for event in camera.show(ILLEGAL_TABLE, 3)["events"]]
    assert "tile_removed" not in kinds and ("meld_laid" in kinds) == is_taken


@pytest.mark.parametrize("saved", [False, True])
def test_the_melds_of_a_saved_hand_are_taken_in_several_grips_without_an_alarm(
    app: Flask, camera: Camera, saved: bool
) -> None:
    if saved:
        save_a_hand(camera, app)
    camera.show(ILLEGAL_TABLE, 1)
    places = Places()
    places.lift(200, 240, 2)
    assert "3R 4R" in rows(camera.show(places.jpeg(True), 2))
    places.places[250, 80] = places.places.pop((150, 240))  # pushed to the other meld
    camera.show(places.jpeg(True), 2)
    places.places.clear()
    events = camera.show(places.jpeg(True), 2)["events"]
    assert any(event["alarming"] for event in events) != saved


@pytest.mark.parametrize("saved", [False, True])
def test_what_is_pushed_to_the_rest_of_a_saved_hand_raises_no_alarm(saved: bool) -> None:
    table, rate = DrawnTable(), 5
    watch = TableWatch(ruleset("burako"), table.eyes)

    def alarms(seconds: float) -> int:
        for _ in range(round(seconds * rate)):
            watch.see(table.picture(), "one", table.frames / rate)
            table.frames += 1
        return sum(told.event.alarming for told in watch.events)

    watch.play(1, 0.0)
    table.lay("3R 4R 5R 6R", 100, 60)
    table.lay("9K", 400, 200)
    assert alarms(2) == 0
    watch.play(1 + saved, 2.0)
    table.lift(150, 60, 2)
    assert alarms(2) == (0 if saved else 1)
    table.places[150, 60] = table.places.pop((400, 200))
    assert alarms(2) == (0 if saved else 2)
    table.lay("2B 3B 4B", 100, 200)
    before = alarms(2)
    table.lay("7Y", 175, 200)
    assert alarms(2) == before + 1, "a wrong tile in a meld of the next hand"


def test_a_camera_on_the_server_is_told_which_hand_is_played(
    app: Flask, camera: Camera, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.live.sources.frames", Fed())
    camera.scorer.post(f"{camera.base}/camera", json={"source": "0"})
    watch = parts_of(app).watches.of(camera.match)
    assert (watch.hand, watch.saved) == (1, float("-inf"))
    save_a_hand(camera, app)
    camera.scorer.client.get(f"{camera.base}/state")
    assert (watch.hand, watch.saved) == (2, camera.time)


def test_a_camera_on_the_server_that_is_started_for_the_next_hand_begins_anew(
    app: Flask, camera: Camera
) -> None:
    save_a_hand(camera, app)
    camera.time += SILENCE
    watched = parts_of(app).watches.of(camera.match)
    camera.scorer.post(f"{camera.base}/camera", json={"source": "98"})
    assert parts_of(app).watches.of(camera.match) is not watched


def test_a_correction_whose_tile_is_gone_is_let_go_and_the_line_stays(elsewhere: Camera) -> None:
    state = elsewhere.show(LEGAL_TABLE, 2)
    assert line_and_rows(state) == (LINE, ["3R 4R 5R", "7B 7K 7Y"])


def test_another_cameras_picture_begins_with_nothing(elsewhere: Camera) -> None:
    for _ in range(20):
        state = elsewhere.send(ILLEGAL_TABLE, "camera=two").get_json()
    assert line_and_rows(state) == (None, [f"3R 4R 5R {ILLEGAL}", "7B 7K 7Y"])


def test_a_table_unseen_for_long_keeps_its_line_alone(app: Flask, elsewhere: Camera) -> None:
    long_ago = now() - remembering.STILL_LIES - timedelta(seconds=1)
    with parts_of(app).store.writing() as session:
        session.execute(update(WatchedTable).values(seen=long_ago))
    state = elsewhere.show(ILLEGAL_TABLE, 2)
    assert line_and_rows(state) == (LINE, [f"3R 4R 5R {ILLEGAL}", "7B 7K 7Y"])


def test_a_table_that_lies_still_is_known_to_lie_there(app: Flask, camera: Camera) -> None:
    store, seen = parts_of(app).store, select(WatchedTable.seen)
    before = store.look(seen, {})[0].seen
    camera.show(ILLEGAL_TABLE, 1)
    assert store.look(seen, {})[0].seen == before
    camera.time += remembering.REFRESH
    camera.show(ILLEGAL_TABLE, 1)
    assert store.look(seen, {})[0].seen > before


def test_a_table_of_which_nobody_said_anything_is_not_kept(app: Flask, scorer: Scorer) -> None:
    Camera(app, scorer).show(LEGAL_TABLE, 4)
    assert kept(app) == 0


def test_a_damaged_row_is_as_good_as_none(app: Flask, elsewhere: Camera) -> None:
    with parts_of(app).store.writing() as session:
        session.execute(update(WatchedTable).values(memory={"width": "wide"}))
    state = elsewhere.show(ILLEGAL_TABLE, 2)
    assert line_and_rows(state) == (None, [f"3R 4R 5R {ILLEGAL}", "7B 7K 7Y"])


def test_what_was_said_is_deleted_with_its_match(app: Flask, camera: Camera) -> None:
    assert kept(app) == 1
    camera.scorer.form(f"/matches/{camera.match}/delete")
    assert kept(app) == 0


def test_what_was_said_is_deleted_where_its_match_expires(app: Flask, camera: Camera) -> None:
    parts = parts_of(app)
    purge_match(parts.store, parts.intake.files, camera.match)
    assert kept(app) == 0
    camera.order(**A_LINE)  # a process that watches the table still
    parts.watches.of(camera.match).remembered.note(_memory(app, camera), camera.time, ordered=True)
    assert kept(app) == 0


def _memory(app: Flask, camera: Camera) -> Any:
    watch = parts_of(app).watches.of(camera.match).watch
    watch.line = ((1.0, 1.0), (900.0, 1.0))
    return watch.memory


def test_an_order_that_cannot_be_kept_is_refused_and_watching_goes_on(
    camera: Camera, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_of: object, **_how: object) -> None:
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(Store, "writing", full)
    swapped = [LINE[1], LINE[0]]
    assert camera.order(op="line", line=swapped).status_code == 503
    camera.time += remembering.REFRESH
    assert camera.show(LEGAL_TABLE, 2)["line"] == swapped
