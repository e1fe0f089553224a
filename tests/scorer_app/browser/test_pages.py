"""Every page in a real browser: no serious accessibility fault, light and dark, at a phone's size
and a laptop's.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Browser, Page

from engine.rulesets import RULESETS

from ..conftest import Scorer
from ..devices import LOCALES, PHONE, SECOND_TAP, Watched, device
from ..hands import CANASTA, new_match, saved_hand, send, when_read
from ..pictures import RecordedReader, picture_of
from .review import doubtful_hand
from .test_match import FAR

pytestmark = pytest.mark.browser
LAPTOP = {"width": 1280, "height": 800}


def faults_of(page: Page) -> list[str]:
    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [
        f"{fault['id']}: {fault['nodes'][0]['html'][:160]}"
        for fault in found
        if fault["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize(("scheme", "size"), [("light", PHONE), ("dark", LAPTOP)])
def test_no_page_has_a_serious_accessibility_fault(
    browser: Browser,
    served: str,
    scorer: Scorer,
    reader: RecordedReader,
    scheme: str,
    size: dict[str, int],
) -> None:
    _hand, match = saved_hand(scorer)
    scorer.post(f"/api/hands/{doubtful_hand(scorer, reader)}/save", json={"with_doubts": True})
    saved_hand(scorer)
    draft, doubtful = scorer.begin(), doubtful_hand(scorer, reader, new_match(scorer))
    send(
        scorer,
        draft,
        "A",
        "melds",
        reader.add(picture_of(CANASTA, "3B 4B 9B", doubts={"9R": ["", "9R"]}, loose="13Y")),
    )
    when_read(scorer, draft)
    view = re.search(r"/v/[\w-]+", scorer.client.get(f"/matches/{match}/others").text)
    assert view
    paths = [
        "",
        "settings",
        "matches/new",
        "matches/statistics",
        f"hands/{draft}",
        f"matches/{match}",
        view.group()[1:],
    ]
    paths += [
        f"matches/{match}/{page}"
        for page in ("rules", "deal", "share", "others", "others/code", "table")
    ]
    paths += [f"matches/{match}/{page}" for page in ("history", "count", "edit", "compare")]
    paths += [won_match(scorer), "sets", "sets/new"]
    with device(browser, served, color_scheme=scheme, viewport=size) as watched:
        found, page = {}, watched.page
        for path in paths:
            page.goto(f"{served}/{path}")
            page.wait_for_load_state("load")
            page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
            found[path] = faults_of(page)
        page.goto(f"{served}/matches/{match}/compare")
        page.click("label:has(input[value=burraco_it])")
        page.wait_for_selector("[name=canasta_semipulito]", state="attached")
        page.click(".bottom-bar button")
        page.wait_for_selector("#effect .difference")
        found["compared"] = faults_of(page)
        page.goto(f"{served}/hands/{draft}")
        page.click(".photo .box >> nth=0")
        found["picker"] = faults_of(page)
        page.keyboard.press("Escape")
        page.click('[data-slot="B-rack"] [data-open-entry]')
        found["entry"] = faults_of(page)
        page.goto(f"{served}/hands/{doubtful}")
        page.click('[data-part=save][data-ready="yes"]')
        found["doubts"] = faults_of(page)
        assert watched.faults == []
    with device(browser, served, color_scheme=scheme, viewport=size, **FAR) as stranger:
        for path in ("join", f"matches/{match}"):
            stranger.page.goto(f"{served}/{path}")
            found[f"{path} to a stranger"] = faults_of(stranger.page)
    assert {path: faults for path, faults in found.items() if faults} == {}


def won_match(scorer: Scorer) -> str:
    """Play a match to its end; return its path."""
    match = new_match(scorer, target="100")
    scorer.form(f"/matches/{match}/count", base_A="300", puntos_B="-50")
    return f"matches/{match}"


def test_a_second_device_sees_a_saved_hand_at_once(
    phone: Watched, browser: Browser, scorer: Scorer
) -> None:
    _hand, match = saved_hand(scorer)
    view = re.search(r"/v/[\w-]+", scorer.client.get(f"/matches/{match}/others").text)
    assert view
    with device(browser, phone.base) as other:
        other.page.goto(phone.base + view.group())
        assert other.page.inner_text(".big-score").split() == ["Nosotros", "445", "Ellos", "−150"]
        saved_hand(scorer)
        other.page.wait_for_selector('.big-score b:text-is("890")')
        assert other.page.locator(".anotador a").count() == 0
        assert other.faults == []


def test_a_correction_that_is_undone_is_no_longer_told_on_a_page_that_told_it(
    phone: Watched, scorer: Scorer
) -> None:
    hand, match = saved_hand(scorer)
    scorer.tap(hand, "B", "rack", "3K")
    phone.page.goto(f"{phone.base}/matches/{match}")
    phone.page.wait_for_selector("body[data-offline=no]")
    told = phone.page.locator('.anotador :text("La mano 1 se está corrigiendo")')
    assert told.count() == 1
    scorer.post(f"/api/hands/{hand}/undo")
    told.wait_for(state="detached")


def test_a_lost_connection_is_told_and_caught_up_with(phone: Watched, scorer: Scorer) -> None:
    _hand, match = saved_hand(scorer)
    phone.page.goto(f"{phone.base}/matches/{match}")
    phone.page.wait_for_selector("body[data-offline=no]")
    phone.page.context.set_offline(True)
    phone.page.wait_for_selector(".offline:visible")
    saved_hand(scorer)
    phone.page.context.set_offline(False)
    phone.page.wait_for_selector('.huge-figure:text-is("890")')
    phone.faults.clear()  # the refused requests of the time without a network


def test_a_hand_is_edited_undone_copied_out_and_brought_in(phone: Watched, scorer: Scorer) -> None:
    hand, match = saved_hand(scorer)
    page = phone.page
    page.goto(f"{phone.base}/matches/{match}")
    page.click(".anotador tbody td >> nth=1")  # anywhere on its line
    page.click('.row[data-state="legal"] button.tile >> nth=0')
    page.click("#picker .moves [data-key=delete]")
    page.wait_for_selector("[data-part=question] button")
    page.goto(f"{phone.base}/hands/{hand}")
    page.click("details.more > summary")
    page.click("summary:text-is('Descartar los cambios')")
    assert page.url.endswith(hand)  # nothing brings them back: the button that does it comes now
    page.click("#drop-changes:text-is('Sí, descartarlos')")
    assert page.inner_text(".anotador tfoot td >> nth=0") == "445"
    page.click(".anotador tbody a")
    page.click("details.more > summary")
    page.click("#exclude-hand")
    assert page.inner_text(".anotador tfoot td >> nth=0") == "0"
    page.click("details.more > summary")
    with page.expect_download() as copy:
        page.click('a[href$="export.json"]')
    page.goto(phone.base)
    page.click("details.more > summary")
    page.set_input_files("input[name=file]", copy.value.path())
    page.click("details.more button")
    page.wait_for_url(re.compile(r"/matches/"))
    assert page.locator(".anotador .void").count() == 1


def test_a_match_is_made_with_its_own_rules(phone: Watched) -> None:
    page = phone.page
    page.goto(f"{phone.base}/matches/new")
    page.fill("[name=side_a]", "Los Pérez")
    page.click("label:has(input[value=burraco_it])")
    page.wait_for_selector("[name=canasta_semipulito]", state="attached")
    assert page.input_value("[name=target]") == "2005"
    page.click("button.primary")
    page.wait_for_url(re.compile(r"/matches/"))
    assert "Los Pérez" in page.inner_text(".anotador thead")
    assert "2.005" in page.inner_text(".rules-line")


ALL_OPTIONS = {
    "ruleset": "buracco",
    "options_shown": "yes",
    "muerto_bonus": "yes",
    "muerto_unplayed_penalty": "100",
    "all_against_without_canasta": "yes",
    "void_without_canasta": "yes",
    "close_requires": "pura",
    "pierna_max": "8",
    "special_wilds": "yes",
    "special_ones": "yes",
    "special_one_to_thirteen": "yes",
    "special_one_to_one": "yes",
}


@pytest.mark.parametrize("language", LOCALES.values())
def test_the_rules_of_a_match_fit_one_screen_of_a_phone(
    browser: Browser, served: str, scorer: Scorer, language: str
) -> None:
    tables = [*({"ruleset": name} for name in RULESETS), ALL_OPTIONS]
    matches = [new_match(scorer, **table) for table in tables]
    with device(browser, served, locale=language) as watched:
        for match, table in zip(matches, tables, strict=True):
            watched.page.goto(f"{served}/matches/{match}/rules")
            assert watched.page.locator(".rules-card .points dd").count() >= 4
            assert watched.page.evaluate("document.documentElement.scrollHeight <= innerHeight"), (
                table
            )
        assert watched.page.locator(".rules-card .points dd").count() == 10
        assert watched.faults == []


def test_scanning_the_code_at_the_hosts_screen_joins(phone: Watched, scorer: Scorer) -> None:
    _hand, match = saved_hand(scorer)
    phone.page.goto(f"{phone.base}/matches/{match}/others")
    phone.page.click("#show-code")
    assert phone.page.locator(".qr svg").count() == 1
    assert re.fullmatch(r"\w{6}", phone.page.inner_text(".code"))
    # A phone that cannot scan opens the address that stands there, and types the code.
    assert re.fullmatch(r"http://[\d.]+(:\d+)?", phone.page.inner_text(".link"))


def test_a_browser_without_scripts_is_told_why_a_hand_looks_empty(
    phone: Watched, browser: Browser, scorer: Scorer
) -> None:
    hand, _match = saved_hand(scorer)
    with device(browser, phone.base, java_script_enabled=False) as other:
        other.page.goto(f"{phone.base}/hands/{hand}")
        assert "JavaScript está apagado" in other.page.inner_text("main .notice")
    phone.page.goto(f"{phone.base}/hands/{hand}")
    assert not phone.page.is_visible("main .notice")


def test_two_scorers_at_one_hand_see_the_same(phone: Watched, browser: Browser) -> None:
    phone.begin()
    with device(browser, phone.base) as other:
        other.page.goto(phone.page.url)
        other.page.wait_for_selector("#hand[data-live=yes]")
        phone.tap('[data-slot="A-melds"] [data-open-entry]')
        phone.tap('#entry [data-face="3R"]')
        other.page.wait_for_selector('.row button.tile[data-colour="R"]')
        other.page.click(".row button.tile")
        other.page.click("#picker .moves [data-key=delete]")
        phone.page.wait_for_selector(".row button.tile", state="detached")
        assert other.faults == []


def test_the_tally_is_shared_as_text_and_as_a_picture(phone: Watched, scorer: Scorer) -> None:
    _hand, match = saved_hand(scorer)
    phone.page.goto(f"{phone.base}/matches/{match}/share")
    assert "*Nosotros 445 – Ellos −150*" in phone.page.input_value("#share-text")
    with phone.page.expect_download() as saved:
        phone.page.click("#picture-save")
    with Image.open(saved.value.path()) as picture:
        assert picture.width == 1080
        assert len(picture.convert("RGB").getcolors(1 << 20)) > 20


def test_a_browser_that_shares_texts_alone_saves_the_picture(
    phone: Watched, scorer: Scorer
) -> None:
    _hand, match = saved_hand(scorer)
    phone.page.add_init_script(
        """navigator.canShare = (content) => !content.files;
        navigator.share = (content) => {
          window.shared = content;
          return content.files ? Promise.reject(new TypeError()) : Promise.resolve();
        };"""
    )
    phone.page.goto(f"{phone.base}/matches/{match}/share")
    with phone.page.expect_download() as saved:
        phone.page.click("#picture-send")
    assert saved.value.suggested_filename.startswith("burako-nosotros-ellos-2")
    phone.page.click("#share-send")
    assert "*Nosotros 445 – Ellos −150*" in phone.page.evaluate("window.shared.text")


def test_a_muerto_taken_but_not_played_is_asked_for_where_the_table_punishes_it(
    phone: Watched, scorer: Scorer
) -> None:
    match = new_match(scorer, muerto_unplayed_penalty="100")
    hand = scorer.form(f"/matches/{match}/hands").headers["Location"]
    scorer.tap(hand.rsplit("/", 1)[1], "A", "melds", CANASTA)
    phone.page.goto(phone.base + hand)
    phone.page.wait_for_selector("#hand[data-live=yes]")
    phone.tap("label:has(input[name=end][value=stock_exhausted])")
    phone.tap('label:has(input[name="muerto-A"][value=yes])')
    phone.tap('label:has(input[name="muerto-B"][value=unplayed])')
    for side in ("Los Pérez", "Visitas"):
        phone.page.wait_for_selector(f'[data-part=question] .question:has-text("atril de {side}")')
        phone.page.wait_for_timeout(SECOND_TAP)
        phone.tap("[data-part=question] [data-key=rack-empty]")
    phone.page.wait_for_selector('[data-part=save][data-ready="yes"]')
    assert phone.totals() == ["345", "0"]
    assert phone.page.is_checked('input[name="muerto-B"][value=unplayed]')


def test_an_open_hand_offers_the_unplayed_muerto_as_long_as_the_match_punishes_it(
    phone: Watched, scorer: Scorer
) -> None:
    match = new_match(scorer)
    hand = scorer.begin(match)
    scorer.tap(hand, "A", "melds", CANASTA)
    phone.page.goto(f"{phone.base}/hands/{hand}")
    phone.page.wait_for_selector("#hand[data-live=yes]")
    choice = 'label:has(input[name="muerto-B"][value=unplayed])'
    assert phone.page.is_hidden(choice)
    names = {"side_a": "Los Pérez", "side_b": "Visitas", "ruleset": "burako"}
    scorer.form(f"/matches/{match}/edit", **names, muerto_unplayed_penalty="100")
    phone.page.wait_for_selector(choice)
    phone.tap(choice)
    phone.page.wait_for_selector("#hand[data-waiting=no]")
    scorer.form(f"/matches/{match}/edit", **names)
    phone.page.wait_for_selector(choice, state="hidden")
    assert phone.page.is_checked('input[name="muerto-B"][value=yes]')


def test_no_name_makes_a_page_wider_than_a_small_screen(
    browser: Browser, served: str, scorer: Scorer
) -> None:
    match = new_match(
        scorer, side_a="W" * 40, side_b="Los más largos de todos los nombres", player_0="M" * 40
    )
    hand = scorer.form(f"/matches/{match}/hands").headers["Location"]
    scorer.tap(hand.rsplit("/", 1)[1], "A", "melds", CANASTA)
    pages = ("", "/deal", "/rules", "/share", "/others", "/table")
    with device(browser, served, viewport={"width": 320, "height": 600}) as small:
        wide = {}
        for path in (
            "/",
            "/matches/new",
            "/settings",
            "/matches/statistics",
            hand,
            *(f"/matches/{match}{page}" for page in pages),
        ):
            small.page.goto(served + path)
            small.page.evaluate(
                "document.querySelectorAll('details').forEach(part => part.open = true)"
            )
            wide[path] = small.page.evaluate("document.documentElement.scrollWidth") > 320
        assert [path for path, over in wide.items() if over] == []
        assert small.faults == []


def test_the_chosen_language_stands_beside_its_tick(phone: Watched) -> None:
    phone.page.goto(f"{phone.base}/settings")
    heights = phone.page.locator("[name=language] + span").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().height)"
    )
    assert max(heights) < 2 * min(heights) - 4  # none takes two lines
