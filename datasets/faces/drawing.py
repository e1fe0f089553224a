"""One tile's face: body, hollow, digits or figure, mark, name, then the wear of years."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces import body as plastic
from datasets.faces.fonts import number, reshape, word
from datasets.faces.inks import COLOURS, Rgb
from datasets.faces.jokers import TWO_HEADED, joker_figure
from datasets.faces.marks import mark_mask
from datasets.faces.style import FaceStyle, Finish, Joker, Name, NineMark

Plane = NDArray[np.float32]
ROOM = 0.86  # share of the width that digits may fill
NARROWEST = 0.68  # how far two figures are condensed before they are made smaller


@dataclass(frozen=True)
class Face:
    """One drawn face, portrait, upright.

    albedo: (h, w, 3) RGB, sRGB, no lighting; relief: (h, w) signed height in widths of the face, 0 = flat; alpha: (h, w)
    coverage 0..1, less than 1 at rounded corners and chips; mirror_upright: it looks the same upside down.
    """

    albedo: NDArray[np.uint8]
    relief: NDArray[np.float32]
    alpha: NDArray[np.float32]
    mirror_upright: bool


@dataclass
class Sheet:
    """A face being drawn: albedo (h, w, 3) 0..255 and relief (h, w) in widths, both changed in place."""

    albedo: Plane
    relief: Plane
    depth: float

    def ink(self, mask: Plane, colour: Rgb | Plane, strength: Plane | float = 1.0) -> None:
        """Lay a colour, (3,) or (h, w, 3), where the mask (h, w) says."""
        cover = (mask * strength)[..., None]
        self.albedo += cover * (np.asarray(colour, np.float32) - self.albedo)

    def shape(self, mask: Plane, finish: Finish, depth: float | None = None) -> None:
        """Press the mask into the body or raise it."""
        if finish is not Finish.PRINTED:
            walls = cv2.GaussianBlur(mask, (0, 0), max(0.5, mask.shape[1] / 180))
            self.relief += finish.value * (self.depth if depth is None else depth) * walls


def check_tile(tile: str) -> tuple[str, int]:
    """(number, index of the ink) of a tile in notation; ("J", -1) for the comodín."""
    if tile == "J":
        return "J", -1
    if tile[:-1] in {str(n) for n in range(1, 14)} and tile[-1:] in set(COLOURS):
        return tile[:-1], COLOURS.index(tile[-1])
    raise ValueError(f"expected a tile such as '7R', '13K' or 'J', got {tile!r}")


def draw_face(style: FaceStyle, tile: str, width: int, rng: np.random.Generator) -> Face:
    """A tile of a set, `width` pixels wide; `rng` gives it its own wear, and which comodín it is.

    Raises ValueError where `tile` is not in the notation or `width` is under 16.
    """
    text, ink = check_tile(tile)
    if width < 16:
        raise ValueError(f"expected a width of 16 pixels or more, got {width!r}")
    joker = style.jokers[int(rng.integers(len(style.jokers)))] if ink < 0 else None
    bare = joker is not None and joker.bare
    sheet = _blank(style, width, rng, dish=not bare)
    if style.name and not bare:
        _draw_name(sheet, style, style.name)
    if style.mark and not bare:
        _draw_mark(sheet, style, max(ink, 0) if joker is None else int(rng.integers(4)), joker is not None)
    worn = _worn_ink(style, sheet.relief.shape, rng)
    if joker:
        _draw_joker(sheet, style, joker, worn)
    else:
        _draw_digits(sheet, style, text, style.inks[ink], worn, rng)
    return _finish(sheet, style, width, rng, _same_turned(style, text, joker))


def _blank(style: FaceStyle, width: int, rng: np.random.Generator, dish: bool) -> Sheet:
    relief = plastic.base_relief(style, width, dish).copy()
    sheet = Sheet(plastic.plain_albedo(style, width, rng), relief, style.relief_depth)
    if style.body.frame:
        distance = plastic.inside(style, width)
        line = np.clip(1.4 - np.abs(distance - style.body.frame) * width, 0, 1)
        line = np.maximum(line, np.clip(1 - np.abs(distance - style.body.frame - 0.03) * width, 0, 1))
        sheet.ink(line, style.body.frame_rgb)
    return sheet


def _finish(sheet: Sheet, style: FaceStyle, width: int, rng: np.random.Generator, same: bool) -> Face:
    plastic.smudge(sheet.albedo, style, rng)
    plastic.scratch(sheet.albedo, sheet.relief, style, rng)
    if style.body.dirt > 0.05:  # grime stays in what lies lower than its surroundings
        lower = np.clip((cv2.blur(sheet.relief, (9, 9)) - sheet.relief) / 0.01, 0, 1)
        sheet.albedo *= 1 - style.body.dirt * lower[..., None] * np.array([0.5, 0.6, 0.7], np.float32)
    alpha = np.clip(plastic.inside(style, width) * width + 0.5, 0, 1)
    plastic.chip(alpha, sheet.albedo, style, rng)
    return Face(np.clip(sheet.albedo + 0.5, 0, 255).astype(np.uint8), sheet.relief, alpha, same)


def _same_turned(style: FaceStyle, text: str, joker: Joker | None) -> bool:
    """Whether nothing on the face tells up from down: centred, alike when turned, and nothing else there."""
    if joker:
        alone = joker.bare or not (style.mark or style.name or style.body.dish)
        return alone and not joker.word and joker.figure in TWO_HEADED and abs(joker.centre - 0.5) < 0.03
    alone = not (style.mark or style.name)
    return alone and text == "8" and abs(style.digits.centre - 0.5) < 0.02


def _worn_ink(style: FaceStyle, shape: tuple[int, ...], rng: np.random.Generator) -> Plane | float:
    """How much of the ink is left: (h, w) 0..1, or 1.0 on a sound tile."""
    wear = style.body.ink_wear * rng.uniform(0, 1.3)
    if wear < 0.08:
        return 1.0
    grain = cv2.resize(rng.standard_normal((24, 17), np.float32), (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
    broad = cv2.resize(rng.standard_normal((5, 4), np.float32), (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.clip(1 - wear * 0.8 * np.clip(0.5 * grain + broad, 0, 1), 0.25, 1).astype(np.float32)


def _place(mask: Plane, shape: tuple[int, ...], x: float, y: float) -> Plane:
    """A mask with its centre at (x, y) pixels of a plane (h, w); what sticks out is cut."""
    move = np.array([[1, 0, x - mask.shape[1] / 2], [0, 1, y - mask.shape[0] / 2]], np.float32)
    return cv2.warpAffine(mask, move, (shape[1], shape[0]), flags=cv2.INTER_LINEAR)


@lru_cache(maxsize=128)
def digits_mask(style: FaceStyle, text: str, width: int) -> Plane:
    """The number of a tile on the whole face: (h, w), 0..1."""
    h, w = plastic.shape_of(style, width)
    digits = style.digits
    drawn = number(digits.typeface, text, digits.tracking)
    high = digits.height * h
    natural = drawn.shape[1] * high / drawn.shape[0] * digits.squeeze
    room = w * ROOM - max(0.0, digits.weight) * high
    fit = min(1.0, room / natural)
    shrink = min(1.0, fit / NARROWEST)
    mask = reshape(
        drawn, round(high * shrink), round(natural * fit), digits.weight * min(1.0, 0.3 + 0.7 * fit), digits.shear,
        digits.rounding,
    )  # fmt: skip
    placed = _place(mask, (h, w), w / 2, digits.centre * h)
    if text in {"6", "9"} and digits.nine_mark is not NineMark.NONE:
        _add_nine_mark(placed, style, natural * fit)
    return placed


def _add_nine_mark(placed: Plane, style: FaceStyle, figure_width: float) -> None:
    """A dot or a line under 6 and 9, in place."""
    h, w = placed.shape
    digits = style.digits
    thick = digits.height * h * 0.11
    y = min(digits.centre * h + digits.height * h / 2 + 1.5 * thick, 0.95 * h)
    canvas = np.zeros((h * 2, w * 2), np.uint8)
    if digits.nine_mark is NineMark.DOT:
        cv2.circle(canvas, (w, round(2 * y)), max(2, round(1.5 * thick)), 255, -1)
    else:
        half = round(figure_width * 0.95)
        cv2.line(canvas, (w - half, round(2 * y)), (w + half, round(2 * y)), 255, max(2, round(1.4 * thick)))
    np.maximum(placed, cv2.resize(canvas, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32) / 255, out=placed)


def _draw_digits(
    sheet: Sheet, style: FaceStyle, text: str, ink: Rgb, worn: Plane | float, rng: np.random.Generator
) -> None:
    mask = digits_mask(style, text, sheet.relief.shape[1])
    sheet.shape(mask, style.digits.finish)
    if style.digits.finish is Finish.PRINTED:  # print slips a little from tile to tile
        slip = rng.normal(0, 0.008, 2) * mask.shape[1]
        mask = cv2.warpAffine(mask, np.array([[1, 0, slip[0]], [0, 1, slip[1]]], np.float32), mask.shape[::-1])
    _lay(sheet, mask, ink, worn, style.digits.finish)


def _lay(sheet: Sheet, mask: Plane, ink: Rgb, worn: Plane | float, finish: Finish) -> None:
    """Ink by finish: paint in an engraving is a little darker along the walls."""
    sheet.ink(mask, ink, worn)
    if finish is Finish.ENGRAVED:
        walls = np.clip(mask - cv2.GaussianBlur(mask, (0, 0), max(0.8, mask.shape[1] / 70)), 0, 1)
        sheet.albedo *= 1 - 0.3 * walls[..., None]


@lru_cache(maxsize=64)
def _mark_on_face(style: FaceStyle, ink: int, width: int) -> Plane:
    mark = style.mark
    assert mark is not None
    h, w = plastic.shape_of(style, width)
    mask = mark_mask(mark.shapes[ink], max(3, round(mark.size * w)), mark.outlined)
    return _place(mask, (h, w), w / 2, mark.centre * h)


def _draw_mark(sheet: Sheet, style: FaceStyle, ink: int, joker: bool) -> None:
    mark = style.mark
    assert mark is not None
    width = sheet.relief.shape[1]
    if mark.dish:
        sheet.relief += plastic.dish(style, width, mark.centre, mark.dish, style.body.dish_depth, style.body.dish_rim)
    mask = _mark_on_face(style, ink, width)
    if mark.shapes[ink] == "dish":
        sheet.relief += plastic.dish(style, width, mark.centre, mark.size / 2, style.body.dish_depth, style.body.dish_rim)
        return
    sheet.shape(mask, mark.finish)
    if mark.inked and not joker:
        _lay(sheet, mask, style.inks[ink], 1.0, mark.finish)


@lru_cache(maxsize=8)
def _name_on_face(style: FaceStyle, name: Name, width: int) -> Plane:
    h, w = plastic.shape_of(style, width)
    placed = np.zeros((h, w), np.float32)
    lines = [(name.text, name.width, 0.0)] + ([(name.above, name.width * 0.4, -1.0)] if name.above else [])
    drawn = word(name.typeface, name.text)
    high = min(name.width * w * drawn.shape[0] / drawn.shape[1], 0.12 * h)
    for text, wide, row in lines:
        drawn = word(name.typeface, text)
        size = (max(2, round(wide * w)), max(2, round(high * (1 if not row else 0.45))))
        small = cv2.resize(drawn, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        placed = np.maximum(placed, _place(small, (h, w), w * (0.5 + 0.1 * row), name.centre * h + row * high * 0.85))
    return placed


def _draw_name(sheet: Sheet, style: FaceStyle, name: Name) -> None:
    mask = _name_on_face(style, name, sheet.relief.shape[1])
    sheet.shape(mask, name.finish, 0.6 * style.relief_depth)
    if name.ink:
        sheet.ink(mask, name.ink_rgb, name.ink)


def _draw_joker(sheet: Sheet, style: FaceStyle, joker: Joker, worn: Plane | float) -> None:
    h, w = sheet.relief.shape
    layers = joker_figure(joker.figure, joker.inks, max(8, round(joker.size * w)))
    placed = _place(layers, (h, w), w / 2, joker.centre * h)
    mask = placed[..., 3]
    sheet.shape(mask, joker.finish)
    cover = (mask * worn)[..., None]
    sheet.albedo += placed[..., :3] * np.asarray(worn, np.float32)[..., None] - cover * sheet.albedo
    if joker.word:
        drawn = word(style.digits.typeface, joker.word)
        size = (round(0.7 * w), max(2, round(0.085 * h)))
        text = _place(cv2.resize(drawn, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255, (h, w), w / 2, 0.91 * h)
        sheet.ink(text, joker.inks[0])


def draw_back(style: FaceStyle, width: int, rng: np.random.Generator) -> Face:
    """The side that lies upwards on a tile face down: blank, or with the set's pattern pressed into it."""
    sheet = _blank(style, width, rng, dish=False)
    h, w = sheet.relief.shape
    pattern = _back_pattern(style, h, w)
    if pattern is not None:
        sheet.shape(pattern, Finish.ENGRAVED)
        if style.seed % 3 == 0:
            sheet.ink(pattern, style.inks[style.seed % 4], 0.7)
    return _finish(sheet, style, width, rng, same=True)


def _back_pattern(style: FaceStyle, h: int, w: int) -> Plane | None:
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    if style.back == "word":
        name = style.name.text if style.name else "Burako"
        drawn = word(style.digits.typeface, name)
        small = cv2.resize(drawn, (round(0.7 * w), max(2, round(0.11 * h))), interpolation=cv2.INTER_AREA)
        return _place(small.astype(np.float32) / 255, (h, w), w / 2, h / 2)
    if style.back in {"ring", "star"}:
        return _place(mark_mask(style.back, round(0.5 * w), False), (h, w), w / 2, h / 2)
    inner = plastic.inside(style, w) > 0.12
    if style.back == "dots":
        return (inner & (np.hypot(x % (w / 8) - w / 16, y % (w / 8) - w / 16) < w / 40)).astype(np.float32)
    if style.back == "weave":
        return (inner & (((x + y) % (w / 10) < w / 60) | ((x - y) % (w / 10) < w / 60))).astype(np.float32)
    if style.back == "frame":
        return (np.abs(plastic.inside(style, w) - 0.1) < 0.012).astype(np.float32)
    return None
