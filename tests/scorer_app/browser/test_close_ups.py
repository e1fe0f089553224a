"""One side's melds in six close-ups on a small phone: everything keeps to the screen's width, and
all of it can be reached.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from ..conftest import Scorer
from ..devices import device, pictures_loaded
from ..hands import when_read
from ..layout import layout_faults
from ..pictures import RecordedReader, picture_of

pytestmark = pytest.mark.browser
CLOSE_UPS = (
    "3R 4R 5R 6R 7R 8R 9R 10R 11R 12R 13R",  # as many as a drawn photograph is wide
    "3B 4B 5B 6B 7B 8B 9B",
    "3K 4K J 6K 7K 8K 9K",
    "3Y 4Y 5Y 6Y 7Y 8Y 9Y",
    "11B 11K 11Y",
    "12B 12K 12Y 12B 12K 12Y 12R",
)
WIDER = "document.scrollingElement.scrollWidth - innerWidth"
# Lists what of a selector a person cannot bring into view whole in width and then tap.
UNREACHED = """selector => [...document.querySelectorAll(selector)].filter((shape) => {
  shape.scrollIntoView({ block: "center", inline: "nearest" });
  const box = shape.getBoundingClientRect();
  const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return !box.width || box.x < 0 || box.right > innerWidth || !shape.contains(seen);
}).map((shape) => shape.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("height", [568, 320])
def test_six_close_ups_of_one_sides_melds_fit_the_width_of_a_small_phone(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader, height: int
) -> None:
    pictures = [reader.add(picture_of(meld)) for meld in CLOSE_UPS]
    tiles = sum(len(meld.split()) for meld in CLOSE_UPS)
    with device(browser, served, viewport={"width": 320, "height": height}) as phone:
        phone.begin()
        phone.photograph("A-melds", *pictures)
        phone.wait_for_tiles("A-melds", tiles)
        page = phone.page
        hand = when_read(scorer, page.url.rsplit("/", 1)[1])
        assert [photo["place"] for photo in hand["photos"]] == ["melds"] * len(CLOSE_UPS)
        pictures_loaded(page)
        assert page.evaluate(WIDER) <= 0
        assert layout_faults(page) == []
        assert page.locator(".review .photo img").count() == len(CLOSE_UPS)
        assert page.locator(".review .row .tile").count() >= tiles
        for selector in (".photo-frame", ".photo .box", ".photo-tools > *", ".row-tiles .tile"):
            assert page.locator(f".review {selector}").count() >= len(CLOSE_UPS)
            assert page.evaluate(UNREACHED, f".review {selector}") == [], selector
        page.locator(".row-tiles .tile").last.click()
        page.wait_for_selector("#picker[open] .close-up")
        assert phone.faults == []
