"""The rows in which the tiles of a photograph lie, which of the tiles are only printed on a box,
and which others the rows lack.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from engine.rulesets import RuleSet
from vision.decoding import DecodingConfig, continues_misread_meld, meld_judge
from vision.doubts import DoubtConfig
from vision.faint import are_as_light, body_light
from vision.frame import Frame
from vision.grouping import Indices, find_rows
from vision.own_set.knowledge import OwnSet
from vision.pyramid import RGB
from vision.reader import FaceScores, Reader, face_scores
from vision.reading import Layout
from vision.seen import Rows
from vision.tiles.ground import are_printed
from vision.tiles.lacking import lacking_tiles
from vision.tiles.table_colours import lit_colours, table_colours

# What is not surely read continues a row if it shows any face with more than LEGIBLE and its light
# differs from that of the last tile there by less than AS_LIGHT, in natural logarithms. On the
# tables of 816 rendered hands three of five finds that lie so were tiles; one of the other two is
# dark, and the other one shows no face.
LEGIBLE, AS_LIGHT = 0.5, 0.25


@dataclass(frozen=True, eq=False)
class Laid:
    """n tiles and the rows in which they lie, `table`. `joint_scores` (n,), `quads` (n, 4, 2) in
    pixels, and `faces` (n, 53), the log-probabilities of their faces, are those of the tiles.
    """

    joint_scores: NDArray[np.float32]
    quads: NDArray[np.float32]
    faces: NDArray[np.float32]
    table: Rows


def laid_in_rows(
    frame: Frame,
    reader: Reader,
    own_set: OwnSet | None,
    decoding: DecodingConfig,
    doubts: DoubtConfig,
    layout: Layout,
    rules: RuleSet,
    *,
    joint_scores: NDArray[np.float32],
    scores: FaceScores,
) -> Laid:
    """Find the rows of n tiles, and decide their colours together. Where a meld plainly lacks a
    tile, the `reader` looks there, and the tile is added; its joint score is so low that it counts
    as doubtful. `joint_scores` (n,) are those of the tiles, and `scores` what the reader sees on
    them; `own_set` is the set that lies there, if it is known.
    """
    colour, table = _coloured(frame, scores, own_set, decoding, layout, rules)
    if layout is Layout.MELDS:
        faces = face_scores(scores.number, colour)
        judge = partial(meld_judge, rules=rules, config=decoding)
        sure = faces.max(axis=1) >= np.log(decoding.surely_read)
        places = lacking_tiles(frame.pixels, scores.quads, faces, sure, table.rows, judge)
        if len(places):
            there = reader.look(frame.pyramid, places)
            faint = (doubts.tile * there.legible).astype(np.float32)
            joint_scores, scores = np.append(joint_scores, faint), scores.joined(there)
            colour, table = _coloured(frame, scores, own_set, decoding, layout, rules)
        colour = lit_colours(scores, colour, table.rows)
    return Laid(joint_scores, scores.quads, face_scores(scores.number, colour), table)


def _coloured(
    frame: Frame,
    scores: FaceScores,
    own_set: OwnSet | None,
    decoding: DecodingConfig,
    layout: Layout,
    rules: RuleSet,
) -> tuple[NDArray[np.float32], Rows]:
    """Return log-probabilities of the colours of n tiles by all inks of the table, (n, 4), and the
    rows of the tiles. `scores` are what the reader sees on them.
    """
    colour = table_colours(scores, own_set, layout)
    faces = face_scores(scores.number, colour)
    return colour, rows_of_tiles(frame.pixels, scores.quads, faces, layout, rules, decoding)


def rows_of_tiles(
    pixels: RGB,
    quads: NDArray[np.float32],
    faces: NDArray[np.float32],
    layout: Layout,
    rules: RuleSet,
    config: DecodingConfig,
) -> Rows:
    """Find the rows of the tiles at `quads`, (n, 4, 2) in pixels of the picture, whose faces have
    the log-probabilities `faces`, (n, 53). Where the tiles lie in melds, their faces and the rules
    help to find the rows, and the Rows returned tell which tiles are only printed on a box.
    `pixels` are those of the picture, (h, w, 3) RGB. A face that is not surely read and lies alone
    where the next tile of a row would belongs to the row if it is as light as the last tile there:
    otherwise nobody would hear of it, as what lies beside the melds counts for nobody.
    """
    if layout is Layout.LOOSE:
        return Rows(find_rows(quads))
    is_meld = meld_judge(faces, rules, config)
    sure = faces.max(axis=1) >= np.log(config.surely_read)

    def is_continued(row: Indices) -> bool:
        *_, before, last = row
        if continues_misread_meld(faces[list(row)], rules, config):
            return True
        if sure[last] or np.exp(faces[last]).sum() < LEGIBLE:
            return False
        usual = body_light(pixels, quads[[before]])[0]
        return bool(are_as_light(pixels, quads[[last]], usual, AS_LIGHT)[0])

    rows = find_rows(quads, is_meld=is_meld, is_continued=is_continued, surely_read=sure)
    not_melds = [row for row in rows if not is_meld(row)]
    printed = are_printed(pixels, quads, not_melds)
    pictures = [row for row, on_a_box in zip(not_melds, printed, strict=True) if on_a_box]
    return Rows(rows, frozenset(tile for row in pictures for tile in row))
