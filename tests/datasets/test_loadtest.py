"""The universal scalability law, fitted to throughputs that are known."""

from __future__ import annotations

import pytest

from datasets.loadtest.scaling_law import ScalingLaw, fitted

SLOTS = [1, 2, 4, 8, 16, 32, 64]


@pytest.mark.parametrize("law", [ScalingLaw(3.3, 0.02, 0.0004), ScalingLaw(0.5, 0.0, 0.01)])
def test_a_law_is_found_again_in_what_it_says(law: ScalingLaw) -> None:
    found = fitted(SLOTS, [law.throughput(slots) for slots in SLOTS])
    assert (found.rate, found.sigma, found.kappa) == pytest.approx(
        (law.rate, law.sigma, law.kappa), abs=1e-9
    )


def test_who_works_alone_does_the_rate_and_nobody_in_the_way_does_it_each() -> None:
    assert ScalingLaw(3.0, 0.5, 0.5).throughput(1) == 3.0
    assert ScalingLaw(3.0, 0.0, 0.0).throughput(64) == 192.0


def test_no_share_of_waiting_is_below_nothing() -> None:
    """By chance the measured throughput grows faster than the number of workers."""
    found = fitted(SLOTS, [3.0 * slots * (1 + slots / 100) for slots in SLOTS])
    assert min(found.sigma, found.kappa) >= 0 and found.rate > 3.0


@pytest.mark.parametrize("throughputs", [[1.0, 2.0], [1.0, 0.0, 3.0]])
def test_too_few_throughputs_and_standstill_are_refused(throughputs: list[float]) -> None:
    with pytest.raises(ValueError, match="positive throughputs"):
        fitted(SLOTS[: len(throughputs)], throughputs)
