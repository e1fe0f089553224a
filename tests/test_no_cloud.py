"""Nothing leaves the house.

`burako read` and `burako serve` write nothing into the user's folders and reach no machine outside
the local network, whatever the libraries that they use would do.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.places import SAMPLES
from tests.scorer_app.served import Served
from tests.tracing import can_trace, reached_outside, traced, when_ended

PHOTOGRAPH = SAMPLES / "rack-a.jpg"
PATIENCE = 60.0  # seconds until a photograph must have been read
UPLOAD_TIMER = 13.0  # seconds; onnxruntime's telemetry looks its host up 10 s after the first event
KEPT = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "SYSTEMROOT")
XDG = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
FOLDERS = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TMPDIR", "TEMP", "TMP", *XDG)


def live_in(folder: Path, patch: pytest.MonkeyPatch) -> Path:
    """Make an empty folder for all that a program keeps for its user, in an environment without
    `CI` and the like, which silence telemetry.
    """
    home = folder / "home"
    home.mkdir()
    for name in set(os.environ) - set(KEPT):
        patch.delenv(name)
    for name in FOLDERS:
        patch.setenv(name, str(home))
    patch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    return home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return live_in(tmp_path, monkeypatch)


@dataclass
class Stay:
    """A server whose user's folders lie in a folder of its own, and the trace of what it does."""

    server: Served
    home: Path
    trace: Path
    photo: dict[str, Any]  # that it has read
    began: float  # monotonic seconds


@pytest.fixture(scope="session")
def stay(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stay]:
    """A server that has read a photograph and runs on while other tests run."""
    folder = tmp_path_factory.mktemp("stay")
    trace = folder / "trace"
    with pytest.MonkeyPatch.context() as patch:
        home = live_in(folder, patch)
        server = Served(folder / "data", "--host", "0.0.0.0", under=traced(trace))
    try:
        (photo,) = read_through_the_page(server)
        yield Stay(server, home, trace, photo, time.monotonic())
    finally:
        server.kill()


def upload(server: Served, hand: str, photograph: bytes) -> Any:
    """Send a photograph as the page's form does."""
    fields = {"side": "A", "place": "rack"}
    parts = [
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    head = b'--b\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n'
    body = b"".join([*parts, head, photograph, b"\r\n--b--\r\n"])
    kind = "multipart/form-data; boundary=b"
    headers = {"X-CSRF-Token": server.token, "Content-Type": kind}
    url = f"{server.base}/api/hands/{hand}/photos"
    with server.opener.open(urllib.request.Request(url, body, headers)) as answer:
        return json.loads(answer.read())


def read_through_the_page(server: Served) -> Any:
    """Upload a photograph to a new hand as the page does, and return the hand's photographs once
    they are read.
    """
    hand = server.post("/score").rsplit("/", 1)[1]
    upload(server, hand, PHOTOGRAPH.read_bytes())
    end = time.monotonic() + PATIENCE
    while True:
        photos = server.get(f"/api/hands/{hand}")["photos"]
        if all(photo["state"] in ("read", "failed") for photo in photos):
            return photos
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.process
def test_reading_a_photograph_leaves_nothing_behind(home: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    run = "import sys; from scorer_app.cli.main import main; sys.exit(main())"
    command = [*traced(trace), sys.executable, "-c", run, "read", str(PHOTOGRAPH), "--json"]
    done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=True)
    assert json.loads(done.stdout)["tiles"]
    assert sorted(home.rglob("*")) == []
    if can_trace():
        when_ended(trace)
        assert reached_outside(trace) == []


@pytest.mark.process
def test_a_server_begins_in_a_home_of_its_own(stay: Stay) -> None:
    """The first of all tests, so that the next one need not wait."""
    assert stay.photo["state"] == "read"
    assert sorted(stay.home.rglob("*")) == []


@pytest.mark.process
def test_serving_the_page_keeps_to_its_own_folder_and_the_local_network(stay: Stay) -> None:
    if can_trace():
        time.sleep(max(0.0, stay.began + UPLOAD_TIMER - time.monotonic()))
    assert sorted(stay.home.rglob("*")) == []
    stay.server.process.terminate()
    stay.server.process.wait(PATIENCE)
    assert sorted(stay.home.rglob("*")) == []
    if can_trace():
        when_ended(stay.trace)
        assert reached_outside(stay.trace) == []


INET = 'sa_family=AF_INET, sin_port=htons({}), sin_addr=inet_addr("{}")'
INET6 = 'sa_family=AF_INET6, sin6_port=htons({}), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "{}"'
UNIX = 'sa_family=AF_UNIX, sun_path="{}"'


@pytest.mark.parametrize(
    ("address", "outside"),
    [
        (INET.format(443, "8.8.8.8"), True),
        (INET.format(53, "10.0.0.1"), True),
        (INET.format(80, "192.168.0.9"), False),
        (INET.format(80, "127.0.0.1"), False),
        (INET6.format(443, "2600::1"), True),
        (INET6.format(443, "::1"), False),
        (UNIX.format("/run/systemd/resolve/io.systemd.Resolve"), True),
        (UNIX.format("/run/postgresql"), False),
    ],
)
def test_a_call_to_the_network_is_judged_by_its_address(
    address: str, outside: bool, tmp_path: Path
) -> None:
    trace = tmp_path / "trace"
    trace.write_text(f"1 connect(3, {{{address}}}, 16) = 0")
    assert bool(reached_outside(trace)) == outside
