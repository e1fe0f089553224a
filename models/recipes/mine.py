"""Collects what a detector takes for faces and is none: `python -m models.recipes.mine FOLDER...
--models DIR`.

It writes FOLDER/blanks.json, {photo: [quad, ...]}, of backs, prints and cloth. The reader learns
from them to see no face there.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from models.recipes.scenes import BLANKS, TrainingScene, load_scenes, write_whole
from vision.detector import Detector, DetectorConfig
from vision.frame import load

EVERY = 2  # pictures: half of them say enough
MOST = 40  # quads of one picture
THRESHOLD = 0.12


def blanks_of(scene: TrainingScene, detector: Detector) -> list[list[list[float]]]:
    """List the quads (4, 2) found where no labelled face has its centre, and whose centre lies on
    no labelled face.
    """
    found = detector.detect(load(scene.path).pixels)
    blank = []
    for quad in found.quads[:MOST]:
        x, y = map(float, quad.mean(axis=0))
        on_face = any(cv2.pointPolygonTest(face, (x, y), False) >= 0 for face in scene.quads)
        holds_one = any(
            cv2.pointPolygonTest(quad, tuple(map(float, face.mean(axis=0))), False) >= 0
            for face in scene.quads
        )
        ignored = any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in scene.ignore)
        if not (on_face or holds_one or ignored):
            blank.append(np.round(quad, 1).tolist())
    return blank


def mine(folder: Path, models: Path | None) -> int:
    """Write the blanks of one folder of scenes, and return how many there are."""
    detector = Detector(models, DetectorConfig(threshold=THRESHOLD))
    scenes = load_scenes(folder)[::EVERY]
    blanks = {scene.path.name: blanks_of(scene, detector) for scene in tqdm(scenes, "mining")}
    write_whole(folder / BLANKS, json.dumps(blanks))
    return sum(map(len, blanks.values()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--models", type=Path)
    given = parser.parse_args()
    for folder in given.folders:
        print(f"{folder}: {mine(folder, given.models)} blanks", flush=True)


if __name__ == "__main__":
    main()
