"""What the tests of a public server share: a match with its links, and devices that hold these or
do not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from scorer_app.config import AppConfig, Mode
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, closing, taps
from ..hands import CANASTA, send, when_read
from ..pictures import RecordedReader, picture_of

SECRET_NAMES = ("Los Secretos", "Las Ocultas")
NAMED = {"match_id", "hand_id", "photo_id"}


def in_public(config: AppConfig) -> AppConfig:
    return replace(config, mode=Mode.PUBLIC, photo_days=7, match_days=90)


@dataclass
class Held:
    """A match of cards with a saved hand and a photograph, and the device that scores it."""

    device: Scorer
    ids: dict[str, str]
    scorer_link: str
    viewer_link: str

    @property
    def secrets(self) -> list[str]:
        """The names and ids that no other device may learn."""
        links = [link.rsplit("/", 1)[1] for link in (self.scorer_link, self.viewer_link)]
        return [*SECRET_NAMES, *(self.ids[name] for name in NAMED), *links]

    def everything(self) -> Any:
        """Return all that the match holds: its exported copy, and its hand."""
        copy = self.device.client.get(f"/matches/{self.ids['match_id']}/export.json").get_json()
        return copy, self.device.hand(self.ids["hand_id"])


def begun(device: Scorer, **fields: str) -> str:
    """Begin a match by its form, and return its id."""
    names = dict(zip(("side_a", "side_b"), SECRET_NAMES, strict=True))
    form = {**names, "players": "4", "ruleset": "burako", "pieces": "tiles", **fields}
    answer = device.form("/matches/new", **form)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["Location"].rsplit("/", 1)[1])


def links_of(device: Scorer, match: str) -> tuple[str, str]:
    """Return the paths by which a match is scored and watched."""
    page = device.client.get(f"/matches/{match}/links").text
    scorer, viewer = re.findall(r'<p class="link"><a href="http://localhost(/[^"]+)"', page)
    return scorer, viewer


@pytest.fixture
def held(app: Flask, reader: RecordedReader) -> Held:
    device = Scorer.of(app)
    match = begun(device, pieces="cards")
    hand = device.begin(match)
    send(device, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    photo = when_read(device, hand)["photos"][0]["id"]
    device.edit(hand, *taps("A", "melds", CANASTA), *closing())
    answer = device.post(f"/api/hands/{hand}/save", json={"with_doubts": True})
    assert answer.status_code == 200, answer.text
    device.form(f"/matches/{match}/edit", ruleset="burako", options="", target="5000")
    ids = {"match_id": match, "hand_id": hand, "photo_id": photo}
    return Held(device, ids, *links_of(device, match))


@pytest.fixture
def stranger(app: Flask) -> Scorer:
    """Return a device that holds all links of a match of its own, and none of another's."""
    device = Scorer.of(app)
    match = begun(device, side_a="Otros", side_b="Más")
    for link in links_of(device, match):
        assert device.client.get(link, follow_redirects=True).status_code == 200
    device.begin(match)
    return device


def rows_of(app: Flask, table: type) -> int:
    with parts_of(app).store.reading() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0
