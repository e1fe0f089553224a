"""One's own sets on the page and at the API: who may do what, and what is refused."""

from __future__ import annotations

import io
import json
import re
from base64 import b64encode
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from engine.rulesets import RuleSet
from engine.tiles import tiles
from scorer_app.services.face_pictures import to_png
from scorer_app.services.set_files import export_set
from scorer_app.services.sets import Sets
from scorer_app.web.pages.description import REFUSALS, describe
from scorer_app.web.parts import parts_of
from vision.own_set.examples import FACE_NAMES, Origin
from vision.reading import Notice

from ..conftest import Scorer, until
from ..hands import new_match, send, when_read
from ..own_sets import drawn_crop, example, taught_photo, tile_set
from ..pictures import RecordedReader, picture_of
from .test_fuzz import FROM_AFAR, conforming, json_values, seeded, stranger
from .test_fuzz import scorer as join

JPEG = picture_of("3R 4R 5R").data
DESCRIPTION = describe()


@pytest.fixture
def sets(app: Flask) -> Sets:
    return Sets(parts_of(app).store)


def photograph(scorer: Scorer, data: bytes = JPEG) -> Any:
    form = {"photo": (io.BytesIO(data), "p.jpg")}
    return scorer.post("/api/sets/photos", data=form, content_type="multipart/form-data")


def face(name: str, variant: int = 0) -> dict[str, str]:
    picture = b64encode(to_png(drawn_crop(name, variant))).decode()
    return {"face": name, "picture": picture}


def teach(scorer: Scorer, name: str, *faces: dict[str, str], **more: Any) -> Any:
    return scorer.post("/api/sets", json={"name": name, "faces": list(faces), **more})


# --- taught ---


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


def test_teaching_again_adds_and_replacing_replaces(scorer: Scorer) -> None:
    teach(scorer, "Casa", face("7R"))
    assert teach(scorer, "casa", face("7R", 1), face("J")).get_json()["faces"] == {"7R": 2, "J": 1}
    replaced = teach(scorer, "casa", face("1B"), replace=True).get_json()
    assert replaced["faces"] == {"1B": 1}


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
        {"name": "Casa", "faces": [face("7R")] * 217},
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


# --- looked at ---


def test_the_page_of_a_set_shows_every_face_with_its_own_picture(
    scorer: Scorer, sets: Sets
) -> None:
    kept = sets.teach("Casa", tile_set(faces=FACE_NAMES[:-1]).examples)
    page = scorer.client.get(f"/sets/{kept.id}").text
    pictures = re.findall(r'src="(/sets/[^"]+/pictures/\d+\.png)"', page)
    assert len(pictures) == len(set(pictures)) == 52
    assert len(re.findall(r'class="own-face missing"', page)) == 1
    answer = scorer.client.get(pictures[0])
    assert (answer.mimetype, answer.data) == ("image/png", to_png(drawn_crop("1R")))


def test_a_wrong_face_is_named_anew_or_taken_back(scorer: Scorer, sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R"), example("8R")])
    seven, eight = sets.examples(kept.id)
    assert "Cambiar" in scorer.client.get(f"/sets/{kept.id}?face=7R").text
    address = f"/sets/{kept.id}/pictures"
    assert scorer.form(f"{address}/{seven.id}/face", face="1R").status_code == 303
    assert sets.of_id(kept.id).counts == {"1R": 1, "8R": 1}
    assert scorer.form(f"{address}/{eight.id}/drop").status_code == 303
    assert sets.of_id(kept.id).counts == {"1R": 1}
    assert scorer.form(f"{address}/{eight.id}/drop").status_code == 404
    assert scorer.form(f"{address}/{seven.id}/face", face="14R").status_code in (404, 422)


def test_what_was_learned_is_listed_apart(scorer: Scorer, sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R"), example("8R", 1, Origin.SETTLED)])
    page = scorer.client.get(f"/sets/{kept.id}").text
    assert len(re.findall("<li>", page[page.index('id="learned"') :])) == 1


def test_a_set_is_forgotten(scorer: Scorer, sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R")])
    assert scorer.form(f"/sets/{kept.id}/forget").status_code == 303
    for path in (f"/sets/{kept.id}", f"/sets/{kept.id}/export", f"/sets/{kept.id}/teach"):
        assert scorer.client.get(path).status_code == 404


# --- sent and brought in ---


def bring(scorer: Scorer, data: bytes, name: str = "") -> Any:
    form = {"csrf": scorer.token, "file": (io.BytesIO(data), "x.json"), "name": name}
    return scorer.client.post("/sets/import", data=form, content_type="multipart/form-data")


def test_a_set_goes_out_and_comes_in_under_another_name(scorer: Scorer, sets: Sets) -> None:
    kept = sets.teach("Casa", tile_set().examples)
    sent = scorer.client.get(f"/sets/{kept.id}/export")
    named = sent.headers["Content-Disposition"]
    assert named == 'attachment; filename="burako-set-casa.json"'
    refused = bring(scorer, sent.data)
    assert refused.status_code == 422 and "Casa" in refused.text
    assert bring(scorer, sent.data, "De Ana").status_code == 303
    assert sets.find("de ana").counts == kept.counts


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"[" * 9999, b"\xff" * 99, export_set(tile_set())[:-9]],
)
def test_a_file_that_is_no_set_is_one_sentence(scorer: Scorer, sets: Sets, data: bytes) -> None:
    answer = bring(scorer, data)
    assert answer.status_code == 422
    assert re.search(r'<p class="alert" role="alert">[^<]{20,}</p>', answer.text)
    assert sets.listed() == []


def test_a_face_with_too_many_pictures_in_a_file_is_named_in_words(scorer: Scorer) -> None:
    file = json.loads(export_set(tile_set(faces=["1R"])))
    file["examples"] *= 300
    answer = bring(scorer, json.dumps(file).encode())
    assert answer.status_code == 422
    assert "demasiadas imágenes de 1 rojo" in answer.text


def test_after_a_change_the_page_shows_what_was_changed(scorer: Scorer, sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R"), example("7R", 1), example("8R", 2, Origin.SETTLED)])
    first, second, learned = (row.id for row in sets.examples(kept.id))
    page = f"/sets/{kept.id}"

    def changed(path: str, **form: str) -> str:
        return scorer.form(f"{page}/{path}", **form).headers["Location"]

    dropped = changed(f"pictures/{first}/drop", shown="7R", part="pictures")
    renamed = changed(f"pictures/{second}/face", face="8R")
    taken_back = changed(f"pictures/{learned}/drop", part="learned")
    counted = changed("copies", face="7R", count="1")
    assert dropped == f"{page}?face=7R#pictures"
    assert renamed == f"{page}?face=8R#pictures"
    assert taken_back == f"{page}#learned"
    assert counted == f"{page}#copies"


# --- who may ---


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


# --- whatever comes ---


@pytest.fixture
def teaching(reader: RecordedReader) -> Iterator[None]:
    reader.taught = taught_photo()
    yield


TEACHING = DESCRIPTION["components"]["schemas"]["Teaching"]
addresses = st.text(max_size=12) | st.sampled_from(["new", "1", "pictures"])


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


# --- in a match ---


def tiles_of(app: Flask, match: str) -> str | None:
    found: str | None = parts_of(app).matches.tally(match).match.tile_set_id
    return found


def test_a_new_match_takes_the_set_used_last(scorer: Scorer, app: Flask, sets: Sets) -> None:
    assert "tile_set" not in scorer.client.get("/matches/new").text
    faces = [example("7R"), example("8B")]
    first, second = (sets.teach(name, faces) for name in ("One", "Two"))
    page = scorer.client.get("/matches/new").text
    assert re.search(rf'value="{second.id}" selected', page)
    assert tiles_of(app, new_match(scorer, tile_set=first.id)) == first.id
    assert re.search(rf'value="{first.id}" selected', scorer.client.get("/matches/new").text)
    assert tiles_of(app, scorer.hand(scorer.begin())["match"]) == first.id
    assert tiles_of(app, new_match(scorer, tile_set="")) is None
    assert tiles_of(app, new_match(scorer, tile_set="unknown")) is None
    assert "selected>Cualquiera" not in scorer.client.get("/matches/new").text


def test_the_reader_prepares_for_the_set_of_a_new_match(
    scorer: Scorer, reader: RecordedReader, sets: Sets
) -> None:
    first, second = (sets.teach(name, [example("7R")]) for name in ("One", "Two"))
    match = new_match(scorer, tile_set=first.id)
    until(lambda: [one.id for one in reader.ready], lambda ids: ids == [first.id])
    scorer.form(f"/matches/{match}/tiles", tile_set=second.id)
    until(lambda: [one.id for one in reader.ready], lambda ids: ids == [first.id, second.id])


def test_photographs_of_the_open_hand_are_read_anew_with_another_set(
    scorer: Scorer, reader: RecordedReader, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    match = new_match(scorer, tile_set="")
    hand = scorer.begin(match)
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    when_read(scorer, hand)
    for _twice in range(2):  # the second time it is chosen already
        scorer.form(f"/matches/{match}/tiles", tile_set=kept.id)
        when_read(scorer, hand)
    (undo,) = re.findall(
        r'action="([^"]*/undo)"', scorer.client.get(f"/matches/{match}/history").text
    )
    scorer.form(undo)
    when_read(scorer, hand)
    assert [one and one.id for one in reader.chosen] == [None, kept.id, None]
    assert len(scorer.hand(hand)["tiles"]) == 3


def test_tiles_of_another_set_are_told_beside_the_photograph(
    scorer: Scorer, reader: RecordedReader, sets: Sets
) -> None:
    sets.teach("Casa", [example("7R")])
    hand = scorer.begin()
    picture = picture_of("3R 4R 5R")
    picture.reading["notices"] = [Notice.OTHER_SET]
    send(scorer, hand, "A", "melds", reader.add(picture))
    (photo,) = when_read(scorer, hand)["photos"]
    assert "juego elegido" in " ".join([photo["text"], *photo["notices"]])


def test_a_match_changes_its_set_and_a_rematch_keeps_it(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    match = new_match(scorer, tile_set="")
    assert "Casa" in scorer.client.get(f"/matches/{match}").text
    assert scorer.form(f"/matches/{match}/tiles", tile_set=kept.id).status_code == 303
    assert tiles_of(app, match) == kept.id
    again = scorer.form(f"/matches/{match}/rematch").headers["Location"].rsplit("/", 1)[1]
    assert tiles_of(app, again) == kept.id
    scorer.form(f"/matches/{match}/tiles", tile_set="")
    assert tiles_of(app, match) is None
    scorer.form(f"/sets/{kept.id}/forget")
    assert tiles_of(app, again) is None


# --- how many tiles it has ---


def rules_of_match(app: Flask, match: str) -> RuleSet:
    return parts_of(app).matches.tally(match).rules.rules


def copies_of(app: Flask, match: str, *faces: str) -> list[int]:
    rules = rules_of_match(app, match)
    return [rules.copies(one) for one in tiles(" ".join(faces))]


def test_lost_and_further_tiles_are_noted_and_count_in_its_matches(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    before = new_match(scorer, tile_set=kept.id)
    scorer.form(f"/sets/{kept.id}/copies", face="7R", count="1")
    scorer.form(f"/sets/{kept.id}/copies", face="5K", count="3")
    page = scorer.client.get(f"/sets/{kept.id}").text
    assert "7 rojo: hay 1" in page and "5 negro: hay 3" in page
    since, without = new_match(scorer, tile_set=kept.id), new_match(scorer, tile_set="")
    for match in (before, since):
        assert copies_of(app, match, "7R", "5K", "6K", "J") == [1, 3, 2, 2]
    assert copies_of(app, without, "7R", "5K") == [2, 2]
    scorer.form(f"/matches/{without}/tiles", tile_set=kept.id)
    assert copies_of(app, without, "7R", "5K") == [1, 3]
    scorer.form(f"/matches/{since}/tiles", tile_set="")
    assert copies_of(app, since, "7R", "5K") == [2, 2]
    scorer.form(f"/sets/{kept.id}/copies", face="7R", count="")
    assert (sets.of_id(kept.id).copies, copies_of(app, before, "7R")) == ({"5K": 3}, [2])
    scorer.form(f"/sets/{kept.id}/forget")
    assert copies_of(app, before, "5K") == [2]


def asked_of(scorer: Scorer, hand: str) -> list[str]:
    return [question["ask"] for question in scorer.hand(hand)["questions"]]


def test_four_comodines_of_a_set_are_those_of_its_matches(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    scorer.form(f"/sets/{kept.id}/copies", face="J", count="4")
    match = new_match(scorer, tile_set=kept.id)
    assert (rules_of_match(app, match).jokers, copies_of(app, match, "J")) == (4, [4])


def test_a_second_of_a_lost_tile_is_asked_about(scorer: Scorer, sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R")])
    sets.count(kept.id, {"7R": 1})
    hand = scorer.begin(new_match(scorer, tile_set=kept.id))
    scorer.tap(hand, "A", "rack", "7R")
    assert "copies" not in asked_of(scorer, hand)
    scorer.tap(hand, "A", "rack", "7R")
    assert "copies" in asked_of(scorer, hand)


@pytest.mark.parametrize(("face", "count"), [("7R", "9"), ("7R", "-1"), ("7R", "x"), ("14R", "1")])
def test_a_number_of_copies_that_no_set_has_is_refused(
    scorer: Scorer, sets: Sets, face: str, count: str
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    assert scorer.form(f"/sets/{kept.id}/copies", face=face, count=count).status_code == 422
    assert sets.of_id(kept.id).copies == {}
