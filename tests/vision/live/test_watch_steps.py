"""What the watch asks of the observer and of the judge, frame by frame, and what it passes on.

Both are doubles here: the observer sees what a test wants, the judge notes what it is told.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.changes import ChangeVerdict
from engine.rulesets import ruleset
from engine.tiles import Tile, tiles
from vision.live import watch as watch_module
from vision.live.recall import LabelledTile, TableMemory
from vision.live.schedule import START_PATIENCE
from vision.live.settings import LiveConfig
from vision.live.table.judging import JudgedChange
from vision.live.table.kinds import ChangeKind
from vision.live.table.referee import Ruling
from vision.live.table.sides import Line
from vision.live.table.stable import LiveMeld, LiveTile, Moment, StableTable
from vision.live.tracking.outcomes import Confirmation, LookOutcome
from vision.live.tracking.tracks import Track
from vision.live.watch import RECALLED, Watch

CONFIG = LiveConfig()
RULES = ruleset("burako")
LINE: Line = (0.0, 40.0), (100.0, 40.0)
RIGHT = np.array([[1, 0, 5], [0, 1, 0], [0, 0, 1.0]])  # five pixels to the right
SIZE = (80, 100)
asked = list[str]()  # of the observer and of the judge, since a test last looked


class FakeObserver:
    """Stands in for the observer: it sees what a test has set, and notes what it is asked to do."""

    def __init__(self, *_: object) -> None:
        self.tracks: dict[int, Any] = {}
        self.is_lost = self.has_counts = self.is_undecided = self.moves = False
        self.last_motion = self.last_absorbed = float("-inf")
        self.changed, self.ready = True, True
        self.settled: Any = None
        self.outcome = LookOutcome(ready=True)
        self.shapes: list[tuple[int, ...]] = []

    def see(self, frame: NDArray[np.uint8], time: float) -> Any:
        self.shapes.append(frame.shape)
        return SimpleNamespace(changed=np.array([[self.changed]]), ready=self.ready)

    def settle(self, glance: object, time: float) -> Any:
        return self.settled

    def look(self, picture: object, glance: object, time: float, at_once: bool) -> LookOutcome:
        asked.append("look at once" if at_once else "look")
        return self.outcome

    def learn(self) -> None:
        """Nothing is known here that could be learnt."""

    def confirm(self, everything: bool) -> Confirmation:
        asked.append("confirm everything" if everything else "confirm")
        return Confirmation(touched=frozenset(self.tracks))

    def has_moving_things(self, time: float) -> bool:
        return self.moves

    def is_calm(self, time: float) -> bool:
        return not self.moves

    def drop_counts(self) -> None:
        asked.append("drop counts")

    def rescale(self, factor: float) -> None:
        asked.append(f"rescale {factor:g}")

    def forget(self) -> None:
        asked.append("forget")
        self.is_lost = False

    def set_user_label(self, track: int, tile: Tile) -> None:
        asked.append(f"{track} is {tile}")


class FakeJudge:
    """Stands in for the judge: it holds the melds that a test has set, and notes what it is
    told.
    """

    made = 0
    next_meld = 7

    def __init__(self, rules: object, *given: object, **_named: object) -> None:
        FakeJudge.made += 1
        self.rules, self.given = rules, given
        self.melds: tuple[LiveMeld, ...] = ()
        self.changes: list[JudgedChange] = []
        self.left_alone: list[JudgedChange] = []

    def begin(self, tracks: object, picture: object, colourless: bool) -> None:
        asked.append("begin grey" if colourless else "begin")

    def update(self, *given: Any) -> list[JudgedChange]:
        asked.append("update grey" if given[3] else "update")
        return self.changes

    def judge_left_alone(self, tracks: object, time: float) -> list[JudgedChange]:
        asked.append("left alone")
        return self.left_alone

    def correct(self, tracks: object, track: int, tile: Tile) -> list[JudgedChange]:
        return self.changes

    def accept(self, meld: int, accepted: bool) -> None:
        asked.append(f"{'accept' if accepted else 'refuse'} {meld}")

    def table(self, tracks: object, moment: Moment, line: Line | None) -> StableTable:
        size = moment.width, moment.height
        return StableTable(moment.time, moment.frame, *size, melds=self.melds)


class Scene:
    """A watch whose observer and judge are doubles that a test controls."""

    def __init__(self, **options: Any) -> None:
        self.watch = Watch(SimpleNamespace(inks=None), RULES, **options)  # type: ignore[arg-type]
        self.observer: FakeObserver = self.watch._observer  # type: ignore[assignment]
        self.time = 0.0

    @property
    def judge(self) -> FakeJudge:
        return self.watch._judge  # type: ignore[return-value]

    def shown(self, after: float = 1.0, size: tuple[int, ...] = (*SIZE, 3)) -> list[Any]:
        """Show the watch a frame, `after` seconds after the last one; return what it passes on."""
        self.time += after
        frame = np.zeros(size, np.uint8)
        if len(size) == 3:
            frame[...] = 40, 120, 60  # no picture of a camera without colours
        return self.watch.see(frame, self.time)

    def done(self) -> list[str]:
        """Return what the observer and the judge were asked since the last call."""
        told = asked.copy()
        asked.clear()
        return told


@pytest.fixture(autouse=True)
def doubles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_module, "Observer", FakeObserver)
    monkeypatch.setattr(watch_module, "TableJudge", FakeJudge)
    asked.clear()


def begun(**options: Any) -> Scene:
    """Make a scene whose first table has been reported."""
    scene = Scene(**options)
    scene.shown()
    (table,) = scene.shown()
    assert isinstance(table, StableTable)
    assert scene.done() == ["look", "confirm", "begin"]
    return scene


def change(meld_id: int = 1) -> JudgedChange:
    ruling = Ruling(ChangeKind.TILES_ADDED, meld_id, tiles("7R"), ChangeVerdict())
    return JudgedChange(ruling, (), (), doubtful=False)


def meld(id: int, accepted: bool = False, x: float = 10.0) -> LiveMeld:
    quad = np.array([[x, 10], [x + 20, 10], [x + 20, 38], [x, 38]], np.float32)
    return LiveMeld(id, (LiveTile(1, tiles("7R")[0], quad, 1.0, False),), None, None, accepted)


def test_an_empty_table_is_told_after_enough_looks_that_found_nothing() -> None:
    scene = Scene()
    scene.observer.outcome = LookOutcome(ready=False)
    told = [len(scene.shown(after)) for after in (0.0, 0.2, 0.2, 0.05, 0.2, 0.2, 0.2)]
    assert told == [0, 0, 0, 0, 0, 1, 0]  # the third look
    assert scene.done()[:5] == ["look", "look", "look", "confirm", "begin"]


def test_the_first_table_waits_while_something_is_undecided() -> None:
    scene = Scene()
    scene.observer.outcome = LookOutcome(ready=False)
    scene.observer.is_undecided = True
    assert [scene.shown() for _ in range(6)] == [[]] * 6
    scene.observer.outcome = LookOutcome(ready=True)
    assert len(scene.shown()) == 1


def test_what_moves_delays_the_first_look_and_no_longer_than_patience_lasts() -> None:
    scene = Scene()
    scene.observer.moves = True
    scene.shown(0.0)
    scene.shown(START_PATIENCE - 0.5)
    assert scene.done() == []
    scene.shown(0.6)
    assert scene.done()[0] == "look"


def test_changes_come_before_the_table_and_a_table_only_where_it_is_another() -> None:
    scene = begun()
    scene.judge.changes = [change()]
    (event,) = scene.shown()
    assert (event.meld_id, event.frame, event.time) == (1, 2, 3.0)
    scene.judge.melds = (meld(1),)
    event, table = scene.shown()
    assert event.meld_id == 1 and table is scene.watch.table
    assert (table.frame, table.width, table.height) == (3, 100, 80)
    assert scene.done() == ["look", "confirm", "update"] * 2
    scene.observer.outcome = LookOutcome(ready=False)
    assert scene.shown() == []
    assert scene.done() == ["look", "left alone"]


@pytest.mark.parametrize(
    ("seen", "by_a_person", "dropped"),
    [
        ({"changed": False, "ready": False}, False, True),
        ({"changed": True, "ready": False}, False, False),
        ({"changed": False, "is_lost": True, "moves": True}, False, False),
        ({"changed": False, "last_absorbed": 2.5}, False, False),  # looked at a second time
        ({"changed": False, "ready": False, "last_absorbed": 1.9}, False, True),
        ({"changed": False}, True, False),
    ],
)
def test_what_seemed_to_come_is_forgotten_once_the_table_lies_as_it_lay(
    seen: dict[str, Any], by_a_person: bool, dropped: bool
) -> None:
    scene = begun()
    vars(scene.observer).update(seen)
    if by_a_person:
        scene.watch.review_now()
    scene.shown()
    assert ("drop counts" in scene.done()) is dropped


def test_before_the_first_table_nothing_is_forgotten() -> None:
    scene = Scene()
    scene.observer.changed = False
    scene.shown(0.0)
    assert scene.done() == []


@pytest.mark.parametrize(
    ("seen", "told"),
    [({}, True), ({"is_undecided": True}, False), ({"moves": True}, False)],
)
def test_two_tiles_left_alone_are_told_while_nobody_is_at_work(
    seen: dict[str, Any], told: bool
) -> None:
    scene = begun()
    scene.observer.ready = False
    vars(scene.observer).update(seen)
    scene.judge.left_alone = [change(9)]
    assert [event.meld_id for event in scene.shown()] == ([9] if told else [])
    assert scene.done() == (["left alone"] if told else [])


def test_a_lost_table_is_looked_for_until_patience_ends_and_is_then_another_one() -> None:
    scene = begun(line=LINE)
    scene.observer.is_lost, scene.judge.left_alone = True, [change(9)]
    judges = FakeJudge.made
    assert scene.shown(0.5, size=(160, 200, 3)) == []
    assert scene.done() == ["rescale 2", "look"]
    assert scene.watch.line == ((0.0, 80.0), (200.0, 80.0))
    assert scene.shown(CONFIG.hold, size=(160, 200, 3)) == []
    assert scene.done() == ["look"] and FakeJudge.made == judges
    assert scene.watch.table is not None
    assert scene.shown(0.1, size=(160, 200, 3)) == []
    assert scene.done() == ["look", "forget"] and FakeJudge.made == judges + 1
    assert scene.watch.table is None and scene.judge.rules is RULES
    assert scene.judge.given[-1] == FakeJudge.next_meld  # no meld has the number of an earlier one
    # From now on it is watched like a first table: calm for a moment, then three looks.
    scene.observer.outcome = LookOutcome(ready=False)
    told = [len(scene.shown(0.2, size=(160, 200, 3))) for _ in range(5)]
    assert told == [0, 0, 0, 1, 0]


def test_a_person_who_asks_is_shown_what_one_look_sees() -> None:
    scene = begun()
    scene.observer.ready, scene.observer.outcome = False, LookOutcome(ready=False)
    scene.watch.review_now()
    scene.judge.changes = [change()]
    assert len(scene.shown(0.01)) == 1
    assert scene.done() == ["look at once", "confirm everything", "update"]
    assert scene.shown(0.01) == []  # asked once
    assert scene.done() == ["left alone"]


def test_the_line_goes_where_a_look_says_that_the_table_went() -> None:
    scene = begun(line=LINE)
    scene.observer.outcome = LookOutcome(False, RIGHT)
    scene.shown()
    assert scene.watch.line == ((5.0, 40.0), (105.0, 40.0))


def test_where_the_camera_stands_elsewhere_the_table_is_told_there_without_a_look() -> None:
    scene = Scene(line=LINE)
    scene.observer.settled = RIGHT
    assert scene.shown() == []
    assert scene.watch.line == ((5.0, 40.0), (105.0, 40.0))
    scene.observer.settled = None
    scene.shown()
    scene.done()
    scene.observer.settled, scene.judge.melds = RIGHT, (meld(1),)
    (table,) = scene.shown()
    assert isinstance(table, StableTable) and scene.done() == []
    assert scene.watch.line == ((10.0, 40.0), (110.0, 40.0))


def test_a_grey_picture_is_seen_in_three_channels_and_judged_as_colourless() -> None:
    scene = Scene()
    for _ in range(3):
        scene.shown(size=SIZE)
    assert set(scene.observer.shapes) == {(*SIZE, 3)}
    assert [step for step in scene.done() if "grey" in str(step)] == ["begin grey", "update grey"]


@pytest.mark.parametrize("height", [80, 160])
def test_only_frames_of_another_size_are_another_view(height: int) -> None:
    scene = begun()
    scene.shown(size=(height, 100, 3))
    rescaled = [step for step in scene.done() if "rescale" in str(step)]
    assert rescaled == ([] if height == 80 else ["rescale 1.41421"])


def test_a_new_line_is_told_with_the_table_once_there_is_one() -> None:
    scene = Scene()
    scene.watch.line = LINE
    assert scene.watch.line == LINE and scene.watch.table is None
    scene = begun()
    scene.judge.melds = (meld(1),)
    scene.watch.line = LINE
    assert [one.id for one in scene.watch.table.melds] == [1]  # type: ignore[union-attr]


def test_what_a_person_says_is_passed_on_and_what_it_changes_is_told() -> None:
    scene = begun()
    scene.judge.changes, scene.judge.melds = [change(4)], (meld(4),)
    event, table = scene.watch.correct(3, Tile(5, "R"))
    assert event.meld_id == 4 and isinstance(table, StableTable)  # type: ignore[union-attr]
    assert scene.watch.accept(4) == [] and scene.watch.accept(4, accepted=False) == []
    assert scene.done() == ["3 is 5R", "accept 4", "refuse 4"]


def remembered() -> TableMemory:
    label = LabelledTile("9R", (20.0, 24.0), 20.0, {"7R": 1.0})
    return TableMemory(100, 80, LINE, (label,), (((20.0, 24.0),),))


def track() -> Any:
    """A tile that reads as a 7R and lies where the remembered tile lay."""
    number, colour = np.full(15, -12.0, np.float32), np.full(4, -12.0, np.float32)
    number[6] = colour[0] = 0.0
    return Track(1, meld(1).tiles[0].corners, number, colour, looks=1)


def test_what_was_said_before_holds_for_the_first_table() -> None:
    scene = Scene(memory=remembered())
    assert scene.watch.memory is None and scene.watch.line is None
    scene.observer.tracks, scene.judge.melds = {1: track()}, (meld(6),)
    scene.shown(0.0)
    assert scene.watch.line == LINE and scene.watch.memory == remembered()
    scene.shown()
    assert scene.done() == ["look", "confirm", "1 is 9R", "begin", "accept 6"]


@pytest.mark.parametrize(("late", "found"), [(RECALLED, True), (RECALLED + 0.1, False)])
def test_what_was_said_before_is_found_again_within_half_a_minute(late: float, found: bool) -> None:
    scene = Scene(memory=remembered())
    scene.shown(0.0)
    scene.shown(1.0)
    scene.done()
    scene.observer.tracks, scene.judge.melds = {1: track()}, (meld(6),)
    scene.shown(late - 1.0)
    done = scene.done()
    assert ("1 is 9R" in done, "accept 6" in done) == (found, found)
    assert scene.watch.memory is not None
    assert len(scene.watch.memory.labels) == 0  # found, or let go


def test_frames_of_another_size_let_go_what_was_said_before_and_a_line_of_ones_own_stays() -> None:
    own: Line = (1.0, 2.0), (3.0, 4.0)
    scene = Scene(memory=remembered(), line=own)
    scene.shown(0.0)
    assert scene.watch.line == own
    scene.shown(0.1, size=(160, 200, 3))
    assert scene.watch.memory is not None and scene.watch.memory.labels == ()
