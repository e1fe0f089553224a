"""Trains the network that looks again at finds in doubt: `python -m
models.recipes.train_second_look --scenes DIR... --out RUN [--minutes 45] [--from CHECKPOINT]`.

The folders hold rendered scenes and what `models.recipes.finds` collected there. Otherwise it is
run as `models.recipes.train_reader` is.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy

from models.recipes.nets import SecondLookNet
from models.recipes.reader_data import CHANGES, OF_ONE_FACE, jittered, varied
from models.recipes.samples import Sample, SceneSamples
from models.recipes.scenes import NONE, TrainingScene
from models.recipes.training import Task, train
from vision.around import views
from vision.reader import JOKER, UNREADABLE
from vision.tiles.second_look import AROUND

SCENES = 24  # a batch
FROM_ONE = 16  # finds of one scene at most
OFF = (0.005, 0.015, 0.03)  # about how far corners of a window are off, in sizes of the window
LOOKS = tuple(one for one in CHANGES if one[1] not in OF_ONE_FACE)
# How much more often a find is drawn that is in doubt, that is no tile or cannot be read, and that
# is a comodín.
DOUBTED, BLANK, COMODIN = 6.0, 1.5, 3.0
SMOOTHING = 0.003
COLOUR_WEIGHT = 0.5


class Finds(SceneSamples):
    """Samples of the network: windows of one scene, `picture` (k, 3, 112, 96), what each shows,
    `shown` (k,), and its colour, `colour` (k,).
    """

    around = AROUND
    from_one, doubted, blank, comodin = FROM_ONE, DOUBTED, BLANK, COMODIN

    def sample(
        self, scene: TrainingScene, picture: NDArray[np.uint8], rng: np.random.Generator
    ) -> Sample:
        shown, colour, doubted = scene.shown.T
        weights = np.where(doubted == 1, self.doubted, 1.0)
        weights *= np.where(shown >= UNREADABLE, self.blank, 1.0)
        weights *= np.where(shown == JOKER, self.comodin, 1.0)
        count = min(self.from_one, len(shown))
        drawn = rng.choice(len(shown), count, replace=False, p=weights / weights.sum())
        off = np.stack([jittered(scene.finds[find], rng, float(rng.choice(OFF))) for find in drawn])
        seen = self.around.balanced(varied(views(picture, off), rng, LOOKS))
        seen = self.completed(seen, off, scene, drawn)
        return {
            "picture": np.ascontiguousarray(seen.transpose(0, 3, 1, 2)),
            "shown": shown[drawn],
            "colour": colour[drawn],
        }

    def completed(
        self,
        seen: NDArray[np.uint8],
        windows: NDArray[np.float32],
        scene: TrainingScene,
        drawn: NDArray[np.intp],
    ) -> NDArray[np.uint8]:
        """Return the views `seen` of the windows (k, 4, 2) with what a network is shown besides.
        The windows are those of the finds `drawn` of the scene.
        """
        return seen


def losses(
    output: tuple[Tensor, Tensor], batch: dict[str, Tensor]
) -> tuple[Tensor, dict[str, Tensor]]:
    """Compute the loss of the network's answers and the share of them that are right. `batch` holds
    the right ones as `Finds` makes them.
    """
    shown, colour = (logits.float() for logits in output)
    loss = cross_entropy(shown, batch["shown"], label_smoothing=SMOOTHING)
    coloured = batch["colour"] != NONE
    inks = cross_entropy(
        colour[coloured], batch["colour"][coloured], label_smoothing=SMOOTHING, reduction="sum"
    ) / max(1, int(coloured.sum()))
    right = (shown.argmax(dim=1) == batch["shown"]).float().mean()
    return loss + COLOUR_WEIGHT * inks, {"right": right, "inks": inks}


def with_finds(task: Task) -> Task:
    """Return the task with those of its scenes alone where something was found. Raises SystemExit
    where there is none.
    """
    scenes = [scene for scene in task.scenes if len(scene.finds)]
    if not scenes:
        raise SystemExit("expected scenes with finds, got none")
    return replace(task, scenes=scenes)


def main() -> None:
    train(SecondLookNet, Finds, losses, SCENES, with_finds(Task.from_arguments(__doc__)))


if __name__ == "__main__":
    main()
