"""Ink colours of a set: four hues that a maker would choose, each clearly different to the eye."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np
from numpy.typing import NDArray

Rgb = tuple[int, int, int]
Inks = tuple[Rgb, Rgb, Rgb, Rgb]  # in the order of COLOURS
COLOURS = "RBKY"
MIN_DISTANCE = 28.0  # CIE76 between any two inks of one set

# (hue in degrees from, to; saturation from, to; value from, to; how often)
Range = tuple[float, float, float, float, float, float, float]
RANGES: dict[str, tuple[Range, ...]] = {
    "R": (
        (-12, 2, 0.75, 0.95, 0.60, 0.85, 0.35),  # crimson
        (-5, 3, 0.72, 0.92, 0.42, 0.62, 0.20),  # dark red
        (-2, 8, 0.80, 0.98, 0.75, 0.95, 0.35),  # scarlet
        (-18, -4, 0.60, 0.85, 0.70, 0.90, 0.10),  # raspberry
    ),
    "B": (
        (210, 228, 0.75, 1.00, 0.50, 0.85, 0.38),  # royal
        (215, 236, 0.70, 0.95, 0.32, 0.52, 0.17),  # navy
        (222, 240, 0.75, 1.00, 0.24, 0.36, 0.09),  # nearly black
        (192, 208, 0.70, 1.00, 0.72, 0.95, 0.20),  # cyan
        (176, 194, 0.70, 1.00, 0.42, 0.66, 0.13),  # teal
        (214, 232, 0.42, 0.62, 0.78, 0.95, 0.12),  # periwinkle
    ),
    "K": (
        (0, 360, 0.00, 0.15, 0.05, 0.16, 0.75),  # black
        (0, 360, 0.00, 0.12, 0.16, 0.36, 0.25),  # grey
    ),
    "Y": (
        (22, 32, 0.80, 1.00, 0.85, 1.00, 0.38),  # orange
        (32, 42, 0.80, 1.00, 0.85, 1.00, 0.30),  # amber
        (42, 52, 0.75, 1.00, 0.82, 0.98, 0.24),  # yellow
        (50, 57, 0.65, 0.90, 0.85, 0.98, 0.08),  # lemon
    ),
}


def lab(rgb: Rgb) -> NDArray[np.float32]:
    """Convert one sRGB colour, 0..255, to CIE L*a*b* (D65): (3,)."""
    return np.asarray(
        cv2.cvtColor(np.array([[rgb]], np.float32) / 255, cv2.COLOR_RGB2LAB)[0, 0], np.float32
    )


def lab_distance(one: Rgb, other: Rgb) -> float:
    """Compute the CIE76 difference of two sRGB colours, whose values lie in 0..255."""
    return float(np.linalg.norm(lab(one) - lab(other)))


def random_ink(colour: str, rng: np.random.Generator) -> Rgb:
    """Choose at random an sRGB colour, 0..255, that people call red, blue, black or yellow:
    `colour` is `R`, `B`, `K` or `Y`.
    """
    ranges = RANGES[colour]
    shares = np.array([entry[6] for entry in ranges])
    h0, h1, s0, s1, v0, v1, _ = ranges[rng.choice(len(ranges), p=shares / shares.sum())]
    hue = rng.uniform(h0, h1) % 360 / 360
    saturation = rng.uniform(s0, s1)
    value = rng.uniform(v0, v1)
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
    return round(255 * red), round(255 * green), round(255 * blue)


def apart(inks: Inks) -> bool:
    """Tell whether every two inks differ by at least MIN_DISTANCE, measured as CIE76."""
    return all(lab_distance(a, b) >= MIN_DISTANCE for i, a in enumerate(inks) for b in inks[:i])


def random_inks(rng: np.random.Generator, body: Rgb) -> Inks:
    """Choose four inks at random, in the order of COLOURS, that differ clearly from each other.
    Blue and yellow also differ clearly from `body`, the colour of the tile.

    After 100 attempts without four such inks, fixed ones are returned.
    """
    for _ in range(100):
        red, blue, black, yellow = (random_ink(colour, rng) for colour in COLOURS)
        if (
            apart((red, blue, black, yellow))
            and min(lab_distance(yellow, body), lab_distance(blue, body)) >= 40
        ):
            return red, blue, black, yellow
    return (200, 20, 30), (20, 70, 190), (20, 20, 20), (245, 150, 10)


def golden_black(rng: np.random.Generator, inks: Inks) -> Inks:
    """Return the four inks, in the order of COLOURS, with another black: brown to dark gold, as a
    black in a glossy engraving looks under a warm lamp.

    The yellow of the set stays clearly lighter than the new black. Where no such black that also
    differs clearly from the other inks is found, the inks are returned unchanged.
    """
    red, blue, _, yellow = inks
    for _ in range(20):
        hue = rng.uniform(22, 44) / 360
        saturation = rng.uniform(0.25, 0.68)
        value = rng.uniform(0.18, 0.58)
        r, g, b = (round(255 * part) for part in colorsys.hsv_to_rgb(hue, saturation, value))
        if apart((red, blue, (r, g, b), yellow)) and lab(yellow)[0] - lab((r, g, b))[0] > 24:
            return red, blue, (r, g, b), yellow
    return inks
