"""A table is watched with the set that its owner taught."""

from __future__ import annotations

from collections import Counter

import numpy as np

import vision
from tests.places import SAMPLES
from vision.frame import load
from vision.live.eyes import NetworkEyes
from vision.live.watch import Watch
from vision.own_set.examples import FaceExample, TileSet


def test_eyes_compare_faces_with_those_of_the_set() -> None:
    tables, picture = vision.open_reader(), load(SAMPLES / "melds-a.jpg").pixels
    quads = tables.detector.detect(picture).quads
    plain = NetworkEyes(tables).read(picture, quads)
    read = np.flatnonzero(plain.legible > 0.9)
    numbers = plain.number[:, :13].argmax(axis=1) + 1
    examples = [FaceExample(f"{numbers[tile]}R", plain.crops[tile]) for tile in read]
    knowing = tables.with_set(TileSet("ours").with_examples(examples))
    seen = NetworkEyes(knowing).read(picture, quads)
    np.testing.assert_array_equal(seen.number, knowing.read_faces(picture, quads).number)
    assert np.abs(seen.number - plain.number)[read].max(axis=1).min() > 0


def test_a_watched_table_shows_the_inks_as_their_owner_calls_them() -> None:
    """The owner says yellow of what others call black, and so on: the first table does, too."""
    tables, frame = vision.open_reader(), load(SAMPLES / "melds-a.jpg")
    rival = {"R": "B", "B": "K", "K": "Y", "Y": "R"}
    plain = [tile for tile in tables.read(frame).tiles if tile.tile and not tile.tile.joker]
    called = [f"{tile.tile.number}{rival[str(tile.tile.colour)]}" for tile in plain if tile.tile]
    quads = np.stack([tile.corners for tile in plain])
    crops = tables.reader.read(frame.pixels, (quads + 0.5) / np.float32(frame.scale) - 0.5).crops
    examples = [FaceExample(face, crop) for face, crop in zip(called, crops, strict=True)]
    watch = Watch(NetworkEyes(tables.with_set(TileSet("ours").with_examples(examples))))
    picture = np.ascontiguousarray(frame.pixels)
    for frame_number in range(40):
        watch.see(picture, frame_number / 10)
    assert watch.table is not None
    shown = [str(tile.tile) for meld in watch.table.melds for tile in meld.tiles]
    assert shown
    right = sum((Counter(shown) & Counter(called)).values())
    assert right >= 0.9 * len(shown)
