"""Matches that are too old are deleted, whatever people delete meanwhile."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask

from scorer_app.services import purging
from scorer_app.services.photo_files import PhotoFiles
from scorer_app.services.purging import purge_before, purge_match
from scorer_app.store import Store
from scorer_app.store.tables import now
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..hands import new_match


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
