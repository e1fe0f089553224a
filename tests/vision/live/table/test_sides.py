"""On which side of the line between the sides a meld lies, and where that line is after the camera
has moved.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.live.tracking.readings import quads_at
from vision.live.table.sides import Line, scale_line, side_of, transform_line

UPRIGHT: Line = (50.0, 0.0), (50.0, 100.0)  # drawn downwards: its right is the picture's left
SLOPING: Line = (0.0, 0.0), (100.0, 50.0)


@pytest.mark.parametrize(
    ("middle", "line", "side"),
    [
        ((40, 50), UPRIGHT, "A"),
        ((60, 50), UPRIGHT, "B"),
        ((40, 500), UPRIGHT, "A"),  # the line goes on beyond its points
        ((60, 50), UPRIGHT[::-1], "A"),
        ((40, 50), UPRIGHT[::-1], "B"),
        ((60, 31), SLOPING, "A"),
        ((60, 29), SLOPING, "B"),
        ((50, 50), UPRIGHT, "B"),  # on the line
        ((40, 50), None, None),
    ],
)
def test_a_meld_lies_where_its_middle_does(
    middle: tuple[float, float], line: Line | None, side: str | None
) -> None:
    around_origin = [quad - (30, 34) for quad in quads_at((-22, 0), (0, 0), (22, 0))]
    assert side_of([quad + np.array(middle) for quad in around_origin], line) == side


def test_the_line_goes_with_the_table() -> None:
    motion = np.array([[0, -1, 100], [1, 0, 7], [0, 0, 1.0]])  # a quarter turn and a shift
    assert transform_line(SLOPING, motion) == ((100.0, 7.0), (50.0, 107.0))
    assert scale_line(((1.0, 2.0), (3.0, 4.0)), 2.5) == ((2.5, 5.0), (7.5, 10.0))
    assert transform_line(None, motion) is scale_line(None, 2.0) is None
