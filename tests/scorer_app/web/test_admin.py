"""What the person who runs a server sees of it, and what programs that supervise it ask."""

from __future__ import annotations

import json
import logging
import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update

from scorer_app import create_app
from scorer_app.config import AppConfig, Mode
from scorer_app.serving.json_lines import JsonLines
from scorer_app.store import Photo, StoreUnavailable
from scorer_app.store.tables import now
from scorer_app.web import request_log
from scorer_app.web.application import close
from scorer_app.web.parts import furnish, parts_of
from scorer_app.web.request_log import HEADER

from ..conftest import Scorer
from ..hands import send, when_read
from ..pictures import RecordedReader, picture_of

TOKEN = "nobody guesses the words of this token"


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def password(token: str) -> dict[str, str]:
    return {"Authorization": f"Basic {b64encode(f'me:{token}'.encode()).decode()}"}


@pytest.fixture
def config(config: AppConfig) -> AppConfig:
    return replace(config, mode=Mode.PUBLIC, admin_token=TOKEN, photo_days=7, match_days=90)


def test_the_page_tells_the_work_and_nobodys_match(
    app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    when_read(scorer, hand)
    page = app.test_client().get("/admin", headers=password(TOKEN)).text
    assert shown(page)["Fotos por leer"] == "0"
    with parts_of(app).store.writing() as session:
        waits = {"state": "queued", "received": now() - timedelta(seconds=90)}
        session.execute(update(Photo).values(waits))
    page = app.test_client().get("/admin", headers=bearer(TOKEN)).text
    told = shown(page)
    assert (told["Fotos por leer"], told["Partidas jugadas en el último día"]) == ("1", "1")
    assert 90 <= int(told["Lo que espera la primera"].removesuffix(" s")) < 150
    with parts_of(app).store.writing() as session:
        session.execute(update(Photo).values(state="failed", problem="too_dark"))
    page = app.test_client().get("/admin", headers=bearer(TOKEN)).text
    assert (shown(page)["too_dark"], shown(page)["Fotos por leer"]) == ("1", "0")
    for secret in (hand, scorer.hand(hand)["match"], "Nosotros", "Ellos"):
        assert secret not in page


def shown(page: str) -> dict[str, str]:
    return dict(re.findall(r'"names">(.*?)</span><span class="figures">(.*?)<', page))


@pytest.mark.parametrize("path", ["/admin", "/metrics"])
@pytest.mark.parametrize(
    "headers", [{}, bearer("x" * 38), password("x" * 38), bearer(""), {"Authorization": "x"}]
)
def test_nobody_else_sees_it(app: Flask, path: str, headers: dict[str, str]) -> None:
    answer = app.test_client().get(path, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Basic realm")
    assert "Hace falta la clave de administración." in answer.text
    assert answer.headers.get("Set-Cookie", "").count("holder") == 0


def test_the_token_cannot_be_tried_often(app: Flask) -> None:
    client = app.test_client()
    tries = [client.get("/admin", headers=bearer(f"{n:038}")).status_code for n in range(8)]
    assert tries == [401] * 6 + [429] * 2
    assert client.get("/admin", headers=bearer(TOKEN)).status_code == 200


@pytest.mark.parametrize("mode", list(Mode))
def test_without_a_token_there_is_no_such_page(
    config: AppConfig, reader: RecordedReader, mode: Mode
) -> None:
    app = create_app(replace(config, admin_token=None, mode=mode), reader)
    for path in ("/admin", "/metrics"):
        for headers in ({}, bearer(TOKEN), bearer("None"), bearer("")):
            assert app.test_client().get(path, headers=headers).status_code == 404
    close(app)


# --- health ---


def test_a_process_is_alive_and_ready_until_its_database_is_gone(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = app.test_client()
    answers = [client.get(path) for path in ("/healthz", "/readyz")]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert not any("Set-Cookie" in answer.headers for answer in answers)

    def gone(*_asked: object) -> None:
        raise StoreUnavailable("gone")

    monkeypatch.setattr(parts_of(app).store, "look", gone)
    assert [client.get(path).status_code for path in ("/healthz", "/readyz")] == [200, 503]


# --- logs ---


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> Iterator[list[str]]:
    """Return the lines of the log, filled while the test runs."""
    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    keep = Keep()
    keep.setFormatter(JsonLines())
    logging.getLogger().addHandler(keep)
    with caplog.at_level(logging.INFO):
        yield lines
    logging.getLogger().removeHandler(keep)


def in_cluster(config: AppConfig, reader: RecordedReader, **changed: Any) -> Flask:
    """Make an application over a database of its own that logs its requests as an application of a
    cluster does.
    """
    app = create_app(config, reader)
    told = replace(config, cluster=True, **changed)
    furnish(app, replace(parts_of(app), config=told))
    request_log.install(app)
    return app


def test_each_request_is_one_line_with_its_name_and_without_its_links(
    config: AppConfig, reader: RecordedReader, told: list[str]
) -> None:
    app = in_cluster(config, reader)
    told.clear()
    answer = app.test_client().get("/v/a-secret-link")
    line = json.loads(told[-1])
    assert line["request"] == answer.headers[HEADER]
    assert (line["method"], line["status"]) == ("GET", 404)
    assert line["route"] == "/v/<viewer_token>"
    assert line["ms"] >= 0 and line["level"] == "INFO"
    assert "a-secret-link" not in "".join(told)
    close(app)


def test_what_breaks_is_told_with_the_request_it_broke(
    config: AppConfig, reader: RecordedReader, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = in_cluster(config, reader)

    def broken(_token: str) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr(parts_of(app).matches, "of_viewer", broken)
    answer = app.test_client().get("/v/a-secret-link")
    assert answer.status_code == 500
    lines = [json.loads(line) for line in told]
    (failure,) = [line for line in lines if "exception" in line]
    assert failure["request"] == answer.headers[HEADER]
    assert "broken on purpose" in failure["exception"]
    assert "a-secret-link" not in failure["message"]
    close(app)


@pytest.mark.parametrize(
    ("proxies", "sent", "kept"),
    [
        ((), "name-of-the-proxy", False),
        (("10.0.0.1",), "name-of-the-proxy", True),
        (("10.0.0.1",), "short", False),
        (("10.0.0.1",), "x" * 65, False),
        (("10.0.0.1",), 'two words "quoted"', False),
    ],
)
def test_a_request_keeps_the_name_that_a_trusted_proxy_gave_it(
    config: AppConfig, reader: RecordedReader, proxies: tuple[str, ...], sent: str, kept: bool
) -> None:
    app = in_cluster(config, reader, trusted_proxies=proxies)
    named = app.test_client().get("/healthz", headers={HEADER: sent}).headers[HEADER]
    assert (named == sent) is kept
    close(app)


def test_a_server_of_one_house_logs_no_requests(app: Flask, told: list[str]) -> None:
    answer = app.test_client().get("/")
    assert HEADER not in answer.headers
    assert not any('"request"' in line for line in told)
