"""A table is watched with the set that its owner taught."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import vision
from tests.places import SAMPLES, SCENES
from tests.vision.own_set.taught_samples import PHOTOGRAPH, RIVAL, examples, ours, rival
from vision.frame import load
from vision.live.eyes import NetworkEyes
from vision.live.watch import Watch
from vision.own_set.examples import TileSet


@pytest.mark.pictures
def test_eyes_compare_faces_with_those_of_the_set() -> None:
    tables, picture = vision.open_reader(), load(PHOTOGRAPH).pixels
    quads = tables.detector.detect(picture).quads
    plain = NetworkEyes(tables).read(picture, quads)
    read = np.flatnonzero(plain.legible > 0.9)
    knowing = rival()
    seen = NetworkEyes(knowing).read(picture, quads)
    compared = knowing.compared_with_set(picture, knowing.reader.read(picture, quads))
    np.testing.assert_array_equal(seen.number, compared.number)
    assert np.abs(seen.number - plain.number)[read].max(axis=1).min() > 0


@pytest.mark.pictures
def test_eyes_notice_a_whole_table_of_another_set() -> None:
    usual, knowing = vision.open_reader(), ours()
    for reader, photograph, other in (
        (knowing, SCENES / "top_down.jpg", True),
        (knowing, SAMPLES / "melds-b.jpg", False),
        (usual, SCENES / "top_down.jpg", False),
    ):
        picture, eyes = load(photograph).pixels, NetworkEyes(reader)
        quads = eyes.detect(picture).quads
        for some in (quads, quads[:3]):  # all of them, then those of a change
            eyes.read(picture, some)
            assert eyes.other_set is other


@pytest.mark.pictures
def test_a_set_of_which_only_a_few_faces_were_taught_changes_nothing_where_it_does_not_help() -> (
    None
):
    """Compared with two faces alone, every other tile looked like one of the two."""
    tables, picture = vision.open_reader(), load(PHOTOGRAPH).pixels
    quads = tables.detector.detect(picture).quads
    taught = {one.face.rstrip("RBKY"): one for one in examples({})}
    two = [one for number, one in taught.items() if number != "J"][:2]
    knowing = tables.with_set(TileSet("ours").with_examples(two))
    plain, eyes = NetworkEyes(tables), NetworkEyes(knowing)
    for some in (quads, quads[:3]):
        expected, seen = plain.read(picture, some), eyes.read(picture, some)
        np.testing.assert_array_equal(seen.number, expected.number)
        np.testing.assert_array_equal(seen.colour, expected.colour)
    assert eyes.inks is plain.inks


def test_a_watched_table_shows_the_inks_as_their_owner_calls_them() -> None:
    """The owner of this set calls yellow what others call black, and so on; so does the first
    table.
    """
    called = [example.face for example in examples(RIVAL) if example.face != "J"]
    watch = Watch(NetworkEyes(rival()))
    picture = np.ascontiguousarray(load(PHOTOGRAPH).pixels)
    for frame_number in range(20):
        watch.see(picture, frame_number / 10)
    assert watch.table is not None
    shown = [str(tile.tile) for meld in watch.table.melds for tile in meld.tiles]
    assert shown
    right = sum((Counter(shown) & Counter(called)).values())
    assert right >= 0.9 * len(shown)
