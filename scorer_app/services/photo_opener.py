"""Opens photographs in a child process with limits of memory and time.

Given a hostile file, a decoder may take gigabytes or minutes, or crash. In a child process that
costs one photograph, which is refused with a reason, and a new child opens the next. The child
stays alive between photographs, since starting it takes long.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from vision.errors import PhotoError, Reason

PARTIAL = ".partial"  # ending of a file that is being written
SERVER_MEMORY = 300 * 2**20  # bytes; the server itself holds up to 400 MB
COMMAND_MEMORY = 340 * 2**20  # bytes, for `burako read`, which holds less memory itself
# For one photograph, however busy the machine; the child limits its own processor time besides.
WALL_SECONDS = 40.0
LOOK = 0.05  # seconds between two looks at what the child holds
# Bytes: a child that holds more once it has answered is replaced. A fresh one holds 56 MB, and one
# that has opened a photograph of 12 megapixels 70 MB.
RESIDENT_TO_KEEP = 120 * 2**20
TAKEN_TOO_MUCH = frozenset(
    {-getattr(signal, name) for name in ("SIGXCPU", "SIGABRT", "SIGKILL") if hasattr(signal, name)}
)


class PhotoOpener:
    """Opens one photograph at a time in its child process, which starts when it is first needed;
    thread-safe. `memory` is the most bytes of memory that the child may hold.
    """

    def __init__(self, memory: int) -> None:
        self.memory = memory
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None

    def make_upright(self, source: Path, target: Path, longest_side: int) -> tuple[int, int]:
        """Write the photograph `source` to `target` as an upright JPEG of at most `longest_side`
        pixels along its longest side. Returns its width and height in pixels.

        Raises PhotoError, and OSError where the JPEG cannot be written.
        """
        partial = target.with_suffix(PARTIAL)
        order = {"job": "upright", "source": str(source), "target": str(partial)}
        try:
            told, _pixels = self._ask({**order, "side": longest_side})
            partial.replace(target)
        except Exception:
            partial.unlink(missing_ok=True)
            raise
        width, height = told["size"]
        return width, height

    def frame(self, source: Path) -> tuple[dict[str, Any], bytes]:
        """Open a photograph.

        Returns the fields of a `vision.frame.Frame` by name, with the `shape` of its pixels
        (height, width, channels) in place of `pixels`; and the pixels as bytes, 8 bits for each of
        R, G and B. Raises PhotoError.
        """
        return self._ask({"job": "frame", "source": str(source)})

    def warm(self) -> None:
        """Start the child, so that the first photograph need not wait for it."""
        with self._lock:
            self._running()

    def close(self) -> None:
        """End the child process, if it runs."""
        with self._lock:
            self._end()

    def _ask(self, order: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        with self._lock:
            child = self._running()
            answered = threading.Event()
            guard = _Guard(child, self.memory, answered)
            guard.start()
            try:
                told, pixels = _exchange(child, order)
            finally:
                answered.set()
                guard.join()
            if told is None:
                self._end()
                heavy = guard.ended_it or child.returncode in TAKEN_TOO_MUCH
                raise PhotoError(Reason.TOO_HEAVY if heavy else Reason.TRUNCATED, "decoder")
            if resident(child.pid) > RESIDENT_TO_KEEP:
                self._end()
                self._running()
        if "reason" in told:
            raise PhotoError(Reason(told["reason"]), told["what"])
        if "errno" in told:
            raise OSError(told["errno"], told["told"], told["file"])
        return told, pixels

    def _running(self) -> subprocess.Popen[bytes]:
        if self._child is None or self._child.poll() is not None:
            self._end()
            run = f"from scorer_app.services.photo_child import main; main({self.memory})"
            self._child = subprocess.Popen(
                [sys.executable, "-c", run],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=_environment(),
            )
        return self._child

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe:
                with suppress(OSError):  # an order it never read is still in the pipe
                    pipe.close()


class _Guard(threading.Thread):
    """Watches a child while it works on one order. It kills the child if the child holds more than
    `memory` bytes or takes longer than WALL_SECONDS before it has `answered`.
    """

    def __init__(
        self, child: subprocess.Popen[bytes], memory: int, answered: threading.Event
    ) -> None:
        super().__init__(name="photo guard", daemon=True)
        self._child, self._memory, self._answered = child, memory, answered
        self.ended_it = False

    def run(self) -> None:
        end = time.monotonic() + WALL_SECONDS
        while not self._answered.wait(LOOK):
            if resident(self._child.pid) > self._memory or time.monotonic() > end:
                self.ended_it = True
                self._child.kill()
                return


def resident(process: int) -> int:
    """Return the bytes of memory that a process holds; 0 where the system does not tell."""
    if sys.platform == "linux":
        try:
            pages = Path(f"/proc/{process}/statm").read_text().split()[1]
        except OSError:
            return 0
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    import psutil

    try:
        return int(psutil.Process(process).memory_info().rss)
    except psutil.Error:
        return 0


def _exchange(
    child: subprocess.Popen[bytes], order: dict[str, Any]
) -> tuple[dict[str, Any] | None, bytes]:
    """Send an order to the child, and return the fields of its answer and the pixels that follow
    them. Where the child ended instead, return None and no bytes.
    """
    assert child.stdin and child.stdout
    try:
        child.stdin.write(json.dumps(order).encode() + b"\n")
        child.stdin.flush()
        line = child.stdout.readline()
        if not line.endswith(b"\n"):
            return None, b""
        told: dict[str, Any] = json.loads(line)
        height, width, channels = told.get("shape", (0, 0, 0))
        pixels = child.stdout.read(height * width * channels)
    except OSError:
        return None, b""
    return (told, pixels) if len(pixels) == height * width * channels else (None, b"")


def _environment() -> dict[str, str]:
    """Return the child's environment: that of this process, with the same module paths, and with
    libraries told to reserve no memory for further threads.
    """
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
    few_threads = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
    return {**os.environ, "PYTHONPATH": paths, **few_threads}


@cache
def shared_opener(memory: int = SERVER_MEMORY) -> PhotoOpener:
    """Return the opener that everything in this process shares. `memory` is its child's limit in
    bytes.
    """
    opener = PhotoOpener(memory)
    atexit.register(opener.close)
    return opener
