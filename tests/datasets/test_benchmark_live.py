"""The benchmark of the live referee tells the memory that its process holds, whatever its peak."""

from __future__ import annotations

import numpy as np

from datasets.benchmark.live import memory_grown

MEGABYTE = 1_000_000


def test_a_leak_is_told_though_the_peak_was_higher_before() -> None:
    np.ones(300 * MEGABYTE, np.uint8)  # raises the peak, and is given back at once
    leaked: list[object] = []
    grown = memory_grown(lambda _number: leaked.append(np.ones(2 * MEGABYTE, np.uint8)), 50)
    assert len(leaked) == 50 and abs(grown - 2 * 44) < 20


def test_what_is_given_back_is_no_leak() -> None:
    grown = memory_grown(lambda _number: np.ones(2 * MEGABYTE, np.uint8), 50)
    assert abs(grown) < 20


def test_garbage_that_waits_to_be_collected_is_no_leak() -> None:
    def see(_number: int) -> None:
        circle: list[object] = [np.ones(2 * MEGABYTE, np.uint8)]
        circle.append(circle)

    assert abs(memory_grown(see, 50)) < 20
