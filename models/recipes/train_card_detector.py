"""Trains the detector of card indices: `python -m models.recipes.train_card_detector --scenes
DIR... --out RUN [--minutes 45] [--from CHECKPOINT]`.

A run ends after its minutes (or after --steps), writes a checkpoint every two minutes, and goes on
with the same command if it was interrupted. It computes on a GPU where there is one, else on the
CPU.
"""

from __future__ import annotations

from torch import Tensor

from models.recipes.detector_data import CardWindows
from models.recipes.nets import CardDetectorNet
from models.recipes.train_detector import SCENES, centre_loss, corner_loss
from models.recipes.training import Task, train

INDEX = 8  # channels of the index's corners; as many of the card's follow
CARD_WEIGHT = 1.5  # of the card's corners, whose error is measured in cards, against the index's


def card_loss(predicted: Tensor, target: Tensor, near: Tensor) -> Tensor:
    """Compute the L1 loss of the card's corners: the mean of the absolute errors of their
    coordinates, as a share of the card's size.

    `predicted` and `target` are (n, 8, h, w), x and y of the four corners in cells, from the middle
    of the cell; `near` (n, h, w) is the weight of each cell. The size is the difference between the
    largest and the smallest of the eight coordinates in `target`, at least 1.
    """
    size = (target.amax(1) - target.amin(1)).clamp(min=1.0)
    loss = (predicted - target).abs().mean(1) / size
    return (loss * near).sum() / near.sum().clamp(min=1)


def losses(output: Tensor, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
    output = output.float()
    target, near = batch["corners"], batch["near"]
    centre = centre_loss(output[:, 0], batch["heat"], batch["weight"])
    corner = corner_loss(output[:, 1 : 1 + INDEX], target[:, :INDEX], near, batch["symmetric"])
    card = card_loss(output[:, 1 + INDEX :], target[:, INDEX:], near)
    total = centre + 4.0 * corner + 4.0 * CARD_WEIGHT * card
    return total, {"centre": centre, "corner": corner, "card": card}


def main() -> None:
    train(CardDetectorNet, CardWindows, losses, SCENES, Task.from_arguments(__doc__))


if __name__ == "__main__":
    main()
