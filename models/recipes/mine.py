"""Collects places that a detector takes for faces although no face lies there:
`python -m models.recipes.mine FOLDER... --models DIR [--pieces cards]`.

It writes FOLDER/blanks.json, {photo: [quad, ...]}: places on backs, prints, cloth and score sheets.
The reader is trained with these places to see no face there.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from engine.pieces import Pieces
from models.recipes.scenes import BLANKS, TrainingScene, lies_in_one, load_scenes, write_whole
from vision.detector import Detector, DetectorConfig
from vision.frame import load
from vision.kinds import KINDS, TILES, Kind
from vision.quads import Quad
from vision.reader import JOKER, Reader

EVERY = 2  # of so many pictures one is mined: half of them say enough
MOST = 40  # quads of one picture
THRESHOLD = 0.12
# A find on a labelled card counts as no blank if it is a legible index with more than the second of
# these probabilities, or lies on a jolly and is a jolly's mark with more than the first: labels
# leave out half covered indices and the rest of a jolly's word.
MAY_BE_JOLLY, MAY_BE_INDEX = 0.3, 0.97


def blanks_of(scene: TrainingScene, detector: Detector, reader: Reader) -> list[list[list[float]]]:
    """List the quads, four corners x, y in px each, that the detector finds where no face is
    labelled. Quads on a card that may be one of its unlabelled indices, as `reader` sees them, are
    left out.
    """
    picture = load(scene.path).pixels
    found = detector.detect(picture).quads[:MOST]
    quads = found[[not _is_labelled(scene, quad) for quad in found]]
    on_card = np.flatnonzero([lies_in_one(scene.wholes, quad) for quad in quads])
    indices = on_card[_may_be_indices(picture, quads[on_card], reader, scene.jollies())]
    return [np.round(quad, 1).tolist() for quad in np.delete(quads, indices, axis=0)]


def _may_be_indices(
    picture: NDArray[np.uint8],
    quads: NDArray[np.float32],
    reader: Reader,
    jollies: NDArray[np.float32],
) -> NDArray[np.bool_]:
    """Tell for each of the quads (n, 4, 2) whether it may be an index that the labels leave out:
    (n,). What the reader reads there decides. Only on `jollies`, cards given by their corners
    (m, 4, 2), may it be a jolly's: elsewhere, what looks like one is a maker's name.
    """
    told = np.exp(reader.read(picture, quads).number)
    on_jolly = np.array([lies_in_one(jollies, quad) for quad in quads], np.bool_)
    of_jolly = on_jolly & (told[:, JOKER] > MAY_BE_JOLLY)
    legible = told[:, :JOKER].sum(axis=1) > MAY_BE_INDEX
    return np.asarray(of_jolly | legible)


def _is_labelled(scene: TrainingScene, quad: Quad) -> bool:
    """Tell whether a quad may be at a labelled face: its middle lies in such a face, the middle of
    such a face lies in the quad, or the labels are incomplete at the quad's middle.
    """
    holds_one = any(lies_in_one(quad[None], face) for face in scene.quads)
    return holds_one or scene.ignores(quad) or lies_in_one(scene.quads, quad)


def mine(folder: Path, models: Path | None, kind: Kind = TILES) -> int:
    """Collect the places that only seem to be faces in every second scene of a folder, and write
    the places to the folder's file blanks.json. Returns how many places these are.

    The networks of `kind` in the folder `models` search for them; where `models` is None, the
    installed networks do.
    """
    detector = Detector(models, DetectorConfig(threshold=THRESHOLD), kind=kind)
    reader = Reader(models, kind=kind)
    scenes = load_scenes(folder)[::EVERY]
    blanks = {
        scene.path.name: blanks_of(scene, detector, reader) for scene in tqdm(scenes, "mining")
    }
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
