"""The tally as a curve of each side over the hands."""

from __future__ import annotations

from dataclasses import dataclass

from scorer_app.hand.record import SIDES, Side
from scorer_app.services.matches import Tally

WIDTH, HEIGHT = 320.0, 150.0
MOST_NAMED = 15  # numbers under the curves; more would touch each other


@dataclass(frozen=True)
class Plot:
    """The curves and marks of a plot, in units of a box of `width` by `height` with y downwards.

    `curves` holds (x, y) of each side after 0, 1, 2... hands, `hands` the x and the number of the
    hands to name below, and `target` and `zero` the y of those totals.
    """

    curves: dict[Side, tuple[tuple[float, float], ...]]
    hands: tuple[tuple[float, int], ...]
    target: float
    zero: float
    width: float = WIDTH
    height: float = HEIGHT


def plot_of(tally: Tally) -> Plot:
    """Work out the plot of a tally."""
    running = [line.running.totals for line in tally.counted if line.running]
    series: dict[Side, list[int]] = {
        side: [0, *(totals[side] for totals in running)] for side in SIDES
    }
    top = max(tally.target, *series["A"], *series["B"])
    bottom = min(0, *series["A"], *series["B"])

    def height(points: int) -> float:
        return round(HEIGHT * (top - points) / (top - bottom), 1)

    step = WIDTH / max(1, len(running))
    curves = {
        side: tuple(
            (round(place * step, 1), height(points)) for place, points in enumerate(series[side])
        )
        for side in SIDES
    }
    every = 1 + len(running) // MOST_NAMED
    hands = tuple(
        (round(number * step, 1), number) for number in range(every, len(running) + 1, every)
    )
    return Plot(curves, hands, height(tally.target), height(0))
