"""What is declared of tiles and of cards, and how cards are named."""

from __future__ import annotations

import numpy as np
import pytest

from engine.pieces import Pieces, card_name
from engine.rulesets import ruleset
from engine.tiles import Tile
from vision.kinds import CARDS, KINDS, TILES
from vision.reading import TableReading, TileReading

QUAD = np.array([[0, 0], [10, 0], [10, 20], [0, 20]], np.float32)


def test_kinds_are_declared_once_each() -> None:
    assert set(KINDS) == set(Pieces)
    assert len({kind.detector for kind in KINDS.values()}) == len(Pieces)


def test_cards_are_two_packs_and_four_jollies_under_every_ruleset() -> None:
    burako = ruleset("burako")
    assert CARDS.inventory(burako).jokers == 4 and TILES.inventory(burako) == burako
    assert ruleset(CARDS.rules).id == "burraco_it"


@pytest.mark.parametrize(
    ("tile", "card"), [("11R", "JH"), ("1Y", "AD"), ("10K", "10S"), ("2B", "2C"), ("J", "*")]
)
def test_a_card_has_its_own_name(tile: str, card: str) -> None:
    assert card_name(Tile.parse(tile)) == card


def test_entries_of_cards_tell_the_card() -> None:
    one = TileReading(Tile.parse("13B"), QUAD, 0.99)
    unread = TileReading(None, QUAD, 0.2)
    told = TableReading(10, 10, (one, unread), (), (0, 1), pieces=Pieces.CARDS).to_json()["tiles"]
    assert [entry["card"] for entry in told] == ["KC", None]
    assert told[0]["tile"] == "13B"
    assert "card" not in TableReading(10, 10, (one,), (), (0,)).to_json()["tiles"][0]
