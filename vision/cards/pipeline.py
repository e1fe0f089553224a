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
from vision.cards.column_ends import ColumnEnds
from vision.cards.column_gaps import ColumnGaps
from vision.cards.from_marks import Marks, cards_of
from vision.cards.intruders import without_intruders
from vision.cards.loose import (
    with_cards_aside_in_doubt,
    with_twins_in_doubt,
    without_jollies_aside,
    without_second_corners,
    without_stray,
)
from vision.cards.marks import are_jollies
from vision.cards.melds import with_cards_in_line, with_cards_over, with_loose_cards
from vision.cards.missed_cards import MissedCards, would_be_meld
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
from vision.cards.woven import woven
from vision.clock import Clock
from vision.decoding import meld_judge
from vision.doubts import DoubtConfig
from vision.frame import Frame
from vision.grouping import Indices
from vision.kinds import CARDS
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

    @property
    def missed_cards(self) -> MissedCards:
        """What tells which cards were missed."""
        networks = self.reader, self.column_ends, self.column_gaps
        return MissedCards(*networks, self.doubts, self.decoding)

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
        seen = self.missed_cards.with_missed(frame, seen, cards, layout, rules)
        return without_stray(seen, layout, self.doubts)

    def _best_sized(self, frame: Frame, marks: Marks, seen: Seen, rules: RuleSet) -> Seen:
        """Return what is `seen` of melds, or what is seen with cards of other sizes where this
        leaves fewer cards in no meld and parts none that is `seen`. Cards that differ then count as
        doubtful.
        """
        best, least = seen, self._in_no_meld(seen, rules)
        if least[0] == len(seen.quads):
            return seen  # no meld at all: the cards may lie by chance
        for sizing in OTHER_SIZINGS:
            if not any(least):
                break
            other = self._sized(frame, marks, Layout.MELDS, rules, sizing)
            left = self._in_no_meld(other, rules)
            if left < least and not _parts_meld(seen, other, rules):
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
        seen, cards = cards_of(marks, self.doubts, sizing, layout)
        if layout is Layout.MELDS:
            seen = self._as_melds(seen, cards, rules)
            return without_second_corners(seen, cards, _judge_as_read(seen, rules))
        seen, cards = without_second_corners(seen, cards)
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
        any_card, is_meld = len(seen.faces), would_be_meld(seen, rules, self.decoding)

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


def _parts_meld(seen: Seen, other: Seen, rules: RuleSet) -> bool:
    """Tell whether cards of a column that is a meld in what was `seen`, as its cards were read, lie
    in two columns of the `other`.
    """
    is_meld = _judge_as_read(seen, rules)
    column_of = {
        other.quads[card].tobytes(): number
        for number, row in enumerate(other.table.rows)
        for card in row
    }
    for row in filter(is_meld, seen.table.rows):
        marks = [seen.quads[card].tobytes() for card in row]
        if len({column_of[mark] for mark in marks if mark in column_of}) > 1:
            return True
    return False


def _judge_as_read(seen: Seen, rules: RuleSet) -> Callable[[Indices], bool]:
    """Return a function that tells whether a column, as indices of cards, is a meld as its cards
    were read.
    """

    def is_meld(row: Indices) -> bool:
        return is_meld_of([FACES[seen.faces[card].argmax()] for card in row], rules)

    return is_meld
