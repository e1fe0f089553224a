"""Where a device forces its own colours, as for high contrast, tiles and buttons are still told
apart.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Locator

from ..devices import Watched, box_of, device

pytestmark = pytest.mark.browser
# The inks of base.css and tile.css, RGB: these of tiles, which are the same by day and by night.
INKS = {"3R": 0xB3261E, "3B": 0x17509E, "3K": 0x1E1D1A, "3Y": 0x9A5B00, "J": 0x6B2C91}
# The colours of the edges below the tabs, the first of which is open, and the one around them.
EDGES_OF_TABS = """[
  [...document.querySelectorAll("#entry [role=tab]")].map(
    (tab) => getComputedStyle(tab).borderBottomColor,
  ),
  getComputedStyle(document.getElementById("entry")).backgroundColor,
]"""
NEAR = 24  # levels of each of red, green and blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tiles_keep_their_colours_and_marks_where_the_device_forces_others(
    browser: Browser, served: str, scheme: str
) -> None:
    with device(browser, served, forced_colors="active", color_scheme=scheme) as phone:
        phone.begin()
        phone.page.click('[data-slot="A-melds"] [data-open-entry]')
        for face, ink in INKS.items():
            assert pixels_of(phone.page.locator(f'#entry [data-face="{face}"]'), ink) > 60, face
        edges, ground = phone.page.evaluate(EDGES_OF_TABS)
        assert [edge != ground for edge in edges] == [True, False, False, False]
        assert phone.faults == []


def pixels_of(shape: Locator, colour: int) -> int:
    """Return how many pixels of an element have about this colour, 0xRRGGBB."""
    box_of(shape)
    encoded = np.frombuffer(shape.screenshot(), np.uint8)
    picture = cv2.imdecode(encoded, cv2.IMREAD_COLOR)
    assert picture is not None
    wanted = [colour & 255, colour >> 8 & 255, colour >> 16]  # BGR, as OpenCV reads it
    return int((np.abs(picture.astype(int) - wanted) < NEAR).all(axis=2).sum())


def test_buttons_have_an_edge_and_bars_hide_what_is_scrolled_beneath_them(
    browser: Browser, served: str
) -> None:
    with device(browser, served, forced_colors="active") as phone:
        for path, button in (("/", "#score-now"), ("/matches/new", ".bottom-bar .primary")):
            phone.page.goto(phone.base + path)
            assert style_of(phone, button, "borderTopWidth") == "2px", path
        assert style_of(phone, ".bottom-bar", "backgroundColor").startswith("rgb(")  # not rgba
        assert phone.faults == []


def style_of(phone: Watched, selector: str, name: str) -> str:
    shape = phone.page.locator(selector)
    return str(shape.evaluate("(shape, name) => getComputedStyle(shape)[name]", name))
