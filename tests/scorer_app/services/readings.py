"""Waits until photographs are read, on a clock that a test moves."""

from __future__ import annotations

from typing import Any

from flask import Flask

from scorer_app.services.reading_jobs import LOOK, ReadingJobs
from scorer_app.services.reading_queue import ReadingQueue
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, until
from ..hands import CANASTA

SENTENCES = {"read": "Leída", "failed": "La lectura falló. La foto quedó guardada"}


class Clock:
    """A monotonic clock in seconds that a test moves."""

    def __init__(self) -> None:
        self.moment = 0.0

    def __call__(self) -> float:
        return self.moment


def jobs_of(app: Flask) -> tuple[ReadingJobs, Clock]:
    jobs, clock = parts_of(app).intake.jobs, Clock()
    jobs.clock = clock
    return jobs, clock


def settled(app: Flask, scorer: Scorer, hand: str, patience: float = 60.0) -> Any:
    """Return the hand's only photograph once it no longer waits to be read, or once `patience`
    seconds are over on the test's clock.

    Each look at the jobs moves that clock on; after every fifth look the hand is asked for, as a
    page does.
    """
    jobs, clock = jobs_of(app)
    end = clock.moment + patience
    idle(app)
    while True:
        (photo,) = scorer.hand(hand)["photos"]
        if photo["state"] in SENTENCES or clock.moment > end:
            return photo
        for _look in range(5):
            clock.moment += LOOK
            jobs.look()
            idle(app)


def idle(app: Flask) -> None:
    queue: ReadingQueue = parts_of(app).queue
    until(lambda: queue._stages, lambda stages: not stages)


def saved(scorer: Scorer, hand: str) -> bool:
    """Whether the hand can be saved once it is closed."""
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.close(hand)
    for question in scorer.hand(hand)["questions"]:
        if question["ask"] == "tapped":
            scorer.edit(hand, {"op": "keep_tapped", "photo": question["subject"]})
    answer = scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True})
    return bool(answer.status_code == 200)
