"""The universal scalability law: how throughput grows with the number of workers. `fitted` finds
the law that fits measured throughputs best.

N. J. Gunther, "A General Theory of Computational Scalability Based on Rational Functions", 2008:
n workers have the throughput X(n) = lambda n / (1 + sigma (n - 1) + kappa n (n - 1)). `ScalingLaw`
explains lambda, sigma and kappa.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

TERMS = 3


@dataclass(frozen=True)
class ScalingLaw:
    """The law's parameters.

    `rate` (lambda) is how much one worker alone does in a second. `sigma` is the share of a
    worker's work that only one worker can do at a time, so that all others queue. `kappa` is the
    share for which each worker waits for every other one.
    """

    rate: float
    sigma: float
    kappa: float

    def throughput(self, workers: int) -> float:
        """Return how much so many workers together do in a second, in the unit of `rate`."""
        waits = self.sigma * (workers - 1) + self.kappa * workers * (workers - 1)
        return self.rate * workers / (1 + waits)


def fitted(workers: Sequence[int], throughputs: Sequence[float]) -> ScalingLaw:
    """Fit the law by least squares of relative errors, with sigma and kappa not below zero.
    `throughputs[i]`, per second, was measured with `workers[i]` workers.

    With X the throughput of n workers, n / X is linear in 1 / lambda, sigma / lambda and kappa /
    lambda. Where the best fit makes sigma or kappa negative, the best fit with one or both of them
    at zero is taken. Raises ValueError for fewer than three measurements, for a throughput that is
    not positive, and where no law fits.
    """
    if len(workers) < TERMS or len(workers) != len(throughputs) or min(throughputs) <= 0:
        raise ValueError(f"expected {TERMS} positive throughputs, got {list(throughputs)}")
    n, measured = np.array(workers, float), np.array(throughputs, float)
    terms = np.stack([np.ones_like(n), n - 1, n * (n - 1)], axis=1) * (measured / n)[:, None]
    best: tuple[float, list[float]] | None = None
    for dropped in (left for count in range(TERMS) for left in combinations((1, 2), count)):
        kept = [term for term in range(TERMS) if term not in dropped]
        solved = np.linalg.lstsq(terms[:, kept], np.ones_like(n), rcond=None)[0]
        error = float(((terms[:, kept] @ solved - 1) ** 2).sum())
        if (solved >= 0).all() and solved[0] > 0 and (best is None or error < best[0]):
            shares = np.zeros(TERMS)
            shares[kept] = solved
            best = error, shares.tolist()
    if best is None:
        raise ValueError(f"expected throughputs that a law fits, got {list(throughputs)}")
    one, queued, together = best[1]
    return ScalingLaw(1 / one, queued / one, together / one)
