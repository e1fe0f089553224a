"""The live page in a real browser, its camera fed from a film: melds and the illegal move are seen; a lost camera is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser

from .browser import FLAGS, Watched, chromium, device
from .drawn_table import LINE, IvoryEyes, Places

pytestmark = pytest.mark.browser
FPS = 30  # at which chromium plays the film, over and over


@pytest.fixture
def filmed(browser: Browser, served: str, app: Flask, tmp_path: Path) -> Iterator[Watched]:
    app.extensions["watches"].open_eyes = IvoryEyes
    film = tmp_path / "table.mjpeg"
    Places().film(film, legal=6 * FPS, illegal=6 * FPS)
    fake = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", f"--use-file-for-fake-video-capture={film}"]
    seeing = browser.browser_type.launch(executable_path=chromium(), args=[*FLAGS, *fake])
    with device(seeing, served, permissions=["camera"]) as watched:
        yield watched
        assert watched.faults == []
    seeing.close()


def test_the_table_is_watched_judged_and_handed_to_scoring(filmed: Watched) -> None:
    page = filmed.page
    open_table(filmed)
    page.click("#live-start")
    page.wait_for_selector('#table[data-melds="2"]')
    page.wait_for_selector('#live-log li[data-alarming="yes"]', timeout=30_000)
    assert "9K" in page.inner_text('#live-log li[data-alarming="yes"]')
    page.wait_for_selector('#live-melds li[data-state="illegal"]', timeout=30_000)
    assert page.evaluate("document.getElementById('live-overlay').width") == 1280
    drawn = "[...document.getElementById('live-overlay').getContext('2d').getImageData(0, 0, 1280, 720).data].some(Boolean)"
    assert page.evaluate(drawn)
    box = page.locator("#live-video").bounding_box()
    assert box
    page.click("#live-line")
    for x, y in ((2, LINE[0][1]), (1278, LINE[1][1])):
        page.locator(".live-view").click(position={"x": x / 1280 * box["width"], "y": y / 720 * box["height"]})
    page.wait_for_selector('#live-melds li:has-text("A ·")')
    page.wait_for_selector('#live-melds li:has-text("B ·")')
    page.evaluate("document.getElementById('live-video').srcObject.getVideoTracks()[0].dispatchEvent(new Event('ended'))")
    assert "Se desconectó la cámara" in page.inner_text("#live-status")
    page.click("#live-start")
    page.wait_for_selector('#live-status:text-is("Mirando la mesa.")')
    page.click("#live-hand-over")
    page.wait_for_url(re.compile(r"/hands/"))
    page.wait_for_selector('[data-slot="B-melds"] .slot-status:text-is("3 fichas")')


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("Object.defineProperty(window, 'isSecureContext', {value: false})", "burako serve --https"),
        ("navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))", "permiso"),
        ("navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotReadableError'))", "Otro programa"),
    ],
)
def test_why_there_is_no_camera_is_said_in_a_sentence(phone: Watched, script: str, told: str) -> None:
    phone.page.add_init_script(script)
    open_table(phone)
    if phone.page.is_enabled("#live-start"):
        phone.page.click("#live-start")
    phone.page.wait_for_selector('#live-status[data-kind="bad"]')
    assert told in phone.page.inner_text("#live-status")


def open_table(watched: Watched) -> None:
    watched.begin()
    watched.page.click(".hand-title a")
    watched.page.click('a.door[href$="/table"]')
    watched.page.wait_for_selector("#live-melds li")
