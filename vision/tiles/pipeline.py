"""Photograph in, table reading out: the stages, in order.

    decode -> detect -> read -> group

These stages, whose seconds a reading tells, yield in turn pixels, tile faces, their scores and rows
of tiles. The stage `decode` opens the photograph's file (`vision.frame`). The joint decision on all
tiles (`vision.joint_decision`) and the doubts about them (`vision.doubts`) follow; their time
counts only in the total.

Between the stages `found` are the finds of the detector, with the detector's scores; `scores` is
what the reader sees on them, `faces` their log-probabilities (n, 53), `joint_scores` (n,) the joint
scores, and `own_set` the chosen set, None where none was chosen or other tiles lie on the table.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from engine.pieces import Pieces
from engine.rulesets import RuleSet, ruleset
from vision.assembly import in_full_size, meld_reading, tile_readings
from vision.clock import Clock
from vision.colour import INKS, Inks
from vision.detector import Detections, Detector
from vision.doubts import DoubtConfig, all_doubts, worth_asking
from vision.frame import Frame, load
from vision.joint_decision import decide_jointly
from vision.kinds import ODD_TILES, TILES
from vision.notices import find_notices
from vision.other_pieces import shows_other_pieces
from vision.own_set.examples import TileSet
from vision.own_set.knowledge import OwnSet
from vision.own_set.prototypes import reads_by_itself
from vision.pyramid import RGB
from vision.reader import FaceScores, Reader
from vision.reading import Layout, Notice, TableReading
from vision.seen import Seen
from vision.settled_by_melds import settled_by_melds
from vision.tiles import racks
from vision.tiles.across_row import looked_along_row
from vision.tiles.askew import with_corners_found
from vision.tiles.company import number_given_direction, turned_in_company
from vision.tiles.filling import with_holes_filled
from vision.tiles.finds import Finds, finds_left_out, tiles_among, without_backs_and_motifs
from vision.tiles.low_views import with_quads_in_plane
from vision.tiles.rack_direction import RackDirection
from vision.tiles.rows import laid_in_rows
from vision.tiles.second_look import FAINTEST_ON_RACK, MOST, SecondLook


@cache
def _odd_networks(models: Path | None) -> tuple[Detector, Reader]:
    return Detector(models, kind=ODD_TILES), Reader(models, kind=ODD_TILES)


class TableReader:
    """Reads photographs of tiles: holds both networks, and runs the stages around them. Safe to use
    from several threads at a time.
    """

    kind = TILES

    def __init__(self, models: Path | None = None, doubts: DoubtConfig | None = None) -> None:
        """Load the networks in the folder `models`, or the installed ones where it is None.
        `doubts` are the limits of what is a tile and what is doubtful, by default those of this
        kind of pieces.

        Raises ModelError when a network is missing or is not the expected one.
        """
        self.models = models
        self.detector = Detector(models, kind=self.kind)
        self.reader = Reader(models, kind=self.kind)
        self.rack_direction = RackDirection.in_folder(models) if self.kind is TILES else None
        self.second_look = SecondLook.in_folder(models) if self.kind is TILES else None
        self.doubts, self.decoding = doubts or self.kind.doubts, self.kind.decoding
        self.own_set: OwnSet | None = None
        # Reads other sets than `own_set`; None where this reader does so as well as any.
        self.for_other_sets: TableReader | None = None

    def with_set(self, tile_set: TileSet) -> TableReader:
        """Return a reader that knows the set `tile_set`. It shares the networks with this one,
        unless these cannot read the set by themselves: then it has the `odd_networks`.

        This takes some seconds, since the reader looks at all examples of the set and at changed
        copies of them. Raises ValueError for a set with examples of fewer than two numbers, and
        where this reader reads other pieces than tiles; raises ModelError when a network is missing
        or is not the expected one.
        """
        self._require_tiles()
        odd = bool(tile_set.examples) and not reads_by_itself(self.reader, tile_set)
        reader = self.odd_networks()[1] if odd else self.reader
        return self.knowing(OwnSet.of(tile_set, reader), odd=odd)

    def knowing(self, own_set: OwnSet, *, odd: bool) -> TableReader:
        """Return a reader that knows a set by what was worked out for it. `odd` tells that this was
        done with the `odd_networks`, which the reader then has.

        Raises ValueError where this reader reads other pieces than tiles, and ModelError when one
        of the `odd_networks` is missing or is not the expected one.
        """
        self._require_tiles()
        knowing = copy(self)
        if odd:
            knowing.detector, knowing.reader = self.odd_networks()
            knowing.second_look = None  # it has seen few sets of this kind
            # Rows confirm less of such tiles: by the limit for rows two more of 500 that a mark
            # tells apart are wrong without a doubt. The other lower limits were not tried.
            unsure = self.doubts.unsure
            knowing.doubts = replace(
                self.doubts,
                unsure_in_row=unsure,
                unsure_if_needed=unsure,
                unsure_wild=unsure,
                unsure_number_on_rack=unsure,
                unsure_six_or_nine_on_rack=unsure,
            )
            knowing.for_other_sets = self
        knowing.own_set = own_set
        return knowing

    def _require_tiles(self) -> None:
        """Raise ValueError where this reader reads other pieces than tiles: only sets of tiles are
        taught.
        """
        if self.kind.pieces is not Pieces.TILES:
            raise ValueError(
                f"expected a reader of {Pieces.TILES.value!r} for a set of tiles, got a reader of"
                f" {self.kind.pieces.value!r}"
            )

    def odd_networks(self) -> tuple[Detector, Reader]:
        """Return both networks for sets unlike those for sale; they are loaded at the first call.

        Raises ModelError when a network is missing or is not the expected one.
        """
        return _odd_networks(self.models)

    def read(
        self,
        source: str | Path | bytes | Frame,
        layout: Layout | str = Layout.MELDS,
        rules: RuleSet | str | None = None,
    ) -> TableReading:
        """Read one photograph; return a TableReading.

        `source` is a path, the bytes of a file, or a frame of pixels. `layout` tells what the
        photograph shows: `melds` for a table, `loose` for a rack or heap. `rules` are those by
        which melds are judged, or the name of a ruleset; by default `burako` for tiles and
        `burraco_it` for cards. Where a ruleset is named, cards are taken for two packs with four
        jollies.

        Of a photograph that shows the other kind of pieces no piece is returned, only the notice
        that says so.

        Raises PhotoError when the source is no usable picture, ValueError for an unknown layout or
        ruleset.
        """
        layout, rules = Layout(layout), self._rules(rules)
        clock = Clock()
        with clock.stage("decode"):
            frame = source if isinstance(source, Frame) else load(source)
        seen = self._see(frame, layout, rules, clock)
        size = (frame.pixels.shape[1], frame.pixels.shape[0]) if self.kind.faces_alike else None
        seen, decoded = decide_jointly(seen, layout, rules, self.decoding, self.doubts, size)
        rows = seen.table.rows
        melds = rows if layout is Layout.MELDS else []
        doubts = all_doubts(frame, seen, melds, decoded, self.kind.faces_alike, self.doubts)
        sureness = seen.sureness(self.doubts.tile)
        doubts = settled_by_melds(doubts, sureness, melds, decoded, rules, self.doubts)
        melds_behind = np.zeros(0, np.intp)
        if layout is Layout.LOOSE and self.kind.pieces is Pieces.TILES:
            behind = racks.behind(seen, decoded, doubts, rules)
            melds_behind = np.flatnonzero(behind.melds)
            doubts = racks.rack_doubts(seen, decoded, doubts, behind, rules, self.doubts)
        asked = worth_asking(doubts, sureness, rows, self.doubts)
        tiles = tile_readings(frame, seen, decoded, asked)
        missed = None if seen.left_out is None else in_full_size(seen.left_out, frame)
        sure = decoded.posterior.max(axis=1) >= self.doubts.unsure
        hard = ~sure | np.array([bool(of_tile) for of_tile in doubts], bool)
        notices = find_notices(
            frame,
            tiles,
            self.doubts,
            hard=int(hard.sum()),
            other_set=seen.strange_to_set and self._has_other_numbers(frame, seen),
            left_out=missed,
        )
        if shows_other_pieces(self.kind, self.models, frame, tiles):
            # What was found says nothing of how the pieces asked for are photographed, either.
            rows, tiles, notices = [], (), (Notice.OTHER_PIECES,)
        return TableReading(
            frame.width,
            frame.height,
            tiles,
            tuple(meld_reading(row, tiles, layout, rules) for row in rows),
            tuple(i for i, tile in enumerate(tiles) if tile.meld is None),
            notices,
            clock.seconds(),
            self.kind.pieces,
            tuple(melds_behind.tolist()) if tiles else (),
        )

    def _rules(self, given: RuleSet | str | None) -> RuleSet:
        """Return the rules by which melds are judged: `given` itself, the ruleset of that name, or
        the usual one of this kind of pieces where `given` is None.
        """
        rules = given or self.kind.rules
        return self.kind.inventory(ruleset(rules)) if isinstance(rules, str) else rules

    def _see(self, frame: Frame, layout: Layout, rules: RuleSet, clock: Clock) -> Seen:
        """Find and read the tiles, and find their rows. Tiles that are not of the chosen set are
        seen anew by the reader for other sets, if there is one. `clock` measures the stages.
        """
        seen = self._see_once(frame, layout, rules, clock)
        if not seen.strange_to_set or self.own_set is None:
            return seen
        if self.for_other_sets:
            seen = replace(
                self.for_other_sets._see_once(frame, layout, rules, clock), strange_to_set=True
            )
        if self.own_set.inks.familiar:
            return seen
        with clock.stage("read"):
            scores = self.reader.read(frame.pyramid, seen.quads)
            return replace(seen, faces=self.own_set.perhaps_coloured(seen.faces, scores))

    def _see_once(self, frame: Frame, layout: Layout, rules: RuleSet, clock: Clock) -> Seen:
        """Find and read the tiles, and find their rows, by the networks of this reader."""
        with clock.stage("detect"):
            found, faint = self._find(frame, layout)
        with clock.stage("read"):
            found, scores = self._read_finds(frame, found, faint, layout)
            own_set = self._set_on_table(found, scores)
            finds = self._upright_and_compared(frame, found, scores, own_set, layout)
        with clock.stage("group"):
            finds = without_backs_and_motifs(finds, layout, rules, self.doubts)
            joint_scores, scores = tiles_among(finds, frame, self.reader, layout, self.doubts)
            if layout is Layout.MELDS:
                joint_scores, scores = with_holes_filled(
                    frame.pixels,
                    self.reader,
                    own_set,
                    self.doubts,
                    finds=finds.found,
                    joint_scores=joint_scores,
                    scores=scores,
                )
            laid = laid_in_rows(
                frame,
                self.reader,
                own_set,
                self.decoding,
                self.doubts,
                layout,
                rules,
                joint_scores=joint_scores,
                scores=scores,
            )
        strange = self.own_set is not None and own_set is None and self.own_set.tells_others
        missed = finds_left_out(
            finds.scores.quads,
            finds.found.scores,
            finds.joint_scores,
            laid.quads,
            self.doubts,
        )
        return Seen(laid.joint_scores, laid.quads, laid.faces, laid.table, strange, missed)

    def _find(self, frame: Frame, layout: Layout) -> tuple[Detections, Detections]:
        """Find what may be tiles. Returns the finds that the detector reports, and on a rack
        fainter ones, if they are few: a second look tells whether these are tiles.
        """
        on_rack = layout is Layout.LOOSE
        faintest = FAINTEST_ON_RACK if on_rack and self.second_look else None
        found = self.detector.detect(frame.pyramid, on_rack=on_rack, faintest=faintest)
        reported = found.scores >= self.detector.config.threshold
        faint = np.flatnonzero(~reported)
        few = faint if len(faint) <= MOST else faint[:0]
        return found.take(np.flatnonzero(reported)), found.take(few)

    def _read_finds(
        self, frame: Frame, found: Detections, faint: Detections, layout: Layout
    ) -> tuple[Detections, FaceScores]:
        """Read the finds `found`. Where the reader is unsure, other quads are tried, the find is
        looked at again, or it is looked at in the direction of its row. Returns the finds, with
        those of the `faint` ones that are tiles, and what the reader sees on them.
        """
        scores = self.reader.read(frame.pyramid, found.quads)
        # On tables this would part rows that are one (experiment 107 of models/EXPERIMENTS.md).
        if layout is Layout.LOOSE:
            scores = with_corners_found(
                self.reader, frame.pixels, found.quads, found.scores, scores
            )
        else:
            scores = with_quads_in_plane(
                self.reader, frame.pixels, found.quads, found.scores, scores
            )
        if self.second_look:
            found, scores = self.second_look.looked_again(
                self.reader, frame.pyramid, found, scores, faint, self.detector.config.threshold
            )
        if layout is Layout.MELDS:
            tiles = found.scores * scores.legible > self.doubts.tile
            scores = looked_along_row(self.reader, frame.pyramid, scores, tiles)
        return found, scores

    def _upright_and_compared(
        self,
        frame: Frame,
        found: Detections,
        scores: FaceScores,
        own_set: OwnSet | None,
        layout: Layout,
    ) -> Finds:
        """Turn faces that stand upside down. Before that, faces that look unlike those of `own_set`
        are found anew; afterwards all are compared with its examples.
        """
        if own_set:
            usual = self.for_other_sets.detector if self.for_other_sets else None
            found, scores = own_set.mended(
                self.detector,
                self.reader,
                frame.pixels,
                found,
                scores,
                usual,
                on_rack=layout is Layout.LOOSE,
            )
        legible = scores.legible  # before 6 and 9 share what the face shows
        scores = self._upright_in_company(frame, found, scores, layout)
        if own_set:
            scores = own_set.compared(self.reader, frame.pixels, scores)
            legible = scores.legible
            found = replace(found, scores=own_set.tile_scores(found.scores, scores))
        return Finds(found, scores, legible)

    def compared_with_set(self, picture: RGB, scores: FaceScores) -> FaceScores:
        """Return what is seen on n faces of an (h, w, 3) RGB picture after comparing them with the
        set's examples, if this reader knows a set that helps with them. `scores` are what the
        network sees.
        """
        if not self.own_set or not self.own_set.helps_with(scores):
            return scores
        own_set = self.own_set.in_picture(scores)
        return own_set.coloured(own_set.compared(self.reader, picture, scores))

    def shows_other_set(self, scores: FaceScores) -> bool:
        """Tell whether faces that surely are tiles' are plainly not those of the chosen set. Few
        faces never tell that, nor any where no set or only a part of one was taught. `scores` are
        what the network sees on them.
        """
        own_set = self.own_set
        if own_set is None or not own_set.tells_others:
            return False
        tiles = scores.legible > self.doubts.in_line
        if own_set.is_on_table(scores, tiles):
            return False
        return own_set.has_other_numbers(scores.take(np.flatnonzero(tiles)))

    @property
    def inks(self) -> Inks:
        """How the four inks look on an average table: those of the own set that this reader knows,
        or where it knows none or too little of it, those of sets in general.
        """
        own_set = self.own_set
        return own_set.inks.usual if own_set and own_set.is_well_taught else INKS

    def _upright_in_company(
        self, frame: Frame, found: Detections, scores: FaceScores, layout: Layout
    ) -> FaceScores:
        """Return the scores after turning faces that stand upside down, judged together with the
        tiles in their row or on their rack. The same judgement decides between 6 and 9.
        """
        sure = found.scores * scores.legible > self.doubts.tile
        around = None
        if layout is Layout.LOOSE and self.rack_direction:
            around = self.rack_direction.upright(frame.pyramid, scores)
        turned = turned_in_company(scores, sure, layout, around)
        heads = np.flatnonzero(turned > 0.5)
        if len(heads):
            turned[heads] = 1 - turned[heads]
            scores = self.reader.turned_round(frame.pyramid, scores, heads)
        return replace(scores, number=number_given_direction(scores.number, scores.turn, turned))

    def _has_other_numbers(self, frame: Frame, seen: Seen) -> bool:
        """Tell whether the tiles `seen`, which look strange beside the chosen set, are another
        set's.
        """
        surely_tiles = seen.quads[seen.joint_scores >= self.doubts.in_line]
        scores = self.reader.look(frame.pyramid, surely_tiles)
        return self.own_set is not None and self.own_set.has_other_numbers(scores)

    def _set_on_table(self, found: Detections, scores: FaceScores) -> OwnSet | None:
        """Return what counts of the chosen set in this picture; None if none was chosen, if the
        tiles plainly are of another set, or if hardly anything of the set was taught and the tiles
        look otherwise.
        """
        surely_tiles = found.scores >= self.doubts.in_line
        if self.own_set and self.own_set.is_on_table(scores, surely_tiles):
            tiles = scores.take(np.flatnonzero(surely_tiles))
            return self.own_set.in_picture(tiles, odd=self.for_other_sets is not None)
        return None
