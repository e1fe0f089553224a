"""The server is killed at any moment while hands are entered: what it acknowledged is stored whole,
and nothing else is.
"""

from __future__ import annotations

import contextlib
import json
import random
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from scorer_app.config import AppConfig

from ..hands import CANASTA
from ..served import PATIENCE, Served

FACES = CANASTA.split()
MOST_ANSWERS = 40  # of one server before it is killed: four hands


@dataclass
class Player:
    """Enters hand after hand, and notes what the server has acknowledged."""

    saved: list[str] = field(default_factory=list)
    hand: str = ""  # the one being entered
    tiles: int = 0  # how many of its tiles were acknowledged
    saving: bool = False
    answers: int = 0

    def play(self, server: Served) -> None:
        """Enter hand after hand until the server is gone."""
        with contextlib.suppress(OSError, HTTPException, ValueError):
            while True:
                self._enter(server)

    def _enter(self, server: Served) -> None:
        hand = self._ask(server, "/score").rsplit("/", 1)[1]
        if hand != self.hand:  # else the draft in which the last server was killed
            self.hand, self.tiles = hand, 0
        self.saving = False
        for place, face in enumerate(FACES):
            tap = {
                "key": f"k{place}",
                "op": "add_tile",
                "side": "A",
                "place": "melds",
                "face": face,
            }
            self.tiles = len(
                self._ask(server, f"/api/hands/{self.hand}/edits", {"edits": [tap]})["tiles"]
            )
        ending = {"key": "end", "op": "set_end", "end": "close", "closed_by": "A"}
        muerto = {"key": "muerto", "op": "set_muerto", "side": "B", "taken": False}
        rack = {"key": "rack", "op": "empty_rack", "side": "B"}
        self._ask(server, f"/api/hands/{self.hand}/edits", {"edits": [ending, muerto, rack]})
        self.saving = True
        if self._ask(server, f"/api/hands/{self.hand}/save")["state"] == "saved":
            self.saved.append(self.hand)

    def _ask(self, server: Served, path: str, body: object = None) -> Any:
        answer = server.post(path, body)
        self.answers += 1
        return answer


def killed_at_random(data: Path, times: int, seed: int) -> Iterator[Player]:
    """Kill a server at random moments, `times` times, and yield the player at each kill; it then
    goes on with the draft that the next server offers.
    """
    chance, player = random.Random(seed), Player()
    for _ in range(times):
        server = Served(data)
        thread = Thread(target=player.play, args=(server,), daemon=True)
        thread.start()
        wanted, until = player.answers + chance.randrange(MOST_ANSWERS), time.monotonic() + PATIENCE
        while player.answers < wanted and time.monotonic() < until:
            time.sleep(0.001)
        time.sleep(chance.uniform(0.0, 0.02))  # somewhere within the next request or two
        server.kill()
        thread.join(PATIENCE)
        assert not thread.is_alive(), "the player still waits for a server that is gone"
        yield player


def stored(data: Path) -> dict[str, tuple[str, list[str]]]:
    """Return the state and the tiles of each hand in the store, as they lie on the disk."""
    with contextlib.closing(sqlite3.connect(data / "burako.sqlite3")) as store:
        assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = store.execute("select id, state, coalesce(draft, record) from hand").fetchall()
    return {
        name: (state, [tile["face"] for tile in json.loads(record)["tiles"].values()])
        for name, state, record in rows
    }


@pytest.mark.process
@pytest.mark.parametrize(
    "times", [3, pytest.param(200, marks=[pytest.mark.slow, pytest.mark.timeout(5400)])]
)
def test_kill_9_loses_nothing_that_was_acknowledged_and_leaves_nothing_half_done(
    config: AppConfig, times: int
) -> None:
    for player in killed_at_random(config.data_dir, times, seed=5):
        found = stored(config.data_dir)
        assert [hand for hand in player.saved if found.get(hand) != ("saved", FACES)] == []
        others = {hand: there for hand, there in found.items() if hand not in player.saved}
        assert len(others) <= 1  # the one being entered, or begun and not yet told
        for hand, (state, tiles) in others.items():
            assert tiles == FACES[: len(tiles)]
            assert hand != player.hand or len(tiles) in (player.tiles, player.tiles + 1)
            if state == "saved":  # killed between the save and its answer
                assert (player.saving, hand, tiles) == (True, player.hand, FACES)
                player.saved.append(hand)
    assert player.answers > 5 * times, "the player was hardly ever answered: nothing was tried"
    server = Served(config.data_dir)
    here = [hand for hand, (state, _tiles) in stored(config.data_dir).items() if state == "draft"]
    assert here == [] or server.post("/score").endswith(here[0])
    server.kill()
