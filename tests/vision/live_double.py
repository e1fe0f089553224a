"""A table drawn with rectangles and eyes that know it: the live referee's own logic, without networks or renderer."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.sequences.eyes import Faults, TruthEyes
from engine.tiles import COLOURS
from vision.live import LiveEvent, StableTable, Watch

WIDTH, HEIGHT = 24, 34
STEP = 25
INKS = dict(zip(COLOURS, ((200, 30, 30), (30, 60, 200), (30, 30, 30), (220, 160, 20)), strict=True))
SKIN = (215, 160, 130)


class DrawnTable:
    """`lay` and `lift` change it; `hand` and `shift` disturb; `play` shows it to a referee for some seconds."""

    def __init__(self, size: tuple[int, int] = (640, 360), fps: float = 10.0, line: Any = None, rules: str = "burako") -> None:
        self.size, self.fps = size, fps
        self.places: dict[tuple[int, int], str] = {}
        self.hand: tuple[int, int] | None = None
        self.shift = (0, 0)
        self.gain, self.grey = 1.0, False
        self._rng = np.random.default_rng(5)
        rows, columns = np.mgrid[: size[1] + 80, : size[0] + 80]
        grain = 12 * np.sin(columns / 17.0) + 10 * np.cos(rows / 23.0) + self._rng.normal(0, 3, rows.shape)
        self._ground = np.clip(np.array([40, 110, 60]) + grain[..., None], 0, 255).astype(np.uint8)
        self._noises = [self._rng.normal(0, 2, (size[1], size[0], 3)).astype(np.int16) for _ in range(3)]
        self.eyes = TruthEyes(self, Faults(jitter=0.2))
        self.watch = Watch(self.eyes, rules, line)
        self.frames = 0

    def lay(self, tiles: str, x: int, y: int) -> None:
        for place, tile in enumerate(tiles.split()):
            self.places[x + place * STEP, y] = tile

    def lift(self, x: int, y: int, count: int = 1) -> None:
        for place in range(count):
            del self.places[x + place * STEP, y]

    def table_at(self, frame: int) -> tuple[list[str], NDArray[np.float32]]:
        box = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
        quads = [box + np.add(place, self.shift) for place in self.places]
        return list(self.places.values()), np.array(quads, np.float32).reshape(-1, 4, 2)

    def picture(self) -> NDArray[np.uint8]:
        dx, dy = self.shift
        image = self._ground[40 - dy : 40 - dy + self.size[1], 40 - dx : 40 - dx + self.size[0]].copy()
        for (x, y), tile in self.places.items():
            at = x + dx, y + dy
            cv2.rectangle(image, at, (at[0] + WIDTH, at[1] + HEIGHT), (235, 228, 210), -1)
            ink = INKS.get(tile[-1], (150, 0, 150))
            cv2.putText(image, tile[:-1] or "*", (at[0] + 2, at[1] + 18), cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 2)
        self.eyes.covered = None
        if self.hand is not None:
            mask = np.zeros(image.shape[:2], np.uint8)
            cv2.line(mask, self.hand, (self.hand[0] + 60, self.size[1] + 60), 1, 70)
            image[mask > 0] = SKIN
            self.eyes.covered = mask > 0
        noise = self._noises[int(self._rng.integers(len(self._noises)))]
        image = cv2.add(cv2.convertScaleAbs(image, alpha=self.gain), noise, dtype=cv2.CV_8U)
        return cv2.cvtColor(image, cv2.COLOR_RGB2GRAY) if self.grey else image  # type: ignore[return-value]

    def play(self, seconds: float) -> list[LiveEvent]:
        return [told for told in self.play_all(seconds) if isinstance(told, LiveEvent)]

    def play_all(self, seconds: float) -> list[LiveEvent | StableTable]:
        told: list[LiveEvent | StableTable] = []
        for _ in range(round(seconds * self.fps)):
            told += self.watch.see(self.picture(), self.frames / self.fps)
            self.frames += 1
        return told

    def melds(self) -> list[str]:
        assert self.watch.table is not None
        return sorted(" ".join(str(tile) for tile in meld.row) for meld in self.watch.table.melds)


def summary(events: list[LiveEvent]) -> list[tuple[str, str, bool, str | None]]:
    return [(e.change.value, " ".join(str(tile) for tile in e.tiles), e.legal, e.reason) for e in events]
