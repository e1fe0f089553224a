"""Sources of frames, good and bad: one clear sentence, and frames again when a stream returns."""

from __future__ import annotations

import os
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.live.doubles import mjpeg_server
from vision.live import sources
from vision.live.sources import SourceError, SourceProblem, frames


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
    ],
)
def test_what_is_not_there_is_an_enumerated_problem(source: str, problem: SourceProblem) -> None:
    with pytest.raises(SourceError) as raised:
        next(frames(source))
    assert (raised.value.problem, raised.value.source) == (problem, source)


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


@pytest.mark.parametrize(
    ("colours", "reported"),
    [((90, 90, 90), [SourceProblem.GREY]), ((30, 90, 60), []), ((0, 0, 0), [])],
)
def test_a_video_without_colour_is_told_once(
    tmp_path: Path, colours: tuple[int, int, int], reported: list[SourceProblem]
) -> None:
    path = tmp_path / "grey.avi"
    out = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5, (64, 48))
    for _ in range(3):
        out.write(np.full((48, 64, 3), colours, np.uint8))
    out.release()
    problems: list[SourceProblem] = []
    assert len(list(frames(str(path), lambda problem, source: problems.append(problem)))) == 3
    assert problems == reported


def test_a_password_in_an_address_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "OPEN_TIMEOUT", 1.0)
    with pytest.raises(SourceError) as raised:
        next(frames("http://user:secret@127.0.0.1:9/stream?pwd=secret"))
    assert raised.value.problem is SourceProblem.NO_STREAM
    assert raised.value.source == "http://127.0.0.1:9/stream" and "secret" not in str(raised.value)


class BrokenFilm:
    """In place of `cv2.VideoCapture`: one good frame, then what a decoder gives of a broken one."""

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
    """Of 4 seconds 2 are missing, or less than 1."""
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
