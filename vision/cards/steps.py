"""What the steps from card to card of a column tell: gaps in which cards may have been missed, and
cards that were seen twice.

A column is a tuple of indices of `cards`, from the most covered card to the free one; `number` is
the index of a column among all `columns`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.cards.card import Array, Card, shows_whole
from vision.cards.offsets import OffsetConfig, step_between, turn_between
from vision.cards.places import SURELY_READ, card_sides
from vision.cards.runs import are_next
from vision.grouping import Indices


@dataclass(frozen=True)
class StepConfig:
    """When the steps of a column tell that a card may have been missed, or was seen twice."""

    # A step so many times the usual one is a gap.
    wide_step: float = 1.3
    steps_to_tell: int = 3  # least steps of a column that tell the usual one
    least_others: int = 2  # steps of other columns that tell the usual one
    # In usual steps: a jolly has no place between two cards nearer to each other than
    # `no_place_between`, nor nearer than `no_place_beyond` to the end of a column. On 460 rendered
    # hands 1 of 374 true jollies and 5 of 12 false ones lie so between two cards; none of 262 lies
    # so near to the end.
    no_place_between: float = 1.25
    no_place_beyond: float = 0.4
    # In usual steps of other columns: two of one face that make a column by themselves and lie
    # nearer than this are one card. On 460 rendered hands seven pairs are nearer than 0.61, each of
    # them one card, and no further one is nearer than 1.07.
    half_a_step: float = 0.7
    # In widths of a card: where the marks of such a pair are nearer, it is two cards. On 480
    # rendered hands the marks of five cards seen twice lie 0.91 apart and more, and those of two
    # such pairs, both of them two cards, 0.31 and less.
    two_marks_apart: float = 0.6
    # Share of the usual step of a column: two finds no farther apart along it may be one card.
    level: float = 0.3
    # Probability of the likeliest face below which one of two finds on a level is no card of its
    # own, where the other one is surely read. On 660 rendered hands three pairs that differ in face
    # were so read: two are one card, with a second mark in another corner, and one is a card and
    # something that is no mark.
    perhaps: float = 0.95
    # Share of the gap's length: the mark of a card that fills the gap is no farther from its place.
    near_expected: float = 0.3
    most_missed: int = 2  # cards missed in one gap: a wider gap parts two columns
    fan_degrees: float = OffsetConfig.fan_degrees  # least turn of cards in a fan


def seen_twice(
    columns: list[Indices],
    cards: Sequence[Card],
    faces: NDArray[np.float32],
    config: StepConfig = StepConfig(),
) -> dict[int, int]:
    """Return the cards that are a second find of the card beside them in a column: a map from the
    index of the second find to that of the first. `faces` (n, 53) are log-probabilities.

    Either both finds show one face, and lie hardly apart along a column whose other cards lie a
    step apart, or make a column by themselves whose step is much shorter than those of the other
    columns and whose marks lie as far apart as the corners of a card. Or they lie hardly apart
    along a column, and one of them is surely read and the other is not: the sure one is the first
    then. But what is next, in a run, to a neighbour is a card of its own, however near it lies: on
    1,728 rendered hands there were five such neighbours on one level, each of them two cards.
    """
    found: dict[int, int] = {}
    likeliest, sureness = faces.argmax(axis=1), np.exp(faces.max(axis=1))
    on_table = [_steps_on_table([cards[i] for i in column]) for column in columns]
    for number, column in enumerate(columns):
        moves = np.stack([step_between(cards[i], cards[j]) for i, j in pairwise(column)])
        along = moves.sum(axis=0)
        steps = moves @ along / max(float(np.linalg.norm(along)), 1e-9)
        if len(steps) >= config.steps_to_tell:
            level = np.abs(steps) <= config.level * np.median(steps)
        elif len(steps) > 1:
            continue
        else:
            usual = _usual_step([*on_table[:number], *on_table[number + 1 :]], config)
            level = on_table[number] <= config.half_a_step * usual
            level &= _marks_apart(*(cards[i] for i in column)) >= config.two_marks_apart
        for at in np.flatnonzero(level):
            one, other = column[at : at + 2]
            if likeliest[one] == likeliest[other]:
                found[other] = found.get(one, one)
            elif len(steps) >= config.steps_to_tell:
                unsure, sure = sorted((one, other), key=lambda card: float(sureness[card]))
                certain = sureness[sure] >= SURELY_READ > config.perhaps > sureness[unsure]
                place = column.index(unsure)
                beside = column[max(place - 1, 0) : place + 2]
                two = any(are_next(faces[unsure], faces[card]) for card in beside)
                if certain and not two and unsure not in found:
                    found[unsure] = found.get(sure, sure)
    return found


def _marks_apart(card: Card, other: Card) -> float:
    """Return how far the nearest marks of two cards are apart, in widths of a card."""
    away = np.linalg.norm(card.marks[:, None] - other.marks, axis=2)
    return float(away.min() / max(min(*card.size, *other.size), 1e-6))


def without_a_place(
    columns: list[Indices],
    cards: Sequence[Card],
    are_jollies: NDArray[np.bool_],
    config: StepConfig = StepConfig(),
) -> set[int]:
    """Return the indices of the jollies in columns that have no place for them: the cards before
    and after the jolly lie about one step apart, or the jolly is at an end, much less than a step
    away from the next card. In either case the find is something on a card that looks like a
    jolly's mark.

    `are_jollies` (n,) tells which cards are jollies.
    """
    on_table = [_steps_on_table([cards[i] for i in column]) for column in columns]
    return {
        column[at]
        for number, column in enumerate(columns)
        for at in np.flatnonzero(are_jollies[list(column)]).tolist()
        if not shows_whole(cards[column[at]])
        and not _has_a_place(column, at, cards, _usual_around(number, at, on_table, config), config)
    }


def _usual_around(number: int, at: int, on_table: list[Array], config: StepConfig) -> float:
    """Return the median step of column `number`, without the steps to and from its card at index
    `at`. Where too few steps are left, return the median over all columns; NaN where all columns
    together have too few.

    `on_table` holds an array (n,) for each column: the lengths of its steps in sizes of the cards.
    """
    own = np.delete(on_table[number], slice(max(at - 1, 0), at + 1))
    if len(own) >= config.least_others:
        return float(np.median(own))
    return _usual_step([*on_table[:number], own, *on_table[number + 1 :]], config)


def _has_a_place(
    column: Indices, at: int, cards: Sequence[Card], usual: float, config: StepConfig
) -> bool:
    """Tell whether the steps to and from the card at index `at` of a column are long enough for a
    card to lie there. `usual` is the usual step of the column, in sizes of the cards.
    """
    if 0 < at < len(column) - 1:
        around, least = [column[at - 1], column[at + 1]], config.no_place_between
    else:
        around, least = [column[at], column[1 if at == 0 else at - 1]], config.no_place_beyond
    return not _steps_on_table([cards[i] for i in around])[0] < least * usual


@dataclass(frozen=True)
class Gap:
    """A gap in a column, where a card may have been missed.

    `column` is the column's index, and `before` is how many of its cards lie before the gap.
    `share` is how far the missed card lies on the way from the card before the gap to the card
    after it, 0 to 1. `incomplete` says that steps told of the gap and that the column, as it was
    seen, is no meld. `jolly` is how probably the card in the gap is a jolly, where one shows there;
    None where none shows.

    A gap in which no card shows is filled in two cases: a card that is in no column lies there, or
    the gap is `incomplete`, the numbers around it lack one, and the column is a meld with one card
    more.
    """

    column: int
    before: int
    share: float
    incomplete: bool = False
    jolly: float | None = None


def find_gaps(
    columns: list[Indices],
    cards: Sequence[Card],
    incomplete: Collection[int] = (),
    config: StepConfig = StepConfig(),
) -> list[Gap]:
    """Return the gaps of all columns, one Gap for each card that may have been missed. People lay
    the cards of a column at about equal steps, so in a step longer than usual cards may have been
    missed.

    The list follows the order of the columns and, within a column, the order of its cards.
    `columns` hold indices of the `cards`, and `incomplete` holds the indices of the columns that
    are no melds as they were seen.
    """
    found: list[Gap] = []
    on_table = [_steps_on_table([cards[i] for i in column]) for column in columns]
    for number, column in enumerate(columns):
        moves = np.stack([step_between(cards[i], cards[j]) for i, j in pairwise(column)])
        along = moves.sum(axis=0)
        steps = moves @ along / max(float(along @ along), 1e-9)
        if number in incomplete and len(steps) < config.steps_to_tell:
            found += _gaps_of_short(number, on_table, config)
            continue
        even = len(steps) >= config.steps_to_tell and np.median(steps) > 0
        if not even or _is_fan([cards[i] for i in column], config):
            continue
        least, ratios = _usual_steps(steps, [cards[i] for i in column])
        found += _gaps(number, ratios, least, number in incomplete, config)
    return found


def _usual_step(steps: Sequence[Array], config: StepConfig) -> float:
    """Return the median of all steps of several columns together; NaN where these are too few.
    `steps` holds an array (n,) for each column.
    """
    known = np.concatenate([np.zeros(0), *steps])
    return float(np.median(known)) if len(known) >= config.least_others else np.nan


def _gaps_of_short(number: int, on_table: list[Array], config: StepConfig) -> list[Gap]:
    """Return the gaps of the column with the index `number`. It has too few steps to tell its usual
    step, so the usual step of the other columns is taken instead.

    `on_table` holds an array (n,) for each column: the lengths of its steps in sizes of the cards.
    """
    usual = _usual_step([*on_table[:number], *on_table[number + 1 :]], config)
    if not usual > 0:  # not a number, or most of the others' cards lie on one place
        return []
    ratios = on_table[number] / usual
    return _gaps(number, ratios, ratios, True, config)


def _gaps(
    number: int,
    ratios: Array,
    least: Array,
    incomplete: bool,
    config: StepConfig,
) -> list[Gap]:
    """Return the gaps of column `number`, one Gap for each card that may have been missed. `ratios`
    (n,) are the column's steps divided by the usual one; `least` (n,) may be less, where it is not
    known exactly how long the steps are on the table.

    A step has gaps if its ratio is at least `StepConfig.wide_step`, unless it has room for more
    than `StepConfig.most_missed` cards by the lesser of both. `incomplete`, which each Gap notes,
    tells that the column is no meld as it was seen.
    """
    found = []
    for at in np.flatnonzero(ratios >= config.wide_step).tolist():
        missed = max(1, round(float(least[at])) - 1)
        if missed <= config.most_missed:
            shares = [(one + 1) / (missed + 1) for one in range(missed)]
            found += [Gap(number, at + 1, share, incomplete) for share in shares]
    return found


def _steps_on_table(column: list[Card]) -> Array:
    """Return the lengths of the n steps of a column of n + 1 cards, (n,), in sizes of the cards. So
    a far column, which looks small, has steps as long as those of a near one. The size of a card is
    the square root of its width times its height.
    """
    sizes = _sizes(column)
    steps = [np.linalg.norm(step_between(card, other)) for card, other in pairwise(column)]
    return np.asarray(2 * np.array(steps) / (sizes[1:] + sizes[:-1]))


def _sizes(cards: list[Card]) -> Array:
    """Return the size of each card, (n,): the square root of its width times its height, in
    pixels.
    """
    lengths = np.linalg.norm(card_sides(np.stack([card.outline for card in cards])), axis=2)
    return np.asarray(np.maximum(np.sqrt(lengths.prod(axis=1)), 1e-6))


def _usual_steps(steps: Array, column: list[Card]) -> tuple[Array, Array]:
    """Return the n steps of a column divided by the median one, (n,) each, twice: the lesser and
    the larger of two ratios, one with the steps as they are and one with the steps in sizes of the
    cards, since far cards look small.

    `steps` (n,) are lengths in the picture, in any unit; `column` holds the n + 1 cards.
    """
    sizes = _sizes(column)
    on_table = steps / (sizes[1:] + sizes[:-1])
    ratios = np.stack([steps / np.median(steps), on_table / np.median(on_table)])
    return np.asarray(ratios.min(axis=0)), np.asarray(ratios.max(axis=0))


def _is_fan(column: list[Card], config: StepConfig) -> bool:
    """Tell whether a column is a fan: the median turn of its cards against their neighbours is
    `StepConfig.fan_degrees` or more.
    """
    turns = [abs(turn_between(card, following)) for card, following in pairwise(column)]
    return float(np.median(turns)) >= config.fan_degrees


def gap_filler(
    quads: NDArray[np.float32],
    alone: list[int],
    expected: NDArray[np.float32],
    step: NDArray[np.float32],
    config: StepConfig = StepConfig(),
) -> int | None:
    """Return the index of the card that fills a gap in a column: of the cards that lie in no
    column, the one whose mark is nearest to `expected`. None where no mark is near.

    `quads` (n, 4, 2) are the marks of all cards, and `alone` holds the indices of those in no
    column. `expected` (4, 2) is the quad in which the mark of the missed card should be. `step`
    (2,) leads over the whole gap, in pixels.
    """
    away = np.linalg.norm(quads[alone].mean(axis=1) - expected.mean(axis=0), axis=1)
    near = away <= config.near_expected * float(np.linalg.norm(step))
    return alone[int(away.argmin())] if near.any() else None
