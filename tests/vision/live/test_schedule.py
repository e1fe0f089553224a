"""When the networks look at the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from vision.live.schedule import START_PATIENCE, LookSchedule
from vision.live.settings import LiveConfig

CONFIG = LiveConfig()
NEVER = float("-inf")


@dataclass
class Seen:
    """Stands in for the observer and the glance: it answers what a schedule asks of them."""

    last_absorbed: float = NEVER
    last_motion: float = NEVER
    is_lost: bool = False
    has_counts: bool = False
    calm: bool = True
    moves: bool = False
    ready: bool = True

    def is_calm(self, time: float) -> bool:
        return self.calm

    def has_moving_things(self, time: float) -> bool:
        return self.moves


def is_due(
    since_look: float | None, has_table: bool = True, watched: float = 100.0, **seen: Any
) -> bool:
    """Whether a look is due `since_look` seconds after the last one (None: there was none)."""
    schedule, state, time = LookSchedule(CONFIG), Seen(**seen), 1000.0
    schedule.start(time - watched)
    if since_look is not None:
        schedule.note_look(time - since_look)
    seen_now: Any = state
    return schedule.is_due(seen_now, seen_now, has_table, time)


def test_a_person_who_asks_is_answered_at_once_and_once() -> None:
    schedule, busy = LookSchedule(CONFIG), Seen(ready=False, moves=True, calm=False, is_lost=True)
    everything: Any = busy
    assert not schedule.is_asked
    schedule.ask()
    assert schedule.is_asked and schedule.is_due(everything, everything, True, 0.0)
    schedule.answered()
    assert not schedule.is_asked
    schedule.note_look(0.0)
    assert not schedule.is_due(everything, everything, True, 0.0)


@pytest.mark.parametrize(
    ("watched", "moves", "due"),
    [
        (0.9 * CONFIG.calm, False, False),
        (1.1 * CONFIG.calm, False, True),
        (1.1 * CONFIG.calm, True, False),
        (START_PATIENCE - 0.1, True, False),
        (START_PATIENCE, True, True),
    ],
)
def test_the_first_table_is_looked_at_once_all_is_calm_or_patience_ends(
    watched: float, moves: bool, due: bool
) -> None:
    assert is_due(None, has_table=False, watched=watched, moves=moves) is due
    assert not is_due(0.5 * CONFIG.interval, has_table=False, watched=watched, moves=moves)


def test_a_lost_table_is_looked_for_while_the_picture_is_calm() -> None:
    assert is_due(CONFIG.interval, is_lost=True, ready=False)
    assert not is_due(CONFIG.interval, is_lost=True, calm=False)
    assert not is_due(0.9 * CONFIG.interval, is_lost=True)


@pytest.mark.parametrize(
    "eager",
    [{"has_counts": True}, {"last_motion": 1000.0 - 0.9 * CONFIG.eager}],
    ids=["counting", "moved"],
)
def test_looks_follow_fast_while_something_is_being_decided(eager: dict[str, Any]) -> None:
    assert is_due(CONFIG.interval, **eager)
    assert not is_due(0.9 * CONFIG.interval, **eager)
    assert not is_due(CONFIG.interval, ready=False, **eager)


def test_a_table_where_nothing_was_decided_for_long_is_looked_at_slowly() -> None:
    long_still = {"last_motion": 1000.0 - 1.1 * CONFIG.eager}
    assert CONFIG.slow_interval > CONFIG.interval
    assert not is_due(0.9 * CONFIG.slow_interval, **long_still)
    assert is_due(CONFIG.slow_interval, **long_still)


@pytest.mark.parametrize(("absorbed", "due"), [(0.9, True), (1.1, False)])
def test_what_came_with_a_thing_that_rests_is_looked_for(absorbed: float, due: bool) -> None:
    lately = 1000.0 - absorbed * CONFIG.second_look
    assert is_due(CONFIG.interval, ready=False, last_absorbed=lately) is due
