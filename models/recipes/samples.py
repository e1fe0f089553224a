"""Endless random samples of labelled scenes, to train either network; the same seed gives the same
samples.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from models.recipes.scenes import TrainingScene

ENDLESS = 1 << 40  # samples; no run takes as many

Sample = dict[str, NDArray[np.generic]]  # arrays of one length: the samples drawn from one scene


class SceneSamples(Dataset[dict[str, Tensor]]):
    """A sequence of samples of `scenes`, one for each index from 0.

    Item `index` depends on the seed and the index alone, so that a resumed run sees the same
    samples as one that was never interrupted.
    """

    def __init__(self, scenes: list[TrainingScene], seed: int) -> None:
        self.scenes, self.seed = scenes, seed

    @abstractmethod
    def sample(
        self, scene: TrainingScene, picture: NDArray[np.uint8], rng: np.random.Generator
    ) -> Sample:
        """Draw k training samples from one scene, whose picture is (h, w, 3) RGB; the subclass
        decides k.

        Returns arrays by name. `picture` is (k, 3, h, w) uint8 RGB. All other arrays are the right
        answers; their first axis has the length k, too.
        """

    def __len__(self) -> int:
        return ENDLESS

    def __getitem__(self, index: int) -> dict[str, Tensor]:
        cv2.setNumThreads(0)
        rng = np.random.default_rng((self.seed, index))
        scene = self.scenes[rng.integers(len(self.scenes))]
        stored = cv2.imread(str(scene.path))
        if stored is None:
            raise FileNotFoundError(
                f"expected the picture of a scene, got nothing that can be read: {scene.path}"
            )
        picture = np.asarray(cv2.cvtColor(stored, cv2.COLOR_BGR2RGB), np.uint8)
        return {
            key: torch.from_numpy(value) for key, value in self.sample(scene, picture, rng).items()
        }

    def batches(
        self, scenes_each: int, first: int = 0, workers: int = 0
    ) -> Iterator[dict[str, Tensor]]:
        """Yield batches without end, beginning with the batch number `first`.

        A batch joins the samples of `scenes_each` scenes along the first axis of each array.
        `workers` processes prepare them; with 0 this process does.
        """
        indices = range(first * scenes_each, ENDLESS)
        return iter(
            DataLoader(self, scenes_each, sampler=indices, num_workers=workers, collate_fn=_joined)
        )


def _joined(samples: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    return {key: torch.cat([sample[key] for sample in samples]) for key in samples[0]}
