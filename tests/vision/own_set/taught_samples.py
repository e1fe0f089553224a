"""Readers taught with the tiles of a sample photograph, made once for all tests that read with
them.
"""

from __future__ import annotations

from functools import cache

import numpy as np

import vision
from tests.places import SAMPLES
from vision.frame import load
from vision.own_set.examples import FaceExample, TileSet
from vision.reading import TableReading
from vision.tiles.pipeline import TableReader

PHOTOGRAPH = SAMPLES / "melds-a.jpg"
RIVAL = {"R": "B", "B": "K", "K": "Y", "Y": "R"}  # each ink told as another one


@cache
def untaught() -> TableReading:
    """Return the plain reader's reading of the photograph."""
    return vision.open_reader().read(PHOTOGRAPH)


def examples(rename: dict[str, str]) -> list[FaceExample]:
    """Return the tiles of the photograph as examples of a set, with their colours renamed."""
    reader = vision.open_reader()
    frame, tiles = load(PHOTOGRAPH), untaught().tiles
    quads = np.stack([tile.corners for tile in tiles])
    seen = reader.reader.read(frame.pixels, (quads + 0.5) / np.float32(frame.scale) - 0.5)
    faces = [str(tile.tile) for tile in tiles]
    names = [face[:-1] + rename.get(face[-1], face[-1]) for face in faces]
    return [FaceExample(name, crop) for name, crop in zip(names, seen.crops, strict=True)]


@cache
def ours() -> TableReader:
    """Return a reader that was taught the photograph's own set."""
    return vision.open_reader().with_set(TileSet("ours").with_examples(examples({})))


@cache
def rival() -> TableReader:
    """Return a reader that was taught the photograph's set with other names for its inks."""
    return vision.open_reader().with_set(TileSet("ours").with_examples(examples(RIVAL)))
