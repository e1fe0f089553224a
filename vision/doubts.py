"""Doubts about single tiles: what a person has to look at, and the limits of all doubt."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.rulesets import MINIMUM_MELD
from engine.tiles import FACES
from vision.assembly import in_full_size
from vision.decoding import Decoded
from vision.frame import Frame
from vision.grouping import Indices
from vision.quads import Quad, size_outliers
from vision.reading import Doubt
from vision.seen import Seen


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
    # The same for a number that its meld needs (`vision.settled_by_melds`). On the tables of 1,248
    # rendered hands, of melds with two tiles beyond doubt, all 136 such numbers that were in doubt
    # and told with 0.6 or more were right.
    unsure_if_needed: float = 0.60
    # The same for what acts as a wild in a legal meld. Of 22 on rendered tables that were in doubt
    # and told with 0.85 or more one was wrong, told with 0.875; of eight told with 0.6 to 0.85, and
    # not faint, three were.
    unsure_wild: float = 0.90
    # The same for a tile on a rack, where the likeliest other face has another number, and where
    # only 6 and 9 are in question. On the racks of 960 rendered hands, of tiles in doubt for
    # nothing else in photographs that need not be taken again, all 30 numbers told with 0.9 to 0.97
    # were right and all 44 6s and 9s told with 0.8 to 0.97; where colours were in question, 18 of
    # 21 told with 0.93 to 0.97.
    unsure_number_on_rack: float = 0.90
    unsure_six_or_nine_on_rack: float = 0.80
    # The same for a comodín on a rack, since the back of a tile may bear a figure. On the racks of
    # 768 hands one of seven told with 0.99 to 0.995 was a comodín, and 30 of 31 told more surely.
    comodin_on_rack: float = 0.995
    faint: float = 0.52  # joint score below which it may be no tile at all
    # A comodín told with less than `comodin` may be none, too, if its probability is below `unsure`
    # or its joint score below `comodin_score`. With 0 none is in doubt for that.
    comodin: float = 0.0
    comodin_score: float = 0.0
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
    # The face of a tile is burnt out where all but `burnt_all_but` percent of it have at least
    # `burnt` of red, green and blue, 0-255, and the darkest place `burnt_darkest`. Of 1,813
    # rendered pictures four hold such a tile, none of which was read exactly; of 493 photographs
    # none does.
    burnt: float = 250.0
    burnt_all_but: float = 10.0
    burnt_darkest: float = 215.0
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
            Doubt.FAINT: i in seen.in_doubt or _may_be_no_comodin(i, seen, decoded, config),
            Doubt.SIZE: odd_size[i],
            Doubt.PRINTED: i in seen.table.printed,
            Doubt.CUT_OFF: is_cut_off(in_full_size(seen.quads[i], frame), frame, config),
            Doubt.FEW_COLOURS: frame.few_colours and not FACES[face].joker,
        }
        of_tile = tile_doubts(
            float(decoded.posterior[i, face]),
            float(seen.joint_scores[i]),
            in_row=i in in_rows,
            noted=[doubt for doubt, applies in flags.items() if applies],
            config=config,
        )
        doubts.append(of_tile)
    return doubts


def _may_be_no_comodin(i: int, seen: Seen, decoded: Decoded, config: DoubtConfig) -> bool:
    """Tell whether tile `i` was told as a comodín, but hardly surely enough to be one."""
    face = decoded.face[i]
    confidence = float(decoded.posterior[i, face])
    hardly = confidence < config.unsure or seen.joint_scores[i] < config.comodin_score
    return FACES[face].joker and hardly and confidence < config.comodin


def _odd_sizes(seen: Seen, config: DoubtConfig) -> NDArray[np.bool_]:
    """Return a mask (n,) of the tiles that are much larger or smaller than those around them. A
    tile in a row long enough for a meld is never in the mask.
    """
    odd = size_outliers(seen.quads, np.flatnonzero(seen.joint_scores > config.odd_tile))
    odd[[tile for row in seen.table.rows if len(row) >= MINIMUM_MELD for tile in row]] = False
    return odd


def tile_doubts(
    confidence: float,
    joint_score: float,
    *,
    in_row: bool,
    noted: Collection[Doubt],
    config: DoubtConfig,
) -> frozenset[Doubt]:
    """Return the reasons for which a person should look at a tile; an empty set where there is
    none.

    `confidence` is the probability of its face, and `joint_score` the joint score of both networks.
    `in_row` tells that it lies in a row long enough for a meld of which every tile is read. `noted`
    are doubts found otherwise; they are all part of the result.
    """
    doubts = set(noted)
    if confidence < config.unread:
        doubts.add(Doubt.UNREAD)
    if confidence < (config.unsure_in_row if in_row else config.unsure):
        doubts.add(Doubt.UNSURE)
    if joint_score < config.faint:
        doubts.add(Doubt.FAINT)
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
