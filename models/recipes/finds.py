"""Collects what the networks find in rendered scenes, and what is truly there: `python -m
models.recipes.finds FOLDER... --models DIR [--racks | --pieces cards]`.

It writes FOLDER/finds.json, {photo: [[window, what it shows, colour, in doubt], ...]}. A window,
four corners x, y in px, is what a second look (`vision.tiles.second_look`, or for cards
`vision.cards.second_look`) shows to its network around a find. What it shows is a number of its
CLASSES, and the colour one of the reader's, or NONE where it is not trained. In doubt, 0 or 1, are
finds that the reader is not sure of. `--racks`: the scenes show racks and no melds.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from engine.pieces import Pieces
from models.recipes.scenes import (
    FINDS,
    HIDDEN,
    NONE,
    POSITIVE,
    TrainingScene,
    lies_in_one,
    load_scenes,
    write_whole,
)
from vision.cards import second_look as card_second_look
from vision.detector import Detections, Detector
from vision.frame import load
from vision.kinds import CARDS, KINDS, TILES, Kind
from vision.quads import Quad
from vision.reader import JOKER, NINE, SIX, UNREADABLE, FaceScores, Reader
from vision.tiles import second_look
from vision.tiles.second_look import NO_TILE

AROUND = {TILES: second_look.AROUND, CARDS: card_second_look.AROUND}
# The detector's score from which a find is collected, where it is not the one from which it is
# reported: jollies' marks are often fainter.
FAINTEST = {TILES: None, CARDS: 0.1}
# A find is not worth a doubt where the reader sees no face, and the detector no tile, with so much.
JOINT, SURELY = 0.15, 0.6

Found = tuple[list[list[float]], int, int, int]  # a window, what it shows, its colour, in doubt


def finds_on(
    scene: TrainingScene,
    size: tuple[int, int],
    found: Detections,
    scores: FaceScores,
    kind: Kind = TILES,
) -> list[Found]:
    """List the finds of a scene, as windows with what is there. `size` is the height and the width
    of its picture, and `scores` is what the reader sees on the finds. Finds of which the truth is
    not known are left out. `kind` tells which pieces the scene shows.
    """
    told = list[Found]()
    height, width = size
    windows, doubted = AROUND[kind].windows(scores.quads), _in_doubt(found, scores, kind)
    for window, quad, doubt in zip(windows, scores.quads, doubted, strict=True):
        inside = (quad > 0).all() and (quad < (width, height)).all()
        shown = shown_at(scene, quad, inside=bool(inside))
        if shown is not None:
            number, colour = shown
            if kind is TILES and number == NINE:
                number = SIX
            told.append((np.round(window, 1).tolist(), number, colour, int(doubt)))
    return told


def _in_doubt(found: Detections, scores: FaceScores, kind: Kind) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds that are in doubt as pieces of this `kind`. Of cards all that
    look like a jolly's mark are, however faint.
    """
    sure, joint = kind.doubts.unsure, found.scores * scores.legible
    doubted = (scores.legible < sure) | (joint < kind.doubts.faint)
    doubted |= np.exp(scores.colour.max(axis=1)) < sure
    doubted &= (joint > JOINT) | (found.scores > SURELY)
    if kind is CARDS:
        doubted |= scores.number.argmax(axis=1) == JOKER
    return np.asarray(doubted)


def shown_at(scene: TrainingScene, quad: Quad, *, inside: bool) -> tuple[int, int] | None:
    """Return what a quad (4, 2) shows, as one of the reader's numbers or NO_TILE, and its colour,
    NONE where it is not trained. `inside` tells that the quad lies in the picture: at its edge lie
    tiles without a label.

    Returns None where the truth is not known: where the labels are incomplete, at two faces at once
    that can be seen, at a face so covered that one reader could read it and another could not, and
    on a jolly beside its labelled marks, where its name or a part of its picture may look like one.
    """
    if scene.ignores(quad):
        return None
    faces = scene.faces_at(quad)
    if not faces:
        known = inside and not lies_in_one(scene.jollies(), quad)
        return (NO_TILE, NONE) if known else None
    if len(faces) > 1:
        faces = [face for face in faces if scene.seen[face] != HIDDEN]
    if len(faces) != 1:
        return None
    face = faces[0]
    if scene.seen[face] == HIDDEN:
        return UNREADABLE, NONE
    if scene.seen[face] != POSITIVE and not (scene.half_seen is not None and scene.half_seen[face]):
        return None
    return scene.classes(face)


def collect(folder: Path, models: Path | None, *, racks: bool = False, kind: Kind = TILES) -> int:
    """Collect the finds of all scenes in a folder, and write them to its file FINDS. The networks
    of this `kind` of pieces in the folder `models`, or the installed ones where that is None, find
    and read them. `racks` tells that the scenes show racks of tiles. Returns how many finds there
    are.
    """
    detector, reader = Detector(models, kind=kind), Reader(models, kind=kind)
    told = {}
    for scene in tqdm(load_scenes(folder), "finds"):
        picture = load(scene.path).pixels
        found = detector.detect(picture, on_rack=racks, faintest=FAINTEST[kind])
        told[scene.path.name] = finds_on(
            scene, picture.shape[:2], found, reader.read(picture, found.quads), kind
        )
    write_whole(folder / FINDS, json.dumps(told))
    return sum(map(len, told.values()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--models", type=Path)
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--racks", action="store_true")
    shown.add_argument(
        "--pieces", type=Pieces, choices=list(Pieces), default=Pieces.TILES, help="default tiles"
    )
    given = parser.parse_args()
    for folder in given.folders:
        count = collect(folder, given.models, racks=given.racks, kind=KINDS[given.pieces])
        print(f"{folder}: {count} finds", flush=True)


if __name__ == "__main__":
    main()
