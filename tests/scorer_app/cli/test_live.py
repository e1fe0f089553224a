"""`burako live` on sources and arguments that do not work: one line, and the right exit status."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
import pytest

from scorer_app.cli import live as live_command
from scorer_app.cli.main import main
from tests.vision.live.doubles import DrawnTable, mjpeg_server
from vision.live.sources import TimedFrame

START = [
    sys.executable,
    "-c",
    "import sys; from scorer_app.cli.main import main; sys.exit(main())",
    "live",
]


Live: TypeAlias = Callable[..., subprocess.CompletedProcess[str]]


def live(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own, which has to keep FFmpeg silent by itself."""
    environment = {**os.environ}
    environment.pop("OPENCV_FFMPEG_LOGLEVEL", None)
    return subprocess.run(
        [*START, *arguments], capture_output=True, text=True, timeout=120, env=environment
    )


@pytest.fixture
def live_here(capfd: pytest.CaptureFixture[str]) -> Live:
    """Return a function that runs the command in this process, which has loaded its libraries, and
    catches what these write past Python as well.
    """

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        try:
            status = main(["live", *arguments])
        except SystemExit as ended:
            status = int(ended.code or 0)
        return subprocess.CompletedProcess(arguments, status, *capfd.readouterr())

    return run


def film(
    path: Path,
    seconds: float = 3.0,
    fps: float = 5.0,
    size: tuple[int, int] = (640, 360),
    code: str = "MJPG",
) -> Path:
    """Write a video of a drawn table on which nothing happens."""
    table = DrawnTable((min(640, size[0]), min(640, size[1])), fps)
    table.lay("3R 4R 5R", 100, 60)
    out = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), fps, size)
    for _ in range(int(seconds * fps)):
        out.write(cv2.resize(table.picture()[..., ::-1], size))
    out.release()
    return path


@pytest.mark.parametrize("content", [b"", b"no video, but a text\n"], ids=["empty", "text"])
def test_a_bad_file_is_one_line_on_standard_error(
    live_here: Live, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "a.mp4"
    path.write_bytes(content)
    done = live_here(str(path), "--json", "--lang", "en")
    assert done.returncode == 1
    assert done.stderr == f"burako live: The file is no video that can be read: {path}.\n"
    assert json.loads(done.stdout) == {
        "source": str(path),
        "error": "no_video",
        "message": f"The file is no video that can be read: {path}.",
    }


def test_missing_networks_are_told_as_json_too(live_here: Live, tmp_path: Path) -> None:
    options = ["--models", str(tmp_path), "--json", "--lang", "en"]
    done = live_here(str(film(tmp_path / "a.avi", seconds=1.0)), *options)
    told = json.loads(done.stdout)
    assert done.returncode == 1 and "model is missing" in told["message"]
    assert done.stderr == f"burako live: {told['error']}\n"


def test_a_photograph_is_told_apart_from_a_film(live_here: Live, tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    cv2.imwrite(str(path), np.full((48, 64, 3), (30, 90, 60), np.uint8))
    done = live_here(str(path), "--json", "--lang", "en")
    sentence = (
        f"Expected a video, but this is a single photograph: {path}."
        " Photographs are for “burako read” and “burako score”."
    )
    assert (done.returncode, done.stderr) == (1, f"burako live: {sentence}\n")
    told = {"source": str(path), "error": "still", "message": sentence}
    assert json.loads(done.stdout) == told


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("97", "no_camera"),
        ("none.mp4", "no_file"),
        ("rtsp://127.0.0.1:9/a", "no_stream"),
        ("http://127.0.0.1:9/a.mjpg", "no_stream"),
        ("what://ever", "no_stream"),
    ],
)
def test_what_is_not_there_is_one_line_on_standard_error(
    live_here: Live, source: str, error: str
) -> None:
    done = live_here(source, "--json")
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and source in done.stderr
    assert json.loads(done.stdout)["error"] == error


def test_a_folder_is_told_as_one(live_here: Live, tmp_path: Path) -> None:
    done = live_here(str(tmp_path), "--json", "--lang", "en")
    told = json.loads(done.stdout)
    assert (done.returncode, told["error"]) == (1, "no_file")
    assert told["message"] == f"That is a folder, and a video was expected: {tmp_path}."
    assert done.stderr == f"burako live: {told['message']}\n"


def test_a_password_in_an_address_is_printed_nowhere(live_here: Live) -> None:
    done = live_here("rtsp://anna:secret@127.0.0.1:9/a?key=hidden", "--json")
    assert json.loads(done.stdout)["source"] == "rtsp://127.0.0.1:9/a"
    assert not any(word in done.stdout + done.stderr for word in ("anna", "secret", "hidden"))


@pytest.mark.process
def test_a_file_cut_off_in_the_middle_shows_what_there_is_and_says_so(tmp_path: Path) -> None:
    path = film(tmp_path / "a.avi", 6.0)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    done = live(str(path), "--json", "--lang", "en")
    table, failure = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 1 and failure["error"] == "cut_off" and table["event"] == "table"
    assert (
        done.stderr
        == f"burako live: The video breaks off before its end, a part is missing: {path}. "
        "Copy it again, whole.\n"
    )


@pytest.mark.film
@pytest.mark.parametrize(
    ("size", "code"), [((3840, 2160), "MJPG"), ((360, 640), "mp4v")], ids=["4K", "portrait"]
)
def test_any_size_of_file(tmp_path: Path, size: tuple[int, int], code: str) -> None:
    done = live(str(film(tmp_path / "a.avi", 1.4, size=size, code=code)), "--json")
    (table,) = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 0 and done.stderr == "" and (table["width"], table["height"]) == size


@pytest.fixture
def camera() -> Iterator[ThreadingHTTPServer]:
    yield from mjpeg_server(np.full((48, 64, 3), (40, 120, 60), np.uint8))


@pytest.mark.process
@pytest.mark.usefixtures("interruptible")
def test_a_stream_is_watched_until_it_is_interrupted(camera: ThreadingHTTPServer) -> None:
    address = f"http://127.0.0.1:{camera.server_address[1]}/stream.mjpg"
    running = subprocess.Popen(
        [*START, address, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    table = json.loads(running.stdout.readline())
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=60)
    assert table["event"] == "table" and (running.returncode, told) == (0, "")


def test_a_table_out_of_sight_is_told_each_time(
    live_here: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = DrawnTable()
    table.lay("3R 4R 5R", 100, 60)

    def shown(*_source: object) -> Iterator[TimedFrame]:
        for at in range(60):
            picture = table.picture()
            is_covered = 15 <= at < 30 or at >= 45
            yield TimedFrame(np.zeros_like(picture) if is_covered else picture, at / table.fps)

    monkeypatch.setattr(live_command, "frames", shown)
    monkeypatch.setattr(live_command, "open_tables", lambda *_options: None)
    monkeypatch.setattr(live_command, "NetworkEyes", lambda _tables: table.eyes)
    result = live_here("film.avi", "--lang", "en")
    assert result.returncode == 0 and result.stdout == ""
    sentence = "burako live: The tiles on the table cannot be seen"
    assert [line.startswith(sentence) for line in result.stderr.splitlines()] == [True, True]


@pytest.mark.parametrize(
    "arguments",
    [
        ["x.mp4", "--side-line", "1,2,3"],
        ["x.mp4", "--side-line", "1,2,1,2"],
        ["x.mp4", "--side-line", "nan,2,1,inf"],
        ["x", "--rules", "y"],
        ["x", "--pieces", "cards"],
        [],
    ],
)
def test_wrong_usage_is_status_2(live_here: Live, arguments: list[str]) -> None:
    done = live_here(*arguments)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.count("\n") == 1


def test_a_line_may_start_outside_the_picture(live_here: Live) -> None:
    done = live_here("none.mp4", "--side-line", "-10,20,30,40")
    assert done.returncode == 1 and "none.mp4" in done.stderr
