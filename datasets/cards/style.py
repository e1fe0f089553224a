"""What a pack of cards looks like: sizes, indices, letters, inks; and random packs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase

import numpy as np

from datasets.cards.packs import Pack, installed
from datasets.faces.fonts import typefaces

Rgb = tuple[float, float, float]

# What is printed for A, J, Q, K (English, Italian, French, German), each with how often.
LETTERS: dict[tuple[str, str, str, str], float] = {
    ("A", "J", "Q", "K"): 0.66,
    ("A", "F", "C", "R"): 0.04,
    ("A", "F", "Q", "R"): 0.02,
    ("A", "F", "D", "R"): 0.04,
    ("A", "B", "D", "K"): 0.10,
    ("A", "V", "D", "R"): 0.07,
    ("1", "V", "D", "R"): 0.04,
    ("1", "J", "Q", "K"): 0.03,
}
# Each kind of mark in the corner of a jolly, with how often.
JOLLY_MARKS: dict[str, float] = {
    "JOKER down": 0.28,
    "JOLLY down": 0.18,
    "COMODIN down": 0.03,
    "JOKER lying": 0.07,
    "JOLLY lying": 0.07,
    "COMODIN lying": 0.02,
    "JOKER": 0.08,
    "star": 0.2,
    "figure": 0.07,
}
SMALL_PRINT = 0.1  # share of packs with the maker's name or such on court cards and aces
# Typefaces with the four signs; where one is missing, the signs are drawn.
SUIT_FONTS = (
    *("DejaVuSans", "DejaVuSans-Bold", "DejaVuSansMono", "Symbola_hint", "STIX-Regular"),
    *("LiberationSans-Bold", "LiberationSerif-Regular", "Tinos-Bold", "ClearSans-Bold"),
    *("FreeSerif", "FreeMonoBold", "PTM75F", "RocknRollOne-Regular", "drawn", "drawn"),
)


@dataclass(frozen=True)
class IndexStyle:
    """How rank and suit stand in a corner. Lengths are in mm; a card is about 88 mm high."""

    font: str  # file stem of the typeface
    rank: float  # height of the rank
    narrow: float  # width of the rank over the typeface's own
    weight: float  # stroke gained (positive) or lost, as a share of the rank's height
    suit: float  # width of the suit
    gap: float  # between rank and suit
    left: float  # from the card's edge to the middle of rank and suit
    top: float  # from the card's upper edge to the rank
    ten: float  # by which the width of the 10 is multiplied
    four: bool  # an index in all four corners; else in two


@dataclass(frozen=True)
class PackStyle:
    """The look of one pack. The artwork `art` gives its court pictures or, where `index` is None,
    its whole cards.
    """

    seed: int  # of what is drawn at random
    width: float  # mm
    height: float  # mm
    art: Pack | None  # None: everything is drawn here
    index: IndexStyle | None
    own_pips: bool  # pips of A to 10 drawn here, else the artwork's
    letters: tuple[str, str, str, str]  # of ace, jack, queen and king
    inks: dict[str, Rgb]  # by suit
    paper: Rgb  # colour of the paper
    suit_font: str  # file stem of a typeface; where it is missing, suits are drawn
    jolly_mark: str  # in the corner of a jolly, one of JOLLY_MARKS
    gloss: float  # how strongly it mirrors, 0..1
    frame: float  # mm from the edge to a printed frame around courts, 0: none
    dirt: float  # 0..1
    pictograms: bool = True  # whether court pictures may be pictograms of typefaces
    small_print: str = ""  # words on court cards, aces and jollies, such as the maker's name


def _inks(rng: np.random.Generator) -> dict[str, Rgb]:
    red = (rng.uniform(170, 235), rng.uniform(10, 60), rng.uniform(10, 60))
    dark = rng.uniform(5, 55)
    black = (dark + rng.uniform(-5, 5), dark + rng.uniform(-5, 5), dark + rng.uniform(-5, 5))
    inks: dict[str, Rgb] = {"H": red, "D": red, "C": black, "S": black}
    if rng.random() < 0.08:  # four colours
        inks["C"] = (rng.uniform(0, 40), rng.uniform(90, 150), rng.uniform(20, 70))
        blue = (rng.uniform(10, 60), rng.uniform(70, 130), rng.uniform(170, 230))
        orange = (rng.uniform(210, 245), rng.uniform(110, 150), rng.uniform(0, 40))
        inks["D"] = blue if rng.random() < 0.7 else orange
    return inks


def _random_index(rng: np.random.Generator) -> IndexStyle:
    faces = typefaces()
    weights = np.array([face.weight for face in faces])
    jumbo = rng.random() < 0.3
    rank = rng.uniform(11, 19) if jumbo else rng.uniform(5.5, 11)
    narrow = rng.uniform(0.65, 1.1) if jumbo else rng.uniform(0.5, 1.0)
    suit = rank * (rng.uniform(0.55, 0.85) if jumbo else rng.uniform(0.5, 0.95))
    return IndexStyle(
        font=faces[int(rng.choice(len(faces), p=weights / weights.sum()))].stem,
        rank=rank,
        narrow=narrow,
        weight=rng.uniform(-0.02, 0.03),
        suit=suit,
        gap=rng.uniform(0.3, 2.2),
        left=max(0.5 * rank * narrow, 0.5 * suit) + rng.uniform(0.8, 3.0),
        top=rng.uniform(1.6, 6.0),
        ten=rng.uniform(0.6, 0.9),
        four=bool(rng.random() < (0.3 if jumbo else 0.5)),
    )


def random_pack(seed: int, printed: float = SMALL_PRINT) -> PackStyle:
    """Choose the look of a pack at random. Somewhat more than a third of the packs show artwork as
    it is; the others have indices that `datasets.cards.drawing` draws. `printed` is the share of
    packs with words on court cards and aces.
    """
    rng = np.random.default_rng([seed, 21])
    packs = installed()
    art = packs[int(rng.integers(len(packs)))] if packs and rng.random() < 0.93 else None
    own_index = art is None or rng.random() < 0.6
    narrow = rng.random() < 0.25  # bridge size
    light = rng.uniform(222, 255)
    cream = rng.uniform(0, 22) if rng.random() < 0.3 else rng.uniform(0, 5)
    letters = list(LETTERS)
    chances = np.array(list(LETTERS.values()))
    return PackStyle(
        seed=seed,
        width=57.0 if narrow else rng.uniform(60, 64),
        height=rng.uniform(86, 90),
        art=art,
        index=_random_index(rng) if own_index else None,
        own_pips=bool(art is None or rng.random() < 0.6),
        letters=letters[int(rng.choice(len(letters), p=chances / chances.sum()))],
        inks=_inks(rng),
        paper=(light, light - cream * 0.3, light - cream),
        suit_font=str(rng.choice(SUIT_FONTS)),
        jolly_mark=str(rng.choice(list(JOLLY_MARKS), p=list(JOLLY_MARKS.values()))),
        gloss=float(rng.choice([0.1, 0.5, 0.9])),
        frame=float(rng.choice([0, rng.uniform(7, 13)])),
        dirt=float(rng.uniform(0, 1) ** 3),
        small_print=_some_words(rng) if rng.random() < printed else "",
    )


def pack_as_drawn(seed: int, artwork: Sequence[Pack]) -> PackStyle:
    """Choose the look of a pack at random, but for its cards: they show one of `artwork` as it is,
    with its own indices and pips, and no words besides.
    """
    art = artwork[int(np.random.default_rng([seed, 77]).integers(len(artwork)))]
    plain = replace(random_pack(seed), index=None, own_pips=False, frame=0.0, small_print="")
    return replace(plain, art=art)


def _some_words(rng: np.random.Generator) -> str:
    """Make up one to three words of two to nine letters."""
    words = [rng.choice(list(ascii_uppercase), int(rng.integers(2, 10))) for _ in range(3)]
    return " ".join("".join(word) for word in words[: int(rng.choice([1, 1, 2, 3]))])
