"""Which cards of a picture were missed, in the gaps of columns and beyond their ends, and what they
are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from engine.rulesets import RuleSet
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
    in_wide_steps,
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
from vision.cards.jollies_at_ends import without_jollies_not_there
from vision.cards.known_marks import KnownMarks
from vision.cards.marks import ANY_FACE, are_jollies
from vision.cards.runs import missed_between_numbers
from vision.cards.seen_after_all import A_JOLLY_ANYWAY, on_other_marks
from vision.cards.steps import find_gaps
from vision.decoding import DecodingConfig, meld_judge
from vision.doubts import DoubtConfig
from vision.frame import Frame
from vision.grouping import Indices
from vision.reader import Reader, face_scores
from vision.reading import Layout
from vision.seen import Rows, Seen


@dataclass(frozen=True)
class MissedCards:
    """Tells which cards were missed. `reader` reads their marks; `column_ends` and `column_gaps`
    are the networks that see a card beyond an end or in a gap, None where there is none. `doubts`
    are the limits of what is a card, and by `decoding` the rules count against what is seen.
    """

    reader: Reader
    column_ends: ColumnEnds | None
    column_gaps: ColumnGaps | None
    doubts: DoubtConfig
    decoding: DecodingConfig

    def with_missed(
        self,
        frame: Frame,
        seen: Seen,
        cards: list[Card],
        layout: Layout,
        rules: RuleSet,
    ) -> Seen:
        """Return `seen` with the cards that `_told` tells of, each read where its mark should be.

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
        seen, rows, missed = self._told(frame, seen, cards, layout, rules)
        if not missed:
            return replace(seen, table=Rows([tuple(row) for row in rows]))
        marks = np.stack([card.mark for card in missed]).astype(np.float32)
        lacking, equal = missed_between_numbers(rows, seen.faces), list[EqualCards]()
        if layout is Layout.MELDS:
            equal = equal_cards(rows, cards, missed, would_be_meld(seen, rules, self.decoding))
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

    def _told(
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
                asked = in_wide_steps(columns, cards, seen.faces) | equal
                asked |= not_in_order(columns, cards, seen.faces, incomplete)
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
        may_hold = would_be_meld(seen, rules, self.decoding) if melds else _anything
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
            is_meld = would_be_meld(seen, rules, self.decoding)
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


def would_be_meld(
    seen: Seen, rules: RuleSet, decoding: DecodingConfig
) -> Callable[[Indices], bool]:
    """Return a function that tells whether a column likely is a meld, where the index after those
    of the cards `seen` stands for a card of any face.
    """
    return meld_judge(np.concatenate([seen.faces, ANY_FACE]), rules, decoding)


def _anything(_column: Indices) -> bool:
    return True


def _nothing(_column: Indices) -> bool:
    return False
