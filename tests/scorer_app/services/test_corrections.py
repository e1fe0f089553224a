"""Saved hands are corrected: what counts meanwhile, and what is undone or given up."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from scorer_app.web.parts import parts_of

from ..conftest import Scorer, closing, taps
from ..evening import closed
from ..hands import (
    CANASTA,
    closed_hand,
    new_match,
    saved_hand,
    send,
    totals,
    when_read,
)
from ..pictures import RecordedReader, picture_of
from .readings import idle


def test_a_saved_hand_is_corrected_only_when_saved_again(scorer: Scorer) -> None:
    hand, match = saved_hand(scorer)
    scorer.tap(hand, "B", "rack", "J")
    assert totals(scorer.client, match) == ["445", "−150"]
    scorer.post(f"/api/hands/{hand}/save")
    assert totals(scorer.client, match) == ["445", "−200"]
    scorer.tap(hand, "B", "rack", "3K")
    scorer.form(f"/hands/{hand}/drop")
    assert len(scorer.hand(hand)["tiles"]) == 9


def test_a_correction_of_which_all_is_undone_is_none(scorer: Scorer) -> None:
    hand, match = saved_hand(scorer)
    for taken in (True, False):
        scorer.edit(hand, {"op": "set_muerto", "side": "B", "taken": taken})
    assert scorer.post(f"/api/hands/{hand}/undo").get_json()["corrected"]
    page = scorer.client.get(f"/matches/{match}").text
    link = rf'La mano 1 se está corrigiendo. <a href="/hands/{hand}[^"]*">Abrir la mano 1</a>'
    assert re.search(link, page)
    assert not scorer.post(f"/api/hands/{hand}/undo").get_json()["corrected"]
    assert "se está corrigiendo" not in scorer.client.get(f"/matches/{match}").text
    assert scorer.post(f"/api/hands/{hand}/undo").get_json()["undo"] is None


def test_a_correction_that_is_put_back_by_hand_is_none(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of(CANASTA)))
    when_read(scorer, hand)
    scorer.edit(hand, *taps("B", "rack", "J 4K"), *closing())
    match = scorer.post(f"/api/hands/{hand}/save").get_json()["match"]
    saved = scorer.hand(hand)
    (read, *_), (tapped, *_) = (row["tiles"] for row in saved["rows"])
    muerto, tile = {"op": "set_muerto", "side": "A"}, {"op": "set_tile", "tile": read}
    for there, back in (
        ({**muerto, "taken": False}, {**muerto, "taken": True}),
        ({**tile, "face": "4R"}, {**tile, "face": "3R"}),
        ({"op": "remove_tile", "tile": tapped}, taps("B", "rack", "J")[0]),
    ):
        assert scorer.edit(hand, there).get_json()["corrected"]
        view = scorer.edit(hand, back).get_json()
        assert (view["corrected"], view["score"]["A"]) == (False, saved["score"]["A"])
        assert "se está corrigiendo" not in scorer.client.get(f"/matches/{match}").text
        assert scorer.post(f"/api/hands/{hand}/undo").get_json()["corrected"]
        scorer.form(f"/hands/{hand}/drop")


def test_a_correction_of_which_the_rest_is_taken_back_is_none(scorer: Scorer) -> None:
    hand, match = saved_hand(scorer)
    tapped = {"key": "the-joker", **taps("B", "rack", "J")[0]}
    assert scorer.post(f"/api/hands/{hand}/edits", json={"edits": [tapped]}).status_code == 200
    for taken in (True, False):
        view = scorer.edit(hand, {"op": "set_muerto", "side": "B", "taken": taken}).get_json()
    assert view["corrected"]
    undone = scorer.post(f"/api/hands/{hand}/undo", json={"key": "the-joker"}).get_json()
    assert (undone["corrected"], len(undone["tiles"])) == (False, 8)
    assert undone["version"] > view["version"]
    assert "se está corrigiendo" not in scorer.client.get(f"/matches/{match}").text


def test_the_version_rises_where_a_correction_is_none_any_more(scorer: Scorer) -> None:
    """An edit that comes once more is skipped: what tells the views apart is the version alone."""
    hand, _match = saved_hand(scorer)
    for taken in (True, False):
        seen = scorer.hand(hand)["version"]
        view = scorer.edit(hand, {"op": "set_muerto", "side": "B", "taken": taken}).get_json()
    assert not view["corrected"]
    assert view["version"] == seen + 2  # of the edit, and of the correction that is gone


def test_a_victory_tells_of_a_correction_that_is_not_saved(scorer: Scorer) -> None:
    told = "La mano 1 tiene una corrección sin guardar: el resultado puede cambiar."
    match = new_match(scorer, side_a="Nosotros", side_b="Ellos", target="400")
    hand = closed(scorer, match)
    view = re.search(r"/v/[\w-]+", scorer.client.get(f"/matches/{match}/others").text)
    assert view
    pages = (f"/matches/{match}", view.group(), f"/matches/{match}/share")

    def victories() -> list[str]:
        return [scorer.client.get(page).text for page in pages]

    assert all("¡Ganamos!" in page or "Victoria de «Nosotros»" in page for page in victories())
    assert not any(told in page for page in victories())
    scorer.tap(hand, "B", "melds", "3K 3B 3Y 3R")
    assert [page.count("La mano 1 tiene una") for page in victories()] == [1, 1, 2]
    ours, theirs, _shared = victories()  # what is shared is a text and a picture
    link = f'{told} <a href="/hands/{hand}">Abrir la mano 1</a>'
    assert (link in ours, f"/hands/{hand}" in theirs) == (True, False)
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 200
    assert not any(told in page for page in victories())


def test_an_unsaved_correction_that_cannot_change_the_result_is_not_told_of(
    scorer: Scorer,
) -> None:
    match = new_match(scorer, target="400")
    hands = [closed(scorer, match), closed(scorer, match)]
    scorer.form(f"/hands/{hands[0]}/undone", undone="yes")  # it does not count any more
    assert "Victoria de Los Pérez" in scorer.client.get(f"/matches/{match}").text
    for hand in hands:
        scorer.tap(hand, "B", "rack", "3K")
    page = scorer.client.get(f"/matches/{match}").text
    assert "La mano 2 tiene una corrección sin guardar" in page
    assert "La mano 1 tiene una corrección" not in page


def test_corrections_that_were_given_up_are_not_brought_back_by_undo(scorer: Scorer) -> None:
    hand, match = saved_hand(scorer)
    points = {"base_A": "300", "puntos_A": "45", "base_B": "", "puntos_B": ""}
    for page, fields in (
        (f"/hands/{hand}/drop", {}),
        (f"/matches/{match}/count?hand={hand}", points),
    ):
        scorer.tap(hand, "B", "rack", "J 3K")
        assert scorer.form(page, **fields).status_code in (302, 303)
        assert scorer.hand(hand)["undo"] is None
        assert not scorer.post(f"/api/hands/{hand}/undo").get_json()["corrected"]
    assert totals(scorer.client, match) == ["345", "0"]


def send_in_vain(scorer: Scorer, hand: str, reader: RecordedReader) -> None:
    """Send a photograph whose reading fails."""
    with pytest.MonkeyPatch.context() as failing:
        failing.setattr(reader, "read_photo", lambda *_: 1 / 0)
        send(scorer, hand, "A", "rack", picture_of("7Y"))
        assert when_read(scorer, hand)["photos"][-1]["state"] == "failed"


def test_a_photograph_that_failed_before_its_hand_was_saved_stays(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = closed_hand(scorer)
    send_in_vain(scorer, hand, reader)
    (failed,) = scorer.hand(hand)["photos"]
    scorer.post(f"/api/hands/{hand}/save")
    scorer.tap(hand, "B", "rack", "J")
    scorer.form(f"/hands/{hand}/drop")
    assert scorer.hand(hand)["photos"] == [failed]


def test_photographs_that_came_for_a_correction_go_with_it(
    app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = closed_hand(scorer)
    send(scorer, hand, "A", "melds", reader.add(picture_of("3B 4B 5B")))
    when_read(scorer, hand)
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 200
    (kept,) = scorer.hand(hand)["photos"]
    send(scorer, hand, "A", "melds", reader.add(picture_of("9Y 10Y 11Y")))
    when_read(scorer, hand)
    send_in_vain(scorer, hand, reader)
    reader.hold()
    send(scorer, hand, "B", "melds", reader.add(picture_of("9K 10K 11K")))
    scorer.form(f"/hands/{hand}/drop")
    reader.go_on.set()
    idle(app)
    view = scorer.hand(hand)
    assert (view["photos"], len(view["tiles"]), view["corrected"]) == ([kept], 11, False)
    folder = parts_of(app).config.photo_dir
    assert [path.name for path in folder.iterdir()] == [f"{kept['id']}.jpg"]
