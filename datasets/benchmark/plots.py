"""The reliability curve and the confusion matrices of the written tables, drawn with matplotlib
(an extra of development).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from datasets.benchmark.tables import Row, read_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NUMBERS = [*map(str, range(1, 14)), "J"]
COLOURS = ["R", "B", "K", "Y"]


def write_plots(folder: Path) -> list[Path]:
    """Draw reliability.csv and confusions.csv of a folder, each as a PNG beside the table, and
    return the PNGs' paths.
    """
    return [
        plot_reliability(folder / "reliability.csv"),
        _written(folder / "confusions.csv", _draw_confusions, 2),
    ]


def plot_reliability(table: Path) -> Path:
    """Draw the CSV file `table`, which has the columns of reliability.csv, as a PNG beside it, and
    return the PNG's path.
    """
    return _written(table, _draw_reliability, 1)


def _written(
    table: Path, draw: Callable[[Sequence[Axes], Sequence[Row]], None], beside: int
) -> Path:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.5 * beside, 5.5), layout="constrained")
    FigureCanvasAgg(figure)
    draw(list(figure.subplots(1, beside, squeeze=False).flat), read_table(table))
    picture = table.with_suffix(".png")
    figure.savefig(picture, dpi=110, metadata={"Software": None})
    return picture


def _draw_reliability(only: Sequence[Axes], table: Sequence[Row]) -> None:
    """Draw the reliability curve of `table`, rows of reliability.csv. `only` is a sequence of one
    plot, on which the curve is drawn. Confidence is drawn on a logit scale, since nearly all
    readings are above 0.99.
    """
    (axes,) = only
    ends = (0.4, 0.9999)
    axes.plot(ends, ends, color="0.7", linestyle="--", label="perfectly calibrated")
    for source, rows in groupby(table, key=lambda row: row["source"]):
        bins = list(rows)
        points = np.clip(
            [(float(bin_["confidence"]), float(bin_["exact"])) for bin_ in bins], *ends
        )
        axes.plot(points[:, 0], points[:, 1], marker="o", label=source)
        for bin_, (x, y) in zip(bins, points, strict=True):
            axes.annotate(
                bin_["of"], (x, y), textcoords="offset points", xytext=(4, -10), fontsize=7
            )
    axes.set(xscale="logit", yscale="logit", xlim=(0.35, 0.99995), ylim=(0.35, 0.99995))
    axes.set(
        xlabel="confidence told",
        ylabel="share exact",
        title="Reliability (figures: readings in the bin)",
    )
    axes.legend()


def _draw_confusions(pair: Sequence[Axes], table: Sequence[Row]) -> None:
    numbers: Counter[tuple[str, str]] = Counter()
    colours: Counter[tuple[str, str]] = Counter()
    for true, read, count in ((row["true"], row["read"], int(row["count"])) for row in table):
        numbers[_number(true), _number(read)] += count
        if "J" not in (true, read):
            colours[true[-1], read[-1]] += count
    _draw_matrix(pair[0], NUMBERS, numbers, "number")
    _draw_matrix(pair[1], COLOURS, colours, "colour")


def _number(tile: str) -> str:
    return tile if tile == "J" else tile[:-1]


def _draw_matrix(axes: Axes, names: list[str], pairs: Counter[tuple[str, str]], what: str) -> None:
    matrix = np.array([[pairs[true, said] for said in names] for true in names])
    shares = matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1)
    axes.imshow(np.sqrt(shares), cmap="Blues", vmin=0, vmax=1)  # the root lets rare confusions show
    for (row, column), count in np.ndenumerate(matrix):
        if count:
            shade = "white" if shares[row, column] > 0.4 else "black"
            axes.text(column, row, str(count), ha="center", va="center", fontsize=7, color=shade)
    axes.set(xlabel=f"{what} read", ylabel=f"true {what}", title=f"Readings by {what}")
    axes.set_xticks(range(len(names)), names)
    axes.set_yticks(range(len(names)), names)
