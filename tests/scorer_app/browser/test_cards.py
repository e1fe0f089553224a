"""A match of cards in a real browser at a phone's size: from the first page to the tally, from taps
and photographs, in Spanish and Italian.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page

from ..conftest import Scorer
from ..devices import Watched, device, wait_until
from ..hands import CANASTA, new_match, send, when_read
from ..layout import broken_words, layout_faults
from ..pictures import RecordedReader, picture_of

pytestmark = pytest.mark.browser
CARDS = {"ruleset": "burraco_it", "pieces": "cards"}
NARROW = {"width": 320, "height": 640}


def shown(page: Page, selector: str) -> list[str]:
    """Return the ranks printed on the cards that the selector finds."""
    return page.locator(f"{selector} .tile .tile-number").all_inner_texts()


def open_hand(phone: Watched, hand: str) -> Page:
    phone.page.goto(f"{phone.base}/hands/{hand}")
    phone.page.wait_for_selector("#hand[data-live=yes]")
    return phone.page


def test_a_hand_of_cards_is_tapped_in_corrected_and_saved(phone: Watched) -> None:
    page = phone.page
    page.goto(phone.base)
    page.click("#score-other")
    page.wait_for_selector("#hand[data-live=yes]")
    page.click('[data-slot="A-melds"] [data-open-entry]')
    for face in ("10R", "11R", "12R", "13R", "1R"):
        page.click(f'#entry [data-face="{face}"]')
    page.wait_for_selector("#hand[data-waiting=no]")
    assert shown(page, ".row") == ["10", "J", "Q", "K", "A"]
    label = page.locator('#entry [data-face="13R"]').get_attribute("aria-label")
    assert label == "rey de corazones"
    assert layout_faults(page) == []
    page.keyboard.press("Escape")
    page.click('.row .tile[data-colour="R"] >> nth=3')
    assert page.inner_text("#picker h2") == "Rey de corazones"
    assert layout_faults(page) == []
    page.click('#picker [data-face="J"]')
    page.wait_for_selector("#hand[data-waiting=no]")
    assert shown(page, ".row") == ["10", "J", "Q", "", "A"]
    page.click("label:has(input[name=end][value=stock_exhausted])")
    for side in "AB":
        page.click(f'label:has(input[name="muerto-{side}"][value=no])')
    for side in "AB":
        page.click(f'[data-slot="{side}-rack"] [data-open-entry]')
        page.click('#entry [data-face="4K"]')
        page.keyboard.press("Escape")
    page.wait_for_selector('[data-part=save][data-ready="yes"]')
    page.click("[data-part=save]")
    page.wait_for_url(re.compile(r"/matches/"))
    assert "Burraco italiano" in page.inner_text("main")


def test_cards_are_typed_with_their_letters(phone: Watched, scorer: Scorer) -> None:
    page = open_hand(phone, scorer.begin(new_match(scorer, **CARDS)))
    page.click('[data-slot="A-rack"] [data-open-entry]')
    for key in ("j", "c", "q", "p", "1", "0", "t", "*"):
        page.keyboard.press(key)
    page.wait_for_selector("#hand[data-waiting=no]")
    labels = page.locator(".row .tile").evaluate_all("all => all.map(t => t.ariaLabel)")
    assert labels == ["jota de corazones", "reina de picas", "10 de tréboles", "comodín"]


def test_a_hand_that_is_open_follows_the_rules_and_the_pieces_of_its_match(
    phone: Watched, scorer: Scorer
) -> None:
    match = new_match(scorer)
    hand = scorer.begin(match)
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.tap(hand, "B", "rack", "12R")
    scorer.close(hand)
    open_hand(phone, hand)
    assert phone.page.inner_text('[data-total="A"]') == "445"
    form = {"side_a": "Los Pérez", "side_b": "Visitas", "ruleset": "burako", "pieces": "tiles"}
    scorer.form(f"/matches/{match}/edit", **form, canasta_pura="900")
    phone.page.wait_for_selector('[data-total="A"]:text-is("1.145")')
    scorer.form(f"/matches/{match}/edit", **form | {"pieces": "cards"})
    phone.page.wait_for_selector("html[data-pieces=cards] .row .tile-number:text-is('Q')")
    swapped = {"side_a": form["side_b"], "side_b": form["side_a"]}
    scorer.form(f"/matches/{match}/names", **swapped)
    phone.page.wait_for_selector('label:has([name=end][value=A]):has-text("Visitas")')


def test_a_photograph_of_cards_is_corrected_in_italian(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin(new_match(scorer, **CARDS))
    picture = reader.add(picture_of("5R 6R 7R", doubts={"6R": ["12R", "6R"]}))
    send(scorer, hand, "A", "melds", picture)
    when_read(scorer, hand)
    with device(browser, served, locale="it-IT", viewport=NARROW) as italian:
        page = open_hand(italian, hand)
        page.wait_for_selector(".photo .box")
        assert "♥" in (page.locator(".box text").first.text_content() or "")
        assert "carte" in page.inner_text('[data-slot="A-melds"] .slot-status')
        assert layout_faults(page) == []
        page.click('[data-tile]:has([data-colour="R"]).doubtful >> nth=0')
        assert page.inner_text("#picker h2") == "Donna di cuori"
        assert (broken_words(page), layout_faults(page)) == ([], [])
        page.click('#picker [data-key="likely-6R"]')
        page.wait_for_selector("#hand[data-waiting=no]")
        assert shown(page, ".row") == ["5", "6", "7"]
        assert not re.search(r"\b(tesser[ae]|leggio)\b", page.inner_text("main"))
        assert italian.faults == []


def test_words_and_points_beside_melds_of_cards_stay_whole(
    browser: Browser, served: str, scorer: Scorer
) -> None:
    """A burraco leaves next to no room beside its seven cards, and neither do four to a long
    word.
    """
    hand = scorer.begin(new_match(scorer, **CARDS))
    scorer.tap(hand, "A", "melds", "8R 8B 8Y 2K")
    scorer.tap(hand, "A", "melds", "1K 2K 3K 4K 5K J 7K")
    with device(browser, served, locale="it-IT") as italian:
        page = open_hand(italian, hand)
        page.click('[data-slot="A-melds"] [data-open-entry]')
        page.wait_for_selector(".entry-row .hint:has-text('burraco')")
        assert broken_words(page) == []
        page.keyboard.press("Escape")
        page.wait_for_selector(".row:has-text('Combinazione')")
        assert broken_words(page) == []


def test_the_words_that_join_a_card_to_a_long_meld_stay_whole(
    phone: Watched, scorer: Scorer
) -> None:
    """The button names all cards of the meld, for which a phone has no room beside the words."""
    hand = scorer.begin(new_match(scorer, **CARDS))
    scorer.tap(hand, "A", "melds", "J 4K 5K 6K 7K 8K 9K 10K 2K")
    alone = {"face": "1K", "side": "A", "place": "melds", "row": "new"}
    scorer.edit(hand, {"op": "add_tile", **alone})
    page = open_hand(phone, hand)
    page.wait_for_selector(".row .repair:has-text('Es uno solo con')")
    assert (broken_words(page), layout_faults(page)) == ([], [])


def test_a_ten_stays_whole_on_a_narrow_phones_keys(
    browser: Browser, served: str, scorer: Scorer
) -> None:
    hand = scorer.begin(new_match(scorer, **CARDS))
    for width in (320, 360):
        with device(browser, served, viewport={"width": width, "height": 640}) as narrow:
            page = open_hand(narrow, hand)
            page.click('[data-slot="A-melds"] [data-open-entry]')
            page.wait_for_selector('#entry [data-face="10R"]')
            assert (broken_words(page), layout_faults(page)) == ([], [])


def test_the_list_of_melds_that_a_card_may_join_names_cards(phone: Watched, scorer: Scorer) -> None:
    hand = scorer.begin(new_match(scorer, **CARDS))
    scorer.tap(hand, "A", "melds", "11R 12R 13R")
    scorer.tap(hand, "A", "melds", "8B 8K J")
    page = open_hand(phone, hand)
    page.click('.row .tile[data-colour="J"]')
    page.wait_for_selector("#picker select")
    options = page.locator("#picker option").all_inner_texts()
    assert "J♥ Q♥ K♥" in [text.replace("\ufe0e", "") for text in options]


def test_the_form_proposes_cards_and_keeps_what_a_person_chose(phone: Watched) -> None:
    page = phone.page
    page.goto(f"{phone.base}/matches/new")
    page.wait_for_selector("#new-match[data-ready=yes]")
    chosen = page.locator("[name=pieces]:checked")
    assert chosen.input_value() == "tiles"
    page.click("label:has(input[value=burraco_it])")
    page.wait_for_selector("[name=canasta_semipulito]", state="attached")
    page.wait_for_selector("[name=pieces][value=cards]:checked", state="attached")
    page.fill("[name=target]", "1234")
    page.click("label:has(input[name=pieces][value=tiles])")
    page.wait_for_selector('#options:has-text("Valor de las fichas")', state="attached")
    assert page.input_value("[name=target]") == "1234"
    page.click("label:has(input[name=ruleset][value=burako])")
    page.wait_for_selector("[name=canasta_pura]", state="attached")
    assert chosen.input_value() == "tiles"
    assert layout_faults(page) == []


def test_what_is_dealt_lies_on_the_table_as_cards(phone: Watched, scorer: Scorer) -> None:
    backs = "piles => piles.map(one => getComputedStyle(one).backgroundImage)"
    for fields, are_cards in (({}, False), (CARDS, True)):
        phone.page.goto(f"{phone.base}/matches/{new_match(scorer, **fields)}/deal")
        drawn = phone.page.locator(".stack-row i").evaluate_all(backs)
        assert {"gradient" in one for one in drawn} == {are_cards}


@pytest.mark.parametrize("path", ["", "/rules", "/deal", "/edit", "/table", "/share"])
def test_the_pages_of_a_match_of_cards_fit_a_narrow_phone(
    browser: Browser, served: str, scorer: Scorer, path: str
) -> None:
    match = new_match(scorer, **CARDS)
    with device(browser, served, viewport=NARROW) as narrow:
        narrow.page.goto(f"{served}/matches/{match}{path}")
        narrow.page.wait_for_load_state("load")
        assert layout_faults(narrow.page) == []
        assert narrow.faults == []


def test_cards_in_doubt_beside_the_melds_are_asked_about_until_a_person_has_looked(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin(new_match(scorer, **CARDS))
    beside = reader.add(picture_of("4R 5R 6R", loose="12B 12K", doubts={"12B": ["12B", "11B"]}))
    send(scorer, hand, "A", "melds", beside)
    when_read(scorer, hand)
    page = open_hand(phone, hand)
    total = page.locator('.totals [data-total="A"]')
    assert (total.inner_text(), shown(page, ".area-aside")) == ("15 … 65", ["Q", "Q"])
    page.click(".answers [data-key=sure]")
    wait_until(page, "document.querySelector('.totals [data-total=A]').textContent === '15'")
    assert shown(page, ".area-aside") == ["Q", "Q"]
