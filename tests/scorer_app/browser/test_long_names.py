"""Long names of sides and players are told apart and read whole on small screens."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from ..conftest import Scorer
from ..devices import Watched, box_of, device
from ..hands import new_match, send, when_read
from ..layout import broken_words, layout_faults
from ..pictures import RecordedReader, picture_of
from .review import doubtful_hand, opened
from .test_company import played
from .test_questions_on_small_phones import ENDED

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("players", ["4", "2"])
def test_long_names_of_seats_are_whole_and_clear_of_the_piles(
    browser: Browser, served: str, scorer: Scorer, players: str
) -> None:
    seats = ("María Concepción", "Maximiliano", "Maximiliano", "Guillermina")
    names = {f"player_{seat}": name for seat, name in enumerate(seats)}
    sides = {"side_a": "Maximiliano", "side_b": "Alejandra", "known_twice": "maximiliano"}
    match = new_match(scorer, players=players, **sides, **names)
    with device(browser, served, viewport={"width": 320, "height": 640}) as phone:
        phone.page.goto(f"{served}/matches/{match}/deal")
        assert broken_words(phone.page) == []
        felt = box_of(phone.page.locator(".stacks"))
        for seat in map(box_of, phone.page.locator(".seats li").all()):
            is_beside = seat["x"] + seat["width"] <= felt["x"] or seat["x"] >= (
                felt["x"] + felt["width"]
            )
            is_above_or_below = seat["y"] + seat["height"] <= felt["y"] or seat["y"] >= (
                felt["y"] + felt["height"]
            )
            assert is_beside or is_above_or_below


# The least room beside a line of text in each element, px.
ROOM_BESIDE = """elements => elements.map((element) => {
  const text = document.createRange();
  text.selectNodeContents(element);
  const [own, box] = [element, text].map((one) => one.getBoundingClientRect());
  return Math.min(box.left - own.left, own.right - box.right);
})"""


@pytest.mark.parametrize("players", ["4", "2"])
def test_the_names_of_sides_touch_no_border_of_the_seats_that_are_as_wide_as_they_are(
    browser: Browser, served: str, scorer: Scorer, players: str
) -> None:
    sides = {"side_a": "Giovanna e Pierluigi", "side_b": "Massimiliano e Guglielmina"}
    match = new_match(scorer, players=players, **sides)
    with device(browser, served, viewport={"width": 360, "height": 740}) as phone:
        phone.page.goto(f"{served}/matches/{match}/deal")
        wide = ".seats li:nth-child(odd)" if players == "4" else ".seats li"
        rooms = phone.page.locator(wide).evaluate_all(ROOM_BESIDE)
        assert len(rooms) == 2 and min(rooms) >= 8
        assert broken_words(phone.page) == []


def test_what_the_tools_of_a_row_hide_opens_below_its_words_however_long_a_name_is(
    browser: Browser, served: str, scorer: Scorer
) -> None:
    hand = scorer.begin(new_match(scorer, side_b="María Concepción y los vecinos"))
    scorer.tap(hand, "A", "melds", "9R 9B 9K 9Y")
    with device(browser, served) as phone:
        opened(phone, hand)
        phone.page.click(".row-more summary")
        words, sign = (
            box_of(phone.page.locator(part)) for part in (".verdict", ".row-more summary")
        )
        rest = [box_of(button) for button in phone.page.locator(".row-rest button").all()]
        assert sign["y"] < words["y"] + words["height"] and words["y"] < sign["y"] + sign["height"]
        assert len(rest) == 3 and rest[0]["y"] == rest[1]["y"] == rest[2]["y"]
        assert rest[0]["y"] >= words["y"] + words["height"]
        assert phone.faults == []


# The parts of names in the bar of a hand of which the end is cut off.
CUT_NAMES = """() => [...document.querySelectorAll(".totals small > :last-child")]
  .filter((part) => part.scrollWidth > part.clientWidth)
  .map((part) => part.textContent)"""


@pytest.mark.parametrize("width", [320, 360])
@pytest.mark.parametrize("ended", [False, True])
def test_the_totals_of_sides_whose_names_begin_alike_are_told_apart(
    browser: Browser,
    served: str,
    scorer: Scorer,
    reader: RecordedReader,
    width: int,
    ended: bool,
) -> None:
    """The bar is no higher than that of a match whose sides have short names."""
    heights = []
    for names in (("Nosotros", "Ellos"), ("Abuela y Rosa", "Abuela y Juan")):
        hand = scorer.begin(new_match(scorer, side_a=names[0], side_b=names[1]))
        send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R", "9R 9B 9K")))
        when_read(scorer, hand)
        if ended:
            scorer.edit(hand, *ENDED)
        with device(browser, served, viewport={"width": width, "height": 740}) as phone:
            opened(phone, hand)
            assert phone.page.evaluate(CUT_NAMES) == []
            heights.append(box_of(phone.page.locator(".bar-line"))["height"])
            assert phone.faults == []
    assert heights[1] <= heights[0] + 1, heights


def test_long_intervals_keep_the_last_word_of_the_name_before_them(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader
) -> None:
    match = new_match(scorer, side_a="Abuela y Rosa", side_b="Abuela y Juan")
    hand = doubtful_hand(scorer, reader, match)
    with device(browser, served, viewport={"width": 320, "height": 640}) as phone:
        opened(phone, hand)
        phone.page.wait_for_selector('[data-total="B"][data-length="9"]')
        assert phone.page.evaluate(CUT_NAMES) == []
        names = [box_of(part) for part in phone.page.locator(".totals small").all()]
        assert max(box["height"] for box in names) < 20  # one line each
        assert layout_faults(phone.page) == []


# The parts of names in the bar that are in view: how far each begins from the left edge of the name
# and how far it ends from the right one, and its width, in px.
PARTS_IN_VIEW = """() => [...document.querySelectorAll(".totals small")].map((name) => {
  const room = name.getBoundingClientRect();
  const boxes = [...name.children].map((part) => part.getBoundingClientRect());
  const shown = boxes.filter((box) => box.bottom > room.top + 1);
  return shown.map((box) => [box.left - room.left, room.right - box.right, box.width]);
})"""


@pytest.mark.parametrize("width", [320, 360, 390])
def test_a_name_before_a_long_interval_begins_where_others_do_and_no_part_of_it_is_a_sliver(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader, width: int
) -> None:
    match = new_match(scorer, side_a="Abuela y Rosa", side_b="Los Fernández")
    hand = doubtful_hand(scorer, reader, match)
    with device(browser, served, viewport={"width": width, "height": 640}) as phone:
        opened(phone, hand)
        phone.page.wait_for_selector('[data-total="B"][data-length="9"]')
        for parts in phone.page.evaluate(PARTS_IN_VIEW):
            assert abs(parts[0][0]) <= 1 and parts[-1][1] >= -1
            assert min(wide for _left, _right, wide in parts) >= 1.6 * 14
        assert layout_faults(phone.page) == []


CUT_OFF = "one => one.scrollWidth > one.clientWidth"


def test_the_statistics_break_no_name_within_a_word_and_show_the_whole_of_one_that_is_cut_off(
    phone: Watched, scorer: Scorer
) -> None:
    names = ["Maximiliano de la Cruz", "Bartolomeogiangiacomo", "Ana", "Federico Wenceslao"]
    seats = {f"player_{seat}": name for seat, name in enumerate(names)}
    sides = {"side_a": "Los Pérez Esquivel y Compañía", "side_b": "Visitas ilustres"}
    played(scorer, new_match(scorer, **seats, **sides))
    page = phone.page
    page.goto(f"{phone.base}/matches/statistics")
    shown = page.locator(".stats .whole-name")
    assert sorted(shown.all_inner_texts()) == sorted([*names, *sides.values()])
    assert broken_words(page) == []
    for name, is_long in (("Ana", False), ("Bartolomeogiangiacomo", True)):
        one = page.locator(f'#players .whole-name:text-is("{name}")')
        assert one.evaluate(CUT_OFF) == is_long
        one.tap()
        assert not one.evaluate(CUT_OFF)
        assert one.get_attribute("title") == name
    assert phone.faults == []


LONGEST = ("Maximilianoguillerminaconstantinopolitan", "Desoxirribonucleicoparangaricutirimicuar")


@pytest.mark.parametrize("width", [320, 360, 390])
def test_the_longest_names_keep_the_lines_of_the_statistics(
    browser: Browser, served: str, scorer: Scorer, width: int
) -> None:
    for _match in range(2):
        played(scorer, new_match(scorer, side_a=LONGEST[0], side_b=LONGEST[1], target="100"))
    with device(browser, served, viewport={"width": width, "height": 740}) as phone:
        page = phone.page
        page.goto(f"{served}/matches/statistics")
        broken = [word.partition(" in ")[0] for word in broken_words(page)]
        assert sorted(broken) == sorted(LONGEST)  # at the head of the card, where they are whole
        cells = page.locator(".rivals td[data-column]").evaluate_all(
            "cells => cells.map(cell => cell.getBoundingClientRect().height"
            " / parseFloat(getComputedStyle(cell).fontSize))"
        )
        assert len(cells) == 12 and max(cells) < 4  # each beside its name, and none below it
        assert layout_faults(page) == []


@pytest.mark.parametrize("width", [320, 360])
@pytest.mark.parametrize("name", ["Guillerminita", "Maximilianoguillermina", LONGEST[0]])
def test_a_long_name_that_won_is_whole_if_a_line_can_hold_it(
    browser: Browser, served: str, scorer: Scorer, width: int, name: str
) -> None:
    match = new_match(scorer, side_a=name, target="100")
    scorer.form(f"/matches/{match}/count", base_A="300")
    with device(browser, served, viewport={"width": width, "height": 740}) as phone:
        phone.page.goto(f"{served}/matches/{match}")
        broken = [word for word in broken_words(phone.page) if "Victoria de" in word]
        assert bool(broken) == (name in LONGEST)
        assert layout_faults(phone.page) == []
