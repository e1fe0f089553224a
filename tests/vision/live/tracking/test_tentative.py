"""What several looks have to agree on before it counts."""

from __future__ import annotations

from tests.vision.live.tracking.readings import quads_at, read_as_5r
from vision.live.settings import LiveConfig
from vision.live.tracking.look import Look
from vision.live.tracking.tentative import TentativeTracks
from vision.live.tracking.tracks import Observation
from vision.quads import Quad


def nowhere(quad: Quad) -> bool:
    return False


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
