"""Plays a game of two sides who also make mistakes. The game knows what lies on the table after
each beat, that is after each thing that somebody does, and what truly happened. Each method that
changes melds returns what it did as a `Beat`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import pi
from typing import Any

import numpy as np

from datasets.scene.melds import Pack, draw_row
from datasets.sequences.plan import LANE, POZO_STEP, STEP, WIDE, Beat, Laid, Piece, Plan, Row
from engine import judge_meld
from engine.changes import Change, ChangeVerdict, judge_change
from engine.rulesets import RuleSet
from engine.tiles import Tile

PAIR_SECONDS = 5.0  # after which two tiles left alone are a meld that is too short


@dataclass
class Game:
    """A game; each call of `beat()` lets somebody do one thing.

    Side A sits near the camera and side B opposite. If `turned`, the tiles of side B read from its
    own seat, so that they are upside down for the camera.
    """

    rng: np.random.Generator
    rules: RuleSet
    turned: bool = False
    plan: Plan = WIDE
    melds: list[Laid] = field(default_factory=list)
    pozo: list[Piece] = field(default_factory=list)
    # Melds with a mistake, each with the function that puts it right.
    undo: list[tuple[tuple[Laid, ...], Callable[[], Beat]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pack = Pack(self.rng)
        self.stock = [3] * len(self.plan.stock)  # heights of the piles
        # x and y in mm, turn in radians.
        self.box = (
            None if self.plan.box is None else (*self.plan.box, float(self.rng.normal(0, 0.3)))
        )
        self.mug = self.plan.mug[0] if self.plan.mug else None  # x, y

    def begin(self, melds: int) -> None:
        for _ in range(melds):
            self.lay(legal=True)
        self.discard()

    def pieces(self) -> list[Piece]:
        return [piece for meld in self.melds for piece in meld.pieces] + self.pozo

    def beat(self) -> Beat | None:
        """Do one thing at random. Where an earlier thing waits to be undone or put right, this is
        often done. Returns None where the thing chosen was not possible.
        """
        if self.undo and self.rng.random() < 0.6:
            return self.undo.pop(0)[1]()
        deeds: dict[Callable[[], Beat | None], float] = {
            lambda: self.lay(legal=True): 3,
            lambda: self.lay(legal=False): 0.7,
            self.add: 5,
            self.add_wrongly: 1.5,
            self.replace_wild: 2.0,
            self.move_wild: 1.0,
            self.take: 1.0,
            self.take_all: 0.4,
            self.move_over: 0.7,
        }
        weights = np.array(list(deeds.values()))
        beat = list(deeds)[int(self.rng.choice(len(deeds), p=weights / weights.sum()))]()
        if beat is not None and self.rng.random() < 0.6:
            self.discard()
        return beat

    def lay(self, legal: bool) -> Beat | None:
        side = str(self.rng.choice(["A", "B"]))
        free = self.free_places(side)
        row = tuple(draw_row(self.rng, self.pack, 5))
        meld = judge_meld(_tiles(row), self.rules)
        if not free or len(row) < 3 or meld.valid != legal:
            self.pack.back(list(row))
            return None
        lane, column = free[int(self.rng.integers(len(free)))]
        laid = Laid(side, lane, column, int(self.rng.integers(2, 4)), [])
        self._put(laid, row)
        self.melds.append(laid)
        if not legal:
            self.undo.append(((laid,), lambda: self._lift(laid, "taken back as a whole")))
        return self._done(laid, "new meld", added=row, legal=legal, reason=meld.reason)

    def lay_pair(self) -> Beat | None:
        """Lay two tiles as a meld of their own, although a third is lacking, and return what was
        done; None where that is not possible.
        """
        side = str(self.rng.choice(["A", "B"]))
        free, row = self.free_places(side), tuple(draw_row(self.rng, self.pack, 3))
        if not free or len(row) != 3 or not judge_meld(_tiles(row), self.rules).valid:
            self.pack.back(list(row))
            return None
        self.pack.back([row[2]])
        lane, column = free[int(self.rng.integers(len(free)))]
        laid = Laid(side, lane, column, int(self.rng.integers(2, 4)), [])
        self._put(laid, row[:2])
        self.melds.append(laid)
        self.undo.append(((laid,), lambda: self._end_pair(laid, row)))
        wrong: dict[str, Any] = {"legal": False, "reason": "too_short", "wait": PAIR_SECONDS}
        return self._done(laid, "two tiles laid as a meld", added=row[:2], **wrong)

    def _end_pair(self, laid: Laid, row: Row) -> Beat:
        """Lay the third tile of the meld `laid`, which has two, or take its two tiles back: by
        chance, or because the pack lacks the third. `row` is the meld of all three tiles.
        """
        if self.rng.random() < 0.4 or not self.pack.take(row[2]):
            return self._lift(laid, "two tiles taken back")
        self._put(laid, row)
        return self._done(laid, "the third tile", added=row[2:])

    def lay_by_and_by(self) -> tuple[Beat, Callable[[], Beat]] | None:
        """Lay two tiles of a meld. Its third tile follows so soon that the referee may report
        nothing before it lies there.

        Returns the beat of the two tiles and a function. The function lays the third tile and
        returns the beat to be reported, which adds the whole meld; if no third tile is left, it
        takes the two tiles back. Returns None where nothing can be laid.
        """
        pair = self.lay_pair()
        if pair is None:
            return None
        (laid,), _ = self.undo.pop()
        row = laid.row

        def complete() -> Beat:
            for tile in [f"{number}{colour}" for colour in "RBKY" for number in range(1, 14)]:
                if judge_meld(_tiles((*row, tile)), self.rules).valid and self.pack.take(tile):
                    self._put(laid, (*row, tile))
                    return self._done(laid, "laid by and by", added=laid.row)
            return self._lift(laid, "two tiles taken back at once")

        return replace(pair, added=(), legal=True, reason=None, wait=0.0), complete

    def add_second_wild(self) -> Beat | None:
        """Add a wild, mostly to a meld with a comodín, where that is not allowed. Return the Beat;
        None where the meld chosen at random allows no such mistake.
        """
        wild = [meld for meld in self.melds if "J" in meld.row]
        laid = self.sound()
        if wild and laid is not None and laid not in wild:
            laid = next((meld for meld in wild if self._is_sound(meld)), laid)
        if laid is None:
            return None
        for tile in self.rng.permutation(["2R", "2B", "2K", "2Y", "J"]).tolist():
            at_start = laid.row[0] == "J" or (laid.row[-1] != "J" and self.rng.random() < 0.5)
            row = (tile, *laid.row) if at_start else (*laid.row, tile)
            verdict = self._judge(laid.row, row, (tile,))
            if not verdict.legal and self._fits(laid, at_start) and self.pack.take(tile):
                return self._grown(laid, at_start, tile, verdict)
        return None

    def add(self) -> Beat | None:
        return self._extend(True)

    def add_wrongly(self) -> Beat | None:
        return self._extend(False)

    def _extend(self, legal: bool) -> Beat | None:
        laid = self.sound()
        tile = self.pack.any()
        if laid is None or tile is None:
            return None
        for _ in range(30):
            at_start = bool(self.rng.random() < 0.4)
            row = (tile, *laid.row) if at_start else (*laid.row, tile)
            verdict = self._judge(laid.row, row, (tile,))
            if verdict.legal == legal and self._fits(laid, at_start):
                return self._grown(laid, at_start, tile, verdict)
            self.pack.back([tile])
            tile = self.pack.any()
            if tile is None:
                return None
        self.pack.back([tile])
        return None

    def _grown(self, laid: Laid, at_start: bool, tile: str, verdict: ChangeVerdict) -> Beat:
        before = (laid.row, laid.start)
        laid.start -= int(at_start)
        piece = self.piece(laid, tile, 0 if at_start else len(laid.pieces))
        laid.pieces = [piece, *laid.pieces] if at_start else [*laid.pieces, piece]
        if not verdict.legal:
            self.undo.append(((laid,), lambda: self._put_right(laid, *before, at_start, tile)))
        told: dict[str, Any] = {"legal": verdict.legal, "reason": verdict.reason}
        return self._done(laid, "added", (piece.x, piece.y), added=(tile,), **told)

    def _put_right(self, laid: Laid, row: Row, start: int, at_start: bool, wrong: str) -> Beat:
        """Take the tile `wrong` back from an end of a meld, now and then putting a right tile in
        its place at once. `row` is the meld without the wrong tile, and `at_start` says at which
        end that tile lies. `start` is the place at which `row` begins, as `Laid.start` gives it.
        """
        beat = self._restore(laid, row, start, removed=(wrong,), note="wrong tile taken back")
        if self.rng.random() < 0.7:
            return beat
        for tile in [f"{number}{colour}" for colour in "RBKY" for number in range(1, 14)]:
            after = (tile, *row) if at_start else (*row, tile)
            if tile != wrong and self._judge(row, after, (tile,)).legal and self.pack.take(tile):
                laid.start -= int(at_start)
                self._put(laid, after)
                note = "wrong tile exchanged for a right one"
                return self._done(laid, note, beat.place, added=(tile,), removed=(wrong,))
        return beat

    def replace_wild(self) -> Beat | None:
        """Put a natural tile in the place of a wild that lies inside an escalera, and lay that wild
        at an end of the escalera. Return this as a Beat; None where it is not possible.
        """
        laid = self.sound()
        if laid is None:
            return None
        at = self._wild_inside_run(laid.row)
        if at is None:
            return None
        wild = laid.row[at]
        colour = next(tile[-1] for tile in laid.row if tile != wild)
        for number in range(1, 14):
            tile = f"{number}{colour}"
            for row in (
                (*laid.row[:at], tile, *laid.row[at + 1 :], wild),
                (wild, *laid.row[:at], tile, *laid.row[at + 1 :]),
            ):
                at_start = row[0] == wild
                if (
                    self._judge(laid.row, row, (tile,)).legal
                    and self._fits(laid, at_start)
                    and self.pack.take(tile)
                ):
                    laid.start -= int(at_start)
                    self._put(laid, row)
                    return self._done(laid, "natural for a wild", added=(tile,), moved=(wild,))
        return None

    def _wild_inside_run(self, row: Sequence[str]) -> int | None:
        """Return the index of the only comodín or 2 in an escalera. None where the row is no
        escalera, holds no such tile or several, or has the tile at one of its ends.
        """
        arrangement = judge_meld(_tiles(row), self.rules).arrangement
        if arrangement is None or arrangement.kind != "escalera":
            return None
        wilds = [
            at
            for at, tile in enumerate(row)
            if tile == "J" or (tile.startswith("2") and len(tile) == 2)
        ]
        return wilds[0] if len(wilds) == 1 and 0 < wilds[0] < len(row) - 1 else None

    def move_wild(self) -> Beat | None:
        laid = self.sound()
        if laid is None:
            return None
        for wild, row in (
            (laid.row[0], (*laid.row[1:], laid.row[0])),
            (laid.row[-1], (laid.row[-1], *laid.row[:-1])),
        ):
            arrangement = judge_meld(_tiles(laid.row), self.rules).arrangement
            is_run = arrangement is not None and arrangement.kind == "escalera"
            verdict = self._judge(laid.row, row, ())
            if (
                is_run
                and (wild == "J" or wild[:-1] == "2")
                and row not in (laid.row, laid.row[::-1])
                and verdict.legal
            ):
                self._put(laid, row)
                return self._done(laid, "wild moved inside its meld", moved=(wild,))
        return None

    def take(self) -> Beat | None:
        """Take the first or the last tile of a meld of four tiles or more back to the hand, which
        is not allowed. Return the Beat; None where `sound` finds no such meld.
        """
        laid = self.sound(4)
        if laid is None:
            return None
        before, start, at = laid.row, laid.start, int(self.rng.choice([0, len(laid.row) - 1]))
        piece = laid.pieces.pop(at)
        laid.start += int(at == 0)
        tile = (piece.tile,)
        self.undo.append(
            ((laid,), lambda: self._restore(laid, before, start, added=tile, note="put back"))
        )
        wrong: dict[str, Any] = {"legal": False, "reason": "tile_removed"}
        return self._done(laid, "taken", (piece.x, piece.y), removed=tile, **wrong)

    def take_all(self) -> Beat | None:
        laid = self.sound()
        if laid is None:
            return None
        row, place = laid.row, self.middle(laid)
        self.melds = [meld for meld in self.melds if meld is not laid]
        held = Laid(laid.side, laid.lane, laid.column, laid.start, [])
        self.undo.append(((held,), lambda: self._lay_again(held, row)))
        wrong: dict[str, Any] = {"legal": False, "reason": "meld_removed"}
        return self._done(laid, "whole meld taken", place, removed=row, **wrong)

    def move_over(self) -> Beat | None:
        """Move the last tile of a meld to the end of another meld of the same side, which is not
        allowed. Both melds are chosen at random. Return the Beat; None where the two melds chosen
        allow no such move.
        """
        source, target = self.sound(4), self.sound()
        if (
            source is None
            or target is None
            or source is target
            or source.side != target.side
            or not self._fits(target, False)
        ):
            return None
        before = (source.row, source.start), (target.row, target.start)
        piece = source.pieces.pop()
        target.pieces.append(self.piece(target, piece.tile, len(target.pieces), piece.copy))

        def back() -> Beat:
            beat = self._restore(source, *before[0], moved=(piece.tile,), note="moved back")
            self._put(target, before[1][0])
            return beat

        self.undo.append(((source, target), back))
        wrong: dict[str, Any] = {"legal": False, "reason": "tile_moved"}
        return self._done(target, "moved over", moved=(piece.tile,), **wrong)

    def free_places(self, side: str) -> list[tuple[int, int]]:
        """List the places where a side can lay a meld, each as the indices of a lane and of a
        column of the plan. Not free are the places where a meld of the side lies, and those of
        melds that a later beat puts back.
        """
        held = [*self.melds, *(laid for melds, _ in self.undo for laid in melds)]
        places = [
            (lane, column)
            for lane in range(self.plan.lanes)
            for column in range(len(self.plan.columns))
        ]
        return [
            place
            for place in places
            if not any((m.side, m.lane, m.column) == (side, *place) for m in held)
        ]

    def discard(self) -> None:
        """Put a tile on the pozo.

        Before that a player takes the whole pozo if it is full, and now and then if it is not.
        """
        if len(self.pozo) >= self.plan.most or (self.pozo and self.rng.random() < 0.08):
            self.pack.back([piece.tile for piece in self.pozo])
            self.pozo.clear()
        tile = self.pack.any()
        if tile is not None:
            column, line = len(self.pozo) % 2, len(self.pozo) // 2
            x = self.plan.pozo[0] + column * POZO_STEP[0]
            y = self.plan.pozo[1] + line * POZO_STEP[1]
            dx, dy = self.rng.normal(0, 2.0, 2)
            turn = float(self.rng.normal(0, 0.35))
            self.pozo.append(Piece(tile, self._copy(tile), x + float(dx), y + float(dy), turn))

    def sound(self, least: int = 3) -> Laid | None:
        """Choose at random a legal meld of at least `least` tiles in which no mistake is left to be
        put right; None where there is no such meld.
        """
        sound = [meld for meld in self.melds if self._is_sound(meld, least)]
        return sound[int(self.rng.integers(len(sound)))] if sound else None

    def _is_sound(self, laid: Laid, least: int = 3) -> bool:
        wrong = [id(meld) for melds, _ in self.undo for meld in melds]
        return (
            len(laid.pieces) >= least
            and id(laid) not in wrong
            and judge_meld(_tiles(laid.row), self.rules).valid
        )

    def _lift(self, laid: Laid, note: str) -> Beat:
        row, place = laid.row, self.middle(laid)
        self.melds = [meld for meld in self.melds if meld is not laid]
        self.pack.back(list(row))
        return self._done(laid, note, place, removed=row)

    def _lay_again(self, laid: Laid, row: Row) -> Beat:
        self._put(laid, row)
        self.melds.append(laid)
        return self._done(laid, "whole meld put back", added=row)

    def _restore(self, laid: Laid, row: Row, start: int, note: str, **tiles: Any) -> Beat:
        """Lay the meld `laid` as it was before: with all tiles of `row`, the first of them at the
        place `start` of its column. Returns the beat, described by `note`.

        `tiles` are the fields of `Beat` that say which tiles came, went or moved.
        """
        self.pack.back(list(tiles.get("removed", ())))
        laid.start = start
        self._put(laid, row)
        return self._done(laid, note, **tiles)

    def _done(
        self, laid: Laid, note: str, place: tuple[float, float] | None = None, **more: Any
    ) -> Beat:
        """Make the beat that says what was done to a meld; `note` says it in words.

        `place` is where the hand goes, x and y in mm, by default the meld's middle; `more` are
        further fields of `Beat`.
        """
        return Beat(laid.side, place or self.middle(laid), note=note, **more)

    def _judge(self, before: Row, after: Row, added: Row) -> ChangeVerdict:
        return judge_change(
            Change((_tiles(before),), (_tiles(after),), added=_tiles(added)), self.rules
        )

    def _fits(self, laid: Laid, at_start: bool) -> bool:
        return (
            laid.start > 0
            if at_start
            else laid.start + len(laid.pieces) < self.plan.columns[laid.column][1]
        )

    def _put(self, laid: Laid, row: Row) -> None:
        """Make `row` the tiles of the meld `laid`; tiles that stay in their place are not
        touched.
        """
        spare = list(laid.pieces)
        laid.pieces = []
        for place, tile in enumerate(row):
            same = sorted(
                (p for p in spare if p.tile == tile), key=lambda p: abs(p.cell - laid.start - place)
            )
            if same and same[0].cell == laid.start + place:
                piece = same[0]
            else:
                piece = self.piece(laid, tile, place, same[0].copy if same else None)
            spare = [p for p in spare if not same or p is not same[0]]
            laid.pieces.append(piece)

    def piece(self, laid: Laid, tile: str, place: int, copy: int | None = None) -> Piece:
        left, cells = self.plan.columns[laid.column]
        cell = laid.start + place
        dx, dy, dt = np.asarray(self.rng.normal(0, self.plan.crooked)).tolist()
        upside_down = self.turned and laid.side == "B"
        x = left + (cells - 1 - cell if upside_down else cell) * STEP + dx
        y = (-1 if laid.side == "A" else 1) * (46 + laid.lane * LANE) + dy
        turn = (pi if upside_down else 0.0) + dt
        return Piece(tile, self._copy(tile) if copy is None else copy, x, y, turn, cell)

    def _copy(self, tile: str) -> int:
        return sum(piece.tile == tile for piece in self.pieces())

    @staticmethod
    def middle(laid: Laid) -> tuple[float, float]:
        xs, ys = [p.x for p in laid.pieces], [p.y for p in laid.pieces]
        return (sum(xs) / len(xs), sum(ys) / len(ys)) if xs else (0.0, 0.0)


def _tiles(row: Sequence[str]) -> tuple[Tile, ...]:
    return tuple(map(Tile.parse, row))
