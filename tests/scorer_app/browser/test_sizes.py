"""Everything that a person needs can be reached and read on small screens, upright and on their
side.
"""

from __future__ import annotations

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page

from scorer_app.web.roles import join_code

from ..conftest import Scorer
from ..devices import LOCALES, Watched, box_of, device
from ..hands import new_match, saved_hand, send, when_read
from ..layout import broken_words, enlarge_text, layout_faults
from ..pictures import RecordedReader, picture_of
from .review import SAVE_READY, doubtful_hand, opened
from .test_match import FAR

pytestmark = pytest.mark.browser
SIDEWAYS = [(844, 390), (667, 375), (568, 320)]
HIDDEN = """selector => [...document.querySelectorAll(selector)].filter((element) => {
  const box = element.getBoundingClientRect();
  const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return !element.contains(seen);
}).map((element) => element.dataset.key)"""
LINES = """selector => [...document.querySelectorAll(selector)].map((element) => {
  const text = document.createRange();
  text.selectNodeContents(element);
  return new Set([...text.getClientRects()].map((box) => Math.round(box.top))).size;
})"""

TOOLS = ".photo-tools :is(button, select)"  # in their order
PARTS = (".effect", "> span:first-child")  # of a question

# What is written in a field or chosen in a list, where it is wider than the room for it.
FIELDS = ".pair input[placeholder], .pair select"
CUT_OFF = """fields => [...document.querySelectorAll(fields)].map((field) => {
  const style = getComputedStyle(field);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const text = field.placeholder || field.selectedOptions[0].text;
  const arrow = field instanceof HTMLSelectElement ? 18 : 0;
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return [text, Math.round(pen.measureText(text).width - (room - arrow))];
}).filter(([_text, over]) => over > 0)"""


def hidden(page: Page, selector: str) -> list[str]:
    """Return the data-key of each element that is out of view as the page is scrolled now."""
    keys: list[str] = page.evaluate(HIDDEN, selector)
    return keys


@pytest.mark.parametrize(("width", "height"), SIDEWAYS)
def test_tapping_tiles_can_be_ended_on_a_phone_on_its_side(
    browser: Browser, served: str, width: int, height: int
) -> None:
    with device(browser, served, viewport={"width": width, "height": height}) as phone:
        phone.begin()
        phone.page.click('[data-slot="A-melds"] [data-open-entry]')
        for face in ("13Y", "12Y", "11Y", "10Y", "9Y", "8Y", "J"):
            phone.page.click(f'#entry [data-face="{face}"]')
        phone.page.wait_for_selector("#entry .entry-row .tile >> nth=6")
        assert hidden(phone.page, "#entry .entry-head button") == []
        if width >= 640:
            assert hidden(phone.page, "#entry button") == []
        phone.page.click('#entry [data-key="close"]')
        phone.page.wait_for_selector("#entry", state="hidden")
        assert phone.faults == []


@pytest.mark.parametrize(("width", "height"), SIDEWAYS)
def test_the_faces_that_a_tile_may_have_take_a_line_a_colour_on_a_phone_on_its_side(
    browser: Browser, served: str, scorer: Scorer, width: int, height: int
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "3R 4R 5R")
    with device(browser, served, viewport={"width": width, "height": height}) as phone:
        opened(phone, hand)
        phone.page.click(".row .tile >> nth=0")
        keys = [phone.page.locator(f'#picker [data-face="{face}"]') for face in ("1B", "13B")]
        first, last = map(box_of, keys)
        assert first["y"] == last["y"]
        if height >= 375:
            assert hidden(phone.page, "#picker [data-face]") == []
        assert layout_faults(phone.page) == []
        assert phone.faults == []


# For each element how wide and how high the place is, through its middle, where a tap meets it.
TOUCHED = """selector => [...document.querySelectorAll(selector)].map((element) => {
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const box = element.getBoundingClientRect();
  const reach = (right, down) => {
    let far = 0;
    for (; far < 100; far += 0.5) {
      const [x, y] = [box.x + box.width / 2 + right * far, box.y + box.height / 2 + down * far];
      if (!element.contains(document.elementFromPoint(x, y))) break;
    }
    return far;
  };
  return [reach(1, 0) + reach(-1, 0), reach(0, 1) + reach(0, -1)];
})"""


@pytest.mark.parametrize("fields", [{}, {"ruleset": "burraco_it", "pieces": "cards"}])
def test_a_finger_has_room_for_each_tile_of_a_row_and_for_its_further_tools(
    browser: Browser, served: str, scorer: Scorer, fields: dict[str, str]
) -> None:
    hand = scorer.begin(new_match(scorer, **fields))
    scorer.tap(hand, "A", "melds", "3R 4R 5R 6R 7R 8R 9R 10R 11R 12R")
    scorer.tap(hand, "B", "melds", "3B 4B 5B")
    with device(browser, served, viewport={"width": 360, "height": 740}) as phone:
        opened(phone, hand)
        more = phone.page.evaluate(TOUCHED, ".row-more summary")
        assert len(more) == 2 and all(min(size) >= 44 for size in more)
        tiles = phone.page.evaluate(TOUCHED, ".row-tiles button.tile")
        assert len(tiles) == 13
        # As many as fit a line stand in it, so that their places touch, and are no wider.
        assert all(width >= 35 and height >= 44 for width, height in tiles)
        assert phone.faults == []


def test_a_finger_has_room_for_each_line_of_the_sheet_that_can_be_tapped(
    browser: Browser, served: str, scorer: Scorer
) -> None:
    hand = scorer.begin()
    for side in "AB":
        scorer.tap(hand, side, "melds", "3R 4R 5R 12R 12B 12K")
    with device(browser, served, viewport={"width": 320, "height": 640}) as phone:
        opened(phone, hand)
        lines = phone.page.evaluate(TOUCHED, "button.line")
        assert len(lines) == 4
        assert all(height >= 43.5 for _width, height in lines)  # 44, found in steps of a half
        assert phone.faults == []


def test_who_closed_is_answered_with_whole_words(phone: Watched) -> None:
    phone.begin()
    phone.page.click('[data-slot="A-melds"] [data-open-entry]')
    for face in ("3R", "4R", "5R"):
        phone.page.click(f'#entry [data-face="{face}"]')
    phone.page.click('#entry [data-key="close"]')
    phone.page.wait_for_selector('[data-key="end-A"]')
    assert phone.page.inner_text('[data-key="end-A"]') == "Nosotros"
    assert phone.page.evaluate(LINES, '.answers [data-key^="end-"]') == [1, 1, 1]


def test_the_words_beside_the_tiles_of_a_rack_take_few_lines(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader
) -> None:
    rack = reader.add(picture_of(loose="3R 4B 5K 6Y 7R 8B 9K 10Y 11R 12B"))
    hand = scorer.begin()
    send(scorer, hand, "A", "rack", rack)
    when_read(scorer, hand)
    with device(browser, served, viewport={"width": 195, "height": 422}) as phone:
        opened(phone, hand)
        words = ".row .verdict > span:not(.mark)"
        assert phone.page.inner_text(words) == "10 fichas · como en la foto"
        assert phone.page.evaluate(LINES, words)[0] <= 3
        assert phone.faults == []


# How much of an element is seen, in parts of its height, and whether a tap on its middle meets it.
SEEN = """shape => {
  const box = shape.getBoundingClientRect();
  const frame = shape.parentElement.getBoundingClientRect();
  const bottom = Math.min(box.bottom, frame.bottom, innerHeight);
  const seen = (bottom - Math.max(box.top, frame.top, 0)) / box.height;
  const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return [seen, shape.contains(hit)];
}"""


@pytest.mark.parametrize(
    ("width", "height", "percent"),
    [(844, 390, 100), (320, 568, 100), (390, 844, 200), (195, 422, 100), (320, 568, 200)],
)
def test_the_first_answer_to_a_long_question_is_in_view_on_every_phone(
    browser: Browser,
    served: str,
    scorer: Scorer,
    reader: RecordedReader,
    width: int,
    height: int,
    percent: int,
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R", "9B 9K 9Y 6R 13K")))
    when_read(scorer, hand)
    with device(browser, served, viewport={"width": width, "height": height}) as phone:
        opened(phone, hand)
        enlarge_text(phone.page, percent)
        answer = phone.page.locator(".answers button").first
        box = box_of(answer)
        assert box["y"] >= 0 and box["y"] + box["height"] <= height
        seen, is_hit = answer.evaluate(SEEN)
        assert seen > 0.5 and is_hit
        assert box_of(phone.page.locator(".asked"))["height"] >= 0.05 * height
        effect, text = (box_of(phone.page.locator(f".question {part}")) for part in PARTS)
        assert effect["y"] >= text["y"] + text["height"] - 1  # it takes no width from the text
        assert phone.faults == []


@pytest.mark.parametrize("width", [360, 180])
def test_the_piles_to_draw_from_lie_between_the_seats_and_over_none(
    browser: Browser, served: str, scorer: Scorer, width: int
) -> None:
    match = new_match(scorer, ruleset="buraco")
    with device(browser, served, viewport={"width": width, "height": 740}) as phone:
        phone.page.goto(f"{served}/matches/{match}/deal")
        felt = box_of(phone.page.locator(".stacks"))
        piles = phone.page.locator(".stack-row").first.locator("i").all()
        assert len(piles) == 6
        for box in map(box_of, piles):
            assert felt["x"] <= box["x"]
            assert box["x"] + box["width"] <= felt["x"] + felt["width"]


def test_the_longest_name_of_a_meld_is_whole_on_the_sheet_of_a_small_phone(
    browser: Browser, served: str, scorer: Scorer
) -> None:
    hand = scorer.begin()
    for side in "AB":
        scorer.tap(hand, side, "melds", "12R 12B 12K 12Y")
    italian = {"viewport": {"width": 320, "height": 640}, "locale": "it-IT"}
    with device(browser, served, **italian) as phone:
        opened(phone, hand)
        assert phone.page.inner_text(".line >> nth=0").startswith("Combinazione")
        assert broken_words(phone.page) == []


def test_the_reason_of_an_adjustment_is_whole_on_the_sheet_of_a_small_phone(
    browser: Browser, served: str, scorer: Scorer
) -> None:
    hand = scorer.begin()
    fine = {"op": "add_adjustment", "points": -1130, "reason": "multa por demorar"}
    scorer.tap(hand, "A", "melds", "12R 12B 12K")
    scorer.edit(hand, *({**fine, "side": side} for side in "AB"))
    with device(browser, served, viewport={"width": 320, "height": 640}) as phone:
        opened(phone, hand)
        phone.page.wait_for_selector(".line button")
        assert broken_words(phone.page) == []


@pytest.mark.parametrize("locale", LOCALES.values())
@pytest.mark.parametrize("width", [320, 390])
def test_no_tool_below_a_photograph_stands_alone_on_a_line(
    browser: Browser,
    served: str,
    scorer: Scorer,
    reader: RecordedReader,
    locale: str,
    width: int,
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R", "9R 9B 9K")))
    when_read(scorer, hand)
    narrow = {"width": width, "height": 740}
    with device(browser, served, viewport=narrow, locale=locale) as phone:
        opened(phone, hand)
        phone.page.wait_for_selector(".photo-tools select")
        boxes = [box_of(tool) for tool in phone.page.locator(TOOLS).all()]
        tops = [round(box["y"]) for box in boxes]
        assert [tops.count(top) for top in sorted(set(tops))] == [3, 2]
        assert boxes[0]["x"] == boxes[3]["x"] < 60  # both lines begin beside the sign


@pytest.mark.parametrize("locale", LOCALES.values())
def test_of_four_tools_below_a_photograph_none_stands_alone_on_a_line(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader, locale: str
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    when_read(scorer, hand)
    with device(browser, served, viewport={"width": 320, "height": 740}, locale=locale) as phone:
        opened(phone, hand)
        for width in range(320, 431, 10):
            phone.page.set_viewport_size({"width": width, "height": 740})
            tops = [round(box_of(tool)["y"]) for tool in phone.page.locator(TOOLS).all()]
            assert len(tops) == 4 and 1 not in [tops.count(top) for top in tops], width


@pytest.mark.parametrize("locale", LOCALES.values())
def test_the_choices_of_colours_take_two_lines_at_most_on_a_phone(
    browser: Browser, served: str, locale: str
) -> None:
    with device(browser, served, locale=locale) as phone:
        phone.page.goto(f"{served}/settings")
        assert max(phone.page.evaluate(LINES, ".choice label:has([name=theme]) span")) <= 2


@pytest.mark.parametrize("language", LOCALES.values())
def test_choices_and_fields_side_by_side_are_read_whole_on_a_narrow_phone(
    browser: Browser, served: str, language: str
) -> None:
    narrow = {"width": 320, "height": 640}
    with device(browser, served, viewport=narrow, locale=language) as phone:
        phone.page.goto(f"{served}/settings")
        assert broken_words(phone.page) == []
        for ruleset in ("burraco_it", "burako"):
            phone.page.goto(f"{served}/matches/new?rules={ruleset}")
            phone.page.click("#options summary")
            assert phone.page.evaluate(CUT_OFF, FIELDS) == []
        assert phone.faults == []


@pytest.mark.parametrize("locale", LOCALES.values())
def test_the_list_of_places_for_a_photograph_shows_its_words_whole(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader, locale: str
) -> None:
    hand = doubtful_hand(scorer, reader)
    with device(browser, served, locale=locale) as phone:
        opened(phone, hand)
        phone.page.wait_for_selector(".photo-tools select")
        assert phone.page.evaluate(CUT_OFF, ".photo-tools select") == []
        assert phone.faults == []


def test_an_interval_of_small_figures_takes_one_line_on_a_narrow_phone(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = doubtful_hand(scorer, reader)
    with device(browser, served, viewport={"width": 320, "height": 640}) as phone:
        opened(phone, hand)
        assert phone.page.inner_text(".sheet-total .interval") == "−155 a −115"
        assert phone.page.evaluate(LINES, ".sheet-total .interval") == [1]
        phone.page.click(SAVE_READY)
        phone.page.wait_for_selector("#doubts .spans")
        assert phone.page.evaluate(LINES, "#doubts .spans dd") == [1, 1]
        assert broken_words(phone.page) == []
        assert phone.faults == []


def test_an_interval_in_the_bar_is_as_large_as_other_text_on_a_small_phone(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = doubtful_hand(scorer, reader)
    italian = {"viewport": {"width": 320, "height": 640}, "locale": "it-IT"}
    with device(browser, served, **italian) as phone:
        opened(phone, hand)
        total = '[data-total="B"]'
        assert phone.page.inner_text(total) == "−155 … −115"
        assert (
            phone.page.eval_on_selector(total, "e => parseFloat(getComputedStyle(e).fontSize)")
            >= 16
        )
        assert phone.page.evaluate(LINES, total) == [1]
        assert layout_faults(phone.page) == []
        assert phone.faults == []


def test_a_joined_phone_is_told_why_it_has_no_camera(
    browser: Browser, served: str, app: Flask
) -> None:
    """The server has no camera of its own either, so there is nothing to choose."""
    with app.test_request_context():
        code = join_code()
    with device(browser, served, **FAR) as phone:
        phone.page.add_init_script("delete Navigator.prototype.mediaDevices")
        phone.page.goto(f"{served}/join#{code}")
        phone.page.wait_for_selector("#score-now")
        phone.page.click("#score-now")
        phone.page.click(".hand-title a")
        phone.page.click('a.door[href$="/table"]')
        phone.page.wait_for_selector('#live-status[data-kind="bad"]:has-text("navegador")')
        assert phone.page.is_disabled("#live-start")
        assert phone.page.locator("#live-typed").count() == 0
        assert phone.faults == []


@pytest.mark.parametrize("width", [320, 360])
def test_links_are_as_large_as_a_finger_needs(
    browser: Browser, served: str, scorer: Scorer, width: int
) -> None:
    _hand, match = saved_hand(scorer)
    scorer.form(f"/matches/{match}/count", base_A="100")
    hand = scorer.begin(match)
    pages = {
        f"hands/{hand}": ".hand-title a",
        f"matches/{match}/rules": ".hand-title a",
        f"matches/{match}/table": ".hand-title a",
        f"matches/{match}/others": ".link a",
        f"matches/{match}": ".anotador tbody th a",
    }
    with device(browser, served, viewport={"width": width, "height": 740}) as phone:
        for path, link in pages.items():
            phone.page.goto(f"{served}/{path}")
            for box in map(box_of, phone.page.locator(link).all()):
                assert box["width"] >= 44 and box["height"] >= 44, path
                assert box["x"] >= 0, path
            assert layout_faults(phone.page) == []
        phone.page.click(".anotador tr.remark:has-text('Contada a mano')")
        phone.page.wait_for_selector("#count")


@pytest.mark.parametrize("locale", LOCALES.values())
@pytest.mark.parametrize("width", [320, 360])
def test_the_answers_about_both_muertos_stand_on_one_line(
    browser: Browser, served: str, scorer: Scorer, locale: str, width: int
) -> None:
    hand = scorer.begin()
    end = {"op": "set_end", "end": "close", "closed_by": "A"}
    muertos = ({"op": "set_muerto", "side": side, "taken": side == "A"} for side in "AB")
    scorer.edit(hand, end, *muertos)
    narrow = {"width": width, "height": 740}
    with device(browser, served, viewport=narrow, locale=locale) as phone:
        opened(phone, hand)
        answers = phone.page.locator(".muertos label:visible")
        boxes = [box_of(answer) for answer in answers.all()]
        assert len(boxes) == 4
        assert {(box["y"], box["height"]) for box in boxes} == {(boxes[0]["y"], 46)}
        assert broken_words(phone.page) == []


def test_the_amount_of_a_difference_keeps_clear_of_its_words(
    browser: Browser, served: str, scorer: Scorer
) -> None:
    _hand, match = saved_hand(scorer)
    with device(browser, served, viewport={"width": 360, "height": 740}) as phone:
        phone.page.goto(f"{served}/matches/{match}/compare?ruleset=burraco_it")
        amounts = phone.page.locator(".difference .amount")
        assert amounts.count() > 0
        gaps = amounts.evaluate_all(
            "all => all.map((one) => parseFloat(getComputedStyle(one).marginLeft))"
        )
        assert min(gaps) >= 8
