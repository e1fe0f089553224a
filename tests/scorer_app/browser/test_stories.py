"""What people use the page for in an evening: each use is one story.

Shapes of screen and languages are spread over the stories so that every shape meets every language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser

from scorer_app.texts.translator import translator
from scorer_app.web.parts import parts_of
from tests.places import SAMPLES

from ..conftest import Scorer, until
from ..devices import LOCALES, Watched, device, wait_until
from ..drawn_table import IvoryEyes, Places
from ..hands import new_match, when_read
from ..layout import enlarge_text, layout_faults
from ..pictures import RecordedReader, picture_of
from ..texts.test_catalogue import foreign_words, words
from .filming import FPS, RECORD_ALARMS, filmed, open_table
from .review import SAVE_READY, opened, photographed, saved, shown
from .test_company import RUN, played
from .test_evening import unshown
from .test_fitting_review import HAND, MOST_SCREENS
from .test_growing import SAID
from .test_outbox import OPENER, faces_of, tap_in

pytestmark = pytest.mark.browser
SHAPES = {"upright": (390, 844), "sideways": (844, 390), "desktop": (1280, 800)}
told: list[tuple[str, str]] = []  # the shape and the language of each story


@dataclass
class Teller:
    """A browser with the screen and the language of one device, on which a story is acted out."""

    browser: Browser
    base: str
    options: dict[str, Any]
    say: Callable[..., str]

    @contextmanager
    def device(self) -> Iterator[Watched]:
        with device(self.browser, self.base, **self.options) as watched:
            yield watched

    @contextmanager
    def filming(self, film: Path) -> Iterator[Watched]:
        """Open the device with a camera that shows the film."""
        with filmed(self.browser, self.base, film, **self.options) as watched:
            yield watched


@pytest.fixture
def teller(request: pytest.FixtureRequest, browser: Browser, served: str) -> Teller:
    shape, language = request.param
    width, height = SHAPES[shape]
    options = {"viewport": {"width": width, "height": height}, "locale": LOCALES[language]}
    return Teller(browser, served, options, translator(language))


def on(shape: str, language: str) -> pytest.MarkDecorator:
    """Mark a story to be acted out on a screen of this shape and in this language."""
    told.append((shape, language))
    return pytest.mark.parametrize("teller", [(shape, language)], indirect=True, ids=[language])


@on("sideways", "en")
def test_nothing_is_lost_and_a_rack_that_nobody_showed_is_asked_for(
    teller: Teller, scorer: Scorer
) -> None:
    hand = unshown(scorer)
    with teller.device() as phone:
        opened(phone, hand)
        phone.page.route("**/edits", lambda route: route.abort())
        phone.page.click("[data-part=question] [data-key=rack-empty]")
        phone.page.wait_for_selector("#hand[data-waiting=yes]")
        phone.page.reload()
        phone.page.wait_for_selector("#hand[data-waiting=yes]")
        phone.page.unroute("**/edits")
        phone.page.wait_for_selector(SAVE_READY)
        phone.faults.clear()  # the requests that were lost
    assert scorer.hand(hand)["questions"] == []


@on("sideways", "it")
def test_the_camera_in_the_page_takes_good_pictures_by_itself(
    teller: Teller, scorer: Scorer, tmp_path: Path
) -> None:
    film = tmp_path / "melds.mjpeg"
    stills = [(SAMPLES / f"melds-{side}.jpg").read_bytes() for side in "ab"]
    film.write_bytes(b"".join(still * 2 * FPS for still in stills))
    with teller.filming(film) as phone:
        hand = opened(phone, scorer.begin())
        phone.page.click("[data-part=guide]")
        for number in range(1, 5):
            phone.page.wait_for_selector(f"#guide h2:has-text('{number}/4')")
        phone.page.wait_for_selector("#guide", state="hidden")
        wait_until(phone.page, "() => !document.querySelector('[data-busy=yes]')")
    areas = [(photo["side"], photo["place"]) for photo in when_read(scorer, hand)["photos"]]
    assert sorted(areas) == [("A", "melds"), ("A", "rack"), ("B", "melds"), ("B", "rack")]


@on("desktop", "en")
def test_the_referee_is_heard_and_says_how_the_match_stands(
    teller: Teller, app: Flask, tmp_path: Path
) -> None:
    parts_of(app).watches.open_eyes = lambda _chosen: IvoryEyes()
    film = tmp_path / "table.mjpeg"
    Places().film(film, legal=3 * FPS, illegal=9 * FPS)
    with teller.filming(film) as phone:
        page = phone.page
        page.add_init_script(RECORD_ALARMS)
        open_table(phone)
        page.click("#live-start")
        page.wait_for_selector(".live-banner:not([hidden])")
        page.click("#live-how")
        until(lambda: page.evaluate("alarms.said.length"), lambda count: count >= 2)
        assert "Us 0, Them 0" in page.evaluate("alarms.said.at(-1)")


@on("upright", "en")
def test_the_match_ends_in_a_victory_that_is_shared(teller: Teller, scorer: Scorer) -> None:
    match = new_match(scorer, side_a="Us", side_b="Them", target="800")
    with teller.device() as phone:
        page = phone.page
        for _hand in range(2):
            played(scorer, match)
            page.goto(f"{phone.base}/matches/{match}")
            assert page.locator(".victory").count() == _hand
        assert page.inner_text(".victory .winner") == teller.say("match.won_us")
        page.click(".victory .button")
        assert teller.say("match.won_us") in page.input_value("#share-text")
        assert phone.faults == []


@on("desktop", "es")
def test_a_match_is_counted_by_other_rules_too(teller: Teller, scorer: Scorer) -> None:
    match = new_match(scorer, side_a="Nosotros", side_b="Ellos")
    played(scorer, match)
    with teller.device() as laptop:
        page = laptop.page
        page.goto(f"{laptop.base}/matches/{match}/compare")
        page.click("label:has(input[value=burraco_it])")
        page.wait_for_selector("[name=canasta_semipulito]", state="attached")
        page.click(".bottom-bar button")
        assert "445 / 100 →" in page.inner_text("#effect .difference")
        assert laptop.faults == []


@on("sideways", "es")
def test_an_illegal_row_is_repaired_in_two_taps(
    teller: Teller, scorer: Scorer, reader: RecordedReader
) -> None:
    with teller.device() as phone:
        photographed(phone, scorer, reader.add(picture_of("5R 9R 7R 8R")))
        phone.tap("[data-part=question] .answers button >> nth=0")
        shown(phone, "5R 6R 7R 8R")
        assert phone.taps <= 2
        assert phone.faults == []


@on("desktop", "it")
def test_a_hand_is_typed_and_saved(teller: Teller, scorer: Scorer) -> None:
    hand = scorer.begin()
    scorer.close(hand)
    with teller.device() as laptop:
        opened(laptop, hand)
        laptop.page.click(OPENER)
        laptop.page.keyboard.type("3-9r")
        shown(laptop, "3R 4R 5R 6R 7R 8R 9R")
        laptop.page.keyboard.press("Escape")
        saved(laptop)
        assert laptop.faults == []


@on("upright", "es")
def test_the_review_of_a_whole_hand_is_short(
    teller: Teller, scorer: Scorer, reader: RecordedReader
) -> None:
    with teller.device() as phone:
        opened(phone, scorer.begin())
        for (side, place), picture in HAND.items():
            phone.photograph(f"{side}-{place}", reader.add(picture))
        until(phone.page.locator(".review .row .tile").count, lambda count: count == 65)
        height = phone.page.evaluate("document.querySelector('.review').scrollHeight")
        assert height <= MOST_SCREENS * SHAPES["upright"][1]
        assert phone.faults == []


@on("sideways", "it")
def test_large_text_leaves_every_key_in_reach(teller: Teller, scorer: Scorer) -> None:
    with teller.device() as phone:
        hand = scorer.begin()
        scorer.tap(hand, "A", "melds", RUN)
        opened(phone, hand)
        enlarge_text(phone.page, 150)
        phone.page.click(OPENER)
        tap_in(phone.page, "10R")
        until(lambda: faces_of(scorer, hand)[-1], lambda face: face == "10R")
        assert layout_faults(phone.page) == []


@on("upright", "it")
def test_a_match_begins_with_the_languages_own_words(teller: Teller) -> None:
    with teller.device() as phone:
        page = phone.page
        page.goto(f"{phone.base}/matches/new")
        assert [page.input_value(f"[name=side_{side}]") for side in "ab"] == ["Noi", "Loro"]
        page.click("button.primary")
        page.wait_for_url(re.compile(r"/matches/[\w-]+$"))
        page.click('.door[href$="/deal"]')
        page.click("form[action$='/die'] button")
        page.wait_for_selector(".seats [aria-current]")
        assert words(page.evaluate(SAID)) & foreign_words("it") == set()
        assert phone.faults == []


@on("upright", "es")
def test_the_language_is_changed_in_the_middle_of_a_hand(teller: Teller, scorer: Scorer) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", RUN)
    with teller.device() as phone:
        opened(phone, hand)
        for language in ("en", "it"):
            phone.page.goto(f"{phone.base}/settings")
            phone.page.click(f"label:has(input[name=language][value={language}])")
            phone.page.click("button.primary")
            phone.page.wait_for_selector(f"html[lang={language}]")
            opened(phone, hand)
            assert words(phone.page.evaluate(SAID)) & foreign_words(language) == set()
        assert phone.faults == []


def test_every_shape_of_screen_meets_every_language() -> None:
    assert set(product(SHAPES, LOCALES)) <= set(told)
