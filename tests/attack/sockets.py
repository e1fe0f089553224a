"""Slow sockets and many open pages: connections that send nothing, or very little, for long.

Promise: other devices that use the page are answered from their first request on, and within 300 ms
(95th percentile), over plain HTTP and over HTTPS.
"""

from __future__ import annotations

import socket
import statistics
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

import requests

from tests.attack.house import House, open_house
from tests.attack.report import Deadline, Report
from tests.scorer_app.served import PATIENCE as LONGEST_WAIT
from tests.scorer_app.served import trusting_anyone

SLOW = 500  # sockets, a fifth of each kind
PAGES = 200  # open event streams
ANSWERS = 100  # measured at least, however short the attack: of a few alone there is no percentile
HOPELESS = 120.0  # seconds until fewer have to do
PATIENCE = 0.3  # seconds, the 95th percentile that other devices may wait
FIRST_WORDS = (
    b"",  # silence
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Drip: ",  # a header that never ends
    b"POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n",  # a body, likewise
    b"\x16\x03\x01\x02\x00\x01",  # the beginning of a TLS greeting
    b"GET /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",  # answered, then kept open
)
BEFORE_TLS = (0, 3)  # of the first words, those that are said in place of a TLS handshake


def run(seconds: float, _seed: int) -> Report:
    """Attack a server of plain HTTP and one of HTTPS, half the time each."""
    report = Report("sockets")
    raise_file_limit()
    for scheme, options in (("http", ()), ("https", ("--https",))):
        with open_house(*options) as house:
            attack(house, scheme, seconds / 2, report)
    return report


def attack(house: House, scheme: str, seconds: float, report: Report) -> None:
    """Hold the sockets open for `seconds` and measure another device meanwhile."""
    with ExitStack() as held:
        address = urlsplit(house.server.base)
        assert address.hostname and address.port
        target = Target(address.hostname, address.port, scheme == "https")
        sockets = [slow_socket(target, number) for number in range(SLOW)]
        streams = [open_stream(target, house) for _ in range(PAGES)]
        for one in (*sockets, *streams):
            held.callback(one.close)
        report.tried += len(sockets) + len(streams)
        stop = threading.Event()
        dripping = threading.Thread(target=drip, args=(sockets, stop), daemon=True)
        dripping.start()
        waits = measured(house, Deadline(seconds))
        stop.set()
        dripping.join()
        heard = sum(map(has_spoken, streams))
        report.figures[f"{scheme} streams heard"] = heard
        report.expect(heard == PAGES, f"{scheme}: {heard} of {PAGES} pages are told of a change")
        for name, times in waits.items():
            p95 = statistics.quantiles(times, n=20)[-1]
            report.figures[f"{scheme} {name} p95 ms"] = round(1000 * p95, 1)
            report.figures[f"{scheme} {name} slowest ms"] = round(1000 * max(times), 1)
            silent = sum(one >= LONGEST_WAIT for one in times)
            report.expect(not silent, f"{scheme} {name}: {silent} of {len(times)} unanswered")
            report.expect(p95 < PATIENCE, f"{scheme} {name}: p95 {p95:.3f} s beside slow sockets")
        report.figures[f"{scheme} peak MB"] = house.peak_megabytes()


@dataclass(frozen=True)
class Target:
    """The server's address, and whether it speaks TLS."""

    host: str
    port: int
    secure: bool

    def connect(self, *, handshake: bool = True) -> socket.socket:
        """Open a connection, with TLS where the server speaks it and `handshake` asks for it."""
        one = socket.create_connection((self.host, self.port), timeout=10)
        return trusting_anyone().wrap_socket(one) if self.secure and handshake else one


def slow_socket(target: Target, number: int) -> socket.socket:
    kind = number % len(FIRST_WORDS)
    one = target.connect(handshake=kind not in BEFORE_TLS)
    one.setblocking(False)
    send_quietly(one, FIRST_WORDS[kind])
    return one


def open_stream(target: Target, house: House) -> socket.socket:
    """Ask for the news of the match, as an open page does, and leave the answer unread."""
    cookie = "; ".join(f"{c.name}={c.value}" for c in house.devices["viewer"].session.cookies)
    one = target.connect()
    path = f"/v/{house.names['viewer_token']}/events"
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nVia: 1.1 attack\r\nCookie: {cookie}\r\n\r\n"
    one.sendall(head.encode())
    return one


def has_spoken(stream: socket.socket) -> bool:
    """Whether the server has accepted the stream and sent the change that was made meanwhile."""
    stream.settimeout(5)
    heard = b""
    try:
        while b"data:" not in heard:
            part = stream.recv(65536)
            if not part:
                return False
            heard += part
    except OSError:
        return False
    return heard.startswith(b"HTTP/1.1 200")


def drip(sockets: list[socket.socket], stop: threading.Event) -> None:
    """Send one byte on every slow socket each second."""
    while not stop.wait(1.0):
        for one in sockets:
            send_quietly(one, b"a")


def send_quietly(one: socket.socket, data: bytes) -> None:
    try:
        one.send(data)
    except OSError:
        return  # hung up on, as it should be


def measured(house: House, deadline: Deadline) -> dict[str, list[float]]:
    """Measure again and again how many seconds a read and an edit take another device; returned by
    `page` and `edit`.

    It goes on until the deadline, and longer where there are too few answers then.
    """
    scorer, hand = house.devices["scorer"], house.names["hand_id"]
    waits: dict[str, list[float]] = {"page": [], "edit": []}
    hopeless = Deadline(HOPELESS)
    while not deadline.is_over() or len(waits["edit"]) < (2 if hopeless.is_over() else ANSWERS):
        waits["page"].append(timed(lambda: scorer.get(f"/api/hands/{hand}")))
        number = len(waits["edit"])
        tap = {
            "key": f"slow{number}",
            "op": "add_tile",
            "side": "B",
            "place": "rack",
            "face": "5K",
        }
        back = number % 2
        path = f"/api/hands/{hand}/undo" if back else f"/api/hands/{hand}/edits"
        body = None if back else {"edits": [tap]}
        waits["edit"].append(timed(lambda: scorer.post(path, json=body)))  # noqa: B023
        time.sleep(0.05)
    return waits


def timed(ask: Callable[[], requests.Response]) -> float:
    """Return the seconds until the answer comes; the longest wait of a client where none comes, or
    an error.
    """
    begun = time.perf_counter()
    with suppress(requests.RequestException):
        if ask().ok:
            return time.perf_counter() - begun
    return LONGEST_WAIT


def raise_file_limit() -> None:
    """Allow as many open files as the system lets this process have."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
