"""A family's own set taught at the API: what a photograph of it and its confirmed faces become, and
what is refused.
"""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from scorer_app.services.sets import Sets
from scorer_app.web.parts import parts_of
from vision.own_set.examples import FACE_NAMES

from ..conftest import Scorer
from ..own_sets import taught_photo
from ..pictures import RecordedReader
from .set_requests import JPEG, face, mirrored_face, photograph, teach


def test_a_photograph_is_looked_at_confirmed_and_kept(
    scorer: Scorer, reader: RecordedReader, sets: Sets, app: Flask
) -> None:
    reader.taught = taught_photo(without=["9B"])
    told = photograph(scorer).get_json()
    assert [row["colour"] for row in told["rows"]] == list("RBKY")
    assert [one["face"] for one in told["faces"]].count("J") == 2
    assert (told["faces"][0]["row"], told["faces"][-1]["row"]) == (0, None)
    assert sets.listed() == []
    assert list(parts_of(app).config.photo_dir.iterdir()) == []
    faces = [{"face": one["face"], "picture": one["picture"]} for one in told["faces"]]
    kept = teach(scorer, "La  de casa", *faces).get_json()
    assert (kept["name"], kept["missing"], kept["faces"]["J"]) == ("La de casa", ["9B"], 2)
    assert scorer.client.get(kept["url"]).status_code == 200
    listed = scorer.client.get("/api/sets").get_json()["sets"]
    assert [one["name"] for one in listed] == ["La de casa"]


def test_of_a_photograph_that_is_taught_again_the_faces_stay_and_the_page_says_so(
    scorer: Scorer, sets: Sets
) -> None:
    """Also where a person has named one of them otherwise meanwhile. It is said once."""
    first = teach(scorer, "Casa", face("8B"), face("9B")).get_json()
    page = f"/sets/{first['id']}"
    said = "De esa foto este juego ya había aprendido"
    assert said not in scorer.client.get(page).text
    slip = {**face("8B"), "face": "9B"}
    assert teach(scorer, "Casa", slip, face("9B")).status_code == 200
    assert sets.of_id(first["id"]).counts == {"8B": 1, "9B": 1}
    assert [said in scorer.client.get(page).text for _ in range(2)] == [True, False]


def test_of_several_photographs_it_is_said_how_many_are_known(scorer: Scorer) -> None:
    """One that is given twice is known the second time."""
    twice = [{**face(name), "photo": at} for name in ("7R", "8R") for at in range(2)]
    kept = teach(scorer, "Casa", *twice).get_json()
    assert "De esa foto este juego" in scorer.client.get(f"/sets/{kept['id']}").text
    teach(scorer, "Casa", *twice)
    assert "De 2 de esas fotos este juego" in scorer.client.get(f"/sets/{kept['id']}").text


def test_teaching_again_adds_and_replacing_replaces(scorer: Scorer) -> None:
    teach(scorer, "Casa", face("7R"))
    assert teach(scorer, "casa", face("7R", 1), face("J")).get_json()["faces"] == {"7R": 2, "J": 1}
    replaced = teach(scorer, "casa", face("1B"), replace=True).get_json()
    assert replaced["faces"] == {"1B": 1}


def test_a_set_forgotten_meanwhile_is_made_anew_only_when_that_is_asked_for(
    scorer: Scorer, sets: Sets
) -> None:
    kept = teach(scorer, "Casa", face("7R")).get_json()
    assert teach(scorer, "casa", face("8R"), adds=True).get_json()["id"] == kept["id"]
    sets.forget(kept["id"])
    refused = teach(scorer, "Casa", face("9R"), adds=True)
    assert (refused.status_code, refused.get_json()["error"]) == (409, "forgotten")
    assert "«Casa» se olvidó" in refused.get_json()["message"]
    assert sets.listed() == []
    assert teach(scorer, "Casa", face("9R")).get_json()["faces"] == {"9R": 1}


def test_tiles_of_another_set_are_added_only_when_a_person_says_that_they_are_the_same(
    scorer: Scorer,
) -> None:
    ours, other = FACE_NAMES[:8], [mirrored_face(name) for name in FACE_NAMES[:8]]
    assert teach(scorer, "Casa", *map(face, ours)).status_code == 200
    assert teach(scorer, "casa", *(face(name, 1) for name in ours)).status_code == 200
    refused = teach(scorer, "casa", *other)
    assert (refused.status_code, refused.get_json()["error"]) == (409, "other_tiles")
    assert "«Casa»" in refused.get_json()["message"]
    assert teach(scorer, "casa", *other, same=True).get_json()["faces"]["1R"] == 3
    assert teach(scorer, "casa", *other, replace=True).get_json()["faces"]["1R"] == 1


def test_two_photographs_of_two_sets_do_not_make_one_set_unasked(scorer: Scorer) -> None:
    ours = [face(name) for name in FACE_NAMES[:8]]
    other = [mirrored_face(name) | {"photo": 1} for name in FACE_NAMES[:8]]
    assert teach(scorer, "Casa", *ours, *other).get_json()["error"] == "other_tiles"
    assert scorer.client.get("/api/sets").get_json()["sets"] == []


def test_what_many_photographs_have_taught_together_is_kept(
    scorer: Scorer, reader: RecordedReader
) -> None:
    told = []
    for variant in range(5):
        reader.taught = taught_photo(variant=10 * variant)
        told.append(photograph(scorer).get_json()["faces"])
    faces = [{"face": one["face"], "picture": one["picture"]} for faces in told for one in faces]
    kept = teach(scorer, "Casa", *faces).get_json()
    assert (kept["missing"], kept["faces"]["7R"]) == ([], 5)


def test_a_photograph_without_a_row_is_said(scorer: Scorer, app: Flask) -> None:
    answer = photograph(scorer)
    assert (answer.status_code, answer.get_json()["error"]) == (422, "no_row")
    assert "trece" in answer.get_json()["message"]
    assert list(parts_of(app).config.photo_dir.iterdir()) == []


@pytest.mark.parametrize(
    "data", [b"", b"no picture", JPEG[:200], b"\x89PNG\r\n\x1a\n" + b"\0" * 60]
)
def test_what_is_no_photograph_is_refused_and_leaves_nothing(
    scorer: Scorer, reader: RecordedReader, app: Flask, data: bytes
) -> None:
    reader.taught = taught_photo()
    answer = photograph(scorer, data)
    assert (answer.status_code, bool(answer.get_json()["message"])) == (415, True)
    assert list(parts_of(app).config.photo_dir.iterdir()) == []


def test_a_photograph_left_out_is_missed_by_name(scorer: Scorer) -> None:
    answer = scorer.post("/api/sets/photos", data={}, content_type="multipart/form-data")
    assert (answer.status_code, answer.get_json()["error"]) == (422, "bad_value")


@pytest.mark.parametrize(
    "sent",
    [
        {"name": "Casa", "faces": []},
        {"name": "Casa", "faces": [face("7R")] * 865},
        {"name": "Casa", "faces": [face("7R") | {"face": "14R"}]},
        {"name": "Casa", "faces": [face("7R") | {"more": 1}]},
        {"name": "Casa", "faces": [face("7R") | {"picture": "AAAA"}]},
        {"name": "Casa", "faces": [face("7R") | {"picture": "no base64"}]},
        {"name": "Casa", "faces": [face("7R") | {"picture": "A" * 30_000}]},
        {"name": "Casa", "faces": [face("7R")], "replace": 1},
        {"name": 7, "faces": [face("7R")]},
        {"name": "../x", "faces": [face("7R")]},
        {"name": "", "faces": [face("7R")]},
        {"name": "x" * 41, "faces": [face("7R")]},
        [],
        None,
    ],
)
def test_what_is_no_teaching_is_refused(scorer: Scorer, sets: Sets, sent: Any) -> None:
    answer = scorer.post("/api/sets", json=sent)
    assert (answer.status_code, bool(answer.get_json()["message"])) == (422, True)
    assert sets.listed() == []
