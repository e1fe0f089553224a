"""What goes wrong on an evening at the table and must not cost a score or any work: a rack that
nobody showed, a closing that the rules refuse, a second phone.
"""

from __future__ import annotations

import re

import pytest

from ..conftest import Scorer
from ..devices import Watched
from ..pictures import RecordedReader, picture_of
from .test_review import SAVE_READY, opened

pytestmark = pytest.mark.browser
CANASTA = "3R 4R 5R 6R 7R 8R 9R"
ASKED = "[data-part=question] .question"


def unshown(scorer: Scorer) -> str:
    """A hand that side A closed, with the melds of both sides, and nothing said of B's rack."""
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.tap(hand, "B", "melds", "7B 7K 7Y")
    scorer.edit(
        hand,
        {"op": "set_end", "end": "close", "closed_by": "A"},
        {"op": "set_muerto", "side": "B", "taken": True},
    )
    return hand


def test_a_rack_that_nobody_showed_is_asked_for_and_photographed(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = unshown(scorer)
    opened(phone, hand)
    assert phone.page.inner_text(ASKED) == "¿Y el atril de Ellos?"
    assert phone.page.inner_text("[data-part=save]") == "Falta 1"
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 422
    with phone.page.expect_file_chooser() as chooser:
        phone.page.click("[data-part=question] [data-key=rack-shoot]")
    picture = reader.add(picture_of(loose="13B 12R J"))
    chooser.value.set_files({"name": "p.jpg", "mimeType": "image/jpeg", "buffer": picture.data})
    phone.page.wait_for_selector(SAVE_READY)
    assert phone.totals() == ["445", "45"]


def test_a_rack_that_nobody_showed_is_tapped_in(phone: Watched, scorer: Scorer) -> None:
    opened(phone, unshown(scorer))
    phone.page.click("[data-part=question] [data-key=rack-tap]")
    assert phone.page.inner_text("#entry [aria-selected=true]") == "Ellos\nAtril"
    phone.page.click('#entry [data-face="11K"]')
    phone.page.click("#entry [data-key=close]")
    phone.page.wait_for_selector(SAVE_READY)


def test_that_nothing_was_left_is_said_with_one_tap(phone: Watched, scorer: Scorer) -> None:
    opened(phone, unshown(scorer))
    phone.page.click("[data-part=question] [data-key=rack-empty]")
    phone.page.wait_for_selector(SAVE_READY)
    phone.page.click("[data-part=save]")
    phone.page.wait_for_url(re.compile(r"/matches/"))


def test_without_a_canasta_the_closing_offers_only_what_the_rules_allow(
    phone: Watched, scorer: Scorer
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "3R 4R 5R")
    scorer.edit(hand, {"op": "set_end", "end": "close", "closed_by": "A"})
    opened(phone, hand)
    assert phone.page.locator("[data-part=question] .answers button").all_inner_texts() == ["Nadie"]
    phone.page.click("[data-part=question] .answers button")
    phone.page.wait_for_selector(SAVE_READY)
