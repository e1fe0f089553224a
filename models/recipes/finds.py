"""Collects what the networks find in rendered scenes, and what is truly there: `python -m
models.recipes.finds FOLDER... --models DIR [--racks]`.

It writes FOLDER/finds.json, {photo: [[window, what it shows, colour, in doubt], ...]}. A window,
four corners x, y in px, is what `vision.second_look` shows to its network around a find. What it
shows is a number of its CLASSES, and the colour one of the reader's, or NONE where it is not
trained. In doubt, 0 or 1, are finds that the reader is not sure of. `--racks`: the scenes show
racks and no melds.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from tqdm import tqdm

from models.recipes.scenes import (
    FINDS,
    HIDDEN,
    NONE,
    POSITIVE,
    TrainingScene,
    load_scenes,
    write_whole,
)
from vision.detector import Detections, Detector, DetectorConfig
from vision.frame import load
from vision.kinds import TILES
from vision.quads import Quad
from vision.reader import NINE, SIX, UNREADABLE, FaceScores, Reader
from vision.second_look import NO_TILE, windows

THRESHOLD = 0.25  # of the detector: what it is less sure of counts nowhere
# A find is not worth a doubt where the reader sees no face, and the detector no tile, with so much.
JOINT, SURELY = 0.15, 0.6

Found = tuple[list[list[float]], int, int, int]  # a window, what it shows, its colour, in doubt


def finds_on(
    scene: TrainingScene, size: tuple[int, int], found: Detections, scores: FaceScores
) -> list[Found]:
    """List the finds of a scene, as windows with what is there. `size` is the height and the width
    of its picture, and `scores` is what the reader sees on the finds. Finds of which the truth is
    not known are left out.
    """
    sure, joint = TILES.doubts.unsure, found.scores * scores.legible
    doubted = (scores.legible < sure) | (joint < TILES.doubts.faint)
    doubted |= np.exp(scores.colour.max(axis=1)) < sure
    doubted &= (joint > JOINT) | (found.scores > SURELY)
    told = list[Found]()
    height, width = size
    for window, quad, doubt in zip(windows(scores.quads), scores.quads, doubted, strict=True):
        inside = (quad > 0).all() and (quad < (width, height)).all()
        shown = shown_at(scene, quad, inside=bool(inside))
        if shown is not None:
            told.append((np.round(window, 1).tolist(), *shown, int(doubt)))
    return told


def shown_at(scene: TrainingScene, quad: Quad, *, inside: bool) -> tuple[int, int] | None:
    """Return what a quad (4, 2) shows, as a number of CLASSES, and its colour, NONE where it is not
    trained. `inside` tells that the quad lies in the picture: at its edge lie tiles without a
    label.

    Returns None where the truth is not known: where the labels are incomplete, at two faces at
    once, and at a face so covered that one reader could read it and another could not.
    """
    if scene.ignores(quad):
        return None
    faces = scene.faces_at(quad)
    if not faces:
        return (NO_TILE, NONE) if inside else None
    if len(faces) > 1:
        return None
    face = faces[0]
    if scene.seen[face] == HIDDEN:
        return UNREADABLE, NONE
    if scene.seen[face] != POSITIVE and not (scene.half_seen is not None and scene.half_seen[face]):
        return None
    number, colour = scene.classes(face)
    return SIX if number == NINE else number, colour


def collect(folder: Path, models: Path | None, *, racks: bool) -> int:
    """Collect the finds of all scenes in a folder, and write them to its file FINDS. The networks
    of tiles in the folder `models`, or the installed ones where that is None, find and read them.
    `racks` tells that the scenes show racks. Returns how many finds there are.
    """
    detector, reader = Detector(models, DetectorConfig(threshold=THRESHOLD)), Reader(models)
    told = {}
    for scene in tqdm(load_scenes(folder), "finds"):
        picture = load(scene.path).pixels
        found = detector.detect(picture, on_rack=racks)
        told[scene.path.name] = finds_on(
            scene, picture.shape[:2], found, reader.read(picture, found.quads)
        )
    write_whole(folder / FINDS, json.dumps(told))
    return sum(map(len, told.values()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--racks", action="store_true")
    given = parser.parse_args()
    for folder in given.folders:
        count = collect(folder, given.models, racks=given.racks)
        print(f"{folder}: {count} finds", flush=True)


if __name__ == "__main__":
    main()
