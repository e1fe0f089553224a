"""The joint decision: what each tile is, given its own scores, its row and the set's inventory.

A row is either a legal meld, which counts as likelier beforehand, or any row at all, whose tiles
are independent of each other. The probability of a face is the sum over both cases. So a row that
is clearly seen but illegal stays as it was seen, and a tile whose face the rules decided is marked
as such.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.candidates import best_candidates
from engine.melds import best_arrangement, is_meld
from engine.rulesets import MINIMUM_MELD, RuleSet
from engine.tiles import FACE_INDEX, FACES, JOKER, Tile, Tiles

EXCLUDED = -1e9  # log-probability of a face that the inventory rules out
MAX_EXPONENT = 50.0  # nats: a legal reading this much likelier than none is certain
HARDLY_A_TWO = 0.1  # probability of a 2 below which none was seen
MIN_ALTERNATIVE = 1e-5  # probability below which a face is no alternative worth telling


@dataclass(frozen=True)
class DecodingConfig:
    """How much the rules and the inventory count against what is seen."""

    # Nats by which a legal row is likelier beforehand than the same tiles at random. In simulation
    # (tables of 46 tiles, the reader's confusions) 99.3 % of legal rows come right at about 3, and
    # 1.7 % of illegal rows are wrongly read as legal.
    legal_bonus: float = 3.0
    # A further bonus for each tile that the legal row changes, except one. People who lay a row
    # wrongly mostly err in one place; a reader that sees half a suit sign errs all along the row.
    further_bonus: float = 0.0
    # Nats by which a legal row is less likely for each tile that it takes for a 2 in the place of
    # another tile although none was seen, where it is legal with fewer of these, too.
    per_unseen_two: float = 0.0
    # Nats by which a legal meld may be less likely than the faces read where one of these counts as
    # misread; and nats by which a face that fits may be less likely than the tile's own.
    most_misread: float = 8.0
    of_fitting: float = 1.0
    # Probability of a tile's face by its own scores from which the tile is surely read: where two
    # such tiles lie, the rules need not say that they are of one row.
    surely_read: float = 0.97
    max_readings: int = 8  # legal readings of a row that are weighed against each other
    # Probability of a tile's second face over its first from which the tile gives way where the
    # table shows more of the first than the set holds.
    min_second_choice: float = 0.003


@dataclass(frozen=True)
class Decoded:
    """The decision on n tiles. Faces are indices into `engine.tiles.FACES`.

    `face` (n,) are the likeliest faces, `posterior` (n, 53) the probabilities of all faces.
    `repaired` (n,) tells where the face is not the one that the tile's own scores say.
    `over_inventory` (n,) tells where the table shows more tiles of this face than the set holds,
    and none of these tiles could well be anything else. Tiles in legal melds are not marked as long
    as the set holds enough for them: the surplus beside them is taken for pictures of tiles, on a
    box for example.
    """

    face: NDArray[np.intp]
    posterior: NDArray[np.float32]
    repaired: NDArray[np.bool_]
    over_inventory: NDArray[np.bool_]


def decode_table(
    scores: NDArray[np.float32],
    rows: Sequence[tuple[int, ...]],
    rules: RuleSet,
    config: DecodingConfig = DecodingConfig(),
    pictures: Collection[int] = (),
) -> Decoded:
    """Decide which face each of n tiles of a table has.

    `scores` (n, 53) are the natural log-probabilities of the tiles' faces. `rows` are tuples of
    indices of tiles; without rows, as on a rack, the tiles are independent of each other.
    `pictures` are the indices of printed pictures of tiles, which are no part of the set.
    """
    scores = np.asarray(scores, np.float32).copy()
    owned = np.isin(np.arange(len(scores)), [*pictures], invert=True)
    best_by_itself = scores.argmax(axis=1)
    row_of = {tile: row for row in rows for tile in row}
    posterior = np.exp(scores)
    for row in rows:
        posterior[list(row)] = _row_posterior(scores[list(row)], rules, config)
    while excess := _find_excess(posterior, owned, rules, config.min_second_choice):
        tile, face = excess
        scores[tile, face] = EXCLUDED
        if tile in row_of:
            row_tiles = list(row_of[tile])
            posterior[row_tiles] = _row_posterior(scores[row_tiles], rules, config)
        else:
            posterior[tile] = np.exp(scores[tile])
    chosen = posterior.argmax(axis=1)
    over_inventory = _over_inventory(chosen, owned, rows, rules)
    return Decoded(chosen, posterior, chosen != best_by_itself, over_inventory)


def _exceeding_faces(
    chosen: NDArray[np.intp], owned: NDArray[np.bool_], rules: RuleSet
) -> list[int]:
    """Return the faces, as indices into FACES, of which the table shows more tiles than the set
    holds, in the order of the first tile of each.

    `chosen` (n,) are the faces of all tiles. Only tiles that `owned` (n,) marks count: those that
    are no printed pictures.
    """
    counts = Counter(chosen[owned].tolist())
    return [face for face, count in counts.items() if count > rules.copies(FACES[face])]


def _over_inventory(
    chosen: NDArray[np.intp],
    owned: NDArray[np.bool_],
    rows: Sequence[tuple[int, ...]],
    rules: RuleSet,
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the tiles whose face, `chosen` (n,), the table shows more often than
    the set holds. Tiles in legal melds are left out as long as the set holds enough for them.

    `owned` (n,) tells which tiles are no printed pictures; `rows` are tuples of indices of tiles.
    """
    result = np.zeros(len(chosen), bool)
    exceeding = _exceeding_faces(chosen, owned, rules)
    if not exceeding:
        return result
    legal = [row for row in rows if is_meld([FACES[chosen[i]] for i in row], rules)]
    melded = np.isin(np.arange(len(chosen)), [i for row in legal for i in row])
    for face in exceeding:
        same = owned & (chosen == face)
        set_holds_melded = np.count_nonzero(same & melded) <= rules.copies(FACES[face])
        result |= same & ~melded if set_holds_melded else same
    return result


def _row_posterior(
    scores: NDArray[np.float32], rules: RuleSet, config: DecodingConfig
) -> NDArray[np.float32]:
    """Return probabilities of the faces of one row's n tiles, (n, 53), given the log-probabilities
    `scores` (n, 53) of each tile by itself.

    The legal readings of the row are weighed against each other, and against the case that the row
    is not legal.
    """
    posterior = np.exp(scores)
    total = 1.0
    best_by_itself = scores.argmax(axis=1)
    legal = best_candidates(scores.tolist(), rules, config.max_readings).legal
    twos = [_unseen_twos(scores, reading.tiles, rules) for reading in legal]
    for reading, unseen in zip(legal, twos, strict=True):
        faces = [FACE_INDEX[tile] for tile in reading.tiles]
        further = max(0, int((best_by_itself != faces).sum()) - 1)
        bonus = config.legal_bonus + config.further_bonus * further
        bonus -= config.per_unseen_two * (unseen - min(twos))
        weight = float(np.exp(min(reading.score + bonus, MAX_EXPONENT)))
        total += weight
        for i, tile in enumerate(reading.tiles):
            posterior[i, FACE_INDEX[tile]] += weight
    return np.asarray(posterior / total, np.float32)


def _unseen_twos(scores: NDArray[np.float32], meld: Tiles, rules: RuleSet) -> int:
    """Return how many twos of a legal meld stand for other tiles although its n tiles, as `scores`
    (n, 53) tell, hardly look like them.
    """
    unseen = sum(
        tile.number == 2 and score[FACE_INDEX[tile]] < np.log(HARDLY_A_TWO)
        for tile, score in zip(meld, scores, strict=True)
    )
    arrangement = best_arrangement(meld, rules, ordered=True) if unseen else None
    return min(unseen, arrangement.wilds - meld.count(JOKER)) if arrangement else 0


def meld_judge(
    scores: NDArray[np.float32], rules: RuleSet, config: DecodingConfig
) -> Callable[[tuple[int, ...]], bool]:
    """Return a function that tells whether tiles are likely a legal meld. It takes the indices of
    the tiles in the order in which they lie. `scores` (n, 53) are the log-probabilities of the
    faces of all tiles.
    """

    def is_meld(row: tuple[int, ...]) -> bool:
        return len(row) >= MINIMUM_MELD and is_likely_meld(scores[list(row)], rules, config)

    return is_meld


def is_likely_meld(
    scores: NDArray[np.float32], rules: RuleSet, config: DecodingConfig = DecodingConfig()
) -> bool:
    """Tell whether a row of n tiles is decoded as a legal meld, given the log-probabilities of
    their faces, `scores` (n, 53).
    """
    return _shortfall(scores, rules) < config.legal_bonus


def continues_misread_meld(
    scores: NDArray[np.float32], rules: RuleSet, config: DecodingConfig = DecodingConfig()
) -> bool:
    """Tell whether the last of n tiles fits a row that is no legal meld as it is decoded, but would
    be one if a tile of it had been misread: the whole is no farther from a meld than the row
    without its last tile. `scores` (n, 53) are the log-probabilities of the faces.
    """
    if len(scores) <= MINIMUM_MELD:
        return False
    of_row, of_whole = _shortfall(scores[:-1], rules), _shortfall(scores, rules)
    misread = config.legal_bonus <= of_row <= config.most_misread
    return misread and of_whole <= of_row + config.of_fitting


def _shortfall(scores: NDArray[np.float32], rules: RuleSet) -> float:
    """Return by how many nats the likeliest legal meld of n tiles lies below their likeliest faces;
    infinity where no meld has so many tiles. `scores` (n, 53) are the log-probabilities.
    """
    return _shortfall_of(np.asarray(scores, np.float64).tobytes(), rules)


@lru_cache(maxsize=512)  # grouping asks for the same row several times
def _shortfall_of(scores: bytes, rules: RuleSet) -> float:
    """Return what `_shortfall` returns; `scores` are the bytes of its log-probabilities."""
    row = np.frombuffer(scores, np.float64).reshape(-1, len(FACES))
    readings = best_candidates(row.tolist(), rules, 1)
    if not readings.legal:
        return float("inf")
    return readings.unrestricted.score - readings.legal[0].score


def _find_excess(
    posterior: NDArray[np.float32],
    owned: NDArray[np.bool_],
    rules: RuleSet,
    min_second_choice: float,
) -> tuple[int, int] | None:
    """Find a tile that has to take another face because the set holds too few of its present one.
    Return the index of the tile and that present face, an index into FACES; None where no tile has
    to.

    Of all tiles whose face is on the table more often than the set holds, the one that is likeliest
    to be something else is returned. If all of them are clear, none has to change: one may be a
    picture of a tile, and only the players can tell. A tile is clear if its second face is no more
    than `min_second_choice` times as likely as its first. `posterior` (n, 53) are the probabilities
    of the faces, and `owned` (n,) tells which tiles are no printed pictures.
    """
    chosen = posterior.argmax(axis=1)
    exceeding = _exceeding_faces(chosen, owned, rules)
    if not exceeding:
        return None
    first, second = np.sort(posterior, axis=1)[:, -1:-3:-1].T
    best: tuple[float, int, int] | None = None
    for face in exceeding:
        for tile in np.flatnonzero(owned & (chosen == face)):
            ratio = float(second[tile] / max(first[tile], 1e-30))
            if ratio > min_second_choice and (best is None or ratio > best[0]):
                best = ratio, int(tile), face
    return None if best is None else best[1:]


def alternatives(
    posterior: NDArray[np.float32], chosen: int, count: int = 3
) -> tuple[tuple[Tile, float], ...]:
    """Return the likeliest faces of one tile except the face `chosen`, an index into FACES: `count`
    at most, the likeliest first, each with its probability.

    `posterior` (53,) are the probabilities; faces below MIN_ALTERNATIVE are left out.
    """
    others = [
        int(face)
        for face in np.argsort(-posterior)
        if face != chosen and posterior[face] > MIN_ALTERNATIVE
    ]
    return tuple((FACES[face], float(posterior[face])) for face in others[:count])
