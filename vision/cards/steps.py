"""What the steps from card to card of a column tell: gaps in which cards were missed, and cards
that were seen twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.cards.columns import Array, Card, ColumnConfig, step_between, turn_between
from vision.cards.places import card_sides
from vision.grouping import Indices


@dataclass(frozen=True)
class StepConfig:
    """When the steps of a column tell of a card missed or seen twice."""

    # A step so many times the usual one hides a missed card. Of 100 columns read right 4 have such
    # a step; of 14 with one card missed inside, all.
    missed_step: float = 1.65
    filled_step: float = 1.3  # where a card lies there by itself
    steps_to_tell: int = 3  # least steps of a column that tell the usual one
    level: float = 0.3  # of the usual step: farthest, for two to lie on one level
    near_expected: float = 0.3  # of the gap: farthest mark of a card that lies in it
    most_missed: int = 2  # in one place; a wider one parts two columns
    fan_degrees: float = ColumnConfig.fan_degrees  # least turn of cards in a fan


def seen_twice(
    columns: list[Indices],
    cards: Sequence[Card],
    faces: NDArray[np.intp],
    config: StepConfig = StepConfig(),
) -> dict[int, int]:
    """Map each card that is a neighbour seen twice to this neighbour: both show the same of
    `faces`, (n,), and lie on one level of their column, in which others lie a step apart.
    """
    found: dict[int, int] = {}
    for column in columns:
        moves = np.stack([step_between(cards[i], cards[j]) for i, j in pairwise(column)])
        along = moves.sum(axis=0)
        steps = moves @ along / max(float(np.linalg.norm(along)), 1e-9)
        if len(steps) < config.steps_to_tell:
            continue
        level = np.abs(steps) <= config.level * np.median(steps)
        for at in np.flatnonzero(level):
            one, other = column[at : at + 2]
            if faces[one] == faces[other]:
                found[other] = found.get(one, one)
    return found


@dataclass(frozen=True)
class Gap:
    """A gap in a column, where a card was missed.

    `column` is the column's index, `before` how many of its cards lie before the gap, and `share`
    how far the missed card lies from the last of these to the next card, 0 to 1. A gap that is not
    `wide` counts only if a single card lies in it.
    """

    column: int
    before: int
    share: float
    wide: bool = True


def find_gaps(
    columns: list[Indices],
    cards: Sequence[Card],
    are_jollies: NDArray[np.bool_],
    config: StepConfig = StepConfig(),
) -> list[Gap]:
    """Find the gaps of columns in which cards were missed: people lay them at about equal steps.

    Gaps of a column come in its order. `are_jollies` (n,) tells which cards are jollies.
    """
    found = []
    for number, column in enumerate(columns):
        moves = np.stack([step_between(cards[i], cards[j]) for i, j in pairwise(column)])
        along = moves.sum(axis=0)
        steps = moves @ along / max(float(along @ along), 1e-9)
        even = len(steps) >= config.steps_to_tell and np.median(steps) > 0
        if not even or _is_fan([cards[i] for i in column], config):
            continue
        ratios = _usual_steps(steps, [cards[i] for i in column])
        ratios = _widened_at_jollies(ratios, are_jollies[list(column)], config)
        for at in np.flatnonzero(ratios >= config.filled_step):
            missed, wide = max(1, round(float(ratios[at])) - 1), ratios[at] >= config.missed_step
            if missed <= config.most_missed:
                shares = [(one + 1) / (missed + 1) for one in range(missed)]
                found += [Gap(number, int(at) + 1, share, bool(wide)) for share in shares]
    return found


def _usual_steps(steps: Array, column: list[Card]) -> Array:
    """Return the steps (n,) of a column as multiples of its usual one. They are measured both in
    the picture and on the table, where far cards look small; of both the larger is returned.
    `column` are its n + 1 cards.
    """
    lengths = np.linalg.norm(card_sides(np.stack([card.outline for card in column])), axis=2)
    sizes = np.maximum(np.sqrt(lengths.prod(axis=1)), 1e-6)
    on_table = steps / (sizes[1:] + sizes[:-1])
    return np.asarray(np.maximum(steps / np.median(steps), on_table / np.median(on_table)))


def _widened_at_jollies(ratios: Array, are_jollies: NDArray[np.bool_], config: StepConfig) -> Array:
    """Return the steps (n,) of a column, in usual steps, widened next to jollies. Where the cards
    before and after a jolly are so far apart that one is missing, one of its two steps counts as
    wide enough: where a jolly's mark is on its card is known badly.

    `are_jollies` (n + 1,) tells which of the column's cards are jollies.
    """
    told = ratios.copy()
    for jolly in np.flatnonzero(are_jollies[1:-1]) + 1:
        around = slice(jolly - 1, jolly + 1)
        if told[around].sum() >= 1 + config.missed_step and told[around].max() < config.missed_step:
            told[jolly - 1 + int(told[around].argmax())] = config.missed_step
    return told


def _is_fan(column: list[Card], config: StepConfig) -> bool:
    """Tell whether most neighbours of a column are turned against each other."""
    turns = [abs(turn_between(card, following)) for card, following in pairwise(column)]
    return float(np.median(turns)) >= config.fan_degrees


def gap_filler(
    quads: NDArray[np.float32],
    alone: list[int],
    expected: NDArray[np.float32],
    step: NDArray[np.float32],
    config: StepConfig = StepConfig(),
) -> int | None:
    """Return which of the cards that lie `alone` has its mark where the mark of a missed card is
    `expected`, (4, 2), in a gap as wide as `step`, (2,); None where none has.

    `quads` (n, 4, 2) are the marks of all cards.
    """
    away = np.linalg.norm(quads[alone].mean(axis=1) - expected.mean(axis=0), axis=1)
    near = away <= config.near_expected * float(np.linalg.norm(step))
    return alone[int(away.argmin())] if near.any() else None
