"""The watches of all matches. Each match has one watch of its table, and a watch is forgotten when
nobody looks at the table any more.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from engine.rulesets import RuleSet
from scorer_app.config import AppConfig
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
# Seconds after its last frame from which a watch makes room for one of another match.
GIVES_WAY = 30.0
_loading = threading.Lock()  # so that two tables begun together load the networks once


def network_eyes(prepared_dir: Path, chosen: ChosenSet | None) -> Eyes:
    """Load the installed networks, and return the eyes that read frames with them, made ready for
    the chosen set of tiles if there is one. What is worked out for a set is kept in the folder
    `prepared_dir`. Raises ReadingFailed where the networks are missing or
    damaged.
    """
    from vision import open_reader
    from vision.errors import VisionError
    from vision.live.eyes import NetworkEyes

    try:
        with _loading:
            tables = open_reader()
        return NetworkEyes(reader_for(tables, chosen, prepared_dir))
    except VisionError as error:
        raise ReadingFailed(error.reason.value) from error


class Watches:
    """The watches of all matches.

    `open_eyes` loads the networks when a watch begins. `tell` is called with the id of a match when
    there is something new about its table. `notes` keep what people say of the tables; with None
    nothing is kept after a watch has ended. At most `most` tables are watched at once.
    """

    def __init__(
        self,
        open_eyes: Callable[[ChosenSet | None], Eyes],
        tell: Callable[[str], None] = lambda match_id: None,
        notes: WatchNotes | None = None,
        most: int = AppConfig.watched_tables,
    ) -> None:
        self.notes, self.most = notes, most
        self.open_eyes, self.tell = open_eyes, tell
        self.clock: Callable[[], float] = time.monotonic
        self._watches: dict[str, TableWatch] = {}
        # For each watch about to begin, its match and an object of its own.
        self._openings: set[tuple[str, object]] = set()
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

        Raises LiveRefused where too many tables are watched, or where the match was forgotten while
        its networks were being loaded. Raises ReadingFailed where they cannot be loaded; a running
        watch then goes on.
        """
        with self._lock:
            watch = self._running(match_id, rules, chosen, hand)
            if watch is not None:
                return watch
            opening = match_id, object()
            self._openings.add(opening)
        try:  # without the lock: to prepare a set takes seconds, and other tables go on meanwhile
            eyes = self.open_eyes(chosen)
        finally:
            with self._lock:
                is_wanted = opening in self._openings
                self._openings.discard(opening)
        with self._lock:
            if not is_wanted:
                raise LiveRefused(LiveTrouble.NO_TABLE)
            watch = self._running(match_id, rules, chosen, hand)
            return watch or self._new(match_id, rules, eyes, chosen, hand)

    def _running(
        self, match_id: str, rules: RuleSet, chosen: ChosenSet | None, hand: int
    ) -> TableWatch | None:
        """Return the running watch of a match if it can go on with these rules, this set of tiles
        and the hand with the number `hand`; None where a new one has to take its place. Raises
        LiveRefused where too many tables are watched. The lock must be held.
        """
        self._forget_idle()
        watch = self._watches.get(match_id)
        if watch is None:
            self._make_room()
            return None
        kept = rules, chosen.id if chosen else None
        if self._is_over(watch, hand) or (watch.rules, watch.set_id) != kept:
            return None
        self._use(watch, hand)
        return watch

    def _use(self, watch: TableWatch, hand: int) -> None:
        watch.used = self.clock()
        watch.play(hand, watch.used)

    def _new(
        self, match_id: str, rules: RuleSet, eyes: Eyes, chosen: ChosenSet | None, hand: int
    ) -> TableWatch:
        """Return a new watch of a match, which sees with `eyes`, in place of the running one if
        there is one. The lock must be held.
        """
        old = self._watches.get(match_id)
        is_cleared = old is not None and self._is_over(old, hand)
        self._drop(match_id)
        watch = self._watches[match_id] = TableWatch(
            rules,
            eyes,
            lambda: self.tell(match_id),
            chosen.id if chosen else None,
            Remembered(self.notes, match_id),
            server=old.server if old else None,  # ended, but it may hold its device still
            hand=old.hand if old else 0,
            saved=old.saved if old else float("-inf"),
            is_cleared=is_cleared,
        )
        self._use(watch, hand)
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
            return watch.expect(camera, self.clock())
        with self._lock:
            self._make_room()

    def forget(self, match_id: str) -> None:
        """Forget the watch of a match, and end its camera."""
        with self._lock:
            self._drop(match_id)
            self._openings = {each for each in self._openings if each[0] != match_id}

    def close(self) -> None:
        """Forget all watches, and end their cameras."""
        with self._lock:
            for match_id in list(self._watches):
                self._drop(match_id)
            self._openings.clear()

    def _make_room(self) -> None:
        """Where there are as many watches as there may be, forget the one that no camera has fed
        for longest. Raises LiveRefused where each is fed, or was until a moment ago. The lock must
        be held.
        """
        if len(self._watches) < self.most:
            return
        moment = self.clock()
        longest = max(self._watches, key=lambda one: self._watches[one].silence(moment))
        if self._watches[longest].silence(moment) < GIVES_WAY:
            raise LiveRefused(LiveTrouble.FULL, most=self.most, seconds=round(GIVES_WAY))
        self._drop(longest)

    def _forget_idle(self) -> None:
        moment = self.clock()
        for match_id, watch in list(self._watches.items()):
            if moment - watch.used >= IDLE:
                self._drop(match_id)

    def _drop(self, match_id: str) -> None:
        watch = self._watches.pop(match_id, None)
        if watch is not None:
            watch.rest()
