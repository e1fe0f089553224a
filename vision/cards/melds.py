"""Completes columns of cards by the rules of the game. A card beside a column that is no meld is
added to it where the result is a meld; a card or column in line with a column is added in any case.

Here a column, often named `row`, is a tuple of indices of `cards`, from the most covered card to
the free one; `is_meld` tells of such a tuple whether its cards, in this order, make a meld.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations

import numpy as np
from numpy.typing import NDArray

from vision.cards.card import Card, Points, shows_whole
from vision.cards.columns import is_uncovered
from vision.cards.offsets import step_between, steps_from
from vision.cards.places import card_sides
from vision.grouping import Indices

IsMeld = Callable[[Indices], bool]


@dataclass(frozen=True)
class MeldConfig:
    """How near something has to lie to a column to belong to it."""

    # Limits of a card that is inserted in a column: how far its middle is from the nearest middle
    # of the column's cards, in heights of a card, and from the column's line, in widths.
    reach: float = 1.3
    aside: float = 0.6
    # Share of the step to a mark: how far it may be from where the mark of the next card would be.
    near_expected: float = 0.4
    # Heights of a card, from its middle to that of the nearest card of a meld: what is at least
    # `just_on` and at most `over` away lies over the meld or under it. Of nine cards that did on
    # 460 rendered hands five were of the meld. A card seen whole on a meld's free card may be
    # nearer.
    just_on: float = 0.15
    over: float = 0.5
    # Limits of a card in line with a column: the distance beyond its end, in last steps of the
    # column, and the distance from its line, in widths of a card.
    nearest_beyond: float = 0.5
    farthest_beyond: float = 2.6
    in_line: float = 0.3
    # Heights of a card that one step has at most, a little more than where a card touches the one
    # before it: far cards are told smaller than they are.
    longest_step: float = 1.05
    # A faint mark in the middle of a step is a card's if the step is at least this many times as
    # long as the shortest of the column's other steps.
    filled_step: float = 1.4
    # Heights of a card from a mark to that of the next card of a meld, at most, where neither is in
    # a column.
    marks_near: float = 0.6


CONFIG = MeldConfig()


def with_loose_cards(
    columns: Sequence[Indices],
    cards: Sequence[Card],
    is_meld: IsMeld,
) -> list[Indices]:
    """Return the columns in their order, some of them completed. A column that is no meld gets a
    loose card that lies beside it, if column and card together make a meld. A card is loose if it
    is in no column.
    """
    rows = list(columns)
    loose = set(range(len(cards))).difference(*rows)
    for number, row in enumerate(rows):
        if is_meld(row):
            continue
        for card in sorted(loose):
            at = place_in(row, card, cards)
            longer = row if at is None else (*row[:at], card, *row[at:])
            if at is not None and is_meld(longer):
                rows[number] = longer
                loose.discard(card)
                break
    return rows


def with_cards_in_line(columns: Sequence[Indices], cards: Sequence[Card]) -> list[Indices]:
    """Return the columns in their order, each made longer at its ends by the cards of no column
    that lie in line with it; the nearest card is added first. Such a card may lie some steps away
    from the column, since a card between them may have been missed.
    """
    rows = list(columns)
    loose = set(range(len(cards))).difference(*rows)
    for number in range(len(rows)):
        while found := _next_in_line(rows[number], loose, cards, CONFIG.in_line):
            card, free = found
            rows[number] = (*rows[number], card) if free else (card, *rows[number])
            loose.discard(card)
    return rows


def with_cards_over(
    columns: Sequence[Indices],
    cards: Sequence[Card],
    may_join: Sequence[int],
    jollies: NDArray[np.bool_],
    is_meld: IsMeld,
) -> list[Indices]:
    """Return the columns after adding single cards to melds. A card is added if it lies over or
    under a card of a meld, or beyond an end of the meld and not quite in line, and the result is a
    longer meld. `may_join` holds the indices of the cards that may be added, and `jollies` (n,)
    tells which cards are jollies.

    A card with nearly the same middle as a card of a meld is rather a mark on that card. It is
    added only if it was seen whole on the free card of the meld, whose outline may be told too
    large, and is no jolly: words in two corners of a card look like the marks of one.
    """
    rows = list(columns)
    for card in may_join:
        away = [_heights_away(row, card, cards) for row in rows]
        for number in np.argsort(away, kind="stable").tolist():
            if not is_meld(rows[number]):
                continue
            is_whole = shows_whole(cards[card]) and not jollies[card]
            on_free = is_whole and _nearest_to(card, rows[number], cards) == rows[number][-1]
            if (0 if on_free else CONFIG.just_on) <= away[number] <= CONFIG.over:
                longer = made_longer(rows[number], card, cards, is_meld)
            else:
                longer = _made_longer_beyond(rows[number], card, cards, is_meld)
            if longer is not None:
                rows[number] = longer
                break
    return rows


def with_melds_of_loose_cards(
    columns: Sequence[Indices],
    cards: Sequence[Card],
    is_meld: IsMeld,
) -> list[Indices]:
    """Return the columns, and after them the melds that cards of no column make: three or more with
    their marks near one another, all of which are a meld in the order in which they lie. A jolly
    whose outline is told wrongly may part a column into such cards.
    """
    loose = sorted(set(range(len(cards))).difference(*columns))
    heaps = [{card} for card in loose]
    for one, other in combinations(loose, 2):
        if _marks_apart(cards[one], cards[other]) <= CONFIG.marks_near:
            joined = [heap for heap in heaps if one in heap or other in heap]
            heaps = [heap for heap in heaps if heap not in joined] + [set().union(*joined)]
    melds = list[Indices]()
    for heap in heaps:
        row = _in_line(sorted(heap), cards)
        melds += [way for way in (row, row[::-1]) if len(row) > 2 and is_meld(way)][:1]
    return [*columns, *melds]


def _marks_apart(card: Card, other: Card) -> float:
    """Return how far the nearest marks of two cards are from each other, in heights of a card."""
    away = np.linalg.norm(card.marks[:, None] - other.marks, axis=2).min()
    sides = card_sides(np.stack([card.outline, other.outline]))
    return float(away / np.linalg.norm(sides[:, 1], axis=1).mean())


def _in_line(heap: Sequence[int], cards: Sequence[Card]) -> Indices:
    """Return the cards of a heap in their order along the line on which their marks lie best."""
    marks = np.stack([cards[card].marks[0] for card in heap]).astype(np.float64)
    away = marks - marks.mean(axis=0)
    along = away @ np.linalg.svd(away, full_matrices=False)[2][0]
    return tuple(heap[at] for at in np.argsort(along, kind="stable"))


def with_jollies_beyond(
    columns: Sequence[Indices],
    cards: Sequence[Card],
    jollies: Sequence[int],
    is_meld: IsMeld,
) -> list[Indices]:
    """Return the columns after adding single jollies, given by their indices `jollies`. A jolly is
    added where one of its marks stands where the next card beyond an end of a column would have
    its mark, and the result is a meld. The outline of a jolly may be told wrongly, so that it is in
    no column itself.
    """
    rows = list(columns)
    for jolly in jollies:
        for number, row in enumerate(rows):
            ends = beyond_ends(row, cards, cards[jolly].marks)
            longer = [(*row, jolly) if free else (jolly, *row) for _mark, free, _step in ends]
            melds = [one for one in longer if is_meld(one)]
            if melds:
                rows[number] = melds[0]
                break
    return rows


def made_longer(row: Indices, card: int, cards: Sequence[Card], is_meld: IsMeld) -> Indices | None:
    """Return the column `row` with the card `card` inserted at a place at which the result is a
    meld, as near as possible to where the card lies along the column; None where there is no such
    place.
    """
    at = _place_along(row, card, cards)
    for place in sorted(range(len(row) + 1), key=lambda place: abs(place - at)):
        longer = (*row[:place], card, *row[place:])
        if is_meld(longer):
            return longer
    return None


def _made_longer_beyond(
    row: Indices, card: int, cards: Sequence[Card], is_meld: IsMeld
) -> Indices | None:
    """Return the column `row` with the card `card` added at the end beyond which it lies, aside of
    the column's line by `MeldConfig.aside` at most; None where it does not lie so, or the result is
    no meld.
    """
    found = _next_in_line(row, {card}, cards, CONFIG.aside)
    if found is None:
        return None
    longer = (*row, card) if found[1] else (card, *row)
    return longer if is_meld(longer) else None


def _next_in_line(
    row: Indices, loose: set[int], cards: Sequence[Card], farthest_aside: float
) -> tuple[int, bool] | None:
    """Return the index of the nearest of the `loose` cards that lie in line with the column `row`,
    and whether this card lies beyond the column's free end; None where no loose card is in line.
    `loose` holds indices of `cards`. Distances are counted in steps of the column, from the nearer
    end. The distance from the line is at most `farthest_aside`, in widths of a card.
    """
    found = []
    for free, (last, before) in ((False, row[:2]), (True, row[:-3:-1])):
        step = step_between(cards[before], cards[last])
        width, _ = cards[last].size
        length = max(float(np.linalg.norm(step)), 1e-6)
        others = [card for card in sorted(loose) if _is_near(cards[last], cards[card], length)]
        moves = steps_from(cards[last], [cards[card] for card in others])
        for card, move in zip(others, moves, strict=True):
            ahead = float(move @ step) / length**2
            aside = abs(float(move @ [step[1], -step[0]])) / length
            near = CONFIG.nearest_beyond <= ahead <= CONFIG.farthest_beyond
            if near and aside <= farthest_aside * width:
                found.append((ahead, card, free))
    return min(found)[1:] if found else None


def _is_near(end: Card, card: Card, step: float) -> bool:
    """Tell whether a card may lie as near to the end card of a column as one in line with it: no
    farther than its farthest place and twice a card's height, by which marks and outlines may
    disagree. `step` is the length of the column's last step in pixels.
    """
    away = float(np.linalg.norm(card.middle - end.middle))
    return away <= CONFIG.farthest_beyond * step + 2 * end.size[1]


def with_columns_in_line(
    columns: Sequence[Indices],
    cards: Sequence[Card],
    are_jollies: NDArray[np.bool_],
) -> list[Indices]:
    """Return the columns after joining pairs in which the second continues the first: it lies in
    line with the first, and so near that its first card lies over the first column's last card.

    `are_jollies` (n,) tells which cards are jollies. Where the card of a jolly lies is poorly
    known, so the two columns are compared by their cards that are no jollies.
    """
    rows = list(columns)
    while found := _next_columns(rows, cards, are_jollies):
        _, row, further = min(found)
        rows[rows.index(row)] = (*row, *further)
        rows.remove(further)
    return rows


def _next_columns(
    rows: Sequence[Indices],
    cards: Sequence[Card],
    are_jollies: NDArray[np.bool_],
) -> list[tuple[float, Indices, Indices]]:
    """Return the pairs of columns in which the second continues the first. Each entry holds the
    distance in pixels from the end of the first column to the beginning of the second, then the
    first column and the second one. `rows` are all columns.
    """
    return [
        (float(np.linalg.norm(step_between(cards[row[-1]], cards[further[0]]))), row, further)
        for row, further in permutations(rows, 2)
        if _goes_on(row, further, cards, are_jollies)
    ]


def _goes_on(
    row: Indices,
    further: Indices,
    cards: Sequence[Card],
    are_jollies: NDArray[np.bool_],
) -> bool:
    """Tell whether the column `further` continues the column `row`, judged by the last step of
    `row` and the first step of `further`, each between cards that are no jollies. `are_jollies`
    (n,) tells which cards are jollies.
    """
    end = [one for one in row if not are_jollies[one]][-2:]
    start = [one for one in further if not are_jollies[one]][:2]
    if len(end) < 2 or len(start) < 2:
        return False
    last, first = cards[end[1]], cards[start[0]]
    steps = 1 + row[::-1].index(end[1]) + further.index(start[0])
    if float(np.linalg.norm(first.middle - last.middle)) > steps * max(last.size):
        return False
    move = np.asarray(step_between(last, first) / steps, np.float32)
    step_before = _mean_step(row, end[0], end[1], cards)
    step_after = _mean_step(further, start[0], start[1], cards)
    return all(
        _is_a_step(move, steps, step, card)
        for step, card in ((step_before, last), (step_after, first))
    )


def _mean_step(row: Indices, one: int, other: int, cards: Sequence[Card]) -> Points:
    """Return the mean step of the column `row` between its cards `one` and `other`, given by their
    indices: (2,), in pixels.
    """
    between = row.index(other) - row.index(one)
    return np.asarray(step_between(cards[one], cards[other]) / between, np.float32)


def _is_a_step(move: Points, steps: int, usual: Points, card: Card) -> bool:
    """Tell whether the way from one column to another fits the steps of one of the two columns,
    called this column.

    `move` (2,) is the mean of the `steps` steps that lead from the one column to the other. `usual`
    (2,) is the mean step of this column at the end that faces the other one, and `card` its card
    there. `move` and `usual` are in pixels.
    """
    length = max(float(np.linalg.norm(usual)), 1e-6)
    width, height = card.size
    ahead = float(move @ usual) / length
    aside = steps * abs(float(move @ [usual[1], -usual[0]])) / length
    near = CONFIG.nearest_beyond * length <= ahead <= CONFIG.longest_step * height
    return bool(near and aside <= CONFIG.in_line * width)


def place_in(row: Indices, card: int, cards: Sequence[Card]) -> int | None:
    """Return the index in the column `row` at which `card` would be inserted; None where the card
    does not lie along the column.
    """
    along = step_between(cards[row[0]], cards[row[-1]])
    length = float(np.linalg.norm(along))
    move = step_between(cards[row[0]], cards[card])
    width, _ = cards[row[0]].size
    if not length:
        return None
    aside = abs(float(move @ [along[1], -along[0]])) / length
    if _heights_away(row, card, cards) > CONFIG.reach or aside > CONFIG.aside * width:
        return None
    return _place_along(row, card, cards)


def _nearest_to(card: int, row: Indices, cards: Sequence[Card]) -> int:
    """Return that card of the column `row` whose middle is nearest to that of `card`."""
    return min(row, key=lambda one: float(np.linalg.norm(cards[one].middle - cards[card].middle)))


def _heights_away(row: Indices, card: int, cards: Sequence[Card]) -> float:
    """Return how far a card's middle is from the nearest middle of a card of the column `row`, in
    heights of a card.
    """
    middles = np.stack([cards[one].middle for one in row])
    away = np.linalg.norm(middles - cards[card].middle, axis=1).min()
    return float(away / max(cards[row[0]].size[1], 1e-6))


def _place_along(row: Indices, card: int, cards: Sequence[Card]) -> int:
    """Return how many cards of the column `row` come before `card` along the column."""
    along = step_between(cards[row[0]], cards[row[-1]])
    ahead = steps_from(cards[row[0]], [cards[one] for one in (*row, card)]) @ along
    return int((ahead[:-1] < ahead[-1]).sum())


def beyond_ends(
    row: Indices,
    cards: Sequence[Card],
    marks: Points,
) -> list[tuple[int, bool, Points]]:
    """Return the marks that lie where the next card beyond an end of a column would have its mark,
    one step from the card at that end. For each end this is at most one of `marks`, (n, 2) in
    pixels. The column has two cards or more.

    Each entry holds the index of the mark, whether its end is the free one, and the step from the
    card at that end, (2,) in pixels. Beyond a free card that nothing covers no mark is returned: a
    card there would cover it.
    """
    found: list[tuple[int, bool, Points]] = []
    for free, (last, before) in ((False, row[:2]), (True, row[:-3:-1])):
        step = step_between(cards[before], cards[last])
        if free and is_uncovered(cards[last], step):
            continue
        expected = cards[last].marks + step
        away = np.linalg.norm(marks[:, None] - expected[None], axis=-1).min(axis=1)
        near = CONFIG.near_expected * float(np.linalg.norm(step))
        if len(marks) and away.min() <= near:
            found.append((int(away.argmin()), free, step))
    return found


def inside_gaps(
    row: Indices,
    cards: Sequence[Card],
    marks: Points,
) -> list[tuple[int, int, Points]]:
    """Return the marks that stand halfway between two neighbouring cards of a column: one at most
    of `marks`, (n, 2) in pixels, for each two cards. Only neighbours count that lie clearly farther
    apart than the two that are nearest to each other.

    A mark comes as its index, how many cards of the column lie before it, and the step to it from
    the last of these cards, (2,) in pixels.
    """
    found: list[tuple[int, int, Points]] = []
    moves = [step_between(cards[one], cards[other]) for one, other in pairwise(row)]
    lengths = np.array([np.linalg.norm(move) for move in moves])
    for at, move in enumerate(moves):
        others = np.delete(lengths, at)
        if not len(marks) or not len(others) or lengths[at] < CONFIG.filled_step * others.min():
            continue
        expected = cards[row[at]].marks + move / 2
        away = np.linalg.norm(marks[:, None] - expected[None], axis=-1).min(axis=1)
        if away.min() <= CONFIG.near_expected * lengths[at] / 2:
            found.append((int(away.argmin()), at + 1, np.asarray(move / 2, np.float32)))
    return found
