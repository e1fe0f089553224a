"""Labelled photographs as training scenes: `python -m models.recipes.real OUT --models DIR
[--leave-out SHOOT...]`. The photographs of the shoots after `--leave-out` are not used.

The outlines of `rummikub_ivory` do not tell in which direction a tile reads. A reader trained on
renders alone finds the direction: of the four ways to turn a quad it is the one in which the reader
takes the true number for likely and the face for upright. Nothing of `other_sets` or
`burako_renders` is ever used here: they are for validation.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.labels import LabelledPicture, LabelledTile
from datasets.outlines import outline_quad
from datasets.photos import PhotosMissing, load_rummikub_ivory
from models.recipes.scenes import LABELS, number_and_colour, write_whole
from vision.crops import crop_faces, white_balance
from vision.frame import load
from vision.quads import are_convex
from vision.reader import Reader

BACKGROUND = "rummyBackground"  # a shoot without tiles: never trained on, so any fold may judge it


def directions(
    picture: NDArray[np.uint8], quads: NDArray[np.float32], faces: list[str], reader: Reader
) -> NDArray[np.float32]:
    """Find in which direction each tile reads. Each of `quads` (n, 4, 2) may begin at any of its
    corners. Returns the quads with their corners in the order TL, TR, BR, BL as one reads the tile.

    `faces` are the true tiles, such as `7R`.
    """
    turned = [np.roll(quad, -turn, axis=0) for quad in quads for turn in range(4)]
    number, _, turn, _, _ = reader.read_crops(white_balance(crop_faces(picture, turned)))
    wanted = np.repeat([number_and_colour(face)[0] for face in faces], 4)
    fit = (number[np.arange(len(number)), wanted] + turn[:, 0]).reshape(-1, 4)
    # The long sides of an outline are known well, unless the view is steep: directions in which the
    # tile would be wider than high are handicapped a little.
    for i, quad in enumerate(quads):
        edges = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
        wide = (edges[0] + edges[2]) > 1.15 * (edges[1] + edges[3])
        fit[i, [0, 2] if wide else [1, 3]] -= 3.0
    best = fit.argmax(axis=1)
    return np.stack([np.roll(quad, -int(t), axis=0) for quad, t in zip(quads, best, strict=True)])


def entry(photo: LabelledPicture, reader: Reader) -> dict[str, object]:
    """Make a photograph's line of labels.jsonl, as a dictionary. The line is like one of a rendered
    scene, but its key `photo` holds an absolute path. `reader` finds in which direction each tile
    reads. A tile whose outline gives no convex quad becomes an `ignore` box.
    """
    picture = load(str(photo.path)).pixels
    tiles = [tile for tile in photo.tiles if tile.outline is not None]
    quads = [outline_quad(tile.outline) for tile in tiles if tile.outline is not None]
    convex = are_convex(np.reshape(quads, (-1, 4, 2)).astype(np.float32)).tolist()
    sound = [(tile, quad) for tile, quad, good in zip(tiles, quads, convex, strict=True) if good]
    odd = [quad for quad, good in zip(quads, convex, strict=True) if not good]
    boxes = [[*quad.min(axis=0).tolist(), *quad.max(axis=0).tolist()] for quad in odd]
    told = _told(picture, sound, reader)
    return {"photo": str(photo.path), "shoot": photo.shoot, "tiles": told, "ignore": boxes}


def _told(
    picture: NDArray[np.uint8],
    sound: Sequence[tuple[LabelledTile, NDArray[np.float32]]],
    reader: Reader,
) -> list[dict[str, object]]:
    """Return the labels of tiles, one dict for each, as a line of labels.jsonl holds them. Their
    corners are TL, TR, BR, BL as one reads the tile.

    `picture` is (h, w, 3) RGB. `sound` pairs each tile with its quad, (4, 2), which is convex and
    may begin at any corner; `reader` finds the corner at which the quad should begin.
    """
    if not sound:
        return []
    quads = np.stack([quad for _tile, quad in sound]).astype(np.float32)
    upright = directions(picture, quads, [tile.tile for tile, _quad in sound], reader)
    return [
        {
            "tile": tile.tile,
            "corners": quad.round(2).tolist(),
            "visible": 1.0 if tile.counted else 0.5,
        }
        for (tile, _quad), quad in zip(sound, upright, strict=True)
    ]


def label(out: Path, models: Path | None, leave_out: Collection[str] = ()) -> None:
    """Write OUT/labels.jsonl, a line for each photograph of `rummikub_ivory` except those of the
    shoots in `leave_out`. The reader in the folder `models` (None: the installed one) finds in
    which direction tiles read.

    Raises datasets.photos.PhotosMissing where there are no photographs.
    """
    photos = [photo for photo in load_rummikub_ivory() if photo.shoot not in leave_out]
    reader = Reader(models)
    lines = [json.dumps(entry(photo, reader)) for photo in tqdm(photos, "photographs")]
    out.mkdir(parents=True, exist_ok=True)
    write_whole(out / LABELS, "\n".join(lines) + "\n")


def labelled_photographs(out: Path, base: Path) -> Path | None:
    """Label the photographs, unless an earlier run did, and return the folder of the labels, `out`.
    The networks in the folder `base` find in which direction each tile reads. Returns None where
    there are no photographs.
    """
    if not (out / LABELS).exists():
        try:
            label(out, base, (BACKGROUND,))
        except PhotosMissing as missing:
            print(f"training on rendered scenes alone: {missing}", flush=True)
            return None
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--leave-out", nargs="*", default=[], metavar="SHOOT")
    given = parser.parse_args()
    label(given.out, given.models, given.leave_out)


if __name__ == "__main__":
    main()
