"""The benchmark of ordinary sets counts for how many sets teaching makes each measure better, and
for how many worse.
"""

from __future__ import annotations

from datasets.benchmark.counting import PictureCount, count_picture
from datasets.benchmark.ordinary_sets import SetCount, summary
from tests.datasets.fabricated import picture, reading, seen, truth


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
