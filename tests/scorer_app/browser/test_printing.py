"""On paper a match shows its tally, and a hand its melds and its score, without what is tapped."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, get_args

import pytest

from ..conftest import Scorer
from ..devices import Watched
from ..hands import saved_hand

Scheme = Literal["light", "dark"]
pytestmark = pytest.mark.browser
TAPPED = "button:not(.tile, .line), input, select, summary, .bottom-bar, .doors, .slots, .top a"
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
