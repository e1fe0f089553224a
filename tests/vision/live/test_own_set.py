"""A table is watched with the set that its owner taught."""

from __future__ import annotations

import numpy as np

import vision
from tests.places import SAMPLES
from vision.frame import load
from vision.live.eyes import NetworkEyes
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
