"""What the difference between the known table and the present picture says of the place of a
tile.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.live.change.test_places import FACE, face
from vision.live.change.difference import INNER_PART, FrameDiff
from vision.live.change.places import covered_share, pattern_correlation
from vision.live.pictures import Mask
from vision.live.settings import LiveConfig

CONFIG = LiveConfig()


def differing(known: NDArray[np.uint8], now: NDArray[np.uint8]) -> Mask:
    return cv2.compare(cv2.absdiff(known, now).max(axis=2), CONFIG.difference, cv2.CMP_GT)


def test_a_pale_tile_on_a_pale_table_is_missed_by_its_ink() -> None:
    pale = (232, 226, 208)
    bare = np.full((80, 120, 3), pale, np.uint8)
    tile = bare.copy()
    cv2.putText(tile, "7", (24, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (40, 40, 40), 1)
    shadowed = (tile * 0.7).astype(np.uint8)
    for now, gone in ((bare, True), (tile, False), (shadowed, False)):
        changed = cv2.compare(cv2.absdiff(tile, now).max(axis=2), 14, cv2.CMP_GT)
        assert FrameDiff(changed, changed, tile, now, 1.0, LiveConfig()).may_be_gone(FACE) is gone
    changed = cv2.compare(cv2.absdiff(tile, bare).max(axis=2), 14, cv2.CMP_GT)
    assert LiveConfig().faded < covered_share(changed, FACE) < LiveConfig().uncovered


def test_a_tile_whose_edge_alone_changed_is_not_gone() -> None:
    """A thread lies across the tile's lower edge; the pattern of its face is still there."""
    known, config = face(), LiveConfig()
    now = known.copy()
    now[41:44, 20:40] = (now[41:44, 20:40] * 0.9).astype(np.uint8)
    changed = cv2.compare(cv2.absdiff(known, now).max(axis=2), 14, cv2.CMP_GT)
    diff = FrameDiff(changed, changed, known, now, 1.0, config)
    assert config.faded < covered_share(changed, FACE) < config.uncovered
    assert not diff.may_be_gone(FACE)


@pytest.mark.parametrize(("columns", "gone"), [(0, True), (3, False)])
def test_a_tile_of_which_a_part_lies_under_an_arm_at_rest_may_be_there(
    columns: int, gone: bool
) -> None:
    known, now = face(), np.full_like(face(), 90)
    resting = np.zeros(known.shape[:2], np.uint8)
    left = int(FACE[:, 0].min()) + 5
    resting[:, left : left + columns] = 255
    changed = differing(known, now)
    diff = FrameDiff.between(known, now, changed, 1.0, CONFIG, resting)
    assert diff.is_stirred(FACE) and diff.may_be_gone(FACE) is gone


@pytest.mark.parametrize("scale", [1.0, 2.0, 4.0])
def test_a_difference_is_asked_in_frame_pixels_at_any_scale(scale: float) -> None:
    known = np.full((80, 120, 3), (120, 118, 116), np.uint8)
    diff = FrameDiff.between(
        known, face(), cv2.absdiff(known, face()).max(axis=2), scale, LiveConfig()
    )
    beside = FACE + np.array([50, 0], np.float32)
    assert diff.is_stirred((scale * FACE).astype(np.float32))
    assert not diff.is_stirred((scale * beside).astype(np.float32))
    assert diff.may_be_gone((scale * FACE).astype(np.float32))
    assert not diff.may_be_gone((scale * beside).astype(np.float32))
    tiles = [(scale * FACE).astype(np.float32)]
    assert diff.renewed_around(tiles[0], 5 * scale, tiles) < 0.1
    assert diff.renewed_around(tiles[0], 5 * scale, []) > 0.4


def test_the_surroundings_of_a_face_reach_twice_the_margin() -> None:
    """What is new there lies between twice and thrice the margin from the face, or just within."""
    (left, top), (right, bottom), margin = FACE[0].astype(int), FACE[2].astype(int), 6
    known = np.full((80, 120, 3), (120, 118, 116), np.uint8)
    for inner, outer, renewed in ((2, 3, False), (1.5, 2, True)):
        now, near, far = known.copy(), int(inner * margin) + 1, int(outer * margin)
        now[top - far : bottom + far, left - far : right + far] = (40, 50, 150)
        now[top - near : bottom + near, left - near : right + near] = (120, 118, 116)
        diff = FrameDiff.between(known, now, differing(known, now), 1.0, CONFIG)
        assert (diff.renewed_around(FACE, margin, [FACE]) > 0.2) is renewed


def test_a_shadow_is_a_change_without_substance_and_a_tile_one_with() -> None:
    bare = np.full((80, 120, 3), (120, 118, 116), np.uint8)
    shadowed = (face() * 0.7).astype(np.uint8)
    place = cv2.fillConvexPoly(np.zeros((80, 120), np.uint8), FACE.astype(np.int32), 255) > 0
    for known, now, least, most in ((face(), shadowed, 0.0, 0.05), (bare, face(), 0.3, 1.0)):
        changed = differing(known, now)
        diff = FrameDiff.between(known, now, changed, 1.0, CONFIG)
        assert (diff.changed == changed).all() and changed[place].mean() > 0.9 * 255
        assert least <= diff.substance[place].mean() / 255 <= most
        assert not (diff.substance & ~changed).any()


def test_each_limit_of_a_place_is_the_first_value_that_counts() -> None:
    """Half of the place of a tile has changed, and its pattern is only partly what it was: each
    limit is set just at and just beyond what is measured there.
    """
    known, now = face(), face()
    now[34:48, 20:40] = (120, 118, 116)
    changed = differing(known, now)
    middle = FACE.mean(axis=0)
    inner = (middle + INNER_PART * (FACE - middle)).astype(np.float32)
    share, alike = covered_share(changed, inner), pattern_correlation(known, now, inner)
    assert 0.3 < share < 0.7 and 0.3 < alike < 0.9
    over, under = 1.001, 0.999

    def diff(**limits: float) -> FrameDiff:
        return FrameDiff(changed, changed, known, now, 1.0, replace(CONFIG, **limits))

    assert diff(stirred=share).is_stirred(FACE) and not diff(stirred=over * share).is_stirred(FACE)
    lost = {"same_pattern": over * alike, "no_pattern": 0.0}
    assert diff(**lost, faded=share, uncovered=share).may_be_gone(FACE)
    assert not diff(**lost, faded=over * share, uncovered=share).may_be_gone(FACE)
    assert not diff(**lost, faded=0.0, uncovered=over * share).may_be_gone(FACE)
    faint = {"same_pattern": 0.0, "uncovered": 1.0}
    assert diff(**faint, no_pattern=over * alike).may_be_gone(FACE)
    assert not diff(**faint, no_pattern=alike).may_be_gone(FACE)
    assert not diff(same_pattern=under * alike, no_pattern=1.0).may_be_gone(FACE)
    assert diff(stirred=0.0, same_face=alike, same_pattern=1.0).looks_as_before(FACE)
    assert not diff(stirred=0.0, same_face=over * alike, same_pattern=0.0).looks_as_before(FACE)
    assert diff(stirred=1.0, same_face=1.0, same_pattern=alike).looks_as_before(FACE)
    assert not diff(stirred=1.0, same_face=0.0, same_pattern=over * alike).looks_as_before(FACE)


def test_the_rim_of_a_face_does_not_count() -> None:
    """A neighbour's side or shadow came there."""
    known, now = face(), face()
    now[20:22, 20:40] = now[46:49, 20:40] = now[20:48, 20:22] = now[20:48, 39:41] = 60
    diff = FrameDiff.between(known, now, differing(known, now), 1.0, CONFIG)
    assert covered_share(diff.changed, FACE) > CONFIG.stirred
    assert not diff.is_stirred(FACE) and diff.looks_as_before(FACE)
