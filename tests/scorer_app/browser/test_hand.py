"""A hand scored in a real browser at a phone's size: from photographs, from taps, corrected,
saved, resumed.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Route

from scorer_app.config import AppConfig
from tests.places import SHARED

from ..conftest import Scorer, until
from ..devices import Watched, box_of, device, wait_until
from ..hands import closed_hand
from ..pictures import RecordedReader, picture_of
from ..served import Served
from .review import opened

pytestmark = pytest.mark.browser
PHOTOGRAPH = SHARED / "photos" / "other_sets" / "images" / "ivory-board-1.jpeg"


def test_clean_photographs_become_a_saved_hand_in_eight_taps(
    phone: Watched, reader: RecordedReader
) -> None:
    pictures = {
        "A-melds": picture_of("3R 4R 5R 6R 7R 8R 9R", "7B 7K 7Y"),
        "B-melds": picture_of("5B 6B 7B 8B", "9R 9B 9K 9Y"),
        "A-rack": picture_of(loose="4K"),
        "B-rack": picture_of(loose="1B 2K J 11R"),
    }
    phone.begin()
    for slot, picture in pictures.items():
        phone.photograph(slot, reader.add(picture))
    phone.tap("label:has(input[name=end][value=A])")
    phone.tap('label:has(input[name="muerto-B"][value=yes])')
    for slot, count in [("A-melds", 10), ("B-melds", 8), ("A-rack", 1), ("B-rack", 4)]:
        phone.wait_for_tiles(slot, count)
    phone.page.wait_for_selector('[data-part=save][data-ready="yes"]')
    assert phone.totals() == ["455", "70"]
    phone.tap("[data-part=save]")
    phone.page.wait_for_url(re.compile(r"/matches/"))
    assert phone.page.locator(".anotador .huge-figure").all_inner_texts() == ["455", "70"]
    assert phone.taps <= 8


def test_a_total_is_said_not_to_be_final_while_a_photograph_is_read(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand, late = closed_hand(scorer), reader.add(picture_of(loose="13K 4B"))
    opened(phone, hand)
    page = phone.page
    note, save = page.locator("[data-part=to-read]"), page.locator("[data-part=save]")
    labels = page.locator(".sheet-total span")
    assert note.inner_text() == ""
    assert save.inner_text() == "Guardar sin contarlo"  # what the partner had left
    assert labels.all_inner_texts() == ["Total", "Total"]
    reader.hold()
    phone.photograph("B-rack", late)
    page.wait_for_selector('[data-part=save]:text-is("Leyendo…")')
    assert note.inner_text() == "Quedan fotos por leer: los totales no son finales."
    assert save.is_disabled()
    assert labels.all_inner_texts() == ["Total", "Hasta acá"]
    shown = page.locator("[data-total]").evaluate_all("all => all.map(one => one.dataset.open)")
    assert shown == ["no", "yes"]
    reader.go_on.set()
    page.wait_for_selector(".to-read:empty", state="attached")
    page.wait_for_selector('.sheet:nth-child(2) .sheet-total span:text-is("Total")')
    assert phone.faults == []


def test_a_ready_hand_waits_for_a_photograph_that_is_not_sent_yet(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand, late = closed_hand(scorer), reader.add(picture_of(loose="13K 4B"))
    opened(phone, hand)
    page = phone.page
    page.wait_for_selector('[data-part=save][data-ready="yes"]')
    page.context.set_offline(True)
    phone.photograph("B-rack", late)
    page.wait_for_selector('[data-part=save][data-ready="no"]:text-is("Enviando…")')
    assert page.locator("[data-part=save]").is_disabled()
    page.context.set_offline(False)
    page.wait_for_selector('[data-part=save][data-ready="yes"]:text-is("Guardar sin contarlo")')
    assert page.locator("[data-part=to-read]").inner_text() == ""
    phone.faults.clear()  # the requests without a network


def test_a_hand_of_35_tiles_is_tapped_in_at_most_44_taps(phone: Watched) -> None:
    areas = [
        "3R 4R 5R 6R 7R 8R 9R 7B 7K 7Y 10K J 12K",
        "4K",
        "5B 6B 7B 8B 9R 9B 9K 9Y 3Y 4Y 5Y 11R 11B 11K 11Y",
        "1B 2K J 13R 6Y 6Y",
    ]
    assert sum(len(area.split()) for area in areas) == 35
    phone.begin()
    phone.tap('[data-slot="A-melds"] [data-open-entry]')
    for number, area in enumerate(areas):
        for face in area.split():
            phone.tap(f'#entry [data-face="{face}"]')
        phone.tap("#entry [data-key=next]" if number < 3 else "#entry [data-key=close]")
    phone.tap("label:has(input[name=end][value=A])")
    phone.tap('label:has(input[name="muerto-B"][value=yes])')
    phone.page.wait_for_selector('[data-part=save][data-ready="yes"]')
    rows = phone.page.locator(".row").all()
    assert [row.locator("button.tile").count() for row in rows] == [7, 3, 3, 4, 4, 3, 4, 1, 6]
    phone.tap("[data-part=save]")
    phone.page.wait_for_url(re.compile(r"/matches/"))
    assert phone.taps <= 44


def test_a_doubtful_tile_is_asked_about_and_corrected_in_two_taps(
    phone: Watched, reader: RecordedReader
) -> None:
    picture = reader.add(picture_of("5B 6B 7B 8B", doubts={"8B": ["", "8B", "6B"]}))
    phone.begin()
    phone.photograph("A-melds", picture)
    phone.wait_for_tiles("A-melds", 4)
    assert phone.page.locator(".photo .box.doubtful").count() == 1
    phone.taps = 0
    phone.tap("[data-part=question] button")
    phone.tap('#picker [data-key="likely-8B"]')
    phone.page.wait_for_selector('.row[data-state="legal"]')
    assert phone.taps == 2
    assert phone.page.locator(".photo .box.doubtful").count() == 0


def test_a_tile_that_was_surely_read_and_wrongly_is_corrected_in_two_taps(
    phone: Watched, reader: RecordedReader
) -> None:
    picture = reader.add(picture_of("5B 6B 7B 9B"))
    phone.begin()
    phone.photograph("A-melds", picture)
    phone.wait_for_tiles("A-melds", 4)
    phone.taps = 0
    phone.tap(".row .tile >> nth=3")
    phone.tap('#picker [data-face="8B"]')
    phone.page.wait_for_selector('.row[data-state="legal"]')
    assert phone.taps == 2
    assert phone.page.locator(".photo .box").count() == 4


def test_a_score_line_lights_its_tiles_in_the_photograph(
    phone: Watched, reader: RecordedReader
) -> None:
    phone.begin()
    phone.photograph("A-melds", reader.add(picture_of("5B 6B 7B", "9R 9B 9K 9Y")))
    phone.wait_for_tiles("A-melds", 7)
    phone.page.locator("button.line").nth(1).click()
    assert phone.page.locator(".box.lit").count() == 4


def test_a_missed_tile_is_added_by_tapping_the_photograph(
    phone: Watched, reader: RecordedReader
) -> None:
    phone.begin()
    phone.photograph("A-rack", reader.add(picture_of(loose="5B 6B")))
    phone.wait_for_tiles("A-rack", 2)
    overlay = phone.page.locator(".overlay")
    box = box_of(overlay)
    overlay.click(position={"x": 0.94 * box["width"], "y": 0.1 * box["height"]})
    phone.tap('#picker [data-face="13K"]')
    phone.wait_for_tiles("A-rack", 3)
    assert phone.page.locator(".photo .box").count() == 3


def test_a_missed_tile_joins_the_row_beside_which_it_is_tapped(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    phone.begin()
    # The newest meld could take the missed 9, too, and the canasta would be lost.
    phone.photograph("A-melds", reader.add(picture_of("3R 4R 5R 6R 7R 8R", "9B 9K 9Y")))
    phone.wait_for_tiles("A-melds", 9)
    overlay = phone.page.locator(".overlay")
    overlay.scroll_into_view_if_needed()
    whole, last = box_of(overlay), box_of(phone.page.locator(".photo .box polygon >> nth=5"))
    x, y = last["x"] + 1.5 * last["width"], last["y"] + last["height"] / 2
    overlay.click(position={"x": x - whole["x"], "y": y - whole["y"]})
    phone.tap('#picker [data-face="9R"]')
    phone.wait_for_tiles("A-melds", 10)
    phone.page.wait_for_selector("#hand[data-waiting=no]")
    hand = scorer.hand(phone.page.url.rsplit("/", 1)[1])
    longest = max((row["tiles"] for row in hand["rows"]), key=len)
    assert [hand["tiles"][name]["face"] for name in longest] == [
        "3R",
        "4R",
        "5R",
        "6R",
        "7R",
        "8R",
        "9R",
    ]
    assert "canasta" in {line["kind"] for line in hand["score"]["A"]["lines"]}


def test_the_draft_is_there_again_after_the_page_was_lost(phone: Watched) -> None:
    phone.begin()
    phone.tap('[data-slot="A-melds"] [data-open-entry]')
    for face in ("3R", "4R", "5R"):
        phone.tap(f'#entry [data-face="{face}"]')
    phone.page.wait_for_selector('.row[data-state="legal"]')
    phone.begin()
    assert phone.page.locator(".row button.tile").count() == 3


@pytest.mark.skipif(
    not PHOTOGRAPH.exists(), reason="the real photographs lie beside the repository, not in it"
)
def test_a_real_photograph_becomes_a_score(browser: Browser, config: AppConfig) -> None:
    server = Served(config.data_dir)
    with device(browser, server.base) as phone:
        phone.begin()
        phone.page.set_input_files('[data-slot="A-melds"] input[capture]', PHOTOGRAPH)
        phone.page.wait_for_selector('.photo .stage[data-state="read"]', timeout=60_000)
        assert phone.page.locator(".photo .box").count() > 5
        assert phone.page.locator("button.line").count() > 0
        assert re.search(r"\d", phone.totals()[0])
        assert phone.faults == []
    server.kill()


def test_the_keys_stay_in_reach_whatever_lies_in_the_row(phone: Watched, scorer: Scorer) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "5B 6B 7B 8B")
    (row,) = scorer.hand(hand)["rows"]
    scorer.edit(
        hand,
        *[
            {"op": "add_tile", "side": "A", "place": "melds", "face": face, "row": row["id"]}
            for face in ("8R", "9R", "3Y")
        ],
    )
    phone.page.goto(f"{phone.base}/hands/{hand}")
    phone.page.wait_for_selector("#hand[data-live=yes]")
    phone.page.click("[data-open-entry] >> nth=0")
    assert "no vale" in phone.page.inner_text("#entry .entry-row")
    box = box_of(phone.page.locator("#entry"))
    assert box["height"] < 600


def test_an_adjustment_written_before_the_script_came_stays_in_its_form(
    phone: Watched, scorer: Scorer
) -> None:
    page = phone.page
    held: list[Route] = []
    page.route("**/js/hand.js", lambda route: held.append(route))
    page.goto(f"{phone.base}/hands/{scorer.begin()}", wait_until="commit")
    page.click("details.more > summary")
    page.fill("[name=points]", "-50")
    page.fill("[name=reason]", "Robó de más")
    page.click(".adjust button.wide")
    until(lambda: (page.input_value("[name=reason]"), len(held)), lambda seen: seen[1] == 1)
    assert page.input_value("[name=reason]") == "Robó de más"
    assert "?" not in page.url
    held[0].continue_()
    page.wait_for_selector("#hand[data-live=yes]")
    page.click(".adjust button.wide")
    page.wait_for_selector('.sheet .line:has-text("Robó de más")')


def test_messages_let_taps_through_to_what_lies_under_them(phone: Watched, scorer: Scorer) -> None:
    hand, page = scorer.begin(), phone.page
    scorer.tap(hand, "A", "melds", "7R 8R 9R")
    page.goto(f"{phone.base}/hands/{hand}")
    page.wait_for_selector("#hand[data-live=yes]")
    for left in (2, 1, 0):
        page.click("[data-part=undo]")  # the message of the undo before is still shown
        page.wait_for_selector("#toast:visible")
        wait_until(page, f"document.querySelectorAll('.review button.tile').length === {left}")
        message, button = (box_of(page.locator(one)) for one in ("#toast", "[data-part=undo]"))
        assert message["y"] >= button["y"] + button["height"]
    under = "[message.x + message.width / 2, message.y + message.height / 2]"
    assert not page.evaluate(
        f"message => document.elementFromPoint(...{under}).closest('#toast')", message
    )
