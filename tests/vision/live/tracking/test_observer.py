"""What the observer knows after each look at a table that is drawn with rectangles."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.tiles import FACES, Tile
from tests.vision.live.doubles import HEIGHT, STEP, WIDTH, DrawnTable
from vision.live.settings import LiveConfig
from vision.live.tracking.observer import Observer
from vision.live.tracking.outcomes import Confirmation, LookOutcome
from vision.live.tracking.tracks import Track

CONFIG = LiveConfig()
FRAME = 0.2  # seconds
ROW, OTHER = (100, 60), (100, 200)


class Looked:
    """An observer that looks at every frame of a drawn table."""

    def __init__(self, *, size: tuple[int, int] = (480, 300)) -> None:
        self.table = DrawnTable(size=size)
        self.observer = Observer(self.table.eyes, CONFIG)
        self.time = 0.0

    def look(self, at_once: bool = False) -> LookOutcome:
        self.time += FRAME
        picture = self.table.picture()
        glance = self.observer.see(picture, self.time)
        outcome = self.observer.look(picture, glance, self.time, at_once)
        if not self.observer.is_lost:
            self.observer.learn()
        return outcome

    def looks(self, count: int = 12) -> LookOutcome:
        """Look at up to `count` frames; return the outcome of the first after which all is decided,
        else of the last.
        """
        for _ in range(count):
            outcome = self.look()
            if outcome.ready and self.observer.has_counts:
                break
        return outcome

    def confirmed(self) -> Confirmation:
        assert self.looks().ready
        return self.observer.confirm(everything=False)

    def faces(self, ids: Iterable[int] | None = None) -> list[str]:
        tracks = self.observer.tracks
        chosen = tracks.values() if ids is None else [tracks[id] for id in ids]
        return sorted(_face(track) for track in chosen)

    def id_of(self, face: str) -> int:
        return next(id for id, track in self.observer.tracks.items() if _face(track) == face)


def _face(track: Track) -> str:
    return str(FACES[track.face])


@pytest.fixture
def known() -> Looked:
    """An observer that has confirmed the two melds of a table."""
    one = Looked()
    one.table.lay("3R 4R 5R", *ROW)
    one.table.lay("6B 6K 6Y", *OTHER)
    one.confirmed()
    assert one.faces() == ["3R", "4R", "5R", "6B", "6K", "6Y"]
    return one


def test_a_tile_is_confirmed_after_several_looks_that_agree() -> None:
    one = Looked()
    one.table.lay("3R", *ROW)
    assert one.observer.last_motion == one.observer.last_absorbed == float("-inf")
    assert not one.look().ready and one.observer.has_counts and one.observer.is_undecided
    assert one.observer.tracks == {}
    one.confirmed()
    assert sorted(one.observer.tracks) == [1] and one.faces() == ["3R"]
    assert not one.observer.has_counts and not one.observer.is_undecided


def test_with_everything_a_single_look_is_enough() -> None:
    one = Looked()
    one.table.lay("3R 4R", *ROW)
    one.look(at_once=True)
    assert len(one.observer.confirm(everything=False).touched) == 0
    assert one.faces(one.observer.confirm(everything=True).touched) == ["3R", "4R"]


def test_what_is_laid_is_told_from_what_only_now_was_found(known: Looked) -> None:
    known.table.lay("6R", ROW[0] + 3 * STEP, ROW[1])
    seen = known.confirmed()
    assert (known.faces(seen.laid), seen.found_late) == (["6R"], frozenset())
    assert sorted(seen.matched) == [1, 2, 3, 4, 5, 6] and sorted(seen.touched) == [7]


def test_a_tile_that_goes_elsewhere_keeps_its_identity_and_what_was_said_of_it(
    known: Looked,
) -> None:
    moved = known.id_of("5R")
    known.observer.set_user_label(moved, Tile(9, "R"))
    known.table.lift(ROW[0] + 2 * STEP, ROW[1])
    known.table.lay("5R", 330, 120)
    seen = known.confirmed()
    assert sorted(seen.laid) == [moved] and len(known.observer.tracks) == 6
    track = known.observer.tracks[moved]
    assert track.user_label == Tile(9, "R")
    assert track.centre == pytest.approx([330 + WIDTH / 2, 120 + HEIGHT / 2], abs=2)


def test_a_tile_exchanged_for_another_is_gone_and_the_other_is_laid(known: Looked) -> None:
    gone = known.id_of("5R")
    known.table.places[ROW[0] + 2 * STEP, ROW[1]] = "9K"
    seen = known.confirmed()
    assert known.faces(seen.laid) == ["9K"]
    assert gone not in known.observer.tracks and known.id_of("9K") == 7


def test_counts_that_are_dropped_begin_anew(known: Looked) -> None:
    known.table.lay("6R", ROW[0] + 3 * STEP, ROW[1])
    while not known.observer.has_counts:
        known.look()
    known.observer.drop_counts()
    assert not known.observer.has_counts
    known.look()
    assert known.observer.confirm(everything=False).touched == frozenset()


def test_what_rests_becomes_scenery_with_two_pixels_all_around(
    known: Looked, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, absorbed = known.observer._gate, list[NDArray[np.uint8]]()
    monkeypatch.setattr(gate, "absorb", lambda mask, hand: absorbed.append(mask))
    thing = np.zeros_like(gate.moved_lately(known.time + 60))
    thing[20:24, 30:40] = 255
    known.observer._absorb_still(thing, 1.0, known.time + 60, hand=False)
    expected = np.zeros_like(thing)
    expected[18:26, 28:42] = 255
    np.testing.assert_array_equal(absorbed, [expected])


def test_nothing_is_counted_where_a_hand_is_unless_a_person_asks(known: Looked) -> None:
    known.look()
    known.table.hand = (190, 100)
    known.table.lay("6R", ROW[0] + 3 * STEP, ROW[1])
    known.table.lift(*ROW)
    for _ in range(4):
        assert not known.look().ready
    assert "3R" in known.faces()
    known.table.hand = None
    known.look(at_once=True)
    known.observer.confirm(everything=True)
    assert known.faces() == ["4R", "5R", "6B", "6K", "6R", "6Y"]


@pytest.mark.parametrize(("left", "lost"), [(4, False), (3, True)])
def test_in_frames_of_another_size_most_tiles_have_to_be_found_again(
    known: Looked, left: int, lost: bool
) -> None:
    """The tiles that are left lie where they lay; the others have been taken away."""
    known.observer.rescale(2.0)
    assert known.observer.is_lost
    before = {id: track.centre for id, track in known.observer.tracks.items()}
    known.table.zoom = 2.0
    for place in list(known.table.places)[left:]:
        del known.table.places[place]
    outcome = known.look()
    assert known.observer.is_lost is lost and outcome.ready is False
    for id, track in known.observer.tracks.items():
        assert track.centre == pytest.approx(before[id], abs=2)


def test_a_table_that_is_forgotten_is_seen_as_a_new_one(known: Looked) -> None:
    known.observer.rescale(2.0)
    known.observer.forget()
    assert not known.observer.is_lost and known.observer.tracks == {}
    known.table.zoom = 2.0
    assert known.faces(known.confirmed().touched) == ["3R", "4R", "5R", "6B", "6K", "6Y"]
    assert min(known.observer.tracks) == 7


def test_an_empty_table_cannot_be_lost() -> None:
    one = Looked()
    assert not one.observer.is_lost
    one.look()
    one.observer.rescale(2.0)
    assert not one.observer.is_lost


def test_a_camera_that_was_turned_aside_is_followed(known: Looked) -> None:
    before = {id: track.centre for id, track in known.observer.tracks.items()}
    known.table.shift = (18, -11)
    followed = np.eye(3)
    for _ in range(8):
        known.time += FRAME
        picture = known.table.picture()
        glance = known.observer.see(picture, known.time)
        settled = known.observer.settle(glance, known.time)
        if settled is not None:
            followed = settled
            break
        outcome = known.observer.look(picture, glance, known.time)
        if outcome.motion is not None:
            followed = outcome.motion
            break
    assert followed[:2, 2] == pytest.approx([18, -11], abs=1.0)
    for id, track in known.observer.tracks.items():
        assert track.centre == pytest.approx(before[id] + [18, -11], abs=1.5)
    known.looks(4)
    assert known.faces() == ["3R", "4R", "5R", "6B", "6K", "6Y"]


def test_a_box_that_rests_becomes_scenery_and_hides_nothing_beside_it(known: Looked) -> None:
    known.look()
    known.table.mats[260, 60, 300, 90] = (150, 60, 40)
    began = known.time
    while known.observer.last_absorbed == float("-inf"):
        known.look()
        assert known.time < began + 3
    assert known.time >= began + CONFIG.small_hold
    known.table.lay("6R", ROW[0] + 3 * STEP, ROW[1])
    assert known.faces(known.confirmed().laid) == ["6R"]


def test_before_any_tile_was_seen_a_small_thing_at_the_edge_is_told_from_an_arm() -> None:
    """It is hardly larger than a tile would be, and soon becomes scenery as an arm does not."""
    one = Looked()
    one.look()
    one.table.mats[460, 60, 480, 80] = (150, 60, 40)
    while one.observer.last_absorbed == float("-inf"):
        one.look()
        assert one.time < CONFIG.hold
    assert one.observer.tracks == {}


def test_a_box_with_tiles_on_it_carries_them(known: Looked) -> None:
    known.look()
    known.table.mats[250, 90, 440, 200] = (40, 50, 150)
    known.table.lay("7R 8K 9Y", 300, 130)
    known.looks(20)
    seen = known.observer.confirm(everything=False)
    assert known.faces(seen.carried) == ["7R", "8K", "9Y"]
    beside = Looked()
    beside.table.lay("3R 4R 5R", *ROW)
    beside.confirmed()
    beside.table.lay("6R", ROW[0] + 3 * STEP, ROW[1])
    assert beside.confirmed().carried == frozenset()
