"""Measures what evidence tiles of each ink colour give: `python -m models.recipes.inks --scenes
DIR... [--models DIR]` prints it as JSON.

Evidence is the seven numbers from which `vision.colour` tells a tile's ink. Their means for each
ink, and how much they vary from table to table and from tile to tile, are measured on scenes that
were never trained on, with tiles found and read as in the product. The result stands in
`vision.colour.INKS`; it is measured anew for a newly trained reader. The shipped result is from the
scenes of `python -m datasets.generate DIR --count 800 --seed 7770001 --size 1280x960`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from engine.tiles import COLOURS
from models.recipes.calibrate import samples
from models.recipes.scenes import TrainingScene, load_scenes
from vision.colour import Inks, evidence, ink_directions
from vision.detector import Detector
from vision.reader import JOKER, Reader

FEWEST = 4  # tiles of one ink on a table; fewer say little about its evidence there
LEAST = 0.02  # added to each variance: what is constant on these tables may vary on others

Table = tuple[NDArray[np.float64], NDArray[np.int64]]  # evidence (n, 7), true ink (n,)


def table(scene: TrainingScene, detector: Detector, reader: Reader) -> Table:
    """Collect the evidence of one scene's tiles, (n, 7), and their true inks, (n,), as indices into
    COLOURS.

    Only tiles that bear a number and on which the reader reads a number are taken.
    """
    scores, truth = samples(scene, detector, reader)
    inked = np.flatnonzero((truth[:, 1] >= 0) & (scores.number.argmax(axis=1) < JOKER))
    return evidence(ink_directions(scores.crops[inked]), scores.colour[inked]), truth[inked, 1]


def fit(tables: Sequence[Table]) -> Inks:
    """Return the evidence of each ink: its mean, and how much the evidence of one ink varies from
    table to table and from tile to tile of one table. `tables` holds for each scene the evidence of
    its tiles, (n, 7), and their true inks, (n,), as indices into COLOURS.

    Raises ValueError for an ink of which no single table shows FEWEST tiles or more.
    """
    averages, between, within = [], [], []
    for ink, name in enumerate(COLOURS):
        shown = [seen[truth == ink] for seen, truth in tables if (truth == ink).sum() >= FEWEST]
        if not shown:
            raise ValueError(
                f"expected tables with {FEWEST} tiles of each ink, got none with {name}"
            )
        means = np.array([tiles.mean(axis=0) for tiles in shown])
        averages.append(means.mean(axis=0))
        between.append(means.var(axis=0))
        within += [((tiles - np.median(tiles, axis=0)) ** 2, len(tiles) - 1) for tiles in shown]
    spread = sum(squares.sum(axis=0) for squares, _ in within) / sum(free for _, free in within)
    return Inks(np.array(averages), np.mean(between, axis=0) + LEAST, np.asarray(spread) + LEAST)


def fitted(scenes: Sequence[TrainingScene], models: Path | None) -> str:
    """Measure the evidence of each ink on scenes, and return it as JSON text with the fields of
    `vision.colour.Inks`. `models` is the folder of the networks, None for the installed ones.
    """
    detector, reader = Detector(models), Reader(models)
    found = fit([table(scene, detector, reader) for scene in tqdm(scenes, "inks")])
    return json.dumps({name: np.round(value, 2).tolist() for name, value in vars(found).items()})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--models", type=Path)
    given = parser.parse_args()
    print(fitted([scene for folder in given.scenes for scene in load_scenes(folder)], given.models))


if __name__ == "__main__":
    main()
