"""The cameras of the live page in a real browser, the phone's, the server's and those on the
network: chosen, lost and found.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, Route

from scorer_app.config import AppConfig
from scorer_app.services.event_bus import table_topic
from scorer_app.web.parts import parts_of
from scorer_app.web.roles import join_code
from vision.live import sources

from ...vision.live.doubles import mjpeg_server
from ..conftest import until
from ..devices import Watched, box_of, device, tile_shown, wait_until
from ..drawn_table import IvoryEyes, Places
from .filming import (
    draw_line,
    drawn,
    end_watches,
    filmed,
    forgive_new_watch,
    match_of,
    open_table,
    start,
)
from .test_sizes import LINES

pytestmark = pytest.mark.browser
WATCHING = '#live-status:text-is("Mirando la mesa.")'
FRAMES_END = (
    "document.getElementById('live-video').srcObject.getVideoTracks()[0].dispatchEvent(new"
    " Event('ended'))"
)


def test_the_page_rests_while_hidden_and_the_camera_may_go_and_return(
    legal: Watched, app: Flask
) -> None:
    page, watch = legal.page, start(legal, app)
    draw_line(page)
    page.wait_for_selector(f'#live-melds li:has-text("Nosotros ·"):has({tile_shown("3R")})')
    page.click("#live-swap")
    page.wait_for_selector(f'#live-melds li:has-text("Ellos ·"):has({tile_shown("3R")})')
    see(page, "hidden")
    sent: list[str] = []
    page.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    page.wait_for_selector('#live-status:has-text("En pausa")')
    page.wait_for_timeout(1500)
    assert len(sent) <= 1  # the frame that was being taken
    see(page, "visible")
    page.wait_for_selector(WATCHING)
    page.evaluate(FRAMES_END)
    page.wait_for_selector('#live-status[data-kind="bad"]:has-text("Se desconectó la cámara")')
    page.evaluate("navigator.mediaDevices.dispatchEvent(new Event('devicechange'))")
    page.wait_for_selector(WATCHING)
    page.reload()
    page.click("#live-start")
    page.wait_for_selector('#live-melds li:has-text("Nosotros ·")')  # the same watch, with its line
    page.wait_for_selector(WATCHING)
    assert parts_of(app).watches.find(match_of(page)) is watch
    assert legal.faults == []
    end_watches(page, app)
    # The line is remembered for the next page.
    page.wait_for_selector(f'#live-melds li:has-text("Ellos ·"):has({tile_shown("3R")})')
    forgive_new_watch(legal)


def test_a_tap_is_not_lost_when_the_last_picture_comes_while_the_finger_is_down(
    legal: Watched, app: Flask
) -> None:
    """The picture would push the button from under the finger, and the tap would be no click."""
    page, _watch = legal.page, start(legal, app)
    held: list[Route] = []
    page.route("**/picture.jpg*", lambda route: held.append(route))
    page.reload()
    until(lambda: (page.title(), len(held)), lambda seen: seen[1] == 1)
    box = box_of(page.locator("#live-start"))
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    held[0].continue_()
    wait_until(page, "document.getElementById('live-picture').src.startsWith('blob:')")
    wait_until(page, "document.getElementById('live-picture').complete")
    page.wait_for_timeout(300)
    page.mouse.up()
    page.wait_for_selector(WATCHING)


def see(page: Page, state: str) -> None:
    page.evaluate(
        "state => { Object.defineProperty(document, 'visibilityState', { value: state,"
        " configurable: true }); document.dispatchEvent(new Event('visibilitychange')); }",
        state,
    )


@pytest.fixture
def config(config: AppConfig) -> AppConfig:
    return replace(
        config,
        allowed_hosts=frozenset({"burako.test"}),
        cameras=(str(config.data_dir / "table.avi"),),
    )


def test_plain_http_from_a_phone_leaves_the_servers_camera(
    browser: Browser, served: str, app: Flask, config: AppConfig
) -> None:
    parts_of(app).watches.open_eyes = lambda _chosen: IvoryEyes()
    Places().video(Path(config.cameras[0]), legal=30, illegal=20)
    # Browsers take the page as insecure, since the name is not this machine's own.
    plain = served.replace("127.0.0.1", "burako.test")
    with filmed(
        browser, plain, Path("none.mjpeg"), "--host-resolver-rules=MAP burako.test 127.0.0.1"
    ) as watched:
        page = watched.page
        with app.app_context():
            page.goto(f"{plain}/join#{join_code()}")
        page.wait_for_selector("#score-now")
        open_table(watched)
        # The sentence is one element beside its mark, and the command stays whole in it.
        assert page.locator("#live-status > *").count() == 1
        assert page.inner_text("#live-status code") == "burako serve --https"
        for width in range(320, 420, 10):
            page.set_viewport_size({"width": width, "height": 640})
            wait_until(page, f"innerWidth === {width}")
            assert page.evaluate(LINES, "code") == [1], width
        assert page.locator('input[name="camera"][value="typed"]').count() == 0
        assert page.is_disabled("#live-start")
        page.check('input[name="camera"][value="0"]')
        page.click("#live-start")
        page.wait_for_selector("#live-picture:not([hidden])")
        page.wait_for_selector('#live-log li[data-alarming="yes"]')
        wait_until(page, drawn("#live-overlay"))
        page.wait_for_selector("#live-setup:not([hidden])")  # the film is over
        # The browser notes on each plain page that it ignores this header there.
        header = "Cross-Origin-Opener-Policy"
        watched.faults[:] = [fault for fault in watched.faults if header not in fault]


def test_the_host_may_type_a_camera_but_no_file(phone: Watched) -> None:
    open_table(phone)
    phone.page.check('input[name="camera"][value="typed"]')
    phone.page.fill("#live-source", "/etc/passwd")
    phone.page.click("#live-start")
    refused = '#live-status[data-kind="bad"]:has-text("rtsp://")'
    phone.page.wait_for_selector(refused)
    phone.page.check('input[name="camera"][value="device"]')
    phone.page.wait_for_selector('#live-status[data-kind="good"]')
    phone.faults.clear()  # the browser's own note of the refusal


def test_a_network_camera_that_stalls_is_told_and_goes_on(
    phone: Watched, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts_of(app).watches.open_eyes = lambda _chosen: IvoryEyes()
    monkeypatch.setattr(sources, "STALL", 2.0)
    open_table(phone)
    picture = cv2.cvtColor(Places().shown(False), cv2.COLOR_RGB2BGR)
    with contextmanager(mjpeg_server)(picture) as camera:
        phone.page.check('input[name="camera"][value="typed"]')
        phone.page.fill("#live-source", f"http://127.0.0.1:{camera.server_address[1]}/table.mjpg")
        phone.page.click("#live-start")
        phone.page.wait_for_selector('#table[data-melds="2"]')
        phone.page.wait_for_selector(WATCHING)
        camera.state = "silent"
        phone.page.wait_for_selector('#live-status[data-kind="bad"]:has-text("Se cortó el video")')
        camera.state = "on"
        phone.page.wait_for_selector(WATCHING)
        assert phone.page.get_attribute("#table", "data-melds") == "2"
        phone.page.click("#live-stop")
        phone.page.wait_for_selector("#live-setup:not([hidden])")
        assert phone.page.is_visible("#live-hand-over")  # what was seen can still be counted
        phone.page.reload()  # and so it can on a page that never watched
        phone.page.wait_for_selector("#live-line:visible")
        assert not phone.page.is_visible("#live-review")
        phone.page.locator("#live-hand-over").evaluate("one => one.scrollIntoView()")
        phone.page.click("#live-line")
        box = box_of(phone.page.locator("#live-overlay"))
        assert box["y"] > 0  # the page asks for taps on the picture, so it is in sight
        phone.page.click("#live-line")
        draw_line(phone.page)
        phone.page.wait_for_selector('#live-melds li:has-text("Nosotros ·")')
        phone.page.click("#live-hand-over")
        phone.page.wait_for_url(re.compile(r"/hands/"))
        parts_of(app).watches.close()


def test_the_servers_camera_goes_on_after_a_restart_unless_it_was_stopped(
    phone: Watched, app: Flask
) -> None:
    """The page begins a new watch in the restarted server, as long as it has been open all the
    time.
    """
    watches = parts_of(app).watches
    watches.open_eyes = lambda _chosen: IvoryEyes()
    match = open_table(phone)
    page, shown = phone.page, cv2.cvtColor(Places().shown(False), cv2.COLOR_RGB2BGR)
    with contextmanager(mjpeg_server)(shown) as camera:
        page.check('input[name="camera"][value="typed"]')
        page.fill("#live-source", f"http://127.0.0.1:{camera.server_address[1]}/table.mjpg")
        page.click("#live-start")
        page.wait_for_selector('#table[data-melds="2"]')
        page.wait_for_selector("#live-picture:not([hidden])")
        before = watches.of(match)
        watches.forget(match)
        page.wait_for_selector("#toast:has-text('vuelve a mirar')")
        page.wait_for_selector('#table[data-melds="2"]')
        assert watches.of(match) is not before
        page.click("#live-stop")
        page.wait_for_selector("#live-setup:not([hidden])")
        watches.forget(match)
        parts_of(app).event_bus.tell(table_topic(match))
        page.wait_for_selector('#table[data-melds="0"]')
        page.wait_for_timeout(1500)
        assert watches.find(match) is None


@pytest.mark.parametrize(
    ("error", "told"), [("NotAllowedError", "permiso"), ("NotReadableError", "Otro programa")]
)
def test_why_there_is_no_camera_is_said_in_a_sentence(
    phone: Watched, error: str, told: str
) -> None:
    phone.page.add_init_script(  # an empty page has no devices
        "if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia ="
        f" () => Promise.reject(new DOMException('', '{error}'))"
    )
    open_table(phone)
    phone.page.click("#live-start")
    phone.page.wait_for_selector('#live-status[data-kind="bad"]')
    assert told in phone.page.inner_text("#live-status")


def test_a_camera_that_never_answers_is_told_and_may_be_asked_once_more(
    browser: Browser, served: str
) -> None:
    with device(browser, served) as watched:  # a clock that is put forward stays so on its device
        page = watched.page
        page.add_init_script(  # as where a browser's own question was closed without an answer
            "Object.defineProperty(navigator, 'mediaDevices', { value: {"
            " getUserMedia: () => new Promise(() => {}) } })"
        )
        open_table(watched)
        page.clock.install()
        page.click("#live-start")
        page.wait_for_selector('#live-status:text-is("Abriendo la cámara…")')
        assert page.is_disabled("#live-start")
        page.clock.fast_forward(10_000)
        page.wait_for_selector('#live-status[data-kind="bad"]:has-text("todavía no contesta")')
        page.click("#live-start")
        page.wait_for_selector('#live-status:text-is("Abriendo la cámara…")')
        assert watched.faults == []


def test_an_order_without_an_answer_says_that_it_is_not_sent_again(
    legal: Watched, app: Flask
) -> None:
    page, _watch = legal.page, start(legal, app)
    page.route("**/orders*", lambda route: route.abort())
    page.click("#live-review")
    page.wait_for_selector("#toast:text-is('El anotador no contesta. Probá de nuevo.')")
    legal.faults.clear()  # the browser notes the request that got no answer


def test_a_page_without_a_connection_does_not_say_that_another_camera_watches(
    browser: Browser, served: str, legal: Watched, app: Flask
) -> None:
    start(legal, app)
    with device(browser, served) as other:
        other.page.goto(legal.page.url)
        status = other.page.locator("#live-status:has-text('Otro aparato mira la mesa')")
        status.wait_for()
        other.page.context.set_offline(True)
        status.wait_for(state="hidden")
        other.page.wait_for_selector(".offline:visible")
        other.page.context.set_offline(False)
        status.wait_for()
        other.faults.clear()  # the refused requests of the time without a network
