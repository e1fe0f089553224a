"""The referee of the live page in a real browser: alarms heard and seen, and the full screen."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser

from scorer_app.services.steps import StepKind
from scorer_app.web.parts import parts_of
from vision.live import Watch

from ..conftest import Scorer
from ..devices import Watched, box_of, device, wait_until
from ..hands import new_match
from ..layout import enlarge_text, layout_faults, resize_full_screen
from .filming import RECORD_ALARMS, Filmed, open_table, start
from .test_pages import faults_of

pytestmark = pytest.mark.browser
WIDE = {"width": 844, "height": 390}
ON_SCREEN = """
selector => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return box.width > 0 && box.left >= 0 && box.top >= 0
    && box.right <= innerWidth && box.bottom <= innerHeight;
}
"""


def test_the_referee_is_heard_and_seen_until_the_table_is_mended(table_filmed: Filmed) -> None:
    with table_filmed(6, 9) as watched:
        page = watched.page
        page.add_init_script(RECORD_ALARMS)
        open_table(watched)
        for way in ("sound", "speak", "vibrate"):
            assert page.is_checked(f"#live-{way}")
        page.click("#live-start")
        page.wait_for_selector("#live-controls:not([hidden])")
        page.click("#live-try")
        assert page.evaluate("alarms") == {
            "tones": 3,
            "said": ["Así suena la alarma."],
            "felt": 1,
        }
        page.click("#live-how")
        assert "Nosotros 0, Ellos 0. Empatados." in page.evaluate("alarms.said[1]")
        page.click("#live-referee")
        page.wait_for_selector('#table[data-referee="yes"]')
        page.wait_for_selector(".live-banner:not([hidden])")
        assert "No vale" in page.inner_text(".live-banner h2")
        assert page.inner_text(".banner-rule") and "levantar" in page.inner_text(".banner-fix")
        wait_until(page, "document.querySelector('.live-banner img').naturalWidth > 100")
        assert page.evaluate("alarms.tones") == 6
        assert "9 negro" in page.evaluate("alarms.said[2]")
        assert faults_of(page) == []
        page.wait_for_selector(".live-banner", state="hidden")  # the film takes the tile away
        page.click("#live-leave")
        page.wait_for_selector("#live-referee:visible")
        page.uncheck("#live-vibrate")
        page.reload()
        assert page.is_checked("#live-sound") and not page.is_checked("#live-vibrate")


def test_tiles_of_another_set_than_the_chosen_one_are_told_as_long_as_they_lie_there(
    legal: Watched, app: Flask
) -> None:
    eyes: Any = start(legal, app).eyes
    assert legal.page.locator("#live-set").is_hidden()
    eyes.other_set = True
    legal.page.wait_for_selector("#live-set:visible")
    assert "juego elegido" in legal.page.inner_text("#live-set")
    assert faults_of(legal.page) == []
    eyes.other_set = False
    legal.page.wait_for_selector("#live-set", state="hidden")


def test_a_table_out_of_sight_is_told_until_the_camera_sees_it_again(
    legal: Watched, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(legal, app)
    assert legal.page.locator("#live-sight").is_hidden()
    with monkeypatch.context() as covered:
        covered.setattr(Watch, "is_out_of_sight", True)
        legal.page.wait_for_selector("#live-sight:visible")
        assert "tapada" in legal.page.inner_text("#live-sight")
    legal.page.wait_for_selector("#live-sight", state="hidden")
    assert faults_of(legal.page) == []


def test_on_its_side_the_phone_shows_picture_and_log_at_once(table_filmed: Filmed) -> None:
    with table_filmed(6, 9) as watched:
        page = watched.page
        page.set_viewport_size(WIDE)
        open_table(watched)
        page.click("#live-start")
        page.wait_for_selector(".live-banner:not([hidden])")
        assert page.evaluate(ON_SCREEN, ".live-banner")
        page.click('.live-banner button:has-text("Entendido")')
        shown = ("#live-video", "#live-log li", "#live-tally", "#live-status")
        assert [one for one in shown if not page.evaluate(ON_SCREEN, one)] == []
        page.click("#live-referee")
        page.wait_for_selector('#table[data-referee="yes"]')
        wanted = (*shown, "#live-how", "#live-leave")
        assert [one for one in wanted if not page.evaluate(ON_SCREEN, one)] == []


def test_a_page_of_a_match_that_becomes_one_of_cards_says_so(
    browser: Browser, served: str, app: Flask
) -> None:
    with device(browser, served) as watched:
        match = open_table(watched)
        cards = {"ruleset": "burraco_it", "options": {}, "pieces": "cards"}
        parts_of(app).matches.change(match, StepKind.RULES, "", **cards)
        watched.page.wait_for_selector('.page-note:has-text("solo mesas de fichas")')


def test_a_total_stays_after_a_name_that_is_written_from_right_to_left(
    phone: Watched, scorer: Scorer
) -> None:
    match = new_match(scorer, side_a="\u05d3\u05d5\u05d3", side_b="Ana")
    counted = {"base_A": "0", "puntos_A": "-45", "base_B": "100", "puntos_B": "0"}
    scorer.form(f"/matches/{match}/count", **counted)
    phone.page.goto(f"{phone.base}/matches/{match}/table")
    total, whole = "#live-tally b >> nth=0", "#live-tally > span >> nth=0"
    boxes = [box_of(phone.page.locator(which)) for which in (total, whole)]
    right = [box["x"] + box["width"] for box in boxes]
    assert right[0] == pytest.approx(right[1], abs=1)


def test_a_screen_that_the_browser_fills_too_late_is_given_back(phone: Watched) -> None:
    open_table(phone)
    phone.page.evaluate("""() => {
      const ask = Element.prototype.requestFullscreen;
      const later = new Promise((resolve) => (window.fill = resolve));
      Element.prototype.requestFullscreen = function (...how) {
        return later.then(() => ask.apply(this, how)).finally(() => (window.wasFilled = true));
      };
    }""")
    phone.page.click("#live-referee")
    phone.page.keyboard.press("Escape")
    phone.page.wait_for_selector('#table[data-referee="no"]')
    phone.page.evaluate("fill()")
    wait_until(phone.page, "window.wasFilled && !document.fullscreenElement")


REFEREE_SHAPES = [  # width and height in px, text size in percent
    (390, 844, 100),
    (844, 390, 100),
    (320, 640, 150),
    (667, 375, 150),
    (1280, 800, 200),
]


def test_the_referees_full_screen_cuts_off_and_covers_nothing(
    table_filmed: Filmed,
) -> None:
    with table_filmed(2, 60) as watched:
        page = watched.page
        open_table(watched)
        page.click("#live-start")
        page.wait_for_selector(".live-banner:not([hidden])")
        page.click("#live-referee", force=True)
        page.wait_for_selector('#table[data-referee="yes"]')
        # A tile's dialog is part of what fills the screen.
        wait_until(page, "document.fullscreenElement?.contains(document.querySelector('#picker'))")
        found = {}
        for width, height, percent in REFEREE_SHAPES:
            resize_full_screen(page, width, height)
            enlarge_text(page, percent)
            found[width, height] = layout_faults(page)
        page.click('.live-banner button:has-text("Entendido")')
        for width, height, percent in REFEREE_SHAPES:
            resize_full_screen(page, width, height)
            enlarge_text(page, percent)
            found[width, height, "seen"] = layout_faults(page)
        assert {shape: faults for shape, faults in found.items() if faults} == {}


def test_whoever_follows_is_asked_for_the_one_tap_that_sounds_need(
    legal: Watched, browser: Browser, served: str, app: Flask
) -> None:
    start(legal, app)
    with device(browser, served) as other:
        other.page.goto(legal.page.url)
        other.page.wait_for_selector("#live-unlock:not([hidden])")
        other.page.click("#live-unlock")
        other.page.wait_for_selector("#live-unlock", state="hidden")
        assert other.faults == []
