"""Table tops and cloths: drawn textures, and photographs from desktop background packages where
those are installed.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.pixels import resized

SIDE = 640  # px of a texture
VARIANTS = 400  # distinct textures: bounded, so that they can be kept between scenes
PHOTO_ROOTS: tuple[str, ...] = ("/usr/share/wallpapers", "/usr/share/backgrounds")

Picture = NDArray[np.uint8]
Field = NDArray[np.float32]


@lru_cache(maxsize=1)
def photographs() -> tuple[str, ...]:
    """List the paths of the background photographs on this machine, sorted. The list is empty where
    no package with such photographs is installed (`make training-assets` installs some).
    """
    found = [
        p
        for root in PHOTO_ROOTS
        for s in ("jpg", "jpeg", "png", "webp")
        for p in Path(root).rglob(f"*.{s}")
    ]
    return tuple(sorted({str(p.resolve()) for p in found if p.stat().st_size > 60_000}))


@lru_cache(maxsize=128)
def photograph(index: int) -> Picture | None:
    """Load the photograph with the number `index`, modulo their count, from the list that
    `photographs` returns: (h, w, 3) RGB, the longer side at most 1.5 * SIDE. None where the file
    cannot be read.
    """
    image = cv2.imread(photographs()[index % len(photographs())], cv2.IMREAD_REDUCED_COLOR_2)
    if image is None:
        return None
    scale = min(1.0, 1.5 * SIDE / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2RGB), np.uint8)


@lru_cache(maxsize=200)
def surface(variant: int) -> Picture:
    """Draw the table top with the number `variant`, (SIDE, SIDE, 3) RGB, about one pixel per
    millimetre. The same number gives the same top.
    """
    rng = np.random.default_rng([7, variant])
    makers = (
        (wood,) * 6
        + (laminate, marble, cloth, checks) * 2
        + (felt, stripes, dotted, floral, granite, rug, gloss)
    )
    if rng.random() < 0.22 and photographs():
        picture = photo_crop(rng)
        if picture is not None:
            return picture
    return makers[rng.integers(len(makers))](rng)


def photo_crop(rng: np.random.Generator) -> Picture | None:
    picture = photograph(int(rng.integers(len(photographs()))))
    if picture is None or min(picture.shape[:2]) < 300:
        return None
    side = int(min(picture.shape[:2]) * rng.uniform(0.5, 1.0))
    y, x = (int(rng.integers(0, n - side + 1)) for n in picture.shape[:2])
    return resized(picture[y : y + side, x : x + side], (SIDE, SIDE))


def clouds(rng: np.random.Generator, octaves: tuple[int, ...], stretch: float = 1.0) -> Field:
    """Draw smooth noise with mean 0 and standard deviation 1, (SIDE, SIDE).

    The noise is a sum of layers. Each number in `octaves` gives a layer, and says into how many
    cells a side is divided in it. `stretch` is how many times longer the cells are along x.
    """
    total = np.zeros((SIDE, SIDE), np.float32)
    for octave in octaves:
        cells = rng.standard_normal((octave, max(2, round(octave / stretch)))).astype(np.float32)
        total += resized(cells, (SIDE, SIDE), cv2.INTER_CUBIC) / np.float32(np.sqrt(octave))
    return np.asarray((total - total.mean()) / (total.std() + 1e-6), np.float32)


def tinted(base: tuple[float, float, float] | NDArray[np.float64], level: Field) -> Picture:
    """Multiply a colour, RGB 0..255, by a field of brightness, (h, w), in which 1 leaves it
    unchanged. Returns (h, w, 3) RGB.
    """
    return np.clip(level[..., None] * np.asarray(base, np.float32), 0, 255).astype(np.uint8)


def grain(rng: np.random.Generator, strength: float) -> Field:
    return 1 + strength * rng.standard_normal((SIDE, SIDE)).astype(np.float32)


def any_colour(
    rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float]
) -> NDArray[np.float64]:
    low, high = saturation
    strength = low + (high - low) * rng.random() ** 1.6  # things at home are seldom garish
    hsv = np.array([[[rng.uniform(0, 180), 255 * strength, 255 * rng.uniform(*value)]]]).astype(
        np.uint8
    )
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0], np.float64)


WOODS = (
    (176, 130, 84),
    (120, 78, 48),
    (70, 42, 28),
    (205, 170, 125),
    (150, 90, 50),
    (125, 118, 108),
    (225, 205, 175),
    (52, 44, 42),
)


def wood(rng: np.random.Generator) -> Picture:
    y, _ = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    base = np.array(WOODS[rng.integers(len(WOODS))]) * rng.uniform(0.8, 1.15)
    planks = int(rng.choice([1, 3, 5, 7]))
    plank = np.minimum((y * planks / SIDE).astype(int), planks - 1)
    offset = rng.uniform(-40, 40, planks).astype(np.float32)[plank]
    tone = rng.normal(1, 0.07, planks).astype(np.float32)[plank]
    bend = clouds(rng, (3, 6), stretch=2.5) * rng.uniform(4, 18)
    rings = np.sin((y + offset + bend) * rng.uniform(0.08, 0.4))
    fibre = clouds(rng, (160, 320), stretch=40)
    level = (
        tone
        * (1 + rng.uniform(0.02, 0.1) * rings + rng.uniform(0.03, 0.09) * fibre)
        * grain(rng, 0.015)
    )
    if planks > 1:
        level[np.abs(y * planks / SIDE - np.rint(y * planks / SIDE)) < 1.2 * planks / SIDE] *= 0.6
    return tinted(base, level)


def felt(rng: np.random.Generator) -> Picture:
    base = [(24, 98, 56), (120, 22, 30), (30, 50, 110), (60, 60, 66), (20, 110, 90)][
        rng.integers(5)
    ]
    return tinted(
        base, (1 + 0.05 * clouds(rng, (4, 9))) * (1 + 0.07 * clouds(rng, (300,))) * grain(rng, 0.06)
    )


def weave(rng: np.random.Generator, period: float, depth: float) -> Field:
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) * np.float32(2 * np.pi / period)
    return np.asarray(
        1 + depth * (np.sin(x) * np.sin(y)) + rng.uniform(0, 0.03) * clouds(rng, (5, 11)),
        np.float32,
    )


def cloth(rng: np.random.Generator) -> Picture:
    folds = 1 + rng.uniform(0, 0.08) * clouds(rng, (2, 4), stretch=rng.uniform(0.5, 4))
    return tinted(
        any_colour(rng, (0, 0.6), (0.35, 1.0)),
        weave(rng, rng.uniform(3, 7), 0.06) * folds * grain(rng, 0.02),
    )


def checks(rng: np.random.Generator) -> Picture:
    """Draw gingham, (SIDE, SIDE, 3) RGB: stripes both ways, mostly darker where they cross, or a
    chessboard.
    """
    period = int(rng.uniform(16, 100))
    stripe = ((np.arange(SIDE) // (period // 2)) % 2).astype(np.float32)
    share = (stripe[:, None] + stripe[None, :]) / 2
    if rng.random() < 0.25:
        share = np.abs(stripe[:, None] - stripe[None, :])
    light, dark = any_colour(rng, (0, 0.12), (0.85, 1)), any_colour(rng, (0.3, 0.95), (0.1, 0.8))
    colour = light * (1 - share[..., None]) + dark * share[..., None]
    level = weave(rng, rng.uniform(2.5, 5), 0.05) * (1 + 0.04 * clouds(rng, (3, 5)))
    return np.clip(colour * level[..., None], 0, 255).astype(np.uint8)


def stripes(rng: np.random.Generator) -> Picture:
    widths = rng.uniform(4, 60, 40)
    colours = np.stack(
        [any_colour(rng, (0, 0.8), (0.3, 1)) for _ in range(int(rng.integers(2, 5)))]
    )
    index = np.repeat(np.arange(len(widths)), widths.astype(int))[:SIDE] % len(colours)
    lines = resized(colours[index][:, None].astype(np.float32), (SIDE, SIDE), cv2.INTER_NEAREST)
    return np.asarray(np.clip(lines * weave(rng, 4, 0.05)[..., None], 0, 255), np.uint8)


def dotted(rng: np.random.Generator) -> Picture:
    picture = cloth(rng)
    colour, period = any_colour(rng, (0, 0.9), (0.2, 1)), rng.uniform(20, 80)
    for i in range(int(SIDE / period) + 1):
        for j in range(int(SIDE / period) + 1):
            centre = (int((i + 0.5 * (j % 2)) * period), int(j * period))
            cv2.circle(picture, centre, int(period * 0.22), colour.tolist(), -1, cv2.LINE_AA)
    return picture


def floral(rng: np.random.Generator) -> Picture:
    """Draw flowers, fruit and leaves strewn over a cloth, (SIDE, SIDE, 3) RGB: round, bright shapes
    of about a tile's size.
    """
    picture = cloth(rng)
    colours = [any_colour(rng, (0.4, 0.95), (0.5, 1)).tolist() for _ in range(4)]
    leaf, size = any_colour(rng, (0.3, 0.8), (0.2, 0.6)).tolist(), rng.uniform(8, 32)
    lemon = rng.random() < 0.4
    for x, y in rng.uniform(0, SIDE, (int(9e4 / size**1.6), 2)):
        angle, colour = rng.uniform(0, 360), colours[rng.integers(4)]
        for k in range(2):
            away = np.array([np.cos(angle + k * 2), np.sin(angle + k * 2)]) * size * 1.1
            _oval(
                picture,
                (x + away[0], y + away[1]),
                (size * 0.5, size * 0.28),
                angle * 57 + k * 90,
                leaf,
            )
        if lemon:
            _oval(picture, (x, y), (size, size * 0.75), angle, colours[0])
            continue
        for k in range(5):
            turn = angle + k * 2 * np.pi / 5
            centre = (int(x + 0.55 * size * np.cos(turn)), int(y + 0.55 * size * np.sin(turn)))
            cv2.circle(picture, centre, int(size * 0.4), colour, -1, cv2.LINE_AA)
        cv2.circle(picture, (int(x), int(y)), int(size * 0.3), colours[0], -1, cv2.LINE_AA)
    return picture


def _oval(
    picture: Picture,
    at: tuple[float, float],
    half: tuple[float, float],
    angle: float,
    colour: list[float],
) -> None:
    centre, axes = (int(at[0]), int(at[1])), (int(half[0]), int(half[1]))
    cv2.ellipse(picture, centre, axes, angle, 0, 360, colour, -1, cv2.LINE_AA)


def marble(rng: np.random.Generator) -> Picture:
    veins = np.abs(clouds(rng, (3, 6, 12, 24)))
    base = np.array(
        [(236, 234, 230), (60, 62, 64), (225, 210, 190), (40, 70, 60)][rng.integers(4)], float
    )
    sign = -1 if base.mean() > 128 else 2.0
    level = (1 + 0.03 * clouds(rng, (2, 5))) * (
        1 + sign * rng.uniform(0.1, 0.35) * np.exp(-veins * rng.uniform(12, 40))
    )
    return tinted(base, level.astype(np.float32))


def laminate(rng: np.random.Generator) -> Picture:
    saturation = (0.0, 0.08) if rng.random() < 0.6 else (0.1, 0.6)
    return tinted(
        any_colour(rng, saturation, (0.1, 1.0)),
        (1 + 0.015 * clouds(rng, (3, 7))) * grain(rng, 0.008),
    )


def granite(rng: np.random.Generator) -> Picture:
    base = any_colour(rng, (0.02, 0.2), (0.2, 0.8))
    specks = 1 + rng.uniform(0.1, 0.3) * np.sign(clouds(rng, (130, 220))) * (
        np.abs(clouds(rng, (160,))) > 1
    )
    return tinted(base, specks.astype(np.float32) * grain(rng, 0.05))


def rug(rng: np.random.Generator) -> Picture:
    period = rng.uniform(6, 16)
    base = any_colour(rng, (0.05, 0.4), (0.3, 0.9))
    level = (
        weave(rng, period, 0.3)
        * (1 + 0.18 * clouds(rng, (60, 120), stretch=0.25))
        * grain(rng, 0.08)
    )
    return tinted(base, np.clip(level, 0.15, 1.4))


def gloss(rng: np.random.Generator) -> Picture:
    """Draw dark glass or lacquer, (SIDE, SIDE, 3) RGB: faint reflections of the room, dust,
    scratches.
    """
    base = any_colour(rng, (0, 0.5), (0.05, 0.2))
    picture = tinted(base, 1 + 0.2 * clouds(rng, (2, 3), stretch=0.5))
    for x, y, a in rng.uniform(0, 1, (int(rng.integers(0, 60)), 3)):
        start, turn = (int(x * SIDE), int(y * SIDE)), a * 6.28
        end = (int(start[0] + 25 * np.cos(turn)), int(start[1] + 25 * np.sin(turn)))
        cv2.line(picture, start, end, (base * 1.7 + 12).tolist(), 1, cv2.LINE_AA)
    return picture
