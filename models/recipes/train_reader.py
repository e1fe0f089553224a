"""Trains the tile reader: `python -m models.recipes.train_reader --scenes DIR... --out RUN
[--minutes 45] [--from CHECKPOINT]`.

A run ends after its minutes (or after --steps), writes a checkpoint every two minutes, and goes on
with the same command if it was interrupted. It computes on a GPU where there is one, else on the
CPU.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, smooth_l1_loss

from models.recipes.nets import ReaderNet
from models.recipes.reader_data import ReaderCrops
from models.recipes.training import Task, train

SCENES = 20  # a batch


def losses(
    outputs: tuple[Tensor, ...], batch: dict[str, Tensor]
) -> tuple[Tensor, dict[str, Tensor]]:
    """Compute the weighted sum of the heads' losses, and by name the figures to show: the loss of
    each head, and the share of numbers that are right. `outputs` are those of `ReaderNet`, and
    `batch` holds the right answers as `ReaderCrops` makes them.

    Colours and directions whose answer is negative, and corners whose answer is not finite, are
    left out. Crops turned sideways count little for number and colour.
    """
    number, colour, turn, corner_offsets, _features = (output.float() for output in outputs)
    whole = batch["corner_offsets"].isfinite().all(dim=1)
    upright = torch.where((batch["turn"] == 1) | (batch["turn"] == 3), 0.3, 1.0)
    asked = (batch["colour"] >= 0).float() * upright
    by_colour = cross_entropy(colour, batch["colour"].clamp(min=0), reduction="none")
    parts = {
        "number": (cross_entropy(number, batch["number"], reduction="none") * upright).mean(),
        "colour": (by_colour * asked).sum() / asked.sum().clamp(min=1),
        "corner_offsets": smooth_l1_loss(
            corner_offsets[whole], batch["corner_offsets"][whole], beta=0.02
        ),
        "turn": cross_entropy(turn, batch["turn"], ignore_index=-1),
    }
    total = parts["number"] + parts["colour"] + 0.5 * parts["turn"] + 32.0 * parts["corner_offsets"]
    return total, {**parts, "exact": (number.argmax(1) == batch["number"]).float().mean()}


def main() -> None:
    train(ReaderNet, ReaderCrops, losses, SCENES, Task.from_arguments(__doc__))


if __name__ == "__main__":
    main()
