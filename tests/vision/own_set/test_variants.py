"""Changed copies of taught faces."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.own_set.variants import soft_copies, varied

from .taught_samples import examples


def crops() -> NDArray[np.uint8]:
    return np.stack([example.crop for example in examples({})[:8]])


def sharpness(pictures: NDArray[np.uint8]) -> float:
    """Return the mean strength of the edges in n crops."""
    grey = pictures.mean(axis=3)
    return float(np.mean([np.abs(cv2.Laplacian(one, cv2.CV_64F)).mean() for one in grey]))


def without_noise(pictures: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.stack([np.asarray(cv2.GaussianBlur(one, (0, 0), 1.0), np.uint8) for one in pictures])


def test_soft_copies_are_plainly_softer_than_the_usual_ones() -> None:
    usual = varied(crops(), 6, np.random.default_rng(1))
    soft = soft_copies(crops(), 6, np.random.default_rng(1))
    assert soft.shape == usual.shape == (48, 64, 48, 3)
    assert sharpness(without_noise(soft)) < 0.75 * sharpness(without_noise(usual))


def test_equal_seeds_make_equal_copies() -> None:
    once, again = (soft_copies(crops(), 2, np.random.default_rng(7)) for _ in range(2))
    assert (once == again).all()
