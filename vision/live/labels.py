"""What each tile of the stable table is: the readings of all looks at it, decided jointly with its
row and the set.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.rulesets import RuleSet
from engine.tiles import FACE_INDEX, FACES, Tile
from vision.colour import colour_given_inks
from vision.decoding import alternatives, decode_table
from vision.doubts import DoubtConfig
from vision.live.rows import Ids
from vision.live.tracks import Track
from vision.reader import JOKER, face_scores, log_softmax

IMPOSSIBLE = -1e9  # log-probability
TINY = 1e-9  # probability, for its logarithm's sake
SHORTEST_ROW = 3  # tiles: shorter rows are no melds and teach nothing about their tiles


@dataclass(frozen=True)
class Decision:
    """`face` index into FACES; `posterior` (53,); `repaired`: not what the eye alone said."""

    face: int
    posterior: NDArray[np.float32]
    repaired: bool


@dataclass(frozen=True)
class Label:
    """`tile` None: not legible, nothing is claimed."""

    tile: Tile | None
    confidence: float
    doubtful: bool
    alternatives: tuple[tuple[Tile, float], ...] = ()


class Labeller:
    """Decides all tiles jointly. Rows that nothing new was read of keep what was decided, and only
    take part in the count of copies: decoding them anew would cost more than the look.
    """

    def __init__(self, rules: RuleSet, doubts: DoubtConfig) -> None:
        self._rules, self._doubts = rules, doubts
        self.colourless = False  # the camera shows greys: a tile's colour is a guess
        self._decided: dict[Ids, tuple[object, dict[int, Decision]]] = {}

    def label(
        self, tracks: Mapping[int, Track], rows: Sequence[Ids], printed: Collection[int] = ()
    ) -> dict[int, Label]:
        """A label for every track, by its id. Those `printed` are none of the set's."""
        if not tracks:
            return {}
        signed = {
            row: [(tracks[i].looks, tracks[i].pinned) for i in row]
            for row in rows
            if len(row) >= SHORTEST_ROW
        }
        before = {row: self._decided.get(row, (None, {})) for row in signed}
        kept = {row: decisions for row, (sign, decisions) in before.items() if sign == signed[row]}
        known = {
            track: decision for decisions in kept.values() for track, decision in decisions.items()
        }
        decisions = self._decide(tracks, [row for row in signed if row not in kept], known, printed)
        self._decided = {
            row: (sign, {i: decisions[i] for i in row}) for row, sign in signed.items()
        }
        return {
            track: self._label(decision, tracks[track]) for track, decision in decisions.items()
        }

    def _decide(
        self,
        tracks: Mapping[int, Track],
        rows: Sequence[Ids],
        known: Mapping[int, Decision],
        printed: Collection[int],
    ) -> dict[int, Decision]:
        ids = list(tracks)
        index = {track: i for i, track in enumerate(ids)}
        scores = table_scores([tracks[i] for i in ids])
        for at, i in enumerate(ids):
            if i in known:
                scores[at] = np.log(known[i].posterior + TINY)
        rows_at, printed_at = (
            [tuple(index[i] for i in row) for row in rows],
            [index[i] for i in printed if i in index],
        )
        decoded = decode_table(scores, rows_at, self._rules, pictures=printed_at)
        decisions = {}
        for i, track in enumerate(ids):
            repaired = bool(decoded.repaired[i]) or (track in known and known[track].repaired)
            decisions[track] = Decision(int(decoded.face[i]), decoded.posterior[i], repaired)
        return decisions

    def _label(self, decision: Decision, track: Track) -> Label:
        confidence = float(decision.posterior[decision.face])
        unread = confidence < self._doubts.unread
        guessed = self.colourless and not FACES[decision.face].joker
        unsure = (
            confidence < self._doubts.unsure or decision.repaired or guessed
        ) and track.pinned is None
        others = alternatives(decision.posterior, -1 if unread else decision.face)
        return Label(None if unread else FACES[decision.face], confidence, unsure, others)


def table_scores(tracks: Sequence[Track]) -> NDArray[np.float32]:
    """(n, 53) log-probabilities: what was read, the colours weighed against all inks of the table;
    or what a person said.
    """
    looks = np.array([[max(track.looks, 1)] for track in tracks], np.float32)
    number = log_softmax((np.stack([track.number for track in tracks]) / looks).astype(np.float32))
    colour = log_softmax((np.stack([track.colour for track in tracks]) / looks).astype(np.float32))
    inks = np.stack([track.ink for track in tracks]) / looks
    scores = face_scores(number, colour_given_inks(inks, colour, number.argmax(axis=1) < JOKER))
    for at, track in enumerate(tracks):
        if track.pinned is not None:
            scores[at] = IMPOSSIBLE
            scores[at, FACE_INDEX[track.pinned]] = 0.0
    return scores
