"""On paper a match shows its tally, and a hand its melds and its score, without what is tapped."""

from __future__ import annotations

import re
import zlib
from datetime import datetime
from typing import Literal, get_args

import numpy as np
import pytest

from ..conftest import Scorer
from ..devices import Watched
from ..hands import saved_hand

Scheme = Literal["light", "dark"]
pytestmark = pytest.mark.browser
TAPPED = "button:not(.tile, .line), input, select, summary, .bottom-bar, .doors, .slots, .top a"
MELD = ["3R", "4R", "5R", "J"]
STAR = (0x6B, 0x2C, 0x91)  # the colour of a comodín in tile.css, RGB
INK = "getComputedStyle(document.querySelector('%s')).color"


@pytest.mark.parametrize("scheme", get_args(Scheme))
def test_the_tally_and_the_hand_are_printed_black_on_white(
    phone: Watched, scorer: Scorer, scheme: Scheme
) -> None:
    hand, match = saved_hand(scorer)
    day = f"{datetime.now():%d/%m/%Y}"
    page = phone.page
    for path, shown, text in (
        (f"/matches/{match}", ".anotador", "445"),
        (f"/matches/{match}", ".paper", day),
        (f"/hands/{hand}", ".sheets", "445"),
        (f"/hands/{hand}", ".review", "Escalera · canasta pura"),
    ):
        page.goto(phone.base + path)
        page.wait_for_selector(shown)
        page.emulate_media(media="print", color_scheme=scheme)
        assert text in page.inner_text(shown)
        assert page.locator(TAPPED).locator("visible=true").count() == 0
        ground = "getComputedStyle(document.body).background"
        assert page.evaluate(ground).startswith("rgb(255, 255, 255)")
        assert page.evaluate(INK % shown) in ("rgb(0, 0, 0)", "rgb(51, 51, 51)")
    page.emulate_media(media="screen", color_scheme="light")


def test_the_shapes_on_tiles_are_printed_without_the_backgrounds_of_the_page(
    phone: Watched, scorer: Scorer
) -> None:
    """Browsers leave backgrounds out on paper, and a comodín bears nothing else."""
    hand = scorer.begin()
    scorer.edit(hand, {"op": "add_tiles", "side": "A", "place": "melds", "faces": MELD})
    phone.page.goto(f"{phone.base}/hands/{hand}")
    phone.page.wait_for_selector(".review .tile >> nth=3")
    printed = phone.page.pdf(print_background=False)
    star = [round(level / 255, 4) for level in STAR]
    assert any(np.allclose(star, colour, atol=0.002) for colour in fills_of(printed))


def fills_of(pdf: bytes) -> list[list[float]]:
    """Return the colours with which a PDF fills shapes and letters: red, green, blue, 0 to 1."""
    found: list[bytes] = []
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            drawn = zlib.decompress(stream)
        except zlib.error:
            continue  # a typeface or picture that is packed otherwise
        found += re.findall(rb"([\d.]+ [\d.]+ [\d.]+) rg\b", drawn)
    return [[float(level) for level in colour.split()] for colour in found]
