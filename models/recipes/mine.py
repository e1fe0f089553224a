"""Collects what a detector takes for faces and is none: `python -m models.recipes.mine FOLDER...
--models DIR [--pieces cards]`.

It writes FOLDER/blanks.json, {photo: [quad, ...]}, of backs, prints, cloth and sheets of figures.
The reader learns from them to see no face there.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from engine.pieces import Pieces
from models.recipes.scenes import BLANKS, TrainingScene, load_scenes, write_whole
from vision.detector import Detector, DetectorConfig
from vision.frame import load
from vision.kinds import KINDS, TILES, Kind
from vision.quads import Quad
from vision.reader import JOKER, UNREADABLE, Reader, log_softmax

EVERY = 2  # pictures: half of them say enough
MOST = 40  # quads of one picture
THRESHOLD = 0.12
# Probabilities above which what lies on a labelled card may be an index that is not labelled, such
# as a half covered one or the rest of a jolly's word.
MAY_BE_JOLLY, MAY_BE_INDEX = 0.3, 0.97


@dataclass(frozen=True)
class Miner:
    """The networks of one kind of piece, which say what looks like a face."""

    detector: Detector
    reader: Reader

    @classmethod
    def open(cls, models: Path | None, kind: Kind = TILES) -> Miner:
        """Load both networks from `models`, by default those installed. Raises ModelError."""
        detector = Detector(models, DetectorConfig(threshold=THRESHOLD), kind=kind)
        return cls(detector, Reader(models, kind=kind))

    def blanks(self, scene: TrainingScene) -> list[list[list[float]]]:
        """List the quads (4, 2) found where no face is labelled and no index may lie."""
        picture = load(scene.path).pixels
        found = self.detector.detect(picture).quads[:MOST]
        blank = [quad for quad in found if not _is_labelled(scene, quad)]
        on_card = [quad for quad in blank if _inside_one(scene.wholes, quad)]
        indices = self._may_be_indices(picture, on_card)
        return [
            np.round(quad, 1).tolist()
            for quad in blank
            if not any(quad is index for index in indices)
        ]

    def _may_be_indices(self, picture: NDArray[np.uint8], quads: list[Quad]) -> list[Quad]:
        """Return those of the quads that the reader may rightly take for the index of a card."""
        if not quads:
            return []
        told = np.exp(log_softmax(self.reader.read(picture, np.stack(quads)).number))
        may_be = (told[:, JOKER] > MAY_BE_JOLLY) | (told[:, UNREADABLE] < 1 - MAY_BE_INDEX)
        return [quad for quad, index in zip(quads, may_be, strict=True) if index]


def _inside_one(quads: NDArray[np.float32], inner: Quad) -> bool:
    """Tell whether the middle of `inner` lies in one of `quads` (n, 4, 2)."""
    x, y = map(float, inner.mean(axis=0))
    return any(cv2.pointPolygonTest(quad, (x, y), False) >= 0 for quad in quads)


def _is_labelled(scene: TrainingScene, quad: Quad) -> bool:
    """Tell whether the middle of `quad` lies on a labelled face or where nothing is asked, or that
    of a labelled face in `quad`.
    """
    x, y = map(float, quad.mean(axis=0))
    holds_one = any(_inside_one(quad[None], face) for face in scene.quads)
    ignored = any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in scene.ignore)
    return holds_one or ignored or _inside_one(scene.quads, quad)


def mine(folder: Path, models: Path | None, kind: Kind = TILES) -> int:
    """Write the blanks of one folder of scenes, and return how many there are."""
    miner = Miner.open(models, kind)
    scenes = load_scenes(folder)[::EVERY]
    blanks = {scene.path.name: miner.blanks(scene) for scene in tqdm(scenes, "mining")}
    write_whole(folder / BLANKS, json.dumps(blanks))
    return sum(map(len, blanks.values()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--models", type=Path)
    parser.add_argument(
        "--pieces", type=Pieces, choices=list(Pieces), default=Pieces.TILES, help="default tiles"
    )
    given = parser.parse_args()
    for folder in given.folders:
        print(f"{folder}: {mine(folder, given.models, KINDS[given.pieces])} blanks", flush=True)


if __name__ == "__main__":
    main()
