"""The page of a family's own set: it is shown, changed, forgotten, exported and imported."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from scorer_app.config import AppConfig
from scorer_app.services.face_pictures import to_png
from scorer_app.services.set_files import MOST_BYTES, export_set
from scorer_app.services.sets import Sets
from vision.own_set.examples import FACE_NAMES, Origin

from ..conftest import Scorer
from ..hands import new_match
from ..own_sets import drawn_crop, example, tile_set
from .set_requests import bring, face, teach
from .test_fuzz import FROM_AFAR


def pictures_on(page: str) -> list[str]:
    """Return the addresses of the pictures of faces on a page, without those that it shows again
    below their photographs.
    """
    shown = page.partition('id="photos"')[0]
    return re.findall(r'src="(/sets/[^"]+/pictures/\d+\.png[^"]*)"', shown)


def test_the_page_of_a_set_shows_every_face_with_its_own_picture(
    scorer: Scorer, sets: Sets
) -> None:
    kept = sets.teach("Casa", tile_set(faces=FACE_NAMES[:-1]).examples)
    page = scorer.client.get(f"/sets/{kept.id}").text
    pictures = pictures_on(page)
    assert len(pictures) == len(set(pictures)) == 52
    assert len(re.findall(r'class="own-face missing"', page)) == 1
    answer = scorer.client.get(pictures[0])
    assert (answer.mimetype, answer.data) == ("image/png", to_png(drawn_crop("1R")))


def test_the_page_of_a_set_says_which_colour_each_line_of_faces_has(
    scorer: Scorer, sets: Sets
) -> None:
    """Faces without a picture, and inks that are unlike all others, do not tell it."""
    kept = sets.teach("Casa", [example("7R"), example("8R")])
    page = scorer.client.get(f"/sets/{kept.id}").text
    lines = re.findall(r'class="own-line"[^>]*>(.*?)</div>', page, re.DOTALL)
    told = [re.sub("<[^>]*>", " ", line).split()[0] for line in lines]
    assert told == ["rojo", "azul", "negro", "amarillo", "comodín"]


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


def test_a_new_picture_has_an_address_that_no_removed_one_had(scorer: Scorer, sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R"), example("8R")])
    shown = [pictures_on(scorer.client.get(f"/sets/{kept.id}").text)]
    sets.drop(kept.id, sets.examples(kept.id)[1].id)
    sets.teach("Casa", [example("8R", 1)])
    shown.append(pictures_on(scorer.client.get(f"/sets/{kept.id}").text))
    (seven, wrong), (still_seven, right) = shown
    assert (seven, wrong != right) == (still_seven, True)
    assert scorer.client.get(right).data == to_png(drawn_crop("8R", 1))


def told_at_name(page: str, typed: str) -> str:
    """Return the sentence at the field of a name, which holds what was typed."""
    field = r'<input name="name"[^>]* value="([^"]*)"[^>]* aria-describedby="wrong"[^>]*></label>'
    ((value, told),) = re.findall(field + r'<small class="wrong" id="wrong">([^<]*)', page)
    assert html.unescape(value) == typed
    return str(told)


def test_a_set_is_given_another_name(scorer: Scorer, sets: Sets) -> None:
    kept, other = (sets.teach(name, [example("7R")]) for name in ("Casa", "La de Ana"))
    page = f"/sets/{kept.id}"
    assert f'action="{page}/name"' in scorer.client.get(page).text
    assert scorer.form(f"{page}/name", name="  La   de mamá ").status_code == 303
    assert (sets.of_id(kept.id).name, sets.find("LA DE MAMÁ").id) == ("La de mamá", kept.id)
    assert scorer.form(f"{page}/name", name="la de mamá").status_code == 303  # its own, in small
    for name, said in (("la de ana", "Ya hay un juego"), ("<b>", "hasta 40 letras"), ("", "hasta")):
        refused = scorer.form(f"{page}/name", name=name)
        assert refused.status_code == 422 and "<b>»" not in refused.text
        assert said in told_at_name(refused.text, name)
        assert '<details class="more" open><summary>Cambiarle el nombre' in refused.text
        assert "«La de Ana»" in refused.text or name != "la de ana"  # as that set is called
    assert [sets.of_id(one.id).name for one in (kept, other)] == ["la de mamá", "La de Ana"]
    assert scorer.client.get(f"{page}/name").headers["Location"] == page
    assert scorer.form("/sets/nobody/name", name="Otra").status_code == 404


def test_the_address_of_an_import_that_failed_leads_to_the_sets(scorer: Scorer) -> None:
    assert bring(scorer, b"no set").status_code == 422
    answer = scorer.client.get("/sets/import")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/sets")


def test_the_way_from_the_settings_back_to_the_match_leads_through_all_pages_of_sets(
    scorer: Scorer, sets: Sets
) -> None:
    kept, match = sets.teach("Casa", [example("7R")]), new_match(scorer)
    way = f"to=/matches/{match}"
    back = f'class="back"><a href="/settings?{way}">'

    def follow(page: str, link: str) -> str:
        found = re.search(link, page)
        assert found and way in found[1], link
        return scorer.client.get(found[1].replace("&amp;", "&")).text

    settings = scorer.client.get(f"/settings?{way}").text
    listed = follow(settings, r'id="own-sets" href="([^"]*)"')
    assert back in listed
    assert way in follow(listed, r'class="top-actions".*?href="([^"]*)"')
    assert back in follow(
        follow(listed, r'id="teach" href="([^"]*)"'), r'class="back"><a href="([^"]*)"'
    )
    shown = follow(listed, r'class="match-line" href="([^"]*)"')
    assert way in follow(shown, r'id="teach" href="([^"]*)"')
    shown = follow(shown, r'class="own-face" href="(/sets/[^"#]*face=7R[^"#]*)#pictures"')
    assert 'id="pictures"' in shown
    forms = re.findall(r'<form method="post" action="([^"]*)"', shown)
    assert len(forms) >= 5 and all(way in form for form in forms), forms
    renamed = scorer.form(f"/sets/{kept.id}/name?{way}", name="Otra").headers["Location"]
    assert back in follow(scorer.client.get(renamed).text, r'class="back"><a href="([^"]*)"')
    assert "to=" not in re.findall(r'src="(/sets/[^"]*)"', shown)[0]


def test_no_page_of_sets_and_the_settings_lead_back_to_each_other(
    scorer: Scorer, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    for opened in ("/sets", f"/sets/{kept.id}?face=7R"):
        link = re.search(r'class="top-actions".*?href="([^"]*)"', scorer.client.get(opened).text)
        assert link
        settings = scorer.client.get(html.unescape(link[1])).text
        assert 'class="back"' not in settings
        listed = scorer.client.get("/sets", query_string={"to": opened}).text
        assert 'class="back"><a href="/settings">' in listed


@pytest.mark.parametrize("to", ["//a.example/", "https://a.example", "/a?b=//c", "/\\a.example"])
def test_no_address_of_a_set_leads_to_another_server(scorer: Scorer, sets: Sets, to: str) -> None:
    kept = sets.teach("Casa", [example("7R")])
    for path in ("/sets", f"/sets/{kept.id}", "/sets/new"):
        page = scorer.client.get(path, query_string={"to": to}).text
        links = re.findall(r'(?:class="back"><a href|action)="([^"]*)"', page)
        links += re.findall(r'href="([?/][^"]*)"', page.partition('id="main"')[2])
        assert links and not any("to=" in link for link in links)


def test_a_set_that_lost_all_pictures_is_no_file(scorer: Scorer, sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R")])
    for shown in ('id="export"', "Tocá una cara"):
        assert shown in scorer.client.get(f"/sets/{kept.id}").text
    sets.drop(kept.id, sets.examples(kept.id)[0].id)
    for gone in ('id="export"', "Tocá una cara"):
        assert gone not in scorer.client.get(f"/sets/{kept.id}").text
    refused = scorer.client.get(f"/sets/{kept.id}/export")
    assert refused.status_code == 422 and "Casa" in refused.text


def test_what_was_learned_is_listed_apart(scorer: Scorer, sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R"), example("8R", 1, Origin.SETTLED)])
    page = scorer.client.get(f"/sets/{kept.id}").text
    assert len(re.findall("<li>", page[page.index('id="learned"') :])) == 1


def test_what_goes_with_a_set_and_which_matches_lose_it_is_told_before_it_is_forgotten(
    scorer: Scorer, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])

    def what_goes() -> str:
        page = scorer.client.get(f"/sets/{kept.id}").text
        found = re.search(r'<div id="what-goes">(.*?)</div>', page, re.DOTALL)
        assert found
        return found[1]

    assert "No se puede deshacer" in what_goes()
    assert "Partidas" not in what_goes()
    for count in range(7):
        new_match(scorer, side_a=f"Lado {count}", tile_set=kept.id)
    deleted = new_match(scorer, side_a="Borrada", tile_set=kept.id)
    scorer.form(f"/matches/{deleted}/delete")
    new_match(scorer, side_a="Sin juego", tile_set="")
    assert "Partidas que se juegan con él: 7." in what_goes()
    assert "Si después lo traés de nuevo, elegilo en cada una." in what_goes()
    assert re.findall("(Lado .|Borrada|Sin juego) ·", what_goes()) == [
        f"Lado {count}" for count in (6, 5, 4, 3, 2)
    ]
    assert "Y otras: 2." in what_goes()


def test_a_set_is_forgotten(scorer: Scorer, sets: Sets, config: AppConfig) -> None:
    kept = sets.teach("Casa", [example("7R")])
    config.prepared_dir.mkdir()
    (config.prepared_dir / "what was worked out").touch()
    assert scorer.form(f"/sets/{kept.id}/forget").status_code == 303
    for path in (f"/sets/{kept.id}", f"/sets/{kept.id}/export", f"/sets/{kept.id}/teach"):
        gone = scorer.client.get(path)
        assert gone.status_code == 404
        assert re.search(r'<a class="button" href="/sets">Mi juego</a>', gone.text)
    assert not config.prepared_dir.exists()


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


@pytest.mark.parametrize(("face", "count"), [("7R", "9"), ("7R", "-1"), ("7R", "x"), ("14R", "1")])
def test_a_number_of_copies_that_no_set_has_is_refused(
    scorer: Scorer, sets: Sets, face: str, count: str
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    assert scorer.form(f"/sets/{kept.id}/copies", face=face, count=count).status_code == 422
    assert sets.of_id(kept.id).copies == {}


def test_a_set_goes_out_and_comes_in_under_another_name(scorer: Scorer, sets: Sets) -> None:
    kept = sets.teach("Casa", tile_set().examples)
    sent = scorer.client.get(f"/sets/{kept.id}/export")
    named = sent.headers["Content-Disposition"]
    assert named == 'attachment; filename="burako-set-casa.json"'
    refused = bring(scorer, sent.data)
    assert refused.status_code == 422 and "«Casa»" in told_at_name(refused.text, "")
    refused = bring(scorer, sent.data, "CASA")
    assert refused.status_code == 422 and "«Casa»" in told_at_name(refused.text, "CASA")
    assert bring(scorer, sent.data, "De Ana").status_code == 303
    assert sets.find("de ana").counts == kept.counts


def test_an_imported_picture_is_not_shown_as_taught_on_the_day_it_came(
    scorer: Scorer, sets: Sets
) -> None:
    settled = replace(example("7R", 1), origin=Origin.SETTLED)
    kept = sets.teach("Casa", [example("7R"), settled])
    sent = scorer.client.get(f"/sets/{kept.id}/export")
    assert origins(scorer, kept.id) == ["Aprendida jugando", "Enseñada"]
    bring(scorer, sent.data, "De Ana")
    imported = sets.find("de ana")
    assert origins(scorer, imported.id) == ["Traída de un archivo"] * 2
    assert imported.learned == 1
    for set_id, told in ((kept.id, False), (imported.id, True)):
        page = scorer.client.get(f"/sets/{set_id}").text
        assert ("Traída de un archivo · " in page[page.index('id="learned"') :]) is told
    sets.teach("De Ana", [example("7R", 2)])
    assert origins(scorer, imported.id) == ["Enseñada", *["Traída de un archivo"] * 2]
    first = sets.examples(imported.id)[0]
    sets.rename_face(imported.id, first.id, "1R")  # which a person tells now
    assert origins(scorer, imported.id, "1R") == ["Enseñada"]


def origins(scorer: Scorer, set_id: str, face: str = "7R") -> list[str]:
    """Return what the page of a set says of each picture of a face, the newest first."""
    page = scorer.client.get(f"/sets/{set_id}?face={face}").text
    return re.findall(r'<p class="remark">([^<·]+) · \d\d/\d\d/\d{4}</p>', page)


def test_who_brings_a_set_of_a_taken_name_is_told_to_choose_the_file_again(
    scorer: Scorer, sets: Sets
) -> None:
    sets.teach("Casa", [example("7R")])
    answer = bring(scorer, export_set(tile_set("Casa")))
    assert answer.status_code == 422
    told = "Ya hay un juego de fichas que se llama «Casa»: elegile otro nombre."
    assert f"{told} El archivo hay que elegirlo de nuevo." in html.unescape(answer.text)
    damaged = html.unescape(bring(scorer, b"{}").text)
    assert "elegirlo de nuevo" not in damaged


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"[" * 9999, b"\xff" * 99, export_set(tile_set())[:-9]],
)
def test_a_file_that_is_no_set_is_told_of_at_its_field(
    scorer: Scorer, sets: Sets, data: bytes
) -> None:
    answer = bring(scorer, data)
    assert answer.status_code == 422
    assert len(told_at_file(answer.text)) > 20
    assert sets.listed() == []


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("es", "El juego de ese archivo se llama «Casa/2»"),
        ("en", "The tile set in that file is called “Casa/2”"),
        ("it", "La serie di quel file si chiama «Casa/2»"),
    ],
)
def test_a_bad_name_in_a_file_is_told_in_a_sentence(
    scorer: Scorer, sets: Sets, language: str, told: str
) -> None:
    file = json.loads(export_set(tile_set())) | {"name": "Casa/2"}
    scorer.form("/settings/device", language=language)
    answer = bring(scorer, json.dumps(file).encode())
    assert answer.status_code == 422
    assert told in answer.text
    assert sets.listed() == []


@pytest.mark.parametrize("typed", ["", "\u202eCasa\u2067/2"])
def test_a_bad_name_does_not_turn_the_sentence_that_tells_it(scorer: Scorer, typed: str) -> None:
    file = json.loads(export_set(tile_set())) | {"name": "\u202eCasa\u2067/2"}
    answer = bring(scorer, json.dumps(file).encode(), typed)
    assert answer.status_code == 422
    assert "Casa /2»" in answer.text
    assert not set(answer.text) & {"\u202e", "\u2067"}
    refused = teach(scorer, "\u202eCasa\u2067/2", face("7R"))
    assert (refused.status_code, "«Casa /2»" in str(refused.get_json())) == (422, True)


def test_a_face_with_too_many_pictures_in_a_file_is_named_in_words(scorer: Scorer) -> None:
    file = json.loads(export_set(tile_set(faces=["1R"])))
    file["examples"] *= 300
    answer = bring(scorer, json.dumps(file).encode())
    assert answer.status_code == 422
    assert "demasiadas imágenes de 1 rojo" in answer.text


TOO_LARGE = bytes(13 * 2**20 + 1)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("es", "El archivo es demasiado grande: pesa 14 MB y el máximo es 12 MB."),
        ("en", "The file is too large: it has 14 MB and the limit is 12 MB."),
        ("it", "Il file è troppo grande: ha 14 MB e il massimo è 12 MB."),
    ],
)
def test_a_file_of_a_set_that_is_too_large_is_told_with_both_sizes(
    scorer: Scorer, sets: Sets, language: str, told: str
) -> None:
    sets.create("La de Ana", tile_set().examples)
    scorer.form("/settings/device", language=language)
    answer = send_file(scorer, TOO_LARGE)
    assert (answer.status_code, told_at_file(answer.text)) == (413, told)
    assert "La de Ana" in answer.text and 'id="import"' in answer.text


def test_a_file_of_a_set_just_above_its_limit_is_told_with_the_same_limit(scorer: Scorer) -> None:
    answer = send_file(scorer, bytes(MOST_BYTES + 1))
    assert (answer.status_code, told_at_file(answer.text)) == (
        413,
        "El archivo es demasiado grande: pesa 13 MB y el máximo es 12 MB.",
    )


def test_a_file_of_a_match_that_is_too_large_is_refused_at_the_field_of_its_form(
    scorer: Scorer,
) -> None:
    answer = send_file(scorer, TOO_LARGE, "/matches/import")
    assert answer.status_code == 413
    told = "El archivo es demasiado grande: pesa 14 MB y el máximo es 8 MB."
    assert f'id="wrong">{told}</small>' in answer.text


def test_who_may_not_import_sees_no_set_for_too_large_a_file(app: Flask, sets: Sets) -> None:
    sets.create("La de Ana", tile_set().examples)
    for path in ("/sets/import", "/matches/import"):
        answer = app.test_client().post(path, data=TOO_LARGE, environ_base=FROM_AFAR)
        assert (answer.status_code, "La de Ana" in answer.text) == (413, False)
        assert re.search(r"<p>El archivo es demasiado grande: pesa 14 MB y el máximo", answer.text)


def test_a_form_with_too_long_a_field_speaks_of_no_file(scorer: Scorer) -> None:
    for path in ("/sets/import", "/matches/import"):
        answer = send_file(scorer, b"", path, name="x" * (2**20 + 1))
        assert answer.status_code == 413
        assert "El formulario trae demasiados campos, o uno demasiado largo." in answer.text
        assert "demasiado grande" not in answer.text


def send_file(scorer: Scorer, data: bytes, path: str = "/sets/import", name: str = "") -> Any:
    """Send a form with a file as browsers do. (The client of Flask writes a large form to a
    temporary file that it leaves open.)
    """
    head = b'--edge\r\nContent-Disposition: form-data; name="%b"\r\n\r\n%b\r\n'
    fields = {"csrf": scorer.token, "name": name}
    parts = [head % (key.encode(), value.encode()) for key, value in fields.items()]
    file = b'--edge\r\nContent-Disposition: form-data; name="file"; filename="x.json"\r\n\r\n'
    body = b"".join([*parts, file, data, b"\r\n--edge--\r\n"])
    kind = "multipart/form-data; boundary=edge"
    return scorer.client.post(path, data=body, content_type=kind)


def told_at_file(page: str) -> str:
    """Return the sentence that stands at the field of a file."""
    found = re.search(r'name="file".*?<small class="wrong" id="wrong">([^<]+)</small>', page)
    return html.unescape(found[1]) if found else ""


def test_what_one_photograph_taught_is_shown_and_taken_back_together(
    scorer: Scorer, sets: Sets
) -> None:
    kept = sets.teach("Casa", tile_set().examples, tile_set(variants=[3]).examples)
    first, last = (_photos(sets, kept.id)[at] for at in (0, -1))
    assert first != last
    page = scorer.client.get(f"/sets/{kept.id}").text
    assert page.partition('id="photos"')[2].count("<img") == 106
    assert page.index(f"photos/{last}/drop") < page.index(f"photos/{first}/drop")
    dropped = scorer.form(f"/sets/{kept.id}/photos/{last}/drop")
    assert (dropped.status_code, dropped.location) == (303, f"/sets/{kept.id}#photos")
    assert _photos(sets, kept.id) == [first] * 53
    assert sets.of_id(kept.id).version > kept.version
    for gone in (last, "x"):
        assert scorer.form(f"/sets/{kept.id}/photos/{gone}/drop").status_code == 404


def _photos(sets: Sets, set_id: str) -> list[str | None]:
    """Return by which photograph each example of the set was taught, oldest first."""
    return [row.photo_id for row in sets.examples(set_id)]
