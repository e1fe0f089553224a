"""Thousands of figures for comodines besides those of `jokers`: emoji and symbol glyphs, printed in
several ways, and jesters drawn at random.

A figure is named by four words, `source code printing frame`: `emoji 1f921 two ring`, `symbol 265e
shadow bare`, `jester 51234 full bare`. The code is a hexadecimal number, of the glyph or a seed;
the printing says in which colours the figure appears, and the frame what is drawn around it. The
name alone says how a figure is drawn, so sets of tiles stay plain data.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from datasets.faces.fonts import font_files, word
from datasets.faces.inks import Rgb
from datasets.faces.jester import random_jester
from datasets.pixels import resized, shares

Plane = NDArray[np.float32]
Inks = tuple[Rgb, Rgb, Rgb]
SIDE = 192  # side of a figure in pixels
EMOJI_FONT, EMOJI_SIZE = "NotoColorEmoji", 109  # the only size its bitmaps come in
SYMBOL_FONTS = ("Symbola_hint", "DejaVuSans", "DejaVuSans-Bold")
BLOCKS = ((0x1F300, 0x1F64F), (0x1F680, 0x1F6FF), (0x1F900, 0x1FAFF))
SINGLES = "🃏☀☁☂☃☄☎☘☠☢☣☮☯☸☹☺♟♠♣♥♦♨♻⚓⚔⚖⚙⚛⚜⚡⚽⚾⛄⛅⛑⛪⛰⛲⛵✂✈✊✋✌✒✡✨❄❤⭐"
# Glyphs that show digits or letters, are plain discs or squares, or only change another glyph.
LEFT_OUT = (
    (0x1F3B1, 0x1F3B1), (0x1F3E7, 0x1F3E7), (0x1F3F3, 0x1F3F4), (0x1F3FB, 0x1F3FF),
    (0x1F4AF, 0x1F4AF),
    (0x1F4C5, 0x1F4C6), (0x1F500, 0x1F53D), (0x1F550, 0x1F567), (0x1F5D3, 0x1F5D3),
    (0x1F6A9, 0x1F6BF),
    (0x1F947, 0x1F949), (0x1F9B0, 0x1F9B3),
)  # fmt: skip
HEADS = tuple(range(0x1F600, 0x1F645)) + (
    0x1F921,
    0x1F0CF,
    0x1F31A,
    0x1F31B,
    0x1F31D,
    0x1F31E,
    0x1F3AD,
    0x1F451,
    0x1F3A9,
)
SYMBOLS = (
    "♔♕♖♗♘♚♛♜♝♞☀☂☃★☆☎☘☠☢☮☯☸☹☺☻☼☽☾♈♉♊♋♌♍♎"
    "♏♐♑♒♓♠♣♥♦♫♲⚑⚒⚓⚔⚖⚘⚙⚛⚜⚝⚡✂✈✌✎✚✠✡✢✤✥✦✪✫"
    "✭✯✰✱✲✵✶✷✹✺✻✼✽✾✿❀❁❂❃❄❅❆❇❈❉❊❋❖❤❥❦❧"
)
SYMBOLA_RANGES = (*range(0x1F600, 0x1F640), *range(0x1F400, 0x1F43F), *range(0x1F311, 0x1F320))
SYMBOLA_ONLY = "".join(map(chr, SYMBOLA_RANGES)) + "🃏🎭🎩👑🎪"
PRINTINGS = {"full": 5.0, "poster": 2.0, "two": 2.0, "one": 2.0, "line": 1.5}
FRAMES = {"bare": 7.0, "ring": 1.5, "double": 0.6, "plate": 0.6, "card": 0.5}


@cache
def emoji() -> tuple[int, ...]:
    """List the code points of the emoji that may be drawn and that the colour font on this machine
    has; empty where that font is not installed.
    """
    if EMOJI_FONT not in font_files():
        return ()
    listed = [
        c
        for low, high in BLOCKS
        for c in range(low, high + 1)
        if not any(a <= c <= b for a, b in LEFT_OUT)
    ]
    return tuple(c for c in (*listed, *map(ord, SINGLES)) if _emoji_image(c).getbbox())


@cache
def _emoji_font() -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font_files()[EMOJI_FONT]), EMOJI_SIZE)


def _emoji_image(code: int) -> Image.Image:
    image = Image.new("RGBA", (160, 160), (0, 0, 0, 0))
    ImageDraw.Draw(image).text((8, 8), chr(code), font=_emoji_font(), embedded_color=True)
    return image


def random_pictogram(rng: np.random.Generator) -> str:
    """Choose at random a figure that the fonts on this machine can draw. Return its name, as
    `draw_pictogram` takes it.
    """
    source = rng.choice(["emoji", "head", "symbol", "jester"], p=[0.38, 0.15, 0.17, 0.30])
    printing, frame = (
        str(rng.choice(list(s), p=np.array(list(s.values())) / sum(s.values())))
        for s in (PRINTINGS, FRAMES)
    )
    if source in ("emoji", "head") and emoji():
        known = emoji() if source == "emoji" else [c for c in emoji() if c in HEADS]
        return f"emoji {known[int(rng.integers(len(known)))]:x} {printing} {frame}"
    if source == "symbol" and SYMBOL_FONTS[0] in font_files():
        symbols = SYMBOLS if rng.random() < 0.6 else SYMBOLA_ONLY
        printing = str(rng.choice(["plain", "shadow", "hollow"], p=[0.6, 0.2, 0.2]))
        return f"symbol {ord(symbols[int(rng.integers(len(symbols)))]):x} {printing} {frame}"
    return (
        f"jester {int(rng.integers(1 << 30)):x} {'full' if rng.random() < 0.7 else printing}"
        f" {frame}"
    )


def draw_pictogram(name: str, inks: Inks) -> Plane:
    """Draw a figure by its name, in the given inks: (SIDE, SIDE, 4). The last channel is coverage
    0..1, the others are RGB 0..255 times coverage.

    Raises ValueError for a name that is not of the form `source code printing frame`.
    """
    try:
        source, code, printing, frame = name.split()
        number, framed = int(code, 16), FRAMINGS[frame]
    except (ValueError, KeyError):
        raise ValueError(f"expected 'source code printing frame', got {name!r}") from None
    drawn = (
        _symbol(number, printing, inks)
        if source == "symbol"
        else _printed(_master(source, number), printing, inks)
    )
    return framed(drawn, inks)


@lru_cache(maxsize=256)
def _master(source: str, number: int) -> NDArray[np.uint8]:
    """Return an emoji or a jester in its own colours, as large as fits: (SIDE, SIDE, 4) RGBA.
    `source` is `emoji` or `jester`, and `number` the emoji's code point or the jester's seed. A
    jester also stands in for an emoji where the colour font is not installed.
    """
    image = (
        _emoji_image(number)
        if source == "emoji" and emoji()
        else random_jester(np.random.default_rng(number))
    )
    image = image.crop(image.getbbox())
    scale = (SIDE - 4) / max(image.size)
    image = image.resize(
        (max(1, round(image.width * scale)), max(1, round(image.height * scale))),
        Image.Resampling.LANCZOS,
    )
    square = Image.new("RGBA", (SIDE, SIDE), (0, 0, 0, 0))
    square.paste(image, ((SIDE - image.width) // 2, (SIDE - image.height) // 2))
    return np.asarray(square)


def _printed(master: NDArray[np.uint8], printing: str, inks: Inks) -> Plane:
    """Print a picture, (SIDE, SIDE, 4) RGBA. `printing`, one of PRINTINGS, says how: in its own
    colours; in one ink, two inks, or black and two inks, chosen by its luminance; or as outlines in
    one ink.

    Returns (SIDE, SIDE, 4): coverage 0..1 last, before it RGB 0..255 times coverage.
    """
    cover = shares(master[..., 3])
    if printing == "full":
        return _layers(master[..., :3].astype(np.float32), cover)
    light = np.asarray(
        cv2.GaussianBlur(cv2.cvtColor(master[..., :3], cv2.COLOR_RGB2GRAY), (0, 0), 1.0), np.uint8
    )
    low, middle, high = np.quantile(light[cover > 0.5], [0.3, 0.55, 0.8])
    if printing == "line" or high - low < 25:
        return _layers(_flat(inks[0]), _outlines(light, cover))
    a, b, c = (np.array(ink, np.float32) for ink in inks)
    dark = _below(light, middle)[..., None]
    if printing == "one":
        return _layers(_flat(inks[0]), np.maximum(cover * dark[..., 0], 0.999 * _rim(cover)))
    if printing == "two":
        return _layers(a * dark + b * (1 - dark), cover)
    darkest, darker = _below(light, low)[..., None], _below(light, high)[..., None]
    colours = np.array((20, 20, 22), np.float32) * darkest + (1 - darkest) * (
        a * darker + c * (1 - darker)
    )
    return _layers(colours, cover)


def _below(light: NDArray[np.uint8], threshold: float) -> Plane:
    return np.clip((threshold - light.astype(np.float32)) / 10 + 0.5, 0, 1)


def _rim(cover: Plane) -> Plane:
    inside = cv2.erode(cover, np.ones((7, 7), np.uint8), borderValue=0)
    return np.asarray(np.clip(cover - inside, 0, 1), np.float32)


def _outlines(light: NDArray[np.uint8], cover: Plane) -> Plane:
    """Return the lines of a picture as a line drawing: its rim and where its tones change, (SIDE,
    SIDE) 0..1. `light` is the picture's luminance 0..255 and `cover` its coverage 0..1.
    """
    steps = cv2.morphologyEx(light, cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8)).astype(
        np.float32
    )
    inner = np.clip((steps - 28) / 20, 0, 1) * (cover > 0.5)
    return np.asarray(np.maximum(_rim(cover), inner), np.float32)


def _flat(ink: Rgb) -> Plane:
    return np.broadcast_to(np.array(ink, np.float32), (SIDE, SIDE, 3))


def _layers(colours: Plane, cover: Plane) -> Plane:
    return np.dstack([colours * cover[..., None], cover]).astype(np.float32)


def _over(above: Plane, below: Plane) -> Plane:
    return np.asarray(above + below * (1 - above[..., 3:]), np.float32)


def _moved(layers: Plane, scale: float, dx: float = 0.0, dy: float = 0.0) -> Plane:
    """Shrink a picture, (SIDE, SIDE, 4), about its middle by the factor `scale`, then move it right
    by `dx` and down by `dy`, both as shares of SIDE.
    """
    shift = (1 - scale) * (SIDE - 1) / 2
    move = np.array([[scale, 0, shift + dx * SIDE], [0, scale, shift + dy * SIDE]])
    return np.asarray(cv2.warpAffine(layers, move, (SIDE, SIDE), flags=cv2.INTER_AREA), np.float32)


def _symbol(code: int, printing: str, inks: Inks) -> Plane:
    stem = SYMBOL_FONTS[code % 3] if code < 0x1F000 else SYMBOL_FONTS[0]
    drawn = word(stem if stem in font_files() else SYMBOL_FONTS[0], chr(code))
    scale = (SIDE - 6) / max(drawn.shape)
    size = (max(1, round(drawn.shape[1] * scale)), max(1, round(drawn.shape[0] * scale)))
    y, x = (SIDE - size[1]) // 2, (SIDE - size[0]) // 2
    cover = np.zeros((SIDE, SIDE), np.float32)
    cover[y : y + size[1], x : x + size[0]] = shares(resized(drawn, size))
    figure = _layers(_flat(inks[0]), cover)
    if printing == "shadow":
        return _over(
            _moved(figure, 0.93, -0.03, -0.03),
            _moved(_layers(_flat(inks[1]), cover), 0.93, 0.03, 0.03),
        )
    if printing == "hollow":
        filled = cv2.dilate(cover, np.ones((9, 9), np.uint8))
        return _over(
            _layers(_flat(inks[0]), np.clip(filled - cover, 0, 1)), _layers(_flat(inks[1]), cover)
        )
    return figure


def _circle(radius: float, width: float) -> Plane:
    y, x = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j]
    return np.asarray(
        np.clip((width / 2 - np.abs(np.hypot(x, y) - radius)) * SIDE / 2 + 0.5, 0, 1), np.float32
    )


def _in_ring(figure: Plane, inks: Inks) -> Plane:
    return _over(_moved(figure, 0.62), _layers(_flat(inks[0]), _circle(0.92, 0.12)))


def _in_two_rings(figure: Plane, inks: Inks) -> Plane:
    rings = _over(
        _layers(_flat(inks[0]), _circle(0.94, 0.07)), _layers(_flat(inks[1]), _circle(0.79, 0.07))
    )
    return _over(_moved(figure, 0.50), rings)


def _on_plate(figure: Plane, inks: Inks) -> Plane:
    """Draw a figure, made smaller, on a disc filled with `inks[1]`; return this picture."""
    return _over(_moved(figure, 0.62), _layers(_flat(inks[1]), _circle(0.0, 1.94)))


def _on_card(figure: Plane, inks: Inks) -> Plane:
    """Return the figure, made smaller, within a frame like that of a playing card. The frame is
    printed in the first of the inks.
    """
    frame = np.zeros((SIDE, SIDE), np.uint8)
    cv2.rectangle(frame, (14, 4), (SIDE - 15, SIDE - 5), 255, 5, cv2.LINE_AA)
    return _over(_moved(figure, 0.70), _layers(_flat(inks[0]), shares(frame)))


FRAMINGS: dict[str, Callable[[Plane, Inks], Plane]] = {
    "bare": lambda figure, inks: figure, "ring": _in_ring, "double": _in_two_rings,
    "plate": _on_plate, "card": _on_card,
}  # fmt: skip
