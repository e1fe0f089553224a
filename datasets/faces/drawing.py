"""Draws one tile's face: body, hollow, digits or figure, mark, name, then its wear and age."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from datasets.faces import body as plastic
from datasets.faces.age import aged
from datasets.faces.fonts import number, reshape, word
from datasets.faces.inks import COLOURS, Rgb
from datasets.faces.jokers import joker_figure, two_headed
from datasets.faces.marks import mark_mask
from datasets.faces.sheet import Face, Plane, Sheet, blank, finish, place
from datasets.faces.style import FaceStyle, Finish, Joker, Name, NineMark
from datasets.pixels import resized, shares

ROOM = 0.86  # share of the width that digits may fill
NARROWEST = 0.68  # share of their width to which figures are condensed before they are made smaller


def check_tile(tile: str) -> tuple[str, int]:
    """Split a tile's notation into its number, as text, and the index of its ink in COLOURS: ("7",
    0) for `7R`, ("J", -1) for the comodín.

    Raises ValueError for any other text.
    """
    if tile == "J":
        return "J", -1
    if tile[:-1] in {str(n) for n in range(1, 14)} and tile[-1:] in set(COLOURS):
        return tile[:-1], COLOURS.index(tile[-1])
    raise ValueError(f"expected a tile such as '7R', '13K' or 'J', got {tile!r}")


def draw_face(style: FaceStyle, tile: str, width: int, rng: np.random.Generator) -> Face:
    """Draw the face of `tile`, such as `7R`, in the set's style, `width` pixels wide. `rng` decides
    its wear and, for a comodín, which of the set's comodines is drawn.

    Raises ValueError where `tile` is not in the notation or `width` is under 16.
    """
    text, ink = check_tile(tile)
    if width < 16:
        raise ValueError(f"expected a width of 16 pixels or more, got {width!r}")
    if style.age:
        style = aged(style, style.age, rng, bears_number=ink >= 0)
    joker = style.jokers[int(rng.integers(len(style.jokers)))] if ink < 0 else None
    bare = joker is not None and joker.bare
    sheet = blank(style, width, rng, dish=not bare)
    if style.name and not bare:
        _draw_name(sheet, style, style.name)
    if style.mark and not bare:
        _draw_mark(
            sheet, style, max(ink, 0) if joker is None else int(rng.integers(4)), joker is not None
        )
    worn = _worn_ink(style, sheet.relief.shape, rng)
    if joker:
        _draw_joker(sheet, style, joker, worn)
    else:
        _draw_digits(sheet, style, text, style.digits.ink or style.inks[ink], worn, rng)
    return finish(sheet, style, width, rng, _same_turned(style, text, joker))


def _same_turned(style: FaceStyle, text: str, joker: Joker | None) -> bool:
    """Whether the face looks the same upside down. This needs a number or figure that looks the
    same upside down and stands in the middle, and nothing else on the face.
    """
    if joker:
        alone = joker.bare or not (style.mark or style.name or style.body.dish)
        centred = abs(joker.centre - 0.5) < 0.03
        return alone and not joker.word and centred and two_headed(joker.figure, joker.inks)
    alone = not (style.mark or style.name)
    return alone and text == "8" and abs(style.digits.centre - 0.5) < 0.02


def _worn_ink(style: FaceStyle, shape: tuple[int, ...], rng: np.random.Generator) -> Plane | float:
    """Return the share of the ink that is left: (h, w), 0.25..1 at each pixel, or the single number
    1.0 for a tile that is hardly worn.
    """
    wear = style.body.ink_wear * rng.uniform(0, 1.3)
    if wear < 0.08:
        return 1.0
    grain = resized(rng.standard_normal((24, 17), np.float32), shape[::-1], cv2.INTER_LINEAR)
    broad = resized(rng.standard_normal((5, 4), np.float32), shape[::-1], cv2.INTER_CUBIC)
    return np.asarray(
        np.clip(1 - wear * 0.8 * np.clip(0.5 * grain + broad, 0, 1), 0.25, 1), np.float32
    )


@lru_cache(maxsize=128)
def digits_mask(style: FaceStyle, text: str, width: int) -> Plane:
    """Draw the number `text` on a face `width` pixels wide: (h, w), 0..1, the share of each pixel
    that is inked.
    """
    h, w = plastic.shape_of(style, width)
    digits = style.digits
    drawn = number(digits.typeface, text, digits.tracking + max(0.0, digits.weight))
    high = digits.height * h
    natural = drawn.shape[1] * high / drawn.shape[0] * digits.squeeze
    room = w * ROOM - max(0.0, digits.weight) * high
    fit = min(1.0, room / natural)
    shrink = min(1.0, fit / NARROWEST)
    mask = reshape(
        drawn,
        round(high * shrink),
        round(natural * fit),
        digits.weight * min(1.0, 0.3 + 0.7 * fit),
        digits.shear,
        digits.rounding,
    )
    placed = place(mask, (h, w), w / 2, digits.centre * h)
    if text in {"6", "9"} and digits.nine_mark is not NineMark.NONE:
        _add_nine_mark(placed, style, natural * fit)
    return placed


def _add_nine_mark(placed: Plane, style: FaceStyle, figure_width: float) -> None:
    """Add to 6 and 9 what tells them apart in this style, in place: a dot or a line under the
    figure, or a full stop after it. `placed` is the mask of the number on the face, (h, w) 0..1,
    and `figure_width` is the width of the number in pixels.
    """
    h, w = placed.shape
    digits = style.digits
    thick = digits.height * h * 0.11
    y = min(digits.centre * h + digits.height * h / 2 + 1.5 * thick, 0.95 * h)
    canvas = np.zeros((h * 2, w * 2), np.uint8)
    if digits.nine_mark is NineMark.POINT:
        foot = (digits.centre + digits.height / 2) * h - 0.6 * thick
        at = (min(w + figure_width + 2.4 * thick, 1.9 * w), 2 * foot)
        cv2.circle(canvas, (round(at[0]), round(at[1])), max(2, round(1.3 * thick)), 255, -1)
    elif digits.nine_mark is NineMark.DOT:
        cv2.circle(canvas, (w, round(2 * y)), max(2, round(1.5 * thick)), 255, -1)
    else:
        half = round(figure_width * 0.95)
        cv2.line(
            canvas,
            (w - half, round(2 * y)),
            (w + half, round(2 * y)),
            255,
            max(2, round(1.4 * thick)),
        )
    np.maximum(placed, shares(resized(canvas, (w, h))), out=placed)


def _draw_digits(
    sheet: Sheet,
    style: FaceStyle,
    text: str,
    ink: Rgb,
    worn: Plane | float,
    rng: np.random.Generator,
) -> None:
    mask = digits_mask(style, text, sheet.relief.shape[1])
    sheet.shape(mask, style.digits.finish)
    if style.digits.finish is Finish.PRINTED:  # print slips and turns a little from tile to tile
        h, w = mask.shape
        move = cv2.getRotationMatrix2D((w / 2, h / 2), rng.normal(0, 0.6), 1)
        move[:, 2] += rng.normal(0, 0.008, 2) * w
        mask = np.asarray(cv2.warpAffine(mask, move, (w, h)), np.float32)
    _lay(sheet, mask, ink, worn, style.digits.finish)


def _lay(sheet: Sheet, mask: Plane, ink: Rgb, worn: Plane | float, finish: Finish) -> None:
    """Lay the colour `ink`, RGB 0..255, on the sheet through the mask, (h, w) 0..1, in place.
    `worn` says how much of the ink is left, 0..1. In an engraving the paint is a little darker
    along the walls.
    """
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
    return place(mask, (h, w), w / 2, mark.centre * h)


def _draw_mark(sheet: Sheet, style: FaceStyle, ink: int, joker: bool) -> None:
    mark = style.mark
    assert mark is not None
    width = sheet.relief.shape[1]
    if mark.dish:
        sheet.relief += plastic.dish(style, width, mark.centre, mark.dish)
    mask = _mark_on_face(style, ink, width)
    if mark.shapes[ink] == "dish":
        sheet.relief += plastic.dish(style, width, mark.centre, mark.size / 2)
        return
    sheet.shape(mask, mark.finish)
    if mark.inked and not joker:
        _lay(sheet, mask, style.inks[ink], 1.0, mark.finish)


@lru_cache(maxsize=8)
def _name_on_face(style: FaceStyle, name: Name, width: int) -> Plane:
    h, w = plastic.shape_of(style, width)
    placed = np.zeros((h, w), np.float32)
    lines = [(name.text, name.width, 0.0)] + (
        [(name.above, name.width * 0.4, -1.0)] if name.above else []
    )
    drawn = word(name.typeface, name.text)
    high = min(name.width * w * drawn.shape[0] / drawn.shape[1], 0.12 * h)
    for text, wide, row in lines:
        drawn = word(name.typeface, text)
        size = (max(2, round(wide * w)), max(2, round(high * (1 if not row else 0.45))))
        small = shares(resized(drawn, size))
        placed = np.maximum(
            placed, place(small, (h, w), w * (0.5 + 0.1 * row), name.centre * h + row * high * 0.85)
        )
    return placed


def _draw_name(sheet: Sheet, style: FaceStyle, name: Name) -> None:
    mask = _name_on_face(style, name, sheet.relief.shape[1])
    sheet.shape(mask, name.finish, 0.6 * style.relief_depth)
    if name.ink:
        sheet.ink(mask, name.ink_rgb, name.ink)


def _draw_joker(sheet: Sheet, style: FaceStyle, joker: Joker, worn: Plane | float) -> None:
    h, w = sheet.relief.shape
    layers = joker_figure(
        joker.figure, joker.inks, round(joker.size * w), round(joker.size * joker.stretch * w)
    )
    placed = place(layers, (h, w), w / 2, joker.centre * h)
    mask = placed[..., 3]
    sheet.shape(mask, joker.finish)
    cover = (mask * worn)[..., None]
    sheet.albedo += placed[..., :3] * np.asarray(worn, np.float32)[..., None] - cover * sheet.albedo
    if joker.word:
        drawn = word(style.digits.typeface, joker.word)
        size = (round(0.7 * w), max(2, round(0.085 * h)))
        small = shares(resized(drawn, size))
        text = place(small, (h, w), w / 2, joker.word_at * h)
        sheet.ink(text, joker.inks[0])
