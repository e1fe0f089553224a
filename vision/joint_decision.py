"""The joint decision on what the pieces of a photograph are, and which of them are none: keys, and
figures of a score sheet.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.melds import is_meld
from engine.rulesets import MINIMUM_MELD, RuleSet
from engine.tiles import FACES, Tile
from vision.decoding import Decoded, DecodingConfig, decode_table
from vision.doubts import DoubtConfig
from vision.keypad import are_of_keypad
from vision.keys import are_keys, are_no_tiles
from vision.reading import Layout
from vision.seen import Seen
from vision.writing import are_writing


def decide_jointly(
    seen: Seen,
    layout: Layout,
    rules: RuleSet,
    config: DecodingConfig,
    doubts: DoubtConfig,
    size: tuple[int, int] | None = None,
) -> tuple[Seen, Decoded]:
    """Decide together which faces the pieces that were `seen` have. Returns the decision, and
    `seen` with what was told of keys.

    What keys seem to show is told by a first decision, in which they count as tiles. Those of
    keyboards and calculators are printed pictures then, but for those of a keyboard that can be no
    tiles: they are left out. A row that is surely read stays, because tiles may touch a keyboard.
    The figures of a score sheet are left out, too, if `size` is given, the picture's width and
    height; without it the faces of the pieces may be of different sizes, as marks of cards are.
    """
    decoded = _decoded(seen, layout, rules, config)
    unread = decoded.posterior.max(axis=1) < doubts.unread
    if size:
        laid = _in_sure_rows(seen, decoded, layout, rules, doubts)
        seen, writing = _without_writing(seen, unread, laid, size)
        if writing.any():
            decoded = _decoded(seen, layout, rules, config)
            unread = decoded.posterior.max(axis=1) < doubts.unread
    faces = [
        None if blank else FACES[face] for face, blank in zip(decoded.face, unread, strict=True)
    ]
    keyboard = are_keys(seen.quads, unread)
    keys = keyboard | are_of_keypad(seen.quads, faces)
    if not keys.any():
        return seen, decoded
    shown = _shown_by(seen, keyboard, doubts)
    if are_no_tiles(shown, _shown_by(seen, ~keyboard, doubts), rules):
        left = np.flatnonzero(~keyboard | _in_sure_rows(seen, decoded, layout, rules, doubts))
        seen, keys = seen.take(left), keys[left]
    printed = seen.table.printed | set(np.flatnonzero(keys).tolist())
    seen = replace(seen, table=replace(seen.table, printed=printed))
    return seen, _decoded(seen, layout, rules, config)


def _without_writing(
    seen: Seen, unread: NDArray[np.bool_], laid: NDArray[np.bool_], size: tuple[int, int]
) -> tuple[Seen, NDArray[np.bool_]]:
    """Return what was `seen` without figures of a score sheet, among the finds that are left out,
    too, and a mask (n,) of the pieces that were such figures. `unread` (n,) tells which of them
    show no face, `laid` (n,) which surely are tiles in melds, and `size` is the picture's.
    """
    left_out = np.zeros((0, 4, 2), np.float32) if seen.left_out is None else seen.left_out
    count = len(seen.quads)
    writing = are_writing(
        np.concatenate([seen.quads, left_out]),
        np.append(unread, np.ones(len(left_out), bool)),
        np.append(laid, np.zeros(len(left_out), bool)),
        size,
    )
    if seen.left_out is not None:
        seen = replace(seen, left_out=left_out[~writing[count:]])
    return seen.take(np.flatnonzero(~writing[:count])), writing[:count]


def _in_sure_rows(
    seen: Seen, decoded: Decoded, layout: Layout, rules: RuleSet, doubts: DoubtConfig
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the pieces in rows of three or more that are surely read, and where
    they lie in melds are legal.
    """
    sure = decoded.posterior.max(axis=1) >= doubts.unsure
    sure &= ~decoded.over_inventory
    found = np.zeros(len(sure), np.bool_)
    for row in seen.table.rows:
        tiles = [FACES[decoded.face[piece]] for piece in row]
        is_legal = layout is not Layout.MELDS or is_meld(tiles, rules)
        found[list(row)] = len(row) >= MINIMUM_MELD and sure[list(row)].all() and is_legal
    return found


def _decoded(seen: Seen, layout: Layout, rules: RuleSet, config: DecodingConfig) -> Decoded:
    melds = seen.table.rows if layout is Layout.MELDS else []
    return decode_table(seen.faces, melds, rules, config, seen.table.printed)


def _shown_by(seen: Seen, pieces: NDArray[np.bool_], doubts: DoubtConfig) -> list[Tile]:
    """Return the faces that pieces show, each by itself, as far as they can be read. `pieces` (n,)
    is a mask.
    """
    faces = seen.faces[pieces]
    is_read = faces.max(axis=1) > np.log(doubts.unread)
    return [FACES[face] for face in faces[is_read].argmax(axis=1)]
