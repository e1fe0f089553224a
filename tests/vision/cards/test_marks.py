"""Cards: which marks are of one card. The outlines are exact and made in the tests, without any
network.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.tiles import FACE_INDEX, FACES, Tile
from vision.cards.card import Card
from vision.cards.free_corners import corners_joined
from vision.cards.marks import (
    joint_faces,
    joint_outlines,
    one_card_each,
)
from vision.cards.places import resized
from vision.cards.sizes import outlines_as_read, sized_alike

WIDTH, HEIGHT = 100.0, 140.0
MARK = np.array([[4, 4], [16, 4], [16, 24], [4, 24]], np.float64)  # in the top left corner


def outline(x: float = 0, y: float = 0, degrees: float = 0) -> NDArray[np.float32]:
    """Return the corners, (4, 2), of a card with its centre at (x, y), turned clockwise by
    `degrees`.
    """
    corners = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]])
    return placed(corners, x, y, degrees)


def placed(points: NDArray[np.float64], x: float, y: float, degrees: float) -> NDArray[np.float32]:
    turn = np.radians(degrees)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return ((points - [WIDTH / 2, HEIGHT / 2]) @ rotation.T + [x, y]).astype(np.float32)


def mark(x: float = 0, y: float = 0, degrees: float = 0) -> NDArray[np.float32]:
    return placed(MARK, x, y, degrees)


def mirrored(quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the mark in the other upper corner of a card at (0, 0), as large and as upright as
    this one.
    """
    return quad - [2 * quad[:, 0].mean(), 0]


def surely(*cards: str) -> NDArray[np.float32]:
    """Return log-probabilities, (n, 53), of faces that are read without doubt."""
    scores = np.full((len(cards), len(FACES)), -12.0, np.float32)
    for row, card in enumerate(cards):
        scores[row, FACE_INDEX[Tile.parse(card)]] = -1e-4
    return scores


Pose = tuple[float, float, float]


def card(x: float = 0, y: float = 0, degrees: float = 0) -> Card:
    """Make a card at (x, y), turned by `degrees`, of which the mark in its top left corner is
    seen.
    """
    return Card(outline(x, y, degrees), mark(x, y, degrees).mean(axis=0)[None])


def test_both_corners_of_a_card_are_one_card() -> None:
    """The second mark is read from the other end of the card, and so is its outline."""
    quads = np.stack([mark(), mark(degrees=180)])
    outlines = np.stack([outline(), outline(degrees=180)])
    assert one_card_each(quads, outlines, surely("7R", "7R")) == [[0, 1]]


def test_two_equal_cards_over_one_another_stay_two() -> None:
    quads = np.stack([mark(), mark(0, 28)])
    outlines = np.stack([outline(), outline(0, 28)])
    assert one_card_each(quads, outlines, surely("7R", "7R")) == [[0], [1]]


def test_two_cards_side_by_side_stay_two() -> None:
    quads = np.stack([mark(), mark(110, 0)])
    outlines = np.stack([outline(), outline(110, 0)])
    assert one_card_each(quads, outlines, surely("7R", "7R")) == [[0], [1]]


@pytest.mark.parametrize(("faces_other", "cards"), [(True, [[0, 1]]), (False, [[0], [1]])])
def test_marks_at_both_upper_corners_of_a_card_told_too_small_are_of_one(
    faces_other: bool, cards: list[list[int]]
) -> None:
    """Marks as far apart whose cards both reach to the right are of two cards side by side."""
    quads = np.stack([mark(), mirrored(mark())])
    right = outline() if faces_other else outline(mirrored(mark())[:, 0].mean() + WIDTH / 2 - 10)
    outlines = resized(quads, np.stack([outline(), right]), np.array([0.75, 0.75]))
    assert one_card_each(quads, outlines, surely("7R", "7R")) == cards


@pytest.mark.parametrize("size", [(1.0, 0.8), (1.2, 1.0), (1.4, 0.6)])
def test_two_equal_whole_cards_side_by_side_stay_two(size: tuple[float, float]) -> None:
    """Their four marks are no card with four indices, however the network mistakes the size."""
    quads = np.stack([mark(), mark(degrees=180), mark(105), mark(105, 0, 180)])
    outlines = np.stack([outline(), outline(degrees=180), outline(105), outline(105, 0, 180)])
    outlines = resized(quads, outlines, np.array(size))
    faces = surely("7R", "7R", "7R", "7R")
    cards = one_card_each(quads, outlines, faces)
    assert len(corners_joined(quads, outlines, faces, cards)) == 2


def test_two_equal_cards_of_which_one_end_shows_stay_two_beside_three_whole_ones() -> None:
    """Three cards that are seen whole tell that the pack has two indices."""
    poses = [(0, 0, 0), (0, 200, 0), (0, 400, 0)]
    whole = [(x, y, turn) for x, y, _ in poses for turn in (0, 180)]
    quads = np.stack([mark(*pose) for pose in [*whole, (300, 0, 180), (386, 0, 180)]])
    told = [outline(*pose) for pose in [*whole, (300, 0, 180), (386, 0, 180)]]
    faces = surely("7R", "7R", "9K", "9K", "4B", "4B", "13K", "13K")
    assert one_card_each(quads, np.stack(told), faces) == [[0, 1], [2, 3], [4, 5], [6], [7]]
    few = np.array([0, 1, 2, 3, 6, 7])
    assert one_card_each(quads[few], np.stack(told)[few], faces[few])[-1] == [4, 5]


def test_two_marks_that_read_as_no_jolly_are_not_the_marks_of_one() -> None:
    """Two queens whose suits are unsure: both might be a jolly alone, however unlikely that is."""
    quads = np.stack([mark(), mark(degrees=180)])
    outlines = np.stack([outline(), outline(degrees=180)])
    faces = np.full((2, len(FACES)), -12.0, np.float32)
    for row, queen in enumerate(("12R", "12B")):
        faces[row, FACE_INDEX[Tile.parse(queen)]] = np.log(0.6)
        faces[row, FACE_INDEX[Tile.parse("J")]] = np.log(0.05)
    assert one_card_each(quads, outlines, faces) == [[0], [1]]
    assert corners_joined(quads, outlines, faces, [[0], [1]]) == [[0], [1]]


@pytest.mark.parametrize("told", [0.6, 1.0, 1.5])
@pytest.mark.parametrize(
    ("other", "cards"),
    [((0, 0, 180), [[0, 1]]), ((110, 0, 180), [[0], [1]]), ((0, 150, 180), [[0], [1]])],
    ids=["one card", "beside", "beneath"],
)
def test_marks_in_opposite_corners_of_a_card_of_another_size_are_of_one_card(
    other: Pose, cards: list[list[int]], told: float
) -> None:
    """The network takes a card for smaller or larger than it is, by the factor `told`, where most
    indices on the table are of another size. An equal card that lies beside or beneath it, upside
    down, is another one.
    """
    quads = np.stack([mark(), mark(*other)])
    outlines = resized(quads, np.stack([outline(), outline(*other)]), np.full(2, told))
    assert corners_joined(quads, outlines, surely("4K", "4K"), [[0], [1]]) == cards


@pytest.mark.parametrize(("told", "cards"), [(0.6, [[0], [1]]), (1.0, [[0, 1]])])
def test_hardly_read_marks_are_of_one_card_only_where_its_size_fits(
    told: float, cards: list[list[int]]
) -> None:
    quads = np.stack([mark(), mark(degrees=180)])
    outlines = resized(quads, np.stack([outline(), outline(degrees=180)]), np.full(2, told))
    faces = np.where(surely("4K", "4K") > -1, np.log(0.6), -12.0).astype(np.float32)
    assert corners_joined(quads, outlines, faces, [[0], [1]]) == cards


def test_the_names_on_a_jolly_do_not_tell_how_high_cards_are() -> None:
    """A name stands above or beneath each of the corners without a star, so that a mark is nearly
    level with another one that stands upside down.
    """
    low = MARK + [0, HEIGHT - 48]
    quads = np.stack(
        [mark(), mark(degrees=180), mark(150), mark(150, 0, 180)]
        + [placed(low, 150, 0, turn) for turn in (0, 180)]
    )
    outlines = np.stack(
        [outline(), outline(degrees=180), outline(150), outline(150, 0, 180)]
        + [outline(150, HEIGHT - 48), outline(150, 48 - HEIGHT, 180)]
    )
    told = sized_alike(quads, outlines, surely("12R", "12R", "J", "J", "J", "J"))
    assert np.linalg.norm(told[:2, 3] - told[:2, 0], axis=1) == pytest.approx(HEIGHT, rel=0.05)


def test_a_third_corner_read_badly_is_of_the_card_and_one_surely_read_is_not() -> None:
    """The mark beneath another one was read as standing upright, which a sure mark does not."""
    below = placed(MARK, 0, HEIGHT - 28, 0)
    quads = np.stack([mark(), mirrored(mark()), below])
    outlines = np.stack([outline(), outline(), outline(0, HEIGHT - 28)])
    sure = surely("8K", "8K", "8K")
    unsure = sure.copy()
    unsure[2, [FACE_INDEX[Tile.parse("8K")], FACE_INDEX[Tile.parse("11K")]]] = np.log([0.2, 0.8])
    assert corners_joined(quads, outlines, unsure, [[0, 1], [2]]) == [[0, 1, 2]]
    assert corners_joined(quads, outlines, sure, [[0, 1], [2]]) == [[0, 1], [2]]


@pytest.mark.parametrize("other", [None, "9R"])
def test_a_mark_hardly_read_takes_no_corner_from_a_mark_surely_read(other: str | None) -> None:
    """Near the corner of the card stands its own second mark, and nearer to where the network has
    that corner a mark that shows the card's face, or that one and perhaps another.
    """
    quads = np.stack([mark(), mark(12, 12, 180), mark(degrees=180)])
    outlines = np.stack([outline(), outline(12, 12, 180), outline(degrees=180)])
    faces = surely("7R", "7R", "7R")
    faces[2] = np.log(0.4 / len(FACES))
    faces[2, FACE_INDEX[Tile.parse("7R")]] = np.log(0.6 if other is None else 0.2)
    if other is not None:
        faces[2, FACE_INDEX[Tile.parse(other)]] = np.log(0.4)
    assert one_card_each(quads, outlines, faces) == [[0, 1], [2]]


def test_a_mark_askew_takes_no_corner_from_a_mark_that_stands_as_the_card_does() -> None:
    """Half covered, the index of another card looks like this card's, and happens to stand where
    the card has a corner.
    """
    quads = np.stack([mark(), mark(10, 10, 180), mark(degrees=180)])
    outlines = np.stack([outline(), outline(10, 10, 180), outline(degrees=205)])
    assert one_card_each(quads, outlines, surely("4R", "4R", "4R")) == [[0, 1], [2]]


@pytest.mark.parametrize(("smaller", "cards"), [(1.5, [[0, 1]]), (1.86, [[0], [1]])])
def test_two_marks_of_cards_of_unlike_size_are_two_cards(
    smaller: float, cards: list[list[int]]
) -> None:
    """Something read as no card at all, such as a pip, tells a card that is too small."""
    quads = np.stack([mark(), mirrored(mark()) - [25, 0]])
    width, height = WIDTH / smaller, HEIGHT / smaller
    corner = quads[1].mean(axis=0) + [0.09 * width, -0.09 * height]
    small = [corner + [x * width, y * height] for x, y in ((-1, 0), (0, 0), (0, 1), (-1, 1))]
    outlines = np.stack([outline(), small]).astype(np.float32)
    faces = surely("5Y", "5Y")
    faces[1] = -np.log(len(FACES))
    assert corners_joined(quads, outlines, faces, [[0], [1]]) == cards


def test_different_faces_in_about_the_same_place_are_two_cards() -> None:
    quads = np.stack([mark(), mark(25, 10, 180)])
    outlines = np.stack([outline(), outline(25, 10, 180)])
    assert one_card_each(quads, outlines, surely("7R", "8R")) == [[0], [1]]
    assert one_card_each(quads, outlines, surely("7R", "7R")) == [[0, 1]]


def test_faces_that_are_hardly_alike_have_to_lie_more_exactly_to_be_one_card() -> None:
    """Three nats lie between the faces: a fourth of a card's width is too far then."""
    faces = surely("7R", "7R")
    faces[1, [FACE_INDEX[Tile.parse("7R")], FACE_INDEX[Tile.parse("8R")]]] = [-3.05, -0.05]
    quads = np.stack([mark(), mark(25, 10, 180)])
    outlines = np.stack([outline(), outline(25, 10, 180)])
    assert one_card_each(quads, outlines, faces) == [[0], [1]]
    quads, outlines = np.stack([mark(), mark(5, 5, 180)]), np.stack([outline(), outline(5, 5, 180)])
    assert one_card_each(quads, outlines, faces) == [[0, 1]]


def test_perhaps_equal_faces_in_the_very_same_place_are_one_card_in_doubt() -> None:
    """Both corners were read unsurely, each otherwise: together they are one card in doubt."""
    quads = np.stack([mark(), mark(degrees=180)])
    outlines = np.stack([outline(), outline(1, 1, 180)])
    faces = np.full((2, len(FACES)), -12.0, np.float32)
    faces[0, :2] = np.log([0.9, 0.01])
    faces[1, :2] = np.log([0.01, 0.9])
    assert one_card_each(quads, outlines, faces) == [[0, 1]]
    assert np.exp(joint_faces(faces, [[0, 1]])).max() < 0.6


def test_surely_different_faces_are_two_cards_wherever_they_lie() -> None:
    """A card of which one corner shows lies so that its mark is about where the other card's second
    mark would be.
    """
    quads = np.stack([mark(), mark(degrees=180)])
    outlines = np.stack([outline(), outline(1, 1, 180)])
    assert one_card_each(quads, outlines, surely("7R", "1R")) == [[0], [1]]


def test_a_mark_goes_with_its_own_face_where_two_cards_meet() -> None:
    """Two cards meet at a corner. The unsure mark lies a little nearer to that of the card with
    another face, of which both marks are known: it goes with the card of its own face.
    """
    quads = np.stack([mark(), mark(degrees=180), mark(3, 3, 180)])
    outlines = np.stack([outline(), outline(degrees=180), outline(3, 3, 180)])
    faces = surely("7R", "9K", "7R")
    faces[1] = -5.0
    faces[1, FACE_INDEX[Tile.parse("9K")]] = -0.3
    assert one_card_each(quads, outlines, faces) == [[0, 2], [1]]


def test_marks_below_one_another_tell_the_height() -> None:
    """The right marks are covered, so that only those of one side are seen."""
    low = MARK + [WIDTH - 20, 0]
    poses = [(0.0, 0.0), (300.0, 0.0)]
    quads = np.stack([one for x, y in poses for one in (mark(x, y), placed(low, x, y, 180))])
    exact = np.stack([one for x, y in poses for one in (outline(x, y), outline(x, y, 180))])
    middles = quads.mean(axis=1, keepdims=True)
    small = (middles + 0.8 * (exact - middles)).astype(np.float32)
    told = sized_alike(quads, small, surely("7R", "7R", "9K", "9K"))
    heights = np.linalg.norm(told[:, 3] - told[:, 0], axis=1)
    assert np.allclose(heights, HEIGHT, rtol=0.02)


def test_all_marks_tell_the_outline() -> None:
    """The surest mark gives the card beside it as its own: the other two marks outvote it."""
    right = placed(MARK + [WIDTH - 20, 0], 0, 0, 0)
    quads = np.stack([right, mark(), mark(degrees=180)])
    outlines = np.stack([outline(WIDTH - 20, 0), outline(), outline(degrees=180)])
    told = joint_outlines(quads, outlines, [[0, 1, 2]])
    assert np.allclose(told[0], outline(), atol=1)


def test_the_mirror_image_of_an_outline_is_weighed() -> None:
    """Only the marks at top right and bottom left are seen, and the network takes both for left
    marks of cards beside.
    """
    right = MARK + [WIDTH - 20, 0]
    quads = np.stack([placed(right, 0, 0, 0), placed(right, 0, 0, 180)])
    outlines = np.stack([outline(WIDTH - 20, 0), outline(20 - WIDTH, 0, 180)])
    told = joint_outlines(quads, outlines, [[0, 1]])
    assert np.allclose(told[0], outline(), atol=1)
    assert joint_outlines(quads[:0], outlines[:0], []).shape == (0, 4, 2)


def test_sizes_are_those_that_opposite_corners_tell() -> None:
    """The network takes all cards for a fifth smaller than they are."""
    poses = [(0.0, 0.0, 0.0), (200.0, 0.0, 0.0)]
    quads = np.stack([mark(x, y, t + half) for x, y, t in poses for half in (0, 180)])
    exact = np.stack([outline(x, y, t + half) for x, y, t in poses for half in (0, 180)])
    middles = quads.mean(axis=1, keepdims=True)
    small = (middles + 0.8 * (exact - middles)).astype(np.float32)
    told = sized_alike(quads, small, surely("7R", "7R", "9K", "9K"))
    assert np.abs(told - exact).max() < 2
    assert np.array_equal(sized_alike(quads[:0], small[:0], surely()), small[:0])


def test_all_four_corners_are_one_card() -> None:
    right = placed(MARK + [WIDTH - 20, 0], 0, 0, 0)
    low = placed(MARK + [WIDTH - 20, 0], 0, 0, 180)
    quads = np.stack([mark(), right, mark(degrees=180), low])
    outlines = np.stack([outline(), outline(), outline(degrees=180), outline(degrees=180)])
    assert one_card_each(quads, outlines, surely(*["12K"] * 4)) == [[0, 1, 2, 3]]


def test_the_mark_of_a_jolly_beside_is_that_of_another_card() -> None:
    """Both marks of a jolly are seen. The mark of another jolly lies level with the upper one and
    as far from the lower one as an opposite corner, but stands the wrong way round.
    """
    quads = np.stack([mark(), mark(degrees=180), mark(125, 0)])
    outlines = np.stack([outline(), outline(degrees=180), outline(125, 0)])
    assert one_card_each(quads, outlines, surely("J", "J", "J")) == [[0, 1], [2]]


@pytest.mark.parametrize("further", [0, 1])
def test_the_marks_of_a_single_card_tell_its_size(further: int) -> None:
    """With a third mark on the table two are not enough: they may be of two cards."""
    quads = np.stack([mark(), mark(degrees=180), mark(400)])[: 2 + further]
    outlines = np.stack([outline(), outline(degrees=180), outline(400)])[: 2 + further]
    faces = surely("12K", "12K", "3R")[: 2 + further]
    small = resized(quads, outlines, np.array([0.62, 0.58]))
    cards = one_card_each(quads, sized_alike(quads, small, faces), faces)
    assert cards == ([[0], [1], [2]] if further else [[0, 1]])


def test_looks_at_both_corners_add_up() -> None:
    scores = np.log(np.full((2, len(FACES)), 0.1 / 51, np.float32))
    scores[0, :2] = np.log([0.6, 0.3])
    scores[1, :2] = np.log([0.5, 0.4])
    joint = np.exp(joint_faces(scores, [[0, 1]]))[0]
    assert joint.sum() == pytest.approx(1, abs=1e-4)
    assert joint[0] > 0.6 > joint[1]


def test_an_outline_turns_with_its_mark_where_that_is_surely_read() -> None:
    found, read = mark()[None], np.roll(mark()[None], -2, axis=1)
    faces = surely("6R")
    turned = outlines_as_read(outline()[None], found, read, faces)
    assert np.array_equal(turned[0], np.roll(outline(), -2, axis=0))
    assert np.array_equal(outlines_as_read(outline()[None], found, found, faces)[0], outline())
    unsure = np.log(np.full_like(faces, 1 / faces.size))
    assert np.array_equal(outlines_as_read(outline()[None], found, read, unsure)[0], outline())
