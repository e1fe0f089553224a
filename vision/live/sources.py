"""Where frames come from: a video file as fast as it can be read, a camera, a stream. Each frame is
upright RGB with a time in seconds.

Cameras and streams are read by a thread that keeps only the newest frame, so that a slow look never
makes the picture old. A source that stalls is opened again and again until it returns.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from itertools import chain, islice
from typing import TypeAlias

import cv2

from vision.live.cut_off import lost_its_end
from vision.live.pictures import RGB
from vision.quality import is_colourless

CAMERA_NUMBER = re.compile("[0-9]{1,9}")  # OpenCV takes no longer ones
OPEN_TIMEOUT, READ_TIMEOUT = 8.0, 5.0  # seconds
STALL = 5.0  # seconds without a frame after which a person is told
FIRST_RETRY, LONGEST_RETRY = 0.5, 10.0  # seconds between attempts to open a source again
WAIT_STEP = 0.05  # seconds between checks whether a wait has become pointless
BLACK = 30  # levels: a first frame without anything brighter says nothing about colours
MOST_FPS = 240.0  # a file that claims more frames a second has no usable rate
USUAL_STEP = 1 / 25  # seconds between the frames of such a file
# The number of frames that a file promises may be a little off. It was cut off where more than
# these seconds are missing and less than this share was there.
MISSING_SECONDS, COMPLETE_SHARE = 1.0, 0.95


class SourceProblem(Enum):
    """What may be wrong with a source. The values are the codes in JSON."""

    NO_FILE = "no_file"
    NO_VIDEO = "no_video"
    NO_CAMERA = "no_camera"
    NO_STREAM = "no_stream"
    STALLED = "stalled"
    RETURNED = "returned"  # it had stalled and is back
    GREY = "grey"  # it has no colours
    CUT_OFF = "cut_off"
    STILL = "still"  # a photograph where a film is expected


class SourceError(Exception):
    """A source cannot be used, or not any more. `problem` says why; `source` is a name of it that
    may be shown to people.
    """

    def __init__(self, problem: SourceProblem, source: str) -> None:
        super().__init__(f"{problem.value}: {source}")
        self.problem, self.source = problem, source


@dataclass(frozen=True)
class TimedFrame:
    """A frame, (h, w, 3) uint8 RGB, and when it was taken, in seconds since the beginning of the
    film, or since the camera or stream was opened.
    """

    pixels: RGB
    time: float


Report: TypeAlias = Callable[[SourceProblem, str], None]  # with the source's name
OpenCapture: TypeAlias = Callable[[], cv2.VideoCapture]


def ignore(problem: SourceProblem, source: str) -> None:
    """Do nothing: the `report` to pass to `frames` if nobody wants to hear of problems."""


def frames(
    source: str, report: Report = ignore, ended: threading.Event | None = None
) -> Iterator[TimedFrame]:
    """All frames of `source`: a camera's number, an address with `://`, or a file.

    Raises SourceError where there is no first frame, for a file that holds a photograph instead of
    a film, and at the end of a file that was cut off. For every later problem of a camera or
    stream, and where a source shows no colours, `report` is called with the problem and the name of
    the source. A camera or stream that stalls is waited for until another thread sets `ended`.
    """
    name = shown_name(source)
    with _silent():
        shown = _frames(source, name, report, ended or threading.Event())
        for number, frame in enumerate(shown):
            if number == 0 and is_grey(frame.pixels):
                report(SourceProblem.GREY, name)
            yield frame


def _frames(source: str, name: str, report: Report, ended: threading.Event) -> Iterator[TimedFrame]:
    if CAMERA_NUMBER.fullmatch(source):
        return _live_frames(
            lambda: cv2.VideoCapture(int(source)), name, SourceProblem.NO_CAMERA, report, ended
        )
    is_stream = "://" in source
    if not _is_utf8(source):
        raise SourceError(SourceProblem.NO_STREAM if is_stream else SourceProblem.NO_FILE, name)
    if is_stream:
        return _live_frames(
            lambda: _open_stream(source), name, SourceProblem.NO_STREAM, report, ended
        )
    return _file_frames(source)


def _is_utf8(source: str) -> bool:
    """Whether a source's name can be written in UTF-8. OpenCV crashes at any other name, such as
    that of a file from a system with another encoding.
    """
    try:
        source.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_grey(pixels: RGB) -> bool:
    """Whether a (h, w, 3) RGB picture shows something and has no colours; a black picture shows
    nothing.
    """
    return int(pixels[::8, ::8].max()) > BLACK and is_colourless(pixels)


def _file_frames(path: str) -> Iterator[TimedFrame]:
    if not os.path.isfile(path):  # unlike Path, it bears names that no file can have
        raise SourceError(SourceProblem.NO_FILE, path)
    capture = cv2.VideoCapture(path)
    try:
        fps = capture.get(cv2.CAP_PROP_FPS)
        promised = capture.get(cv2.CAP_PROP_FRAME_COUNT)
        step = 1 / fps if 0 < fps <= MOST_FPS else USUAL_STEP
        shown, count = _timed_frames(capture, step), 0
        beginning = list(islice(shown, 2))
        if not beginning:
            cut_off = lost_its_end(path)
            raise SourceError(SourceProblem.CUT_OFF if cut_off else SourceProblem.NO_VIDEO, path)
        if len(beginning) == 1 and promised <= 1:
            raise SourceError(SourceProblem.STILL, path)
        for frame in chain(beginning, shown):
            count += 1
            yield frame
        missing_seconds = (promised - count) * step
        if missing_seconds > MISSING_SECONDS and count < promised * COMPLETE_SHARE:
            raise SourceError(SourceProblem.CUT_OFF, path)
    finally:
        capture.release()


def _timed_frames(capture: cv2.VideoCapture, step: float) -> Iterator[TimedFrame]:
    """All frames of a file, each with its time; `step` is the time between two frames where the
    file does not tell when they were taken.
    """
    last = -step
    while (pixels := _read(capture)) is not None:
        # Telephones film at a rate that varies; some files have no time stamps at all.
        stamp = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        last = stamp if stamp > last else last + step
        yield TimedFrame(pixels, last)


def _open_stream(address: str) -> cv2.VideoCapture:
    limits = [
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
        int(OPEN_TIMEOUT * 1000),
        cv2.CAP_PROP_READ_TIMEOUT_MSEC,
        int(READ_TIMEOUT * 1000),
    ]
    return cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)


def _read(capture: cv2.VideoCapture) -> RGB | None:
    """The next frame of the capture, (h, w, 3) RGB; None where no further frame comes."""
    try:
        done, pixels = capture.read()
    except cv2.error:  # a decoder gives up on a broken frame
        return None
    if not done or pixels is None or not pixels.size:
        return None
    return cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)


def _live_frames(
    open_capture: OpenCapture,
    name: str,
    absent: SourceProblem,
    report: Report,
    ended: threading.Event,
) -> Iterator[TimedFrame]:
    """Frames of a camera or stream until `ended` is set. `open_capture` opens the source;
    SourceError with the problem `absent` is raised if no frame ever comes. Later problems go to
    `report`, with the `name` of the source.
    """
    newest = _NewestFrame(open_capture)
    newest.start()
    stalled = False
    try:
        first = newest.take(OPEN_TIMEOUT + READ_TIMEOUT, until_failed=True)
        if first is None:
            raise SourceError(absent, name)
        yield first
        while not ended.is_set():
            frame = newest.take(STALL)
            if (frame is None) != stalled and not ended.is_set():
                stalled = frame is None
                report(SourceProblem.STALLED if stalled else SourceProblem.RETURNED, name)
            if frame is not None:
                yield frame
    finally:
        newest.stop()


class _NewestFrame(threading.Thread):
    """A thread that reads a camera or stream without pause and keeps only the newest frame. It
    opens the source again whenever that gives no frame.

    `take` and `stop` may be called from another thread.
    """

    def __init__(self, open_capture: OpenCapture) -> None:
        super().__init__(daemon=True, name="frames")
        self._open = open_capture
        self._changed = threading.Condition()
        self._frame: TimedFrame | None = None
        self._failed = self._ended = False
        self._began = time.monotonic()

    def take(self, timeout: float, until_failed: bool = False) -> TimedFrame | None:
        """Wait for the newest frame that has not been taken yet, and return it. None if no frame
        came within `timeout` seconds. With `until_failed` the wait also ends, with None, as soon as
        the source gives no frame.
        """

        def has_come() -> bool:
            return self._frame is not None or (until_failed and self._failed)

        with self._changed:
            self._changed.wait_for(has_come, timeout)
            frame, self._frame = self._frame, None
            return frame

    def stop(self) -> None:
        self._ended = True
        self.join(timeout=1.0)

    def run(self) -> None:
        pause = FIRST_RETRY
        while not self._ended:
            capture = self._open()
            while not self._ended and (pixels := _read(capture)) is not None:
                self._put(TimedFrame(pixels, time.monotonic() - self._began))
                pause = FIRST_RETRY
            capture.release()
            self._put(None)
            self._wait(pause)
            pause = min(2 * pause, LONGEST_RETRY)

    def _put(self, frame: TimedFrame | None) -> None:
        """Hand a frame to the thread that calls `take`. None tells that thread that the source
        gives no frame now.
        """
        with self._changed:
            self._failed = frame is None
            self._frame = frame or self._frame
            self._changed.notify_all()

    def _wait(self, pause: float) -> None:
        end = time.monotonic() + pause
        while not self._ended and time.monotonic() < end:
            time.sleep(WAIT_STEP)


def shown_name(source: str) -> str:
    """The name of a source that people may see. It lacks the password that an address often
    carries, before the host or in the query. Where the question mark may belong to the password,
    no more than the scheme is shown.
    """
    scheme, mark, rest = source.partition("://")
    if not mark:
        return source
    without_query, _mark, query = rest.partition("?")
    if "@" in query and "@" not in without_query:
        return f"{scheme}://…"
    return f"{scheme}://{without_query.rpartition('@')[2]}"


@contextmanager
def _silent() -> Iterator[None]:
    """Within this context, keep OpenCV and FFmpeg from writing messages to standard error. The
    messages mean nothing to users.
    """
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        cv2.utils.logging.setLogLevel(level)
