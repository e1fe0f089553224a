"""The queue of readings. Threads work through it in the background, so that requests return at
once.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from enum import StrEnum
from itertools import islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from engine.pieces import Pieces
from engine.rulesets import RuleSet
from scorer_app.services.disk import DiskTrouble
from scorer_app.services.set_readers import reader_for, teach_photo
from scorer_app.services.set_values import ChosenSet
from scorer_app.store import StoreUnavailable

if TYPE_CHECKING:
    from vision.frame import Frame
    from vision.own_set.teaching import TaughtPhoto
    from vision.reading import TableReading
    from vision.tiles.pipeline import TableReader

Job = Callable[[Callable[["Stage"], None]], None]  # called with a function that notes its stage
log = logging.getLogger(__name__)


class Stage(StrEnum):
    """The stages of a photograph's reading, in their order. A photograph that is queued is at
    PREPARING while the job that it waits for prepares the reader for a set of tiles.
    """

    QUEUED = "queued"
    PREPARING = "preparing"
    OPENING = "opening"
    READING = "reading"


class PhotoReader(Protocol):
    """Reads photographs; thread-safe."""

    def read_photo(
        self, path: Path, layout: str, rules: RuleSet, chosen: ChosenSet | None, pieces: Pieces
    ) -> TableReading:
        """Return the reading of the photograph in the file `path`. Raises ReadingFailed.

        `layout` is "melds" for tiles laid out as melds, "loose" for a rack or a heap. `rules` are
        those that the match is played by. `chosen` is the set of tiles that the photograph shows,
        None where it is not known. `pieces` says whether tiles or cards are read.
        """
        ...

    def make_ready(self, chosen: ChosenSet) -> None:
        """Prepare to read with a set of tiles, which takes seconds, before a photograph comes."""
        ...

    def teach(self, frame: Frame) -> TaughtPhoto:
        """Return the rows of thirteen tiles that a frame shows, with their crops, from which a set
        learns. Raises ReadingFailed, and SetError where the frame shows no such row.
        """
        ...


class ReadingFailed(Exception):
    """A photograph that cannot be read. `reason` is a code with a sentence in the texts
    (`photo.problem.REASON`).
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class VisionReader:
    """Reads photographs with the neural networks for tiles or for cards. Each kind's networks are
    loaded with the first photograph of that kind. What is worked out for a set of tiles is kept in
    the folder `prepared_dir`.
    """

    def __init__(self, prepared_dir: Path) -> None:
        self.prepared_dir = prepared_dir
        self._lock = threading.Lock()
        self._readers: dict[Pieces, TableReader] = {}

    def read_photo(
        self, path: Path, layout: str, rules: RuleSet, chosen: ChosenSet | None, pieces: Pieces
    ) -> TableReading:
        tables = self.tables(pieces)
        from vision.errors import VisionError

        try:
            reader = reader_for(tables, chosen, self.prepared_dir)
            return reader.read(path, layout=layout, rules=rules)
        except VisionError as error:
            raise ReadingFailed(error.reason.value) from error

    def make_ready(self, chosen: ChosenSet) -> None:
        with suppress(ReadingFailed):  # the first photograph reports it
            reader_for(self.tables(), chosen, self.prepared_dir)

    def teach(self, frame: Frame) -> TaughtPhoto:
        return teach_photo(self.tables(), frame)

    def tables(self, pieces: Pieces = Pieces.TILES) -> TableReader:
        """Return the reader for tiles or for cards. Its networks are loaded when it is first asked
        for. Raises ReadingFailed.
        """
        try:
            from vision import open_reader
        except ImportError as error:
            raise ReadingFailed("no_reader") from error
        try:
            with self._lock:
                if pieces not in self._readers:
                    self._readers[pieces] = open_reader(pieces=pieces)
                return self._readers[pieces]
        except Exception as error:
            log.error("the reader could not be opened: %s", error)
            raise ReadingFailed("no_reader") from error


PHOTOS_AWAY = "photos_away"  # where the photographs lie cannot be reached
SET_ASIDE = "set_aside"  # its tiles were saved, and that saving was undone
# Reasons that may be gone when the same file is read again, once somebody has seen to them.
MENDABLE = frozenset(
    {
        "slow",
        "damaged",
        "reader_broke",
        "no_reader",
        "model_missing",
        "model_mismatch",
        PHOTOS_AWAY,
        SET_ASIDE,
        *DiskTrouble,
    }
)


MOST_BEFORE = 100  # jobs that are named of those before one: more need not be counted


class Stages(Protocol):
    """Tells which stage the reading of a photograph has reached, and what is read before it."""

    def stage(self, photo: str) -> tuple[Stage, float] | None:
        """Return the stage of a photograph's job, and the seconds since the job began (0 while
        queued); None where there is no job for the photograph.
        """
        ...

    def before(self, photo: str) -> list[str]:
        """Name the jobs that come before the queued job of a photograph, at most MOST_BEFORE of
        them: the ids of other photographs, which may be removed by now, and names of other work.
        There are none where no job is queued for the photograph.
        """
        ...

    def close(self) -> None:
        """Wait for the jobs that run in this process, and drop those that are queued in it."""
        ...


class ReadingQueue:
    """Runs jobs in the background, in the order in which they came, with `workers` threads, and
    knows the stage of each.

    A job is named by its photograph, and is called with a function by which it tells its stage. An
    error that a job raises is logged and ends that job alone.
    """

    def __init__(self, workers: int) -> None:
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="reading")
        self._lock = threading.Lock()
        self._stages: dict[str, tuple[Stage, float]] = {}  # in the order in which they run
        self._next: dict[str, Job] = {}

    def submit(self, photo: str, job: Job) -> None:
        """Queue a job. While another job for the same photograph is queued or runs, this one waits
        until that ends; of several that wait, only the last one runs.
        """
        with self._lock:
            if photo in self._stages:
                self._next[photo] = job
                return
            self._stages[photo] = Stage.QUEUED, 0.0
        self._hand_to_a_worker(photo, job)

    def knows(self, photo: str) -> bool:
        """Tell whether a job for a photograph is queued or runs."""
        with self._lock:
            return photo in self._stages

    def stage(self, photo: str) -> tuple[Stage, float] | None:
        """Return the stage of a photograph's job, and the seconds since the job began (0 while
        queued); None where there is no job for the photograph.
        """
        with self._lock:
            known = self._stages.get(photo)
            is_preparing = any(stage is Stage.PREPARING for stage, _ in self._stages.values())
        if known is None:
            return None
        stage, begun = known
        if stage is Stage.QUEUED:
            return (Stage.PREPARING if is_preparing else stage), 0.0
        return stage, time.monotonic() - begun

    def before(self, photo: str) -> list[str]:
        """Name the jobs that came before the job of a photograph and have not ended, at most
        MOST_BEFORE of them; none where there is no job for the photograph.
        """
        with self._lock:
            if photo not in self._stages:
                return []
            return list(islice(takewhile(lambda name: name != photo, self._stages), MOST_BEFORE))

    def close(self) -> None:
        """Wait for the jobs that run, and drop those that are queued."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _run(self, photo: str, job: Job) -> None:
        self._tell(photo, Stage.OPENING)
        try:
            job(lambda stage: self._tell(photo, stage))
        except StoreUnavailable as error:
            log.error("reading %s could not be noted: %s", photo, error)
        except Exception:
            log.exception("reading %s failed", photo)
        finally:
            with self._lock:
                following = self._next.pop(photo, None)
                self._stages.pop(photo, None)
                if following:  # behind those that have come meanwhile
                    self._stages[photo] = Stage.QUEUED, 0.0
        if following:
            self._hand_to_a_worker(photo, following)

    def _hand_to_a_worker(self, photo: str, job: Job) -> None:
        try:
            self._pool.submit(self._run, photo, job)
        except BaseException:  # the queue is closed, or the machine has no thread left
            with self._lock:
                self._stages.pop(photo, None)
            raise

    def _tell(self, photo: str, stage: Stage) -> None:
        with self._lock:
            begun = self._stages.get(photo, (stage, 0.0))[1]
            self._stages[photo] = stage, (time.monotonic() if stage is Stage.OPENING else begun)
