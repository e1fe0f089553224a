"""Random sets: each kind has its own habits, each set its own choices within them."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from datasets.faces.fonts import typefaces
from datasets.faces.inks import Rgb, random_inks
from datasets.faces.jokers import FIGURES
from datasets.faces.marks import SHAPES
from datasets.faces.style import Body, Digits, Edge, FaceStyle, Finish, Joker, Kind, Mark, Name, NineMark

T = TypeVar("T")
Rng = np.random.Generator

TYPE_GROUPS: dict[Kind, dict[str, float]] = {
    Kind.BURAKO: {"grotesque": 45, "condensed": 22, "humanist": 10, "geometric": 12, "rounded": 6, "serif": 5},
    Kind.IVORY: {"grotesque": 55, "condensed": 25, "humanist": 10, "geometric": 8, "serif": 2},
    Kind.MODERN: {"humanist": 40, "geometric": 30, "grotesque": 15, "rounded": 10, "condensed": 5},
    Kind.BIG: {"grotesque": 45, "condensed": 20, "humanist": 15, "geometric": 10, "rounded": 6, "serif": 4},
    Kind.OKEY: {"grotesque": 20, "condensed": 25, "rounded": 20, "serif": 15, "humanist": 12, "fancy": 8},
    Kind.WILD: {"grotesque": 1, "condensed": 1, "humanist": 1, "geometric": 1, "rounded": 1, "serif": 1.5, "fancy": 2},
}
BODIES: dict[str, tuple[float, float, float, float, float, float]] = {  # hue, saturation, value: from, to
    "warm white": (36, 50, 0.03, 0.09, 0.92, 0.98),
    "white": (40, 60, 0.00, 0.03, 0.93, 0.99),
    "ivory": (42, 52, 0.10, 0.20, 0.90, 0.97),
    "cream": (44, 56, 0.18, 0.30, 0.88, 0.96),
    "pale yellow": (50, 58, 0.22, 0.36, 0.86, 0.95),
    "aged": (34, 46, 0.22, 0.40, 0.76, 0.90),
    "blue-white": (200, 225, 0.02, 0.07, 0.90, 0.98),
    "light grey": (30, 220, 0.00, 0.04, 0.78, 0.90),
    "pinkish": (8, 28, 0.04, 0.10, 0.90, 0.97),
}
BODY_SHARES: dict[Kind, dict[str, float]] = {
    Kind.BURAKO: {"warm white": 42, "white": 22, "ivory": 18, "cream": 6, "aged": 4, "light grey": 4, "blue-white": 4},
    Kind.IVORY: {"ivory": 45, "cream": 18, "warm white": 22, "aged": 12, "pinkish": 3},
    Kind.MODERN: {"white": 50, "warm white": 30, "blue-white": 15, "light grey": 5},
    Kind.BIG: {"warm white": 45, "white": 35, "ivory": 15, "blue-white": 5},
    Kind.OKEY: {"cream": 30, "pale yellow": 35, "ivory": 15, "warm white": 10, "aged": 5, "white": 5},
    Kind.WILD: dict.fromkeys(BODIES, 1.0),
}
FINISHES: dict[Kind, tuple[float, float, float]] = {  # printed, engraved, embossed
    Kind.BURAKO: (0.40, 0.52, 0.08),
    Kind.IVORY: (0.80, 0.15, 0.05),
    Kind.MODERN: (0.85, 0.13, 0.02),
    Kind.BIG: (0.30, 0.66, 0.04),
    Kind.OKEY: (0.15, 0.82, 0.03),
    Kind.WILD: (0.40, 0.40, 0.20),
}
HEIGHTS = {  # of the digits, shares of the face's height
    Kind.BURAKO: (0.30, 0.50),
    Kind.IVORY: (0.28, 0.42),
    Kind.MODERN: (0.30, 0.50),
    Kind.BIG: (0.50, 0.75),
    Kind.OKEY: (0.34, 0.48),
    Kind.WILD: (0.28, 0.75),
}
NINES = {  # none, dot, line
    Kind.BURAKO: (0.50, 0.20, 0.30),
    Kind.IVORY: (0.86, 0.06, 0.08),
    Kind.MODERN: (0.25, 0.50, 0.25),
    Kind.BIG: (0.50, 0.25, 0.25),
    Kind.OKEY: (0.85, 0.08, 0.07),
    Kind.WILD: (0.40, 0.30, 0.30),
}
MARKED = {Kind.BURAKO: 0.68, Kind.IVORY: 0.04, Kind.MODERN: 0.15, Kind.BIG: 0.15, Kind.OKEY: 0.93, Kind.WILD: 0.65}
NAMED = {Kind.BURAKO: 0.12, Kind.IVORY: 0.82, Kind.MODERN: 0.12, Kind.BIG: 0.55, Kind.OKEY: 0.04, Kind.WILD: 0.25}
DISHED = {Kind.BURAKO: 0.16, Kind.IVORY: 0.88, Kind.MODERN: 0.04, Kind.BIG: 0.0, Kind.OKEY: 0.04, Kind.WILD: 0.25}
RINGS = {"ring": 0.52, "dot": 0.16, "dish": 0.12, "circle": 0.10, "line": 0.05, "star": 0.05}
SUITS = ("heart", "spade", "clover", "diamond", "star", "circle", "dot")
WORDS = ("Original", "Classic", "Clásico", "Deluxe", "Fichas", "Premium", "Nacional", "De Luxe", "1950", "Club")
SYLLABLES = ("bu", "ra", "ko", "ru", "mi", "kan", "ta", "lo", "ve", "ri", "do", "sa", "pe", "li", "co", "mur", "fa", "go")


def pick(rng: Rng, shares: dict[T, float]) -> T:
    """One key, as often as its share says."""
    values = np.array(list(shares.values()), float)
    return list(shares)[int(rng.choice(len(values), p=values / values.sum()))]


def one_of(rng: Rng, items: Sequence[T]) -> T:
    """One item, all alike."""
    return items[int(rng.integers(len(items)))]


def chance(rng: Rng, share: float) -> bool:
    return bool(rng.random() < share)


def random_style(rng: Rng, kind: Kind | None = None) -> FaceStyle:
    """One set of `kind`, or of a kind drawn by the shares in Kind."""
    kind = kind or pick(rng, {each: each.value for each in Kind})
    body_rgb = _body_rgb(rng, kind)
    inks = random_inks(rng)
    digits = _digits(rng, kind)
    depth = rng.uniform(0.010, 0.035)
    style = FaceStyle(
        kind=kind,
        seed=int(rng.integers(2**31)),
        aspect=float(np.clip(rng.normal(1.4, 0.06), 1.28, 1.55)),
        body_rgb=body_rgb,
        side_rgb=_side_rgb(rng, body_rgb),
        thickness=float(rng.uniform(0.2, 0.5)),
        gloss=float(rng.beta(1.6, 1.6)),
        corner_radius=float(rng.uniform(0.06, 0.20) if kind is Kind.BURAKO else rng.uniform(0.03, 0.16)),
        relief_depth=float(depth),
        inks=inks,
        digits=digits,
        mark=_mark(rng, kind, digits) if chance(rng, MARKED[kind]) else None,
        name=_name(rng, body_rgb) if chance(rng, NAMED[kind]) else None,
        jokers=(),
        body=_body(rng, kind),
        back=pick(rng, {"blank": 6, "word": 1, "ring": 0.7, "dots": 0.5, "frame": 0.5, "star": 0.4, "weave": 0.4}),
    )
    style = _settled(style)
    return replace(style, jokers=tuple(_joker(rng, style) for _ in range(2)))


def _settled(style: FaceStyle) -> FaceStyle:
    """Drop what would collide, and see that 6 and 9 can be told by place, mark or name."""
    digits, mark, name, body = style.digits, style.mark, style.name, style.body
    bottom = digits.centre + digits.height / 2
    if mark and (bottom > 0.68 or mark.centre - (mark.dish or mark.size / 2) / style.aspect < bottom):
        room = (0.93 - bottom) * style.aspect / 2
        extent = mark.dish or mark.size / 2
        scale = min(1.0, room / extent)
        centre = float(np.clip(mark.centre, bottom + 0.01 + extent * scale / style.aspect, 0.95))
        mark = replace(mark, size=mark.size * scale, dish=mark.dish * scale, centre=centre) if scale > 0.45 else None
    if name and (mark or bottom > name.centre - 0.04):
        name = None if mark or bottom > 0.84 else replace(name, centre=float(max(name.centre, bottom + 0.07)))
    if body.dish and digits.height > 0.46:
        body = replace(body, dish=0.0)
    if digits.height > 0.5 and abs(digits.centre - 0.5) < 0.07 and digits.nine_mark is NineMark.NONE and not mark:
        digits = replace(digits, nine_mark=NineMark.LINE)
    return replace(style, digits=digits, mark=mark, name=name, body=body)


def _hsv(hue: float, saturation: float, value: float) -> Rgb:
    red, green, blue = colorsys.hsv_to_rgb(hue % 360 / 360, saturation, value)
    return round(255 * red), round(255 * green), round(255 * blue)


def _body_rgb(rng: Rng, kind: Kind) -> Rgb:
    h0, h1, s0, s1, v0, v1 = BODIES[pick(rng, BODY_SHARES[kind])]
    return _hsv(rng.uniform(h0, h1), rng.uniform(s0, s1), rng.uniform(v0, v1))


def _side_rgb(rng: Rng, body: Rgb) -> Rgb:
    """The sides: the body's colour, sometimes yellower, or a second plastic as in two-coloured tiles."""
    if chance(rng, 0.06):
        return _hsv(rng.uniform(0, 360), rng.uniform(0.2, 0.8), rng.uniform(0.3, 0.9))
    tint = np.array([1.0, rng.uniform(0.96, 1.0), rng.uniform(0.86, 1.0)]) * rng.uniform(0.92, 1.0)
    red, green, blue = (int(part) for part in np.round(np.array(body) * tint))
    return red, green, blue


def _typeface(rng: Rng, kind: Kind) -> str:
    shares = TYPE_GROUPS[kind]
    faces = {face: face.weight for face in typefaces() if face.group in shares}
    group = pick(rng, {group: share for group, share in shares.items() if any(f.group == group for f in faces)})
    return pick(rng, {face: weight for face, weight in faces.items() if face.group == group}).stem


def _digits(rng: Rng, kind: Kind) -> Digits:
    height = float(rng.uniform(*HEIGHTS[kind]))
    free = 1 - height
    top = rng.uniform(0.3, 0.52) * free if height > 0.5 else rng.uniform(0.07, min(0.19, 0.58 - height))
    heavy = kind is Kind.IVORY or kind is Kind.BIG
    plain = chance(rng, 0.35)
    return Digits(
        typeface=_typeface(rng, kind),
        height=height,
        centre=float(top + height / 2),
        squeeze=1.0 if plain else float(rng.uniform(0.70, 1.18)),
        weight=0.0 if plain else float(rng.uniform(0.0, 0.075) if heavy else rng.uniform(-0.03, 0.06)),
        shear=float(rng.uniform(-0.04, 0.16)) if chance(rng, 0.08) else 0.0,
        rounding=float(rng.uniform(0.005, 0.03)) if chance(rng, 0.4) else 0.0,
        tracking=float(rng.uniform(0.03, 0.13)),
        finish=Finish(pick(rng, dict(zip((0, -1, 1), FINISHES[kind], strict=True)))),
        nine_mark=pick(rng, dict(zip(NineMark, NINES[kind], strict=True))),
    )


def _mark(rng: Rng, kind: Kind, digits: Digits) -> Mark:
    suits = kind is Kind.OKEY or (kind is Kind.WILD and chance(rng, 0.5))
    if suits:
        one = one_of(rng, SUITS)
        shapes = tuple(rng.permutation(SUITS[:4])) if chance(rng, 0.3) else (one,) * 4
        dish = float(rng.uniform(0.17, 0.27)) if chance(rng, 0.72) else 0.0
    else:
        shapes, dish = (pick(rng, RINGS if kind is not Kind.WILD else dict.fromkeys(SHAPES, 1.0)),) * 4, 0.0
    size = rng.uniform(0.8, 1.15) * dish if dish else rng.uniform(0.12, 0.40)
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


def _joker(rng: Rng, style: FaceStyle) -> Joker:
    figure = _figure(rng, style.kind)
    names = [pick(rng, {0: 4, 1: 1.2, 2: 3, 3: 1.2}), *rng.permutation(4)]
    inks = [style.inks[int(index)] for index in names]
    size = float(rng.uniform(0.42, 0.88))
    upper = style.digits.centre < 0.45 and chance(rng, 0.6)
    half = size / style.aspect / 2
    centre = float(np.clip(style.digits.centre if upper else rng.uniform(0.42, 0.54), half + 0.05, 0.95 - half))
    bare = centre + half > 0.64 or not upper or chance(rng, 0.2)
    if chance(rng, 0.35):
        inks = [inks[0]] * 3
    return Joker(
        figure=figure,
        inks=(inks[0], inks[1], inks[2]),
        size=size,
        centre=centre,
        finish=style.digits.finish if chance(rng, 0.7) else Finish.PRINTED,
        bare=bare,
        word=one_of(rng, ("JOKER", "COMODIN", "COMODÍN", "Joker", "Comodín")) if chance(rng, 0.15) else "",
    )


def _figure(rng: Rng, kind: Kind) -> str:
    shares = dict.fromkeys(FIGURES, 1.0)
    if kind is Kind.BURAKO:
        shares |= {"jester": 5, "clown": 5, "sun": 3, "star": 2, "smile_ring": 2, "harlequin": 2, "hat": 3}
    if kind is Kind.IVORY or kind is Kind.BIG:
        shares |= {"portrait_ring": 14, "smile_ring": 6}
    if kind is Kind.MODERN:
        shares |= {"mirrored": 8, "smile_ring": 4, "portrait_ring": 3}
    if kind is Kind.OKEY:
        shares |= {"star_ring": 10, "star": 4, "clover_ring": 4}
    return pick(rng, shares)


def _body(rng: Rng, kind: Kind) -> Body:
    worn = rng.beta(1.0, 2.2)  # one age for the whole set, so its wears go together
    edge = pick(rng, {Edge.SHARP: 1, Edge.ROUNDED: 4, Edge.CHAMFER: 5 if kind is Kind.IVORY else 1.6, Edge.RIM: 0.4})
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
        dish=float(rng.uniform(0.30, 0.46)) if chance(rng, DISHED[kind]) else 0.0,
        dish_depth=float(rng.uniform(0.006, 0.03)),
        dish_rim=float(rng.choice([0.0, rng.uniform(0.003, 0.012)])),
        frame=float(rng.uniform(0.05, 0.09)) if chance(rng, 0.025) else 0.0,
        frame_rgb=_hsv(rng.uniform(0, 360), rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.7)),
    )
