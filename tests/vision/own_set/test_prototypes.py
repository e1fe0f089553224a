"""What the prototypes of a set tell where the network cannot read the set, and of soft pictures."""

from dataclasses import replace

import numpy as np
import pytest

from vision.own_set.discriminant import Discriminant
from vision.own_set.prototypes import FEWEST_TILES, JOKERS, SOFT, Prototypes
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


def with_soft(likest: int) -> Prototypes:
    """Make prototypes of which the soft ones of the class `likest` lie where strange faces do: in
    the direction of the features in which no usual class differs.
    """
    usual = prototypes(comodin=True)
    means = APART * np.eye(CLASSES, dtype=np.float32)
    means[likest] = 0.0
    projection = np.zeros((FEATURE_COUNT, CLASSES), np.float32)
    return Prototypes(usual.numbers, trust=1.0, soft=Discriminant(projection, means, UNKNOWN))


def blurred() -> FaceScores:
    """Make what the network sees on 13 blurred faces: it tells nothing of their numbers."""
    return seen(10.0)


def test_a_strange_face_is_rather_the_number_that_a_soft_copy_shows() -> None:
    number = np.exp(with_soft(6).number_scores(blurred()))
    assert (number.argmax(axis=1) == 6).all()
    assert number.max(axis=1).max() < 0.9  # the network, which sees the same, tells nothing


@pytest.mark.parametrize(("network", "sure"), [(6, True), (2, False)])
def test_in_soft_pictures_network_and_soft_copies_are_sure_only_where_they_agree(
    network: int, sure: bool
) -> None:
    rest = 0.2 / (len(NUMBER_CLASSES) - 1)
    told = np.where(np.arange(len(NUMBER_CLASSES)) == network, 0.8, rest)
    faces = replace(blurred(), number=np.log(np.tile(told, (JOKER, 1))).astype(np.float32))
    number = np.exp(with_soft(6).number_scores(faces))
    assert (number.max(axis=1) > 0.93).tolist() == [sure] * JOKER


def test_a_blurred_face_is_no_comodin_for_its_blur() -> None:
    usual = Prototypes(prototypes(comodin=True).numbers, trust=1.0)
    told = with_soft(JOKER).number_scores(blurred()).argmax(axis=1)
    assert told.tolist() == usual.number_scores(blurred()).argmax(axis=1).tolist()
    assert JOKER not in told


def test_a_face_like_a_taught_one_is_not_compared_with_soft_copies() -> None:
    number = with_soft(6).number_scores(seen(0.5))
    assert (number.argmax(axis=1) == np.arange(JOKER)).all()


@pytest.mark.parametrize(
    ("strangeness", "tiles", "is_soft"),
    [
        (SOFT + 1, JOKER, True),
        (SOFT - 1, JOKER, False),
        (SOFT + 1, FEWEST_TILES, True),
        (SOFT + 1, FEWEST_TILES - 1, False),
    ],
)
def test_soft_copies_count_in_soft_pictures_with_enough_tiles(
    strangeness: float, tiles: int, is_soft: bool
) -> None:
    there = seen(strangeness).take(np.arange(tiles))
    assert (with_soft(6).in_picture(there).soft is not None) is is_soft


STEP = 40.0  # from one tile of a row to the next, which is as wide and 60 high
LOWERED = 0.8 * 0.1 / (0.8 * 0.1 + 0.2)


def in_a_row(away: float, reads: int) -> FaceScores:
    """Make what the network sees on twelve faces in a row that look like taught ones, and on a last
    one that looks like none, so far `away` from the row's end and read as the number `reads`.
    """
    like = seen(0.5)
    corners = np.array([[0, 0], [STEP, 0], [STEP, 60], [0, 60]], np.float32)
    quads = corners + STEP * np.arange(JOKER)[:, None, None] * np.float32([1, 0])
    quads[-1, :, 0] += away
    features, number = like.features.copy(), like.number.copy()
    features[-1], number[-1, reads] = np.eye(FEATURE_COUNT)[-1], 1.0
    return replace(like, features=features, number=number, quads=quads)


@pytest.mark.parametrize(
    ("strangeness", "away", "reads", "comodin", "clear", "score"),
    [
        (31, 200, 6, True, True, LOWERED),
        (31, 200, JOKER, True, True, LOWERED),
        (31, 200, JOKER, False, True, 0.8),  # nobody knows what the set's comodín looks like
        (31, 20, 6, True, True, 0.8),  # half covered perhaps, beside a tile
        (29, 200, 6, True, True, 0.8),
        (31, 200, 6, True, False, 0.8),
    ],
)
def test_what_lies_apart_in_a_clear_picture_and_is_like_no_taught_face_is_less_surely_a_tile(
    strangeness: float, away: float, reads: int, comodin: bool, clear: bool, score: float
) -> None:
    known = prototypes(comodin=comodin)
    numbers = replace(known.numbers, unknown=APART**2 / strangeness)
    known = replace(known, numbers=numbers, trust=1.0, clear=clear)
    scores = np.full(JOKER, 0.95, np.float32)
    scores[-1] = 0.8
    told = known.tile_scores(scores, in_a_row(away, reads))
    assert told[-1] == pytest.approx(score, rel=1e-4)
    assert (told[:-1] > 0.95).all()


@pytest.mark.parametrize(("strangeness", "clear"), [(0.5, True), (1.5, False)])
def test_a_picture_is_clear_where_its_tiles_look_as_they_were_taught(
    strangeness: float, clear: bool
) -> None:
    assert with_soft(6).in_picture(seen(strangeness)).clear == clear
    assert not with_soft(6).in_picture(seen(strangeness), odd=True).clear
    assert not prototypes(comodin=True).in_picture(seen(strangeness)).clear  # not trusted
