"""Cards: packs with indices in all four corners, and what tells them from packs with two. The
outlines are exact and made in the tests, without any network.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cards.free_corners import corners_joined
from vision.cards.marks import one_card_each
from vision.cards.places import USUAL, Places, resized, unlikeness
from vision.cards.sizes import four_corners_of, sized_alike

from .test_marks import HEIGHT, MARK, WIDTH, mark, mirrored, outline, placed, surely
from .test_steps import STEP

RIGHT = np.array([[84, 4], [96, 4], [96, 24], [84, 24]], np.float64)  # a mark, top right


def right_mark(x: float, y: float) -> NDArray[np.float32]:
    return placed(RIGHT, x, y, 0)


def narrower(outlines: NDArray[np.float32], marks: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the outlines as a network would give them that takes the cards for half as wide as
    they are.
    """
    middle = marks.mean(axis=1)[:, None, :1]
    told = outlines.copy()
    told[..., :1] = middle + (outlines[..., :1] - middle) / 2
    return told


def joined(quads: list[NDArray[np.float32]], cards: list[NDArray[np.float32]], *faces: str) -> int:
    """Return how many cards are made of these marks when the network takes all cards for too
    narrow.
    """
    marks, scores = np.stack(quads), surely(*faces)
    outlines = sized_alike(marks, narrower(np.stack(cards), marks), scores)
    return len(one_card_each(marks, outlines, scores))


def test_both_upper_corners_of_each_card_in_a_column_are_one_card() -> None:
    faces = ["3R", "4R", "5R", "6R", "7R"]
    places = [(0.0, STEP * at) for at in range(5)]
    quads = [mark(*place) for place in places] + [right_mark(*place) for place in places]
    assert joined(quads, [outline(*place) for place in places] * 2, *faces, *faces) == 5


@pytest.mark.parametrize(("apart", "cards"), [(0.37, 7), (0.44, 6)])
def test_level_marks_far_too_near_for_one_card_are_of_two_equal_ones(
    apart: float, cards: int
) -> None:
    """The network takes the mark of the second for one at the right edge of its card, and the first
    shows its lower left mark, which seems to be opposite to that.
    """
    faces = ["3R", "4R", "5R", "6R", "7R"]
    places = [(0.0, STEP * at) for at in range(5)]
    second = 300 + apart * WIDTH
    quads = [mark(*place) for place in places] + [right_mark(*place) for place in places]
    quads += [mark(300), placed(RIGHT, 300, 0, 180), mark(second)]
    right = second + MARK[:, 0].mean() - RIGHT[:, 0].mean()
    outlines = [outline(*place) for place in places] * 2
    outlines += [outline(300), outline(300, 0, 180), outline(right)]
    names = [*faces, *faces, "9K", "9K", "9K"]
    told = one_card_each(np.stack(quads), np.stack(outlines), surely(*names))
    assert len(told) == cards


def test_equal_columns_side_by_side_stay_two() -> None:
    """The free card of each column also shows its opposite corner, which lies nearer to it than the
    other column does.
    """
    faces = ["3R", "4R", "5R", "6R"]
    places = [(x, STEP * at) for x in (0.0, 1.25 * WIDTH) for at in range(4)]
    free = [(x, STEP * 3, 180.0) for x in (0.0, 1.25 * WIDTH)]
    quads = [mark(*place) for place in places] + [mark(*place) for place in free]
    cards = [outline(*place) for place in places] + [outline(*place) for place in free]
    assert joined(quads, cards, *faces, *faces, "6R", "6R") == 8


def test_equal_columns_near_each_other_are_of_a_pack_with_two_indices() -> None:
    """They lie as far apart as both upper indices of a card, but each lies left on its card."""
    faces = ["3R", "4R", "5R", "6R", "7R"]
    places = [(x, STEP * at) for x in (0.0, 1.02 * WIDTH) for at in range(5)]
    quads, outlines = np.stack([mark(*p) for p in places]), np.stack([outline(*p) for p in places])
    same = unlikeness(surely(*faces, *faces)) <= USUAL.same_face
    assert four_corners_of(Places.of(quads, outlines), same, USUAL) is None
    outlines[5:] -= [WIDTH - 20, 0]
    four = four_corners_of(Places.of(quads, outlines), same, USUAL)
    assert four is not None and four.marks.all()


@pytest.mark.parametrize(("rows", "cards"), [(6, 12), (5, 8)])
def test_many_marks_tell_that_a_pack_has_two_corners(rows: int, cards: int) -> None:
    """Two columns so near that the marks of equal cards may be both upper corners of one card. Of
    ten marks nothing is known, and they are taken for such.
    """
    places = [(x, STEP * at) for x in (0.0, 1.02 * WIDTH) for at in range(rows)]
    faces = ["3R", "4R", "5R", "6R", "7R", "8R"][:rows] + ["3R", "4R", *["9B", "10B", "11B", "12B"]]
    quads, outlines = [mark(*place) for place in places], [outline(*place) for place in places]
    told = surely(*faces[: 2 * rows])
    assert len(one_card_each(np.stack(quads), np.stack(outlines), told)) == cards


def test_a_free_card_of_a_pack_with_four_corners_is_one_card() -> None:
    upside_down = [placed(shape, 0, 0, 180) for shape in (MARK, RIGHT)]
    quads = [mark(), right_mark(0, 0), *upside_down]
    cards = [outline(), outline(), outline(degrees=180), outline(degrees=180)]
    assert joined(quads, cards, "3R", "3R", "3R", "3R") == 1


def test_a_mark_read_upside_down_in_a_free_corner_is_of_the_card() -> None:
    """An 8 is the same upside down, so the network placed its card below this one. The picture is
    taken from the side: the far edge is shorter.
    """
    low = placed(RIGHT, 0, 0, 180)
    marks = [mark(), right_mark(-12, 0), mark(degrees=180), np.roll(low, 2, axis=0)]
    told = [outline(), outline(), outline(degrees=180), outline(0, HEIGHT - 24)]
    quads, outlines, faces = np.stack(marks), np.stack(told), surely(*["8R"] * 4)
    assert one_card_each(quads, outlines, faces) == [[0, 1, 2], [3]]
    assert corners_joined(quads, outlines, faces, [[0, 1, 2], [3]]) == [[0, 1, 2, 3]]
    others = surely("8R", "8R", "8R", "9R")
    assert corners_joined(quads, outlines, others, [[0, 1, 2], [3]]) == [[0, 1, 2], [3]]


@pytest.mark.parametrize("upper_right", [True, False])
def test_marks_at_the_upper_right_and_the_lower_left_tell_of_four_indices(
    upper_right: bool,
) -> None:
    """A third mark stands where the first one's card, which the network takes for too narrow, has
    none. Where the two others stand as on a card with two indices it is of a second card.
    """
    quads = [right_mark(0, 0), placed(RIGHT, 0, 0, 180), mark(-18)]
    if not upper_right:
        quads = [mark(), mark(degrees=180), right_mark(18, 0)]
    outlines = np.stack([outline(), outline(degrees=180), outline(-18 if upper_right else 18)])
    cards = one_card_each(np.stack(quads), outlines, surely("10Y", "10Y", "10Y"))
    assert cards == ([[0, 1, 2]] if upper_right else [[0, 1], [2]])


def test_an_equal_card_below_in_the_column_stays_another() -> None:
    marks = [mark(), right_mark(0, 0), mark(0, STEP)]
    told = [outline(), outline(), outline(0, STEP)]
    quads, outlines, faces = np.stack(marks), np.stack(told), surely(*["8R"] * 3)
    assert corners_joined(quads, outlines, faces, [[0, 1], [2]]) == [[0, 1], [2]]


@pytest.mark.parametrize(("apart", "card", "told"), [(80, 0, 1.0), (160, 160, None)])
def test_few_second_marks_tell_four_indices_only_where_they_lie_as_far_apart_as_usual(
    apart: float, card: float, told: float | None
) -> None:
    """Three of ten cards show a mark beside their first: of the same card, or of an equal one."""
    marks = [mark(0, 30 * number) for number in range(10)]
    marks += [mark(apart, 30 * number) for number in range(3)]
    outlines = [outline(0, 30 * number) for number in range(10)]
    outlines += [outline(card, 30 * number) for number in range(3)]
    faces = surely(*(f"{number}R" for number in [*range(1, 11), 1, 2, 3]))
    lies = Places.of(np.stack(marks), np.stack(outlines))
    four = four_corners_of(lies, unlikeness(faces) <= USUAL.same_face, USUAL)
    assert (four and four.spacing) == (told and pytest.approx(told))
    assert four is None or np.flatnonzero(four.marks).tolist() == [0, 1, 2, 10, 11, 12]


def test_a_pack_with_four_indices_and_one_with_two_may_lie_mixed() -> None:
    """The network takes the cards with four indices, which are small, for too narrow ones: their
    pairs of marks tell that, and the cards with two indices keep their size.
    """
    column = [(0.0, 30.0 * number) for number in range(3)]
    whole = [(300.0, 0.0), (500.0, 0.0)]
    quads = np.stack(
        [
            *(
                one
                for x, y in column
                for one in (mark(x, y), mirrored(mark()) + np.float32([x, y]))
            ),
            *(mark(x, y, turn) for x, y in whole for turn in (0, 180)),
        ]
    )
    outlines = np.stack(
        [
            *(outline(x, y) for x, y in column for _ in range(2)),
            *(outline(x, y, turn) for x, y in whole for turn in (0, 180)),
        ]
    )
    faces = surely("3R", "3R", "4R", "4R", "5R", "5R", "12K", "12K", "8B", "8B")
    narrow = resized(quads, outlines, np.array([[1 / 1.4, 1.0]] * 6 + [[1.0, 1.0]] * 4))
    lies = Places.of(quads, narrow)
    four = four_corners_of(lies, unlikeness(faces) <= USUAL.same_face, USUAL)
    assert four is not None
    assert four.spacing == pytest.approx(1.4)
    assert np.flatnonzero(four.marks).tolist() == [0, 1, 2, 3, 4, 5]
    # With few pairs among many others, equal cards lie side by side.
    others = np.stack([mark(90.0 * number, 400) for number in range(6)])
    cards = np.stack([outline(90.0 * number, 400) for number in range(6)])
    lies = Places.of(np.concatenate([quads, others]), np.concatenate([narrow, cards]))
    more = np.concatenate([faces, surely("1Y", "3Y", "5Y", "7Y", "9Y", "11Y")])
    assert four_corners_of(lies, unlikeness(more) <= USUAL.same_face, USUAL) is None
    told = sized_alike(quads, narrow, faces)
    assert one_card_each(quads, told, faces) == [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]


@pytest.mark.parametrize(
    ("moved", "others", "joined"), [(5, 10, True), (35, 10, False), (35, 9, True)]
)
def test_one_mark_beneath_another_is_of_a_second_card_where_packs_have_two_indices(
    moved: float, others: int, joined: bool
) -> None:
    """With few marks on the table nobody knows how many indices a card of the pack has."""
    beneath = mirrored(mark(degrees=180)) + np.float32([0, moved])
    quads = np.stack([mark(), beneath, *(mark(400 + 150.0 * at) for at in range(others))])
    outlines = [
        outline(),
        outline(0, moved, 180),
        *(outline(400 + 150.0 * at) for at in range(others)),
    ]
    faces = surely("9R", "9R", *(f"{at}K" for at in range(1, others + 1)))
    cards = one_card_each(quads, np.stack(outlines), faces)
    assert len(cards) == others + (1 if joined else 2)


@pytest.mark.parametrize(("face", "cards"), [("8R", [[0, 1]]), ("J", [[0], [1]])])
def test_two_marks_each_in_a_corner_of_the_others_card_are_one_card(
    face: str, cards: list[list[int]]
) -> None:
    """Both upper marks of a card are seen, one of them read upside down: one card, but for jollies,
    which may be two that lie side by side.
    """
    quads = np.stack([mark(), np.roll(right_mark(0, 0), 2, axis=0)])
    outlines = np.stack([outline(), outline(0, 24 - HEIGHT, 180)])
    assert one_card_each(quads, outlines, surely(face, face)) == [[0], [1]]
    assert corners_joined(quads, outlines, surely(face, face), [[0], [1]]) == cards
