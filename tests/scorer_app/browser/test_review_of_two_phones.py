"""What the review screen of a hand shows while another device changes it too, or the network fails,
in a real browser at a phone's size.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorer_app.services import event_bus
from scorer_app.services.event_bus import EventBus, EventStream

from ..conftest import Scorer, taps, until
from ..devices import Watched, tile_shown
from ..hands import CANASTA, closed_hand, new_match, saved_hand
from .review import opened, pick, shown

pytestmark = pytest.mark.browser
NOBODY_CLOSED: list[dict[str, Any]] = [
    {"op": "set_end", "end": "stock_exhausted", "closed_by": None},
    *({"op": "set_muerto", "side": side, "taken": False} for side in "AB"),
]
EMPTY_RACKS: list[dict[str, Any]] = [{"op": "empty_rack", "side": side} for side in "AB"]


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
    assert offered() == ["some", "saved", "saved"]
    scorer.form(f"/hands/{hand}/undone", undone="yes")
    phone.page.wait_for_selector('.voided-note:has-text("Esta mano está anulada: no suma")')
    assert offered() == ["undone"]


def test_a_hand_that_another_device_saves_leads_on_to_its_match(
    phone: Watched, scorer: Scorer
) -> None:
    hand = opened(phone, closed_hand(scorer))
    match = scorer.post(f"/api/hands/{hand}/save").get_json()["match"]
    phone.page.wait_for_selector('.bar-line a:visible:text-is("Ir a la partida")')
    assert phone.page.is_hidden("[data-part=save]")
    scorer.edit(hand, {"op": "set_muerto", "side": "B", "taken": True})
    phone.page.wait_for_selector('[data-part=save]:visible:text-is("Guardar cambios")')
    assert phone.page.is_hidden(".bar-line a")
    scorer.post(f"/api/hands/{hand}/save")
    phone.page.click('.bar-line a:text-is("Ir a la partida")')
    phone.page.wait_for_url(f"**/matches/{match}")


def test_whether_a_saved_hand_counts_follows_what_is_saved_of_it(
    phone: Watched, scorer: Scorer
) -> None:
    def note() -> list[str]:
        return phone.page.locator(".page-note:visible").all_inner_texts()

    counts = ["Esta mano ya suma. Los cambios cuentan recién al guardarlos."]
    void = ["Esta mano está guardada, pero no suma. Los cambios cuentan recién al guardarlos."]
    match = new_match(scorer, options_shown="yes", void_without_canasta="yes")
    hand = scorer.begin(match)
    scorer.edit(hand, *taps("A", "melds", "3R 4R 5R"), *NOBODY_CLOSED, *EMPTY_RACKS)
    opened(phone, hand)
    assert note() == []
    scorer.post(f"/api/hands/{hand}/save")
    phone.page.wait_for_selector(".page-note:visible")
    assert note() == void
    scorer.edit(hand, *taps("A", "melds", CANASTA))
    phone.page.wait_for_selector("[data-when=corrected]:not([hidden])", state="attached")
    assert note() == void  # the correction is still to be saved
    scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True})
    phone.page.wait_for_selector(f'.page-note:visible:text-is("{counts[0]}")')
    assert note() == counts
    opened(phone, hand)
    assert note() == counts


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
    admit = EventBus.admit
    monkeypatch.setattr(EventBus, "admit", lambda *given: begun.append(given[1]) or admit(*given))
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
