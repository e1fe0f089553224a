"""Habits of each kind of set, as tables: what is chosen, and how often."""

from __future__ import annotations

from datasets.faces.style import Kind

KINDS = {
    Kind.BURAKO: 30,
    Kind.IVORY: 20,
    Kind.MODERN: 15,
    Kind.BIG: 12,
    Kind.OKEY: 15,
    Kind.WILD: 8,
}
TYPE_GROUPS: dict[Kind, dict[str, float]] = {
    Kind.BURAKO: {
        "grotesque": 45,
        "condensed": 22,
        "humanist": 10,
        "geometric": 12,
        "rounded": 6,
        "serif": 5,
    },
    Kind.IVORY: {"grotesque": 55, "condensed": 25, "humanist": 10, "geometric": 8, "serif": 2},
    Kind.MODERN: {"humanist": 40, "geometric": 30, "grotesque": 15, "rounded": 10, "condensed": 5},
    Kind.BIG: {
        "grotesque": 45,
        "condensed": 20,
        "humanist": 15,
        "geometric": 10,
        "rounded": 6,
        "serif": 4,
    },
    Kind.OKEY: {
        "grotesque": 20,
        "condensed": 25,
        "rounded": 20,
        "serif": 15,
        "humanist": 12,
        "fancy": 8,
    },
    Kind.WILD: {
        "grotesque": 1,
        "condensed": 1,
        "humanist": 1,
        "geometric": 1,
        "rounded": 1,
        "serif": 1.5,
        "fancy": 2,
    },
}
BODIES: dict[
    str, tuple[float, float, float, float, float, float]
] = {  # hue, saturation, value: from, to
    "warm white": (36, 50, 0.03, 0.09, 0.92, 0.98),
    "white": (40, 60, 0.00, 0.03, 0.93, 0.99),
    "ivory": (42, 52, 0.10, 0.20, 0.90, 0.97),
    "cream": (44, 56, 0.18, 0.30, 0.88, 0.96),
    "pale yellow": (50, 58, 0.22, 0.36, 0.86, 0.95),
    "aged": (36, 46, 0.18, 0.32, 0.80, 0.91),
    "blue-white": (200, 225, 0.02, 0.07, 0.90, 0.98),
    "light grey": (30, 220, 0.00, 0.04, 0.78, 0.90),
    "pinkish": (8, 28, 0.04, 0.10, 0.90, 0.97),
}
BODY_SHARES: dict[Kind, dict[str, float]] = {
    Kind.BURAKO: {
        "warm white": 42,
        "white": 22,
        "ivory": 18,
        "cream": 6,
        "aged": 4,
        "light grey": 4,
        "blue-white": 4,
    },
    Kind.IVORY: {"ivory": 45, "cream": 18, "warm white": 22, "aged": 12, "pinkish": 3},
    Kind.MODERN: {"white": 50, "warm white": 30, "blue-white": 15, "light grey": 5},
    Kind.BIG: {"warm white": 45, "white": 35, "ivory": 15, "blue-white": 5},
    Kind.OKEY: {
        "cream": 30,
        "pale yellow": 35,
        "ivory": 15,
        "warm white": 10,
        "aged": 5,
        "white": 5,
    },
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
NINES = {  # none, dot, line, point
    Kind.BURAKO: (0.48, 0.18, 0.28, 0.06),
    Kind.IVORY: (0.86, 0.05, 0.07, 0.02),
    Kind.MODERN: (0.25, 0.46, 0.23, 0.06),
    Kind.BIG: (0.55, 0.22, 0.20, 0.03),
    Kind.OKEY: (0.85, 0.06, 0.06, 0.03),
    Kind.WILD: (0.40, 0.25, 0.25, 0.10),
}
MARKED = {
    Kind.BURAKO: 0.68,
    Kind.IVORY: 0.04,
    Kind.MODERN: 0.15,
    Kind.BIG: 0.15,
    Kind.OKEY: 0.93,
    Kind.WILD: 0.65,
}
NAMED = {
    Kind.BURAKO: 0.12,
    Kind.IVORY: 0.82,
    Kind.MODERN: 0.12,
    Kind.BIG: 0.55,
    Kind.OKEY: 0.04,
    Kind.WILD: 0.25,
}
DISHED = {
    Kind.BURAKO: 0.16,
    Kind.IVORY: 0.88,
    Kind.MODERN: 0.04,
    Kind.BIG: 0.0,
    Kind.OKEY: 0.04,
    Kind.WILD: 0.25,
}
RINGS = {"ring": 0.52, "dot": 0.16, "dish": 0.12, "circle": 0.10, "line": 0.05, "star": 0.05}
SUITS = ("heart", "spade", "clover", "diamond", "star", "circle", "dot")
WORDS = (
    "Original",
    "Classic",
    "Clásico",
    "Deluxe",
    "Fichas",
    "Premium",
    "Nacional",
    "De Luxe",
    "1950",
    "Club",
)
SYLLABLES = [
    "bu",
    "ra",
    "ko",
    "ru",
    "mi",
    "kan",
    "ta",
    "lo",
    "ve",
    "ri",
    "do",
    "sa",
    "pe",
    "li",
    "co",
    "mur",
    "fa",
    "go",
    "ni",
    "zar",
    "el",
]
