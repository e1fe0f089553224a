"""What legal melds settle: a tile that was hardly read is what its meld needs there.

The joint decision weighs what is seen against what the rules allow. It counts on rows that were
laid illegally, too, and so tells a tile of a legal meld less surely than it should.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.melds import judge_meld
from engine.rulesets import RuleSet
from engine.tiles import FACES, Tile
from vision.decoding import Decoded
from vision.doubts import DoubtConfig
from vision.grouping import Indices
from vision.reading import Doubt

OF_FACE = frozenset({Doubt.UNSURE, Doubt.REPAIRED})  # doubts which face it is that is seen
POSSIBLE = 0.005  # probability from which another face of a tile is looked at
# Tiles of a meld that are beyond doubt. Where there are fewer, several may be misread alike, as 6s
# that look like 8s: so were six of 41 tiles of such piernas on the tables of 1,248 rendered hands,
# and none of 39 where there were two or more.
FEWEST_SURE = 2


def settled_by_melds(
    doubts: Sequence[frozenset[Doubt]],
    joint_scores: NDArray[np.float32],
    melds: Sequence[Indices],
    decoded: Decoded,
    rules: RuleSet,
    config: DoubtConfig,
) -> list[frozenset[Doubt]]:
    """Return the `doubts` about n tiles without those of the tiles that their meld needs.

    A meld that is legal by the `rules` needs a tile that acts as no wild in it where no other face
    of the tile that has a probability of POSSIBLE or more would make it legal, unless as a wild: a
    comodín that is misread hardly looks like just the number that fits. It needs a wild where it
    would not be legal without it; one that is no faint find is settled in any meld. The face of the
    tile must have a probability of `config.unsure_if_needed`, that of a wild one of
    `config.unsure_wild`, and at least FEWEST_SURE tiles of the meld are beyond doubt. A find stays
    faint whose joint score, of `joint_scores` (n,), would by itself make it no tile.

    `decoded` is the joint decision on the tiles, and each of `melds` holds the indices of the tiles
    of one row.
    """
    settled = list(doubts)
    for row in melds:
        if sum(not doubts[tile] for tile in row) >= FEWEST_SURE:
            faint = [Doubt.FAINT in doubts[tile] for tile in row]
            for tile in _needed(row, faint, decoded, rules, config):
                settled[tile] = doubts[tile] - OF_FACE
                if joint_scores[tile] > config.tile:
                    settled[tile] -= {Doubt.FAINT}
    return settled


def _needed(
    row: Indices,
    faint: Sequence[bool],
    decoded: Decoded,
    rules: RuleSet,
    config: DoubtConfig,
) -> list[int]:
    """Return the tiles that a row needs to be what they were read as, and that may well be so.
    `faint` tells which tiles of the row may be none.
    """
    faces = [FACES[decoded.face[tile]] for tile in row]
    likeliest = decoded.posterior[list(row)].max(axis=1)
    if likeliest.min() < config.unread or not judge_meld(faces, rules).valid:
        return []
    needed = []
    for at, tile in enumerate(row):
        if _is_natural(faces, at, rules):
            limit = config.unsure_if_needed
            replaced = ([*faces[:at], other, *faces[at + 1 :]] for other in _others(tile, decoded))
            is_needed = not any(_is_natural(others, at, rules) for others in replaced)
        else:
            limit = config.unsure_wild
            rest = [*faces[:at], *faces[at + 1 :]]
            is_needed = not faint[at] or not judge_meld(rest, rules).valid
        if is_needed and likeliest[at] >= limit:
            needed.append(tile)
    return needed


def _others(tile: int, decoded: Decoded) -> list[Tile]:
    """Return the other faces that a tile may have."""
    possible = np.flatnonzero(decoded.posterior[tile] >= POSSIBLE)
    return [FACES[face] for face in possible if face != decoded.face[tile]]


def _is_natural(faces: Sequence[Tile], at: int, rules: RuleSet) -> bool:
    """Tell whether a row with these `faces` is a legal meld in which no tile with the face in the
    place `at` acts as a wild.
    """
    meld = judge_meld(faces, rules).arrangement
    if meld is None:
        return False
    return faces[at] not in {tile for tile, wild in zip(meld.tiles, meld.wild, strict=True) if wild}
