"""A notice tells when tiles are asked for and the photograph shows cards, or the other way round;
no other notice comes with it, and no piece.
"""

from __future__ import annotations

import io
import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.places import SAMPLES
from vision import Layout, Notice, Pieces, open_reader
from vision.frame import Frame, load
from vision.kinds import KINDS
from vision.modelfile import MANIFEST, default_folder
from vision.other_pieces import shows_other_pieces
from vision.reading import Doubt

from .own_set.taught_samples import ours

CARDS = Path(__file__).resolve().parents[1] / "data" / "cards" / "table.jpg"
TILES = SAMPLES / "melds-b.jpg"
FIVE_OF_DIAMONDS = (85, 0, 315, 295)  # left, top, right and bottom of that card in CARDS, in px


@pytest.mark.parametrize(
    ("photo", "asked", "told"),
    [
        (CARDS, Pieces.TILES, True),
        (CARDS, Pieces.CARDS, False),
        (TILES, Pieces.CARDS, True),
        (TILES, Pieces.TILES, False),
    ],
)
def test_the_other_kind_of_pieces_is_told(photo: Path, asked: Pieces, told: bool) -> None:
    notices = open_reader(pieces=asked).read(photo).notices
    assert (Notice.OTHER_PIECES in notices) == told


@pytest.mark.pictures
@pytest.mark.parametrize(
    ("photo", "asked", "told"),
    [
        (CARDS, Pieces.CARDS, Notice.FEW_COLOURS),
        (CARDS, Pieces.TILES, Notice.OTHER_PIECES),
        (TILES, Pieces.TILES, Notice.FEW_COLOURS),
    ],
)
def test_a_picture_in_black_and_white_is_of_the_kind_that_it_shows(
    photo: Path, asked: Pieces, told: Notice
) -> None:
    """None of its pieces is sure, since their colours are lost."""
    with Image.open(photo) as picture, io.BytesIO() as grey:
        picture.convert("L").save(grey, "JPEG", quality=92)
        notices = open_reader(pieces=asked).read(grey.getvalue()).notices
    assert {Notice.FEW_COLOURS, Notice.OTHER_PIECES}.intersection(notices) == {told}


def test_of_the_other_pieces_nothing_else_is_told() -> None:
    """Neither that it is dark nor that nothing was found."""
    with Image.open(CARDS) as picture, io.BytesIO() as dark:
        picture.point(lambda level: level // 2).save(dark, "JPEG", quality=92)
        reading = open_reader().read(dark.getvalue())
    assert reading.notices == (Notice.OTHER_PIECES,)


@pytest.mark.pictures
@pytest.mark.parametrize("layout", list(Layout))
@pytest.mark.parametrize("photo", ["melds-a.jpg", "melds-b.jpg", "rack-a.jpg", "rack-b.jpg"])
@pytest.mark.parametrize("is_taught", [False, True])
def test_no_piece_is_guessed_where_the_other_ones_are_told(
    photo: str, layout: Layout, is_taught: bool
) -> None:
    for shown, asked in ((SAMPLES / "cards", Pieces.TILES), (SAMPLES, Pieces.CARDS)):
        is_ours = is_taught and asked is Pieces.TILES
        reader = ours() if is_ours else open_reader(pieces=asked)
        reading = reader.read(shown / photo, layout)
        assert (reading.tiles, reading.melds, reading.loose) == ((), (), ())
        assert reading.notices == (Notice.OTHER_PIECES,)


@pytest.mark.pictures
@pytest.mark.parametrize("photo", ["rack-a.jpg", "rack-b.jpg"])
def test_a_few_tiles_of_a_taught_set_are_no_cards(photo: str) -> None:
    reading = ours().read(SAMPLES / photo, Layout.LOOSE)
    assert len(reading.tiles) == {"rack-a.jpg": 5, "rack-b.jpg": 11}[photo]
    assert Notice.OTHER_PIECES not in reading.notices


@pytest.mark.pictures
@pytest.mark.parametrize("pieces", list(Pieces))
def test_an_empty_table_is_of_neither_kind(pieces: Pieces) -> None:
    cloth = np.random.default_rng(1).normal((60, 110, 70), 6, (480, 640, 3)).clip(0, 255)
    notices = open_reader(pieces=pieces).read(Frame.of(cloth.astype(np.uint8))).notices
    assert Notice.NO_TILES in notices and Notice.OTHER_PIECES not in notices


@pytest.mark.pictures
def test_one_sure_card_is_told_although_tiles_lie_beside_it() -> None:
    """The networks of tiles see tiles in figures of a score sheet, too, and in a card's pips."""
    with Image.open(CARDS) as cards, Image.open(TILES) as tiles:
        table = tiles.convert("RGB")
        table.paste(cards.crop(FIVE_OF_DIAMONDS), (0, 0))
    reading = open_reader(pieces=Pieces.CARDS).read(Frame.of(np.asarray(table)), Layout.LOOSE)
    assert [str(told.tile) for told in reading.tiles if not told.doubtful] == ["5Y"]
    assert Notice.OTHER_PIECES not in reading.notices


@pytest.mark.pictures
@pytest.mark.parametrize(("copies", "told"), [(0, True), (1, True), (20, False)])
def test_a_table_full_of_unsure_tiles_is_not_told_as_cards(copies: int, told: bool) -> None:
    """In a soft photograph no tile may be sure, and a few may look like cards."""
    tiles = open_reader().read(TILES).tiles
    unsure = [replace(tile, doubts=frozenset({Doubt.UNSURE})) for tile in tiles[:3]]
    shown = shows_other_pieces(KINDS[Pieces.TILES], None, load(CARDS), tuple(unsure * copies))
    assert shown == told


def test_without_the_other_networks_nothing_is_told(tmp_path: Path) -> None:
    installed = default_folder()
    entries = json.loads((installed / MANIFEST).read_text("utf-8"))
    kept = {name: entry for name, entry in entries.items() if name.startswith("card_")}
    (tmp_path / MANIFEST).write_text(json.dumps(kept), "utf-8")
    for entry in kept.values():
        shutil.copy(installed / entry["file"], tmp_path)
    assert Notice.OTHER_PIECES not in open_reader(tmp_path, Pieces.CARDS).read(TILES).notices
