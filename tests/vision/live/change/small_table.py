"""Small pictures of a table, such as the live referee's gate compares."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SIZE = (180, 320)


def table(seed: int = 0) -> NDArray[np.uint8]:
    """Draw a pale row on patterned cloth, (180, 320, 3) RGB, with noise by `seed`."""
    rng = np.random.default_rng(seed)
    ground = np.array([50, 120, 70]) + 10 * np.sin(np.arange(SIZE[1]) / 9)[None, :, None]
    picture = np.broadcast_to(ground, (*SIZE, 3)) + rng.normal(0, 2, (*SIZE, 3))
    picture[40:80, 60:160] = 235 + rng.normal(0, 2, (40, 100, 3))
    return np.clip(picture, 0, 255).astype(np.uint8)


def lit(picture: NDArray[np.uint8], gain: float) -> NDArray[np.uint8]:
    """Multiply a picture by a gain of the light."""
    return np.clip(picture * gain, 0, 255).astype(np.uint8)
