"""Cuts the faces of a real pack of cards out of labelled photographs.

That is done where the networks of cards read a whole card, and once only, as its label says, its
four edges plainly show, and no other index lies upon it. Of several pictures of a face the one is
taken that is best by its size, how sharp it is and how much it looks the same upside down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.cards.hands import RULES
from datasets.cards.photos import CardPicture
from engine.pieces import card_name
from engine.tiles import FACES
from vision.cards.card import Card
from vision.cards.corners import lies_within
from vision.cards.pipeline import CardTableReader
from vision.clock import Clock
from vision.frame import load
from vision.reading import Layout

WIDTH, HEIGHT = 290, 405  # pixels of a face: a card of 63 x 88 mm
MARGIN = 36  # pixels around it in which its edges are looked for
PAPER = 242  # brightness of paper in a face that was cut out
FROM_PAPER = 28.0  # difference from the paper's colour by which a pixel is beyond the card's edge
# An edge is a straight line: pixels that its points lie away from it at most, in the median; and
# the least share of points near it.
STRAIGHT, ON_LINE = 1.5, 0.6
ALIKE_SIZE = 0.15  # by which a card's sides may differ from what the network tells
CELL = 24  # pixels of a cell in which the brightness of paper is measured
Picture = NDArray[np.uint8]  # (h, w, 3) RGB
Quad = NDArray[np.float32]  # (4, 2): x, y in pixels
CORNER = (slice(8, 80), slice(8, 50))  # of a face, rows and columns of pixels: its upper index


@dataclass(frozen=True)
class Face:
    """One card cut out of a photograph: its picture, (HEIGHT, WIDTH, 3) RGB with even light; the
    quad of the index by which it was read, in shares of its width and height; and how good the
    picture is, more being better.
    """

    card: str
    picture: Picture
    index: Quad
    quality: float


def cut_faces(pictures: list[CardPicture], reader: CardTableReader) -> dict[str, Face]:
    """Cut the faces out of the photographs of one pack, and return the best of each by its card."""
    best = dict[str, Face]()
    for picture in tqdm(pictures, "faces"):
        for face in _faces_of(picture, reader):
            known = best.get(face.card)
            if known is None or face.quality > known.quality:
                best[face.card] = face
    return best


def _faces_of(picture: CardPicture, reader: CardTableReader) -> Iterator[Face]:
    """Yield the faces that are cut out of one photograph."""
    frame = load(picture.path)
    seen, cards = reader.found_cards(frame, Layout.LOOSE, RULES, Clock())
    names = [card_name(FACES[number]) for number in seen.faces.argmax(axis=1)]
    for card, name, quad in zip(cards, names, seen.quads, strict=True):
        others = [other for other in cards if other is not card]
        once = names.count(name) == 1 and name in picture.cards
        if not (card.sure and once) or _lie_upon(card, others):
            continue
        outline = with_edges(frame.pixels, np.asarray(card.outline, np.float32))
        if outline is not None:
            yield _cut(frame.pixels, name, outline, quad)


def _lie_upon(card: Card, others: Sequence[Card]) -> bool:
    """Tell whether a mark of another card lies upon a card, so that the other one covers it."""
    return any(lies_within(mark, card.outline) for other in others for mark in other.marks)


def _cut(pixels: Picture, name: str, outline: Quad, index: Quad) -> Face:
    """Cut a card out of the picture. `outline` is its edge and `index` the quad of the index by
    which it was read, both (4, 2) in pixels.
    """
    matrix = cv2.getPerspectiveTransform(outline, _rectangle(0))
    raw = cv2.warpPerspective(pixels, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_AREA)
    face = evenly_lit(np.asarray(raw, np.uint8))
    grey = cv2.cvtColor(face, cv2.COLOR_RGB2GRAY)
    inner = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 1.5)[8:-8, 8:-8].ravel()
    alike = max(float(np.nan_to_num(np.corrcoef(inner, inner[::-1])[0, 1])), 0.0)
    sharp = float(cv2.Laplacian(grey, cv2.CV_32F)[CORNER].std())
    side = min(float(np.sqrt(cv2.contourArea(outline))), float(HEIGHT))
    place = cv2.perspectiveTransform(index[None].astype(np.float64), matrix)[0]
    quality = side * np.sqrt(sharp) * (0.3 + np.sqrt(alike))
    return Face(name, face, np.asarray(place / [WIDTH, HEIGHT], np.float32), float(quality))


def _rectangle(margin: int) -> Quad:
    right, low = margin + WIDTH, margin + HEIGHT
    return np.array([[margin, margin], [right, margin], [right, low], [margin, low]], np.float32)


def with_edges(pixels: Picture, outline: Quad) -> Quad | None:
    """Return the outline (4, 2) of a card by its four edges, which are looked for around `outline`.
    None where some edge shows no straight line against the ground, or the card would be of quite
    another size.
    """
    matrix = cv2.getPerspectiveTransform(outline, _rectangle(MARGIN))
    size = WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN
    seen = cv2.warpPerspective(pixels, matrix, size, flags=cv2.INTER_AREA)
    around = np.asarray(cv2.GaussianBlur(seen, (0, 0), 1.5), np.float32)
    middle = around[MARGIN + 20 : -MARGIN - 20, MARGIN + 20 : -MARGIN - 20].reshape(-1, 3)
    away = np.abs(around - np.percentile(middle, 75, axis=0)).max(axis=2)
    lines = [_edge(away.T), _edge(away), _edge(away.T[::-1]), _edge(away[::-1])]
    if any(line is None for line in lines):
        return None
    left, top, right, low = (line for line in lines if line is not None)
    right = np.array([-right[0], size[0] - 1 - right[1]])
    low = np.array([-low[0], size[1] - 1 - low[1]])
    corners = [_crossing(side, end) for side, end in ((left, top), (right, top), (right, low))]
    quad = np.array([*corners, _crossing(left, low)], np.float32)
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    sides /= [WIDTH, HEIGHT, WIDTH, HEIGHT]
    if (np.abs(sides - 1) > ALIKE_SIZE).any():
        return None
    inverse = np.linalg.inv(matrix)
    return np.asarray(
        cv2.perspectiveTransform(quad[None].astype(np.float64), inverse)[0], np.float32
    )


def _edge(away: NDArray[np.float32]) -> NDArray[np.float64] | None:
    """Return the line y = a x + b, (2,), of the edge at the top of a card: the outermost paper in
    each of its columns. `away` (h, w) is how far each pixel's colour is from the paper's.
    """
    found = []
    width = away.shape[1] - 2 * MARGIN
    for x in range(MARGIN + width * 3 // 20, MARGIN + width * 17 // 20, 3):
        beyond = np.flatnonzero(away[: MARGIN + 11, x] > FROM_PAPER)
        last = int(beyond[-1]) if len(beyond) else 0
        if last > 1 and (away[last - 2 : last + 1, x] > FROM_PAPER * 0.8).all():
            found.append((x, last + 0.5))
    if len(found) < 25:
        return None
    x, y = np.array(found, np.float64).T
    near = np.ones(len(x), np.bool_)
    for _ in range(4):
        line = np.polyfit(x[near], y[near], 1)
        off = np.abs(np.polyval(line, x) - y)
        near = off < max(1.0, 2 * float(np.median(off)))
        if near.sum() < 20:
            return None
    return line if np.median(off) <= STRAIGHT and near.mean() >= ON_LINE else None


def _crossing(side: NDArray[np.float64], end: NDArray[np.float64]) -> tuple[float, float]:
    """Return where the lines x = a y + b, `side`, and y = a x + b, `end`, cross: x and y."""
    x = (side[0] * end[1] + side[1]) / (1 - side[0] * end[0])
    return float(x), float(end[0] * x + end[1])


def evenly_lit(face: Picture) -> Picture:
    """Return the picture of a card as if its light were even and white: each colour is divided by a
    surface of the second degree, fitted to the brightest parts of cells of CELL pixels.
    """
    height, width = face.shape[:2]
    y, x = np.mgrid[0:height, 0:width] / np.array([height, width])[:, None, None] - 0.5
    cells = []
    for top in range(0, height, CELL):
        for left in range(0, width, CELL):
            cell = face[top : top + CELL, left : left + CELL]
            dark = cell.min(axis=2).ravel()
            place = np.argsort(dark, kind="stable")[int(0.85 * len(dark))]
            row, column = np.unravel_index(place, cell.shape[:2])
            at = top + int(row), left + int(column)
            cells.append((y[at], x[at], *face[at].tolist()))
    told = np.array(cells)
    places, colours = _surface(told[:, 0], told[:, 1]), told[:, 2:]
    bright = colours.min(axis=1)
    paper = bright > 0.7 * np.median(bright)
    even = np.empty(face.shape, np.float32)
    for colour in range(3):
        near = paper
        for _ in range(3):
            fitted = np.linalg.lstsq(places[near], colours[near, colour], rcond=None)[0]
            off = colours[:, colour] - places @ fitted
            near = paper & (off > -12) & (off < 25)
        even[..., colour] = face[..., colour] * (PAPER / np.maximum(_surface(y, x) @ fitted, 30))
    return np.asarray(even.clip(0, 255), np.uint8)


def _surface(y: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.stack([np.ones_like(y), y, x, y * y, x * x, x * y], axis=-1)
