"""The watch of one match's table: one camera at a time feeds it with frames, and it judges what
happens on the table.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from engine.rulesets import RuleSet
from scorer_app.hand.fields import EditRefused, Refusal
from scorer_app.texts.languages import Language
from scorer_app.watch.cameras import ServerCamera
from scorer_app.watch.commands import Correct, Order, Overrule
from scorer_app.watch.events import TableEvent, leaves_illegal
from scorer_app.watch.pictures import as_jpeg, thumbnail
from scorer_app.watch.refusals import LiveRefused, LiveTrouble
from scorer_app.watch.remembering import Remembered

# At run time these are imported with the first frame: a page that watches nothing needs no vision.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.live import Eyes, StableTable, TableMemory, Update, Watch

SILENCE = 4.0  # seconds without a frame after which another camera may take over
CLEARING = 180.0  # seconds after a hand was saved in which its melds are taken from the table
KEPT_EVENTS = 200  # with their thumbnails, of about 8 kB each


def nobody() -> None:
    """Do nothing. Used where nobody needs to be told of changes."""


def breaks_up_meld(update: Update) -> bool:
    """Whether an update tells that somebody took a meld from the table, or a part of it, or pushed
    tiles of melds together.
    """
    from vision.live import ChangeKind, LiveEvent

    broken_up = ChangeKind.TILE_REMOVED, ChangeKind.TILE_MOVED
    return isinstance(update, LiveEvent) and update.kind in broken_up


def _meld_of(update: Update) -> int | None:
    """Return the id of the meld that an event is about; None for a table."""
    from vision.live import LiveEvent

    return update.meld_id if isinstance(update, LiveEvent) else None


@dataclass
class TableWatch:
    """The watch of one match's table.

    `version` counts the states of the table, and `picture` shows the present state. `frame` is the
    latest frame and `frames` its number; the same frame once more keeps its number. Pictures are
    (h, w, 3) RGB. `hand` is the number of the match's hand that is watched, 0 where it is not
    known. `changed` is called whenever there is something new other than a frame. `fed` and `used`
    are the moments, in seconds, of the last frame and of the last request for the watch.
    """

    rules: RuleSet
    eyes: Eyes
    changed: Callable[[], None] = nobody
    set_id: str | None = None  # id of the set of tiles that `eyes` are made ready for
    # Keeps what people say of the table; by default it keeps nothing.
    remembered: Remembered = field(default_factory=lambda: Remembered(None, ""))
    camera: str = ""  # name of the camera that feeds the watch; empty before the first frame
    fed: float = float("-inf")
    used: float = 0.0
    version: int = 0
    events: list[TableEvent] = field(default_factory=list)  # the newest KEPT_EVENTS, oldest first
    picture: NDArray[np.uint8] | None = None
    frame: NDArray[np.uint8] | None = None
    frames: int = 0
    server: ServerCamera | None = None  # the camera on the server that feeds the watch
    hand: int = 0
    saved: float = float("-inf")  # the moment at which the hand before was seen to be saved
    is_cleared: bool = False  # whether what the store tells of the table is about an earlier hand
    lock: threading.Lock = field(default_factory=threading.Lock)
    name: str = field(default_factory=lambda: token_hex(6))  # another for each watch
    _jpeg: tuple[int, bytes] = (0, b"")
    _cleared: set[int | None] = field(default_factory=set)  # ids of melds that are cleared away
    _begun: int = 0  # the version at which the table was last begun to be watched anew

    def __post_init__(self) -> None:
        self.watch = self._new()

    def see(self, frame: NDArray[np.uint8], camera: str, moment: float) -> None:
        """Look at a frame, (h, w, 3) RGB, from the camera with this name, at `moment` in seconds.

        Raises LiveRefused while another camera feeds the watch. Raises StoreUnavailable where the
        camera is new to the watch and the store cannot tell what people said of the table.
        """
        self.expect(camera, moment)
        was_silent = moment - self.fed >= SILENCE
        if camera != self.camera or (was_silent and self.remembered.is_anothers()):
            self.take_over(camera, moment)
        if self._let_go_of_server(camera) or was_silent:
            self.changed()  # it is watched again
        is_new = frame is not self.frame
        self.fed, self.frame = moment, frame
        self.frames += is_new  # last: `jpeg` may be called meanwhile, and keeps what it encoded
        before, notices = self.watch.table, self._notices
        is_clearing = moment - self.saved < CLEARING
        self.watch.expect_clearing(is_clearing)
        updates = self.watch.see(frame, moment)
        if self._notices != notices:
            self.changed()
        if is_clearing:
            updates = self._without_clearing(updates)
        if self.watch.table is not before:
            self.picture = frame
        self._note(updates, before)
        if self.watch.table is not before or self.remembered.is_due(moment):
            self.remembered.note(self.watch.memory, moment)

    def play(self, hand: int, moment: float) -> None:
        """Note that the hand with the number `hand` is played at `moment`, in seconds; 0 where the
        number is not known. The melds of the hand before may be taken from the table now.
        """
        if 0 < self.hand < hand:
            self.saved = moment
            self._cleared.clear()
        self.hand = max(self.hand, hand)

    @property
    def last_frame(self) -> str:
        """The name of the latest frame. A camera that sends only the changed part of its next frame
        sends this name along.
        """
        return f"{self.name}-{self.frames}"

    def completed(
        self, camera: str, known: str, part: NDArray[np.uint8] | None, left: int, top: int
    ) -> NDArray[np.uint8]:
        """Return the whole of the next frame: a copy of the latest frame in which `part` replaces
        the pixels from column `left` and row `top` on; all are (h, w, 3) RGB. Where `part` is None,
        nothing has changed, and the latest frame itself is returned.

        Raises LiveRefused where `known` is not the name of this camera's latest frame, or where the
        part does not lie inside it.
        """
        whole = self.frame
        if whole is None or (camera, known) != (self.camera, self.last_frame):
            raise LiveRefused(LiveTrouble.STALE)
        if part is None:
            return whole
        height, width = part.shape[:2]
        if min(left, top) < 0 or top + height > whole.shape[0] or left + width > whole.shape[1]:
            raise LiveRefused(LiveTrouble.STALE)
        made = whole.copy()
        made[top : top + height, left : left + width] = part
        return made

    def expect(self, camera: str, moment: float) -> None:
        """Raise LiveRefused while another camera than the one named `camera` feeds the watch.
        `moment` is the present, in seconds.
        """
        if camera != self.camera and moment - self.fed < SILENCE:
            raise LiveRefused(LiveTrouble.BUSY)

    def take_over(self, camera: str, moment: float) -> None:
        """Accept frames of this camera alone from now on, and begin to watch the table anew.
        `moment` is the present, in seconds. The new watch begins with what people said in earlier
        watches by the same camera. Raises StoreUnavailable.
        """
        memory = self.remembered.of_camera(camera)
        if self.is_cleared:  # by now the camera may stand elsewhere, too
            memory = None
        self.is_cleared = False
        if self.server is not None and self.server.name != camera:
            self.server.end()
            self.server = None
        self.camera, self.fed, self.watch = camera, moment, self._new(memory)

    def order(self, order: Order, moment: float, seen: int | None = None) -> None:
        """Carry out a person's order, at `moment` in seconds. `seen` is the version of the table
        that the person saw, None where it is not known. Raises EditRefused where the order does not
        fit the table, and StoreUnavailable where what it says cannot be kept.

        An order about a tile or a meld fits only if the table has not been begun to be watched anew
        since `seen`: the ids of tiles and melds begin at 1 again then.
        """
        is_older = seen is not None and seen < self._begun
        if is_older and isinstance(order, Correct | Overrule):
            raise EditRefused(Refusal.NOT_THERE, "a tile or meld of the table watched now")
        before = self.watch.table
        updates = order.carry_out(self.watch)
        if not self._is_pictured():  # the picture has changed its size since the table was seen
            self.picture = self.frame
        self._note(updates, before, corrected=True)
        self.remembered.note(self.watch.memory, moment, ordered=True)

    def _is_pictured(self) -> bool:
        """Whether the corners of the tiles on the table are in pixels of `self.picture`, that is,
        whether this picture has the size that frames had when the table was seen. True also where
        no table was seen or there is no picture.
        """
        table, picture = self.watch.table, self.picture
        if table is None or picture is None:
            return True
        return (table.height, table.width) == picture.shape[:2]

    def _without_clearing(self, updates: list[Update]) -> list[Update]:
        """Return the updates without the events about melds of which somebody has taken a part
        since the hand was saved: people clear them away, push their tiles together and mix them.
        """
        self._cleared.update(_meld_of(update) for update in updates if breaks_up_meld(update))
        told = [update for update in updates if _meld_of(update) not in self._cleared]
        if len(told) < len(updates):
            self.watch.forget_gone()
        return told

    def _let_go_of_server(self, camera: str) -> bool:
        """Forget the camera on the server if it has ended or failed, and if it is not the one named
        `camera`, which feeds the watch now. Return whether it was forgotten.
        """
        over = self.server is not None and self.server.is_over and self.server.name != camera
        if over:
            self.server = None
        return over

    def silence(self, moment: float) -> float:
        """Return for how many seconds no camera has fed the watch at `moment`, in seconds; 0 where
        one on the server is about to. A watch that was never fed is silent since it was asked for.
        """
        if self.server is not None and not self.server.is_over:
            return 0.0
        return moment - (self.fed if self.frames else self.used)

    def rest(self) -> None:
        """Stop the server's camera, if one feeds the watch, so that another camera may take over.
        What is known of the table stays.
        """
        server = self.server  # another thread may let go of it
        if server is not None:
            server.end()
            if self.camera == server.name:
                self.fed = float("-inf")

    def jpeg(self) -> tuple[int, bytes]:
        """Return the number of the latest frame, and the frame as JPEG; 0 and no bytes before the
        first frame. Each frame is encoded at most once. No lock is needed: a frame that comes
        meanwhile may bear the number of the one before it, and its own in the next answer.
        """
        number, frame = self.frames, self.frame
        if frame is not None and self._jpeg[0] != number:
            self._jpeg = number, as_jpeg(frame)
        return self._jpeg

    def to_json(
        self, language: Language, version: int, event: int, moment: float
    ) -> dict[str, Any]:
        """Return the JSON of what is new for a page that knows `version` of the table and the
        events up to number `event`.

        `moment` is the present, in seconds.
        """
        table = self.watch.table if version != self.version else None
        return {
            "watch": self.name,
            "version": self.version,
            "frame": self.last_frame,
            "size": None if self.frame is None else (self.frame.shape[1], self.frame.shape[0]),
            "table": table and table.to_json(),
            "line": self.watch.line,
            "other_set": self.eyes.other_set,
            "out_of_sight": self.watch.is_out_of_sight,
            "camera": self._camera(language, moment),
            "events": [one.to_json(language, moment) for one in self.events if one.number > event],
        }

    @property
    def _notices(self) -> tuple[bool, bool]:
        """What is told of the watch as a whole: whether tiles of another set than the chosen one
        lie there, and whether the table is out of sight.
        """
        return self.eyes.other_set, self.watch.is_out_of_sight

    def _camera(self, language: Language, moment: float) -> dict[str, Any] | None:
        """Return the JSON of the camera that feeds the watch; None where no camera does at
        `moment`, the present, in seconds.
        """
        if self.server is not None:
            return self.server.to_json(language)
        if moment - self.fed >= SILENCE:
            return None
        return {"kind": "device", "state": "watching", "name": self.camera}

    def _new(self, memory: TableMemory | None = None) -> Watch:
        from vision.live import Watch

        self.version += 1
        self._begun = self.version
        self._cleared.clear()
        self.changed()
        return Watch(self.eyes, self.rules, memory=memory)

    def _note(
        self, updates: list[Update], before: StableTable | None, corrected: bool = False
    ) -> None:
        """Number and keep the events among the updates. Call `changed` if there is an event or if
        the table differs from `before`, the table before the updates. `corrected` says that the
        updates follow from a person's correction.
        """
        from vision.live import LiveEvent

        after = self.watch.table
        last = self.events[-1].number if self.events else 0
        events = [update for update in updates if isinstance(update, LiveEvent)]
        for number, event in enumerate(events, last + 1):
            small = None if self.picture is None else thumbnail(self.picture, event, before, after)
            lies = leaves_illegal(event, after)
            self.events.append(TableEvent(number, event, small, corrected, lies))
        del self.events[:-KEPT_EVENTS]
        self.version += after is not before
        if events or after is not before:
            self.changed()
