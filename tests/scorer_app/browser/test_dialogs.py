"""A tile's dialog over the page in a real browser: while it is open, what is behind it cannot be
reached by taps, the Tab key or screen readers.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from ..conftest import Scorer
from ..devices import SECOND_TAP, Watched, box_of, device, wait_until
from ..hands import CANASTA
from .review import opened

pytestmark = pytest.mark.browser
OPEN, TILE = "#picker[open]", '.row [data-key="chip-t1"]'
WIDE = {"width": 1280, "height": 800}  # the keys stand beside the rows
WITHOUT_WATCHER = "delete window.CloseWatcher"
# What a phone's "back" does to a dialog: it asks the watcher made last to close it.
REMEMBER_WATCHER = """() => {
  window.CloseWatcher = class extends CloseWatcher {
    constructor() { super(); window.watcher = this; }
  };
}"""


@pytest.fixture
def wide(browser: Browser, served: str, scorer: Scorer) -> Iterator[Page]:
    """A page with a hand that holds a canasta, at a desktop's size."""
    with device(browser, served, viewport=WIDE) as watched:
        tapped_hand(watched, scorer)
        yield watched.page
        assert watched.faults == []


def tapped_hand(watched: Watched, scorer: Scorer) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    opened(watched, hand)


def open_dialog(page: Page) -> None:
    page.click(TILE)
    page.wait_for_selector('#picker [data-face="13Y"]')


def has_keyboard(page: Page, selector: str) -> None:
    wait_until(page, "selector => document.activeElement.matches(selector)", selector)


def test_the_tab_key_goes_round_in_the_dialog_both_ways(wide: Page) -> None:
    open_dialog(wide)
    has_keyboard(wide, "#picker [data-key=close]")
    wide.keyboard.press("Shift+Tab")
    has_keyboard(wide, "#picker select, #picker .moves :last-child")
    stops = []
    for _ in range(8):
        wide.keyboard.press("Tab")
        stops.append(wide.evaluate("document.activeElement.dataset.key ?? ''"))
    assert wide.evaluate("document.querySelector('#picker').contains(document.activeElement)")
    assert stops.count("close") >= 2
    wide.evaluate("document.querySelector('[data-part=save]').focus()")
    has_keyboard(wide, "#picker [data-key=close]")


def test_screen_readers_are_kept_to_the_dialog_while_it_is_open(wide: Page) -> None:
    undo = wide.get_by_role("button", name="Deshacer")
    assert undo.count() == 1
    open_dialog(wide)
    assert wide.get_by_role("dialog", name="¿Qué ficha es?").count() == 1
    assert wide.get_attribute("#picker", "aria-modal") == "true"
    assert undo.count() == 0
    assert wide.locator("#announce").get_attribute("aria-hidden") is None
    wide.keyboard.press("Escape")
    wide.wait_for_selector("#picker", state="hidden")
    assert undo.count() == 1
    assert wide.locator("main [aria-hidden=true]:not(svg, span, small)").count() == 0


@pytest.mark.parametrize("script", ["", WITHOUT_WATCHER], ids=["a watcher", "the key alone"])
def test_escape_closes_the_dialog_alone_and_the_keyboard_is_where_it_was(
    wide: Page, script: str
) -> None:
    wide.evaluate(script)
    wide.click('[data-slot="A-melds"] [data-open-entry]')
    open_dialog(wide)
    wide.click("#picker h2")  # which takes the keyboard from the key that had it
    wide.keyboard.press("Escape")
    wide.wait_for_selector("#picker", state="hidden")
    has_keyboard(wide, TILE)
    assert wide.locator("#entry").is_visible()
    wide.keyboard.press("Escape")
    wide.wait_for_selector("#entry", state="hidden")


def test_back_on_a_phone_closes_the_dialog(phone: Watched, scorer: Scorer) -> None:
    tapped_hand(phone, scorer)
    phone.page.evaluate(REMEMBER_WATCHER)
    open_dialog(phone.page)
    phone.page.evaluate("watcher.requestClose()")
    phone.page.wait_for_selector("#picker", state="hidden")
    phone.page.wait_for_selector("#hand[data-live=yes]")
    assert phone.faults == []


def leave(page: Page) -> None:
    """Do what the browser's "back" does, on a phone without a CloseWatcher as on a desktop."""
    page.evaluate("history.back()")


def test_the_browsers_back_closes_what_is_on_top_and_stays_on_the_hand(
    phone: Watched, scorer: Scorer
) -> None:
    page = phone.page
    tapped_hand(phone, scorer)
    address, length = page.url, page.evaluate("history.length")
    page.click('[data-slot="A-melds"] [data-open-entry]')
    open_dialog(page)
    leave(page)
    page.wait_for_selector("#picker", state="hidden")
    assert page.locator("#entry").is_visible()
    leave(page)
    page.wait_for_selector("#entry", state="hidden")
    has_keyboard(page, "[data-open-entry]")
    wait_until(page, "() => !history.state")
    assert (page.url, page.evaluate("history.length")) == (address, length + 1)
    assert phone.faults == []


def test_dialogs_opened_one_after_another_leave_one_entry_in_the_history(
    phone: Watched, scorer: Scorer
) -> None:
    page = phone.page
    tapped_hand(phone, scorer)
    address, length = page.url, page.evaluate("history.length")
    for _ in range(3):
        open_dialog(page)
        page.wait_for_timeout(SECOND_TAP)
        page.click("#picker [data-key=close]")
        page.wait_for_selector("#picker", state="hidden")
        page.wait_for_timeout(SECOND_TAP)
    open_dialog(page)
    page.evaluate("""() => new Promise((left) => {
      addEventListener("popstate", () => left(), { once: true });
      document.querySelector("#picker [data-key=close]").click();
      setTimeout(() => document.querySelector('.row [data-key="chip-t1"]').click(), 5);
    })""")
    page.wait_for_selector(OPEN)
    assert page.evaluate("history.length") == length + 1
    page.reload()
    page.wait_for_selector("#hand[data-live=yes]")
    wait_until(page, "() => !history.state")
    assert (page.url, page.locator(OPEN).count()) == (address, 0)
    page.go_back()
    assert page.url != address
    assert phone.faults == []


def test_a_dialog_opened_again_at_once_stays_open(wide: Page) -> None:
    """The browser tells of the first dialog's end when the second one is open already."""
    open_dialog(wide)
    wide.evaluate("""async () => {
      const dialog = document.querySelector("#picker");
      const told = new Promise((resolve) => dialog.addEventListener("close", resolve));
      dialog.querySelector("[data-key=close]").click();
      document.querySelector('.row [data-key="chip-t1"]').click();
      await told;
    }""")
    assert wide.locator(OPEN).count() == 1


def test_a_tap_beside_the_dialog_closes_it_and_does_nothing_else(wide: Page) -> None:
    place = box_of(wide.locator("label:has(input[name=end][value=A])"))
    x, y = place["x"] + 10, place["y"] + 10
    open_dialog(wide)
    wide.mouse.click(x, y)
    wide.wait_for_selector("#picker", state="hidden")
    assert wide.locator("input[name=end]:checked").count() == 0
    has_keyboard(wide, TILE)
    wide.wait_for_timeout(SECOND_TAP)
    wide.mouse.click(x, y)
    wide.wait_for_selector("input[name=end][value=A]:checked", state="attached")


def test_the_keyboard_stays_on_a_tile_that_was_corrected(wide: Page) -> None:
    open_dialog(wide)
    wide.click('#picker [data-face="13Y"]')
    wide.wait_for_selector("#hand[data-waiting=no]")
    wide.wait_for_selector(OPEN, state="hidden")
    has_keyboard(wide, TILE)


def test_a_tile_that_another_phone_removes_takes_its_dialog_along_and_says_so(
    phone: Watched, scorer: Scorer
) -> None:
    tapped_hand(phone, scorer)
    open_dialog(phone.page)
    scorer.edit(scorer.begin(), {"op": "remove_tile", "tile": "t1"})
    phone.page.wait_for_selector(OPEN, state="hidden")
    phone.page.wait_for_selector('#toast:has-text("ya no está: la mano cambió recién")')
