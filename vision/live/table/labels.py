"""What each tile of the table is: the readings of all looks at it, decided jointly with its row
and with the set that all tiles come from.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.rulesets import MINIMUM_MELD, RuleSet
from engine.tiles import FACE_INDEX, FACES, Tile
from vision.colour import INKS, Inks, colour_given_inks
from vision.decoding import alternatives, decode_table
from vision.doubts import DoubtConfig
from vision.live.table.rows import TrackRow
from vision.live.tracking.tracks import Track
from vision.reader import JOKER, face_scores, log_softmax

IMPOSSIBLE = -1e9  # log-probability of the faces that a person ruled out
TINY = 1e-9  # probability, for its logarithm's sake

Signature = list[tuple[int, Tile | None]]  # looks and user's label of each tile of a row


@dataclass(frozen=True)
class Decision:
    """The face decided for one tile."""

    face: int  # index into engine.tiles.FACES
    posterior: NDArray[np.float32]  # (53,) probabilities of the faces
    repaired: bool  # whether another face than the likeliest reading was decided


@dataclass(frozen=True)
class Label:
    """What is reported of one tile. `tile` is None where the tile is not legible. `confidence` is
    the probability of the face that was decided, 0-1; `alternatives` holds the other tiles that it
    may be, each with its probability.
    """

    tile: Tile | None  # None: not legible, nothing is claimed
    confidence: float
    doubtful: bool
    alternatives: tuple[tuple[Tile, float], ...] = ()


class Labeller:
    """Decides all tiles jointly. Mutable; owned by the table's judge.

    Rows of which nothing new was read keep what was decided and only take part in the count of
    copies: decoding them anew would cost more than the look itself.
    """

    def __init__(self, rules: RuleSet, doubts: DoubtConfig, inks: Inks = INKS) -> None:
        self._rules, self._doubts, self._inks = rules, doubts, inks
        self._decided: dict[TrackRow, tuple[Signature, dict[int, Decision]]] = {}

    def label(
        self,
        tracks: Mapping[int, Track],
        rows: Sequence[TrackRow],
        printed: Collection[int] = (),
        colourless: bool = False,
    ) -> dict[int, Label]:
        """Return a label for every track, by its id. Each row of track ids in `rows` is decided
        jointly. The tracks in `printed` are pictures of tiles, which do not count as tiles of the
        set. With `colourless`, the camera shows no colours: every numbered tile is then doubtful,
        because its colour is a guess.
        """
        if not tracks:
            return {}
        signatures = {
            row: [(tracks[track].looks, tracks[track].user_label) for track in row]
            for row in rows
            if len(row) >= MINIMUM_MELD
        }
        known: dict[int, Decision] = {}
        changed = []
        for row, signature in signatures.items():
            before, decisions = self._decided.get(row, (None, {}))
            if before == signature:
                known.update(decisions)
            else:
                changed.append(row)
        decided = self._decide(tracks, changed, known, printed)
        self._decided = {
            row: (signature, {track: decided[track] for track in row})
            for row, signature in signatures.items()
        }
        return {
            track: self._label(decision, tracks[track], colourless)
            for track, decision in decided.items()
        }

    def _decide(
        self,
        tracks: Mapping[int, Track],
        rows: Sequence[TrackRow],
        known: Mapping[int, Decision],
        printed: Collection[int],
    ) -> dict[int, Decision]:
        """Decide on the faces of all tracks, jointly with the `rows` of track ids in which they
        lie; return the decision for each by its id. For tracks in `known` the earlier decision
        replaces the readings; those in `printed` are pictures, which do not count as tiles of the
        set.
        """
        ids = list(tracks)
        place = {track: at for at, track in enumerate(ids)}
        scores = table_scores(list(tracks.values()), self._inks)
        for track, decision in known.items():
            scores[place[track]] = np.log(decision.posterior + TINY)
        decoded = decode_table(
            scores,
            [tuple(place[track] for track in row) for row in rows],
            self._rules,
            pictures=[place[track] for track in printed if track in place],
        )
        decided = {}
        for at, track in enumerate(ids):
            was_repaired = track in known and known[track].repaired
            decided[track] = Decision(
                int(decoded.face[at]),
                decoded.posterior[at],
                bool(decoded.repaired[at]) or was_repaired,
            )
        return decided

    def _label(self, decision: Decision, track: Track, colourless: bool) -> Label:
        confidence = float(decision.posterior[decision.face])
        unread = confidence < self._doubts.unread
        guessed = colourless and not FACES[decision.face].joker
        unsure = confidence < self._doubts.unsure or decision.repaired or guessed
        others = alternatives(decision.posterior, -1 if unread else decision.face)
        return Label(
            tile=None if unread else FACES[decision.face],
            confidence=confidence,
            doubtful=unsure and track.user_label is None,
            alternatives=others,
        )


def table_scores(tracks: Sequence[Track], usual: Inks = INKS) -> NDArray[np.float32]:
    """Return the log-probabilities of the faces of n tracks, (n, 53).

    The colours of all tiles are judged together, by `colour_given_inks`; `usual` is the evidence of
    each ink on an average table. Where a person said what a tile is, only that face is possible.
    """
    looks = np.array([[max(track.looks, 1)] for track in tracks], np.float32)
    number = _mean_log_probabilities([track.number for track in tracks], looks)
    colour = _mean_log_probabilities([track.colour for track in tracks], looks)
    inks = np.stack([track.ink for track in tracks]) / looks
    is_numbered = number.argmax(axis=1) < JOKER
    scores = face_scores(number, colour_given_inks(inks, colour, is_numbered, usual=usual))
    for at, track in enumerate(tracks):
        if track.user_label is not None:
            scores[at] = IMPOSSIBLE
            scores[at, FACE_INDEX[track.user_label]] = 0.0
    return scores


def _mean_log_probabilities(
    sums: Sequence[NDArray[np.float32]], looks: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return normalised log-probabilities, (n, classes): each of the n arrays in `sums`,
    (classes,), divided by its number of looks in `looks`, (n, 1).
    """
    return log_softmax((np.stack(sums) / looks).astype(np.float32))
