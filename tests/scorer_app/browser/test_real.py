"""The live page with the shipped networks: a real browser's camera shows a rendered game of
another renderer than ours.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import pytest
from flask import Flask
from playwright.sync_api import Browser

from scorer_app.web.parts import parts_of
from tests.places import SHARED
from vision.live import LiveEvent

from ..devices import tile_shown
from .filming import FPS, draw_line, filmed, match_of, open_table

pytestmark = pytest.mark.browser
VIDEO = SHARED / "videos" / "felt_warm.mp4"
needs_video = pytest.mark.skipif(not VIDEO.exists(), reason="../shared/videos is not there")
FILMED_FPS = 10
# The frames of the video, and the seconds for which it rests at first and after each change.
FRAMES, STILL, CALM = 343, 8.0, 4.0
BEFORE, WRONG, AFTER = 140, 159, 183  # frames: a still table, an 11K laid after the 9K, still so


def film(path: Path, stills: dict[int, float], first: int = 0, last: int | None = None) -> None:
    """Write frames `first` to `last` of the video as a film for a browser's camera. Those in
    `stills` last so many seconds each.
    """
    video, number = cv2.VideoCapture(str(VIDEO)), 0
    with path.open("wb") as out:
        while True:
            done, frame = video.read()
            if not done or (last is not None and number > last):
                break
            if number >= first:
                jpeg = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
                out.write(jpeg * round(stills.get(number, 1 / FILMED_FPS) * FPS))
            number += 1
    video.release()


def truth() -> Any:
    return json.loads(VIDEO.with_suffix(".json").read_text("utf-8"))["events"]


def names(event: LiveEvent, true: Any) -> bool:
    """Whether an event names all tiles that were laid (else taken, else moved), and none that lay
    still.
    """
    told, laid = (
        {str(tile) for tile in event.tiles},
        true["added"] or true["removed"] or true["moved"],
    )
    return set(laid) <= told <= {*true["added"], *true["removed"], *true["moved"]}


@needs_video
def test_the_right_melds_are_shown_and_the_illegal_move_told(
    browser: Browser, served: str, tmp_path: Path
) -> None:
    path = tmp_path / "table.mjpeg"
    film(path, {BEFORE: 5.0, AFTER: 8.0}, BEFORE, AFTER)
    (wrong,) = [event for event in truth() if event["frame"] == WRONG]
    with filmed(browser, served, path) as watched:
        page = watched.page
        open_table(watched)
        page.click("#live-start")
        alarm = page.wait_for_selector('#live-log li[data-alarming="yes"]')
        assert alarm and alarm.query_selector(tile_shown(wrong["added"][0]))
        page.wait_for_selector('#live-melds li[data-state="illegal"]')
        laid = {
            " ".join(row["tiles"]): row["legal"] for row in wrong["table"] if row["kind"] != "pozo"
        }
        state = page.evaluate(
            f"fetch('/api/live/{match_of(page)}/state').then((answer) => answer.json())"
        )
        assert {" ".join(meld["tiles"]): meld["legal"] for meld in state["table"]["melds"]} == laid


@needs_video
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_whole_game_is_told_as_it_was_played(
    browser: Browser, served: str, app: Flask, tmp_path: Path
) -> None:
    path = tmp_path / "table.mjpeg"
    played = truth()[1:]
    film(
        path,
        {event["free_from_frame"] + 8: CALM for event in played} | {0: STILL, FRAMES - 1: 60.0},
    )
    with filmed(browser, served, path) as watched:
        open_table(watched)
        watched.page.click("#live-start")
        watched.page.wait_for_selector("#table:not([data-melds='0'])")
        draw_line(watched.page)
        watch = parts_of(app).watches.of(match_of(watched.page))
        # A busy browser plays the film slower, but leaves nothing out.
        while len(watch.events) < len(played):
            watched.page.wait_for_timeout(500)
        watched.page.wait_for_timeout(3000)
        told = [told.event for told in watch.events]
        assert [event.legal for event in told] == [event["legal"] for event in played]
        assert [
            (event.tiles, true)
            for event, true in zip(told, played, strict=True)
            if not names(event, true)
        ] == []
