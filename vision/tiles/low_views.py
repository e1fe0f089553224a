"""Finds the right quads of tiles that the camera sees from low above the table.

The detector finds such tiles, but misplaces the corners of those far away: it cannot tell in which
direction so flat a face lies, and averages the corners of several directions. The tiles that were
read tell the plane of the table (`vision.plane`), and with it how large and how flat a tile looks
at any place. Only its direction is then left open: it lies as the nearest tiles do, or in line with
those beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from vision.doubts import DoubtConfig
from vision.faint import are_as_light, body_light
from vision.plane import Plane, fit_plane
from vision.pyramid import RGB, Pyramid
from vision.quads import Quads, across, are_convex, areas, foreshortening
from vision.reader import JOKER, SURELY_LEGIBLE, FaceScores, Reader, corrected_quads


@dataclass(frozen=True)
class LowViewConfig:
    """When a view is low, which finds are looked at again, and when another quad is taken.

    Scores and legibility are 0-1, distances are in the plane of the table and in widths of a tile,
    where nothing else is told. The values were set on 120 tables rendered from 10-30 degrees
    (experiment 130 of models/EXPERIMENTS.md).
    """

    # A view is low if the sine of the camera's elevation, as `vision.quads.foreshortening` tells it
    # from the tiles, is below this.
    flat: float = 0.7
    tile: float = DoubtConfig.tile  # joint score from which a find helps to tell the plane
    # Finds that are less legible, with a lower joint score than `sure`, and with a detector score
    # above `score` are looked at again: the surest ones, `most` at most.
    legible: float = SURELY_LEGIBLE
    sure: float = 0.60
    score: float = DoubtConfig.perhaps
    most: int = 24
    passes: int = 2  # what was read in the first tells the plane better
    # How far apart two tiles side by side may seem, where the plane is known roughly; how far a
    # find is from a tile that it touches; and how far tiles side by side usually are.
    beside: tuple[float, float] = (0.6, 1.6)
    touching: tuple[float, float] = (0.85, 1.2)
    step: float = 1.03
    # Three tiles are evenly spaced if the third is off its place by less than this share of the
    # distance of the first two, in the picture. Their distance then tells their size, within
    # limits.
    evenly: float = 0.25
    sizes: tuple[float, float] = (0.75, 1.35)
    # A quad is taken if it is as legible as this in a row, or as this elsewhere and with a comodín,
    # whose figure other things resemble; and if its area, in those of a tile there, is usual.
    readable: float = 0.3
    readable_alone: float = 0.9
    usual_areas: tuple[float, float] = (0.6, 1.7)
    # Largest difference, in R, G or B, of the natural logarithm of the body's light from that of
    # the nearest tile.
    alike: float = 0.2
    # Where nothing can be read, a find in a row gets the quad of a tile in that row, if the
    # detector's score is above this.
    unread: float = 0.40
    # A find elsewhere that cannot be read is a tile if the detector's score is above `surely`, its
    # area, in those of a tile there, is `possible`, its body is as light as that of the nearest
    # tile but for `alike_elsewhere`, and it is `apart` from all tiles. Of 120 rendered tables 57
    # such finds were tiles, and 17 were none.
    surely: float = 0.60
    possible_areas: tuple[float, float] = (0.5, 2.0)
    alike_elsewhere: float = 0.45
    apart: float = 0.7
    # More such finds than this share of the tiles are the figures of a printed cloth.
    most_unread: float = 0.5


CONFIG = LowViewConfig()


@dataclass(frozen=True)
class _Table:
    """What is known of the table.

    `tiles` (t,) are the indices of the finds that tell the plane, and `asked` (m,) those of the
    finds that are looked at again. In the plane their middles are `tile_places` (t, 2) and `places`
    (m, 2), and the upper edges of the tiles lead in the `directions` (t,), in radians. `middles`
    (t + m, 2) are the middles of first the tiles, then the others, in pixels.
    """

    plane: Plane
    tiles: NDArray[np.intp]
    asked: NDArray[np.intp]
    tile_places: NDArray[np.float64]
    places: NDArray[np.float64]
    directions: NDArray[np.float64]
    middles: NDArray[np.float64]


@dataclass(frozen=True)
class _Tried:
    """The k quads that are tried, (k, 4, 2). `asked` (k,) tells in the place of which find, as an
    index into `_Table.asked`, and `in_row` (k,) whether others lie in line with a tile there.
    """

    asked: NDArray[np.intp]
    quads: Quads
    in_row: NDArray[np.bool_]


def with_quads_in_plane(
    reader: Reader,
    picture: RGB,
    quads: Quads,
    detector_scores: NDArray[np.float32],
    scores: FaceScores,
) -> FaceScores:
    """Return `scores` after looking again at what was hardly read, if the camera is low above the
    table. A find gets the quad of a tile that lies on the table there if its face is read in this
    quad, or if it lies in a row.

    `picture` is (h, w, 3) RGB. The detector's `quads` (n, 4, 2) are in pixels of it, the surest
    first, and its `detector_scores` are (n,). `scores` are what the reader saw in these quads.
    """
    tiles = detector_scores * scores.legible > CONFIG.tile
    for _ in range(CONFIG.passes):
        weak = (scores.legible < CONFIG.legible) & (detector_scores > CONFIG.score)
        weak &= detector_scores * scores.legible < CONFIG.sure
        asked = np.flatnonzero(weak)[: CONFIG.most]
        table = _table(picture, tiles, asked, scores.quads, quads)
        if table is None:
            break
        tried = _quads_to_try(table)
        scores, read = _looked_at(reader, picture, detector_scores, scores, table, tried)
        tiles[read] = True
    return scores


def unread_in_plane(
    picture: RGB,
    quads: Quads,
    detector_scores: NDArray[np.float32],
    seen: Quads,
    tiles: NDArray[np.bool_],
) -> tuple[NDArray[np.intp], Quads]:
    """Find further tiles, if the camera is low above the table: finds that nobody can read, and
    that are as large and as light as a tile is there. Returns their indices (k,) and the quads (k,
    4, 2) of tiles that lie there as the nearest one does.

    `tiles` (n,) tells which finds are known to be tiles; they lie in the quads `seen` (n, 4, 2).
    The rest is as with `with_quads_in_plane`.
    """
    none = np.zeros(0, np.intp), np.zeros((0, 4, 2), np.float32)
    asked = np.flatnonzero(~tiles & (detector_scores > CONFIG.surely))
    table = _table(picture, tiles, asked, seen, quads)
    if table is None:
        return none
    nearest = _nearest_tiles(table, 1)[:, 0]
    drawn = table.plane.tiles(table.places, table.directions[nearest], np.ones(len(asked)))
    away = np.linalg.norm(table.places[:, None] - table.tile_places, axis=2).min(axis=1)
    ratio = areas(quads[asked]) / np.maximum(areas(drawn), 1.0)
    least, most = CONFIG.possible_areas
    lying = are_convex(drawn) & (ratio > least) & (ratio < most) & (away > CONFIG.apart)
    usual_light = body_light(picture, seen[table.tiles[nearest]])
    lying &= are_as_light(picture, quads[asked], usual_light, CONFIG.alike_elsewhere)
    if lying.sum() > CONFIG.most_unread * len(table.tiles):
        return none
    return asked[lying], drawn[lying]


def _table(
    picture: RGB,
    are_tiles: NDArray[np.bool_],
    asked: NDArray[np.intp],
    seen: Quads,
    found: Quads,
) -> _Table | None:
    """Return what is known of the table, or None where the camera is not low above it, where too
    few tiles tell its plane, or where nothing is `asked`. The tiles lie where the reader saw them,
    in the quads `seen`; the middles of the others are right in the quads `found` by the detector.
    """
    tiles = np.flatnonzero(are_tiles)
    if not len(tiles) or not len(asked):
        return None
    if np.median(foreshortening(seen[tiles])[0]) >= CONFIG.flat:
        return None
    plane = fit_plane(seen[tiles], (picture.shape[1], picture.shape[0]))
    if plane is None:
        return None
    corners = plane.places(seen[tiles])
    ways = across(corners.astype(np.float32)).astype(np.float64)
    middles = np.concatenate([seen[tiles], found[asked]]).mean(axis=1, dtype=np.float64)
    places = plane.places(middles)
    directions = np.arctan2(ways[:, 1], ways[:, 0])
    tile_places, places = places[: len(tiles)], places[len(tiles) :]
    return _Table(plane, tiles, asked, tile_places, places, directions, middles)


def _nearest_tiles(table: _Table, count: int) -> NDArray[np.intp]:
    """Return for each find that is asked about the `count` nearest tiles, the nearest first: (m,
    count) indices into `table.tiles`.
    """
    away = np.linalg.norm(table.places[:, None] - table.tile_places, axis=2)
    return np.argsort(away, axis=1)[:, :count]


def _quads_to_try(table: _Table) -> _Tried:
    """Return the quads to try in the place of each find that is asked about: those of tiles in the
    rows that pass there, and those of tiles that lie as the two nearest tiles do.
    """
    tried: list[tuple[int, float, float, bool]] = []
    for number, near in enumerate(_nearest_tiles(table, 2)):
        company = table.directions[near]
        for direction, size in islice(_in_rows(table, number, company[0]), 2):
            tried.append((number, direction, size, True))
        tried += [(number, float(direction), 1.0, False) for direction in company]
    asked, directions, sizes, in_row = (np.array(column) for column in zip(*tried, strict=True))
    quads = table.plane.tiles(table.places[asked], directions, sizes)
    convex = are_convex(quads)
    return _Tried(asked[convex], quads[convex], in_row[convex])


def _in_rows(table: _Table, number: int, upright: float) -> Iterator[tuple[float, float]]:
    """Yield the direction, in radians, and the size, in tiles, of a tile in each row that passes
    the find with the index `number` in `table.asked`. Of both directions along a row that which is
    nearer to `upright` is meant. A row is told by a tile that touches the find, or by two others
    evenly spaced.
    """
    ways = np.concatenate([table.tile_places, table.places]) - table.places[number]
    apart = np.linalg.norm(ways, axis=1)
    middle = table.middles[len(table.tiles) + number]
    beside = np.flatnonzero((apart > CONFIG.beside[0]) & (apart < CONFIG.beside[1]))
    for other in beside[np.argsort(np.abs(np.log(apart[beside] / CONFIG.step)))]:
        step = table.middles[other] - middle
        third = np.stack([middle - step, table.middles[other] + step])
        off = np.linalg.norm(table.middles[:, None] - third, axis=2).min()
        evenly = off < CONFIG.evenly * np.linalg.norm(step)
        is_tile = other < len(table.tiles)
        touches = is_tile and CONFIG.touching[0] < apart[other] < CONFIG.touching[1]
        if evenly or touches:
            direction = float(np.arctan2(ways[other, 1], ways[other, 0]))
            if np.cos(direction - upright) < 0:
                direction += np.pi
            size = np.clip(apart[other] / CONFIG.step, *CONFIG.sizes) if evenly else 1.0
            yield direction, float(size)


def _looked_at(
    reader: Reader,
    picture: RGB,
    detector_scores: NDArray[np.float32],
    scores: FaceScores,
    table: _Table,
    tried: _Tried,
) -> tuple[FaceScores, NDArray[np.intp]]:
    """Look at the quads in `tried`. Return the scores, in which each find has the quad that was
    taken for it, and the indices of the finds in rows whose faces are surely read now.
    """
    pyramid = Pyramid(picture)
    finds = table.asked[tried.asked]
    look = reader.look(pyramid, tried.quads)
    seen = reader.look(pyramid, corrected_quads(look, reader.config, turning=True))
    nearest = table.tiles[_nearest_tiles(table, 1)[tried.asked, 0]]
    usual_light = body_light(picture, scores.quads[nearest])

    is_read = _are_read(tried, seen, scores.legible[finds])
    is_read &= are_as_light(picture, seen.quads, usual_light, CONFIG.alike)
    lies_there = _lie_there(tried, detector_scores[finds], scores.legible[finds])
    lies_there &= are_as_light(picture, tried.quads, usual_light, CONFIG.alike)

    surest = np.argsort(-seen.legible, kind="stable")
    read = _first_of_each(finds, surest[is_read[surest]])
    lying = _first_of_each(finds, np.flatnonzero(lies_there & ~np.isin(finds, finds[read])))
    better = seen.take(read)
    better = replace(better, quads=corrected_quads(better, reader.config, turning=False))
    scores = scores.with_replaced(finds[lying], look.take(lying))
    scores = scores.with_replaced(finds[read], better)
    return scores, finds[read][tried.in_row[read] & (better.legible > CONFIG.readable_alone)]


def _are_read(tried: _Tried, seen: FaceScores, legible: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return a mask (k,) of the quads in `tried` in which a face is read, of about the size that a
    tile has there. `seen` is what the reader saw in them, after it corrected them. `legible` (k,)
    tells how legible each find was before: a less legible face is not taken.
    """
    least, most = CONFIG.usual_areas
    ratio = areas(seen.quads) / np.maximum(areas(tried.quads), 1.0)
    comodin = seen.number.argmax(axis=1) == JOKER
    readable = np.where(tried.in_row & ~comodin, CONFIG.readable, CONFIG.readable_alone)
    is_read = seen.legible > np.maximum(readable, legible)
    return np.asarray(is_read & (ratio > least) & (ratio < most))


def _lie_there(
    tried: _Tried,
    detector_scores: NDArray[np.float32],
    legible: NDArray[np.float32],
) -> NDArray[np.bool_]:
    """Return a mask (k,) of the quads in `tried` that are taken though nothing can be read in them,
    since the detector saw a tile there and others lie in line with it. `detector_scores` (k,) and
    `legible` (k,) are those of the finds.
    """
    seen_there = detector_scores > CONFIG.unread
    return np.asarray(tried.in_row & seen_there & (legible < CONFIG.readable))


def _first_of_each(finds: NDArray[np.intp], order: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return those of `order`, indices into `finds` (k,), that are the first with their find."""
    _, first = np.unique(finds[order], return_index=True)
    return order[np.sort(first)]
