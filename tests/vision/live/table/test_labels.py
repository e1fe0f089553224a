"""Which tile each track on the stable table is taken for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.rulesets import ruleset
from engine.tiles import Tile
from vision.doubts import DoubtConfig
from vision.live.table.labels import Label, Labeller
from vision.live.tracking.tracks import Track


def test_six_tiles_that_a_person_calls_the_same_end_the_decoding() -> None:
    quad = np.array([[0, 0], [20, 0], [20, 28], [0, 28]], np.float32)
    tracks = {i: Track(i, quad + 30 * i, user_label=Tile(5, "R")) for i in range(6)}
    labels = Labeller(ruleset("burako"), DoubtConfig()).label(tracks, [])
    assert sorted(labels) == list(range(6))
    assert sum(each.tile == Tile(5, "R") for each in labels.values()) >= 2


def test_what_is_printed_keeps_no_tile_from_being_what_it_is() -> None:
    """Three tiles read as 8K, of which the set has two, so the least sure becomes a 9K; once one of
    them is known to be printed the other two keep their faces.
    """
    quad = np.array([[0, 0], [20, 0], [20, 28], [0, 28]], np.float32)
    tracks = {}
    for i, nine in enumerate((-9.0, -9.0, -0.1)):
        number = np.full(15, -12.0, np.float32)
        colour = np.array([-12.0, -12.0, 0.0, -12.0], np.float32)
        number[7:9] = 0.0, nine
        tracks[i] = Track(i, quad + 60 * i, number, colour, looks=1)
    labeller = Labeller(ruleset("burako"), DoubtConfig())
    assert [str(each.tile) for each in labeller.label(tracks, []).values()] == ["8K", "8K", "9K"]
    assert [str(each.tile) for each in labeller.label(tracks, [], printed={0}).values()] == [
        "8K",
        "8K",
        "8K",
    ]


def read_as(place: int, *numbers: tuple[int, float]) -> Track:
    """Make the track of a red tile with the given log-probabilities of its numbers."""
    quad = np.array([[0, 0], [20, 0], [20, 28], [0, 28]], np.float32) + np.array([22 * place, 0])
    number = np.full(15, -12.0, np.float32)
    for value, score in numbers:
        number[value - 1] = score
    colour = np.array([0.0, -12.0, -12.0, -12.0], np.float32)
    return Track(place, quad.astype(np.float32), number, colour, looks=1)


def test_a_row_decides_together_what_one_of_its_tiles_leaves_open() -> None:
    tracks = {0: read_as(0, (7, 0.0)), 1: read_as(1, (8, 0.0)), 2: read_as(2, (9, -0.6), (5, 0.0))}
    labeller = Labeller(ruleset("burako"), DoubtConfig())
    alone = labeller.label(tracks, [])
    assert [str(each.tile) for each in alone.values()] == ["7R", "8R", "5R"]
    for _ in range(2):  # decided, then remembered
        together = labeller.label(tracks, [(0, 1, 2)])
        assert [str(each.tile) for each in together.values()] == ["7R", "8R", "9R"]
    assert labeller.label({}, []) == {}


def test_without_colours_a_number_is_doubtful_unless_a_person_said_it() -> None:
    said = replace(read_as(2, (9, 0.0)), user_label=Tile(9, "R"))
    tracks = {0: read_as(0, (7, 0.0)), 1: read_as(1, (14, 0.0)), 2: said}
    labeller = Labeller(ruleset("burako"), DoubtConfig())
    labels = labeller.label(tracks, [])
    assert [str(each.tile) for each in labels.values()] == ["7R", "J", "9R"]
    assert [each.doubtful for each in labels.values()] == [False, False, False]
    guessed = labeller.label(tracks, [], colourless=True)
    assert [each.doubtful for each in guessed.values()] == [True, False, False]


def label_of(sure: float, **said: object) -> Label:
    """Return the label of one tile that is read as a 7R with probability `sure`, else as an 8R."""
    number = np.full(15, -12.0, np.float32)
    number[6:8] = np.log([sure, 1 - sure])
    track = replace(read_as(0, (7, 0.0)), number=number)
    colourless = bool(said.pop("colourless", False))
    labeller = Labeller(ruleset("burako"), DoubtConfig())
    known = {0: replace(track, **said)}  # type: ignore[arg-type]
    return labeller.label(known, [], colourless=colourless)[0]


def test_a_label_is_doubtful_or_unread_as_a_photographs_reading_is() -> None:
    doubts = DoubtConfig()
    sure, unsure = label_of(doubts.unsure + 0.005), label_of(doubts.unsure - 0.005)
    assert (str(sure.tile), sure.doubtful, str(unsure.tile), unsure.doubtful) == (
        "7R",
        False,
        "7R",
        True,
    )
    assert sure.confidence == pytest.approx(doubts.unsure + 0.005, abs=2e-3)
    assert [str(tile) for tile, _ in unsure.alternatives][:1] == ["8R"]
    said = label_of(0.6, user_label=Tile(8, "R"))
    assert (str(said.tile), said.doubtful) == ("8R", False)
    assert label_of(0.99).doubtful is False and label_of(0.99, colourless=True).doubtful is True


def test_a_label_of_a_tile_that_is_hardly_legible_names_all_faces_as_others() -> None:
    number = np.full(15, np.log(1 / 15), np.float32)
    track = replace(read_as(0, (7, 0.0)), number=number)
    label = Labeller(ruleset("burako"), DoubtConfig()).label({0: track}, [])[0]
    assert label.tile is None and label.doubtful
    assert label.alternatives and label.alternatives[0][1] == pytest.approx(label.confidence)
