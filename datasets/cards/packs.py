"""Artwork of whole packs, drawn into pixels from files installed on the machine, for training
alone. `artwork.txt` names the Debian packages that hold the files and the tool that draws them.

Each file of `gnome-cards-data` is a grid of 13 x 5 cells: ranks A to K across; clubs, diamonds,
hearts, spades and jollies down.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards.notation import JOLLY, RANKS

FOLDER = Path("/usr/share/aisleriot/cards")
CELL = 290  # width of a cell in pixels
ROWS = "CDHS"  # suits from the top
OUTLINE = 0.014  # share of a cell at each side that may hold a drawn outline, which no card has
Picture = NDArray[np.uint8]
Box = tuple[float, float, float, float]  # x0, y0, x1, y1 in shares of the width and height


@dataclass(frozen=True)
class Pack:
    """One file of artwork. `index` is the box x0, y0, x1, y1 around rank and suit in the top left
    corner of a card, in shares of the width and height of the card's cell. With `four` all four
    corners hold an index, otherwise two opposite ones.
    """

    name: str
    index: Box
    four: bool = False


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
NO_JOLLY = ("dondorf", "berlin", "ancient_french")  # packs whose jolly shows nothing in its corner


@cache
def installed() -> tuple[Pack, ...]:
    """List the packs whose artwork is on this machine."""
    return tuple(pack for pack in PACKS if (FOLDER / f"{pack.name}.svgz").exists())


@lru_cache(maxsize=24)  # some 13 MB each
def _sheet(name: str) -> Picture:
    """Draw the whole grid of cards in a file of artwork: (h, w, 3) RGB. `name` is the file's name
    without its ending. Raises OSError where librsvg's tool is missing.
    """
    told = ["rsvg-convert", "-w", str(13 * CELL), "--background-color", "white"]
    drawn = subprocess.run(
        [*told, str(FOLDER / f"{name}.svgz")], capture_output=True, check=True, timeout=300
    )
    sheet = cv2.imdecode(np.frombuffer(drawn.stdout, np.uint8), cv2.IMREAD_COLOR)
    if sheet is None:
        raise OSError(f"expected a picture of {name} from rsvg-convert, got none")
    return np.asarray(cv2.cvtColor(sheet, cv2.COLOR_BGR2RGB), np.uint8)


def cell(pack: Pack, row: int, column: int) -> Picture:
    """Cut one card out of a pack, without the line drawn around it: (h, w, 3) RGB. `row` and
    `column` say where the card lies in the grid of cells, from 0.
    """
    sheet = _sheet(pack.name)
    height = sheet.shape[0] / 5
    dx, dy = round(OUTLINE * CELL), round(OUTLINE * height)
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
    x0, y0, x1, y1 = ((side - OUTLINE) / (1 - 2 * OUTLINE) for side in pack.index)
    return x0, y0, x1, y1


def paper(picture: Picture) -> NDArray[np.float64]:
    """Return the colour of a card's paper, RGB 0..255: the median of the card's pixels."""
    return np.asarray(np.median(picture[::4, ::4].reshape(-1, 3), axis=0))
