"""How tiles are written as the cards that they stand for, and read back."""

import pytest

from engine import FACES, tiles
from engine.pieces import Pieces, card_name, face_of_card, piece_name, piece_names

ROW = "1R 2Y 10B 11K 12R 13Y J"


def test_a_tile_is_written_as_people_write_what_they_play_with() -> None:
    assert piece_names(tiles(ROW), Pieces.CARDS) == "AH 2D 10C JS QH KD *"
    assert piece_names(tiles(ROW), Pieces.TILES) == ROW


def test_every_tile_is_a_card_of_its_own() -> None:
    for face in FACES:
        assert face_of_card(card_name(face)) == face
        assert piece_name(face, Pieces.CARDS) == card_name(face)


@pytest.mark.parametrize("name", ["14H", "13H", "1H", "K", "KR", "J", ""])
def test_what_is_no_card_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="expected a card such as 7H"):
        face_of_card(name)
