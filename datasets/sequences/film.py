"""Films a game: frames as a fixed camera sees them, with hands, shadows, flicker, noise and nudges; and the truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import cos, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.scene.hands import Limb, paint_hand, random_hand
from datasets.scene.paint import Canvas
from datasets.sequences.game import Beat, Game, Piece
from datasets.sequences.stage import SIDE_LINE, Stage
from datasets.sequences.truth import TrueEvent, TrueRow, TrueSequence, table_at
from engine import judge_meld, ruleset
from engine import tiles as engine_tiles

NOISES = 6  # precomputed pictures of sensor noise


@dataclass(frozen=True)
class FilmConfig:
    """Seconds, shares of beats, pixels."""

    seconds: float = 120.0
    fps: float = 10.0
    width: int = 1280
    height: int = 720
    melds: int = 5  # at the start
    pause: tuple[float, float] = (2.0, 3.2)  # between the end of one beat and the start of the next
    with_hand: float = 0.6  # of the beats
    idle: float = 0.25  # beats in which nothing changes: a hand or a shadow passes, the camera is nudged
    nudge: float = 0.2  # of the idle beats
    nudge_px: float = 18.0
    noise: float = 2.0
    flicker: float = 0.012
    grey: bool = False


@dataclass(frozen=True)
class Shot:
    """One frame. `covered` (h, w): where a hand hides the table, None without one."""

    pixels: NDArray[np.uint8]
    covered: NDArray[np.bool_] | None = None


@dataclass
class Pass:
    """A hand on its way: from outside to the place, a moment there, and out again; frames."""

    limbs: list[Limb]
    ahead: NDArray[np.float64]
    come: int
    stay: int
    go: int

    @property
    def frames(self) -> int:
        return self.come + self.stay + self.go

    def at(self, frame: int) -> list[Limb]:
        """Drawn back by how far it still has to come, or has gone."""
        if frame < self.come:
            back = 1 - (frame + 1) / (self.come + 1)
        elif frame < self.come + self.stay:
            back = 0.0
        else:
            back = (frame - self.come - self.stay + 1) / self.go
        shift = -self.ahead * 800.0 * back
        return [replace(limb, start=limb.start + shift, end=limb.end + shift) for limb in self.limbs]


class Film:
    """Iterate `shots` once; `truth` is complete afterwards."""

    def __init__(self, seed: int, config: FilmConfig = FilmConfig()) -> None:
        self.config = config
        self._rng = np.random.default_rng([71, seed])
        self._stage = Stage.random(self._rng, config.width, config.height)
        self._game = Game(self._rng, ruleset("burako"), turned=bool(self._rng.random() < 0.4))
        self._game.begin(config.melds)
        self._events: list[TrueEvent] = []
        self._motion = np.eye(3)  # of the camera, pixels to pixels
        self._number = 0
        self._level = 1.0
        shape = (config.height, config.width, 3)
        self._noises = [(self._rng.standard_normal(shape) * config.noise).astype(np.int16) for _ in range(NOISES)]

    def truth(self, name: str = "") -> TrueSequence:
        (x1, y1), (x2, y2) = self._stage.points(SIDE_LINE).tolist()
        config = self.config
        return TrueSequence(
            name, config.fps, self._number, config.width, config.height, ((x1, y1), (x2, y2)), tuple(self._events)
        )

    def table_at(self, frame: int) -> tuple[list[str], NDArray[np.float32]]:
        """What lies there in a frame already filmed, and the corners (n, 4, 2)."""
        return table_at(self._events, frame)

    def shots(self) -> Iterator[Shot]:
        end = int(self.config.seconds * self.config.fps)
        scene = self._picture()
        self._note(Beat(None, (0.0, 0.0)), 0, None)
        yield from self._wait(scene)
        while self._number < end:
            if self._rng.random() < self.config.idle:
                scene = yield from self._idle(scene)
            else:
                scene = yield from self._play(scene)
            yield from self._wait(scene)

    def _wait(self, scene: NDArray[np.uint8]) -> Iterator[Shot]:
        for _ in range(int(self._rng.uniform(*self.config.pause) * self.config.fps)):
            yield self._shot(scene)

    def _play(self, scene: NDArray[np.uint8]) -> Iterator[Shot]:
        """Something is done; a hand comes, changes it unseen and leaves, or it is simply there."""
        beat = self._game.beat()
        if beat is None:
            return scene
        after = self._picture()
        if self._rng.random() >= self.config.with_hand:
            self._note(beat, self._number, None)
            return after
        way, start = self._pass(beat.place), self._number
        middle = way.come + way.stay // 2
        self._note(beat, start + middle, (start, start + way.frames - 1))
        for frame in range(way.frames):
            yield self._shot(scene if frame < middle else after, way.at(frame))
        return after

    def _idle(self, scene: NDArray[np.uint8]) -> Iterator[Shot]:
        """Nothing is done, though it may look so."""
        if self._rng.random() < self.config.nudge:
            yield from self._nudged(scene)
        elif self._rng.random() < 0.5:
            way = self._pass(tuple(self._rng.uniform([-300, -180], [300, 180])))
            for frame in range(way.frames):
                yield self._shot(scene, way.at(frame))
        else:
            yield from self._shadowed(scene)
        return scene

    def _nudged(self, scene: NDArray[np.uint8]) -> Iterator[Shot]:
        """The camera jumps, with a frame or two between."""
        dx, dy = self._rng.uniform(-1, 1, 2) * self.config.nudge_px
        turn = float(self._rng.normal(0, 0.006))
        middle = np.array([self.config.width / 2, self.config.height / 2])
        c, s = cos(turn), sin(turn)
        shift = middle - np.array([[c, -s], [s, c]]) @ middle + [dx, dy]
        step = np.array([[c, -s, shift[0]], [s, c, shift[1]], [0, 0, 1.0]])
        before = self._motion
        half = step.copy()
        half[:2] = (half[:2] + np.eye(3)[:2]) / 2
        self._motion = half @ before
        yield self._shot(scene)
        self._motion = step @ before
        self._note(Beat(None, (0.0, 0.0), note="camera nudged"), self._number, None)

    def _shadowed(self, scene: NDArray[np.uint8]) -> Iterator[Shot]:
        """Somebody's shadow crosses the table, or stays a while."""
        frames = int(self._rng.uniform(1.0, 3.0) * self.config.fps)
        depth, width = float(self._rng.uniform(0.15, 0.4)), float(self._rng.uniform(0.1, 0.5))
        angle = float(self._rng.uniform(-np.pi, np.pi))
        y, x = np.mgrid[-1 : 1 : 45j, -1 : 1 : 80j].astype(np.float32)
        along = x * cos(angle) + y * sin(angle)
        for frame in range(frames):
            at = -1.6 + 3.2 * frame / frames
            shade = 1 - depth * np.exp(-(((along - at) / width) ** 4))
            full = cv2.resize(shade.astype(np.float32), (self.config.width, self.config.height))
            dark = cv2.multiply(scene, cv2.merge([full] * 3), dtype=cv2.CV_8U)
            yield self._shot(dark)  # type: ignore[arg-type]

    def _pass(self, place: tuple[float, ...]) -> Pass:
        limbs = random_hand(self._rng, place[0], place[1])
        way = limbs[0].end - limbs[0].start
        way[2] = 0.0
        seconds = self._rng.uniform([0.3, 0.2, 0.3], [0.8, 1.2, 0.8])
        come, stay, go = (max(int(s * self.config.fps), 1) for s in seconds)
        return Pass(limbs, way / np.linalg.norm(way), come, stay, go)

    def _picture(self) -> NDArray[np.uint8]:
        return self._stage.picture(self._game.pieces())

    def _shot(self, scene: NDArray[np.uint8], limbs: list[Limb] | None = None) -> Shot:
        picture, covered = scene, None
        if limbs:
            canvas = Canvas(self._stage.camera, self._stage.light, scene.copy(), np.ones(scene.shape[:2], np.uint8))
            paint_hand(canvas, limbs)
            picture, covered = canvas.image, canvas.labels == 0
        if not np.array_equal(self._motion, np.eye(3)):
            size = (self.config.width, self.config.height)
            picture = cv2.warpPerspective(picture, self._motion, size, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[assignment]
            if covered is not None:
                covered = cv2.warpPerspective(covered.astype(np.uint8), self._motion, size) > 0
        self._level += 0.1 * (1 - self._level) + float(self._rng.normal(0, self.config.flicker))
        noise = self._noises[int(self._rng.integers(NOISES))]
        picture = cv2.add(cv2.convertScaleAbs(picture, alpha=self._level), noise, dtype=cv2.CV_8U)
        if self.config.grey:
            picture = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
        self._number += 1
        return Shot(picture, covered if covered is not None and covered.any() else None)  # type: ignore[arg-type]

    def _note(self, beat: Beat, frame: int, hand: tuple[int, int] | None) -> None:
        """What is true from `frame` on."""
        free = frame if hand is None else hand[1] + 1
        self._events.append(TrueEvent(
            frame, free, beat.side, beat.added, beat.removed, beat.moved, beat.legal,
            None if beat.reason is None else str(beat.reason), beat.note, tuple(self._rows()), hand,
        ))

    def _rows(self) -> Iterator[TrueRow]:
        for meld in self._game.melds:
            verdict = judge_meld(engine_tiles(" ".join(meld.row)), ruleset("burako"))
            kind = "meld" if verdict.kind is None else str(verdict.kind)
            yield TrueRow(kind, meld.side, verdict.valid, meld.row, tuple(map(self._corners, meld.pieces)))
        pozo = self._game.pozo
        yield TrueRow("pozo", None, None, tuple(piece.tile for piece in pozo), tuple(map(self._corners, pozo)))

    def _corners(self, piece: Piece) -> list[list[float]]:
        quad = cv2.perspectiveTransform(self._stage.corners(piece)[None], self._motion)[0]
        return [[round(float(x), 2), round(float(y), 2)] for x, y in quad]
