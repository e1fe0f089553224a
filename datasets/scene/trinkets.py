"""Draws small round things that lie between tiles: coins, bottle caps, buttons, balls and beads."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.scene import pictures
from datasets.scene.bank import Skin, plain_texture
from datasets.scene.blocks import Block, flat
from datasets.scene.surfaces import any_colour

Rng = np.random.Generator
# (h, w, 3) RGB and the mask, (h, w), that cuts it out.
Round = tuple[NDArray[np.uint8], NDArray[np.uint8]]
SIDE = 120
VARIANTS = 40
METALS = ((214.0, 172.0, 74.0), (188.0, 188.0, 192.0), (176.0, 112.0, 70.0), (235.0, 200.0, 110.0))


def _colour(rng: Rng) -> NDArray[np.float64]:
    return (
        np.array(METALS[int(rng.integers(len(METALS)))])
        if rng.random() < 0.5
        else any_colour(rng, (0.1, 1), (0.15, 1))
    )


def _disc(colour: NDArray[np.float64], rings: tuple[tuple[float, float], ...]) -> Round:
    """Draw concentric rings, each given as (share of the radius, factor of `colour`), the outermost
    first. Returns the picture, (SIDE, SIDE, 3) RGB, and the mask that cuts it out, (SIDE, SIDE)
    0..255.
    """
    return pictures.disc(
        [(share, tuple(np.clip(colour * tone, 0, 255).tolist())) for share, tone in rings], SIDE
    )


def ball(rng: Rng) -> Round:
    """Draw a bead or marble, bright on the side of the lamp and dark on the other side. Returns the
    picture, (SIDE, SIDE, 3) RGB, and the mask that cuts it out, (SIDE, SIDE) 0..255.
    """
    colour = _colour(rng)
    _, mask = _disc(colour, ((1.0, 1.0),))
    y, x = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j]
    turn = rng.uniform(0, 2 * np.pi)
    away = np.hypot(x - 0.35 * np.cos(turn), y - 0.35 * np.sin(turn))
    shade = 1.15 - 0.65 * away**1.5 + 0.9 * np.exp(-((away / rng.uniform(0.1, 0.3)) ** 2))
    return np.clip(colour * shade[..., None] + 60 * (shade[..., None] > 1.5), 0, 255).astype(
        np.uint8
    ), mask


def button(rng: Rng) -> Round:
    colour = _colour(rng)
    picture, mask = _disc(colour, ((1.0, 1.0), (0.92, 0.8), (0.72, 1.05)))
    for k in range(int(rng.choice([2, 4]))):
        at = np.array([0.5, 0.5]) + 0.13 * np.array([np.cos(k * np.pi / 2), np.sin(k * np.pi / 2)])
        cv2.circle(
            picture,
            tuple((at * SIDE).astype(int).tolist()),
            SIDE // 18,
            (colour * 0.25).tolist(),
            -1,
            cv2.LINE_AA,
        )
    return picture, mask


def coin(rng: Rng) -> Round:
    metal = np.array(METALS[int(rng.integers(len(METALS)))])
    picture, mask = _disc(metal, ((1.0, 1.0), (0.9, 0.7), (0.86, 0.95)))
    figure = str(int(rng.choice([1, 2, 5, 10, 20, 25, 50])))
    stem = pictures.any_stem(rng)
    for place, tone in ((SIDE / 2 - 1, 0.55), (SIDE / 2, 0.8)):
        pictures.write(
            picture, figure, (place, place), SIDE * 0.4, tuple((metal * tone).tolist()), stem
        )
    return picture, mask


def bottle_cap(rng: Rng) -> Round:
    """Draw a cap, crimped all round, with a print in the middle. Returns the picture, (SIDE, SIDE,
    3) RGB, and the mask that cuts it out, (SIDE, SIDE) 0..255.
    """
    colour = any_colour(rng, (0.2, 1), (0.3, 1))
    picture, mask = _disc(colour, ((1.0, 0.6), (0.86, 1.0), (0.6, 1.15)))
    for angle in np.linspace(0, 2 * np.pi, 21, endpoint=False):
        at = SIDE / 2 * (1 + 1.0 * np.array([np.cos(angle), np.sin(angle)]))
        cv2.circle(mask, tuple(at.astype(int).tolist()), SIDE // 22, 0, -1, cv2.LINE_AA)
    ink = tuple(any_colour(rng, (0, 1), (0.1, 1)).tolist())
    letter = str(rng.choice(["*", "Q", "B", "8", "S"]))
    cv2.putText(picture, letter, (SIDE // 3, 2 * SIDE // 3), cv2.FONT_HERSHEY_TRIPLEX, 1.6, ink, 4)
    return picture, mask


# For each kind its picture, its least and greatest width in mm, and its height over its width.
KINDS: dict[str, tuple[Callable[[Rng], Round], tuple[float, float], float]] = {
    "ball": (ball, (8, 28), 0.15),
    "button": (button, (10, 26), 0.15),
    "coin": (coin, (17, 28), 0.08),
    "cap": (bottle_cap, (24, 32), 0.2),
}


@lru_cache(maxsize=len(KINDS) * VARIANTS)
def _skin(kind: str, variant: int) -> Skin:
    picture, mask = KINDS[kind][0](np.random.default_rng([17, variant, *kind.encode()]))
    r, g, b = (picture.reshape(-1, 3).mean(axis=0) * 0.7).tolist()
    return Skin(plain_texture(picture, mask), (r, g, b), 0.7)


def trinket(rng: Rng, x: float, y: float) -> Block:
    """Make at random a coin, a button, a ball or a bottle cap, lying at (x, y) mm."""
    kind = list(KINDS)[int(rng.integers(len(KINDS)))]
    _, (low, high), share = KINDS[kind]
    size = float(rng.uniform(low, high))
    skin = _skin(kind, int(rng.integers(VARIANTS)))
    return flat(
        x, y, rng.uniform(-np.pi, np.pi), (size, size, share * size), skin=skin, radius=size / 2
    )
