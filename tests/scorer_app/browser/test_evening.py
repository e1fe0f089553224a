"""What goes wrong on an evening at the table and must cost neither a score nor any work: a rack
that nobody photographed, a closing that the rules refuse, a second phone.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser

from ..conftest import Scorer
from ..devices import Watched, box_of, device, wait_until
from ..hands import new_match, when_read
from ..pictures import RecordedReader, picture_of
from .review import SAVE_READY, opened

pytestmark = pytest.mark.browser
CANASTA = "3R 4R 5R 6R 7R 8R 9R"
ASKED = "[data-part=question] .question"


def unshown(scorer: Scorer) -> str:
    """Make a hand that side A closed, with the melds of both sides and nothing known of B's rack;
    return its id.
    """
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
    assert phone.page.inner_text("[data-part=save]") == "Falta 1 respuesta"
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


def test_the_sample_lies_apart_and_says_so(phone: Watched, scorer: Scorer) -> None:
    page = phone.page
    page.goto(phone.base)
    page.click("#try-samples")
    page.wait_for_selector("#hand[data-live=yes] .sample-note")
    sample = page.url.rsplit("/", 1)[1]
    assert page.locator("#hand [data-slot] input:enabled").count() == 0
    assert len(when_read(scorer, sample)["photos"]) == 4
    page.goto(phone.base)
    assert page.inner_text("#kept-samples summary") == "Ejemplos: 1"
    page.click("#score-now")
    page.wait_for_selector("#hand[data-live=yes]")
    assert page.locator(".sample-note").count() == 0
    assert page.locator("#hand [data-slot] input:disabled").count() == 0
    own = scorer.hand(page.url.rsplit("/", 1)[1])
    assert own["match"] != scorer.hand(sample)["match"]
    assert phone.faults == []


def test_with_the_end_told_first_the_button_asks_for_photographs_and_leads_to_them(
    phone: Watched, scorer: Scorer
) -> None:
    hand = scorer.begin()
    opened(phone, hand)
    phone.page.click('.closing label:has([name="end"][value="A"])')
    phone.page.click('.closing label:has([name="muerto-B"][value="yes"])')
    phone.page.wait_for_selector("[data-part=save]:has-text('Faltan las fotos')")
    phone.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    phone.page.click("[data-part=save]")
    wait_until(phone.page, "document.querySelector('.slots').getBoundingClientRect().top >= 0")
    assert phone.faults == []


def answers(phone: Watched) -> list[str]:
    return phone.page.locator("[data-part=question] .answers button").all_inner_texts()


def test_without_a_canasta_the_closing_offers_what_the_rules_allow_and_to_mend_the_melds(
    phone: Watched, scorer: Scorer
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "3R 4R 5R")
    scorer.edit(hand, {"op": "set_end", "end": "close", "closed_by": "A"})
    opened(phone, hand)
    assert answers(phone) == ["Nadie", "Sacar foto", "Tocar fichas"]
    assert "falta leer ese juego" in phone.page.inner_text(".question")
    phone.page.click('[data-key="closing-tap"]')
    for face in ("6R", "7R", "8R", "9R"):
        phone.page.click(f'#entry [data-face="{face}"]')
    phone.page.click('#entry [data-key="close"]')
    phone.page.wait_for_selector('[data-key="muerto-B-yes"]')  # the closing stands
    scorer.post(f"/api/hands/{hand}/undo")
    phone.page.wait_for_selector('[data-key="end-stock_exhausted"]')
    phone.page.click("[data-part=question] .answers button")
    phone.page.wait_for_selector(SAVE_READY)


def test_a_closing_without_the_muerto_is_mended_by_saying_that_it_was_taken(
    phone: Watched, scorer: Scorer
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.edit(
        hand,
        {"op": "set_end", "end": "close", "closed_by": "A"},
        {"op": "set_muerto", "side": "A", "taken": False},
    )
    opened(phone, hand)
    assert answers(phone) == ["Nadie", "Muerto tomado"]
    phone.page.click('[data-key="closing-muerto"]')
    phone.page.wait_for_selector('[data-key="muerto-B-yes"]')
    assert scorer.hand(hand)["closing"]["muerto"]["A"] is True


def test_the_tiles_left_to_the_side_that_closed_are_shown_to_be_put_right(
    phone: Watched, scorer: Scorer
) -> None:
    hand = scorer.begin(new_match(scorer, players="2"))
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.tap(hand, "A", "rack", "4K")
    scorer.edit(hand, {"op": "set_end", "end": "close", "closed_by": "A"})
    opened(phone, hand)
    assert answers(phone) == ["Nadie", "Verlas"]
    phone.page.click('[data-key="closing-see"]')
    phone.page.wait_for_selector(".row .tile.lit")
    assert phone.page.locator(".row .tile.lit").all_inner_texts() == ["4"]


# --- the keys to tap tiles in ---

LOW = [
    (844, 390),
    (568, 320),
    (422, 195),
    (195, 422),
]  # the last two: a phone's page enlarged twice
KEYS_OUT_OF_REACH = """() => {
  const panel = document.querySelector("#entry");
  return [...panel.querySelectorAll("button")].filter((key) => {
    key.scrollIntoView({ block: "center" });
    const box = key.getBoundingClientRect();
    const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return !key.contains(seen) || box.left < 0 || box.right > innerWidth;
  }).map((key) => key.dataset.key);
}"""


@pytest.mark.parametrize(("width", "height"), LOW)
def test_every_key_is_reached_in_a_low_or_enlarged_window(
    browser: Browser, served: str, scorer: Scorer, width: int, height: int
) -> None:
    with device(browser, served, viewport={"width": width, "height": height}) as phone:
        opened(phone, scorer.begin())
        phone.page.locator("[data-open-entry]").first.dispatch_event("click")
        box = box_of(phone.page.locator("#entry"))
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
        assert phone.page.evaluate(KEYS_OUT_OF_REACH) == []
        assert phone.faults == []


def test_escape_and_back_close_the_keys_and_the_hand_stays(phone: Watched, scorer: Scorer) -> None:
    hand = scorer.begin()
    phone.page.goto(phone.base)
    opened(phone, hand)
    opener = '[data-slot="B-rack"] [data-open-entry]'
    phone.page.click(opener)
    phone.page.keyboard.press("Escape")
    phone.page.wait_for_selector("#entry", state="hidden")
    assert phone.page.evaluate("selector => document.activeElement.matches(selector)", opener)
    phone.page.click(opener)
    phone.page.go_back()
    phone.page.wait_for_selector("#entry", state="hidden")
    assert phone.page.url.endswith(f"/hands/{hand}")
    phone.page.go_back()
    phone.page.wait_for_selector("#score-now")


def test_a_press_is_not_lost_when_another_phone_taps_meanwhile(
    phone: Watched, scorer: Scorer
) -> None:
    hand = scorer.begin()
    opened(phone, hand)
    phone.page.click('[data-slot="A-melds"] [data-open-entry]')
    for number, face in enumerate(("3R", "4R"), start=1):
        phone.page.hover(f'#entry [data-face="{face}"]')
        phone.page.mouse.down()
        scorer.tap(hand, "A", "rack", "9K")
        phone.wait_for_tiles("A-rack", number)
        phone.page.mouse.up()
        phone.wait_for_tiles("A-melds", number)


def test_an_answer_pressed_while_the_page_is_drawn_anew_is_given(
    phone: Watched, scorer: Scorer
) -> None:
    hand = unshown(scorer)
    opened(phone, hand)
    phone.page.hover("[data-part=question] [data-key=rack-empty]")
    phone.page.mouse.down()
    scorer.tap(hand, "A", "rack", "9K")
    phone.wait_for_tiles("A-rack", 1)
    phone.page.mouse.up()
    phone.page.wait_for_selector(SAVE_READY)
