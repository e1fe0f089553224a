"""Hands with photographs whose tiles a person settles, for tests."""

from __future__ import annotations

from flask import Flask

from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..hands import send, when_read
from ..pictures import RecordedReader, picture_of

ROWS = ("3R 4R 5R", "7B 7K 7Y")
DOUBTS = {"4R": ["8R", "4R"], "7K": ["", "7K"], "7Y": ["7Y", "1Y"]}
RACK = picture_of(loose="4R 12B", doubts={"4R": ["8R", "4R"]})


def ended_hand(scorer: Scorer, app: Flask, set_id: str | None) -> str:
    hand = scorer.begin()
    parts_of(app).matches.change(scorer.hand(hand)["match"], tile_set_id=set_id)
    muertos = [{"op": "set_muerto", "side": side, "taken": True} for side in "AB"]
    racks = [{"op": "empty_rack", "side": side} for side in "AB"]
    scorer.edit(hand, {"op": "set_end", "end": "stock_exhausted"}, *muertos, *racks)
    return hand


def doubtful_hand(scorer: Scorer, reader: RecordedReader, app: Flask, set_id: str | None) -> str:
    """Make a hand with a photograph, some of whose tiles are misread or in doubt; return its id."""
    hand = ended_hand(scorer, app, set_id)
    send(scorer, hand, "A", "melds", reader.add(picture_of(*ROWS, doubts=DOUBTS)))
    when_read(scorer, hand)
    return hand


def says(scorer: Scorer, hand: str, read: str | None, face: str) -> None:
    """Let a person say that the one photographed tile that was read as `read` (None: as nothing) is
    a `face`.
    """
    tiles = scorer.hand(hand)["tiles"]
    (tile,) = [name for name, one in tiles.items() if one["photo"] and one["face"] == read]
    assert scorer.edit(hand, {"op": "set_tile", "tile": tile, "face": face}).status_code == 200


def save(scorer: Scorer, hand: str) -> None:
    answer = scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True})
    assert answer.status_code == 200, answer.get_json()
