"""Photographs that add nothing to a hand: the bar asks about each, with answers of one tap."""

from __future__ import annotations

from typing import Any

import pytest

from scorer_app.services.reading_queue import ReadingFailed
from vision.reading import Notice

from ..conftest import Scorer
from ..devices import Watched
from ..hands import CANASTA, when_read
from ..layout import broken_words, layout_faults
from ..pictures import RecordedReader, picture_of
from .review import SAVE_READY, photographed, saved, shown

pytestmark = pytest.mark.browser
ASKED = "[data-part=question] .question"
ENDED: list[dict[str, Any]] = [
    {"op": "set_end", "end": "stock_exhausted", "closed_by": None},
    *({"op": "set_muerto", "side": side, "taken": False} for side in "AB"),
]
NO_RACKS: list[dict[str, Any]] = [{"op": "empty_rack", "side": side} for side in "AB"]


def cannot_read(_reader: object, *_of_photo: object) -> Any:
    raise ReadingFailed("truncated")


def test_an_empty_side_of_the_table_is_one_tap(phone: Watched, scorer: Scorer) -> None:
    hand = photographed(phone, scorer, picture_of("3R 4R 5R"))  # the reader does not know it
    text = phone.page.inner_text(ASKED)
    assert text.startswith("Nosotros · Juegos: en una foto no se ve ninguna ficha.")
    assert phone.page.get_attribute('[data-total="A"]', "data-open") == "yes"
    assert (broken_words(phone.page), layout_faults(phone.page)) == ([], [])
    scorer.tap(hand, "B", "melds", CANASTA)
    scorer.edit(hand, *ENDED, *NO_RACKS)
    phone.page.click("[data-part=question] [data-key=nothing]")
    saved(phone)


def test_a_photograph_that_failed_is_removed_with_one_tap(
    phone: Watched, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RecordedReader, "read_photo", cannot_read)
    hand = photographed(phone, scorer, picture_of("3R 4R 5R"))
    assert "una foto no se pudo leer" in phone.page.inner_text(ASKED)
    scorer.tap(hand, "B", "melds", CANASTA)
    scorer.edit(hand, *ENDED, *NO_RACKS)
    assert not phone.page.locator(SAVE_READY).count()
    phone.page.click("[data-part=question] [data-key=photo-remove]")
    phone.page.wait_for_selector(SAVE_READY)
    assert scorer.hand(hand)["photos"] == []


def test_its_tiles_are_tapped_in_instead(
    phone: Watched, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RecordedReader, "read_photo", cannot_read)
    photographed(phone, scorer, picture_of("3R"), place="rack")
    phone.page.click("[data-part=question] [data-key=photo-tap]")
    phone.page.click('#entry [data-face="3R"]')
    shown(phone, "3R")
    phone.page.wait_for_selector(f'{ASKED}:has-text("¿Quién cerró?")')


def test_a_rack_that_shows_nothing_is_said_to_be_empty_with_one_tap(
    phone: Watched, scorer: Scorer
) -> None:
    hand = photographed(phone, scorer, picture_of(loose="3R"), place="rack")
    scorer.tap(hand, "B", "melds", CANASTA)
    scorer.edit(hand, *ENDED, NO_RACKS[1])
    phone.page.click("[data-part=question] [data-key=nothing]")
    phone.page.wait_for_selector(SAVE_READY)


def test_melds_of_which_nothing_counts_are_asked_about(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = photographed(phone, scorer, reader.add(picture_of(loose="3R 9K 5B")))
    assert "nada de una foto cuenta" in phone.page.inner_text(ASKED)
    scorer.tap(hand, "B", "melds", CANASTA)
    scorer.edit(hand, *ENDED, *NO_RACKS)
    phone.page.click("[data-part=question] [data-key=nothing]")
    saved(phone)


def test_a_photograph_of_cards_makes_the_match_one_of_cards_with_two_taps(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    picture = picture_of()
    picture.reading["notices"] = [Notice.OTHER_PIECES.value]
    hand = photographed(phone, scorer, reader.add(picture))
    told = "Nosotros · Juegos: una foto muestra cartas y la partida es de fichas. ¿Con qué juegan?"
    assert phone.page.inner_text(ASKED) == told
    assert (broken_words(phone.page), layout_faults(phone.page)) == ([], [])
    phone.tap('.answers a:text-is("Jugamos con cartas")')
    phone.page.wait_for_selector("#new-match[data-ready=yes]")
    assert phone.page.locator("[name=pieces]:checked").input_value() == "cards"
    assert layout_faults(phone.page) == []
    phone.tap("#new-match .bottom-bar .primary")
    phone.page.wait_for_url(f"**/hands/{hand}")
    phone.page.wait_for_selector("html[data-pieces=cards] #hand[data-live=yes]")
    when_read(scorer, hand)
    assert (reader.pieces, phone.faults) == (["tiles", "cards"], [])


def test_a_photograph_says_how_many_of_its_tiles_were_set_aside(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    photographed(phone, scorer, reader.add(picture_of("3R 4R 5R", loose="3K 9K 5B 1Y")))
    status = phone.page.inner_text('[data-slot="A-melds"] .slot-status')
    assert status == "3 fichas · 4 apartadas"
    assert phone.page.get_attribute('[data-slot="A-melds"]', "data-warned") == "yes"
    assert phone.page.inner_text("figcaption .stage") == "Leída · 4 apartadas"
    assert (broken_words(phone.page), layout_faults(phone.page)) == ([], [])
