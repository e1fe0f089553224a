"""Finds tile faces: one dense network gives centres and, at each, four corners in the tile's own
reading order.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.modelfile import load_network
from vision.pyramid import Pyramid
from vision.quads import are_sound, keep_best, sides, with_collapsed_mended

STRIDE = 8
MULTIPLE = 32  # the network's coarsest cell
EXPECTED = {"classes": ["tile face"], "stride": STRIDE}


@dataclass(frozen=True)
class DetectorConfig:
    """Sizes in pixels of the network's input."""

    long_side: int = 1280
    short_side: int = 960
    max_enlargement: float = (
        2.0  # small webcam pictures are enlarged: faces under 12 px are not found
    )
    threshold: float = 0.25
    max_overlap: float = 0.45  # of the smaller quad; stacked faces overlap less
    sure: float = 0.5
    few: int = 4  # sure faces below which the picture is looked at again at half the size: 9 ms
    # median short side above which it is as well: training windows hold faces of 13-180 px
    large_tile: float = 140.0
    small_tile: float = 30.0  # median short side below which the picture is looked at again, larger
    spare: float = 1.15  # ... if the original has at least so many pixels more a pixel


@dataclass(frozen=True)
class Detections:
    """`quads` (n, 4, 2) float32 in the picture's pixels; `scores` (n,) 0..1."""

    quads: NDArray[np.float32]
    scores: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.quads)


class Detector:
    """Thread-safe: one session, no state between calls."""

    def __init__(self, folder: Path | None = None, config: DetectorConfig | None = None) -> None:
        self.config = config or DetectorConfig()
        self._network = load_network("detector", EXPECTED, folder)

    def detect(self, picture: NDArray[np.uint8]) -> Detections:
        """Faces in an (h, w, 3) uint8 RGB picture; large ones are looked for again at half the
        size, small ones in four overlapping enlarged quarters.
        """
        config = self.config
        height, width = picture.shape[:2]
        scale = min(
            config.long_side / max(width, height),
            config.short_side / min(width, height),
            config.max_enlargement,
        )
        found = self._pass(picture, scale)
        if self._may_be_larger(found, scale):
            half = self._pass(picture, scale / 2)
            found = _merged(
                [(found.quads, found.scores), (half.quads, half.scores)], config.max_overlap
            )
        if len(found) and 1 / scale >= config.spare:
            short = np.minimum(*sides(found.quads)) * scale
            if float(np.median(short)) < config.small_tile:
                found = self._quarters(picture, min(2 * scale, 1.0), found)
        return found

    def _may_be_larger(self, found: Detections, scale: float) -> bool:
        """Whether tiles may fill more of the picture than the network was trained for: few are
        found, or large ones.
        """
        sure = found.quads[found.scores > self.config.sure]
        if len(sure) < self.config.few:
            return True
        return float(np.median(np.minimum(*sides(sure)))) * scale > self.config.large_tile

    def _pass(self, picture: NDArray[np.uint8], scale: float) -> Detections:
        level, shrunk = Pyramid(picture).shrunk(1 / scale)
        resized = _resize(level, scale * shrunk)
        batch = _padded(resized)
        output = self._network.run(batch)[0][0]
        quads, scores = decode(output, self.config.threshold)
        factor = (
            np.array(
                [level.shape[1] / resized.shape[1], level.shape[0] / resized.shape[0]], np.float32
            )
            * shrunk
        )
        return _merged(
            [(((quads + 0.5) * factor - 0.5).astype(np.float32), scores)], self.config.max_overlap
        )

    def _quarters(self, picture: NDArray[np.uint8], scale: float, coarse: Detections) -> Detections:
        """2x2 passes, overlapping by an eighth and two tiles at least, cut to the part of the
        picture that holds tiles.
        """
        low = coarse.quads.min(axis=(0, 1))
        high = coarse.quads.max(axis=(0, 1))
        pad = 3 * float(np.median(sides(coarse.quads)[1]))
        x0, y0 = (int(max(v - pad, 0)) for v in low)
        x1, y1 = (
            int(min(v + pad, limit)) for v, limit in zip(high, picture.shape[1::-1], strict=True)
        )
        parts = []
        for left, right in _halves(x0, x1, pad):
            for top, bottom in _halves(y0, y1, pad):
                found = self._pass(picture[top:bottom, left:right], scale)
                # A face cut by the inner border of a quarter is whole in its neighbour, which sees
                # it better.
                parts.append((found.quads + np.array([left, top], np.float32), found.scores))
        return _merged(parts, self.config.max_overlap)


def _halves(start: int, end: int, pad: float) -> list[tuple[int, int]]:
    middle, overlap = (start + end) // 2, int(max((end - start) / 16, pad / 2))
    return [(start, min(middle + overlap, end)), (max(middle - overlap, start), end)]


def _resize(picture: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    size = max(round(picture.shape[1] * scale), 1), max(round(picture.shape[0] * scale), 1)
    return cv2.resize(  # type: ignore[return-value]
        picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    )


def _padded(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(1, 3, h, w) in 0..1, grey at the right and bottom up to whole cells."""
    height, width = (-(-size // MULTIPLE) * MULTIPLE for size in picture.shape[:2])
    batch = np.full((1, 3, height, width), 0.5, np.float32)
    np.multiply(
        picture.transpose(2, 0, 1),
        np.float32(1 / 255),
        out=batch[0, :, : picture.shape[0], : picture.shape[1]],
    )
    return batch


def decode(
    output: NDArray[np.float32], threshold: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Peaks of the centre map (9, h, w) and the quads (n, 4, 2) in network pixels they carry, with
    their scores.
    """
    heat = 1 / (1 + np.exp(-output[0]))
    peaks = (heat >= threshold) & (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8)))
    rows, columns = np.nonzero(peaks)
    corners = output[1:, rows, columns].T.reshape(-1, 4, 2)
    cells = np.stack([columns, rows], axis=1)[:, None] + 0.5
    # Picture coordinates have pixel centres at whole numbers, cells at halves.
    quads = ((corners + cells) * STRIDE - 0.5).astype(np.float32)
    return quads, heat[rows, columns]


def _merged(
    parts: list[tuple[NDArray[np.float32], NDArray[np.float32]]], most: float
) -> Detections:
    quads = np.concatenate([part[0] for part in parts])
    scores = np.concatenate([part[1] for part in parts])
    quads = with_collapsed_mended(quads, scores)
    sound = are_sound(quads)
    quads, scores = quads[sound], scores[sound]
    kept = keep_best(quads, scores, most)
    return Detections(quads[kept], scores[kept])
