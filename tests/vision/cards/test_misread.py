"""Cards: marks that were read in a wrong direction, in the corner of a card read from another one.
The outlines are exact and made in the tests, without any network.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.tiles import FACE_INDEX, FACES, Tile
from tests.vision.cards.test_marks import (
    HEIGHT,
    MARK,
    WIDTH,
    mark,
    mirrored,
    outline,
    placed,
    surely,
)
from vision.cards.marks import joint_faces
from vision.cards.misread import misread_marks
from vision.quads import Quads

ACROSS = (WIDTH - 20, HEIGHT - 28)  # from the mark at the upper left to that at the lower right


def perhaps(card: str, chance: float, other: str, least: float) -> NDArray[np.float32]:
    """Return log-probabilities (53,) that tell two cards; all others are equally likely."""
    faces = np.full(len(FACES), np.log((1 - chance - least) / (len(FACES) - 2)), np.float32)
    faces[FACE_INDEX[Tile.parse(card)]], faces[FACE_INDEX[Tile.parse(other)]] = np.log(
        [chance, least]
    )
    return faces


def turned(quad: Quads, degrees: float) -> Quads:
    """Return a mark in its place, with its corners turned about its middle."""
    middle = quad.mean(axis=0)
    angle = np.radians(degrees)
    rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray((quad - middle) @ rotation.T + middle, np.float32)


def its_card(quad: Quads) -> Quads:
    """Return the outline of the card in whose upper left corner a mark stands as it was read."""
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    across, down = across / np.linalg.norm(across), down / np.linalg.norm(down)
    start = quad.mean(axis=0) - 10 * across - 14 * down
    corners = ((0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT))
    return np.array([start + x * across + y * down for x, y in corners], np.float32)


@pytest.mark.parametrize(
    ("moved", "degrees", "faces", "misread"),
    [
        (0, 0, perhaps("13K", 0.57, "3K", 0.1), [1]),
        (0, 90, perhaps("13K", 0.57, "3K", 0.1), [1]),
        (0, 180, perhaps("13K", 0.57, "3K", 0.1), []),  # as a mark stands there
        (0, 0, perhaps("13K", 0.95, "3K", 0.04), []),  # surely read
        (0, 0, perhaps("13K", 0.3, "3K", 0.1), []),  # not read
        (0, 0, perhaps("13K", 0.57, "3K", 0.001), []),  # another face
        (20, 0, perhaps("13K", 0.57, "3K", 0.1), []),
    ],
)
def test_a_mark_read_upright_in_the_opposite_corner_is_no_card(
    moved: float, degrees: float, faces: NDArray[np.float32], misread: list[int]
) -> None:
    second = turned(placed(MARK, *ACROSS, 0) + np.float32([moved, 0]), degrees)
    quads = np.stack([mark(), second])
    outlines = np.stack([outline(), its_card(second)])
    both = np.stack([surely("3K")[0], faces])
    assert misread_marks(quads, outlines, both, [[0], [1]]) == misread


def four_corners(degrees: float, place: tuple[float, float] | None = None) -> tuple[Quads, Quads]:
    """Return marks and outlines of three cards in a column, with both upper marks each, and of a
    fourth: its left mark, and one more, turned by `degrees`, in its right corner or in a `place`.
    """
    steps = np.float32([[0, 30 * number] for number in range(4)])
    quads = [one + step for step in steps for one in (mark(), mirrored(mark()))]
    quads[-1] = turned(quads[-1] if place is None else mark() + steps[-1] + place, degrees)
    outlines = [outline() + step for step in steps for _ in range(2)]
    outlines[-1] = its_card(quads[-1])
    return np.stack(quads), np.stack(outlines)


@pytest.mark.parametrize(
    ("degrees", "place", "misread"),
    [
        (180, None, [7]),
        (90, None, [7]),
        (0, None, []),  # as a mark stands there
        (90, (0, HEIGHT - 28), [7]),
        (0, (0, HEIGHT - 28), []),  # a card that lies over this one shows its mark there
        (0, ACROSS, []),
    ],
)
def test_a_mark_turned_in_any_corner_of_a_pack_with_four_indices_is_no_card(
    degrees: float, place: tuple[float, float] | None, misread: list[int]
) -> None:
    quads, outlines = four_corners(degrees, place)
    faces = surely("5K", "5K", "4K", "4K", "6K", "6K", "3K", "3K")
    faces[-1] = perhaps("13K", 0.57, "3K", 0.1)
    groups = [[0, 1], [2, 3], [4, 5], [6], [7]]
    assert misread_marks(quads, outlines, faces, groups) == misread
    # Where the card itself is in doubt, it does not tell what stands in its corners.
    faces[6] = perhaps("3K", 0.8, "13K", 0.15)
    assert misread_marks(quads, outlines, faces, groups) == []


def test_without_cards_no_mark_is_misread() -> None:
    none = np.zeros((0, 4, 2), np.float32)
    assert misread_marks(none, none, surely(), []) == []


def test_marks_of_one_card_do_not_count_as_independent() -> None:
    """What is misread in one mark is often misread in the others, drawn and lit alike."""
    face = perhaps("8R", 0.9, "11R", 0.1 - 1e-9)
    joint = np.exp(joint_faces(np.stack([face] * 4), [[0], [0, 1], [0, 1, 2, 3]]).max(axis=1))
    odds = joint / (1 - joint)
    assert odds == pytest.approx([9, 9 ** np.cbrt(4), 9 ** np.cbrt(16)], rel=0.01)
