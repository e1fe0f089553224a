"""A page node is killed while all phones follow the news there: the other one takes them over."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from tests.cluster.databases import own_database
from tests.cluster.devices import Device
from tests.cluster.service import Program, answers, nginx_before, page_node
from tests.cluster.streams import Phone
from tests.cluster.weed import free_ports
from tests.scorer_app.conftest import in_a_thread, until
from tests.scorer_app.served import PATIENCE

PHONES = 400
PACE = 0.3  # seconds between two taps of a person


class Nodes:
    """Two page nodes of two processes each behind nginx, of which the second can be started."""

    def __init__(self, folder: Path, database: str) -> None:
        self._folder, self._file = folder, folder / "cluster.toml"
        self._file.write_text(
            f'mode = "public"\ndatabase = "{database}"\n'
            'processes = 2\ntrusted_proxies = ["127.0.0.1"]\n'
        )
        first = free_ports(3, together=True)
        second = free_ports(3, together=True, after=first[-1])
        fronts = free_ports(2, after=second[-1])
        self._ports, self.url = (first, second), f"http://127.0.0.1:{fronts[0]}"
        self.running: dict[int, Program] = {}
        self.start(0)
        self._nginx = nginx_before(folder, fronts, [first, second])
        until(lambda: answers(self.url), bool)

    def start(self, node: int) -> None:
        """Start a page node, and wait until both of its processes answer."""
        ports = self._ports[node]
        self.running[node] = page_node(self._folder, f"pages-{node}", self._file, ports)
        until(lambda: [answers(f"http://127.0.0.1:{port}") for port in ports], all)

    def kill(self, node: int) -> None:
        """End a page node as a power cut would."""
        program = self.running.pop(node)
        for process in (program.process.pid, *program.children()):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        program.process.wait(PATIENCE)

    def end(self) -> None:
        for program in (self._nginx, *self.running.values()):
            program.end()


@pytest.fixture
def database() -> Iterator[str]:
    with own_database() as address:
        yield address


@pytest.fixture
def nodes(tmp_path: Path, database: str) -> Iterator[Nodes]:
    with ExitStack() as ending:
        running = Nodes(tmp_path, database)
        ending.callback(running.end)
        yield running


@dataclass
class Scorer:
    """A phone that taps on and on, each tap until it is acknowledged. `taps` are the keys of the
    acknowledged ones.
    """

    device: Device
    hand: str
    taps: list[str] = field(default_factory=list)

    def tap(self) -> bool:
        """Send one more tap; return whether it was acknowledged."""
        key = f"tap-{len(self.taps)}"
        edit = {"op": "add_tile", "side": "A", "place": "melds", "face": "3R", "key": key}
        status, _body, _path = self.device.ask(
            f"/api/hands/{self.hand}/edits",
            json.dumps({"edits": [edit]}).encode(),
            Content_Type="application/json",
        )
        self.taps += [key] if status == 200 else []
        return status == 200

    def tap_on(self, stop: threading.Event) -> None:
        while not stop.wait(PACE):
            self.tap()


def kept_taps(database: str, hand: str) -> list[str]:
    server = create_engine(database)
    with server.connect() as connection:
        asked = text("SELECT key FROM edit WHERE hand_id = :hand ORDER BY id")
        keys = list(connection.execute(asked, {"hand": hand}).scalars())
    server.dispose()
    return keys


async def all_hear(phones: list[Phone], act: Callable[[], object]) -> None:
    """Wait until all phones have heard a change after something that is done now."""
    moment = time.monotonic()
    await asyncio.to_thread(act)
    await asyncio.gather(*(phone.hears_after(moment) for phone in phones))


def test_400_phones_of_a_page_node_that_is_killed_follow_the_other_one(
    nodes: Nodes, database: str
) -> None:
    device = Device(nodes.url)
    _match, hand = device.begin()
    scorer, stop = Scorer(device, hand), threading.Event()
    phones = [Phone(nodes.url, f"/api/hands/{hand}/events", device.cookie) for _ in range(PHONES)]
    tapping = threading.Thread(target=scorer.tap_on, args=(stop,))

    async def lose_a_node() -> None:
        following = [asyncio.create_task(phone.keep_following()) for phone in phones]
        try:
            await asyncio.gather(*(phone.hears(1) for phone in phones))
            await asyncio.to_thread(nodes.start, 1)
            tapping.start()
            await all_hear(phones, lambda: nodes.kill(0))
            # The nginx may still count the other node as not started, for fail_timeout at most.
            await asyncio.to_thread(until, lambda: len(scorer.taps) > 1, bool)
            stop.set()
            await asyncio.to_thread(tapping.join)
            await all_hear(phones, lambda: until(scorer.tap, bool))
        finally:
            stop.set()
            for task in following:
                task.cancel()
            await asyncio.gather(*following, return_exceptions=True)

    in_a_thread(asyncio.run, lose_a_node())
    assert kept_taps(database, hand) == scorer.taps
    assert len(device.json(f"/api/hands/{hand}")["tiles"]) == len(scorer.taps) > 1
