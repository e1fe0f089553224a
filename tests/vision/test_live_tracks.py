"""What is believed of a tile, where the table is after a nudge, and what joins a meld in
silence.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine import ruleset
from engine.tiles import Tile
from vision.live.foreign import covered_share, likeness
from vision.live.memory import Memory
from vision.live.pending import Pending
from vision.live.refind import fit, moved, registered
from vision.live.settings import LiveConfig
from vision.live.tracks import Look, Reading, Seen, Stir, Track
from vision.quads import Quad

FACE = np.array([[20, 20], [40, 20], [40, 48], [20, 48]], np.float32)


def face() -> NDArray[np.uint8]:
    picture = np.full((80, 120, 3), (120, 118, 116), np.uint8)
    cv2.fillConvexPoly(picture, FACE.astype(np.int32), (235, 228, 210))
    cv2.putText(picture, "8", (22, 38), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (200, 40, 30), 2)
    return picture


def test_a_shadow_leaves_the_pattern_and_a_bare_table_of_the_same_grey_does_not() -> None:
    shadowed, bare = (
        (face() * 0.5).astype(np.uint8),
        np.full((80, 120, 3), (118, 114, 105), np.uint8),
    )
    noisy = np.clip(bare + np.random.default_rng(1).normal(0, 3, bare.shape), 0, 255).astype(
        np.uint8
    )
    assert likeness(face(), shadowed, FACE) > 0.9
    assert likeness(face(), bare, FACE) == 0.0 and abs(likeness(face(), noisy, FACE)) < 0.2
    assert likeness(face(), face(), FACE + 500) == 0.0


def test_a_pale_tile_on_a_pale_table_is_missed_by_its_ink() -> None:
    pale = (232, 226, 208)
    bare = np.full((80, 120, 3), pale, np.uint8)
    tile = bare.copy()
    cv2.putText(tile, "7", (24, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (40, 40, 40), 1)
    shadowed = (tile * 0.7).astype(np.uint8)
    for now, gone in ((bare, True), (tile, False), (shadowed, False)):
        changed = cv2.compare(cv2.absdiff(tile, now).max(axis=2), 14, cv2.CMP_GT)
        assert Stir(changed, changed, tile, now, 1.0, LiveConfig()).uncovers(FACE) is gone
    changed = cv2.compare(cv2.absdiff(tile, bare).max(axis=2), 14, cv2.CMP_GT)
    assert LiveConfig().faded < covered_share(changed, FACE) < LiveConfig().uncovered


def quads_at(*places: tuple[float, float]) -> list[Quad]:
    return [(FACE + np.array(place)).astype(np.float32) for place in places]


@pytest.mark.parametrize("degrees", [0.4, 90.0, 180.0])
def test_a_turned_table_is_a_similarity_and_stays_one_far_from_its_tiles(degrees: float) -> None:
    rng, old = np.random.default_rng(2), quads_at((0, 0), (21, 0), (42, 0), (63, 1), (84, 1))
    angle = np.radians(degrees)
    true = np.array(
        [[np.cos(angle), -np.sin(angle), 300], [np.sin(angle), np.cos(angle), 200], [0, 0, 1]]
    )
    new = [moved(quad, true) + rng.normal(0, 0.4, (4, 2)).astype(np.float32) for quad in old]
    motion = fit(old, new)
    assert motion is not None
    far = np.array([[600.0, 400.0]], np.float32)
    assert np.linalg.norm(moved(far, motion) - moved(far, true)) < 12


def test_the_whole_picture_says_exactly_how_the_camera_moved() -> None:
    y, x = np.mgrid[:240, :320]
    rng = np.random.default_rng(3)
    old = (120 + 90 * np.sign(np.sin(x / 4.1) * np.sin(y / 4.3)))[..., None] * np.ones(
        3
    ) + rng.normal(0, 12, (240, 320, 1))
    old = cv2.GaussianBlur(np.clip(old, 0, 255).astype(np.uint8), (3, 3), 0)
    true = np.array([[1, -0.004, 4.2], [0.004, 1, -2.6], [0, 0, 1]])
    new = cv2.warpPerspective(old, true, (320, 240), borderMode=cv2.BORDER_REPLICATE)
    found = registered(old, new, np.array([[1, 0, 3.4], [0, 1, -2.0], [0, 0, 1.0]]))
    corners = np.array([[0, 0], [319, 239]], np.float32)
    assert np.abs(moved(corners, found) - moved(corners, true)).max() < 0.1


def test_a_picture_without_pattern_leaves_the_motion_as_it_was() -> None:
    plain, start = (
        np.full((60, 80, 3), 90, np.uint8),
        np.array([[1, 0, 5.0], [0, 1, 2.0], [0, 0, 1.0]]),
    )
    assert np.array_equal(registered(plain, plain, start), start)


def read(sure: float) -> Reading:
    """A 5R, as sure as that."""
    number, colour = np.full(15, (1 - sure) / 14, np.float32), np.full(4, 1e-6, np.float32)
    number[4], colour[0] = sure, 1.0
    return Reading(np.log(number), np.log(colour), np.zeros(3))


def test_what_is_read_badly_is_looked_at_a_little_longer() -> None:
    pending, (place,) = Pending(LiveConfig()), quads_at((0, 0))
    told = []
    for look in range(8):
        pending.take(
            Look(new=[Seen(place, read(0.6))]),
            {},
            lambda quad: False,
            lambda quad: False,
            look / 10,
        )
        told.append(pending.settled(look / 10))
    assert told == [False] * 6 + [True] * 2


def test_what_is_not_decided_with_the_rest_goes_on_waiting() -> None:
    pending, (first, second) = Pending(LiveConfig()), quads_at((0, 0), (60, 0))
    reading = read(0.99)
    pending.take(Look(new=[Seen(first, reading)]), {}, lambda quad: False, lambda quad: False, 0.0)
    for time in (0.1, 0.2):
        pending.take(
            Look(new=[Seen(first, reading), Seen(second, reading)]),
            {},
            lambda quad: False,
            lambda quad: False,
            time,
        )
    come, gone = pending.believed()
    pending.drop(come, gone)
    assert [track.quad is first for track in come] == [True] and [
        track.sightings for track in pending.new
    ] == [2]
    pending.take(Look(new=[Seen(second, reading)]), {}, lambda quad: False, lambda quad: False, 0.3)
    assert len(pending.believed()[0]) == 1 and pending.settled(0.3)


def test_all_looks_at_a_tile_count_alike() -> None:
    track = Track(1, FACE)
    for sure in (0.9, 0.4, 0.9):
        track.add(read(sure))
    reading = track.reading()
    assert reading.number.argmax() == 4 and 0.7 < np.exp(reading.number[4]) < 0.9
    assert track.looks == 3 and np.exp(reading.scores).sum() < 1


def test_a_tile_found_late_joins_or_makes_a_meld_in_silence() -> None:
    tiles = {i: Tile(i, "R") for i in (3, 4, 5, 6)}
    memory = Memory(ruleset("burako"))
    memory.begin([(4, 5)], {i: tiles[i] for i in (4, 5)}, set())
    memory.adopt([(3, 4, 5)], tiles, {3}, set())
    assert [meld.tracks for meld in memory.present()] == [(3, 4, 5)]
    memory.adopt([(3, 4, 5, 6)], tiles, {6}, set())
    assert [meld.tracks for meld in memory.present()] == [(3, 4, 5, 6)]
    assert memory.settle([(3, 4, 5, 6)], tiles, set()) == []


def test_a_tile_that_is_gone_is_told_although_others_are_found_late() -> None:
    tiles = {i: Tile(i, "R") for i in (3, 4, 5, 6)}
    memory = Memory(ruleset("burako"))
    memory.begin([(4, 5, 6)], tiles, set())
    rest = {i: tiles[i] for i in (4, 5)}
    memory.adopt([(4, 5)], rest, set(), set())
    assert [ruling.tiles for ruling in memory.settle([(4, 5)], rest, set())] == [(Tile(6, "R"),)]
