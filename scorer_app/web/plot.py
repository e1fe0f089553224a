"""Plots for the page: the tally of a match as a curve for each side, and how two names fared
against each other match by match.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.sides import SIDES, SideName
from scorer_app.services.statistics import PairRecord, average
from scorer_app.services.tally import Tally

WIDTH, HEIGHT = 320.0, 150.0
COURSE_HEIGHT = 90.0
MOST_MATCHES = 24  # most matches shown of a pair, the last ones
MOST_NAMED = 15  # most numbers under the curves; more would touch each other


@dataclass(frozen=True)
class Plot:
    """The curves and marks of a plot, in units of a box of `width` by `height`, with x from its
    left side and y from its top.

    `curves` holds the (x, y) of each side's total after 0, 1, 2... hands. `hands` holds, for each
    hand that is named below the plot, its x and its number in the match, counted from 1. `target`
    is the y of the total at which a side wins, `zero` the y of 0 points.
    """

    curves: dict[SideName, tuple[tuple[float, float], ...]]
    hands: tuple[tuple[float, int], ...]
    target: float
    zero: float
    width: float = WIDTH
    height: float = HEIGHT


def plot_of(tally: Tally) -> Plot:
    """Compute the plot of a tally."""
    running = [line.running.totals for line in tally.counted if line.running]
    series: dict[SideName, list[int]] = {
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
        (round(number * step, 1), tally.counted[number - 1].position)
        for number in range(every, len(running) + 1, every)
    )
    return Plot(curves, hands, height(tally.target), height(0))


@dataclass(frozen=True)
class Course:
    """How a pair of names fared match by match, in units of a box of `width` by `height`, with x
    from its left side and y from its top.

    `curves` holds for each name the (x, y) of its average points a hand in each match, and `zero`
    is the y of 0 points. `lowest` and `highest` are the averages, in points, at the bottom and at
    the top of the box.
    """

    curves: dict[str, tuple[tuple[float, float], ...]]
    zero: float
    lowest: int
    highest: int
    width: float = WIDTH
    height: float = COURSE_HEIGHT


def course_of(pair: PairRecord) -> Course | None:
    """Compute the curves that show how a pair of names fared in its latest matches, MOST_MATCHES at
    most. Return None where fewer than two matches of the pair have hands.
    """
    played = [one for one in pair.course if one.hands][-MOST_MATCHES:]
    if len(played) < 2:
        return None
    series = {name: [average(one.totals[name], one.hands) for one in played] for name in pair.sides}
    every = [points for averages in series.values() for points in averages]
    top, bottom = max(0, *every), min(0, *every)

    def place(number: int, points: int) -> tuple[float, float]:
        across = WIDTH * number / (len(played) - 1)
        down = COURSE_HEIGHT * (top - points) / max(1, top - bottom)
        return round(across, 1), round(down, 1)

    curves = {
        name: tuple(place(number, points) for number, points in enumerate(averages))
        for name, averages in series.items()
    }
    return Course(curves, place(0, 0)[1], bottom, top)
