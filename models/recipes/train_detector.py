"""Trains the tile detector: `python -m models.recipes.train_detector --scenes DIR... --out RUN
[--minutes 45] [--from CHECKPOINT]`.

A run ends after its minutes (or after --steps), and the learning rate falls as they pass. A
checkpoint is written every two minutes, and a run that was interrupted goes on with the same
command. The network computes in bf16 and channels-last, on a GPU where there is one, else on the
CPU.
"""

from __future__ import annotations

import torch
from torch import Tensor

from models.recipes.detector_data import DetectorWindows
from models.recipes.nets import DetectorNet
from models.recipes.training import Task, train

SCENES = 16  # a batch, one window of each


def centre_loss(logits: Tensor, heat: Tensor, weight: Tensor) -> Tensor:
    """Compute the focal loss on Gaussian centre maps (Zhou et al., "Objects as Points", 2019: alpha
    2, beta 4), divided by the number of centres.

    `logits`, `heat` and `weight` are (n, h, w). `heat` is 1 at the centres of faces, with a
    Gaussian around them; `weight` is 0 where the network may answer anything, else 1.
    """
    p = torch.sigmoid(logits).clamp(1e-5, 1 - 1e-5)
    positive = (heat >= 0.999).float()
    hit = -((1 - p) ** 2) * p.log() * positive
    miss = -(p**2) * (1 - p).log() * (1 - heat) ** 4 * (1 - positive) * weight
    return (hit.sum() + miss.sum()) / positive.sum().clamp(min=1)


def corner_loss(predicted: Tensor, target: Tensor, near: Tensor, symmetric: Tensor) -> Tensor:
    """Compute the L1 loss of corners, as a share of the face's size in the window.

    `predicted` and `target` are (n, 8, h, w), x and y of the four corners in cells; `near` (n, h,
    w) is the weight of each cell; `symmetric` (n, h, w) is 1 in cells of faces that look the same
    upside down, else 0. Half of the loss compares with the target's corners upside down wherever
    they fit better. In cells of faces that look the same upside down, the whole loss does so.
    Averaging the two directions would collapse the quad.
    """
    size = (target.amax(1) - target.amin(1)).clamp(min=1.0)
    upright = (predicted - target).abs().mean(1) / size
    turned = (predicted - target.roll(4, dims=1)).abs().mean(1) / size
    either = torch.minimum(upright, turned)
    loss = torch.where(symmetric > 0, either, 0.5 * upright + 0.5 * either)
    return (loss * near).sum() / near.sum().clamp(min=1)


def losses(output: Tensor, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
    output = output.float()
    centre = centre_loss(output[:, 0], batch["heat"], batch["weight"])
    corner = corner_loss(output[:, 1:], batch["corners"], batch["near"], batch["symmetric"])
    return centre + 4.0 * corner, {"centre": centre, "corner": corner}


def main() -> None:
    train(DetectorNet, DetectorWindows, losses, SCENES, Task.from_arguments(__doc__))


if __name__ == "__main__":
    main()
