"""What the live referee's gate takes for a change, for motion and for a hand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.live.change.gate import ChangeGate
from vision.live.change.reference import ReferenceImage
from vision.live.settings import LiveConfig

from .small_table import SIZE, lit, table

CONFIG = LiveConfig()


@pytest.mark.parametrize("gain", [0.7, 0.93, 1.05, 1.4])
def test_light_that_changes_for_everything_is_no_change(gain: float) -> None:
    gate = ChangeGate(CONFIG)
    gate.see(table(), 0.0)
    glance = gate.see(lit(table(1), gain), 0.1)
    assert not glance.moving and not glance.ready


# Of a dark ground a level is a large part.
@pytest.mark.parametrize("channels", [(1.0, 1.0, 1.0), (0.15, 0.5, 1.0)])
def test_bands_that_a_lamp_on_the_mains_leaves_are_no_change(channels: tuple[float, ...]) -> None:
    def taken(frame: int) -> NDArray[np.uint8]:
        bands = 1 + 0.08 * np.sin(np.linspace(0, 9, SIZE[0]) + frame)[:, None, None]
        picture = np.where(table(frame) > 200, table(frame), table(frame) * np.array(channels))
        return np.clip(picture * bands, 0, 255).astype(np.uint8)

    gate = ChangeGate(CONFIG)
    for frame in range(9):
        glance = gate.see(taken(frame), frame / 10)
        assert not glance.moving and not glance.ready and glance.changed.mean() < 0.1


def test_tiles_all_across_the_picture_are_no_band() -> None:
    laid = table()
    laid[120:150, 20:300] = (235, 230, 220)
    gate = ChangeGate(CONFIG)
    gate.see(laid, 0.0)
    changed = gate.see(table(1), 0.1).changed
    assert changed[122:148, 22:298].mean() > 250
    changed[118:152, 18:302] = 0
    assert not changed.any()


def test_a_camera_that_sees_by_infrared_from_now_on_shows_no_change() -> None:
    gate = ChangeGate(CONFIG)
    for frame in range(12):
        picture = table(frame)
        if frame >= 6:
            picture[...] = picture[..., :1]
        glance = gate.see(picture, frame / 10)
        assert not glance.moving and not glance.changed.any()


@pytest.mark.parametrize(("levels", "shows_something"), [(32, False), (33, True)])
def test_a_covered_lens_is_no_camera_without_colours(levels: int, shows_something: bool) -> None:
    """With colours gone the known table begins anew; a lens that is covered tells nothing."""
    gate, grey = ChangeGate(CONFIG), np.full((*SIZE, 3), 100, np.uint8)
    grey[:, SIZE[1] // 2 :] += np.uint8(levels)
    gate.see(table(), 0.0)
    assert bool(gate.see(grey, 0.1).changed.any()) is not shows_something


def toggling(frame: int) -> NDArray[np.uint8]:
    """Return frame number `frame` of a still table on which three blocks flicker: compression
    rounds them now up and now down, to one of two levels.
    """
    picture = table()
    for edge, (x, y) in enumerate([(64, 40), (104, 40), (144, 76)]):
        if frame * 3 // (edge + 4) % 2:
            picture[y : y + 4, x : x + 4, 2] -= 25
    return picture


def test_what_flickers_at_rest_is_soon_no_motion_and_hides_no_change() -> None:
    gate = ChangeGate(CONFIG)
    moving = [gate.see(toggling(frame), frame / 10).moving for frame in range(40)]
    assert any(moving[:10]) and not any(moving[10:])
    laid = toggling(40)
    laid[36:60, 100:118] = (40, 60, 160)
    glances = [gate.see(laid, time) for time in (4.0, 4.1, 4.5, 4.6)]
    assert glances[0].moving and glances[-1].ready and glances[-1].changed[42, 106] == 255


def test_single_cells_that_flicker_hold_nothing_up() -> None:
    gate, busy = ChangeGate(CONFIG), False
    for frame in range(40):
        moving = gate.see(toggling(frame), frame / 10).moving
        assert not gate.moved_lately(frame / 10).any()
        busy |= moving
    assert busy
    laid = toggling(40)
    laid[36:60, 100:118] = (40, 60, 160)
    gate.see(laid, 4.0)
    assert (gate.moved_lately(4.0)[38:58, 102:116] == 255).all()


def test_what_a_hand_does_is_not_taken_for_flicker() -> None:
    gate = ChangeGate(CONFIG)
    gate.see(table(), 0.0)
    for frame in range(1, 30):
        fumbling = table()
        fumbling[100:140, 200 + 10 * (frame % 3) : 240] = (200, 150, 120)
        assert gate.see(fumbling, frame / 10).moving


def test_a_change_is_ready_once_it_lies_still() -> None:
    gate, changed = ChangeGate(CONFIG), table()
    gate.see(changed, 0.0)
    changed[100:130, 200:220] = 235
    seen = [gate.see(changed, time) for time in (0.1, 0.2, 0.3, 0.6, 0.7)]
    assert [glance.ready for glance in seen] == [False, False, False, True, True]
    assert seen[-1].changed[115, 210] == 255 and seen[-1].changed[20, 20] == 0
    gate.accept(np.zeros(seen[-1].changed.shape, np.uint8), 0.7)
    assert not gate.see(changed, 0.8).changed.any()


def test_a_resting_hand_is_not_taken_for_the_table() -> None:
    gate, covered = ChangeGate(CONFIG), table()
    gate.see(table(), 0.0)
    covered[120:180, 100:160] = (200, 150, 120)
    mask = gate.see(covered, 0.1).changed
    gate.absorb(mask, hand=True)
    assert not gate.changed().any()
    gate.accept(np.zeros(mask.shape, np.uint8), 60.0)
    assert not gate.see(table(), 60.1).changed.any(), "the table below it was forgotten"


def test_a_tile_that_is_seen_beside_a_resting_hand_belongs_to_the_table() -> None:
    gate, covered = ChangeGate(CONFIG), table()
    gate.see(table(), 0.0)
    covered[120:180, 100:160] = (200, 150, 120)
    covered[100:130, 160:180] = 235
    mask = gate.see(covered, 0.1).changed
    gate.absorb(mask, hand=True)
    tile = np.zeros(mask.shape, np.uint8)
    tile[100:130, 160:180] = 255
    gate.accept(np.zeros(mask.shape, np.uint8), 60.0, tile)
    changed = gate.see(table(), 60.1).changed
    assert changed[115, 170] == 255, "nothing tells that the tile is gone"
    assert changed[150, 120] == 0


def test_an_arm_that_stirs_where_it_rests_is_at_rest_as_a_whole() -> None:
    def with_hand(top: int, left: int) -> NDArray[np.uint8]:
        picture = table()
        picture[top:, left : left + 60] = (200, 150, 120)
        return picture

    gate = ChangeGate(CONFIG)
    gate.see(table(), 0.0)
    mask = gate.see(with_hand(120, 100), 0.1).changed
    assert not gate.resting().any(), "a hand that has just come"
    gate.absorb(mask, hand=True)
    stirred = with_hand(117, 96)
    stirred[40:80, 60:90] = table(1)[100:140, 60:90]  # a tile went elsewhere
    gate.see(stirred, 0.2)
    resting = gate.resting()
    assert resting[118:, 97:155].all()
    resting[112:, 92:164] = 0
    assert not resting.any()
    gate.see(table(), 0.3)
    assert not gate.resting().any(), "the hand has gone"


def test_burnt_out_pixels_are_only_known_to_be_bright() -> None:
    burnt, dim = np.full((4, 4, 3), 255, np.uint8), np.full((4, 4, 3), 230, np.uint8)
    assert (
        ReferenceImage.of(burnt, np.full(3, 0.8))
        .difference(ReferenceImage.of(dim, np.ones(3)))
        .max()
        == 0
    )
    assert (
        ReferenceImage.of(lit(burnt, 0.9), np.full(3, 0.8))
        .difference(ReferenceImage.of(dim, np.ones(3)))
        .min()
        > 40
    )


def put_away(taken: NDArray[np.uint8]) -> ChangeGate:
    """Make a gate that knew the table, put it aside, and sees the frame `taken` since."""
    gate = ChangeGate(CONFIG)
    gate.see(table(), 0.0)
    gate.lose(0.5)
    gate.lose(2.0)
    gate.see(taken, 0.2)
    return gate


def cut(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the part of a picture that a camera held upright sees."""
    return np.ascontiguousarray(picture[:, 20:180])


TO_CUT = np.array([[1, 0, -20], [0, 1, 0], [0, 0, 1.0]])


@pytest.mark.parametrize("gain", [0.8, 1.0])
def test_a_table_that_was_put_aside_tells_what_came_and_went_meanwhile(gain: float) -> None:
    later = table(1)
    later[100:140, 60:100] = 235
    gate = put_away(lit(cut(later), gain))
    assert not gate.changed().any()
    gate.move_lost(TO_CUT)
    gate.find(0.2)
    changed = gate.changed()
    assert changed[102:138, 42:78].mean() > 250
    changed[97:143, 37:83] = 0
    assert not changed.any()


def test_what_was_forgotten_or_has_other_colours_is_not_brought_back() -> None:
    later = table(1)
    later[100:140, 60:100] = 235
    gate = put_away(cut(later))
    gate.forget_lost()
    gate.move_lost(TO_CUT)
    gate.find(0.2)
    assert not gate.changed().any()
    later[...] = later[..., :1]
    gate = put_away(cut(later))
    gate.move_lost(TO_CUT)
    gate.find(0.2)
    assert not gate.changed().any()
