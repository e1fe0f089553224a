"""Finds typefaces on this machine, and draws words and numbers with them as masks."""

from __future__ import annotations

import csv
import logging
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from datasets.pixels import resized, shares

FONT_FOLDERS: tuple[Path, ...] = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".fonts",
)
FONT_SUFFIXES = {".ttf", ".otf", ".t1", ".pfb"}
FALLBACK = "built-in"  # the face that comes inside Pillow
EM = 128  # pixels per em of the masters
FIGURES = "0123456789"
ENOUGH = 60  # typefaces; with fewer a reader learns fonts rather than digits

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Typeface:
    """One line of `typefaces.csv`: a font's file stem, the family of looks that it belongs to, such
    as `humanist`, and how often it is chosen relative to the others.
    """

    group: str  # family of looks
    weight: float  # how often it is chosen
    stem: str


def font_files(folders: tuple[Path, ...] | None = None) -> dict[str, Path]:
    """Map the file stem of every font below `folders` (by default FONT_FOLDERS) to its file.

    Where several fonts have the same stem, the one in the first folder counts, and within one
    folder the first in alphabetical order.
    """
    return _files_below(FONT_FOLDERS if folders is None else folders)


@cache
def _files_below(folders: tuple[Path, ...]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
            if path.suffix.lower() in FONT_SUFFIXES:
                found.setdefault(path.stem, path)
    return found


def typefaces(folders: tuple[Path, ...] | None = None) -> tuple[Typeface, ...]:
    """List the typefaces of `typefaces.csv` that are installed below `folders` (by default
    FONT_FOLDERS). Where no such typeface is installed, the list holds only Pillow's built-in
    typeface. Logs a warning, once, where fewer typefaces than ENOUGH are installed.
    """
    return _curated_below(FONT_FOLDERS if folders is None else folders)


@cache
def _curated_below(folders: tuple[Path, ...]) -> tuple[Typeface, ...]:
    with (Path(__file__).with_name("typefaces.csv")).open(newline="") as lines:
        listed = [
            Typeface(row["group"], float(row["weight"]), row["stem"])
            for row in csv.DictReader(lines)
        ]
    here = tuple(face for face in listed if face.stem in font_files(folders))
    if len(here) < ENOUGH:
        log.warning(
            "%d of %d typefaces are installed%s; for a training set install the packages in"
            " datasets/faces/fonts.txt",
            len(here),
            len(listed),
            "" if here else ": every number is drawn with Pillow's built-in face",
        )
    return here or (Typeface("humanist", 1.0, FALLBACK),)


@lru_cache(maxsize=256)
def load(stem: str) -> ImageFont.FreeTypeFont:
    """Load the font with this file stem at EM pixels per em, or Pillow's built-in font where it is
    not installed.
    """
    if path := font_files().get(stem):
        return ImageFont.truetype(str(path), EM)
    built_in = ImageFont.load_default(EM)
    if not isinstance(built_in, ImageFont.FreeTypeFont):
        raise RuntimeError(
            "Pillow was built without FreeType: expected a Pillow that draws scalable fonts"
        )
    return built_in


def drawn(font: ImageFont.FreeTypeFont, text: str) -> NDArray[np.uint8]:
    """Draw a text white on black: (3 em, w), 0..255. Its baseline lies 2 em below the top, and 1 em
    is free on either side.
    """
    em = int(font.size)
    image = Image.new("L", (int(font.getlength(text)) + 2 * em, 3 * em))
    ImageDraw.Draw(image).text((em, 2 * em), text, fill=255, font=font, anchor="ls")
    return np.asarray(image)


@lru_cache(maxsize=64)
def figure_masters(stem: str) -> dict[str, NDArray[np.uint8]]:
    """Draw the figures of the typeface with this file stem. Returns, by the figure from "0" to "9",
    a mask (h, w), 0..255. All masks have the same height, and each is cut to the columns of its
    ink.
    """
    images = {figure: drawn(load(stem), figure) for figure in FIGURES}
    rows = np.nonzero(np.max([image.max(1) for image in images.values()], axis=0) > 96)[0]
    return {figure: _cut_columns(image[rows[0] : rows[-1] + 1]) for figure, image in images.items()}


@lru_cache(maxsize=256)
def word(stem: str, text: str) -> NDArray[np.uint8]:
    """Draw a word or symbol in the typeface with the file stem `stem`, cut to its ink: (h, w),
    0..255. Where the font draws nothing for it, a filled box is returned.
    """
    image = drawn(load(stem), text)
    rows = np.nonzero(image.max(1) > 64)[0]
    return (
        _cut_columns(image[rows[0] : rows[-1] + 1])
        if len(rows)
        else np.full((EM, EM), 255, np.uint8)
    )


def _cut_columns(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    columns = np.nonzero(image.max(0) > 64)[0]
    return (
        image[:, columns[0] : columns[-1] + 1]
        if len(columns)
        else np.full((image.shape[0], EM // 2), 255, np.uint8)
    )


def number(stem: str, text: str, tracking: float) -> NDArray[np.uint8]:
    """Draw the number `text` in the typeface with the file stem `stem`, white on black: (h, w),
    0..255. `tracking` is the gap between two digits as a share of their height.
    """
    masters = figure_masters(stem)
    height = masters["0"].shape[0]
    gap = np.zeros((height, max(1, round(tracking * height))), np.uint8)
    pieces = [piece for figure in text for piece in (gap, masters[figure])]
    return np.hstack(pieces[1:])


def reshape(
    mask: NDArray[np.uint8], height: int, width: int, weight: float, shear: float, rounding: float
) -> NDArray[np.float32]:
    """Stretch a mask, (h, w) 0..255, to `height` x `width` pixels, then change its strokes, slant
    and corners.

    `weight` is how much the strokes gain (positive) or lose, and `rounding` the radius by which
    corners are rounded, both as shares of the height; `shear` is the slant, run over rise. Returns
    a mask 0..1, a little larger than asked for on all sides to hold the changes.
    """
    double = 2  # changes are made at twice the size, so thresholds leave smooth edges
    large = resized(mask, (max(2, width * double), max(2, height * double)))
    pad = int(double * (2 + np.ceil(height * (abs(weight) + abs(shear) / 2 + rounding))))
    pad += pad % double
    image = cv2.copyMakeBorder(large, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    if shear:
        move = np.array([[1, -shear, shear * image.shape[0] / 2], [0, 1, 0]], np.float32)
        image = cv2.warpAffine(
            image, move, (image.shape[1], image.shape[0]), flags=cv2.INTER_LINEAR
        )
    if (step := weight * height * double / 2) and abs(step) >= 0.5:
        side = 2 * max(1, round(abs(step))) + 1
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
        image = cv2.dilate(image, kernel) if step > 0 else cv2.erode(image, kernel)
    soft = shares(np.asarray(image, np.uint8))
    if (sigma := rounding * height * double) > 0.6:
        soft = np.clip((cv2.GaussianBlur(soft, (0, 0), sigma) - 0.5) * 3 * sigma + 0.5, 0, 1)
    return resized(soft, (image.shape[1] // double, image.shape[0] // double))
