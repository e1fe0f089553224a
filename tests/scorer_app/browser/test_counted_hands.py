"""Hands that people counted themselves: what they type is kept, and saved once."""

from __future__ import annotations

import pytest
from flask import Flask
from playwright.sync_api import Browser

from ..conftest import Scorer
from ..devices import Watched, box_of, device
from .review import opened
from .test_company import our_match
from .test_outbox import FAR, code_of, renew_code

pytestmark = pytest.mark.browser


def open_form(phone: Watched, match: str) -> None:
    """Open the form of counted points of a match."""
    phone.page.goto(f"{phone.base}/matches/{match}/count")
    phone.page.wait_for_selector("#count[data-ready=yes]")


def test_a_counted_hand_is_counted_anew(phone: Watched, scorer: Scorer) -> None:
    match, page = our_match(scorer), phone.page
    scorer.form(f"/matches/{match}/count", base_A="100", puntos_A="50")
    page.goto(f"{phone.base}/matches/{match}")
    page.click(".anotador tbody a")
    assert page.input_value("[name=base_A]") == "100"
    page.fill("[name=puntos_B]", "−30")
    page.click("#count .primary")
    page.wait_for_selector('.huge-figure:text-is("−30")')
    assert page.locator(".anotador tbody th a").count() == 1


def test_points_are_typed_with_digits_and_a_button_turns_their_sign(
    phone: Watched, scorer: Scorer
) -> None:
    match, page = our_match(scorer), phone.page
    open_form(phone, match)
    field, sign = "[name=puntos_B]", ".signed:has([name=puntos_B]) [data-sign]"
    assert page.get_attribute(field, "inputmode") == "numeric"
    assert page.get_attribute(sign, "aria-label") == "Cambiar el signo: Puntos"
    page.click(sign)
    page.keyboard.type("45")  # the field has the keyboard
    assert page.input_value(field) == "−45"
    page.click(sign)
    assert page.input_value(field) == "45"
    page.click(sign)
    page.reload()
    page.wait_for_selector("#count[data-ready=yes]")
    assert page.input_value(field) == "−45"
    page.click("#count .primary")
    page.wait_for_selector('.huge-figure:text-is("−45")')
    assert phone.faults == []


def test_the_points_of_an_adjustment_are_typed_with_digits_too(
    phone: Watched, scorer: Scorer
) -> None:
    page = phone.page
    opened(phone, scorer.begin())
    page.click("details.more > summary")
    assert page.get_attribute("[name=points]", "inputmode") == "numeric"
    page.fill("[name=points]", "50")
    page.click(".adjust [data-sign]")
    page.fill("[name=reason]", "tarde")
    page.click(".adjust button.wide")
    page.wait_for_selector('[data-total=A]:text-is("−50")')
    assert phone.faults == []


def test_an_adjustment_of_no_points_or_too_many_is_said_at_its_field_and_stays(
    phone: Watched, scorer: Scorer
) -> None:
    page = phone.page
    opened(phone, scorer.begin())
    page.click("details.more > summary")
    page.fill("[name=reason]", "tarde")
    for points in ("0", "−0", "−", "100001", "−100.001", "101000"):
        page.fill("[name=points]", points)
        page.click(".adjust button.wide")
        assert page.evaluate("document.activeElement.name") == "points"
        assert (page.input_value("[name=points]"), page.input_value("[name=reason]")) == (
            points,
            "tarde",
        )
    page.fill("[name=points]", "100.000")
    page.click(".adjust button.wide")
    page.wait_for_selector('[data-total=A]:text-is("100.000")')
    assert phone.faults == []  # nothing was sent that the server refuses


def test_what_takes_a_counted_hand_out_lies_under_its_form_on_a_tablet(
    phone: Watched, scorer: Scorer
) -> None:
    match, page = our_match(scorer), phone.page
    scorer.form(f"/matches/{match}/count", base_A="100")
    page.set_viewport_size({"width": 768, "height": 1024})
    page.goto(f"{phone.base}/matches/{match}")
    page.click(".anotador tbody a")
    page.wait_for_selector("#count[data-ready=yes]")
    form, other = box_of(page.locator("#count")), box_of(page.locator("form:has(#exclude-hand)"))
    assert (other["x"], other["width"]) == (form["x"], form["width"])
    assert other["y"] > form["y"] + form["height"]


def test_points_typed_for_a_hand_outlive_a_reload_of_the_page(
    phone: Watched, scorer: Scorer
) -> None:
    match, page = our_match(scorer), phone.page
    page.goto(f"{phone.base}/matches/{match}")
    page.click('.door[href$="/count"]')
    page.wait_for_selector("#count[data-ready=yes]")
    page.fill("[name=base_A]", "300")
    page.fill("[name=puntos_B]", "−45")
    page.reload()
    page.wait_for_selector("#count[data-ready=yes]")
    assert page.input_value("[name=base_A]") == "300"
    assert page.input_value("[name=puntos_B]") == "−45"
    page.click("#count .primary")
    page.wait_for_selector('.huge-figure:text-is("300")')
    page.click('.door[href$="/count"]')  # of another hand
    page.wait_for_selector("#count[data-ready=yes]")
    assert page.input_value("[name=base_A]") == ""
    assert phone.faults == []


def test_points_that_outlive_a_reload_stay_those_of_the_hand_for_which_they_were_typed(
    phone: Watched, scorer: Scorer
) -> None:
    match, page = our_match(scorer), phone.page
    open_form(phone, match)
    page.fill("[name=base_A]", "420")
    scorer.form(f"/matches/{match}/count", base_A="420")  # of another phone
    page.reload()
    page.wait_for_selector("#count[data-ready=yes]")
    page.click("#count .primary")
    page.wait_for_selector('.alert:has-text("alguien ya anotó la mano 1: 420 a 0")')
    assert "409" in phone.faults.pop()
    assert page.title() == "Mano 2 · Anotar a mano – Burako"
    page.reload()  # it has been told
    page.wait_for_selector("#count[data-ready=yes]")
    page.click("#count .primary")
    page.wait_for_selector('.huge-figure:text-is("840")')
    assert phone.faults == []


def test_a_correction_that_nobody_saved_outlives_a_reload_and_is_gone_once_the_form_is_left(
    phone: Watched, scorer: Scorer
) -> None:
    match, page = our_match(scorer), phone.page
    scorer.form(f"/matches/{match}/count", base_A="100", puntos_A="50")
    page.goto(f"{phone.base}/matches/{match}")
    page.click(".anotador tbody a")
    page.wait_for_selector("#count[data-ready=yes]")
    form = page.url
    page.fill("[name=base_A]", "200")
    page.fill("[name=base_B]", "10")
    page.reload()
    page.wait_for_selector("#count[data-ready=yes]")
    assert page.input_value("[name=base_A]") == "200"
    scorer.form(form.removeprefix(phone.base), base_A="500", puntos_A="50")
    page.reload()
    page.wait_for_selector("#count[data-ready=yes]")
    assert page.input_value("[name=base_A]") == "500"  # another phone was quicker
    assert page.input_value("[name=base_B]") == "10"
    page.click(".back a")
    page.click(".anotador tbody a")
    page.wait_for_selector("#count[data-ready=yes]")
    assert page.input_value("[name=base_B]") == "0"


def test_the_match_is_gone_back_from_at_once_after_a_hand_was_counted_by_hand(
    phone: Watched, scorer: Scorer
) -> None:
    match, page = our_match(scorer), phone.page
    page.goto(f"{phone.base}/matches/")
    page.goto(f"{phone.base}/matches/{match}")
    page.click('.door[href$="/count"]')
    page.wait_for_selector("#count[data-ready=yes]")
    page.fill("[name=base_A]", "1.0")
    page.evaluate("document.querySelector('#count').noValidate = true")
    page.click("#count .primary")
    page.wait_for_selector("#wrong")
    assert page.locator("[name=base_A]:focus").count() == 1
    assert "422" in phone.faults.pop()
    page.fill("[name=base_A]", "100")
    page.click("#count .primary")
    page.wait_for_selector('.huge-figure:text-is("100")')
    assert page.url == f"{phone.base}/matches/{match}"
    page.go_back()
    assert page.url == f"{phone.base}/matches/"
    open_form(phone, match)
    page.fill("[name=base_A]", "100")
    page.click("#count .primary")
    page.wait_for_selector('.huge-figure:text-is("200")')
    page.go_back()
    assert page.url == f"{phone.base}/matches/"
    assert phone.faults == []


def test_points_that_did_not_reach_the_server_stay_in_the_form(
    phone: Watched, scorer: Scorer
) -> None:
    match, page = our_match(scorer), phone.page
    open_form(phone, match)
    page.fill("[name=base_A]", "100")
    page.route("**/count", lambda route: route.abort())
    page.click("#count .primary")
    page.wait_for_selector("#toast[data-kind=error]")
    assert page.input_value("[name=base_A]") == "100"
    assert "ERR_FAILED" in phone.faults.pop()
    page.unroute("**/count")
    page.click("#count .primary")
    page.wait_for_selector('.huge-figure:text-is("100")')


@pytest.mark.parametrize("status", [403, 413, 429, 500, 502, 507])
def test_a_refusal_of_points_is_told_in_the_servers_own_words_and_they_stay(
    phone: Watched, scorer: Scorer, status: int
) -> None:
    """A proxy's page has none: then it is told that it did not work, and not that nothing came."""
    match, page = our_match(scorer), phone.page
    open_form(phone, match)
    page.fill("[name=base_A]", "100")
    own = '<section class="failure"><h1>No</h1><p>Así no.</p><p class="links"></p></section>'
    body = "<h1>Bad gateway</h1>" if status == 502 else f"<main>{own}</main>"
    page.route(
        "**/count", lambda route: route.fulfill(status=status, content_type="text/html", body=body)
    )
    page.click("#count .primary")
    told = "No se pudo. Probá de nuevo." if status == 502 else "Así no."
    page.wait_for_selector(f'#refused:text-is("{told}")')
    assert page.locator("#toast:visible, #refused a").count() == 0
    page.unroute("**/count")
    page.click("#count .primary")
    page.wait_for_selector('.huge-figure:text-is("100")')
    phone.faults.clear()  # the refusal


def test_points_for_a_match_that_was_deleted_meanwhile_are_told_to_have_no_match(
    phone: Watched, scorer: Scorer
) -> None:
    match, page = our_match(scorer), phone.page
    open_form(phone, match)
    page.fill("[name=base_A]", "100")
    scorer.form(f"/matches/{match}/delete")
    for _ in range(2):
        page.click("#count .primary")
        page.wait_for_selector('#refused:text-is("Eso no existe, o ya no está.")')
    assert page.input_value("[name=base_A]") == "100"
    phone.faults.clear()  # the refusals


def test_points_outlive_a_changed_code_which_the_form_leads_to(
    phone: Watched, browser: Browser, app: Flask, scorer: Scorer
) -> None:
    match = our_match(scorer)
    with device(browser, phone.base, **FAR) as guest:
        page = guest.page
        page.goto(f"{phone.base}/join#{code_of(app)}")
        page.wait_for_selector("#score-now")
        page.goto(f"{phone.base}/matches/{match}/count")
        page.wait_for_selector("#count[data-ready=yes]")
        page.fill("[name=base_A]", "420")
        renew_code(app)
        page.click("#count .primary")
        page.click('#refused:has-text("Para anotar hace falta el código") a')
        page.fill("#code", code_of(app))
        page.click("#join button")
        page.wait_for_selector("#count[data-ready=yes]")
        assert page.input_value("[name=base_A]") == "420"
        page.click("#count .primary")
        page.wait_for_selector('.huge-figure:text-is("420")')
        guest.faults.clear()  # the refusal
