"""The bundled sample of cards: what is read of it, whole and with a mark covered."""

from __future__ import annotations

from dataclasses import replace

import cv2
import pytest

from datasets.samples.__main__ import HAND
from datasets.samples.cards import LEFT, MELDS
from engine import SideName
from engine.pieces import Pieces, card_name
from engine.tiles import JOKER
from vision import Layout, open_reader
from vision.frame import load
from vision.kinds import CARDS, TILES
from vision.tiles.pipeline import TableReader

CHIP = 20  # pixels, its radius


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return open_reader(pieces=Pieces.CARDS)


@pytest.mark.parametrize("side", ["A", "B"])
def test_the_melds_of_the_sample_are_read_column_by_column(
    reader: TableReader, side: SideName
) -> None:
    reading = reader.read(HAND / "cards" / f"melds-{side.lower()}.jpg")
    names = [tile.tile and card_name(tile.tile) for tile in reading.tiles]
    read = [tuple(names[card] for card in meld.tiles) for meld in reading.melds]
    assert sorted(map(str, read)) == sorted(map(str, MELDS[side].columns))
    assert not any(tile.doubtful for tile in reading.tiles)


@pytest.mark.parametrize("side", ["A", "B"])
def test_what_is_left_in_the_sample_is_read(reader: TableReader, side: SideName) -> None:
    reading = reader.read(HAND / "cards" / f"rack-{side.lower()}.jpg", Layout.LOOSE)
    names = [tile.tile and card_name(tile.tile) for tile in reading.tiles]
    assert sorted(map(str, names)) == sorted(LEFT[side].loose)


@pytest.mark.parametrize("layout", list(Layout))
def test_a_jolly_whose_mark_is_covered_is_told_by_what_lies_around_it(
    reader: TableReader, layout: Layout
) -> None:
    """A chip lies on the mark; a person is asked to look at the card."""
    frame = load(HAND / "cards" / "melds-a.jpg")
    (joker,) = (card for card in reader.read(frame).tiles if card.tile == JOKER)
    chip = joker.corners.mean(axis=0).astype(int).tolist()
    covered = cv2.circle(frame.pixels.copy(), chip, CHIP, (40, 110, 60), -1)
    cards = reader.read(replace(frame, pixels=covered), layout).tiles
    assert (cards[-1].tile, cards[-1].doubtful) == (JOKER, True)
    assert not any(card.doubtful for card in cards[:-1])


def test_small_faces_are_other_ones_of_cards_than_of_tiles(reader: TableReader) -> None:
    assert reader.detector.config.small_face == CARDS.small_face < TILES.small_face
