"""Tiles are entered with few taps or keys, and everything is reached without many presses of
Tab.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from scorer_app.texts.languages import Language

from ..conftest import Scorer
from ..devices import LOCALES, Watched, box_of, device
from ..hands import CANASTA, send, when_read
from ..layout import layout_faults
from ..pictures import RecordedReader, picture_of
from .review import opened, shown

pytestmark = pytest.mark.browser
OPENER = '[data-slot="A-melds"] [data-open-entry]'
LAPTOP = {"width": 1280, "height": 800}


def test_a_range_is_three_taps(phone: Watched, scorer: Scorer) -> None:
    opened(phone, scorer.begin())
    phone.page.click(OPENER)
    phone.taps = 0
    phone.tap('#entry [data-face="3R"]')
    phone.tap("#entry [data-key=range]")
    phone.tap('#entry [data-face="9R"]')
    shown(phone, "3R 4R 5R 6R 7R 8R 9R")
    assert phone.taps == 3
    phone.page.wait_for_selector(".row[data-canasta=pura]")
    for key in ("new-meld", "face-8R", "range", "face-8K"):
        phone.page.click(f"#entry [data-key={key}]")
    shown(phone, "3R 4R 5R 6R 7R 8R 9R", "8R 8B 8K")
    phone.totals()
    phone.page.click("#entry [data-key=close]")
    phone.page.wait_for_selector('[data-part=undo] small:text-is("agregar de 8 azul a 8 negro")')
    phone.page.click("[data-part=undo]")
    shown(phone, "3R 4R 5R 6R 7R 8R 9R", "8R")


def test_a_range_that_is_tapped_downwards_is_filled_in(phone: Watched, scorer: Scorer) -> None:
    opened(phone, scorer.begin())
    phone.page.click(OPENER)
    for key in ("face-9Y", "range", "face-5Y"):
        phone.page.click(f"#entry [data-key={key}]")
    phone.page.wait_for_selector("#hand[data-waiting=no]")
    shown(phone, "9Y 8Y 7Y 6Y 5Y")
    assert phone.page.locator(".row").get_attribute("data-state") == "legal"
    assert phone.faults == []


@pytest.mark.parametrize("locale", LOCALES.values())
def test_a_range_that_cannot_be_adds_nothing_says_so_and_is_ended_elsewhere(
    browser: Browser, served: str, scorer: Scorer, locale: str
) -> None:
    small = {"viewport": {"width": 320, "height": 568}, "locale": locale}
    with device(browser, served, **small) as phone:
        opened(phone, scorer.begin())
        phone.page.click(OPENER)
        for key in ("face-9Y", "range", "face-5R"):
            phone.page.click(f"#entry [data-key={key}]")
        phone.page.wait_for_selector("#toast:visible")
        if locale == "es-AR":
            told = "De 9 amarillo a 5 rojo no hay nada de corrido"
            assert phone.page.inner_text("#toast").startswith(told)
        assert layout_faults(phone.page) == []
        shown(phone, "9Y")
        phone.page.click("#entry [data-key=face-11Y]")
        shown(phone, "9Y 10Y 11Y")
        phone.page.click("#entry [data-key=face-12Y]")
        shown(phone, "9Y 10Y 11Y 12Y")
        assert phone.faults == []


def test_tiles_tapped_in_for_the_wrong_side_are_given_to_the_other_one(
    phone: Watched, scorer: Scorer
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.tap(hand, "A", "rack", "9K 13Y")
    opened(phone, hand)
    for label in ("Pasar el juego a Ellos", "Pasar todo a Ellos"):
        phone.page.locator('.area[data-side="A"] .row-more summary').first.click()
        phone.page.click(f'.area[data-side="A"] [aria-label="{label}"]')
    phone.page.wait_for_selector('.area[data-side="A"]', state="detached")
    assert phone.totals() == ["0", "225"]
    phone.page.click("[data-part=undo]")
    phone.wait_for_tiles("A-rack", 2)
    assert phone.faults == []


def test_tapped_tiles_make_their_own_meld_beside_photographed_ones(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R", "8B 8K 8R 8Y")))
    when_read(scorer, hand)
    opened(phone, hand)
    phone.page.click(OPENER)
    for face in ("8B", "9B", "10B"):
        phone.page.click(f'#entry [data-face="{face}"]')
    shown(phone, "3R 4R 5R", "8B 8K 8R 8Y", "8B 9B 10B")
    phone.page.wait_for_selector("#hand[data-waiting=no]")
    shown(phone, "3R 4R 5R", "8B 8K 8R 8Y", "8B 9B 10B")
    assert phone.faults == []


def test_tiles_are_typed_on_a_keyboard(browser: Browser, served: str, scorer: Scorer) -> None:
    with device(browser, served, viewport=LAPTOP) as laptop:
        opened(laptop, scorer.begin())
        laptop.page.click(OPENER)
        laptop.page.keyboard.type("3-9r 10r")
        shown(laptop, "3R 4R 5R 6R 7R 8R 9R 10R")
        laptop.page.keyboard.press("Backspace")
        laptop.page.keyboard.press("Enter")
        laptop.page.keyboard.type("7r 7a 7n 1")
        assert laptop.page.inner_text("#entry kbd") == "1"
        laptop.page.keyboard.press("Backspace")
        shown(laptop, "3R 4R 5R 6R 7R 8R 9R", "7R 7B 7K")
        assert laptop.page.is_visible(".typing-hint")
        laptop.page.click('#entry [data-face="7Y"]')
        laptop.page.keyboard.type("j")  # the button that was clicked has the keyboard
        shown(laptop, "3R 4R 5R 6R 7R 8R 9R", "7R 7B 7K 7Y J")
        assert laptop.faults == []


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 568), (844, 390)])
def test_no_key_moves_while_a_meld_grows_and_the_total_says_whose_it_is(
    browser: Browser, served: str, scorer: Scorer, width: int, height: int
) -> None:
    hand = scorer.begin()
    with device(browser, served, viewport={"width": width, "height": height}) as phone:
        opened(phone, hand)
        phone.page.click(OPENER)
        key = phone.page.locator('#entry [data-face="1Y"]')
        before = box_of(key)
        for count, face in enumerate(("6R", "7R", "8R", "9R", "10R", "11R", "12R", "13R", "J")):
            phone.page.click(f'#entry [data-face="{face}"]')
            phone.page.wait_for_selector(f"#entry .entry-tiles .tile >> nth={count}")
            phone.page.wait_for_selector("#hand[data-waiting=no]")
            assert box_of(key) == before
        assert "canasta impura" in phone.page.inner_text("#entry .hint")
        total = phone.page.inner_text(".entry-total").split()
        assert total == ["Nosotros:", phone.page.inner_text('[data-total="A"]')]
        assert layout_faults(phone.page) == []


@pytest.mark.parametrize("language", LOCALES)
def test_the_total_beside_the_keys_is_not_final_while_a_photograph_is_read(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader, language: Language
) -> None:
    hand = scorer.begin()
    laid = reader.add(picture_of("3R 4R 5R"))
    so_far = {"es": "Hasta acá · Nosotros:", "en": "So far · Us:", "it": "Finora · Noi:"}
    small = {"viewport": {"width": 320, "height": 640}, "locale": LOCALES[language]}
    with device(browser, served, **small) as phone:
        opened(phone, hand)
        phone.page.click(OPENER)
        reader.hold()
        try:
            send(scorer, hand, "A", "melds", laid)
            told = phone.page.locator(f'.entry-total span:text-is("{so_far[language]}")')
            told.wait_for()
            assert told.evaluate("one => one.scrollWidth <= one.clientWidth")
            assert layout_faults(phone.page) == []
        finally:
            reader.go_on.set()
        told.wait_for(state="detached")


def test_an_interval_beside_the_keys_is_seen_whole_on_a_narrow_phone(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    shown_tiles = picture_of(CANASTA, doubts={"9R": ["", "9R"]})
    send(scorer, hand, "A", "melds", reader.add(shown_tiles))
    when_read(scorer, hand)
    scorer.edit(hand, {"op": "add_adjustment", "side": "A", "points": -12345, "reason": "x"})
    with device(browser, served, viewport={"width": 320, "height": 640}) as narrow:
        opened(narrow, hand)
        narrow.page.click(OPENER)
        assert "−12.3" in narrow.page.inner_text(".entry-total")
        assert "…" in narrow.page.inner_text(".entry-total")
        assert layout_faults(narrow.page) == []


def test_saving_is_at_most_twenty_stops_away(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    pictures = {
        ("A", "melds"): picture_of(CANASTA, "3B 4B 9B"),
        ("B", "melds"): picture_of("7B 7K 7Y", "10B 11B 12B"),
        ("A", "rack"): picture_of(loose="5K 1R"),
        ("B", "rack"): picture_of(loose="13B 12R"),
    }
    for (side, place), picture in pictures.items():
        send(scorer, hand, side, place, reader.add(picture))
    when_read(scorer, hand)
    opened(phone, hand)
    stops = 0
    while not phone.page.evaluate("document.activeElement.matches('[data-part=save]')"):
        phone.page.keyboard.press("Tab")
        stops += 1
        assert stops <= 20


def test_tiles_of_a_row_are_one_stop_and_the_arrows_move_between_them(
    phone: Watched, scorer: Scorer
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    opened(phone, hand)
    chips = phone.page.locator(".row-tiles .tile")
    chips.first.focus()
    phone.page.keyboard.press("ArrowRight")
    assert chips.nth(1).evaluate("one => one === document.activeElement")
    phone.page.keyboard.press("ArrowLeft")
    phone.page.keyboard.press("ArrowLeft")
    assert chips.last.evaluate("one => one === document.activeElement")
    assert phone.page.locator('.row-tiles .tile[tabindex="0"]').count() == 1
