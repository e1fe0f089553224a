"""The live page in a real browser whose camera shows a film: what is seen, reported, corrected and
handed over.
"""

from __future__ import annotations

import re

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page

from scorer_app.web.parts import parts_of

from ..devices import Watched, device, tile_shown, wait_until
from ..drawn_table import ILLEGAL, LOOSE, Places
from .filming import (
    Filmed,
    draw_line,
    drawn,
    end_watches,
    forgive_new_watch,
    match_of,
    open_table,
    start,
    tap,
)
from .test_double_taps import held_back, tap_again_while_it_waits
from .test_pages import faults_of

pytestmark = pytest.mark.browser
# A request that came through another machine is not the host's.
FROM_AFAR = {"X-Forwarded-For": "192.168.1.77"}


def test_an_illegal_move_is_told_shown_to_all_and_the_table_handed_to_scoring(
    browser: Browser, served: str, app: Flask, table_filmed: Filmed
) -> None:
    with table_filmed(6, 6) as watched:
        page = watched.page
        match = open_table(watched)
        page.click("#live-start")
        page.wait_for_selector('#table[data-melds="2"]')
        alarm = page.wait_for_selector('#live-log li[data-alarming="yes"]')
        assert alarm and alarm.query_selector(tile_shown(ILLEGAL))
        wait_until(page, "document.querySelector('#live-log img').naturalWidth > 100")
        page.wait_for_selector('#live-melds li[data-state="illegal"]')
        assert page.locator("#live-loose .tile").inner_text() == LOOSE[:-1]
        draw_line(page)
        page.wait_for_selector('#live-melds li:has-text("Nosotros ·")')
        page.wait_for_selector('#live-melds li:has-text("Ellos ·")')
        fill_log(page)
        assert faults_of(page) == []
        followed(browser, served, app, match)
        held = held_back(page, "POST", "/hand-over$")
        tap_again_while_it_waits(page, "#live-hand-over", held)
        assert len(held) == 1  # a second one would delete the pictures that the hand's page shows
        held[0].continue_()
        page.wait_for_url(re.compile(r"/hands/"))
        page.wait_for_selector('[data-slot="B-melds"] .slot-status:text-is("3 fichas")')
        page.wait_for_selector(".area-aside .tile")


def fill_log(page: Page) -> None:
    """List so many events on the page that the list scrolls."""
    log = page.locator("[data-part=log]")
    log.evaluate(
        "log => { while (log.scrollHeight <= log.clientHeight)"
        " log.append(log.firstElementChild.cloneNode(true)) }"
    )


def followed(browser: Browser, served: str, app: Flask, match: str) -> None:
    """Check what another phone shows that was only given the tally's link: the same picture, quads
    and events, and no buttons.
    """
    link = parts_of(app).matches.tally(match).match.viewer_token
    with device(browser, served, extra_http_headers=FROM_AFAR) as guest:
        guest.page.goto(f"{served}/v/{link}")
        guest.page.wait_for_selector("[data-table] img:not([hidden])")
        guest.page.wait_for_selector('[data-table] li[data-alarming="yes"]')
        wait_until(guest.page, drawn("[data-table] canvas"))
        assert guest.page.locator("[data-table] button").count() == 0
        fill_log(guest.page)
        assert faults_of(guest.page) == []
        assert guest.faults == []


def test_a_tile_that_was_misread_is_corrected_by_a_tap_and_stays_so(
    legal: Watched, app: Flask
) -> None:
    page, watch = legal.page, start(legal, app)
    tiles, quads = Places().table_at(0)
    tap(page, *map(float, quads[tiles.index("5R")].mean(axis=0)))
    page.wait_for_selector("#picker image")
    page.click('#picker [data-key="face-9R"]')
    page.wait_for_selector('#live-melds li[data-state="illegal"]')
    assert "Corregida la lectura:" in page.inner_text("#live-log li")
    assert page.locator("#live-log li >> nth=0").locator(tile_shown("9R")).count() > 0
    page.click("#live-review")
    begun = watch.fed
    while watch.fed < begun + 1.2:  # seconds, in which it is looked at again
        page.wait_for_timeout(100)
    page.click('#live-melds button:has-text("Lo aceptamos igual")')
    page.wait_for_selector('#live-melds li[data-state="legal"]:has-text("aceptado")')
    page.click('#live-melds button:has-text("No lo aceptamos")')
    page.wait_for_selector('#live-melds li[data-state="illegal"]')
    page.focus('#live-melds button.tile[aria-label^="9"]')
    page.keyboard.press("Enter")
    page.click('#picker [data-key="face-5R"]')
    page.wait_for_selector('#live-melds button.tile[aria-label^="5"]')
    assert page.locator('#live-melds li[data-state="legal"]').count() == 2


def test_a_page_finds_what_was_said_where_another_process_watches_now(
    legal: Watched, app: Flask
) -> None:
    page, watch = legal.page, start(legal, app)
    draw_line(page)
    page.wait_for_selector('#live-melds li:has-text("Ellos ·")')
    page.click('#live-melds button.tile[aria-label^="5"]')
    page.click('#picker [data-key="face-9R"]')
    page.wait_for_selector('#live-melds li[data-state="illegal"]')
    page.evaluate("localStorage.clear()")  # the line is the server's to know
    end_watches(page, app)
    page.wait_for_selector('#live-melds button.tile[aria-label^="9"]')
    page.wait_for_selector('#live-melds li:has-text("Ellos ·")')
    assert parts_of(app).watches.of(match_of(page)) is not watch
    forgive_new_watch(legal)


def test_the_keyboard_goes_from_the_button_that_starts_to_the_one_that_ends_and_back(
    legal: Watched,
) -> None:
    open_table(legal)
    page = legal.page
    for pressed, next_one in (("start", "stop"), ("stop", "start")):
        page.focus(f"#live-{pressed}")
        page.keyboard.press("Enter")
        page.wait_for_selector(f"#live-{next_one}:focus")
