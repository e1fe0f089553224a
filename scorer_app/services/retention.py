"""How long photographs are kept: looked after at the start and once a day while the server runs.

A wrong clock deletes nothing. A clock is believed while it lies at most a day before and at most
LEAP after the moment it was last believed (before the first time: after the newest photograph
received), and has not been set by more than STEP since. Any other one is believed only after the
server has run with it for SETTLED, without a further step. Until then nothing is deleted, except
by a person in the settings.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from scorer_app.services.intake import Intake
from scorer_app.store import Store, StoreUnavailable
from scorer_app.store.tables import now

EVERY = timedelta(days=1)
# seconds; by the calendar's clock a day has passed even if the machine slept through most of it
LOOK = 600.0
LEAP = timedelta(days=30)  # a server may stay off so long before its clock needs to settle
STEP = timedelta(hours=1)  # a clock off by less harms no photograph
SETTLED = 7 * 86400.0  # seconds
_BELIEVED = "clock_believed"  # setting: the moment as ISO text
log = logging.getLogger(__name__)


def _since_boot() -> float:
    """On Linux and macOS `time.monotonic` stands still while the machine sleeps."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC)
    return time.monotonic()


class Retention:
    """Deletes the files of photographs older than the setting `photo_days`, and what a crash left
    of deleted ones.
    """

    def __init__(
        self,
        store: Store,
        intake: Intake,
        clock: Callable[[], datetime] = now,
        elapsed: Callable[[], float] | None = None,
    ) -> None:
        """`elapsed` counts seconds that nobody can set, those of the machine's sleep too."""
        self.store, self.intake, self.clock = store, intake, clock
        self.elapsed = elapsed or _since_boot
        self._due = clock()
        self._looked = clock(), self.elapsed()
        self._steady_since = self.elapsed()
        self._stepped = self._was_near = False
        self._stop = threading.Event()

    def start(self) -> None:
        """Looks now and then until closed."""
        threading.Thread(target=self._watch, name="retention", daemon=True).start()

    def close(self) -> None:
        self._stop.set()

    def look(self) -> None:
        """Sweeps where a day has passed since the last time, or where the clock was set back."""
        moment = self.clock()
        if moment >= self._due or self._due - moment > EVERY:
            self.sweep()
        else:
            self._note_steps(moment)

    def sweep(self, *, starting: bool = False) -> None:
        """What cannot be deleted now is tried again in a day: a store that only lets itself be
        read still shows the tally.
        """
        self._due = self.clock() + EVERY
        try:
            days = self.store.setting("photo_days")
            forgotten = self._forget(days) if days else 0
            leftovers = self.intake.erase_leftovers(starting=starting)
        except (StoreUnavailable, OSError) as error:
            log.error("photographs could not be looked after: %s", error)
            return
        if forgotten or leftovers:
            log.info(
                "deleted %d photographs past their time, %d leftover files", forgotten, leftovers
            )

    def _forget(self, days: int) -> int:
        """Deletes the files of photographs older than so many days; returns how many."""
        moment = self.clock()
        if not self._is_believable(moment):
            log.warning("no photograph is deleted: this machine's clock (%s) may be wrong", moment)
            return 0
        self.store.set_setting(_BELIEVED, moment.isoformat())
        return self.intake.forget_before(moment - timedelta(days=days))

    def _is_believable(self, moment: datetime) -> bool:
        self._note_steps(moment)
        last = self._last_believed() or moment
        near = last - EVERY <= moment <= last + LEAP
        if self._stepped and near and not self._was_near:
            self._stepped = False  # a wrong clock was set right
        self._was_near = near
        settled = self.elapsed() - self._steady_since > SETTLED
        return settled or (near and not self._stepped)

    def _note_steps(self, moment: datetime) -> None:
        """Compares what the clock says has passed since the last look with what has passed."""
        then, counted = self._looked
        self._looked = moment, self.elapsed()
        passed = timedelta(seconds=self._looked[1] - counted)
        if abs(moment - then - passed) > STEP:
            self._stepped, self._steady_since = True, self._looked[1]

    def _last_believed(self) -> datetime | None:
        told = self.store.setting(_BELIEVED)
        return datetime.fromisoformat(told) if told else self.intake.newest_received()

    def _watch(self) -> None:
        while not self._stop.wait(LOOK):
            self.look()
