"""From the networks of cards to that which looks again at marks in doubt: `python -m
models.recipes.card_second_look --out DIR --models DIR [--minutes 150]`.

All stages together take about `--minutes`. Whole hands with cards are rendered, the networks of
cards in `--models` find and read their marks, the network is trained on the finds, and it is
written as ONNX beside those. Every stage leaves its result in OUT, so a run that was interrupted
goes on with the same command.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from models.recipes import finds
from models.recipes.command import run_command
from models.recipes.on_hands import OnHands
from models.recipes.plan import SEED
from vision.kinds import CARDS

# Minutes that a hand takes on one core: 4.7 s to render it, 1.2 s to collect its finds (the mean of
# six hands).
A_HAND = 0.1


def run(out: Path, models: Path, minutes: float) -> None:
    collect = partial(finds.collect, kind=CARDS)
    OnHands("second_look", SEED, A_HAND, collect, "finds").run(out, models, minutes)


def main() -> None:
    run_command(
        run,
        "models.recipes.card_second_look",
        __doc__,
        "the networks of cards; the network that looks again goes there",
    )


if __name__ == "__main__":
    main()
