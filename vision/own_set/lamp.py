"""What the light over a table does to all inks of a set alike."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.reader import log_softmax

STARTS = (0.6, 0.8, 1.0, 1.3)  # gains from which the fit begins, since it finds the nearest optimum
ROUNDS = 12
TILE_SPREAD = 0.2  # standard deviation of a tile's absorbance around its ink
SHIFT_SPREAD, GAIN_SPREAD = 0.3, 0.5  # standard deviations of a lamp's shift and gain
DEGREES_OF_FREEDOM = 4.0  # of Student's t
LEAST_GAIN = 0.2

Array = NDArray[np.float64]


def lamp_shift(measured: Array, inks: Array, likely: Array) -> Array:
    """Return the shift (3,), in red, green and blue, that takes a lamp's effect out of measured
    absorbances when it is added to them.

    `measured` (n, 3) are the absorbances of n tiles, natural logarithms. `inks` (4, 3) are those of
    the set's four inks, `likely` (n, 4) log-probabilities of the inks by other evidence. A warm
    lamp, or a burnt-out white, lowers the absorbances of all inks by the same amounts; blur and
    haze weaken all of them by one factor. So each tile is modelled as one of the inks, times a
    common gain, less a common shift. Expectation maximisation fits both from several starts.
    """
    fits = [_fitted(measured, inks, likely, start) for start in STARTS]
    return max(fits, key=lambda fit: fit[0])[1]


def _fitted(measured: Array, inks: Array, likely: Array, gain: float) -> tuple[float, Array]:
    """Fit a lamp's gain and shift; the search begins at the gain `gain` and no shift. `measured`
    (n, 3) are the absorbances of n tiles, `inks` (4, 3) those of the set's inks, and `likely` (n,
    4) log-probabilities of the inks.

    Returns the log-likelihood that is reached, with a constant left out, and the fitted shift (3,).
    The log-likelihood includes a penalty for a gain far from 1 and a shift far from 0.
    """
    shift = np.zeros(3)
    for _ in range(ROUNDS):
        log, squared = _log_likelihood(measured, gain * inks - shift, likely)
        heard = (DEGREES_OF_FREEDOM + 3) / (DEGREES_OF_FREEDOM + squared)
        weight = np.exp(log_softmax(log.astype(np.float32))) * heard
        gain, shift = _least_squares(measured, inks, weight)
    log, _ = _log_likelihood(measured, gain * inks - shift, likely)
    most = log.max(axis=1)
    total = float((most + np.log(np.exp(log - most[:, None]).sum(axis=1))).sum())
    unlikely = ((gain - 1) / GAIN_SPREAD) ** 2 + ((shift / SHIFT_SPREAD) ** 2).sum()
    return total - float(unlikely) / 2, shift


def _log_likelihood(measured: Array, lit: Array, likely: Array) -> tuple[Array, Array]:
    """Return two arrays (n, 4) for n tiles and the four inks. The first holds the log-probability
    that the tile has the ink and, having it, these absorbances; `likely` is part of it, and a
    constant is left out. The second holds the squared distance of the tile's absorbances from those
    of the ink, in squares of TILE_SPREAD.

    `measured` (n, 3) are the absorbances of the tiles, `lit` (4, 3) those of the inks under the
    lamp, and `likely` (n, 4) log-probabilities of the inks by other evidence.
    """
    squared = ((measured[:, None] - lit) ** 2).sum(axis=2) / TILE_SPREAD**2
    tails = (DEGREES_OF_FREEDOM + 3) / 2 * np.log1p(squared / DEGREES_OF_FREEDOM)
    return likely - tails, squared


def _least_squares(measured: Array, inks: Array, weight: Array) -> tuple[float, Array]:
    """Return the gain, one number, and the shift, (3,), for which the inks times the gain, less the
    shift, fit the tiles best. The gain is drawn towards 1 and the shift towards 0; a gain below
    LEAST_GAIN is raised to it.

    `measured` (n, 3) are the absorbances of n tiles, `inks` (4, 3) those of the set's inks, and
    `weight` (n, 4) is how much each tile counts as one of each ink.
    """
    of_ink = weight.sum(axis=0)
    seen = weight.T @ measured  # (4, 3)
    inked = of_ink @ inks
    normal = np.zeros((4, 4))
    normal[0, 0] = of_ink @ (inks**2).sum(axis=1) + (TILE_SPREAD / GAIN_SPREAD) ** 2
    normal[0, 1:] = normal[1:, 0] = -inked
    normal[1:, 1:] = np.eye(3) * (of_ink.sum() + (TILE_SPREAD / SHIFT_SPREAD) ** 2)
    right = np.concatenate(
        [[(seen * inks).sum() + (TILE_SPREAD / GAIN_SPREAD) ** 2], -seen.sum(axis=0)]
    )
    gain, *shift = np.linalg.solve(normal, right)
    return max(float(gain), LEAST_GAIN), np.array(shift)
