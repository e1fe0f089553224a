"""Three phones at one hand, on a network that is slow and loses requests: nothing that anybody
tapped is lost, and all three show the same in the end.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, Response
from sqlalchemy import select

from scorer_app.store import Edit
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, until
from ..devices import PATIENCE, Watched, device
from ..network import network_to
from .review import opened, rows

pytestmark = pytest.mark.browser
AREAS = ("A-melds", "A-rack", "B-melds", "B-rack")
SHARED = (
    3  # the index of the area into which all phones tap; every phone has one of its own besides
)
FULL = 24  # tiles from which on a phone takes back in its own area
MOST_SHARED = 40  # taps of a phone into the shared area: a hand holds no more than MAX_TILES
FACES = [f"{number}{ink}" for number in range(1, 14) for ink in "RYBK"]
# Notes the key of each edit that the page makes; an undoing is no edit that the server keeps.
NOTE_KEYS = """
window.made = [];
const put = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (entry) {
  if (entry.operation?.op !== "undo") made.push(entry.key);
  return put.call(this, entry);
};
"""
# The tile that is taken back next in an area: the last of the row that was begun last.
LAST_TILE = """area => {
  const rows = [...document.querySelectorAll(`[data-key=area-${area}] .row`)];
  const serial = row => Number(row.dataset.row.slice(1));
  const newest = rows.sort((a, b) => serial(a) - serial(b)).at(-1);
  return newest?.querySelector(".row-tiles .tile:last-child")?.dataset.tile ?? "";
}"""
WAITING = "w-"  # what the id of a tile that waits begins with; its edit's key follows


@dataclass
class Scoring:
    """A phone, and a person who scores one area of a hand with it."""

    phone: Watched
    own: int  # the index of its own area
    chance: random.Random
    groups: list[int] = field(default_factory=list)  # tiles of its own area that came at once
    shared: int = 0  # its taps into the shared area
    refused: list[str] = field(default_factory=list)  # what the server answered

    @property
    def laid(self) -> int:
        """The number of tiles in the area that this phone scores."""
        return sum(self.groups)

    def begin(self, hand: str) -> None:
        self.phone.page.add_init_script(NOTE_KEYS)
        self.phone.page.on("response", self.note_refusal)
        opened(self.phone, hand)
        self.phone.page.click(f'[data-slot="{AREAS[self.own]}"] [data-open-entry]')

    def note_refusal(self, answer: Response) -> None:
        if answer.status >= 400:
            self.refused.append(f"{answer.status} for {answer.request.post_data}")

    def act(self) -> None:
        """Do one of the things that people do while they enter a hand."""
        page = self.phone.page
        kinds = ("tap", "range", "take back", "share", "answer")
        (kind,) = self.chance.choices(kinds, (8, 1, 2, 2, 1))
        if self.laid > FULL:
            kind = "take back"
        if kind == "share" and self.shared == MOST_SHARED:
            kind = "tap"
        if kind == "answer":
            return self.answer()
        page.click(f"#entry [data-key=tab-{SHARED if kind == 'share' else self.own}]")
        if kind == "take back":
            return self.take_back()
        first, *others = ("3R", "5R") if kind == "range" else (self.chance.choice(FACES),)
        page.click(f"#entry [data-face='{first}']")
        for last in others:
            page.click("#entry [data-key=range]")
            page.click(f"#entry [data-face='{last}']")
        if kind == "share":
            self.shared += 1
        else:
            self.groups.append(3 if kind == "range" else 1)

    def take_back(self) -> None:
        """Take away the last tile of the phone's own area; one still waiting to be sent is as if it
        had never been tapped.
        """
        page = self.phone.page
        tile = page.evaluate(LAST_TILE, AREAS[self.own])
        waits = tile.startswith(WAITING)
        if not self.groups or (waits and self.groups[-1] > 1):  # what waits would go as one
            return
        page.click("#entry [data-key=delete-last]")
        self.groups[-1:] = [1] * (self.groups[-1] - 1)
        if waits:  # other edits may have been made after it
            page.evaluate("key => { made = made.filter(one => one !== key) }", tile[len(WAITING) :])

    def answer(self) -> None:
        """Say how the hand ended; the other phones may say something else."""
        page = self.phone.page
        page.click("#entry [data-key=close]")
        side, taken = self.chance.choice("AB"), self.chance.choice(("yes", "no"))
        page.click(f"label:has(input[name=end][value={side}])")
        page.click(f'label:has(input[name="muerto-{side}"][value={taken}])')
        page.click(f'[data-slot="{AREAS[self.own]}"] [data-open-entry]')

    def shows(self) -> tuple[list[str], list[str]]:
        return sorted(rows(self.phone)), self.phone.totals()


def tiles_of(scorer: Scorer, hand: str) -> list[dict[str, Any]]:
    """List the row of each tile of a hand, so that a row comes once for each of its tiles."""
    return [row for row in scorer.hand(hand)["rows"] for _tile in row["tiles"]]


def edits_of(people: list[Scoring]) -> list[str]:
    """List the keys of all edits that the phones have made, as far as they were not taken back."""
    return [key for one in people for key in one.phone.page.evaluate("made")]


@pytest.mark.parametrize(
    "seconds",
    [6, pytest.param(300, marks=[pytest.mark.slow, pytest.mark.timeout(900)])],
)
def test_three_phones_on_a_bad_network_end_equal(
    browser: Browser, served: str, app: Flask, scorer: Scorer, seconds: float
) -> None:
    hand = scorer.begin()
    with network_to(served) as (network, base), ExitStack() as devices:
        people = [
            Scoring(devices.enter_context(device(browser, base)), own, random.Random(own))
            for own in range(3)
        ]
        for one in people:
            one.begin(hand)
        network.is_bad = True
        begun = time.monotonic()
        while time.monotonic() < begun + seconds or (
            # On a busy machine it takes longer until as many edits are made.
            (not network.lost or len(edits_of(people)) <= seconds)
            and time.monotonic() < begun + seconds + PATIENCE / 1000
        ):
            for one in people:
                one.act()
        assert network.lost
        assert len(edits_of(people)) > seconds
        network.is_bad = False
        for one in people:
            one.phone.totals()
        assert [one.refused for one in people] == [[], [], []]
        made = edits_of(people)
        with parts_of(app).store.reading() as session:
            arrived = set(session.scalars(select(Edit.key)))
        assert [key for key in made if key not in arrived] == []
        laid = Counter(f"{row['side']}-{row['place']}" for row in tiles_of(scorer, hand))
        assert [laid[AREAS[one.own]] for one in people] == [one.laid for one in people]
        until(lambda: [one.shows() for one in people], lambda shown: shown == [shown[0]] * 3)
        for one in people:
            assert one.phone.page.locator(".review .tile").count()
            one.phone.faults.clear()  # the requests that were lost
