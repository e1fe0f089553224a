"""Train the tile reader: `python -m models.recipes.train_reader --scenes DIR... --out RUN [--minutes 45] [--from CHECKPOINT]`.

The same clock, checkpoints and device rules as the detector's recipe.
"""

from __future__ import annotations

import time

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, smooth_l1_loss
from torch.utils.data import DataLoader

from models.recipes.nets import ReaderNet
from models.recipes.reader_data import FROM_ONE, ReaderCrops
from models.recipes.training import Run, Task

SCENES = 20  # a batch


def reader_loss(outputs: tuple[Tensor, ...], batch: dict[str, Tensor]) -> dict[str, Tensor]:
    """Cross entropies; a head that is not asked (-1) is left out. Sideways crops count little for number and colour."""
    number, colour, turn, shift = (output.float() for output in outputs)
    whole = batch["shift"].isfinite().all(dim=1)
    upright = torch.where((batch["turn"] == 1) | (batch["turn"] == 3), 0.3, 1.0)
    asked = (batch["colour"] >= 0).float() * upright
    losses = cross_entropy(colour, batch["colour"].clamp(min=0), reduction="none")
    return {
        "number": (cross_entropy(number, batch["number"], reduction="none") * upright).mean(),
        "colour": (losses * asked).sum() / asked.sum().clamp(min=1),
        "shift": smooth_l1_loss(shift[whole], batch["shift"][whole], beta=0.02),
        "turn": cross_entropy(turn, batch["turn"], ignore_index=-1),
    }


def main() -> None:
    task = Task.from_arguments(__doc__)
    run = Run(ReaderNet(), task)
    while not run.finished:
        data = ReaderCrops(task.scenes, per_epoch=100_000, seed=task.seed + run.step)
        for items in DataLoader(data, SCENES, num_workers=task.workers, drop_last=True):
            started = time.perf_counter()
            batch = {key: value.flatten(0, 1).to(run.device) for key, value in items.items()}
            crops = batch["crops"].float().div(255).contiguous(memory_format=torch.channels_last)
            with run.autocast():
                outputs = run.net(crops)
            losses = reader_loss(outputs, batch)
            exact = (outputs[0].argmax(1) == batch["number"]).float().mean()
            loss = losses["number"] + losses["colour"] + 0.5 * losses["turn"] + 16.0 * losses["shift"]
            run.update(loss, started, SCENES * FROM_ONE, **losses, exact=exact)
            if run.finished:
                break
    run.close()


if __name__ == "__main__":
    main()
