"""Photograph in, table reading out: the stages, in order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.melds import judge_meld
from engine.rulesets import MINIMUM_MELD, RuleSet, ruleset
from engine.tiles import FACES
from vision.colour import cluster_inks
from vision.decoding import Decoded, DecodingConfig, alternatives, decode_table, is_likely_meld
from vision.detector import Detections, Detector
from vision.frame import Frame, load
from vision.ground import are_printed
from vision.grouping import LOOSE, Row, find_rows
from vision.quads import odd_sizes, sides
from vision.quality import is_blurred
from vision.reader import JOKER, FaceScores, Reader, face_scores
from vision.reading import Doubt, Layout, MeldReading, Notice, TableReading, TileReading


@dataclass(frozen=True)
class DoubtConfig:
    """When something is no tile, cannot be read, or has to be looked at by a person.
    Probabilities, where no unit is given.

    Those that decide what is a tile were set on `burako_renders` and `other_sets`; of 4,112
    faces on four versions of the former 2 lay below 0.42, 40 false finds above.
    """

    # detector's score times the best face's probability below which nothing is reported ...
    tile: float = 0.42
    odd_tile: float = 0.60  # ... the same where its size is unlike that of the tiles around ...
    in_line: float = (
        0.60  # ... unless, in line with tiles that are there, the detector alone is so sure ...
    )
    faint_in_line: float = (
        0.25  # ... or both together: on fresh renders four of five such finds were tiles ...
    )
    surely_a_tile: float = 0.78  # ... or so sure anywhere: then it is a tile that could not be read
    unread: float = 0.40  # posterior of the best face below which nothing is claimed
    unsure: float = 0.97  # ... below which a person should look
    faint: float = 0.52  # product of both networks, as above, below which it may be no tile at all
    dark: float = 22.0  # mean of the picture, 0-255
    small: float = 15.0  # median short side, original pixels
    blurred: float = 0.35  # share of unread tiles that makes the photograph itself the cause


class TableReader:
    """Both networks, loaded once; thread-safe."""

    def __init__(self, models: Path | None = None, doubts: DoubtConfig | None = None) -> None:
        self.detector, self.reader = Detector(models), Reader(models)
        self.doubts, self.decoding = doubts or DoubtConfig(), DecodingConfig()

    def read(
        self,
        source: str | Path | bytes | Frame,
        layout: Layout | str = Layout.MELDS,
        rules: RuleSet | str = "burako",
    ) -> TableReading:
        """Read one photograph. Raises PhotoError for what is no usable picture, ValueError for an
        unknown ruleset.
        """
        rules = ruleset(rules) if isinstance(rules, str) else rules
        clock = _Clock()
        with clock("decode"):
            frame = source if isinstance(source, Frame) else load(source)
        with clock("detect"):
            found = self.detector.detect(frame.pixels)
        with clock("read"):
            scores = self.reader.read(frame.pixels, found.quads)
        with clock("group"):
            found, scores = self._only_tiles(found, scores)
            faces = self._faces(scores)
            table = Layout(layout) is Layout.MELDS
            is_meld = self._meld_judge(faces, rules)
            rows = find_rows(scores.quads, is_meld=is_meld if table else None)
            printed = (
                _printed(frame, scores.quads, [row for row in rows if not is_meld(row)])
                if table
                else frozenset()
            )
        with clock("judge"):
            decoded = decode_table(faces, rows if table else [], rules, self.decoding, printed)
            return self._assemble(
                frame, found, scores, rows, decoded, printed, Layout(layout), rules, clock
            )

    @staticmethod
    def _faces(scores: FaceScores) -> NDArray[np.float32]:
        """(n, 53) log-probabilities, the colours weighed against all inks of the table."""
        numbered = scores.number.argmax(axis=1) < JOKER
        return face_scores(scores.number, cluster_inks(scores.crops, scores.colour, numbered))

    def _meld_judge(self, faces: NDArray[np.float32], rules: RuleSet) -> Callable[[Row], bool]:
        return lambda row: (
            len(row) >= MINIMUM_MELD and is_likely_meld(faces[list(row)], rules, self.decoding)
        )

    def _only_tiles(self, found: Detections, scores: FaceScores) -> tuple[Detections, FaceScores]:
        """Backs, cards and cloth that the detector took for faces are dropped: the reader sees no
        face there. The scores are then those of both networks together.
        """
        together = found.scores * scores.legible
        keep = np.flatnonzero(are_tiles(scores.quads, found.scores, together, self.doubts))
        return Detections(found.quads[keep], together[keep]), scores.take(keep)

    def _assemble(
        self,
        frame: Frame,
        found: Detections,
        scores: FaceScores,
        rows: list[tuple[int, ...]],
        decoded: Decoded,
        printed: frozenset[int],
        layout: Layout,
        rules: RuleSet,
        clock: _Clock,
    ) -> TableReading:
        in_row = {tile: number for number, row in enumerate(rows) for tile in row}
        alone = odd_sizes(scores.quads, np.flatnonzero(found.scores > self.doubts.odd_tile))
        alone[[tile for row in rows if len(row) >= MINIMUM_MELD for tile in row]] = False
        tiles = tuple(
            self._tile(
                frame,
                float(found.scores[i]),
                scores,
                decoded,
                i,
                in_row.get(i),
                alone=bool(alone[i]),
                printed=i in printed,
            )
            for i in range(len(found))
        )
        melds = tuple(_meld(row, tiles, layout, rules) for row in rows)
        loose = tuple(i for i in range(len(tiles)) if i not in in_row)
        notices = tuple(self._notices(frame, tiles))
        return TableReading(
            frame.width, frame.height, tiles, melds, loose, notices, clock.seconds()
        )

    def _tile(
        self,
        frame: Frame,
        found: float,
        scores: FaceScores,
        decoded: Decoded,
        i: int,
        meld: int | None,
        *,
        alone: bool,
        printed: bool,
    ) -> TileReading:
        face, posterior = int(decoded.face[i]), decoded.posterior[i]
        confidence = float(posterior[face])
        doubts = set()
        corners = (scores.quads[i] + 0.5) * np.float32(frame.scale) - 0.5
        if confidence < self.doubts.unread:
            doubts.add(Doubt.UNREAD)
        if confidence < self.doubts.unsure:
            doubts.add(Doubt.UNSURE)
        if decoded.repaired[i]:
            doubts.add(Doubt.REPAIRED)
        if decoded.crowded[i]:
            doubts.add(Doubt.COPIES)
        if found < self.doubts.faint:
            doubts.add(Doubt.FAINT)
        if alone:
            doubts.add(Doubt.SIZE)
        if printed:
            doubts.add(Doubt.PRINTED)
        if _is_cut(corners, frame):
            doubts.add(Doubt.CUT_OFF)
        if frame.few_colours and not FACES[face].joker:
            doubts.add(Doubt.FEW_COLOURS)
        unread = Doubt.UNREAD in doubts
        others = alternatives(posterior, -1 if unread else face)
        return TileReading(
            None if unread else FACES[face], corners, confidence, frozenset(doubts), others, meld
        )

    def _notices(self, frame: Frame, tiles: tuple[TileReading, ...]) -> Iterator[Notice]:
        if not tiles:
            yield Notice.NO_TILES
        if float(frame.pixels[::8, ::8].mean()) < self.doubts.dark:
            yield Notice.TOO_DARK
        if tiles:
            quads = np.stack([tile.corners for tile in tiles])
            if float(np.median(np.minimum(*sides(quads)))) < self.doubts.small:
                yield Notice.TOO_SMALL
            if any(Doubt.CUT_OFF in tile.doubts for tile in tiles):
                yield Notice.CUT_OFF
        if self._is_blurred(frame, tiles):
            yield Notice.TOO_BLURRED
        if frame.first_of_many:
            yield Notice.FIRST_OF_MANY
        if frame.few_colours and tiles:
            yield Notice.FEW_COLOURS

    def _is_blurred(self, frame: Frame, tiles: tuple[TileReading, ...]) -> bool:
        """Whether blur is to be told: what is read without any doubt needs no excuse."""
        if sum(tile.tile is None for tile in tiles) > self.doubts.blurred * len(tiles):
            return True
        return (not tiles or any(tile.doubtful for tile in tiles)) and is_blurred(frame.pixels)


def are_tiles(
    quads: NDArray[np.float32],
    found: NDArray[np.float32],
    together: NDArray[np.float32],
    doubts: DoubtConfig,
) -> NDArray[np.bool_]:
    """(n,) whether there is a tile at each of the (n, 4, 2) quads, of the detector's scores
    `found` and those of both networks `together`. Backs, cards and cloth are none.
    """
    odd = odd_sizes(quads, np.flatnonzero(together > doubts.odd_tile))
    seen = (together > np.where(odd, doubts.odd_tile, doubts.tile)) | (
        (found > doubts.surely_a_tile) & ~odd
    )
    perhaps = ((found > doubts.in_line) & ~odd) | (together > doubts.faint_in_line)
    if (perhaps & ~seen).any():
        seen |= _in_line(quads, seen, perhaps)
    return np.asarray(seen)


def _in_line(
    quads: NDArray[np.float32], seen: NDArray[np.bool_], perhaps: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which of the places where perhaps a tile lies continue a row of tiles that are seen: there
    it is worth a doubt.
    """
    asked = np.flatnonzero(seen | perhaps)
    supported = np.zeros(len(quads), bool)
    for row in find_rows(quads[asked], LOOSE):
        members = asked[list(row)]
        if seen[members].sum() >= 2:
            supported[members] = True
    return supported


def _printed(frame: Frame, quads: NDArray[np.float32], wrong: Sequence[Row]) -> frozenset[int]:
    """Tiles of those rows, of the ones that are no melds, that are printed on something."""
    answers = zip(wrong, are_printed(frame.pixels, quads, wrong), strict=True)
    return frozenset(tile for row, printed in answers if printed for tile in row)


def _is_cut(corners: NDArray[np.float32], frame: Frame) -> bool:
    """Whether a corner lies outside the picture by more than the detector's own error."""
    slack = 0.08 * float(np.ptp(corners, axis=0).max())
    return bool(
        (corners < -slack).any()
        or (corners > np.array([frame.width, frame.height]) - 1 + slack).any()
    )


def _meld(
    row: tuple[int, ...], tiles: tuple[TileReading, ...], layout: Layout, rules: RuleSet
) -> MeldReading:
    laid = tuple(tiles[i].tile for i in row)
    doubtful = any(tiles[i].doubtful for i in row)
    known = [tile for tile in laid if tile is not None]
    judged = layout is Layout.MELDS and len(known) == len(laid)
    return MeldReading(row, laid, judge_meld(known, rules) if judged else None, doubtful)


class _Clock:
    """Seconds spent by stage."""

    def __init__(self) -> None:
        self._stages: dict[str, float] = {}
        self._started = time.perf_counter()

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self._stages[stage] = time.perf_counter() - started

    def seconds(self) -> dict[str, float]:
        return {**self._stages, "total": time.perf_counter() - self._started}
