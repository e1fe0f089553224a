"""Turns a painted scene into a telephone's photograph: exposure, blur, noise, sharpening, tone,
JPEG.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.pixels import resized

NOISE_SIDE = 1400
Picture = NDArray[np.uint8]


@lru_cache(maxsize=1)
def _noise_tile() -> NDArray[np.float32]:
    return np.random.default_rng(11).standard_normal((NOISE_SIDE, NOISE_SIDE, 3)).astype(np.float32)


def photographed(
    rng: np.random.Generator, scene: Picture, light: NDArray[np.float32], easy: bool
) -> Picture:
    """Return what a telephone's camera makes of a scene, (h, w, 3) RGB. `light`, (h, w, 3), holds
    the RGB factors by which the light changes each pixel.

    `easy` pictures have hardly a fault of the camera.
    """
    gain = light * np.float32(_exposure(rng, scene, light, easy))
    lit = np.asarray(cv2.multiply(scene, gain, dtype=cv2.CV_8U), np.uint8)
    if rng.random() < 0.08:
        lit = _washed_out(rng, lit)
    if rng.random() < (0.02 if easy else 0.12):
        lit = _burnt(rng, lit)
    lit = _blurred(rng, lit, easy)
    lit = _resampled(rng, lit, easy)
    lit = _noisy(rng, lit, easy)
    if rng.random() < 0.4:
        lit = _sharpened(lit, float(rng.uniform(0.1, 0.4 if easy else 1.0)))
    return _toned(rng, lit, easy)


def _exposure(
    rng: np.random.Generator, scene: Picture, light: NDArray[np.float32], easy: bool
) -> float:
    """Return the factor by which the exposure brightens the scene. The factor is chosen as by a
    camera's meter, for a middling brightness without much burnt out, and is then changed by a
    random error, which is small for `easy` pictures. `scene` is (h, w, 3) RGB, and `light`,
    (h, w, 3), holds the factors by which the light changes each pixel.
    """
    sample = scene[::24, ::24] * light[::24, ::24]
    wanted = (rng.uniform(110, 175) / max(float(sample.mean()), 5.0)) ** 0.8
    highest = rng.uniform(235, 280) / max(float(np.percentile(sample, 99)), 30.0)
    wrong = rng.normal(0.02, 0.06) if easy else rng.uniform(np.log(0.5), np.log(1.25))
    return float(np.clip(min(wanted, highest) * np.exp(wrong), 0.2, 3.0))


def _washed_out(rng: np.random.Generator, image: Picture) -> Picture:
    """Return the picture overexposed by up to 1.5 stops, with stray light in the lens: white is
    burnt out and black ink is grey.
    """
    gain, veil = 2 ** (rng.uniform(0.3, 1.5) / 2.2), rng.uniform(0, 0.45)
    return np.asarray(
        cv2.convertScaleAbs(image, alpha=float(gain * (1 - veil)), beta=float(255 * veil)), np.uint8
    )


def _burnt(rng: np.random.Generator, image: Picture) -> Picture:
    """Overexpose a part of the table, as where the sun or a lamp shines on it, by up to 2.5 stops
    more than the other parts.
    """
    y, x = np.mgrid[-1:1:32j, -1:1:32j]
    (cx, cy) = rng.uniform(-1, 1, 2)
    angle = rng.uniform(0, np.pi)
    (long, short) = rng.uniform(0.25, 1.1, 2)
    u = (x - cx) * np.cos(angle) + (y - cy) * np.sin(angle)
    v = (y - cy) * np.cos(angle) - (x - cx) * np.sin(angle)
    gain = 1 + (2 ** (rng.uniform(0.5, 2.5) / 2.2) - 1) * np.exp(
        -(((u / long) ** 2 + (v / short) ** 2) ** rng.uniform(0.7, 3))
    )
    whole = resized(gain.astype(np.float32), image.shape[1::-1], cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(image, cv2.merge([whole] * 3), dtype=cv2.CV_8U), np.uint8)


def _blurred(rng: np.random.Generator, image: Picture, easy: bool) -> Picture:
    kind = rng.random()
    if kind < (0.75 if easy else 0.25):
        return image
    scale = max(image.shape[:2]) / 768
    if kind < 0.8:
        sigma = rng.uniform(0.3, 0.7 if easy else 2.0) * scale
        return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)
    length = rng.uniform(1.5, 2.5 if easy else 8) * scale
    size = int(np.ceil(length)) // 2 * 2 + 3
    kernel = np.zeros((size, size), np.float32)
    angle, middle = rng.uniform(0, np.pi), (size - 1) / 2
    reach = length / 2 * np.array([np.cos(angle), np.sin(angle)])
    start, end = middle - reach, middle + reach
    ends = [tuple(np.rint(p * 16).astype(int).tolist()) for p in (start, end)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_8, 4)
    # The line is rounded to whole pixels: made symmetric, it does not shift the picture.
    kernel = kernel + kernel[::-1, ::-1]
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def _resampled(rng: np.random.Generator, image: Picture, easy: bool) -> Picture:
    """Shrink a picture and enlarge it to its former size, as a messenger or a digital zoom does.
    Whether this is done, and how strongly, is chosen at random; it is done less often to `easy`
    pictures, and less strongly.
    """
    if rng.random() > (0.08 if easy else 0.25):
        return image
    factor = rng.uniform(0.75, 0.95) if easy else rng.uniform(0.5, 0.9)
    h, w = image.shape[:2]
    # Sizes are whole pixels: given as a factor, the way back could end up to a pixel off.
    size = (round(w * factor), round(h * factor))
    return resized(
        resized(image, size), (w, h), cv2.INTER_CUBIC if rng.random() < 0.5 else cv2.INTER_LINEAR
    )


def _noisy(rng: np.random.Generator, image: Picture, easy: bool) -> Picture:
    strength = rng.uniform(0.3, 2.0) if easy else np.exp(rng.uniform(np.log(1), np.log(11)))
    h, w = image.shape[:2]
    y = int(rng.integers(0, max(1, NOISE_SIDE - h)))
    x = int(rng.integers(0, max(1, NOISE_SIDE - w)))
    noise = _noise_tile()[y : y + h, x : x + w]
    if noise.shape[:2] != (h, w):
        noise = rng.standard_normal((h, w, 3)).astype(np.float32)
    if strength > 4 and rng.random() < 0.6:  # a telephone's own noise filter leaves blotches
        noise = cv2.GaussianBlur(noise, (0, 0), 0.8) * 1.8
    chroma = float(rng.uniform(0.2, 0.7))
    mix = (
        np.full((3, 3), (1 - chroma) / np.sqrt(3), np.float32)
        + np.eye(3, dtype=np.float32) * chroma
    )
    return np.asarray(
        cv2.add(image, cv2.transform(noise, mix * np.float32(strength)), dtype=cv2.CV_8U), np.uint8
    )


def _sharpened(image: Picture, amount: float) -> Picture:
    soft = cv2.GaussianBlur(image, (0, 0), 1.2)
    return np.asarray(cv2.addWeighted(image, 1 + amount, soft, -amount, 0), np.uint8)


def _toned(rng: np.random.Generator, image: Picture, easy: bool) -> Picture:
    """Apply a random contrast curve, as a look-up table, and a random saturation, as a 3x3 matrix;
    both are milder for `easy` pictures.
    """
    wide = 0.5 if easy else 1.0
    x = np.linspace(0, 1, 256)
    curve = x ** np.exp(rng.normal(0, 0.18 * wide))
    bend = rng.uniform(0, 0.6 * wide)
    curve = (1 - bend) * curve + bend * (3 * curve**2 - 2 * curve**3)
    low, high = rng.uniform(0, 0.06 * wide), 1 - rng.uniform(-0.03, 0.06) * wide
    table = np.clip((low + (high - low) * curve) * 255, 0, 255).astype(np.uint8)
    saturation = 1 + rng.normal(0, 0.16 * wide)
    grey = np.array([0.3, 0.59, 0.11], np.float32)
    mix = ((1 - saturation) * np.tile(grey, (3, 1)) + saturation * np.eye(3)).astype(np.float32)
    return np.asarray(cv2.transform(cv2.LUT(image, table), mix), np.uint8)


def drawn_quality(rng: np.random.Generator, easy: bool) -> int:
    """Choose a JPEG quality at random: 75-95 for easy pictures, else 35-95."""
    return int(rng.integers(75, 96)) if easy else int(rng.integers(35, 96))


def encoded(image: Picture, quality: int) -> bytes:
    """Encode (h, w, 3) RGB as a JPEG file of a `quality` of 0 to 100."""
    done, data = cv2.imencode(
        ".jpg", cv2.cvtColor(image, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality]
    )
    if not done:
        raise ValueError(f"expected an RGB picture of 8 bits, got {image.dtype} {image.shape}")
    return data.tobytes()


def decoded(data: bytes) -> Picture:
    """Decode the bytes of a picture's file to (h, w, 3) RGB. Raises ValueError for bytes that are
    no picture.
    """
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError(f"expected an encoded picture, got {data[:20]!r}")
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8)
