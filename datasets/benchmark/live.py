"""`python -m datasets.benchmark.live`: how fast the live referee is, and how many changes of filmed
games it reports correctly. `eyes` are always the networks through which the referee looks.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.benchmark.command import asked_reader, bench_parser, print_rows, write_rows
from datasets.options import positive
from datasets.pixels import resized
from datasets.sequences.__main__ import write_video
from datasets.sequences.compare import Score
from datasets.sequences.film import Film, FilmConfig
from datasets.sequences.truth import load
from datasets.sequences.watching import referee_file, watch_film
from vision.detector import Detections
from vision.live import Watch
from vision.live.eyes import NetworkEyes
from vision.live.sources import frames

VIDEOS = Path(__file__).resolve().parents[3] / "shared" / "videos"
COLUMNS = ("what", "value", "goal", "unit")
HOUR = 3600 * 15  # frames, at 15 a second
Rows = Iterator[dict[str, str]]


def main(arguments: list[str] | None = None) -> None:
    asked = _parser().parse_args(arguments)
    eyes = NetworkEyes(asked_reader(asked))
    # Before the speed: of the memory that its large frames took and gave back, the process may keep
    # some free, and what leaks would lie there unseen.
    grown = list(memory(eyes, asked.frames))
    rows = [
        *speed(eyes),
        *grown,
        *accuracy(eyes, asked.seconds, asked.verbose),
    ]
    print_rows(COLUMNS, rows)
    write_rows(asked, "live.csv", COLUMNS, rows)


def _parser() -> argparse.ArgumentParser:
    parser = bench_parser("datasets.benchmark.live", __doc__)
    add = parser.add_argument
    add("--seconds", type=float, default=240.0, help="of our own rendered games (default 240)")
    memory = "shown to measure the memory (default: an hour's)"
    add("--frames", type=positive, default=HOUR, help=memory)
    add("--verbose", action="store_true", help="print every change that was not told rightly")
    return parser


def row(what: str, value: float, goal: str, unit: str) -> dict[str, str]:
    return {"what": what, "value": f"{value:.3g}", "goal": goal, "unit": unit}


def speed(eyes: NetworkEyes) -> Rows:
    """Time the live referee with frames of 1280 x 720 pixels of about 60 tiles, at rest and after a
    change, and with whole video files of three sizes. Yields a row of the result table for each
    figure.
    """
    film = Film(60, FilmConfig(seconds=60, melds=14, idle=0.0, with_hand=0.0, pause=(1.0, 1.2)))
    quiet, looks = timed(film, eyes)
    yield row("unchanged frame, p50", float(np.quantile(quiet, 0.5)), "<= 3", "ms")
    yield row("unchanged frame, p95", float(np.quantile(quiet, 0.95)), "", "ms")
    yield row("frame with a change, p50", float(np.quantile(looks, 0.5)), "<= 80", "ms")
    yield row("frame with a change, p95", float(np.quantile(looks, 0.95)), "", "ms")
    shots = [shot.pixels for shot in Film(61, FilmConfig(seconds=15, melds=14)).shots()]
    for width, height in ((1280, 720), (1920, 1080), (3840, 2160)):
        yield row(
            f"from file, {width} x {height}, sustained",
            from_file(eyes, shots, width, height),
            ">= 15",
            "frames/s",
        )


def from_file(
    eyes: NetworkEyes, shots: Sequence[NDArray[np.uint8]], width: int, height: int
) -> float:
    """Write the frames `shots` to a video file of `width` x `height` pixels, let the live referee
    watch it, and return how many frames it sees per second, decoding included.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.mp4"
        pictures = (resized(shot, (width, height), cv2.INTER_LINEAR) for shot in shots)
        write_video(path, pictures, FilmConfig(width=width, height=height))
        started, watch = time.perf_counter(), Watch(eyes)
        for frame in frames(str(path)):
            watch.see(frame.pixels, frame.time)
        return len(shots) / (time.perf_counter() - started)


def timed(film: Film, eyes: NetworkEyes) -> tuple[list[float], list[float]]:
    """Let the live referee watch `film`. Returns two lists of milliseconds: one for each frame on
    which the networks were not used, and one for each frame on which they were. Frames before a
    table is known are left out.
    """
    counted = CountingEyes(eyes)
    watch = Watch(counted)
    quiet: list[float] = []
    looks: list[float] = []
    for number, shot in enumerate(film.shots()):
        before, started = counted.looks, time.perf_counter()
        watch.see(shot.pixels, number / film.config.fps)
        took = 1000 * (time.perf_counter() - started)
        if watch.table is not None:
            (quiet if counted.looks == before else looks).append(took)
    return quiet, looks


class CountingEyes:
    """The networks of `eyes`; `looks` counts on how many frames they were used."""

    def __init__(self, eyes: NetworkEyes) -> None:
        self._eyes, self.looks = eyes, 0
        self.read, self.inks, self.other_set = eyes.read, eyes.inks, eyes.other_set

    def detect(self, picture: NDArray[np.uint8]) -> Detections:
        self.looks += 1
        return self._eyes.detect(picture)


def memory(eyes: NetworkEyes, count: int) -> Rows:
    """Watch the same film of eight seconds again and again for `count` frames. Yields one row of
    the result table: by how many MB the memory of the process grew after the first tenth of the
    frames.
    """
    shots = [shot.pixels for shot in Film(62, FilmConfig(seconds=8, melds=8)).shots()]
    watch = Watch(eyes)
    grown = memory_grown(lambda number: watch.see(shots[number % len(shots)], number / 15), count)
    yield row(f"memory grown over {count} frames", grown, "0", "MB")


def memory_grown(see: Callable[[int], object], count: int) -> float:
    """Call `see` with each of the numbers below `count`. Return by how many MB the memory that the
    process holds grew after the first tenth of the calls; less than 0 where it shrank.
    """
    first = count // 10
    for number in range(first + 1):
        see(number)
    held = held_memory()
    for number in range(first + 1, count):
        see(number)
    return held_memory() - held


def held_memory() -> float:
    """Collect the garbage, and return how many MB of memory this process then holds: not its peak,
    which shows no leak until it is passed.
    """
    gc.collect()
    if sys.platform == "linux":
        status = Path("/proc/self/status").read_text("utf-8").splitlines()
        (line,) = (line for line in status if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024 / 1e6
    import psutil

    return float(psutil.Process().memory_info().rss / 1e6)


def accuracy(eyes: NetworkEyes, seconds: float, verbose: bool) -> Rows:
    """Count the changes that the live referee reports correctly, in `seconds` of games rendered by
    `datasets.sequences`, and in the labelled videos beside the project where these are present.
    Yields a row of the result table for each figure; `verbose` also prints each change reported
    wrongly.
    """
    own = Score()
    for seed in range(100, 100 + max(int(seconds / 120), 1)):
        score, _ = watch_film(seed, replace(FilmConfig(), seconds=min(seconds, 120.0)), eyes=eyes)
        own += score
    yield from figures("own games", own, verbose)
    for path in sorted(VIDEOS.glob("*.json")):
        truth = load(path)
        yield from figures(
            path.stem, referee_file(path.with_name(truth.video), truth, eyes), verbose
        )


def figures(name: str, score: Score, verbose: bool) -> Rows:
    late = float(np.quantile(score.delays, 0.95)) if score.delays else float("nan")
    yield row(f"{name}: changes told rightly, of {score.changes}", 100 * score.share, ">= 98", "%")
    yield row(f"{name}: false events in 10 minutes", score.false_in_ten_minutes, "<= 1", "")
    yield row(f"{name}: delay, p95", late, "<= 1.5", "s")
    for fault in score.faults() if verbose else ():
        print(fault)


if __name__ == "__main__":
    main()
