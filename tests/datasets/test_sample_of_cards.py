"""The bundled sample of cards: one hand of Italian Burraco with legal melds, all of our own
drawing.
"""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from datasets.cards.area import Area, Neatness, camera_over, piles
from datasets.samples.__main__ import HAND
from datasets.samples.cards import HEIGHT, LEFT, MELDS, PACK, RULES, SAMPLES, WIDTH, CardSample
from engine import SideName, full_set, judge_meld, ruleset
from engine.pieces import card_name, face_of_card

KIB = 1024
SIZE = (62.0, 88.0)


@pytest.mark.parametrize("side", ["A", "B"])
def test_every_meld_of_the_sample_is_legal(side: SideName) -> None:
    for column in MELDS[side].columns:
        tiles = tuple(map(face_of_card, column))
        assert judge_meld(tiles, ruleset(RULES), ordered=False).valid, column


def test_the_sample_is_part_of_two_packs() -> None:
    shown = Counter(card for area in (*MELDS.values(), *LEFT.values()) for card in area.cards())
    assert shown <= Counter(map(card_name, full_set(4)))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_a_picture_of_the_sample_is_as_large_as_those_of_tiles(sample: CardSample) -> None:
    data = (HAND / "cards" / sample.name).read_bytes()
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (HEIGHT, WIDTH, 3) and len(data) <= 260 * KIB


def test_the_pack_of_the_sample_is_all_of_our_own_drawing() -> None:
    assert PACK.art is None and PACK.own_pips and not PACK.pictograms
    assert PACK.suit_font == "drawn"


@pytest.mark.parametrize("elevation", [35.0, 60.0, 90.0])
def test_the_camera_shows_all_cards_as_large_as_they_can_be(elevation: float) -> None:
    area = Area((("3H", "4H", "5H"), ("7C", "7D", "7S", "*")), ("9S",))
    laid = piles(np.random.default_rng(3), area, SIZE, Neatness())
    camera = camera_over(laid, SIZE, (1200, 900), elevation=elevation)
    places = np.array([[x, y, 0.0] for poses, _cards in laid for x, y, _turn in poses])
    pixels = camera.project(places)
    assert (pixels > 0).all() and (pixels < [1200, 900]).all()
    assert np.ptp(pixels, axis=0).max() > 300
    assert [tuple(cards) for _poses, cards in laid] == [*area.columns, ("9S",)]


def test_cards_that_do_not_fit_are_told() -> None:
    area = Area(tuple(("2H",) * 12 for _ in range(40)))
    laid = piles(np.random.default_rng(3), area, SIZE, Neatness())
    with pytest.raises(ValueError, match="expected cards that fit"):
        camera_over(laid, SIZE, (96, 64), elevation=60)
