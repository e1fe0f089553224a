"""The likeliest legal faces of a row of tiles that a camera sees and cannot read with certainty.

A row is matched with *patterns*: a run of one colour from one place on, in one direction, or a
pierna of one number. A tile fits a pattern as a *natural*, with the face that belongs in its place
(which may be a 2), or acts as a wild. Each pattern has an upper bound of the score that it can
reach. An A* search opens only the patterns that can still win. It opens no state more often than
the number of candidates asked for (k shortest paths). So the answer is exact and the work is
bounded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import count as count_up
from operator import sub
from typing import TypeAlias

from engine.melds import is_meld
from engine.rulesets import HIGH_ACE, MINIMUM_MELD, RuleSet, Special
from engine.tiles import COLOURS, COPIES, FACES, NUMBERS, Tiles

Scores: TypeAlias = Sequence[Sequence[float]]  # (tiles, 53) log-scores, faces in `FACES` order

OF_COLOUR = len(NUMBERS)  # faces of one colour
WILD_FACES = tuple(index for index, face in enumerate(FACES) if face.can_be_wild)
FIRST_FACES = range(0, len(COLOURS) * OF_COLOUR, OF_COLOUR)  # index of the 1 of each colour
# For each colour the natural faces of the places 1 to 14 of a run, by index in `FACES`.
RUNS = tuple(
    tuple((first + place % OF_COLOUR,) for place in range(HIGH_ACE)) for first in FIRST_FACES
)
LONGEST_PIERNA = len(COLOURS) * COPIES  # tiles, without wilds, of a set that has gained none


@dataclass(frozen=True, slots=True)
class Candidate:
    """One possible face for each tile, in the order of the row. `score` is the sum of the
    log-scores of these faces.
    """

    tiles: Tiles
    score: float


@dataclass(frozen=True, slots=True)
class Candidates:
    """What a row of tiles may show: the legal melds, likeliest first, and the likeliest face of
    each tile whatever the rules say.
    """

    legal: tuple[Candidate, ...]
    unrestricted: Candidate  # the likeliest face of each tile, whatever the rules say


@dataclass(slots=True)
class Pattern:
    """One way in which the row may be a meld.

    `naturals` holds for each tile the faces, as indices in `FACES`, with which it fits the pattern
    as a natural; `wild_limit` is how many tiles may act as wild. `open` fills the other fields,
    which only a pattern under search needs.
    """

    naturals: Sequence[tuple[int, ...]]
    wild_limit: int
    # For each tile the possible faces as (score, face, acts as wild).
    options: list[list[tuple[float, int, bool]]] = field(default_factory=list)
    # rest[w][i]: upper bound of the score of the tiles from index i on, with w wilds allowed.
    rest: list[list[float]] = field(default_factory=list)

    def open(self, scores: Scores) -> None:
        """Prepare the pattern for the search. This fills `options`, the faces that each tile may
        have, and `rest`, the upper bounds of what the tiles still to be decided can score.

        `scores` holds the log-scores of the row, of shape (tiles, 53).
        """
        for tile_scores, naturals in zip(scores, self.naturals, strict=True):
            options = [(tile_scores[face], face, False) for face in naturals]
            options += [
                (tile_scores[face], face, True) for face in WILD_FACES if face not in naturals
            ]
            self.options.append(options)
        self.rest = [[0.0] * (len(scores) + 1) for _ in range(self.wild_limit + 1)]
        for index in reversed(range(len(scores))):
            self._bound(index)

    def _bound(self, index: int) -> None:
        """Fill the column `index` of `rest`: for each number of wilds that may still be used, the
        largest score that the tile at `index` and those after it can reach. The column of the next
        tile must be filled already.
        """
        natural_best = max(score for score, _, is_wild in self.options[index] if not is_wild)
        wild_best = max(score for score, _, is_wild in self.options[index] if is_wild)
        self.rest[0][index] = natural_best + self.rest[0][index + 1]
        for allowed in range(1, self.wild_limit + 1):
            as_natural = natural_best + self.rest[allowed][index + 1]
            as_wild = wild_best + self.rest[allowed - 1][index + 1]
            self.rest[allowed][index] = max(as_natural, as_wild)


# A state of the search: minus the upper bound, order of arrival, pattern, tiles decided, their
# score, wilds still allowed, their faces.
Node: TypeAlias = tuple[float, int, Pattern, int, float, int, tuple[int, ...]]


def best_candidates(
    scores: Scores, rules: RuleSet, count: int = 3, *, most_states: int | None = None
) -> Candidates:
    """Find the `count` likeliest legal melds that a row may be, and its likeliest faces.

    Once the search has opened `most_states` states, it ends with the melds found so far. None sets
    no such limit.

    `scores` has the shape (tiles, 53): finite log-scores of each tile, for the faces in the order
    of `FACES`. The tiles are in the order in which they lie, from either side. Plain lists are
    fastest. Raises ValueError for another shape and for a score that is not finite.

    >>> from engine import FACE_INDEX, notation, ruleset, tiles
    >>> scores = [[-9.0] * 53 for _ in range(3)]
    >>> for row, tile in zip(scores, tiles("3R 4R 6R")):
    ...     row[FACE_INDEX[tile]] = 0.0
    >>> scores[2][FACE_INDEX[tiles("5R")[0]]] = -0.5
    >>> found = best_candidates(scores, ruleset("burako"), count=1)
    >>> notation(found.unrestricted.tiles), notation(found.legal[0].tiles), found.legal[0].score
    ('3R 4R 6R', '3R 4R 5R', -0.5)
    """
    check_scores(scores)
    best = [max(range(len(FACES)), key=row.__getitem__) for row in scores]
    score = sum(row[face] for row, face in zip(scores, best, strict=True))
    unrestricted = Candidate(tuple(FACES[face] for face in best), score)
    if len(scores) < MINIMUM_MELD:
        return Candidates((), unrestricted)
    return Candidates(tuple(search(scores, rules, count, most_states)), unrestricted)


def check_scores(scores: Scores) -> None:
    """Raise ValueError where a tile has not 53 scores or one of them is not finite."""
    for index, row in enumerate(scores):
        if len(row) != len(FACES):
            raise ValueError(f"expected {len(FACES)} scores for tile {index}, got {len(row)}")
        if not math.isfinite(sum(row)):
            raise ValueError(
                f"expected finite log-scores for tile {index}, got {min(row)} to {max(row)}"
            )


def search(
    scores: Scores, rules: RuleSet, wanted: int, most_states: int | None
) -> Iterator[Candidate]:
    """Yield the legal candidates for a row of tiles with these `scores`, at most `wanted` of them,
    the likeliest first. No more than `most_states` states are opened, if that is a number.
    """
    arrivals = count_up()
    heap: list[Node] = []
    for bound, pattern in patterns(scores, rules):
        heap.append((-bound, next(arrivals), pattern, 0, 0.0, pattern.wild_limit, ()))
    heapify(heap)
    opened: dict[tuple[int, int, tuple[int, ...]], int] = {}
    found: set[tuple[int, ...]] = set()
    left = count_up() if most_states is None else range(most_states)
    for _ in left:
        if not heap or len(found) >= wanted:
            return
        node = heappop(heap)
        _, _, pattern, index, score, wilds, faces = node
        state = (id(pattern), wilds, tuple(sorted(faces)))
        opened[state] = opened.get(state, 0) + 1
        if opened[state] > wanted:
            continue
        if index < len(scores):
            for successor in successors(node, scores, rules, arrivals):
                heappush(heap, successor)
            continue
        tiles = tuple(FACES[face] for face in faces)
        if faces not in found and is_meld(tiles, rules):
            found.add(faces)
            yield Candidate(tiles, score)


def successors(
    node: Node, scores: Scores, rules: RuleSet, arrivals: Iterator[int]
) -> Iterator[Node]:
    """Yield the search states that follow `node`, one for each face that its next tile may have.

    No face is given to more tiles than the set has copies of it. `arrivals` yields the numbers that
    the states get, in the order in which they are made.
    """
    _, _, pattern, index, score, wilds, faces = node
    if index == 0:
        pattern.open(scores)
    for option, face, is_wild in pattern.options[index]:
        wilds_left = wilds - is_wild
        if wilds_left < 0 or faces.count(face) >= rules.copies(FACES[face]):
            continue
        total = score + option
        bound = total + pattern.rest[wilds_left][index + 1]
        longer = (*faces, face)
        yield -bound, next(arrivals), pattern, index + 1, total, wilds_left, longer


def patterns(scores: Scores, rules: RuleSet) -> Iterator[tuple[float, Pattern]]:
    """Yield a pair (bound, pattern) for every pattern that a row may fit. No candidate of the
    pattern has a score above the bound. `scores` holds the log-scores of the row, of shape (tiles,
    53).
    """
    limit = min(rules.wild_limit(len(scores)), len(scores) - 1)
    wild_best = [max([row[face] for face in WILD_FACES]) for row in scores]
    yield from run_patterns(scores, wild_best, limit, rules)
    yield from pierna_patterns(scores, wild_best, limit, rules)


def upper_bound(naturals: Sequence[float], wild_best: Sequence[float], limit: int) -> float:
    """Return the greatest sum of scores that the tiles can have with at most `limit` wilds among
    them.

    `naturals` and `wild_best` hold one score for each tile: the best as a natural and the best as a
    wild.
    """
    gains: list[float] = list(map(sub, wild_best, naturals))
    if limit == 1:  # the usual limit, which needs no sorting
        return sum(naturals) + max(0.0, *gains)
    positive = sorted((gain for gain in gains if gain > 0), reverse=True)
    return sum(naturals) + sum(positive[:limit])


def run_patterns(
    scores: Scores, wild_best: Sequence[float], limit: int, rules: RuleSet
) -> Iterator[tuple[float, Pattern]]:
    """Yield a pair for every pattern of a run: an upper bound of the scores that candidates of the
    pattern can have, and the pattern. The runs are of every colour, begin at every place and go in
    both directions.

    `wild_best` holds for each tile its best score as a wild, and `limit` is how many tiles may act
    as wild.
    """
    size = len(scores)
    starts = count_of_starts(size, rules)
    if not starts:
        return
    for first, faces in zip(FIRST_FACES, RUNS, strict=True):
        by_place = [[*row[first : first + OF_COLOUR], row[first]] for row in scores]
        for step in (1, -1):
            for low, naturals in enumerate(diagonals(by_place[::step], starts)):
                bound = upper_bound(naturals[::step], wild_best, limit)
                yield bound, Pattern(faces[low : low + size][::step], limit)


def diagonals(by_place: Scores, starts: int) -> Iterator[tuple[float, ...]]:
    """Yield one tuple for each of the `starts` lowest places, from 1 on, on which a run may begin.

    The tuple holds the score of each tile on the tile's place in that run. `by_place` has the shape
    (tiles, 14): for each tile the score of the natural face of each place.
    """
    shifted = [row[index : index + starts] for index, row in enumerate(by_place)]
    return zip(*shifted, strict=True)


def count_of_starts(size: int, rules: RuleSet) -> int:
    """Count the places from which a run of `size` tiles can begin; 0 where it is too long."""
    if size == HIGH_ACE and not rules.ace_at_both_ends:
        return 0
    return max(0, HIGH_ACE - size + 1)


def pierna_patterns(
    scores: Scores, wild_best: Sequence[float], limit: int, rules: RuleSet
) -> Iterator[tuple[float, Pattern]]:
    """Yield the patterns of piernas of every number that the ruleset allows, each as a pair of its
    upper bound and the pattern.

    `scores` has the shape (tiles, 53). `wild_best` holds the best score of each tile as a wild,
    `limit` is how many tiles may act as wild.
    """
    size = len(scores)
    by_number = wilds_of_piernas(size, limit, rules)
    if not by_number:
        return
    best = best_by_number(scores)
    for number, wilds in by_number.items():
        faces = tuple(first + number - 1 for first in FIRST_FACES)
        naturals = [row[number - 1] for row in best]
        yield upper_bound(naturals, wild_best, wilds), Pattern([faces] * size, wilds)


def wilds_of_piernas(size: int, limit: int, rules: RuleSet) -> dict[int, int]:
    """Map each number that a pierna of `size` tiles may have to the most wilds allowed in such a
    pierna. That is `limit`, as in any meld; but it is `size` for the number 2 where the rules pay
    for canastas of wilds. The map is empty if no pierna may have so many tiles.
    """
    gained = sum(max(0, count - COPIES) for _, count in rules.other_copies)
    longest = LONGEST_PIERNA + gained + limit
    if rules.pierna_max is not None:
        longest = min(longest, rules.pierna_max)
    by_number = dict.fromkeys(NUMBERS, limit) if size <= longest else {}
    if rules.special(Special.WILDS):
        by_number[2] = size  # a meld of 2s and comodines has no limit of wilds or length
    elif not rules.pierna_of_twos:
        by_number.pop(2, None)
    return by_number


def best_by_number(scores: Scores) -> list[list[float]]:
    """Return for each tile and each number the best score among the four colours: shape (tiles,
    13).
    """
    best = []
    for row in scores:
        colours = [row[first : first + OF_COLOUR] for first in FIRST_FACES]
        best.append(list(map(max, *colours)))
    return best
