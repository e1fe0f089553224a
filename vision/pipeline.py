"""Photograph in, table reading out: the stages, in order.

decode -> detect -> read -> group -> judge: pixels, tile faces, their scores, rows of tiles, and the
decision on all tiles together.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.melds import judge_meld
from engine.pieces import Pieces
from engine.rulesets import MINIMUM_MELD, RuleSet, ruleset
from engine.tiles import FACES
from vision.cards.columns import (
    Card,
    find_columns,
    find_gaps,
    gap_filler,
    in_line_with_sure,
    seen_twice,
    step_between,
)
from vision.cards.marks import joint_faces, joint_outlines, jollies_joined, one_card_each
from vision.cards.melds import beyond_ends, with_loose_cards
from vision.cards.sizes import outlines_as_read, sized_alike
from vision.colour import INKS, Inks, cluster_inks, ink_absorbances
from vision.company import number_given_direction, turned_in_company
from vision.decoding import Decoded, alternatives, decode_table, is_likely_meld
from vision.detector import Detections, Detector
from vision.doubts import DoubtConfig, are_tiles, find_notices, is_cut_off, tile_doubts
from vision.drift import told_by_light
from vision.faint import faint_tiles
from vision.frame import Frame, load
from vision.ground import are_printed
from vision.grouping import Indices, find_rows
from vision.kinds import CARDS, TILES
from vision.other_pieces import shows_other_pieces
from vision.own_set.examples import TileSet
from vision.own_set.knowledge import OwnSet
from vision.pyramid import RGB
from vision.quads import size_outliers
from vision.reader import JOKER, FaceScores, Reader, face_scores
from vision.reading import Doubt, Layout, MeldReading, TableReading, TileReading

MOST_NUMBERS_OF_A_SET = 3  # its own, a jolly's, which is none, and that of a 2


@dataclass(frozen=True)
class _Rows:
    """The rows of a table, and the tiles in them that are only printed pictures."""

    rows: list[Indices]
    printed: frozenset[int] = frozenset()


@dataclass(frozen=True)
class _Seen:
    """The n pieces that were found, before the joint decision.

    joint_scores: (n,) of both networks. quads: (n, 4, 2) the faces, in pixels of the frame. faces:
    (n, 53) log-probabilities. other_set: the tiles are not of the set that was chosen.
    """

    joint_scores: NDArray[np.float32]
    quads: NDArray[np.float32]
    faces: NDArray[np.float32]
    table: _Rows
    other_set: bool = False


@dataclass(frozen=True)
class _Faint:
    """Marks that are no card by themselves: their quads (n, 4, 2), scores (n,) of both networks,
    and log-probabilities (n, 53) of their faces.
    """

    quads: NDArray[np.float32]
    scores: NDArray[np.float32]
    faces: NDArray[np.float32]


class TableReader:
    """Both networks and the stages around them. Safe to use from several threads at a time."""

    kind = TILES

    def __init__(self, models: Path | None = None, doubts: DoubtConfig | None = None) -> None:
        """Load the networks from the folder `models`, by default those installed.

        Raises ModelError when one is missing or is not the expected one.
        """
        self.models = models
        self.detector = Detector(models, kind=self.kind)
        self.reader = Reader(models, kind=self.kind)
        self.doubts, self.decoding = doubts or self.kind.doubts, self.kind.decoding
        self.own_set: OwnSet | None = None

    def with_set(self, tile_set: TileSet) -> TableReader:
        """Return a reader that knows the set; it shares the networks with this one.

        Working out what it knows takes a second or two. Raises ValueError for a set without an
        example of at least two numbers.
        """
        knowing = copy(self)
        knowing.own_set = OwnSet.of(tile_set, self.reader)
        return knowing

    def read(
        self,
        source: str | Path | bytes | Frame,
        layout: Layout | str = Layout.MELDS,
        rules: RuleSet | str | None = None,
    ) -> TableReading:
        """Read one photograph.

        `source` is a path, the bytes of a file, or a frame of pixels. `layout` tells what is shown:
        `melds` for a table, `loose` for a rack or heap. `rules` are those that melds are judged by:
        by default `burako`, of cards `burraco_it`. Where a ruleset is named and not given, cards
        are two packs with four jollies.

        Raises PhotoError when the source is no usable picture, ValueError for an unknown layout or
        ruleset.
        """
        layout = Layout(layout)
        rules = rules or self.kind.rules
        if isinstance(rules, str):
            rules = self.kind.inventory(ruleset(rules))
        clock = _Clock()
        with clock.stage("decode"):
            frame = source if isinstance(source, Frame) else load(source)
        seen = self._see(frame, layout, rules, clock)
        table = seen.table
        melds = table.rows if layout is Layout.MELDS else []
        decoded = decode_table(seen.faces, melds, rules, self.decoding, table.printed)
        tiles = self._tile_readings(frame, seen.joint_scores, seen.quads, decoded, table)
        return TableReading(
            frame.width,
            frame.height,
            tiles,
            tuple(_meld_reading(row, tiles, layout, rules) for row in table.rows),
            tuple(i for i, tile in enumerate(tiles) if tile.meld is None),
            find_notices(
                frame,
                tiles,
                self.doubts,
                other_set=seen.other_set,
                other_pieces=shows_other_pieces(self.kind, self.models, frame, tiles),
            ),
            clock.seconds(),
            self.kind.pieces,
        )

    def _see(self, frame: Frame, layout: Layout, rules: RuleSet, clock: _Clock) -> _Seen:
        """Find and read the tiles, and their rows."""
        with clock.stage("detect"):
            found = self.detector.detect(frame.pixels)
        with clock.stage("read"):
            scores = self.reader.read(frame.pixels, found.quads)
            legible = scores.legible  # before 6 and 9 share what the face shows
            scores = self._upright_in_company(frame, found, scores, layout)
            own_set = self._set_on_table(found, scores)
            if own_set:
                scores = own_set.compared(self.reader, frame.pixels, scores)
                legible = scores.legible
                found = replace(found, scores=own_set.tile_scores(found.scores, scores))
        with clock.stage("group"):
            found, scores = self._keep_tiles(frame, found, scores, legible)
            colour = _table_colours(scores, own_set)
            faces = face_scores(scores.number, colour)
            table = self._find_rows(frame, scores.quads, faces, layout, rules)
        if layout is Layout.MELDS:
            faces = face_scores(scores.number, _lit_colours(scores, colour, table.rows))
        other_set = self.own_set is not None and own_set is None
        return _Seen(found.scores, scores.quads, faces, table, other_set)

    def read_faces(self, picture: RGB, quads: NDArray[np.float32]) -> FaceScores:
        """Read the faces at (n, 4, 2) quads of an (h, w, 3) RGB picture, by the network and by the
        set where one is known.
        """
        scores = self.reader.read(picture, quads)
        return self.own_set.compared(self.reader, picture, scores) if self.own_set else scores

    @property
    def inks(self) -> Inks:
        """Where the inks usually lie: those of the set that is known, else those of any set."""
        return self.own_set.inks.usual if self.own_set else INKS

    def _upright_in_company(
        self, frame: Frame, found: Detections, scores: FaceScores, layout: Layout
    ) -> FaceScores:
        """Turn faces that their row or rack shows to stand on their heads, and tell 6 from 9 by it,
        too.
        """
        sure = found.scores * scores.legible > self.doubts.tile
        turned = turned_in_company(scores, sure, layout)
        heads = np.flatnonzero(turned > 0.5)
        if len(heads):
            turned[heads] = 1 - turned[heads]
            scores = self.reader.turned_round(frame.pixels, scores, heads)
        return replace(scores, number=number_given_direction(scores.number, scores.turn, turned))

    def _set_on_table(self, found: Detections, scores: FaceScores) -> OwnSet | None:
        """Return the chosen set, or None if there is none or the tiles are plainly of another."""
        surely_tiles = found.scores >= self.doubts.in_line
        if self.own_set and self.own_set.is_on_table(scores, surely_tiles):
            return self.own_set
        return None

    def _keep_tiles(
        self, frame: Frame, found: Detections, scores: FaceScores, legible: NDArray[np.float32]
    ) -> tuple[Detections, FaceScores]:
        """Drop what the reader sees no face on, unless its row tells that a tile lies there; the
        scores left are those of both networks.

        `legible` (n,) is how probable it is that the reader sees a face.
        """
        joint_scores = found.scores * legible
        tiles = are_tiles(scores.quads, found.scores, joint_scores, self.doubts)
        tiles |= faint_tiles(frame.pixels, scores.quads, found.scores, tiles)
        keep = np.flatnonzero(tiles)
        return Detections(found.quads[keep], joint_scores[keep]), scores.take(keep)

    def _find_rows(
        self,
        frame: Frame,
        quads: NDArray[np.float32],
        faces: NDArray[np.float32],
        layout: Layout,
        rules: RuleSet,
    ) -> _Rows:
        """Find the rows; on a table the rules help, and rows printed on a box are told."""
        if layout is Layout.LOOSE:
            return _Rows(find_rows(quads), frozenset())
        is_meld = self._meld_judge(faces, rules)
        rows = find_rows(quads, is_meld=is_meld)
        not_melds = [row for row in rows if not is_meld(row)]
        printed = are_printed(frame.pixels, quads, not_melds)
        pictures = [row for row, on_a_box in zip(not_melds, printed, strict=True) if on_a_box]
        return _Rows(rows, frozenset(tile for row in pictures for tile in row))

    def _meld_judge(self, faces: NDArray[np.float32], rules: RuleSet) -> Callable[[Indices], bool]:
        """Return the function that tells whether tiles, in this order, are likely a legal meld."""

        def is_meld(row: Indices) -> bool:
            if len(row) < MINIMUM_MELD:
                return False
            return is_likely_meld(faces[list(row)], rules, self.decoding)

        return is_meld

    def _tile_readings(
        self,
        frame: Frame,
        joint_scores: NDArray[np.float32],
        quads: NDArray[np.float32],
        decoded: Decoded,
        table: _Rows,
    ) -> tuple[TileReading, ...]:
        """Put together what is known of each tile. `quads` are in pixels of the frame."""
        row_number = {tile: number for number, row in enumerate(table.rows) for tile in row}
        in_long_row = [tile for row in table.rows if len(row) >= MINIMUM_MELD for tile in row]
        odd_size = size_outliers(quads, np.flatnonzero(joint_scores > self.doubts.odd_tile))
        odd_size[in_long_row] = False
        odd_size &= self.kind.faces_alike
        readings = []
        for i, posterior in enumerate(decoded.posterior):
            face = int(decoded.face[i])
            corners = (quads[i] + 0.5) * np.float32(frame.scale) - 0.5
            flags = {
                Doubt.REPAIRED: decoded.repaired[i],
                Doubt.COPIES: decoded.over_inventory[i],
                Doubt.SIZE: odd_size[i],
                Doubt.PRINTED: i in table.printed,
                Doubt.CUT_OFF: is_cut_off(corners, frame, self.doubts),
            }
            doubts = tile_doubts(
                face,
                float(posterior[face]),
                float(joint_scores[i]),
                few_colours=frame.few_colours,
                noted=[doubt for doubt, applies in flags.items() if applies],
                config=self.doubts,
            )
            readings.append(_tile_reading(face, posterior, corners, doubts, row_number.get(i)))
        return tuple(readings)


class CardTableReader(TableReader):
    """Reads playing cards as `TableReader` reads tiles: a card is found and read by the index in
    its corner, and a meld is a column of cards that cover each other but for their indices.
    """

    kind = CARDS

    def _see(self, frame: Frame, layout: Layout, rules: RuleSet, clock: _Clock) -> _Seen:
        """Find and read the indices; tell which are of one card, and which cards lie in columns."""
        with clock.stage("detect"):
            found = self.detector.detect(frame.pixels)
        with clock.stage("read"):
            scores = self.reader.read(frame.pixels, found.quads)
        with clock.stage("group"):
            seen, cards, faint = self._cards_of(found, scores)
            if layout is Layout.MELDS:
                seen, cards = self._as_melds(seen, cards, faint, rules)
            return self._with_missed(frame, seen, cards, self._run_judge(seen, layout, rules))

    def _run_judge(self, seen: _Seen, layout: Layout, rules: RuleSet) -> Callable[[Indices], bool]:
        """Return the function that tells whether cards in this order are a legal run, which has no
        place for a further card between them. Where no melds lie, none is.
        """
        is_meld = self._meld_judge(seen.faces, rules)

        def is_run(row: Indices) -> bool:
            numbers = {FACES[face].number for face in seen.faces[list(row)].argmax(axis=1)}
            return layout is Layout.MELDS and len(numbers) > MOST_NUMBERS_OF_A_SET and is_meld(row)

        return is_run

    def _as_melds(
        self, seen: _Seen, cards: list[Card], faint: _Faint, rules: RuleSet
    ) -> tuple[_Seen, list[Card]]:
        """Let the rules help to tell the columns: to those that are no meld belongs the card, or
        the `faint` mark, beside them that makes them one.
        """
        is_meld = self._meld_judge(seen.faces, rules)
        columns = with_loose_cards(seen.table.rows, cards, is_meld)
        seen, cards = replace(seen, table=_Rows(columns)), [*cards]
        for number, row in enumerate(columns):
            if not is_meld(row):
                seen = self._with_faint_end(seen, cards, faint, number, rules)
        return seen, cards

    def _with_faint_end(
        self, seen: _Seen, cards: list[Card], faint: _Faint, number: int, rules: RuleSet
    ) -> _Seen:
        """Lengthen one column by a faint mark where a next card's would stand, if that makes it a
        meld; where that card lies is added to `cards`.
        """
        rows, new = [*seen.table.rows], len(cards)
        row = rows[number]
        for at, free, step in beyond_ends(row, cards, faint.quads.mean(axis=1)):
            rows[number] = (*row, new) if free else (new, *row)
            faces = np.concatenate([seen.faces, faint.faces[[at]]])
            if not self._meld_judge(faces, rules)(rows[number]):
                continue
            end = cards[row[-1 if free else 0]]
            cards.append(Card(end.outline + step, faint.quads[[at]].mean(axis=1)))
            return _Seen(
                np.append(seen.joint_scores, faint.scores[at]),
                np.concatenate([seen.quads, faint.quads[[at]]]),
                faces,
                _Rows(rows),
            )
        return seen

    def _with_missed(
        self,
        frame: Frame,
        seen: _Seen,
        cards: list[Card],
        is_whole_run: Callable[[Indices], bool],
    ) -> _Seen:
        """Fill the gaps of columns: with a card that lies there by itself, else with one that was
        missed. A person should look at each of the latter. `cards` are those seen.
        """
        rows = [list(row) for row in seen.table.rows]
        in_rows = {card for row in rows for card in row}
        alone = [card for card in range(len(cards)) if card not in in_rows]
        quads = list[NDArray[np.float32]]()
        for gap in reversed(find_gaps(seen.table.rows, cards)):  # so that earlier ones stay
            last, following = seen.table.rows[gap.column][gap.before - 1 : gap.before + 1]
            step = step_between(cards[last], cards[following])
            there = gap_filler(seen.quads, alone, seen.quads[last] + gap.share * step, step)
            if there is None and (not gap.wide or is_whole_run(seen.table.rows[gap.column])):
                continue
            if there is None:
                there = len(seen.quads) + len(quads)
                quads.append(seen.quads[last] + gap.share * step)
            else:
                alone.remove(there)
            rows[gap.column].insert(gap.before, there)
        table = _Rows([tuple(row) for row in rows])
        if not quads:
            return replace(seen, table=table)
        scores = self.reader.read(frame.pixels, np.stack(quads).astype(np.float32))
        faces = face_scores(scores.number, scores.colour)
        faces[scores.legible < self.doubts.faint] = -np.log(faces.shape[1])
        return _Seen(
            np.concatenate([seen.joint_scores, np.zeros(len(quads), np.float32)]),
            np.concatenate([seen.quads, scores.quads]),
            np.concatenate([seen.faces, faces]),
            table,
        )

    def _cards_of(self, found: Detections, scores: FaceScores) -> tuple[_Seen, list[Card], _Faint]:
        """Join the marks of each card, and drop what is no card, but for what continues a column
        faintly. Returns where they lie, and the marks that are left, too.
        """
        joint_scores = found.scores * scores.legible
        order = np.argsort(-joint_scores, kind="stable")
        sure = (found.scores > self.doubts.surely_a_tile) | (joint_scores > self.doubts.tile)
        order = order[(sure | (joint_scores > self.doubts.faint_in_line))[order]]
        quads, sure = scores.quads[order], sure[order]
        outlines = outlines_as_read(found.outlines[order], found.quads[order], quads)
        faces = face_scores(scores.number[order], scores.colour[order])
        outlines = sized_alike(quads, outlines, faces)
        groups = one_card_each(quads, outlines, faces)
        groups = jollies_joined(quads, outlines, faces, groups)
        cards = [
            Card(outline, quads[marks].mean(axis=1), bool(sure[marks].any()))
            for outline, marks in zip(joint_outlines(quads, outlines, groups), groups, strict=True)
        ]
        columns = find_columns(cards)
        kept = in_line_with_sure(cards, columns)
        again = seen_twice(columns, cards, joint_faces(faces, groups).argmax(axis=1))
        for card, itself in again.items():
            groups[itself] += groups[card]
            kept[card] = False
        keep = np.flatnonzero(kept)
        if len(keep) < len(cards):
            cards, groups = [cards[i] for i in keep], [groups[i] for i in keep]
            columns = find_columns(cards)
        surest = np.array([marks[0] for marks in groups], np.intp)
        seen = _Seen(
            joint_scores[order][surest],
            quads[surest],
            joint_faces(faces, groups),
            _Rows(columns),
        )
        used = order[[mark for marks in groups for mark in marks]]
        left = np.setdiff1d(np.arange(len(found)), used)
        left_faces = face_scores(scores.number[left], scores.colour[left])
        left_faces[scores.legible[left] < self.doubts.faint] = -np.log(faces.shape[1])
        return seen, cards, _Faint(scores.quads[left], joint_scores[left], left_faces)


READERS: dict[Pieces, type[TableReader]] = {
    Pieces.TILES: TableReader,
    Pieces.CARDS: CardTableReader,
}


def _table_colours(scores: FaceScores, own_set: OwnSet | None) -> NDArray[np.float32]:
    """Return log-probabilities of the colours, (n, 4), decided for the whole table."""
    if own_set:
        return own_set.table_colours(scores)
    numbered = scores.number.argmax(axis=1) < JOKER
    return cluster_inks(scores.crops, scores.colour, numbered)


def _lit_colours(
    scores: FaceScores, colour: NDArray[np.float32], rows: list[Indices]
) -> NDArray[np.float32]:
    """Return `colour`, log-probabilities (n, 4), with what changes only with the light undone."""
    mixed = [row for row in rows if len(set(colour[list(row)].argmax(axis=1).tolist())) > 1]
    if not mixed:
        return colour
    tiles = [tile for row in mixed for tile in row]
    absorbances = np.zeros((len(scores), 3))
    absorbances[tiles] = ink_absorbances(scores.crops[tiles])
    likeliest = scores.number.argmax(axis=1)
    number = np.where(likeliest < JOKER, likeliest + 1, 0)
    return told_by_light(absorbances, colour, number, mixed)


def _tile_reading(
    face: int,
    posterior: NDArray[np.float32],
    corners: NDArray[np.float32],
    doubts: frozenset[Doubt],
    meld: int | None,
) -> TileReading:
    unread = Doubt.UNREAD in doubts
    return TileReading(
        None if unread else FACES[face],
        corners,
        float(posterior[face]),
        doubts,
        alternatives(posterior, -1 if unread else face),
        meld,
    )


def _meld_reading(
    row: Indices, tiles: tuple[TileReading, ...], layout: Layout, rules: RuleSet
) -> MeldReading:
    """Judge a row, if its layout owes melds and all its tiles are read."""
    laid = tuple(tiles[i].tile for i in row)
    known = [tile for tile in laid if tile is not None]
    judged = layout is Layout.MELDS and len(known) == len(laid)
    doubtful = any(tiles[i].doubtful for i in row)
    return MeldReading(row, laid, judge_meld(known, rules) if judged else None, doubtful)


class _Clock:
    """Measures the seconds spent in each stage, and in total since it was made."""

    def __init__(self) -> None:
        self._stages: dict[str, float] = {}
        self._started = time.perf_counter()

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self._stages[name] = time.perf_counter() - started

    def seconds(self) -> dict[str, float]:
        return {**self._stages, "total": time.perf_counter() - self._started}
