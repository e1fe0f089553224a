"""Processes of a running cluster are killed one after another while phones go on: nothing that was
acknowledged is lost, and nothing is there twice or half. `make test-slow`, or fewer kills with
BURAKO_TEST_KILLS.
"""

from __future__ import annotations

import json
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import pytest
from sqlalchemy import create_engine, text

from tests.cluster.conftest import ADDRESS
from tests.cluster.devices import Device
from tests.cluster.service import Service, service
from tests.places import SAMPLES

if not ADDRESS:
    pytest.skip("`make test-cluster` has what this needs", allow_module_level=True)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(7200)]
KILLS = int(os.environ.get("BURAKO_TEST_KILLS", "1000"))
PAUSE = 1.0  # seconds between two kills
PHONES = 4
PATIENCE = 300.0  # seconds within which one more photograph is read once nobody kills any more
MOST_PHOTOGRAPHS = 20  # of a phone
PHOTOGRAPHS = [(SAMPLES / name).read_bytes() for name in ("melds-a.jpg", "melds-b.jpg")]


@dataclass
class Phone:
    """A phone that taps and sends photographs, each until it is acknowledged.

    `taps` are the keys of the acknowledged taps, `photographs` counts the acknowledged photographs.
    """

    device: Device
    match: str
    hand: str
    taps: list[str] = field(default_factory=list)
    photographs: int = 0
    refused: int = 0

    def go_on(self, stop: threading.Event) -> None:
        while not stop.is_set():
            if len(self.taps) % 25 == 4 and self.photographs < MOST_PHOTOGRAPHS:
                self.photographs += self._sent(stop, self._send_photograph)
            self.taps += [f"tap-{len(self.taps)}"] * self._sent(stop, self._tap)

    def _sent(self, stop: threading.Event, send: Callable[[], int]) -> int:
        """Send the same thing until it is acknowledged, as a page does; return the status, 0 if it
        never was.
        """
        while not stop.is_set():
            if send() in (200, 202):
                return 1
            self.refused += 1
            time.sleep(0.1)
        return 0

    def _tap(self) -> int:
        number = len(self.taps)
        edit = {"op": "set_muerto", "side": "A", "taken": number % 2 == 0, "key": f"tap-{number}"}
        data = json.dumps({"edits": [edit]}).encode()
        path, kind = f"/api/hands/{self.hand}/edits", "application/json"
        return self.device.ask(path, data, Content_Type=kind)[0]

    def _send_photograph(self) -> int:
        key, data = f"photograph-{self.photographs}", PHOTOGRAPHS[self.photographs % 2]
        return self.device.send(self.hand, data, key=key)


def kill_one(running: Service, chance: random.Random) -> bool:
    """Kill one process that serves pages or reads, if there is one now."""
    found = running.pages.children() + running.readers.children()
    if found:
        with suppress(ProcessLookupError):
            os.kill(chance.choice(found), signal.SIGKILL)
    return bool(found)


def read_in_the_end(phone: Phone) -> int:
    """Wait until all photographs of a hand are read, and return how many they are; those whose
    readers were all killed are ordered again.
    """
    most, end = 0, time.monotonic() + PATIENCE
    while True:
        photos = phone.device.json(f"/api/hands/{phone.hand}")["photos"]
        read = sum(one["state"] == "read" for one in photos)
        if read == len(photos):
            return read
        if read > most:
            most, end = read, time.monotonic() + PATIENCE
        told = [(one["state"], one["can_retry"], one["text"]) for one in photos]
        assert time.monotonic() < end, f"expected {len(photos)} read, got {read}: {told}"
        for one in photos:
            if one["can_retry"]:
                phone.device.ask(f"/api/hands/{phone.hand}/photos/{one['id']}/read", b"")
        time.sleep(2)


def keys_of(running: Service, hand: str) -> list[str]:
    server = create_engine(running.database.url)
    with server.connect() as connection:
        found = connection.execute(
            text("SELECT key FROM edit WHERE hand_id = :hand ORDER BY id"), {"hand": hand}
        )
        keys = list(found.scalars())
    server.dispose()
    return keys


def test_kills_lose_nothing_that_was_acknowledged() -> None:
    chance, stop = random.Random(7), threading.Event()
    with service("public") as running:
        devices = [Device(running.url) for _ in range(PHONES)]
        phones = [Phone(device, *device.begin()) for device in devices]
        threads = [
            threading.Thread(target=phone.go_on, args=(stop,), daemon=True) for phone in phones
        ]
        for thread in threads:
            thread.start()
        killed = 0
        while killed < KILLS:
            time.sleep(PAUSE)
            killed += kill_one(running, chance)
        stop.set()
        for thread in threads:
            thread.join()
        running.wait()
        for phone in phones:
            assert read_in_the_end(phone) >= phone.photographs > 0
            view = phone.device.json(f"/api/hands/{phone.hand}")
            in_rows = [name for row in view["rows"] for name in row["tiles"]]
            assert len(in_rows) == len(set(in_rows)) == len(view["tiles"])
            keys = keys_of(running, phone.hand)
            assert len(keys) == len(set(keys))
            taps = [key for key in keys if key.startswith("tap-")]
            assert taps[: len(phone.taps)] == phone.taps
            assert len(taps) <= len(phone.taps) + 1  # one may have been under way at the end
            read = [key for key in keys if key.startswith("read:")]
            assert len(read) == len(view["photos"])
        print(f"{killed} kills, {sum(phone.refused for phone in phones)} requests refused")
