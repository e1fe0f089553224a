"""The child process in which photographs are opened, so that a hostile file can harm no other
process.

`PhotoOpener` starts it, writes orders to its standard input, one JSON object a line, and reads one
answer a line from its standard output; the pixels of a frame follow their line. The process ends
when its input does. Its memory and processor time are limited where the system can limit them.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer_app.services.kept_jpeg import save_jpeg
from vision.errors import PhotoError, Reason
from vision.frame import load

CPU_SECONDS = 10  # for one photograph; one of 12 megapixels takes 0.1 s, on a slow machine 0.5 s
Answer = tuple[dict[str, Any], NDArray[np.uint8] | None]


def main(memory: int) -> None:
    """Answer orders until the input ends. `memory` is how many bytes this process may hold."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    answers, orders = os.fdopen(os.dup(1), "wb"), sys.stdin.buffer
    _silence_the_decoders()
    _limit_memory(memory)
    serve(orders, answers)


def serve(orders: BinaryIO, answers: BinaryIO) -> None:
    """Answer each order, a line of JSON in `orders`, with a line of JSON in `answers`. Where the
    answer tells of a frame, the frame's pixels follow the line.
    """
    for line in orders:
        _limit_time()
        told, pixels = _answer(json.loads(line))
        answers.write(json.dumps(told).encode() + b"\n")
        if pixels is not None:
            answers.write(pixels.data)
        answers.flush()
        del pixels


def _answer(order: dict[str, Any]) -> Answer:
    jobs: dict[str, Callable[[dict[str, Any]], Answer]] = {"upright": _upright, "frame": _frame}
    try:
        return jobs[order["job"]](order)
    except PhotoError as error:
        return {"reason": error.reason.value, "what": error.what}, None
    except MemoryError:
        return {"reason": Reason.TOO_HEAVY.value, "what": "MemoryError"}, None
    except OSError as error:
        told = {"errno": error.errno, "told": error.strerror, "file": str(error.filename or "")}
        return told, None


def _upright(order: dict[str, Any]) -> Answer:
    """Write the photograph `source` of an order as an upright JPEG of at most `side` pixels along
    its longest side to the path `target`, and answer with its `size`, (width, height) in pixels.
    Nothing but the pixels is carried over, so that the place and the time which the camera noted
    are gone. Raises PhotoError for a file that cannot be read as a photograph.
    """
    picture = _shrunk(load(Path(order["source"])).pixels, order["side"])
    save_jpeg(picture, order["target"])
    height, width = picture.shape[:2]
    return {"size": (width, height)}, None


def _shrunk(pixels: NDArray[np.uint8], most: int) -> NDArray[np.uint8]:
    """Return a picture, (h, w, 3), whose longest side has at most `most` pixels.

    OpenCV's mean over areas takes half the time of Pillow's bicubic filter.
    """
    height, width = pixels.shape[:2]
    scale = most / max(height, width)
    if scale >= 1:
        return pixels
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def _frame(order: dict[str, Any]) -> Answer:
    frame = load(Path(order["source"]))
    told = {
        "shape": frame.pixels.shape,
        "width": frame.width,
        "height": frame.height,
        "scale": frame.scale,
        "first_of_many": frame.first_of_many,
        "few_colours": frame.few_colours,
    }
    return told, np.ascontiguousarray(frame.pixels)


def _silence_the_decoders() -> None:
    """Discard what the decoding libraries print; Python's own errors still reach standard error."""
    sys.stderr = os.fdopen(os.dup(2), "w", errors="backslashreplace")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)


def _limit_memory(most: int) -> None:
    """Limit the bytes of data of this process to `most`. Only Linux can do that; on other systems
    the parent watches how much memory this process holds.
    """
    if sys.platform == "linux":
        import resource

        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _limit_time() -> None:
    """Have the system end this process if it takes too much processor time from now on.

    Windows has no such limit; there only the parent looks at the clock.
    """
    if sys.platform != "win32":
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        soft = int(used.ru_utime + used.ru_stime) + 1 + CPU_SECONDS
        with suppress(ValueError, OSError):
            resource.setrlimit(
                resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1])
            )
