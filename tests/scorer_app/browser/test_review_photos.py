"""What a person does to the photographs of a hand on its review screen, in a real browser at a
phone's size.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from ..conftest import Scorer
from ..devices import Watched, box_of, device, wait_until
from ..hands import CANASTA
from ..pictures import RecordedReader, picture_of
from .review import opened, photographed, shown

pytestmark = pytest.mark.browser


def test_a_photograph_is_removed_only_on_a_second_tap_and_outlives_its_file(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = photographed(
        phone, scorer, reader.add(picture_of("3R 4R 5R 6R")), reader.add(picture_of("9R 9B 9K"))
    )
    read = [row["tiles"] for row in scorer.hand(hand)["rows"]]
    scorer.edit(
        hand,
        {"op": "set_tile", "tile": read[0][0], "face": "2R"},
        {"op": "set_tile", "tile": read[0][1], "face": "4R"},
    )
    scorer.edit(
        hand, {"op": "remove_tile", "tile": read[0][3]}, {"op": "remove_tile", "tile": read[1][0]}
    )
    phone.page.click(".photo >> nth=1 >> [data-key^=remove]")
    phone.page.wait_for_selector(
        ".photo >> nth=1 >> [data-key^=remove]:text-is('Sí, quitarla con 1 corrección')"
    )
    # By a key: a click where the last one was, as the page may have scrolled, is a second tap.
    phone.page.press(".photo >> nth=0 >> [data-key^=remove]", "Enter")
    assert phone.page.locator(".photo").count() == 2
    phone.page.click(
        ".photo >> nth=0 >> [data-key^=remove]:text-is('Sí, quitarla con 2 correcciones')"
    )
    shown(phone, "9B 9K")
    # Undo is in view wherever the page has been scrolled to, and brings all of it back.
    phone.page.locator(".sheets").evaluate("part => part.scrollIntoView()")
    undo = phone.page.locator('.undo:has-text("quitar una foto")')
    assert box_of(undo)["y"] >= 0
    undo.click()
    phone.page.wait_for_selector(".photo >> nth=1")
    assert not phone.page.locator(".photo >> nth=0 >> :text('Sí, quitarla')").count()
    rows = scorer.hand(hand)["rows"]
    assert sorted(len(row["tiles"]) for row in rows) == [2, 3]
    remove_first = phone.page.locator(".photo >> nth=0 >> [data-key^=remove]")
    remove_first.press("Enter")
    phone.page.wait_for_selector(".photo >> nth=0 >> :text('Sí, quitarla')")
    remove_first.press("Enter")
    shown(phone, "9B 9K")
    scorer.form("/settings/photos/delete")
    phone.page.reload()
    phone.page.wait_for_selector('.photo-waiting:has-text("ya se borró")')
    shown(phone, "9B 9K")


def test_there_is_time_to_think_before_a_photograph_goes_and_screen_readers_hear_of_it(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader
) -> None:
    with device(browser, served) as phone:  # a clock that is put forward stays so on its device
        phone.page.clock.install()
        photographed(phone, scorer, reader.add(picture_of("3R 4R 5R")))
        heard = phone.page.locator("#announce")
        remove = phone.page.locator(".photo [data-key^=remove]")
        for waited, words in ((8000, "Sí, quitarla"), (3000, "Quitar foto")):
            if waited == 8000:
                remove.press("Enter")
                assert heard.inner_text() == "Sí, quitarla"
            phone.page.clock.fast_forward(waited)
            phone.page.wait_for_selector(f".photo [data-key^=remove]:text-is('{words}')")
        remove.press("Enter")
        remove.press("Enter")
        shown(phone)
        wait_until(phone.page, "document.activeElement.dataset.part === 'undo'")
        assert heard.inner_text() == "Foto quitada. «Deshacer» la trae de vuelta."
        phone.page.clock.fast_forward(60_000)
        phone.page.keyboard.press("Enter")  # there is no hurry
        shown(phone, "3R 4R 5R")


def test_a_photograph_taken_for_the_wrong_side_goes_to_the_other_with_one_choice(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    opened(phone, photographed(phone, scorer, reader.add(picture_of(CANASTA))))
    choice = phone.page.locator(".photo-tools select")
    names = choice.locator("option").all_text_contents()
    assert names == ["Pasar a…", "Ellos · Juegos", "Nosotros · Atril", "Ellos · Atril"]
    choice.focus()
    choice.select_option("Ellos · Juegos")
    phone.page.wait_for_selector('.area[data-side="B"] .photo')
    phone.wait_for_tiles("B-melds", 7)
    assert phone.totals() == ["0", "245"]
    assert phone.page.evaluate("document.activeElement.matches('.area .photo-tools select')")
    choice.select_option("Ellos · Atril")
    phone.wait_for_tiles("B-rack", 7)
    assert phone.totals() == ["0", "−45"]
    assert phone.faults == []


def test_a_photograph_without_tiles_is_told_where_it_was_taken(phone: Watched) -> None:
    phone.begin()
    phone.photograph("B-rack", picture_of("3R 4R 5R"))  # which the reader does not know
    phone.page.wait_for_selector(
        '[data-slot="B-rack"][data-failed=yes] .slot-status:text-is("No se ven fichas en esta'
        ' foto.")'
    )
    assert phone.page.locator(".photo-tools button").all_inner_texts() == [
        "Sacar otra",
        "Quitar foto",
    ]


def test_the_picture_comes_near_the_tiles_and_back(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    photographed(phone, scorer, reader.add(picture_of("3R 4R 5R")))
    box = phone.page.locator(".photo .box polygon").first
    near = box_of(box)
    phone.page.click("[data-key^=zoom]")
    phone.page.wait_for_selector('[data-key^=zoom]:text-is("Acercar")')
    assert near["width"] > 2 * box_of(box)["width"]
