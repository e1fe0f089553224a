"""A camera on the server, and everybody who follows its table: who may choose a camera, what is
shown to whom, and until when.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from PIL import Image

from scorer_app import create_app
from scorer_app.cli.serve import _config, _parser
from scorer_app.config import AppConfig
from scorer_app.services.event_bus import EventBus, table_topic
from scorer_app.services.reading_queue import ReadingFailed
from scorer_app.services.watch_notes import LONGEST_CAMERA, WatchNotes
from scorer_app.store import StoreUnavailable
from scorer_app.watch import table_watch
from scorer_app.watch.cameras import (
    CameraState,
    ServerCamera,
    camera_name,
    source_name,
    typed_source,
)
from scorer_app.watch.tables import IDLE, Watches
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of
from vision.live.sources import SourceError, SourceProblem, TimedFrame

from ..conftest import Scorer, until
from ..drawn_table import ILLEGAL, IvoryEyes, Places
from ..pictures import RecordedReader
from .test_live_api import A_LINE, ILLEGAL_TABLE, LEGAL_TABLE, Camera, rows

FROM_AFAR = {"REMOTE_ADDR": "192.168.1.66"}


def pixels(jpeg: bytes) -> Any:
    with Image.open(io.BytesIO(jpeg)) as image:
        return np.asarray(image.convert("RGB"))


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "table.avi"
    Places().video(path, legal=20, illegal=30)
    return path


@pytest.fixture
def with_film(config: AppConfig, film: Path) -> Iterator[Flask]:
    app = create_app(replace(config, cameras=(str(film),)), RecordedReader())
    parts_of(app).watches.open_eyes = lambda _chosen: IvoryEyes()
    yield app
    close(app)


def begin(app: Flask) -> tuple[Scorer, str]:
    scorer = Scorer.of(app)
    form = {"side_a": "N", "side_b": "E", "ruleset": "burako", "players": "4"}
    return scorer, scorer.form("/matches/new", **form).headers["Location"].rsplit("/", 1)[1]


@pytest.mark.film
def test_a_camera_of_the_server_watches_and_everybody_with_the_link_follows(
    with_film: Flask,
) -> None:
    scorer, match = begin(with_film)
    base = f"/api/live/{match}"
    started = scorer.post(f"{base}/camera", json={"named": 0}).get_json()
    assert (started["camera"]["kind"], started["camera"]["name"]) == ("server", "table.avi")
    state = until(
        lambda: scorer.client.get(f"{base}/state").get_json(), lambda state: bool(state["events"])
    )
    assert rows(state) == {f"3R 4R 5R {ILLEGAL}": False, "7B 7K 7Y": True}
    (event,) = state["events"]
    assert event["alarming"] and event["ago"] < 60

    link = parts_of(with_film).matches.tally(match).match.viewer_token
    guest = with_film.test_client()
    seen = guest.get(f"/v/{link}/live/state", environ_overrides=FROM_AFAR).get_json()
    # Neither an address nor a name is told.
    assert rows(seen) == rows(state) and set(seen["camera"]) == {
        "kind",
        "state",
    }
    thumbnail = guest.get(
        f"/v/{link}/live/thumbnail.jpg?watch={state['watch']}&event=1", environ_overrides=FROM_AFAR
    )
    height, width, _ = pixels(thumbnail.data).shape
    assert 100 < width <= 288 and height <= 168 and len(thumbnail.data) < 20_000
    until(
        lambda: scorer.client.get(f"{base}/state").get_json(),
        lambda state: state["camera"]["state"] == "ended",
    )
    latest = guest.get(f"/v/{link}/live/picture.jpg", environ_overrides=FROM_AFAR)
    assert pixels(latest.data).shape == (720, 1280, 3)
    number = latest.headers["X-Frame-Number"]
    assert (
        guest.get(
            f"/v/{link}/live/picture.jpg?after={number}", environ_overrides=FROM_AFAR
        ).status_code
        == 204
    )
    assert pixels(
        guest.get(f"/v/{link}/live/settled.jpg", environ_overrides=FROM_AFAR).data
    ).shape == (720, 1280, 3)
    parts_of(with_film).watches.close()
    for gone in (f"picture.jpg?after={number}", "settled.jpg"):  # asked for by a page not yet told
        answer = guest.get(f"/v/{link}/live/{gone}", environ_overrides=FROM_AFAR)
        assert (answer.status_code, answer.data) == (204, b"")
    assert guest.get("/v/nowhere/live/state").status_code == 404
    assert guest.get(f"{base}/state", environ_overrides=FROM_AFAR).status_code == 401


def test_only_the_host_names_a_camera_and_scorers_choose_among_those_of_the_start(
    with_film: Flask,
) -> None:
    scorer, match = begin(with_film)
    code = parts_of(with_film).store.setting("join_code") or joined_code(with_film)
    scorer.client.post(
        "/join", data={"csrf": scorer.token, "code": code}, environ_overrides=FROM_AFAR
    )

    def start(wanted: object, **options: Any) -> Any:
        return scorer.post(f"/api/live/{match}/camera", json=wanted, **options)

    assert start({"source": "0"}, environ_overrides=FROM_AFAR).status_code == 403
    assert start({"named": 1}, environ_overrides=FROM_AFAR).status_code == 409
    assert start({"named": True}, environ_overrides=FROM_AFAR).status_code == 422
    assert start({"named": 0}, environ_overrides=FROM_AFAR).status_code == 200
    assert start({"source": "/etc/passwd"}).get_json()["error"] == "bad_source"
    assert start({}).get_json()["error"] == "bad_source"
    # Another page did that.
    assert scorer.client.post(f"/api/live/{match}/camera", json={"source": "0"}).status_code == 403


def joined_code(app: Flask) -> str:
    from scorer_app.web.roles import join_code

    with app.app_context():
        return join_code()


def test_the_servers_cameras_are_named_at_its_start() -> None:
    options = _parser().parse_args(["--camera", "0", "--camera", "rtsp://user:pw@cam/1"])
    assert _config(options).cameras == ("0", "rtsp://user:pw@cam/1")


@pytest.mark.parametrize(
    "source", ["0", " 12 ", "rtsp://user:pw@cam.local/1?x=1", "http://192.168.0.9:8080/video"]
)
def test_numbers_and_addresses_are_sources(source: str) -> None:
    assert typed_source(source) == source.strip()
    assert "pw" not in source_name(source) and "x=1" not in source_name(source)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "-1",
        "100",
        "²",
        "/etc/passwd",
        "film.mp4",
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        "concat:http://a/b",
        "udp://@:1",
        "gopher://a/",
        "http://",
        "http:///x",
        "http://[::1",
        "http://a:99999/",
        "http://a b/",
        "http://a/\nb",
        "http://a/" + "x" * 300,
        None,
        0,
        ["http://a/"],
    ],
)
def test_what_else_somebody_types_is_no_source(source: object) -> None:
    assert typed_source(source) is None


def test_a_wrong_address_is_told_and_the_table_stays(
    camera: Camera, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows(camera.show(LEGAL_TABLE, 4))

    def nothing(source: str, *_: object) -> Iterator[TimedFrame]:
        raise SourceError(SourceProblem.NO_STREAM, "rtsp://cam/1")
        yield

    monkeypatch.setattr("vision.live.sources.frames", nothing)
    camera.scorer.post(f"{camera.base}/camera", json={"source": "rtsp://user:pw@cam/1"})
    state = until(
        lambda: camera.scorer.client.get(f"{camera.base}/state").get_json(),
        lambda state: state["camera"]["state"] == "failed",
    )
    assert "rtsp://cam/1" in state["camera"]["message"] and "pw" not in str(state)
    assert rows(state) == before
    # The page's camera, which had watched before, goes on: everybody follows it again.
    assert camera.show(LEGAL_TABLE, 1)["camera"]["name"] == "page one"
    state = camera.scorer.client.get(f"{camera.base}/state").get_json()
    assert (state["camera"]["kind"], rows(state)) == ("device", before)


def test_stalls_are_told_until_frames_return(monkeypatch: pytest.MonkeyPatch) -> None:
    states: list[tuple[CameraState, bool]] = []
    picture = np.zeros((48, 64, 3), np.uint8)

    def stalling(source: str, report: Any, ended: threading.Event) -> Iterator[TimedFrame]:
        report(SourceProblem.GREY, source)
        yield TimedFrame(picture, 0.0)
        report(SourceProblem.STALLED, source)
        report(SourceProblem.RETURNED, source)
        yield TimedFrame(picture, 0.2)
        raise ZeroDivisionError

    def note() -> None:
        states.append((camera.state, camera.to_json("en")["message"] is not None))

    monkeypatch.setattr("vision.live.sources.frames", stalling)
    camera = ServerCamera("0", lambda frame: True, note)
    camera.run()
    assert states == [("watching", True), ("stalled", True), ("watching", False), ("failed", False)]


def test_a_page_is_not_told_in_which_folder_of_the_server_a_video_lies(tmp_path: Path) -> None:
    camera = ServerCamera(str(tmp_path / "gone.mp4"), lambda frame: True, lambda: None)
    camera.run()
    told = camera.to_json("es")
    assert told["state"] == "failed"
    assert told["message"] == "No se encuentra el video o no se puede abrir: gone.mp4."


class Fed:
    """Stands in for a source of frames that goes on until it is told to end."""

    def __init__(self) -> None:
        self.frame, self.over = pixels(LEGAL_TABLE), threading.Event()

    def __call__(self, source: str, report: Any, ended: threading.Event) -> Iterator[TimedFrame]:
        while not ended.wait(0.02):
            yield TimedFrame(self.frame, 0.0)
        self.over.set()


def test_the_cameras_take_turns(
    camera: Camera, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    watches: Watches = parts_of(app).watches
    fed = Fed()
    monkeypatch.setattr("vision.live.sources.frames", fed)
    camera.show(LEGAL_TABLE, 4)
    assert camera.scorer.post(f"{camera.base}/camera", json={"source": "0"}).status_code == 200
    watch = watches.of(camera.match)
    # The server's camera is chosen, so the page's camera has to wait.
    until(lambda: watch.camera, lambda name: name == "camera 0")
    assert camera.send(LEGAL_TABLE).get_json()["error"] == "busy"
    stopped = camera.scorer.client.delete(
        f"{camera.base}/camera", headers=camera.scorer.headers
    ).get_json()
    assert stopped["camera"]["state"] == "ended"
    assert fed.over.wait(10)
    assert camera.send(LEGAL_TABLE).status_code == 200  # at once
    assert camera.send(LEGAL_TABLE).get_json()["camera"] == {
        "kind": "device",
        "state": "watching",
        "name": "page one",
    }


def test_a_camera_of_the_server_judges_by_the_rules_that_the_match_has(
    camera: Camera, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    watches: Watches = parts_of(app).watches
    monkeypatch.setattr("vision.live.sources.frames", Fed())
    camera.scorer.post(f"{camera.base}/camera", json={"source": "0"})
    old = watches.of(camera.match)
    until(lambda: old.camera, bool)
    sent = {"side_a": "N", "side_b": "E", "players": "4"}
    camera.scorer.form(f"/matches/{camera.match}/edit", ruleset="pagat", **sent)
    state = camera.scorer.client.get(f"{camera.base}/state").get_json()
    watch = watches.of(camera.match)
    assert (watch.rules.id, state["watch"] != old.name) == ("pagat", True)
    assert state["camera"]["state"] in ("opening", "watching")
    until(lambda: watch.camera, lambda name: name == "camera 0")
    assert old.server is not None and not old.server.is_alive()  # a device bears one at a time
    assert camera.scorer.client.get(f"{camera.base}/state").get_json()["watch"] == watch.name
    cards = {"ruleset": "burraco_it", "pieces": "cards", "sure": "yes"}
    camera.scorer.form(f"/matches/{camera.match}/edit", **sent, **cards)
    assert camera.scorer.client.get(f"{camera.base}/state").get_json()["watch"] is None
    until(lambda: watch.server and watch.server.is_over, bool)


def test_a_camera_of_the_server_begins_once_the_store_is_back(
    camera: Camera, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    watches: Watches = parts_of(app).watches
    find, failures = WatchNotes.find, [StoreUnavailable("the database is away")] * 2

    def away_at_first(notes: WatchNotes, match_id: str, name: str) -> Any:
        if failures:
            raise failures.pop()
        return find(notes, match_id, name)

    monkeypatch.setattr(WatchNotes, "find", away_at_first)
    monkeypatch.setattr("vision.live.sources.frames", Fed())
    assert camera.scorer.post(f"{camera.base}/camera", json={"source": "0"}).status_code == 200
    watch = watches.of(camera.match)
    until(lambda: (watch.camera, watch.server and watch.server.is_over), any)
    assert (watch.camera, failures) == ("camera 0", [])


def test_a_camera_goes_on_where_the_networks_for_other_tiles_cannot_be_loaded(
    camera: Camera, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    watches: Watches = parts_of(app).watches
    monkeypatch.setattr("vision.live.sources.frames", Fed())
    camera.scorer.post(f"{camera.base}/camera", json={"source": "0"})
    watch = watches.of(camera.match)

    def none(_chosen: object) -> IvoryEyes:
        raise ReadingFailed("model_missing")

    watches.open_eyes = none
    sent = {"side_a": "N", "side_b": "E", "players": "4", "ruleset": "pagat"}
    camera.scorer.form(f"/matches/{camera.match}/edit", **sent)
    state = camera.scorer.client.get(f"{camera.base}/state").get_json()
    assert (state["watch"], watch.server and watch.server.is_over) == (watch.name, False)


def test_two_channels_of_one_recorder_are_two_cameras(
    camera: Camera, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People see both under one address, since the query may hold a password."""
    monkeypatch.setattr("vision.live.sources.frames", Fed())

    def choose(channel: str) -> Any:
        source = f"rtsp://recorder/live?channel={channel}"
        return camera.scorer.post(f"{camera.base}/camera", json={"source": source}).get_json()

    state = choose("1")
    watch = parts_of(app).watches.of(camera.match)
    first = until(lambda: watch.camera, bool)
    until(lambda: watch.frame is not None, bool)
    camera.order(**A_LINE)
    assert choose("2")["camera"]["name"] == state["camera"]["name"] == "rtsp://recorder/live"
    until(lambda: watch.camera, lambda name: name != first)
    shown = camera.scorer.client.get(f"{camera.base}/state").get_json()
    assert (shown["table"], shown["line"]) == (None, None)


def test_a_camera_has_the_same_name_in_another_process_and_two_have_different_ones() -> None:
    long = "rtsp://recorder/" + "x" * 100
    sources = ["0", "1", "table.avi", "/a/table.avi", "/b/table.avi", f"{long}1", f"{long}2"]
    names = [camera_name(source) for source in sources]
    assert names[:3] == ["camera 0", "camera 1", "camera table.avi"]
    assert len(set(names)) == len(sources) and max(map(len, names)) <= LONGEST_CAMERA
    assert [camera_name(source) for source in sources] == names


def test_a_camera_nobody_asks_for_is_let_go(
    camera: Camera, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    watches: Watches = parts_of(app).watches
    fed = Fed()
    monkeypatch.setattr("vision.live.sources.frames", fed)
    camera.scorer.post(f"{camera.base}/camera", json={"source": "0"})
    thread = watches.of(camera.match).server
    assert thread is not None
    camera.time += IDLE + 1
    thread.join(10)
    assert not thread.is_alive()
    assert camera.scorer.client.get(f"{camera.base}/state").get_json() == {
        "watch": None,
        "camera": None,
    }


def test_old_events_go_with_their_thumbnails(
    camera: Camera, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_watch, "KEPT_EVENTS", 1)
    camera.show(LEGAL_TABLE, 4)
    camera.show(ILLEGAL_TABLE, 3)
    state = camera.show(LEGAL_TABLE, 3)
    assert [event["number"] for event in state["events"]] == [2]
    query = f"{camera.base}/thumbnail.jpg?watch={state['watch']}&event="
    assert [camera.scorer.client.get(f"{query}{number}").status_code for number in (1, 2)] == [
        404,
        200,
    ]
    assert (
        camera.scorer.client.get(f"{camera.base}/thumbnail.jpg?watch=other&event=2").status_code
        == 404
    )


def test_what_changes_on_the_table_is_news_of_its_own() -> None:
    event_bus = EventBus(1)
    stream = iter(event_bus.stream("match", table=table_topic("match")))
    assert [line for line in next(stream).decode().split("\n") if line.startswith("event")] == [
        "event: change",
        "event: table",
    ]
    event_bus.tell(table_topic("match"))
    assert b"event: table" in (told := next(stream)) and b"event: change" not in told
    event_bus.tell("match")
    assert b"event: change" in (told := next(stream)) and b"event: table" not in told


@pytest.fixture
def camera(app: Flask, scorer: Scorer) -> Camera:
    return Camera(app, scorer)
