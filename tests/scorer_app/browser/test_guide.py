"""The four photographs of a hand are taken with the camera open inside the page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from ..conftest import Scorer, until
from ..devices import device, launch, wait_until
from ..hands import send, when_read
from ..pictures import RecordedReader, picture_of
from .review import opened

pytestmark = pytest.mark.browser
FILMING = "() => document.querySelector('#guide video').videoWidth > 0"
FAKE = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")


def test_four_photographs_are_taken_one_after_another(
    browser: Browser, served: str, scorer: Scorer
) -> None:
    seeing = launch(browser.browser_type, *FAKE)
    with device(seeing, served, permissions=["camera"]) as phone:
        hand = opened(phone, scorer.begin())
        phone.page.click("[data-part=guide]")
        for number, area in enumerate(
            ("Juegos · Nosotros", "Juegos · Ellos", "Atril · Nosotros", "Atril · Ellos"), 1
        ):
            phone.page.wait_for_selector(f'#guide h2:text-is("{number}/4 · {area}")')
            wait_until(phone.page, FILMING)
            phone.page.click("#guide [data-key=guide-shoot]")
        phone.page.wait_for_selector("#guide", state="hidden")
        wait_until(phone.page, "() => !document.querySelector('[data-busy=yes]')")
        areas = [(photo["side"], photo["place"]) for photo in when_read(scorer, hand)["photos"]]
        assert sorted(areas) == [("A", "melds"), ("A", "rack"), ("B", "melds"), ("B", "rack")]
        assert phone.faults == []
    seeing.close()


def test_the_guide_begins_with_the_first_place_that_has_no_photograph(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    when_read(scorer, hand)
    seeing = launch(browser.browser_type, *FAKE)
    with device(seeing, served, permissions=["camera"]) as phone:
        opened(phone, hand)
        phone.page.click("[data-part=guide]")
        phone.page.wait_for_selector('#guide h2:text-is("2/4 · Juegos · Ellos")')
    seeing.close()


def test_without_a_camera_the_page_offers_none(
    browser: Browser, served: str, scorer: Scorer
) -> None:
    with device(browser, served) as phone:
        phone.page.add_init_script("delete Navigator.prototype.mediaDevices")
        opened(phone, scorer.begin())
        assert phone.page.is_hidden("[data-part=guide]")


def test_the_guide_is_loaded_when_it_is_opened_and_again_where_that_failed(
    browser: Browser, served: str, scorer: Scorer
) -> None:
    seeing = launch(browser.browser_type, *FAKE)
    with device(seeing, served, permissions=["camera"]) as phone:
        asked: list[str] = []
        phone.page.on("request", lambda one: asked.append(one.url.rsplit("/", 1)[1]))
        opened(phone, scorer.begin())
        assert "hand.js" in asked and "guide.js" not in asked
        phone.page.context.set_offline(True)
        phone.page.click("[data-part=guide]")
        phone.page.wait_for_selector('#toast:text-is("El anotador no contesta. Probá de nuevo.")')
        assert phone.page.is_hidden("#guide")
        phone.page.context.set_offline(False)
        phone.page.click("[data-part=guide]")
        phone.page.wait_for_selector('#guide h2:has-text("1/4")')
        wait_until(phone.page, FILMING)
    seeing.close()


def test_a_camera_that_does_not_open_is_told_without_buttons_of_other_pages(
    browser: Browser, served: str, scorer: Scorer
) -> None:
    with device(browser, served) as phone:
        opened(phone, scorer.begin())
        phone.page.evaluate(
            "() => { navigator.mediaDevices.getUserMedia = () =>"
            " Promise.reject(new DOMException('', 'NotFoundError')) }"
        )
        phone.page.click("[data-part=guide]")
        phone.page.wait_for_selector(
            '#toast:text-is("No se encuentra ninguna cámara: conectá una y probá de nuevo.")'
        )
        assert phone.page.is_hidden("#guide")


def test_a_double_tap_takes_one_photograph_and_skips_no_area(
    browser: Browser, served: str, scorer: Scorer
) -> None:
    seeing = launch(browser.browser_type, *FAKE)
    with device(seeing, served, permissions=["camera"]) as phone:
        hand = opened(phone, scorer.begin())
        phone.page.click("[data-part=guide]")
        wait_until(phone.page, FILMING)
        for keys, step in (("shoot shoot", "2/4"), ("shoot skip", "3/4")):
            phone.page.evaluate(
                "keys => keys.forEach(key =>"
                " document.querySelector(`#guide [data-key=guide-${key}]`).click())",
                keys.split(),
            )
            phone.page.wait_for_selector(f'#guide h2:has-text("{step}")')
        # The next area is shown before the photograph of the one that was skipped is sent.
        until(lambda: len(scorer.hand(hand)["photos"]), lambda count: count >= 2)
        wait_until(phone.page, "() => !document.querySelector('[data-busy=yes]')")
        areas = [(photo["side"], photo["place"]) for photo in when_read(scorer, hand)["photos"]]
        assert sorted(areas) == [("A", "melds"), ("B", "melds")]
        assert phone.page.inner_text("#guide h2").startswith("3/4")
    seeing.close()
