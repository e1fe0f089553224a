"""What each tile of the stable table is: the readings of all looks at it, decided jointly with its row and the set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.rulesets import RuleSet
from engine.tiles import FACES, Tile
from vision.decoding import alternatives, decode_table
from vision.live.rows import Ids
from vision.live.tracks import Track
from vision.pipeline import DoubtConfig

SHORTEST_ROW = 3  # tiles: shorter rows are no melds and teach nothing about their tiles


@dataclass(frozen=True)
class Label:
    """`tile` None: not legible, nothing is claimed."""

    tile: Tile | None
    confidence: float
    doubtful: bool
    alternatives: tuple[tuple[Tile, float], ...] = ()


def label(tracks: Mapping[int, Track], rows: Sequence[Ids], rules: RuleSet, doubts: DoubtConfig) -> dict[int, Label]:
    """A label for every track, by its id."""
    if not tracks:
        return {}
    ids = list(tracks)
    index = {track: i for i, track in enumerate(ids)}
    scores = np.stack([tracks[i].scores() for i in ids])
    decoded = decode_table(scores, [tuple(index[i] for i in row) for row in rows if len(row) >= SHORTEST_ROW], rules)
    labels = {}
    for i, track in enumerate(ids):
        face, posterior = int(decoded.face[i]), decoded.posterior[i]
        confidence = float(posterior[face])
        unread = confidence < doubts.unread
        unsure = (confidence < doubts.unsure or bool(decoded.repaired[i])) and tracks[track].pinned is None
        others = alternatives(posterior, -1 if unread else face)
        labels[track] = Label(None if unread else FACES[face], confidence, unsure, others)
    return labels
