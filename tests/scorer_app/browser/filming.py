"""Opens the live page in a real browser on a phone whose camera shows a film."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page

from scorer_app.watch.table_watch import TableWatch
from scorer_app.web.parts import parts_of

from ..devices import Watched, box_of, device, launch, wait_until
from ..drawn_table import LINE, IvoryEyes, Places

FPS = 30  # at which chromium plays the film, over and over
Filmed = Callable[[int, int], AbstractContextManager[Watched]]


@contextmanager
def filmed(
    browser: Browser, served: str, film: Path, *flags: str, **options: Any
) -> Iterator[Watched]:
    """Open a phone whose camera shows the film. `options` are those of a device."""
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


@pytest.fixture
def table_filmed(browser: Browser, served: str, app: Flask, tmp_path: Path) -> Filmed:
    """Return a function that gives a phone whose camera shows a table for `legal` seconds with
    legal melds, then for `illegal` seconds with an illegal one, over and over.
    """
    parts_of(app).watches.open_eyes = lambda _chosen: IvoryEyes()

    def given(legal: int, illegal: int) -> AbstractContextManager[Watched]:
        film = tmp_path / "table.mjpeg"
        Places().film(film, legal=legal * FPS, illegal=illegal * FPS)
        return filmed(browser, served, film)

    return given


@pytest.fixture
def legal(table_filmed: Filmed) -> Iterator[Watched]:
    with table_filmed(1, 0) as watched:
        yield watched


def open_table(watched: Watched) -> str:
    watched.begin()
    watched.page.click(".hand-title a")
    watched.page.click('a.door[href$="/table"]')
    watched.page.wait_for_selector("#live-melds li")
    return match_of(watched.page)


def start(watched: Watched, app: Flask) -> TableWatch:
    """Start watching on the page, wait until both melds are seen, and return what the server knows
    of the table.
    """
    match = open_table(watched)
    watched.page.click("#live-start")
    watched.page.wait_for_selector('#table[data-melds="2"]')
    watch: TableWatch = parts_of(app).watches.of(match)
    return watch


def end_watches(page: Page, app: Flask) -> None:
    """End all watches, as at the end of a process, and wait until the page shows nothing of them
    any more.
    """
    page.evaluate("document.querySelector('#live-melds li').dataset.before = 'yes'")
    parts_of(app).watches.close()
    wait_until(page, "!document.querySelector('[data-before]')")


def forgive_new_watch(watched: Watched) -> None:
    """Remove from the page's faults the failed requests that a new watch causes.

    It does not know parts of frames and pictures of events of the watch before, and refuses frames
    while it is busy.
    """
    noted = re.compile("status of (404|409|429) ")
    watched.faults[:] = [fault for fault in watched.faults if not noted.search(fault)]


def match_of(page: Page) -> str:
    return page.get_attribute("#table", "data-match") or ""


def tap(page: Page, x: float, y: float) -> None:
    """Tap at a place of the frame, given in pixels of a frame 1280 pixels wide."""
    box = box_of(page.locator("#live-overlay"))
    page.locator(".live-view").click(
        position={"x": x / 1280 * box["width"], "y": y / 1280 * box["width"]}
    )


def draw_line(page: Page) -> None:
    page.click("#live-line")
    for x, y in ((20, LINE[0][1]), (1260, LINE[1][1])):
        tap(page, x, y)


def drawn(canvas: str) -> str:
    """Return a script that is true when anything is drawn on the canvas."""
    return (
        f"(() => {{ const canvas = document.querySelector('{canvas}'); return"
        " canvas.getContext('2d').getImageData(0, 0, canvas.width,"
        " canvas.height).data.some(Boolean); })()"
    )


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
