"""Cameras on the server, which watch a table in the background. A camera is named by a number, a
stream's address, or a file that was named when the server started.

An address is hostile input, since this program connects wherever the address points. Only the
host, the person who decides about the server, may type an address, and only one with a scheme of
SCHEMES. Every scorer may choose among the files and addresses that the command line named (`burako
serve --camera`), and sees no password in them.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import threading
import time
from collections.abc import Callable
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scorer_app.texts.events import camera_sentence
from scorer_app.texts.languages import Language

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.live.sources import SourceProblem

log = logging.getLogger(__name__)
SCHEMES = ("rtsp", "rtsps", "http", "https")
LONGEST_ADDRESS = 300  # characters
LONGEST_NAME = 60  # characters of a source that a camera's name shows; the store keeps 80 of all
LETTING_GO = 6.0  # seconds that a camera may take to end, since it may be waiting for a frame
MOST_A_SECOND = 15.0  # frames passed on to the watch
CAMERA_NUMBER, INVISIBLE = re.compile(r"[0-9]{1,2}"), re.compile(r"[\x00-\x20\x7f]")


class CameraState(StrEnum):
    """What a camera is doing; each has its sentence in the texts (`js.live.camera.VALUE`)."""

    OPENING = "opening"
    WATCHING = "watching"
    STALLED = "stalled"
    FAILED = "failed"
    ENDED = "ended"  # the file is at its end, or the camera was told to stop


class ServerCamera(threading.Thread):
    """Passes the frames of a source, (h, w, 3) uint8 RGB, to `see`, until that returns False
    because nobody wants them any more.

    Calls `changed` when its state changes. `after` is an earlier camera that may still hold the
    same device; the new one waits until that has ended.
    """

    def __init__(
        self,
        source: str,
        see: Callable[[NDArray[np.uint8]], bool],
        changed: Callable[[], None],
        after: ServerCamera | None = None,
    ) -> None:
        super().__init__(daemon=True, name=camera_name(source))
        self.source, self.state = source, CameraState.OPENING
        self._see, self._changed, self._after = see, changed, after
        self._ended = threading.Event()
        self._problem: SourceProblem | None = None

    @property
    def is_over(self) -> bool:
        """Whether the camera passes on no more frames: it has ended or failed."""
        return self.state in (CameraState.ENDED, CameraState.FAILED)

    def end(self) -> None:
        """Pass on no more frames; the device is closed within seconds."""
        self._ended.set()
        self._become(CameraState.ENDED)

    def to_json(self, language: Language) -> dict[str, Any]:
        """Return the JSON of the camera for a page, with a sentence about its trouble if it has
        one. Neither names the folder of a file.
        """
        name = source_name(self.source)
        return {
            "kind": "server",
            "state": self.state,
            "name": name,
            "message": self._problem and camera_sentence(self._problem, name, language),
        }

    def run(self) -> None:
        from vision.live.sources import SourceError

        try:
            if self._after is not None:
                self._after.join(LETTING_GO)
                self._after = None
            self._watch()
            self._become(CameraState.ENDED)
        except SourceError as error:
            self._become(CameraState.FAILED, error.problem)
        except Exception:  # a thread that dies must not leave the page waiting
            log.exception("watching with %s failed", source_name(self.source))
            self._become(CameraState.FAILED)

    def _watch(self) -> None:
        from vision.live.sources import frames

        began, last = time.monotonic(), float("-inf")
        for frame in frames(self.source, self._report, self._ended):
            if self.state is CameraState.OPENING:
                self._become(CameraState.WATCHING)
            # A file is shown as fast as it was filmed.
            if self._ended.wait(max(0.0, began + frame.time - time.monotonic())):
                return
            if time.monotonic() - last >= 1 / MOST_A_SECOND:
                last = time.monotonic()
                if not self._see(frame.pixels):
                    return

    def _report(self, problem: SourceProblem, _source: str) -> None:
        stalled, returned = problem.value == "stalled", problem.value == "returned"
        state = CameraState.STALLED if stalled else CameraState.WATCHING
        self._become(state, None if returned else problem)

    def _become(self, state: CameraState, problem: SourceProblem | None = None) -> None:
        if self.is_over:
            return
        self.state, self._problem = state, problem
        self._changed()


def source_name(source: str) -> str:
    """Return the name of a source for people: its number, its address without a password, or its
    file without the folder.
    """
    from vision.live.sources import shown_name

    if source.isdigit():
        return source
    return shown_name(source) if "://" in source else Path(source).name


def is_missing_file(source: str) -> bool:
    """Whether a source is neither a camera's number nor an address, and no file is there."""
    return _is_path(source) and not os.path.exists(source)


def is_folder(source: str) -> bool:
    """Whether a source is neither a camera's number nor an address, and a folder has that name."""
    return _is_path(source) and os.path.isdir(source)


def _is_path(source: str) -> bool:
    return not source.isdigit() and "://" not in source


def is_missing_camera(source: str) -> bool:
    """Whether a source is the number of a camera that this machine does not have.

    The camera is not opened, since that takes seconds and keeps other programs from using it. Linux
    alone shows without that which cameras there are; elsewhere none is said to be missing. OpenCV
    takes numbers from 100 on for a camera and the library that is to open it; of these, nothing is
    said either.
    """
    if sys.platform != "linux" or not CAMERA_NUMBER.fullmatch(source):
        return False
    return not Path(f"/dev/video{int(source)}").exists()


def camera_name(source: str) -> str:
    """Return the name by which a watch tells the camera of this source from others. Sources that
    people see under one name, such as the channels of one recorder, have different names here.
    """
    shown = source_name(source)
    if shown == source and len(source) <= LONGEST_NAME:
        return f"camera {shown}"
    return f"camera {sha256(source.encode('utf-8', 'surrogateescape')).hexdigest()[:16]}"


def typed_source(text: object) -> str | None:
    """Return a camera's number or a stream's address as typed, without surrounding blanks; None for
    anything else, files included.
    """
    source = text.strip() if isinstance(text, str) else ""
    if CAMERA_NUMBER.fullmatch(source):
        return source
    if len(source) > LONGEST_ADDRESS or INVISIBLE.search(source):
        return None
    try:
        parts = urlsplit(source)
        usable = parts.scheme in SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, brackets that do not close
        return None
    return source if usable else None
