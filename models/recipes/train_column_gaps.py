"""Trains the network that tells what lies between two neighbours of a column: `python -m
models.recipes.train_column_gaps --scenes DIR... --out RUN [--minutes 45] [--from CHECKPOINT]`.

The folders hold rendered hands of cards and what `models.recipes.column_gaps` collected there.
Otherwise it is run as `models.recipes.train_reader` is.
"""

from __future__ import annotations

from models.recipes.nets import ColumnNet
from models.recipes.train_column_ends import Ends
from models.recipes.train_second_look import SCENES, losses, with_finds
from models.recipes.training import Task, train
from vision.cards.column_gaps import AROUND


class Gaps(Ends):
    """Samples of the network: windows of one photograph, ten at most, drawn as `Ends` are."""

    around, from_one = AROUND, 10


def main() -> None:
    train(ColumnNet, Gaps, losses, SCENES, with_finds(Task.from_arguments(__doc__)))


if __name__ == "__main__":
    main()
