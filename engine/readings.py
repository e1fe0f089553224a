"""The likeliest legal readings of a row of tiles whose faces are uncertain.

A row is read as a *pattern*: a run of one colour from one place on, in one direction, or a
pierna of one number. Every pattern has an optimistic score at once; an A* search over all of
them opens only those that can still win, and each of its states at most as often as readings
are asked for (k shortest paths), so that the answer is exact and bounded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import count
from operator import sub
from typing import TypeAlias

from engine.melds import judge_meld
from engine.rulesets import HIGH_ACE, MINIMUM_MELD, RuleSet, Special
from engine.tiles import COLOURS, COPIES, FACES, NUMBERS, Row

Scores: TypeAlias = Sequence[Sequence[float]]

OF_COLOUR = len(NUMBERS)
WILD_FACES = tuple(index for index, face in enumerate(FACES) if face.can_be_wild)
FIRST_FACES = range(0, len(COLOURS) * OF_COLOUR, OF_COLOUR)  # of each colour
# The natural face of each place of a run, by colour; the high 1 once more at the end.
RUNS = [[(first + place % OF_COLOUR,) for place in range(HIGH_ACE)] for first in FIRST_FACES]


@dataclass(frozen=True, slots=True)
class Reading:
    """One face a tile, in the order of the row; `score` is the sum of their log-scores."""

    tiles: Row
    score: float


@dataclass(frozen=True, slots=True)
class Readings:
    """`legal`: melds under the ruleset as laid, the best first; `free`: the best reading without
    any rule.
    """

    legal: tuple[Reading, ...]
    free: Reading


@dataclass(slots=True)
class Pattern:
    """One way the row may be a meld: the natural faces of each tile, and how many tiles may be
    wild.
    """

    naturals: Sequence[tuple[int, ...]]
    wild_limit: int
    options: list[list[tuple[float, int, bool]]] = field(
        default_factory=list
    )  # per tile: score, face, acts as wild
    # Best score of the tiles from an index on, by the number of wilds still allowed.
    rest: list[list[float]] = field(default_factory=list)

    def open(self, scores: Scores) -> None:
        """Rank the faces of each tile and bound what the remaining tiles can add."""
        for tile_scores, naturals in zip(scores, self.naturals, strict=True):
            natural = [(tile_scores[face], face, False) for face in naturals]
            wild = [(tile_scores[face], face, True) for face in WILD_FACES if face not in naturals]
            self.options.append(natural + wild)
        self.rest = [[0.0] * (len(scores) + 1) for _ in range(self.wild_limit + 1)]
        for index in reversed(range(len(scores))):
            natural_best = max(score for score, _, wild in self.options[index] if not wild)
            wild_best = max(score for score, _, wild in self.options[index] if wild)
            for allowed, bounds in enumerate(self.rest):
                as_natural = natural_best + bounds[index + 1]
                as_wild = wild_best + self.rest[allowed - 1][index + 1] if allowed else -math.inf
                bounds[index] = max(as_natural, as_wild)


# Minus the bound, order of arrival, pattern, tiles read, their score, wilds still allowed, their
# faces.
Node: TypeAlias = tuple[float, int, Pattern, int, float, int, tuple[int, ...]]


def best_readings(scores: Scores, rules: RuleSet, count: int = 3) -> Readings:
    """The `count` best legal readings of a row and the best unrestricted one.

    `scores`: (tiles, 53) finite log-scores, faces in the order of `FACES`, tiles as laid from
    either side; plain lists are fastest. Raises ValueError for another shape or a score that is
    not finite.
    """
    check_scores(scores)
    best = [max(range(len(FACES)), key=row.__getitem__) for row in scores]
    free = Reading(
        tuple(FACES[face] for face in best),
        sum(row[face] for row, face in zip(scores, best, strict=True)),
    )
    legal = tuple(search(scores, rules, count)) if len(scores) >= MINIMUM_MELD else ()
    return Readings(legal, free)


def check_scores(scores: Scores) -> None:
    for index, row in enumerate(scores):
        if len(row) != len(FACES):
            raise ValueError(f"expected {len(FACES)} scores for tile {index}, got {len(row)}")
        if not math.isfinite(sum(row)):
            raise ValueError(
                f"expected finite log-scores for tile {index}, got {min(row)} to {max(row)}"
            )


def search(scores: Scores, rules: RuleSet, wanted: int) -> Iterator[Reading]:
    """Legal readings in falling order of score."""
    order = count()
    heap: list[Node] = [
        (-bound, next(order), pattern, 0, 0.0, pattern.wild_limit, ())
        for bound, pattern in patterns(scores, rules)
    ]
    heapify(heap)
    opened: dict[tuple[int, int, tuple[int, ...]], int] = {}
    found: set[tuple[int, ...]] = set()
    while heap and len(found) < wanted:
        _, _, pattern, index, score, wilds, faces = heappop(heap)
        state = (id(pattern), wilds, tuple(sorted(faces)))
        opened[state] = opened.get(state, 0) + 1
        if opened[state] > wanted:
            continue
        if index == len(scores):
            tiles = tuple(FACES[face] for face in faces)
            if faces not in found and judge_meld(tiles, rules).valid:
                found.add(faces)
                yield Reading(tiles, score)
            continue
        if not index:
            pattern.open(scores)
        for option, face, wild in pattern.options[index]:
            left = wilds - wild
            if left >= 0 and faces.count(face) < rules.copies(FACES[face]):
                bound = score + option + pattern.rest[left][index + 1]
                heappush(
                    heap,
                    (-bound, next(order), pattern, index + 1, score + option, left, (*faces, face)),
                )


def patterns(scores: Scores, rules: RuleSet) -> Iterator[tuple[float, Pattern]]:
    """Every pattern with a bound that no reading of it exceeds."""
    limit = min(rules.wild_limit(len(scores)), len(scores) - 1)
    wild_best = [max([row[face] for face in WILD_FACES]) for row in scores]
    yield from run_patterns(scores, wild_best, limit, rules)
    yield from pierna_patterns(scores, wild_best, limit, rules)


def bound_of(naturals: Sequence[float], wild_best: Sequence[float], limit: int) -> float:
    """The naturals' sum, with the wilds that would gain most."""
    gains: list[float] = list(map(sub, wild_best, naturals))
    if limit == 1:  # the common case, and the hot one
        return sum(naturals) + max(0.0, *gains)
    return sum(naturals) + sum(sorted((gain for gain in gains if gain > 0), reverse=True)[:limit])


def run_patterns(
    scores: Scores, wild_best: Sequence[float], limit: int, rules: RuleSet
) -> Iterator[tuple[float, Pattern]]:
    size = len(scores)
    starts = (
        max(0, HIGH_ACE - size + 1) if rules.ace_at_both_ends or size < HIGH_ACE else 0
    )  # none where it is longer than a run
    for first, faces in zip(FIRST_FACES, RUNS, strict=True):
        by_place = [[*row[first : first + OF_COLOUR], row[first]] for row in scores]
        for step in (1, -1):
            rows = by_place[::step]
            diagonals = zip(
                *(row[index : index + starts] for index, row in enumerate(rows)), strict=True
            )
            for low, diagonal in enumerate(diagonals):
                yield (
                    bound_of(diagonal[::step], wild_best, limit),
                    Pattern(faces[low : low + size][::step], limit),
                )


def pierna_patterns(
    scores: Scores, wild_best: Sequence[float], limit: int, rules: RuleSet
) -> Iterator[tuple[float, Pattern]]:
    size = len(scores)
    by_number = [
        list(map(max, *(row[first : first + OF_COLOUR] for first in FIRST_FACES))) for row in scores
    ]
    of_wilds = rules.special(Special.WILDS) is not None
    longest = len(COLOURS) * COPIES + limit
    too_long = size > (longest if rules.pierna_max is None else min(longest, rules.pierna_max))
    for number in NUMBERS:
        free = number == 2 and of_wilds
        if not free and (too_long or (number == 2 and not rules.pierna_of_twos)):
            continue
        faces = tuple(range(number - 1, len(COLOURS) * OF_COLOUR, OF_COLOUR))
        wilds = size if free else limit
        bound = bound_of([best[number - 1] for best in by_number], wild_best, wilds)
        yield bound, Pattern([faces] * size, wilds)
