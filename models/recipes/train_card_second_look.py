"""Trains the network that looks again at marks of cards that are in doubt: `python -m
models.recipes.train_card_second_look --scenes DIR... --out RUN [--minutes 45] [--from CHECKPOINT]`.

The folders hold rendered cards and what `models.recipes.finds --pieces cards` collected there.
Otherwise it is run as `models.recipes.train_reader` is.
"""

from __future__ import annotations

from models.recipes.nets import CardSecondLookNet
from models.recipes.train_second_look import SCENES, Finds, losses, with_finds
from models.recipes.training import Task, train
from vision.cards.second_look import AROUND


class CardFinds(Finds):
    """Samples of the network, as `Finds` makes them of tiles. Few finds on cards are in doubt, and
    of most photographs a few finds say enough.
    """

    around = AROUND
    from_one, doubted, blank, comodin = 6, 20.0, 1.0, 2.0


def main() -> None:
    train(CardSecondLookNet, CardFinds, losses, SCENES, with_finds(Task.from_arguments(__doc__)))


if __name__ == "__main__":
    main()
