"""Tiles whose face is told by their meld: all others of it are beyond doubt, and hardly any other
face would leave it legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.melds import is_meld, judge_meld
from engine.rulesets import MINIMUM_MELD, RuleSet
from engine.tiles import FACES
from vision.decoding import Decoded
from vision.reading import Doubt

# Doubts that a meld can dispel. It dispels none where the rules overruled what is seen of the tile
# itself: people lay wrong tiles, too, and mistake a 6 for a 9 as the reader does.
OF_FACE = frozenset({Doubt.UNSURE})


@dataclass(frozen=True)
class ToldConfig:
    """Probabilities, 0-1, from which the face of a tile counts as told by its meld. They were set
    on rendered tables (experiment 185 of models/EXPERIMENTS.md).
    """

    # Of the face itself, in the joint decision, to which a legal meld is likelier beforehand.
    face: float = 0.8
    # Of the face among those that leave the meld legal: a comodín may stand for any of them.
    of_legal: float = 0.97


def told_by_melds(
    doubts: Sequence[frozenset[Doubt]],
    decoded: Decoded,
    melds: Sequence[Sequence[int]],
    rules: RuleSet,
    config: ToldConfig = ToldConfig(),
) -> list[frozenset[Doubt]]:
    """Return the `doubts` about n tiles without those that their melds dispel. `decoded` is the
    joint decision on the tiles, and `melds` holds the indices of the tiles of each row that may be
    a meld, in the order in which they lie.
    """
    left = list(doubts)
    for row in melds:
        in_doubt = [place for place, tile in enumerate(row) if doubts[tile]]
        if len(row) < MINIMUM_MELD or len(in_doubt) != 1:
            continue
        (place,) = in_doubt
        can_be_told = OF_FACE
        if not _acts_as_wild(place, decoded.face[list(row)], rules):
            # What is no tile at all hardly ever shows the one face that a meld lacks.
            can_be_told |= {Doubt.FAINT}
        of_tile = doubts[row[place]]
        if of_tile <= can_be_told and _is_told(place, row, decoded, rules, config):
            left[row[place]] = frozenset()
    return left


def _acts_as_wild(place: int, faces: NDArray[np.intp], rules: RuleSet) -> bool:
    """Tell whether the tile at a `place` of a row acts as a wild there, or another tile with its
    face does. `faces` (n,) are indices into FACES.
    """
    arranged = judge_meld([FACES[face] for face in faces], rules).arrangement
    if arranged is None:
        return False
    tile = FACES[faces[place]]
    return any(
        wild and one == tile for one, wild in zip(arranged.tiles, arranged.wild, strict=True)
    )


def _is_told(
    place: int, row: Sequence[int], decoded: Decoded, rules: RuleSet, config: ToldConfig
) -> bool:
    """Tell whether the row is a legal meld and tells the face of its tile at `place`."""
    tiles = [FACES[decoded.face[tile]] for tile in row]
    if not is_meld(tiles, rules):
        return False
    shares = decoded.posterior[row[place]]
    share = shares[decoded.face[row[place]]]
    if share < config.face:
        return False
    legal = sum(
        float(shares[index])
        for index, face in enumerate(FACES)
        if is_meld([*tiles[:place], face, *tiles[place + 1 :]], rules)
    )
    return bool(share >= config.of_legal * legal)
