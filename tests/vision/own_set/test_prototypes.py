"""What the prototypes of a set tell where the network cannot read the set."""

import numpy as np
import pytest

from vision.own_set.discriminant import Discriminant
from vision.own_set.prototypes import JOKERS, Prototypes
from vision.reader import FEATURE_COUNT, JOKER, NUMBER_CLASSES, FaceScores

CLASSES = len(NUMBER_CLASSES) + 3
APART = 20.0  # from the origin to the mean of each class
UNKNOWN = 22.0  # squared distance within which nearly all examples lie, about that of a real set


def prototypes(*, comodin: bool) -> Prototypes:
    """Make prototypes whose classes lie in a direction of features each; of comodines there are
    examples only with `comodin`.
    """
    means = APART * np.eye(CLASSES, dtype=np.float32)
    if not comodin:
        means[JOKERS] = np.nan
    projection = APART * np.eye(FEATURE_COUNT, CLASSES, dtype=np.float32)
    return Prototypes(Discriminant(projection, means, UNKNOWN), trust=0.0)


def seen(strangeness: float) -> FaceScores:
    """Make what the network sees on the numbers 1 to 13, all of which are so strange."""
    features = np.zeros((JOKER, FEATURE_COUNT), np.float32)
    nearness = 1 - np.sqrt(strangeness * UNKNOWN) / APART
    features[np.arange(JOKER), np.arange(JOKER)] = nearness
    features[:, -1] = np.sqrt(1 - nearness**2)  # a direction in which no class differs
    number = np.zeros((JOKER, len(NUMBER_CLASSES)), np.float32)
    four = np.zeros((JOKER, 4), np.float32)
    quads, offsets = np.zeros((JOKER, 4, 2), np.float32), np.zeros((JOKER, 8), np.float32)
    crops = np.zeros((JOKER, 64, 48, 3), np.uint8)
    return FaceScores(number, four, four, quads, crops, offsets, features)


@pytest.mark.parametrize("comodin", [True, False])
@pytest.mark.parametrize("strangeness", [0.5, 1.5])
def test_numbers_are_sure_whether_or_not_a_comodin_was_taught(
    strangeness: float, comodin: bool
) -> None:
    """Nine in ten numbered tiles of another photograph are less strange than 1.9."""
    number = np.exp(prototypes(comodin=comodin).number_scores(seen(strangeness)))
    assert (number.argmax(axis=1) == np.arange(JOKER)).all()
    assert number.max(axis=1).min() > 0.97


def test_what_is_like_no_number_is_a_comodin_where_none_was_taught() -> None:
    number = np.exp(prototypes(comodin=False).number_scores(seen(8.0)))
    assert (number.argmax(axis=1) == JOKER).all()
