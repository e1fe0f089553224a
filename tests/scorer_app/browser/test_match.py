"""A match in a real browser: it is begun and dealt, corrected until its end and after it, copied,
and shown to others who come and go.
"""

from __future__ import annotations

import csv
import re

import pytest
from playwright.sync_api import Browser, Page, Route

from ..conftest import Scorer
from ..devices import PHONE, Watched, box_of, device, wait_until
from ..evening import counted
from ..hands import CANASTA, closed_hand, new_match, saved_hand

pytestmark = pytest.mark.browser
# A request that came through another machine is not the host's.
FAR = {"extra_http_headers": {"X-Forwarded-For": "192.168.1.77"}}
WIN = {"op": "add_adjustment", "side": "A", "points": 3000, "reason": "arreglo"}


def totals(page: Page) -> list[str]:
    return page.locator(".anotador .huge-figure").all_inner_texts()


def background(page: Page) -> str:
    colour: str = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return colour


def test_the_die_names_who_begins_and_the_right_passes_left(phone: Watched, scorer: Scorer) -> None:
    match = new_match(scorer, player_0="Ana", player_1="Beto", player_2="Caro", player_3="Dani")
    page = phone.page
    page.goto(f"{phone.base}/matches/{match}")
    page.click('.door:has-text("Repartir")')
    assert page.locator(".counts b").all_inner_texts() == ["11", "2 × 11", "40"]
    assert page.locator(".seats [aria-current]").count() == 0
    page.click('button:has-text("Tirar el dado")')
    order = ["Ana", "Beto", "Caro", "Dani"]
    first = order.index(page.inner_text(".seats [aria-current] b"))
    hand = scorer.begin(match)
    scorer.tap(hand, "A", "melds", "3R 4R 5R 6R 7R 8R 9R")
    scorer.close(hand, muerto=True)
    scorer.post(f"/api/hands/{hand}/save")
    page.reload()
    assert page.inner_text(".seats [aria-current] b") == order[(first + 1) % 4]
    page.goto(f"{phone.base}/matches/{match}/rules")
    assert "Gana quien llega a 3.000" in page.inner_text(".rules-card")


def test_what_a_finger_presses_is_not_replaced_by_the_hand_of_another_phone(
    phone: Watched, scorer: Scorer
) -> None:
    hand, match = saved_hand(scorer)
    page = phone.page
    page.goto(f"{phone.base}/matches/{match}")
    box = box_of(page.locator('[data-live="tally"] a[href$="/rules"]'))
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    with page.expect_response(re.compile(rf"/matches/{match}$")) as news:
        scorer.form(f"/hands/{hand}/undone", undone="yes")
    news.value.finished()
    page.wait_for_timeout(300)
    page.mouse.up()
    page.wait_for_url("**/rules")


def test_a_finished_match_reopens_when_a_hand_of_it_is_undone_or_corrected(
    phone: Watched, scorer: Scorer
) -> None:
    hand, match = saved_hand(scorer, WIN)
    page = phone.page
    page.goto(f"{phone.base}/matches/{match}")
    assert page.inner_text(".winner") == "¡Ganamos!"
    assert page.locator("#new-hand").count() == 0
    page.click(".anotador tbody a")
    page.click("details.more > summary")
    page.click("#exclude-hand")
    page.wait_for_selector("#new-hand")
    assert (totals(page), page.locator(".winner").count()) == (["0", "0"], 0)
    voided = page.locator(".anotador tbody tr.void s.made")
    assert voided.locator("visible=true").count() == 2  # struck, also for a screen reader
    assert "Mano anulada: no suma." in page.inner_text(".anotador")
    page.get_by_role("link", name="Abrir la mano 1, anulada").click()
    page.wait_for_selector('[data-part=save]:text-is("Anulada")')
    struck = "getComputedStyle(document.querySelector('[data-total]')).textDecorationLine"
    assert page.evaluate(struck) == "line-through"
    page.click("#count-again")
    page.wait_for_selector(".winner")
    page.goto(f"{phone.base}/hands/{hand}")
    page.click('.sheet button[aria-label*="arreglo"]')
    page.wait_for_selector('[data-total=A]:text-is("445")')
    page.click("[data-part=save]")
    page.wait_for_url(re.compile(r"/matches/"))
    assert (totals(page), page.locator(".winner").count()) == (["445", "−150"], 0)


def test_names_that_are_refused_stay_in_their_form_and_the_wrong_one_has_the_focus(
    phone: Watched, scorer: Scorer
) -> None:
    match, page = new_match(scorer), phone.page
    page.goto(f"{phone.base}/matches/{match}")
    page.click("details.more >> nth=0 >> summary >> nth=0")
    page.fill("[name=side_a]", "Zorros")
    page.fill("[name=side_b]", "zorros")
    page.click('form[action$="/names"] button')
    page.wait_for_selector("#wrong:visible")
    assert [fault for fault in phone.faults if "status of 422" not in fault] == []
    phone.faults.clear()  # the browser notes the refusal
    assert page.evaluate("document.activeElement.name") == "side_b"
    field = page.get_by_role("textbox", name="El otro lado", exact=True)  # without what is wrong
    assert field.get_attribute("aria-describedby") == "wrong"
    assert page.input_value("[name=side_a]") == "Zorros"
    assert page.inner_text("#wrong") == "El otro lado: los dos lados tienen el mismo nombre."
    page.fill("[name=side_b]", "Lobos")
    page.click('form[action$="/names"] button')
    page.wait_for_url(f"**/matches/{match}")
    assert "Lobos" in page.inner_text(".anotador")


def test_a_rematch_keeps_sides_and_rules(phone: Watched, scorer: Scorer) -> None:
    match = new_match(scorer, side_a="Los Pérez", target="400")
    hand = scorer.begin(match)
    scorer.tap(hand, "A", "melds", "3R 4R 5R 6R 7R 8R 9R")
    scorer.close(hand, muerto=True)
    scorer.post(f"/api/hands/{hand}/save")
    page = phone.page
    page.goto(f"{phone.base}/matches/{match}")
    assert page.inner_text(".winner") == "Victoria de Los Pérez"
    page.click("#rematch")
    page.wait_for_selector("#new-hand")
    assert match not in page.url
    assert totals(page) == ["0", "0"]
    assert "a 400" in page.inner_text(".rules-line")
    page.goto(f"{phone.base}/matches/statistics")
    assert "Partidas: 2 · manos: 1" in page.inner_text(".stats")
    assert page.locator('.stats tr:has-text("Partidas ganadas") td').all_inner_texts() == ["1", "0"]


def test_the_sheet_for_spreadsheets_holds_every_hand(phone: Watched, scorer: Scorer) -> None:
    saved_hand(scorer)
    _hand, match = saved_hand(scorer)
    phone.page.goto(f"{phone.base}/matches/{match}")
    phone.page.click("details.more > summary")
    with phone.page.expect_download() as sheet:
        phone.page.click('a[href$="export.csv"]')
    lines = list(
        csv.DictReader(sheet.value.path().read_text("utf-8-sig").splitlines(), delimiter=";")
    )
    assert [(line["Nosotros total"], line["Ellos acumulado"]) for line in lines] == [
        ("445", "-150"),
        ("445", "-300"),
    ]


def test_the_text_for_a_chat_is_copied(phone: Watched, scorer: Scorer) -> None:
    _hand, match = saved_hand(scorer)
    phone.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    phone.page.goto(f"{phone.base}/matches/{match}/share")
    phone.page.click("#share-copy")
    phone.page.wait_for_selector("#toast:visible")
    assert "1. 445 / −150" in phone.page.evaluate("navigator.clipboard.readText()")


def test_who_joined_writes_until_the_host_changes_the_code(
    phone: Watched, browser: Browser, scorer: Scorer
) -> None:
    _hand, match = saved_hand(scorer)
    phone.page.goto(f"{phone.base}/matches/{match}/others/code")
    code = phone.page.inner_text(".code")
    with device(browser, phone.base, **FAR) as guest:
        guest.page.goto(f"{phone.base}/matches/{match}")
        assert "hace falta el código" in guest.page.inner_text("main")
        guest.page.goto(f"{phone.base}/join#{code}")  # as its QR says: no typing
        guest.page.wait_for_selector("#score-now")
        guest.page.click("#score-now")
        guest.page.wait_for_selector("#hand[data-live=yes]")
        guest.page.click('[data-slot="A-melds"] [data-open-entry]')
        guest.page.click('#entry [data-face="3R"]')
        guest.page.wait_for_selector(".row-tiles .tile:not(.waiting)")
        phone.page.click('button:has-text("Cambiar el código")')
        wait_until(phone.page, "old => document.querySelector('.code').textContent !== old", code)
        guest.page.click('#entry [data-face="4R"]')
        guest.page.wait_for_selector('.offline:has-text("Hace falta el código de ahora")')
        assert "Sin conexión" not in guest.page.inner_text(".offline")
        assert guest.page.locator(".row-tiles .tile:not(.waiting)").count() == 1
        guest.faults.clear()  # the refused requests
        guest.page.goto(f"{phone.base}/join")
        guest.page.fill("#code", code)
        guest.page.click("button.primary")
        assert "no es el de ahora" in guest.page.inner_text("[role=alert]")


def test_a_page_follows_again_whose_stream_was_refused(phone: Watched, scorer: Scorer) -> None:
    """A proxy refuses a stream like this while its server is restarted."""
    _hand, match = saved_hand(scorer)
    refused = [503]

    def refuse(route: Route) -> None:
        if refused:
            route.fulfill(status=refused.pop())
        else:
            route.continue_()

    phone.page.route("**/events", refuse)
    phone.page.goto(f"{phone.base}/matches/{match}")
    wait_until(phone.page, "() => document.body.dataset.offline === 'yes'")
    wait_until(phone.page, "() => document.body.dataset.offline === 'no'")
    scorer.form(f"/matches/{match}/names", side_a="Los de antes", side_b="Ellos")
    phone.page.wait_for_selector('[data-live=tally] :text("Los de antes")')
    assert refused == []
    assert all("50" in fault for fault in phone.faults)
    phone.faults.clear()


def test_language_and_colours_are_this_devices_own(phone: Watched, browser: Browser) -> None:
    page = phone.page
    page.goto(f"{phone.base}/settings")
    light = background(page)
    page.click('label:has-text("English")')
    page.click("label:has(input[name=theme][value=dark])")
    page.click("button.primary")
    page.wait_for_selector('html[lang="en"]')
    assert background(page) != light
    page.goto(phone.base)
    assert page.inner_text("#score-now") == "Score a hand"
    with device(browser, phone.base, locale="it-IT") as other:
        other.page.goto(phone.base)
        assert other.page.get_attribute("html", "lang") == "it"
        assert background(other.page) == light
        assert other.faults == []


@pytest.mark.parametrize(
    ("locale", "total"), [("es-AR", "1.445"), ("it-IT", "1.445"), ("en-GB", "1,445")]
)
def test_thousands_are_marked_as_the_server_writes_them(
    browser: Browser, served: str, scorer: Scorer, locale: str, total: str
) -> None:
    hand = closed_hand(scorer)
    scorer.edit(hand, {"op": "add_adjustment", "side": "A", "points": 1000, "reason": "x"})
    with device(browser, served, locale=locale) as other:
        other.page.goto(f"{served}/hands/{hand}")
        other.page.wait_for_selector("#hand[data-live=yes]")
        assert other.totals()[0] == total
        scorer.post(f"/api/hands/{hand}/save")
        other.page.goto(served)
        assert total in other.page.inner_text(".big-score")


@pytest.mark.parametrize(
    ("locale", "names"), [("es-AR", ["Nosotros", "Ellos"]), ("en-GB", ["Us", "Them"])]
)
def test_sides_that_nobody_named_are_called_in_the_language_of_each_phone(
    browser: Browser, served: str, scorer: Scorer, locale: str, names: list[str]
) -> None:
    hand = closed_hand(scorer)
    with device(browser, served, locale=locale) as phone:
        page = phone.page
        page.goto(f"{served}/hands/{hand}")
        page.wait_for_selector("#hand[data-live=yes]")
        for shown in (".totals small", ".slot-column h2", ".sheets h3"):
            assert page.locator(shown).all_inner_texts() == names
        page.goto(f"{served}/matches/{scorer.hand(hand)['match']}")
        assert page.locator(".anotador thead th[scope=col]").all_inner_texts()[-2:] == names
        page.goto(f"{page.url}/share")
        told = page.evaluate("JSON.parse(document.querySelector('#share-data').textContent).names")
        assert told == names
        assert all(name in page.input_value("#share-text") for name in names)
        assert phone.faults == []


def test_the_colours_follow_the_system_unless_one_picks(phone: Watched) -> None:
    page, shown = phone.page, {}
    page.goto(f"{phone.base}/settings")
    for chosen in ("auto", "light", "dark"):
        page.click(f"label:has(input[name=theme][value={chosen}])")
        page.click("button.primary")
        page.wait_for_selector(f"input[name=theme][value={chosen}][checked]", state="attached")
        for system in ("light", "dark"):
            page.emulate_media(color_scheme=system)
            scheme = page.evaluate("getComputedStyle(document.documentElement).colorScheme")
            shown[chosen, system] = scheme, background(page)
    page.emulate_media(color_scheme="light")
    (by_day, green), (by_night, black) = shown["auto", "light"], shown["auto", "dark"]
    assert (by_day, by_night, green != black) == ("light", "dark", True)
    assert shown["light", "light"] == shown["light", "dark"] == shown["auto", "light"]
    assert shown["dark", "light"] == shown["dark", "dark"] == shown["auto", "dark"]


TOTALS_LIE_FREE = """() => [...document.querySelectorAll('.anotador .huge-figure')].every(one => {
  const box = one.getBoundingClientRect();
  const seen = [box.top + 1, box.bottom - 1].map(y =>
    document.elementFromPoint((box.left + box.right) / 2, y));
  return box.height > 0 && seen.every(hit => one.parentElement.contains(hit));
})"""


def test_the_totals_are_in_view_above_the_bar_however_many_hands_there_are(
    phone: Watched, scorer: Scorer
) -> None:
    match, page = new_match(scorer), phone.page
    page.set_viewport_size(PHONE)
    for number in range(9):
        page.goto(f"{phone.base}/matches/{match}")
        page.wait_for_selector(".anotador tfoot .huge-figure")
        assert page.evaluate(TOTALS_LIE_FREE), f"with {number} hands"
        counted(scorer, match, base_A="100", puntos_B="45")


RECEIVED = """() => ["navigation", "resource"].flatMap(kind => performance.getEntriesByType(kind))
  .map(({ name, transferSize }) => [new URL(name).pathname, transferSize])"""
MOST = 150 * 1024  # bytes


def test_the_first_view_of_a_match_weighs_little(
    browser: Browser, served: str, scorer: Scorer
) -> None:
    hand, match = saved_hand(scorer)
    cards = scorer.begin(new_match(scorer, ruleset="burraco_it", pieces="cards"))
    scorer.tap(cards, "A", "melds", CANASTA)
    for path, live in (
        (f"/matches/{match}", "body[data-offline=no]"),
        (f"/hands/{hand}", "#hand[data-live=yes]"),
        (f"/hands/{cards}", "#hand[data-live=yes]"),
    ):
        with device(browser, served) as phone:
            phone.page.goto(served + path)
            phone.page.wait_for_selector(live)
            received = dict(phone.page.evaluate(RECEIVED))
        assert path in received and sum(name.endswith(".js") for name in received) > 1
        assert [name for name, size in received.items() if not size] == []  # kept from before
        assert sum(received.values()) <= MOST


def test_the_page_tells_the_time_zone_of_its_phone(browser: Browser, served: str) -> None:
    zone = "Pacific/Kiritimati"  # 14 hours ahead of UTC
    with device(browser, served, timezone_id=zone) as phone:
        page = phone.page
        page.goto(f"{served}/")
        cookie = next(one for one in page.context.cookies() if one["name"] == "zone")
        assert cookie["value"] == zone
