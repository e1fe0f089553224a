"""How a picture of playing cards is read, where that differs from reading tiles.

A mark, the index in a card's corner, is found and read like a tile's face. Then the marks of one
card are joined; and cards that lie over one another, so that little more than a mark of each shows,
make a column.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path

import numpy as np

from engine.melds import is_meld as is_meld_of
from engine.rulesets import RuleSet
from engine.tiles import FACES
from vision.cards.card import Card
from vision.cards.column_ends import (
    Beyond,
    ColumnEnds,
    ends_of,
    surely_a_jolly,
    with_cards_there,
    with_columns_there,
)
from vision.cards.column_gaps import (
    ColumnGaps,
    beside_jollies,
    in_loose_columns,
    lacking_one,
    not_in_order,
)
from vision.cards.equal_cards import (
    LIKELY_EQUAL,
    EqualCards,
    equal_cards,
    places_of_equal,
    with_equal_cards_parted,
)
from vision.cards.filling import (
    FITTING,
    NO_JOLLIES,
    Missed,
    filled,
    missed_faces,
    with_jolly,
    with_read,
)
from vision.cards.from_marks import Marks, cards_of
from vision.cards.intruders import without_intruders
from vision.cards.jollies_at_ends import without_jollies_not_there
from vision.cards.known_marks import KnownMarks
from vision.cards.loose import (
    with_cards_aside_in_doubt,
    with_twins_in_doubt,
    without_jollies_aside,
    without_stray,
)
from vision.cards.marks import ANY_FACE, are_jollies
from vision.cards.melds import with_cards_in_line, with_cards_over, with_loose_cards
from vision.cards.missed import A_JOLLY_ANYWAY, between_numbers, on_other_marks
from vision.cards.other_sizes import (
    CHECKED_WITH,
    MOST_CHECKED,
    OTHER_SIZINGS,
    with_changes_in_doubt,
    with_disputed_in_doubt,
)
from vision.cards.overlapping import found_once, with_marks_of_two
from vision.cards.regrouping import regrouped
from vision.cards.second_look import CardSecondLook
from vision.cards.sizes import AS_ALL_TELL, Sizing
from vision.cards.steps import find_gaps
from vision.cards.woven import woven
from vision.clock import Clock
from vision.decoding import meld_judge
from vision.doubts import DoubtConfig
from vision.frame import Frame
from vision.grouping import Indices
from vision.kinds import CARDS
from vision.reader import face_scores
from vision.reading import Layout
from vision.seen import Rows, Seen
from vision.tiles.pipeline import TableReader


class CardTableReader(TableReader):
    """Reads playing cards as `TableReader` reads tiles: a card is found and read by the index in
    its corner, and a meld is a column of cards that lie over one another.
    """

    kind = CARDS

    def __init__(self, models: Path | None = None, doubts: DoubtConfig | None = None) -> None:
        super().__init__(models, doubts)
        self.marks_again = CardSecondLook.in_folder(models)
        self.column_ends = ColumnEnds.in_folder(models)
        self.column_gaps = ColumnGaps.in_folder(models)

    def _see(self, frame: Frame, layout: Layout, rules: RuleSet, clock: Clock) -> Seen:
        """Return what the picture shows: find and read the marks, then tell which marks are of one
        card and which cards lie in columns. `clock` measures the stages.
        """
        marks = self._marks(frame, clock)
        with clock.stage("group"):
            seen = self._sized(frame, marks, layout, rules, AS_ALL_TELL)
            if layout is Layout.MELDS:
                seen = self._best_sized(frame, marks, seen, rules)
                left, in_columns = self._in_no_meld(seen, rules)
                if left < len(seen.quads) and not in_columns:
                    seen = without_jollies_aside(seen)
                return with_cards_aside_in_doubt(seen)
            for sizing in CHECKED_WITH if len(seen.quads) <= MOST_CHECKED else ():
                other = self._sized(frame, marks, layout, rules, sizing)
                seen = with_disputed_in_doubt(seen, other)
            return seen

    def _sized(
        self, frame: Frame, marks: Marks, layout: Layout, rules: RuleSet, sizing: Sizing
    ) -> Seen:
        """Return what the picture shows if its cards are as large as `sizing` tells."""
        seen, cards = self._grouped(marks, layout, rules, sizing)
        seen = self._with_missed(frame, seen, cards, layout, rules)
        return without_stray(seen, layout, self.doubts)

    def _best_sized(self, frame: Frame, marks: Marks, seen: Seen, rules: RuleSet) -> Seen:
        """Return what is `seen` of melds, or what is seen with cards of other sizes where this
        leaves fewer cards in no meld. Cards that have other neighbours then count as doubtful.
        """
        best, least = seen, self._in_no_meld(seen, rules)
        if least[0] == len(seen.quads):
            return seen  # no meld at all: the cards may lie by chance
        for sizing in OTHER_SIZINGS:
            if not any(least):
                break
            other = self._sized(frame, marks, Layout.MELDS, rules, sizing)
            left = self._in_no_meld(other, rules)
            if left < least:
                best, least = other, left
        return with_changes_in_doubt(seen, best)

    def _in_no_meld(self, seen: Seen, rules: RuleSet) -> tuple[int, int]:
        """Return how many cards are in no meld, and how many of these are in a column."""
        is_meld = meld_judge(seen.faces, rules, self.decoding)
        in_columns = sum(len(row) for row in seen.table.rows)
        in_others = sum(len(row) for row in seen.table.rows if not is_meld(row))
        return len(seen.quads) - in_columns + in_others, in_others

    def found_cards(
        self, frame: Frame, layout: Layout, rules: RuleSet, clock: Clock
    ) -> tuple[Seen, list[Card]]:
        """Return what the picture shows and its cards, without those whose marks were missed. The
        arguments are those of `_see`.
        """
        marks = self._marks(frame, clock)
        with clock.stage("group"):
            return self._grouped(marks, layout, rules, AS_ALL_TELL)

    def _marks(self, frame: Frame, clock: Clock) -> Marks:
        """Find and read the marks of the picture."""
        with clock.stage("detect"):
            found, overlapping = found_once(self.detector.detect(frame.pyramid))
        with clock.stage("read"):
            scores = self.reader.read(frame.pyramid, found.quads)
            jollies = np.zeros(len(found.scores), np.bool_)
            if self.marks_again:
                found, scores, jollies = self.marks_again.looked_again(frame.pyramid, found, scores)
            found, scores = with_marks_of_two(
                self.reader, frame.pyramid, found, scores, overlapping
            )
            jollies = np.append(jollies, np.zeros(len(found) - len(jollies), np.bool_))
            return Marks(found, scores, jollies)

    def _grouped(
        self, marks: Marks, layout: Layout, rules: RuleSet, sizing: Sizing
    ) -> tuple[Seen, list[Card]]:
        """Tell which `marks` are of one card and which cards lie in columns."""
        seen, cards = cards_of(marks, self.doubts, sizing)
        if layout is Layout.MELDS:
            return self._as_melds(seen, cards, rules), cards
        return with_twins_in_doubt(seen, cards, self.doubts), cards

    def _as_melds(self, seen: Seen, cards: list[Card], rules: RuleSet) -> Seen:
        """Return `seen` with its columns completed by the rules: cards that lie in line with a
        column are joined to it, a column that is no meld gets the card with which it makes one, and
        a meld a card that lies over it and makes it longer. `cards` are those of `seen`.
        """
        is_meld = meld_judge(seen.faces, rules, self.decoding)
        columns = with_loose_cards(seen.table.rows, cards, is_meld)
        columns = with_cards_in_line(columns, cards)
        may_be_meld = self._gap_judge(seen, rules)
        columns = woven(columns, cards, seen.faces, is_meld, may_be_meld)
        columns, seen = self._with_cards_over(columns, cards, seen, is_meld)
        seen = replace(seen, table=Rows(columns))
        as_read, jollies = _judge_as_read(seen, rules), are_jollies(seen.faces)
        columns, moved = regrouped(columns, cards, jollies, may_be_meld, as_read)
        seen = replace(seen, table=Rows(columns)).with_in_doubt(moved)
        return self._without_intruders(seen, cards, rules)

    def _gap_judge(self, seen: Seen, rules: RuleSet) -> Callable[[Indices], bool]:
        """Return a function that tells whether a column, as indices of cards, likely is a meld, or
        would be one with a card more in one of its gaps.
        """
        any_card, is_meld = len(seen.faces), self._would_be_meld(seen, rules)

        def may_be_meld(row: Indices) -> bool:
            gaps = ((*row[:at], any_card, *row[at:]) for at in range(1, len(row)))
            return is_meld(row) or any(map(is_meld, gaps))

        return may_be_meld

    def _without_intruders(self, seen: Seen, cards: list[Card], rules: RuleSet) -> Seen:
        """Return `seen` with cards that are in doubt and lie out of step taken out of columns that
        are no melds with them and are without them. In such a column each of several jollies, and
        each of two equal neighbours, which may be two corners of one card, counts as one in doubt.
        The cards beside those that are taken out count as doubtful.
        """
        unsure = seen.faces.max(axis=1) < np.log(self.doubts.unsure)
        faint = seen.joint_scores < self.doubts.faint
        doubtful = {*np.flatnonzero(unsure | faint).tolist(), *seen.in_doubt}
        likeliest = seen.faces.argmax(axis=1)
        jollies = {*np.flatnonzero(are_jollies(seen.faces)).tolist()}
        for row in seen.table.rows:
            several = jollies.intersection(row)
            if len(several) > 1:
                doubtful |= several
            for one, following in pairwise(row):
                if likeliest[one] == likeliest[following]:
                    doubtful |= {one, following}
        rows, beside = without_intruders(
            seen.table.rows,
            cards,
            doubtful,
            seen.sureness(self.doubts.tile),
            self._gap_judge(seen, rules),
            _judge_as_read(seen, rules),
        )
        return replace(seen, table=Rows(rows)).with_in_doubt(beside)

    def _with_cards_over(
        self,
        columns: list[Indices],
        cards: list[Card],
        seen: Seen,
        is_meld: Callable[[Indices], bool],
    ) -> tuple[list[Indices], Seen]:
        """Join to each meld the single cards that lie over or under it and make it longer; return
        the columns and what is `seen` then. `is_meld` tells of a column, as indices of
        cards, whether it is a meld.

        The cards that were joined count as doubtful: cards of a column lie in line, so one that
        lies aside may be no card at all.
        """
        single = set(range(len(cards))).difference(*columns)
        sure = seen.joint_scores > self.doubts.tile
        surely = [card for card in sorted(single - seen.in_doubt) if sure[card]]
        jollies = are_jollies(seen.faces)
        longer = with_cards_over(columns, cards, surely, jollies, is_meld)
        return longer, seen.with_in_doubt(single.intersection(chain(*longer)))

    def _with_missed(
        self,
        frame: Frame,
        seen: Seen,
        cards: list[Card],
        layout: Layout,
        rules: RuleSet,
    ) -> Seen:
        """Return `seen` with the cards that `_missed` tells of, each read where its mark should be.

        A card is told once more where it is equal to one in its column of which a mark stands
        there, unless the numbers beside it lack one. Else no card is missed where another corner of
        a card shows, unless its column lacks its number, or it surely is a jolly: then its mark was
        not seen. All missed cards get the joint score 0, so they are doubtful. `cards` are those of
        `seen`.
        """
        if self.column_ends and layout is Layout.MELDS:
            seen = without_jollies_not_there(
                self.column_ends, frame.pyramid, seen, cards, self.doubts
            )
        seen, rows, missed = self._missed(frame, seen, cards, layout, rules)
        if not missed:
            return replace(seen, table=Rows([tuple(row) for row in rows]))
        marks = np.stack([card.mark for card in missed]).astype(np.float32)
        lacking, equal = between_numbers(rows, seen.faces), list[EqualCards]()
        if layout is Layout.MELDS:
            equal = equal_cards(rows, cards, missed, self._would_be_meld(seen, rules))
            equal = [pair for pair in equal if pair.missed not in lacking]
            seen, cards, marks = with_equal_cards_parted(seen, cards, marks, equal)
        seen_elsewhere = on_other_marks(marks, cards).difference(pair.missed for pair in equal)
        no_cards = {
            len(seen.quads) + number
            for number in seen_elsewhere
            if not (missed[number].lacking or (missed[number].jolly or 0.0) >= A_JOLLY_ANYWAY)
        }
        rows = [[card for card in row if card not in no_cards] for row in rows]
        scores = self.reader.read(frame.pyramid, marks)
        faces = face_scores(scores.number, scores.colour)
        unread = scores.legible < self.doubts.faint
        likeliest = seen.faces.argmax(axis=1)
        as_neighbours = [
            number
            for number, beside in lacking.items()
            if faces[number].argmax() in likeliest[[*beside]]
        ]
        unread[[*seen_elsewhere, *as_neighbours]] = True  # it is another card's mark
        faces[unread] = missed_faces(layout)
        for number, card in enumerate(missed):
            if card.jolly is not None:
                hidden = bool(unread[number])
                by_mark = ANY_FACE[0] if hidden else faces[number]
                others = FITTING if hidden and layout is Layout.MELDS else NO_JOLLIES
                faces[number] = with_jolly(by_mark, card.jolly, others)
        for pair in equal:
            scores.quads[pair.missed] = marks[pair.missed]
            faces[pair.missed] = seen.faces[pair.card]
        return with_read(seen, rows, scores.quads, faces)

    def _missed(
        self, frame: Frame, seen: Seen, cards: list[Card], layout: Layout, rules: RuleSet
    ) -> tuple[Seen, list[list[int]], list[Missed]]:
        """Return what is `seen`, the columns with their gaps filled, and the cards that were
        missed: in columns these are numbered after those seen. `cards` are those of `seen`.
        """
        known = KnownMarks(seen.table.rows, cards, seen.quads)
        rows, missed = self._in_gaps(frame, seen, cards, known, layout, rules)
        if self.column_ends:
            ends = ends_of(seen.table.rows, rows, cards, seen.quads, are_jollies(seen.faces))
            beyond = self.column_ends.perhaps_missed(frame.pyramid, ends, known)
            seen = self._with_beyond(seen, cards, rows, missed, beyond, layout, rules)
        return seen, [row for row in rows if row], missed

    def _in_gaps(
        self,
        frame: Frame,
        seen: Seen,
        cards: list[Card],
        known: KnownMarks,
        layout: Layout,
        rules: RuleSet,
    ) -> tuple[list[list[int]], list[Missed]]:
        """Return the columns of `seen` with their gaps filled, and the cards that were missed in
        them. `known` are the marks of the columns.

        A gap in a column is filled with a card that lies in the gap and in no column. Where no such
        card was seen, a missed card is put there if the network sees one in the gap, or if the
        column is no meld and the numbers beside the gap lack one; in a photograph of melds only
        where the column is a meld with it. Without the network of gaps only numbers tell that a
        card was missed in one.
        """
        columns, melds = seen.table.rows, layout is Layout.MELDS
        is_meld = meld_judge(seen.faces, rules, self.decoding)
        incomplete = [number for number, row in enumerate(columns) if melds and not is_meld(row)]
        gaps = find_gaps(columns, cards, incomplete)
        if self.column_gaps:
            if melds:
                equal = dict.fromkeys(places_of_equal(columns, cards, is_meld), LIKELY_EQUAL)
                asked = equal | not_in_order(columns, cards, seen.faces, incomplete)
            else:
                asked = in_loose_columns(columns, cards)
            # Cards that lie by chance may be two numbers apart; beside a meld they are of one.
            on_table = len(incomplete) < len(columns)
            lacking = lacking_one(columns, seen.faces, incomplete) if on_table else []
            unasked = beside_jollies(gaps, columns, are_jollies(seen.faces))
            others = [gap for gap in gaps if gap not in unasked]
            judged = self.column_gaps.judged(
                frame.pyramid, columns, cards, others, asked, lacking, known
            )
            gaps = sorted([*judged, *unasked], key=lambda gap: (gap.column, gap.before, gap.share))
        may_hold = self._would_be_meld(seen, rules) if melds else _anything
        return filled(seen, cards, gaps, may_hold)

    def _with_beyond(
        self,
        seen: Seen,
        cards: list[Card],
        rows: list[list[int]],
        missed: list[Missed],
        beyond: list[Beyond],
        layout: Layout,
        rules: RuleSet,
    ) -> Seen:
        """Add the cards that lie `beyond` the ends of columns, although the detector did not find
        their marks, to the columns `rows` and to the list `missed`. Return `seen` with those in
        doubt that are beside them.

        In a photograph of melds a single card that was seen there, or a column that begins there,
        joins the column, in doubt, where that makes a meld. Among loose cards only jollies are
        added.
        """
        if layout is Layout.MELDS:
            is_meld = self._would_be_meld(seen, rules)
            beyond, joined = with_columns_there(beyond, rows, cards, seen.quads, is_meld)
            seen = seen.with_in_doubt(joined)
        else:
            is_meld = _nothing
            beyond = [one for one in beyond if surely_a_jolly(one)]
        in_gaps = [card.mark for card in missed]
        beyond, doubtful = with_cards_there(beyond, rows, cards, seen.quads, in_gaps, is_meld)
        for one in beyond:
            end, row = one.end, rows[one.end.column]
            row.insert(len(row) if end.free else 0, len(seen.quads) + len(missed))
            missed.append(Missed(end.mark, one.jolly, end.last.marks))
        return seen.with_in_doubt(doubtful)

    def _would_be_meld(self, seen: Seen, rules: RuleSet) -> Callable[[Indices], bool]:
        """Return a function that tells whether a column likely is a meld, where the index after
        those of the cards stands for a card of any face.
        """
        return meld_judge(np.concatenate([seen.faces, ANY_FACE]), rules, self.decoding)


def _anything(_column: Indices) -> bool:
    return True


def _nothing(_column: Indices) -> bool:
    return False


def _judge_as_read(seen: Seen, rules: RuleSet) -> Callable[[Indices], bool]:
    """Return a function that tells whether a column, as indices of cards, is a meld as its cards
    were read.
    """

    def is_meld(row: Indices) -> bool:
        return is_meld_of([FACES[seen.faces[card].argmax()] for card in row], rules)

    return is_meld
