"""Trains the network that tells whether a 6 or a 9 on a rack stands on its head: `python -m
models.recipes.train_direction --scenes DIR... --out RUN [--minutes 45] [--from CHECKPOINT]`.

The folders hold rendered racks and what `models.recipes.directions` collected there. Otherwise it
is run as `models.recipes.train_reader` is.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from models.recipes.nets import DirectionNet
from models.recipes.reader_data import CHANGES, OF_ONE_FACE, jittered, varied
from models.recipes.samples import Sample, SceneSamples
from models.recipes.scenes import TrainingScene
from models.recipes.training import Task, train
from vision.tiles.rack_direction import views

SCENES = 20  # a batch
OFF = 0.012  # about how far corners of a window are off, in sizes of the window
LOOKS = tuple(one for one in CHANGES if one[1] not in OF_ONE_FACE)
SMOOTHING = 0.01  # no answer counts as surer than this much less than 1


class RackViews(SceneSamples):
    """Samples of the network: the windows of one scene, `picture` (k, 3, 60, 72), and which tiles
    stand on their head, `upside_down` (k,), 0 or 1.
    """

    def sample(
        self, scene: TrainingScene, picture: NDArray[np.uint8], rng: np.random.Generator
    ) -> Sample:
        windows = np.stack([jittered(window, rng, OFF) for window in scene.windows])
        seen = varied(views(picture, windows), rng, LOOKS)
        return {
            "picture": np.ascontiguousarray(seen.transpose(0, 3, 1, 2)),
            "upside_down": scene.upside_down.astype(np.float32),
        }


def losses(output: Tensor, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
    """Compute the loss of the network's answers, (n,) log-odds, and the share of them that are
    right. `batch` holds the right ones as `RackViews` makes them.
    """
    output, true = output.float(), batch["upside_down"]
    softened = true * (1 - 2 * SMOOTHING) + SMOOTHING
    loss = binary_cross_entropy_with_logits(output, softened)
    return loss, {"right": ((output > 0) == (true > 0.5)).float().mean()}


def main() -> None:
    task = Task.from_arguments(__doc__)
    scenes = [scene for scene in task.scenes if len(scene.windows)]
    if not scenes:
        raise SystemExit("expected scenes with 6s and 9s on racks, got none")
    train(DirectionNet, RackViews, losses, SCENES, replace(task, scenes=scenes))


if __name__ == "__main__":
    main()
