"""A real browser of the chromium family, found on this machine, for the tests of the page.

It notes what leaves the machine, and what breaks in the page.
"""

from __future__ import annotations

import platform
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from playwright.sync_api import (
    Browser,
    BrowserContext,
    BrowserType,
    Error,
    FloatRect,
    Locator,
    Page,
    sync_playwright,
)

from scorer_app.texts.languages import Language

from .pictures import Picture

T = TypeVar("T")
PATIENCE = (
    90_000  # ms until what a test waits for must have come: many times what a busy machine needs
)
NOWHERE = "about:blank"
# What a browser on a device of each language says that it wants.
LOCALES: dict[Language, str] = {"es": "es-AR", "en": "en-GB", "it": "it-IT"}
# ms after a tap in which the page drops another one at the same place, where the first one put
# something else under the finger; and some more.
SECOND_TAP = 700
BETWEEN_LOOKS = 50  # ms: some frames, in which a page that is being drawn moves
# Names of programs on the search path, then Playwright's names for browsers at their usual places.
# The first program is chromium without windows, which needs a third less processor time.
PROGRAMS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "microsoft-edge-stable",
)
CHANNELS = ("chrome", "msedge")
NO_BROWSER = "found no Chromium, Chrome, Edge or Playwright browser that can be driven"
NOT_INSTALLED = ("Executable doesn't exist", "is not found at", "is not supported on")
PHONE = {"width": 390, "height": 844}
# Switches that Playwright sets by default, and two more features to leave out: the lists below the
# address bar, each a busy process of its own beside every page, and a process kept ready for the
# next page. Of two such switches chromium takes the last one alone.
LEFT_OUT = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "SpareRendererForSitePerProcess",
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(LEFT_OUT)}",
]


class NoBrowser(Exception):
    """No browser that these tests can drive is installed."""


@dataclass
class Watched:
    """A page at the phone's size.

    `taps` counts what a person would tap; `faults` lists what broke and must stay empty.
    """

    page: Page
    base: str
    taps: int = 0
    faults: list[str] = field(default_factory=list)

    def tap(self, selector: str) -> None:
        self.taps += 1
        self.page.click(selector)

    def begin(self) -> None:
        """Go from the first page to a new hand, with one tap."""
        self.page.goto(self.base)
        self.tap("#score-now")
        self.page.wait_for_selector("#hand[data-live=yes]")

    def photograph(self, slot: str, *pictures: Picture) -> None:
        """Tap the slot's camera once and give it a photograph, or several that are picked
        together.
        """
        self.taps += 1
        files: list[Any] = [
            {"name": "p.jpg", "mimeType": "image/jpeg", "buffer": picture.data}
            for picture in pictures
        ]
        wanted = "input[multiple]" if len(files) > 1 else "input[capture]"
        self.page.set_input_files(f'[data-slot="{slot}"] {wanted}', files=files)

    def wait_for_tiles(self, slot: str, count: int) -> None:
        words = "1 ficha" if count == 1 else f"{count} fichas"
        self.page.wait_for_selector(f'[data-slot="{slot}"] .slot-status:text-is("{words}")')

    def wait_for_server(self) -> None:
        """Wait until the server has every tap: the page shows what was tapped at once."""
        self.page.wait_for_selector("#hand[data-waiting=no]")

    def totals(self) -> list[str]:
        """Wait until the server has every tap, and return the totals of sides A and B as the page
        shows them.
        """
        self.wait_for_server()
        return [self.page.inner_text(f'[data-total="{side}"]') for side in "AB"]


def tap_twice(page: Page, button: str) -> None:
    """Tap on an element, which `button` selects, as `tap_twice_at` taps at a place."""
    shape = page.locator(button)
    shape.scroll_into_view_if_needed()
    box = box_of(shape)
    tap_twice_at(page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def tap_twice_at(page: Page, x: float, y: float) -> None:
    """Tap at a place of the window, and once more a fifth of a second later.

    That is the time which the taps themselves tell; a busy machine may take longer between them.
    """
    session, begun = page.context.new_cdp_session(page), time.time()
    for late in (0.0, 0.2):
        for kind in ("mousePressed", "mouseReleased"):
            tap = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
            session.send("Input.dispatchMouseEvent", {**tap, "timestamp": begun + late})
        page.wait_for_timeout(200)
    session.detach()


def box_of(shape: Locator) -> FloatRect:
    """Return where an element lies in the window, once it has lain there for two looks in a row:
    while the page draws itself anew an element may be gone, or still move.
    """
    before = None
    for _look in range(PATIENCE // BETWEEN_LOOKS):
        box = shape.bounding_box()
        if box is not None and box == before:
            return box
        before = box
        shape.page.wait_for_timeout(BETWEEN_LOOKS)
    raise AssertionError(f"expected {shape} to lie still, last at {before}")


def wait_until(page: Page, script: str, arg: Any = None) -> None:
    """Wait until a script of the page, an expression or a function of `arg`, is true.

    Playwright's own `wait_for_function` looks only once, since the page's content security policy
    forbids it to look again. While another page takes this one's place the script counts as not
    true yet.
    """
    fault: Error | None = None
    for _look in range(PATIENCE // BETWEEN_LOOKS):
        try:
            if page.evaluate(script, arg):
                return
        except Error as error:
            fault = error
        page.wait_for_timeout(BETWEEN_LOOKS)
    raise AssertionError(f"expected this to become true on the page: {script}") from fault


def pictures_loaded(page: Page) -> None:
    """Wait until every picture of the page has come.

    One that is deleted before it came is answered with 404, which counts as a fault.
    """
    wait_until(page, "[...document.images].every(one => one.complete || !one.checkVisibility())")


def tile_shown(face: str) -> str:
    """Return the selector of a tile as people see it, by its number and colour; `face` is `7R` or
    `J`.
    """
    return (
        '.tile[data-colour="J"]'
        if face == "J"
        else f'.tile[data-colour="{face[-1]}"]:has(.tile-number:text-is("{face[:-1]}"))'
    )


def start_browser() -> Iterator[Browser]:
    """Start a browser of the chromium family, and end it with the iteration.

    Raises NoBrowser where none is installed, or where Playwright, which drives it, cannot run.
    """
    driver = [sys.executable, "-m", "playwright", "--version"]
    if subprocess.run(driver, capture_output=True).returncode != 0:
        raise NoBrowser  # on a machine with next to nothing installed it lacks libatomic
    with sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        yield browser
        browser.close()


def launch(kind: BrowserType, *flags: str) -> Browser:
    """Start the first browser found, with FLAGS and `flags`. Raises NoBrowser where there is
    none.
    """
    return _first_found(lambda **choice: kind.launch(args=[*FLAGS, *flags], **choice))


def _first_found(start: Callable[..., T]) -> T:
    """Start a browser found on the search path, Playwright's own, or Chrome or Edge where they are
    usually installed. Raises NoBrowser where there is none.
    """
    paths = [path for name in PROGRAMS if (path := shutil.which(name))]
    tried: list[dict[str, Any]] = [{"executable_path": path} for path in paths[:1]]
    for choice in [*tried, {}, *({"channel": channel} for channel in CHANNELS)]:
        try:
            return start(**choice)
        except Error as error:
            if not any(missing in error.message for missing in NOT_INSTALLED):
                raise
    raise NoBrowser


def install_command() -> str:
    """Return the command that installs a browser for these tests on this machine."""
    try:
        debian = platform.freedesktop_os_release().get("ID") == "debian"
    except OSError:
        debian = False
    if debian:
        return "apt-get install --no-install-recommends chromium-headless-shell libatomic1"
    return f"{shlex.quote(sys.executable)} -m playwright install --with-deps chromium"


def new_device(browser: Browser, **options: Any) -> BrowserContext:
    context = browser.new_context(
        **{"viewport": PHONE, "locale": "es-AR", "has_touch": True, **options}
    )
    context.set_default_timeout(PATIENCE)
    return context


@contextmanager
def browser_of_its_own(browser: Browser, profile: Path) -> Iterator[BrowserContext]:
    """Open a browser that keeps what pages store in the folder `profile`, and end it afterwards."""
    start = browser.browser_type.launch_persistent_context
    options: dict[str, Any] = {"viewport": PHONE, "locale": "es-AR", "has_touch": True}
    context = _first_found(lambda **choice: start(profile, args=FLAGS, **options, **choice))
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@contextmanager
def device(browser: Browser, base: str, **options: Any) -> Iterator[Watched]:
    """Open a page on a new device, and end the device afterwards."""
    context = new_device(browser, **options)
    with watched_page(context, base) as watched:
        yield watched
    context.close()


@contextmanager
def watched_page(context: BrowserContext, base: str) -> Iterator[Watched]:
    page = context.new_page()
    watched = Watched(page, base)
    page.on("pageerror", lambda error: watched.faults.append(f"page error: {error}"))
    page.on(
        "console",
        lambda told: (
            watched.faults.append(f"console: {told.text} {told.location['url']}")
            if told.type == "error"
            else None
        ),
    )
    page.on(
        "request",
        lambda asked: (
            watched.faults.append(f"left the machine: {asked.url}")
            if not _ours(asked.url, base)
            else None
        ),
    )
    yield watched
    leave_for_good(page)
    page.close()


def leave_for_good(page: Page) -> None:
    """End what the page still asks for, before another test is served.

    A page that has just closed a dialog goes back in its history, and that may end the way to an
    empty page: then it is gone once more.
    """
    try:
        page.goto(NOWHERE)
    except Error as error:
        if "ERR_ABORTED" not in str(error):
            raise
        page.goto(NOWHERE)


def forget_stored(watched: Watched) -> None:
    """Empty what pages of the watched page's address have stored in its browser.

    The page's files that the browser keeps are left.
    """
    session = watched.page.context.new_cdp_session(watched.page)
    kinds = "indexeddb,local_storage,service_workers,cache_storage"
    session.send("Storage.clearDataForOrigin", {"origin": watched.base, "storageTypes": kinds})
    session.detach()


def _ours(url: str, base: str) -> bool:
    return url.startswith((base, "blob:", "data:"))
