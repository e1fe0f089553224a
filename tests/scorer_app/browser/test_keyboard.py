"""A hand on its review screen, by keyboard alone."""

from __future__ import annotations

import re

import pytest

from ..conftest import Scorer, taps
from ..devices import Watched, wait_until
from ..hands import CANASTA, send, when_read
from ..pictures import RecordedReader, picture_of
from .review import SAVE_READY, opened, photographed, shown

pytestmark = pytest.mark.browser


def test_a_hand_is_scored_by_keyboard_alone(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    picture = picture_of(CANASTA, doubts={"9R": ["", "9R"]})
    send(scorer, hand, "A", "melds", reader.add(picture))
    when_read(scorer, hand)
    opened(phone, hand)
    press = phone.page.keyboard.press

    def reach(selector: str, key: str = "Tab") -> None:
        for _ in range(120):
            if phone.page.evaluate(
                "selector => document.activeElement.matches(selector)", selector
            ):
                return
            press(key)
        raise AssertionError(f"{selector} cannot be reached")

    reach("input[name=end]")
    press("Space")
    reach("input[name=muerto-B]")
    press("ArrowRight")
    phone.page.wait_for_selector("#hand[data-waiting=no]")
    reach(".photo .box.doubtful")
    press("Enter")
    reach('#picker [data-key="likely-9R"]')
    press("Enter")
    phone.page.wait_for_selector(".row[data-state=legal]")
    reach("[data-part=question] [data-key=rack-empty]")
    press("Enter")
    reach("[data-part=save]")
    phone.page.wait_for_selector(SAVE_READY)
    press("Enter")
    phone.page.wait_for_url(re.compile(r"/matches/"))
    assert phone.page.inner_text(".anotador tfoot td >> nth=0") == "445"


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_each_answer_by_keyboard_leads_to_the_next_question_and_the_last_one_to_saving(
    phone: Watched, scorer: Scorer, key: str
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.tap(hand, "A", "rack", "9K")
    opened(phone, hand)
    for answer in ("end-stock_exhausted", "muerto-A-yes", "muerto-B-yes", "rack-empty"):
        phone.page.focus(f'[data-part=question] [data-key="{answer}"]')
        phone.page.keyboard.press(key)
        wait_until(
            phone.page,
            "document.querySelector('#hand').dataset.waiting === 'no'"
            " && document.activeElement.matches('[data-key=question], [data-part=save]')",
        )
    assert phone.page.evaluate("document.activeElement.matches('[data-part=save]')")
    phone.page.keyboard.press(key)
    phone.page.wait_for_url(re.compile(r"/matches/"))
    assert phone.faults == []


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_the_same_answer_to_two_questions_in_a_row_is_not_given_twice_by_keyboard(
    phone: Watched, scorer: Scorer, key: str
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.tap(hand, "B", "melds", "9R 9B 9K")
    scorer.edit(hand, {"op": "set_end", "end": "stock_exhausted"})
    muertos = ({"op": "set_muerto", "side": side, "taken": False} for side in "AB")
    scorer.edit(hand, *muertos)
    opened(phone, hand)
    first = phone.page.inner_text("[data-part=question] .question")
    phone.page.focus("[data-part=question] [data-key=rack-empty]")
    phone.page.keyboard.press(key)
    wait_until(
        phone.page,
        "first => document.querySelector('#hand').dataset.waiting === 'no'"
        " && document.querySelector('.question').innerText !== first",
        first,
    )
    assert phone.page.is_visible("[data-part=question] [data-key=rack-empty]")
    assert phone.page.evaluate("document.activeElement.matches('[data-key=question]')")
    assert phone.faults == []


COVERED = """() => {
  const [active, bar] = [document.activeElement, document.querySelector('.hand-bar')];
  if (active === document.body || bar.contains(active)) return false;
  const box = active.getBoundingClientRect();
  return box.height > 0 && box.top >= bar.getBoundingClientRect().top;
}"""


def test_what_the_keyboard_reaches_is_not_covered_by_the_bar(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = photographed(phone, scorer, reader.add(picture_of("3R 4R 5R", "9B 9K 9Y 6R 13K")))
    opened(phone, hand)
    phone.page.wait_for_selector("[data-part=question] .question")
    for _ in range(40):
        phone.page.keyboard.press("Tab")
        assert not phone.page.evaluate(COVERED)


FRAMES = """() => {
  const drawn = (one) => getComputedStyle(one).outlineStyle !== "none";
  const field = document.activeElement;
  return [drawn(field), drawn(field.closest("label"))];
}"""


def test_a_text_field_that_is_typed_in_has_one_frame_and_a_choice_has_one(
    phone: Watched,
) -> None:
    page = phone.page
    page.goto(f"{phone.base}/matches/new")
    page.click("[name=side_a]")
    assert page.evaluate(FRAMES) == [True, False]
    page.focus("[name=players]:checked")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(FRAMES)[1]


def test_the_areas_of_tiles_are_changed_by_keyboard_without_leaving_their_tabs(
    phone: Watched, scorer: Scorer
) -> None:
    opened(phone, scorer.begin())
    page, press = phone.page, phone.page.keyboard.press
    page.focus('[data-slot="A-melds"] [data-open-entry]')
    press("Enter")
    page.wait_for_selector("#entry [aria-selected=true]:focus")
    for key, area in (
        ("ArrowLeft", "Ellos\nAtril"),
        ("ArrowRight", "Nosotros\nJuegos"),
        ("ArrowRight", "Nosotros\nAtril"),
    ):
        press(key)
        assert page.inner_text("#entry [aria-selected=true]:focus") == area
    for key in "9k":
        press(key)
    page.wait_for_selector(".review .tile")
    page.click('#entry [data-key="next"]')
    press("Shift+Tab")  # no tab but that of the area that is open is on the way
    assert page.locator("#entry [role=tab][tabindex='0']").count() == 1
    assert page.inner_text("#entry [aria-selected=true]") == "Ellos\nJuegos"


def test_the_keyboard_goes_on_beside_a_button_that_its_own_press_takes_away(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = photographed(phone, scorer, reader.add(picture_of("3R 4R 5R", "9B 9K 9Y")))
    opened(phone, hand)
    page = phone.page
    page.focus(".photo-tools [data-key^=aside-]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".photo-tools [data-key^=aside-]", state="detached")
    assert page.evaluate("document.activeElement.matches('.photo-tools *')")


def test_the_keyboard_goes_on_at_the_next_tile_where_one_is_removed(
    phone: Watched, scorer: Scorer
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "3R 4R 5R 6R")
    opened(phone, hand)
    page = phone.page
    page.focus('.row [aria-label="4 rojo"]')
    page.keyboard.press("Enter")
    page.focus('#picker [data-key="delete"]')
    page.keyboard.press("Enter")
    page.wait_for_selector('.row button[aria-label="4 rojo"]', state="detached")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "5 rojo"


def test_a_meld_and_a_tile_that_are_moved_by_keyboard_keep_it_and_are_announced(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    photographed(phone, scorer, reader.add(picture_of("3R 4R 5R", "9B 9K 9Y")))
    page, press = phone.page, phone.page.keyboard.press

    def told(words: str, focused: str) -> None:
        page.wait_for_selector(f'#announce:text-is("{words}")', state="attached")
        page.wait_for_selector(f"{focused}:focus")

    page.focus(".row [data-key^=more-]")
    press("Enter")
    page.wait_for_selector(".row-more[open]")
    page.focus(".row [data-key^=other-]")
    press("Enter")
    told("Hecho: mover un juego.", ".area[data-side=B] [data-key^=other-]")
    page.focus('.row [aria-label="4 rojo"]')
    press("Enter")
    page.focus('#picker [data-key="aside"]')
    press("Enter")
    told("Hecho: apartar 4 rojo.", '.area-aside [aria-label="4 rojo"]')
    press("Enter")
    to_rack = "option:text-is('Al atril')"
    page.wait_for_selector(f"#picker {to_rack}", state="attached")
    page.select_option("#picker .moves select", label="Al atril")
    told("Hecho: mover 4 rojo.", '.area [aria-label="4 rojo"]')
    assert page.locator(".area-aside").count() == 0
    assert phone.faults == []


SEEN = """one => {
  const box = document.querySelector(one).getBoundingClientRect();
  const bar = document.querySelector('.hand-bar').getBoundingClientRect();
  return box.height > 0 && box.top >= 0 && box.bottom <= Math.min(innerHeight, bar.top);
}"""
SCROLLED_AWAY = "one => document.querySelector(one).getBoundingClientRect().bottom < 0"


def long_hand(scorer: Scorer) -> str:
    hand = scorer.begin()
    for _ in range(4):
        scorer.tap(hand, "A", "melds", CANASTA)
        scorer.tap(hand, "B", "melds", "9R 9B 9K")
    return hand


@pytest.mark.parametrize("closing", ["Escape", "Enter"])
def test_what_has_the_keyboard_once_the_keys_of_tiles_are_closed_is_seen(
    phone: Watched, scorer: Scorer, closing: str
) -> None:
    opened(phone, long_hand(scorer))
    page, opener = phone.page, '[data-slot="A-melds"] [data-open-entry]'
    page.focus(opener)
    page.keyboard.press("Enter")
    page.wait_for_selector("#entry [aria-selected=true]:focus")
    wait_until(page, SCROLLED_AWAY, opener)
    if closing == "Enter":
        page.focus("#entry [data-key=close]")
    page.keyboard.press(closing)
    page.wait_for_selector("#entry", state="hidden")
    assert page.evaluate("one => document.activeElement.matches(one)", opener)
    assert page.evaluate(SEEN, opener)


def test_a_finger_that_closes_the_keys_of_tiles_leaves_the_page_where_it_is(
    phone: Watched, scorer: Scorer
) -> None:
    opened(phone, long_hand(scorer))
    page, opener = phone.page, '[data-slot="A-melds"] [data-open-entry]'
    page.click(opener)
    wait_until(page, SCROLLED_AWAY, opener)
    page.click("#entry [data-key=close]")
    page.wait_for_selector("#entry", state="hidden")
    assert page.evaluate(SCROLLED_AWAY, opener)


def test_the_keyboard_goes_on_with_the_next_question_where_the_keys_of_tiles_answered_theirs(
    phone: Watched, scorer: Scorer
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.edit(hand, {"op": "set_end", "end": "stock_exhausted"})
    scorer.edit(hand, *({"op": "set_muerto", "side": side, "taken": True} for side in "AB"))
    opened(phone, hand)
    page, press = phone.page, phone.page.keyboard.press
    for key, goes_on in (
        ("rack A", "[data-part=question] [data-key=question]"),
        ("rack B", "[data-part=save]"),
    ):
        tapping = f'[data-key="answers {key}"] [data-key=rack-tap]'
        page.focus(tapping)
        press("Enter")
        page.wait_for_selector("#entry [aria-selected=true]:focus")
        page.keyboard.type("9k")
        page.wait_for_selector(tapping, state="detached")
        press("Escape")
        page.wait_for_selector("#entry", state="hidden")
        assert page.evaluate("one => document.activeElement.matches(one)", goes_on)


def test_arrow_keys_go_through_the_places_for_a_tile_and_enter_moves_it_there(
    phone: Watched, scorer: Scorer
) -> None:
    hand = scorer.begin()
    for faces in ("3R 4R 5R 10K", "8B 8K 8R", "9K 11K 12K"):
        first, *rest = taps("A", "melds", faces)
        scorer.edit(hand, first | {"row": "new"}, *rest)
    opened(phone, hand)
    page, press = phone.page, phone.page.keyboard.press
    page.focus('.row [aria-label="10 negro"]')
    press("Enter")
    places = "#picker .moves select"
    page.wait_for_selector(places)
    texts = page.locator(f"{places} option").all_inner_texts()
    wanted = next(at for at, text in enumerate(texts) if text.startswith("9"))
    assert wanted > 1
    page.focus(places)
    for _ in range(wanted):
        press("ArrowDown")
    assert page.is_visible(places)
    press("Enter")
    shown(phone, "3R 4R 5R", "8B 8K 8R", "9K 11K 12K 10K")
    assert phone.faults == []
