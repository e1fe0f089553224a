"""Reference images: of a burnt-out pixel they know only the least brightness that it may have."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.live.change.reference import BURNT_OUT, ReferenceImage

EVEN = np.ones(3)


def picture(*levels: int) -> NDArray[np.uint8]:
    """Make one row of grey pixels."""
    return np.repeat(np.array([levels], np.uint8)[..., None], 3, axis=2)


def bounds(image: ReferenceImage, channel: int = 0) -> list[tuple[int, int]]:
    low, high = image.low[..., channel].ravel(), image.high[..., channel].ravel()
    return [(int(least), int(most)) for least, most in zip(low, high, strict=True)]


def test_a_burnt_out_pixel_may_be_as_bright_as_can_be() -> None:
    image = ReferenceImage.of(picture(0, 100, BURNT_OUT, BURNT_OUT + 1), EVEN)
    assert bounds(image) == [(0, 0), (100, 100), (249, 249), (250, 255)]
    assert image.shape == (1, 4)


def test_what_is_burnt_out_stays_so_in_another_light() -> None:
    image = ReferenceImage.of(picture(100, 255), EVEN)
    assert bounds(image.lit(np.array([0.5, 1.2, 1.0]))) == [(50, 50), (128, 255)]
    assert bounds(image.lit(np.array([0.5, 1.2, 1.0])), 1) == [(120, 120), (255, 255)]


def test_gains_count_for_channels_and_factors_for_rows() -> None:
    column = np.concatenate([picture(100), picture(100), picture(250)])
    gain = np.array([0.5, 1.0, 2.0])
    assert [bounds(ReferenceImage.of(column, gain), at) for at in range(3)] == [
        [(50, 50), (50, 50), (125, 255)],  # burnt out before it was darkened
        [(100, 100), (100, 100), (250, 255)],
        [(200, 200), (200, 200), (255, 255)],
    ]
    factors = np.array([1.0, 1.2, 0.5])
    assert [bounds(ReferenceImage.of(column, gain, factors), at) for at in range(3)] == [
        [(50, 50), (60, 60), (62, 255)],
        [(100, 100), (120, 120), (125, 255)],
        [(200, 200), (240, 240), (250, 255)],
    ]


@pytest.mark.parametrize(
    ("one", "other", "level"),
    [
        (100, 130, 30),
        (100, 70, 30),
        (100, 100, 0),
        (252, 240, 12),  # at least so much
        (252, 254, 0),  # both burnt out
        (240, 254, 14),
    ],
)
def test_pictures_differ_by_what_is_sure(one: int, other: int, level: int) -> None:
    known, now = (ReferenceImage.of(picture(each), EVEN) for each in (one, other))
    assert known.difference(now).tolist() == now.difference(known).tolist() == [[level]]


def test_of_the_channels_the_one_that_differs_most_counts() -> None:
    known = ReferenceImage.of(np.array([[[50, 50, 50]]], np.uint8), EVEN)
    for channel in range(3):
        other = np.array([[[51, 52, 53]]], np.uint8)
        other[..., channel] = 90
        assert known.difference(ReferenceImage.of(other, EVEN)).tolist() == [[40]]


def test_only_what_the_mask_sets_is_taken_over_and_a_copy_stays_as_it_is() -> None:
    image = ReferenceImage.of(picture(10, 20, 30), EVEN)
    copy = image.copy()
    image.paste(ReferenceImage.of(picture(99, 252, 252), EVEN), np.array([[0, 255, 0]], np.uint8))
    assert bounds(image) == [(10, 10), (252, 255), (30, 30)]
    assert bounds(copy) == [(10, 10), (20, 20), (30, 30)]


def test_both_bounds_move_and_are_softened_alike() -> None:
    image = ReferenceImage.of(picture(0, 0, 252, 90, 0), EVEN)
    right = np.array([[1, 0, 1], [0, 1, 0], [0, 0, 1.0]])
    assert bounds(image.warped(right)) == [(0, 0), (0, 0), (0, 0), (252, 255), (90, 90)]
    half = bounds(image.warped(np.array([[1, 0, 0.5], [0, 1, 0], [0, 0, 1.0]])))
    assert half[2] == (126, 128) and half[3][0] == 171
    assert bounds(image.softened())[1:4] == [(84, 85), (114, 115), (114, 115)]
