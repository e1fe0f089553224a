"""Fits the temperatures of the reader: `python -m models.recipes.calibrate --scenes DIR... --models
DIR [--pieces cards]` prints them as JSON, for models.recipes.export.

The scenes have to be ones that were never trained on; their faces are found by the detector as in
the product. The temperature of a head, by which its logits are divided, is the one under which the
truth is likeliest (Guo et al., "On Calibration of Modern Neural Networks", 2017).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from engine.pieces import Pieces
from models.recipes.scenes import HIDDEN, NONE, TrainingScene, load_scenes
from vision.detector import Detector
from vision.frame import load
from vision.kinds import KINDS, TILES, Kind
from vision.reader import UNREADABLE, FaceScores, Reader, log_softmax

GRID = np.exp(np.linspace(np.log(0.5), np.log(4.0), 60))


def samples(
    scene: TrainingScene, detector: Detector, reader: Reader
) -> tuple[FaceScores, NDArray[np.int64]]:
    """Return the reader's scores of the m places that the detector finds, and the true classes
    there, (m, 2): number, then colour.

    A place that does not hold exactly one visible face has the number UNREADABLE and the colour
    NONE.
    """
    picture = load(scene.path).pixels
    scores = reader.read(picture, detector.detect(picture).quads)
    truth = []
    for quad in scores.quads:
        centres = [tuple(map(float, face.mean(axis=0))) for face in scene.quads]
        inside = [
            i for i, centre in enumerate(centres) if cv2.pointPolygonTest(quad, centre, False) >= 0
        ]
        known = [i for i in inside if scene.seen[i] != HIDDEN]
        truth.append(scene.classes(known[0]) if len(known) == 1 else (UNREADABLE, NONE))
    return scores, np.array(truth, np.int64).reshape(-1, 2)


def best_temperature(logits: NDArray[np.float32], truth: NDArray[np.int64]) -> float:
    """Return the temperature by which to divide `logits` (n, classes) so that they agree best with
    the true classes `truth` (n,).

    Negative entries of `truth` are left out; the temperature is 1 where all are negative.
    """
    asked = truth >= 0
    if not asked.any():
        return 1.0
    rows = np.arange(int(asked.sum()))
    costs = [-log_softmax(logits[asked] / np.float32(t))[rows, truth[asked]].mean() for t in GRID]
    return round(float(GRID[int(np.argmin(costs))]), 3)


def temperatures(
    scenes: list[TrainingScene], models: Path | None, kind: Kind = TILES
) -> dict[str, float]:
    """Fit the temperatures of the heads `number` and `colour` on scenes, and return them by the
    head's name. `models` is the folder of the networks, None for the installed ones; `kind` chooses
    the networks of tiles or those of cards.

    Raises ValueError where the reader already has temperatures.
    """
    detector, reader = Detector(models, kind=kind), Reader(models, kind=kind)
    if reader.calibrated:
        raise ValueError(f"expected a reader exported without temperatures, got {models}")
    found = []
    for scene in tqdm(scenes, "calibration"):
        scores, truth = samples(scene, detector, reader)
        # The crops are not kept: those of hundreds of scenes would fill the memory.
        found.append((scores.number, scores.colour, truth))
    number, colour, true = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return {
        "number": best_temperature(number, true[:, 0]),
        "colour": best_temperature(colour, true[:, 1]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--models", type=Path)
    parser.add_argument(
        "--pieces", type=Pieces, choices=list(Pieces), default=Pieces.TILES, help="default tiles"
    )
    given = parser.parse_args()
    print(
        json.dumps(
            temperatures(
                [scene for folder in given.scenes for scene in load_scenes(folder)],
                given.models,
                KINDS[given.pieces],
            )
        )
    )


if __name__ == "__main__":
    main()
