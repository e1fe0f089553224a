"""What the page says of an illegal row that was read: the engine's reason, then what to look at."""

from __future__ import annotations

import re

import pytest

from engine.rulesets import BURAKO
from engine.tiles import tiles
from scorer_app.hand.table_rules import TableRules
from scorer_app.texts.translator import translator
from scorer_app.web.advice import Known, explain_read

from ..conftest import Scorer
from ..hands import send, when_read
from ..pictures import RecordedReader, picture_of

RULES = TableRules(BURAKO, 4)
LOOK = "¿Algo mal leído o de otro juego? Tocá {}."
SEEK = "Si falta leer una ficha, tocá su lugar en la foto; si una se leyó mal, tocala."


@pytest.mark.parametrize(
    ("faces", "advice"),
    [
        ("3R 4R 5B 6R 7R", LOOK.format("5B")),
        ("3R 4R 6R 7R 8R", SEEK),
        ("7R 8R", SEEK),
        ("3R 8B 11K 5Y", SEEK),
        ("4R J J 7R 8R", LOOK.format("4R J")),
        ("3R 4R 5R 9R 9B 9K", "¿Son dos juegos?"),
        ("5R 3R 4R", "Alcanza con ordenarlas así: 3R 4R 5R."),
    ],
)
def test_the_reason_stays_and_the_advice_fits_what_the_reader_may_have_got_wrong(
    faces: str, advice: str
) -> None:
    meld = RULES.judge(faces.split(), ordered=True)
    assert meld
    told = explain_read(meld, True, RULES, "es", translator("es"))
    reason = re.split(" Alcanza| Hay que", RULES.sentence(meld, True, "es"))[0]
    assert told == f"{reason} {advice}"


def look_at(faces: str, said: str, doubted: str) -> str:
    """Return the tiles that a person is asked to look at, of a row in which somebody said what
    the tiles `said` are, and the reader doubts those `doubted`.
    """
    meld = RULES.judge(faces.split(), ordered=True)
    known = Known(frozenset(tiles(said)), frozenset(tiles(doubted)))
    assert meld
    told = explain_read(meld, True, RULES, "es", translator("es"), known)
    found = re.search(r"Tocá ([^.]*)\.$", told)
    assert found, told
    return found[1]


@pytest.mark.parametrize(
    ("faces", "said", "doubted", "named"),
    [
        ("3R 4R 5R 5B 5K", "3R 4R", "", "5B 5K"),
        ("4R 5K 5R", "4R", "5K", "5K"),
        ("3R 4R 5R 6R 5B 7K", "5B", "7K", "7K"),
        ("7R 7B 7K 8Y 9B", "8Y", "", "9B"),
        ("3R 4R 5R 5B 5K", "5B", "5K", "5K"),
        ("3R 4B 5B", "4B 5B", "", "3R"),
        ("J 2R 12R", "J 2R", "12R", "12R"),  # a 3 or a 1 makes it legal
        ("6R 1R 2R 3R", "6R", "1R", "1R"),  # and here a 5
    ],
)
def test_a_tile_of_which_nobody_said_what_it_is_is_looked_at_in_place_of_one_that_a_person_said(
    faces: str, said: str, doubted: str, named: str
) -> None:
    assert look_at(faces, said, doubted) == named


@pytest.mark.parametrize(
    ("faces", "said", "doubted", "named"),
    [
        ("3R 4R 5B 6R 7R", "5B", "", "5B"),
        ("3R 4R 5B", "5B", "", "5B"),
        ("3R 4R 5B", "3R 4R 5B", "", "5B"),
        ("3R 4R 5B 6R 7R", "5B", "6R", "5B"),
        ("3R 4R 5B", "5B", "4R", "5B"),
        ("4R 5R 6R 8B 7R", "8B", "6R", "8B"),
    ],
)
def test_a_tile_that_a_person_said_is_looked_at_where_no_other_one_mends_the_row(
    faces: str, said: str, doubted: str, named: str
) -> None:
    """Perhaps it was a slip of the finger."""
    assert look_at(faces, said, doubted) == named


def test_the_tile_that_a_person_corrected_is_not_blamed_for_its_row(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    shown = picture_of("4B 5K 5R", doubts={"5K": ["5K", "5R"]})
    send(scorer, hand, "A", "melds", reader.add(shown))
    (row,) = when_read(scorer, hand)["rows"]
    assert row["verdict"]["text"].endswith(LOOK.format("4B"))
    scorer.edit(hand, {"op": "set_tile", "tile": row["tiles"][0], "face": "4R"})
    (row,) = scorer.hand(hand)["rows"]
    assert row["verdict"]["text"] == (
        f"No es escalera ni pierna; fuera de lugar: 5K. {LOOK.format('5K')}"
    )


def test_what_was_tapped_in_is_told_as_the_engine_tells_it(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "3R 4R 5B")
    send(scorer, hand, "B", "melds", reader.add(picture_of("3K 4K 5K 9Y")))
    told = {row["side"]: row["verdict"]["text"] for row in when_read(scorer, hand)["rows"]}
    assert "Hay que levantar 3R 4R 5B." in told["A"]
    assert told["B"].endswith(LOOK.format("9Y"))


def test_a_meld_says_how_many_of_its_tiles_are_unread(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand, unread = scorer.begin(), ["", "4R", "9K"]
    one = picture_of("3R 4R 5R 6R", doubts={"4R": unread})
    two = picture_of("3B 4B 5B 6B 7B", doubts={"4B": unread, "6B": unread})
    for side, shown in (("A", one), ("B", two)):
        send(scorer, hand, side, "melds", reader.add(shown))
    when_read(scorer, hand)
    told = {
        "es": ("Falta leer una ficha", "Hay 2 fichas sin leer"),
        "en": ("One tile is still unread", "2 tiles are still unread"),
        "it": ("Manca una tessera da leggere", "Mancano 2 tessere da leggere"),
    }
    for language, (of_one, of_two) in told.items():
        view = scorer.client.get(f"/api/hands/{hand}", headers={"Accept-Language": language})
        said = {row["side"]: row["verdict"]["text"] for row in view.get_json()["rows"]}
        assert said == {"A": of_one, "B": of_two}
