"""The stages of the recipes of further networks of cards, which learn from what the first ones tell
of rendered hands: `models.recipes.card_second_look`, `models.recipes.column_ends` and
`models.recipes.column_gaps`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from datasets.cards.area import Laid
from models.recipes.cards import render_hands
from models.recipes.command import announce
from models.recipes.scenes import FINDS
from models.recipes.stages import Round, export
from vision.kinds import CARDS

TRAINING = 0.4  # share of the minutes; rendering and collecting take the rest
RATE = 2e-3  # highest learning rate
STAGES = 4
_FOLDERS = {Laid.COLUMNS: "hands", Laid.ROWS: "hands-in-rows", Laid.FANS: "hands-in-fans"}
_IN_COLUMNS = {Laid.COLUMNS: 1.0}
# Most people lay melds as columns. Rows and fans look different enough to be learned by themselves.
LAID_ANYHOW = {Laid.COLUMNS: 0.7, Laid.ROWS: 0.2, Laid.FANS: 0.1}


@dataclass(frozen=True)
class OnHands:
    """How a network learns from rendered hands.

    `network` is its name in `models.recipes.stages.TRAINERS`, `seed` that of the hands, and
    `a_hand` how many minutes it takes on one core to render a hand and to collect from it what the
    network learns. `collect` does the latter with the hands in a folder and the networks in
    another: it writes the file FINDS beside the hands, and returns how many `samples` it found;
    this names them in what is printed. `laid` tells which share of the hands has melds laid how:
    of each way as many as that, the first of the seed, so that some hands are laid in several ways.
    """

    network: str
    seed: int
    a_hand: float
    collect: Callable[[Path, Path], int]
    samples: str
    laid: Mapping[Laid, float] = field(default_factory=lambda: _IN_COLUMNS)

    def run(self, out: Path, models: Path, minutes: float) -> None:
        """Render hands, collect samples, train the network and write it to the folder `models`, in
        about so many `minutes`. Each stage leaves its result in the folder `out` and is not done
        twice.

        Raises SystemExit where the training or the writing fails.
        """
        count = max(2, round(minutes * (1 - TRAINING) / self.a_hand))
        counts = {laid: max(1, round(count * share)) for laid, share in self.laid.items()}
        announce(1, STAGES, f"rendering {sum(counts.values())} hands")
        folders = [
            render_hands(out / _FOLDERS[laid], self.seed, hands, laid)
            for laid, hands in counts.items()
        ]

        announce(2, STAGES, f"collecting {self.samples}")
        for folder in folders:
            if not (folder / FINDS).exists():
                print(f"{self.collect(folder, models)} {self.samples}", flush=True)

        announce(3, STAGES, f"training the network, {minutes * TRAINING:.1f} min")
        trained = Round(
            tuple(folders),
            out / "trained",
            minutes * TRAINING,
            RATE,
            kind=CARDS,
            networks=(self.network,),
        ).run()

        announce(4, STAGES, f"writing the network to {models}")
        export(trained, models, kind=CARDS)
