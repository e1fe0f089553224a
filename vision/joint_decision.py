"""The joint decision on what the pieces of a photograph are, and on which of them are keys."""

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


def decide_jointly(
    seen: Seen, layout: Layout, rules: RuleSet, config: DecodingConfig, doubts: DoubtConfig
) -> tuple[Seen, Decoded]:
    """Decide together which faces the pieces that were `seen` have. Returns the decision, and
    `seen` with what was told of keys.

    What keys seem to show is told by a first decision, in which they count as tiles. Those of
    keyboards and calculators are printed pictures then, but for those of a keyboard that can be no
    tiles: they are left out. A row that is surely read stays, because tiles may touch a keyboard.
    """
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
