"""What a reader is said to see on faces, where a test needs no picture of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.crops import CROP_HEIGHT, CROP_WIDTH
from vision.reader import FEATURE_COUNT, NUMBER_CLASSES, FaceScores, log_softmax

Probabilities = Mapping[int, float]  # of some classes; all others share next to nothing


def log_probabilities(told: Sequence[Probabilities], classes: int) -> NDArray[np.float32]:
    """Return log-probabilities of so many `classes`, (n, classes), as told row by row."""
    rows = np.full((len(told), classes), 1e-6)
    for row, probabilities in zip(rows, told, strict=True):
        row[list(probabilities)] = list(probabilities.values())
    return log_softmax(np.log(rows).astype(np.float32))


def seen_on(
    quads: NDArray[np.float32],
    numbers: Sequence[Probabilities],
    colour: Probabilities | None = None,
) -> FaceScores:
    """Return what the reader says of the faces at `quads` (n, 4, 2): the probabilities of the
    numbers of each, and one `colour` for all, or none that is likelier than another. The crops are
    black.
    """
    count = len(quads)
    return FaceScores(
        log_probabilities(numbers, len(NUMBER_CLASSES)),
        log_probabilities([colour or {}] * count, 4),
        np.zeros((count, 4), np.float32),
        quads,
        np.zeros((count, CROP_HEIGHT, CROP_WIDTH, 3), np.uint8),
        np.zeros((count, 8), np.float32),
        np.zeros((count, FEATURE_COUNT), np.float32),
    )
