"""Every page in every shape of screen and at every size of text: nothing is cut off or covered, the
focus moves in reading order, and nothing is animated for people who asked for less motion.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page

from ..conftest import Scorer
from ..devices import LOCALES, Watched, box_of, device, wait_until
from ..evening import evening
from ..hands import new_match, send, when_read
from ..layout import TWO_FRAMES, broken_words, enlarge_text, focus_order, layout_faults
from ..pictures import RecordedReader, picture_of
from ..texts.test_catalogue import foreign_words, words
from .review import opened

pytestmark = pytest.mark.browser
# Width and height in px, and text size in percent; by the language in which they are looked at.
SHAPES = {
    "es-AR": [(320, 640, 100), (667, 375, 200), (1280, 800, 200)],
    "en-GB": [(320, 568, 200), (640, 400, 100)],  # the second: a laptop's 1280x800 enlarged twice
    "it-IT": [(390, 844, 200), (844, 390, 100)],
}
# Width and height of windows in which words stay in one line, text having its usual size.
WINDOWS = {"es-AR": [(390, 844)], "en-GB": [(844, 390)], "it-IT": [(390, 844), (1280, 800)]}
OPEN_ALL = "document.querySelectorAll('details').forEach(part => part.open = true)"
# All that is read or read aloud, without the titles of documents and the names of languages.
SAID = """() => {
  const parts = [document.title];
  for (const part of document.querySelectorAll("cite, [lang]:not(html), .back, .code, .link"))
    part.remove();
  for (const part of document.querySelectorAll("[aria-label], [placeholder], [alt]"))
    parts.push(part.ariaLabel, part.placeholder, part.alt);
  return [document.body.innerText, ...parts].join(" ");
}"""
# Counts what begins to move, from before the page is there: an animation may end while it loads.
COUNT_MOTIONS = """window.motions = 0;
for (const begun of ["animationstart", "transitionrun"])
  document.addEventListener(begun, () => window.motions++, true);"""


@pytest.mark.parametrize("locale", SHAPES)
def test_no_page_cuts_off_or_covers_anything_and_words_are_whole_and_of_one_language(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader, locale: str
) -> None:
    paths = evening(scorer, reader)
    faults = {}
    with device(browser, served, locale=locale) as watched:
        page = watched.page
        for name, path in paths.items():
            page.goto(served + path)
            page.wait_for_load_state("load")
            page.evaluate(OPEN_ALL)
            for shape in SHAPES[locale]:
                take_shape(page, *shape)
                faults[name, shape] = layout_faults(page)
            for window in WINDOWS[locale]:
                take_shape(page, *window, 100)
                faults[name, window] = broken_words(page)
            faults[name, "foreign"] = sorted(words(page.evaluate(SAID)) & foreign_words(locale[:2]))
        for shape in SHAPES[locale]:
            page.goto(served + paths["hand"])
            take_shape(page, *shape)
            page.click(".row button.tile >> nth=0")
            faults["picker", shape] = layout_faults(page)
            page.keyboard.press("Escape")
            page.click("[data-open-entry] >> nth=0")
            faults["keys", shape] = layout_faults(page)
    assert {where: found for where, found in faults.items() if found} == {}


@pytest.mark.parametrize("locale", SHAPES)
def test_no_word_or_figure_of_the_statistics_is_broken_however_large_the_text(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader, locale: str
) -> None:
    shapes = [(390, 844, 200), (320, 640, 200), (667, 375, 200), (844, 390, 200), (320, 640, 100)]
    path = evening(scorer, reader)["statistics"]
    with device(browser, served, locale=locale) as watched:
        watched.page.goto(served + path)
        watched.page.wait_for_load_state("load")
        for shape in shapes:
            take_shape(watched.page, *shape)
            assert broken_words(watched.page) + layout_faults(watched.page) == [], shape


def test_a_hand_can_be_scored_without_a_connection_however_large_the_text(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader
) -> None:
    """The sentence about the connection stays in view and leaves room for the page beneath it."""
    path = evening(scorer, reader)["hand"]
    with device(browser, served, locale="it-IT") as watched:
        page = watched.page
        page.goto(served + path)
        page.wait_for_selector("#hand[data-live=yes]")
        page.context.set_offline(True)
        page.wait_for_selector(".offline:visible")
        for shape in [(320, 640, 200), (320, 568, 200), (667, 375, 200)]:
            take_shape(page, *shape)
            assert layout_faults(page) == [], shape


def test_the_widest_names_leave_room_for_the_keys_however_large_the_text(
    browser: Browser, served: str, scorer: Scorer
) -> None:
    match = new_match(scorer, side_a="W" * 40, side_b="M" * 40)
    with device(browser, served, locale="es-AR") as watched:
        page = watched.page
        for shape in [(320, 640, 200), (320, 568, 100)]:
            page.goto(f"{served}/hands/{scorer.begin(match)}")
            page.wait_for_selector("#hand[data-live=yes]")
            take_shape(page, *shape)
            assert layout_faults(page) == [], shape
            page.click("[data-open-entry] >> nth=0")
            page.click('#entry [data-face="7R"]')
            assert layout_faults(page) == [], shape


def take_shape(page: Page, width: int, height: int, percent: int) -> None:
    """Give the window of a page this size in px, and its text this size in percent."""
    page.set_viewport_size({"width": width, "height": height})
    wait_until(page, f"innerWidth === {width}")
    enlarge_text(page, percent)


def test_the_focus_goes_the_way_the_eye_does(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader
) -> None:
    paths = evening(scorer, reader)
    with device(browser, served) as watched:
        for name, path in paths.items():
            watched.page.goto(served + path)
            assert back_steps(watched.page) == [], name


def back_steps(page: Page) -> list[str]:
    """List the steps at which the focus moves back up within a column, or to something out of
    sight.
    """
    order = [one for one in focus_order(page)[1:] if not one["fixed"]]  # without the way past all
    assert order
    unseen = [one["name"] for one in order if not one["shown"]]
    pairs = pairwise(order)
    up = [
        f"{a['name']} -> {b['name']}"
        for a, b in pairs
        if b["bottom"] < a["top"] and b["left"] < a["right"]
    ]
    return unseen + up


def test_nothing_moves_for_who_asked_for_stillness(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader
) -> None:
    paths = evening(scorer, reader)
    with device(browser, served, reduced_motion="no-preference") as watched:
        watched.page.add_init_script(COUNT_MOTIONS)
        watched.page.goto(served + paths["victory"])
        wait_until(watched.page, "motions > 0")
    with device(browser, served, reduced_motion="reduce") as watched:
        watched.page.add_init_script(COUNT_MOTIONS)
        for name in ("victory", "deal", "hand", "match"):
            watched.page.goto(served + paths[name])
            watched.page.evaluate(TWO_FRAMES)
            assert watched.page.evaluate("motions + document.getAnimations().length") == 0, name


BROKEN = """<!doctype html><style>body { margin: 0 }</style><main>
<p style="width: 60px; background: #eee; white-space: nowrap">leaves the box it has</p>
<p style="width: 60px; overflow: hidden; white-space: nowrap">cut off by its frame</p>
<p style="width: 9999px">wide</p><p style="margin-top: -36px">over it</p>
<p style="position: relative"><button>under</button><i style="position: absolute; inset: 0"></i>
<p style="width: 3em; overflow-wrap: anywhere">broken_off_word unbreakable</p>
<p style="width: 3em; overflow-wrap: anywhere">http://localhost/address</p></main>"""


def test_a_broken_layout_would_be_found(phone: Watched) -> None:
    phone.page.set_content(BROKEN)
    faults = " ".join(layout_faults(phone.page))
    for fault in ("leaves its box", "cut off", "px wide", "over «", "cannot be reached"):
        assert fault in faults
    broken = broken_words(phone.page)
    assert "unbreakable in «broken_off_word unbreakable»" in broken
    assert not any("http" in word for word in broken)


def test_the_first_page_shows_the_usual_names_whole_on_a_small_phone_enlarged_twice(
    browser: Browser, served: str, scorer: Scorer
) -> None:
    new_match(scorer, side_a="Nosotros", side_b="Ellos")
    with device(browser, served, viewport={"width": 180, "height": 370}) as phone:
        phone.page.goto(served)
        assert broken_words(phone.page) == []


@pytest.mark.parametrize("locale", LOCALES.values())
def test_a_hand_is_whole_on_the_smallest_phone_enlarged_twice(
    browser: Browser, served: str, scorer: Scorer, locale: str
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "12R 12B 12K 12Y")
    small = {"viewport": {"width": 160, "height": 320}, "locale": locale}
    with device(browser, served, **small) as phone:
        opened(phone, hand)
        phone.page.wait_for_selector(".row-points")
        assert layout_faults(phone.page) == []
        assert broken_words(phone.page) == []
        phone.page.click(".row .tile >> nth=0")
        phone.page.wait_for_selector('#picker [data-face="13Y"]')
        assert broken_words(phone.page) == []
        assert phone.faults == []


def test_a_tile_as_photographed_and_its_likely_faces_fit_the_smallest_phone_enlarged_twice(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    unsure = picture_of(loose="9K 4B", doubts={"9K": ["9K", "J", "6K"]})
    send(scorer, hand, "B", "rack", reader.add(unsure))
    when_read(scorer, hand)
    with device(browser, served, viewport={"width": 160, "height": 320}) as phone:
        opened(phone, hand)
        phone.page.click('.row .tile:has(.tile-number:text-is("9"))')
        keys = phone.page.locator("#picker .likely .tile")
        assert keys.count() == 3
        for box in map(box_of, [*keys.all(), phone.page.locator("#picker .close-up")]):
            assert box["width"] >= 32
            assert box["x"] >= 0 and box["x"] + box["width"] <= 160
        assert phone.faults == []


def test_the_number_of_a_tenth_hand_is_on_one_line_in_text_twice_as_large(
    phone: Watched, scorer: Scorer
) -> None:
    match = new_match(scorer, target="9000")
    for _hand in range(10):
        scorer.form(f"/matches/{match}/count", base_A="100")
    phone.page.goto(f"{phone.base}/matches/{match}")
    enlarge_text(phone.page, 200)
    assert broken_words(phone.page) == []
