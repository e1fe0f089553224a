"""Clients that are slow, silent, endless or many: they make nobody else wait, and the server's
memory does not grow with what they send.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import http.client
import json
import socket
import ssl
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from statistics import quantiles

import pytest
from flask import Flask

from scorer_app.config import AppConfig
from scorer_app.services.event_bus import EventBus
from scorer_app.services.shelves import Shelf, listed
from scorer_app.services.tally import Tally
from scorer_app.serving import connections, wsgi_bridge
from scorer_app.serving.connections import HEAD_BYTES, Connection, Connections
from scorer_app.serving.server import PageServer, _Server
from scorer_app.web.application import admits
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, in_a_thread, until
from ..served import PATIENCE, serving

SLOW, STREAMS = 120, 60  # several times the threads there are


@pytest.fixture
def base(app: Flask, config: AppConfig) -> Iterator[str]:
    stopping = parts_of(app).event_bus.close
    with serving(app, config, admits=admits(app), stopping=stopping) as address:
        yield address


def newest_match(app: Flask) -> Tally:
    return listed(parts_of(app).matches, Shelf.PLAYED, 1).tallies[0]


def connect(base: str) -> socket.socket:
    host, _, port = base.rpartition("//")[2].rpartition(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE)


def exchange(base: str, sent: bytes) -> bytes:
    """Send bytes to a server; return all that comes until it closes the connection."""
    with connect(base) as there:
        there.sendall(sent)
        return b"".join(iter(lambda: there.recv(65536), b""))


def hear(there: socket.socket, wanted: bytes) -> None:
    heard = b""
    while wanted not in heard:
        piece = there.recv(4096)
        assert piece, heard
        heard += piece


def seconds_of_a_page(base: str, **tls: ssl.SSLContext) -> float:
    started = time.perf_counter()
    kind = http.client.HTTPSConnection if tls else http.client.HTTPConnection
    connection = kind(base.rpartition("//")[2], timeout=PATIENCE, **tls)
    connection.request("GET", "/api/session")
    assert connection.getresponse().status == 200
    connection.close()
    return time.perf_counter() - started


@contextlib.contextmanager
def slow_clients(base: str, stream: str, count: int, streams: int) -> Iterator[None]:
    """Hold connections open while the context lasts: `count` that say nothing, half a head or half
    a body, and `streams` pages that follow `stream`.
    """
    beginnings = [
        b"",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        b"POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n",
    ]
    follows = f"GET {stream} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    opened = []
    try:
        for beginning in [beginnings[number % 3] for number in range(count)] + [follows] * streams:
            there = connect(base)
            opened.append(there)
            there.sendall(beginning)
        for there in opened[count:]:
            hear(there, b"event: change")
        yield
    finally:
        for there in opened:
            there.close()


@pytest.fixture
def stream(scorer: Scorer) -> str:
    scorer.begin()
    with scorer.client.application.app_context():
        tally = newest_match(scorer.client.application)
    return f"/v/{tally.match.viewer_token}/events"


def test_slow_clients_and_open_pages_hold_nobody_up(base: str, stream: str) -> None:
    with slow_clients(base, stream, SLOW, STREAMS):
        times = [seconds_of_a_page(base) for _ in range(20)]
    assert max(times) < 5


@pytest.mark.slow
def test_500_slow_clients_and_200_open_pages(base: str, stream: str) -> None:
    with slow_clients(base, stream, 500, 200):
        times = [seconds_of_a_page(base) for _ in range(200)]
    assert quantiles(times, n=20)[-1] < 0.3


def test_a_silent_connection_does_not_hold_up_tls(app: Flask, config: AppConfig) -> None:
    secure = replace(config, https=True)
    with serving(app, secure, stopping=parts_of(app).event_bus.close) as base:
        trust = ssl.create_default_context(cafile=str(config.data_dir / "certificate.pem"))
        silent = [connect(base) for _ in range(40)]
        assert seconds_of_a_page(base, context=trust) < 5
        for there in silent:
            there.close()


@pytest.mark.parametrize(
    "begun",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n",
        b"GET /api/session HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\n",
    ],
)
@pytest.mark.parametrize("piece", [b"X-More: and more\r\n", b"x" * 100])
def test_a_head_without_end_is_cut_off(base: str, begun: bytes, piece: bytes) -> None:
    sent = 0
    with connect(base) as there:
        there.sendall(begun)
        with contextlib.suppress(ConnectionError):
            while sent < 100 * 2**20:
                there.sendall(piece * 100)
                sent += 100 * len(piece)
    assert sent < 100 * HEAD_BYTES  # what the system's buffers take included


def head(path: str, size: int, extra: str = "") -> bytes:
    lines = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n{extra}\r\n"
    return lines.encode()


def test_a_body_over_its_limit_is_refused_before_it_is_sent(base: str, scorer: Scorer) -> None:
    hand = scorer.begin()
    for path, size in (("photos", 41 * 2**20), ("edits", 2**21)):
        with connect(base) as there:
            there.sendall(head(f"/api/hands/{hand}/{path}", size))
            assert there.recv(65536).startswith(b"HTTP/1.1 413 ")


def test_the_large_body_of_a_stranger_is_not_read(app: Flask, config: AppConfig) -> None:
    def from_afar(environ: dict[str, object], start_response: object) -> object:
        return app({**environ, "REMOTE_ADDR": "192.168.1.66"}, start_response)

    def asked(environ: dict[str, object]) -> bool:
        return admits(app)({**environ, "REMOTE_ADDR": "192.168.1.66"})

    with serving(from_afar, config, admits=asked) as base, connect(base) as there:
        there.sendall(head("/api/hands/x/photos", 30 * 2**20))
        assert there.recv(65536).startswith(b"HTTP/1.1 401 ")


def test_a_body_of_no_told_size_is_refused(base: str) -> None:
    chunked = b"POST /join HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert exchange(base, chunked).startswith(b"HTTP/1.1 411 ")


@pytest.mark.parametrize("size", ["-5", "1e9", "9" * 400])
def test_a_size_that_is_none_is_refused(base: str, size: str) -> None:
    lines = f"POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n\r\n"
    assert exchange(base, lines.encode()).startswith(b"HTTP/1.1 400 ")


def test_a_body_that_does_not_come_is_not_waited_for(
    base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wsgi_bridge, "PIECE_TIME", 0.2)
    assert exchange(base, head("/join", 1000) + b"x").startswith(b"HTTP/1.1 408 ")


def test_a_dripping_body_is_not_waited_for(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wsgi_bridge, "PIECE_TIME", 0.5)
    with connect(base) as there:
        there.sendall(head("/join", 50_000))
        there.settimeout(0.1)
        began, heard = time.monotonic(), b""
        while not heard and time.monotonic() - began < PATIENCE:
            there.sendall(b"x")
            with contextlib.suppress(TimeoutError):
                heard = there.recv(1000)
    assert heard.startswith(b"HTTP/1.1 408 ")


def test_who_sends_no_request_is_shown_out(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_TIME", 0.3)
    with connect(base) as silent, connect(base) as begun:
        begun.sendall(b"GET / HT")
        assert (silent.recv(100), begun.recv(100)) == (b"", b"")


def test_a_stream_ends_when_its_client_has_gone(app: Flask, base: str, stream: str) -> None:
    bus: EventBus = parts_of(app).event_bus
    with connect(base) as there:
        there.sendall(f"GET {stream} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        until(lambda: bus.open_streams, lambda count: count == 1)
    until(lambda: bus.open_streams, lambda count: count == 0)


def test_news_reach_a_stream(app: Flask, base: str, stream: str, scorer: Scorer) -> None:
    with connect(base) as there:
        there.sendall(f"GET {stream} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        hear(there, b"event: table")
        with app.app_context():
            tally = newest_match(app)
        parts_of(app).event_bus.tell(tally.match.id)
        hear(there, b"event: change\ndata: 1\n")


def test_a_large_answer_is_sent_whole_to_a_slow_reader(config: AppConfig) -> None:
    whole = bytes(20 * 2**20)

    def large(_environ: object, start_response: object) -> list[bytes]:
        start_response("200 OK", [("Content-Length", str(len(whole)))])  # type: ignore[operator]
        return [whole]

    with serving(large, config) as base, connect(base) as there:
        there.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        time.sleep(0.5)
        assert len(b"".join(iter(lambda: there.recv(2**20), b""))) > len(whole)


def test_headers_reach_the_application_once(config: AppConfig) -> None:
    def told(environ: dict[str, object], start_response: object) -> list[bytes]:
        start_response("200 OK", [])  # type: ignore[operator]
        names = ("HTTP_X_CSRF_TOKEN", "HTTP_COOKIE", "PATH_INFO", "CONTENT_LENGTH", "HTTP_X_TWICE")
        return [json.dumps({name: environ.get(name) for name in names}).encode()]

    lines = [
        "GET /a%2Fb%C3%B1 HTTP/1.1",
        "Host: localhost",
        "Connection: close",
        "X_CSRF_Token: forged",
        "Cookie: a=1",
        "Cookie: b=2",
        "X-Twice: 1",
        "X-Twice: 2",
    ]
    with serving(told, config) as base:
        answer = exchange(base, "\r\n".join([*lines, "", ""]).encode())
    body = answer.partition(b"\r\n\r\n")[2]
    assert json.loads(body[body.index(b"{") : body.rindex(b"}") + 1]) == {
        "HTTP_X_CSRF_TOKEN": None,
        "HTTP_COOKIE": "a=1; b=2",
        "PATH_INFO": "/a/b\u00c3\u00b1",
        "CONTENT_LENGTH": None,
        "HTTP_X_TWICE": "1,2",
    }


# --- who goes where there are too many ---


class Known(Connection):
    """Stands in for a connection: it only notes whether the server has ended it."""

    ended = False

    def __init__(self, address: str, *, waits: bool = True) -> None:
        super().__init__(address)
        self.waits = waits

    def waiting_since(self) -> float | None:
        return self.accepted if self.waits else None

    def abort(self) -> None:
        self.ended = True


def test_where_there_are_too_many_the_greediest_device_loses_one_that_waits() -> None:
    registry = Connections(most=4)
    busy, first, second = Known("crowd", waits=False), Known("crowd"), Known("crowd")
    alone = Known("alone")
    for connection in (alone, busy, first, second, Known("new")):
        registry.add(connection)
    assert (alone.ended, busy.ended, first.ended, second.ended) == (False, False, True, False)
    assert len(registry) == 4


def listening(app: Flask, config: AppConfig) -> tuple[PageServer, _Server, socket.socket]:
    """Return a server that listens and whose event loop is not run yet, with its inner server and
    its socket.
    """
    server = PageServer(app, config)
    server.listen("127.0.0.1", 0)
    inner, (listener,) = server._server, server._listeners
    inner.config.load()
    inner.lifespan = inner.config.lifespan_class(inner.config)
    return server, inner, listener


def test_between_two_of_a_crowd_the_others_have_their_turn(config: AppConfig, app: Flask) -> None:
    accepted: list[int] = []

    async def count_at_each_turn() -> None:
        await inner.startup([listener])
        while len(accepted) < 30:
            await asyncio.sleep(0)
            accepted.append(len(inner._connections))
        await inner.shutdown([listener])

    server, inner, listener = listening(app, config)
    crowd = [socket.create_connection(listener.getsockname(), PATIENCE) for _ in range(20)]
    in_a_thread(asyncio.run, count_at_each_turn())
    server.close()
    for one in crowd:
        one.close()
    assert accepted[-1] == len(crowd)
    assert max(now - before for before, now in pairwise(accepted)) == 1
    gc.collect()


@pytest.mark.parametrize("turns", range(1, 4))
def test_a_server_that_stops_lets_go_of_who_has_just_come(
    config: AppConfig, app: Flask, turns: int
) -> None:
    """A socket left open fails this test: Python warns of it."""

    async def stop_when_one_comes() -> None:
        await inner.startup([listener])
        await asyncio.sleep(0)
        client.connect(listener.getsockname())
        for _ in range(turns):  # of the event loop: accepted, then received, then welcomed
            await asyncio.sleep(0)
        await inner.shutdown([listener])

    server, inner, listener = listening(app, config)
    with socket.socket() as client:
        in_a_thread(asyncio.run, stop_when_one_comes())
        server.close()
        client.settimeout(PATIENCE)
        with contextlib.suppress(ConnectionError):
            assert client.recv(1) == b""
    gc.collect()


def test_a_port_that_is_taken_is_an_error_at_once(config: AppConfig, app: Flask) -> None:
    first, second = PageServer(app, config), PageServer(app, config)
    first.listen("127.0.0.1", 0)
    with pytest.raises(OSError):
        second.listen("127.0.0.1", first.port)
    first.close()
    second.close()
