"""Makes one tile of an old set: bleached, yellowed, or lost and made anew by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.faces.inks import Rgb
from datasets.faces.style import Age, FaceStyle, Finish, Joker

MENDED_BODY = (240, 238, 234)


def aged(style: FaceStyle, age: Age, rng: np.random.Generator, bears_number: bool) -> FaceStyle:
    """Return the style in which one tile of an old set is drawn. `style` is that of the set, and
    `age` says how it has aged.

    Mostly the tile is bleached and yellowed, each by an amount chosen at random. A tile with a
    number (`bears_number`) may instead have been made anew: in fresh ink on white, with no mark
    below the number. A comodín is never made anew.
    """
    mended = bears_number and rng.random() < age.mended
    body = MENDED_BODY if mended else _yellowed(style.body_rgb, age.yellowed * rng.random())
    style = replace(style, body_rgb=body, age=None)
    if mended:
        digits = replace(
            style.digits, typeface=age.mended_typeface, finish=Finish.PRINTED, weight=0
        )
        plain = replace(style.body, dish=0.0, ink_wear=0.0)
        return replace(style, digits=digits, mark=None, name=None, body=plain)
    kept = float(rng.uniform(*age.kept))
    red, blue, black, yellow = (_mixed(body, ink, kept) for ink in style.inks)
    jokers = tuple(_bleached(joker, body, kept) for joker in style.jokers)
    return replace(style, inks=(red, blue, black, yellow), jokers=jokers)


def _bleached(joker: Joker, body: Rgb, kept: float) -> Joker:
    one, other, third = (_mixed(body, ink, kept) for ink in joker.inks)
    return replace(joker, inks=(one, other, third))


def _yellowed(body: Rgb, share: float) -> Rgb:
    return _mixed(
        body, (round(0.93 * body[0]), round(0.83 * body[1]), round(0.58 * body[2])), share
    )


def _mixed(one: Rgb, other: Rgb, share: float) -> Rgb:
    """Mix two colours: a `share` of 0 gives `one`, a `share` of 1 gives `other`."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue
