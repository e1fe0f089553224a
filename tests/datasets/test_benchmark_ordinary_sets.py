"""The benchmark of ordinary sets counts for how many sets teaching makes each measure better, and
for how many worse.
"""

from __future__ import annotations

import numpy as np

from datasets.benchmark.counting import PictureCount, count_picture
from datasets.benchmark.ordinary_sets import SetCount, summary
from datasets.benchmark.rendered_sets import out_of_focus
from datasets.labels import LabelledTile
from tests.datasets.fabricated import box, picture, reading, seen, truth


def counted(*read: str, doubtful: int = 0) -> tuple[PictureCount, ...]:
    """Make the counts of a picture of two tiles that were read as `read`, the first `doubtful` of
    them in doubt.
    """
    table = picture(truth("7R", 100, 100), truth("8R", 140, 100))
    tiles = [seen(tile, 100 + 40 * at, 100, doubtful=at < doubtful) for at, tile in enumerate(read)]
    return (count_picture(table, reading(*tiles)),)


def test_a_set_is_worse_with_fewer_tiles_or_more_doubts() -> None:
    rows = summary(
        [
            SetCount(1, counted("7R", "8R", doubtful=2), counted("7R", "8R")),
            SetCount(2, counted("7R", "8R"), counted("7R", "9R", doubtful=1)),
            SetCount(3, counted("7R", "9R"), counted("7R", "8R")),
        ]
    )
    told = {row["measure"]: list(row.values())[1:] for row in rows}
    assert told == {
        "tiles_exact": ["5", "5", "6", "1", "1"],
        "silent": ["1", "1", "6", "1", "1"],
        "doubtful": ["2", "1", "6", "1", "1"],
    }


def test_a_picture_is_blurred_by_a_share_of_its_tiles() -> None:
    pixels = np.zeros((301, 301, 3), np.uint8)
    pixels[:, 150:] = 255

    def edge_of(*sides: float) -> float:
        """How many pixels wide the edge between black and white gets, by its standard deviation,
        beside tiles of these widths.
        """
        corners = [np.array(box(100, 100, side, 1.4 * side), np.float32) for side in sides]
        table = picture(*(LabelledTile("7R", (100, 100), corners=one) for one in corners))
        row = out_of_focus(pixels, table, 0.1)[150, :, 0].astype(float) / 255
        slope, at = np.diff(row), np.arange(300)
        return float(np.sqrt((slope * (at - 149.0) ** 2).sum()))

    assert abs(edge_of(40) - 4) < 0.2
    assert abs(edge_of(80) - 8) < 0.2
    assert abs(edge_of(40, 40, 80) - 4) < 0.2
    assert edge_of() == 0
