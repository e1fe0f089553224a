"""Plays an evening at the table: matches, hands and sets in every state that a page can show."""

from __future__ import annotations

import re

from .conftest import Scorer
from .hands import CANASTA, new_match, saved_hand, send, when_read
from .pictures import RecordedReader, picture_of

LONG = "Familia Fernández Etcheverry"
PLAYERS = {
    f"player_{seat}": name for seat, name in enumerate(("Ana", "Maximiliano", "Caro", "Dani"))
}


def counted(scorer: Scorer, match: str, **points: str) -> None:
    """Save a hand that people counted themselves; `points` are `base_A`, `puntos_A`, `base_B` and
    `puntos_B`.
    """
    assert scorer.form(f"/matches/{match}/count", **points).status_code == 303


def evening(scorer: Scorer, reader: RecordedReader) -> dict[str, str]:
    """Play an evening. Returns the path of every page, by a name for it."""
    _hand, sample = saved_hand(scorer)
    finished = new_match(scorer, side_a="Nosotros", side_b="Ellos", target="800", **PLAYERS)
    for _ in range(2):
        counted(scorer, finished, base_A="300", puntos_A="145", base_B="100", puntos_B="-150")
    archived = new_match(scorer, side_a="Nosotros", side_b="Ellos")
    scorer.form(f"/matches/{archived}/archive", archived="yes")
    match = new_match(scorer, side_a=LONG, side_b="Ellos", **PLAYERS)
    counted(scorer, match, base_A="-12000", puntos_A="-345", base_B="-9000", puntos_B="-3345")
    hand = closed(scorer, match)
    scorer.form(f"/matches/{match}/die")
    draft = scorer.begin(match)
    shown = picture_of(CANASTA, "3B 4B 9B", doubts={"9R": ["", "9R"]}, loose="13Y")
    send(scorer, draft, "A", "melds", reader.add(shown))
    when_read(scorer, draft)
    viewer = re.search(r"/v/[\w-]+", scorer.client.get(f"/matches/{match}/others").text)
    assert viewer
    pages = ("rules", "deal", "share", "others", "others/code", "table")
    pages += ("history", "count", "edit", "compare")
    return {
        "home": "/",
        "settings": "/settings",
        "sets": "/sets",
        "teach": "/sets/new",
        "new": "/matches/new",
        "statistics": "/matches/statistics",
        "nothing": "/matches/nothing",
        "hand": f"/hands/{draft}",
        "saved": f"/hands/{hand}",
        "match": f"/matches/{match}",
        "victory": f"/matches/{finished}",
        "viewer": viewer.group(),
        "first": f"/matches/{sample}",
        **{page: f"/matches/{match}/{page}" for page in pages},
        "shared victory": f"/matches/{finished}/share",
    }


def closed(scorer: Scorer, match: str) -> str:
    """Play a hand with tiles of both sides, save it, and return its id."""
    hand = scorer.begin(match)
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.tap(hand, "B", "rack", "J 13K")
    scorer.close(hand)
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 200
    return hand
