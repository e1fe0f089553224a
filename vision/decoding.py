"""The joint decision: what each tile is, given its own scores, the row it lies in and what the set
holds.

A row is either a legal meld, which earns a bonus, or anything at all: its tiles are then
independent. The posterior of a tile sums over both, so that a clear but illegal row stays as it
was seen, and a repaired tile is known to be one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.melds import judge_meld
from engine.readings import best_readings
from engine.rulesets import RuleSet
from engine.tiles import FACE_INDEX, FACES, Tile

EXCLUDED = -1e9  # log-probability of a face that the inventory rules out


@dataclass(frozen=True)
class DecodingConfig:
    # nats by which a legal row is likelier a priori than the same tiles at random (the escape cost)
    legal_bonus: float = 3.0
    readings: int = 8  # legal readings of a row that share its posterior
    # a tile gives way to the inventory if its next face is at least so likely beside its first
    second_choice: float = 0.003


@dataclass(frozen=True)
class Decoded:
    """Of n tiles: `face` (n,) index into FACES; `posterior` (n, 53); `repaired` (n,): not what the
    eye alone said; `crowded` (n,): of a face that is there more often than the set holds, and
    none of them could well be anything else. Those that make legal melds, where the set holds
    so many, are not: it is the ones beside that must be pictures, on a box say.
    """

    face: NDArray[np.intp]
    posterior: NDArray[np.float32]
    repaired: NDArray[np.bool_]
    crowded: NDArray[np.bool_]


def decode_table(
    scores: NDArray[np.float32],
    rows: Sequence[tuple[int, ...]],
    rules: RuleSet,
    config: DecodingConfig = DecodingConfig(),
    pictures: Collection[int] = (),
) -> Decoded:
    """`scores` (n, 53) log-probabilities; `rows` as indices. Pass no rows where tiles owe nothing
    to each other. `pictures` of tiles are none of the set's.
    """
    scores = np.asarray(scores, np.float32).copy()
    owned = np.isin(np.arange(len(scores)), [*pictures], invert=True)
    eye = scores.argmax(axis=1)
    row_of = {tile: row for row in rows for tile in row}
    posterior = np.exp(scores)
    for row in rows:
        posterior[list(row)] = _row_posterior(scores[list(row)], rules, config)
    while (excess := _excess(posterior, owned, rules, config.second_choice)) is not None:
        tile, wrong = excess
        scores[tile, wrong] = EXCLUDED
        together = list(row_of.get(tile, (tile,)))
        alone = np.exp(scores[together])
        posterior[together] = (
            _row_posterior(scores[together], rules, config) if tile in row_of else alone
        )
    chosen = posterior.argmax(axis=1)
    return Decoded(chosen, posterior, chosen != eye, _crowded(chosen, owned, rows, rules))


def _crowded(
    chosen: NDArray[np.intp],
    owned: NDArray[np.bool_],
    rows: Sequence[tuple[int, ...]],
    rules: RuleSet,
) -> NDArray[np.bool_]:
    """(n,) as `Decoded.crowded` tells."""
    crowded = np.zeros(len(chosen), bool)
    too_many = [
        face
        for face, count in Counter(chosen[owned].tolist()).items()
        if count > rules.copies(FACES[face])
    ]
    if not too_many:
        return crowded
    legal = [row for row in rows if judge_meld([FACES[chosen[i]] for i in row], rules).valid]
    melded = np.isin(np.arange(len(chosen)), [i for row in legal for i in row])
    for face in too_many:
        same = owned & (chosen == face)
        crowded |= (
            same & ~melded if np.count_nonzero(same & melded) <= rules.copies(FACES[face]) else same
        )
    return crowded


def _row_posterior(
    scores: NDArray[np.float32], rules: RuleSet, config: DecodingConfig
) -> NDArray[np.float32]:
    """(n, 53): the best row's tiles, weighed against every other legal reading and against no rule
    at all.
    """
    posterior = np.exp(scores)
    legal = best_readings(scores.tolist(), rules, config.readings).legal
    total = 1.0
    for reading in legal:
        weight = float(np.exp(min(reading.score + config.legal_bonus, 50.0)))
        total += weight
        for i, tile in enumerate(reading.tiles):
            posterior[i, FACE_INDEX[tile]] += weight
    return np.asarray(posterior / total, np.float32)


def is_likely_meld(
    scores: NDArray[np.float32], rules: RuleSet, config: DecodingConfig = DecodingConfig()
) -> bool:
    """Whether a row of these (n, 53) scores is decoded as a legal meld."""
    found = best_readings(scores.tolist(), rules, 1)
    return bool(found.legal) and found.legal[0].score + config.legal_bonus > found.free.score


def _excess(
    posterior: NDArray[np.float32], owned: NDArray[np.bool_], rules: RuleSet, second_choice: float
) -> tuple[int, int] | None:
    """A tile whose face is there more often than the set holds and that may best be another, and
    that face. None as well where all of them are clear: then one may be a picture of a tile,
    and nobody but the players can tell which.
    """
    chosen = posterior.argmax(axis=1)
    first, second = (
        np.sort(posterior, axis=1)[:, -1:-3:-1].T if len(posterior) else np.zeros((2, 0))
    )
    best: tuple[float, int, int] | None = None
    for face, count in Counter(chosen[owned].tolist()).items():
        if count > rules.copies(FACES[face]):
            for tile in np.flatnonzero(owned & (chosen == face)):
                ratio = float(second[tile] / max(first[tile], 1e-30))
                if ratio > second_choice and (best is None or ratio > best[0]):
                    best = ratio, int(tile), int(face)
    return None if best is None else best[1:]


def alternatives(
    posterior: NDArray[np.float32], chosen: int, most: int = 3
) -> tuple[tuple[Tile, float], ...]:
    """The likeliest other faces of one tile, best first, with their probabilities."""
    order = [
        int(face) for face in np.argsort(-posterior) if face != chosen and posterior[face] > 1e-5
    ]
    return tuple((FACES[face], float(posterior[face])) for face in order[:most])
