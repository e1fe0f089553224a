"""Deletes photographs' files after the number of days that the configuration or the settings name,
and matches after the number that the configuration names. This is done when the server starts and
once a day.

A machine's clock may be wrong, and a wrong clock must delete nothing. So the server deletes only
while it believes the clock. The moment that the clock shows is likely if it lies at most a day
before and at most LEAP after the moment at which the clock was last believed. If the clock was
never believed, the moment at which the newest photograph came, or a match was played last, is
taken instead.

The clock is believed at once if it shows a likely moment and nobody has set it by more than STEP
while the server ran, except from an unlikely moment to a likely one. Otherwise it is believed after
SETTLED seconds in which nobody set it by more than STEP. Until then only a person deletes
photographs, in the settings.
"""

from __future__ import annotations

import logging
import math
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import func, select

from scorer_app.config import Mode
from scorer_app.services.intake import Intake
from scorer_app.services.photo_files import LEFT_OVER, PhotosUnavailable
from scorer_app.services.purging import purge_before, purge_marked, sweep_purged
from scorer_app.services.quotas import forget_usage
from scorer_app.services.tally import WRONG_VALUE
from scorer_app.store import Match, Photo, Store, StoreUnavailable
from scorer_app.store.tables import wall_clock

EVERY = timedelta(days=1)
# Seconds between two looks at the clock, which finds that a day has passed even if the machine
# slept for most of it.
LOOK = 600.0
LEAP = timedelta(days=30)  # a server may stay off so long before its clock needs to settle
STEP = timedelta(hours=1)  # a clock off by less harms no photograph
SETTLED = 7 * 86400.0  # seconds
_BELIEVED = "clock_believed"  # setting: the moment as ISO text
# Columns of moments that the clock has shown. A match may have been touched before it was imported.
_KNOWN = (Photo.received, Match.touched, Match.imported)
log = logging.getLogger(__name__)


def _since_boot() -> float:
    """Return the seconds of a clock that nobody can set and that goes on while the machine sleeps.

    On Linux and macOS `time.monotonic` stands still while the machine sleeps.
    """
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC)
    return time.monotonic()


class Retention:
    """Deletes matches and files of photographs when the time for which they may be kept is over,
    and files that a crash left behind.
    """

    def __init__(
        self,
        store: Store,
        intake: Intake,
        clock: Callable[[], datetime] = wall_clock,
        elapsed: Callable[[], float] | None = None,
    ) -> None:
        """Note the present time of both clocks. `clock` tells the time of day, which people may
        set. `elapsed` counts seconds, which nobody can set; by default these are the seconds since
        the machine started.
        """
        self.store, self.intake, self.clock = store, intake, clock
        self.elapsed = elapsed or _since_boot
        self._due = clock()
        self._looked = clock(), self.elapsed()
        self._steady_since = self.elapsed()
        self._stepped = self._was_near = False
        self._stop = threading.Event()

    def start(self) -> None:
        """Start a thread that calls `look` from time to time, until `close` is called."""
        threading.Thread(target=self._watch, name="retention", daemon=True).start()

    def close(self) -> None:
        """Stop looking at the clock."""
        self._stop.set()

    def look(self) -> None:
        """Call `sweep` if a day has passed since the last sweep or the clock was set back; else
        only note whether the clock was set.
        """
        moment = self.clock()
        if moment >= self._due or self._due - moment > EVERY:
            self.sweep()
        else:
            self._note_steps(moment)

    def sweep(self, *, starting: bool = False) -> None:
        """Delete photographs and matches that are too old and files that are left over, and plan
        the next sweep for a day later. `starting` says that the server is just starting, so that
        nothing is being received yet.

        Where the store or disk cannot be written now, or a value that is needed is damaged, that is
        only logged, because the server must start all the same.
        """
        self._due = self.clock() + EVERY
        try:
            forgotten = self._forget()
            leftovers = self.intake.erase_leftovers(older=self._left_over(starting))
            self._clear_up()
        except (StoreUnavailable, PhotosUnavailable, OSError, *WRONG_VALUE) as error:
            log.error("photographs could not be looked after: %s", error)
            return
        if forgotten or leftovers:
            log.info(
                "deleted %d photographs past their time, %d leftover files", forgotten, leftovers
            )

    def _left_over(self, starting: bool) -> float:
        """Return the age, in seconds, from which two kinds of files count as left over: files that
        were not completely written, and uploads of which the store has no photograph. The age is 0
        where the one process of a server is `starting`, infinity while it runs, and `LEFT_OVER` in
        a cluster, where another process may still be at work on the file. It is infinity, too,
        where another database lies in the data folder: the files may be its own.
        """
        config = self.intake.config
        if config.unused_database and not config.photo_store:
            return math.inf
        if config.cluster:
            return LEFT_OVER  # another process may be at it
        return 0.0 if starting else math.inf

    def _forget(self) -> int:
        """Delete photographs' files and whole matches that are too old. Return the number of
        photographs that were too old; those of the deleted matches are not counted. Where this
        machine's clock may be wrong, nothing is deleted and 0 is returned.
        """
        moment, config = self.clock(), self.intake.config
        photo_days = config.photo_days or self.store.setting("photo_days")
        if not (photo_days or config.match_days):
            return 0
        if not self._is_believable(moment):
            log.warning("no photograph is deleted: this machine's clock (%s) may be wrong", moment)
            return 0
        self.store.set_setting(_BELIEVED, moment.isoformat())
        if config.match_days:
            purge_before(self.store, self.intake.files, moment - timedelta(days=config.match_days))
        if not photo_days:
            return 0
        return self.intake.forget_before(moment - timedelta(days=photo_days))

    def _clear_up(self) -> None:
        """Delete the contents of matches that an earlier version only marked as deleted, the rows
        of matches that were deleted more than a day ago, and the files of removed photographs that
        nobody can bring back. On a public server, also delete the counts of earlier days for the
        quotas.
        """
        purge_marked(self.store, self.intake.files)
        sweep_purged(self.store)
        if self.intake.config.mode is Mode.PUBLIC:
            forget_usage(self.store)
        self.intake.removed.forget_all()

    def _is_believable(self, moment: datetime) -> bool:
        """Whether the clock, which shows `moment`, may be believed, by the rule that the module's
        docstring gives.
        """
        self._note_steps(moment)
        last = self._last_believed() or moment
        near = last - EVERY <= moment <= last + LEAP
        if self._stepped and near and not self._was_near:
            self._stepped = False  # a wrong clock was set right
        self._was_near = near
        settled = self.elapsed() - self._steady_since > SETTLED
        return settled or (near and not self._stepped)

    def _note_steps(self, moment: datetime) -> None:
        """Note whether the clock, which shows `moment`, was set since the last look. It counts as
        set if the time by which it has advanced differs by more than STEP from the time that
        `elapsed` has counted.
        """
        then, counted = self._looked
        self._looked = moment, self.elapsed()
        passed = timedelta(seconds=self._looked[1] - counted)
        if abs(moment - then - passed) > STEP:
            self._stepped, self._steady_since = True, self._looked[1]

    def _last_believed(self) -> datetime | None:
        """Return the moment at which the clock was last believed or, where it never was, the newest
        one at which a photograph came, or a match was played or imported; None where there is none.
        """
        told = self.store.setting(_BELIEVED)
        if told:
            return datetime.fromisoformat(told)
        with self.store.reading() as session:
            newest = [session.scalar(select(func.max(column))) for column in _KNOWN]
        return max(filter(None, newest), default=None)

    def _watch(self) -> None:
        while not self._stop.wait(LOOK):
            self.look()
