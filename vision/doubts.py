"""What counts as a tile, and what a person has to look at."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.rulesets import MINIMUM_MELD
from engine.tiles import FACES
from vision.assembly import in_full_size
from vision.decoding import Decoded
from vision.faint import body_light
from vision.frame import Frame
from vision.grouping import LOOSE, Indices, find_rows
from vision.quads import Quad, sides, size_outliers
from vision.quality import is_blurred, is_moved
from vision.reading import Doubt, Notice, TileReading
from vision.seen import Seen

# Distance of the middles of two finds, in the longer side of one of them, up to which they are one.
NEAR = 0.5
# With these doubts something lies beside the tiles that were photographed.
BESIDE = frozenset({Doubt.PRINTED, Doubt.OFF_RACK})


@dataclass(frozen=True)
class DoubtConfig:
    """Limits below which something is no tile, is not read, or is doubtful.

    Values are probabilities, 0-1, where no unit is given. A find's detector score is the first
    network's; its joint score is the detector score times the second network's probability of the
    likeliest number or comodín. The limits of what is a tile were set on two test sets,
    `burako_renders` and `other_sets`: on four versions of `burako_renders`, 2 of 4,112 faces have a
    joint score below 0.42, and 40 false finds have one above 0.42.
    """

    # A find is a tile if its joint score is above `tile`, or above `odd_tile` where its size is
    # unlike that of the tiles around; or if its detector score is above `surely_a_tile` and its
    # size is usual, since it may be a tile that cannot be read.
    tile: float = 0.42
    odd_tile: float = 0.60
    surely_a_tile: float = 0.78
    # A find that continues a row of tiles needs less: a detector score above `in_line` at usual
    # size, or a joint score above `faint_in_line`. On fresh renders four of five such finds were
    # tiles.
    in_line: float = 0.60
    faint_in_line: float = 0.25
    unread: float = 0.40  # probability of the likeliest face below which no face is claimed
    # Probability of the likeliest face below which a person should look. How many tiles are told
    # less surely also tells whether the picture is blurred.
    unsure: float = 0.97
    # The same for a tile in a row long enough for a meld of which every tile is read. On 912
    # rendered tables of 19 seeds all 53 such tiles that were told with 0.93 to 0.97 and in
    # doubt for nothing else are right; of 20 told with 0.9 to 0.93 three are wrong. On 456 racks,
    # of 52 told with 0.93 to 0.97 five are wrong and three are no tiles.
    unsure_in_row: float = 0.93
    # The same for a comodín on a rack, since the back of a tile may bear a figure. Of 31 told there
    # as surely as 0.97 on 187 rendered racks, two are backs, told with less than this, as are three
    # of the 29 that are comodines.
    comodin_on_rack: float = 0.99
    faint: float = 0.52  # joint score below which it may be no tile at all
    # Nobody is asked about a faint find that is surely read if its joint score is above `tile` and
    # at least this many others in its row are beyond doubt; None: always. On 923 rendered pictures,
    # a third of them with printed table tops, 98 such finds were tiles and one was none; with two
    # others beyond doubt 43 were tiles and five were none.
    sure_in_row: int | None = 3
    dark: float = 22.0  # mean of all pixels, 0-255, below which the picture is too dark
    # The same for the bodies of at least half of the tiles: the strongest of red, green and blue.
    # On 576 rendered pictures of eight seeds five of 16 colours were wrong where it is below 80,
    # and four of 10,640 elsewhere.
    dark_body: float = 60.0
    small: float = 15.0  # median short side, in pixels of the original, of tiles too small
    # The same where at least half of the tiles are not surely read, though nothing is blurred.
    small_if_hard: float = 24.0
    blurred: float = 0.35  # share of unread tiles above which the whole picture is called blurred
    # A picture that is soft in one direction counts as blurred from this share of doubtful tiles
    # on. Of 48 renders of two fresh seeds, moved by 6-34 px, 34 are called blurred, and none of
    # these was read rightly. Of 160 renders that were not moved two are called blurred, both
    # wrongly.
    moved: float = 0.25
    # From that share on, and from this number of doubtful tiles, it counts as blurred if it is soft
    # beneath its grain, too. Of 1,037 pictures eight are called blurred for this alone; seven were
    # misread, with 34 silent errors.
    beneath_grain: int = 4
    # A find that is no tile may still be one if its detector score is above `perhaps` and its size
    # is usual. From `left_out` of them on, as a share of the tiles, they tell of the picture, too:
    # whether its tiles are too small or blurred is not judged by those alone that could be read.
    perhaps: float = 0.35
    left_out: float = 0.25
    # How far a corner may lie outside the picture, in sizes of the tile, before the tile is called
    # cut off. The detector's corners are off by less.
    outside: float = 0.08


def are_tiles(
    quads: NDArray[np.float32],
    detector_scores: NDArray[np.float32],
    joint_scores: NDArray[np.float32],
    config: DoubtConfig,
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds that are tiles, and not backs of tiles, cards or cloth.
    `quads` (n, 4, 2) are those of the finds, `detector_scores` (n,) the detector's scores, 0-1, and
    `joint_scores` (n,) the joint scores.
    """
    outliers = size_outliers(quads, np.flatnonzero(joint_scores > config.odd_tile))
    readable = joint_scores > np.where(outliers, config.odd_tile, config.tile)
    unreadable = (detector_scores > config.surely_a_tile) & ~outliers
    tiles = readable | unreadable
    weak = (detector_scores > config.in_line) & ~outliers
    weak |= joint_scores > config.faint_in_line
    if (weak & ~tiles).any():
        tiles |= _continue_rows(quads, tiles, weak)
    return np.asarray(tiles)


def _continue_rows(
    quads: NDArray[np.float32], tiles: NDArray[np.bool_], weak: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds at `quads` (n, 4, 2) that lie in a row which has at least two
    tiles. `tiles` (n,) tells which finds are tiles, and `weak` (n,) which may be tiles. Rows are
    made of finds of these two kinds alone.
    """
    asked = np.flatnonzero(tiles | weak)
    supported = np.zeros(len(quads), bool)
    for row in find_rows(quads[asked], LOOSE):
        members = asked[list(row)]
        if tiles[members].sum() >= 2:
            supported[members] = True
    return supported


def finds_left_out(
    quads: NDArray[np.float32],
    detector_scores: NDArray[np.float32],
    joint_scores: NDArray[np.float32],
    tiles: NDArray[np.float32],
    config: DoubtConfig,
) -> NDArray[np.float32]:
    """Return the quads, (k, 4, 2), of the finds that may be tiles and are told nowhere.

    `quads` (n, 4, 2), `detector_scores` (n,) and `joint_scores` (n,) are those of all finds;
    `tiles` (m, 4, 2) are the quads of the finds that count as tiles. A find near the middle of one
    of these is that tile, or a part of it.
    """
    outliers = size_outliers(quads, np.flatnonzero(joint_scores > config.odd_tile))
    asked = quads[(detector_scores > config.perhaps) & ~outliers]
    if not len(asked) or not len(tiles):
        return asked
    away = np.linalg.norm(asked.mean(axis=1)[:, None] - tiles.mean(axis=1), axis=2).min(axis=1)
    return np.asarray(asked[away > NEAR * np.maximum(*sides(asked))])


def is_cut_off(corners: Quad, frame: Frame, config: DoubtConfig) -> bool:
    """Tell whether a tile reaches outside the picture. `corners` (4, 2) are in pixels of the
    photograph in its full size.
    """
    slack = config.outside * float(np.ptp(corners, axis=0).max())
    last = np.array([frame.width, frame.height]) - 1
    return bool((corners < -slack).any() or (corners > last + slack).any())


def all_doubts(
    frame: Frame,
    seen: Seen,
    melds: Sequence[Indices],
    decoded: Decoded,
    faces_alike: bool,
    config: DoubtConfig,
) -> list[frozenset[Doubt]]:
    """Return all doubts about each of the n tiles that were `seen`, in their order, by the limits
    of `config`. `melds` are the rows that may be melds, and `decoded` is the joint decision on the
    tiles. `faces_alike` tells that all their faces are of one size; the marks of cards are not, and
    none is in doubt for its size.
    """
    read = decoded.posterior.max(axis=1) >= config.unread
    in_rows = {
        tile for row in melds if len(row) >= MINIMUM_MELD and read[list(row)].all() for tile in row
    }
    odd_size = _odd_sizes(seen, config) & faces_alike
    doubts = []
    for i, face in enumerate(decoded.face):
        flags = {
            Doubt.REPAIRED: decoded.repaired[i],
            Doubt.COPIES: decoded.over_inventory[i],
            Doubt.FAINT: i in seen.in_doubt,
            Doubt.SIZE: odd_size[i],
            Doubt.PRINTED: i in seen.table.printed,
            Doubt.CUT_OFF: is_cut_off(in_full_size(seen.quads[i], frame), frame, config),
        }
        of_tile = tile_doubts(
            int(face),
            float(decoded.posterior[i, face]),
            float(seen.joint_scores[i]),
            in_row=i in in_rows,
            few_colours=frame.few_colours,
            noted=[doubt for doubt, applies in flags.items() if applies],
            config=config,
        )
        doubts.append(of_tile)
    return doubts


def _odd_sizes(seen: Seen, config: DoubtConfig) -> NDArray[np.bool_]:
    """Return a mask (n,) of the tiles that are much larger or smaller than those around them. A
    tile in a row long enough for a meld is never in the mask.
    """
    odd = size_outliers(seen.quads, np.flatnonzero(seen.joint_scores > config.odd_tile))
    odd[[tile for row in seen.table.rows if len(row) >= MINIMUM_MELD for tile in row]] = False
    return odd


def tile_doubts(
    face: int,
    confidence: float,
    joint_score: float,
    *,
    in_row: bool,
    few_colours: bool,
    noted: Collection[Doubt],
    config: DoubtConfig,
) -> frozenset[Doubt]:
    """Return the reasons for which a person should look at a tile; an empty set where there is
    none.

    `face` is an index into `engine.tiles.FACES`, `confidence` its probability, and `joint_score`
    the joint score of both networks. `in_row` tells that it lies in a row long enough for a meld
    of which every tile is read, and `few_colours` that the picture cannot show colours. `noted` are
    doubts that other stages have found; they are all part of the result.
    """
    doubts = set(noted)
    if confidence < config.unread:
        doubts.add(Doubt.UNREAD)
    if confidence < (config.unsure_in_row if in_row else config.unsure):
        doubts.add(Doubt.UNSURE)
    if joint_score < config.faint:
        doubts.add(Doubt.FAINT)
    if few_colours and not FACES[face].joker:
        doubts.add(Doubt.FEW_COLOURS)
    return frozenset(doubts)


def worth_asking(
    doubts: Sequence[frozenset[Doubt]],
    joint_scores: NDArray[np.float32],
    rows: Sequence[Sequence[int]],
    config: DoubtConfig,
) -> list[frozenset[Doubt]]:
    """Return the doubts about n tiles for which a person should be asked. None is left about a tile
    in a row that is surely read if it only reaches outside the picture (322 of 322 such tiles on
    745 rendered pictures were right), or if it is faint and others in its row are beyond doubt.

    `doubts` (n) and `joint_scores` (n,) are those of the tiles, `rows` the indices of the tiles of
    each row.
    """
    asked = list(doubts)
    for row in rows:
        for tile in row:
            if asked[tile] == {Doubt.CUT_OFF}:
                asked[tile] = frozenset()
    if config.sure_in_row is None:
        return asked
    sure = [not of_tile for of_tile in asked]
    for row in rows:
        if sum(sure[tile] for tile in row) < config.sure_in_row:
            continue
        for tile in row:
            if asked[tile] == {Doubt.FAINT} and joint_scores[tile] > config.tile:
                asked[tile] = frozenset()
    return asked


def find_notices(
    frame: Frame,
    tiles: tuple[TileReading, ...],
    config: DoubtConfig,
    *,
    hard: int = 0,
    other_set: bool = False,
    left_out: NDArray[np.float32] | None = None,
) -> tuple[Notice, ...]:
    """Return what a person should know about the photograph as a whole; an empty tuple where there
    is nothing.

    `hard` is the number of tiles that were not surely read, or about which anything was doubtful,
    whether it is worth asking or not. `other_set` tells that its tiles are not of the set that was
    chosen. `left_out` (k, 4, 2), in pixels of the photograph in its full size, are the finds that
    may be tiles and are not among `tiles`.
    """
    missed = np.zeros((0, 4, 2), np.float32) if left_out is None else left_out
    if len(missed) < config.left_out * len(tiles):
        missed = missed[:0]
    quads = np.array([tile.corners for tile in tiles], np.float32).reshape(-1, 4, 2)
    blurred = _is_worth_calling_blurred(frame, tiles, hard, len(missed), config)
    hardly_read = bool(tiles) and not blurred and _are_hardly_read(tiles)
    limit = config.small_if_hard if hardly_read else config.small
    found = {
        Notice.TOO_DARK: _is_dark(frame, quads, config),
        Notice.TOO_SMALL: _are_small(quads, limit) or (bool(tiles) and _are_small(missed, limit)),
        Notice.CUT_OFF: any(is_cut_off(tile.corners, frame, config) for tile in tiles),
        Notice.TOO_BLURRED: blurred,
        # After what explains it: people are told the first notice while they hold the phone.
        Notice.NO_TILES: not tiles,
        Notice.FIRST_OF_MANY: frame.first_of_many,
        Notice.FEW_COLOURS: frame.few_colours and bool(tiles),
        Notice.OTHER_SET: other_set,
    }
    return tuple(notice for notice, applies in found.items() if applies)


def _is_dark(frame: Frame, quads: NDArray[np.float32], config: DoubtConfig) -> bool:
    """Tell whether the whole picture is too dark, or at least half of the tiles at `quads` (n, 4,
    2), in pixels of the photograph in its full size, lie in the dark.
    """
    if float(frame.pixels[::8, ::8].mean()) < config.dark:
        return True
    if not len(quads):
        return False
    bodies = body_light(frame.pixels, (quads + 0.5) / np.float32(frame.scale) - 0.5).max(axis=1)
    return bool(np.exp(np.median(bodies)) < config.dark_body)


def _are_hardly_read(tiles: tuple[TileReading, ...]) -> bool:
    """Tell whether at least half of the tiles are not surely read. What is only printed or lies off
    a rack tells nothing of the picture.
    """
    of_table = [tile.doubts for tile in tiles if BESIDE.isdisjoint(tile.doubts)]
    unsure = sum(not {Doubt.UNREAD, Doubt.UNSURE}.isdisjoint(doubts) for doubts in of_table)
    return 2 * unsure >= len(of_table) > 0


def _are_small(quads: NDArray[np.float32], limit: float) -> bool:
    """Tell whether the short sides of at least half of the tiles at `quads`, (n, 4, 2), are below
    the limit, in pixels; False without any.
    """
    return bool(len(quads) and np.median(np.minimum(*sides(quads))) < limit)


def _is_worth_calling_blurred(
    frame: Frame, tiles: tuple[TileReading, ...], hard: int, missed: int, config: DoubtConfig
) -> bool:
    """Tell whether a person should hear that the picture is blurred: too many tiles are unread, or
    the picture is soft and not all tiles in it were read surely. `hard` is the number of tiles that
    were not, and `missed` that of the finds that may be tiles and are not among `tiles`. What is
    unread because it is only printed, as on a keyboard, or lies off a rack tells nothing of the
    picture.
    """
    unread = sum(tile.tile is None and BESIDE.isdisjoint(tile.doubts) for tile in tiles)
    if unread > config.blurred * len(tiles):
        return True
    if tiles and not hard and not missed:
        return False
    if is_blurred(frame.pixels):
        return True
    if hard + missed < config.moved * (len(tiles) + missed):
        return False
    grainy = hard + missed >= config.beneath_grain
    return is_moved(frame.pixels) or (grainy and is_blurred(frame.pixels, beneath_grain=True))
