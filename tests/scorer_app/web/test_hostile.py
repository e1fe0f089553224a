"""Requests by strangers, by other pages and by broken programs are refused with a sentence, never
with status 500.
"""

from __future__ import annotations

import io
import socket
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image
from sqlalchemy import event

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.web.application import close
from scorer_app.web.pages.description import describe
from scorer_app.web.parts import parts_of
from scorer_app.web.security import host_is_ours

from ..conftest import Scorer, token_of
from ..hands import new_match, send, when_read
from ..pictures import Picture, RecordedReader, picture_of

FROM_AFAR = {"REMOTE_ADDR": "192.168.1.66"}


@pytest.mark.parametrize(
    "host", ["evil.com", "localhost.evil.com", "127.0.0.1.nip.io", "burako.evil", "evil.com:8080"]
)
def test_a_foreign_host_name_is_refused(client: FlaskClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1:8080", "192.168.1.5:8080", "[::1]:8080", "[fe80::1]"]
)
def test_addresses_and_own_names_are_ours(host: str) -> None:
    assert host_is_ours(host, {"localhost"})


@pytest.mark.parametrize(
    ("host", "refused"),
    [("xn--jos-pc-dva:8080", False), ("xn--jos-pc-dva.local", False), ("xn--jos-dma.local", True)],
)
def test_a_machine_whose_name_has_an_accent_is_opened_by_it(
    config: AppConfig, monkeypatch: pytest.MonkeyPatch, host: str, refused: bool
) -> None:
    """Browsers send the name as DNS writes it."""
    monkeypatch.setattr(socket, "gethostname", lambda: "JOSÉ-PC")
    app = create_app(config)
    assert (app.test_client().get("/", headers={"Host": host}).status_code == 421) is refused
    close(app)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.com"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_writes_from_other_pages_are_refused_even_with_the_token(
    scorer: Scorer, headers: dict[str, str]
) -> None:
    refused = scorer.client.post("/score", headers={**scorer.headers, **headers})
    assert refused.status_code == 403


@pytest.mark.parametrize("token", ["", "x", "ñ"])
def test_writes_without_the_token_are_refused(client: FlaskClient, token: str) -> None:
    client.get("/")
    assert client.post("/score", data={"csrf": token}).status_code == 403


def test_every_answer_carries_the_policy(scorer: Scorer) -> None:
    style = f"{scorer.client.application.static_url_path}/css/base.css"
    for path in ("/", "/nowhere", f"/hands/{scorer.begin()}", style, "/api/nowhere"):
        answer = scorer.client.get(path)
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
        assert "unsafe" not in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        answer.close()


def writes_and_reads(app: Flask) -> list[tuple[str, str]]:
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint != "static"]
    names = ["hand_id", "match_id", "photo_id", "set_id", "viewer_token", "scorer_token"]
    known = dict.fromkeys(names, "x") | {"example_id": "1", "step_id": 1}
    with app.test_request_context():
        adapter = app.url_map.bind("localhost")
        return [
            (
                method,
                adapter.build(
                    rule.endpoint, {name: known[name] for name in rule.arguments}, method
                ),
            )
            for rule in rules
            for method in (rule.methods or set()) & {"GET", "POST", "DELETE"}
        ]


def test_a_stranger_on_the_network_reaches_nothing_but_the_door(app: Flask) -> None:
    open_to_all = {
        "/",
        "/join",
        "/host",
        "/settings",
        "/settings/device",
        "/app.webmanifest",
        "/api/session",
        "/m/x",
        "/admin",  # no such page without a credential
        "/metrics",
        "/healthz",
        "/readyz",
        "/v/x",
        "/v/x/events",
    }
    open_to_all |= {
        f"/v/x/live/{part}" for part in ("state", "picture.jpg", "settled.jpg", "thumbnail.jpg")
    }
    client = app.test_client()
    token = client.get("/api/session", environ_overrides=FROM_AFAR).get_json()["csrf"]
    for method, path in writes_and_reads(app):
        answer = client.open(
            path, method=method, headers={"X-CSRF-Token": token}, environ_overrides=FROM_AFAR
        )
        assert path in open_to_all or answer.status_code in (401, 403), (
            method,
            path,
            answer.status_code,
        )


def test_nobody_is_the_host_through_a_proxy(client: FlaskClient) -> None:
    assert client.get("/api/session").get_json()["host"]
    assert not client.get("/api/session", headers={"X-Forwarded-For": "1.2.3.4"}).get_json()["host"]


def test_codes_cannot_be_guessed_in_a_row(app: Flask) -> None:
    client = app.test_client()
    token = token_of(client)
    statuses = [
        client.post(
            "/join", data={"csrf": token, "code": f"GUESS{number}"}, environ_overrides=FROM_AFAR
        ).status_code
        for number in range(8)
    ]
    assert statuses == [403] * 6 + [429] * 2


def test_uploads_are_limited_in_size_pixels_count_and_rate(
    config: AppConfig, reader: RecordedReader
) -> None:
    tight = replace(
        config,
        upload_bytes=200_000,
        upload_pixels=1_000_000,
        photos_per_hand=2,
        uploads_per_minute=4,  # the first is refused before it is counted
    )
    app = create_app(tight, reader)
    scorer = Scorer.of(app)
    hand = scorer.begin()
    small = reader.add(picture_of("3R 4R 5R"))
    statuses = [
        send(
            scorer, hand, "A", "melds", Picture(b"\xff\xd8" + bytes(300_000), {}, (0, 0))
        ).status_code,
        send(scorer, hand, "A", "melds", Picture(blank(1200, 1000), {}, (0, 0))).status_code,
        *(send(scorer, hand, "A", "melds", small).status_code for _ in range(4)),
    ]
    assert statuses == [413, 415, 202, 202, 422, 429]
    close(app)


def blank(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), "green").save(out, "PNG")
    return out.getvalue()


def test_what_the_camera_noted_is_not_kept(scorer: Scorer, config: AppConfig) -> None:
    out, notes = io.BytesIO(), Image.Exif()
    notes[0x010F] = "Secret Camera Works"
    notes[0x0112] = 6  # to be turned a quarter
    notes.get_ifd(0x8825)[1] = "S"
    Image.new("RGB", (640, 480), "green").save(out, "JPEG", exif=notes)
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", Picture(out.getvalue(), {}, (0, 0)))
    view = when_read(scorer, hand)
    (kept,) = config.photo_dir.iterdir()
    assert b"Secret" not in kept.read_bytes()
    with Image.open(kept) as picture:
        assert (dict(picture.getexif()), picture.size) == ({}, (480, 640))
    assert (view["photos"][0]["width"], view["photos"][0]["height"]) == (480, 640)


@pytest.mark.parametrize(
    "name",
    ["../../secret.key", "..%2f..%2fsecret.key", "%2e%2e/secret", "a/../../x", "x" * 5000, "\x00"],
)
def test_names_are_never_paths(scorer: Scorer, name: str) -> None:
    for path in (
        f"/photos/{name}.jpg",
        f"/hands/{name}",
        f"/matches/{name}/export.json",
        f"/static/{name}",
    ):
        assert scorer.client.get(path).status_code in (400, 404)


def test_no_text_with_nul_reaches_the_database(app: Flask, scorer: Scorer) -> None:
    """PostgreSQL refuses such a text. SQLite, which keeps one, is asked here."""
    match = new_match(scorer)
    asked: list[str] = []
    event.listen(
        parts_of(app).store.engine,
        "before_cursor_execute",
        lambda *told: asked.append(str(told[3])),
    )
    for query, status in (
        ("?after", 200),
        (f"{match}/count?hand", 404),
        (f"{match}/compare?hand", 404),
    ):
        assert scorer.client.get(f"/matches/{query}=x%00").status_code == status
    frame = picture_of("3R 4R 5R").data
    seen = scorer.post(f"/api/live/{match}/frame?camera=x%00", data=frame)
    assert seen.status_code == 200
    assert scorer.form(f"/matches/{match}/tiles", tile_set="x\0").status_code == 303
    for name in ("tile_set", "side_a", "player_0"):
        form = {"ruleset": "burako", "side_a": "Ana", "side_b": "Eva", name: "x\0"}
        assert scorer.form("/matches/new", **form).status_code in (303, 422)
    assert asked and not [values for values in asked if "\\x00" in values]


def test_the_description_names_every_address_of_the_api(app: Flask) -> None:
    described = {path.replace("{", "<").replace("}", ">") for path in describe()["paths"]}
    existing = {rule.rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/api/")}
    assert existing - described == {
        "/api/openapi.json",
        "/api/hands/<hand_id>/events",
        "/api/matches/<match_id>/events",
    }
    assert described <= existing


def test_the_secret_key_is_its_owners_alone(app: Flask, config: AppConfig, tmp_path: Path) -> None:
    assert (config.data_dir / "secret.key").stat().st_mode & 0o077 == 0


def test_servers_with_one_key_know_each_others_devices(config: AppConfig, tmp_path: Path) -> None:
    def told(name: str, key: str, cookie: str | None) -> tuple[str, str]:
        app = create_app(replace(config, data_dir=tmp_path / name, secret_key=key))
        client = app.test_client()
        if cookie:
            client.set_cookie("burako", cookie)
        token = client.get("/api/session").get_json()["csrf"]
        kept = client.get_cookie("burako")
        close(app)
        assert not (tmp_path / name / "secret.key").exists()
        assert kept
        return token, kept.value

    token, cookie = told("one", "k" * 32, None)
    assert told("two", "k" * 32, cookie)[0] == token
    assert told("three", "l" * 32, cookie)[0] != token


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://["}, {"Origin": "http://[::1"}, {"Host": "[", "Origin": "x"}]
)
def test_an_origin_that_is_no_address_is_foreign(scorer: Scorer, headers: dict[str, str]) -> None:
    answer = scorer.client.post("/score", headers={**scorer.headers, **headers})
    assert answer.status_code in (400, 403, 421)


def test_a_size_below_zero_is_none(scorer: Scorer) -> None:
    answer = scorer.client.post(
        "/score", headers=scorer.headers, environ_overrides={"CONTENT_LENGTH": "-5"}
    )
    assert answer.status_code < 500


def test_a_wrong_method_is_told_the_right_ones(scorer: Scorer) -> None:
    answer = scorer.client.put("/join", headers=scorer.headers)
    assert answer.status_code == 405
    assert {"GET", "POST"} <= set(answer.allow)
