"""The tally as a curve of each side over the hands: points in a box of 100 by 60, worked out here, drawn by the page."""

from __future__ import annotations

from dataclasses import dataclass

from scorer_app.matches import Tally
from scorer_app.record import SIDES, Side

WIDTH, HEIGHT = 320.0, 150.0


@dataclass(frozen=True)
class Plot:
    """`curves`: (x, y) of each side after 0, 1, 2... hands; `target` and `zero` are heights of lines."""

    curves: dict[Side, tuple[tuple[float, float], ...]]
    target: float
    zero: float
    width: float = WIDTH
    height: float = HEIGHT


def plot_of(tally: Tally) -> Plot:
    running = [line.running.totals for line in tally.counted if line.running]
    series: dict[Side, list[int]] = {side: [0, *(totals[side] for totals in running)] for side in SIDES}
    top = max(tally.target, *series["A"], *series["B"])
    bottom = min(0, *series["A"], *series["B"])

    def height(points: int) -> float:
        return round(HEIGHT * (top - points) / (top - bottom), 1)

    step = WIDTH / max(1, len(running))
    curves = {side: tuple((round(place * step, 1), height(points)) for place, points in enumerate(series[side])) for side in SIDES}
    return Plot(curves, height(tally.target), height(0))
