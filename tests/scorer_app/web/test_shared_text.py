"""The text by which a result is shared: its hands are numbered as whoever gets it counts them."""

from __future__ import annotations

from html import unescape

from flask import Flask

from scorer_app.store import Hand
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, taps
from ..evening import closed
from ..hands import new_match


def shared(scorer: Scorer, match: str) -> list[str]:
    """Return the lines of the text."""
    page = scorer.client.get(f"/matches/{match}/share").text
    area = page.partition('id="share-text"')[2].partition(">")[2].partition("</textarea>")[0]
    return unescape(area).splitlines()


def counted(app: Flask, scorer: Scorer, match: str, points: int) -> str:
    """Count a hand of side A by hand; return its id."""
    scorer.form(f"/matches/{match}/count", base_A=str(points))
    return parts_of(app).matches.tally(match).lines[-1].hand_id


def test_hands_that_were_taken_out_leave_no_gap_in_the_shared_numbers(
    app: Flask, scorer: Scorer
) -> None:
    match = new_match(scorer, target="1200")
    hands = [counted(app, scorer, match, points) for points in (100, 200, 300, 400)]
    for hand in hands[1:3]:
        scorer.form(f"/hands/{hand}/undone", undone="yes")
    counted(app, scorer, match, 800)
    lines = shared(scorer, match)
    assert lines[1:4] == ["1. 100 / 0", "2. 400 / 0", "3. 800 / 0"]
    assert "en 3 manos" in lines[-1]


def test_a_hand_that_cannot_be_shown_has_no_number_among_those_that_count(
    app: Flask, scorer: Scorer
) -> None:
    match = new_match(scorer)
    broken, _last = (counted(app, scorer, match, points) for points in (100, 200))
    with parts_of(app).store.writing() as session:
        hand = session.get_one(Hand, broken)
        hand.record, hand.version = {"nonsense": 1}, hand.version + 1
    assert shared(scorer, match)[1:3] == [
        "– Anotada con una versión más nueva de Burako: acá no se puede contar.",
        "1. 200 / 0",
    ]


def test_a_correction_that_is_not_saved_is_told_of_the_hand_by_its_shared_number(
    app: Flask, scorer: Scorer
) -> None:
    match = new_match(scorer, target="400")
    first = counted(app, scorer, match, 100)
    hand = closed(scorer, match)
    scorer.form(f"/hands/{first}/undone", undone="yes")
    scorer.edit(hand, *taps("B", "melds", "3K 3B 3Y 3R"))
    told = "La mano 1 tiene una corrección sin guardar: el resultado puede cambiar."
    assert told in shared(scorer, match)
    assert "La mano 2 tiene una" in scorer.client.get(f"/matches/{match}").text
