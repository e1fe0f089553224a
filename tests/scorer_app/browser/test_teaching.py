"""One's own set taught on a phone: from the settings to a match that is read with it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flask import Flask
from playwright.sync_api import Browser, Route

from scorer_app.services.sets import Sets
from scorer_app.web.parts import parts_of
from vision.own_set.examples import FaceExample
from vision.own_set.teaching import TaughtPhoto

from ..conftest import until
from ..devices import SECOND_TAP, Watched, device, tap_twice
from ..own_sets import example, taught_photo
from ..pictures import RecordedReader
from .teaching import PHOTO, SET_PAGE, discard, faces_shown, photograph

pytestmark = pytest.mark.browser
# Keeps in `patience` how long the page waits for each answer that it asks for, in milliseconds.
NOTE_PATIENCE = """
window.patience = [];
const wait = AbortSignal.timeout;
AbortSignal.timeout = (ms) => (patience.push(ms), wait.call(AbortSignal, ms));
"""


def test_a_set_is_taught_corrected_and_used(
    phone: Watched, reader: RecordedReader, sets: Sets, app: Flask
) -> None:
    reader.taught = taught_photo(without=["9B", "10B"])
    page = phone.page
    page.goto(f"{phone.base}/settings")
    page.click("#own-sets")
    page.click("#teach")
    page.fill("#set-name", "La de casa")
    photograph(page)
    page.wait_for_selector("#keep")
    assert (faces_shown(page), page.locator("#taught .missing").count()) == (52, 2)
    page.click('#taught [data-face="8B"]')  # it is the 9, says the person
    page.click('#which [data-face="9B"]')
    page.click('#taught [data-face="J"] >> nth=0')
    page.click("#which .moves button")  # no tile at all
    assert faces_shown(page) == 51
    page.click("#keep")
    page.wait_for_url(SET_PAGE)
    (kept,) = sets.listed()
    assert (kept.name, kept.missing, kept.counts["J"]) == ("La de casa", ("8B", "10B"), 1)
    page.goto(f"{phone.base}/matches/new")
    page.click("button.huge")
    page.wait_for_url(re.compile(r"/matches/[\w-]+$"))
    match = page.url.rsplit("/", 1)[1]
    assert parts_of(app).matches.tally(match).match.tile_set_id == kept.id


def test_who_has_taught_a_set_finds_the_way_back_to_the_page_before_the_settings(
    phone: Watched, reader: RecordedReader
) -> None:
    reader.taught = taught_photo()
    page = phone.page
    page.goto(f"{phone.base}/matches/new")
    page.click(".top-actions a")
    page.click("#own-sets")
    page.click("#teach")
    page.wait_for_selector("#set-name")
    page.goto(f"{page.url}&face=8B")  # which the way back is no part of
    page.fill("#set-name", "La de casa")
    photograph(page)
    page.click("#keep")
    page.wait_for_url(re.compile(r"/sets/[\w-]{8,}\?to=[^&]*$"))
    page.click(".own-face[href*='face=7R']")
    page.wait_for_selector("#pictures")
    for _page in ("sets", "settings", "a new match"):
        page.click(".back a")
    page.wait_for_url("**/matches/new?new=*")


def test_a_second_photograph_adds_to_the_first(
    phone: Watched, reader: RecordedReader, sets: Sets
) -> None:
    page = phone.page
    page.goto(f"{phone.base}/sets/new")
    page.fill("#set-name", "Casa")
    for count, sure in ((54, True), (108, False)):
        reader.taught = taught_photo(sure=sure, variant=count)
        photograph(page)
        until(lambda: faces_shown(page), lambda shown, count=count: shown == count)
    assert page.locator(".asked-row").count() == 4  # those of the photograph that is not sure
    page.click("#keep")
    page.wait_for_url(SET_PAGE)
    (kept,) = sets.listed()
    assert (kept.counts["7R"], kept.counts["J"]) == (2, 4)


def test_a_photograph_that_is_chosen_twice_is_left_out(
    phone: Watched, reader: RecordedReader, tmp_path: Path
) -> None:
    page, photo = phone.page, tmp_path / "rows.jpg"
    photo.write_bytes(PHOTO["buffer"])
    reader.taught = taught_photo()
    page.goto(f"{phone.base}/sets/new")
    page.set_input_files("#pick", photo)
    until(lambda: faces_shown(page), lambda shown: shown == 54)
    page.set_input_files("#pick", photo)
    page.wait_for_selector("#teach-status:has-text('ya está elegida')")
    copy = tmp_path / "copy.jpg"
    copy.write_bytes(PHOTO["buffer"])
    page.evaluate("document.getElementById('teach-status').textContent = ''")
    page.set_input_files("#pick", copy)
    page.wait_for_selector("#teach-status:has-text('ya está elegida')")
    assert faces_shown(page) == 54
    photo.unlink()  # what cannot be read any more is no copy
    reader.taught = taught_photo(variant=1)
    page.set_input_files("#pick", copy)
    until(lambda: faces_shown(page), lambda shown: shown == 108)
    discard(page)
    photo.write_bytes(PHOTO["buffer"])
    page.set_input_files("#pick", photo)
    page.wait_for_selector("#keep")
    assert faces_shown(page) == 54


def test_a_name_that_is_taken_is_told_before_anything_is_taught(phone: Watched, sets: Sets) -> None:
    sets.teach("El Ñandú de casa", [example("7R")])
    page = phone.page
    page.goto(f"{phone.base}/sets/new")
    page.fill("#set-name", "  el ÑANDÚ  de Casa")
    page.wait_for_selector("#adds:has-text('El Ñandú de casa')")
    page.fill("#set-name", "El de afuera")
    page.wait_for_selector("#adds:empty", state="attached")


def test_what_was_taught_is_thrown_away_only_with_a_second_tap(
    phone: Watched, reader: RecordedReader
) -> None:
    reader.taught = taught_photo()
    page = phone.page
    page.goto(f"{phone.base}/sets/new")
    photograph(page)
    page.wait_for_selector("#keep")
    tap_twice(page, "[data-key=discard]")
    page.wait_for_selector("[data-key=discard]:has-text('descartar todo')")
    assert faces_shown(page) == 54
    page.wait_for_selector("[data-key=discard]:text-is('Descartar')")  # after a while
    discard(page)


def test_what_was_taught_outlives_a_page_that_the_phone_closes(
    phone: Watched, reader: RecordedReader, sets: Sets
) -> None:
    """As it may do while the camera is open, and then opens it anew. Other pages do not show it."""
    reader.taught = taught_photo(without=["9B", "10B"])
    page = phone.page
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"{phone.base}/sets/new")
    photograph(page)
    page.click('#taught [data-face="8B"]')  # it is the 9, says the person
    page.click('#which [data-face="9B"]')
    page.reload()
    page.wait_for_selector("#keep")
    assert faces_shown(page) == 52
    page.click("#keep")
    page.wait_for_url(SET_PAGE)
    (kept,) = sets.listed()
    assert kept.missing == ("8B", "10B")
    page.click("#teach")
    page.wait_for_url("**/teach")
    assert faces_shown(page) == 0
    photograph(page)
    page.wait_for_selector("#keep")
    discard(page)
    page.reload()
    page.wait_for_selector("#how")
    assert faces_shown(page) == 0


def test_leaving_the_page_asks_before_what_was_taught_is_lost(
    phone: Watched, reader: RecordedReader, sets: Sets
) -> None:
    reader.taught = taught_photo()
    page = phone.page
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.goto(f"{phone.base}/sets")
    page.click("#teach")
    page.wait_for_url("**/sets/new")
    photograph(page)
    page.wait_for_selector("#keep")
    page.click(".back a", no_wait_after=True)
    until(lambda: (page.title(), asked), lambda seen: seen[1] == ["beforeunload"])
    assert faces_shown(page) == 54
    page.fill("#set-name", "Casa")
    page.click("#keep")
    page.wait_for_url(SET_PAGE)
    page.go_back()
    page.wait_for_url("**/sets/new")
    page.wait_for_selector("#how")
    assert faces_shown(page) == 0  # the set has them
    page.click(".back a")
    page.wait_for_url("**/sets")
    assert asked == ["beforeunload"]


def test_a_set_that_another_phone_forgets_while_it_is_taught_is_made_anew_after_asking(
    phone: Watched, reader: RecordedReader, sets: Sets
) -> None:
    reader.taught = taught_photo()
    page = phone.page
    for path in ("sets/{}/teach", "sets/new"):
        former = sets.teach("Casa", [example("7R")])
        page.goto(f"{phone.base}/{path.format(former.id)}")
        if path == "sets/new":
            page.fill("#set-name", "casa")
        photograph(page)
        page.wait_for_selector("#keep")
        sets.forget(former.id)
        page.click("#keep")
        page.wait_for_selector("#taught .alert:has-text('asa» se olvidó mientras tanto')")
        assert sets.listed() == []
        assert page.locator("#adds:not(:empty)").count() == 0
        page.wait_for_timeout(SECOND_TAP)
        page.click("#keep")
        page.wait_for_url(SET_PAGE)
        (kept,) = sets.listed()
        assert kept.id != former.id
        sets.forget(kept.id)
    phone.faults.clear()  # the two refusals


def test_tiles_that_look_otherwise_are_kept_only_when_a_person_saves_them_again(
    phone: Watched, reader: RecordedReader, sets: Sets
) -> None:
    kept = sets.teach("Casa", upside_down(taught_photo()))
    page = phone.page
    page.goto(f"{phone.base}/sets/{kept.id}/teach")
    reader.taught = taught_photo()
    photograph(page)
    page.wait_for_selector("#keep")
    page.click("#keep")
    page.wait_for_selector("#taught .alert:has-text('no se parecen a las del juego «Casa»')")
    phone.faults.clear()  # the refusal
    assert sets.of_id(kept.id).version == kept.version
    page.wait_for_timeout(SECOND_TAP)
    page.click("#keep")
    page.wait_for_url(SET_PAGE)
    assert sets.of_id(kept.id).counts["7R"] == 2
    page.click("#photos summary >> nth=0")
    page.click("#photos .drop summary >> nth=0")
    page.wait_for_timeout(SECOND_TAP)
    page.click("#photos .drop button >> nth=0")
    page.wait_for_url(re.compile("#photos$"))
    assert sets.of_id(kept.id).counts["7R"] == 1


def upside_down(photo: TaughtPhoto) -> list[FaceExample]:
    """Return what the photograph teaches with all pictures upside down, as of another set."""
    examples = [one.example for one in photo.faces]
    return [replace(one, crop=np.ascontiguousarray(one.crop[::-1, ::-1])) for one in examples]


def test_a_photograph_chosen_before_the_script_came_is_looked_at(
    phone: Watched, reader: RecordedReader
) -> None:
    reader.taught = taught_photo()
    page = phone.page
    held: list[Route] = []
    page.route("**/teach_set.js*", lambda route: held.append(route))
    page.goto(f"{phone.base}/sets/new", wait_until="commit")
    photograph(page)
    until(lambda: (page.locator("#keep").count(), len(held)), lambda seen: seen == (0, 1))
    held[0].continue_()
    page.wait_for_selector("#keep")


def test_rows_are_asked_for_only_where_their_inks_are_not_sure(
    phone: Watched, reader: RecordedReader, sets: Sets
) -> None:
    page = phone.page
    page.goto(f"{phone.base}/sets/new")
    reader.taught = taught_photo()
    photograph(page)
    page.wait_for_selector("#keep")
    assert page.locator(".asked-row").count() == 0
    discard(page)
    reader.taught = taught_photo(sure=False)
    photograph(page)
    page.wait_for_selector(".asked-row")
    page.click('#taught [data-face="5Y"]')
    page.click('#which [data-face="5K"]')  # a person's word stays, whatever colour its row has
    page.click('.asked-row >> nth=0 >> label:has([value="B"])')
    page.wait_for_selector('[name="row-1"][value="R"]:checked', state="attached")
    chosen = [
        page.locator(f'[name="row-{row}"]:checked').get_attribute("value") for row in range(4)
    ]
    assert chosen == ["B", "R", "K", "Y"]
    page.fill("#set-name", "Casa")
    page.click("#keep")
    page.wait_for_url(SET_PAGE)
    (kept,) = sets.listed()
    assert (kept.missing, kept.counts["5K"]) == (("5Y",), 2)
    first = next(one for one in sets.load(kept.id).examples if one.face == "1B")
    assert (first.crop == example("1R").crop).all()  # the first row, drawn in red, is the blue one


def test_the_colour_under_which_a_row_would_be_kept_is_shown(
    phone: Watched, reader: RecordedReader
) -> None:
    """Of one row, whose ink may be taken for another one, nothing else tells it."""
    page = phone.page
    page.goto(f"{phone.base}/sets/new")
    reader.taught = taught_photo("K", jokers=0)
    photograph(page)
    page.wait_for_selector("#keep")
    lines = page.locator("#taught .own-line")
    titles = [lines.nth(at).inner_text().split()[0] for at in range(lines.count())]
    assert titles == ["rojo", "azul", "negro", "amarillo", "comodín"]


def test_what_goes_wrong_is_said_and_nothing_is_lost(
    phone: Watched, reader: RecordedReader, sets: Sets
) -> None:
    page = phone.page
    page.goto(f"{phone.base}/sets/new")
    page.fill("#set-name", "Casa")
    photograph(page)
    page.wait_for_selector("#teach-status[data-failed]")
    assert "trece" in page.inner_text("#teach-status")
    phone.faults.clear()  # the refusal is noted as a failed request
    page.reload()  # as a phone does that closed the page while its camera was open
    assert page.input_value("#set-name") == "Casa"
    page.fill("#set-name", "a/b")
    reader.taught = taught_photo()
    photograph(page)
    page.click("#keep")
    page.wait_for_selector('#wrong:has-text("«/»")')
    name = page.locator("#set-name")
    assert name.get_attribute("aria-invalid") == "true"
    assert "wrong" in (name.get_attribute("aria-describedby") or "").split()
    page.fill("#set-name", "a.b")
    assert (name.get_attribute("aria-invalid"), page.inner_text("#wrong")) == (None, "")
    page.fill("#set-name", "a/b")
    page.wait_for_timeout(SECOND_TAP)
    page.click("#keep")
    page.wait_for_selector('#wrong:has-text("«/»")')
    assert page.is_hidden("#toast")
    phone.faults.clear()
    assert (sets.listed(), faces_shown(page)) == ([], 54)
    assert page.evaluate("document.activeElement.id") == "set-name"
    page.fill("#set-name", "Casa")
    page.wait_for_timeout(SECOND_TAP)
    page.click("#keep")
    page.wait_for_url(SET_PAGE)
    assert len(sets.listed()) == 1


def test_a_set_that_nobody_names_has_the_name_that_the_empty_field_shows(
    phone: Watched, reader: RecordedReader, sets: Sets
) -> None:
    page = phone.page
    sets.teach("el de CASA 2", [example("7R")])
    for number, name in enumerate(("El de casa", "El de casa 3")):
        page.goto(f"{phone.base}/sets/new")
        assert page.get_attribute("#set-name", "placeholder") == name
        page.fill("#set-name", " " * number)
        reader.taught = taught_photo(variant=number)
        photograph(page)
        page.click("#keep")
        page.wait_for_url(SET_PAGE)
        page.wait_for_selector(f'h1:has-text("{name}")')
    names = {one.name: one.counts["7R"] for one in sets.listed()}
    assert names == {"el de CASA 2": 1, "El de casa": 1, "El de casa 3": 1}


def test_a_photograph_and_its_faces_have_time_on_a_slow_network(
    phone: Watched, reader: RecordedReader, sets: Sets
) -> None:
    reader.taught = taught_photo()
    page = phone.page
    page.add_init_script(NOTE_PATIENCE)
    held: list[Route] = []
    page.route("**/api/sets", lambda route: held.append(route))
    page.goto(f"{phone.base}/sets/new")
    page.fill("#set-name", "Casa")
    photograph(page)
    page.wait_for_selector("#keep")
    page.click("#keep")
    until(lambda: (faces_shown(page), len(held)), lambda seen: seen == (54, 1))
    seconds = [patience / 1000 for patience in page.evaluate("patience")]
    assert len(seconds) == 2
    assert min(seconds) > 60
    held[0].continue_()
    page.wait_for_url(SET_PAGE)
    assert len(sets.listed()) == 1


def test_what_takes_long_about_a_photograph_is_said(
    browser: Browser, served: str, reader: RecordedReader
) -> None:
    reader.taught = taught_photo()
    held: list[Route] = []
    with device(browser, served) as watched:  # a clock that is put forward stays so on its device
        page = watched.page
        page.route("**/api/sets/photos", lambda route: held.append(route))
        page.goto(f"{served}/sets/new")
        page.clock.install()
        photograph(page)
        page.wait_for_selector("#teach-status:text-is('Mirando la foto…')")
        page.clock.fast_forward(5000)
        page.wait_for_selector("#teach-status:has-text('Buscando las filas del 1 al 13')")
        page.clock.fast_forward(15_000)
        page.wait_for_selector("#teach-status:has-text('la computadora está ocupada')")
        until(lambda: (page.title(), held), lambda seen: bool(seen[1]))
        held[0].continue_()
        page.wait_for_selector("#keep")
        page.clock.fast_forward(30_000)
        assert page.inner_text("#teach-status") == ""
        assert watched.faults == []


def test_what_is_done_while_a_photograph_is_looked_at_loses_none(
    phone: Watched, reader: RecordedReader
) -> None:
    reader.taught = taught_photo()
    page = phone.page
    held: list[Route] = []
    page.goto(f"{phone.base}/sets/new")
    photograph(page)
    until(lambda: faces_shown(page), lambda shown: shown == 54)
    page.route("**/api/sets/photos", lambda route: held.append(route))
    photograph(page)
    until(lambda: (faces_shown(page), len(held)), lambda seen: seen == (54, 1))
    page.click("#keep")
    page.wait_for_selector("#toast:text-is('Mirando la foto…')")
    page.click('#taught [data-face="2R"]')
    page.click('#which [data-face="3R"]')
    page.click('#taught [data-face="8B"]')
    photograph(page)
    held[0].continue_()
    until(lambda: faces_shown(page), lambda shown: shown == 108)
    page.click('#which [data-face="9B"]')
    assert faces_shown(page) == 108
    for face in ("3R", "9B"):
        assert page.locator(f'#taught [data-face="{face}"]').count() == 3
    until(lambda: (faces_shown(page), len(held)), lambda seen: seen == (108, 2))
    held[1].continue_()
    until(lambda: faces_shown(page), lambda shown: shown == 162)
