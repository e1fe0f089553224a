"""Where frames come from: a video file as fast as it can be read, a camera, a stream. Upright RGB
with a time in seconds.

Cameras and streams are read by a thread that keeps only the newest frame, so that a slow look
never makes the picture old; one that stalls is opened again until it returns.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import cv2

from engine.messages import Language
from vision.live.plates import RGB
from vision.quality import is_colourless

OPEN_TIMEOUT, READ_TIMEOUT = 8.0, 5.0  # seconds
STALL = 5.0  # seconds without a frame after which a person is told
RETRY = (0.5, 10.0)  # seconds between attempts to open again: at first, at most
BLACK = 30  # levels: a first frame without anything brighter says nothing
MOST_FPS, USUAL_STEP = (
    240.0,
    1 / 25,
)  # a file that claims more frames a second has no usable rate; seconds
LEAST_MISSING, MOSTLY = (
    1.0,
    0.95,
)  # seconds and share of a file's frames: their number in its head may be a little off


class Trouble(Enum):
    """What may be wrong with a source."""

    NO_FILE = "no_file"
    NO_VIDEO = "no_video"
    NO_CAMERA = "no_camera"
    NO_STREAM = "no_stream"
    STALLED = "stalled"
    RETURNED = "returned"
    GREY = "grey"
    CUT_OFF = "cut_off"


_SENTENCES: dict[Trouble, dict[Language, str]] = {
    Trouble.NO_FILE: {
        "es": "No se encuentra el video o no se puede abrir: {what}.",
        "en": "The video cannot be found or opened: {what}.",
        "it": "Il video non si trova o non si può aprire: {what}.",
    },
    Trouble.NO_VIDEO: {
        "es": "El archivo no es un video que se pueda leer: {what}.",
        "en": "The file is no video that can be read: {what}.",
        "it": "Il file non è un video leggibile: {what}.",
    },
    Trouble.NO_CAMERA: {
        "es": "No hay cámara {what}, o la está usando otro programa.",
        "en": "There is no camera {what}, or another program is using it.",
        "it": "Non c'è la fotocamera {what}, o la sta usando un altro programma.",
    },
    Trouble.NO_STREAM: {
        "es": "No llega video de {what}: revisá la dirección y que la cámara esté encendida.",
        "en": "No video comes from {what}: check the address and that the camera is on.",
        "it": "Non arriva video da {what}: controlla l'indirizzo e che la telecamera sia accesa.",
    },
    Trouble.STALLED: {
        "es": "Se cortó el video de {what}; se sigue intentando.",
        "en": "The video of {what} has stopped; still trying.",
        "it": "Il video di {what} si è interrotto; si continua a provare.",
    },
    Trouble.RETURNED: {
        "es": "Volvió el video de {what}.",
        "en": "The video of {what} is back.",
        "it": "Il video di {what} è tornato.",
    },
    Trouble.GREY: {
        "es": (
            "El video de {what} no tiene color: los números se leen, los colores de las fichas no."
        ),
        "en": "The video of {what} has no colour: numbers can be read, the tiles' colours cannot.",
        "it": "Il video di {what} non ha colore: si leggono i numeri, non i colori delle tessere.",
    },
    Trouble.CUT_OFF: {
        "es": "El video se corta antes de su final, falta una parte: {what}.",
        "en": "The video breaks off before its end, a part is missing: {what}.",
        "it": "Il video si interrompe prima della fine, ne manca una parte: {what}.",
    },
}


def explain(trouble: Trouble, what: str, language: Language = "es") -> str:
    return _SENTENCES[trouble][language].format(what=what)


class SourceError(Exception):
    """The source cannot be used at all."""

    def __init__(self, trouble: Trouble, what: str) -> None:
        super().__init__(f"{trouble.value}: {what}")
        self.trouble, self.what = trouble, what

    def message(self, language: Language = "es") -> str:
        return explain(self.trouble, self.what, language)


@dataclass(frozen=True)
class TimedFrame:
    """`pixels` (h, w, 3) uint8 RGB; `time` seconds: media time of a file, since the start of a
    camera or stream.
    """

    pixels: RGB
    time: float


Report = Callable[[Trouble, str], None]


def frames(
    source: str, report: Report = lambda trouble, what: None, ended: threading.Event | None = None
) -> Iterator[TimedFrame]:
    """All frames of `source`: a camera's number, an address with `://`, or a file. Raises
    SourceError before the first frame; later trouble of cameras and streams goes to `report`,
    and frames go on when they return, until another thread sets `ended`.
    """
    name = shown_name(source)
    with _silent():
        for number, frame in enumerate(_frames(source, name, report, ended or threading.Event())):
            if number == 0 and is_grey(frame.pixels):
                report(Trouble.GREY, name)
            yield frame


def _frames(source: str, name: str, report: Report, ended: threading.Event) -> Iterator[TimedFrame]:
    if source.isdigit():
        return _live(lambda: cv2.VideoCapture(int(source)), name, Trouble.NO_CAMERA, report, ended)
    if "://" in source:
        return _live(lambda: _open_stream(source), name, Trouble.NO_STREAM, report, ended)
    return _file(source)


def is_grey(pixels: RGB) -> bool:
    """Whether a (h, w, 3) RGB picture shows anything and no colour at all."""
    return int(pixels[::8, ::8].max()) > BLACK and is_colourless(pixels)


def _file(path: str) -> Iterator[TimedFrame]:
    if not Path(path).is_file():
        raise SourceError(Trouble.NO_FILE, path)
    capture = cv2.VideoCapture(path)
    try:
        fps, promised = capture.get(cv2.CAP_PROP_FPS), capture.get(cv2.CAP_PROP_FRAME_COUNT)
        step = 1 / fps if 0 < fps <= MOST_FPS else USUAL_STEP
        number, last = 0, -step
        while (pixels := _read(capture)) is not None:
            stamp = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            last = (
                stamp if stamp > last else last + step
            )  # telephones film at a rate that varies; some files have no stamps
            number += 1
            yield TimedFrame(pixels, last)
        if not number:
            raise SourceError(Trouble.NO_VIDEO, path)
        if (promised - number) * step > LEAST_MISSING and number < promised * MOSTLY:
            raise SourceError(Trouble.CUT_OFF, path)
    finally:
        capture.release()


def _open_stream(address: str) -> cv2.VideoCapture:
    limits = [
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
        int(OPEN_TIMEOUT * 1000),
        cv2.CAP_PROP_READ_TIMEOUT_MSEC,
        int(READ_TIMEOUT * 1000),
    ]
    return cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)


def _read(capture: cv2.VideoCapture) -> RGB | None:
    try:
        done, pixels = capture.read()
    except cv2.error:  # a decoder gives up on a broken frame
        return None
    return (
        cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)
        if done and pixels is not None and pixels.size
        else None
    )


def _live(
    open_capture: Callable[[], cv2.VideoCapture],
    name: str,
    absent: Trouble,
    report: Report,
    ended: threading.Event,
) -> Iterator[TimedFrame]:
    newest = _Newest(open_capture)
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
                report(Trouble.STALLED if stalled else Trouble.RETURNED, name)
            if frame is not None:
                yield frame
    finally:
        newest.stop()


class _Newest(threading.Thread):
    """Reads on and on and keeps the newest frame; opens the source again whenever it gives none."""

    def __init__(self, open_capture: Callable[[], cv2.VideoCapture]) -> None:
        super().__init__(daemon=True, name="frames")
        self._open = open_capture
        self._changed = threading.Condition()
        self._frame: TimedFrame | None = None
        self._failed = self._ended = False
        self._began = time.monotonic()

    def take(self, timeout: float, until_failed: bool = False) -> TimedFrame | None:
        """The newest frame not yet taken; None after `timeout` seconds, or as soon as opening has
        failed if that is wanted.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: self._frame is not None or (until_failed and self._failed), timeout
            )
            frame, self._frame = self._frame, None
            return frame

    def stop(self) -> None:
        self._ended = True
        self.join(timeout=1.0)

    def run(self) -> None:
        pause = RETRY[0]
        while not self._ended:
            capture = self._open()
            while not self._ended and (pixels := _read(capture)) is not None:
                self._put(TimedFrame(pixels, time.monotonic() - self._began))
                pause = RETRY[0]
            capture.release()
            self._put(None)
            self._wait(pause)
            pause = min(2 * pause, RETRY[1])

    def _put(self, frame: TimedFrame | None) -> None:
        with self._changed:
            self._failed = frame is None
            self._frame = frame or self._frame
            self._changed.notify_all()

    def _wait(self, pause: float) -> None:
        end = time.monotonic() + pause
        while not self._ended and time.monotonic() < end:
            time.sleep(0.05)


def shown_name(source: str) -> str:
    """What people may see of a source: addresses of cameras often carry a password, before the
    host or in the query.
    """
    scheme, mark, rest = source.partition("://")
    return f"{scheme}://{rest.partition('?')[0].rpartition('@')[2]}" if mark else source


@contextmanager
def _silent() -> Iterator[None]:
    """OpenCV and FFmpeg write their own complaints to standard error; ours are the ones people
    understand.
    """
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        cv2.utils.logging.setLogLevel(level)
