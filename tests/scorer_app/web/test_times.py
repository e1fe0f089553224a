"""Days and times are shown in the zone of the phone that asks."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update

from scorer_app.store import Match
from scorer_app.web.parts import parts_of
from scorer_app.web.times import known_zone

from ..conftest import Scorer
from ..hands import new_match

MIDNIGHT = datetime(2026, 3, 5, 0, 30)  # UTC


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("America/Argentina/Buenos_Aires", "04/03/2026 21:30"),
        ("Asia/Kolkata", "05/03/2026 06:00"),
        ("UTC", "05/03/2026 00:30"),
    ],
)
def test_a_page_shows_the_time_of_the_phone(
    scorer: Scorer, app: Flask, zone: str, shown: str
) -> None:
    match = new_match(scorer)
    played(app, match)
    scorer.client.set_cookie("zone", zone)
    assert shown in scorer.client.get("/").text
    assert "2026-03-0" + shown[1] in exported(scorer, match).headers["Content-Disposition"]


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../../etc/passwd", "/etc/passwd", "x" * 500])
def test_a_zone_that_is_none_leaves_that_of_the_machine(
    scorer: Scorer, app: Flask, zone: str
) -> None:
    match = new_match(scorer)
    played(app, match)
    here = MIDNIGHT.replace(tzinfo=known_zone("UTC")).astimezone()
    scorer.client.set_cookie("zone", zone)
    assert f"{here:%d/%m/%Y %H:%M}" in scorer.client.get("/").text
    assert known_zone(zone) is None


def played(app: Flask, match: str) -> None:
    with parts_of(app).matches.store.writing() as session:
        session.execute(update(Match).where(Match.id == match).values(touched=MIDNIGHT))


def exported(scorer: Scorer, match: str) -> Any:
    return scorer.client.get(f"/matches/{match}/export.json")
