"""Tells of loose cards whose paper shows though no mark on them was read.

Jollies look different in every pack, so the detector misses some that lie in full view. A piece of
paper as large as the other cards, and as light, is a card all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.card import Card, shows_whole
from vision.cards.paper import DARKEST, paper_colour
from vision.cards.places import ASPECT, card_frames
from vision.pyramid import RGB
from vision.quads import overlap


@dataclass(frozen=True)
class UnreadConfig:
    """What counts as the paper of a card. Lengths and areas are in those of the nearest card that
    is seen whole.
    """

    long_side: int = 480  # pixels to which the picture is shrunk first
    # Paper differs from that of a known card by at most these, in natural logarithms of its colour:
    # in the mean of the three channels, and in one channel less that mean. Each pair of limits is
    # tried, since cloth may be nearly as light as paper, and light falls unevenly. On 540
    # rendered photographs of loose cards the last pair, `most_area` and `least_rim` as wide as they
    # are tell of one card more, and of no other thing. On the photographs of loose cards of 240
    # rendered hands (experiment 217 of models/EXPERIMENTS.md) the first pair tells of one card
    # more, and of no other thing.
    limits: tuple[tuple[float, float], ...] = (
        (0.2, 0.03),
        (0.1, 0.05),
        (0.18, 0.07),
        (0.3, 0.1),
        (0.5, 0.12),
    )
    same_paper: float = 0.06  # two cards' paper that differs by less in each channel is one
    least_area: float = 0.65
    most_area: float = 2.0
    least_aspect: float = 1.15  # the card's height in widths
    most_aspect: float = 1.75
    rectangular: float = 0.85  # share of the smallest rectangle around the paper in its convex hull
    # Shares that are paper: of all of it, at least; of its rim, at least, since pictures lie
    # farther inside; and of a margin around it, at most, since on white cloth nobody can tell.
    least_paper: float = 0.35
    least_rim: float = 0.6
    most_beside: float = 0.25
    rim: tuple[float, float] = (0.9, 0.98)  # in sizes of the card
    beside: tuple[float, float] = (1.06, 1.25)
    shared: float = 0.2  # share of the smaller of two outlines that may lie on the other
    # Pieces that look like paper and are at least this large, but no card: with more than so many
    # of them it is the pattern of a cloth.
    piece: float = 0.3
    most_pieces: int = 3


CONFIG = UnreadConfig()


def unread_cards(pixels: RGB, cards: Sequence[Card]) -> list[NDArray[np.float32]]:
    """Return the outlines, (4, 2) each in pixels, of pieces of paper that look like cards and hold
    none of the `cards`. `pixels` are those of the picture, (h, w, 3).

    Without a sure card that is seen whole nobody knows what to look for, and the list is empty.
    """
    whole = [card for card in cards if card.sure and shows_whole(card)]
    if not whole:
        return []
    scale = min(1.0, CONFIG.long_side / max(pixels.shape[:2]))
    size = round(pixels.shape[1] * scale), round(pixels.shape[0] * scale)
    small = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    outlines = np.stack([card.outline for card in whole]) * scale
    told = [card.outline * np.float32(scale) for card in cards]
    taken = np.zeros(small.shape[:2], np.uint8)
    for outline in told:
        cv2.fillConvexPoly(taken, np.round(outline).astype(np.int32), 255)
    near_told = cv2.dilate(taken, np.ones((5, 5), np.uint8)) > 0
    least = CONFIG.piece * min(abs(cv2.contourArea(outline)) for outline in outlines)
    found = list[NDArray[np.float32]]()
    for paper in _papers(small, outlines):
        free = np.where(near_told, 0, paper).astype(np.uint8)
        contours, _ = cv2.findContours(free, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        pieces = [
            _Piece.of(np.asarray(contour), outlines)
            for contour in contours
            if np.prod(cv2.boundingRect(contour)[2:]) >= least
        ]
        looks = [piece.outline for piece in pieces if _is_card(piece, paper)]
        large = sum(piece.area >= CONFIG.piece * ASPECT for piece in pieces)
        if large - len(looks) <= CONFIG.most_pieces:
            found += [one for one in looks if not _overlaps_any(one, [*told, *found])]
    return [(outline / scale).astype(np.float32) for outline in found]


def _overlaps_any(outline: NDArray[np.float32], others: list[NDArray[np.float32]]) -> bool:
    return any(overlap(outline, other) > CONFIG.shared for other in others)


def _papers(picture: RGB, outlines: NDArray[np.float32]) -> Iterator[NDArray[np.uint8]]:
    """Yield masks (h, w), 0 or 255, of the pixels that look like the paper of one of the cards with
    these `outlines` (n, 4, 2): for each kind of paper and each limit of lightness one mask.
    """
    channels = np.ascontiguousarray(picture.transpose(2, 0, 1))  # quicker to compare
    logs = np.log(np.arange(256, dtype=np.float32) + DARKEST)[channels]
    mean = logs.mean(axis=0)
    tints = logs - mean
    known = list[NDArray[np.float64]]()
    for outline in outlines:
        left, top, width, height = cv2.boundingRect(outline)
        part = logs[:, max(top, 0) : top + height, max(left, 0) : left + width]
        inside = np.zeros(part.shape[1:], np.uint8)
        shifted = outline - [max(left, 0), max(top, 0)]
        cv2.fillConvexPoly(inside, np.round(shifted).astype(np.int32), 255)
        colours = part[:, inside > 0]
        if not colours.size:
            continue
        paper = paper_colour(colours.T)
        if any(np.abs(paper - other).max() < CONFIG.same_paper for other in known):
            continue
        known.append(paper)
        lighter = np.abs(mean - paper.mean())
        tint = np.abs(tints - (paper - paper.mean())[:, None, None]).max(axis=0)
        for most_lighter, most_tint in CONFIG.limits:
            alike = (lighter <= most_lighter) & (tint <= most_tint)
            yield np.where(alike, 255, 0).astype(np.uint8)


@dataclass(frozen=True)
class _Piece:
    """A piece of what looks like paper: the smallest rectangle around it, `outline` (4, 2) in
    pixels; the two sides of the rectangle, the shorter first, and the area of the piece's convex
    hull, in widths of the nearest known card.
    """

    outline: NDArray[np.float32]
    sides: tuple[float, float]
    area: float

    @classmethod
    def of(cls, contour: NDArray[Any], outlines: NDArray[np.float32]) -> _Piece:
        """Measure a piece by its edge `contour` (k, 1, 2), in pixels; `outlines` (n, 4, 2) are
        those of known cards.
        """
        edge = contour[:, 0].astype(np.float64)
        away = np.linalg.norm(outlines.mean(axis=1) - edge.mean(axis=0), axis=1)
        frame = card_frames(outlines[[away.argmin()]])[0]
        in_widths = np.diag([1, ASPECT]) @ np.linalg.inv(frame)
        hull = cv2.convexHull((edge @ in_widths.T).astype(np.float32))
        box = cv2.minAreaRect(hull)
        outline = cv2.boxPoints(box) @ np.linalg.inv(in_widths).T
        return cls(
            outline.astype(np.float32), (min(box[1]), max(box[1])), float(cv2.contourArea(hull))
        )


def _is_card(piece: _Piece, paper: NDArray[np.uint8]) -> bool:
    """Tell whether a piece of the mask `paper` (h, w), 0 or 255, has the shape, the size, the white
    rim and the surroundings of a card.
    """
    short, long = piece.sides
    height, width = paper.shape
    return (
        CONFIG.least_area * ASPECT <= short * long <= CONFIG.most_area * ASPECT
        and CONFIG.least_aspect * short <= long <= CONFIG.most_aspect * short
        and piece.area >= CONFIG.rectangular * short * long
        and bool((piece.outline > 0).all() and (piece.outline < [width - 1, height - 1]).all())
        and _share(paper, piece.outline, (0.0, 1.0)) >= CONFIG.least_paper
        and _share(paper, piece.outline, CONFIG.rim) >= CONFIG.least_rim
        and _share(paper, piece.outline, CONFIG.beside) <= CONFIG.most_beside
    )


def _share(
    paper: NDArray[np.uint8], outline: NDArray[np.float32], sizes: tuple[float, float]
) -> float:
    """Return which share of the ring between two copies of the `outline` (4, 2), drawn in these
    `sizes` of it, is set in the mask `paper` (h, w).
    """
    inner, outer = (
        np.round(outline.mean(axis=0) + size * (outline - outline.mean(axis=0))).astype(np.int32)
        for size in sizes
    )
    ring = np.zeros_like(paper)
    cv2.fillConvexPoly(ring, outer, 255)
    cv2.fillConvexPoly(ring, inner, 0)
    return float((paper[ring > 0] > 0).mean())
