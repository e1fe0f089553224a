"""Writes the mean of two checkpoints of one network: `python -m models.recipes.average --before
CHECKPOINT --after CHECKPOINT --out DIR [--network reader] [--pieces tiles]`.

The mean of the weights before and after further training keeps most of what the training gains, and
does not lose what was read well before it (Wortsman et al., "Robust fine-tuning of zero-shot
models", 2022).
"""

from __future__ import annotations

import argparse
from pathlib import Path

from torch import nn

from engine.pieces import Pieces
from models.recipes.nets import CardDetectorNet, DetectorNet, ReaderNet
from models.recipes.stages import NETWORKS
from models.recipes.training import load_rounds, load_weights, save_weights

DETECTORS = {Pieces.TILES: DetectorNet, Pieces.CARDS: CardDetectorNet}


def average(
    before: Path, after: Path, out: Path, pieces: Pieces, network: str = "detector"
) -> Path:
    """Write the mean of two checkpoints of a network to OUT/checkpoint.pt, and return its path.
    `before` is from before some further training of the network, `after` from after it. `network`
    is one of NETWORKS.

    The mean is recorded with the rounds of training of `after`.
    """
    net: nn.Module = DETECTORS[pieces]() if network == "detector" else ReaderNet()
    started = load_weights(before)
    between = {
        name: weights.lerp(started[name], 0.5) if weights.is_floating_point() else weights
        for name, weights in load_weights(after).items()
    }
    net.load_state_dict(between)
    out.mkdir(parents=True, exist_ok=True)
    path = out / "checkpoint.pt"
    save_weights(net, path, load_rounds(after))
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, required=True)
    parser.add_argument("--after", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--pieces", type=Pieces, choices=list(Pieces), default=Pieces.CARDS, help="default cards"
    )
    parser.add_argument("--network", choices=NETWORKS, default="detector", help="default detector")
    given = parser.parse_args()
    average(given.before, given.after, given.out, given.pieces, given.network)


if __name__ == "__main__":
    main()
