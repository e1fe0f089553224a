"""From the networks of cards to that which looks again at marks in doubt: `python -m
models.recipes.card_second_look --out DIR --models DIR [--minutes 150]`.

All stages together take about `--minutes`. Whole hands with cards are rendered, the networks of
cards in `--models` find and read their marks, the network is trained on the finds, and it is
written as ONNX beside those. Every stage leaves its result in OUT, so a run that was interrupted
goes on with the same command.
"""

from __future__ import annotations

from pathlib import Path

from models.recipes import finds
from models.recipes.cards import render_hands
from models.recipes.command import announce, run_command
from models.recipes.plan import SEED
from models.recipes.scenes import FINDS
from models.recipes.stages import Round, export
from vision.kinds import CARDS

# Minutes that a hand takes on one core: 4.7 s to render it, 1.2 s to collect its finds (the mean of
# six hands).
A_HAND = 0.1
TRAINING = 0.4  # share of the minutes; rendering and collecting take the rest
RATE = 2e-3
STAGES = 4


def run(out: Path, models: Path, minutes: float) -> None:
    count = max(2, round(minutes * (1 - TRAINING) / A_HAND))
    announce(1, STAGES, f"rendering {count} hands")
    folder = render_hands(out / "hands", SEED, count)

    announce(2, STAGES, "collecting what is found there")
    if not (folder / FINDS).exists():
        print(f"{finds.collect(folder, models, kind=CARDS)} finds", flush=True)

    announce(3, STAGES, f"training the network, {minutes * TRAINING:.1f} min")
    learnt = ("second_look",)
    trained = Round(
        (folder,), out / "trained", minutes * TRAINING, RATE, kind=CARDS, networks=learnt
    ).run()

    announce(4, STAGES, f"writing the network to {models}")
    export(trained, models, kind=CARDS)


def main() -> None:
    run_command(
        run,
        "models.recipes.card_second_look",
        __doc__,
        "the networks of cards; the network that looks again goes there",
    )


if __name__ == "__main__":
    main()
