"""Trains the network that tells what lies beyond the ends of columns: `python -m
models.recipes.train_column_ends --scenes DIR... --out RUN [--minutes 45] [--from CHECKPOINT]`.

The folders hold rendered hands of cards and what `models.recipes.column_ends` collected there.
Otherwise it is run as `models.recipes.train_reader` is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.recipes.nets import ColumnNet
from models.recipes.scenes import TrainingScene
from models.recipes.train_second_look import SCENES, Finds, losses, with_finds
from models.recipes.training import Task, train
from vision.cards.column_ends import AROUND
from vision.cards.known_marks import with_marks


class Ends(Finds):
    """Samples of the network: windows of one photograph, six at most, as `Finds` makes them of
    finds. Ends in doubt are drawn five times as often as others. No class of ends is a blank or a
    comodín.
    """

    around = AROUND
    from_one, doubted, blank, comodin = 6, 5.0, 1.0, 1.0

    def completed(
        self,
        seen: NDArray[np.uint8],
        windows: NDArray[np.float32],
        scene: TrainingScene,
        drawn: NDArray[np.intp],
    ) -> NDArray[np.uint8]:
        """Return the views `seen` with the marks that are known there, see `with_marks`."""
        return with_marks(seen, windows, [scene.marks[find] for find in drawn])


def main() -> None:
    train(ColumnNet, Ends, losses, SCENES, with_finds(Task.from_arguments(__doc__)))


if __name__ == "__main__":
    main()
