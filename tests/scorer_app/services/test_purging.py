"""A match that is deleted takes its photographs along, at home, too; matches that are too old are
deleted, whatever people delete meanwhile.
"""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest
from flask import Flask
from sqlalchemy import select, update

from scorer_app.config import AppConfig
from scorer_app.services import purging
from scorer_app.services.photo_files import PhotoFiles
from scorer_app.services.purging import purge_before, purge_match, sweep_purged
from scorer_app.services.sets import Sets
from scorer_app.services.steps import StepKind, note_step
from scorer_app.store import Hand, Match, Photo, Step, Store
from scorer_app.store.tables import now
from scorer_app.web.parts import parts_of
from vision.own_set.examples import FaceExample

from ..conftest import Scorer
from ..hands import CANASTA, new_match, send, when_read
from ..pictures import RecordedReader, picture_of
from ..web.public import rows_of


@pytest.fixture
def match(scorer: Scorer, reader: RecordedReader) -> str:
    """Begin a match with a photograph in its first hand, beside another one; return its id."""
    names = []
    for number in ("7", "9"):
        hand = scorer.begin(new_match(scorer))
        send(scorer, hand, "A", "melds", reader.add(picture_of(f"{CANASTA} {number}K")))
        names.append(when_read(scorer, hand)["match"])
    return str(names[0])


def kept(config: AppConfig) -> int:
    return len(list(config.photo_dir.iterdir()))


def test_a_match_deleted_at_home_takes_its_photographs_and_its_history_along(
    app: Flask, scorer: Scorer, match: str, config: AppConfig
) -> None:
    assert kept(config) == 2
    scorer.form(f"/matches/{match}/delete")
    assert kept(config) == 1
    assert parts_of(app).intake.count() == 1
    emptied = select(Hand.record, Hand.draft).where(Hand.match_id == match)
    assert parts_of(app).store.look(emptied, {}) == [(None, None)]
    assert scorer.client.get(f"/matches/{match}").status_code == 404


def test_a_match_that_an_earlier_version_only_marked_as_deleted_is_emptied(
    app: Flask, match: str, config: AppConfig
) -> None:
    made = parts_of(app)
    with made.store.writing() as session:
        session.execute(update(Match).where(Match.id == match).values(deleted=True))
    made.retention.sweep()
    assert kept(config) == 1
    with made.store.writing() as session:
        session.execute(update(Match).values(touched=now() - timedelta(days=2)))
    made.retention.sweep()
    assert [rows_of(app, table) for table in (Match, Hand, Photo)] == [1, 1, 1]


def test_a_match_that_somebody_has_just_deleted_keeps_no_other(
    scorer: Scorer, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = parts_of(app)
    first, second = new_match(scorer), new_match(scorer)

    def purge_twice(store: Store, files: PhotoFiles, match_id: str) -> None:
        if match_id == first:
            purge_match(store, files, match_id)  # as a request of another device does
        purge_match(store, files, match_id)

    monkeypatch.setattr(purging, "purge_match", purge_twice)
    count = purge_before(parts.store, parts.intake.files, now() + timedelta(days=1))
    assert count == 1
    assert [parts.matches.known(match) for match in (first, second)] == [None, None]


@pytest.mark.parametrize("noted", [False, True])
def test_a_deleted_match_goes_though_its_set_of_tiles_is_forgotten_meanwhile(
    app: Flask, sets: Sets, scorer: Scorer, noted: bool
) -> None:
    """A step that an earlier version noted in the history of such a match goes, too."""
    parts = parts_of(app)
    played = sets.teach("Casa", [FaceExample("7R", np.zeros((64, 48, 3), np.uint8))]).id
    match = new_match(scorer, tile_set=played)
    scorer.form(f"/matches/{match}/delete")
    sets.forget(played)
    assert rows_of(app, Step) == 0
    with parts.store.writing() as session:
        if noted:
            note_step(session, match, StepKind.FORGOTTEN, "", {}, {})
        session.execute(update(Match).values(touched=now() - timedelta(days=2)))
    sweep_purged(parts.store)
    assert [rows_of(app, table) for table in (Match, Step)] == [0, 0]
