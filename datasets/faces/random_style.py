"""Chooses the styles of sets at random: each kind of set has its habits, and each set its own
choices within them.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from datasets.faces.fonts import typefaces
from datasets.faces.inks import Rgb, golden_black, random_inks
from datasets.faces.jokers import FIGURES, two_headed
from datasets.faces.marks import SHAPES
from datasets.faces.pictograms import random_pictogram
from datasets.faces.presets import BACKS, BODIES, HABITS, RINGS, SUITS, SYLLABLES, WORDS
from datasets.faces.style import (
    Body,
    Digits,
    Edge,
    FaceStyle,
    Finish,
    Joker,
    Kind,
    Mark,
    Name,
    NineMark,
)

T = TypeVar("T")
Rng = np.random.Generator
JOKER_WORDS = ("JOKER", "COMODIN", "COMODÍN", "Joker", "Comodín")
PICTOGRAMS = 0.6  # share of comodines that are not of the kind's own figures


def pick(rng: Rng, shares: Mapping[T, float]) -> T:
    """Choose one key of `shares` at random; the value of a key is how often it is chosen, relative
    to the sum of all.
    """
    values = np.array(list(shares.values()), float)
    return list(shares)[int(rng.choice(len(values), p=values / values.sum()))]


def one_of(rng: Rng, items: Sequence[T]) -> T:
    """Choose one item at random, all with the same probability."""
    return items[int(rng.integers(len(items)))]


def chance(rng: Rng, share: float) -> bool:
    return bool(rng.random() < share)


def random_style(rng: Rng, kind: Kind | None = None) -> FaceStyle:
    """Choose the style of a set of the given kind at random. Where `kind` is None the kind is
    chosen at random too, each as often as HABITS says.
    """
    kind = kind or pick(rng, {each: habits.share for each, habits in HABITS.items()})
    body_rgb = _body_rgb(rng, kind)
    inks = random_inks(rng, body_rgb)
    inks = golden_black(rng, inks) if chance(rng, 0.15) else inks
    name = _name(rng, body_rgb) if chance(rng, HABITS[kind].named) else None
    digits = _digits(rng, kind, name is not None)
    depth = rng.uniform(0.010, 0.035)
    style = FaceStyle(
        kind=kind,
        seed=int(rng.integers(2**31)),
        aspect=float(np.clip(rng.normal(1.4, 0.06), 1.28, 1.55)),
        body_rgb=body_rgb,
        side_rgb=_side_rgb(rng, body_rgb),
        thickness=float(rng.uniform(0.2, 0.5)),
        gloss=float(rng.beta(1.6, 1.6)),
        corner_radius=float(
            rng.uniform(0.06, 0.20) if kind is Kind.BURAKO else rng.uniform(0.03, 0.16)
        ),
        relief_depth=float(depth),
        inks=inks,
        digits=digits,
        mark=_mark(rng, kind, digits) if chance(rng, HABITS[kind].marked) else None,
        name=name,
        jokers=(),
        body=_body(rng, kind),
        back=pick(rng, BACKS),
    )
    style = settled(style)
    return replace(style, jokers=_jokers(rng, style))


def settled(style: FaceStyle) -> FaceStyle:
    """Return the style without collisions on the face. Digits, mark, name and the dish, a round
    hollow, are moved, made smaller or dropped until none of them lies over another. A line is added
    beneath 6 and 9 where nothing else would tell them apart.
    """
    style = replace(style, digits=_with_room_below(style.digits))
    style = replace(style, mark=_fitted_mark(style))
    style = replace(style, name=_fitted_name(style))
    digits = style.digits
    if digits.height > 0.46 and style.body.dish:
        style = replace(style, body=replace(style.body, dish=0.0))
    ambiguous = abs(digits.centre - 0.5) < 0.07 and not style.mark and not style.name
    if ambiguous and digits.nine_mark is NineMark.NONE:
        style = replace(style, digits=_with_room_below(replace(digits, nine_mark=NineMark.LINE)))
    return style


def _lowest(digits: Digits) -> float:
    """Return how far down the face the digits reach, including a dot or line beneath 6 and 9, as a
    share of the face's height.
    """
    beneath = 0.25 if digits.nine_mark in {NineMark.DOT, NineMark.LINE} else 0.0
    return digits.centre + digits.height * (0.5 + beneath)


def _with_room_below(digits: Digits) -> Digits:
    """Return the digits, moved up and made smaller if need be, so that a dot or line beneath 6 and
    9 fits on the face.
    """
    if digits.nine_mark not in {NineMark.DOT, NineMark.LINE}:
        return digits
    height = min(digits.height, 0.72)
    return replace(digits, height=height, centre=min(digits.centre, 0.95 - 0.75 * height))


def _fitted_mark(style: FaceStyle) -> Mark | None:
    """Return the style's mark, moved below the digits and made smaller to fit; None where the style
    has no mark or it would become a speck.
    """
    mark, lowest = style.mark, _lowest(style.digits)
    if mark is None:
        return None
    extent = (mark.dish or mark.size / 2) / style.aspect
    scale = min(1.0, (0.94 - lowest) / 2 / extent)
    if scale < 0.45:
        return None
    centre = float(np.clip(mark.centre, lowest + 0.01 + extent * scale, 0.95 - extent * scale))
    return replace(mark, size=mark.size * scale, dish=mark.dish * scale, centre=centre)


def _fitted_name(style: FaceStyle) -> Name | None:
    """Return the maker's name, moved below the digits; None where the style has no name, a mark
    stands there or no room is left.
    """
    name, lowest = style.name, _lowest(style.digits)
    if name is None or style.mark or lowest > 0.85:
        return None
    return replace(name, centre=max(name.centre, lowest + 0.08 if name.above else lowest + 0.06))


def _hsv(hue: float, saturation: float, value: float) -> Rgb:
    red, green, blue = colorsys.hsv_to_rgb(hue % 360 / 360, saturation, value)
    return round(255 * red), round(255 * green), round(255 * blue)


def _body_rgb(rng: Rng, kind: Kind) -> Rgb:
    h0, h1, s0, s1, v0, v1 = BODIES[pick(rng, HABITS[kind].bodies)]
    return _hsv(rng.uniform(h0, h1), rng.uniform(s0, s1), rng.uniform(v0, v1))


def _side_rgb(rng: Rng, body: Rgb) -> Rgb:
    """Choose the colour of a tile's sides at random: `body`, the colour of the face, a little
    darker and yellower, or seldom another colour, as in two-coloured tiles.
    """
    if chance(rng, 0.06):
        return _hsv(rng.uniform(0, 360), rng.uniform(0.2, 0.8), rng.uniform(0.3, 0.9))
    tint = np.array([1.0, rng.uniform(0.96, 1.0), rng.uniform(0.86, 1.0)]) * rng.uniform(0.92, 1.0)
    red, green, blue = (int(part) for part in np.round(np.array(body) * tint))
    return red, green, blue


def _typeface(rng: Rng, kind: Kind) -> str:
    shares = HABITS[kind].type_groups
    faces = {face: face.weight for face in typefaces() if face.group in shares}
    group = pick(
        rng,
        {group: share for group, share in shares.items() if any(f.group == group for f in faces)},
    )
    return pick(rng, {face: weight for face, weight in faces.items() if face.group == group}).stem


def _digits(rng: Rng, kind: Kind, named: bool) -> Digits:
    height = float(rng.uniform(*HABITS[kind].heights))
    height = min(height, float(rng.uniform(0.44, 0.62))) if named else height  # the name needs room
    free = 1 - height
    top = (
        rng.uniform(0.20 if named else 0.3, 0.30 if named else 0.52) * free
        if height > 0.5
        else rng.uniform(0.07, min(0.19, 0.58 - height))
    )
    heavy = kind is Kind.IVORY or kind is Kind.BIG
    plain = chance(rng, 0.35)
    return Digits(
        typeface=_typeface(rng, kind),
        height=height,
        centre=float(top + height / 2),
        squeeze=1.0 if plain else float(rng.uniform(0.70, 1.18)),
        weight=0.0
        if plain
        else float(rng.uniform(0.0, 0.075) if heavy else rng.uniform(-0.03, 0.06)),
        shear=float(rng.uniform(-0.04, 0.16)) if chance(rng, 0.08) else 0.0,
        rounding=float(rng.uniform(0.005, 0.03)) if chance(rng, 0.4) else 0.0,
        tracking=float(rng.uniform(0.03, 0.13)),
        finish=Finish(pick(rng, dict(zip((0, -1, 1), HABITS[kind].finishes, strict=True)))),
        nine_mark=pick(rng, dict(zip(NineMark, HABITS[kind].nines, strict=True))),
    )


def _mark(rng: Rng, kind: Kind, digits: Digits) -> Mark:
    suits = kind is Kind.OKEY or (kind is Kind.WILD and chance(rng, 0.5))
    if suits:
        one = one_of(rng, SUITS)
        shapes = tuple(rng.permutation(SUITS[:4])) if chance(rng, 0.3) else (one,) * 4
        dish = float(rng.uniform(0.17, 0.27)) if chance(rng, 0.72) else 0.0
    else:
        shapes = (pick(rng, RINGS if kind is not Kind.WILD else dict.fromkeys(SHAPES, 1.0)),) * 4
        dish = 0.0
    size = rng.uniform(0.8, 1.15) * dish if dish else rng.uniform(0.14, 0.46)
    size = size * (0.35 if shapes[0] == "dot" else 1.0)
    inked = chance(rng, 0.9) if suits else chance(rng, 0.25)
    return Mark(
        shapes=(str(shapes[0]), str(shapes[1]), str(shapes[2]), str(shapes[3])),
        size=float(max(size, 0.07)),
        centre=float(rng.uniform(0.68, 0.82)),
        inked=inked or (shapes[0] in {"dot", "circle"} and chance(rng, 0.6)),
        outlined=chance(rng, 0.2),
        finish=digits.finish if inked else Finish(pick(rng, {-1: 8, 1: 2})),
        dish=dish,
    )


def _name(rng: Rng, body: Rgb) -> Name:
    text = "".join(one_of(rng, SYLLABLES) for _ in range(int(rng.integers(2, 5))))
    ink = float(rng.uniform(0.3, 0.9)) if chance(rng, 0.12) else 0.0
    return Name(
        text=text.upper() if chance(rng, 0.25) else text.capitalize(),
        above=one_of(rng, WORDS) if chance(rng, 0.6) else "",
        typeface=one_of(rng, typefaces()).stem,
        width=float(rng.uniform(0.45, 0.86)),
        centre=float(rng.uniform(0.78, 0.90)),
        finish=Finish.PRINTED if ink else Finish(pick(rng, {1: 5, -1: 5})),
        ink=ink,
        ink_rgb=(round(body[0] * 0.55), round(body[1] * 0.52), round(body[2] * 0.5)),
    )


def _jokers(rng: Rng, style: FaceStyle) -> tuple[Joker, ...]:
    """Choose two comodines at random: both alike, one figure in two colours, or two figures."""
    first, second = random_joker(rng, style), random_joker(rng, style)
    return first, pick(rng, {first: 3, replace(first, inks=second.inks): 5, second: 2})


def random_joker(rng: Rng, style: FaceStyle) -> Joker:
    """Choose a comodín at random as the set of this style might have it. Its figure is either drawn
    as on sets of this kind, or a pictogram.
    """
    stored = chance(rng, PICTOGRAMS)
    figure = random_pictogram(rng) if stored else _figure(rng, style.kind)
    inks = _joker_inks(rng, style)
    largest = 0.68 if style.kind is Kind.IVORY else 0.88
    size = float(rng.uniform(0.40, 0.96) if stored else rng.uniform(0.42, largest))
    upper = style.digits.centre < 0.45 and chance(rng, 0.9 if style.kind is Kind.IVORY else 0.6)
    stretch = float(
        rng.uniform(1.0, 1.35)
        if size > 0.75 and chance(rng, 0.4)
        else np.clip(rng.normal(1.0, 0.08), 0.85, 1.25)
    )
    half = size * stretch / style.aspect / 2
    wanted = style.digits.centre if upper else rng.uniform(0.42, 0.54)
    centre = float(np.clip(wanted, half + 0.05, max(0.95 - half, half + 0.05)))
    if not upper and two_headed(figure, inks):
        centre = 0.5
    text = one_of(rng, JOKER_WORDS) if chance(rng, 0.18) else ""
    above = bool(text) and half < 0.30 and chance(rng, 0.3)
    return Joker(
        figure=figure,
        inks=inks,
        size=size,
        stretch=stretch,
        centre=max(centre, 0.2 + half) if above else centre,
        finish=style.digits.finish if chance(rng, 0.7) else Finish.PRINTED,
        bare=bool(text) or centre + half > 0.64 or not upper or chance(rng, 0.2),
        word=text,
        word_at=0.11 if above else 0.91,
    )


def _joker_inks(rng: Rng, style: FaceStyle) -> tuple[Rgb, Rgb, Rgb]:
    """Choose the three inks of a comodín's figure from the inks of the set, the main ink first. In
    about a third of the cases all three are the same ink.
    """
    first, second, third, *_ = [
        style.inks[int(index)]
        for index in (pick(rng, {0: 4, 1: 1.2, 2: 3, 3: 1.2}), *rng.permutation(4))
    ]
    return (first, first, first) if chance(rng, 0.35) else (first, second, third)


def _figure(rng: Rng, kind: Kind) -> str:
    return pick(rng, dict.fromkeys(FIGURES, 1.0) | HABITS[kind].figures)


def _body(rng: Rng, kind: Kind) -> Body:
    worn = rng.beta(1.0, 2.2)  # the age of the whole set, which all its kinds of wear depend on
    edge = pick(
        rng,
        {
            Edge.SHARP: 1,
            Edge.ROUNDED: 4,
            Edge.CHAMFER: 5 if kind is Kind.IVORY else 1.6,
            Edge.RIM: 0.4,
        },
    )
    return Body(
        mottling=float(rng.uniform(0, 0.05)),
        speckle=float(rng.uniform(0, 0.02)),
        gradient=float(rng.uniform(0, 0.05)),
        scratches=float(worn * rng.uniform(0, 1)),
        smudges=float(worn * rng.uniform(0, 1)),
        chips=float(worn * rng.uniform(0, 1) * chance(rng, 0.5)),
        ink_wear=float(worn * rng.uniform(0, 1) * chance(rng, 0.6)),
        dirt=float(worn * rng.uniform(0, 0.35)),
        edge=edge,
        edge_width=float(rng.uniform(0.02, 0.05) if edge is Edge.RIM else rng.uniform(0.025, 0.13)),
        edge_depth=float(rng.uniform(0.008, 0.05)),
        dish=float(rng.uniform(0.30, 0.46)) if chance(rng, HABITS[kind].dished) else 0.0,
        dish_depth=float(rng.uniform(0.006, 0.03)),
        dish_slope=float(rng.uniform(0.3, 1.1)),
        dish_rim=float(rng.choice([0.0, rng.uniform(0.003, 0.012)])),
        frame=float(rng.uniform(0.05, 0.09)) if chance(rng, 0.025) else 0.0,
        frame_rgb=_hsv(rng.uniform(0, 360), rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.7)),
    )
