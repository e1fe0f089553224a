"""The page's words where a stranger first meets them: names, rules, forms and copies."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser

from ..conftest import Scorer
from ..devices import Watched, device
from ..hands import new_match, saved_hand

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("locale", "sides", "first", "head"),
    [
        ("es-AR", ["Nosotros", "Ellos"], "burako", "mano;suma;dudas;"),
        ("en-GB", ["Us", "Them"], "burako", "hand,counts,doubts,"),
        ("it-IT", ["Noi", "Loro"], "burraco_it", "mano;conta;dubbi;"),
    ],
)
def test_every_language_begins_with_its_own_names_rules_and_sheet(
    browser: Browser, served: str, locale: str, sides: list[str], first: str, head: str
) -> None:
    with device(browser, served, locale=locale) as one:
        page = one.page
        page.goto(f"{served}/matches/new")
        assert [page.input_value(f"[name=side_{side}]") for side in "ab"] == sides
        assert page.locator("[name=ruleset]").first.get_attribute("value") == first
        assert page.locator("[name=ruleset]").first.is_checked()
        page.click("button.primary")
        page.wait_for_url(re.compile(r"/matches/[\w-]+$"))
        sheet = page.evaluate("fetch(location + '/export.csv').then(sent => sent.text())")
        assert sheet.startswith(head)


def test_blanks_alone_are_refused_in_the_field_itself(phone: Watched, scorer: Scorer) -> None:
    hand, match = saved_hand(scorer)
    page = phone.page
    for path, field, button in (
        (f"matches/{match}", "side_a", "form[action$=names] button"),
        (f"hands/{hand}", "reason", ".adjust button.wide"),
    ):
        page.goto(f"{phone.base}/{path}")
        page.wait_for_load_state("load")
        page.click("details.more > summary")
        for name in page.locator("[name=points]").all():
            name.fill("50")
        page.fill(f"[name={field}]", "  ")
        page.click(button)
        assert page.locator(f"[name={field}]:focus:invalid").count() == 1, path
        assert page.url == f"{phone.base}/{path}"
    assert page.input_value("[name=points]") == "50"


def test_two_players_have_two_seats_and_no_field_hints_at_what_it_does_not_mean(
    phone: Watched,
) -> None:
    page = phone.page
    page.goto(f"{phone.base}/matches/new")
    page.click("details:has([name=player_0]) summary")
    assert page.locator("[name^=player_]:visible").count() == 4
    page.click("label:has([name=players][value='2'])")
    assert page.locator("[name^=player_]:visible").count() == 2
    hints = {
        name: page.get_attribute(f"[name={name}]", "placeholder")
        for name in ("wilds_per_meld", "hand_size", "special_ones_pura")
    }
    assert hints == {
        "wilds_per_meld": "sin límite",
        "hand_size": "11 (dos: 12)",
        "special_ones_pura": "como canasta",
    }
    assert page.inner_text(".rulesets label >> nth=0").split("\n")[0].endswith("Burako")
    assert page.inner_text(".rulesets label >> nth=0 >> cite") == "Reglamento de Burako"


def test_dice_show_who_begins(phone: Watched, scorer: Scorer) -> None:
    page = phone.page
    page.goto(f"{phone.base}/matches/{new_match(scorer)}/deal")
    page.click('button:has-text("Tirar el dado")')
    page.wait_for_selector(".seats .die")
    labels = [
        page.locator(".seats li").nth(seat).locator(".dice").get_attribute("aria-label") or ""
        for seat in range(4)
    ]
    throws = [[int(face) for face in re.findall(r"\d", label)] for label in labels]
    beginner = page.locator(".seats li[aria-current]")
    assert (
        max(throws) == throws[beginner.evaluate("one => [...one.parentNode.children].indexOf(one)")]
    )
    assert beginner.locator(".die").count() == len(max(throws))


def test_a_file_that_is_no_match_is_refused_at_the_field_of_its_form(phone: Watched) -> None:
    page = phone.page
    page.goto(phone.base)
    page.click("details.more > summary")
    file = {"name": "shopping.json", "mimeType": "application/json", "buffer": b"[]"}
    page.set_input_files("input[name=file]", files=[file])
    page.click("details.more button")
    page.wait_for_selector("#import .wrong:visible")
    assert "Guardar copia" in page.inner_text("#import .wrong")
    assert page.evaluate("document.activeElement.name") == "file"
    page.goto(page.url)  # as a person loads it anew
    page.wait_for_url(f"{phone.base}/")
    phone.faults.clear()  # the refused requests


def test_a_match_brought_in_twice_is_told_and_taken_back(phone: Watched, scorer: Scorer) -> None:
    _hand, match = saved_hand(scorer)
    page = phone.page
    copy = scorer.client.get(f"/matches/{match}/export.json").data
    page.goto(phone.base)
    page.click("details.more > summary")
    assert page.inner_text(".file-field .file-name") == "Ninguno elegido"
    file = {"name": "noche.json", "mimeType": "application/json", "buffer": copy}
    page.set_input_files("input[name=file]", files=[file])
    assert page.inner_text(".file-field .file-name") == "noche.json"
    with page.expect_response(re.compile("/state")):  # the copy's table, asked for before it goes
        page.click("details.more button")
    page.wait_for_selector("#twin")
    assert "ya estaba acá" in page.inner_text("#twin")
    page.click('#twin button:has-text("Borrar la copia")')
    page.wait_for_selector(".match-line")
    assert page.locator(".match-line").count() == 1
