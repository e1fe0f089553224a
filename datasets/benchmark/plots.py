"""The reliability curve and the confusion matrices, drawn with matplotlib (an extra of development)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from datasets.benchmark.counting import Outcome, PictureCount
from datasets.benchmark.measures import reliability

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NUMBERS = [*map(str, range(1, 14)), "J"]
COLOURS = ["R", "B", "K", "Y"]


def write_plots(counted: dict[str, list[PictureCount]], folder: Path) -> list[Path]:
    """Writes reliability.png and confusions.png into the folder; returns their paths."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, draw, beside in (("reliability", _draw_reliability, 1), ("confusions", _draw_confusions, 2)):
        figure = Figure(figsize=(5.5 * beside, 5.5), layout="constrained")
        FigureCanvasAgg(figure)
        draw(list(figure.subplots(1, beside, squeeze=False).flat), counted)
        figure.savefig(folder / f"{name}.png", dpi=110, metadata={"Software": None})
        written.append(folder / f"{name}.png")
    return written


def _draw_reliability(only: Sequence[Axes], counted: dict[str, list[PictureCount]]) -> None:
    """Confidence on a logit scale: nearly all readings are above 0.99."""
    (axes,) = only
    ends = (0.4, 0.9999)
    axes.plot(ends, ends, color="0.7", linestyle="--", label="perfectly calibrated")
    for source, counts in counted.items():
        bins = reliability(judged for count in counts for judged in count.tiles)
        points = np.clip([(bin_.confidence, bin_.exact) for bin_ in bins], *ends).reshape(-1, 2)
        axes.plot(points[:, 0], points[:, 1], marker="o", label=source)
        for bin_, (x, y) in zip(bins, points, strict=True):
            axes.annotate(str(bin_.of), (x, y), textcoords="offset points", xytext=(4, -10), fontsize=7)
    axes.set(xscale="logit", yscale="logit", xlim=(0.35, 0.99995), ylim=(0.35, 0.99995))
    axes.set(xlabel="confidence told", ylabel="share exact", title="Reliability (figures: readings in the bin)")
    axes.legend()


def _draw_confusions(pair: Sequence[Axes], counted: dict[str, list[PictureCount]]) -> None:
    read = [
        (judged.true, judged.read)
        for counts in counted.values()
        for count in counts
        for judged in count.tiles
        if judged.outcome in (Outcome.EXACT, Outcome.WRONG) and judged.true and judged.read
    ]
    _draw_matrix(pair[0], NUMBERS, Counter((_number(true), _number(said)) for true, said in read), "number")
    naturals = [(true, said) for true, said in read if "J" not in (true, said)]
    _draw_matrix(pair[1], COLOURS, Counter((true[-1], said[-1]) for true, said in naturals), "colour")


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


