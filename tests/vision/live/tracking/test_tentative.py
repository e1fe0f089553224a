"""How many looks have to agree before something counts."""

from __future__ import annotations

import numpy as np

from tests.vision.live.tracking.readings import quads_at, read_as_5r
from vision.live.settings import LiveConfig
from vision.live.tracking.look import Look
from vision.live.tracking.tentative import PlaceTest, TentativeTracks
from vision.live.tracking.tracks import Observation, Track
from vision.quads import Quad


def nowhere(quad: Quad) -> bool:
    return False


def everywhere(quad: Quad) -> bool:
    return True


def test_what_is_read_badly_is_looked_at_a_little_longer() -> None:
    tentative, (place,) = TentativeTracks(LiveConfig()), quads_at((0, 0))
    ready = []
    for look in range(8):
        tentative.count(
            Look(new=[Observation(place, read_as_5r(0.6))]),
            {},
            nowhere,
            nowhere,
            look / 10,
        )
        ready.append(tentative.is_ready(look / 10))
    assert ready == [False] * 6 + [True] * 2


def test_what_is_not_decided_with_the_rest_goes_on_waiting() -> None:
    tentative, (first, second) = TentativeTracks(LiveConfig()), quads_at((0, 0), (60, 0))
    reading = read_as_5r(0.99)
    tentative.count(Look(new=[Observation(first, reading)]), {}, nowhere, nowhere, 0.0)
    for time in (0.1, 0.2):
        tentative.count(
            Look(new=[Observation(first, reading), Observation(second, reading)]),
            {},
            nowhere,
            nowhere,
            time,
        )
    come, gone = tentative.confirmed()
    tentative.drop(come, gone)
    assert [track.quad is first for track in come] == [True]
    assert [(track.quad is second, track.looks) for track in tentative.new] == [(True, 2)]
    tentative.count(Look(new=[Observation(second, reading)]), {}, nowhere, nowhere, 0.3)
    assert len(tentative.confirmed()[0]) == 1 and tentative.is_ready(0.3)


def test_a_tile_that_most_looks_miss_was_none() -> None:
    tentative, (place,) = TentativeTracks(LiveConfig()), quads_at((0, 0))
    seen = Look(new=[Observation(place, read_as_5r(0.99))])
    for look in range(6):
        tentative.count(seen if look % 3 == 0 else Look(), {}, nowhere, nowhere, look / 10)
    assert tentative.new == [] and not tentative.is_undecided


def test_a_place_at_a_hand_is_waited_for_and_begins_anew() -> None:
    tentative, (place,) = TentativeTracks(LiveConfig()), quads_at((0, 0))
    seen = Look(new=[Observation(place, read_as_5r(0.99))])
    tentative.count(seen, {}, nowhere, nowhere, 0.0)
    tentative.count(seen, {}, lambda quad: True, nowhere, 0.1)
    assert tentative.is_undecided and not tentative.has_counts
    for time in (0.2, 0.3):
        tentative.count(seen, {}, nowhere, nowhere, time)
        assert not tentative.is_ready(time)
    tentative.count(seen, {}, nowhere, nowhere, 0.4)
    assert tentative.is_ready(0.4)


def test_questions_change_nothing() -> None:
    tentative, (place,) = TentativeTracks(LiveConfig()), quads_at((0, 0))
    seen = Look(new=[Observation(place, read_as_5r(0.99))])
    for time in (0.0, 0.1, 0.2):
        tentative.count(seen, {}, nowhere, nowhere, time)
    first = [tentative.is_ready(0.2), len(tentative.confirmed()[0]), tentative.is_undecided]
    tentative.new.clear()
    tentative.missing.append(7)
    second = [tentative.is_ready(0.2), len(tentative.confirmed()[0]), tentative.is_undecided]
    assert first == second == [True, 1, True]


GONE = {7: Track(7, quads_at((0, 0))[0]), 8: Track(8, quads_at((60, 0))[0])}


def hides(track: int) -> PlaceTest:
    """Return a test that says of a place whether it is the one of this track."""
    return lambda quad: quad is GONE[track].quad


def test_a_tile_is_gone_when_three_looks_in_a_row_miss_it() -> None:
    tentative = TentativeTracks(LiveConfig())
    found = []
    for look, missed in enumerate(({7}, {7, 8}, {7, 8}, {8}, {7, 8})):
        tentative.count(Look(missing=missed), GONE, nowhere, nowhere, look / 10)
        found.append((tentative.confirmed()[1], tentative.is_ready(look / 10)))
    assert found == [([], False), ([], False), ([7], False), ([8], True), ([8], False)]
    assert sorted(tentative.missing) == [7, 8]
    tentative.drop([], [8])
    assert tentative.missing == [7] and tentative.is_undecided


def test_a_tile_that_may_be_hidden_is_waited_for_and_not_counted() -> None:
    tentative = TentativeTracks(LiveConfig())
    both = Look(missing={7, 8})
    for look in range(3):
        tentative.count(both, GONE, nowhere, hides(7), look / 10)
    assert tentative.confirmed() == ([], [8]) and tentative.missing == [8]
    assert [quad is GONE[7].quad for quad in tentative.blocked] == [True]
    assert not tentative.is_ready(0.2)  # the other place may be free soon
    tentative.count(both, GONE, nowhere, nowhere, 0.3)
    assert tentative.confirmed() == ([], [8]) and tentative.blocked == []


def test_a_place_that_stays_hidden_holds_up_the_rest_for_a_while_alone() -> None:
    config, ready = LiveConfig(), []
    tentative = TentativeTracks(config)
    times = [0.0, 0.1, 0.2, 0.95 * config.hold, 1.05 * config.hold]
    for time in times:
        tentative.count(Look(missing={7, 8}), GONE, nowhere, hides(7), time)
        ready.append(tentative.is_ready(time))
    assert ready == [False] * 4 + [True]


def test_what_is_found_only_now_and_then_is_waited_for_patiently() -> None:
    """Another tile is certain meanwhile. It is reported once the patience with the rare one is
    over.
    """
    config, (sure, rare) = LiveConfig(), quads_at((0, 0), (60, 0))
    reading, tentative = read_as_5r(0.99), TentativeTracks(config)
    seen = [Observation(sure, reading)]
    for look in range(20):
        time = look / 10
        also = [Observation(rare, reading)] if look % 3 == 0 and look < 3 else []
        tentative.count(Look(new=seen + also), {}, nowhere, nowhere, time)
        if tentative.is_ready(time):
            break
    assert look >= config.looks and len(tentative.confirmed()[0]) == 1
    tentative.clear()
    assert not tentative.is_undecided and tentative.new == [] and tentative.confirmed() == ([], [])


def test_places_go_along_with_the_camera() -> None:
    tentative, (place,) = TentativeTracks(LiveConfig()), quads_at((0, 0))
    reading = read_as_5r(0.99)
    tentative.count(
        Look(new=[Observation(place, reading)], missing={8}), GONE, nowhere, hides(8), 0.0
    )
    motion = np.array([[1.0, 0, 30], [0, 1.0, -5], [0, 0, 1]])
    tentative.follow(motion)
    np.testing.assert_allclose(tentative.new[0].quad, place + (30, -5), atol=1e-3)
    np.testing.assert_allclose(tentative.blocked[0], GONE[8].quad + (30, -5), atol=1e-3)
    moved = Observation((place + (30, -5)).astype(np.float32), reading)
    for time in (0.1, 0.2):
        tentative.count(Look(new=[moved]), {}, nowhere, nowhere, time)
    assert len(tentative.confirmed()[0]) == 1


def test_a_tile_is_seen_from_when_it_lay_beside_a_hand() -> None:
    """It stays so while a hand passes over it."""
    tentative, (place, other) = TentativeTracks(LiveConfig()), quads_at((0, 0), (60, 0))
    seen = Look(new=[Observation(place, read_as_5r(0.99))])
    tentative.count(seen, {}, everywhere, nowhere, 1.0)
    tentative.count(Look(), {}, everywhere, nowhere, 3.0)
    both = Look(new=[*seen.new, Observation(other, read_as_5r(0.99))])
    for time in (5.0, 5.1, 5.2):
        tentative.count(both, {}, nowhere, nowhere, time)
    assert [tentative.first_seen(track) for track in tentative.new] == [1.0, 5.0]
    tentative.drop(tentative.new[:1], [])
    tentative.count(seen, {}, nowhere, nowhere, 5.3)
    assert [tentative.first_seen(track) for track in tentative.new] == [5.0, 5.3]


def test_another_face_in_the_place_of_one_seen_before_is_seen_for_the_first_time() -> None:
    tentative, (place,) = TentativeTracks(LiveConfig()), quads_at((0, 0))
    tentative.count(Look(new=[Observation(place, read_as_5r(1e-4))]), {}, everywhere, nowhere, 1.0)
    tentative.count(Look(new=[Observation(place, read_as_5r(0.999))]), {}, nowhere, nowhere, 2.0)
    assert [tentative.first_seen(track) for track in tentative.new] == [2.0]


def test_what_was_seen_long_ago_is_forgotten() -> None:
    config = LiveConfig()
    tentative, (place,) = TentativeTracks(config), quads_at((0, 0))
    seen = Look(new=[Observation(place, read_as_5r(0.99))])
    tentative.count(seen, {}, everywhere, nowhere, 1.0)
    late = 1.1 + config.hold
    tentative.count(Look(), {}, everywhere, nowhere, late)
    tentative.count(seen, {}, nowhere, nowhere, late + 0.1)
    assert [tentative.first_seen(track) for track in tentative.new] == [late + 0.1]
