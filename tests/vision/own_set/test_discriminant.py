"""Classes are told apart by their means, in relation to how far their examples scatter."""

import numpy as np
import pytest

from vision.own_set.discriminant import Discriminant


def clouds(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw three classes of 20 features, with `count` examples each: they differ in three features,
    and scatter widely in ten.
    """
    classes = np.repeat([0, 1, 3], count)
    features = 3.0 + 0.02 * rng.standard_normal((len(classes), 20))
    features[:, 10:] += 0.8 * rng.standard_normal((len(classes), 10))
    features[np.arange(len(classes)), classes] += 0.5
    return features.astype(np.float32), classes


@pytest.fixture(scope="module")
def fitted() -> Discriminant:
    return Discriminant.fit(*clouds(np.random.default_rng(1), 40), 4)


def test_what_scatters_in_every_class_tells_nothing(fitted: Discriminant) -> None:
    features, classes = clouds(np.random.default_rng(2), 200)
    likelihoods = fitted.log_likelihoods(features)
    assert (likelihoods.argmax(axis=1) == classes).mean() > 0.95
    nearest = ((features[:, None] - [features[classes == k].mean(0) for k in (0, 1, 3)]) ** 2).sum(
        2
    )
    assert (np.array([0, 1, 3])[nearest.argmin(axis=1)] == classes).mean() < 0.9


def test_contrast_changes_nothing(fitted: Discriminant) -> None:
    features, _ = clouds(np.random.default_rng(3), 5)
    np.testing.assert_allclose(
        fitted.log_likelihoods(features), fitted.log_likelihoods(2.5 * features), rtol=1e-3
    )


def test_a_class_without_examples_is_likeliest_for_what_is_like_no_other(
    fitted: Discriminant,
) -> None:
    features, classes = clouds(np.random.default_rng(4), 5)
    assert (fitted.log_likelihoods(features).argmax(axis=1) == classes).all()
    strange = np.full((1, 20), 3.0, np.float32)
    strange[0, :4] -= 1.5
    assert fitted.log_likelihoods(strange).argmax() == 2
