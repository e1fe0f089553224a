"""Tiles in a row or on a rack share their reading direction; a tile that surely reads the other way
keeps its own.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.crops import CROP_HEIGHT, CROP_WIDTH
from vision.reader import FEATURE_COUNT, NINE, SIX, FaceScores, log_softmax
from vision.reading import Layout
from vision.tiles.company import number_given_direction, turned_in_company

WIDTH, HEIGHT = 40, 56  # pixels of a whole face
FOUR = 3  # index into NUMBER_CLASSES


def quad(x: float, y: float, height: float = HEIGHT, turned: bool = False) -> NDArray[np.float32]:
    """Return the quad of a face with its top-left corner at (x, y) px; if `turned`, the face reads
    upside down.
    """
    corners = np.array([[0, 0], [WIDTH, 0], [WIDTH, height], [0, height]], np.float32) + (x, y)
    return np.roll(corners, 2, axis=0) if turned else corners


def crops(*heights: int) -> NDArray[np.uint8]:
    """Return white faces, each with a black digit whose middle lies so many pixels below the upper
    edge of the crop.
    """
    blank = np.full((len(heights), CROP_HEIGHT, CROP_WIDTH, 3), 230, np.uint8)
    for crop, y in zip(blank, heights, strict=True):
        crop[y - 6 : y + 6, 18:30] = 20
    return blank


def faces(*seen: tuple[int, float, NDArray[np.float32]]) -> FaceScores:
    """Make the scores of faces, each given by its number, the log-odds that it stands upright in
    its quad, and the quad. Their digits lie in the middle.
    """
    count = len(seen)
    number = np.full((count, 15), -12.0, np.float32)
    turn = np.full((count, 4), -30.0, np.float32)
    for i, (likeliest, upright, _) in enumerate(seen):
        number[i, likeliest] = 0
        turn[i, [0, 2]] = upright / 2, -upright / 2
    return FaceScores(
        log_softmax(number),
        np.zeros((count, 4), np.float32),
        log_softmax(turn),
        np.stack([corners for *_, corners in seen]),
        crops(*[CROP_HEIGHT // 2] * count),
        np.zeros((count, 8), np.float32),
        np.zeros((count, FEATURE_COUNT), np.float32),
    )


def turned(scores: FaceScores, layout: Layout) -> list[bool]:
    return (turned_in_company(scores, np.ones(len(scores), bool), layout) > 0.5).tolist()


def two_shelves(*behind: tuple[int, float, bool]) -> FaceScores:
    """Make the scores of a rack with two shelves: five fours seen as a whole in front, and tiles
    behind the first of them of which only the upper part is seen.

    Each entry of `behind` is a number, the log-odds of its direction and whether the tile is upside
    down.
    """
    front = [(FOUR, 20.0, quad(42 * i, 130)) for i in range(5)]
    back = [
        (number, said, quad(42 * i, 98, 32, turned=down))
        for i, (number, said, down) in enumerate(behind)
    ]
    return faces(*front, *back)


def test_a_half_covered_nine_that_looks_like_a_six_stands_as_the_rack_does() -> None:
    scores = two_shelves((SIX, 15.0, True), (NINE, 15.0, False))
    assert turned(scores, Layout.LOOSE) == [False] * 5 + [True, False]


def test_a_whole_shelf_of_such_tiles_outvotes_nobody() -> None:
    scores = two_shelves(*[(SIX, 15.0, True)] * 5)
    assert turned(scores, Layout.LOOSE) == [False] * 5 + [True] * 5


def test_a_whole_tile_that_surely_stands_on_its_head_is_left_so() -> None:
    row = [(FOUR, 20.0, quad(42 * i, 0)) for i in range(4)]
    scores = faces(*row, (SIX, 20.0, quad(42 * 4, 0, turned=True)))
    assert not any(turned(scores, Layout.MELDS))


@pytest.mark.parametrize("number", [1, 4, 7, 10])  # 2, 5, 8 and 11
def test_numbers_that_look_the_same_upside_down_do_not_outvote_three_that_do_not(
    number: int,
) -> None:
    """A rack is seen from behind. The network takes every 2 and the 9 for upright."""
    fours = [(FOUR, 12.0, quad(42 * i, 0, turned=True)) for i in range(3)]
    others = [(number, 15.0, quad(42 * i, 0)) for i in range(3, 8)]
    scores = faces(*fours, *others, (NINE, 12.0, quad(42 * 8, 0)))
    assert turned(scores, Layout.LOOSE) == [False] * 3 + [True] * 6


@pytest.mark.parametrize("apart", [1, 4], ids=["beside", "far along the rack"])
def test_a_six_against_its_rack_is_left_in_doubt(apart: int) -> None:
    """On racks the network is wrong about more such tiles than it is right."""
    row = [(FOUR, 20.0, quad(42 * i, 0)) for i in range(4)]
    others = [(SIX, 20.0, quad(42 * (3 + apart * i), 8, turned=True)) for i in (1, 2)]
    scores = faces(*row, *others)
    sure = np.ones(len(scores), bool)
    on_rack = turned_in_company(scores, sure, Layout.LOOSE)
    assert (on_rack[:4] < 0.01).all()
    assert ((on_rack[4:] > 0.5) & (on_rack[4:] < 0.9)).all()
    on_table = turned_in_company(scores, sure, Layout.MELDS)
    assert (on_table < 0.03).all()


def test_a_tile_that_says_nothing_of_its_direction_follows_its_row() -> None:
    row = [(FOUR, 20.0, quad(42 * i, 0)) for i in range(4)]
    scores = faces(*row, (SIX, 0.5, quad(42 * 4, 0, turned=True)))
    assert turned(scores, Layout.MELDS) == [False] * 4 + [True]


def test_on_a_table_the_next_row_may_be_read_from_the_other_side() -> None:
    ours = [(FOUR, 20.0, quad(42 * i, 60)) for i in range(5)]
    theirs = [(SIX, 1.0, quad(42 * i, 0, turned=True)) for i in range(3)]
    assert not any(turned(faces(*ours, *theirs), Layout.MELDS))


def test_sixes_that_hardly_tell_their_direction_are_not_sure_because_they_are_many() -> None:
    row = [(SIX, 3.0, quad(42 * i, 0)) for i in range(4)]
    many = turned_in_company(faces(*row), np.ones(4, bool), Layout.MELDS)
    assert many.min() > 0.03
    sure = [(SIX, 20.0, quad(42 * i, 0)) for i in range(4)]
    assert turned_in_company(faces(*sure), np.ones(4, bool), Layout.MELDS).max() < 0.01
    beside_fours = [*row, (FOUR, 20.0, quad(42 * 4, 0)), (FOUR, 20.0, quad(42 * 5, 0))]
    told = turned_in_company(faces(*beside_fours), np.ones(6, bool), Layout.MELDS)
    assert told.max() < 0.02


def test_of_a_tile_without_company_the_network_is_believed() -> None:
    scores = faces((SIX, 2.0, quad(0, 0)), (SIX, -2.0, quad(400, 0)))
    told = turned_in_company(scores, np.ones(2, bool), Layout.LOOSE)
    assert told == pytest.approx([1 / (1 + np.exp(2)), 1 / (1 + np.exp(-2))])


def test_finds_that_are_no_sure_tiles_have_no_voice() -> None:
    row = [(FOUR, 20.0, quad(42 * i, 0, turned=True)) for i in range(4)]
    scores = faces(*row, (SIX, 0.5, quad(42 * 4, 0)))
    sure = np.array([False] * 4 + [True])
    assert not (turned_in_company(scores, sure, Layout.MELDS) > 0.5).any()


@pytest.mark.parametrize(("probability", "told"), [(0.0, NINE), (1.0, SIX)])
def test_a_digit_is_a_six_or_a_nine_by_the_direction_put_in(probability: float, told: int) -> None:
    scores = faces((NINE, 6.0, quad(0, 0)))
    number = number_given_direction(scores.number, scores.turn, np.array([probability]))
    assert int(number[0].argmax()) == told


def test_a_direction_in_doubt_leaves_six_and_nine_in_doubt_and_all_else_as_it_was() -> None:
    scores = faces((NINE, 6.0, quad(0, 0)), (FOUR, 6.0, quad(50, 0)))
    number = number_given_direction(scores.number, scores.turn, np.array([0.4, 0.4]))
    assert np.exp(number[0, [SIX, NINE]]) == pytest.approx([0.4, 0.6], abs=0.01)
    assert np.exp(number).sum(axis=1) == pytest.approx([1, 1], abs=1e-4)
    assert np.exp(number[1, FOUR]) == pytest.approx(np.exp(scores.number[1, FOUR]))


@pytest.mark.parametrize(
    ("upright", "six", "nine", "is_sure"), [(0.72, 0.7, 0.26, False), (0.95, 0.93, 0.05, True)]
)
def test_a_direction_that_the_network_hardly_knows_does_not_make_its_digit_sure(
    upright: float, six: float, nine: float, is_sure: bool
) -> None:
    """A 9 was found upright on a rack, and the network took it for a 6."""
    scores = faces((SIX, float(np.log(upright / (1 - upright))), quad(0, 0)))
    scores.number[0, [SIX, NINE]] = np.log([six, nine])
    number = number_given_direction(scores.number, scores.turn, np.array([0.002]))
    assert (np.exp(number[0, SIX]) > 0.9) == is_sure


@pytest.mark.parametrize(
    ("as_quad", "other_way", "is_upright"),
    [(5.0, -5.0, True), (-5.0, 5.0, False)],
    ids=["stands as its rack", "on its head"],
)
@pytest.mark.parametrize("found_turned", [False, True])
def test_on_a_rack_what_is_seen_around_a_tile_tells_whether_it_stands_on_its_head(
    as_quad: float, other_way: float, is_upright: bool, found_turned: bool
) -> None:
    """The rack's tiles were all found as they stand or all upside down; the six says nothing."""
    said = -20.0 if found_turned else 20.0
    fours = [(FOUR, said, quad(42 * i, 0, turned=found_turned)) for i in range(4)]
    scores = faces(*fours, (SIX, 0.0, quad(42 * 4, 0)))
    around = np.zeros((5, 2))
    around[4] = as_quad, other_way
    told = turned_in_company(scores, np.ones(5, bool), Layout.LOOSE, around)
    assert (told[:4] > 0.5).tolist() == [found_turned] * 4
    assert (told[4] < 0.03) if is_upright else (told[4] > 0.5)


def test_a_rack_seen_from_behind_shows_what_is_around_a_tile_the_other_way_round() -> None:
    fours = [(FOUR, -20.0, quad(42 * i, 0)) for i in range(4)]
    scores = faces(*fours, (SIX, 0.0, quad(42 * 4, 0)))
    around = np.zeros((5, 2))
    for other_way in (-5.0, 5.0):
        around[4] = 0.1, other_way
        told = turned_in_company(scores, np.ones(5, bool), Layout.LOOSE, around)
        assert (told[4] > 0.97) if other_way < 0 else (told[4] < 0.5)


def test_a_six_on_its_head_is_told_surely_where_the_digit_and_what_is_around_it_say_so() -> None:
    fours = [(FOUR, 20.0, quad(42 * i, 0)) for i in range(4)]
    around = np.zeros((5, 2))
    around[4] = -6.5, 6.5
    on_its_head = faces(*fours, (SIX, -20.0, quad(42 * 4, 0)))
    assert turned_in_company(on_its_head, np.ones(5, bool), Layout.LOOSE, around)[4] > 0.99
    disputed = faces(*fours, (SIX, 20.0, quad(42 * 4, 0)))
    told = turned_in_company(disputed, np.ones(5, bool), Layout.LOOSE, around)[4]
    assert 0.03 < told < 0.97
