"""Turns the counts of many pictures into figures: shares with Wilson intervals, quantiles,
calibration and confusions.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from datasets.benchmark.counting import Judged, Outcome, PictureCount

Z95 = 1.959964  # two-sided 95 % of the normal distribution
# The bins are finer where there are more readings.
CONFIDENCE_EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)


@dataclass(frozen=True)
class Measure:
    """One figure. A share is `count` divided by `of`, with its 95 % interval from `low` to `high`.
    For other figures `of` is the number of values that they are computed from, and `count`, `low`
    and `high` are None.
    """

    name: str
    value: float | None  # None without any case
    of: int
    count: int | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Bin:
    """The readings whose confidence lies above `low` and up to `high`; the lowest bin also holds
    those of confidence `low`.

    `of` is how many readings these are, `confidence` their mean confidence, and `exact` the share
    of them that is right.
    """

    low: float
    high: float
    of: int
    confidence: float  # mean
    exact: float  # share


def wilson(count: int, of: int) -> tuple[float, float]:
    """Compute the 95 % interval of the share `count` / `of`, as its low and high end (Wilson 1927,
    no continuity correction). Where `of` is 0 the interval is 0 to 1.

    Raises ValueError unless 0 <= count <= of.
    """
    if not 0 <= count <= of:
        raise ValueError(f"expected 0 <= count <= of, got count={count!r}, of={of!r}")
    if of == 0:
        return 0.0, 1.0
    share, spread = count / of, Z95**2 / of
    middle = share + spread / 2
    half = Z95 * math.sqrt(share * (1 - share) / of + spread / (4 * of))
    return max(0.0, (middle - half) / (1 + spread)), min(1.0, (middle + half) / (1 + spread))


def share(name: str, count: int, of: int) -> Measure:
    """Make the measure of the share `count` / `of`, with its interval. Where `of` is 0 it has
    neither value nor interval.

    Invented tiles can be more than the `of` true ones; the interval is then that of a share of 1.
    """
    if of == 0:
        return Measure(name, None, 0, count)
    return Measure(name, count / of, of, count, *wilson(min(count, of), of))


def quantile(name: str, values: Sequence[float], at: float) -> Measure:
    return Measure(name, float(np.quantile(values, at)) if values else None, len(values))


def summarise(pictures: Iterable[PictureCount]) -> list[Measure]:
    """Compute every measure from the counts of pictures, in the order in which the tables of
    results list the measures.
    """
    pictures = list(pictures)
    tiles = [judged for picture in pictures for judged in picture.tiles]
    seconds = [picture.seconds for picture in pictures if picture.seconds is not None]
    corner_errors = [judged.corner_error for judged in tiles if judged.corner_error is not None]
    return [
        share("photos_exact", sum(picture.exact for picture in pictures), len(pictures)),
        *_tile_measures(tiles),
        *_row_measures(pictures),
        quantile("corner_error_p50", corner_errors, 0.5),
        quantile("corner_error_p95", corner_errors, 0.95),
        Measure("calibration_error", calibration_error(tiles), len(_confidences(tiles))),
        quantile("seconds_p50", seconds, 0.5),
        quantile("seconds_p95", seconds, 0.95),
    ]


def _tile_measures(tiles: Sequence[Judged]) -> list[Measure]:
    outcomes = Counter(judged.outcome for judged in tiles)
    true = len(tiles) - outcomes[Outcome.INVENTED]
    reported = len(tiles) - outcomes[Outcome.MISSED]
    doubtful = sum(judged.doubtful for judged in tiles if judged.outcome is not Outcome.MISSED)
    return [
        share("tiles_exact", outcomes[Outcome.EXACT], true),
        share("tiles_found", true - outcomes[Outcome.MISSED], true),
        share("wrong", outcomes[Outcome.WRONG], true),
        share("unread", outcomes[Outcome.UNREAD], true),
        share("invented", outcomes[Outcome.INVENTED], true),
        share("silent", sum(judged.silent for judged in tiles), true),
        share("doubtful", doubtful, reported),
    ]


def _row_measures(pictures: Sequence[PictureCount]) -> list[Measure]:
    rows = [row for picture in pictures for row in picture.rows]
    legal, illegal = ([row for row in rows if row.legal is truth] for truth in (True, False))
    return [
        share("rows_equal", sum(row.equal for row in rows), len(rows)),
        share("legal_told", sum(row.told is True for row in legal), len(legal)),
        share("illegal_told", sum(row.told is False for row in illegal), len(illegal)),
    ]


def _confidences(tiles: Iterable[Judged]) -> list[tuple[float, bool]]:
    read = (Outcome.EXACT, Outcome.WRONG)
    return [
        (j.confidence, j.outcome is Outcome.EXACT)
        for j in tiles
        if j.outcome in read and j.confidence is not None
    ]


def reliability(tiles: Iterable[Judged]) -> list[Bin]:
    """Compare the confidence of readings of true tiles with how often they are right. Returns a bin
    for each range of CONFIDENCE_EDGES that holds readings.
    """
    pairs = np.array(_confidences(tiles), dtype=float).reshape(-1, 2)
    places = np.digitize(pairs[:, 0], CONFIDENCE_EDGES[1:-1], right=True)
    bins = []
    for place, (low, high) in enumerate(pairwise(CONFIDENCE_EDGES)):
        inside = pairs[places == place]
        if len(inside):
            bins.append(
                Bin(low, high, len(inside), float(inside[:, 0].mean()), float(inside[:, 1].mean()))
            )
    return bins


def calibration_error(tiles: Iterable[Judged]) -> float | None:
    """Compute the expected calibration error (Naeini et al. 2015) over the bins of `reliability`;
    None where no tile was read.
    """
    bins = reliability(tiles)
    total = sum(bin_.of for bin_ in bins)
    return (
        sum(bin_.of * abs(bin_.confidence - bin_.exact) for bin_ in bins) / total if total else None
    )


def confusions(tiles: Iterable[Judged]) -> Counter[tuple[str, str]]:
    """Count how often each true tile was read as each tile, right readings included.

    Keys are (true, read), such as ("6Y", "9Y").
    """
    return Counter(
        (j.true, j.read)
        for j in tiles
        if j.outcome in (Outcome.EXACT, Outcome.WRONG) and j.true and j.read
    )
