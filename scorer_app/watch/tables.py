"""Tables under watch: one live referee a match, fed by one camera at a time, forgotten when nobody
looks any more.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from engine.rulesets import RuleSet
from scorer_app.services.reading_queue import ReadingFailed
from scorer_app.texts.languages import Language
from scorer_app.watch.cameras import ServerCamera
from scorer_app.watch.commands import Order
from scorer_app.watch.events import Told
from scorer_app.watch.pictures import as_jpeg, thumbnail

if (
    TYPE_CHECKING
):  # at run time they come with the first frame: a page that watches nothing loads no vision
    import numpy as np
    from numpy.typing import NDArray

    from vision.live import Eyes, StableTable, Update, Watch

IDLE = 900.0  # seconds after which a watch nobody feeds or asks is forgotten, and its camera let go
SILENCE = 4.0  # seconds without a frame after which another camera may take over
MOST_WATCHES = 4  # at once; each holds a few megabytes
KEPT_EVENTS = 200  # with their thumbnails, of about 8 kB each


class LiveTrouble(StrEnum):
    """Values have a sentence in the texts (`error.live.VALUE`)."""

    BUSY = "busy"
    NO_TABLE = "no_table"
    NO_LINE = "no_line"
    FULL = "full"
    BAD_SOURCE = "bad_source"


class LiveRefused(Exception):
    def __init__(self, trouble: LiveTrouble) -> None:
        super().__init__(trouble.value)
        self.trouble = trouble


def network_eyes() -> Eyes:
    """The installed networks. Raises ReadingFailed where there are none."""
    from vision import open_reader
    from vision.errors import VisionError
    from vision.live.eyes import NetworkEyes

    try:
        return NetworkEyes(open_reader())
    except VisionError as error:
        raise ReadingFailed(error.reason.value) from error


def nobody() -> None:
    """Is told of changes where nobody wants to know."""


@dataclass
class TableWatch:
    """One match's referee. `version` counts tables; `picture` (h, w, 3) RGB shows the table at
    rest, `frame` is the latest, the `frames`-th; `changed` is called whenever there is
    something new to know but a frame.
    """

    rules: RuleSet
    eyes: Eyes
    changed: Callable[[], None] = nobody
    camera: str = ""
    fed: float = float("-inf")
    used: float = 0.0
    version: int = 0
    events: list[Told] = field(default_factory=list)
    picture: NDArray[np.uint8] | None = None
    frame: NDArray[np.uint8] | None = None
    frames: int = 0
    server: ServerCamera | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)
    name: str = field(default_factory=lambda: token_hex(6))  # another name: numbers begin anew
    _jpeg: tuple[int, bytes] = (0, b"")

    def __post_init__(self) -> None:
        self.watch = self._new()

    def see(self, frame: NDArray[np.uint8], camera: str, moment: float) -> None:
        """A frame of `camera` (the name its page gave itself). Another one may take over once the
        first is silent.
        """
        self.expect(camera, moment)
        if camera != self.camera:
            self.take_over(camera, moment)
        if moment - self.fed >= SILENCE:
            self.changed()  # it is watched again
        self.fed, self.frame, self.frames = moment, frame, self.frames + 1
        before = self.watch.table
        told = self.watch.see(frame, moment)
        if self.watch.table is not before:
            self.picture = frame
        self._note(told, before)

    def expect(self, camera: str, moment: float) -> None:
        """Raises LiveRefused while another camera feeds it."""
        if camera != self.camera and moment - self.fed < SILENCE:
            raise LiveRefused(LiveTrouble.BUSY)

    def take_over(self, camera: str, moment: float) -> None:
        """From now on this camera alone is listened to."""
        if self.server is not None and self.server.name != camera:
            self.server.end()
            self.server = None
        self.camera, self.fed, self.watch = camera, moment, self._new()

    def order(self, order: Order) -> None:
        before = self.watch.table
        self._note(order.carry_out(self.watch), before, corrected=True)

    def rest(self) -> None:
        """The camera on the server is let go, any other may take over at once; what was seen
        stays.
        """
        if self.server is not None:
            self.server.end()
        if self.server is not None and self.camera == self.server.name:
            self.fed = float("-inf")

    def jpeg(self) -> tuple[int, bytes]:
        """The latest frame and its number; made when somebody asks, once a frame."""
        number, frame = self.frames, self.frame
        if frame is not None and self._jpeg[0] != number:
            self._jpeg = number, as_jpeg(frame)
        return self._jpeg

    def to_json(
        self, language: Language, version: int, event: int, moment: float
    ) -> dict[str, Any]:
        """What is new to somebody who knows table `version` and events up to `event`."""
        table = self.watch.table if version != self.version else None
        return {
            "watch": self.name,
            "version": self.version,
            "size": None if self.frame is None else (self.frame.shape[1], self.frame.shape[0]),
            "table": table and table.to_json(),
            "line": self.watch.line,
            "camera": self._camera(language, moment),
            "events": [
                told.to_json(language, moment) for told in self.events if told.number > event
            ],
        }

    def _camera(self, language: Language, moment: float) -> dict[str, Any] | None:
        """What feeds it, None where nothing does."""
        if self.server is not None:
            return self.server.to_json(language)
        return (
            {"kind": "device", "state": "watching", "name": self.camera}
            if moment - self.fed < SILENCE
            else None
        )

    def _new(self) -> Watch:
        from vision.live import Watch

        self.version += 1
        self.changed()
        return Watch(self.eyes, self.rules)

    def _note(
        self,
        told: list[Update],
        before: StableTable | None,
        corrected: bool = False,
    ) -> None:
        from vision.live import LiveEvent

        after = self.watch.table
        last = self.events[-1].number if self.events else 0
        events = [one for one in told if isinstance(one, LiveEvent)]
        for number, event in enumerate(events, last + 1):
            small = None if self.picture is None else thumbnail(self.picture, event, before, after)
            self.events.append(Told(number, event, small, corrected))
        del self.events[:-KEPT_EVENTS]
        self.version += after is not before
        if events or after is not before:
            self.changed()


class Watches:
    """The watches of all matches. `open_eyes` is called at the first frame, `tell` with a match
    that has something new.
    """

    def __init__(
        self,
        open_eyes: Callable[[], Eyes] = network_eyes,
        clock: Callable[[], float] = time.monotonic,
        tell: Callable[[str], None] = lambda match_id: None,
    ) -> None:
        self.open_eyes, self.clock, self.tell = open_eyes, clock, tell
        self._watches: dict[str, TableWatch] = {}
        self._lock = threading.Lock()

    def find(self, match_id: str) -> TableWatch | None:
        with self._lock:
            self._forget_idle()
            watch = self._watches.get(match_id)
            if watch is not None:
                watch.used = self.clock()
            return watch

    def of(self, match_id: str) -> TableWatch:
        """The match's watch. Raises LiveRefused where there is none (any more)."""
        watch = self.find(match_id)
        if watch is None:
            raise LiveRefused(LiveTrouble.NO_TABLE)
        return watch

    def begin(self, match_id: str, rules: RuleSet) -> TableWatch:
        """The match's watch, a new one where there is none or the rules are others."""
        with self._lock:
            self._forget_idle()
            watch = self._watches.get(match_id)
            if watch is None or watch.rules != rules:
                if watch is None and len(self._watches) >= MOST_WATCHES:
                    raise LiveRefused(LiveTrouble.FULL)
                self._drop(match_id)
                watch = self._watches[match_id] = TableWatch(
                    rules, self.open_eyes(), lambda: self.tell(match_id)
                )
            watch.used = self.clock()
            return watch

    def watch_with(self, match_id: str, rules: RuleSet, source: str) -> TableWatch:
        """A camera on the server feeds the match's watch from its first frame on, until nobody has
        asked for it for long. The one that was there before finds the table as it left it.
        """
        watch = self.begin(match_id, rules)

        def see(frame: NDArray[np.uint8]) -> bool:
            with watch.lock:
                wanted = watch.server is camera and self.clock() - watch.used < IDLE
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

    def expect_frame(self, match_id: str, camera: str) -> None:
        """Raises LiveRefused where a frame of this camera would be refused, whatever it shows."""
        watch = self.find(match_id)
        if watch is not None:
            watch.expect(camera, self.clock())
        elif len(self._watches) >= MOST_WATCHES:
            raise LiveRefused(LiveTrouble.FULL)

    def forget(self, match_id: str) -> None:
        """Of a match that is gone: its place is free, its camera let go."""
        with self._lock:
            self._drop(match_id)

    def close(self) -> None:
        """Ends all cameras."""
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
