"""The pages of one's own sets in a real browser: how a set is looked through, mended, sent and
forgotten.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from scorer_app.services.sets import Sets
from vision.own_set.examples import Origin

from ..conftest import Scorer
from ..devices import PHONE, Watched, device, pictures_loaded
from ..layout import broken_words, enlarge_text, layout_faults
from ..own_sets import example, taught_photo, tile_set
from ..pictures import RecordedReader
from .teaching import SET_PAGE, photograph
from .test_pages import LAPTOP, faults_of

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_faces_that_are_called_grey_are_grey(
    browser: Browser, served: str, sets: Sets, scheme: Any
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    with device(browser, served, color_scheme=scheme) as phone:
        phone.page.goto(f"{served}/sets/{kept.id}")
        ink = "one => getComputedStyle(one).backgroundColor"
        told = str(phone.page.locator(".own-face.missing i").first.evaluate(ink))
        assert len(set(re.findall(r"\d+", told))) == 1


def test_a_set_is_looked_through_mended_sent_and_forgotten(phone: Watched, sets: Sets) -> None:
    learned = example("3K", 2, Origin.SETTLED)
    kept = sets.teach("Casa", [*tile_set().examples, learned])
    page = phone.page
    page.goto(f"{phone.base}/sets")
    page.click(".match-line")
    page.wait_for_url(SET_PAGE)
    assert page.locator(".own-face img").count() == 53
    pictures_loaded(page)
    page.click("#learned summary")  # what is taken back is lost, so a second tap is asked for
    page.click("#learned button")
    page.wait_for_selector("#learned:not(:has(button))")
    assert sets.of_id(kept.id).learned == 0
    page.click('.own-face[href*="?face=7R"]')
    page.select_option("#pictures select", "1R")
    page.click("#pictures .own-rename button")
    page.wait_for_selector('.own-face.missing[aria-label^="7"]')
    assert sets.of_id(kept.id).counts["1R"] == 2
    with page.expect_download() as file:
        page.click("#export")
    page.click("details:has(#forget) summary")
    pictures_loaded(page)
    page.click("#forget")
    page.wait_for_url("**/sets")
    assert sets.listed() == []
    page.set_input_files("#import input[type=file]", file.value.path())
    page.click("#import button")
    page.wait_for_url(SET_PAGE)
    assert sets.find("casa").counts["1R"] == 2


@pytest.mark.parametrize("width", [390, 320])
def test_the_numbers_of_faces_and_the_words_above_are_whole_in_text_twice_as_large(
    phone: Watched, sets: Sets, width: int
) -> None:
    """Also where it is the page that enlarges its text, of which no media query hears."""
    kept = sets.teach("Casa", [*tile_set().examples, *(example("10R", one) for one in (3, 4))])
    phone.page.set_viewport_size({"width": width, "height": 844})
    phone.page.goto(f"{phone.base}/sets/{kept.id}")
    tops = phone.page.locator(".own-face").evaluate_all(
        "all => all.slice(0, 13).map((one) => Math.round(one.getBoundingClientRect().top))"
    )
    assert [tops.count(top) for top in sorted(set(tops))] == [7, 6]
    enlarge_text(phone.page, 200)
    assert (broken_words(phone.page), layout_faults(phone.page)) == ([], [])
    enlarge_text(phone.page, 100)
    phone.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert (broken_words(phone.page), layout_faults(phone.page)) == ([], [])


def test_a_file_that_is_too_large_leaves_the_page_with_both_sizes(phone: Watched) -> None:
    """The browser is still sending when the server answers: the connection must not break."""
    phone.page.goto(f"{phone.base}/sets")
    large = {"name": "x.json", "mimeType": "application/json", "buffer": bytes(20 * 10**6)}
    phone.page.set_input_files("#import input[type=file]", large)
    with phone.page.expect_navigation() as answered:
        phone.page.click("#import button")
    assert answered.value and answered.value.status == 413
    assert phone.page.inner_text("#wrong") == (
        "El archivo es demasiado grande: pesa 20 MB y el máximo es 12 MB."
    )
    assert phone.page.locator("#import input[type=file]").count() == 1
    phone.faults.clear()  # the refused request


def test_the_count_of_pictures_stands_in_the_middle_under_its_face(
    phone: Watched, sets: Sets
) -> None:
    kept = sets.teach("Casa", tile_set(faces=["1R"], variants=[0, 1]).examples)
    page = phone.page
    page.goto(f"{phone.base}/sets/{kept.id}")
    middle = """element => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const { x, width } = range.getBoundingClientRect();
        return x + width / 2;
    }"""
    face, count = (page.locator(what).evaluate(middle) for what in ("a.own-face", "small"))
    assert count == pytest.approx(face, abs=1)


@pytest.mark.parametrize(
    ("scheme", "size", "language"),
    [("light", PHONE, "es-AR"), ("dark", LAPTOP, "en"), ("dark", PHONE, "it")],
)
def test_no_page_of_a_set_has_a_fault_or_scrolls_sideways(
    browser: Browser,
    served: str,
    scorer: Scorer,
    sets: Sets,
    reader: RecordedReader,
    scheme: str,
    size: dict[str, int],
    language: str,
) -> None:
    kept = sets.teach("La de la abuela de Ñandubay", tile_set(faces=["7R", "J"]).examples)
    sets.teach("Casa", [*tile_set(variants=[0, 1]).examples, example("7R", 3, Origin.SETTLED)])
    newest = sets.listed()[0]
    reader.taught = taught_photo(sure=False, without=["9B"])
    found: dict[str, list[str]] = {}
    wide: dict[str, bool] = {}

    def look(page: Page, name: str) -> None:
        page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
        found[name] = faults_of(page)
        root = "document.scrollingElement"
        wide[name] = page.evaluate(f"{root}.scrollWidth > {root}.clientWidth")

    with device(browser, served, color_scheme=scheme, viewport=size, locale=language) as watched:
        page = watched.page
        for path in (
            "settings",
            "sets",
            f"sets/{kept.id}",
            f"sets/{newest.id}?face=7R",
            f"sets/{kept.id}/teach",
            "sets/new",
            "matches/new",
        ):
            page.goto(f"{served}/{path}")
            look(page, path)
        page.goto(f"{served}/sets/new")
        photograph(page)
        page.wait_for_selector("#keep")
        look(page, "taught")
        page.click("#taught .own-face >> nth=2")
        look(page, "which face")
        assert watched.faults == []
    assert {name: faults for name, faults in found.items() if faults} == {}
    assert [name for name, scrolls in wide.items() if scrolls] == []
