"""The inks of a taught set, on crops with plain patches of ink on white."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.colour import INKS
from vision.crops import FACE_IN_CROP
from vision.own_set.ink_space import InkLooks, InkSpace
from vision.own_set.inks import SetInks
from vision.own_set.lamp import lamp_shift
from vision.reader import NUMBER_CLASSES, FaceScores

WHITE = 232
INK_RGB = np.array([(190, 40, 40), (60, 90, 180), (25, 25, 25), (215, 150, 40)])  # R, B, K, Y
BLUE, BLACK = 1, 2
UNDECIDED = np.full((12, 4), 0.25)  # what the network may answer to three tiles of each ink
EACH_INK = [ink for ink in range(4) for _ in range(3)]


def crop(rgb: np.ndarray, strength: float = 1.0) -> np.ndarray:
    """Make a white face with a patch of ink; `strength` below 1 makes the ink paler."""
    picture = np.full((64, 48, 3), WHITE, np.uint8)
    picture[20:40, 16:32] = WHITE + (rgb - WHITE) * strength
    return picture


def table(crops: list[np.ndarray], colour: np.ndarray) -> FaceScores:
    """Make the scores of tiles that all bear a 5, with the network's probabilities of their
    colours, (n, 4).
    """
    count = len(crops)
    number = np.full((count, len(NUMBER_CLASSES)), -20.0, np.float32)
    number[:, 4] = 0
    empty = np.zeros((count, 4), np.float32)
    quads = np.tile(FACE_IN_CROP, (count, 1, 1))
    log = np.log(colour).astype(np.float32)
    return FaceScores(number, log, empty, quads, np.stack(crops), empty, empty)


def taught(crops: list[np.ndarray], colour: list[int], answers: np.ndarray) -> SetInks:
    """Make what is known of a set taught with these crops, by the colours `colour` and the
    network's probabilities `answers`, (n, 4).
    """
    seen = np.stack(crops)
    looks = InkLooks.of(seen, np.log(answers).astype(np.float32), np.zeros((len(seen), 4), "f4"))
    averages = INKS.average[:, 4:] / 10
    for ink in set(colour):
        averages[ink] = looks.absorbances[np.array(colour) == ink].mean(axis=0)
    space = InkSpace.of(looks, np.array(colour), averages)
    familiar = answers.argmax(axis=1).tolist() == colour
    return SetInks(averages, np.zeros(13), INKS, space, familiar)


@pytest.fixture
def inks() -> SetInks:
    """What is known of a set whose tiles have lost some of their ink, as most have."""
    crops = [crop(rgb, strength) for rgb in INK_RGB for strength in (1.0, 0.85, 0.7)]
    return taught(crops, EACH_INK, ordinary()[1])


def ordinary() -> tuple[list[np.ndarray], np.ndarray]:
    """Make three tiles of each ink, of which the network is sure."""
    crops = [crop(rgb) for rgb in INK_RGB for _ in range(3)]
    return crops, np.repeat(np.full((4, 4), 0.01) + 0.96 * np.eye(4), 3, axis=0)


def test_ordinary_tiles_are_told_surely(inks: SetInks) -> None:
    scores = table(*ordinary())
    colours = np.exp(inks.table_colours(scores, np.ones(len(scores), bool)))
    assert (colours.argmax(axis=1) == np.repeat(np.arange(4), 3)).all()
    assert colours.max(axis=1).min() > 0.97


@pytest.mark.parametrize(
    ("bleached", "strength", "most"),
    [((45, 60, 100), 0.3, 0.6), ((45, 60, 100), 0.6, 0.6), ((35, 40, 60), 0.3, 0.9)],
)
def test_a_bleached_blue_is_not_surely_black(
    inks: SetInks, bleached: tuple[int, int, int], strength: float, most: float
) -> None:
    """Noise turns a weak ink's hue towards grey, but black would be much stronger than that.

    The last of the three inks is nearly grey; it stays in doubt.
    """
    crops, colour = ordinary()
    pale = crop(np.array(bleached), strength)
    scores = table([*crops, pale], np.concatenate([colour, [[0.01, 0.58, 0.40, 0.01]]]))
    told = np.exp(inks.table_colours(scores, np.ones(len(scores), bool)))[-1]
    assert told[BLACK] < most
    assert told[BLACK] + told[BLUE] > 0.99


def test_a_table_seen_through_haze_is_told_like_a_clear_one(inks: SetInks) -> None:
    """Haze weakens all inks alike, and so says nothing about any one of them."""
    crops, colour = ordinary()
    hazy = [crop(rgb, strength=0.7) for rgb in INK_RGB for _ in range(3)]
    all_of_them = np.ones(len(crops), bool)
    clear = inks.table_colours(table(crops, colour), all_of_them)
    dim = inks.table_colours(table(hazy, colour), all_of_them)
    assert (dim.argmax(axis=1) == clear.argmax(axis=1)).all()
    assert np.exp(dim.max(axis=1)).min() > 0.9


@pytest.mark.parametrize(("familiar", "surely_black"), [(True, False), (False, True)])
def test_a_blue_that_a_lamp_makes_nearly_the_black_of_the_set_is_doubted(
    inks: SetInks, familiar: bool, surely_black: bool
) -> None:
    """Beside the black on this table it is blue, as the network thinks. Only where the network
    knows the inks of the set does that count.
    """
    crops, colour = ordinary()
    crops[3:6] = [crop(np.array([30, 34, 60]))] * 3
    colour[3:6] = [0.01, 0.6, 0.38, 0.01]
    told = np.exp(
        replace(inks, familiar=familiar).table_colours(table(crops, colour), np.ones(12, bool))
    )
    assert (told[3:6, BLACK] > 0.97).tolist() == [surely_black] * 3
    assert told[3:6, [BLUE, BLACK]].sum(axis=1).min() > 0.97
    others = np.delete(np.arange(12), [3, 4, 5])
    assert told[others, np.array(EACH_INK)[others]].min() > 0.9


def test_inks_that_the_network_does_not_know_are_told_by_what_was_taught() -> None:
    odd = np.array([(120, 40, 140), (0, 120, 120), (110, 70, 40), (60, 130, 50)])
    crops = [crop(odd[ink]) for ink in EACH_INK]
    told = taught(crops, EACH_INK, UNDECIDED).table_colours(
        table([crop(odd[ink], 0.9) for ink in EACH_INK], UNDECIDED), np.ones(12, bool)
    )
    assert told.argmax(axis=1).tolist() == EACH_INK
    assert np.exp(told.max(axis=1)).min() > 0.97


def marked(rgb: np.ndarray) -> np.ndarray:
    """Make a face with a black number, as large as the ink that is looked for, over a coloured
    mark.
    """
    picture = crop(INK_RGB[BLACK])
    picture[42:52, 16:32] = rgb
    return picture


def test_a_mark_alone_tells_the_colour() -> None:
    crops = [marked(INK_RGB[ink]) for ink in EACH_INK]
    all_black = np.tile([0.01, 0.01, 0.97, 0.01], (12, 1))
    told = taught(crops, EACH_INK, all_black).table_colours(
        table(crops[::-1], all_black), np.ones(12, bool)
    )
    assert told.argmax(axis=1).tolist() == EACH_INK[::-1]
    assert np.exp(told.max(axis=1)).min() > 0.97


def test_an_ink_that_was_not_taught_is_as_in_any_set() -> None:
    crops, answers = ordinary()
    without_yellow = taught(crops[:9], EACH_INK[:9], answers[:9])
    told = without_yellow.table_colours(table(crops, answers), np.ones(12, bool))
    assert told.argmax(axis=1).tolist() == EACH_INK


def test_one_tile_and_none_are_told_too(inks: SetInks) -> None:
    crops, answers = ordinary()
    scores = table(crops, answers)
    alone = inks.tile_colours(scores)
    assert alone.argmax(axis=1).tolist() == EACH_INK
    one = inks.table_colours(scores.take(np.array([4])), np.array([True]))
    assert one.argmax(axis=1).tolist() == [BLUE]
    unnumbered = inks.table_colours(scores, np.zeros(12, bool))
    np.testing.assert_array_equal(unnumbered, alone)
    assert inks.table_colours(scores.take(np.arange(0)), np.zeros(0, bool)).shape == (0, 4)


@pytest.mark.parametrize("gain", [0.7, 1.0, 1.2])
def test_what_a_lamp_takes_from_all_inks_is_found(inks: SetInks, gain: float) -> None:
    taken = np.array([0.3, 0.1, -0.2])
    measured = gain * np.repeat(inks.absorbances, 4, axis=0) - taken
    shift = lamp_shift(measured, inks.absorbances, np.zeros((16, 4)))
    np.testing.assert_allclose(shift, taken, atol=0.05)


def test_one_stained_tile_does_not_move_the_lamp(inks: SetInks) -> None:
    measured = np.repeat(inks.absorbances, 4, axis=0)
    measured[0] += 3.0
    shift = lamp_shift(measured, inks.absorbances, np.zeros((16, 4)))
    np.testing.assert_allclose(shift, 0, atol=0.05)


def test_under_a_warm_lamp_the_other_tiles_tell_what_an_ink_is() -> None:
    """Red that looks as orange as the taught yellow, on a table where all inks look warmer."""
    inks_rgb = np.array([(190, 60, 50), (60, 90, 180), (40, 40, 40), (205, 90, 50)])
    crops = [crop(inks_rgb[ink]) for ink in EACH_INK]
    known = taught(crops, EACH_INK, UNDECIDED)
    lamp = np.array([1.0, 1.35, 1.0])
    lit = [np.clip(np.where(one < WHITE, one * lamp, one), 0, WHITE).astype("u1") for one in crops]
    scores = table(lit, UNDECIDED)
    assert (known.tile_colours(scores).argmax(axis=1)[:3] != 0).any()
    assert known.table_colours(scores, np.ones(12, bool)).argmax(axis=1).tolist() == EACH_INK
