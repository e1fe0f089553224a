"""What the person who runs a server may know of it: how much there is to do, and what goes wrong.
It holds no name, no score and no photograph of anybody's match.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import bindparam, func, select

from scorer_app.services.hand_rows import WAITING
from scorer_app.store import Match, Photo, PhotoState, Store
from scorer_app.store.tables import now

DAY = timedelta(days=1)
_COUNT = func.count(Photo.id).label("many")
_WAITING = select(_COUNT, func.min(Photo.received).label("first")).where(Photo.state.in_(WAITING))
_FAILED = (
    select(Photo.problem, _COUNT)
    .where(Photo.state == PhotoState.FAILED, ~Photo.removed, ~Photo.erased)
    .group_by(Photo.problem)
    .order_by(_COUNT.desc())
)
_PLAYED = select(func.count(Match.id).label("many")).where(
    ~Match.deleted, ~Match.sample, ~Match.archived, Match.touched > bindparam("since")
)


@dataclass(frozen=True)
class Overview:
    """The work of a server at one moment, over all its processes."""

    waiting: int  # photographs to be read
    longest_wait: float  # seconds since the first of them came; 0 where none waits
    failed: dict[str, int]  # photographs still kept that could not be read, by problem
    played: int  # matches played in the last day


def overview(store: Store) -> Overview:
    """Count the work of a server at this moment. Raises StoreUnavailable."""
    moment = now()
    waiting = store.look(_WAITING, {})[0]
    played = store.look(_PLAYED, {"since": moment - DAY})[0]
    failed = {str(row.problem): row.many for row in store.look(_FAILED, {})}
    return Overview(waiting.many, _seconds_since(waiting.first, moment), failed, played.many)


def _seconds_since(first: datetime | None, moment: datetime) -> float:
    return max(0.0, (moment - first).total_seconds()) if first else 0.0
