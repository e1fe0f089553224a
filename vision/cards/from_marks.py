"""Makes cards of marks, the indices in their corners: tells which marks are of one card, which
finds are no marks.

`found` are the n finds of the detector. `scores` are the reader's `FaceScores` of the finds, that
is, which faces it sees there, and `joint_scores` (n,) the finds' joint scores. `doubts` are the
limits of what counts as a mark.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.tiles import FACE_INDEX, JOKER
from vision.cards.alone import lying_alone
from vision.cards.astride import astride_two
from vision.cards.card import Card
from vision.cards.columns import (
    beyond_free_cards,
    find_columns,
    in_line_with_sure,
    on_whole_cards,
)
from vision.cards.free_corners import corners_joined
from vision.cards.marks import (
    are_jollies,
    joint_faces,
    joint_outlines,
    one_card_each,
)
from vision.cards.misread import misread_marks
from vision.cards.offsets import find_offsets, of_some
from vision.cards.one_jolly import jollies_joined
from vision.cards.sizes import AS_ALL_TELL, Sizing, outlines_as_read, sized_alike
from vision.cards.steps import seen_twice, without_a_place
from vision.cards.words import words_on_cards
from vision.cards.wrongly_joined import wrongly_joined_parted
from vision.detector import Detections
from vision.doubts import DoubtConfig
from vision.grouping import Indices
from vision.reader import FaceScores, face_scores
from vision.reading import Layout
from vision.seen import Rows, Seen

# Probability of the likeliest face below which a find on a card that is seen whole is no card, and
# the one where the likeliest face is a jolly. On 646 real photographs and 290 of rendered hands two
# finds below a quarter lie so, both of them pips. On 240 rendered hands, two in three of packs that
# the networks never saw, three finds more lie so and four jollies, none of them a card's mark: pips
# and the maker's name; of eight other cards that lie so with less than 0.9 six are true.
NO_FACE, NO_JOLLY = 0.5, 0.9
# Probability of a jolly below which a card surely is none, so that words may be printed on it.
NO_JOLLY_AT_ALL = 0.1
# Joint score below which what looks like a jolly's mark is nothing anyway, a word or not.
FAINTEST_JOLLY = 0.04
# Sum of the joint scores of a jolly's two marks from which the jolly surely is a card. Of what
# looks like a jolly with two unsure marks on 840 rendered hands, 43 reach this sum, all but one of
# them jollies; of the twelve that do not, four are jollies.
SURE_TOGETHER = 0.6
# Joint score from which what looks like a jolly's mark among loose cards is one, unless a card seen
# whole shows it twice. On 318 rendered hands two such finds stood where a word would, and both were
# marks of jollies.
HARDLY_A_WORD = 0.6


@dataclass(frozen=True)
class Marks:
    """The n finds of a picture that may be marks: what was `found`, the `scores` of what the reader
    sees on each, and which surely are marks of `jollies`, (n,).
    """

    found: Detections
    scores: FaceScores
    jollies: NDArray[np.bool_]


def cards_of(
    marks: Marks,
    doubts: DoubtConfig,
    sizing: Sizing = AS_ALL_TELL,
    layout: Layout = Layout.MELDS,
) -> tuple[Seen, list[Card]]:
    """Join the marks of each card, and drop finds that are no card. `sizing` is how the sizes of
    cards are told. In a photograph of loose cards, as `layout` tells, unsure ones may lie alone.

    Returns the faces and columns of the cards, as a Seen in which the quad of a card is that of its
    surest mark, and each Card, in the same order.
    """
    found, scores, jollies = marks.found, marks.scores, marks.jollies
    all_faces = face_scores(scores.number, scores.colour)
    joint_scores = found.scores * scores.legible
    astride = astride_two(scores.quads, joint_scores, are_jollies(all_faces))
    found = replace(found, scores=np.where(astride, np.float32(0), found.scores))
    joint_scores[astride] = 0
    order, sure = _likely_marks(found, joint_scores, doubts)
    cards, groups = _joined(found, scores, all_faces, joint_scores, order, sure, sizing)
    if layout is Layout.LOOSE:
        jollies = jollies | (joint_scores >= HARDLY_A_WORD)
    while (words := _words(scores, all_faces, joint_scores, jollies, order, cards, groups)).any():
        joint_scores = np.where(words, np.float32(0), joint_scores)
        order, sure = order[~words[order]], sure[~words[order]]
        cards, groups = _joined(found, scores, all_faces, joint_scores, order, sure, sizing)
    quads, faces = scores.quads[order], all_faces[order]
    alone = None
    if layout is Layout.LOOSE:
        first = [marks[0] for marks in groups]
        alone = lying_alone(cards, quads[first], joint_faces(faces, groups))
    cards, groups, columns, misplaced = _each_card_once(cards, groups, faces, alone)
    surest = np.array([of_card[0] for of_card in groups], np.intp)
    joint_score = joint_scores[order][surest]
    seen = Seen(joint_score, quads[surest], joint_faces(faces, groups), Rows(columns))
    return seen.with_in_doubt(np.flatnonzero(misplaced).tolist()), cards


def _joined(
    found: Detections,
    scores: FaceScores,
    all_faces: NDArray[np.float32],
    joint_scores: NDArray[np.float32],
    order: NDArray[np.intp],
    sure: NDArray[np.bool_],
    sizing: Sizing,
) -> tuple[list[Card], list[list[int]]]:
    """Join the finds with the indices `order` (m,), the likeliest first, of which those `sure` (m,)
    certainly are marks. Returns the cards, and the marks of each as indices into `order`; marks
    that were read in a wrong direction are of none.
    """
    quads, faces = scores.quads[order], all_faces[order]
    outlines = outlines_as_read(found.outlines[order], found.quads[order], quads, faces)
    outlines = sized_alike(quads, outlines, faces, sizing)
    groups = one_card_each(quads, outlines, faces)
    groups = corners_joined(quads, outlines, faces, groups)
    groups = wrongly_joined_parted(quads, outlines, faces, groups)
    groups = jollies_joined(quads, outlines, faces, groups)
    misread = misread_marks(quads, outlines, faces, groups)
    groups = [marks for marks in groups if marks[0] not in misread]
    jollies = are_jollies(joint_faces(faces, groups))
    whole = joint_outlines(quads, outlines, groups, jollies)
    together = _sure_together(joint_scores[order], groups, jollies)
    cards = [
        Card(outline, quads[marks].mean(axis=1), bool(sure[marks].any() or as_two))
        for outline, marks, as_two in zip(whole, groups, together, strict=True)
    ]
    return cards, groups


def _words(
    scores: FaceScores,
    all_faces: NDArray[np.float32],
    joint_scores: NDArray[np.float32],
    jollies: NDArray[np.bool_],
    order: NDArray[np.intp],
    cards: list[Card],
    groups: list[list[int]],
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds that look like a jolly's mark and are words on one of the
    `cards` that surely is no jolly. `groups` lists the marks of each card, as indices into
    `order`; finds fainter than FAINTEST_JOLLY are left out. Those that surely are marks of
    `jollies` are no words, unless a card seen whole shows them twice.
    """
    of_cards = joint_faces(all_faces[order], groups)
    others = of_cards[:, FACE_INDEX[JOKER]] < np.log(NO_JOLLY_AT_ALL)
    printed = [card for card, other in zip(cards, others, strict=True) if other and card.sure]
    asked = np.flatnonzero(are_jollies(all_faces) & (joint_scores >= FAINTEST_JOLLY))
    words, twice = np.zeros((2, len(joint_scores)), np.bool_)
    words[asked], twice[asked] = words_on_cards(scores.quads[asked].mean(axis=1), printed)
    return np.asarray(words & (twice | ~jollies))


def _likely_marks(
    found: Detections, joint_scores: NDArray[np.float32], doubts: DoubtConfig
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the m finds that may be marks of cards, as indices (m,), the likeliest first, and
    which of these certainly are marks, (m,).
    """
    order = np.argsort(-joint_scores, kind="stable")
    sure = (found.scores > doubts.surely_a_tile) | (joint_scores > doubts.tile)
    order = order[(sure | (joint_scores > doubts.faint_in_line))[order]]
    return order, sure[order]


def _sure_together(
    joint_scores: NDArray[np.float32], cards: list[list[int]], jollies: NDArray[np.bool_]
) -> list[bool]:
    """Tell of each card whether it is a jolly two marks of which are sure together, though perhaps
    neither is by itself.

    `cards` lists the marks of each card, as indices of `joint_scores` (m,). `jollies` tells which
    of the cards are jollies.
    """
    return [
        bool(jolly) and float(np.sort(joint_scores[marks])[-2:].sum()) >= SURE_TOGETHER
        for marks, jolly in zip(cards, jollies, strict=True)
    ]


def _each_card_once(
    cards: list[Card],
    groups: list[list[int]],
    faces: NDArray[np.float32],
    alone: NDArray[np.bool_] | None = None,
) -> tuple[list[Card], list[list[int]], list[Indices], NDArray[np.bool_]]:
    """Drop five kinds of cards: unsure ones not in a column with sure cards, but for those that may
    lie `alone`, a mask (n,); unsure ones, and ones that cannot be read, whose only mark lies on a
    sure card that is seen whole; unsure ones that come after the last sure card of a column, where
    that card is seen whole; unsure jollies for which a column has no place; and the second find of
    a card seen twice, whose marks go to the first find if both show one face.

    `groups` lists the marks of each card, as indices of rows of `faces`, log-probabilities (n, 53).
    Returns the m cards that stay, the marks of each, the columns in which the cards lie, and a mask
    (m,) of the sure jollies for which a column has no place.
    """
    offsets = find_offsets(cards)
    columns = find_columns(cards, offsets)
    of_cards = joint_faces(faces, groups)
    least = np.where(are_jollies(of_cards), NO_JOLLY, NO_FACE)
    unread = of_cards.max(axis=1) < np.log(least)
    kept = in_line_with_sure(cards, columns)
    if alone is not None:
        kept |= alone
    kept &= ~on_whole_cards(cards, unread)
    kept &= ~beyond_free_cards(cards, columns, are_jollies(of_cards))
    again = seen_twice(columns, cards, of_cards)
    cards = [*cards]
    for card, itself in again.items():
        if of_cards[card].argmax() == of_cards[itself].argmax():
            group = np.array(groups[itself] + groups[card])
            marks = np.concatenate([cards[itself].marks, cards[card].marks])
            order = np.argsort(group, kind="stable")  # marks are numbered from the surest on
            groups[itself] = group[order].tolist()
            sure = cards[itself].sure or cards[card].sure
            cards[itself] = replace(cards[itself], marks=marks[order], sure=sure)
        kept[itself] |= kept[card]
        kept[card] = False
    # Otherwise a jolly that was seen twice would take its own place.
    once = [tuple(card for card in column if card not in again) for column in columns]
    once = [column for column in once if len(column) > 1]
    misplaced = np.zeros(len(cards), np.bool_)
    misplaced[list(without_a_place(once, cards, are_jollies(joint_faces(faces, groups))))] = True
    kept &= ~misplaced | np.array([card.sure for card in cards], np.bool_)
    keep = np.flatnonzero(kept).tolist()
    if len(keep) < len(cards):
        cards, groups = [cards[i] for i in keep], [groups[i] for i in keep]
        columns = find_columns(cards, of_some(offsets, keep))
    return cards, groups, columns, misplaced[keep]
