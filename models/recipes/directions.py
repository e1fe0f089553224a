"""Collects the 6s and 9s on rendered racks and which of them stand on their head:
`python -m models.recipes.directions FOLDER... --models DIR`.

It writes FOLDER/directions.json, {photo: [[window, stands on its head], ...]}. A window, four
corners x, y in px, is what `vision.tiles.rack_direction` shows to its network around a tile, at
the quad that the networks in DIR tell.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from models.recipes.scenes import DIRECTIONS, TrainingScene, load_scenes, write_whole
from vision.detector import Detector
from vision.frame import load
from vision.quads import across, sides
from vision.reader import FaceScores, Reader
from vision.tiles.rack_direction import six_or_nine, windows

FACES = {f"{number}{colour}" for number in (6, 9) for colour in "RBKY"}
MOST_OFF = 0.5  # of a find's middle from that of a labelled tile, in widths of the find
# A rack tells its own direction by that of most of its tiles: so large a part of them, and so many.
ALIKE, FEWEST = 0.75, 3

Found = tuple[list[list[float]], bool]  # a window, and whether its tile stands on its head


def directions_on(scene: TrainingScene, rack: FaceScores) -> list[Found]:
    """List the 6s and 9s on the rack of a scene that were found and read as either, as windows with
    whether the tile stands on its head. `rack` is what the reader saw on all finds.

    The list is empty where too few tiles stand the same way to tell how the rack stands.
    """
    upright = _rack_direction(scene)
    asked = six_or_nine(rack.number)
    if upright is None or not len(asked):
        return []
    against = across(rack.quads) @ upright < 0
    quads = rack.quads.copy()
    quads[against] = np.roll(quads[against], 2, axis=1)
    seen, widths = windows(quads), sides(quads)[0]
    middles, right = scene.quads.mean(axis=1), across(scene.quads)
    found = list[Found]()
    for find in asked:
        off = np.linalg.norm(middles - rack.quads[find].mean(axis=0), axis=1)
        tile = int(off.argmin())
        if off[tile] < MOST_OFF * widths[find] and _tells_direction(scene, tile):
            told = bool(right[tile] @ upright < 0)
            found.append((np.round(seen[find], 1).tolist(), told))
    return found


def _tells_direction(scene: TrainingScene, tile: int) -> bool:
    return scene.faces[tile] in FACES and not scene.symmetric[tile]


def _rack_direction(scene: TrainingScene) -> NDArray[np.float32] | None:
    """Return the direction, (2,) x, y, in which most tiles of a scene with one rack read; None
    where it cannot be told.
    """
    right = across(scene.quads[~scene.symmetric])
    if len(right) < FEWEST:
        return None
    along = right @ right[0] > 0
    share = float(along.mean())
    if max(share, 1 - share) < ALIKE:
        return None
    usual: NDArray[np.float32] = right[along == (share > 0.5)].mean(axis=0)
    return usual


def collect(folder: Path, models: Path | None) -> int:
    """Collect the 6s and 9s of all racks in a folder of scenes, and write them to its file
    DIRECTIONS. The networks of tiles in the folder `models`, or the installed ones where that is
    None, find and read them. Returns how many they are.
    """
    detector, reader = Detector(models), Reader(models)
    found = {}
    for scene in tqdm(load_scenes(folder), "directions"):
        if len(scene.quads):
            picture = load(scene.path).pixels
            finds = detector.detect(picture, on_rack=True)
            found[scene.path.name] = directions_on(scene, reader.read(picture, finds.quads))
    write_whole(folder / DIRECTIONS, json.dumps(found))
    return sum(map(len, found.values()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--models", type=Path)
    given = parser.parse_args()
    for folder in given.folders:
        print(f"{folder}: {collect(folder, given.models)} tiles", flush=True)


if __name__ == "__main__":
    main()
