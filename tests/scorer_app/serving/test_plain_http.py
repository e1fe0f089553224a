"""Whoever asks a server with TLS by plain http is led to https, to the host that they named."""

from __future__ import annotations

import http.client
import socket
import ssl
import sys
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from flask import Flask

from scorer_app.config import AppConfig
from scorer_app.web.parts import parts_of

from ..served import PATIENCE, serving

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="its sockets cannot be looked at")


@pytest.fixture
def base(app: Flask, config: AppConfig) -> Iterator[str]:
    """Serve the application with TLS, and yield its address."""
    stopping = parts_of(app).event_bus.close
    with serving(app, replace(config, https=True), stopping=stopping) as address:
        yield address


@pytest.mark.parametrize(
    ("asked", "status", "led"),
    [
        ("GET /join?a=1 HTTP/1.1\r\nHost: pc.local:80", 307, "https://pc.local:80/join?a=1"),
        ("POST / HTTP/1.0\r\nA: b\r\nhost:[::1]:8080", 307, "https://[::1]:8080/"),
        ("GET / HTTP/1.1\r\nHost: pc.local/b", 400, None),
        ("GET / HTTP/1.1\r\nAccept: */*", 400, None),
        ("GET http://elsewhere/ HTTP/1.1\r\nHost: pc.local", 400, None),
        ("NONSENSE", 400, None),
    ],
)
def test_plain_http_is_led_to_https(base: str, asked: str, status: int, led: str | None) -> None:
    address = urlsplit(base)
    with socket.create_connection((address.hostname, address.port), PATIENCE) as client:
        client.sendall(f"{asked}\r\n\r\n".encode())
        answer = http.client.HTTPResponse(client)
        answer.begin()
        told = (answer.status, answer.headers["Location"], answer.headers["Cache-Control"])
        assert told == (status, led, "no-store")
        assert answer.read() == b"" and client.recv(1) == b""  # and the connection is closed


def test_https_is_answered_although_others_ask_by_plain_http(base: str, config: AppConfig) -> None:
    address = urlsplit(base)
    where = (str(address.hostname), int(address.port or 0))
    trust = ssl.create_default_context(cafile=str(config.data_dir / "certificate.pem"))
    others = [socket.create_connection(where, PATIENCE) for _ in range(3)]
    others[0].sendall(b"GET")
    others[1].sendall(b"\x00")
    connection = http.client.HTTPSConnection(*where, timeout=PATIENCE, context=trust)
    connection.request("GET", "/api/session")
    assert connection.getresponse().status == 200
    for one in (connection, *others):
        one.close()
