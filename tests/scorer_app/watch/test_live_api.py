"""A watched table at the API: frames go in; tables, events and a filled hand come out; what cannot
be done is refused with a sentence.
"""

from __future__ import annotations

import io
from typing import Any

import pytest
from flask import Flask
from PIL import Image

from datasets.scene.photo import encoded
from scorer_app.config import AppConfig
from scorer_app.services.reading_queue import ReadingFailed
from scorer_app.watch.tables import GIVES_WAY, IDLE
from scorer_app.web.pages import live
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..drawn_table import ILLEGAL, LINE, IvoryEyes, Places

LEGAL_TABLE, ILLEGAL_TABLE = Places().jpeg(False), Places().jpeg(True)
A_LINE = {"op": "line", "line": LINE}


class Camera:
    """A page that sends frames, five a second by a clock that only it moves."""

    def __init__(self, app: Flask, scorer: Scorer) -> None:
        self.time = 100.0
        watches = parts_of(app).watches
        watches.open_eyes, watches.clock = lambda _chosen: IvoryEyes(), lambda: self.time
        self.scorer = scorer
        self._begin()

    def _begin(self) -> None:
        self.match = self.scorer.form(
            "/matches/new", side_a="N", side_b="E", ruleset="burako", players="4"
        ).headers["Location"]
        self.match = self.match.rsplit("/", 1)[1]
        self.base = f"/api/live/{self.match}"

    @classmethod
    def of(cls, other: Camera) -> Camera:
        """Return a camera of another match on the server of `other`."""
        one = cls.__new__(cls)
        one.__dict__ |= other.__dict__
        one._begin()
        return one

    def send(self, picture: bytes, query: str = "camera=one") -> Any:
        self.time += 0.2
        return self.scorer.post(
            f"{self.base}/frame?{query}", data=picture, content_type="image/jpeg"
        )

    def show(self, picture: bytes, seconds: float) -> Any:
        """Send the picture again and again for `seconds`; return what the last answer tells a page
        that knows nothing yet.
        """
        for _ in range(round(seconds / 0.2)):
            answer = self.send(picture)
            assert answer.status_code == 200, answer.get_json()
        return answer.get_json()

    def order(self, **operation: Any) -> Any:
        return self.scorer.post(f"{self.base}/orders", json=operation)


@pytest.fixture
def camera(app: Flask, scorer: Scorer) -> Camera:
    return Camera(app, scorer)


def rows(state: Any) -> dict[str, Any]:
    return {" ".join(meld["tiles"]): meld["legal"] for meld in state["table"]["melds"]}


def part_of(picture: bytes, left: int, top: int, right: int, bottom: int) -> bytes:
    """Cut a part out of a JPEG, as a JPEG."""
    out = io.BytesIO()
    whole = Image.open(io.BytesIO(picture))
    whole.crop((left, top, right, bottom)).save(out, "JPEG", quality=95)
    return out.getvalue()


def test_what_has_changed_of_a_frame_tells_as_much_as_the_whole_frame(camera: Camera) -> None:
    whole, part = LEGAL_TABLE, part_of(ILLEGAL_TABLE, 64, 32, 1200, 700)
    known = camera.send(whole).get_json()["frame"]
    for sent, at in [(b"", ""), (part, "&left=64&top=32"), (b"", "")]:
        for _ in range(20):
            answer = camera.send(sent, f"camera=one&known={known}{at}")
            assert answer.status_code == 200, answer.get_json()
            state = answer.get_json()
            known = state["frame"]
    (event,) = state["events"]
    assert (event["alarming"], event["legal"]) == (True, False)
    assert rows(state) == rows(camera.show(ILLEGAL_TABLE, 1))


def test_a_frame_in_which_nothing_changed_is_no_new_picture(camera: Camera) -> None:
    known = camera.send(LEGAL_TABLE).get_json()["frame"]
    number = camera.scorer.client.get(f"{camera.base}/picture.jpg").headers["X-Frame-Number"]
    assert camera.send(b"", f"camera=one&known={known}").get_json()["frame"] == known
    again = camera.scorer.client.get(f"{camera.base}/picture.jpg?after={number}")
    assert again.status_code == 204


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ("known=other-1", b""),
        ("known={known}0", b""),
        ("known={known}&left=1200&top=0", "part"),
        ("known={known}&left=0&top=700", "part"),
        ("known={known}&left=-16&top=0", "part"),
        ("known={known}&left=99999999999&top=0", "part"),
    ],
)
def test_a_part_that_does_not_fit_is_refused_and_changes_nothing(
    camera: Camera, query: str, part: Any
) -> None:
    sent = part_of(ILLEGAL_TABLE, 0, 0, 128, 64) if part else b""
    known = camera.show(LEGAL_TABLE, 1)["frame"]
    answer = camera.send(sent, f"camera=one&{query.format(known=known)}")
    assert (answer.status_code, answer.get_json()["error"]) == (409, "stale")
    assert camera.scorer.client.get(f"{camera.base}/state").get_json()["frame"] == known


def test_another_cameras_frame_is_no_frame_to_send_a_part_of(camera: Camera) -> None:
    known = camera.show(LEGAL_TABLE, 1)["frame"]
    camera.time += 5
    answer = camera.send(b"", f"camera=two&known={known}")
    assert (answer.status_code, answer.get_json()["error"]) == (409, "stale")


def test_an_empty_frame_without_a_name_is_no_picture(camera: Camera) -> None:
    assert camera.send(b"").status_code == 415


def test_an_illegal_move_is_told_once_and_taking_it_back_restores_the_table(camera: Camera) -> None:
    assert rows(camera.show(LEGAL_TABLE, 4)) == {"3R 4R 5R": True, "7B 7K 7Y": True}
    state = camera.show(ILLEGAL_TABLE, 3)
    (event,) = state["events"]
    assert (event["number"], event["tiles"], event["alarming"], event["legal"]) == (
        1,
        [ILLEGAL],
        True,
        False,
    )
    assert event["box"] and event["message"] and event["lies"] is True
    assert rows(state)[f"3R 4R 5R {ILLEGAL}"] is False
    later = camera.send(ILLEGAL_TABLE, f"camera=one&version={state['version']}&event=1").get_json()
    assert (later["table"], later["events"]) == (None, [])
    assert rows(camera.show(LEGAL_TABLE, 3)) == {"3R 4R 5R": True, "7B 7K 7Y": True}


def test_what_a_person_says_sticks(camera: Camera) -> None:
    camera.show(ILLEGAL_TABLE, 4)
    state = camera.order(op="review").get_json()
    meld = next(meld for meld in state["table"]["melds"] if not meld["legal"])
    state = camera.order(op="overrule", meld=meld["id"]).get_json()
    assert [meld["overruled"] for meld in state["table"]["melds"] if not meld["legal"]] == [True]
    back = camera.order(op="overrule", meld=meld["id"], accepted=False).get_json()
    assert [meld["overruled"] for meld in back["table"]["melds"]] == [False, False]
    assert camera.order(op="overrule", meld=meld["id"], accepted="no").status_code == 422
    spoilt = next(tile["id"] for tile in meld["details"] if tile["tile"] == ILLEGAL)
    camera.order(op="correct", tile=spoilt, face="6R")
    assert rows(camera.show(ILLEGAL_TABLE, 2))["3R 4R 5R 6R"] is True


def test_a_correction_that_spoils_a_meld_is_told_as_one(camera: Camera) -> None:
    table = camera.show(LEGAL_TABLE, 4)["table"]
    tiles = {tile["tile"]: tile["id"] for meld in table["melds"] for tile in meld["details"]}
    (event,) = camera.order(op="correct", tile=tiles["5R"], face="9R").get_json()["events"]
    assert event["message"].startswith("Corregida la lectura: 9R.") and event["legal"] is False
    assert event["lies"] is True
    loose = table["loose_details"][0]["id"]
    state = camera.order(op="correct", tile=loose, face="13Y").get_json()
    assert state["table"]["loose"] == ["13Y"]
    assert camera.show(LEGAL_TABLE, 1)["table"]["loose"] == ["13Y"]


def table_without(row: str) -> bytes:
    """Draw the legal table without the tiles of `row`, as a JPEG."""
    places = Places()
    places.places = {at: face for at, face in places.legal.items() if face not in row.split()}
    return encoded(places.picture(), 92)


def test_an_order_about_a_table_that_is_watched_no_more_changes_no_other_tile(
    camera: Camera,
) -> None:
    before = camera.show(LEGAL_TABLE, 4)
    seen = f"watch={before['watch']}&version={before['version']}"
    tiles = {tile["tile"]: tile["id"] for tile in before["table"]["melds"][0]["details"]}
    camera.time += 5
    for _ in range(20):
        now = camera.send(table_without("3R 4R 5R"), "camera=two").get_json()
    for operation in (
        {"op": "correct", "tile": tiles["3R"], "face": "6R"},
        {"op": "overrule", "meld": before["table"]["melds"][0]["id"]},
    ):
        for known in (seen, f"watch=other&version={now['version']}"):
            answer = camera.scorer.post(f"{camera.base}/orders?{known}", json=operation)
            assert (answer.status_code, answer.get_json()["error"]) == (409, "not_there")
    known = f"watch={now['watch']}&version={now['version']}"
    correct = {"op": "correct", "tile": now["table"]["melds"][0]["details"][0]["id"], "face": "7R"}
    state = camera.scorer.post(f"{camera.base}/orders?{known}", json=correct).get_json()
    assert rows(state) == {"7R 7K 7Y": True}


@pytest.mark.parametrize(
    ("operation", "status"),
    [
        ({}, 422),
        ({"op": "dance"}, 422),
        ({"op": ["review"]}, 422),
        ({"op": "line", "line": [[1, 2], [1, 2]]}, 422),
        ({"op": "line", "line": [[1, 2], [1e400, 2]]}, 422),
        ({"op": "line", "line": "across"}, 422),
        ({"op": "correct", "tile": 99, "face": "7R"}, 409),
        ({"op": "correct", "tile": "t1", "face": "7R"}, 422),
        ({"op": "overrule", "meld": None}, 422),
        ({"op": "overrule", "meld": 99}, 409),
    ],
)
def test_orders_that_make_no_sense_are_refused_in_a_sentence(
    camera: Camera, operation: Any, status: int
) -> None:
    camera.send(LEGAL_TABLE)
    answer = camera.order(**operation)
    assert (answer.status_code, bool(answer.get_json()["message"])) == (status, True)


@pytest.mark.parametrize(
    ("picture", "status"),
    [(b"", 415), (b"\xff\xd8\xff", 415), (LEGAL_TABLE[:3000], 415), (bytes(5 << 20), 413)],
)
def test_frames_that_are_none_are_refused(camera: Camera, picture: bytes, status: int) -> None:
    answer = camera.send(picture)
    assert (answer.status_code, bool(answer.get_json()["message"])) == (status, True)


def test_one_camera_at_a_time_until_it_falls_silent(camera: Camera) -> None:
    camera.show(LEGAL_TABLE, 4)
    assert camera.send(LEGAL_TABLE, "camera=two").get_json()["error"] == "busy"
    camera.time += 5
    state = camera.send(LEGAL_TABLE, "camera=two").get_json()
    assert state["table"] is None


def test_frames_are_not_queued(camera: Camera, app: Flask) -> None:
    camera.send(LEGAL_TABLE)
    with parts_of(app).watches.of(camera.match).lock:
        assert camera.send(LEGAL_TABLE).status_code == 429


def test_a_watch_nobody_feeds_is_forgotten(camera: Camera) -> None:
    assert camera.order(op="review").get_json()["error"] == "no_table"
    camera.show(LEGAL_TABLE, 4)
    assert camera.order(**A_LINE).status_code == 200
    camera.time += IDLE + 1
    assert camera.order(op="review").get_json()["error"] == "no_table"


def test_without_networks_it_says_so(camera: Camera, app: Flask) -> None:
    def none(_chosen: object) -> IvoryEyes:
        raise ReadingFailed("model_missing")

    parts_of(app).watches.open_eyes = none
    answer = camera.send(LEGAL_TABLE)
    assert (answer.status_code, bool(answer.get_json()["message"])) == (503, True)


def test_unknown_matches_are_not_found_and_strangers_stay_out(camera: Camera) -> None:
    for part in ("frame", "orders", "hand-over", "camera"):
        assert camera.scorer.post(f"/api/live/nowhere/{part}", json={}).status_code == 404
        far = {"REMOTE_ADDR": "192.168.1.66"}
        assert (
            camera.scorer.post(f"{camera.base}/{part}", json={}, environ_overrides=far).status_code
            == 401
        )
        assert camera.scorer.client.post(f"{camera.base}/{part}").status_code == 403


def test_a_deleted_match_gives_its_place_back(camera: Camera) -> None:
    for _ in range(2 * AppConfig.watched_tables):
        one = Camera.of(camera)
        assert one.send(LEGAL_TABLE).status_code == 200
        camera.scorer.form(f"/matches/{one.match}/delete")
    assert camera.send(LEGAL_TABLE).status_code == 200


def test_frames_that_are_refused_anyway_are_not_decoded(
    camera: Camera, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert camera.send(LEGAL_TABLE).status_code == 200
    others = [Camera.of(camera) for _ in range(AppConfig.watched_tables)]
    for other in others[1:]:
        assert other.send(LEGAL_TABLE).status_code == 200
    monkeypatch.setattr(live, "open_frame", lambda *_args: pytest.fail("was decoded"))
    assert camera.send(LEGAL_TABLE, "camera=two").get_json()["error"] == "busy"
    assert others[0].send(LEGAL_TABLE).get_json()["error"] == "full"


def test_a_table_that_nobody_films_any_more_gives_way_to_another(
    app: Flask, camera: Camera
) -> None:
    tables = [camera, *(Camera.of(camera) for _ in range(AppConfig.watched_tables))]
    for table in tables[:-1]:
        assert table.send(LEGAL_TABLE).status_code == 200
    camera.time += GIVES_WAY - 1
    for table in tables[2:-1]:
        assert table.send(LEGAL_TABLE).status_code == 200
    refused = tables[-1].send(LEGAL_TABLE).get_json()
    assert refused["error"] == "full"
    assert "mesas a la vez: 4." in refused["message"] and "30 segundos" in refused["message"]
    camera.time += 2
    assert tables[-1].send(LEGAL_TABLE).status_code == 200
    watches = parts_of(app).watches
    assert [watches.find(table.match) is None for table in tables] == [True, *[False] * 4]
