"""Faces of cards cut out of photographs. The pictures are drawn in the tests."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.cards import photographed
from datasets.cards.drawing import Draughtsman
from datasets.cards.notation import CARDS
from datasets.cards.photographed import (
    HEIGHT,
    PAPER,
    WIDTH,
    Face,
    PhotographedPack,
    evenly_lit,
    main,
    with_edges,
)
from datasets.cards.style import random_pack

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
