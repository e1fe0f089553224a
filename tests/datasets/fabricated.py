"""Labelled pictures and readings made up for the benchmark's tests: tiles of 40 x 56 pixels, each
about a place given in pixels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from datasets.labels import LabelledPicture, LabelledTile


def box(x: float, y: float, width: float = 40.0, height: float = 56.0) -> list[list[float]]:
    """Return the corners of an upright tile with its middle at (x, y) px."""
    w, h = width / 2, height / 2
    return [[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]]


def truth(tile: str, x: float, y: float, **more: Any) -> LabelledTile:
    return LabelledTile(tile, (x, y), corners=np.array(box(x, y), dtype=np.float32), **more)


def picture(*tiles: LabelledTile, **more: Any) -> LabelledPicture:
    fields = {"name": "made", "source": "rendered", "width": 400, "height": 300, **more}
    return LabelledPicture(tiles=tiles, **fields)


def seen(
    tile: str | None, x: float, y: float, doubtful: bool = False, confidence: float = 0.99, **size
) -> dict[str, Any]:
    """Make an entry of `tiles` in the JSON of `burako read`."""
    corners = box(x, y, **size)
    return {"tile": tile, "corners": corners, "confidence": confidence, "doubtful": doubtful}


def reading(*tiles: dict, melds: Any = (), notices: Any = (), seconds: float = 0.1) -> dict:
    """Make the JSON that `burako read` would print of such a photograph."""
    told = {"tiles": tiles, "melds": melds, "notices": notices}
    return {**{key: list(value) for key, value in told.items()}, "seconds": {"total": seconds}}
