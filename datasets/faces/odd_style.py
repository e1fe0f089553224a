"""Chooses the styles of sets that are unlike all sets sold today, for the benchmark. Of what the
networks are trained on, `rare_style` is the nearest.
"""

from __future__ import annotations

import colorsys
from dataclasses import replace
from enum import Enum

import numpy as np

from datasets.faces.fonts import typefaces
from datasets.faces.inks import COLOURS, Inks, Rgb, apart, lab_distance
from datasets.faces.random_style import one_of, random_style
from datasets.faces.style import Age, FaceStyle, Finish, Mark, Motif, NineMark, Ornament

LEAST_CONTRAST = 35.0  # CIE76 between an ink and the body
MARKS = ("dot", "heart", "diamond", "star", "clover")
BEADS = Ornament(Motif.RING, inset=0.07, step=0.078, size=0.026, filled=False)
BEADS_RGB = ((96, 64, 40), (40, 84, 60), (120, 40, 44), (60, 66, 110))


class Oddity(Enum):
    """What is odd about a set."""

    INKS = "inks"  # four inks of any hue, numbers in a serif or fancy typeface
    OLD = "old"  # bleached and yellowed, some tiles made anew by hand
    MARKS = "marks"  # small black numbers in a frame of beads; a mark alone tells the colour


def odd_style(rng: np.random.Generator, oddity: Oddity) -> FaceStyle:
    """Choose at random the style of one set that is odd in the way that `oddity` names."""
    style = random_style(rng)
    if oddity is Oddity.INKS:
        digits = replace(style.digits, typeface=_typeface(rng, "serif", "fancy"))
        return replace(style, inks=_any_inks(rng, style.body_rgb), digits=digits, known_inks=False)
    if oddity is Oddity.OLD:
        least = float(rng.uniform(0.3, 0.5))
        age = Age(
            kept=(least, least + 0.35),
            yellowed=float(rng.uniform(0.3, 1.0)),
            mended=0.05,
            mended_typeface=_typeface(rng, "fancy"),
        )
        body = replace(style.body, ink_wear=float(rng.uniform(0.4, 1.0)), smudges=1.0)
        return replace(style, age=age, body=body)
    return _marked(rng, style)


def _marked(rng: np.random.Generator, style: FaceStyle) -> FaceStyle:
    height = float(rng.uniform(0.18, 0.26))
    digits = replace(
        style.digits,
        typeface=_typeface(rng, "serif", "humanist"),
        height=height,
        centre=float(rng.uniform(0.28, 0.34)),
        nine_mark=NineMark.NONE,
        ink=(30, 28, 28),
    )
    mark = Mark(
        shapes=(one_of(rng, MARKS),) * 4,
        size=float(rng.uniform(0.18, 0.30)),
        centre=float(rng.uniform(0.66, 0.72)),
        inked=True,
        outlined=False,
        finish=Finish.PRINTED,
        dish=0.0,
    )
    body = replace(
        style.body, frame=0.0, dish=0.0, ornament=BEADS, frame_rgb=one_of(rng, BEADS_RGB)
    )
    return replace(style, digits=digits, mark=mark, name=None, body=body)


def _typeface(rng: np.random.Generator, *groups: str) -> str:
    """Choose at random a typeface of one of the `groups` of `typefaces.csv`, or any typeface where
    none of them is installed; return its file stem.
    """
    faces = [face for face in typefaces() if face.group in groups]
    return one_of(rng, faces or typefaces()).stem


def _any_inks(rng: np.random.Generator, body: Rgb) -> Inks:
    """Choose at random four inks of any hue, RGB each, in the order of COLOURS. They differ clearly
    from each other and from `body`, the colour of the tile.
    """
    while True:
        red, blue, black, yellow = (_any_ink(rng) for _ in COLOURS)
        inks: Inks = (red, blue, black, yellow)
        if apart(inks) and min(lab_distance(ink, body) for ink in inks) > LEAST_CONTRAST:
            return inks


def _any_ink(rng: np.random.Generator) -> Rgb:
    saturation, value = rng.uniform(0.3, 1.0), rng.uniform(0.2, 0.85)
    red, green, blue = colorsys.hsv_to_rgb(rng.random(), saturation, value)
    return round(255 * red), round(255 * green), round(255 * blue)
