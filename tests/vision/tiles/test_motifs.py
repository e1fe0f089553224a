"""The motif of a cloth, seen again and again, is no comodín."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.options import with_options
from engine.rulesets import RULESETS, RuleSet
from tests.face_scores import log_probabilities, seen_on
from tests.vision.test_keys import grid
from vision.reader import FEATURE_COUNT, JOKER, NUMBER_CLASSES, UNREADABLE, FaceScores
from vision.tiles.motifs import are_of_motif

SEVEN = 6
SURE = 0.52  # joint score above which a find is a tile


def look(figure: int, seed: int, like: float = 1.0) -> NDArray[np.float32]:
    """Return the features of a figure, a little different each time; with `like` below 1 they are
    as much like those of the figure and otherwise another's.
    """
    usual = np.random.default_rng(figure).normal(size=FEATURE_COUNT)
    own = np.random.default_rng(1000 + seed).normal(size=FEATURE_COUNT)
    return np.asarray(like * usual + max(0.2, np.sqrt(1 - like**2)) * own, np.float32)


def seen(shown: list[int], features: list[NDArray[np.float32]], step: float = 5.0) -> FaceScores:
    """Return what is seen on finds in a line, `step` widths apart."""
    quads = grid(len(shown), 1, (0, 0))
    width = float(quads[0, 1, 0] - quads[0, 0, 0])
    quads = quads - quads[:, :1] + quads[:1, :1]
    quads[:, :, 0] += np.arange(len(shown), dtype=np.float32)[:, None] * np.float32(step * width)
    return replace(seen_on(quads, [{one: 0.99} for one in shown]), features=np.stack(features))


def told(scores: FaceScores, rules: RuleSet = RULESETS["burako"]) -> list[bool]:
    joint_scores = np.full(len(scores), 0.9, np.float32)
    return [bool(one) for one in are_of_motif(scores, joint_scores, SURE, rules)]


@pytest.mark.parametrize("count", [4, 5, 9])
def test_what_looks_alike_more_often_than_a_set_has_comodines_is_a_motif(count: int) -> None:
    stars = [look(1, seed) for seed in range(count)]
    assert told(seen([JOKER] * count, stars)) == [count > 4] * count


def test_what_cannot_be_read_is_of_the_motif_that_it_looks_like() -> None:
    stars = [look(1, seed) for seed in range(7)]
    assert told(seen([*[JOKER] * 5, UNREADABLE, UNREADABLE], stars)) == [True] * 7


@pytest.mark.parametrize("sure", [0.85, 0.95])
def test_blurred_tiles_look_alike_and_are_no_motif(sure: float) -> None:
    """Some of them read as comodines, but not surely."""
    scores = seen([JOKER] * 6, [look(1, seed) for seed in range(6)])
    number = log_probabilities([{JOKER: sure, UNREADABLE: 1 - sure}] * 6, len(NUMBER_CLASSES))
    assert told(replace(scores, number=number)) == [sure > 0.9] * 6
    blank = seen([*[JOKER] * 4, *[UNREADABLE] * 4], [look(1, seed) for seed in range(8)])
    assert told(blank) == [False] * 8


def test_comodines_of_a_figure_of_their_own_stay_on_a_cloth_with_a_motif() -> None:
    stars, clowns = ([look(figure, seed) for seed in range(5)] for figure in (1, 2))
    assert told(seen([JOKER] * 9, [*stars, *clowns[:4]])) == [*[True] * 5, *[False] * 4]


def test_numbers_that_look_alike_stay() -> None:
    assert told(seen([SEVEN] * 6, [look(1, seed) for seed in range(6)])) == [False] * 6


def test_of_a_set_that_has_gained_comodines_as_many_may_look_alike() -> None:
    rules = with_options(RULESETS["burako"], {"copies": {"J": 6}})
    for count in (6, 7):
        alike = [look(1, seed) for seed in range(count)]
        assert told(seen([JOKER] * count, alike), rules) == [count > 6] * count


@pytest.mark.parametrize(
    ("shown", "step", "stays"),
    [(UNREADABLE, 5.0, False), (UNREADABLE, 1.1, True), (JOKER, 5, True)],
)
def test_what_is_somewhat_like_the_motif_goes_with_it_if_it_lies_alone_and_is_no_comodin(
    shown: int, step: float, stays: bool
) -> None:
    turned = look(1, 9, like=0.65)
    features = [*(look(1, seed) for seed in range(5)), turned, look(3, 1)]
    scores = seen([*[JOKER] * 5, shown, SEVEN], features, step)
    assert told(scores) == [*[True] * 5, not stays, False]


def test_without_finds_there_is_no_motif() -> None:
    nothing = seen([SEVEN], [look(1, 0)]).take(np.zeros(0, np.intp))
    assert told(nothing) == []
