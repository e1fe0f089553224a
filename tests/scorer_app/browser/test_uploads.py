"""A photograph whose upload is cut off: it is sent again by itself when that is possible, arrives
once, and says meanwhile what it waits for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Route

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..devices import Watched, device
from ..hands import new_match, when_read
from ..pictures import RecordedReader, picture_of
from ..served import serving

pytestmark = pytest.mark.browser
STATUS = '[data-slot="A-melds"] .slot-status'
WAITING = f'{STATUS}:text-is("Sin conexión: se manda sola cuando vuelva.")'
LOST = "La mano ya no está. Sin mandar en este teléfono: 1."
# The contrast of each element's text with the background of the list that it lies in.
CONTRAST = """elements => elements.map((element) => {
  const light = (colour) => {
    const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((one) => one / 255);
    const linear = parts.map((one) => one <= 0.04 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05;
  };
  const ink = light(getComputedStyle(element).color);
  const ground = light(getComputedStyle(element.closest("ul")).backgroundColor);
  return Math.max(ink, ground) / Math.min(ink, ground);
})"""


def test_a_photograph_taken_without_a_connection_goes_up_when_it_is_back(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    phone.begin()
    phone.page.context.set_offline(True)
    phone.photograph("A-melds", reader.add(picture_of("3R 4R 5R")))
    phone.page.wait_for_selector(WAITING)
    phone.page.click("[data-part=save]", force=True)  # nothing is saved behind its back
    phone.page.context.set_offline(False)
    phone.wait_for_tiles("A-melds", 3)
    assert len(when_read(scorer, scorer.begin())["photos"]) == 1
    phone.faults.clear()  # the refused requests of the time without a network


def test_files_that_are_no_photographs_are_named_in_one_sentence_that_stays(
    phone: Watched, reader: RecordedReader
) -> None:
    good = [reader.add(picture_of("3R 4R 5R")), reader.add(picture_of("9R 9B 9K"))]
    files: list[Any] = [
        {"name": "zero.jpg", "mimeType": "image/jpeg", "buffer": b""},
        {"name": "good.jpg", "mimeType": "image/jpeg", "buffer": good[0].data},
        {"name": "<b>t</b>{count}.jpg", "mimeType": "image/jpeg", "buffer": b"no picture"},
        {"name": "also good.jpg", "mimeType": "image/jpeg", "buffer": good[1].data},
        {"name": f"{'d' * 60}.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4"},
    ]
    said = (
        "3 de 5 archivos no se pueden usar como fotos:"
        " zero.jpg, <b>t</b>{count}.jpg, ddddddddddddddd…dddd.pdf"
    )
    phone.begin()
    phone.page.set_input_files('[data-slot="A-melds"] input[multiple]', files=files)
    phone.page.wait_for_selector("#toast:visible")
    assert phone.page.inner_text("#toast") == said
    phone.page.wait_for_selector(f"{STATUS}:text-matches('^6 fichas · 3 de 5 archivos')")
    assert phone.page.inner_text(STATUS) == f"6 fichas · {said}"
    phone.photograph("A-melds", reader.add(picture_of("10B 11B 12B")))
    phone.wait_for_tiles("A-melds", 9)
    phone.faults.clear()  # the refused requests


def test_a_photograph_that_came_though_its_answer_was_lost_is_not_doubled(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    sent = []

    def lose_the_first_answer(route: Route) -> None:
        sent.append(route.fetch().status)
        route.abort() if len(sent) == 1 else route.fulfill(
            status=202, json=scorer.hand(scorer.begin())
        )

    phone.begin()
    phone.page.route("**/photos", lose_the_first_answer)
    phone.photograph("A-melds", reader.add(picture_of("3R 4R 5R")))
    phone.page.wait_for_selector(WAITING)
    phone.wait_for_tiles("A-melds", 3)
    phone.page.wait_for_selector('[data-slot="A-melds"][data-busy=no]')
    assert sent == [202, 202]
    assert len(when_read(scorer, scorer.begin())["photos"]) == 1
    phone.page.unroute("**/photos")
    phone.faults.clear()  # the answer that was lost


def test_after_a_while_a_person_is_asked_to_send_it_again_or_let_it_go(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader
) -> None:
    with device(browser, served) as phone:
        phone.page.clock.install()
        phone.begin()
        phone.page.context.set_offline(True)
        for slot, face in (("A-melds", "3R 4R 5R"), ("B-melds", "3B 4B 5B")):
            phone.photograph(slot, reader.add(picture_of(face)))
            phone.page.wait_for_selector(WAITING.replace("A-melds", slot))
        phone.page.clock.fast_forward("02:10")
        phone.page.wait_for_selector(f'{STATUS}:text-is("Fotos sin mandar: 1. No hubo conexión.")')
        phone.page.click('[data-slot="B-melds"] [data-key=forget]')
        phone.page.context.set_offline(False)
        assert scorer.hand(scorer.begin())["photos"] == []
        phone.page.click('[data-slot="A-melds"] [data-key=resend]')
        phone.wait_for_tiles("A-melds", 3)
        assert phone.page.locator(".slot-unsent:visible").count() == 0
        assert [photo["side"] for photo in scorer.hand(scorer.begin())["photos"]] == ["A"]


def test_a_fault_of_the_server_is_told_as_such_and_the_photograph_is_kept(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    phone.begin()
    phone.page.route("**/photos", lambda route: route.fulfill(status=500, body="<h1>No</h1>"))
    phone.photograph("A-melds", reader.add(picture_of("3R 4R 5R")))
    phone.page.wait_for_selector(f'{STATUS}:text-is("Fotos sin mandar: 1. Falló el servidor.")')
    assert phone.page.locator("body[data-offline=yes]").count() == 0
    phone.page.unroute("**/photos")
    phone.page.click('[data-slot="A-melds"] [data-key=resend]')
    phone.wait_for_tiles("A-melds", 3)
    assert len(when_read(scorer, scorer.begin())["photos"]) == 1
    phone.faults.clear()  # the answer with the fault


def photographed_offline(phone: Watched, scorer: Scorer, reader: RecordedReader) -> str:
    """Take a photograph on a phone that lost the network, and return the hand."""
    phone.begin()
    phone.page.context.set_offline(True)
    phone.photograph("A-melds", reader.add(picture_of("3R 4R 5R")))
    phone.page.wait_for_selector(WAITING)
    return scorer.begin()


def let_go(phone: Watched) -> None:
    """On the first page, read that a photograph was not sent, and let it go."""
    phone.page.goto(phone.base)
    phone.page.wait_for_selector(f'#unsent li:has-text("{LOST}")')
    phone.page.click("#unsent [data-key=let-go]")
    assert min(phone.page.eval_on_selector_all("#unsent li, #unsent button", CONTRAST)) >= 4.5
    phone.page.click("#unsent [data-key=sure]")
    phone.page.wait_for_selector("#unsent", state="hidden")
    phone.faults.clear()  # the requests without a network, and those refused


def test_a_photograph_of_a_hand_thrown_away_meanwhile_is_told_of_until_it_is_let_go(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = photographed_offline(phone, scorer, reader)
    scorer.form(f"/hands/{hand}/undone", undone="yes")
    phone.page.context.set_offline(False)
    phone.page.wait_for_selector(f'{STATUS}:text-is("{LOST}")')
    phone.page.wait_for_selector('.discarded-note:has-text("Esta mano se descartó")')
    offers = phone.page.locator(".slot-unsent button:visible")
    assert offers.all_inner_texts() == ["Pasar las fotos a otra mano", "Descartar"]
    assert phone.page.locator("[data-part=save]:visible, #count-again:visible").count() == 0
    phone.page.reload()
    phone.page.wait_for_selector(f'{STATUS}:text-is("{LOST}")')
    let_go(phone)


def test_a_photograph_of_a_hand_that_is_gone_goes_with_another_hand(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    """Both on the page of the hand that was thrown away, and on the first page: to a hand of its
    own match, though another table has begun a match since.
    """
    for page_of_hand in (True, False):
        gone = photographed_offline(phone, scorer, reader)
        match = scorer.hand(gone)["match"]
        scorer.form(f"/hands/{gone}/undone", undone="yes")
        new_match(scorer)
        phone.page.context.set_offline(False)
        phone.page.wait_for_selector(f'{STATUS}:text-is("{LOST}")')
        if not page_of_hand:
            phone.page.goto(phone.base)
        phone.page.click("[data-key=move]")
        phone.page.wait_for_url(re.compile(f"/hands/(?!{gone})"))
        phone.wait_for_tiles("A-melds", 3)
        there = scorer.begin(match)
        assert phone.page.url.endswith(f"/hands/{there}")
        phone.page.goto(phone.base)
        phone.page.wait_for_selector("#unsent", state="hidden")
        scorer.form(f"/hands/{there}/undone", undone="yes")
    phone.faults.clear()  # the requests without a network, and those refused


def test_a_photograph_of_a_match_deleted_meanwhile_is_told_of_until_it_is_let_go(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = photographed_offline(phone, scorer, reader)
    match = scorer.hand(hand)["match"]
    scorer.form(f"/matches/{match}/delete")
    phone.page.context.set_offline(False)
    phone.page.wait_for_selector('main:has-text("ya no está")')
    let_go(phone)


def test_a_photograph_waits_for_a_server_that_starts_anew(
    browser: Browser, config: AppConfig, reader: RecordedReader
) -> None:
    with running(config, reader) as port:
        pass
    with device(browser, f"http://127.0.0.1:{port}") as phone:
        with running(config, reader, port):
            phone.begin()
        phone.photograph("A-melds", reader.add(picture_of("3R 4R 5R")))
        phone.page.wait_for_selector(WAITING)
        with running(config, reader, port):
            phone.wait_for_tiles("A-melds", 3)


@contextmanager
def running(config: AppConfig, reader: RecordedReader, port: int = 0) -> Iterator[int]:
    app = create_app(config, reader)
    with serving(app, config, port, stopping=parts_of(app).event_bus.close) as base:
        yield int(base.rpartition(":")[2])
    close(app)
