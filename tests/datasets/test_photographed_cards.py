"""Faces of cards cut out of photographs. The pictures are drawn in the tests."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.cards import photographed
from datasets.cards.cut_out import HEIGHT, PAPER, WIDTH, Face, cut_faces, evenly_lit, with_edges
from datasets.cards.drawing import Draughtsman
from datasets.cards.notation import CARDS
from datasets.cards.photographed import PhotographedPack, main
from datasets.cards.photos import CardPicture
from datasets.cards.style import random_pack
from engine.pieces import face_of_card
from engine.tiles import FACES
from vision.cards.card import Card
from vision.cards.pipeline import CardTableReader
from vision.seen import Rows, Seen

MARK = np.array([[10, 10], [30, 10], [30, 40], [10, 40]], np.float32)
TRUE = np.array([[210, 90], [520, 130], [470, 560], [150, 500]], np.float32)


def photograph(ground: int = 60) -> NDArray[np.uint8]:
    """A card with an index and a pip on a plain ground, seen aslant."""
    card = np.full((HEIGHT, WIDTH, 3), 235, np.uint8)
    cv2.rectangle(card, (20, 20), (50, 70), (200, 20, 20), -1)
    cv2.circle(card, (WIDTH // 2, HEIGHT // 2), 40, (200, 20, 20), -1)
    corners = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    picture = np.full((640, 700, 3), ground, np.uint8)
    matrix = cv2.getPerspectiveTransform(corners, TRUE)
    cv2.warpPerspective(card, matrix, (700, 640), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    return picture


@pytest.mark.parametrize("moved", [-9.0, 0.0, 9.0])
def test_a_card_is_cut_out_along_its_four_edges(moved: float) -> None:
    found = with_edges(photograph(), TRUE + np.float32([moved, -moved]))
    assert found is not None
    assert found == pytest.approx(TRUE, abs=4)


def test_a_card_on_a_ground_like_paper_is_not_cut_out() -> None:
    assert with_edges(photograph(ground=230), TRUE) is None


def test_light_from_one_side_is_taken_out_of_a_face() -> None:
    light = np.linspace(0.5, 1.0, WIDTH)[None, :, None] * [1.0, 0.9, 0.7]
    card = np.full((HEIGHT, WIDTH, 3), 240.0)
    card[100:140, 100:140] = [200, 20, 20]
    even = evenly_lit((card * light).astype(np.uint8)).astype(float)
    paper = np.delete(even, np.s_[90:150], axis=0)
    assert paper == pytest.approx(np.full(paper.shape, PAPER), abs=4)
    assert even[120, 120] == pytest.approx(np.array([200, 20, 20]) * PAPER / 240, abs=6)


def test_a_pack_shows_the_faces_that_were_cut_out_and_a_drawn_jolly() -> None:
    picture = np.full((HEIGHT, WIDTH, 3), 240, np.uint8)
    picture[:, :20] = [10, 120, 10]
    index = np.array([[0.05, 0.04], [0.15, 0.04], [0.15, 0.2], [0.05, 0.2]], np.float32)
    read_by = [index, 1 - index]  # the upper left index, or the lower right one
    faces = {card: Face(card, picture, read_by[n % 2], 1.0) for n, card in enumerate(CARDS)}
    style = random_pack(3)
    for four, marks in ((True, 4), (False, 2)):
        pack = PhotographedPack(style, faces, four)
        shown = pack.face("7H")
        assert shown.indices.shape == (marks, 4, 2)
        assert shown.indices.mean(axis=1)[0] == pytest.approx(index.mean(axis=0), abs=0.01)
        left, paper = shown.picture[:, 4:10].mean(axis=(0, 1)), shown.picture[:, 60:].mean()
        assert left[1] > 2 * left[0] and paper > 150
    drawn = Draughtsman(pack.style).face("*").picture
    assert (pack.face("*").picture == drawn).all()


def test_without_photographs_nothing_is_laid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--source", "poker_cards", "--photos", str(tmp_path), "--count", "1", "--seed", "1"]
    assert main([str(tmp_path / "out"), *asked]) == 1
    assert "expected the labelled photographs" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_hands_are_not_dealt_from_a_few_faces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(photographed, "load_photographs", lambda *_: [])
    asked = ["--source", "grey_desk_poker", "--count", "1", "--seed", "1"]
    assert main([str(tmp_path / "out"), *asked]) == 1
    assert "expected 36 faces of grey_desk_poker at least" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


class ReadsCards:
    """A reader that finds the cards it is given, read as these names."""

    def __init__(self, cards: list[Card], names: list[str]) -> None:
        self.cards = cards
        faces = np.full((len(cards), len(FACES)), -9.0, np.float32)
        faces[np.arange(len(cards)), [FACES.index(face_of_card(name)) for name in names]] = 0
        quads = np.stack([card.outline[:1] + MARK for card in cards]).astype(np.float32)
        self.seen = Seen(np.ones(len(cards), np.float32), quads, faces, Rows([]))

    def found_cards(self, *_: object) -> tuple[Seen, list[Card]]:
        return self.seen, self.cards


@pytest.mark.parametrize(
    ("names", "second", "cut"),
    [
        (["7H", "8H"], (600.0, 60.0), {"7H"}),
        (["9H", "8H"], (600.0, 60.0), set()),  # not as its label says
        (["7H", "7H"], (600.0, 60.0), set()),  # read twice
        (["7H", "8H"], (300.0, 300.0), set()),  # another card lies upon it
    ],
)
def test_only_what_is_read_rightly_and_lies_free_is_cut_out(
    tmp_path: Path, names: list[str], second: tuple[float, float], cut: set[str]
) -> None:
    path = tmp_path / "card.png"
    cv2.imwrite(str(path), photograph()[..., ::-1])
    other = np.array([[0, 0], [70, 0], [70, 90], [0, 90]], np.float32) + np.float32(second)
    cards = [Card(TRUE, TRUE[:1] + 30), Card(other, other[:1] + 9)]
    reader = cast(CardTableReader, ReadsCards(cards, names))
    faces = cut_faces([CardPicture(path, ("7H", "8H"))], reader)
    assert faces.keys() == cut
    for face in faces.values():
        assert np.median(face.picture) == pytest.approx(PAPER, abs=8)
        assert face.picture[HEIGHT // 2, WIDTH // 2, 0] > face.picture[HEIGHT // 2, WIDTH // 2, 1]


def test_the_best_picture_of_a_face_is_taken(tmp_path: Path) -> None:
    sharp = photograph()
    for name, picture in (("a", cv2.GaussianBlur(sharp, (0, 0), 3)), ("b", sharp)):
        cv2.imwrite(str(tmp_path / f"{name}.png"), picture[..., ::-1])
    reader = cast(CardTableReader, ReadsCards([Card(TRUE, TRUE[:1] + 30)], ["7H"]))
    blurred, one_way, other_way = (
        cut_faces([CardPicture(tmp_path / f"{one}.png", ("7H",)) for one in names], reader)["7H"]
        for names in ("a", "ab", "ba")
    )
    assert one_way.quality == other_way.quality > blurred.quality
