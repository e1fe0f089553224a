"""How long each stage of a reading takes."""

from __future__ import annotations

import pytest

from vision import clock
from vision.clock import Clock


def test_the_times_of_a_stage_that_is_entered_again_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([0.0, 1.0, 3.0, 5.0, 6.0, 10.0, 20.0, 20.0])
    monkeypatch.setattr(clock.time, "perf_counter", lambda: next(now))
    measured = Clock()
    for stage in ("read", "group", "read"):
        with measured.stage(stage):
            pass
    assert measured.seconds() == {"read": 12.0, "group": 1.0, "total": 20.0}
