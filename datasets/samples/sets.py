"""The sets of tiles in the samples: one made for the sample hand, and random ones. All use
typefaces that are free to redistribute.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.faces import FaceStyle, Kind, random_style
from datasets.faces.fonts import font_files
from datasets.faces.style import Body, Digits, Edge, Finish, Joker, Mark, NineMark

TYPEFACES = (
    "NimbusSans-Bold",
    "NimbusSansNarrow-Bold",
    "OpenSans-Bold",
    "RobotoSlab-Bold",
    "Inter-Bold",
    "Lato-Black",
    "Cabin-Bold",
    "Cantarell-Bold",
    "Comfortaa-Bold",
    "Quicksand-Bold",
)
# Drawn with polygons.
FIGURES = ("jester", "sun", "clown", "star", "smile_ring", "hat", "harlequin")
RED, BLUE, BLACK, YELLOW = (192, 24, 34), (26, 62, 152), (26, 26, 28), (226, 148, 8)
BODY_RGB = (247, 242, 228)
# The shape of the tiles is given, so that corners do not change with what is drawn by chance in
# datasets.faces.
BLOCK = {"aspect": 1.4, "thickness": 0.36, "corner_radius": 0.1}

BURAKO = FaceStyle(
    kind=Kind.BURAKO,
    seed=1,
    aspect=1.42,
    body_rgb=BODY_RGB,
    side_rgb=(240, 232, 212),
    thickness=0.36,
    gloss=0.35,
    corner_radius=0.12,
    relief_depth=0.022,
    inks=(RED, BLUE, BLACK, YELLOW),
    digits=Digits(
        typeface="NimbusSans-Bold",
        height=0.40,
        centre=0.31,
        squeeze=1.0,
        weight=0.0,
        shear=0.0,
        rounding=0.006,
        tracking=0.05,
        finish=Finish.ENGRAVED,
        nine_mark=NineMark.NONE,
    ),
    mark=Mark(
        shapes=("ring",) * 4,
        size=0.34,
        centre=0.76,
        inked=False,
        outlined=False,
        finish=Finish.ENGRAVED,
        dish=0.0,
    ),
    name=None,
    jokers=tuple(
        Joker(
            figure="jester",
            inks=inks,
            size=0.74,
            stretch=1.05,
            centre=0.47,
            finish=Finish.PRINTED,
            bare=True,
            word="",
        )
        for inks in ((RED, YELLOW, BLUE), (BLUE, YELLOW, RED))
    ),
    body=Body(
        mottling=0.015,
        speckle=0.006,
        gradient=0.015,
        scratches=0.15,
        smudges=0.15,
        chips=0.0,
        ink_wear=0.0,
        dirt=0.05,
        edge=Edge.ROUNDED,
        edge_width=0.07,
        edge_depth=0.03,
        dish=0.0,
        dish_depth=0.01,
        dish_slope=1.0,
        dish_rim=0.0,
        frame=0.0,
        frame_rgb=BODY_RGB,
    ),
    back="blank",
)


def require_typefaces() -> None:
    """Raise FileNotFoundError where one of TYPEFACES is not installed: without it the samples would
    look different.
    """
    missing = [stem for stem in TYPEFACES if stem not in font_files()]
    if missing:
        raise FileNotFoundError(
            f"expected the typefaces {', '.join(missing)}: run `make training-assets`"
        )


def free_style(seed: int, kind: Kind, typeface: str) -> FaceStyle:
    """Choose a random style of a kind, with its words and numbers in `typeface`, a file stem of
    TYPEFACES, and its comodines drawn from polygons.
    """
    style = random_style(np.random.default_rng([41, seed]), kind)
    jokers = tuple(replace(joker, figure=FIGURES[seed % len(FIGURES)]) for joker in style.jokers)
    name = replace(style.name, typeface=typeface) if style.name else None
    digits = replace(style.digits, typeface=typeface)
    return replace(style, **BLOCK, digits=digits, name=name, jokers=jokers)  # type: ignore[arg-type]
