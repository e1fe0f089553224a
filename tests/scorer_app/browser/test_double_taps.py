"""A button tapped twice saves what it saves once."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from playwright.sync_api import Page, Route
from sqlalchemy import select

from scorer_app.services.sets import Sets
from scorer_app.store import Match
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, until
from ..devices import SECOND_TAP, Watched, box_of, tap_twice, tap_twice_at
from ..hands import CANASTA, new_match
from ..own_sets import taught_photo
from ..pictures import RecordedReader, picture_of
from .review import SAVE_READY, doubtful_hand, opened, photographed, rows, shown
from .teaching import SET_PAGE, photograph

pytestmark = pytest.mark.browser


def held_back(page: Page, method: str, path: str) -> list[Route]:
    """Hold back all requests of this method to an address; return the list of them, which get no
    answer until a test lets them go on.
    """
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == method:
            held.append(route)
        else:
            route.continue_()

    page.route(re.compile(path), hold)
    return held


def tap_again_while_it_waits(page: Page, button: str, held: list[Route]) -> None:
    shape = page.locator(button)
    shape.scroll_into_view_if_needed()
    box = box_of(shape)
    # By the mouse: Playwright's own click waits until the page that was asked for is there.
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    until(lambda: page.wait_for_timeout(10) or len(held), lambda count: count == 1)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(200)  # in which a second request would come


def test_a_hand_counted_by_hand_is_kept_once(phone: Watched, scorer: Scorer, app: Flask) -> None:
    match, page = new_match(scorer), phone.page
    page.goto(f"{phone.base}/matches/{match}/count")
    page.fill('[name="puntos_A"]', "150")
    held = held_back(page, "POST", "/count$")
    tap_again_while_it_waits(page, "main form button.primary", held)
    assert len(held) == 1
    held[0].continue_()
    page.wait_for_url(re.compile(rf"/matches/{match}$"))
    assert parts_of(app).matches.tally(match).totals["A"] == 150


def test_a_form_of_a_new_match_that_one_comes_back_to_makes_no_second_one(
    phone: Watched, app: Flask
) -> None:
    page = phone.page
    page.goto(f"{phone.base}/matches/new")
    for name in ("Los Pérez", "Los Pérez", "Los Gómez"):
        page.wait_for_selector("#new-match[data-ready=yes]")
        page.fill("[name=side_a]", name)
        page.click("button.huge")
        page.wait_for_url(re.compile(r"/matches/[\w-]{8,}$"))
        assert parts_of(app).store.look(select(Match.side_a), {}) == [(name,)]
        page.go_back()
    page.wait_for_selector("#new-match[data-ready=yes]")
    assert page.input_value("[name=side_a]") == "Los Gómez"
    assert phone.faults == []


def test_a_set_is_taught_once(phone: Watched, reader: RecordedReader, app: Flask) -> None:
    reader.taught = taught_photo()
    page = phone.page
    page.goto(f"{phone.base}/sets/new")
    page.fill("#set-name", "Casa")
    photograph(page)
    page.wait_for_selector("#keep")
    held = held_back(page, "GET", r"/sets/[\w-]{8,}$")
    tap_again_while_it_waits(page, "#keep", held)
    held[-1].continue_()
    page.wait_for_url(SET_PAGE)
    (kept,) = Sets(parts_of(app).store).listed()
    assert kept.counts["7R"] == 1


def test_a_set_with_a_wrong_name_opens_no_face(phone: Watched, reader: RecordedReader) -> None:
    """The page moves to the field of the name, so that other things lie under the finger."""
    page = phone.page
    page.goto(f"{phone.base}/sets/new")
    page.fill("#set-name", "a/b")
    reader.taught = taught_photo()
    photograph(page)
    page.wait_for_selector("#keep")
    tap_twice(page, "#keep")
    page.wait_for_selector('#wrong:has-text("«/»")')
    phone.faults.clear()  # the refusal is noted as a failed request
    assert page.locator("#which").is_hidden()
    assert page.evaluate("document.activeElement.id") == "set-name"
    page.wait_for_timeout(SECOND_TAP)
    page.locator("#taught button.own-face").first.click()
    page.wait_for_selector("#which[open]")


def test_an_answer_tapped_twice_answers_no_question_that_nobody_has_read(
    phone: Watched, scorer: Scorer
) -> None:
    hand = scorer.begin()
    for faces in ("3R 5B 9Y", "1K 7R 11Y"):
        first, *others = faces.split()
        area = {"side": "A", "place": "melds"}
        scorer.edit(hand, {"op": "add_tile", "face": first, "row": "new", **area})
        scorer.tap(hand, "A", "melds", " ".join(others))
    opened(phone, hand)
    tap_twice(phone.page, "[data-part=question] [data-key=accept]")
    phone.totals()
    assert sorted(row["accepted"] for row in scorer.hand(hand)["rows"]) == [False, True]


def test_an_answer_about_one_muerto_tapped_twice_says_nothing_of_the_other(
    phone: Watched, scorer: Scorer
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.edit(hand, {"op": "set_end", "end": "stock_exhausted"})
    opened(phone, hand)
    tap_twice(phone.page, "[data-part=question] [data-key=muerto-A-yes]")
    phone.totals()
    assert scorer.hand(hand)["closing"]["muerto"] == {"A": True, "B": None}


def test_a_tile_tapped_twice_is_opened_and_stays_what_it_is(phone: Watched, scorer: Scorer) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    opened(phone, hand)
    phone.page.evaluate("document.querySelector('.row').scrollIntoView({ block: 'center' })")
    before = rows(phone)
    tap_twice(phone.page, ".row .tile >> nth=4")
    assert phone.page.is_visible("#picker")
    phone.page.keyboard.press("Escape")
    phone.totals()
    assert rows(phone) == before


def test_a_key_of_a_dialog_tapped_twice_answers_no_question_behind_it(
    phone: Watched, scorer: Scorer
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "3R 5B 9Y")
    opened(phone, hand)
    answer = box_of(phone.page.locator("[data-part=question] [data-key=accept]"))
    phone.page.evaluate("document.querySelector('.row').scrollIntoView({ block: 'center' })")
    phone.page.click(".row .tile >> nth=0")
    phone.page.wait_for_timeout(SECOND_TAP)
    lies_key = "([x, y]) => document.elementFromPoint(x, y).closest('#picker button') !== null"
    x = answer["x"] + answer["width"] / 2
    heights = [answer["y"] + part * answer["height"] / 8 for part in range(1, 8)]
    y = next(y for y in heights if phone.page.evaluate(lies_key, [x, y]))  # between keys is none
    tap_twice_at(phone.page, x, y)
    phone.totals()
    assert [row["accepted"] for row in scorer.hand(hand)["rows"] if row["accepted"]] == []


def test_save_tapped_twice_saves_no_doubts_that_nobody_has_read(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = opened(phone, doubtful_hand(scorer, reader))
    tap_twice(phone.page, SAVE_READY)
    assert phone.page.is_visible("#doubts")
    assert scorer.hand(hand)["state"] == "draft"


def test_a_photograph_is_removed_only_by_a_tap_that_confirms_it(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = photographed(phone, scorer, reader.add(picture_of("3R 4R 5R")))
    remove = "[data-key^=remove-]"
    phone.page.evaluate("document.querySelector('.photo').scrollIntoView({ block: 'center' })")
    tap_twice(phone.page, remove)
    assert len(scorer.hand(hand)["photos"]) == 1
    phone.page.wait_for_timeout(SECOND_TAP)
    phone.page.click(remove)
    until(lambda: scorer.hand(hand)["photos"], lambda photos: photos == [])


def test_a_repair_tapped_again_while_it_waits_is_made_once(phone: Watched, scorer: Scorer) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "3R 4R 5R")
    area = {"side": "A", "place": "melds"}
    scorer.edit(hand, {"op": "add_tile", "face": "6R", "row": "new", **area})
    scorer.tap(hand, "A", "melds", "7R")
    opened(phone, hand)
    held = held_back(phone.page, "POST", "/edits$")
    tap_again_while_it_waits(phone.page, ".row .repair", held)
    held[0].continue_()
    phone.page.unroute(re.compile("/edits$"))
    shown(phone, "3R 4R 5R 6R 7R")
    assert phone.page.is_hidden("#toast")
    assert phone.faults == []


@pytest.mark.parametrize("points", ["150", "250"])
def test_going_back_to_points_that_were_saved_counts_no_second_hand(
    phone: Watched, scorer: Scorer, app: Flask, points: str
) -> None:
    match, page = new_match(scorer), phone.page
    page.goto(f"{phone.base}/matches/{match}")
    page.click('.door[href$="/count"]')
    page.fill('[name="puntos_A"]', "150")
    page.click("main form button.primary")
    page.wait_for_url(re.compile(rf"/matches/{match}$"))
    page.go_forward()
    if page.locator("#count").count():  # a browser may have kept the page itself
        page.fill('[name="puntos_A"]', points)
        page.click("main form button.primary")
    page.wait_for_selector("#counted")
    assert page.locator("#counted p").first.inner_text().startswith("Esa mano ya está anotada")
    assert parts_of(app).matches.tally(match).totals["A"] == 150
