"""Train the tile detector: `python -m models.recipes.train_detector --scenes DIR... --out RUN [--minutes 45] [--from CHECKPOINT]`.

Stops by the clock, so the learning rate is a function of the time spent; checkpoints every two minutes; a run that was
interrupted goes on with the same command. Uses a GPU where there is one, else bf16 and channels-last on the CPU.
"""

from __future__ import annotations

import time

import torch
from torch import Tensor
from torch.utils.data import DataLoader

from models.recipes.detector_data import DetectorWindows
from models.recipes.nets import DetectorNet
from models.recipes.training import Run, Task

BATCH = 16


def centre_loss(logits: Tensor, heat: Tensor, weight: Tensor) -> Tensor:
    """Focal loss on Gaussian centre maps (Zhou et al., "Objects as Points", 2019: alpha 2, beta 4)."""
    p = torch.sigmoid(logits).clamp(1e-5, 1 - 1e-5)
    positive = (heat >= 0.999).float()
    hit = -((1 - p) ** 2) * p.log() * positive
    miss = -(p**2) * (1 - p).log() * (1 - heat) ** 4 * (1 - positive) * weight
    return (hit.sum() + miss.sum()) / positive.sum().clamp(min=1)


def corner_loss(predicted: Tensor, target: Tensor, near: Tensor, symmetric: Tensor) -> Tensor:
    """L1 in tile sizes. Half of it forgives a tile read upside down (all of it for faces that have no top): averaging
    the two directions would collapse the quad.
    """
    size = (target.amax(1) - target.amin(1)).clamp(min=1.0)
    upright = (predicted - target).abs().mean(1) / size
    turned = (predicted - target.roll(4, dims=1)).abs().mean(1) / size
    either = torch.minimum(upright, turned)
    loss = torch.where(symmetric > 0, either, 0.5 * upright + 0.5 * either)
    return (loss * near).sum() / near.sum().clamp(min=1)


def main() -> None:
    task = Task.from_arguments(__doc__)
    run = Run(DetectorNet(), task)
    while not run.finished:
        data = DetectorWindows(task.scenes, per_epoch=100_000, seed=task.seed + run.step)
        for batch in DataLoader(data, BATCH, num_workers=task.workers, drop_last=True):
            started = time.perf_counter()
            moved = {key: value.to(run.device) for key, value in batch.items()}
            image = moved["image"].float().div(255).contiguous(memory_format=torch.channels_last)
            with run.autocast():
                output = run.net(image)
            output = output.float()
            centre = centre_loss(output[:, 0], moved["heat"], moved["weight"])
            corner = corner_loss(output[:, 1:], moved["corners"], moved["near"], moved["symmetric"])
            run.update(centre + 4.0 * corner, started, BATCH, centre=centre, corner=corner)
            if run.finished:
                break
    run.close()


if __name__ == "__main__":
    main()
