"""Recognises inks that look different along a row only because of the light.

A lamp that grazes the table is mirrored by the ink, more at one end of a row than at the other; the
more it is mirrored, the more black looks orange, and red yellow. Along a run, whose tiles bear one
ink, such a change is smooth, while another ink is a step. So where the colour of a run's tiles
changes without a step, the tiles are of one ink: that of its darkest tiles, which mirror the lamp
least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.rulesets import HIGH_ACE

# Of red, blue, black and yellow: a lamp makes an ink look like one that stands higher here.
WARMTH = np.array([1, 0, 0, 2])


@dataclass(frozen=True)
class DriftConfig:
    """What counts as a step, that is, as a sudden change along a run that shows another ink. Inks
    are compared by the shares of red, green and blue light that they do not absorb, 0-1.
    """

    fewest: int = 4  # tiles of a run
    # Between tiles that look unlike in colour, a change of the ink is a step if it is larger than
    # `largest`, or larger than both `floor` and `usual` times the changes just before and after it,
    # as far as those are between tiles of one colour.
    floor: float = 0.08
    usual: float = 3.5
    largest: float = 0.3
    darkest_share: float = 0.25  # of a run's tiles: the darkest, whose ink is taken for that of all
    # Distance (total variation) of a tile's colour probabilities from those of the darkest tiles,
    # above which the tile looks like another ink.
    differs: float = 0.3
    # Probability that a tile of the run has the ink of the darkest ones.
    trust: float = 0.8


CONFIG = DriftConfig()


@dataclass(frozen=True)
class _Change:
    """A correction to tiles of one run: the light makes them look as if they had another ink than
    the run's darkest tiles, and they get the ink of those.
    """

    tiles: NDArray[np.intp]  # those that look like another ink
    ink: NDArray[np.float64]  # (4,) probabilities


def told_by_light(
    absorbances: NDArray[np.float64],
    colour: NDArray[np.float32],
    number: NDArray[np.intp],
    rows: Sequence[tuple[int, ...]],
) -> NDArray[np.float32]:
    """Return the log-probabilities of the colours, (n, 4), after undoing changes that come from the
    light.

    `absorbances` (n, 3) are how much red, green and blue light the tiles' inks absorb, natural
    logarithms. `colour` (n, 4) are the log-probabilities of red, blue, black and yellow before
    that. `number` (n,) are the numbers 1-13, 0 for a tile without a number. `rows` hold indices of
    tiles in the order they lie.
    """
    left = np.exp(-absorbances)
    changes = [change for row in rows for change in _changes(left, colour, _run(row, number))]
    if not changes:
        return colour
    result = np.exp(colour.astype(np.float64))
    for change in changes:
        result[change.tiles] *= 1 - CONFIG.trust
        result[change.tiles] += CONFIG.trust * change.ink
    return np.asarray(np.log(np.maximum(result, 1e-12)), np.float32)


def _run(row: tuple[int, ...], number: NDArray[np.intp]) -> list[tuple[int, int]]:
    """Return the tiles of a row that make a run, each as its place in the row and its index among
    all n tiles. `row` holds such indices, and `number` (n,) the number that each tile bears, 0
    where it bears none.

    The numbers of a run go up or down by one with each place in the row: the difference of number
    and place is the same for all tiles of the run, or their sum is. A 1 may also stand for
    HIGH_ACE. Of several runs in the row, one with most tiles is returned; the list is empty where
    no tile of the row bears a number.
    """
    runs: Counter[tuple[int, int]] = Counter()
    members: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for place, tile in enumerate(row):
        values = {int(number[tile]), HIGH_ACE if number[tile] == 1 else int(number[tile])} - {0}
        for key in {(step, value - step * place) for value in values for step in (1, -1)}:
            runs[key] += 1
            members.setdefault(key, []).append((place, tile))
    return members[runs.most_common(1)[0][0]] if runs else []


def _changes(
    left: NDArray[np.float64],
    colour: NDArray[np.float32],
    run: Sequence[tuple[int, int]],
) -> Iterator[_Change]:
    """Yield a change for the tiles of one run that look like another ink because of the light.
    Steps between two inks divide the run into parts; each part may yield a change.

    `run` gives each of its tiles as the tile's place in the row and the tile's index among all n
    tiles. `left` (n, 3) are the shares of red, green and blue light that the inks of all tiles do
    not absorb; `colour` (n, 4) are the log-probabilities of their colours.
    """
    if len(run) < CONFIG.fewest:
        return
    tiles = np.array([tile for _, tile in run])
    seen = colour[tiles].argmax(axis=1)
    gaps = np.array([after - before for (before, _), (after, _) in pairwise(run)])
    steps = np.linalg.norm(np.diff(left[tiles], axis=0), axis=1) / gaps
    smooth = _smooth(steps, seen)
    probability = np.exp(colour[tiles].astype(np.float64))
    brightness = left[tiles].sum(axis=1)
    for part in np.split(np.arange(len(tiles)), np.flatnonzero(~smooth) + 1):
        if len(part) < CONFIG.fewest:
            continue
        count = max(1, round(CONFIG.darkest_share * len(part)))
        darkest = part[np.argsort(brightness[part])[:count]]
        ink = probability[darkest].mean(axis=0)
        differs = np.abs(probability[part] - ink).sum(axis=1) / 2 > CONFIG.differs
        differs &= WARMTH[seen[part]] > WARMTH[ink.argmax()]
        if differs.any():
            yield _Change(tiles[part[differs]], ink)


def _smooth(steps: NDArray[np.float64], seen: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return a mask (n - 1,) for n tiles of a run: True for two neighbours between which the ink
    makes no step.

    `steps` (n - 1,) tell how much the ink changes from each tile to the next. `seen` (n,) are the
    tiles' likeliest colours; between two tiles of one colour there never is a step.
    """
    same = seen[1:] == seen[:-1]
    smooth = same.copy()
    for i in np.flatnonzero(~same):
        beside = [steps[j] for j in (i - 1, i + 1) if 0 <= j < len(steps) and same[j]]
        usual = max(beside, default=0.0)
        smooth[i] = steps[i] <= min(max(CONFIG.floor, CONFIG.usual * usual), CONFIG.largest)
    return np.asarray(smooth)
