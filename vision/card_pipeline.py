"""The stages for playing cards: what differs from those for tiles.

An index in a card's corner is found and read as a tile's face is. Then the marks of one card are
joined, and cards that cover each other but for their indices are columns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.rulesets import RuleSet
from engine.tiles import FACE_INDEX, FACES, JOKER
from vision.cards.columns import (
    Card,
    find_columns,
    find_offsets,
    in_line_with_sure,
    of_some,
    on_whole_cards,
    step_between,
)
from vision.cards.corners import lies_within
from vision.cards.jollies import faint_jollies
from vision.cards.marks import (
    confirmed,
    corners_joined,
    joint_faces,
    joint_outlines,
    jollies_joined,
    one_card_each,
)
from vision.cards.melds import (
    beyond_ends,
    inside_gaps,
    with_cards_in_line,
    with_cards_over,
    with_columns_in_line,
    with_loose_cards,
)
from vision.cards.paper import card_beneath, off_paper
from vision.cards.places import unlikeness
from vision.cards.sizes import outlines_as_read, sized_alike
from vision.cards.steps import Gap, find_gaps, gap_filler, seen_twice, without_a_place
from vision.detector import Detections
from vision.frame import Frame
from vision.grouping import Indices
from vision.kinds import CARDS
from vision.pipeline import Clock, Rows, Seen, TableReader
from vision.pyramid import RGB
from vision.reader import FaceScores, face_scores
from vision.reading import Layout

# Score of both networks from which a mark may be a jolly's where one more card makes a longer meld:
# jollies look as their makers please, and few of the training pictures show one.
FAINTEST_JOLLY = 0.04
# Of one beyond the end of a meld, a jolly's or one that lies on no card. Of the former on 460
# rendered hands five of nine above were jollies, and none of four below; of five of the latter four
# were missed cards.
FAINTEST_AT_END = 0.12
# Of each of two marks in opposite corners of a jolly, which tell of each other.
FAINTEST_OF_TWO = 0.1
MOST_FAINT_JOLLIES = 16  # of which each two are compared: cloths may be full of stars
# Score of the detector from which two marks that tell the same card are marks, legible or not.
LIKELY_MARK = 0.6
# Two faint marks in opposite corners of one card show the same face if one face explains both worse
# than each its own by at most so many nats.
SAME_FACE = 2.0
# How many times likelier than another card a jolly is where a card must lie whose mark is not seen.
# Of the marks of jollies in melds one in eleven is missed; of other cards' one in some hundreds.
MISSED_JOLLY = 60.0
MOST_NUMBERS_OF_A_SET = 3  # its own, a jolly's, which is none, and that of a 2


@dataclass(frozen=True)
class _Faint:
    """Marks that are no card by themselves: their quads (n, 4, 2), scores (n,) of both networks,
    and log-probabilities (n, 53) of their faces.
    """

    quads: NDArray[np.float32]
    scores: NDArray[np.float32]
    faces: NDArray[np.float32]

    def of_melds(self, cards: list[NDArray[np.float32]]) -> _Faint:
        """Return those that may make a meld longer: what is rather a jolly than anything else, or
        lies on none of the `cards`, outlines (4, 2).
        """
        jollies = _are_jollies(self.faces) & (self.scores >= FAINTEST_JOLLY)
        apart = [
            score >= FAINTEST_AT_END and not any(lies_within(mark, card) for card in cards)
            for mark, score in zip(self.quads.mean(axis=1), self.scores, strict=True)
        ]
        chosen = jollies | np.array(apart, bool)
        return _Faint(self.quads[chosen], self.scores[chosen], self.faces[chosen])


class CardTableReader(TableReader):
    """Reads playing cards as `TableReader` reads tiles: a card is found and read by the index in
    its corner, and a meld is a column of cards that cover each other but for their indices.
    """

    kind = CARDS

    def _see(self, frame: Frame, layout: Layout, rules: RuleSet, clock: Clock) -> Seen:
        """Find and read the indices; tell which are of one card, and which cards lie in columns."""
        with clock.stage("detect"):
            found = self.detector.detect(frame.pixels)
        with clock.stage("read"):
            scores = self.reader.read(frame.pixels, found.quads)
        with clock.stage("group"):
            seen, cards, faint = self._cards_of(found, scores, frame.pixels)
            if layout is Layout.MELDS:
                seen, cards = self._as_melds(seen, cards, faint, rules)
            return self._with_missed(frame, seen, cards, layout, rules)

    def _run_judge(self, seen: Seen, layout: Layout, rules: RuleSet) -> Callable[[Indices], bool]:
        """Return a function that tells whether cards are a legal run in their order, so that no
        card can be missing between them. It is always false for photographs without melds.
        """
        is_meld = self._meld_judge(seen.faces, rules)

        def is_run(row: Indices) -> bool:
            numbers = {FACES[face].number for face in seen.faces[list(row)].argmax(axis=1)}
            return layout is Layout.MELDS and len(numbers) > MOST_NUMBERS_OF_A_SET and is_meld(row)

        return is_run

    def _as_melds(
        self, seen: Seen, cards: list[Card], faint: _Faint, rules: RuleSet
    ) -> tuple[Seen, list[Card]]:
        """Let the rules help to complete the columns. One that is no meld gets the card or the
        `faint` mark beside it that makes it one. One that is a meld gets what makes it longer: a
        card that lies over it, a mark beyond its ends that may be a jolly's or lies on no other
        card, and what may be a jolly in a gap.
        """
        is_meld = self._meld_judge(seen.faces, rules)
        columns = with_loose_cards(seen.table.rows, cards, is_meld)
        columns = with_cards_in_line(columns, cards)
        columns = with_columns_in_line(columns, cards, _are_jollies(seen.faces))
        columns, seen = self._with_cards_over(columns, cards, seen, is_meld)
        seen, cards = replace(seen, table=Rows(columns)), [*cards]
        for number, row in enumerate(columns):
            others = [
                card.outline for one, card in enumerate(cards) if one not in (row[0], row[-1])
            ]
            beyond = faint.of_melds(others) if is_meld(row) else faint
            seen = self._with_faint_mark(seen, cards, beyond, number, rules)
        return seen, cards

    def _with_cards_over(
        self,
        columns: list[Indices],
        cards: list[Card],
        seen: Seen,
        is_meld: Callable[[Indices], bool],
    ) -> tuple[list[Indices], Seen]:
        """Join cards that lie over a meld and make it longer to it. They are marked as faint: such
        a card may be none, since cards of a column lie in line.
        """
        single = set(range(len(cards))).difference(*columns)
        surely = [card for card in sorted(single) if seen.joint_scores[card] > self.doubts.tile]
        longer = with_cards_over(columns, cards, surely, is_meld)
        joined = sorted(single.intersection(card for row in longer for card in row))
        scores = seen.joint_scores.copy()
        scores[joined] = np.minimum(scores[joined], self.doubts.tile)
        return longer, replace(seen, joint_scores=scores)

    def _with_faint_mark(
        self, seen: Seen, cards: list[Card], faint: _Faint, number: int, rules: RuleSet
    ) -> Seen:
        """Lengthen column `number` by a faint mark if that makes a meld: by one where the next card
        would be, or by a jolly's where the column has a gap. The new card is added to `cards`.
        """
        rows, new = [*seen.table.rows], len(cards)
        row, marks = rows[number], faint.quads.mean(axis=1)
        jollies = _are_jollies(faint.faces)
        legal = self._meld_judge(seen.faces, rules)(row)
        places = [
            (mark, len(row) if free else 0, cards[row[-1 if free else 0]], step)
            for mark, free, step in beyond_ends(row, cards, marks)
            if not legal or faint.scores[mark] >= FAINTEST_AT_END
        ]
        places += [
            (mark, before, cards[row[before - 1]], step)
            for mark, before, step in inside_gaps(row, cards, marks)
            if jollies[mark]
        ]
        for mark, before, beside, step in places:
            rows[number] = (*row[:before], new, *row[before:])
            faces = np.concatenate([seen.faces, faint.faces[[mark]]])
            if not self._meld_judge(faces, rules)(rows[number]):
                continue
            cards.append(Card(beside.outline + step, marks[[mark]]))
            return Seen(
                np.append(seen.joint_scores, faint.scores[mark]),
                np.concatenate([seen.quads, faint.quads[[mark]]]),
                faces,
                Rows(rows),
            )
        return seen

    def _with_missed(
        self,
        frame: Frame,
        seen: Seen,
        cards: list[Card],
        layout: Layout,
        rules: RuleSet,
    ) -> Seen:
        """Fill the gaps of columns, with a card that lies there by itself or else with one that was
        missed; and add the cards beneath columns of which only paper shows. The missed and the
        hidden ones are marked as doubtful. `cards` are those seen.
        """
        is_meld = self._meld_judge(seen.faces, rules)
        incomplete = [
            number
            for number, row in enumerate(seen.table.rows)
            if layout is Layout.MELDS and not is_meld(row)
        ]
        gaps = find_gaps(seen.table.rows, cards, _are_jollies(seen.faces), incomplete)
        rows, quads = _filled(seen, cards, gaps, self._run_judge(seen, layout, rules))
        for row, column in zip(rows, seen.table.rows, strict=True):
            step = card_beneath(frame.pixels, column, cards)
            if step is not None:
                row.insert(0, len(seen.quads) + len(quads))
                quads.append(seen.quads[column[0]] + step)
        table = Rows([tuple(row) for row in rows])
        if not quads:
            return replace(seen, table=table)
        scores = self.reader.read(frame.pixels, np.stack(quads).astype(np.float32))
        faces = face_scores(scores.number, scores.colour)
        faces[scores.legible < self.doubts.faint] = _missed_faces(layout)
        return Seen(
            np.concatenate([seen.joint_scores, np.zeros(len(quads), np.float32)]),
            np.concatenate([seen.quads, scores.quads]),
            np.concatenate([seen.faces, faces]),
            table,
        )

    def _cards_of(
        self, found: Detections, scores: FaceScores, pixels: RGB
    ) -> tuple[Seen, list[Card], _Faint]:
        """Join the marks of each card, and drop finds that are no card.

        Returns what is seen, the cards, and the marks left over that may be a faint continuation of
        a column. `pixels` are (h, w, 3) of the picture.
        """
        all_faces = face_scores(scores.number, scores.colour)
        found = _without_pictures_on_cloth(pixels, found, scores, _are_jollies(all_faces))
        joint_scores = found.scores * scores.legible
        order, sure = self._likely_marks(found, joint_scores, all_faces)
        quads = scores.quads[order]
        outlines = outlines_as_read(found.outlines[order], found.quads[order], quads)
        faces = all_faces[order]
        outlines = sized_alike(quads, outlines, faces)
        groups = one_card_each(quads, outlines, faces)
        groups = corners_joined(quads, outlines, faces, groups)
        groups = jollies_joined(quads, outlines, faces, groups)
        cards = [
            Card(outline, quads[marks].mean(axis=1), bool(sure[marks].any()))
            for outline, marks in zip(joint_outlines(quads, outlines, groups), groups, strict=True)
        ]
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
        cards, groups, columns = _each_card_once(cards, groups, faces)
        surest = np.array([marks[0] for marks in groups], np.intp)
        joint_score, joint_face = joint_scores[order][surest], joint_faces(faces, groups)
        seen = Seen(joint_score, quads[surest], joint_face, Rows(columns))
        used = order[[mark for marks in groups for mark in marks]]
        return seen, cards, self._left_over(scores, joint_scores, used)

    def _likely_marks(
        self, found: Detections, joint_scores: NDArray[np.float32], faces: NDArray[np.float32]
    ) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Return the finds that may be marks of cards, (m,) indices, the likeliest first, and which
        of them certainly are, (m,).

        `joint_scores` (n,) are from 0 to 1, `faces` (n, 53) log-probabilities.
        """
        order = np.argsort(-joint_scores, kind="stable")
        sure = (found.scores > self.doubts.surely_a_tile) | (joint_scores > self.doubts.tile)
        likely = np.flatnonzero(found.scores > LIKELY_MARK)
        sure[likely] |= confirmed(found.quads[likely], found.outlines[likely])
        faint = np.flatnonzero(~sure & (joint_scores > self.doubts.faint_in_line))
        alike = unlikeness(faces[faint]) <= SAME_FACE
        sure[faint] |= confirmed(found.quads[faint], found.outlines[faint], alike)
        order = order[(sure | (joint_scores > self.doubts.faint_in_line))[order]]
        return order, sure[order]

    def _left_over(
        self, scores: FaceScores, joint_scores: NDArray[np.float32], used: NDArray[np.intp]
    ) -> _Faint:
        """Return the finds that belong to no card. Where a find could not be read all its faces are
        equally likely.
        """
        left = np.setdiff1d(np.arange(len(joint_scores)), used)
        faces = face_scores(scores.number[left], scores.colour[left])
        unread = (scores.legible[left] < self.doubts.faint) & ~_are_jollies(faces)
        faces[unread] = -np.log(faces.shape[1])
        return _Faint(scores.quads[left], joint_scores[left], faces)


def _without_pictures_on_cloth(
    pixels: RGB, found: Detections, scores: FaceScores, jollies: NDArray[np.bool_]
) -> Detections:
    """Return the finds with a score of 0 for what reads as a jolly, but lies on something of
    another tint than the cards' paper: jollies look as their makers please, and so do flowers.
    `jollies` (n,) tells which finds read as one.
    """
    sure = np.flatnonzero((found.scores * scores.legible > LIKELY_MARK) & ~jollies)
    none = jollies & off_paper(pixels, scores.quads, sure)
    return replace(found, scores=np.where(none, np.float32(0), found.scores))


def _with_faint_jollies(
    quads: NDArray[np.float32],
    faces: NDArray[np.float32],
    joint_scores: NDArray[np.float32],
    order: NDArray[np.intp],
    cards: list[Card],
    groups: list[list[int]],
    size: NDArray[np.integer],
) -> tuple[NDArray[np.intp], list[Card], list[list[int]]]:
    """Add the jollies that two faint marks in opposite corners suggest, if neither is a mark of a
    card surely seen and the card lies wholly in the picture.

    `quads` (n, 4, 2), `faces` (n, 53) and `joint_scores` (n,) are of all finds; `order` (m,) are
    the finds that `groups`, the marks of each card, count by; `size` is the picture's width and
    height. Returns order, cards and groups with the jollies.
    """
    sure = [order[marks] for card, marks in zip(cards, groups, strict=True) if card.sure]
    rather = _are_jollies(faces) & (joint_scores >= FAINTEST_OF_TWO)
    free = np.setdiff1d(np.flatnonzero(rather), np.concatenate([order[:0], *sure]))
    surest = np.argsort(-joint_scores[free], kind="stable")[:MOST_FAINT_JOLLIES]
    free = free[np.sort(surest)]
    outlines = np.array([card.outline for card in cards if card.sure], np.float32)
    middles = quads[free].mean(axis=1)
    for pair, outline in faint_jollies(middles, outlines.reshape(-1, 4, 2)):
        if (outline < 0).any() or (outline > size).any():
            continue
        again = [number for number, marks in enumerate(groups) if order[marks[0]] in free[pair]]
        cards = [card for number, card in enumerate(cards) if number not in again]
        groups = [marks for number, marks in enumerate(groups) if number not in again]
        cards.append(Card(outline, middles[pair]))
        groups.append([len(order), len(order) + 1])
        order = np.concatenate([order, free[pair]])
    return order, cards, groups


def _each_card_once(
    cards: list[Card], groups: list[list[int]], faces: NDArray[np.float32]
) -> tuple[list[Card], list[list[int]], list[Indices]]:
    """Drop cards that no sure card supports, and cards seen twice, whose marks join the other.
    Returns the cards, the marks of each, and the columns that the cards lie in.
    """
    offsets = find_offsets(cards)
    columns = find_columns(cards, offsets)
    kept = in_line_with_sure(cards, columns) & ~on_whole_cards(cards)
    again = seen_twice(columns, cards, joint_faces(faces, groups).argmax(axis=1))
    for card, itself in again.items():
        groups[itself] += groups[card]
        kept[card] = False
    # A jolly seen twice would leave no place to itself.
    once = [tuple(card for card in column if card not in again) for column in columns]
    once = [column for column in once if len(column) > 1]
    kept[list(without_a_place(once, cards, _are_jollies(joint_faces(faces, groups))))] = False
    keep = np.flatnonzero(kept).tolist()
    if len(keep) < len(cards):
        cards, groups = [cards[i] for i in keep], [groups[i] for i in keep]
        columns = find_columns(cards, of_some(offsets, keep))
    return cards, groups, columns


def _filled(
    seen: Seen, cards: list[Card], gaps: list[Gap], is_whole_run: Callable[[Indices], bool]
) -> tuple[list[list[int]], list[NDArray[np.float32]]]:
    """Return the columns with their gaps filled, and the quads (4, 2) of the marks of missed cards.
    The indices of missed cards follow those of the cards seen.
    """
    rows = [list(row) for row in seen.table.rows]
    in_rows = {card for row in rows for card in row}
    alone = [card for card in range(len(cards)) if card not in in_rows]
    quads = list[NDArray[np.float32]]()
    for gap in reversed(gaps):  # so that earlier ones stay
        last, following = seen.table.rows[gap.column][gap.before - 1 : gap.before + 1]
        step = step_between(cards[last], cards[following])
        there = gap_filler(seen.quads, alone, seen.quads[last] + gap.share * step, step)
        is_whole = is_whole_run(seen.table.rows[gap.column])
        missed = gap.wide and not is_whole
        if gap.wide or gap.incomplete:
            missed |= _lacks_one(seen, last, following)
        if there is None and not missed:
            continue
        if there is None:
            there = len(seen.quads) + len(quads)
            quads.append(seen.quads[last] + gap.share * step)
        else:
            alone.remove(there)
        rows[gap.column].insert(gap.before, there)
    return rows, quads


def _lacks_one(seen: Seen, one: int, other: int) -> bool:
    """Tell whether the numbers that two cards show are two apart. With a wide gap between them a
    card of the number between was missed, even if a wild 2 would make them a run without it.
    """
    first, second = (FACES[seen.faces[card].argmax()].number for card in (one, other))
    return first is not None and second is not None and abs(first - second) == 2


def _missed_faces(layout: Layout) -> NDArray[np.float32]:
    """Return log-probabilities (53,) of the face of a card whose mark is not seen at all."""
    weights = np.ones(len(FACES), np.float32)
    if layout is Layout.MELDS:
        weights[FACE_INDEX[JOKER]] = MISSED_JOLLY
    return np.asarray(np.log(weights / weights.sum()), np.float32)


def _are_jollies(faces: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Tell of which cards (n,) a jolly is the likeliest of their faces, (n, 53)."""
    return np.asarray(faces.argmax(axis=1) == FACE_INDEX[JOKER])
