"""Cards that lie by themselves: which two may be one, and which finds beside them are none."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from vision.cards.card import Card, plane_of, seen_from
from vision.cards.jollies import may_be_on_one_card
from vision.cards.marks import are_jollies
from vision.cards.places import card_frames
from vision.doubts import DoubtConfig
from vision.grouping import Indices
from vision.quads import overlap
from vision.reading import Layout
from vision.seen import Seen

# Joint score below which a find among loose cards that cannot be read is no card. On 840
# rendered hands, in photographs that are not blurred, twelve finds that cannot be read are no
# cards, most of them figures on a score sheet: ten score less, and none of five that are cards.
FAINTEST_UNREAD = 0.2
# A photograph shows melds, and not loose cards, if so many times as many cards lie in columns as do
# not.
IN_MELDS = 3
# Joint score below which what looks like a jolly is none if it lies in no column and all columns
# are melds: a jolly beside them would be in one, since any meld is longer by it. Of twelve finds
# that lay so on 2,490 rendered hands two were of cards that were not told, a jolly and a queen, on
# photographs of which whole columns were missed.
ASIDE_OF_MELDS = 0.8
# Two loose cards lie in one place if they share more than IN_ONE_PLACE of the smaller one's area.
# On 240 rendered racks four pairs of cards that were told share more: two are one card told twice,
# and in two one is no card. Of pairs that are truly two cards the nearest share 0.54. Marks that
# stand OPPOSITE_CORNERS of a card's width and of its height apart, at least, are in opposite
# corners; two that are the only ones on their cards, and stand at most ASIDE of a width and at
# least ALONG of a height apart, are at both ends of one long edge, as on packs with four indices.
# On 307 rendered racks two pairs of different faces lay so, and in each one card was none; on 628
# real photographs none does.
IN_ONE_PLACE, OPPOSITE_CORNERS = 0.6, 0.4
ASIDE, ALONG = 0.2, 0.5
# A find whose only mark lies within IN_A_CORNER widths of another corner of a surely read card,
# where that card's own second mark would stand, is that mark, half covered or blurred, if its face
# is in doubt; what can hardly be read at all may be another card. On 700 rendered heaps and 1,300
# racks 14 such finds are second marks and none is a card, and on 646 real photographs six are none.
# A surely read one may be a card of which little shows, and is doubted from JUST_IN_A_CORNER on.
SURELY_READ, IN_DOUBT, HARDLY_READ = 0.9, 0.99, 0.35
IN_A_CORNER, JUST_IN_A_CORNER = 0.25, 0.08
FOUR_CORNERS = 3  # marks from which on a card shows that its pack has them in all corners


def with_twins_in_doubt(seen: Seen, cards: list[Card], doubts: DoubtConfig) -> Seen:
    """Return `seen`, of a photograph of loose cards, in which the less sure of two cards that may
    be one counts as doubtful: two jollies whose marks may all be of one card, even as they lie in a
    fan, or two other cards that lie in one place and show different corners. Two corners of one
    card may be read as different faces.
    """
    less_sure = set[int]()
    jollies = are_jollies(seen.faces)
    others = np.array([card.outline for card in cards], np.float32).reshape(-1, 4, 2)[~jollies]
    sureness = seen.sureness(doubts.tile) * np.exp(seen.faces.max(axis=1))
    for two in _near_pairs(cards):
        one, other = (cards[card] for card in two)
        if jollies[[*two]].all():
            twins = may_be_on_one_card(np.concatenate([one.marks, other.marks]), others)
        else:
            twins = _lie_in_one_place(one, other)
        if twins:
            less_sure.add(min(two, key=lambda card: float(sureness[card])))
    return seen.with_in_doubt(less_sure)


def without_second_corners(
    seen: Seen, cards: list[Card], is_meld: Callable[[Indices], bool] | None = None
) -> tuple[Seen, list[Card]]:
    """Return `seen` and its `cards` without those that are second marks of surely read cards; those
    that may be count as doubtful. In a photograph of melds, `is_meld` tells of a column, as indices
    of cards, whether it is one: there the corner of one card lies easily where a card of another
    column has its own, so only cards of the same column are looked at, and none of melds.
    """
    second = _second_corners(seen, cards)
    if is_meld:
        column_of = {card: row for row in seen.table.rows for card in row}
        melds = {*filter(is_meld, seen.table.rows)}
        second = [
            (one, card)
            for one, card in second
            if column_of.get(one) not in melds and column_of.get(one) in (None, column_of.get(card))
        ]
    chances = np.exp(seen.faces.max(axis=1))
    marks = {one for one, _card in second if chances[one] < IN_DOUBT}
    perhaps = {one for one, _card in second}
    kept = [card for card in range(len(cards)) if card not in marks]
    seen = seen.with_in_doubt(perhaps).take(np.array(kept, np.intp))
    return seen, [cards[card] for card in kept]


def _second_corners(seen: Seen, cards: list[Card]) -> list[tuple[int, int]]:
    """List pairs of cards, as indices: one whose only mark stands in another corner of a surely
    read card, and that card. The first is in doubt and is a mark of the second, or it is surely
    read and may be one. The marks of a jolly stand anywhere, so its corners tell nothing.
    """
    chances, jollies = np.exp(seen.faces.max(axis=1)), are_jollies(seen.faces)
    asked = [one for one, card in enumerate(cards) if len(card.marks) == 1]
    asked = [one for one in asked if chances[one] >= HARDLY_READ]
    middles = np.array([cards[one].marks[0] for one in asked], np.float32).reshape(-1, 2)
    found = []
    for number in np.flatnonzero(~jollies & (chances >= SURELY_READ)).tolist() if asked else ():
        card = cards[number]
        for one, away in zip(asked, _from_free_corners(middles, card), strict=True):
            if one == number or chances[one] > chances[number]:
                continue
            doubtful = chances[one] < IN_DOUBT and away <= IN_A_CORNER
            if doubtful or (len(card.marks) == 1 and away <= JUST_IN_A_CORNER):
                found.append((one, number))
    return found


def _from_free_corners(places: NDArray[np.float32], card: Card) -> NDArray[np.float32]:
    """Return how far each of the places (n, 2), in pixels, is from the nearest corner of a card
    that may hold a mark of it and shows none, (n,) in widths of the card: the one opposite a mark,
    or any corner where FOUR_CORNERS or more show one. Infinite where there is no such corner.
    """
    plane = plane_of(card.outline)
    seen, own = seen_from(plane, places), seen_from(plane, card.marks)
    ways = [(-1, -1), (-1, 1), (1, -1)] if len(own) >= FOUR_CORNERS else [(-1, -1)]
    corners = np.concatenate([own * np.array(way, np.float32) for way in ways])
    taken = np.linalg.norm(corners[:, None] - own, axis=2).min(axis=1) < IN_A_CORNER
    away = np.linalg.norm(seen[:, None] - corners[~taken], axis=2)
    return np.asarray(away.min(axis=1, initial=np.inf))


def _near_pairs(cards: list[Card]) -> list[tuple[int, int]]:
    """List the pairs of cards, as indices, whose middles lie within two heights of the second."""
    middles = np.array([card.middle for card in cards], np.float32).reshape(-1, 2)
    reach = 2 * np.array([max(card.size) for card in cards])
    away = np.linalg.norm(middles[:, None] - middles, axis=2)
    one, other = np.nonzero(np.triu(away <= reach, 1))
    return list(zip(one.tolist(), other.tolist(), strict=True))


def _lie_in_one_place(one: Card, other: Card) -> bool:
    """Tell whether two cards overlap by more than IN_ONE_PLACE, and their marks may be of one card:
    each mark of the one stands in the opposite corner to those of the other, or each shows one mark
    alone, at both ends of one long edge. Marks of cards in a fan or a column stand otherwise.
    """
    if overlap(one.outline, other.outline) <= IN_ONE_PLACE:
        return False
    moves = (one.marks[:, None] - other.marks).reshape(-1, 2)
    apart = np.abs(moves @ np.linalg.inv(card_frames(one.outline[None])[0]).T)
    aside, along = apart[0]
    on_one_edge = len(apart) == 1 and aside <= ASIDE and along >= ALONG
    return bool(on_one_edge or apart.min() >= OPPOSITE_CORNERS)


def with_cards_aside_in_doubt(seen: Seen) -> Seen:
    """Return `seen`, of a photograph of melds, in which cards in no column count as doubtful where
    others than these are IN_MELDS times as many. On 420 rendered hands eleven such cards were sure,
    and in each of these photographs a card was missed or told twice.
    """
    in_columns = {card for row in seen.table.rows for card in row}
    aside = {*range(len(seen.quads))}.difference(in_columns)
    return seen.with_in_doubt(aside if len(in_columns) >= IN_MELDS * len(aside) else ())


def without_jollies_aside(seen: Seen) -> Seen:
    """Return `seen`, of a photograph all columns of which are melds, without what looks like a
    jolly in no column and is fainter than ASIDE_OF_MELDS.
    """
    aside = are_jollies(seen.faces) & (seen.joint_scores < ASIDE_OF_MELDS)
    aside[[card for row in seen.table.rows for card in row]] = False
    return seen.take(np.flatnonzero(~aside))


def without_stray(seen: Seen, layout: Layout, doubts: DoubtConfig) -> Seen:
    """Return `seen` without the stray finds. Where so many cards cannot be read that the picture
    counts as blurred, all are kept.

    In photographs of melds these are the finds that lie in no column and cannot be read, or may be
    a jolly but are faint: none of 17 on 480 rendered hands, nor of 2 on 646 real photographs, was a
    further card. In photographs of loose cards they are those that cannot be read and are fainter
    than FAINTEST_UNREAD.
    """
    unread = seen.faces.max(axis=1) < np.log(doubts.unread)
    if len(unread) and unread.mean() > doubts.blurred:
        return seen
    if layout is Layout.MELDS:
        faint = are_jollies(seen.faces) & (seen.sureness(doubts.tile) < doubts.faint)
        in_columns = [card for row in seen.table.rows for card in row]
        stray = (unread | faint) & ~np.isin(np.arange(len(unread)), in_columns)
    else:
        # What was missed and is asked for has a joint score of 0.
        stray = unread & (seen.joint_scores > 0) & (seen.joint_scores < FAINTEST_UNREAD)
    return seen.take(np.flatnonzero(~stray))
