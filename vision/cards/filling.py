"""Puts cards into gaps of columns: a card that lies there and in no column, or one whose mark was
not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.tiles import FACE_INDEX, FACES, JOKER
from vision.cards.card import Card
from vision.cards.offsets import step_between
from vision.cards.seen_after_all import seen_after_all, with_seen_cards
from vision.cards.steps import Gap, gap_filler
from vision.grouping import Indices
from vision.reader import log_softmax
from vision.reading import Layout
from vision.seen import Rows, Seen

# How many times likelier than another card a jolly is where a card must lie whose mark is not seen.
# Of the marks of jollies in melds one in eleven is missed; of other cards' one in some hundreds.
MISSED_JOLLY = 60.0
# Faces that a card may have, beside a jolly's; and those that one of a meld may have whose mark is
# not seen: one in an escalera, up to four in a pierna.
NO_JOLLIES, FITTING = len(FACES) - 1, 2
# What lies around a mark tells with this probability at least that its card is a jolly, or that it
# is none: a mark that can be read is surer.
LEAST = 1e-3


@dataclass(frozen=True, eq=False)
class Missed:
    """A card that was missed: the quad where its mark should be, (4, 2) in pixels, and how probably
    it is a jolly by what lies around it; None where nothing tells. `places` (k, 2) are where it
    should have marks, that quad among them, if it shows as many as the card beside it. `lacking`
    tells that its column is no meld and lacks its number: it was missed though no paper may show.
    """

    mark: NDArray[np.float32]
    jolly: float | None
    places: NDArray[np.float32]
    lacking: bool = False


def with_read(
    seen: Seen,
    rows: list[list[int]],
    quads: NDArray[np.float32],
    faces: NDArray[np.float32],
) -> Seen:
    """Return `seen` with k missed cards added, whose joint score is 0. `quads` (k, 4, 2) are their
    marks, `faces` (k, 53) the log-probabilities of their faces, and `rows` the columns, as indices
    of cards; missed cards are numbered after those seen.

    Left out are missed cards that are in none of the `rows`, and those whose mark is that of a card
    seen elsewhere; see `vision.cards.seen_after_all`. A card that is moved from one column to
    another for that reason counts as doubtful.
    """
    first = len(seen.quads)
    in_rows = {card for row in rows for card in row}
    same = {
        first + missed: card
        for missed, card in seen_after_all(quads, seen.quads).items()
        if first + missed in in_rows
    }
    rows = with_seen_cards(rows, same)
    still_missed = {card for row in rows for card in row}
    moved = {card for missed, card in same.items() if missed not in still_missed} & in_rows
    new = sorted({card - first for row in rows for card in row if card >= first})
    number = {first + missed: first + at for at, missed in enumerate(new)}
    longer = seen.with_more(np.zeros(len(new), np.float32), quads[new], faces[new])
    renumbered = [tuple(number.get(card, card) for card in row) for row in rows]
    return replace(longer, table=Rows(renumbered)).with_in_doubt(moved)


def filled(
    seen: Seen,
    cards: list[Card],
    gaps: list[Gap],
    may_hold: Callable[[Indices], bool],
) -> tuple[list[list[int]], list[Missed]]:
    """Fill the `gaps` in columns of cards. Return the columns after that, as indices of cards; and
    the missed cards.

    A gap is filled with that one of the `cards` that lies there and in no column. Where no card
    lies there, it is filled with a missed card, if one shows there, or if the column is no meld and
    the numbers beside the gap lack one; and if the column may hold that card, by itself or with
    those that show in its other gaps. Missed cards are numbered after those seen, in the order of
    their list. `may_hold` tells whether a column may be as it is told, where the index after those
    of the cards seen stands for a card of any face.
    """
    columns, any_card = seen.table.rows, len(seen.quads)
    rows = [list(row) for row in columns]
    in_rows = {card for row in rows for card in row}
    alone = [card for card in range(len(cards)) if card not in in_rows]
    full = {
        number
        for number in {gap.column for gap in gaps if gap.jolly is not None}
        if may_hold(_with_any_cards(columns[number], _shown_in(gaps, number), any_card))
    }
    missed = list[Missed]()
    for gap in reversed(gaps):  # so that earlier ones stay
        last, following = columns[gap.column][gap.before - 1 : gap.before + 1]
        step = step_between(cards[last], cards[following])
        there = gap_filler(seen.quads, alone, seen.quads[last] + gap.share * step, step)
        if there is not None:
            alone.remove(there)
        else:
            shows = gap.jolly is not None
            lacks_one = gap.incomplete and _lacks_one(seen, columns[gap.column], gap.before)
            if not (shows or lacks_one):
                continue
            longer = _with_any_cards(rows[gap.column], [gap], any_card)
            if not ((shows and gap.column in full) or may_hold(longer)):
                continue
            there = any_card + len(missed)
            away = gap.share * step
            marks = np.asarray(cards[last].marks + away, np.float32)
            missed.append(Missed(seen.quads[last] + away, gap.jolly, marks, lacks_one))
        rows[gap.column].insert(gap.before, there)
    return rows, missed


def _shown_in(gaps: Sequence[Gap], column: int) -> list[Gap]:
    """Return the gaps of the column with the index `column` in which a card shows."""
    return [gap for gap in gaps if gap.column == column and gap.jolly is not None]


def _with_any_cards(row: Sequence[int], gaps: Sequence[Gap], any_card: int) -> Indices:
    """Return the column `row` with the index `any_card`, which stands for any card, put into each
    of its `gaps`, which are in the order of its cards. Indices in `row` that are higher than
    `any_card` are those of missed cards, with which later gaps of the column were filled;
    `any_card` replaces them, too.
    """
    longer = [min(card, any_card) for card in row]
    for gap in reversed(gaps):
        longer.insert(gap.before, any_card)
    return tuple(longer)


def _lacks_one(seen: Seen, column: Indices, before: int) -> bool:
    """Tell whether the numbers of a column ask for one more card in the gap after its first
    `before` cards: whether the nearest two numbers around the gap differ by one more than there are
    steps between their cards. Jollies, which show no number, are passed over.
    """
    numbers = [
        (at, number)
        for at, card in enumerate(column)
        if (number := FACES[seen.faces[card].argmax()].number) is not None
    ]
    last = [pair for pair in numbers if pair[0] < before][-1:]
    following = [pair for pair in numbers if pair[0] >= before][:1]
    return any(
        abs(other - one) == there - here + 1 for here, one in last for there, other in following
    )


def missed_faces(layout: Layout) -> NDArray[np.float32]:
    """Return log-probabilities of the faces, (53,), for a card whose mark is not seen at all. All
    faces are equally likely, but in a photograph of melds the jolly is MISSED_JOLLY times as likely
    as any other face.
    """
    weights = np.ones(len(FACES), np.float32)
    if layout is Layout.MELDS:
        weights[FACE_INDEX[JOKER]] = MISSED_JOLLY
    return np.asarray(np.log(weights / weights.sum()), np.float32)


def with_jolly(
    faces: NDArray[np.float32], jolly: float, others: int = NO_JOLLIES
) -> NDArray[np.float32]:
    """Return log-probabilities of the faces, (53,), of a card that is a jolly with the probability
    `jolly` by what lies around its mark. `faces` (53,) are those by the mark alone, and `others`
    tells how many other faces the card may have.
    """
    weights = np.full(len(FACES), max(1 - jolly, LEAST) / others, np.float32)
    weights[FACE_INDEX[JOKER]] = max(jolly, LEAST)
    return log_softmax(faces + np.log(weights))
