"""A tile that was hardly read is beyond doubt where its meld needs it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import vision
from engine.rulesets import ruleset
from engine.tiles import BY_NOTATION, FACE_INDEX, FACES
from vision.decoding import Decoded
from vision.doubts import DoubtConfig
from vision.kinds import CARDS
from vision.reading import Doubt
from vision.settled_by_melds import FEWEST_SURE, settled_by_melds

RULES, CONFIG = ruleset("burako"), DoubtConfig()
UNSURE = frozenset({Doubt.UNSURE})


def decided(*tiles: str) -> Decoded:
    """Return the decision on tiles, each written as its faces and their probabilities: `8R`, or
    `8R.7 6R.2`.
    """
    posterior = np.zeros((len(tiles), len(FACES)), np.float32)
    for at, told in enumerate(tiles):
        for face in told.split():
            name, _, share = face.partition(".")
            posterior[at, FACE_INDEX[BY_NOTATION[name]]] = float(f"0.{share}") if share else 0.99
    no: NDArray[np.bool_] = np.zeros(len(tiles), bool)
    return Decoded(posterior.argmax(axis=1), posterior, no, no)


def left_in_doubt(
    *tiles: str,
    doubt: frozenset[Doubt] = UNSURE,
    config: DoubtConfig = CONFIG,
    score: float = 0.5,
) -> list[int]:
    """Return which tiles of a row stay in doubt, of those whose faces are not told as certain. All
    have the joint score `score`.
    """
    doubts = [doubt if "." in tile else frozenset[Doubt]() for tile in tiles]
    row = tuple(range(len(tiles)))
    scores = np.full(len(tiles), score, np.float32)
    told = settled_by_melds(doubts, scores, [row], decided(*tiles), RULES, config)
    return [at for at, of_tile in enumerate(told) if of_tile]


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(("6R", "7R", "8R.7 6R.2", "9R"), id="in a run"),
        pytest.param(("6R", "7R", "8R.7 6R.2"), id="at its end"),
        pytest.param(("6R", "J", "8R.7 6R.2", "9R"), id="beside a comodin"),
        pytest.param(("6R", "7R", "8R.7 J.2 2B.1", "9R"), id="or else a wild"),
        pytest.param(("8R", "8B", "8K.7 5K.2"), id="in a pierna"),
        pytest.param(("6R", "7R.7 1R.2", "8R.8 6R.1", "9R"), id="and another one"),
        pytest.param(("6R", "7R", "J.92 8R.07"), id="a wild of three tiles"),
        pytest.param(("6R", "7R", "J.92 8R.07", "9R"), id="a wild within a run"),
    ],
)
def test_a_meld_settles_what_it_needs(row: tuple[str, ...]) -> None:
    """But what is hardly a tile by itself may still be none."""
    assert left_in_doubt(*row) == []
    faintly = UNSURE | {Doubt.REPAIRED, Doubt.FAINT}
    assert left_in_doubt(*row, doubt=faintly) == []
    doubted = [at for at, tile in enumerate(row) if "." in tile]
    assert left_in_doubt(*row, doubt=faintly, score=CONFIG.tile) == doubted


def test_a_wild_that_the_meld_could_do_without_is_settled_where_it_is_surely_a_tile() -> None:
    for row in (("6R", "7R", "8R", "J.92 9R.07"), ("6R", "6B", "6K", "2B.92 5B.07")):
        assert left_in_doubt(*row) == []
        assert left_in_doubt(*row, doubt=UNSURE | {Doubt.FAINT}) == [3]


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(("6R", "7R", "8R.5 6R.4", "9R"), id="hardly read"),
        pytest.param(("8R", "8B", "8K.8 8Y.1"), id="another face fits, too"),
        pytest.param(("6R", "7R", "J.88 8R.1", "9R"), id="a wild"),
        pytest.param(("6R", "7R", "2B.88 5B.1", "9R"), id="a 2 as a wild"),
        pytest.param(("6R", "7R", "8B.7 6R.2", "9R"), id="the row is no meld"),
        pytest.param(("6R", "7R.7 1R.2", "8R.3 6R.2", "9R"), id="beside an unread one"),
    ],
)
def test_elsewhere_it_stays_in_doubt(row: tuple[str, ...]) -> None:
    assert left_in_doubt(*row) == [at for at, tile in enumerate(row) if "." in tile]


@pytest.mark.parametrize("doubt", [Doubt.COPIES, Doubt.SIZE, Doubt.PRINTED, Doubt.CUT_OFF])
def test_other_doubts_stay(doubt: Doubt) -> None:
    assert left_in_doubt("6R", "7R", "8R.7 6R.2", doubt=UNSURE | {doubt}) == [2]


def test_tiles_that_may_be_misread_together_settle_nothing() -> None:
    """A pierna of 6s of which several look like 8s is as legal as one of 8s."""
    for sure, left in ((FEWEST_SURE, []), (FEWEST_SURE - 1, [0, 1])):
        assert left_in_doubt("8R.7 6R.2", "8K.7 6K.2", *("8Y", "8B")[:sure]) == left


def test_cards_and_sets_that_need_the_other_networks_have_no_lower_limit() -> None:
    assert CARDS.doubts.unsure_if_needed == CARDS.doubts.unsure_wild == CARDS.doubts.unsure
    odd = vision.open_reader().knowing(None, odd=True)  # type: ignore[arg-type]
    assert odd.doubts.unsure_if_needed == odd.doubts.unsure > CONFIG.unsure_if_needed
    assert left_in_doubt("6R", "7R", "8R.7 6R.2", config=odd.doubts) == [2]
