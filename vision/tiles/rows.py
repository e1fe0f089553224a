"""The rows in which the tiles of a photograph lie, and which of them are only printed on a box."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.rulesets import RuleSet
from vision.decoding import DecodingConfig, continues_misread_meld, meld_judge
from vision.grouping import Indices, find_rows
from vision.pyramid import RGB
from vision.reading import Layout
from vision.seen import Rows
from vision.tiles.ground import are_printed


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
    `pixels` are those of the picture, (h, w, 3) RGB.
    """
    if layout is Layout.LOOSE:
        return Rows(find_rows(quads))
    is_meld = meld_judge(faces, rules, config)

    def is_continued(row: Indices) -> bool:
        return continues_misread_meld(faces[list(row)], rules, config)

    sure = faces.max(axis=1) >= np.log(config.surely_read)
    rows = find_rows(quads, is_meld=is_meld, is_continued=is_continued, surely_read=sure)
    not_melds = [row for row in rows if not is_meld(row)]
    printed = are_printed(pixels, quads, not_melds)
    pictures = [row for row, on_a_box in zip(not_melds, printed, strict=True) if on_a_box]
    return Rows(rows, frozenset(tile for row in pictures for tile in row))
