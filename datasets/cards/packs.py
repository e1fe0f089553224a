"""Artwork of whole packs, drawn into pixels from files installed on the machine, for training
alone. `artwork.txt` names the Debian packages that hold the files and the tool that draws them.

Each file of `gnome-cards-data` is a grid of 13 x 5 cells: ranks A to K across; clubs, diamonds,
hearts, spades and jollies down. A file of `kdegames-card-data-kf5` holds each card as an element
with a name, such as `7_heart` or `queen_spade`; its cards are drawn into such a grid.
"""

from __future__ import annotations

import gzip
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards.notation import JOLLY, RANKS
from datasets.pixels import resized

FOLDER = Path("/usr/share/aisleriot/cards")
DECKS = Path("/usr/share/carddecks")  # has a folder for each pack of `kdegames-card-data-kf5`
CELL = 290  # width of a cell in pixels
ROWS = "CDHS"  # suits from the top
SUIT_NAMES = ("club", "diamond", "heart", "spade")  # in the order of ROWS
RANK_NAMES = ("1", *map(str, range(2, 11)), "jack", "queen", "king")
Picture = NDArray[np.uint8]
Box = tuple[float, float, float, float]  # x0, y0, x1, y1 in shares of the width and height


@dataclass(frozen=True)
class Pack:
    """One file of artwork. `index` is the box x0, y0, x1, y1 around rank and suit in the top left
    corner of a card, in shares of the width and height of the card's cell. With `four` all four
    corners hold an index, otherwise two opposite ones. `outline` is the share of a cell at each
    side that may hold a drawn outline, which no card has. `deck` tells that the cards are elements
    of a file in DECKS, and that there is no jolly among them.
    """

    name: str
    index: Box
    four: bool = False
    outline: float = 0.014
    deck: bool = False

    @property
    def path(self) -> Path:
        return DECKS / self.name if self.deck else FOLDER / f"{self.name}.svgz"


PACKS = (
    Pack("anglo", (0.045, 0.051, 0.150, 0.244)),
    Pack("anglo_modern", (0.040, 0.054, 0.130, 0.247)),
    Pack("anglo_poker", (0.046, 0.032, 0.135, 0.221)),
    Pack("atlasnye", (0.045, 0.054, 0.125, 0.223)),
    Pack("bellot", (0.030, 0.010, 0.130, 0.245)),
    Pack("gnomangelo", (0.045, 0.051, 0.150, 0.244)),
    Pack("neoclassical", (0.036, 0.034, 0.140, 0.255)),
    Pack("orell", (0.045, 0.039, 0.145, 0.210)),
    Pack("paris", (0.045, 0.029, 0.170, 0.244)),
    Pack("plastic", (0.055, 0.032, 0.190, 0.296)),
    Pack("simplistic", (0.050, 0.055, 0.155, 0.244)),
    Pack("tigullio", (0.046, 0.043, 0.155, 0.224)),
    Pack("dondorf", (0.045, 0.029, 0.170, 0.244), four=True),
    Pack("ornamental", (0.065, 0.055, 0.225, 0.370)),
    Pack("tango", (0.045, 0.052, 0.255, 0.368)),
    Pack("ancient_french", (0.050, 0.043, 0.140, 0.234)),
    Pack("atlasnye_skat", (0.045, 0.054, 0.125, 0.223)),
    Pack("tarocco", (0.045, 0.042, 0.150, 0.216)),
    Pack("anglo_modern_4_color", (0.040, 0.054, 0.130, 0.247)),
    Pack("neoclassical_4_color", (0.040, 0.034, 0.140, 0.255)),
    Pack("lattmann", (0.045, 0.043, 0.140, 0.233)),
    Pack("rheinland", (0.045, 0.043, 0.140, 0.233)),
    Pack("berlin", (0.045, 0.043, 0.140, 0.230)),
)
# Packs that no network is trained on: they tell how packs are read that nobody has seen before.
UNSEEN = (
    Pack("svg-gm-paris", (0.050, 0.030, 0.165, 0.240), outline=0.024, deck=True),
    Pack("svg-jolly-royal", (0.060, 0.040, 0.200, 0.320), outline=0.024, deck=True),
    Pack("svg-penguins", (0.025, 0.025, 0.190, 0.280), outline=0.024, deck=True),
    Pack("svg-standard", (0.035, 0.040, 0.165, 0.300), outline=0.024, deck=True),
    Pack("svg-tigullio-international", (0.050, 0.043, 0.145, 0.222), outline=0.024, deck=True),
)
# Packs whose jolly shows nothing in its corner, or that have none.
NO_JOLLY = ("dondorf", "berlin", "ancient_french", *(pack.name for pack in UNSEEN))


@cache
def installed() -> tuple[Pack, ...]:
    """List the packs to be trained on whose artwork is on this machine."""
    return tuple(pack for pack in PACKS if pack.path.exists())


@lru_cache(maxsize=32)  # some 13 MB each
def _sheet(pack: Pack) -> Picture:
    """Draw the whole grid of a pack's cards: (h, w, 3) RGB. Raises OSError where librsvg's tool is
    missing or draws nothing.
    """
    if pack.deck:
        return _deck_sheet(pack)
    return _drawn(pack.path, "-w", str(13 * CELL), "--background-color", "white")[..., :3]


def _deck_sheet(pack: Pack) -> Picture:
    """Draw the cards of a pack in DECKS into a grid like that of the other packs. The fifth row
    holds backs alone, as these packs have no jolly.
    """
    [packed] = pack.path.glob("*.svgz")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deck.svg"
        path.write_bytes(gzip.decompress(packed.read_bytes()))

        def element(name: str) -> Picture:
            return _on_white(_drawn(path, "-z", "3", "-i", name))

        rows = [[element(f"{rank}_{suit}") for rank in RANK_NAMES] for suit in SUIT_NAMES]
        rows.append([element("back")] * len(RANK_NAMES))
    height = round(np.median([CELL * card.shape[0] / card.shape[1] for card in rows[0]]))
    return np.concatenate(
        [np.concatenate([resized(card, (CELL, height)) for card in row], axis=1) for row in rows]
    )


def _drawn(path: Path, *options: str) -> Picture:
    """Return what rsvg-convert draws of a file with these options, (h, w, 4) RGB with opacity."""
    drawn = subprocess.run(
        ["rsvg-convert", *options, str(path)], capture_output=True, check=True, timeout=300
    )
    picture = cv2.imdecode(np.frombuffer(drawn.stdout, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise OSError(f"expected a picture of {path} from rsvg-convert, got none")
    opaque = picture.shape[2] == 3
    to_rgba = cv2.COLOR_BGR2RGBA if opaque else cv2.COLOR_BGRA2RGBA
    return np.asarray(cv2.cvtColor(picture, to_rgba), np.uint8)


def _on_white(drawn: Picture) -> Picture:
    """Cut a picture (h, w, 4), RGB with opacity, to what is not clear, and lay it on white paper.
    Returns (h, w, 3) RGB.
    """
    seen = drawn[..., 3] > 16
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    cut = drawn[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.float32)
    opacity = cut[..., 3:] / 255
    return np.asarray(cut[..., :3] * opacity + 255 * (1 - opacity), np.uint8)


def cell(pack: Pack, row: int, column: int) -> Picture:
    """Cut one card out of a pack, without the line drawn around it: (h, w, 3) RGB. `row` and
    `column` say where the card lies in the grid of cells, from 0.
    """
    sheet = _sheet(pack)
    height = sheet.shape[0] / 5
    dx, dy = round(pack.outline * CELL), round(pack.outline * height)
    top, bottom = round(row * height) + dy, round((row + 1) * height) - dy
    return sheet[top:bottom, column * CELL + dx : (column + 1) * CELL - dx]


def face(pack: Pack, card: str) -> Picture:
    """Cut the face of a card such as `7H` or `10S`, or `*` for the red jolly: (h, w, 3) RGB."""
    if card == JOLLY:
        return cell(pack, 4, 1)
    return cell(pack, ROWS.index(card[-1]), RANKS.index(card[:-1]))


def back(pack: Pack) -> Picture:
    return cell(pack, 4, 2)


def index_box(pack: Pack) -> Box:
    """Return the box of a pack's index, x0, y0, x1, y1 in shares of the width and height of a card
    as `cell` cuts it out.
    """
    inner = 1 - 2 * pack.outline
    x0, y0, x1, y1 = ((side - pack.outline) / inner for side in pack.index)
    return x0, y0, x1, y1


def paper(picture: Picture) -> NDArray[np.float64]:
    """Return the colour of a card's paper, RGB 0..255: the median of the card's pixels."""
    return np.asarray(np.median(picture[::4, ::4].reshape(-1, 3), axis=0))
