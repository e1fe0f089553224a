"""Every page in every shape of screen and at every size of text: nothing is cut off or covered,
the focus goes the way the eye does, and nothing moves for those who asked for stillness.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page

from ..conftest import Scorer
from ..devices import Watched, device
from ..evening import evening
from ..layout import broken_words, enlarge_text, focus_order, layout_faults
from ..pictures import RecordedReader
from ..texts.test_catalogue import foreign_words, words

pytestmark = pytest.mark.browser
SHAPES = [  # width and height in px, text size in percent, language
    (320, 640, 100, "es-AR"),
    (320, 568, 200, "en-GB"),
    (390, 844, 200, "it-IT"),
    (667, 375, 200, "es-AR"),
    (844, 390, 100, "it-IT"),
    (640, 400, 100, "en-GB"),  # a laptop's 1280x800 enlarged twice
    (1280, 800, 200, "es-AR"),
]
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
TEXT_SIZE = "parseFloat(getComputedStyle(document.documentElement).fontSize)"


@pytest.mark.parametrize(("width", "height", "percent", "locale"), SHAPES)
def test_no_page_cuts_off_or_covers_anything(
    browser: Browser,
    served: str,
    scorer: Scorer,
    reader: RecordedReader,
    width: int,
    height: int,
    percent: int,
    locale: str,
) -> None:
    paths = evening(scorer, reader)
    viewport = {"width": width, "height": height}
    with device(browser, served, viewport=viewport, locale=locale) as watched:
        page = watched.page
        found = {}
        for name, path in paths.items():
            page.goto(served + path)
            enlarge_text(page, percent)
            page.wait_for_load_state("load")
            page.evaluate(OPEN_ALL)
            found[name] = layout_faults(page)
            assert page.evaluate(TEXT_SIZE) == pytest.approx(0.16 * percent)
        page.goto(served + paths["hand"])
        enlarge_text(page, percent)
        page.click(".row button.tile >> nth=0")
        found["picker"] = layout_faults(page)
        page.keyboard.press("Escape")
        page.click("[data-open-entry] >> nth=0")
        found["keys"] = layout_faults(page)
    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.parametrize(
    ("width", "height", "locale"),
    [(390, 844, "es-AR"), (390, 844, "it-IT"), (844, 390, "en-GB"), (1280, 800, "it-IT")],
)
def test_words_stay_in_one_line_and_are_of_one_language(
    browser: Browser,
    served: str,
    scorer: Scorer,
    reader: RecordedReader,
    width: int,
    height: int,
    locale: str,
) -> None:
    paths = evening(scorer, reader)
    viewport = {"width": width, "height": height}
    with device(browser, served, viewport=viewport, locale=locale) as watched:
        broken, foreign = {}, {}
        for name, path in paths.items():
            watched.page.goto(served + path)
            watched.page.evaluate(OPEN_ALL)
            broken[name] = broken_words(watched.page)
            foreign[name] = words(watched.page.evaluate(SAID)) & foreign_words(locale[:2])
    assert {name: found for name, found in broken.items() if found} == {}
    assert {name: found for name, found in foreign.items() if found} == {}


def test_the_focus_goes_the_way_the_eye_does(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader
) -> None:
    paths = evening(scorer, reader)
    with device(browser, served) as watched:
        for name, path in paths.items():
            watched.page.goto(served + path)
            assert back_steps(watched.page) == [], name


def back_steps(page: Page) -> list[str]:
    """Where the focus goes up again in a column, or to what is not seen."""
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
    moving = {}
    for motion in ("no-preference", "reduce"):
        with device(browser, served, reduced_motion=motion) as watched:
            for name in ("victory", "deal", "hand", "match"):
                watched.page.goto(served + paths[name])
                count = watched.page.evaluate("document.getAnimations().length")
                moving[motion, name] = count
    assert moving["no-preference", "victory"] > 0
    assert sum(moving["reduce", name] for name in ("victory", "deal", "hand", "match")) == 0


BROKEN = """<!doctype html><style>body { margin: 0 }</style><main>
<p style="width: 60px; background: #eee; white-space: nowrap">leaves the box it has</p>
<p style="width: 60px; overflow: hidden; white-space: nowrap">cut off by its frame</p>
<p style="width: 9999px">wide</p><p style="margin-top: -36px">over it</p>
<p style="position: relative"><button>under</button><i style="position: absolute; inset: 0"></i>
<p style="width: 3em; overflow-wrap: anywhere">broken_off_word unbreakable</p></main>"""


def test_a_broken_layout_would_be_found(phone: Watched) -> None:
    phone.page.set_content(BROKEN)
    faults = " ".join(layout_faults(phone.page))
    for fault in ("leaves its box", "cut off", "px wide", "over «", "cannot be reached"):
        assert fault in faults
    assert "unbreakable in «broken_off_word unbreakable»" in broken_words(phone.page)
