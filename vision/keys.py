"""Tells tiles from the keys of a keyboard: many things side by side that look like tiles. Letters
are taken for digits, so that a set of tiles cannot hold what the keys seem to show, and the joint
decision leaves most of them without a face. Some show so many of a face that they can be no tiles.
Keypads are told by `vision.keypad`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.rulesets import RuleSet
from engine.tiles import Tile
from vision.quads import sides


@dataclass(frozen=True)
class KeysConfig:
    """When finds that lie side by side are keys.

    On 288 rendered photographs of tables and racks (seeds 9703 and 9704), and on the 265 of
    `rummikub_ivory`, `other_sets` and `burako_renders`, no tile lies among finds that pass all
    three limits. Of finds side by side with tiles among them 18 of 50 are unread at most.
    """

    apart: float = 1.5  # from middle to middle, in mean sides of the smaller: still side by side
    least: int = 12  # finds side by side
    least_unread: int = 8  # of them, those that show no face
    unread_share: float = 0.5  # of them
    # Keys can be no tiles if they show so many more of some faces than the set holds, and these are
    # so large a share of all that they show. Of six groups of finds on 1,584 rendered photographs
    # four are keyboards, with 14 to 21 too many, 42-62 % (with the detector of experiment 197 one
    # of them has 8, 31 %); two are tiles that are too small or blurred, with one too many at most.
    least_too_many: int = 5
    too_many_share: float = 0.2
    # The ink of tiles may be lost, as in a picture without colours, and then the set seems to hold
    # too few of them as well. So the tiles around show so many colours, each on so many tiles.
    least_colours: int = 2
    least_of_colour: int = 2


CONFIG = KeysConfig()


def are_keys(quads: NDArray[np.float32], unread: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds that lie among keys. `quads` (n, 4, 2) are those of all finds
    in a picture, and `unread` (n,) tells which of them show no face.
    """
    keys = np.zeros(len(quads), np.bool_)
    if unread.sum() < CONFIG.least_unread:
        return keys
    middles, size = quads.mean(axis=1), np.mean(sides(quads), axis=0)
    away = np.linalg.norm(middles[:, None] - middles, axis=2)
    beside = away < CONFIG.apart * np.minimum(size[:, None], size)
    for group in _connected(beside):
        if len(group) >= CONFIG.least and unread[group].sum() >= CONFIG.least_unread:
            keys[group] = unread[group].mean() >= CONFIG.unread_share
    return keys


def are_no_tiles(
    keys: Iterable[Tile],
    others: Iterable[Tile],
    rules: RuleSet,
) -> bool:
    """Tell whether `keys`, the faces that finds among keys show by themselves, can be no tiles,
    because the set holds too few of them. `others` are the faces of the tiles around.
    """
    counts = Counter(keys)
    too_many = sum(max(count - rules.copies(face), 0) for face, count in counts.items())
    colours = Counter(tile.colour for tile in others if not tile.joker)
    seen = sum(count >= CONFIG.least_of_colour for count in colours.values())
    enough = max(CONFIG.least_too_many, CONFIG.too_many_share * counts.total())
    return too_many >= enough and seen >= CONFIG.least_colours


def _connected(beside: NDArray[np.bool_]) -> list[NDArray[np.intp]]:
    """Return the groups of indices that are connected by `beside` (n, n), which is symmetric and
    True on the diagonal.
    """
    groups, left = [], np.ones(len(beside), np.bool_)
    for first in range(len(beside)):
        if not left[first]:
            continue
        group = beside[first]
        while (wider := beside[group].any(axis=0)).sum() > group.sum():
            group = wider
        left &= ~group
        groups.append(np.flatnonzero(group))
    return groups
