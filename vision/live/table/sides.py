"""The line between the two sides of the table, and on which side of it a meld lies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from engine.sides import SideName
from vision.live.change.alignment import Homography, transform_points
from vision.quads import Quad

# Two points (x, y) in frame pixels. Side A lies right of the line as seen from its first point to
# its second.
Line: TypeAlias = tuple[tuple[float, float], tuple[float, float]]


def side_of(quads: Sequence[Quad], line: Line | None) -> SideName | None:
    """The side, A or B, on which the middle of all `quads` lies; None where `line` is None. Quads
    are (4, 2) frame pixels each. Seen from the first point of the line, looking to the second, side
    A lies on the right.
    """
    if line is None:
        return None
    (x1, y1), (x2, y2) = line
    x, y = np.concatenate(list(quads)).mean(axis=0)
    cross = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
    return "A" if cross > 0 else "B"


def transform_line(line: Line | None, motion: Homography) -> Line | None:
    """The line, in frame pixels, moved by `motion`, (3, 3); None without a line."""
    if line is None:
        return None
    (x1, y1), (x2, y2) = transform_points(np.array(line, np.float32), motion).tolist()
    return (x1, y1), (x2, y2)


def scale_line(line: Line | None, factor: float) -> Line | None:
    """The line in frames whose sides are `factor` times as long; None without a line."""
    if line is None:
        return None
    (x1, y1), (x2, y2) = line
    return (x1 * factor, y1 * factor), (x2 * factor, y2 * factor)
