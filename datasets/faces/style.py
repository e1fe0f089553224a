"""The choices that make one physical set of tiles, and the kinds of sets that are made."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from datasets.faces.inks import Inks, Rgb

TILE_MM = 26.0  # width of every tile


class Kind(Enum):
    """The kinds of sets, named after sets that are sold."""

    BURAKO = "burako"  # Helvetica-like digits, ring or dot or nothing below
    IVORY = "ivory"  # classic Rummikub: bold digits over a dish, name embossed
    MODERN = "modern"  # flat, humanist digits
    BIG = "big"  # digits fill the face
    OKEY = "okey"  # cream, engraved, suit in a dish below
    WILD = "wild"  # any mixture


class Finish(Enum):
    """How ink meets the body. The value says where the ink lies: 0 level with the face, -1 below
    it, 1 above it.
    """

    PRINTED = 0
    ENGRAVED = -1
    EMBOSSED = 1


class NineMark(Enum):
    """What tells 6 from 9 besides the place of the digits."""

    NONE = "none"
    DOT = "dot"  # beneath
    LINE = "line"  # beneath
    POINT = "point"  # to the right, as a full stop


class Edge(Enum):
    """How the face meets the sides."""

    SHARP = "sharp"
    ROUNDED = "rounded"
    CHAMFER = "chamfer"
    RIM = "rim"


@dataclass(frozen=True)
class Digits:
    """Typeface and setting of the numbers. `height` and `centre` are shares of the face's height;
    `weight` (how much the strokes gain or lose), `rounding` and `tracking` are shares of a figure's
    height. `squeeze` is a horizontal scale, and `shear` the slant, run over rise.
    """

    typeface: str  # file stem of the font
    height: float
    centre: float  # how far down the middle of the number lies
    squeeze: float  # horizontal scale of a single figure
    weight: float  # stroke gained or lost, share of the figure's height
    shear: float  # slant: run over rise
    rounding: float  # radius of the strokes' corners, share of the figure's height
    tracking: float  # gap between two figures, share of their height
    finish: Finish
    nine_mark: NineMark
    ink: Rgb | None = None  # of all numbers, where the marks alone tell the colours


@dataclass(frozen=True)
class Mark:
    """The mark below the digits. `size` and `dish` are shares of the face's width; `centre` is a
    share of its height.
    """

    # One for each ink, in the order of inks.COLOURS; see marks.SHAPES.
    shapes: tuple[str, str, str, str]
    size: float
    centre: float
    inked: bool  # False: engraved or embossed in the body alone
    outlined: bool  # only its rim is drawn
    finish: Finish
    dish: float  # radius of a dish around it, 0: none


@dataclass(frozen=True)
class Name:
    """A maker's name near the lower edge, with a smaller word above it in some sets."""

    text: str
    above: str  # the smaller word; empty: none
    typeface: str
    width: float  # share of the face's width
    centre: float  # share of the face's height
    finish: Finish
    ink: float  # 0: body colour alone .. 1: as strong as print
    ink_rgb: Rgb  # its colour where it is as strong as print


@dataclass(frozen=True)
class Joker:
    """One of the set's comodines: a figure of jokers.FIGURES, or a pictogram's name, and its
    colours.
    """

    figure: str
    inks: tuple[Rgb, Rgb, Rgb]
    size: float  # of the figure, share of the face's width
    stretch: float  # height of the figure over its width
    centre: float  # share of the face's height
    finish: Finish
    bare: bool  # no mark, no dish, no name on this tile
    word: str  # printed on it; empty: none
    word_at: float = 0.91  # share of the face's height


class Motif(Enum):
    """What is repeated along a frame of ornaments."""

    RING = "ring"
    TRIANGLE = "triangle"  # a tip points inwards
    SQUARE = "square"
    LEAF = "leaf"  # aslant, each other one the other way
    DASH = "dash"  # along the frame
    CROSS = "cross"


@dataclass(frozen=True)
class Ornament:
    """A printed frame of motifs, all alike. Lengths are shares of the face's width."""

    motif: Motif
    inset: float  # from the edge to the middles of the motifs
    step: float  # from one motif to the next, about: sides are parted into equal steps
    size: float  # half of a motif's extent
    filled: bool  # False: only its outline


@dataclass(frozen=True)
class Body:
    """The plastic of which the tiles are made. Lengths are shares of the face's width; strengths
    are 0..1.
    """

    mottling: float  # cloudiness of the colour
    speckle: float  # grain of the colour, from pixel to pixel
    gradient: float  # how much lighter one end of the face is than its middle
    scratches: float
    smudges: float
    chips: float
    ink_wear: float
    dirt: float
    edge: Edge
    edge_width: float  # how far the edge reaches into the face
    edge_depth: float  # how far the edge falls, or rises where it is a rim
    dish: float  # radius of the dish behind the digits, 0: none
    dish_depth: float
    dish_slope: float  # 1: a shallow cap, towards 0: steep walls and a flat floor
    dish_rim: float  # height of a rim around the dish, 0: none
    frame: float  # inset of a printed double line, 0: none
    frame_rgb: Rgb
    ornament: Ornament | None = None  # a frame of ornaments in the same colour


@dataclass(frozen=True)
class Age:
    """What decades of sun and use did to a set, differently to each tile. Shares are 0..1."""

    kept: tuple[float, float]  # share of its ink that a tile has kept, from least to most
    yellowed: float  # share of full yellowing that the yellowest tile may have; others have less
    mended: float  # share of tiles that are lost and made anew by hand, on white
    mended_typeface: str  # of the numbers made anew


@dataclass(frozen=True)
class FaceStyle:
    """One physical set. Two styles with equal fields draw equal faces for equal random streams."""

    kind: Kind
    seed: int  # decides whether its back bears ink, and which
    aspect: float  # height over width of the face
    body_rgb: Rgb
    side_rgb: Rgb
    thickness: float  # of the tile, in widths
    gloss: float  # how strongly it mirrors, 0..1
    corner_radius: float  # in widths
    relief_depth: float  # of engraving and embossing, in widths
    inks: Inks
    digits: Digits
    mark: Mark | None  # None: no mark
    name: Name | None  # None: no name
    jokers: tuple[Joker, ...]
    body: Body
    back: str  # name of a pattern, one of presets.BACKS
    age: Age | None = None  # None: the set is not old
    known_inks: bool = True  # False: nobody could tell which ink is called red, blue, black, yellow

    @property
    def size_mm(self) -> tuple[float, float, float]:
        """Width, height and thickness of a tile, in mm."""
        return TILE_MM, TILE_MM * self.aspect, TILE_MM * self.thickness

    @property
    def radius_mm(self) -> float:
        """Radius of the face's rounded corners, in mm."""
        return TILE_MM * self.corner_radius
