"""Films a game, with its truth: frames as a fixed camera sees them, with hands, shadows, flicker,
noise and nudges of the camera.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from math import cos, radians, sin
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.scene.camera import Camera
from datasets.scene.hands import Limb, paint_hand
from datasets.scene.light import Light
from datasets.scene.paint import Canvas
from datasets.sequences import quiet
from datasets.sequences.game import Game
from datasets.sequences.lens import Lens, LensConfig
from datasets.sequences.passes import Pass, crossing_shadow, darkened
from datasets.sequences.plan import WIDE, Beat, Plan
from datasets.sequences.stage import SIDE_LINE, Stage
from datasets.sequences.sway import Sway, SwayConfig
from datasets.sequences.truth import TrueEvent, TrueRow, TrueSequence, table_at
from engine import judge_meld, ruleset
from engine import tiles as engine_tiles

Picture = NDArray[np.uint8]
MUG_PAUSE = (0.2, 1.2)  # seconds between a mug put down and the next thing done
TRIES = 20  # attempts at doing something at random, which is not always possible
QUIET: dict[Callable[[Game], Beat | None], float] = {
    quiet.shift_meld: 1.0,
    quiet.straighten: 1.0,
    quiet.slide_loose: 1.0,
    quiet.draw_stock: 2.0,
}


@dataclass(frozen=True)
class FilmConfig:
    """How a game is filmed. A *beat* is one thing that somebody does at the table.

    Times are in seconds, angles in degrees, lengths in pixels, and how often something happens is a
    share of the beats, 0..1.
    """

    seconds: float = 120.0  # length of the film
    fps: float = 10.0
    width: int = 1280
    height: int = 720
    plan: Plan = WIDE
    elevation: tuple[float, float] = (55.0, 90.0)  # of the camera above the table
    easy_light: bool = True  # as for an easy scene: even
    melds: int = 5  # at the start
    pause: tuple[float, float] = (2.0, 3.2)  # between the end of one beat and the start of the next
    with_hand: float = 0.6  # of the beats
    stay: tuple[float, float] = (0.2, 1.2)  # of a hand at its place
    double: float = 0.0  # of the beats with a hand: two changes in one visit
    idle: float = (
        0.25  # beats in which nothing changes: a hand or a shadow passes, the camera is nudged
    )
    quiet: float = 0.0  # of the idle beats: something is done that changes no meld
    nudge: float = 0.2  # of the idle beats that are not quiet: the camera or the table is nudged
    nudge_px: float = 18.0  # farthest, in x and in y
    turns: tuple[float, ...] = ()  # degrees, one of which each nudge also turns the picture by
    lens: LensConfig = field(default_factory=LensConfig)
    sway: SwayConfig = field(default_factory=SwayConfig)
    pairs: float = 0.0  # share of the beats: two tiles laid as a meld, left alone or soon completed
    second_wilds: float = 0.0  # of the beats: a wild put into a meld that has one already
    mug_first: float = 0.0  # of the beats: a mug is moved just before


@dataclass(frozen=True)
class Shot:
    """One frame. `covered`, (h, w), is True where a hand hides the table; None where no hand is in
    the frame.
    """

    pixels: Picture
    covered: NDArray[np.bool_] | None = None


Filmed = Generator[Shot, None, Picture]  # returns the table afterwards


class Table(Protocol):
    """A table that can be filmed: a rendered stage, or a photograph whose tiles can be hidden.
    `picture` paints what lies there in a game, (h, w, 3) RGB, `corners` returns the corners TL, TR,
    BR, BL of one tile, (4, 2) px, and `points` projects (n, 2) millimetres on the table to pixels.
    """

    camera: Camera
    light: Light

    def picture(self, game: Any) -> Picture: ...

    def corners(self, piece: Any) -> NDArray[np.float64]: ...

    def points(self, table: NDArray[np.float64]) -> NDArray[np.float64]: ...


class Film:
    """A film of a game, the same for the same seed. `shots` yields its frames and can be iterated
    once; `truth` is complete afterwards.

    `table` is the table that is filmed, by default a rendered one chosen at random. `game` is the
    game that is played on it, a `Game` or a `StillGame`; by default one is begun at random.
    """

    def __init__(
        self,
        seed: int,
        config: FilmConfig = FilmConfig(),
        table: Table | None = None,
        game: Any = None,
    ) -> None:
        self.config = config
        self._rng = np.random.default_rng([71, seed])
        self._table: Table = table or Stage.random(
            self._rng,
            config.width,
            config.height,
            config.plan.extent(),
            config.elevation,
            config.easy_light,
        )
        self._game = game or self._new_game()
        self._events: list[TrueEvent] = []
        self._motion = np.eye(3)  # of the camera, pixels to pixels
        self._number = 0
        self._lens = Lens(config.lens, self._rng, config.fps, (config.height, config.width))
        self._sway = Sway(config.sway, seed, config.fps, (config.width, config.height))
        self._swayed: list[NDArray[np.float64]] = []  # how each frame was moved, pixels to pixels

    def truth(self, name: str = "") -> TrueSequence:
        (x1, y1), (x2, y2) = self._table.points(SIDE_LINE).tolist()
        config = self.config
        return TrueSequence(
            name,
            config.fps,
            self._number,
            config.width,
            config.height,
            ((x1, y1), (x2, y2)),
            tuple(self._events),
        )

    def table_at(self, frame: int) -> tuple[list[str], NDArray[np.float32]]:
        """Return the tiles that lie on the table in a frame, and their corners, (n, 4, 2) px. The
        frame, counted from 0, must already have been yielded by `shots`.
        """
        tiles, corners = table_at(self._events, frame)
        if not tiles:
            return tiles, corners
        flat = cv2.perspectiveTransform(corners.reshape(1, -1, 2), self._swayed[frame])
        return tiles, flat.reshape(corners.shape).astype(np.float32)

    def shots(self) -> Iterator[Shot]:
        end = int(self.config.seconds * self.config.fps)
        scene = self._picture()
        self._note(Beat(None, (0.0, 0.0)), 0, None)
        yield from self._wait(scene, 2.0)
        while self._number < end:
            if self._rng.random() < self.config.idle:
                scene = yield from self._idle(scene)
            else:
                scene = yield from self._play(scene)
            yield from self._wait(scene)
        yield from self._wait(scene, 2.0)

    def _new_game(self) -> Game:
        game = Game(self._rng, ruleset("burako"), bool(self._rng.random() < 0.4), self.config.plan)
        game.begin(self.config.melds)
        return game

    def _wait(self, scene: Picture, least: float = 0.0) -> Iterator[Shot]:
        for _ in range(int(max(self._rng.uniform(*self.config.pause), least) * self.config.fps)):
            yield self._shot(scene)

    def _play(self, scene: Picture) -> Filmed:
        """Let the game change melds, in a way chosen at random, and film it. `scene` is the picture
        of the table before. Yields the frames and returns the picture of the table afterwards.
        Where the game finds nothing that can be done, no meld changes.

        Mostly a hand comes, makes the change beneath itself where the camera does not see it, and
        leaves. Otherwise the change is there from one frame to the next, and has no frames itself.
        """
        if self._happens(self.config.mug_first):
            scene = yield from self._mug_moved(scene)
        if self._happens(self.config.pairs):
            return (yield from self._play_pair(scene))
        beat = self._beat()
        if beat is None:
            return scene
        if self._rng.random() >= self.config.with_hand:
            self._note(beat, self._number, None)
            return self._picture()
        rows = list(self._rows())
        after = self._picture()
        second = self._game.beat() if self._rng.random() < self.config.double else None
        return (yield from self._visited(scene, after, beat, rows, second))

    def _happens(self, share: float) -> bool:
        """Decide at random whether something happens in a beat; `share`, 0..1, is its probability.

        A share of 0 takes no random number, so that it leaves the rest of the film unchanged.
        """
        return share > 0 and bool(self._rng.random() < share)

    def _beat(self) -> Beat | None:
        """Let the game do something at random and return it; None where TRIES attempts found
        nothing that can be done.
        """
        deed = self._game.beat
        if self._happens(self.config.second_wilds):
            deed = self._game.add_second_wild
        return next((beat for beat in (deed() for _ in range(TRIES)) if beat), None)

    def _mug_moved(self, scene: Picture) -> Filmed:
        """Film a hand that puts the mug elsewhere, and a moment in which nothing happens. `scene`
        is the picture of the table before. Yields the frames and returns the picture of the table
        afterwards.
        """
        rows = list(self._rows())
        beat = quiet.move_mug(self._game)
        if beat is None:
            return scene
        scene = yield from self._visited(scene, self._picture(), beat, rows)
        for _ in range(int(self._rng.uniform(*MUG_PAUSE) * self.config.fps)):
            yield self._shot(scene)
        return scene

    def _play_pair(self, scene: Picture) -> Filmed:
        """Film two tiles that are laid as a meld of their own. Chance decides whether they are left
        alone for long or the third tile is laid soon after. `scene` is the picture of the table
        before. Yields the frames and returns the picture of the table afterwards, `scene` itself
        where no two tiles could be laid.
        """
        if self._rng.random() < 0.6:
            pair = next(
                (pair for pair in (self._game.lay_pair() for _ in range(TRIES)) if pair), None
            )
            if pair is None:
                return scene
            scene = yield from self._visited(scene, self._picture(), pair, list(self._rows()))
            yield from self._wait(scene, pair.wait + 2.0)
            return scene
        slowly = next((s for s in (self._game.lay_by_and_by() for _ in range(TRIES)) if s), None)
        if slowly is None:
            return scene
        pair, complete = slowly
        scene = yield from self._visited(scene, self._picture(), pair, list(self._rows()))
        yield from self._wait(scene)
        beat = complete()
        return (yield from self._visited(scene, self._picture(), beat, list(self._rows())))

    def _visited(
        self,
        scene: Picture,
        after: Picture,
        beat: Beat,
        rows: Sequence[TrueRow],
        second: Beat | None = None,
    ) -> Filmed:
        """Film a hand that comes, does `beat` and perhaps a `second` one, and leaves. Yields the
        frames and returns the picture of the table afterwards.

        `scene` is the picture of the table before the first beat. `after` is the picture after the
        first beat, and `rows` are the true rows on the table then.
        """
        way, start = self._pass(beat.place), self._number
        middle = way.come + way.stay // 2
        visit = (start, start + way.frames - 1)
        if (
            second is not None
            and second.added == beat.removed
            and second.removed == beat.added
            and not beat.moved + second.moved
        ):
            beat = second = Beat(None, beat.place, note="done and undone in one visit")
        self._note(beat, start + middle, visit, rows)
        last, later = after, way.frames
        if second is not None:
            last, later = self._picture(), middle + max(way.stay // 2, 1)
            self._note(second, start + later, visit)
        for frame in range(way.frames):
            lying = scene if frame < middle else after if frame < later else last
            yield self._shot(lying, way.at(frame))
        return last

    def _idle(self, scene: Picture) -> Filmed:
        """Film something, chosen at random, that changes no meld although it may look like a
        change: a thing that is moved, a nudge of the camera, a hand that comes and goes, or a
        shadow. `scene` is the picture of the table before. Yields the frames and returns the
        picture of the table afterwards.
        """
        if self._rng.random() < self.config.quiet:
            return (yield from self._quietly(scene))
        if self._rng.random() < self.config.nudge:
            yield from self._nudged(scene)
        elif self._rng.random() < 0.5:
            way = self._pass(tuple(self._rng.uniform([-300, -180], [300, 180])))
            for frame in range(way.frames):
                yield self._shot(scene, way.at(frame))
        else:
            for shade in crossing_shadow(
                self._rng, int(self._rng.uniform(1.0, 3.0) * self.config.fps)
            ):
                yield self._shot(darkened(scene, shade))
        return scene

    def _quietly(self, scene: Picture) -> Filmed:
        deeds = QUIET | ({quiet.move_box: 5.0} if self.config.plan.box else {})
        weights = np.array(list(deeds.values()))
        beat = list(deeds)[int(self._rng.choice(len(deeds), p=weights / weights.sum()))](self._game)
        if beat is None:
            return scene
        return (yield from self._visited(scene, self._picture(), beat, list(self._rows())))

    def _nudged(self, scene: Picture) -> Iterator[Shot]:
        """Film a jump of the camera, or a turn of the table under it: shift and turn the picture at
        random. Yield one frame of `scene` that is shifted and turned by half as much. All later
        frames are shifted and turned in full.
        """
        dx, dy = self._rng.uniform(-1, 1, 2) * self.config.nudge_px
        turn = float(self._rng.normal(0, 0.006))
        if self.config.turns:
            turn += radians(float(self._rng.choice(self.config.turns)))
        middle = np.array([self.config.width / 2, self.config.height / 2])
        before = self._motion
        for share in (0.5, 1.0):
            c, s = cos(share * turn), sin(share * turn)
            shift = middle - np.array([[c, -s], [s, c]]) @ middle + share * np.array([dx, dy])
            self._motion = np.array([[c, -s, shift[0]], [s, c, shift[1]], [0, 0, 1.0]]) @ before
            if share < 1:
                yield self._shot(scene)
        self._note(Beat(None, (0.0, 0.0), note="camera nudged"), self._number, None)

    def _pass(self, place: tuple[float, ...]) -> Pass:
        return Pass.random(self._rng, place, self.config.fps, self.config.stay)

    def _picture(self) -> Picture:
        return self._table.picture(self._game)

    def _shot(self, scene: Picture, limbs: list[Limb] | None = None) -> Shot:
        picture, covered = self._with_hand(scene, limbs) if limbs else (scene, None)
        swayed = np.eye(3) if self.config.sway.is_still else self._sway.next()
        self._swayed.append(swayed)
        motion = swayed @ self._motion
        if not np.array_equal(motion, np.eye(3)):
            size = (self.config.width, self.config.height)
            picture = np.asarray(
                cv2.warpPerspective(picture, motion, size, borderMode=cv2.BORDER_REPLICATE),
                np.uint8,
            )
            if covered is not None:
                covered = cv2.warpPerspective(covered.astype(np.uint8), motion, size) > 0
        self._number += 1
        return Shot(
            self._lens.take(picture), covered if covered is not None and covered.any() else None
        )

    def _with_hand(self, scene: Picture, limbs: list[Limb]) -> tuple[Picture, NDArray[np.bool_]]:
        """Return the scene with a hand, made of `limbs`, painted over it, and a mask (h, w) that is
        True where the hand covers the table.
        """
        everywhere = np.ones(scene.shape[:2], np.uint8)
        canvas = Canvas(self._table.camera, self._table.light, scene.copy(), everywhere)
        paint_hand(canvas, limbs)
        return canvas.image, canvas.labels == 0

    def _note(
        self,
        beat: Beat,
        frame: int,
        hand: tuple[int, int] | None,
        rows: Sequence[TrueRow] | None = None,
    ) -> None:
        """Record a beat as an event of the truth, with the table as it is from `frame` on.

        `hand` holds the numbers of the first and the last frame with a hand; None without a hand.
        `rows` are the true rows on the table, by default the present ones.
        """
        free = frame if hand is None else hand[1] + 1
        free += round(beat.wait * self.config.fps)
        self._events.append(
            TrueEvent(
                frame,
                free,
                beat.side,
                beat.added,
                beat.removed,
                beat.moved,
                beat.legal,
                None if beat.reason is None else str(beat.reason),
                beat.note,
                tuple(self._rows() if rows is None else rows),
                hand,
            )
        )

    def _rows(self) -> Iterator[TrueRow]:
        for meld in self._game.melds:
            verdict = judge_meld(engine_tiles(" ".join(meld.row)), ruleset("burako"))
            kind = "meld" if verdict.kind is None else str(verdict.kind)
            yield TrueRow(
                kind, meld.side, verdict.valid, meld.row, tuple(map(self._corners, meld.pieces))
            )
        pozo = self._game.pozo
        yield TrueRow(
            "pozo", None, None, tuple(piece.tile for piece in pozo), tuple(map(self._corners, pozo))
        )

    def _corners(self, piece: Any) -> list[list[float]]:
        quad = cv2.perspectiveTransform(self._table.corners(piece)[None], self._motion)[0]
        return [[round(float(x), 2), round(float(y), 2)] for x, y in quad]
