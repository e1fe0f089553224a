"""A whole cluster on one machine behind nginx, as the deploy folder has it, and single faults."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import dist
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from scorer_app.config import AppConfig
from tests.cluster.conftest import ADDRESS
from tests.cluster.devices import Device
from tests.cluster.service import Service, service
from tests.places import SAMPLES
from tests.scorer_app.conftest import until

if not ADDRESS:
    pytest.skip("`make test-cluster` has what this needs", allow_module_level=True)

PHOTOGRAPH = (SAMPLES / "melds-a.jpg").read_bytes()
WATCHED_AGAIN = 5.0  # seconds after which, at most, a table is watched by another process
# Limit for the start of a page process, in times that loading its modules takes: about a second on
# an idle machine, longer where other programs use it.
TIMES_A_START = 5.0
LOADED = "import scorer_app.cli.serve, scorer_app.web.application, vision.live.watch, onnxruntime"
LINE = [[100.0, 300.0], [900.0, 300.0]]  # pixels of the photograph


@pytest.fixture(scope="module")
def running() -> Iterator[Service]:
    with service("public") as one:
        yield one


@pytest.fixture
def device(running: Service) -> Device:
    return Device(running.url)


def read(device: Device, hand: str) -> list[str]:
    """Wait until no photograph of a hand is left to be read; return their states."""
    photos = until(
        lambda: device.json(f"/api/hands/{hand}")["photos"],
        lambda found: found and all(one["state"] in ("read", "failed") for one in found),
    )
    return [one["state"] for one in photos]


def viewer_token(running: Service, match: str) -> str:
    server = create_engine(running.database.url)
    with server.connect() as connection:
        found = connection.execute(
            text("SELECT viewer_token FROM match WHERE id = :match"), {"match": match}
        )
        token: str = found.scalar_one()
    server.dispose()
    return token


def test_a_photograph_is_taken_in_by_a_page_and_read_by_a_reader(device: Device) -> None:
    _match, hand = device.begin()
    assert device.send(hand, PHOTOGRAPH) == 202
    assert read(device, hand) == ["read"]
    view = device.json(f"/api/hands/{hand}")
    assert len(view["tiles"]) > 10
    status, picture, _path = device.ask(view["photos"][0]["url"])
    assert (status, picture[:3]) == (200, b"\xff\xd8\xff")


def watched(device: Device, table: str) -> str:
    """Send a frame of a table, and return the name of what watches it."""
    status, body, _path = device.ask(
        f"{table}/frame?camera=a", PHOTOGRAPH, Content_Type="image/jpeg"
    )
    return str(json.loads(body)["watch"]) if status == 200 else f"status {status}"


@dataclass(frozen=True)
class WatchedTable:
    """A table that its phone has sent a frame of. `name` is that of the watch."""

    phone: Device
    match: str
    path: str
    name: str


def frame_later(table: WatchedTable) -> str:
    """Send a frame a fifth of a second later, as a page goes on sending."""
    time.sleep(0.2)
    return watched(table.phone, table.path)


@pytest.fixture(scope="module")
def tables(running: Service) -> list[WatchedTable]:
    """Make as many tables as one process watches at once."""
    found = []
    for _ in range(AppConfig.watched_tables):
        phone = Device(running.url)
        match, _hand = phone.begin()
        path = phone.table(f"/matches/{match}")
        found.append(WatchedTable(phone, match, path, watched(phone, path)))
    return found


def test_all_who_ask_for_a_watched_table_reach_the_process_that_watches_it(
    running: Service, tables: list[WatchedTable]
) -> None:
    viewer = Device(running.url)
    assert len({table.path for table in tables}) == len(tables)
    for table in tables:
        token = viewer_token(running, table.match)
        seen = viewer.table(f"/v/{token}")
        assert seen.split("/")[:3] == table.path.split("/")[:3]  # one key for both
        assert table.match not in seen
        for _ in range(4):
            assert viewer.json(f"{seen}/state")["watch"] == table.name
            assert table.phone.json(f"{table.path}/state")["watch"] == table.name


def test_a_page_process_that_is_killed_is_replaced_and_its_tables_are_watched_again(
    running: Service, tables: list[WatchedTable], device: Device
) -> None:
    processes = dict(zip(running.page_ports[1:], running.pages.children(), strict=True))
    port = watching_port(running, tables[0])
    gone = [table for table in tables if watching_port(running, table) == port]
    face, corner = correct_a_tile(gone[0])
    limit = max(WATCHED_AGAIN, TIMES_A_START * seconds_to_load())
    os.kill(processes[port], signal.SIGKILL)
    began = time.monotonic()
    until(lambda: frame_later(gone[0]), lambda name: "status" not in name)
    assert time.monotonic() - began < limit
    for table in tables:
        name = until(lambda table=table: frame_later(table), lambda name: "status" not in name)
        assert (name == table.name) == (table not in gone)
    again = settled(gone[0])
    assert (again["line"], face_at(again, corner)) == (LINE, face)
    assert device.ask("/")[0] == 200
    until(running.pages.children, lambda found: len(found) == len(processes))
    running.wait()


def seconds_to_load() -> float:
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", LOADED], check=True)
    return time.monotonic() - began


def watching_port(running: Service, table: WatchedTable) -> int:
    """Return the port of the process that watches a table now, by which it is reached directly."""
    path = f"{table.path}/state"
    name = table.phone.json(path)["watch"]
    return next(
        port
        for port in running.page_ports[1:]
        if table.phone.json(path, f"http://127.0.0.1:{port}")["watch"] == name
    )


def settled(table: WatchedTable) -> Any:
    """Send frames until the table's tiles are known; return the table's state."""

    def state() -> Any:
        frame_later(table)
        return table.phone.json(f"{table.path}/state")

    return until(state, lambda state: state["table"])


def face_at(state: Any, corner: list[float]) -> str:
    """Return the face of the table's tile whose first corner is nearest to a place in the
    picture.
    """
    seen = [tile for meld in state["table"]["melds"] for tile in meld["details"]]
    nearest = min(
        [*seen, *state["table"]["loose_details"]], key=lambda one: dist(one["corners"][0], corner)
    )
    return str(nearest["tile"])


def correct_a_tile(table: WatchedTable) -> tuple[str, list[float]]:
    """Draw a line over a table, and say of one of its tiles that it is another one.

    Returns the tile's new face, and where its first corner lies.
    """
    found = settled(table)["table"]
    tile = next(tile for meld in found["melds"] for tile in meld["details"])
    face = "13Y" if tile["tile"] != "13Y" else "1B"
    for order in (
        {"op": "line", "line": LINE},
        {"op": "correct", "tile": tile["id"], "face": face},
    ):
        status, body, _path = table.phone.ask(
            f"{table.path}/orders", json.dumps(order).encode(), Content_Type="application/json"
        )
        assert status == 200, body
    return face, tile["corners"][0]


def test_the_store_gone_and_back_loses_no_photograph(running: Service, device: Device) -> None:
    _match, hand = device.begin()
    running.store.stop()
    assert device.send(hand, PHOTOGRAPH) == 503
    assert device.json(f"/api/hands/{hand}")["photos"] == []
    running.store.start()
    assert until(lambda: device.send(hand, PHOTOGRAPH), lambda status: status != 503) == 202
    assert read(device, hand) == ["read"]


def test_the_database_killed_and_back_loses_nothing(running: Service, device: Device) -> None:
    _match, hand = device.begin()
    assert device.send(hand, PHOTOGRAPH) == 202
    running.database.stop("immediate")
    assert device.ask("/readyz")[0] == 503
    assert device.ask(f"/api/hands/{hand}")[0] == 503
    running.database.start()
    until(lambda: device.ask("/readyz")[0], lambda status: status == 200)
    states = until(
        lambda: [one["state"] for one in device.json(f"/api/hands/{hand}")["photos"]],
        lambda found: found == ["read"],
    )
    assert states == ["read"]


def test_who_tries_many_codes_is_slowed_down(device: Device) -> None:
    statuses = {device.ask("/admin")[0] for _ in range(60)}
    assert statuses == {401, 429}


def test_an_address_that_a_client_names_for_itself_is_not_believed(device: Device) -> None:
    """Else the limits of an address would hold nobody."""
    answers = [device.ask("/admin", X_Forwarded_For=f"198.51.100.{number}") for number in range(60)]
    assert 429 in {status for status, _body, _path in answers}
