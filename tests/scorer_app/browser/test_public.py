"""A public server in real browsers: who begins a match shares it by links, and a stranger sees
nothing of it.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

from scorer_app.config import AppConfig, Mode

from ..devices import PHONE, Watched, device, wait_until
from .review import shown
from .test_outbox import KEPT, OPENER, tap_in
from .test_pages import LAPTOP, faults_of

pytestmark = pytest.mark.browser


@pytest.fixture
def config(config: AppConfig) -> AppConfig:
    return replace(config, mode=Mode.PUBLIC, photo_days=7, match_days=90)


def begin(phone: Watched) -> str:
    """Begin a match with one tap, and return the address of its page."""
    page = phone.page
    page.goto(f"{phone.base}/")
    page.click("#score-now")
    page.wait_for_selector("#hand[data-live=yes]")
    return f"{phone.base}{page.get_attribute('#hand', 'data-match')}"


def link(page: Page, role: str) -> str:
    return page.locator(f"#{role} .link a").get_attribute("href") or ""


def count_a_hand(page: Page, match: str) -> None:
    page.goto(f"{match}/count")
    for name, points in (("base_A", "300"), ("puntos_A", "45"), ("base_B", "0"), ("puntos_B", "7")):
        page.fill(f"[name={name}]", points)
    page.locator("main form button").last.click()
    page.wait_for_url(match)


def test_a_match_is_shared_by_its_links_alone(browser: Browser, phone: Watched) -> None:
    match = begin(phone)
    phone.page.goto(match)
    phone.page.click(f'a[href="{match.removeprefix(phone.base)}/links"]')
    phone.page.wait_for_url(f"{match}/links")
    views, scores = link(phone.page, "viewer"), link(phone.page, "scorer")
    with (
        device(browser, phone.base) as watcher,
        device(browser, phone.base) as partner,
        device(browser, phone.base) as stranger,
    ):
        watcher.page.goto(views)
        with watcher.page.expect_response(re.compile("/events")):
            watcher.page.reload()
        partner.page.goto(scores)
        expect(partner.page).to_have_url(match)
        count_a_hand(partner.page, match)
        expect(watcher.page.locator(".big-score")).to_contain_text("345")
        watcher.page.goto(f"{phone.base}/")
        expect(watcher.page.locator("#viewed a")).to_have_attribute(
            "href", views.removeprefix(phone.base)
        )
        stranger.page.goto(f"{phone.base}/")
        assert stranger.page.locator(".match-line").count() == 0
        sees_nothing(stranger, f"{match}/links")
        phone.page.click("#viewer summary")
        phone.page.click("#viewer [name=role]")
        expect(phone.page.locator("#viewer .link a")).not_to_have_attribute("href", views)
        sees_nothing(watcher, views)
        phone.page.click("#scorer summary")
        phone.page.click("#scorer [name=role]")
        partner.page.wait_for_selector(".failure")  # by itself
        partner.faults.clear()
        assert partner.faults == []


def test_taps_behind_a_link_that_was_renewed_are_told_to_wait_for_the_new_link(
    browser: Browser, phone: Watched
) -> None:
    """The server answers the same of a hand that is gone, so the page must not say that it is."""
    match = begin(phone)
    hand = phone.page.url
    phone.page.goto(f"{match}/links")
    with device(browser, phone.base) as partner:
        page = partner.page
        page.goto(link(phone.page, "scorer"))
        page.goto(hand)
        page.wait_for_selector("#hand[data-live=yes]")
        page.route("**/edits", lambda route: route.abort())
        page.click(OPENER)
        tap_in(page, "3R", "4R")
        wait_until(page, KEPT, 2)
        page.goto(phone.base)
        renewed = renew_scorer_link(phone.page)
        page.goto(phone.base)
        page.wait_for_selector('#unsent li:has-text("o este teléfono ya no la puede abrir")')
        assert page.locator("#unsent button:visible").count() == 0
        page.click("#unsent summary:text-is('No hay enlace nuevo')")
        page.wait_for_selector("#unsent [data-key=let-go]:visible")
        assert faults_of(page) == []
        page.goto(renewed)
        page.unroute("**/edits")
        page.goto(phone.base)
        page.click('#unsent a:has-text("Abrí la mano y se manda.")')
        page.wait_for_selector("#hand[data-waiting=no][data-live=yes]")
        wait_until(page, KEPT, 0)
        shown(partner, "3R 4R")
        partner.faults.clear()  # the requests that were lost or refused


def renew_scorer_link(page: Page) -> str:
    """Renew the link for scoring on the page of a match's links, and return the new one."""
    before = link(page, "scorer")
    page.click("#scorer summary")
    page.click("#scorer [name=role]")
    expect(page.locator("#scorer .link a")).not_to_have_attribute("href", before)
    return link(page, "scorer")


def sees_nothing(stranger: Watched, address: str) -> None:
    """Check that an address is not found. The browser's console notes that, too, which is no fault
    here.
    """
    answer = stranger.page.goto(address)
    assert answer and answer.status == 404
    assert "Nosotros" not in stranger.page.locator("main").inner_text()
    assert all("404" in fault for fault in stranger.faults)
    stranger.faults.clear()


@pytest.mark.parametrize(("scheme", "size"), [("light", PHONE), ("dark", LAPTOP)])
def test_its_pages_have_no_serious_accessibility_fault(
    browser: Browser, served: str, scheme: str, size: dict[str, int]
) -> None:
    with device(browser, served, color_scheme=scheme, viewport=size) as watched:
        match, found = begin(watched), {}
        for path in (f"{served}/", f"{match}/links", match):
            watched.page.goto(path)
            watched.page.wait_for_load_state("load")
            watched.page.evaluate(
                "document.querySelectorAll('details').forEach(part => part.open = true)"
            )
            found[path] = faults_of(watched.page)
        assert watched.faults == []
    assert not any(found.values()), found
