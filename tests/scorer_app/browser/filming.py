"""A phone whose camera shows a film, on the live page in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from ..devices import Watched, box_of, device, launch
from ..drawn_table import LINE

FPS = 30  # at which chromium plays the film, over and over


@contextmanager
def filmed(
    browser: Browser, served: str, film: Path, *flags: str, **options: Any
) -> Iterator[Watched]:
    """A phone whose camera shows the film. `options` are those of a device."""
    fake = [
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    ]
    seeing = launch(browser.browser_type, *fake, *flags)
    with device(seeing, served, permissions=["camera"], **options) as watched:
        yield watched
        assert watched.faults == []
    seeing.close()


def open_table(watched: Watched) -> str:
    watched.begin()
    watched.page.click(".hand-title a")
    watched.page.click('a.door[href$="/table"]')
    watched.page.wait_for_selector("#live-melds li")
    return match_of(watched.page)


def match_of(page: Page) -> str:
    return page.get_attribute("#table", "data-match") or ""


def tap(page: Page, x: float, y: float) -> None:
    """Tap at a place of the frame, which is 1280 pixels wide."""
    box = box_of(page.locator("#live-overlay"))
    page.locator(".live-view").click(
        position={"x": x / 1280 * box["width"], "y": y / 1280 * box["width"]}
    )


def draw_line(page: Page) -> None:
    page.click("#live-line")
    for x, y in ((20, LINE[0][1]), (1260, LINE[1][1])):
        tap(page, x, y)


RECORD_ALARMS = """
window.alarms = { tones: 0, said: [], felt: 0 };
window.OscillatorNode = class {
  connect(next) { return next; }
  start() { alarms.tones += 1; }
  stop() {}
};
window.GainNode = class { connect(next) { return next; } };
SpeechSynthesis.prototype.speak = words => alarms.said.push(words.text);
navigator.vibrate = () => { alarms.felt += 1; return true; };
"""
