"""Reads the habits of each kind of set from `presets.toml`: which colours, typefaces and marks such
sets have, and how often.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from datasets.faces.style import Kind

Shares = dict[str, float]  # how often each choice is made, relative to the sum of all


@dataclass(frozen=True)
class Habits:
    """How sets of one kind are made.

    Numbers described as shares are 0..1; each dictionary maps choices to how often they are made.
    """

    share: float  # how often the kind itself is chosen
    type_groups: Shares  # families of typefaces
    bodies: Shares  # colours of the plastic, names in BODIES
    finishes: tuple[float, float, float]  # digits printed, engraved, embossed
    heights: tuple[float, float]  # of the digits, shares of the face's height: from, to
    nines: tuple[float, float, float, float]  # what tells 6 from 9, as in NineMark
    marked: float  # share of sets with a mark below the digits
    named: float  # share of sets with the maker's name
    dished: float  # share of sets with a dish in the face
    figures: Shares  # of comodines; a figure that is not named here counts as 1


_TABLES = tomllib.loads(Path(__file__).with_name("presets.toml").read_text("utf-8"))
HABITS = {Kind(name): Habits(**habits) for name, habits in _TABLES["kinds"].items()}
BODIES: dict[str, list[float]] = _TABLES["bodies"]  # hue in degrees, saturation, value: from, to
RINGS: Shares = _TABLES["rings"]
BACKS: Shares = _TABLES["backs"]
SUITS: list[str] = _TABLES["suits"].split()
WORDS: list[str] = _TABLES["words"]
SYLLABLES: list[str] = _TABLES["syllables"].split()
