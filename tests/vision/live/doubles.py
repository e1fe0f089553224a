"""A table drawn with rectangles and eyes that know it, for tests of the live referee's logic
without networks or renderer; and a camera on the local network.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache, wraps
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ParamSpec

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.sequences.eyes import Faults, TruthEyes
from engine.tiles import COLOURS
from vision.live import LiveEvent, Update, Watch

WIDTH, HEIGHT = 24, 34
STEP = 25
INKS = dict(zip(COLOURS, ((200, 30, 30), (30, 60, 200), (30, 30, 30), (220, 160, 20)), strict=True))
SKIN = (215, 160, 130)
SETTLED = 1.2  # seconds within which a change has to be told
LID, PRINTED = (40, 50, 150), "7R 8K 9Y"


@cache
def _cloth(size: tuple[int, int]) -> tuple[NDArray[np.uint8], list[NDArray[np.int16]]]:
    """Draw the cloth below the tiles, 40 pixels larger on each side than a picture of `size`
    (width, height), and the noise of three pictures.
    """
    rng = np.random.default_rng(5)
    rows, columns = np.mgrid[: size[1] + 80, : size[0] + 80]
    grain = 12 * np.sin(columns / 17.0) + 10 * np.cos(rows / 23.0) + rng.normal(0, 3, rows.shape)
    ground = np.clip(np.array([40, 110, 60]) + grain[..., None], 0, 255).astype(np.uint8)
    noises = [rng.normal(0, 2, (size[1], size[0], 3)).astype(np.int16) for _ in range(3)]
    return ground, noises


class DrawnTable:
    """A drawn table for tests.

    `lay` and `lift` change it, `hand` and `shift` disturb it, and `play` shows it to a referee for
    some seconds.
    """

    def __init__(
        self,
        size: tuple[int, int] = (640, 360),
        fps: float = 5.0,
        line: Any = None,
        rules: str = "burako",
    ) -> None:
        self.size, self.fps = size, fps
        self.places: dict[tuple[int, int], str] = {}
        # Boxes x0, y0, x1, y1 of what lies below the tiles.
        self.mats: dict[tuple[int, int, int, int], tuple[int, int, int]] = {}
        self.hand: tuple[int, int] | None = None
        self.shift = (0, 0)
        self.drift = (0.0, 0.0)  # pixels by which the camera is off, after all else
        # x0, y0, x1, y1 of what the frames show, before it is zoomed.
        self.zoom, self.crop = (1.0, (0, 0, *size))
        self.gain, self.grey = 1.0, False
        self._rng = np.random.default_rng(5)
        self._ground, self._noises = _cloth(size)
        self._drawn: dict[object, tuple[NDArray[np.uint8], NDArray[np.bool_] | None]] = {}
        self.eyes = TruthEyes(self, Faults(jitter=0.2))
        self.watch = Watch(self.eyes, rules, line)
        self.frames = 0

    def lay(self, tiles: str, x: int, y: int) -> None:
        for place, tile in enumerate(tiles.split()):
            self.places[x + place * STEP, y] = tile

    def lift(self, x: int, y: int, count: int = 1) -> None:
        for place in range(count):
            del self.places[x + place * STEP, y]

    def put_box(self, x: int, y: int) -> None:
        """Put down the game's box, with three tiles printed on its lid."""
        self.mats[x, y, x + 190, y + 110] = LID
        self.lay(PRINTED, x + 55, y + 45)

    def take_box(self, x: int, y: int) -> None:
        del self.mats[x, y, x + 190, y + 110]
        self.lift(x + 55, y + 45, 3)

    def table_at(self, frame: int) -> tuple[list[str], NDArray[np.float32]]:
        box = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
        quads = [
            (box + np.add(place, self.shift) - self.crop[:2]) * self.zoom for place in self.places
        ]
        corners = np.array(quads, np.float32).reshape(-1, 4, 2)
        return list(self.places.values()), corners + np.array(self.drift, np.float32)

    def picture(self) -> NDArray[np.uint8]:
        """Return the next frame, read-only; what an earlier frame showed is not drawn again."""
        noise = int(self._rng.integers(len(self._noises)))
        camera = (self.shift, self.drift, self.zoom, self.crop, self.gain, self.grey)
        key = (noise, self.hand, camera, *self.mats.items(), *self.places.items())
        if key not in self._drawn:
            if len(self._drawn) >= 2 * len(self._noises):
                self._drawn.clear()
            self._drawn[key] = self._draw(noise)
            self._drawn[key][0].setflags(write=False)
        image, self.eyes.covered = self._drawn[key]
        return image

    def _draw(self, noise: int) -> tuple[NDArray[np.uint8], NDArray[np.bool_] | None]:
        """Draw the frame with this noise.

        Returns it with the mask of what the hand covers, (h, w), None without a hand.
        """
        dx, dy = self.shift
        image = self._ground[
            40 - dy : 40 - dy + self.size[1], 40 - dx : 40 - dx + self.size[0]
        ].copy()
        for (x0, y0, x1, y1), colour in self.mats.items():
            cv2.rectangle(image, (x0 + dx, y0 + dy), (x1 + dx, y1 + dy), colour, -1)
        for (x, y), tile in self.places.items():
            at = x + dx, y + dy
            cv2.rectangle(image, at, (at[0] + WIDTH, at[1] + HEIGHT), (235, 228, 210), -1)
            ink = INKS.get(tile[-1], (150, 0, 150))
            cv2.putText(
                image,
                tile[:-1] or "*",
                (at[0] + 2, at[1] + 18),
                cv2.FONT_HERSHEY_SIMPLEX,
                0.5,
                ink,
                2,
            )
        covered = None
        if self.hand is not None:
            mask = np.zeros(image.shape[:2], np.uint8)
            cv2.line(mask, self.hand, (self.hand[0] + 60, self.size[1] + 60), 1, 70)
            covered = mask > 0
            image[covered] = SKIN
        lit = cv2.convertScaleAbs(image, alpha=self.gain)
        image = cv2.add(lit, self._noises[noise], dtype=cv2.CV_8U)
        x0, y0, x1, y1 = self.crop
        image = cv2.resize(
            image[y0:y1, x0:x1], None, fx=self.zoom, fy=self.zoom, interpolation=cv2.INTER_LINEAR
        )
        if any(self.drift):
            (dx, dy), size = self.drift, image.shape[1::-1]
            image = cv2.warpAffine(  # type: ignore[assignment]
                image, np.array([[1, 0, dx], [0, 1, dy]]), size, borderMode=cv2.BORDER_REPLICATE
            )
        shown = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY) if self.grey else image
        return np.asarray(shown, np.uint8), covered

    def play(self, seconds: float) -> list[LiveEvent]:
        return [told for told in self.play_all(seconds) if isinstance(told, LiveEvent)]

    def play_all(self, seconds: float) -> list[Update]:
        told: list[Update] = []
        frames = round(seconds * self.fps)
        assert frames, (
            f"expected at least a frame's time, got {seconds} s of {self.fps} frames each"
        )
        for _ in range(frames):
            told += self.watch.see(self.picture(), self.frames / self.fps)
            self.frames += 1
        return told

    def printed(self) -> list[str]:
        assert self.watch.table is not None
        return [" ".join(str(tile.tile) for tile in row) for row in self.watch.table.printed]

    def melds(self) -> list[str]:
        assert self.watch.table is not None
        return sorted(" ".join(str(tile) for tile in meld.row) for meld in self.watch.table.melds)


Options = ParamSpec("Options")


def made_once(make: Callable[Options, DrawnTable]) -> Callable[Options, DrawnTable]:
    """Let a function that shows a referee a table run once for the same arguments.

    Each caller gets a copy of the table and its referee as they were when it ended; pictures that
    nothing changes are shared by all copies.
    """
    known = cache(make)

    @wraps(make)
    def copied(*arguments: Options.args, **options: Options.kwargs) -> DrawnTable:
        table = known(*arguments, **options)  # type: ignore[arg-type]
        unchanging = [table._ground, table._noises, *(one for one, _ in table._drawn.values())]
        return deepcopy(table, {id(picture): picture for picture in unchanging})

    return copied


@made_once
def started(**options: object) -> DrawnTable:
    """Draw a table with two melds, and let the referee see it."""
    table = DrawnTable(**options)  # type: ignore[arg-type]
    table.lay("3R 4R 5R", 100, 60)
    table.lay("6B 6K 6Y", 100, 160)
    assert table.play(1.5) == []
    return table


def summary(events: list[LiveEvent]) -> list[tuple[str, str, bool, str | None]]:
    return [
        (e.kind.value, " ".join(str(tile) for tile in e.tiles), e.legal, e.reason) for e in events
    ]


class _Camera(BaseHTTPRequestHandler):
    """Sends `server.picture` over and over while `server.state` is "on"; while it is "silent" the
    connection stays open and nothing is sent.
    """

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        try:
            while self.server.state != "off":  # type: ignore[attr-defined]
                if self.server.state == "on":  # type: ignore[attr-defined]
                    self.wfile.write(self._part())
                time.sleep(0.03)
        except OSError:
            return

    def _part(self) -> bytes:
        _, jpeg = cv2.imencode(".jpg", self.server.picture)  # type: ignore[attr-defined]
        return b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n" % (
            len(jpeg),
            jpeg.tobytes(),
        )

    def log_message(self, *args: object) -> None:
        return


def mjpeg_server(picture: NDArray[np.uint8]) -> Iterator[ThreadingHTTPServer]:
    """Run an MJPEG camera on a free local port, for a fixture to yield."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Camera)
    server.daemon_threads = True
    server.state, server.picture = "on", picture  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.state = "off"  # type: ignore[attr-defined]
    server.shutdown()
    server.server_close()


def loose(table: DrawnTable) -> list[str]:
    assert table.watch.table is not None
    return sorted(str(tile.tile) for tile in table.watch.table.loose)
