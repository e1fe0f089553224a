"""Tells classes of faces apart in the reader's features, from a few examples of each.

A linear discriminant: features are brought to a space in which the examples of one class scatter
alike in all directions, and a face belongs to the class whose mean is nearest. This works where
there are few examples of a class and all classes scatter alike (Hastie, Tibshirani, Friedman, The
Elements of Statistical Learning, section 4.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# Share of the features' mean variance added to each variance. With it the scatter of few examples
# can be inverted, and what the examples do not show to vary is not taken to be constant.
RIDGE = 0.25
# By which squared distances are divided: examples of other photographs lie farther from the means
# than the changed copies of the same ones do. Found on sets rendered for it.
TEMPERATURE = 10.0
# The means of k classes span k - 1 directions: below this share of the largest eigenvalue there is
# no further one.
SAME_PLACE = 1e-11
UNKNOWN_AT = 99.0  # percentile of the examples' distances at which a class never shown is assumed


@dataclass(frozen=True, eq=False)
class Discriminant:
    """k classes in a space of d dimensions. The m features of a face are brought to unit length and
    then projected to that space.

    The contrast of a picture changes the length of its features and not their direction, which is
    why the length is taken out.

    `projection` is (m, d). `means` (k, d) are those of the classes, NaN for a class without
    examples; such a class counts as lying at the squared distance `unknown` from every face.
    """

    projection: NDArray[np.float32]
    means: NDArray[np.float32]
    unknown: float

    @classmethod
    def fit(
        cls, features: NDArray[np.float32], classes: NDArray[np.intp], count: int
    ) -> Discriminant:
        """Fit `count` classes to the m features of each of n examples, (n, m). `classes`, (n,),
        tells the class of each example, 0 to `count` - 1. With examples of a single class all
        log-likelihoods are equal, and `strangeness` tells nothing.
        """
        features = _unit_length(features)
        present = np.unique(classes)
        means = np.full((count, features.shape[1]), np.nan)
        for k in present:
            means[k] = features[classes == k].mean(axis=0, dtype=np.float64)
        centred = means[present] - means[present].mean(axis=0)
        towards = np.linalg.solve(_scatter(features - means[classes]), centred.T)
        squared, axes = np.linalg.eigh(centred @ towards)
        apart = squared > SAME_PLACE * squared.max()
        projection = (towards @ axes[:, apart] / np.sqrt(squared[apart])).astype(np.float32)
        there = (means @ projection).astype(np.float32)
        own = ((features @ projection - there[classes]) ** 2).sum(axis=1)
        return cls(projection, there, float(np.percentile(own, UNKNOWN_AT)))

    def log_likelihoods(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the log-likelihood of each of the k classes for n faces, (n, k), given the m
        features of each face, (n, m).

        Each row lacks a constant, which is the same for all classes of that face.
        """
        squared = self._squared_distances(features)
        squared = np.where(np.isnan(squared), self.unknown, squared)
        return np.asarray(-squared / (2 * TEMPERATURE), np.float32)

    def has_examples(self, classes: Sequence[int]) -> bool:
        """Whether any of the classes with the indices `classes` has examples."""
        return not np.isnan(self.means[list(classes)]).all()

    def log_likelihood_at(self, strangeness: float) -> float:
        """Return the log-likelihood of a class for a face that lies so far from its mean, told as
        `strangeness` tells distances. It lacks the same constant as `log_likelihoods`.
        """
        return -strangeness * self.unknown / (2 * TEMPERATURE)

    def strangeness(
        self, features: NDArray[np.float32], classes: Sequence[int] | None = None
    ) -> NDArray[np.float32]:
        """Return how far each of n faces lies from the nearest class, (n,), given their features,
        (n, m). Only the classes with the indices `classes` count; all of them where that is None.

        The distance is squared and in units of `unknown`: one in a hundred examples lies farther
        than 1 from the mean of its own class.
        """
        squared = self._squared_distances(features)
        asked = squared if classes is None else squared[:, list(classes)]
        return np.asarray(np.nanmin(asked, axis=1) / self.unknown)

    def _squared_distances(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        there = _unit_length(features) @ self.projection
        return np.asarray(((there[:, None] - self.means[None]) ** 2).sum(axis=2))


def _unit_length(features: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(features, axis=1, keepdims=True)
    return np.asarray(features / np.maximum(lengths, 1e-6), np.float32)


def _scatter(around_means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the covariance (m, m) of the m features of n examples. `around_means` (n, m) holds how
    far each example lies from the mean of its class. RIDGE times the mean variance is added to the
    diagonal.
    """
    single = around_means.astype(np.float32)  # half the time of double precision
    scatter = (single.T @ single).astype(np.float64) / len(single)
    size = len(scatter)
    scatter[np.diag_indices(size)] += RIDGE * np.trace(scatter) / size + 1e-9
    return np.asarray(scatter)
