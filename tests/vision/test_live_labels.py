"""What the tiles of the stable table are."""

from __future__ import annotations

import numpy as np

from engine.rulesets import ruleset
from engine.tiles import Tile
from vision.live.labels import Labeller
from vision.live.tracks import Track
from vision.pipeline import DoubtConfig


def test_six_tiles_that_a_person_calls_the_same_end_the_decoding() -> None:
    quad = np.array([[0, 0], [20, 0], [20, 28], [0, 28]], np.float32)
    tracks = {i: Track(i, quad + 30 * i, pinned=Tile(5, "R")) for i in range(6)}
    labels = Labeller(ruleset("burako"), DoubtConfig()).label(tracks, [])
    assert sorted(labels) == list(range(6))
    assert sum(each.tile == Tile(5, "R") for each in labels.values()) >= 2
