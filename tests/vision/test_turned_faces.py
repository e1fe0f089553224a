"""Faces that are hardly legible are looked at in other directions, too."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.crops import CROP_HEIGHT, CROP_WIDTH
from vision.pyramid import Pyramid
from vision.reader import (
    FEATURE_COUNT,
    JOKER,
    NUMBER_CLASSES,
    FaceScores,
    Reader,
)

PICTURE = np.zeros((100, 100, 3), np.uint8)
UPRIGHT = np.array([[[40, 40], [60, 40], [60, 68], [40, 68]]], np.float32)
LYING = np.roll(UPRIGHT, -1, axis=1)


def scores(quads: NDArray[np.float32], number: int, legible: float) -> FaceScores:
    """Make what a network says of one face, (1, 4, 2), that it takes for `number`, or else as
    likely for an 11 or for nothing that could be read.
    """
    shares = np.full((1, len(NUMBER_CLASSES)), 1e-6)
    shares[0, [10, -1]] = (1 - legible) / 2
    shares[0, number] = legible
    return FaceScores(
        np.log(shares).astype(np.float32),
        np.log(np.full((1, 4), 0.25)).astype(np.float32),
        np.log(np.full((1, 4), 0.25)).astype(np.float32),
        quads,
        np.zeros((1, CROP_HEIGHT, CROP_WIDTH, 3), np.uint8),
        np.zeros((1, 8), np.float32),
        np.zeros((1, FEATURE_COUNT), np.float32),
    )


@pytest.mark.parametrize(
    ("lying", "told", "quads"),
    [
        pytest.param(7, 7, LYING, id="a digit is turned"),
        pytest.param(JOKER, 5, UPRIGHT, id="blurred digits look like a comodin when turned"),
    ],
)
def test_a_hardly_legible_face_takes_the_direction_in_which_it_is_a_digit(
    lying: int, told: int, quads: NDArray[np.float32], monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(_reader: Reader, _picture: Pyramid, quads: NDArray[np.float32]) -> FaceScores:
        turned = np.allclose(quads, LYING)
        return scores(quads, lying, 0.95) if turned else scores(quads, 5, 0.45)

    monkeypatch.setattr(Reader, "look", look)
    read = Reader().read(PICTURE, UPRIGHT)
    assert read.number.argmax(axis=1).tolist() == [told]
    assert np.allclose(read.quads, quads)
