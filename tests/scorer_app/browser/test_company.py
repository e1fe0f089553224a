"""What a match's page shows beside the scores: whose turn it is, what is lacking, victory, changes
with their effect, other rules, history, archive and statistics.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page

from ..conftest import Scorer, until
from ..devices import Watched, device
from ..hands import new_match

pytestmark = pytest.mark.browser
NAMES = {f"player_{seat}": name for seat, name in enumerate(("Ana", "Beto", "Caro", "Dani"))}
RUN = "3R 4R 5R 6R 7R 8R 9R"


def played(scorer: Scorer, match: str, hands: int = 1) -> str:
    """Play `hands` hands, each of which side A wins by 445 points to 100. Returns the id of the
    last one.
    """
    hand = ""
    for _ in range(hands):
        hand = scorer.begin(match)
        scorer.tap(hand, "A", "melds", RUN)
        scorer.close(hand, muerto=True)
        assert scorer.post(f"/api/hands/{hand}/save").status_code == 200
    return hand


def our_match(scorer: Scorer, **more: str) -> str:
    return new_match(scorer, side_a="Nosotros", side_b="Ellos", **NAMES, **more)


def test_the_match_says_who_deals_who_begins_and_what_is_lacking(
    phone: Watched, scorer: Scorer
) -> None:
    match, page = our_match(scorer), phone.page
    page.goto(f"{phone.base}/matches/{match}")
    assert "¿quién empieza?" in page.inner_text(".turn")
    page.click(".turn a")
    page.click('button:has-text("Tirar el dado")')
    page.wait_for_selector(".seats [aria-current]")
    order = ["Ana", "Beto", "Caro", "Dani"]
    first = order.index(page.inner_text(".seats [aria-current] b"))
    played(scorer, match)
    page.goto(f"{phone.base}/matches/{match}")
    second = order[(first + 1) % 4]
    assert page.inner_text(".turn-line") == f"Mano 2: reparte {order[first]}, empieza {second}"
    assert page.locator(".lacking td").all_inner_texts()[1:] == ["faltan 2.555", "faltan 2.900"]
    assert "Vamos ganando por 345." in page.inner_text(".turn")


def height_of_picture(page: Page) -> int:
    """Return the height in px of the picture to share once it is drawn: an empty canvas is 150
    high.
    """
    asked = "document.querySelector('#share-picture').height"
    height: int = until(lambda: page.evaluate(asked), lambda height: height != 150)
    return height


def test_a_victory_is_shown_with_its_margin_and_shared(phone: Watched, scorer: Scorer) -> None:
    match, page = our_match(scorer, target="800"), phone.page
    played(scorer, match, 2)
    page.goto(f"{phone.base}/matches/{match}")
    assert page.inner_text(".victory .winner") == "¡Ganamos!"
    assert page.inner_text(".victory-score") == "890 – 200"
    assert "Diferencia: 690, en 2 manos" in page.inner_text(".victory-note")
    viewer = re.search(r"/v/[\w-]+", scorer.client.get(f"/matches/{match}/others").text)
    assert viewer
    page.goto(phone.base + viewer.group())
    assert page.inner_text(".victory .winner") == "Victoria de «Nosotros»"
    assert page.locator(".victory a").count() == 0
    page.go_back()
    page.click(".victory .button")
    assert "¡Ganamos! · Diferencia: 690" in page.input_value("#share-text")
    height = height_of_picture(page)
    page.goto(f"{phone.base}/matches/{our_match(scorer)}/share")
    without = height_of_picture(page)
    assert height == without + 310 + 2 * 74  # the victory above, and two hands


def test_a_change_of_rules_shows_what_it_does_to_past_hands_before_it_is_done(
    phone: Watched, scorer: Scorer
) -> None:
    match, page = our_match(scorer), phone.page
    played(scorer, match, 2)
    page.goto(f"{phone.base}/matches/{match}/edit")
    assert page.input_value("[name=player_1]") == "Beto"
    page.click("details:has([name=close_bonus]) > summary")
    page.fill("[name=close_bonus]", "300")
    page.click(".bottom-bar button")
    page.wait_for_selector("#effect")
    assert page.locator(".difference").count() == 2
    assert "445 / 100 → 645 / 100" in page.inner_text(".difference >> nth=0")
    assert re.search(r"Nosotros · Cierre\s+100 → 300", page.inner_text(".difference >> nth=0"))
    tally = scorer.client.get(f"/matches/{match}").text
    assert "1.290" not in tally and "890" in tally  # nothing is done yet
    assert page.locator("button.primary:visible").all_inner_texts() == ["Sí, cambiarla"]
    again = page.locator(".bottom-bar button")
    assert again.inner_text() == "Cambiarla de otra manera"
    assert not again.evaluate("one => one.getBoundingClientRect().top < innerHeight")  # lies below
    page.click("#sure")
    page.wait_for_selector('.huge-figure:text-is("1.290")')
    page.goto(f"{phone.base}/matches/{match}/edit")
    page.fill("[name=side_b]", "Los de enfrente")  # changes no hand: done at once
    page.click(".bottom-bar button")
    page.wait_for_selector('.anotador th:has-text("Los de enfrente")')
    page.goto(f"{phone.base}/matches/{match}/edit")
    page.fill("[name=target]", "1000")  # the match is over then
    page.click(".bottom-bar button")
    page.wait_for_selector('#effect:has-text("¡Ganamos!")')


def test_a_match_is_counted_by_other_rules_side_by_side(phone: Watched, scorer: Scorer) -> None:
    match, page = our_match(scorer), phone.page
    hand = scorer.begin(match)
    scorer.tap(hand, "A", "melds", RUN)
    scorer.tap(hand, "B", "melds", "2R 2B 2K")  # a pierna of twos: not in Italy
    scorer.tap(hand, "B", "rack", "J")
    scorer.close(hand, muerto=True)
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 200
    before = scorer.client.get(f"/matches/{match}/export.json").get_json()
    page.goto(f"{phone.base}/matches/{match}/compare")
    page.click("label:has(input[value=burraco_it])")
    page.wait_for_selector("[name=canasta_semipulito]", state="attached")
    page.click(".bottom-bar button")
    page.wait_for_selector("#effect")
    told = page.inner_text(".difference")
    assert re.search(r"Nosotros · Muerto\s+100 → 0", told)
    assert re.search(r"Ellos · Quedó en el atril\s+−50 → −30", told)
    assert "Las fichas valen distinto (comodín 50 → 30)." in told
    assert "Burraco italiano no lo cuenta." in told
    assert page.locator('.difference .tile[aria-label="comodín"]').count() == 1
    assert scorer.client.get(f"/matches/{match}/export.json").get_json() == before


def test_a_comparison_and_a_changed_match_can_be_gone_back_to_and_loaded_anew(
    phone: Watched, scorer: Scorer
) -> None:
    page = phone.page
    match = our_match(scorer)
    hand = played(scorer, match)
    page.goto(f"{phone.base}/matches/{match}/compare?hand={hand}")
    page.click("label:has(input[value=burraco_it])")
    page.wait_for_selector("[name=canasta_semipulito]", state="attached")
    page.click(".bottom-bar button")
    page.wait_for_selector("#effect")
    page.goto(f"{phone.base}/matches/{match}/edit")
    page.fill("[name=target]", "400")
    page.click(".bottom-bar button")
    page.click("#sure")
    page.wait_for_selector(".victory")
    page.go_back()  # chromium goes back to no answer of a form, but shows an error page of its own
    assert page.input_value("[name=target]") == "400"
    assert page.locator("#effect").count() == 0
    page.fill("[name=target]", "500")
    page.click(".bottom-bar button")
    page.wait_for_selector("#effect")
    page.reload()
    page.wait_for_selector("#effect")
    assert page.input_value("[name=target]") == "500"
    for _form in range(3):
        page.go_back()
    page.wait_for_selector("#effect")
    assert page.url.split("?")[0].endswith(f"/matches/{match}/compare")
    assert page.inner_text("#effect h2") == "Mano 1"


def test_a_hand_is_compared_alone_with_the_meld_that_others_forbid(
    phone: Watched, scorer: Scorer
) -> None:
    page = phone.page
    prices = {"special_wilds_pura": "2000", "special_wilds_impura": "1000"}
    match = our_match(scorer, options_shown="yes", special_wilds="yes", **prices)
    played(scorer, match)
    hand = scorer.begin(match)
    scorer.tap(hand, "A", "melds", RUN)
    scorer.tap(hand, "B", "melds", "2B 2K 2Y J J 2B 2K")
    scorer.close(hand, muerto=True)
    assert scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True}).status_code == 200
    page.goto(f"{phone.base}/hands/{hand}")
    page.click("details.more > summary")
    page.click("#compare")
    assert page.inner_text("h1") == "¿Y con otras reglas? Mano 2"
    page.click("label:has(input[value=pagat])")
    page.wait_for_selector("[name=special_wilds]:not(:checked)", state="attached")
    page.click(".bottom-bar button")
    page.wait_for_selector("#effect .difference")
    told = page.inner_text(".difference")
    assert "Burako según Pagat no admite el juego. Un juego no puede ser solo de comodines" in told
    assert page.locator(".difference .remark .tile").count() > 0
    assert page.locator("#effect h2").inner_text() == "Mano 2"


def test_history_names_the_device_and_undoes_each_step(
    phone: Watched, browser: Browser, scorer: Scorer
) -> None:
    match, page = our_match(scorer), phone.page
    played(scorer, match)
    page.goto(f"{phone.base}/settings")
    page.fill("[name=device]", "Teléfono de Ana")
    page.click('button:has-text("Guardar")')
    page.goto(f"{phone.base}/matches/{match}/count")
    for field, points in {"base_A": "1.100", "puntos_A": "-945", "base_B": "-100"}.items():
        page.fill(f"[name={field}]", points)
    page.click("#count .primary")
    page.wait_for_selector('.huge-figure:text-is("600")')
    assert "Contada a mano." in page.inner_text(".anotador")
    assert "base 1.100\npuntos −945" in page.inner_text(".anotador tbody tr:has-text('2') .parts")
    page.click('a[href$="/history"]')
    newest = page.locator(".history li").first
    assert "Teléfono de Ana anotó a mano la mano 2" in newest.inner_text()
    newest.locator("button").click()
    page.wait_for_selector(".history .undone")
    assert "Deshecho por Teléfono de Ana" in page.inner_text(".history li >> nth=0")
    page.click('.history li:has-text("guardó la mano 1") button')
    page.wait_for_selector(".history li:nth-child(2).undone")
    page.goto(f"{phone.base}/matches/{match}")
    assert page.locator(".huge-figure").all_inner_texts() == ["0", "0"]


def test_a_correction_is_undone_with_a_second_tap_since_nothing_brings_it_back(
    phone: Watched, scorer: Scorer
) -> None:
    match, page = our_match(scorer), phone.page
    for points in ("300", "350"):
        page.goto(f"{phone.base}/matches/{match}")
        if points == "300":
            page.goto(f"{phone.base}/matches/{match}/count")
        else:
            page.click(".anotador tbody a")
        page.fill("[name=puntos_A]", points)
        page.click("#count .primary")
        page.wait_for_selector(f'.huge-figure:text-is("{points}")')
    page.click('a[href$="/history"]')
    assert "no se rehace solo" in page.inner_text(".remark >> nth=0")
    newest = page.locator(".history li").first
    assert not newest.locator("button").is_visible()
    newest.locator("summary").click()
    newest.locator('button:text-is("Sí, deshacer: se pierde esta corrección")').click()
    page.wait_for_selector(".history .undone")
    assert page.locator(".history summary").count() == 0  # the hand's first saving can be regained
    page.goto(f"{phone.base}/matches/{match}")
    assert page.locator(".huge-figure >> nth=0").inner_text() == "300"


def test_deleting_a_match_says_what_goes_and_asks(phone: Watched, scorer: Scorer) -> None:
    match, page = our_match(scorer), phone.page
    played(scorer, match, 2)
    page.goto(f"{phone.base}/matches/{match}")
    page.click("details.more > summary")
    page.click('summary:text-is("Borrar la partida")')
    assert "Se van las 2 manos de esta partida" in page.inner_text("#what-goes")
    page.click("form[action$='/delete'] button.danger")
    page.wait_for_selector("#score-now")
    assert page.locator(".match-line").count() == 0


@pytest.mark.parametrize("path", ["/hands/{hand}", "/matches/{match}", "/matches/{match}/table"])
def test_a_page_of_a_match_that_another_phone_deletes_says_so(
    phone: Watched, scorer: Scorer, path: str
) -> None:
    match, page = our_match(scorer), phone.page
    hand = scorer.begin(match)
    page.goto(phone.base + path.format(hand=hand, match=match))
    page.wait_for_selector("[data-live], [data-watch]", state="attached")
    page.wait_for_load_state("networkidle")
    scorer.form(f"/matches/{match}/delete")
    assert page.inner_text(".failure p") == "Eso no existe, o ya no está."
    page.click('.failure a[href="/"]')
    page.wait_for_selector("#score-now")
    phone.faults.clear()  # what was asked for and is not there


def test_a_match_is_put_away_and_brought_back(phone: Watched, scorer: Scorer) -> None:
    match, page = our_match(scorer), phone.page
    page.goto(f"{phone.base}/matches/{match}")
    page.click("details.more > summary")
    page.click("#archive")
    page.wait_for_selector("#archived")
    assert page.locator(".match-line:visible").count() == 0
    page.click("#archived summary")
    page.click("#archived .match-line")
    page.click("details.more > summary")
    page.click("#archive")
    page.goto(phone.base)
    assert page.locator(".match-line:visible").count() == 1


def test_another_device_has_another_name(browser: Browser, served: str, scorer: Scorer) -> None:
    match = our_match(scorer)
    agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)"
    with device(browser, served, user_agent=agent) as other:
        other.page.goto(f"{served}/matches/{match}/deal")
        other.page.click('button:has-text("Tirar el dado")')
        other.page.goto(f"{served}/matches/{match}/history")
        assert re.search(r"iPhone \d{4} tiró el dado", other.page.inner_text(".history"))


def test_statistics_tell_of_pairs_over_time_and_of_each_player(
    phone: Watched, scorer: Scorer
) -> None:
    for target in ("400", "3000"):
        played(scorer, our_match(scorer, target=target))
    page = phone.page
    page.goto(f"{phone.base}/matches/statistics")
    assert page.locator(".course-plot .dot").count() == 4
    assert page.locator(".versus-score b").all_inner_texts() == ["1", "0"]
    assert page.locator(".course li").count() == 2
    assert "en juego" in page.inner_text(".course li >> nth=0")
    assert "Nosotros" in page.inner_text(".course li >> nth=1")
    rows = page.locator("#players tbody tr").all_inner_texts()
    results = page.locator("#players .results[role=img]")
    assert results.nth(0).get_attribute("aria-label") == "ganó, en juego"
    assert results.nth(3).get_attribute("aria-label") == "perdió, en juego"
    assert [row.replace("\n", "").split("\t") for row in rows] == [
        ["Ana", "2", "1", "445"],
        ["Caro", "2", "1", "445"],
        ["Beto", "2", "0", "100"],
        ["Dani", "2", "0", "100"],
    ]


def test_the_statistics_say_what_their_marks_mean_and_lead_to_each_match(
    phone: Watched, scorer: Scorer
) -> None:
    won, going = (our_match(scorer, target=target) for target in ("400", "3000"))
    for match in (won, going):
        played(scorer, match)
    page = phone.page
    page.goto(f"{phone.base}/matches/statistics")
    named = page.locator(".course-plot figcaption > span")
    assert named.all_inner_texts()[:2] == ["Nosotros", "Ellos"]
    meanings = page.locator("#players .legend span")
    assert meanings.all_inner_texts() == ["ganó", "perdió", "en juego"]
    borders = "mark => getComputedStyle(mark).borderStyle"
    assert meanings.nth(2).locator("i").evaluate(borders) == "dotted"
    assert meanings.nth(1).locator("i").evaluate(borders) == "solid"
    for place, match in enumerate((going, won)):
        page.click(f".course li >> nth={place} >> a")
        page.wait_for_url(f"**/matches/{match}")
        assert page.locator(".anotador").count() == 1
        page.go_back()


def test_only_the_marks_that_stand_there_are_explained(phone: Watched, scorer: Scorer) -> None:
    played(scorer, our_match(scorer, target="400"))
    phone.page.goto(f"{phone.base}/matches/statistics")
    assert phone.page.locator("#players .legend span").all_inner_texts() == ["ganó", "perdió"]
