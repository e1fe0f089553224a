"""What the pieces of a photograph are, decided together, and which of them are keys."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.rulesets import RuleSet
from engine.tiles import FACES, Tile
from vision.decoding import Decoded, DecodingConfig, decode_table
from vision.doubts import DoubtConfig
from vision.keypad import are_of_keypad
from vision.keys import are_keys, are_no_tiles
from vision.reading import Layout
from vision.seen import Seen


def decided(
    seen: Seen, layout: Layout, rules: RuleSet, config: DecodingConfig, doubts: DoubtConfig
) -> tuple[Seen, Decoded]:
    """Decide together which faces the pieces that were `seen` have.

    Returns the decision, and `seen` with the keys of keyboards and calculators among the printed
    pictures, or without the keys of a keyboard that can be no tiles. What keys seem to show is told
    by a first decision, in which they count as tiles.
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
        return decided(seen.take(np.flatnonzero(~keyboard)), layout, rules, config, doubts)
    printed = seen.table.printed | set(np.flatnonzero(keys).tolist())
    seen = replace(seen, table=replace(seen.table, printed=printed))
    return seen, _decoded(seen, layout, rules, config)


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
