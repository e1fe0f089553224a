"""Tables under watch: one live referee a match, fed by one camera at a time, forgotten when nobody looks any more."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from engine.messages import Language
from engine.rulesets import RuleSet
from engine.tiles import Tile
from scorer_app.edit_fields import EditRefused, Operation, Refusal, face_of
from scorer_app.recognition import ReadingFailed

if TYPE_CHECKING:  # at run time they come with the first frame: a page that watches nothing loads no vision
    import numpy as np
    from numpy.typing import NDArray

    from vision.live import Eyes, Line, LiveEvent, StableTable, Watch

IDLE = 900.0  # seconds after which a watch nobody feeds or asks is forgotten
SILENCE = 4.0  # seconds without a frame after which another camera may take over
MOST_WATCHES = 4  # at once; each holds a few megabytes
KEPT_EVENTS = 200


class LiveTrouble(StrEnum):
    """Values have a sentence in the texts (`error.live.VALUE`)."""

    BUSY = "busy"
    NO_TABLE = "no_table"
    NO_LINE = "no_line"
    FULL = "full"


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


@dataclass
class TableWatch:
    """One match's referee. `version` counts tables, events are numbered from 1; `picture` (h, w, 3) RGB shows the table."""

    rules: RuleSet
    eyes: Eyes
    camera: str = ""
    fed: float = float("-inf")
    used: float = 0.0
    version: int = 0
    first_event: int = 1
    events: list[LiveEvent] = field(default_factory=list)
    picture: NDArray[np.uint8] | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)
    name: str = field(default_factory=lambda: token_hex(6))  # another name: numbers begin anew
    _shape: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        self.watch = self._new()

    def see(self, frame: NDArray[np.uint8], camera: str, moment: float) -> None:
        """A frame of `camera` (the name its page gave itself). Another one may take over once the first is silent."""
        if camera != self.camera and moment - self.fed < SILENCE:
            raise LiveRefused(LiveTrouble.BUSY)
        if frame.shape != self._shape or camera != self.camera:  # another view of the table: nothing lies where it lay
            self.watch = self._new()
        self.camera, self.fed, self._shape = camera, moment, frame.shape
        before = self.watch.table
        self._note(self.watch.see(frame, moment), before)
        if self.watch.table is not before:
            self.picture = frame

    def order(self, operation: Operation) -> None:
        """`{"op": "review"}`, `line` (`line` two points or null), `correct` (`tile`, `face`), `overrule` (`meld`)."""
        orders = {"review": self._review, "line": self._line, "correct": self._correct, "overrule": self._overrule}
        name = operation.get("op")
        if not isinstance(name, str) or name not in orders:
            raise EditRefused(Refusal.UNKNOWN_OPERATION, f"op, one of {', '.join(orders)}", name)
        before = self.watch.table
        orders[name](operation, before)

    def to_json(self, language: Language, version: int, event: int) -> dict[str, Any]:
        """What is new to somebody who knows table `version` and events up to `event`."""
        told = self.events[max(0, event - self.first_event + 1) :]
        number = self.first_event + len(self.events) - len(told)
        table = self.watch.table if version != self.version else None
        return {
            "watch": self.name,
            "version": self.version,
            "table": table and table.to_json(language),
            "line": self.watch.line,
            "events": [
                {"number": number + place, "alarming": one.alarming, **one.to_json(language)} for place, one in enumerate(told)
            ],
        }

    def _new(self) -> Watch:
        from vision.live import Watch

        self.version += 1
        return Watch(self.eyes, self.rules)

    def _note(self, told: list[LiveEvent | StableTable], before: StableTable | None) -> None:
        from vision.live import LiveEvent

        self.events += [one for one in told if isinstance(one, LiveEvent)]
        dropped = max(0, len(self.events) - KEPT_EVENTS)
        self.events, self.first_event = self.events[dropped:], self.first_event + dropped
        self.version += self.watch.table is not before

    def _review(self, _operation: Operation, _table: StableTable | None) -> None:
        self.watch.review_now()

    def _line(self, operation: Operation, table: StableTable | None) -> None:
        self.watch.line = line_of(operation.get("line"))
        self._note([], table)

    def _correct(self, operation: Operation, table: StableTable | None) -> None:
        tiles = [tile.id for meld in table.melds for tile in meld.tiles] if table else []
        name = operation.get("tile")
        if type(name) is not int or name not in tiles:
            raise EditRefused(Refusal.NOT_THERE, "a tile of a meld on the table", name)
        self._note(self.watch.correct(name, Tile.parse(face_of(operation))), table)

    def _overrule(self, operation: Operation, table: StableTable | None) -> None:
        name = operation.get("meld")
        if type(name) is not int or name not in [meld.id for meld in (table.melds if table else ())]:
            raise EditRefused(Refusal.NOT_THERE, "a meld on the table", name)
        self._note(self.watch.overrule(name), table)


class Watches:
    """The watches of all matches. `open_eyes` is called at the first frame."""

    def __init__(self, open_eyes: Callable[[], Eyes] = network_eyes, clock: Callable[[], float] = time.monotonic) -> None:
        self.open_eyes, self.clock = open_eyes, clock
        self._watches: dict[str, TableWatch] = {}
        self._lock = threading.Lock()

    def of(self, match_id: str) -> TableWatch:
        """The match's watch. Raises LiveRefused where there is none (any more)."""
        with self._lock:
            self._forget_idle()
            watch = self._watches.get(match_id)
            if watch is None:
                raise LiveRefused(LiveTrouble.NO_TABLE)
            watch.used = self.clock()
            return watch

    def begin(self, match_id: str, rules: RuleSet) -> TableWatch:
        """The match's watch, a new one where there is none or the rules are others."""
        with self._lock:
            self._forget_idle()
            watch = self._watches.get(match_id)
            if watch is None or watch.rules != rules:
                if watch is None and len(self._watches) >= MOST_WATCHES:
                    raise LiveRefused(LiveTrouble.FULL)
                watch = self._watches[match_id] = TableWatch(rules, self.open_eyes())
            watch.used = self.clock()
            return watch

    def _forget_idle(self) -> None:
        moment = self.clock()
        self._watches = {name: watch for name, watch in self._watches.items() if moment - watch.used < IDLE}


def line_of(value: object) -> Line | None:
    if value is None:
        return None
    points = value if isinstance(value, list) and len(value) == 2 else []
    numbers = [number for point in points if isinstance(point, list) and len(point) == 2 for number in point]
    if len(numbers) != 4 or not all(type(number) in (int, float) and abs(number) < 100_000 for number in numbers):
        raise EditRefused(Refusal.BAD_VALUE, "line, two [x, y] in pixels of the frame", value)
    x1, y1, x2, y2 = map(float, numbers)
    if (x1, y1) == (x2, y2):
        raise EditRefused(Refusal.BAD_VALUE, "line, two different points", value)
    return (x1, y1), (x2, y2)
