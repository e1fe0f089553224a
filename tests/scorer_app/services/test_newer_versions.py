"""Hands and matches that a newer version wrote are named as such, left alone and hold up
nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from flask import Flask

from scorer_app.store import Hand
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..hands import closed_hand, new_match, saved_hand, totals

UNKNOWN: list[Callable[[Any], Any]] = [
    lambda record: record.update(weather="rain"),
    lambda record: record["tiles"]["t1"].update(weight=3),
    lambda record: record["rows"][0].update(place="shelf"),
]


@pytest.mark.parametrize("unknown", UNKNOWN)
@pytest.mark.parametrize("column", ["record", "draft"])
def test_a_hand_that_a_newer_version_wrote_is_told_left_alone_and_holds_up_nothing(
    app: Flask, scorer: Scorer, column: str, unknown: Callable[[Any], Any]
) -> None:
    hand, match = saved_hand(scorer)
    newer, _match = saved_hand(scorer) if column == "record" else (closed_hand(scorer), match)
    with parts_of(app).store.writing() as session:
        stored = session.get_one(Hand, newer)
        written = deepcopy(getattr(stored, column))
        unknown(written)
        setattr(stored, column, written)
        stored.version += 1
    told = column == "record"
    for page in ("", "/share"):
        assert ("versión más nueva" in scorer.client.get(f"/matches/{match}{page}").text) == told
    for page in (
        "/",
        "/matches/statistics",
        f"/matches/{match}/export.csv",
        f"/matches/{match}/export.json",
    ):
        assert scorer.client.get(page).status_code == 200
    assert totals(scorer.client, match) == ["445", "−150"]
    pages = [scorer.client.get(f"/hands/{newer}"), scorer.client.get(f"/api/hands/{newer}")]
    refused = [*pages, scorer.tap(newer, "A", "melds", "3R")]
    assert [answer.status_code for answer in refused] == [409] * 3
    assert all(
        "versión más nueva" in sentence
        for sentence in (refused[0].text, refused[1].get_json()["message"])
    )
    assert scorer.client.get(f"/hands/{hand}").status_code == 200
    assert saved_hand(scorer)[1] == match
    assert totals(scorer.client, match) == ["890", "−300"]
    with parts_of(app).store.reading() as session:
        assert getattr(session.get_one(Hand, newer), column) == written


@pytest.mark.parametrize("field", [{"ruleset": "burako_2030"}, {"options": {"weather": "rain"}}])
def test_a_match_by_rules_of_a_newer_version_is_told_and_left_alone(
    app: Flask, scorer: Scorer, field: dict[str, Any]
) -> None:
    match = new_match(scorer, side_a="Futuro")
    parts_of(app).matches.change(match, **field)
    home = scorer.client.get("/").text
    assert "Futuro" in home and "versión más nueva" in home
    answer = scorer.client.get(f"/matches/{match}")
    assert answer.status_code == 409 and "versión más nueva" in answer.text
    assert saved_hand(scorer)[1] != match
