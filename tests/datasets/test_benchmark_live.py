"""The benchmark of the live referee tells the memory that its process holds, whatever its peak."""

from __future__ import annotations

import mmap

from datasets.benchmark.live import memory_grown

SIZE = 4  # MB
FILLING = b"1" * (SIZE * 1_000_000)
CALLS, AFTER_A_TENTH = 50, 44
NEAR = 50  # MB: other tests that ran in this process may give memory back meanwhile


def filled() -> mmap.mmap:
    """Take SIZE MB of memory. It goes back to the system when it is freed, while of an array's the
    process may keep some for later.
    """
    memory = mmap.mmap(-1, len(FILLING))
    memory[:] = FILLING
    return memory


def test_a_leak_is_told_though_the_peak_was_higher_before() -> None:
    peak = [filled() for _ in range(2 * CALLS)]
    peak.clear()
    leaked: list[object] = []
    grown = memory_grown(lambda _number: leaked.append(filled()), CALLS)
    assert len(leaked) == CALLS and abs(grown - SIZE * AFTER_A_TENTH) < NEAR


def test_what_is_given_back_is_no_leak() -> None:
    assert abs(memory_grown(lambda _number: filled(), CALLS)) < NEAR


def test_garbage_that_waits_to_be_collected_is_no_leak() -> None:
    def see(_number: int) -> None:
        circle: list[object] = [filled()]
        circle.append(circle)

    assert abs(memory_grown(see, CALLS)) < NEAR
