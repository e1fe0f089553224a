"""Tells tiles from the keys of a keyboard: many things side by side that look like tiles. Letters
are taken for digits, so that a set of tiles cannot hold what the keys seem to show, and the joint
decision leaves most of them without a face. Keypads are told by `vision.keypad`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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


def are_keys(
    quads: NDArray[np.float32], unread: NDArray[np.bool_], config: KeysConfig = KeysConfig()
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds that lie among keys. `quads` (n, 4, 2) are those of all finds
    in a picture, and `unread` (n,) tells which of them show no face.
    """
    keys = np.zeros(len(quads), np.bool_)
    if unread.sum() < config.least_unread:
        return keys
    middles, size = quads.mean(axis=1), np.mean(sides(quads), axis=0)
    away = np.linalg.norm(middles[:, None] - middles, axis=2)
    beside = away < config.apart * np.minimum(size[:, None], size)
    for group in _connected(beside):
        if len(group) >= config.least and unread[group].sum() >= config.least_unread:
            keys[group] = unread[group].mean() >= config.unread_share
    return keys


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
