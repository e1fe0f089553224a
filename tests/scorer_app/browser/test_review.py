"""What a person does to a hand on its review screen, in a real browser at a phone's size."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator

from scorer_app.services import event_bus
from scorer_app.services.event_bus import Broadcaster, EventStream

from ..conftest import Scorer, until
from ..devices import SECOND_TAP, Watched, box_of, device, tile_shown
from ..hands import CANASTA, closed_hand, new_match, saved_hand, send, when_read
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
    phone.page.click(".adjust button")
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


def test_taps_made_without_a_connection_arrive_when_it_is_back(
    phone: Watched, scorer: Scorer
) -> None:
    hand = opened(phone, scorer.begin())
    phone.page.click('[data-slot="A-melds"] [data-open-entry]')
    phone.page.click('#entry [data-face="3R"]')
    phone.page.wait_for_selector(".row-tiles .tile:not(.waiting)")
    phone.page.wait_for_selector("#hand[data-waiting=no]")
    phone.page.context.set_offline(True)
    for face in ("4R", "5R"):
        phone.page.click(f'#entry [data-face="{face}"]')
    phone.page.wait_for_selector(".offline:visible")
    assert len(scorer.hand(hand)["tiles"]) == 1
    phone.page.context.set_offline(False)
    shown(phone, "3R 4R 5R")
    phone.page.wait_for_selector(".offline", state="hidden")
    phone.faults.clear()  # the refused requests of the time without a network


def test_a_hand_that_another_device_saves_or_takes_out_is_told_and_offers_what_fits(
    phone: Watched, scorer: Scorer
) -> None:
    def offered() -> list[str | None]:
        return [
            one.get_attribute("data-when")
            for one in phone.page.locator("[data-when]:visible").all()
        ]

    hand = opened(phone, closed_hand(scorer))
    phone.page.click("details.more > summary")
    assert offered() == ["draft"]
    scorer.post(f"/api/hands/{hand}/save")
    phone.page.wait_for_selector(
        '.page-note:text-is("Esta mano ya suma. Los cambios cuentan recién al guardarlos.")'
    )
    assert offered() == ["saved"] * 3
    scorer.form(f"/hands/{hand}/undone", undone="yes")
    phone.page.wait_for_selector('.voided-note:has-text("Esta mano está anulada: no suma")')
    assert offered() == ["undone"]


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
    assert phone.faults == []


def test_a_hand_before_which_another_device_counts_one_shows_its_new_number(
    phone: Watched, scorer: Scorer
) -> None:
    _saved, match = saved_hand(scorer)
    opened(phone, scorer.begin(match))
    assert phone.page.title() == "Mano 2 – Burako"
    scorer.form(f"/matches/{match}/count", base_A="300", puntos_A="0", base_B="0", puntos_B="0")
    phone.page.wait_for_selector('.hand-title:has-text("Mano 3")')
    assert phone.page.title() == "Mano 3 – Burako"


def test_a_look_at_the_hand_that_gets_no_answer_is_told_and_made_again(
    phone: Watched, scorer: Scorer
) -> None:
    hand = opened(phone, scorer.begin())
    phone.page.route(f"**/api/hands/{hand}", lambda route: route.abort())
    scorer.tap(hand, "A", "melds", "3R 4R 5R")
    phone.page.wait_for_selector(".offline:visible")
    phone.page.unroute(f"**/api/hands/{hand}")
    phone.page.wait_for_selector(f".review {tile_shown('3R')}")
    phone.page.wait_for_selector(".offline", state="hidden")
    assert not [fault for fault in phone.faults if fault.startswith("page error")]
    phone.faults.clear()  # the refused requests


def test_a_page_whose_stream_of_news_ends_follows_another_without_a_word(
    phone: Watched, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[EventStream] = []
    admit = Broadcaster.admit
    monkeypatch.setattr(
        Broadcaster, "admit", lambda *given: begun.append(given[1]) or admit(*given)
    )
    monkeypatch.setattr(event_bus, "_HEARTBEAT", 0.05)
    monkeypatch.setattr(event_bus, "_LIFETIME", 0.2)
    hand = opened(phone, scorer.begin())
    phone.page.evaluate(
        "new MutationObserver(() => (window.wasLost ||= document.body.dataset.offline === 'yes'))"
        ".observe(document.body, { attributeFilter: ['data-offline'] })"
    )
    for number, laid in ((2, "3R"), (4, "3R 4R"), (6, "3R 4R 5R")):
        until(lambda: len(begun), lambda count, wanted=number: count >= wanted)
        scorer.tap(hand, "A", "melds", laid.split()[-1])
        shown(phone, laid)
    assert not phone.page.evaluate("window.wasLost")


def test_a_photograph_is_removed_only_on_a_second_tap_and_outlives_its_file(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = photographed(
        phone, scorer, reader.add(picture_of("3R 4R 5R 6R")), reader.add(picture_of("9R 9B 9K"))
    )
    read = [row["tiles"] for row in scorer.hand(hand)["rows"]]
    scorer.edit(
        hand,
        {"op": "set_tile", "tile": read[0][0], "face": "2R"},
        {"op": "set_tile", "tile": read[0][1], "face": "4R"},
    )
    scorer.edit(
        hand, {"op": "remove_tile", "tile": read[0][3]}, {"op": "remove_tile", "tile": read[1][0]}
    )
    phone.page.click(".photo >> nth=1 >> [data-key^=remove]")
    phone.page.wait_for_selector(
        ".photo >> nth=1 >> [data-key^=remove]:text-is('Sí, quitarla con 1 corrección')"
    )
    # By a key: a click where the last one was, as the page may have scrolled, is a second tap.
    phone.page.press(".photo >> nth=0 >> [data-key^=remove]", "Enter")
    assert phone.page.locator(".photo").count() == 2
    phone.page.click(
        ".photo >> nth=0 >> [data-key^=remove]:text-is('Sí, quitarla con 2 correcciones')"
    )
    shown(phone, "9B 9K")
    # Undo is in view wherever the page has been scrolled to, and brings all of it back.
    phone.page.locator(".sheets").evaluate("part => part.scrollIntoView()")
    undo = phone.page.locator('.undo:has-text("quitar una foto")')
    assert box_of(undo)["y"] >= 0
    undo.click()
    phone.page.wait_for_selector(".photo >> nth=1")
    assert not phone.page.locator(".photo >> nth=0 >> :text('Sí, quitarla')").count()
    rows = scorer.hand(hand)["rows"]
    assert sorted(len(row["tiles"]) for row in rows) == [2, 3]
    remove_first = phone.page.locator(".photo >> nth=0 >> [data-key^=remove]")
    remove_first.press("Enter")
    phone.page.wait_for_selector(".photo >> nth=0 >> :text('Sí, quitarla')")
    remove_first.press("Enter")
    shown(phone, "9B 9K")
    scorer.form("/settings/photos/delete")
    phone.page.reload()
    phone.page.wait_for_selector('.photo-waiting:has-text("ya se borró")')
    shown(phone, "9B 9K")


def test_a_photograph_taken_for_the_wrong_side_goes_to_the_other_with_one_choice(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    opened(phone, photographed(phone, scorer, reader.add(picture_of(CANASTA))))
    choice = phone.page.locator(".photo-tools select")
    names = choice.locator("option").all_text_contents()
    assert names == ["Pasar a…", "Ellos · Juegos", "Nosotros · Atril", "Ellos · Atril"]
    choice.focus()
    choice.select_option("Ellos · Juegos")
    phone.page.wait_for_selector('.area[data-side="B"] .photo')
    phone.wait_for_tiles("B-melds", 7)
    assert phone.totals() == ["0", "245"]
    assert phone.page.evaluate("document.activeElement.matches('.area .photo-tools select')")
    choice.select_option("Ellos · Atril")
    phone.wait_for_tiles("B-rack", 7)
    assert phone.totals() == ["0", "−45"]
    assert phone.faults == []


def test_a_photograph_without_tiles_is_told_where_it_was_taken(phone: Watched) -> None:
    phone.begin()
    phone.photograph("B-rack", picture_of("3R 4R 5R"))  # which the reader does not know
    phone.page.wait_for_selector(
        '[data-slot="B-rack"][data-failed=yes] .slot-status:text-is("No se ven fichas en esta'
        ' foto.")'
    )
    assert phone.page.locator(".photo-tools button").all_inner_texts() == [
        "Sacar otra",
        "Quitar foto",
    ]


def test_the_picture_comes_near_the_tiles_and_back(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    photographed(phone, scorer, reader.add(picture_of("3R 4R 5R")))
    box = phone.page.locator(".photo .box polygon").first
    near = box_of(box)
    phone.page.click("[data-key^=zoom]")
    phone.page.wait_for_selector('[data-key^=zoom]:text-is("Acercar")')
    assert near["width"] > 2 * box_of(box)["width"]


@pytest.mark.parametrize(
    ("rows_read", "offered", "repaired"),
    [
        (["5R 9R 7R 8R"], "¿9R es 6R?", ["5R 6R 7R 8R"]),
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


def test_a_tile_that_another_phone_corrects_under_the_picker_is_not_overruled(
    phone: Watched, scorer: Scorer
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "4R 5R 6R")
    tile = scorer.hand(hand)["rows"][0]["tiles"][2]
    opened(phone, hand)
    pick(phone, "6R")
    phone.page.wait_for_selector("#picker[open]")
    scorer.edit(hand, {"op": "set_tile", "tile": tile, "face": "3R", "seen": "6R"})
    phone.page.wait_for_selector('#picker h2:has-text("3 rojo")')
    phone.page.click('#picker [data-face="7R"]')
    told = "Alguien cambió esa ficha mientras tanto: fijate qué dice ahora."
    phone.page.wait_for_selector(f'#toast:has-text("{told}")')
    phone.page.wait_for_selector(f".review {tile_shown('3R')}")
    assert scorer.hand(hand)["tiles"][tile]["face"] == "3R"
    pick(phone, "3R")  # who has seen it may correct it
    phone.page.click('#picker [data-face="7R"]')
    until(lambda: scorer.hand(hand)["tiles"][tile]["face"], lambda face: face == "7R")
    phone.faults.clear()  # the edit that was refused
