"""What is doubted about the tiles on a rack, and what their lines there confirm."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.tiles import FACES
from vision.decoding import Decoded
from vision.doubts import DoubtConfig
from vision.grouping import Indices
from vision.off_rack import off_rack
from vision.rack_lines import lines_through
from vision.reading import Doubt
from vision.seen import Seen


def rack_doubts(
    seen: Seen, decoded: Decoded, doubts: Sequence[frozenset[Doubt]], config: DoubtConfig
) -> list[frozenset[Doubt]]:
    """Return the `doubts` about the tiles of a rack that were `seen`, and further ones: about those
    that lie off the rack, and about comodines that could be the backs of tiles. `decoded` is the
    joint decision on these tiles.
    """
    off = off_rack(seen.quads, np.array([not of_tile for of_tile in doubts], bool))
    result = []
    for i, (of_tile, face) in enumerate(zip(doubts, decoded.face, strict=True)):
        is_unsure = FACES[face].joker and decoded.posterior[i, face] < config.comodin_on_rack
        further = {Doubt.PRINTED: off[i], Doubt.UNSURE: is_unsure}
        result.append(of_tile | {doubt for doubt, applies in further.items() if applies})
    return result


def rack_lines(seen: Seen, decoded: Decoded, doubts: Sequence[frozenset[Doubt]]) -> list[Indices]:
    """Return the lines of a rack in which the faint ones of the tiles that were `seen` stand, gaps
    and all. `decoded` is the joint decision on these tiles, and `doubts` are all doubts about them.

    Comodines have no line, since what looks like their figure is found in line with tiles, too.
    """
    sure = np.flatnonzero([not of_tile for of_tile in doubts])
    faint = [
        tile
        for tile, of_tile in enumerate(doubts)
        if of_tile == {Doubt.FAINT} and not FACES[decoded.face[tile]].joker
    ]
    return lines_through(seen.quads, faint, sure)
