"""Sources of frames: bad ones are refused in one clear sentence, and a stream that returns gives
frames again.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.live.doubles import mjpeg_server
from tests.vision.photographs import HEIC
from vision.live import sources
from vision.live.sources import SourceError, SourceProblem, TimedFrame, frames


def write_video(path: Path, count: int = 6, fps: float = 5.0) -> Path:
    out = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, (64, 48))
    for number in range(count):
        out.write(np.full((48, 64, 3), (0, 0, 40 * number), np.uint8))
    out.release()
    return path


def test_a_file_gives_every_frame_in_media_time_and_rgb(tmp_path: Path) -> None:
    shown = list(frames(str(write_video(tmp_path / "a.mp4"))))
    assert [round(frame.time, 3) for frame in shown] == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    red, green, blue = shown[-1].pixels.reshape(-1, 3).mean(axis=0)
    assert red > 150 and green < 40 and blue < 40


@pytest.mark.parametrize(
    ("brightest", "ink", "grey"), [(31, 0, True), (30, 0, False), (200, 0, True), (200, 150, False)]
)
def test_a_picture_is_grey_where_it_shows_something_without_colour(
    brightest: int, ink: int, grey: bool
) -> None:
    picture = np.full((480, 640, 3), 20, np.uint8)
    picture[100:300, 100:400] = brightest
    picture[100:300, 100:400, 0] -= np.uint8(ink)
    assert sources.is_grey(picture) is grey


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("none.mp4", SourceProblem.NO_FILE),
        ("", SourceProblem.NO_FILE),
        ("97", SourceProblem.NO_CAMERA),
        ("\u00b2", SourceProblem.NO_FILE),  # a digit to Unicode, and no number
        ("9" * 12, SourceProblem.NO_FILE),  # more than a camera's number can be
        ("x" * 400, SourceProblem.NO_FILE),
    ],
)
def test_what_is_not_there_is_an_enumerated_problem(source: str, problem: SourceProblem) -> None:
    with pytest.raises(SourceError) as raised:
        next(frames(source))
    assert (raised.value.problem, raised.value.source) == (problem, source)


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="makes a file whose name is no UTF-8")
def test_a_source_whose_name_is_no_utf_8_is_refused(tmp_path: Path) -> None:
    """In a process of its own, since OpenCV crashes where it is given such a name."""
    film = tmp_path / "caf\udce9.mp4"
    film.write_bytes(b"a film")
    run = """
import sys
from vision.live.sources import SourceError, frames
for source in sys.argv[1:]:
    try:
        next(frames(source))
    except SourceError as error:
        print(error.problem.value)
"""
    command = [sys.executable, "-c", run, str(film), "http://127.0.0.1:1/caf\udce9"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["no_file", "no_stream"]


def test_ffmpeg_is_told_to_be_silent_before_the_first_film(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENCV_FFMPEG_LOGLEVEL", raising=False)
    with pytest.raises(SourceError):
        next(frames("none.mp4"))
    assert os.environ["OPENCV_FFMPEG_LOGLEVEL"] == "-8"


@pytest.mark.parametrize("content", [b"", b"no video at all", bytes(3000)])
def test_a_file_that_is_no_video(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.mp4"
    path.write_bytes(content)
    with pytest.raises(SourceError) as raised:
        next(frames(str(path)))
    assert raised.value.problem is SourceProblem.NO_VIDEO


@pytest.mark.parametrize("kind", ["jpg", "png", "webp", "heic"])
def test_a_photograph_is_no_film(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"a.{kind}"
    if kind == "heic":
        path.write_bytes((HEIC / "rack.heic").read_bytes())
    else:
        cv2.imwrite(str(path), np.full((48, 64, 3), (30, 90, 60), np.uint8))
    with pytest.raises(SourceError) as raised:
        next(frames(str(path)))
    assert raised.value.problem is SourceProblem.STILL


@pytest.mark.parametrize(
    ("colours", "reported"),
    [((90, 90, 90), [SourceProblem.GREY]), ((30, 90, 60), []), ((0, 0, 0), [])],
)
def test_a_video_without_colour_is_told_once_and_at_its_beginning(
    tmp_path: Path, colours: tuple[int, int, int], reported: list[SourceProblem]
) -> None:
    path = tmp_path / "grey.avi"
    out = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5, (64, 48))
    for _ in range(3):
        out.write(np.full((48, 64, 3), colours, np.uint8))
    out.release()
    problems: list[SourceProblem] = []
    shown = frames(str(path), lambda problem, source: problems.append(problem))
    next(shown)
    assert problems == reported
    assert len(list(shown)) == 2 and problems == reported


def test_a_password_in_an_address_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "OPEN_TIMEOUT", 1.0)
    with pytest.raises(SourceError) as raised:
        next(frames("http://user:secret@127.0.0.1:9/stream?pwd=secret"))
    assert raised.value.problem is SourceProblem.NO_STREAM
    assert raised.value.source == "http://127.0.0.1:9/stream" and "secret" not in str(raised.value)


class BrokenFilm:
    """Stands in for `cv2.VideoCapture`: it gives one good frame, then what a decoder gives of a
    broken one.
    """

    def __init__(self, broken: tuple[bool, object] | cv2.error) -> None:
        self._frames = [(True, np.zeros((48, 64, 3), np.uint8)), broken]

    def get(self, _property: int) -> float:
        return 5.0

    def read(self) -> tuple[bool, object]:
        frame = self._frames.pop(0)
        if isinstance(frame, cv2.error):
            raise frame
        return frame

    def release(self) -> None:
        self._frames.clear()


@pytest.mark.parametrize(
    "broken",
    [
        (False, np.zeros((48, 64, 3), np.uint8)),
        (True, None),
        (True, np.zeros((0, 0, 3), np.uint8)),
        cv2.error("no frame"),
    ],
    ids=["not done", "nothing", "empty", "error"],
)
def test_a_film_ends_at_a_frame_that_cannot_be_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: tuple[bool, object] | cv2.error
) -> None:
    film = write_video(tmp_path / "a.mp4")
    monkeypatch.setattr(cv2, "VideoCapture", lambda _path: BrokenFilm(broken))
    assert [frame.pixels.shape for frame in frames(str(film))] == [(48, 64, 3)]


@pytest.mark.parametrize(("kept", "is_cut_off"), [(0.5, True), (0.8, False)])
def test_a_film_of_which_more_than_a_second_is_missing_was_cut_off(
    tmp_path: Path, kept: float, is_cut_off: bool
) -> None:
    """Two seconds of four are missing, or less than one."""
    path = tmp_path / "a.avi"
    out = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    noise = np.random.default_rng(1).integers(0, 255, (48, 64, 3), np.uint8)
    for _ in range(40):
        out.write(noise)
    out.release()
    path.write_bytes(path.read_bytes()[: int(kept * path.stat().st_size)])
    shown, problem = 0, None
    try:
        for _frame in frames(str(path)):
            shown += 1
    except SourceError as error:
        problem = error.problem
    assert kept * 40 - 4 < shown < kept * 40 + 4
    assert problem == (SourceProblem.CUT_OFF if is_cut_off else None)


@pytest.fixture
def camera() -> Iterator[ThreadingHTTPServer]:
    yield from mjpeg_server(np.full((48, 64, 3), (40, 120, 60), np.uint8))


@pytest.mark.parametrize("silent", [False, True], ids=["closed", "silent"])
def test_a_stream_that_stalls_is_told_and_returns(
    camera: ThreadingHTTPServer, monkeypatch: pytest.MonkeyPatch, silent: bool
) -> None:
    """Whether the camera hangs up, or keeps the line and sends nothing. A new line may bring
    pictures of another size.
    """
    monkeypatch.setattr(sources, "STALL", 0.4)
    monkeypatch.setattr(sources, "READ_TIMEOUT", 0.8)
    reported: list[SourceProblem] = []

    def report(problem: SourceProblem, source: str) -> None:
        reported.append(problem)
        camera.picture = np.full((48, 64, 3) if silent else (96, 128, 3), (40, 120, 60), np.uint8)  # type: ignore[attr-defined]
        camera.state = "on"  # type: ignore[attr-defined]

    stream = frames(f"http://127.0.0.1:{camera.server_address[1]}/stream.mjpg", report)
    assert next(stream).pixels.shape == (48, 64, 3)
    camera.state = "silent" if silent else "off"  # type: ignore[attr-defined]
    returned = next(frame for frame in islice(stream, 500) if SourceProblem.RETURNED in reported)
    stream.close()  # type: ignore[attr-defined]
    assert (
        reported == [SourceProblem.STALLED, SourceProblem.RETURNED]
        and returned.pixels.shape == camera.picture.shape
    )  # type: ignore[attr-defined]


def test_a_file_whose_frame_rate_is_nonsense_keeps_its_order(tmp_path: Path) -> None:
    times = [
        frame.time for frame in frames(str(write_video(tmp_path / "a.avi", count=8, fps=500.0)))
    ]
    assert len(times) == 8 and times == sorted(set(times))


FRAME = TimedFrame(np.zeros((2, 2, 3), np.uint8), 0.0)


class DrawnFilm:
    """Stands in for `cv2.VideoCapture`: it gives one frame for each time stamp, in milliseconds."""

    def __init__(self, fps: float, stamps: list[float], promised: float = 0.0) -> None:
        self._known = {cv2.CAP_PROP_FPS: fps, cv2.CAP_PROP_FRAME_COUNT: promised}
        self._stamps, self._at = stamps, -1

    def get(self, asked: int) -> float:
        return self._stamps[self._at] if asked == cv2.CAP_PROP_POS_MSEC else self._known[asked]

    def read(self) -> tuple[bool, object]:
        self._at += 1
        return self._at < len(self._stamps), np.full((2, 2, 3), (90, 60, 30), np.uint8)

    def release(self) -> None:
        self._at = len(self._stamps)


def times_of(film: DrawnFilm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    monkeypatch.setattr(cv2, "VideoCapture", lambda _path: film)
    path = tmp_path / "drawn.mp4"
    path.touch()
    return [round(frame.time, 6) for frame in frames(str(path))]


@pytest.mark.parametrize(
    ("fps", "stamps", "times"),
    [
        (5.0, [0, 200, 400], [0, 0.2, 0.4]),
        (10.0, [0, 100, 350], [0, 0.1, 0.35]),  # a telephone films as fast as the light allows
        (10.0, [0, 300, 200, 600], [0, 0.3, 0.4, 0.6]),  # time never runs back
        (10.0, [0, 0, 0], [0, 0.1, 0.2]),  # no time stamps at all
        (240.0, [0, 0], [0, 0.004167]),
        (240.1, [0, 0], [0, 0.04]),  # no usable rate
        (0.0, [0, 0], [0, 0.04]),
        (float("nan"), [0, 0], [0, 0.04]),
    ],
)
def test_frames_have_the_time_of_the_film_or_come_evenly(
    fps: float,
    stamps: list[float],
    times: list[float],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert times_of(DrawnFilm(fps, stamps), tmp_path, monkeypatch) == times


@pytest.mark.parametrize(
    ("count", "promised", "is_cut_off"),
    [
        (20, 30, False),  # a second is missing
        (20, 31, True),
        (380, 400, False),  # two of forty seconds
        (380, 401, True),
        (20, -1e9, False),  # nothing is known of its length
    ],
)
def test_a_film_was_cut_off_where_more_than_a_second_and_a_twentieth_is_missing(
    count: int, promised: float, is_cut_off: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film = DrawnFilm(10.0, [0.0] * count, promised)
    if is_cut_off:
        with pytest.raises(SourceError) as raised:
            times_of(film, tmp_path, monkeypatch)
        assert raised.value.problem is SourceProblem.CUT_OFF
    else:
        assert len(times_of(film, tmp_path, monkeypatch)) == count


def test_a_number_is_a_camera_of_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []

    def open_camera(number: object) -> DrawnFilm:
        opened.append(number)
        return DrawnFilm(0.0, [0.0])

    monkeypatch.setattr(cv2, "VideoCapture", open_camera)
    shown = frames("2")
    assert next(shown).pixels[0, 0].tolist() == [30, 60, 90]  # RGB
    shown.close()  # type: ignore[attr-defined]
    assert opened[0] == 2


def test_a_stream_is_waited_for_so_long_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits are eight seconds until the stream is open and five for each picture; then a
    problem is reported.
    """
    asked: list[tuple[object, ...]] = []

    def open_stream(*how: object) -> DrawnFilm:
        asked.append(how)
        return DrawnFilm(0.0, [0.0])

    monkeypatch.setattr(cv2, "VideoCapture", open_stream)
    shown = frames("rtsp://camera/live")
    next(shown)
    shown.close()  # type: ignore[attr-defined]
    waits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 8000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 5000]
    assert asked[0] == ("rtsp://camera/live", cv2.CAP_FFMPEG, waits)
    assert sources.STALL == 5.0


class Attempts(sources._NewestFrame):
    """A source that is opened again and again until it has waited `most` times; it notes the length
    of each pause.
    """

    def __init__(self, most: int, *, gives: int = -1) -> None:
        super().__init__(self._opened)
        self._most, self._gives, self.pauses = most, gives, list[float]()

    def _opened(self) -> Any:
        return DrawnFilm(0.0, [0.0] if len(self.pauses) == self._gives else [])

    def _wait(self, pause: float) -> None:
        self.pauses.append(pause)
        self._ended = len(self.pauses) == self._most


def test_a_source_that_gives_nothing_is_opened_ever_more_rarely() -> None:
    attempts = Attempts(8)
    attempts.run()
    assert attempts.pauses == [0.5, 1, 2, 4, 8, 10, 10, 10]
    assert attempts.take(0.0, until_failed=True) is None
    again = Attempts(5, gives=3)
    again.run()
    assert again.pauses == [0.5, 1, 2, 0.5, 1]
    taken = again.take(0.0)
    assert taken is not None and 0 <= taken.time < 60
    assert again.take(0.0) is None  # a frame is taken once


class Asked(threading.Condition):
    """Stands in for a threading.Condition: it does not wait, and notes whether what is waited for
    has come.
    """

    has_come = False

    def wait_for(self, predicate: Callable[[], bool], timeout: float | None = None) -> bool:
        self.has_come = predicate()
        return self.has_come


@pytest.mark.parametrize(
    ("given", "until_failed", "has_come"),
    [
        ([FRAME], False, True),
        ([None], False, False),
        ([None], True, True),
        ([], True, False),
        ([FRAME, None], False, True),
    ],
)
def test_a_frame_is_waited_for_and_at_first_a_failure_too(
    given: list[TimedFrame | None], until_failed: bool, has_come: bool
) -> None:
    source = sources._NewestFrame(lambda: pytest.fail("it is not opened yet"))
    source._changed = asked = Asked()
    for frame in given:
        source._put(frame)
    assert source.take(9.0, until_failed) is (FRAME if FRAME in given else None)
    assert asked.has_come is has_come


class Clock:
    """Stands in for the module `time`: its time passes only while a test sleeps."""

    def __init__(self) -> None:
        self.now = 50.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.parametrize(("ended", "waited"), [(False, 2.0), (True, 0.0)])
def test_a_source_rests_between_attempts_unless_nobody_watches_any_more(
    monkeypatch: pytest.MonkeyPatch, ended: bool, waited: float
) -> None:
    clock = Clock()
    monkeypatch.setattr(sources, "time", clock)
    source = sources._NewestFrame(lambda: pytest.fail("it is not opened yet"))
    source._ended = ended
    source._wait(2.0)
    assert clock.now - 50.0 == pytest.approx(waited, abs=2 * sources.WAIT_STEP)


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("films/a?b@c.mp4", "films/a?b@c.mp4"),
        ("rtsp://10.0.0.7:554/live", "rtsp://10.0.0.7:554/live"),
        ("rtsp://me:secret@10.0.0.7/live?key=secret?more", "rtsp://10.0.0.7/live"),
        ("http://me:s@cret@cam/a", "http://cam/a"),
        ("rtsp://me:se?cret@cam/a", "rtsp://…"),
        ("http://cam/a?key=s@cret", "http://…"),
    ],
)
def test_of_an_address_neither_password_nor_query_is_shown(source: str, shown: str) -> None:
    assert sources.shown_name(source) == shown
