"""How a person corrects, completes and saves a hand on its review screen, in a real browser at a
phone's size.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator

from ..conftest import Scorer
from ..devices import SECOND_TAP, Watched, box_of, device
from ..hands import CANASTA, closed_hand, new_match, saved_hand, send, when_read
from ..layout import broken_words, layout_faults
from ..pictures import RecordedReader, picture_of
from .review import SAVE_READY, doubtful_hand, opened, photographed, pick, saved, shown

pytestmark = pytest.mark.browser


def test_two_melds_read_as_one_row_are_parted_with_one_tap(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    photographed(phone, scorer, reader.add(picture_of("3R 4R 5R 6R 9R 9B 9K")))
    phone.page.click("[data-part=question] [data-key^=split]")
    shown(phone, "3R 4R 5R 6R", "9R 9B 9K")


def test_a_row_or_a_whole_photograph_is_set_aside_as_pozo(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    photographed(phone, scorer, reader.add(picture_of("3R 4R 5R", "9R 9B 9K", loose="13Y")))
    shown(phone, "13Y", area=".area-aside")
    phone.page.click('.row:has-text("30") .row-more summary')
    phone.page.click('.row:has-text("30") [data-key^=aside]')
    shown(phone, "13Y", "9R 9B 9K", area=".area-aside")
    assert phone.totals() == ["15", "0"]
    phone.page.click('.area-aside .row:has-text("30") [data-key^=count]')
    shown(phone, "13Y", area=".area-aside")
    assert phone.totals() == ["45", "0"]
    phone.page.click(".photo-tools [data-key^=aside]")
    shown(phone, "13Y", "9R 9B 9K", "3R 4R 5R", area=".area-aside")
    assert phone.totals() == ["0", "0"]


def test_a_rack_beside_melds_in_one_photograph_is_moved_as_a_whole_with_two_taps(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R", "9R 4B 13K 1Y")))
    when_read(scorer, hand)
    with device(browser, served, viewport={"width": 320, "height": 568}) as phone:
        opened(phone, hand)
        row = phone.page.locator(".row[data-state=illegal]")
        row.locator(".row-more summary").click()
        offered = row.locator(".row-rest button")
        assert offered.all_inner_texts() == ["→ Ellos", "→ Atril", "No cuenta"]
        assert len({box_of(one)["y"] for one in offered.all()}) == 1
        assert (broken_words(phone.page), layout_faults(phone.page)) == ([], [])
        row.get_by_role("button", name="Todas estas, al atril").click()
        phone.wait_for_tiles("A-rack", 4)
        shown(phone, "3R 4R 5R", area=".area:not(:has(.row[data-state=plain]))")
        assert phone.totals() == ["−25", "0"]
        assert phone.faults == []


# How far the points of each row end before its border, in px.
ROOM_AFTER_POINTS = """rows => rows.map((row) => {
  const points = row.querySelector(".row-points").getBoundingClientRect();
  return row.getBoundingClientRect().right - points.right;
})"""


def test_points_of_a_row_keep_clear_of_its_border_and_stand_beside_its_words_though_it_waits(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("8R 8B 8K", "3R 9B 4K", loose="9K 4B")))
    when_read(scorer, hand)
    with device(browser, served, viewport={"width": 320, "height": 640}) as phone:
        opened(phone, hand)
        rows = phone.page.locator(".row:has(.row-points)")
        assert rows.count() == 3
        assert min(rows.evaluate_all(ROOM_AFTER_POINTS)) >= 9
        phone.page.route("**/edits", lambda route: route.abort())
        pick(phone, "8K")
        phone.page.click("#picker [data-face=J]")
        verdict = phone.page.locator(".row:has(.tile.waiting) .verdict")
        verdict.locator(".row-waiting").wait_for()
        words, waits, points = (
            box_of(verdict.locator(part))
            for part in ("> span:nth-child(2)", ".row-waiting", ".row-points")
        )
        assert points["x"] > words["x"] and points["y"] < words["y"] + words["height"] / 2
        assert waits["y"] >= words["y"] + words["height"] - 1 and waits["x"] == words["x"]
        assert layout_faults(phone.page) == []
        phone.faults.clear()  # the requests that were lost


def test_a_tile_is_set_aside_moved_and_taken_away(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    photographed(phone, scorer, reader.add(picture_of("3R 4R 5R 6R", "9R 9B 9K")))
    pick(phone, "6R")
    phone.page.click("#picker [data-key=aside]")
    shown(phone, "3R 4R 5R", "9R 9B 9K", "6R")
    pick(phone, "6R")
    phone.page.select_option("#picker select", label="3● 4● 5●")
    shown(phone, "3R 4R 5R 6R", "9R 9B 9K")
    pick(phone, "9K")
    phone.page.click("#picker [data-key=delete]")
    shown(phone, "3R 4R 5R 6R", "9R 9B")
    phone.page.click("[data-part=undo]")
    shown(phone, "3R 4R 5R 6R", "9R 9B 9K")


def test_melds_are_split_and_joined(phone: Watched, scorer: Scorer, reader: RecordedReader) -> None:
    photographed(phone, scorer, reader.add(picture_of("3R 4R 5R 6R 7R 8R")))
    pick(phone, "6R")
    phone.page.click("#picker [data-key=split]")
    shown(phone, "3R 4R 5R", "6R 7R 8R")
    pick(phone, "8R")
    phone.page.click("#picker [data-key=new-meld]")
    shown(phone, "3R 4R 5R", "6R 7R", "8R")
    pick(phone, "6R")
    phone.page.select_option("#picker select", label="Unir todo con 3● 4● 5●")
    shown(phone, "3R 4R 5R 6R 7R", "8R")


def test_an_illegal_meld_passes_and_the_history_says_so(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = closed_hand(scorer)
    send(scorer, hand, "B", "melds", reader.add(picture_of("3B 4B 9B")))
    when_read(scorer, hand)
    opened(phone, hand)
    assert phone.page.get_attribute("[data-part=save]", "data-ready") == "no"
    phone.page.click(".row[data-state=illegal] [data-key^=accept]")
    phone.page.wait_for_selector(".row[data-state=accepted]")
    phone.page.wait_for_selector('.sheets .note:has-text("aceptó")')
    saved(phone)
    assert "aceptó algo" in phone.page.inner_text(".anotador .remark")


def test_house_penalties_carry_their_reason(phone: Watched, scorer: Scorer) -> None:
    opened(phone, closed_hand(scorer))
    phone.page.click("details.more > summary")
    phone.page.click("label:has(input[name=adjust-side][value=B])")
    phone.page.fill("[name=points]", "−1.030")
    phone.page.fill("[name=reason]", "habló de más")
    phone.page.click(".adjust button.wide")
    phone.page.wait_for_selector('[data-total=B]:text-is("−1.180")')
    assert "habló de más" in phone.page.inner_text(".sheets").lower()
    phone.page.click('.sheet button[aria-label*="habló"]')
    phone.page.wait_for_selector('[data-total=B]:text-is("−150")')


def test_who_closed_has_taken_the_muerto_and_the_sheet_shows_it(
    phone: Watched, scorer: Scorer
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.tap(hand, "B", "rack", "J")
    opened(phone, hand)
    assert phone.page.inner_text("[data-part=save]") == "Falta al menos 1 respuesta"
    assert phone.page.locator("[data-part=question] .accept").all_inner_texts() == [
        "Nosotros",
        "Ellos",
        "Nadie",
    ]
    phone.page.click("[data-part=question] [data-key=end-A]")
    phone.page.wait_for_selector("input[name=muerto-A][value=yes]:checked", state="attached")
    phone.page.click("[data-part=question] .question")  # brings the muerto's row to the eye
    phone.page.click("[data-part=question] [data-key=muerto-B-no]")
    phone.page.wait_for_selector("input[name=muerto-B][value=no]:checked", state="attached")
    phone.page.wait_for_selector(SAVE_READY)
    lines = phone.page.locator(".sheet >> nth=0 >> .line").all_inner_texts()
    words = [re.sub(r"\s+", " ", line) for line in lines]
    assert words == ["Canasta pura 200", "Cierre 100", "Muerto 100", "Escalera 3–9 45"]


def test_a_closing_that_does_not_stand_gives_no_score_and_is_asked_again(
    phone: Watched, scorer: Scorer
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "3R 4R 5R")
    scorer.close(hand)
    opened(phone, hand)
    assert phone.totals() == ["–", "–"]
    assert "canasta" in phone.page.inner_text("[data-part=question] .question")
    answers = phone.page.locator("[data-part=question] .accept").all_inner_texts()
    assert answers == ["Nadie", "Sacar foto", "Tocar fichas"]
    phone.page.click("[data-key=end-stock_exhausted]")
    phone.page.wait_for_selector(SAVE_READY)
    assert phone.totals() == ["0", "0"]  # nobody has a canasta: the hand is void


def test_a_sentence_shows_its_tiles_as_tiles(phone: Watched, scorer: Scorer) -> None:
    scorer.form("/matches/new", side_a="J 7R", side_b="Ellos", players="4", ruleset="burako")
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "4B 5B 9B")
    opened(phone, hand)
    sentence = phone.page.locator(".row .verdict > span:nth-child(2)")
    named = [
        sentence.locator(".tile").nth(at).get_attribute("aria-label")
        for at in range(sentence.locator(".tile").count())
    ]
    assert set(named) >= {"6 azul"}
    assert not re.search(r"\d[RBKY]", sentence.inner_text())
    assert phone.page.locator("[data-part=question] .question .tile").count() == len(named)
    phone.page.click("[data-part=question] [data-key=accept]")
    phone.page.wait_for_selector("[data-part=question] [data-key=end-A]")
    # The name is shown as text and runs no script.
    assert phone.page.inner_text("[data-part=question] [data-key=end-A]") == "J 7R"


def test_saving_with_doubts_says_which_and_the_history_keeps_saying_it(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = opened(phone, doubtful_hand(scorer, reader))
    refused = scorer.post(f"/api/hands/{hand}/save")
    assert (refused.status_code, refused.get_json()["error"]) == (422, "open_questions")
    phone.page.click(SAVE_READY)
    told = phone.page.inner_text("#doubts")
    assert "Queda una duda" in told
    assert "9 negro" in told
    assert "−155 a −115" in told
    phone.page.wait_for_timeout(SECOND_TAP)
    phone.page.click("#doubts [data-key=look]")
    assert phone.page.locator("#picker .likely .tile").count() == 2
    phone.page.keyboard.press("Escape")
    phone.page.click(SAVE_READY)
    phone.page.wait_for_timeout(SECOND_TAP)
    phone.page.click("#doubts [data-key=save-with-doubts]")
    phone.page.wait_for_url(re.compile(r"/matches/"))
    assert "Guardada con una duda: Nosotros 445 · Ellos −155 a −115." in phone.page.inner_text(
        ".anotador .remark"
    )
    assert "el total puede cambiar" in phone.page.inner_text("p.in-doubt")
    phone.page.click(".anotador tbody a")
    phone.page.wait_for_selector("#hand[data-live=yes]")
    phone.page.click("[data-part=question] [data-key=sure]")
    phone.page.wait_for_selector('[data-part=save]:text-is("Guardar cambios")')
    saved(phone)
    assert phone.page.locator(".in-doubt").count() == 0


def test_what_may_be_no_tile_is_dismissed_in_one_tap(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    picture = picture_of(loose="9K 4B", doubts={"9K": ["9K"]})
    picture.reading["tiles"][0]["doubts"] = ["faint"]
    photographed(phone, scorer, reader.add(picture), place="rack")
    assert (
        phone.page.inner_text("[data-part=question] .question span >> nth=0")
        == "¿Hay ahí una ficha (9 negro)?"
    )
    phone.page.click("[data-part=question] [data-key=none]")
    shown(phone, "4B")
    assert "ahí no hay ficha" in (phone.page.text_content("[data-part=corrections]") or "")


def test_a_saved_hand_that_is_only_looked_at_offers_no_changes_to_save(
    phone: Watched, scorer: Scorer
) -> None:
    hand, _match = saved_hand(scorer)
    opened(phone, hand)
    phone.page.click("details.more > summary")
    assert phone.page.inner_text("[data-part=save]") == "Guardada"
    assert phone.page.is_disabled("[data-part=save]")
    drop = "summary:text-is('Descartar los cambios')"
    assert phone.page.is_hidden(drop)
    phone.page.click('label:has(input[name="muerto-B"][value=yes])')
    phone.page.wait_for_selector(f'{SAVE_READY}:text-is("Guardar cambios")')
    phone.page.wait_for_selector(drop)
    phone.page.click(".undo")
    phone.page.wait_for_selector("[data-part=save]:disabled")
    # Nobody else dropped it.
    assert phone.page.inner_text("#toast") == "Deshecho: el muerto de Ellos."


def test_a_correction_that_is_put_back_by_hand_leaves_nothing_to_save(
    phone: Watched, scorer: Scorer
) -> None:
    hand, _match = saved_hand(scorer)
    opened(phone, hand)
    for taken, offered in (("yes", "Guardar cambios"), ("no", "Guardada")):
        phone.page.click(f'label:has(input[name="muerto-B"][value={taken}])')
        phone.page.wait_for_selector(f'[data-part=save]:text-is("{offered}")')
    assert phone.page.is_disabled("[data-part=save]")
    assert phone.page.inner_text("#toast") == ""  # nobody else dropped it
    phone.page.click(".undo")
    phone.page.wait_for_selector('[data-part=save]:text-is("Guardar cambios")')
    assert phone.faults == []


@pytest.mark.parametrize(
    ("rows_read", "offered", "repaired"),
    [
        (["5R 9R 7R 8R"], "9R es 6R", ["5R 6R 7R 8R"]),
        (["6R 7R", "3R 4R 5R"], "Es uno solo con 3R 4R 5R", ["3R 4R 5R 6R 7R"]),
        (["9B 9K 9Y 6R", "3R 4R 5R"], "6R va con 3R 4R 5R", ["9B 9K 9Y", "3R 4R 5R 6R"]),
    ],
)
def test_an_illegal_row_is_repaired_with_one_tap_before_it_is_accepted(
    phone: Watched,
    scorer: Scorer,
    reader: RecordedReader,
    rows_read: list[str],
    offered: str,
    repaired: list[str],
) -> None:
    photographed(phone, scorer, reader.add(picture_of(*rows_read)))
    answers = phone.page.locator("[data-part=question] .answers button")
    assert as_written(answers.first) == offered
    keys = [answer.get_attribute("data-key") for answer in answers.all()]
    repairs = keys.index("accept")
    assert keys[repairs:] == (["accept", "aside"] if repairs < 2 else ["accept"])
    answers.first.click()
    shown(phone, *repaired)
    phone.page.wait_for_selector(".row[data-state=illegal]", state="detached")


def test_what_a_row_lacks_is_added_without_looking_for_its_place_in_the_photograph(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    photographed(phone, scorer, reader.add(picture_of("4R 6R 7R", "9B 9K")))
    for lacking, *complete in (("9Y", "4R 6R 7R", "9B 9K 9Y"), ("5R", "4R 5R 6R 7R", "9B 9K 9Y")):
        row = phone.page.locator(".row", has_text="9" if lacking == "9Y" else "4")
        row.locator('button:text-is("Falta una ficha")').click()
        assert phone.page.inner_text("dialog[open] h2") == "¿Qué ficha falta?"
        phone.page.click(f'dialog[open] .faces [data-face="{lacking}"]')
        phone.page.wait_for_selector("dialog[open]", state="detached")
        shown(phone, *complete)
    assert phone.page.locator(".row[data-state=illegal]").count() == 0
    assert phone.faults == []


@pytest.mark.parametrize(
    ("locale", "words"),
    [("es-AR", "No cuenta"), ("en-GB", "Do not count"), ("it-IT", "Non conta")],
)
@pytest.mark.parametrize("pieces", ["tiles", "cards"])
def test_an_illegal_row_counts_for_nobody_with_one_tap(
    browser: Browser, served: str, scorer: Scorer, locale: str, words: str, pieces: str
) -> None:
    hand = scorer.begin(new_match(scorer, ruleset="burako", pieces=pieces))
    scorer.tap(hand, "B", "melds", "3R 4R 9K")
    with device(browser, served, locale=locale) as phone:
        opened(phone, hand)
        phone.page.click(f'[data-part=question] .answers button:text-is("{words}")')
        phone.page.wait_for_selector("[data-part=question] [data-key=aside]", state="detached")
        phone.page.wait_for_selector("#hand[data-waiting=no]")
        (row,) = scorer.hand(hand)["rows"]
        assert (row["side"], row["place"], len(row["tiles"])) == ("B", "pozo", 3)
        assert phone.totals() == ["0", "0"]
        phone.page.click("[data-part=undo]")
        phone.page.wait_for_selector("[data-part=question] [data-key=aside]")
        assert phone.faults == []


def test_a_tile_read_apart_is_offered_to_the_meld_that_lacks_it(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    photographed(phone, scorer, reader.add(picture_of("5R 6R 8R", loose="7R")))
    offer = phone.page.locator("[data-part=question] .answers button").first
    assert as_written(offer) == "7R, apartada, va acá"
    offer.click()
    shown(phone, "5R 6R 7R 8R")


def as_written(sentence: Locator) -> str:
    """Return a sentence with its tiles written in letters."""
    text: str = sentence.evaluate(
        "one => { const copy = one.cloneNode(true);"
        " for (const tile of copy.querySelectorAll('.tile'))"
        " tile.replaceWith(tile.textContent + tile.dataset.colour);"
        " return copy.textContent; }"
    )
    return text
