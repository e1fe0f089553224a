"""What is wrong with a photograph as a whole, judged from its pixels alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pyramid import Pyramid
from vision.quads import Quad


@dataclass(frozen=True)
class QualityConfig:
    """When a picture counts as blurred or colourless."""

    long_side: int = 640  # pixels the picture is shrunk to before its sharpness is measured
    fine: float = 1.0  # standard deviation of the fine blur, in pixels of the shrunk picture
    coarse: float = 4.0  # standard deviation of the coarse blur, in the same pixels
    edge_share: float = 0.01  # share of the pixels, those of strongest detail, that are measured
    # Fine detail over coarse detail below which a picture is blurred. 204 sharp photographs and
    # renders have 0.22 and more; blurred by 2 px (at 640) they have 0.17 and less.
    min_sharpness: float = 0.19
    # The same share where only the places of tiles are measured: their edges and their ink.
    edge_share_at: float = 0.05
    margin: int = 4  # pixels of the shrunk picture around such a place, for the tile's edges
    # Grain is fine detail, too: the mean of its strongest values is `grain` times its standard
    # deviation, as of the largest hundredth of a normal distribution's absolute values. With a
    # standard deviation above `most_grain`, in grey levels, it is a texture of the table.
    grain: float = 2.9
    most_grain: float = 8.0
    min_detail: float = 4.0  # grey levels of coarse detail below which there is no edge to measure
    # A picture counts as moved if fine detail over coarse detail, in the direction where that is
    # least, is below this. 25 sharp photographs have 0.37 and more; of 25 moved by 30 to 100 px (at
    # 1600) nine in ten have 0.27 and less.
    min_sharpness_along: float = 0.3
    # Largest distance of two colour channels, 0-255, in a colourless picture. JPEG leaves a trace.
    max_colour: int = 8
    step: int = 8  # of the rows and columns looked at for colours: one in eight is enough


CONFIG = QualityConfig()


def is_blurred(
    picture: NDArray[np.uint8],
    *,
    beneath_grain: bool = False,
) -> bool:
    """Tell whether all edges of an (h, w, 3) RGB picture are soft.

    Fine detail is compared with coarse detail where each is strongest. A picture without any edge
    is not called blurred. With `beneath_grain`, what the grain of a dark picture adds to the fine
    detail is taken off. Its standard deviation is told by the median of all fine detail, which is
    0.6745 of it.
    """
    fine_detail, coarse_detail = _details(_shrunk_grey(picture, CONFIG.long_side))
    fine = _mean_of_strongest(fine_detail, CONFIG.edge_share)
    if beneath_grain:
        deviation = float(np.median(np.abs(fine_detail))) / 0.6745
        fine -= CONFIG.grain * deviation if deviation < CONFIG.most_grain else 0.0
    coarse = _mean_of_strongest(coarse_detail, CONFIG.edge_share)
    return coarse > CONFIG.min_detail and fine < CONFIG.min_sharpness * coarse


@dataclass(frozen=True)
class Sharpness:
    """How sharp a picture is in and around some tiles, and anywhere in it."""

    # Fine detail over coarse detail at the tiles, where each is strongest, about 0.2 to 1; None
    # where there is no edge.
    edges: float | None
    detail: float  # fine detail anywhere in the picture where it is strongest, in grey levels


def sharpness_of(picture: NDArray[np.uint8], quads: Sequence[Quad]) -> Sharpness:
    """Measure an (h, w, 3) RGB picture, in which tiles lie at the `quads`, (4, 2) pixels each."""
    grey = _shrunk_grey(picture, CONFIG.long_side)
    scale = grey.shape[1] / picture.shape[1]
    places = np.zeros(grey.shape, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(places, np.round(quad * scale).astype(np.int32), 1)
    size = 2 * CONFIG.margin + 1
    inside = cv2.dilate(places, np.ones((size, size), np.uint8)) > 0
    fine_detail, coarse_detail = _details(grey)
    detail = _mean_of_strongest(fine_detail, CONFIG.edge_share)
    if not inside.any():
        return Sharpness(None, detail)
    fine = _mean_of_strongest(fine_detail[inside], CONFIG.edge_share_at)
    coarse = _mean_of_strongest(coarse_detail[inside], CONFIG.edge_share_at)
    return Sharpness(fine / coarse if coarse > CONFIG.min_detail else None, detail)


def is_moved(picture: NDArray[np.uint8]) -> bool:
    """Tell whether the edges of an (h, w, 3) RGB picture are soft along one direction, as where
    the camera or the table moved.

    Fine detail is compared with coarse detail along each of four directions.
    """
    grey = _shrunk_grey(picture, CONFIG.long_side)
    for degrees in (0, 45, 90, 135):
        fine_blur = cv2.filter2D(grey, -1, _line_blur(CONFIG.fine, degrees))
        coarse_blur = cv2.filter2D(grey, -1, _line_blur(CONFIG.coarse, degrees))
        fine = _mean_of_strongest(grey - fine_blur, CONFIG.edge_share)
        coarse = _mean_of_strongest(fine_blur - coarse_blur, CONFIG.edge_share)
        if coarse > CONFIG.min_detail and fine < CONFIG.min_sharpness_along * coarse:
            return True
    return False


def _details(grey: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the fine and the coarse detail of a grey picture, (h, w) each, in grey levels."""
    fine_blur = cv2.GaussianBlur(grey, (0, 0), CONFIG.fine)
    coarse_blur = cv2.GaussianBlur(grey, (0, 0), CONFIG.coarse)
    return np.asarray(grey - fine_blur), np.asarray(fine_blur - coarse_blur)


def _line_blur(deviation: float, degrees: float) -> NDArray[np.float32]:
    """Return the kernel, (k, k), of a Gaussian blur along one direction, `degrees` from the x axis.
    `deviation` is the standard deviation in pixels.
    """
    size = int(deviation * 6) | 1
    kernel = np.zeros((size, size), np.float32)
    kernel[size // 2] = cv2.getGaussianKernel(size, deviation)[:, 0]
    turn = cv2.getRotationMatrix2D((size // 2, size // 2), degrees, 1.0)
    turned = cv2.warpAffine(kernel, turn, (size, size))
    scaled: NDArray[np.float32] = (turned / turned.sum()).astype(np.float32)
    return scaled


def _shrunk_grey(picture: NDArray[np.uint8], long_side: int) -> NDArray[np.float32]:
    """Return the (h, w, 3) RGB picture in grey, as (h, w) float32 0-255, its longer side shrunk to
    `long_side` pixels at most.
    """
    scale = min(long_side / max(picture.shape[:2]), 1.0)
    level, factor = Pyramid(picture).shrunk(1 / scale)
    small = cv2.resize(
        level, None, fx=scale * factor, fy=scale * factor, interpolation=cv2.INTER_AREA
    )
    return cv2.cvtColor(small, cv2.COLOR_RGB2GRAY).astype(np.float32)


def _mean_of_strongest(detail: NDArray[np.generic], share: float) -> float:
    """Return the mean of the largest absolute values in `detail`. `share`, 0-1, says how large a
    part of all values the mean is taken over.
    """
    size = np.abs(detail).ravel()
    count = max(1, int(size.size * share))
    return float(np.partition(size, -count)[-count:].mean())


def is_colourless(picture: NDArray[np.uint8]) -> bool:
    """Tell whether an (h, w, 3) picture, its channels in any order, shows greys only."""
    first, second, third = cv2.split(picture[:: CONFIG.step, :: CONFIG.step])
    highest = cv2.max(cv2.max(first, second), third)
    lowest = cv2.min(cv2.min(first, second), third)
    return int((highest - lowest).max()) <= CONFIG.max_colour
