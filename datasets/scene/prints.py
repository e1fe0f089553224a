"""Draws table tops that a reader may take for tiles: printed cloths, and surfaces with tiny things
strewn over them, anew for every scene.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces.fonts import typefaces, word
from datasets.pixels import resized
from datasets.scene.motifs import MOTIFS, Mask, compass, hatched, star_in_ring
from datasets.scene.surfaces import (
    SIDE,
    VARIANTS,
    WOODS,
    any_colour,
    clouds,
    grain,
    surface,
    tinted,
)

Rng = np.random.Generator
Picture = NDArray[np.uint8]
Colour = tuple[float, float, float]
PRINT_SHARE = 0.33  # share of table tops with a print
FINE = 1024  # px of a print's side: its motifs are as sharp as digits on tiles
INKS: tuple[Colour, ...] = (
    (200, 24, 36),
    (26, 70, 180),
    (242, 168, 20),
    (22, 22, 26),
    (20, 130, 140),
    (30, 110, 60),
    (236, 110, 30),
)


def table_top(rng: Rng, prints: float = PRINT_SHARE) -> Picture:
    """Draw a plain surface or a print for a table top: (n, n, 3) RGB. `n` is SIDE for some table
    tops and FINE for the others; `ground.paint_ground` lays both kinds equally wide on the table.
    `prints` is the probability of a print.
    """
    if rng.random() >= prints:
        return surface(int(rng.integers(VARIANTS)))
    own = np.random.default_rng(int(rng.integers(2**31)))
    return MAKERS[int(own.choice(len(MAKERS), p=WEIGHTS))](own)


def _ground(rng: Rng) -> Picture:
    """Draw what a print is then painted on, (FINE, FINE, 3) RGB: a cloth or oilcloth, in most cases
    a pale one, and now and then any other table top.
    """
    if rng.random() < 0.2:
        return resized(surface(int(rng.integers(VARIANTS))), (FINE, FINE), cv2.INTER_LINEAR)
    saturation, value = (
        ((0, 0.3), (0.8, 1.0)) if rng.random() < 0.67 else ((0.2, 0.95), (0.1, 0.75))
    )
    colour = any_colour(rng, saturation, value)
    level = (1 + rng.uniform(0, 0.05) * clouds(rng, (2, 5))) * grain(rng, 0.02)
    return resized(tinted(colour, level), (FINE, FINE), cv2.INTER_LINEAR)


def _ink(rng: Rng) -> Colour:
    base = np.array(
        INKS[int(rng.choice(len(INKS), p=[0.26, 0.24, 0.2, 0.12, 0.08, 0.05, 0.05]))], float
    )
    r, g, b = np.clip(base * rng.uniform(0.8, 1.15, 3) + rng.uniform(0, 25), 0, 255)
    return float(r), float(g), float(b)


def _places(rng: Rng, pitch: tuple[float, float]) -> Iterator[tuple[int, int, int]]:
    """Yield spots in one of three arrangements, chosen at random: in a grid, in rows like bricks,
    or scattered. `pitch` is about how far apart the spots are, across and down, in px. A spot is
    its x and y in px, and its number, from 0.
    """
    kind, shift = rng.random(), rng.uniform(0, 1, 2)
    columns, rows = int(FINE / pitch[0]) + 2, int(FINE / pitch[1]) + 2
    if kind < 0.25:
        spots = rng.uniform(0, FINE, (int(0.7 * columns * rows), 2))
    else:
        j, i = np.mgrid[0:rows, 0:columns]
        brick = 0.5 * (j % 2) if kind < 0.65 else 0.0 * j
        spots = np.stack(
            [(i + brick - shift[0]) * pitch[0], (j - shift[1]) * pitch[1]], axis=-1
        ).reshape(-1, 2)
        spots = spots + rng.normal(0, 0.02 * pitch[0], spots.shape)
    for number, (x, y) in enumerate(spots.astype(int).tolist()):
        yield x, y, number


def _stamp(picture: Picture, mask: Mask, x: int, y: int, colour: Colour) -> None:
    """Lay ink onto a picture, in place, through a mask, (h, w) 0..255, centred at (x, y) px. What
    falls outside the picture is cut off.
    """
    h, w = mask.shape
    x, y = x - w // 2, y - h // 2
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, FINE), min(y + h, FINE)
    if x1 > x0 and y1 > y0:
        share = cv2.merge([mask[y0 - y : y1 - y, x0 - x : x1 - x]] * 3)
        flat = np.full(share.shape, colour, np.uint8)
        region = picture[y0:y1, x0:x1]
        region[:] = cv2.add(
            cv2.multiply(region, 255 - share, scale=1 / 255),
            cv2.multiply(flat, share, scale=1 / 255),
        )


def _turned(rng: Rng, mask: Mask) -> Mask:
    side = mask.shape[0]
    move = cv2.getRotationMatrix2D((side / 2, side / 2), rng.uniform(0, 360), 1.0)
    return np.asarray(cv2.warpAffine(mask, move, (side, side)), np.uint8)


def _letter(rng: Rng, size: int) -> Mask:
    faces = typefaces()
    mask = word(
        faces[int(rng.integers(len(faces)))].stem, str(rng.choice(list("ABDEGKMORS023456789&@%")))
    )
    return resized(mask, (max(4, int(size * 0.7)), size))


def _some_motif(rng: Rng, size: int) -> Mask:
    if rng.random() < 0.08:
        return _letter(rng, size)
    mask = MOTIFS[int(rng.integers(len(MOTIFS)))](rng, size)
    return hatched(mask) if rng.random() < 0.12 else mask


def motif_cloth(rng: Rng) -> Picture:
    """Draw a cloth with one to four motifs in one to four inks, repeated all over the cloth:
    (FINE, FINE, 3) RGB.
    """
    picture = _ground(rng)
    size = int(np.exp(rng.uniform(np.log(13), np.log(75))))
    pitch = size * rng.uniform(1.1, 2.8)
    turn = rng.random() < 0.4
    masks = [
        _some_motif(rng, max(8, int(size * rng.uniform(0.6, 1.1))))
        for _ in range(int(rng.integers(1, 5)))
    ]
    masks = (
        [_turned(rng, m) for m in masks for _ in range(4) if m.shape[0] == m.shape[1]]
        if turn
        else masks
    )
    masks = masks or [star_in_ring(rng, size)]
    inks = [_ink(rng) for _ in range(int(rng.integers(1, 5)))]
    mixed = rng.random() < 0.5
    for x, y, number in _places(rng, (pitch, pitch * rng.uniform(0.8, 1.4))):
        which = int(rng.integers(len(masks))) if mixed else number % len(masks)
        _stamp(picture, masks[which], x, y, inks[(which if not turn else number) % len(inks)])
    return picture


def compass_cloth(rng: Rng) -> Picture:
    """Draw a printed or woven cloth: large stars or rosettes, with a small motif in between."""
    picture = _ground(rng)
    size = int(rng.uniform(50, 150))
    pitch, inks = size * rng.uniform(1.0, 1.5), [_ink(rng) for _ in range(3)]
    large = [compass(rng, size), _some_motif(rng, size // 2), _some_motif(rng, max(8, size // 4))]
    for x, y, _ in _places(rng, (pitch, pitch)):
        for mask, ink in zip(large, inks, strict=True):
            _stamp(picture, mask, x, y, ink)
        _stamp(picture, large[2], int(x + pitch / 2), int(y + pitch / 2), inks[0])
    return picture


def pale_boxes(rng: Rng) -> Picture:
    """Draw pale rectangles with the shape of tiles, in rows like bricks, in a grid or scattered,
    seldom with a small motif on some of them.
    """
    picture = np.asarray(np.clip(_ground(rng) * rng.uniform(0.3, 0.8), 0, 255), np.uint8)
    width = int(rng.uniform(24, 70))
    height = int(width * rng.choice([1.0, 1.35, 1.4, 1.5, 0.7]))
    gap, radius = rng.uniform(1.04, 1.6), int(rng.uniform(0, 0.2) * width)
    box = np.zeros((height, width), np.uint8)
    cv2.rectangle(box, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(box, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for cx in (radius, width - 1 - radius):
        for cy in (radius, height - 1 - radius):
            cv2.circle(box, (cx, cy), radius, 255, -1, cv2.LINE_AA)
    colours = [
        tuple(any_colour(rng, (0, 0.3), (0.75, 1.0)).tolist())
        for _ in range(int(rng.integers(1, 4)))
    ]
    motif, ink = _some_motif(rng, max(8, int(width * rng.uniform(0.2, 0.5)))), _ink(rng)
    filled = rng.random() < 0.08  # seldom: a pale box with a figure is how a comodín looks
    for x, y, number in _places(rng, (width * gap, height * gap)):
        _stamp(picture, box, x, y, colours[number % len(colours)])
        if filled and number % 3 == 0:
            _stamp(picture, motif, x, y, ink)
    return picture


def knots(rng: Rng) -> Picture:
    """Draw wood with dark knots in rings."""
    base = np.array(WOODS[int(rng.integers(len(WOODS)))]) * rng.uniform(0.8, 1.1)
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    bend = clouds(rng, (3, 6), stretch=3.0) * np.float32(rng.uniform(6, 20))
    level = y + bend
    dark = np.zeros((SIDE, SIDE), np.float32)
    for cx, cy in rng.uniform(0, SIDE, (int(rng.integers(4, 18)), 2)):
        r = rng.uniform(4, 14)
        near = np.exp(-(((x - cx) / (2.2 * r)) ** 2 + ((y - cy) / r) ** 2) / 2)
        level = level + near * (r * 3)
        dark = np.maximum(dark, near**2)
    rings = 1 + rng.uniform(0.04, 0.14) * np.sin(level * rng.uniform(0.12, 0.4))
    fibre = 1 + 0.05 * clouds(rng, (200,), stretch=40)
    shade = rings * fibre * (1 - rng.uniform(0.4, 0.75) * dark)
    return np.asarray(np.clip(shade[..., None] * base.astype(np.float32), 0, 255), np.uint8)


def pebbles(rng: Rng) -> Picture:
    """Draw cells with joints between them, such as pebbles, terrazzo, crackled glaze or mosaic:
    (FINE, FINE, 3) RGB.
    """
    count = int(np.exp(rng.uniform(np.log(150), np.log(2500))))
    seeds = np.full((SIDE, SIDE), 255, np.uint8)
    seeds[rng.integers(0, SIDE, count), rng.integers(0, SIDE, count)] = 0
    away, labels = cv2.distanceTransformWithLabels(
        seeds, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    colours = np.stack([any_colour(rng, (0, 0.5), (0.3, 1.0)) for _ in range(6)]) * rng.uniform(
        0.85, 1.1, (6, 1)
    )
    cells = int(labels.max()) + 1
    tones = colours[rng.integers(0, 6 if rng.random() < 0.6 else 1, cells)]
    tones = tones * rng.normal(1, 0.06, (cells, 1))
    joints = (
        cv2.morphologyEx(labels.astype(np.float32), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        > 0
    )
    picture = (
        tones[labels] * (1 - rng.uniform(0, 0.3) * (away / max(float(away.max()), 1.0)))[..., None]
    )
    picture[joints] *= rng.uniform(0.2, 1.3)
    return resized(np.clip(picture, 0, 255).astype(np.uint8), (FINE, FINE), cv2.INTER_LINEAR)


def littered(rng: Rng) -> Picture:
    """Draw a table top chosen at random, with crumbs, stains, wet rings and bright scratches."""
    picture = resized(surface(int(rng.integers(VARIANTS))), (FINE, FINE), cv2.INTER_LINEAR)
    if rng.random() < 0.4:
        picture = np.clip(picture * rng.uniform(0.15, 0.5), 0, 255).astype(np.uint8)
    crumb = any_colour(rng, (0.3, 0.8), (0.2, 0.9)).tolist()
    for x, y, r in rng.uniform(0, 1, (int(rng.integers(0, 250)), 3)):
        axes = (int(1 + 5 * r**3), int(1 + 3 * r**2))
        own = (np.array(crumb) * (0.6 + 0.5 * r)).tolist()
        cv2.ellipse(picture, (int(x * FINE), int(y * FINE)), axes, r * 900, 0, 360, own, -1)
    for x, y, r in rng.uniform(0, 1, (int(rng.integers(0, 9)), 3)):
        veil = picture.copy()
        cv2.circle(
            veil,
            (int(x * FINE), int(y * FINE)),
            int(10 + 60 * r),
            _ink(rng),
            int(rng.choice([-1, 3, 6])),
            cv2.LINE_AA,
        )
        picture = np.asarray(cv2.addWeighted(picture, 0.7, veil, 0.3, 0), np.uint8)
    bright = any_colour(rng, (0, 0.2), (0.7, 1.0)).tolist()
    for x, y, a in rng.uniform(0, 1, (int(rng.choice([0, 20, 90])), 3)):
        start, long = (int(x * FINE), int(y * FINE)), rng.exponential(30)
        end = (int(start[0] + long * np.cos(6.28 * a)), int(start[1] + long * np.sin(6.28 * a)))
        cv2.line(picture, start, end, bright, int(rng.integers(1, 3)), cv2.LINE_AA)
    return picture


MAKERS: tuple[Callable[[Rng], Picture], ...] = (
    motif_cloth,
    compass_cloth,
    pale_boxes,
    knots,
    pebbles,
    littered,
)
WEIGHTS = (0.42, 0.14, 0.16, 0.07, 0.08, 0.13)
