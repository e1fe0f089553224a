"""The inks of a set, told on crops of plain patches of ink on white."""

from __future__ import annotations

import numpy as np
import pytest

from vision.colour import INKS, ink_absorbances
from vision.crops import FACE_IN_CROP
from vision.own_set.inks import AnswerByInk, SetInks
from vision.reader import NUMBER_CLASSES, FaceScores

WHITE = 232
INK_RGB = np.array([(190, 40, 40), (60, 90, 180), (25, 25, 25), (215, 150, 40)])  # R, B, K, Y
BLUE, BLACK = 1, 2


def crop(rgb: np.ndarray, strength: float = 1.0) -> np.ndarray:
    """A white face with a patch of ink; `strength` below 1 makes the ink paler."""
    picture = np.full((64, 48, 3), WHITE, np.uint8)
    picture[20:40, 16:32] = WHITE + (rgb - WHITE) * strength
    return picture


def table(crops: list[np.ndarray], colour: np.ndarray) -> FaceScores:
    """Tiles that all bear a 5, with the network's probabilities of their colours, (n, 4)."""
    count = len(crops)
    number = np.full((count, len(NUMBER_CLASSES)), -20.0, np.float32)
    number[:, 4] = 0
    empty = np.zeros((count, 4), np.float32)
    quads = np.tile(FACE_IN_CROP, (count, 1, 1))
    log = np.log(colour).astype(np.float32)
    return FaceScores(number, log, empty, quads, np.stack(crops), empty, empty)


@pytest.fixture
def inks() -> SetInks:
    absorbances = ink_absorbances(np.stack([crop(rgb) for rgb in INK_RGB]))
    told_by = AnswerByInk(INKS.average[:, :4], INKS.within[:4])
    return SetInks(absorbances, np.zeros(13), INKS, told_by)


def ordinary() -> tuple[list[np.ndarray], np.ndarray]:
    """Three tiles of each ink, of which the network is sure."""
    crops = [crop(rgb) for rgb in INK_RGB for _ in range(3)]
    return crops, np.repeat(np.full((4, 4), 0.01) + 0.96 * np.eye(4), 3, axis=0)


def test_ordinary_tiles_are_told_surely(inks: SetInks) -> None:
    scores = table(*ordinary())
    colours = np.exp(inks.table_colours(scores, np.ones(len(scores), bool)))
    assert (colours.argmax(axis=1) == np.repeat(np.arange(4), 3)).all()
    assert colours.max(axis=1).min() > 0.97


@pytest.mark.parametrize(
    ("bleached", "strength"), [((45, 60, 100), 0.3), ((45, 60, 100), 0.6), ((35, 40, 60), 0.3)]
)
def test_a_bleached_blue_is_not_surely_black(
    inks: SetInks, bleached: tuple[int, int, int], strength: float
) -> None:
    """Noise turns a weak ink's hue towards grey, but black would be much stronger."""
    crops, colour = ordinary()
    pale = crop(np.array(bleached), strength)
    scores = table([*crops, pale], np.concatenate([colour, [[0.01, 0.58, 0.40, 0.01]]]))
    told = np.exp(inks.table_colours(scores, np.ones(len(scores), bool)))[-1]
    assert told[BLACK] < 0.6
    assert told[BLACK] + told[BLUE] > 0.99


def test_a_table_seen_through_haze_is_told_like_a_clear_one(inks: SetInks) -> None:
    """What weakens all inks alike tells nothing of one of them."""
    crops, colour = ordinary()
    hazy = [crop(rgb, strength=0.7) for rgb in INK_RGB for _ in range(3)]
    all_of_them = np.ones(len(crops), bool)
    clear = inks.table_colours(table(crops, colour), all_of_them)
    dim = inks.table_colours(table(hazy, colour), all_of_them)
    assert (dim.argmax(axis=1) == clear.argmax(axis=1)).all()
    assert np.exp(dim.max(axis=1)).min() > 0.9
