"""The bundled sample is kept apart: nothing of a person's own gets into it, and it counts
nowhere.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from flask import Flask

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..hands import CANASTA, new_match, send, when_read
from ..pictures import RecordedReader, picture_of
from ..store.test_store import go_back


def begin_sample(scorer: Scorer) -> tuple[str, str]:
    """Begin a hand of the bundled photographs; return its id and that of its match."""
    hand = scorer.form("/samples").headers["Location"].rsplit("/", 1)[1]
    return hand, when_read(scorer, hand)["match"]


def save(scorer: Scorer, hand: str) -> None:
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.tap(hand, "A", "rack", "4K")
    scorer.close(hand)
    for photo in scorer.hand(hand)["photos"]:  # the stand-in reader finds nothing on them
        scorer.edit(hand, {"op": "nothing_counts", "photo": photo["id"]})
    assert scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True}).status_code == 200


def test_a_sample_is_neither_the_match_in_play_nor_in_the_statistics(scorer: Scorer) -> None:
    hand, match = begin_sample(scorer)
    save(scorer, hand)
    page = scorer.client.get("/").text
    assert "big-score" not in page
    assert "Ejemplos: 1" in page
    assert "Todavía no hay partidas" in scorer.client.get("/matches/statistics").text
    real = scorer.hand(scorer.begin())["match"]
    assert real != match
    assert 'id="sample"' in scorer.client.get(f"/matches/{match}").text
    assert 'id="sample"' not in scorer.client.get(f"/matches/{real}").text


def test_nothing_of_ones_own_lands_in_a_sample(scorer: Scorer, reader: RecordedReader) -> None:
    hand, match = begin_sample(scorer)
    refused = send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    assert (refused.status_code, refused.get_json()["error"]) == (409, "sample")
    assert len(scorer.hand(hand)["photos"]) == 4
    save(scorer, hand)
    assert scorer.form(f"/matches/{match}/hands").status_code == 409
    assert 'id="new-hand"' not in scorer.client.get(f"/matches/{match}").text


def test_an_unfinished_sample_is_gone_on_with(scorer: Scorer) -> None:
    first, _match = begin_sample(scorer)
    assert begin_sample(scorer)[0] == first
    save(scorer, first)
    assert begin_sample(scorer)[0] != first


def test_a_sample_can_be_made_a_match_like_any_other(scorer: Scorer) -> None:
    hand, match = begin_sample(scorer)
    save(scorer, hand)
    scorer.form(f"/matches/{match}/real")
    assert "big-score" in scorer.client.get("/").text
    assert 'id="sample"' not in scorer.client.get(f"/matches/{match}").text


def test_a_copy_of_a_sample_is_a_sample(app: Flask, scorer: Scorer) -> None:
    hand, match = begin_sample(scorer)
    save(scorer, hand)
    copy = scorer.client.get(f"/matches/{match}/export.json").data
    answer = scorer.form("/matches/import", file=(io.BytesIO(copy), "match.json"))
    copied = answer.headers["Location"].rsplit("/", 1)[1]
    assert parts_of(app).matches.tally(copied).match.sample


@pytest.fixture
def newer(
    app: Flask, scorer: Scorer, reader: RecordedReader, config: AppConfig
) -> Iterator[tuple[str, str, Flask]]:
    """Make a sample and a real match of four photographs in a database of the version before, and
    bring it up to date.

    Yields the ids of both matches and the application.
    """
    _hand, sample = begin_sample(scorer)
    real = new_match(scorer)
    hand = scorer.begin(real)
    for number, area in enumerate(("A melds", "B melds", "A rack", "B rack")):
        side, place = area.split()
        picture = reader.add(picture_of("3R 4R 5R"))
        send(scorer, hand, side, place, picture, key=f"photo-{number}")
    when_read(scorer, hand)
    go_back(app, "0006")
    newer = create_app(config, reader)
    yield sample, real, newer
    close(newer)


def test_a_sample_in_an_older_database_is_marked_as_one(newer: tuple[str, str, Flask]) -> None:
    sample, real, app = newer
    matches = parts_of(app).matches
    assert matches.tally(sample).match.sample
    assert not matches.tally(real).match.sample
