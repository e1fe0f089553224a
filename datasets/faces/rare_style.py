"""Chooses the styles of sets that are seldom met: small dark numbers in a frame of ornaments, old
and bleached tiles, inks of any hue. The networks are trained on some, so that less about a set
surprises them. They are never shown a frame of rings, which `odd_style` keeps for the benchmark.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.faces.fonts import typefaces
from datasets.faces.inks import Rgb
from datasets.faces.marks import SHAPES
from datasets.faces.odd_style import Oddity, odd_style
from datasets.faces.random_style import chance, one_of, pick, random_style, settled
from datasets.faces.style import FaceStyle, Finish, Mark, Motif, NineMark, Ornament

FRAMED, OLD, ANY_INKS = "framed", "old", "any inks"
SHARES = {FRAMED: 0.6, OLD: 0.2, ANY_INKS: 0.2}
MOTIFS = tuple(motif for motif in Motif if motif is not Motif.RING)
MARKS = tuple(shape for shape in SHAPES if shape not in {"dish", "line"})


def rare_style(rng: np.random.Generator) -> FaceStyle:
    """Choose the style of one such set at random."""
    what = pick(rng, SHARES)
    if what == OLD:
        return odd_style(rng, Oddity.OLD)
    return odd_style(rng, Oddity.INKS) if what == ANY_INKS else _framed(rng)


def _framed(rng: np.random.Generator) -> FaceStyle:
    """Choose a set whose faces have a frame and small numbers. In three of four such sets the
    numbers are dark, and a mark alone tells the colour.
    """
    style = random_style(rng)
    dark = chance(rng, 0.75)
    height = float(rng.uniform(0.16, 0.34))
    digits = replace(
        style.digits,
        typeface=one_of(rng, typefaces()).stem,
        height=height,
        centre=float(rng.uniform(0.17, 0.27) + height / 2),
        squeeze=float(rng.uniform(0.8, 1.1)),
        nine_mark=pick(rng, {NineMark.NONE: 6, NineMark.DOT: 1, NineMark.LINE: 1}),
        ink=_dark(rng) if dark else None,
    )
    mark = _mark(rng) if dark or chance(rng, 0.5) else None
    ornament = _ornament(rng) if chance(rng, 0.85) else None
    body = replace(
        style.body,
        frame=0.0 if ornament else float(rng.uniform(0.05, 0.09)),
        dish=0.0,
        ornament=ornament,
        frame_rgb=_dark(rng) if chance(rng, 0.5) else one_of(rng, style.inks),
    )
    framed = settled(replace(style, digits=digits, mark=mark, name=None, body=body))
    # Where no room is left for the mark, the numbers themselves have the colours.
    inked = framed if framed.mark else replace(framed, digits=replace(framed.digits, ink=None))
    return inked


def _dark(rng: np.random.Generator) -> Rgb:
    red, green, blue = (int(rng.integers(10, 90)) for _ in range(3))
    grey = round((red + green + blue) / 3)
    return (red, green, blue) if chance(rng, 0.3) else (grey, grey, grey)


def _mark(rng: np.random.Generator) -> Mark:
    one = one_of(rng, MARKS)
    shapes = (one, one, one, one)
    if chance(rng, 0.25):
        first, second, third, fourth = rng.choice(MARKS, 4, replace=False)
        shapes = (str(first), str(second), str(third), str(fourth))
    return Mark(
        shapes=shapes,
        size=float(rng.uniform(0.14, 0.34)),
        centre=float(rng.uniform(0.64, 0.76)),
        inked=True,
        outlined=chance(rng, 0.15),
        finish=Finish.PRINTED,
        dish=0.0,
    )


def _ornament(rng: np.random.Generator) -> Ornament:
    size = float(rng.uniform(0.015, 0.04))
    return Ornament(
        motif=one_of(rng, MOTIFS),
        inset=float(rng.uniform(0.05, 0.1)),
        step=size * float(rng.uniform(2.2, 4.0)),
        size=size,
        filled=chance(rng, 0.6),
    )
