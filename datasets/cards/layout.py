"""Lays cards on a table that is rendered: in columns and rows that leave the rank of each card in
sight, in fans, heaps and piles, as single cards, and face down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import cos, pi, radians, sin

import numpy as np

from datasets.cards.notation import CARDS, JOLLY, RANKS, SUITS
from datasets.scene.blocks import Block, flat, tilted
from datasets.scene.table import Table

THICK = 0.3  # mm
COLUMN = "column"  # kind of a row of `Table.rows` whose cards lie one over the other in order
Pose = tuple[float, float, float]  # x, y in mm and an angle in radians


class Stock:
    """Two packs with `jollies` jollies together, shuffled, from which cards are taken singly or as
    melds.
    """

    def __init__(self, rng: np.random.Generator, jollies: int = 4) -> None:
        self.rng = rng
        self.cards = [*CARDS, *CARDS, *[JOLLY] * jollies]
        rng.shuffle(self.cards)

    def any(self) -> str:
        return self.cards.pop() if self.cards else str(self.rng.choice(CARDS))

    def named(self, card: str) -> str | None:
        if card not in self.cards:
            return None
        self.cards.remove(card)
        return card

    def meld(self, count: int) -> list[str]:
        """Take `count` cards at random, as they lie in a meld: cards of a run or of a set, now and
        then with a wild card, or any cards. Where the stock lacks a card of the run or set, another
        card takes its place.
        """
        kind = self.rng.random()
        if kind < 0.5:
            suit = SUITS[int(self.rng.integers(4))]
            start = int(self.rng.integers(0, 14))
            wanted = [RANKS[(start + i) % 13] + suit for i in range(count)]
        elif kind < 0.75:
            rank = RANKS[int(self.rng.integers(13))]
            wanted = [rank + SUITS[int(i)] for i in self.rng.integers(0, 4, count)]
        else:
            return [self.any() for _ in range(count)]
        drawn = [self.named(card) or self.any() for card in wanted]
        if self.rng.random() < 0.35:
            wild = self.named(JOLLY) or self.named("2" + SUITS[int(self.rng.integers(4))])
            drawn[int(self.rng.integers(count))] = wild or self.any()
        return drawn[:: int(self.rng.choice([1, -1]))]


@dataclass
class Dealer:
    """Lays cards of `stock`, all of one size, onto `table`."""

    table: Table
    stock: Stock

    @property
    def rng(self) -> np.random.Generator:
        return self.table.rng

    def _card(self, pose: Pose, card: str | None, place: int = 0, level: float = 0.0) -> Block:
        x, y, angle = pose
        block = flat(
            x,
            y,
            angle,
            self.table.size,
            rest=level,
            tile=card,
            radius=self.table.radius,
            copy=int(self.rng.integers(2)),
            row=len(self.table.rows),
        )
        return replace(block, place=place)

    def _lay(self, blocks: list[Block], kind: str) -> bool:
        if not self.table.is_free(blocks, 3.0):
            return False
        self.table.lay_together(blocks)
        self.table.rows.append(kind)
        return True

    def pile_of(self, poses: Sequence[Pose], cards: Sequence[str | None]) -> list[Block]:
        """Make the blocks (`datasets.scene.blocks`) of cards that lie over one another. `poses`
        holds x and y in mm and an angle in radians for each card, and `cards` its face, None for a
        card face down; both start with the lowest card. Most cards lean a little on those below.
        """
        blocks = []
        for i, (pose, card) in enumerate(zip(poses, cards, strict=True)):
            block = self._card(pose, card, i, i * (THICK + 0.02))
            if i and self.rng.random() < 0.7:
                axis = np.array([cos(pose[2]), sin(pose[2]), 0.0])
                axis = axis if self.rng.random() < 0.7 else np.array([-axis[1], axis[0], 0.0])
                lean = float(self.rng.normal(0, radians(0.8)))
                block = tilted(block, axis, lean)
            blocks.append(block)
        return blocks

    def column(self, at: tuple[float, float], angle: float, count: int) -> list[Block]:
        """Make a meld of cards that lie over one another, each a step below or beside the one
        before, so that a strip of each card with its rank stays in sight. Return a block for each
        of the `count` cards, the lowest first.

        `at` is the column's middle in mm; the column is turned by `angle` in radians,
        counter-clockwise.
        """
        rng = self.rng
        w, h, _ = self.table.size
        sideways = rng.random() < 0.3
        step = float(rng.uniform(0.17, 0.45) * w if sideways else rng.uniform(0.17, 0.38) * h)
        mess = float(rng.choice([0.3, 1.0, 2.5], p=[0.4, 0.4, 0.2]))
        slant = float(rng.normal(0, 0.05))
        # The reading direction is +x of the card; down the card is -y.
        dx, dy = (1.0, slant) if sideways else (slant, -1.0)
        poses = []
        x, y = 0.0, 0.0
        for i in range(count):
            px = x + rng.normal(0, 0.8 * mess)
            py = y + rng.normal(0, 0.8 * mess)
            poses.append((px, py, rng.normal(0, radians(1.2 * mess))))
            x += dx * step * (1 + rng.normal(0, 0.08 * mess))
            y += dy * step * (1 + rng.normal(0, 0.08 * mess))
            if i == count - 2 and rng.random() < 0.05:  # a canasta is closed with a card across it
                poses[-1] = (px, py, poses[-1][2] + pi / 2)
        middle = np.mean([pose[:2] for pose in poses], axis=0)
        placed = [_moved(pose, middle, at, angle) for pose in poses]
        return self.pile_of(placed, list(self.stock.meld(count)))

    def fan(self, at: tuple[float, float], angle: float, count: int) -> list[Block]:
        """Fan out cards as in a hand, turned about a point below them. Return a block for each of
        the `count` cards, the lowest first. `at` is the fan's middle in mm; the fan is turned by
        `angle` in radians, counter-clockwise.
        """
        rng = self.rng
        h = self.table.size[1]
        radius = float(rng.uniform(0.55, 1.6) * h)
        spread = float(rng.uniform(5, 15)) * (0.9 * h / radius) ** 0.5
        poses = []
        for i in range(count):
            turn = radians(-spread * (i - (count - 1) / 2) + rng.normal(0, 1.0))
            x, y = -radius * sin(turn), radius * cos(turn)
            poses.append((x + rng.normal(0, 1), y + rng.normal(0, 1.5), turn))
        middle = np.mean([pose[:2] for pose in poses], axis=0)
        placed = [_moved(pose, middle, at, angle) for pose in poses]
        return self.pile_of(placed, [self.stock.any() for _ in range(count)])

    def heap(self, at: tuple[float, float], count: int) -> list[Block]:
        rng = self.rng
        spread = self.table.size[1] * float(rng.uniform(0.25, 0.6)) * count**0.5
        poses = [
            (
                at[0] + rng.normal(0, spread / 2),
                at[1] + rng.normal(0, spread / 2),
                rng.uniform(-pi, pi),
            )
            for _ in range(count)
        ]
        down = rng.random(count) < (0.1 if rng.random() < 0.5 else 0.0)
        cards = [None if back else self.stock.any() for back in down]
        return self.pile_of(poses, cards)

    def pile(self, at: tuple[float, float], count: int, face_down: bool) -> list[Block]:
        """Make a pile of `count` cards: the stock if `face_down`, else the discard pile. Return a
        block for each card, the lowest first. `at`, x and y in mm, is the middle of the pile. Each
        card hides most of those below it.
        """
        rng, angle = self.rng, float(self.rng.uniform(-pi, pi))
        mess = float(rng.choice([0.5, 2, 8]))
        poses = [
            (
                at[0] + rng.normal(0, mess),
                at[1] + rng.normal(0, mess),
                angle + rng.normal(0, mess / 40),
            )
            for _ in range(count)
        ]
        return self.pile_of(poses, [None if face_down else self.stock.any() for _ in poses])

    def columns(self) -> None:
        """Lay up to seven melds of one side beside one another, each as a column, where there is
        room.
        """
        rng = self.rng
        angle = _some_angle(rng)
        x0, y0 = self.table.spot(0.7)
        w = self.table.size[0]
        pitch = w * float(rng.uniform(1.1, 1.7))
        top = float(rng.uniform(0, 40))
        count = int(rng.integers(1, 8))
        for i in range(count):
            along = (i - (count - 1) / 2) * pitch
            at = _moved((along, float(rng.normal(0, top)), 0.0), np.zeros(2), (x0, y0), angle)
            turn = angle + float(rng.normal(0, radians(3))) + (pi if rng.random() < 0.05 else 0.0)
            size = int(rng.integers(2, 5)) if rng.random() < 0.6 else int(rng.integers(5, 12))
            self._lay(self.column(at[:2], turn, size), COLUMN)

    def one(self) -> None:
        """Lay one column, one fan, one heap or several single cards."""
        rng, at = self.rng, self.table.spot(0.8)
        kind = rng.random()
        if kind < 0.28:
            size = int(rng.integers(2, 5)) if rng.random() < 0.5 else int(rng.integers(4, 13))
            self._lay(self.column(at, _some_angle(rng), size), COLUMN)
        elif kind < 0.46:
            self._lay(self.fan(at, _some_angle(rng), int(rng.integers(2, 13))), COLUMN)
        elif kind < 0.70:
            self._lay(self.heap(at, int(rng.integers(2, 8))), "heap")
        else:
            self.singles(int(rng.integers(1, 10)))

    def singles(self, count: int) -> None:
        """Lay up to `count` single cards where there is room: at any angle, or in a line."""
        rng = self.rng
        for block in _in_line(self, count) if rng.random() < 0.4 else _anywhere(self, count):
            self._lay([block], "loose")


def _anywhere(dealer: Dealer, count: int) -> Iterator[Block]:
    rng = dealer.rng
    main = _some_angle(rng)
    for _ in range(count):
        x, y = dealer.table.spot(0.9)
        angle = main + rng.normal(0, 0.2) if rng.random() < 0.5 else rng.uniform(-pi, pi)
        card = None if rng.random() < 0.1 else dealer.stock.any()
        yield dealer._card((x, y, float(angle)), card)


def _in_line(dealer: Dealer, count: int) -> Iterator[Block]:
    rng = dealer.rng
    angle, (x0, y0) = _some_angle(rng), dealer.table.spot(0.6)
    pitch = dealer.table.size[0] * float(rng.uniform(1.06, 1.5))
    for i in range(count):
        pose = ((i - (count - 1) / 2) * pitch, float(rng.normal(0, 3)), float(rng.normal(0, 0.04)))
        yield dealer._card(_moved(pose, np.zeros(2), (x0, y0), angle), dealer.stock.any())


def _some_angle(rng: np.random.Generator) -> float:
    """Choose an angle in radians at random: cards mostly face their player, who may sit at any
    side.
    """
    quarter = float(rng.choice([0, pi / 2, pi, -pi / 2], p=[0.55, 0.15, 0.15, 0.15]))
    if rng.random() < 0.25:
        return float(rng.uniform(-pi, pi))
    return quarter + float(rng.normal(0, radians(8)))


def _moved(pose: Pose, origin: np.ndarray, at: tuple[float, float], angle: float) -> Pose:
    x, y = pose[0] - float(origin[0]), pose[1] - float(origin[1])
    c, s = cos(angle), sin(angle)
    return at[0] + c * x - s * y, at[1] + s * x + c * y, pose[2] + angle


def fill(dealer: Dealer) -> None:
    """Lay columns, fans, heaps and single cards, in at most eight steps, until as many cards are in
    view as a number chosen at random. About every third table then also gets a pile.
    """
    rng, table = dealer.rng, dealer.table
    fits = table.view[0] * table.view[1] / (table.size[0] * table.size[1]) * 1.2
    wanted = max(1.0, min(70.0, fits) * float(rng.uniform(0, 1)) ** 1.2)
    columns_first = rng.random() < 0.35
    for attempt in range(8):
        if table.in_view() >= wanted:
            break
        if columns_first and attempt < 3:
            dealer.columns()
        else:
            dealer.one()
    if rng.random() < 0.35:
        at = table.spot(0.9)
        count = int(rng.integers(2, 12))
        dealer._lay(dealer.pile(at, count, bool(rng.random() < 0.7)), "pile")
