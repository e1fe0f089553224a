"""How long photographs are kept: looked after at the start and once a day while the server runs."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from scorer_app.services.intake import Intake
from scorer_app.store import Store, StoreUnavailable
from scorer_app.store.tables import now

EVERY = timedelta(days=1)
# seconds; by the calendar's clock a day has passed even if the machine slept through most of it
LOOK = 600.0
log = logging.getLogger(__name__)


class Retention:
    """Deletes the files of photographs older than the setting `photo_days`, and what a crash left
    of deleted ones.
    """

    def __init__(self, store: Store, intake: Intake, clock: Callable[[], datetime] = now) -> None:
        self.store, self.intake, self.clock = store, intake, clock
        self._due = clock()
        self._stop = threading.Event()

    def start(self) -> None:
        """Looks now and then until closed."""
        threading.Thread(target=self._watch, name="retention", daemon=True).start()

    def close(self) -> None:
        self._stop.set()

    def look(self) -> None:
        """Sweeps where a day has passed since the last time."""
        if self.clock() >= self._due:
            self.sweep()

    def sweep(self, *, starting: bool = False) -> None:
        """What cannot be deleted now is tried again in a day: a store that only lets itself be
        read still shows the tally.
        """
        self._due = self.clock() + EVERY
        try:
            days = self.store.setting("photo_days")
            forgotten = (
                self.intake.forget_before(self.clock() - timedelta(days=days)) if days else 0
            )
            leftovers = self.intake.erase_leftovers(starting=starting)
        except (StoreUnavailable, OSError) as error:
            log.error("photographs could not be looked after: %s", error)
            return
        if forgotten or leftovers:
            log.info(
                "deleted %d photographs past their time, %d leftover files", forgotten, leftovers
            )

    def _watch(self) -> None:
        while not self._stop.wait(LOOK):
            self.look()
