"""Backs of tiles on a rack: told by the even surface, and never taken for a face."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.test_keys import grid
from vision.crops import CROP_HEIGHT, CROP_WIDTH
from vision.tiles.backs import are_backs

BODY = 225
BLACK, PALE_YELLOW = (35, 35, 40), (215, 205, 165)


def crop(ink: tuple[int, int, int] | None, light: float = 1.0, seed: int = 0) -> NDArray[np.uint8]:
    """Return a face, (64, 48, 3) RGB, with grain of three grey levels; None for a back's ink."""
    face = np.full((CROP_HEIGHT, CROP_WIDTH, 3), BODY, np.uint8)
    if ink:
        cv2.putText(face, "7", (14, 44), cv2.FONT_HERSHEY_SIMPLEX, 1.2, ink, 4, cv2.LINE_AA)
    grain = np.random.default_rng(seed).normal(0, 3, face.shape)
    return np.clip(face * light + grain, 0, 255).astype(np.uint8)


def told(
    crops: list[NDArray[np.uint8]], legible: list[float], comodin: int | None = None
) -> list[bool]:
    quads = grid(len(crops), 1, (0, 0))
    comodines = np.arange(len(crops)) == comodin
    backs = are_backs(quads, np.stack(crops), np.array(legible, np.float32), comodines)
    return [bool(back) for back in backs]


FACES_AROUND = [crop(BLACK, seed=seed) for seed in (1, 2, 3)]
READ = [0.99] * 3


@pytest.mark.parametrize("light", [0.5, 1.0])
def test_what_bears_no_ink_beside_faces_is_a_back(light: float) -> None:
    around = [crop(BLACK, light, seed) for seed in (1, 2, 3)]
    assert told([*around, crop(None, light)], [*READ, 0.3]) == [False, False, False, True]


def test_a_face_in_the_palest_ink_is_no_back_even_where_it_cannot_be_read() -> None:
    assert told([*FACES_AROUND, crop(PALE_YELLOW)], [*READ, 0.3]) == [False] * 4


def test_of_a_bleached_set_no_face_is_a_back() -> None:
    bleached = [crop(PALE_YELLOW, seed=seed) for seed in range(4)]
    assert told(bleached, [*READ, 0.2]) == [False] * 4


def test_where_a_number_is_read_there_is_no_back_however_little_ink_it_bears() -> None:
    assert told([*FACES_AROUND, crop(None)], [*READ, 0.8]) == [False] * 4


def test_a_ring_without_ink_is_no_comodin() -> None:
    """Many backs bear a ring pressed into them, which looks like the picture of a comodín."""
    pressed = crop(None)
    cv2.circle(pressed, (24, 32), 9, (215, 215, 215), 2, cv2.LINE_AA)
    assert told([*FACES_AROUND, pressed], [*READ, 0.99], comodin=3)[-1]
    inked = crop(PALE_YELLOW)
    assert not any(told([*FACES_AROUND, inked], [*READ, 0.99], comodin=3))


def test_with_a_single_face_to_compare_with_nothing_is_told() -> None:
    assert told([FACES_AROUND[0], crop(None)], [0.99, 0.3]) == [False, False]


def test_only_the_faces_nearest_by_are_compared_with() -> None:
    """A lamp's glare pales a face and those beside it, but none at the other end of the rack."""
    glare = [crop(PALE_YELLOW, seed=seed) for seed in range(4)]
    legible = [*READ, 0.99, 0.99, 0.99, 0.3]
    pale = crop((222, 219, 207))
    far_away = [*FACES_AROUND, *glare[:3], pale]
    assert told(far_away, legible) == [False] * 7
    assert told([*glare[:3], *FACES_AROUND, pale], legible)[-1]


def test_without_finds_there_are_no_backs() -> None:
    none = np.zeros((0, CROP_HEIGHT, CROP_WIDTH, 3), np.uint8)
    quads, nothing = np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32)
    assert are_backs(quads, none, nothing, np.zeros(0, bool)).shape == (0,)
