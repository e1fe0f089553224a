"""The review of a whole hand on a phone: how much room it takes, and what is seen of it at once."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from ..conftest import Scorer
from ..devices import PHONE, Watched, box_of, device, pictures_loaded, wait_until
from ..hands import send, when_read
from ..pictures import RecordedReader, picture_of
from .review import opened, photographed, shown

pytestmark = pytest.mark.browser
MOST_SCREENS = 2.5
HAND = {  # 65 tiles
    ("A", "melds"): picture_of(
        "3R 4R 5R 6R 7R 8R 9R",
        "5K 6K 7K J 9K 10K 11K 12K",
        "10Y 11Y 12Y 13Y 1Y",
        "1B 2B 3B 4B",
        "8Y 8B 8R",
        "13K 13B 13R 13Y",
    ),
    ("B", "melds"): picture_of(
        "4Y 5Y 6Y 2K 8Y 9Y 10Y", "9B 10B 11B 12B", "10R 11R 12R 13R", "1R 1K 1Y"
    ),
    ("A", "rack"): picture_of(loose="4K 6B 12R 3Y 9K"),
    ("B", "rack"): picture_of(loose="3K 3K 10K 5Y 12Y 13Y J 1R 9R 4B 7B"),
}


def test_65_tiles_fit_two_and_a_half_screens_of_a_phone(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    for (side, place), picture in HAND.items():
        send(scorer, hand, side, place, reader.add(picture))
    when_read(scorer, hand)
    opened(phone, hand)
    assert phone.page.locator(".review .row .tile").count() == 65
    pictures_loaded(phone.page)
    height = phone.page.locator(".review").evaluate("one => one.getBoundingClientRect().height")
    assert height <= MOST_SCREENS * PHONE["height"]


@pytest.mark.parametrize("width", [360, 393])
def test_the_sign_of_a_photograph_that_was_read_lies_under_none_of_its_tools(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader, width: int
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R", "9B 9K 9Y")))
    when_read(scorer, hand)
    with device(browser, served, viewport={"width": width, "height": 844}) as phone:
        opened(phone, hand)
        assert phone.page.locator(".photo-tools .quiet").count() == 5
        sign = box_of(phone.page.locator(".photo .stage[data-state=read]"))
        for tool in phone.page.locator(".photo-tools .quiet").all():
            box = box_of(tool)
            beside = box["x"] >= sign["x"] + sign["width"]
            assert beside or box["y"] >= sign["y"] + sign["height"] - 8
        assert phone.faults == []


def test_a_rack_stands_as_in_the_photograph_or_sorted_and_says_which(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    photographed(phone, scorer, reader.add(picture_of(loose="12R 3Y J 4K 9K 3R")), place="rack")
    shown(phone, "12R 3Y J 4K 9K 3R")
    assert "como en la foto" in phone.page.inner_text(".row .verdict")
    phone.page.click("[data-key^=order-]")
    shown(phone, "3R 12R 4K 9K 3Y J")
    assert "ordenadas" in phone.page.inner_text(".row .verdict")
    phone.page.click("[data-key^=order-]")
    shown(phone, "12R 3Y J 4K 9K 3R")


def test_labels_on_a_photograph_have_their_inks_colour_and_can_be_read(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    photographed(phone, scorer, reader.add(HAND["A", "melds"]))
    labels = phone.page.locator(".photo .box text").evaluate_all(
        "all => all.map(one => [one.textContent, getComputedStyle(one).fill,"
        " one.getBoundingClientRect().height])"
    )
    inks = {text[-1]: fill for text, fill, _height in labels}
    assert len(set(inks.values())) == 5  # four inks and the comodín's
    assert min(height for _text, _fill, height in labels) >= 10


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_warning_looks_like_one(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader, scheme: str
) -> None:
    picture = picture_of("3R 4R 5R")
    picture.reading["notices"] = ["too_blurred"]
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture))
    when_read(scorer, hand)
    with device(browser, served, color_scheme=scheme) as phone:
        opened(phone, hand)
        assert "movida" in phone.page.inner_text('[data-slot="A-melds"] .slot-status')
        looks = phone.page.locator(".photo-notice").evaluate(
            "one => [getComputedStyle(one).backgroundColor,"
            " getComputedStyle(one, '::before').content]"
        )
        assert looks[0] != "rgba(0, 0, 0, 0)"
        assert "⚠" in looks[1]
        sign = "one => getComputedStyle(one, '::before').content"
        assert phone.page.locator(".stage[data-state=read]").evaluate(sign) == "none"


def test_one_photograph_of_the_whole_table_is_parted_by_a_line_racks_too(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    table = picture_of("3K 9B 1R 13Y", "3R 4R 5R", "9B 9K 9Y", "5K 6K 7K", "1B 2B 3B", "4R 11K 8B")
    hand = photographed(phone, scorer, reader.add(table))
    phone.page.click(".photo-tools [data-key^=line]")
    box = box_of(phone.page.locator(".overlay"))
    for x in (0.02, 0.98):
        phone.page.mouse.click(box["x"] + x * box["width"], box["y"] + 0.5 * box["height"])
        wait_until(phone.page, "x => document.querySelector('.line-end') || x > 0.5", x)
    shown(phone, "5K 6K 7K", "1B 2B 3B", "4R 11K 8B", area='.area[data-side="A"]')
    shown(phone, "3R 4R 5R", "9B 9K 9Y", "3K 9B 1R 13Y", area='.area[data-side="B"]')
    assert phone.page.inner_text("#toast") == (
        "Juegos repartidos: Nosotros 2, Ellos 2. Lo que quedó atrás de los juegos va al atril."
    )
    phone.page.wait_for_selector("#hand[data-waiting=no]")
    sides = [(row["side"], row["place"]) for row in scorer.hand(hand)["rows"]]
    melds = [("B", "melds")] * 2 + [("A", "melds")] * 2
    assert sides == [("B", "rack"), *melds, ("A", "rack")]


def test_a_question_below_its_edge_fades_out_until_it_is_scrolled_to(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    asked = "document.querySelector('.asked')"
    fading = f"getComputedStyle({asked}).getPropertyValue('--fading')"
    photographed(phone, scorer, reader.add(picture_of("J 10B 11B J")))
    phone.page.set_viewport_size({"width": 390, "height": 1600})
    wait_until(phone.page, f"innerHeight === 1600 && {asked}.scrollHeight <= {asked}.clientHeight")
    wait_until(phone.page, f"{fading} === '0px'")
    phone.page.set_viewport_size({"width": 360, "height": 400})
    wait_until(phone.page, f"innerHeight === 400 && {asked}.scrollHeight > {asked}.clientHeight")
    wait_until(phone.page, f"parseFloat({fading}) > 20")
    phone.page.evaluate(f"{asked}.scrollTo(0, {asked}.scrollHeight)")
    wait_until(phone.page, f"{fading} === '0px'")
