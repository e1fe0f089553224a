"""Trains the network that tells what lies beyond the ends of columns: `python -m
models.recipes.train_column_ends --scenes DIR... --out RUN [--minutes 45] [--from CHECKPOINT]`.

The folders hold rendered hands of cards and what `models.recipes.column_ends` collected there.
Otherwise it is run as `models.recipes.train_reader` is.
"""

from __future__ import annotations

from models.recipes.nets import ColumnNet
from models.recipes.train_second_look import SCENES, Finds, losses, with_finds
from models.recipes.training import Task, train
from vision.cards.column_ends import AROUND


class Ends(Finds):
    """Samples of the network: windows of one photograph, six at most, as `Finds` makes them of
    finds. Ends in doubt are drawn five times as often as others. No class of ends is a blank or a
    comodín.
    """

    around = AROUND
    from_one, doubted, blank, comodin = 6, 5.0, 1.0, 1.0


def main() -> None:
    train(ColumnNet, Ends, losses, SCENES, with_finds(Task.from_arguments(__doc__)))


if __name__ == "__main__":
    main()
