"""Many windows of one browser: it has six connections to the server for all of them together, and a
stream of news takes one for as long as it is open.
"""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from flask import Flask
from playwright.sync_api import Page

from scorer_app.web.parts import parts_of

from ..conftest import Scorer, until
from ..devices import Watched
from ..hands import saved_hand
from .review import opened, shown
from .test_outbox import OPENER, tap_in

pytestmark = pytest.mark.browser
MANY = 8
# Playwright shows each page of a browser without windows: these do what hiding one does.
BECOME = """(state) => {
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def streams(app: Flask, page: Page, count: int) -> None:
    """Wait until the server has so many open streams."""
    bus = parts_of(app).event_bus
    until(lambda: page.wait_for_timeout(10) or bus.open_streams, lambda found: found == count)


def test_eight_windows_side_by_side_leave_connections_for_what_is_tapped(
    phone: Watched, app: Flask, scorer: Scorer
) -> None:
    match = saved_hand(scorer)[1]
    hand = scorer.begin()
    with ExitStack() as windows:
        tallies = [phone.page.context.new_page() for _ in range(MANY - 1)]
        for tally in tallies:
            windows.callback(tally.close)
            tally.goto(f"{phone.base}/matches/{match}")
        opened(phone, hand)
        phone.page.click(OPENER)
        tap_in(phone.page, "3R", "4R", "5R")
        phone.page.wait_for_selector("#hand[data-waiting=no]")
        shown(phone, "3R 4R 5R")
        assert phone.page.locator("body[data-offline=yes]").count() == 0
        streams(app, phone.page, 3)
        scorer.form(f"/matches/{match}/count", base_A="55")
        for tally in tallies:  # also those that only look at times
            tally.wait_for_selector('.huge-figure:text-is("500")')
            assert tally.locator("body[data-offline=yes]").count() == 0


def test_a_hidden_page_holds_no_stream_and_catches_up_when_it_is_seen_again(
    phone: Watched, app: Flask, scorer: Scorer
) -> None:
    hand, page = opened(phone, scorer.begin()), phone.page
    streams(app, page, 1)
    page.evaluate(BECOME, "hidden")
    streams(app, page, 0)
    scorer.tap(hand, "A", "melds", "3R 4R 5R")
    page.evaluate(BECOME, "visible")
    shown(phone, "3R 4R 5R")
    streams(app, page, 1)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    streams(app, page, 0)
    scorer.tap(hand, "A", "melds", "6R")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    shown(phone, "3R 4R 5R 6R")
    streams(app, page, 1)
    assert phone.faults == []
