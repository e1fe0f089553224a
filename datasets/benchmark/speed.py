"""`python -m datasets.benchmark.speed`: how long reading takes, with a reader that is already open
and from a cold start, and how much memory it needs.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np

from datasets.benchmark.command import bench_parser, print_rows, write_rows
from datasets.benchmark.drawn_table import drawn_table, jpeg, table_of_cards
from datasets.benchmark.tables import Row
from datasets.options import positive
from datasets.photos import PhotosMissing, load_burako_renders, load_rummikub_ivory
from vision.errors import ModelError, VisionError

COLUMNS = ("what", "p50", "p95", "goal", "unit", "runs", "tiles_found")
WARM_UP = 2
EVERY_REAL = 4  # of so many photographs of `rummikub_ivory` one is read
COLD_RUNS = 5

# Starts a command and prints its seconds and peak memory. It is a small process of its own: on
# Linux the peak of a child process counts what its parent held when it was started, and the
# benchmark holds whole pictures.
LAUNCHER = """
import json, os, sys, time
started = time.perf_counter()
child = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
took = time.perf_counter() - started
exit_code = os.waitstatus_to_exitcode(status)
print(json.dumps({"status": exit_code, "seconds": took, "peak": usage.ru_maxrss}))
"""


@dataclass(frozen=True)
class Timing:
    """Measured `values` in `unit` (ms, s or MB). Their median may not exceed `goal` on a machine of
    two cores.
    """

    what: str  # its name in the table
    values: tuple[float, ...]
    unit: str
    goal: float
    tiles_found: int | None = None  # in the picture that is read; None: not counted

    def row(self) -> Row:
        return {
            "what": self.what,
            "p50": f"{np.quantile(self.values, 0.5):.3g}",
            "p95": f"{np.quantile(self.values, 0.95):.3g}",
            "goal": f"{self.goal:g}",
            "unit": self.unit,
            "runs": str(len(self.values)),
            "tiles_found": "" if self.tiles_found is None else str(self.tiles_found),
        }


def main(arguments: list[str] | None = None) -> int:
    parser = bench_parser("datasets.benchmark.speed", __doc__)
    parser.add_argument(
        "--runs", type=positive, default=15, help="timed runs of each case (default 15)"
    )
    asked = parser.parse_args(arguments)
    rows, problem = [], ""
    try:
        for timing in chain(
            warm(asked.models, asked.runs),
            of_photographs(asked.models),
            cold(asked.models),
            of_cards(asked.models, asked.runs),
        ):
            rows.append(timing.row())
    except VisionError as error:
        problem = str(error)
    except subprocess.CalledProcessError as error:
        problem = f"{error.cmd[3]} ended with {error.returncode}: {error.stderr.strip()}"
    print_rows(COLUMNS, rows)
    print(f"\n{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}")
    if problem:
        print(f"not all could be measured, nothing is written: {problem}", file=sys.stderr)
        return 1
    write_rows(asked, "speed.csv", COLUMNS, rows)
    return 0


def warm(models: Path | None, runs: int) -> Iterable[Timing]:
    """Time a reader that runs in this process and is already open. Each of two drawn photographs is
    read `runs` times from its bytes, and a drawn frame of a camera `runs` times from its pixels.
    Yields a timing for each of the three. `models` is the folder of the networks, None for the
    installed ones.
    """
    from vision import open_reader
    from vision.frame import Frame

    reader = open_reader(models)
    for tiles, goal in ((40, 250.0), (106, 400.0)):
        photo = jpeg(drawn_table(tiles, 4000, 3000))
        found = len(reader.read(photo).tiles)
        yield Timing(
            f"photo 12 MP, {tiles} tiles",
            timed(partial(reader.read, photo), runs),
            "ms",
            goal,
            found,
        )
    frame = Frame.of(drawn_table(40, 1280, 720))
    found = len(reader.read(frame).tiles)
    yield Timing(
        "frame 1280x720, 40 tiles", timed(partial(reader.read, frame), runs), "ms", 70.0, found
    )


def of_photographs(models: Path | None) -> Iterable[Timing]:
    """Time an open reader on labelled photographs of tables and on others of racks, each read once:
    drawn tables are seen from straight above, and need neither the network for low views nor many
    second looks. Yields two timings whose values are those of the photographs. Where these are
    missing, a message is printed and nothing is measured.
    """
    from vision import open_reader
    from vision.reading import Layout

    try:
        shown = [*load_burako_renders(), *load_rummikub_ivory()[::EVERY_REAL]]
    except PhotosMissing as error:
        print(f"photographs are not measured: {error}", file=sys.stderr)
        return
    reader = open_reader(models)
    for what, layout in (("tables", Layout.MELDS), ("racks", Layout.LOOSE)):
        paths = [str(one.path) for one in shown if one.rack == (layout is Layout.LOOSE)]
        for path in paths[:WARM_UP]:
            reader.read(path, layout)
        each = tuple(timed(partial(reader.read, path, layout), 1, warm_up=0)[0] for path in paths)
        yield Timing(f"photographs of {what}", each, "ms", 250.0)


def of_cards(models: Path | None, runs: int) -> Iterable[Timing]:
    """Yield the time that a reader of cards takes when it is already open, measured `runs` times,
    and the memory that `burako read` needs for a photograph of cards. Where the folder `models`
    holds no networks of cards, a message is printed and nothing is measured.
    """
    from engine.pieces import Pieces
    from vision import open_reader

    try:
        reader = open_reader(models, Pieces.CARDS)
    except ModelError as error:
        print(f"cards are not measured: {error}", file=sys.stderr)
        return
    photo = jpeg(table_of_cards(4000, 3000))
    found = len(reader.read(photo).tiles)
    yield Timing(
        "photo 12 MP, 48 cards", timed(partial(reader.read, photo), runs), "ms", 300.0, found
    )
    if hasattr(os, "wait4"):
        with tempfile.TemporaryDirectory() as folder:
            huge = Path(folder) / "48mp.jpg"
            huge.write_bytes(jpeg(table_of_cards(8000, 6000)))
            command = [*burako_read(huge, models), "--pieces", "cards"]
            peaks = tuple(launched(command)[1] for _ in range(COLD_RUNS))
        yield Timing("peak memory, 48 MP of cards", peaks, "MB", 400.0)


def timed(run: Callable[[], object], runs: int, warm_up: int = WARM_UP) -> tuple[float, ...]:
    """Call `run` `warm_up` times untimed, then `runs` times; return the milliseconds of each timed
    call.
    """
    for _ in range(warm_up):
        run()
    took = []
    for _ in range(runs):
        started = time.perf_counter()
        run()
        took.append(1000 * (time.perf_counter() - started))
    return tuple(took)


def cold(models: Path | None) -> Iterable[Timing]:
    """Run `burako read` as a person starts it, each time in a new process. Yields first the seconds
    that it takes for a photograph of 12 MP, then its peak memory in MB for one of 48 MP. On a
    platform without `wait4` a message is printed and nothing is yielded.
    """
    if not hasattr(os, "wait4"):
        print("cold start and memory are not measured: this platform has no wait4", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder:
        usual, huge = Path(folder) / "12mp.jpg", Path(folder) / "48mp.jpg"
        usual.write_bytes(jpeg(drawn_table(40, 4000, 3000)))
        huge.write_bytes(jpeg(drawn_table(106, 8000, 6000)))
        runs = [launched(burako_read(usual, models)) for _ in range(COLD_RUNS)]
        yield Timing(
            "burako read, cold start, 12 MP", tuple(seconds for seconds, _ in runs), "s", 1.5
        )
        peaks = tuple(launched(burako_read(huge, models))[1] for _ in range(COLD_RUNS))
        yield Timing("peak memory, 48 MP", peaks, "MB", 400.0)


def burako_read(photo: Path, models: Path | None) -> list[str]:
    """Return the command line that runs `burako read` with this Python, wherever the script is
    installed.
    """
    start = "import sys; from scorer_app.cli.main import main; sys.exit(main())"
    named = ["--models", str(models)] if models else []
    return [sys.executable, "-c", start, "read", str(photo), "--json", *named]


def launched(command: list[str]) -> tuple[float, float]:
    """Run a command; return the seconds that it took and its peak memory in MB.

    Raises CalledProcessError, with what the command printed, where it fails.
    """
    done = subprocess.run(
        [sys.executable, "-c", LAUNCHER, *command], capture_output=True, text=True, check=True
    )
    told = json.loads(done.stdout.splitlines()[-1])
    if told["status"]:
        raise subprocess.CalledProcessError(told["status"], command, done.stdout, done.stderr)
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in bytes there, in KiB elsewhere
    return told["seconds"], told["peak"] * unit / 1e6


if __name__ == "__main__":
    sys.exit(main())
