"""Judges one reading by one labelled picture. The functions are pure; a reading is the JSON of
`burako read` as a dict.

A reported tile answers the true tile whose centre lies inside the quad of the reported one. Some
tiles count neither as right nor as wrong: those less than 3 px from the edge of the picture or cut
by it, hidden ones, and those marked `cut_off` or inside an `ignore` box. A tile reported there does
not count either. An error is silent if the reading marks no doubt at its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.labels import LabelledPicture, LabelledRow, LabelledTile
from datasets.photos import touches_frame
from vision.matching import pair_off

MELD_KINDS = ("escalera", "pierna", "meld")  # rows of other kinds (rack, pozo, loose) are no melds
# Notices by which a reading itself says that it may have missed tiles.
UNREADABLE = frozenset({"too_dark", "too_bright", "too_blurred", "too_small"})
# Those with which it asks for another photograph.
ASK_AGAIN = UNREADABLE | {"no_tiles"}

Quad = NDArray[np.float32]  # (4, 2): x, y in pixels
Point = tuple[float, float]


class Outcome(Enum):
    EXACT = "exact"  # number and colour right, or a comodín read as one
    WRONG = "wrong"  # read as another tile
    UNREAD = "unread"  # found, reported without a reading
    MISSED = "missed"  # not found
    INVENTED = "invented"  # answers no true tile, or one already answered


@dataclass(frozen=True)
class Report:
    """One tile that a reading reports."""

    index: int  # into the reading's `tiles`
    tile: str | None  # None: found without a reading
    quad: Quad
    confidence: float  # of the reading, 0..1
    doubtful: bool  # marked as doubtful by the reading

    @property
    def centre(self) -> Point:
        x, y = self.quad.mean(axis=0)
        return float(x), float(y)


@dataclass(frozen=True)
class Judged:
    """What became of one true tile, or of one invented tile: a reported tile that answers no true
    one.

    `corner_error` is the mean distance of the corners in widths of the true tile; None where the
    truth has no corners, where the tile was not found, and for an invented tile.
    """

    outcome: Outcome
    true: str | None  # None: an invented tile
    read: str | None  # None: not found, or found without a reading
    centre: Point
    confidence: float | None = None  # of the reading, 0..1; None: not found
    doubtful: bool = False  # whether the reading marks a doubt about it
    silent: bool = False  # an error without a doubt at its place
    corner_error: float | None = None


@dataclass(frozen=True)
class RowJudged:
    """What became of a true meld: whether it was found, and which verdict was reported for it."""

    tiles: tuple[str, ...]  # as they lie
    equal: bool  # whether some reported row holds exactly its tiles
    legal: bool | None  # the truth; None where unknown or where no verdicts are given (racks)
    told: bool | None  # `valid` of the equal row; None without such a row or verdict


@dataclass(frozen=True)
class PictureCount:
    """The verdicts on one reading of a picture: `tiles` on its tiles and `rows` on its melds. Tiles
    and melds that count neither as right nor as wrong are left out. `seconds` is how long the
    reading took, as the reading itself says; None where it does not say. `asks_again` tells that
    the reading asks for another photograph.
    """

    picture: LabelledPicture
    tiles: tuple[Judged, ...]
    rows: tuple[RowJudged, ...]
    seconds: float | None = None  # None: the reading does not say
    asks_again: bool = False

    @property
    def exact(self) -> bool:
        """Whether the outcome of every tile is EXACT, so that no tile was invented either."""
        return all(judged.outcome is Outcome.EXACT for judged in self.tiles)


def count_picture(picture: LabelledPicture, reading: dict[str, Any]) -> PictureCount:
    """Judge the JSON of a reading by the labels of its picture. Rows and tiles that count neither
    as right nor as wrong are left out of the answer.
    """
    reports = [_report(index, tile) for index, tile in enumerate(reading["tiles"])]
    answers = match(picture.tiles, reports)
    notices = reading.get("notices", ())
    owned_up = not UNREADABLE.isdisjoint(notices)
    judged = [
        _judge(tile, answers.get(index), reports, owned_up)
        for index, tile in enumerate(picture.tiles)
        if counts(picture, tile)
    ]
    answering = {report.index for report in answers.values()}
    extra = [
        report
        for report in reports
        if report.index not in answering and not _excused(picture, report)
    ]
    judged += [_invented(report, reports) for report in extra]
    rows = tuple(_judge_rows(picture, reading.get("melds", ()), answers))
    seconds = reading.get("seconds", {}).get("total")
    asks_again = not ASK_AGAIN.isdisjoint(notices)
    return PictureCount(picture, tuple(judged), rows, seconds, asks_again)


def counts(picture: LabelledPicture, tile: LabelledTile) -> bool:
    return tile.counted and not _in_boxes(tile.centre, picture.ignore)


def match(tiles: Iterable[LabelledTile], reports: Sequence[Report]) -> dict[int, Report]:
    """Pair each true tile with the report that answers it. Returns the reports by the index of the
    tile in `tiles`; tiles without an answer are absent.

    Each report answers one tile at most, and each tile has one answer at most. Pairs with the
    smallest distance between the two centres are made first, so the order of the reports does not
    matter.
    """
    pairs = []
    for (index, tile), report in product(enumerate(tiles), reports):
        if _inside(tile.centre, report.quad):
            away, name = _distance(report.centre, tile.centre), report.tile or ""
            pairs.append((away, report.quad.tolist(), name, index, report.index))
    by_index = {report.index: report for report in reports}
    answers = pair_off((index, number) for *_, index, number in sorted(pairs))
    return {index: by_index[number] for index, number in answers.items()}


def _report(index: int, tile: dict[str, Any]) -> Report:
    quad = np.array(tile["corners"], dtype=np.float32)
    if quad.shape != (4, 2):
        raise ValueError(
            f"expected 4 corners of x, y for reported tile {index}, got {tile['corners']!r}"
        )
    return Report(index, tile["tile"], quad, float(tile["confidence"]), bool(tile["doubtful"]))


def _judge(
    tile: LabelledTile, report: Report | None, reports: list[Report], owned_up: bool
) -> Judged:
    place = tile.centre
    doubted = _doubt_at(place, _shape(tile), reports)
    if report is None:
        silent = not (doubted or owned_up)
        return Judged(Outcome.MISSED, tile.tile, None, place, doubtful=doubted, silent=silent)
    outcome = _reading_outcome(tile.tile, report.tile)
    silent = outcome is not Outcome.EXACT and not (report.doubtful or doubted)
    error = None if tile.corners is None else _corner_error(report.quad, tile.corners)
    sure, doubtful = report.confidence, report.doubtful
    return Judged(outcome, tile.tile, report.tile, place, sure, doubtful, silent, error)


def _reading_outcome(true: str, read: str | None) -> Outcome:
    if read is None:
        return Outcome.UNREAD
    return Outcome.EXACT if read == true else Outcome.WRONG


def _invented(report: Report, reports: list[Report]) -> Judged:
    place, sure = report.centre, report.confidence
    silent = not _doubt_at(place, report.quad, reports)
    return Judged(Outcome.INVENTED, None, report.tile, place, sure, report.doubtful, silent)


def _doubt_at(place: Point, shape: NDArray[np.float32] | None, reports: list[Report]) -> bool:
    """Whether a doubtful one of the `reports` covers the point `place` or has its centre within
    `shape`: the outline of the tile at that place, None where the outline is not known.
    """
    return any(
        _inside(place, report.quad) or (shape is not None and _inside(report.centre, shape))
        for report in reports
        if report.doubtful
    )


def _excused(picture: LabelledPicture, report: Report) -> bool:
    """Whether a report counts neither as right nor as wrong. That is so where it touches the edge
    of the picture, where its centre lies in an ignore box, and where it lies on a tile that is cut
    off or does not count for another reason.
    """
    if touches_frame(report.quad, picture.width, picture.height) or _in_boxes(
        report.centre, picture.ignore
    ):
        return True
    if any(_inside(place, report.quad) for place in picture.cut_off):
        return True
    uncounted = (tile for tile in picture.tiles if not counts(picture, tile))
    return any(
        _inside(tile.centre, report.quad) or _inside_shape(report.centre, tile)
        for tile in uncounted
    )


def _judge_rows(
    picture: LabelledPicture, melds: Iterable[dict[str, Any]], answers: dict[int, Report]
) -> Iterator[RowJudged]:
    true_index = {report.index: tile for tile, report in answers.items()}
    reported = {
        frozenset(true_index.get(tile, ("extra", tile)) for tile in meld["tiles"]): meld
        for meld in melds
    }
    for row in picture.rows:
        if _row_counts(picture, row):
            meld = reported.get(frozenset(row.tiles))
            legal = None if picture.rack else row.legal
            names = tuple(picture.tiles[tile].tile for tile in row.tiles)
            yield RowJudged(names, meld is not None, legal, meld["valid"] if meld else None)


def _row_counts(picture: LabelledPicture, row: LabelledRow) -> bool:
    return (
        row.kind in MELD_KINDS
        and row.whole
        and all(counts(picture, picture.tiles[tile]) for tile in row.tiles)
    )


def _corner_error(found: Quad, true: Quad) -> float:
    """Return the mean distance between each corner of `found` and the same corner of `true`, in
    widths of the true tile. The width is the mean of its top and its bottom edge.
    """
    width = (np.linalg.norm(true[1] - true[0]) + np.linalg.norm(true[2] - true[3])) / 2
    return float(np.linalg.norm(found - true, axis=1).mean() / width)


def _shape(tile: LabelledTile) -> NDArray[np.float32] | None:
    return tile.outline if tile.corners is None else tile.corners


def _inside_shape(point: Point, tile: LabelledTile) -> bool:
    shape = _shape(tile)
    return shape is not None and _inside(point, shape)


def _inside(point: Point, polygon: NDArray[np.float32]) -> bool:
    return cv2.pointPolygonTest(polygon, (float(point[0]), float(point[1])), False) >= 0


def _in_boxes(point: Point, boxes: Iterable[tuple[float, float, float, float]]) -> bool:
    return any(x0 <= point[0] <= x1 and y0 <= point[1] <= y1 for x0, y0, x1, y1 in boxes)


def _distance(one: Point, other: Point) -> float:
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))
