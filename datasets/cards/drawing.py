"""Draws the two sides of the cards of a pack, and returns where on each side the indices stand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards import packs
from datasets.cards.notation import JOLLY, RANKS
from datasets.cards.style import PackStyle, Rgb
from datasets.faces.fonts import font_files, number, reshape, word
from datasets.faces.jokers import FIGURES, joker_figure
from datasets.faces.pictograms import random_pictogram
from datasets.pixels import resized, shares

PX = 4.6  # pixels per mm
ASPECT = 0.62  # width of an index's quad over its height
ROOM = 1.1  # height of an index's quad over that of rank and suit together
SIGNS = {"H": "\u2665", "D": "\u2666", "C": "\u2663", "S": "\u2660"}

# Heights of the pips of each rank, 0 top - 1 bottom: in the outer columns, and in the middle one.
ENDS, THREE, FOUR = (0.0, 1.0), (0.0, 0.5, 1.0), (0.0, 1 / 3, 2 / 3, 1.0)
SIDE_PIPS = {4: ENDS, 5: ENDS, 6: THREE, 7: THREE, 8: THREE, 9: FOUR, 10: FOUR}
MIDDLE_PIPS: dict[int, tuple[float, ...]] = {1: (0.5,), 2: ENDS, 3: THREE, 5: (0.5,), 7: (0.25,)}
MIDDLE_PIPS |= {8: (0.25, 0.75), 9: (0.5,), 10: (1 / 6, 5 / 6)}

Mask = NDArray[np.float32]  # (h, w), 0..1
Picture = NDArray[np.uint8]
Box = tuple[float, float, float, float]  # x0, y0, x1, y1 in mm from the card's top left corner


@dataclass(frozen=True)
class CardFace:
    """One side of a card: its picture, (h, w, 3) RGB, and the quads of its indices, (k, 4, 2).

    A quad's corners are TL, TR, BR, BL as one reads the index, in shares of the card's width and
    height.
    """

    picture: Picture
    indices: NDArray[np.float64]


@lru_cache(maxsize=64)
def suit_mask(suit: str, font: str, width: int) -> Mask:
    """Draw the sign of a suit (H, D, C or S) in the typeface with the file stem `font`. Returns a
    mask, (h, w) 0..1, that is `width` pixels wide, but at least 3. Where the typeface is missing, a
    plain sign is drawn.
    """
    sign = word(font, SIGNS[suit]) if font in font_files() else _drawn_suit(suit)
    height = max(3, round(width * float(np.clip(sign.shape[0] / sign.shape[1], 0.8, 1.45))))
    return shares(resized(sign, (max(3, width), height)))


def _drawn_suit(suit: str) -> NDArray[np.uint8]:
    """Draw a plain sign of a suit (H, D, C or S) out of circles and triangles. Returns the mask cut
    to its ink: (h, w), 0..255, about 128 high.
    """
    image = np.zeros((128, 128), np.uint8)

    def disc(x: int, y: int, r: int) -> None:
        cv2.circle(image, (x, y), r, 255, -1, cv2.LINE_AA)

    def shape(*points: tuple[int, int]) -> None:
        cv2.fillPoly(image, [np.array(points, np.int32)], 255, cv2.LINE_AA)

    if suit == "D":
        shape((64, 0), (112, 64), (64, 127), (16, 64))
    if suit == "H":
        disc(33, 36, 33)
        disc(94, 36, 33)
        shape((4, 52), (64, 127), (123, 52), (64, 30))
    if suit == "S":
        disc(32, 72, 31)
        disc(95, 72, 31)
        shape((4, 58), (64, 0), (123, 58), (64, 96))
        shape((64, 70), (88, 127), (40, 127))
    if suit == "C":
        disc(64, 30, 29)
        disc(31, 74, 29)
        disc(96, 74, 29)
        shape((64, 40), (88, 127), (40, 127))
    rows, columns = np.nonzero(image.max(1))[0], np.nonzero(image.max(0))[0]
    return image[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _lay(picture: NDArray[np.float32], mask: Mask, x: float, y: float, ink: Rgb) -> None:
    """Print a mask, (h, w) 0..1, in the colour `ink` onto the picture of a card, in place. The
    mask's top left corner comes to lie at (x, y) pixels. What reaches over the card's edges is cut
    off.
    """
    left, top = round(x), round(y)
    h, w = picture.shape[:2]
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + mask.shape[1], w), min(top + mask.shape[0], h)
    if x1 <= x0 or y1 <= y0:
        return
    cover = mask[y0 - top : y1 - top, x0 - left : x1 - left, None]
    under = picture[y0:y1, x0:x1]
    picture[y0:y1, x0:x1] = under * (1 - cover) + cover * np.array(ink, np.float32)


class Draughtsman:
    """Draws the cards of the pack that looks like `style`."""

    def __init__(self, style: PackStyle) -> None:
        self.style = style
        self.size = round(style.width * PX), round(style.height * PX)

    def back(self, variant: int = 0) -> Picture:
        """Draw the back of the cards, (h, w, 3) RGB. An even and an odd `variant` differ in colour
        or pattern.
        """
        style = self.style
        rng = np.random.default_rng([style.seed, 33, variant])
        if style.art and rng.random() < 0.6:
            printed = resized(packs.back(style.art), self.size)
            return np.ascontiguousarray(printed[..., ::-1]) if variant % 2 else printed
        colours = rng.uniform(0, 230, (2, 3))
        y, x = np.mgrid[0 : self.size[1], 0 : self.size[0]]
        step = rng.uniform(4, 20)
        wave = np.sin((x + y) / step) * np.sin((x - y) / (step * rng.uniform(0.6, 1.6)))
        share = (wave > rng.uniform(-0.5, 0.5))[..., None]
        picture = np.where(share, colours[0], colours[1]).astype(np.uint8)
        border = round(rng.uniform(2, 6) * PX)
        framed: Picture = np.full_like(picture, 255)
        framed[border:-border, border:-border] = picture[border:-border, border:-border]
        return framed

    def face(self, card: str, copy: int = 0) -> CardFace:
        """Draw the face of a card, such as `7H` or `10S`, or `*` for a jolly.

        `copy` is the number of the pack that the card is from, 0 or 1. Whatever is drawn at random,
        such as stains, differs between the copies of a card.
        """
        style = self.style
        rng = np.random.default_rng([style.seed, 34, copy, *card.encode()])
        canvas = self._body(card, rng)
        if style.small_print and (card == JOLLY or card[:-1] in (RANKS[0], *RANKS[10:])):
            self._print_words(canvas, style.small_print)
        if style.index is None and (card != JOLLY or self._art_jolly_tells()):
            assert style.art is not None
            x0, y0, x1, y1 = packs.index_box(style.art)
            w, h = style.width, style.height
            box = (x0 * w, y0 * h, x1 * w, y1 * h)
            four = style.art.four
        else:
            mask, ink = self._index(card, rng)
            box, four = self._print_index(canvas, mask, ink)
        self._wear(canvas, rng)
        return CardFace(canvas.clip(0, 255).astype(np.uint8), self._quads(box, four))

    def _art_jolly_tells(self) -> bool:
        return self.style.art is not None and self.style.art.name not in packs.NO_JOLLY

    def _quads(self, box: Box, four: bool) -> NDArray[np.float64]:
        """Return the quads (n, 4, 2) of all indices of a card, in shares of its width and height.
        `box`, x0, y0, x1, y1 in mm, is around the index at the top left. With `four` an index
        stands in each corner, and otherwise at the top left and the bottom right alone.
        """
        x0, y0, x1, y1 = box
        height = max((y1 - y0) * ROOM, (x1 - x0) * ROOM / ASPECT)
        half = np.array([height * ASPECT, height]) / 2
        middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
        quad = middle + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        size = np.array([self.style.width, self.style.height])
        quads = [quad]
        if four:
            shift = np.array([size[0] - 2 * middle[0], 0])
            quads.append(quad + shift)
        return np.stack([q / size for quad in quads for q in (quad, size - quad)])

    def _body(self, card: str, rng: np.random.Generator) -> NDArray[np.float32]:
        """Draw a card as it is before the `index` of the pack's style is printed on it, (h, w, 3)
        RGB 0..255. In a pack whose style has no `index`, the card shows the index of the artwork
        instead. But the corners of a jolly are made blank if the artwork shows nothing there that
        tells a jolly, and where it has no jolly a figure is drawn.
        """
        style = self.style
        w, h = self.size
        blank = np.empty((h, w, 3), np.float32)
        blank[:] = style.paper
        if style.index is None:
            assert style.art is not None
            if card == JOLLY and style.art.deck:
                x, y = round(0.2 * w), round(0.15 * h)
                self._figures(blank[y : h - y, x : w - x], card, rng)
                return blank
            picture = resized(packs.face(style.art, card), self.size).astype(np.float32)
            if card == JOLLY and not self._art_jolly_tells():
                self._erase_indices(picture)
            picture *= np.array(style.paper, np.float32) / 255
            return picture
        if card == JOLLY or card[:-1] in RANKS[10:]:
            self._court(blank, card, rng)
        elif style.own_pips or style.art is None:
            self._pips(blank, card, rng)
        else:
            picture = resized(packs.face(style.art, card), self.size).astype(np.float32)
            self._erase_indices(picture)
            blank *= picture / 255
        return blank

    def _erase_indices(self, picture: NDArray[np.float32]) -> None:
        art = self.style.art
        if art is None:
            return
        h, w = picture.shape[:2]
        _, _, x1, y1 = packs.index_box(art)
        colour = packs.paper(picture.astype(np.uint8))
        right = round((x1 + 0.015) * w)
        bottom = round((y1 + 0.01) * h)
        picture[:bottom, :right] = colour
        picture[h - bottom :, w - right :] = colour
        if art.four:
            picture[:bottom, w - right :] = colour
            picture[h - bottom :, :right] = colour

    def _court(self, canvas: NDArray[np.float32], card: str, rng: np.random.Generator) -> None:
        """Draw the picture of `card`, a court card such as `QH` or a jolly, in place into the
        middle of `canvas`, (h, w, 3) RGB 0..255. The picture is cut from the artwork or drawn by
        `_figures`. If the style has a frame, a line is drawn around the picture.
        """
        style = self.style
        h, w = canvas.shape[:2]
        inset = (style.frame or float(rng.uniform(8, 13))) * PX
        x0, y0, x1, y1 = round(inset), round(inset * 0.8), round(w - inset), round(h - inset * 0.8)
        if style.art is not None and rng.random() < (0.5 if card == JOLLY else 0.85):
            source = packs.face(style.art, card)
            sh, sw = source.shape[:2]
            left, top = round(0.17 * sw), round(0.07 * sh)
            inner = resized(source[top : sh - top, left : sw - left], (x1 - x0, y1 - y0))
            canvas[y0:y1, x0:x1] *= inner.astype(np.float32) / 255
        else:
            self._figures(canvas[y0:y1, x0:x1], card, rng)
        if style.frame:
            ink = style.inks["S"] if rng.random() < 0.5 else (40, 60, 150)
            cv2.rectangle(canvas, (x0, y0), (x1, y1), ink, max(1, round(0.35 * PX)))

    def _print_words(self, canvas: NDArray[np.float32], words: str) -> None:
        """Print small `words` onto `canvas`, (h, w, 3) RGB 0..255, in place: twice, head to head.
        They stand in the corners without an index, or at the middles of the edges, upright or lying
        along the edge, in the same place on all cards of the pack.
        """
        rng = np.random.default_rng([self.style.seed, 35])
        h, w = canvas.shape[:2]
        mask = self._rank_mask(words, round(float(rng.uniform(1.1, 2.4)) * PX))
        if rng.random() < 0.5:
            mask = np.ascontiguousarray(np.rot90(mask, int(rng.choice([1, 3]))))
        mask = mask[: h // 2, : w // 2]
        mh, mw = mask.shape
        edge = float(rng.uniform(1.5, 4)) * PX
        x, y = w - edge - mw, edge
        if (self.style.index and self.style.index.four) or rng.random() < 0.4:
            x, y = ((w - mw) / 2, edge) if mw > mh else (w - edge - mw, (h - mh) / 2)
        ink = tuple(rng.uniform(10, 130, 3).tolist())
        _lay(canvas, mask, x, y, ink)
        _lay(canvas, np.ascontiguousarray(mask[::-1, ::-1]), w - x - mw, h - y - mh, ink)

    def _figures(self, area: NDArray[np.float32], card: str, rng: np.random.Generator) -> None:
        """Draw a figure into `area`, (h, w, 3) RGB 0..255, a part of the picture of `card`, in
        place. The figure is drawn twice, head to head; on half of the jollies it is drawn once.
        """
        names = list(FIGURES)
        inks = tuple(tuple(rng.integers(10, 230, 3).tolist()) for _ in range(3))
        if not self.style.pictograms or rng.random() < 0.6:
            name = names[int(rng.integers(len(names)))]
        else:
            name = random_pictogram(rng)
        h, w = area.shape[:2]
        once = card == JOLLY and rng.random() < 0.5
        side = round(min(w, h if once else h / 2) * rng.uniform(0.7, 1.0))
        figure = joker_figure(name, inks, side, side)
        x = (w - side) // 2
        for turned in (False,) if once else (False, True):
            y = (h - side) // 2 if once else (h // 2 - side if not turned else h - h // 2)
            part = area[y : y + side, x : x + side]
            drawn = figure[::-1, ::-1] if turned else figure
            drawn = drawn[: part.shape[0], : part.shape[1]]
            part[:] = part * (1 - drawn[..., 3:]) + drawn[..., :3]

    def _pips(self, canvas: NDArray[np.float32], card: str, rng: np.random.Generator) -> None:
        style = self.style
        suit, rank = card[-1], RANKS.index(card[:-1]) + 1
        w, h = style.width, style.height
        index = style.index
        inner = max(0.26 * w, (index.left * 2 + 1.5) if index else 0.0)
        columns = min(inner + 4, 0.42 * w), w / 2, max(w - inner - 4, 0.58 * w)
        size = (w - 2 * inner) * float(rng.uniform(0.24, 0.34)) + 3
        if rank == 1:
            size *= float(rng.uniform(1.2, 3))
        mask = suit_mask(suit, style.suit_font, round(size * PX))
        for column, share in pip_places(rank):
            y = 0.15 * h + share * 0.7 * h
            upside_down = share > 0.5
            drawn = mask[::-1] if upside_down else mask
            _lay(
                canvas,
                drawn,
                columns[column] * PX - mask.shape[1] / 2,
                y * PX - mask.shape[0] / 2,
                style.inks[suit],
            )

    def _rank_mask(self, text: str, height: int) -> Mask:
        index = self.style.index
        stem = index.font if index else "NimbusSans-Bold"
        narrow, weight = (index.narrow, index.weight) if index else (0.8, 0.0)
        drawn = number(stem, text, 0.03) if text.isdigit() else word(stem, text)
        if text == "10":
            narrow *= index.ten if index else 0.75
        if text in ("Q", "J"):  # their tails and hooks reach below or above
            height = round(height * 1.08)
        width = max(3, round(drawn.shape[1] / drawn.shape[0] * height * narrow))
        mask = reshape(drawn, max(4, height), width, weight, 0.0, 0.0)
        rows, columns = np.nonzero(mask.max(1) > 0.2)[0], np.nonzero(mask.max(0) > 0.2)[0]
        if not len(rows) or not len(columns):
            return np.ones((max(4, height), width), np.float32)
        return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]

    def _index(self, card: str, rng: np.random.Generator) -> tuple[Mask, Rgb]:
        """Return the mask of a card's index, (h, w) 0..1, and the colour of its ink, RGB 0..255.
        The index is the card's rank above its suit, or the mark of a jolly.
        """
        style = self.style
        rank_mm = style.index.rank if style.index else 8.0
        if card == JOLLY:
            colour = (200.0, 25.0, 30.0) if rng.random() < 0.5 else (20.0, 20.0, 25.0)
            return self._jolly_mark(rank_mm, rng), colour
        rank, suit = card[:-1], card[-1]
        text = {"A": 0, "J": 1, "Q": 2, "K": 3}.get(rank)
        written = rank if text is None else style.letters[text]
        above = self._rank_mask(written, round(rank_mm * PX))
        width = style.index.suit if style.index else 6.0
        below = suit_mask(suit, style.suit_font, round(width * PX))
        gap = (style.index.gap if style.index else 1.0) * PX
        return _stacked([above, below], gap), style.inks[suit]

    def _jolly_mark(self, rank_mm: float, rng: np.random.Generator) -> Mask:
        """Draw the mark in the corner of a jolly as a mask: its name in one of several directions,
        a star or a figure. `rank_mm` is the height of the other cards' ranks; the mark is sized by
        it.
        """
        name, _, way = self.style.jolly_mark.partition(" ")
        if name == "star":
            return _star(round(rank_mm * float(rng.uniform(0.7, 1.3)) * PX))
        if name == "figure":
            names = [figure for figure in FIGURES if not figure.startswith("glyph")]
            side = round(rank_mm * 1.3 * PX)
            ink = ((0, 0, 0),) * 3
            drawn = joker_figure(names[int(rng.integers(len(names)))], ink, side, side)
            return np.ascontiguousarray(drawn[..., 3])
        stem = self.style.index.font if self.style.index else "NimbusSans-Bold"
        if way == "down":  # letter under letter
            height = round(rank_mm * float(rng.uniform(0.45, 0.7)) * PX)
            return _stacked([self._rank_mask(letter, height) for letter in name], height / 8)
        letters = word(stem, name)
        long = rank_mm * float(rng.uniform(2.0, 3.0) if way else rng.uniform(1.4, 2.1)) * PX
        size = round(long), max(4, round(letters.shape[0] / letters.shape[1] * long))
        written = shares(resized(letters, size))
        turns = int(rng.choice([1, 3])) if way == "lying" else 0
        return np.ascontiguousarray(np.rot90(written, turns))

    def _print_index(self, canvas: NDArray[np.float32], mask: Mask, ink: Rgb) -> tuple[Box, bool]:
        """Print an index onto `canvas`, the picture of a card, in place: `mask` in the colour
        `ink`, into two opposite corners or into all four.

        Returns the box of the index at the top left, x0, y0, x1, y1 in mm, and whether all four
        corners hold one.
        """
        style = self.style
        index = style.index
        h, w = canvas.shape[:2]
        mh, mw = mask.shape
        left, top = (index.left, index.top) if index else (5.0, 4.0)
        x, y = max(left * PX - mw / 2, 0.8 * PX), top * PX
        four = index is not None and index.four
        places = [(x, y, False), (w - x - mw, h - y - mh, True)]
        if four:
            places += [(w - x - mw, y, False), (x, h - y - mh, True)]
        clear = round(0.5 * PX)  # the paper around an index is bare, whatever picture lies below
        for px, py, turned in places:
            around = np.ones((mh + 2 * clear, mw + 2 * clear), np.float32)
            _lay(canvas, around, px - clear, py - clear, style.paper)
            _lay(canvas, mask[::-1, ::-1] if turned else mask, px, py, ink)
        return (x / PX, y / PX, (x + mw) / PX, (y + mh) / PX), four

    def _wear(self, canvas: NDArray[np.float32], rng: np.random.Generator) -> None:
        """Make patches of the card a little lighter and darker, in place; the dirtier the pack is,
        the stronger they are.
        """
        dirt = self.style.dirt
        if dirt < 0.05:
            return
        patches = rng.normal(0, 7 * dirt, (9, 7)).astype(np.float32)
        canvas += resized(patches, self.size, cv2.INTER_CUBIC)[..., None]


def _stacked(masks: list[Mask], gap: float) -> Mask:
    """Join masks to one: below one another, centred, about `gap` pixels apart."""
    width, between = max(mask.shape[1] for mask in masks), max(1, round(gap))
    height = sum(mask.shape[0] + between for mask in masks) - between
    both, y = np.zeros((height, width), np.float32), 0
    for mask in masks:
        x = (width - mask.shape[1]) // 2
        both[y : y + mask.shape[0], x : x + mask.shape[1]] = mask
        y += mask.shape[0] + between
    return both


def _star(side: int) -> Mask:
    turn = np.arange(10) * np.pi / 5 - np.pi / 2
    radius = np.where(np.arange(10) % 2, 0.42, 1.0)
    points = np.column_stack([np.cos(turn), np.sin(turn)]) * radius[:, None] * 62 + 64
    image = np.zeros((128, 128), np.uint8)
    cv2.fillPoly(image, [points.astype(np.int32)], 255, cv2.LINE_AA)
    return shares(resized(image, (max(4, side), max(4, side))))


def pip_places(rank: int) -> list[tuple[int, float]]:
    """Return the column (0 left, 1 middle, 2 right) and the height (0 top to 1 bottom) of each pip
    of a card; `rank` is 1 for the ace, up to 10.
    """
    both = [(column, y) for column in (0, 2) for y in SIDE_PIPS.get(rank, ())]
    return both + [(1, y) for y in MIDDLE_PIPS.get(rank, ())]
