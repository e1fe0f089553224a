"""The live page in a real browser, its camera fed from a film: seen, told, corrected, handed over;
cameras lost and found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from flask import Flask
from playwright.sync_api import Browser, Page

from scorer_app.config import AppConfig
from scorer_app.services.event_bus import table_topic
from scorer_app.watch.tables import TableWatch
from scorer_app.web.parts import parts_of
from scorer_app.web.roles import join_code
from vision.live import sources

from ...vision.live.doubles import mjpeg_server
from ..devices import Watched, device, tile_shown, wait_until
from ..drawn_table import ILLEGAL, LOOSE, IvoryEyes, Places
from ..layout import enlarge_text, layout_faults, resize_full_screen
from .filming import FPS, RECORD_ALARMS, draw_line, filmed, match_of, open_table, tap
from .test_pages import faults_of
from .test_sizes import LINES

pytestmark = pytest.mark.browser
# A request that came through another machine is not the host's.
FROM_AFAR = {"X-Forwarded-For": "192.168.1.77"}
WATCHING = '#live-status:text-is("Mirando la mesa.")'
FRAMES_END = (
    "document.getElementById('live-video').srcObject.getVideoTracks()[0].dispatchEvent(new"
    " Event('ended'))"
)


Filmed = Callable[[int, int], AbstractContextManager[Watched]]


@pytest.fixture
def table_filmed(browser: Browser, served: str, app: Flask, tmp_path: Path) -> Filmed:
    """Gives a phone whose camera shows a table for some seconds with legal melds, then for some
    with an illegal one, over and over.
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
        page.click("#live-hand-over")
        page.wait_for_url(re.compile(r"/hands/"))
        page.wait_for_selector('[data-slot="B-melds"] .slot-status:text-is("3 fichas")')
        page.wait_for_selector(".area-aside .tile")


def fill_log(page: Page) -> None:
    """List so many events that the list scrolls."""
    log = page.locator("[data-part=log]")
    log.evaluate(
        "log => { while (log.scrollHeight <= log.clientHeight)"
        " log.append(log.firstElementChild.cloneNode(true)) }"
    )


def followed(browser: Browser, served: str, app: Flask, match: str) -> None:
    """On another phone, that was only given the tally's link: the same picture, quads and events,
    and nothing to press.
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
    page.evaluate("document.querySelector('#live-melds li').dataset.before = 'yes'")
    parts_of(app).watches.close()  # as at the end of a process
    wait_until(page, "!document.querySelector('[data-before]')")
    page.wait_for_selector('#live-melds button.tile[aria-label^="9"]')
    page.wait_for_selector('#live-melds li:has-text("Ellos ·")')
    assert parts_of(app).watches.of(match_of(page)) is not watch
    # The browser's own notes of what the new watch refused: parts of the old one's frames, a
    # picture of its events, and a frame that came while it was busy.
    noted = re.compile("status of (404|409|429) ")
    legal.faults[:] = [fault for fault in legal.faults if not noted.search(fault)]


def test_the_page_rests_while_hidden_and_the_camera_may_go_and_return(
    legal: Watched, app: Flask
) -> None:
    page, watch = legal.page, start(legal, app)
    draw_line(page)
    page.wait_for_selector(f'#live-melds li:has-text("Nosotros ·"):has({tile_shown("3R")})')
    page.click("#live-swap")
    page.wait_for_selector(f'#live-melds li:has-text("Ellos ·"):has({tile_shown("3R")})')
    see(page, "hidden")
    page.wait_for_selector('#live-status:has-text("En pausa")')
    before = -1.0
    while before != watch.fed:  # the frame under way
        before = watch.fed
        page.wait_for_timeout(500)
    page.wait_for_timeout(1000)
    assert watch.fed == before
    see(page, "visible")
    page.wait_for_selector(WATCHING)
    page.evaluate(FRAMES_END)
    page.wait_for_selector('#live-status[data-kind="bad"]:has-text("Se desconectó la cámara")')
    page.evaluate("navigator.mediaDevices.dispatchEvent(new Event('devicechange'))")
    page.wait_for_selector(WATCHING)
    page.reload()
    page.click("#live-start")
    page.wait_for_selector('#live-melds li:has-text("Nosotros ·")')  # the same watch, with its line
    assert parts_of(app).watches.find(match_of(page)) is watch
    parts_of(app).watches.close()
    # The line is remembered for the next page.
    page.wait_for_selector('#live-melds li:has-text("Ellos ·")')


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
    phone.page.wait_for_selector("#toast:has-text('rtsp://')")
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


# --- what a person does ---


def start(watched: Watched, app: Flask) -> TableWatch:
    """Start watching on the page, wait until both melds are seen, and return what the server knows
    of the table.
    """
    match = open_table(watched)
    watched.page.click("#live-start")
    watched.page.wait_for_selector('#table[data-melds="2"]')
    watch: TableWatch = parts_of(app).watches.of(match)
    return watch


def see(page: Page, state: str) -> None:
    page.evaluate(
        "state => { Object.defineProperty(document, 'visibilityState', { value: state,"
        " configurable: true }); document.dispatchEvent(new Event('visibilitychange')); }",
        state,
    )


def drawn(canvas: str) -> str:
    """Return the condition that anything is drawn on the canvas, as a script."""
    return (
        f"(() => {{ const canvas = document.querySelector('{canvas}'); return"
        " canvas.getContext('2d').getImageData(0, 0, canvas.width,"
        " canvas.height).data.some(Boolean); })()"
    )


# --- the referee's screen ---

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


REFEREE_SHAPES = [  # width and height in px, text size in percent
    (390, 844, 100),
    (844, 390, 100),
    (320, 640, 150),
    (667, 375, 150),
    (1280, 800, 200),
]


def test_the_referees_full_screen_cuts_off_and_covers_nothing(
    browser: Browser, served: str, app: Flask, tmp_path: Path
) -> None:
    parts_of(app).watches.open_eyes = lambda _chosen: IvoryEyes()
    film = tmp_path / "table.mjpeg"
    Places().film(film, legal=2 * FPS, illegal=60 * FPS)
    with filmed(browser, served, film) as watched:
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
