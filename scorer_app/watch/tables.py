"""The watches of all matches. Each match has one watch of its table, and a watch is forgotten when
nobody looks at the table any more.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from engine.rulesets import RuleSet
from scorer_app.services.reading_queue import ReadingFailed
from scorer_app.services.set_readers import reader_for
from scorer_app.services.set_values import ChosenSet
from scorer_app.services.watch_notes import WatchNotes
from scorer_app.store import StoreUnavailable
from scorer_app.watch.cameras import ServerCamera
from scorer_app.watch.refusals import LiveRefused, LiveTrouble
from scorer_app.watch.remembering import Remembered
from scorer_app.watch.table_watch import SILENCE, TableWatch

# At run time these are imported with the first frame: a page that watches nothing needs no vision.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.live import Eyes

IDLE = 900.0  # seconds after which a watch that nobody feeds or asks is forgotten
MOST_WATCHES = 4  # at once; each holds a few megabytes


def network_eyes(chosen: ChosenSet | None) -> Eyes:
    """Load the installed networks, and return the eyes that read frames with them, made ready for
    the chosen set of tiles if there is one. Raises ReadingFailed where the networks are missing or
    damaged.
    """
    from vision import open_reader
    from vision.errors import VisionError
    from vision.live.eyes import NetworkEyes

    try:
        return NetworkEyes(reader_for(open_reader(), chosen))
    except VisionError as error:
        raise ReadingFailed(error.reason.value) from error


class Watches:
    """The watches of all matches.

    `open_eyes` loads the networks when a watch begins, and `clock` tells the present moment in
    seconds. `tell` is called with the id of a match when there is something new about its table.
    `notes` keep what people say of the tables; with None nothing is kept after a watch has ended.
    """

    def __init__(
        self,
        open_eyes: Callable[[ChosenSet | None], Eyes] = network_eyes,
        clock: Callable[[], float] = time.monotonic,
        tell: Callable[[str], None] = lambda match_id: None,
        notes: WatchNotes | None = None,
    ) -> None:
        self.notes = notes
        self.open_eyes, self.clock, self.tell = open_eyes, clock, tell
        self._watches: dict[str, TableWatch] = {}
        self._lock = threading.Lock()

    def find(self, match_id: str) -> TableWatch | None:
        """Return the watch of a match; None where there is none. The request counts as a use of the
        watch.
        """
        with self._lock:
            self._forget_idle()
            watch = self._watches.get(match_id)
            if watch is not None:
                watch.used = self.clock()
            return watch

    def of(self, match_id: str) -> TableWatch:
        """Return the watch of a match. Raises LiveRefused where there is none."""
        watch = self.find(match_id)
        if watch is None:
            raise LiveRefused(LiveTrouble.NO_TABLE)
        return watch

    def begin(
        self, match_id: str, rules: RuleSet, chosen: ChosenSet | None = None, hand: int = 0
    ) -> TableWatch:
        """Return the running watch of a match if it has these rules and this set of tiles, else a
        new one. A set that has only learned further examples is still the same set. `hand` is the
        number of the hand that is played, 0 where it is not known; a watch whose camera was silent
        when a later hand began makes room for a new one.

        Raises LiveRefused where too many tables are watched, and ReadingFailed where the networks
        cannot be loaded.
        """
        set_id = chosen.id if chosen else None
        with self._lock:
            self._forget_idle()
            watch = self._watches.get(match_id)
            if watch is None:
                if len(self._watches) >= MOST_WATCHES:
                    raise LiveRefused(LiveTrouble.FULL)
                watch = self._new(match_id, rules, chosen)
            elif self._is_over(watch, hand):
                watch = self._new(match_id, rules, chosen, is_cleared=True)
            elif (watch.rules, watch.set_id) != (rules, set_id):
                watch = self._new(match_id, rules, chosen)
            watch.used = self.clock()
            watch.play(hand, watch.used)
            return watch

    def _new(
        self,
        match_id: str,
        rules: RuleSet,
        chosen: ChosenSet | None,
        is_cleared: bool = False,
    ) -> TableWatch:
        """Return a new watch of a match, in place of the running one if there is one. Raises
        ReadingFailed where the networks cannot be loaded; the running watch then goes on.
        """
        eyes, old = self.open_eyes(chosen), self._watches.get(match_id)
        self._drop(match_id)
        watch = self._watches[match_id] = TableWatch(
            rules,
            eyes,
            lambda: self.tell(match_id),
            chosen.id if chosen else None,
            Remembered(self.notes, match_id),
            server=old.server if old else None,  # ended, but it may hold its device still
            hand=old.hand if old else 0,
            is_cleared=is_cleared,
        )
        return watch

    def _is_over(self, watch: TableWatch, hand: int) -> bool:
        """Whether the hand that is watched has been saved and its table cleared: a later hand, with
        the number `hand`, is played, and no camera feeds the watch.
        """
        return 0 < watch.hand < hand and self.clock() - watch.fed >= SILENCE

    def watch_with(
        self,
        match_id: str,
        rules: RuleSet,
        source: str,
        chosen: ChosenSet | None = None,
        hand: int = 0,
    ) -> TableWatch:
        """Let a camera on the server feed the watch of a match, and return the watch. `source` is
        the camera's number, the address of a stream, or a file. `chosen` is the set of tiles that
        lies on the table, None where it is not known. `hand` is the number of the hand that is
        played, 0 where it is not known.

        The camera takes over with its first frame and ends when nobody has asked for the watch for
        `IDLE` seconds. The watch's earlier camera on the server is ended. Raises LiveRefused where
        too many tables are watched, and ReadingFailed where the networks cannot be loaded.
        """
        watch = self.begin(match_id, rules, chosen, hand)

        def see(frame: NDArray[np.uint8]) -> bool:
            with watch.lock:
                wanted = watch.server is camera and self.clock() - watch.used < IDLE
                with suppress(StoreUnavailable):  # the next frame is another chance
                    if wanted and watch.camera != camera.name:
                        watch.take_over(camera.name, self.clock())
                    if wanted:
                        watch.see(frame, camera.name, self.clock())
                return wanted

        with watch.lock:
            camera = ServerCamera(source, see, watch.changed, after=watch.server)
            watch.rest()
            watch.server = camera
        camera.start()
        return watch

    def keep_to(
        self, match_id: str, rules: RuleSet, chosen: ChosenSet | None = None, hand: int = 0
    ) -> None:
        """Make the watch of a match go on with these rules and the set of tiles `chosen`, None for
        no set, if it began with others. `hand` is the number of the hand that is played, 0 where it
        is not known. Nothing is done where no camera on the server feeds the watch. Raises
        ReadingFailed where the networks cannot be loaded; the watch then goes on as before.
        """
        watch = self.find(match_id)
        server = watch.server if watch else None  # a frame of another camera may let go of it
        if watch is None or server is None or server.is_over:
            return
        watch.play(hand, self.clock())
        if (watch.rules, watch.set_id) != (rules, chosen.id if chosen else None):
            self.watch_with(match_id, rules, server.source, chosen)

    def expect_frame(self, match_id: str, camera: str) -> None:
        """Raise LiveRefused where a frame of this camera would be refused whatever it shows."""
        watch = self.find(match_id)
        if watch is not None:
            watch.expect(camera, self.clock())
        elif len(self._watches) >= MOST_WATCHES:
            raise LiveRefused(LiveTrouble.FULL)

    def forget(self, match_id: str) -> None:
        """Forget the watch of a match, and end its camera."""
        with self._lock:
            self._drop(match_id)

    def close(self) -> None:
        """Forget all watches, and end their cameras."""
        with self._lock:
            for match_id in list(self._watches):
                self._drop(match_id)

    def _forget_idle(self) -> None:
        moment = self.clock()
        for match_id, watch in list(self._watches.items()):
            if moment - watch.used >= IDLE:
                self._drop(match_id)

    def _drop(self, match_id: str) -> None:
        watch = self._watches.pop(match_id, None)
        if watch is not None:
            watch.rest()
