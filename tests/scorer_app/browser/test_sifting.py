"""A photograph with many figures that may be tiles: a person looks at them together, and takes out
all that are none with one tap.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import pytest
from playwright.sync_api import Browser

from ..conftest import Scorer
from ..devices import Watched, device
from ..hands import when_read
from ..layout import layout_faults
from ..pictures import Picture, RecordedReader, picture_of

pytestmark = pytest.mark.browser
FIGURES = 24


def printed_cloth(confidence: float = 0.8) -> Picture:
    """A rack of three tiles and FIGURES comodines that are in doubt, as a cloth's figures are. They
    are comodines with the probability `confidence`, if they are tiles.
    """
    picture = picture_of("3R 8B 12K", *["J " * (FIGURES // 3)] * 3)
    reading = deepcopy(picture.reading)
    for tile in reading["tiles"][3:]:
        tile["doubts"], tile["doubtful"], tile["confidence"] = ["faint"], True, confidence
    reading["loose"], reading["melds"] = list(range(len(reading["tiles"]))), []
    return replace(picture, reading=reading)


def seen_together(phone: Watched, scorer: Scorer, cloth: Picture) -> str:
    """Photograph the cloth as a rack and open the dialog that shows what may be no tiles; return
    the id of the hand.
    """
    phone.begin()
    phone.photograph("A-rack", cloth)
    phone.wait_for_tiles("A-rack", 3 + FIGURES)
    hand = phone.page.url.rsplit("/", 1)[1]
    when_read(scorer, hand)
    phone.page.click(".answers [data-key=together]")
    return hand


@pytest.mark.parametrize("size", [(390, 844), (320, 568), (568, 320)])
def test_figures_of_a_cloth_are_taken_out_with_one_tap(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader, size: tuple[int, int]
) -> None:
    cloth = reader.add(printed_cloth())
    with device(browser, served, viewport={"width": size[0], "height": size[1]}) as phone:
        hand = seen_together(phone, scorer, cloth)
        page = phone.page
        page.wait_for_selector("#sifting[open] .finds .close-up")
        assert page.locator("#sifting .finds button").count() == FIGURES
        assert layout_faults(page) == []
        page.click("#sifting .finds button >> nth=7")
        page.click("[data-key=sifted]")
        phone.wait_for_tiles("A-rack", 4)
        phone.wait_for_server()
        left = scorer.hand(hand)
        assert sorted(tile["face"] for tile in left["tiles"].values()) == ["12K", "3R", "8B", "J"]
        assert [one["ask"] for one in left["questions"]].count("tile") == 1
        page.click("[data-part=undo]")
        phone.wait_for_tiles("A-rack", 3 + FIGURES)
        assert phone.faults == []


def test_a_figure_that_is_surely_a_comodin_is_not_asked_about_again(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader
) -> None:
    """The dialog follows what another phone says meanwhile, and the keyboard goes on after it."""
    cloth = reader.add(printed_cloth(confidence=0.99))
    with device(browser, served) as phone:
        hand = seen_together(phone, scorer, cloth)
        page = phone.page
        finds = page.locator("#sifting .finds button")
        assert finds.first.get_attribute("aria-label") == f"1 de {FIGURES}: comodín"
        other = finds.nth(3).get_attribute("data-key").removeprefix("find-")
        scorer.edit(hand, {"op": "remove_tile", "tile": other})
        page.wait_for_selector(f"#sifting [data-key=find-{other}]", state="detached")
        assert finds.count() == FIGURES - 1
        finds.nth(7).click()
        page.focus("[data-key=sifted]")
        page.keyboard.press("Enter")
        phone.wait_for_tiles("A-rack", 4)
        phone.wait_for_server()
        assert [one["ask"] for one in scorer.hand(hand)["questions"]].count("tile") == 0
        assert page.evaluate("document.activeElement.dataset.key") == "question"
        assert page.evaluate("document.querySelector('#sifting').open") is False
        assert phone.faults == []
