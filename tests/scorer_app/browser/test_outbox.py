"""Taps and photographs on a bad network.

They are shown at once, kept over a reload and a restart of the browser, and handed over once and in
order. Another phone may close the hand meanwhile.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page

from scorer_app.config import AppConfig
from scorer_app.web.roles import join_code, renew_join_code

from ..conftest import Scorer, until
from ..devices import Watched, browser_of_its_own, device, tile_shown, wait_until
from ..hands import closed_hand, saved_hand
from ..pictures import RecordedReader, picture_of
from .review import SAVE_READY, opened, shown
from .test_double_taps import held_back
from .test_uploads import running

pytestmark = pytest.mark.browser
FAR = {"extra_http_headers": {"X-Forwarded-For": "192.168.1.77"}}
OPENER = '[data-slot="A-melds"] [data-open-entry]'
FACES = ("3R", "4R", "5R", "6R", "7R", "8R", "9R")
WAITING = ".review .tile.waiting"
CLOSED_SAVED = "La mano ya se guardó en otro teléfono."
CLOSED_DISCARDED = "La mano se descartó en otro teléfono."
# Whether the browser's database has so much that waits: more than the page says a moment before.
KEPT = """(count) => new Promise((resolve) => {
  const opening = indexedDB.open("burako");
  opening.onsuccess = () => {
    const counting = opening.result.transaction("outbox").objectStore("outbox").count();
    counting.onsuccess = () => resolve(counting.result === count);
  };
})"""


def faces_of(scorer: Scorer, hand: str) -> list[str]:
    view = scorer.hand(hand)
    return [view["tiles"][name]["face"] for row in view["rows"] for name in row["tiles"]]


def tap_in(page: Page, *faces: str) -> None:
    for face in faces:
        page.click(f'#entry [data-face="{face}"]')


def waiting_tiles(page: Page) -> int:
    return page.locator(WAITING).count()


def test_taps_without_a_connection_are_shown_and_outlive_a_reload(
    phone: Watched, scorer: Scorer
) -> None:
    hand = opened(phone, scorer.begin())
    phone.page.click(OPENER)
    phone.page.route("**/edits", lambda route: route.abort())
    tap_in(phone.page, *FACES[:3])
    assert waiting_tiles(phone.page) == 3
    phone.page.wait_for_selector('.unsent:has-text("3 cambios")')
    phone.page.reload()
    phone.page.wait_for_selector("#hand[data-live=yes]")
    until(lambda: waiting_tiles(phone.page), lambda count: count == 3)
    assert faces_of(scorer, hand) == []
    phone.page.goto(phone.base)
    phone.page.wait_for_selector(
        f'#unsent a[href="/hands/{hand}"]:has-text("Sin mandar en este teléfono: 3.")'
    )
    phone.page.click(f'#unsent a[href="/hands/{hand}"]')
    phone.page.wait_for_selector("#hand[data-live=yes]")
    phone.page.unroute("**/edits")
    until(lambda: faces_of(scorer, hand), lambda faces: faces == list(FACES[:3]))
    phone.page.wait_for_selector(WAITING, state="detached")
    phone.faults.clear()  # the requests that were lost


def test_taps_and_photographs_outlive_a_restart_of_the_browser(
    browser: Browser, config: AppConfig, reader: RecordedReader, tmp_path: Path
) -> None:
    picture = reader.add(picture_of(loose="13B 12R"))
    with running(config, reader) as port:
        pass
    base = f"http://127.0.0.1:{port}"
    with browser_of_its_own(browser, tmp_path / "profile") as context:
        phone = Watched(context.new_page(), base)
        with running(config, reader, port):
            phone.begin()
            hand = phone.page.url
        phone.page.click(OPENER)
        tap_in(phone.page, *FACES)
        phone.page.keyboard.press("Escape")
        phone.photograph("B-rack", picture)
        phone.page.wait_for_selector('.unsent:has-text("7 cambios y 1 foto")')
        wait_until(phone.page, KEPT, 8)
    with (
        running(config, reader, port),
        browser_of_its_own(browser, tmp_path / "profile") as context,
    ):
        phone = Watched(context.new_page(), base)
        for _again in range(2):
            phone.page.goto(hand)
            phone.wait_for_tiles("A-melds", 7)
            phone.wait_for_tiles("B-rack", 2)
            phone.page.wait_for_selector(WAITING, state="detached")
        assert phone.page.locator(".photo").count() == 1


def test_taps_and_photographs_outlive_a_changed_code_which_the_page_leads_to(
    phone: Watched, browser: Browser, app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    picture = reader.add(picture_of(loose="13B 12R"))
    with device(browser, phone.base, **FAR) as guest:
        page = guest.page
        page.goto(f"{phone.base}/join#{code_of(app)}")
        page.wait_for_selector("#score-now")
        hand = opened(guest, scorer.begin())
        renew_code(app)
        page.click(OPENER)
        tap_in(page, *FACES[:3])
        page.wait_for_selector(".needs-code:visible")
        page.keyboard.press("Escape")
        guest.photograph("B-rack", picture)
        page.wait_for_selector('.unsent:has-text("3 cambios y 1 foto")')
        wait_until(page, KEPT, 4)
        assert "Sin conexión" not in page.inner_text(".offline")
        page.click("a[data-to-code]")
        page.fill("#code", code_of(app))
        page.click("#join button")
        page.wait_for_url(f"**/hands/{hand}")
        guest.wait_for_tiles("A-melds", 3)
        guest.wait_for_tiles("B-rack", 2)
        page.wait_for_selector(".unsent:empty", state="attached")
        page.wait_for_selector(".offline", state="hidden")
        # Nobody knows whether the taps or the photograph came first.
        assert sorted(faces_of(scorer, hand)) == sorted([*FACES[:3], "13B", "12R"])
        guest.faults.clear()  # the refused requests


def code_of(app: Flask) -> str:
    with app.app_context():
        return join_code()


def renew_code(app: Flask) -> None:
    with app.app_context():
        renew_join_code()


@pytest.mark.parametrize("way", ["saved", "discarded"])
def test_a_hand_closed_on_another_phone_closes_the_keys_here_and_says_so(
    phone: Watched, scorer: Scorer, way: str
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", " ".join(FACES))
    scorer.close(hand)
    opened(phone, hand)
    phone.page.click(OPENER)
    if way == "saved":
        scorer.post(f"/api/hands/{hand}/save")
    else:
        scorer.form(f"/hands/{hand}/undone", undone="yes")
    phone.page.wait_for_selector("#entry", state="hidden")
    sentence = CLOSED_SAVED if way == "saved" else CLOSED_DISCARDED
    assert phone.page.inner_text("#toast") == sentence


def test_a_save_that_the_network_holds_up_is_asked_for_again(
    phone: Watched, scorer: Scorer
) -> None:
    """Others may have changed the hand before what waits has arrived."""
    hand, page = opened(phone, closed_hand(scorer)), phone.page
    page.click('[data-slot="B-rack"] [data-open-entry]')
    held = held_back(page, "POST", "/edits$")
    tap_in(page, "5R")
    page.keyboard.press("Escape")
    page.click(SAVE_READY)
    until(lambda: page.wait_for_timeout(10) or len(held), lambda count: count == 1)
    held[0].abort()
    until(lambda: page.wait_for_timeout(10) or len(held), lambda count: count == 2)
    held[1].continue_()
    page.wait_for_selector('#toast:has-text("Ya se mandó todo.")')
    assert "5R" in faces_of(scorer, hand) and scorer.hand(hand)["state"] == "draft"
    phone.faults.clear()  # the request that was lost


@pytest.mark.parametrize("seen", ["before", "after"])
def test_a_hand_that_this_phone_saved_without_hearing_of_it_leads_to_the_match(
    phone: Watched, scorer: Scorer, seen: str
) -> None:
    """Whether the page sees the saved hand before the answer is lost, or only afterwards."""
    hand, page = opened(phone, closed_hand(scorer)), phone.page
    match = scorer.hand(hand)["match"]
    held = held_back(page, "POST", "/save$")
    if seen == "after":
        page.route(f"**/api/hands/{hand}", lambda route: route.abort())
    page.click(SAVE_READY)
    until(lambda: page.wait_for_timeout(10) or len(held), lambda count: count == 1)
    assert held[0].fetch().status == 200
    if seen == "before":
        page.wait_for_selector("[data-part=to-match]:visible")
    held[0].abort()
    if seen == "after":
        page.wait_for_selector('#toast:text-is("El anotador no contesta. Probá de nuevo.")')
        page.unroute(f"**/api/hands/{hand}")
    page.wait_for_url(f"**/matches/{match}")
    phone.faults.clear()  # the requests that were lost


def test_an_answer_that_another_phone_changes_is_told_and_one_changed_here_is_not(
    phone: Watched, scorer: Scorer
) -> None:
    """So does a tap that was made offline and arrives later than what was said here."""
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", " ".join(FACES))
    scorer.close(hand)
    opened(phone, hand)
    scorer.edit(hand, {"op": "set_end", "end": "close", "closed_by": "B"})
    told = "En otro teléfono cambiaron quién cerró: Ellos."
    phone.page.wait_for_selector(f'#toast:text-is("{told}")')
    phone.page.click("label:has(input[name=end][value=A])")
    phone.page.wait_for_selector("#hand[data-waiting=no]")
    assert scorer.hand(hand)["closing"]["closed_by"] == "A"
    scorer.edit(hand, {"op": "set_muerto", "side": "B", "taken": True})
    phone.page.wait_for_selector("input[name=muerto-B][value=yes]:checked", state="attached")
    scorer.edit(hand, {"op": "set_muerto", "side": "B", "taken": False})
    phone.page.wait_for_selector('#toast:has-text("cambiaron la respuesta sobre el muerto de")')
    assert "quién cerró: Nosotros" not in phone.page.content()


@pytest.mark.parametrize("place", ["its page", "the first page"])
def test_what_waits_for_a_hand_that_was_discarded_is_kept_and_told_until_it_is_let_go(
    phone: Watched, scorer: Scorer, place: str
) -> None:
    hand = opened(phone, scorer.begin())
    phone.page.click(OPENER)
    phone.page.route("**/edits", lambda route: route.abort())
    tap_in(phone.page, "3R", "4R")
    scorer.form(f"/hands/{hand}/undone", undone="yes")
    phone.page.unroute("**/edits")
    phone.page.wait_for_selector('#toast:has-text("mano se descartó")')
    told = "La mano ya no está. Sin mandar en este teléfono: 2."
    for _ in range(2):
        phone.page.wait_for_selector(f'.unsent:visible:has-text("{told}")')
        phone.page.wait_for_selector(".unsent [data-key=let-go]:visible")
        phone.page.reload()
    assert phone.page.evaluate(KEPT, 2) and scorer.hand(hand)["rows"] == []
    if place == "the first page":
        phone.page.goto(phone.base)
        phone.page.wait_for_selector(f'#unsent li:has-text("{told}")')
    phone.page.click("[data-key=let-go]:visible")
    phone.page.click("[data-key=sure]:visible")
    phone.page.wait_for_selector(".unsent, #unsent", state="hidden")
    assert phone.page.evaluate(KEPT, 0)
    phone.faults.clear()  # the requests that were lost, and the refusal


def test_what_waits_for_a_hand_that_is_gone_is_let_go_after_asking(
    phone: Watched, scorer: Scorer
) -> None:
    hand = opened(phone, scorer.begin())
    match = scorer.hand(hand)["match"]
    phone.page.click(OPENER)
    phone.page.route("**/edits", lambda route: route.abort())
    tap_in(phone.page, "3R", "4R")
    phone.page.wait_for_selector('.unsent:has-text("2 cambios")')
    phone.page.goto(phone.base)
    scorer.form(f"/matches/{match}/delete")
    phone.page.goto(phone.base)
    phone.page.wait_for_selector('#unsent li:has-text("La mano ya no está")')
    phone.page.click("#unsent [data-key=let-go]")
    phone.page.click("#unsent [data-key=sure]")
    phone.page.wait_for_selector("#unsent", state="hidden")
    phone.page.reload()
    phone.page.wait_for_selector("#score-now")
    assert phone.page.locator("#unsent li").count() == 0
    phone.faults.clear()  # the requests that were lost, and the hand that is not there


def test_two_phones_tap_in_a_meld_of_one_side_each(
    phone: Watched, browser: Browser, scorer: Scorer
) -> None:
    hand = opened(phone, scorer.begin())
    melds = {"mine": ("4R", "5R", "6R"), "theirs": ("4B", "4K", "4Y")}
    with device(browser, phone.base) as other:
        opened(other, hand)
        for one in (phone, other):
            one.page.click(OPENER)
        for count, faces in enumerate(zip(*melds.values(), strict=True), 1):
            for one, face in zip((phone, other), faces, strict=True):
                tap_in(one.page, face)
                one.page.wait_for_selector(WAITING, state="detached")
                assert one.page.locator("#entry .entry-tiles .tile").count() == count
        for one in (phone, other):
            shown(one, "4R 5R 6R", "4B 4K 4Y")
        phone.page.reload()  # the browser goes on with its own meld
        phone.page.click(OPENER)
        tap_in(phone.page, "7R")
        for one in (phone, other):
            shown(one, "4R 5R 6R 7R", "4B 4K 4Y")


def test_a_correction_that_another_phone_saves_is_told(phone: Watched, scorer: Scorer) -> None:
    hand, _match = saved_hand(scorer)
    scorer.tap(hand, "B", "rack", "J")
    opened(phone, hand)
    phone.page.click(OPENER)
    scorer.post(f"/api/hands/{hand}/save")
    phone.page.wait_for_selector("#entry", state="hidden")
    told = "La corrección de esta mano ya se guardó en otro teléfono."
    assert phone.page.inner_text("#toast") == told


def test_undo_names_what_it_undoes_before_and_after(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "7R")
    scorer.edit(hand, {"op": "set_muerto", "side": "B", "taken": True})
    opened(phone, hand)
    phone.photograph("B-melds", reader.add(picture_of("5B 6B 7B")))
    phone.wait_for_tiles("B-melds", 3)
    assert phone.page.inner_text("[data-part=undo]").split("\n") == [
        "Deshacer",
        "el muerto de Ellos",
    ]
    phone.page.click("[data-part=undo]")
    phone.page.wait_for_selector('#toast:has-text("Deshecho: el muerto de Ellos.")')
    phone.page.wait_for_selector('[data-part=undo] small:text-is("agregar 7 rojo")')
    assert scorer.hand(hand)["closing"]["answered"]["B"] is False
    phone.page.click("[data-part=undo]")
    phone.page.wait_for_selector(f".review {tile_shown('7R')}", state="detached")
    phone.page.wait_for_selector("[data-part=undo] small:empty", state="attached")


def test_undo_without_a_connection_undoes_what_waits(phone: Watched, scorer: Scorer) -> None:
    hand = opened(phone, scorer.begin())
    phone.page.route("**/edits", lambda route: route.abort())
    phone.page.click(OPENER)
    tap_in(phone.page, "3R", "4R", "5R")
    phone.page.click("#entry [data-key=delete-last]")
    phone.page.keyboard.press("Escape")
    phone.page.click("[data-part=undo]")
    assert waiting_tiles(phone.page) == 1
    phone.page.unroute("**/edits")
    until(lambda: faces_of(scorer, hand), lambda faces: faces == ["3R"])
    phone.page.wait_for_selector(WAITING, state="detached")
    phone.faults.clear()  # the requests that were lost


def test_the_last_question_is_answered_without_a_connection(phone: Watched, scorer: Scorer) -> None:
    hand = opened(phone, closed_hand(scorer))
    phone.page.route("**/edits", lambda route: route.abort())
    phone.page.click("[data-part=question] [data-key=rack-empty]")  # of the partner who closed
    phone.page.wait_for_selector("[data-part=question]", state="hidden")
    assert "partner" in scorer.hand(hand)
    phone.page.unroute("**/edits")
    until(lambda: scorer.hand(hand), lambda view: "partner" not in view)
    phone.faults.clear()  # the requests that were lost
