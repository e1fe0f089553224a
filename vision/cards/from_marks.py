"""Makes cards of marks, the indices in their corners: tells which marks are of one card, which
finds are no marks, and which marks belong to no card.

`found` are the n finds of the detector. `scores` are the reader's `FaceScores` of the finds, that
is, which faces it sees there, and `joint_scores` (n,) the finds' joint scores. `doubts` are the
limits of what counts as a mark.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.tiles import FACE_INDEX, JOKER
from vision.cards.astride import astride_two
from vision.cards.between import cloth_between
from vision.cards.card import Card
from vision.cards.columns import (
    beyond_free_cards,
    find_columns,
    in_line_with_sure,
    on_whole_cards,
)
from vision.cards.corners import lies_within
from vision.cards.free_corners import corners_joined
from vision.cards.jollies import MOST_MARKS, faint_jollies
from vision.cards.marks import (
    are_jollies,
    confirmed,
    joint_faces,
    joint_outlines,
    one_card_each,
)
from vision.cards.misread import misread_marks
from vision.cards.offsets import find_offsets, of_some
from vision.cards.one_jolly import jollies_joined
from vision.cards.paper import off_paper
from vision.cards.places import unlikeness
from vision.cards.sizes import outlines_as_read, sized_alike
from vision.cards.steps import seen_twice, without_a_place
from vision.cards.turned import turned_apart
from vision.cards.words import words_on_cards
from vision.detector import Detections
from vision.doubts import DoubtConfig
from vision.grouping import Indices
from vision.pyramid import RGB
from vision.reader import FaceScores, face_scores
from vision.seen import Rows, Seen

# Joint score from which a mark may be a jolly's where one more card makes a longer meld: jollies
# look as their makers please, and few of the training pictures show one.
FAINTEST_JOLLY = 0.04
# Joint score from which a mark beyond the end of a meld may be a card's, if it looks like a jolly's
# or lies on no card. On 460 rendered hands five of the nine marks above it that look like jollies'
# are jollies', and none of the four below it; of five marks on no card four are missed cards'. A
# mark beyond the end of a column that is no meld needs this score if it cannot be read: of eight
# fainter ones, one on 480 rendered hands and seven on 646 real photographs, one is a card's.
FAINTEST_AT_END = 0.12
# Joint score that each of two marks needs to be a jolly's if they lie in opposite corners of one
# card: each makes the other one likelier.
FAINTEST_OF_TWO = 0.1
# Sum of the joint scores of a jolly's two marks from which the jolly surely is a card. Of what
# looks like a jolly with two unsure marks on 840 rendered hands, 43 reach this sum, all but one of
# them jollies; of the twelve that do not, four are jollies.
SURE_TOGETHER = 0.6
MOST_FAINT_JOLLIES = 16  # of which each two are compared: cloths may be full of stars
# Joint score above which a find is a mark, whatever the tint of the paper that it lies on. On 840
# rendered hands four finds on another tint than the cards' score more, all of them on jollies; of
# the 13 with scores from 0.25 to this one is on a jolly.
ON_ANY_TINT = 0.4
# Score of the detector from which two marks that tell the same card are marks, legible or not.
LIKELY_MARK = 0.6
# Probability of the likeliest face below which a find on a card that is seen whole is no card, and
# the one where the likeliest face is a jolly. On 646 real photographs and 290 of rendered hands two
# finds below a quarter lie so, both of them pips. On 240 rendered hands, two in three of packs that
# the networks never saw, three finds more lie so and four jollies, none of them a card's mark: pips
# and the maker's name; of eight other cards that lie so with less than 0.9 six are true.
NO_FACE, NO_JOLLY = 0.5, 0.9
# Probability of a jolly below which a card surely is none, so that words may be printed on it.
NO_JOLLY_AT_ALL = 0.1
# Two faint marks in opposite corners of one card show the same face if at most so many nats are
# lost where one face has to explain both, instead of a face of its own for each.
SAME_FACE = 2.0


@dataclass(frozen=True)
class FaintMarks:
    """n marks that are too faint to make a card: their `quads` (n, 4, 2), their `joint_scores`
    (n,), and log-probabilities (n, 53) of their `faces`.
    """

    quads: NDArray[np.float32]
    joint_scores: NDArray[np.float32]
    faces: NDArray[np.float32]

    def without(self, cards: list[Card]) -> FaintMarks:
        """Return the marks that are not the only mark of one of the `cards`."""
        used = {tuple(card.marks[0].tolist()) for card in cards if len(card.marks) == 1}
        middles = self.quads.mean(axis=1).tolist()
        left = np.array([tuple(middle) not in used for middle in middles], bool)
        return FaintMarks(self.quads[left], self.joint_scores[left], self.faces[left])

    def of_melds(self, cards: list[NDArray[np.float32]]) -> FaintMarks:
        """Return the marks that may be of one more card of a meld: those whose likeliest face is a
        jolly, and those that lie on none of the `cards`, outlines (4, 2). The faintest of either
        kind are left out.
        """
        jollies = are_jollies(self.faces) & (self.joint_scores >= FAINTEST_JOLLY)
        apart = [
            score >= FAINTEST_AT_END and not any(lies_within(mark, card) for card in cards)
            for mark, score in zip(self.quads.mean(axis=1), self.joint_scores, strict=True)
        ]
        chosen = jollies | np.array(apart, bool)
        return FaintMarks(self.quads[chosen], self.joint_scores[chosen], self.faces[chosen])


def cards_of(
    pixels: RGB,
    found: Detections,
    scores: FaceScores,
    jollies: NDArray[np.bool_],
    doubts: DoubtConfig,
) -> tuple[Seen, list[Card], FaintMarks]:
    """Join the marks of each card, and drop finds that are no card.

    `pixels` are those of the picture, (h, w, 3); `scores` are what the reader sees on each of the
    finds `found`, and `jollies` (n,) tells which of them surely are marks of jollies. Returns three
    things: the faces and columns of the cards, as a Seen in which the quad of a card is that of its
    surest mark; each Card, in the same order; and the marks left over, which may be of one more
    card of a column.
    """
    all_faces = face_scores(scores.number, scores.colour)
    found = _without_finds_off_paper(pixels, found, scores, are_jollies(all_faces), doubts)
    joint_scores = found.scores * scores.legible
    astride = astride_two(scores.quads, joint_scores, are_jollies(all_faces))
    found = replace(found, scores=np.where(astride, np.float32(0), found.scores))
    joint_scores[astride] = 0
    order, sure = _likely_marks(found, joint_scores, all_faces, doubts)
    cards, groups, misread = _joined(pixels, found, scores, all_faces, joint_scores, order, sure)
    while (words := _words(scores, all_faces, joint_scores, jollies, order, cards, groups)).any():
        joint_scores = np.where(words, np.float32(0), joint_scores)
        order, sure = order[~words[order]], sure[~words[order]]
        cards, groups, misread = _joined(
            pixels, found, scores, all_faces, joint_scores, order, sure
        )
    order, cards, groups = _with_faint_jollies(
        scores.quads,
        all_faces,
        joint_scores,
        order,
        cards,
        groups,
        np.array(pixels.shape[1::-1]),
    )
    quads, faces = scores.quads[order], all_faces[order]
    cards, groups, columns, misplaced = _each_card_once(cards, groups, faces)
    surest = np.array([marks[0] for marks in groups], np.intp)
    joint_score, joint_face = joint_scores[order][surest], joint_faces(faces, groups)
    seen = Seen(joint_score, quads[surest], joint_face, Rows(columns))
    seen = seen.with_in_doubt(np.flatnonzero(misplaced).tolist())
    used = order[[*misread, *_surely_used(groups, are_jollies(joint_face))]]
    return seen, cards, _left_over(scores, joint_scores, used, doubts)


def _joined(
    pixels: RGB,
    found: Detections,
    scores: FaceScores,
    all_faces: NDArray[np.float32],
    joint_scores: NDArray[np.float32],
    order: NDArray[np.intp],
    sure: NDArray[np.bool_],
) -> tuple[list[Card], list[list[int]], list[int]]:
    """Join the finds with the indices `order` (m,), the likeliest first, of which those `sure` (m,)
    certainly are marks. `pixels` are those of the picture, (h, w, 3). Returns the cards, the marks
    of each, and the marks that were read in a wrong direction and are no cards, both as indices
    into `order`.
    """
    quads, faces = scores.quads[order], all_faces[order]
    outlines = outlines_as_read(found.outlines[order], found.quads[order], quads)
    apart = cloth_between(pixels, quads, faces)
    outlines = sized_alike(quads, outlines, faces, apart)
    groups = one_card_each(quads, outlines, faces, apart)
    groups = corners_joined(quads, outlines, faces, groups)
    groups = turned_apart(quads, outlines, faces, groups)
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
    return cards, groups, misread


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
    found: Detections,
    joint_scores: NDArray[np.float32],
    faces: NDArray[np.float32],
    doubts: DoubtConfig,
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the m finds that may be marks of cards, as indices (m,), the likeliest first, and
    which of these certainly are marks, (m,).

    `faces` (n, 53) are the log-probabilities of all finds.
    """
    order = np.argsort(-joint_scores, kind="stable")
    sure = (found.scores > doubts.surely_a_tile) | (joint_scores > doubts.tile)
    likely = np.flatnonzero(found.scores > LIKELY_MARK)
    sure[likely] |= confirmed(found.quads[likely], found.outlines[likely])
    faint = np.flatnonzero(~sure & (joint_scores > doubts.faint_in_line))
    alike = unlikeness(faces[faint]) <= SAME_FACE
    sure[faint] |= confirmed(found.quads[faint], found.outlines[faint], alike)
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


def _surely_used(cards: list[list[int]], jollies: NDArray[np.bool_]) -> list[int]:
    """Return the marks that belong to no card but the one they are listed with. More marks than a
    card has may be those of two jollies, of which one is told: they may be of one more card.

    `cards` lists the marks of each card; `jollies` tells which of the cards are jollies.
    """
    return [
        mark
        for marks, jolly in zip(cards, jollies, strict=True)
        for mark in marks
        if not (jolly and len(marks) > MOST_MARKS)
    ]


def _left_over(
    scores: FaceScores,
    joint_scores: NDArray[np.float32],
    used: NDArray[np.intp],
    doubts: DoubtConfig,
) -> FaintMarks:
    """Return the finds that belong to no card, as faint marks: all but those with the indices
    `used` and those with a joint score of 0. For a find that could not be read and does not look
    like a jolly, all faces are made equally likely.
    """
    left = np.setdiff1d(np.flatnonzero(joint_scores), used)
    faces = face_scores(scores.number[left], scores.colour[left])
    unread = (scores.legible[left] < doubts.faint) & ~are_jollies(faces)
    faces[unread] = -np.log(faces.shape[1])
    return FaintMarks(scores.quads[left], joint_scores[left], faces)


def _without_finds_off_paper(
    pixels: RGB,
    found: Detections,
    scores: FaceScores,
    jollies: NDArray[np.bool_],
    doubts: DoubtConfig,
) -> Detections:
    """Return the finds, with score 0 for some of those that lie on another tint than the paper of
    cards, for example on a flower of the cloth. These are finds that read as a jolly, and finds too
    faint to be a card by themselves. Jollies look different in every pack, and a flower may well be
    read as one. On 120 rendered hands, 9 of 86 finds of these two kinds that are no mark lay off
    the paper, and none of 116 that are marks. A second pack may be of another tint, so that a find
    above ON_ANY_TINT keeps its score.

    `jollies` (n,) tells which finds read as a jolly, `pixels` are those of the picture, (h, w, 3).
    """
    joint_scores = found.scores * scores.legible
    sure = np.flatnonzero((joint_scores > LIKELY_MARK) & ~jollies)
    unsure = (joint_scores <= doubts.tile) & (found.scores <= doubts.surely_a_tile)
    asked = np.flatnonzero((jollies | unsure) & (joint_scores <= ON_ANY_TINT))
    kept = found.scores.copy()
    kept[asked[off_paper(pixels, scores.quads, asked, sure)]] = 0
    return replace(found, scores=kept)


def _with_faint_jollies(
    quads: NDArray[np.float32],
    faces: NDArray[np.float32],
    joint_scores: NDArray[np.float32],
    order: NDArray[np.intp],
    cards: list[Card],
    groups: list[list[int]],
    size: NDArray[np.integer],
) -> tuple[NDArray[np.intp], list[Card], list[list[int]]]:
    """Add the jollies that two faint marks in opposite corners suggest, if neither mark is of a
    sure card and the suggested card lies wholly in the picture.

    `quads` (n, 4, 2), `faces` (n, 53) and `joint_scores` (n,) are of all finds. `order` (m,) are
    the indices of the finds that may be marks. `cards` are the cards made so far, and `groups`
    lists the marks of each, as indices into `order`. `size` is the picture's width and height.
    Returns `order`, `cards` and `groups` with the jollies added.
    """
    sure = [order[marks] for card, marks in zip(cards, groups, strict=True) if card.sure]
    rather = are_jollies(faces) & (joint_scores >= FAINTEST_OF_TWO)
    free = np.setdiff1d(np.flatnonzero(rather), np.concatenate([order[:0], *sure]))
    surest = np.argsort(-joint_scores[free], kind="stable")[:MOST_FAINT_JOLLIES]
    free = free[np.sort(surest)]
    outlines = np.array([card.outline for card in cards if card.sure], np.float32)
    middles = quads[free].mean(axis=1)
    for pair, outline in faint_jollies(middles, outlines.reshape(-1, 4, 2)):
        if (outline < 0).any() or (outline > size).any():
            continue
        again = [n for n, marks in enumerate(groups) if np.isin(order[marks], free[pair]).any()]
        cards = [card for number, card in enumerate(cards) if number not in again]
        groups = [marks for number, marks in enumerate(groups) if number not in again]
        surest_first = sorted(pair, key=lambda one: -joint_scores[free[one]])
        cards.append(Card(outline, middles[surest_first]))
        groups.append([len(order), len(order) + 1])
        order = np.concatenate([order, free[surest_first]])
    return order, cards, groups


def _each_card_once(
    cards: list[Card], groups: list[list[int]], faces: NDArray[np.float32]
) -> tuple[list[Card], list[list[int]], list[Indices], NDArray[np.bool_]]:
    """Drop five kinds of cards: unsure ones not in a column with sure cards; unsure ones, and ones
    that cannot be read, whose only mark lies on a sure card that is seen whole; unsure ones that
    come after the last sure card of a column, where that card is seen whole; unsure jollies for
    which a column has no place; and the second find of a card seen twice, whose marks go to the
    first find if both show one face.

    `groups` lists the marks of each card, as indices of rows of `faces`, log-probabilities (n, 53).
    Returns the m cards that stay, the marks of each, the columns in which the cards lie, and a mask
    (m,) of the sure jollies for which a column has no place.
    """
    offsets = find_offsets(cards)
    columns = find_columns(cards, offsets)
    of_cards = joint_faces(faces, groups)
    least = np.where(are_jollies(of_cards), NO_JOLLY, NO_FACE)
    unread = of_cards.max(axis=1) < np.log(least)
    kept = in_line_with_sure(cards, columns) & ~on_whole_cards(cards, unread)
    kept &= ~beyond_free_cards(cards, columns, are_jollies(of_cards))
    again = seen_twice(columns, cards, of_cards)
    cards = [*cards]
    for card, itself in again.items():
        if of_cards[card].argmax() == of_cards[itself].argmax():
            groups[itself] += groups[card]
            marks = np.concatenate([cards[itself].marks, cards[card].marks])
            cards[itself] = replace(cards[itself], marks=marks)
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
