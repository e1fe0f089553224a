"""Cards: two equal marks side by side that have cloth between them are of two cards. The picture is
drawn in the test, without any network.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cards.between import BetweenConfig, cloth_between
from vision.cards.marks import one_card_each
from vision.cards.sizes import sized_alike
from vision.pyramid import RGB

from .test_four_corners import right_mark
from .test_marks import HEIGHT, MARK, WIDTH, mark, outline, placed, surely
from .test_steps import STEP

GREEN, WHITE, INK, GREY = (40, 90, 60), (238, 236, 230), (30, 30, 34), (120, 120, 120)
AT = 300.0  # of the first card's middle, x and y in the picture
FACES = ["3K", "4K", "5K", "6K", "7K", "8K"]


def table(*cards: NDArray[np.float32]) -> RGB:
    """Draw cards, outlines (4, 2), on green cloth, each over the one before it."""
    picture = np.full((1200, 1200, 3), GREEN, np.uint8)
    for card in cards:
        cv2.fillConvexPoly(picture, np.round(card).astype(np.int32), WHITE)
        cv2.polylines(picture, [np.round(card).astype(np.int32)], isClosed=True, color=GREY)
    return picture


def with_marks(picture: RGB, quads: NDArray[np.float32]) -> RGB:
    """Draw an index into each of the `quads` (n, 4, 2): it fills two thirds of the quad."""
    for quad in quads:
        middle = quad.mean(axis=0)
        small = np.round(middle + 0.66 * (quad - middle)).astype(np.int32)
        cv2.fillConvexPoly(picture, small, INK)
    return picture


def two_columns(gap: float, degrees: float = 0.0) -> tuple[RGB, NDArray[np.float32], list[str]]:
    """Draw two columns of equal cards of a pack with two indices, `gap` widths of a card of cloth
    between them, and all of it turned by `degrees`. Returns the picture, the marks (n, 4, 2) and
    what they show.
    """
    turn = np.radians(degrees)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    places = [
        (*(rotation @ (x, STEP * at) + 2 * AT), degrees)
        for x in (0.0, (1 + gap) * WIDTH)
        for at in range(len(FACES))
    ]
    quads = np.stack([mark(*place) for place in places])
    picture = with_marks(table(*(outline(*place) for place in places)), quads)
    return picture, quads, FACES * 2


@pytest.mark.parametrize("degrees", [0.0, 8.0, 90.0])
@pytest.mark.parametrize("gap", [0.12, 0.3])
def test_cloth_shows_between_equal_columns(gap: float, degrees: float) -> None:
    picture, quads, faces = two_columns(gap, degrees)
    apart = cloth_between(picture, quads, surely(*faces))
    assert np.array_equal(apart, apart.T)
    pairs = set(zip(*map(np.ndarray.tolist, np.nonzero(np.triu(apart))), strict=True))
    assert pairs == {(at, at + len(FACES)) for at in range(len(FACES))}


def test_no_cloth_lies_between_both_upper_corners_of_a_card() -> None:
    places = [(AT, AT + STEP * at) for at in range(len(FACES))]
    quads = np.stack([mark(*place) for place in places] + [right_mark(*place) for place in places])
    picture = with_marks(table(*(outline(*place) for place in places)), quads)
    assert not cloth_between(picture, quads, surely(*FACES, *FACES)).any()


def test_a_picture_between_two_corners_is_no_cloth() -> None:
    """The picture of a court card reaches up to its indices, and the edge of the card stays."""
    quads = np.stack([mark(AT, AT), right_mark(AT, AT)])
    picture = table(outline(AT, AT))
    inner = placed(np.array([[18.0, 9], [82, 9], [82, 130], [18, 130]]), AT, AT, 0)
    cv2.fillConvexPoly(picture, np.round(inner).astype(np.int32), (180, 40, 40))
    with_marks(picture, quads)
    assert not cloth_between(picture, quads, surely("13K", "13K")).any()


def test_light_that_falls_off_from_one_corner_to_the_other_is_no_cloth() -> None:
    quads = np.stack([mark(AT, AT), right_mark(AT, AT)])
    picture = with_marks(table(outline(AT, AT)), quads)
    light = np.interp(np.arange(picture.shape[1]), [AT - WIDTH / 2, AT + WIDTH / 2], [1.0, 0.4])
    dim = np.round(picture * light[None, :, None]).astype(np.uint8)
    assert not cloth_between(dim, quads, surely("7K", "7K")).any()


@pytest.mark.parametrize("faces", [("7K", "8K"), ("J", "J")])
def test_other_faces_and_jollies_are_not_asked(faces: tuple[str, str]) -> None:
    quads = np.stack([mark(AT, AT), mark(AT + 1.3 * WIDTH, AT)])
    picture = with_marks(table(outline(AT, AT), outline(AT + 1.3 * WIDTH, AT)), quads)
    assert cloth_between(picture, quads, surely("7K", "7K")).any()
    assert not cloth_between(picture, quads, surely(*faces)).any()


def test_marks_upside_down_to_each_other_are_not_asked() -> None:
    quads = np.stack([mark(AT, AT), placed(MARK, AT + 1.3 * WIDTH, AT, 180)])
    picture = with_marks(table(outline(AT, AT), outline(AT + 1.3 * WIDTH, AT)), quads)
    assert not cloth_between(picture, quads, surely("7K", "7K")).any()


def test_of_many_pairs_the_nearest_are_looked_at() -> None:
    places = [AT + gap * WIDTH for gap in (0, 1.3, 2.8)]
    quads = np.stack([mark(x, AT) for x in places])
    picture = with_marks(table(*(outline(x, AT) for x in places)), quads)
    faces = surely("7K", "7K", "7K")
    for most, told in ((3, [(0, 1), (0, 2), (1, 2)]), (1, [(0, 1)])):
        apart = cloth_between(picture, quads, faces, BetweenConfig(most_pairs=most))
        assert list(zip(*np.nonzero(np.triu(apart)), strict=True)) == told


def test_without_marks_there_is_nothing_between() -> None:
    none = np.zeros((0, 4, 2), np.float32)
    assert cloth_between(table(), none, surely()).shape == (0, 0)


def test_equal_columns_with_cloth_between_are_two() -> None:
    """Without the picture the two columns are taken for one with indices in all four corners, where
    the network takes the right column's marks for those at the right edges of the left one.
    """
    picture, quads, names = two_columns(0.12)
    faces = surely(*names)
    middles = quads.mean(axis=1) + np.subtract([WIDTH / 2, HEIGHT / 2], MARK.mean(axis=0))
    in_right_column = middles[:, 0] > middles[:, 0].mean()
    middles[in_right_column] -= [WIDTH - 20, 0]
    outlines = np.stack([outline(*middle) for middle in middles.tolist()])

    def cards(apart: NDArray[np.bool_] | bool) -> int:
        told = sized_alike(quads, outlines, faces, apart)
        return len(one_card_each(quads, told, faces, apart))

    assert cards(apart=False) == len(FACES)
    assert cards(cloth_between(picture, quads, faces)) == 2 * len(FACES)
