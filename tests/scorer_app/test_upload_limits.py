"""A photograph above the limit: one clear sentence in the page and from the server, never a connection that just breaks."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask

from scorer_app.config import AppConfig
from scorer_app.server import HEARD_OUT, make_server

from .browser import Watched
from .pictures import Picture
from .served import PATIENCE

LIMIT = 3 * 2**20


@pytest.fixture
def config(config: AppConfig) -> AppConfig:
    return replace(config, upload_bytes=LIMIT)


@pytest.fixture
def served(app: Flask, config: AppConfig) -> Iterator[str]:
    """As `burako serve` serves it."""
    server = make_server(app, config, "127.0.0.1", 0)
    server.shutdown_timeout = 1
    server.prepare()
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.bind_addr[1]}"
    app.extensions["news"].close()
    server.stop()
    thread.join(5)


def test_the_server_hears_it_out_and_names_the_limit(served: str) -> None:
    connection = http.client.HTTPConnection(served.removeprefix("http://"), timeout=PATIENCE)
    connection.request("GET", "/api/session")
    session = connection.getresponse()
    token = json.loads(session.read())["csrf"]
    headers = {"X-CSRF-Token": token, "Cookie": session.headers["Set-Cookie"].split(";")[0]}
    connection.request("POST", "/api/hands/any/photos", bytes(HEARD_OUT * LIMIT), headers)
    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())["message"]) == (413, "El archivo es demasiado grande: el máximo es 3 MB.")
    connection.close()


@pytest.mark.browser
def test_the_page_says_so_before_it_sends(phone: Watched) -> None:
    sent = []
    phone.begin()
    phone.page.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    phone.photograph("A-melds", Picture(bytes(LIMIT + 1), {}, (0, 0)))
    toast = phone.page.locator("#toast:visible")
    toast.wait_for()
    assert toast.inner_text() == "La foto pesa 4 MB y el máximo es 3 MB. Sacala de nuevo o elegí otra."
    assert sent == []
