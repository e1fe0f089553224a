"""Who may do what with a family's own sets, and that nothing that is sent about them harms the
server.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from scorer_app.services.sets import Sets
from scorer_app.web.pages.description import REFUSALS

from ..conftest import Scorer
from ..own_sets import example, taught_photo
from ..pictures import RecordedReader
from .set_requests import JPEG, bring, face, photograph
from .test_fuzz import DESCRIPTION, FROM_AFAR, conforming, json_values, seeded, stranger
from .test_fuzz import scorer as join

TEACHING = DESCRIPTION["components"]["schemas"]["Teaching"]
addresses = st.text(max_size=12) | st.sampled_from(["new", "1", "pictures"])


def test_who_only_scores_may_look_but_changes_nothing(
    app: Flask, scorer: Scorer, sets: Sets, reader: RecordedReader
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    (row,) = sets.examples(kept.id)
    reader.taught = taught_photo()
    guest = join(app, "")
    for path in ("/sets", f"/sets/{kept.id}", f"/sets/{kept.id}/export", "/api/sets"):
        answer = guest.client.get(path, environ_overrides=FROM_AFAR)
        assert answer.status_code == 200
        assert b"<form" not in answer.data and b"/teach" not in answer.data
    for path in ("/sets/new", f"/sets/{kept.id}/teach"):
        assert guest.client.get(path, environ_overrides=FROM_AFAR).status_code == 403
    body = {"name": "Casa", "faces": [face("8R")], "replace": True}
    as_json = {"data": json.dumps(body), "content_type": "application/json"}
    as_form = {"data": {"csrf": guest.token, "face": "8R", "photo": JPEG}}
    for path, sent in (
        ("/api/sets", as_json),
        ("/api/sets/photos", as_form),
        ("/sets/import", as_form),
        (f"/sets/{kept.id}/forget", as_form),
        (f"/sets/{kept.id}/name", as_form),
        (f"/sets/{kept.id}/copies", as_form),
        (f"/sets/{kept.id}/pictures/{row.id}/drop", as_form),
        (f"/sets/{kept.id}/pictures/{row.id}/face", as_form),
    ):
        assert guest.ask("POST", path, sent).status_code == 403, path
    assert sets.of_id(kept.id) == kept


def test_a_stranger_sees_nothing(app: Flask, sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R")])
    (row,) = sets.examples(kept.id)
    asking = stranger(app, "")
    for path in (
        "/sets",
        f"/sets/{kept.id}",
        f"/sets/{kept.id}/export",
        f"/sets/{kept.id}/pictures/{row.id}.png",
        "/api/sets",
    ):
        assert asking.client.get(path, environ_overrides=FROM_AFAR).status_code == 401


def test_a_write_without_the_token_is_refused(scorer: Scorer, sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R")])
    assert scorer.client.post(f"/sets/{kept.id}/forget").status_code == 403
    assert sets.listed() == [kept]


@pytest.fixture
def teaching(reader: RecordedReader) -> Iterator[None]:
    reader.taught = taught_photo()
    yield


@seeded
@given(body=conforming(TEACHING) | json_values, at=addresses, number=st.integers(-3, 2**70))
def test_no_request_of_the_host_breaks_the_server(
    scorer: Scorer, teaching: None, body: Any, at: str, number: int
) -> None:
    named = quote(at, safe="")
    answers = [
        scorer.post("/api/sets", data=json.dumps(body), content_type="application/json"),
        scorer.client.get(f"/sets/{named}"),
        scorer.client.get(f"/sets/{named}/pictures/{number}.png"),
        scorer.form(f"/sets/{named}/pictures/{number}/drop"),
        scorer.form(f"/sets/{named}/pictures/{number}/face", face=at),
        scorer.form(f"/sets/{named}/forget"),
        photograph(scorer, json.dumps(body).encode()),
        bring(scorer, json.dumps(body).encode(), at),
    ]
    for answer in answers:
        assert answer.status_code in {200, 303, 308} | REFUSALS, answer.request.path
