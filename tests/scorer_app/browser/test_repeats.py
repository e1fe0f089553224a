"""Pieces that the page may count twice: shown by two photographs, photographed and tapped in as
well, one copy more than the set has.
"""

from __future__ import annotations

import pytest

from ..conftest import Scorer
from ..devices import Watched
from ..hands import closed_hand, send, when_read
from ..layout import layout_faults
from ..pictures import RecordedReader, picture_of
from .review import SAVE_READY, opened, photographed, shown

pytestmark = pytest.mark.browser


def test_a_tile_in_two_photographs_of_one_area_is_counted_once(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    first, second = picture_of("3R 4R 5R", "9R 9B 9K"), picture_of("9R 9B 9K", "7B 7K 7Y")
    photographed(phone, scorer, reader.add(first), reader.add(second))
    asked = phone.page.locator("[data-part=question]")
    assert "Fichas que otra foto ya muestra (3)" in asked.inner_text()
    phone.page.click("[data-key^=repeats]")
    shown(phone, "3R 4R 5R", "9R 9B 9K", "7B 7K 7Y")
    assert "otra foto" not in asked.inner_text()


def test_a_copy_too_many_from_overlapping_photographs_is_offered_as_a_repeat(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    first, second = picture_of("3R 4R 5R", "3R 3B 3K"), picture_of("3R 4R 5R")
    photographed(phone, scorer, reader.add(first), reader.add(second))
    phone.page.click("[data-part=question] [data-key=drop-repeats]")
    shown(phone, "3R 4R 5R", "3R 3B 3K")


def test_repeats_are_offered_only_where_there_are_any(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    first, second = picture_of("3R 4R 5R", "3R 3B 3K"), picture_of("1R 2R 3R", "7B 7K 7Y")
    photographed(phone, scorer, reader.add(first), reader.add(second))
    assert phone.page.inner_text("[data-part=question] .answers") == "Son distintas\nVerlas"
    assert not phone.page.locator("[data-key^=repeats]").count()


def test_the_repeats_of_a_rack_are_named_before_they_are_dropped(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    """Two players of one side may each have one of the two copies."""
    first, second = picture_of(loose="7R 9B 12K"), picture_of(loose="7R 3Y")
    photographed(phone, scorer, reader.add(first), reader.add(second), place="rack")
    shown(phone, "7R 9B 12K 7R 3Y")
    offered = phone.page.locator("[data-key^=repeats]")
    assert offered.locator(".tile").get_attribute("aria-label") == "7 rojo"
    offered.click()
    shown(phone, "7R 9B 12K 3Y")


def test_the_repeats_of_a_row_too_short_for_a_meld_are_named_before_they_are_dropped(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    first, second = picture_of("3R 4R 5R", "3B 4B 5B 6B"), picture_of("3R 4R 5R", "4B 5B")
    photographed(phone, scorer, reader.add(first), reader.add(second))
    answer = phone.page.locator("[data-part=question] [data-key=drop-repeats]")
    named = answer.locator(".tile").evaluate_all("all => all.map(tile => tile.ariaLabel)")
    assert named == ["4 azul", "5 azul"]
    answer.click()
    shown(phone, "3R 4R 5R", "3B 4B 5B 6B")


# For each button the room between its words and the first tile after them, in letters' heights.
ROOM_AFTER_WORDS = """(buttons) => buttons.map((button) => {
  const words = document.createRange();
  words.selectNodeContents(button.firstChild);
  const tile = button.querySelector(".tile").getBoundingClientRect();
  const room = tile.left - words.getBoundingClientRect().right;
  return room / parseFloat(getComputedStyle(button).fontSize);
})"""


def test_the_repeats_of_a_rack_stand_apart_from_the_words_before_them(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    many = "1R 2B 3K 4Y 5R 6B 7K 8Y 9R 10B"
    for repeated in ("7R", many):
        first, second = picture_of(loose=f"{repeated} 12K"), picture_of(loose=f"{repeated} 3Y")
        photographed(phone, scorer, reader.add(first), reader.add(second), place="rack")
        offered = phone.page.locator("[data-key^=repeats], [data-key=drop-repeats]")
        rooms = offered.filter(has=phone.page.locator(".tile")).evaluate_all(ROOM_AFTER_WORDS)
        assert rooms and all(room > 0.2 for room in rooms)
        assert layout_faults(phone.page) == []


def test_one_photograph_given_to_both_sides_is_counted_once_and_its_melds_shared_out(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand, table = scorer.begin(), reader.add(picture_of("3R 4R 5R", "9R 9B 9K"))
    for side in "AB":
        send(scorer, hand, side, "melds", table)
        when_read(scorer, hand)
    opened(phone, hand)
    # This, and who closed.
    assert phone.page.inner_text("[data-part=save]") == "Faltan al menos 2 respuestas"
    phone.page.click("[data-part=question] [data-key=once]")
    shown(phone, "3R 4R 5R", "9R 9B 9K", area='.area[data-side="A"]')
    assert (
        phone.page.inner_text("#toast:visible")
        == "Quedó en Nosotros: los juegos de Ellos, pasalos con «⋯»."
    )
    phone.page.click(".row-more summary >> nth=1")
    phone.page.click(".row-tools .to-other >> nth=1")
    shown(phone, "9R 9B 9K", area='.area[data-side="B"]')
    shown(phone, "3R 4R 5R", area='.area[data-side="A"]')
    phone.page.click('.area[data-side="B"] .to-other')
    shown(phone, "3R 4R 5R", "9R 9B 9K", area='.area[data-side="A"]')


def test_of_a_photograph_given_twice_to_one_side_nothing_is_to_be_shared_out(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand, theirs = scorer.begin(), reader.add(picture_of("3R 4R 5R", "9R 9B 9K"))
    for side, picture in (("A", reader.add(picture_of("7Y 8Y 9Y"))), ("B", theirs), ("B", theirs)):
        send(scorer, hand, side, "melds", picture)
        when_read(scorer, hand)
    opened(phone, hand)
    phone.page.click("[data-part=question] [data-key=once]")
    shown(phone, "7Y 8Y 9Y", "3R 4R 5R", "9R 9B 9K")
    assert not phone.page.inner_text("#toast")


def test_tiles_tapped_in_before_the_photograph_was_read_are_offered_as_repeats(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    scorer.tap(scorer.begin(), "A", "melds", "3R 4R 5R")
    photographed(phone, scorer, reader.add(picture_of("3R 4R 5R", "9R 9B 9K")))
    phone.page.click("[data-part=question] .question")
    assert phone.page.locator(".row-tiles .tile.lit").count() == 3
    phone.page.click("[data-part=question] [data-key=drop-tapped]")
    shown(phone, "3R 4R 5R", "9R 9B 9K")


def test_a_third_copy_over_all_photographs_is_asked_about(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = closed_hand(scorer)
    for place, picture in (("melds", picture_of("3R 3K 3Y")), ("rack", picture_of(loose="3R"))):
        send(scorer, hand, "B", place, reader.add(picture))
    when_read(scorer, hand)
    opened(phone, hand)
    assert "3 veces" in phone.page.inner_text("[data-part=question] .question")
    phone.page.click("[data-part=question] .question")
    assert phone.page.locator(".row-tiles .tile.lit").count() == 3
    # Both copies are shown side by side, since one of them may be misread.
    assert phone.page.locator("#picker .comparison button").count() == 3
    phone.page.click("#picker .comparison button >> nth=0")
    phone.page.wait_for_selector('#picker .comparison button:first-child[aria-pressed="true"]')
    phone.page.keyboard.press("Escape")
    phone.page.click("[data-part=question] [data-key=keep]")
    phone.page.wait_for_selector(SAVE_READY)
