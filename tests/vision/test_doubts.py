"""What a person is asked about: doubts about a tile, and what dispels them."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pytest

from engine.tiles import FACE_INDEX, JOKER, Tile
from vision.doubts import DoubtConfig, confirmed_by_rows, find_notices, tile_doubts
from vision.frame import Frame
from vision.kinds import CARDS
from vision.quads import size_outliers
from vision.reading import Doubt, Notice, TileReading

CONFIG = DoubtConfig()
SEVEN = FACE_INDEX[Tile(7, "R")]
FAINT = frozenset({Doubt.FAINT})
NONE: frozenset[Doubt] = frozenset()


def doubts_of(
    confidence: float = 0.99,
    joint_score: float = 0.9,
    *,
    face: int = SEVEN,
    few_colours: bool = False,
    noted: Collection[Doubt] = (),
    minor: Collection[Doubt] = (),
) -> set[Doubt]:
    return set(
        tile_doubts(
            face,
            confidence,
            joint_score,
            few_colours=few_colours,
            noted=noted,
            minor=minor,
            config=CONFIG,
        )
    )


def test_what_is_surely_read_and_surely_a_tile_is_beyond_doubt() -> None:
    assert doubts_of() == set()


@pytest.mark.parametrize(
    ("confidence", "joint_score", "doubts"),
    [
        (CONFIG.unsure - 0.01, 0.9, {Doubt.UNSURE}),
        (CONFIG.unread - 0.01, 0.9, {Doubt.UNSURE, Doubt.UNREAD}),
        (0.99, CONFIG.faint - 0.01, {Doubt.FAINT}),
    ],
)
def test_low_scores_are_reasons_to_look(
    confidence: float, joint_score: float, doubts: set[Doubt]
) -> None:
    assert doubts_of(confidence, joint_score) == doubts


def test_without_colours_the_colour_of_a_number_alone_is_a_guess() -> None:
    assert doubts_of(few_colours=True) == {Doubt.FEW_COLOURS}
    assert doubts_of(few_colours=True, face=FACE_INDEX[JOKER]) == set()


def test_a_minor_doubt_counts_beside_others_alone() -> None:
    edge = {Doubt.CUT_OFF}
    assert doubts_of(noted=edge, minor=edge) == set()
    assert doubts_of(noted={Doubt.CUT_OFF, Doubt.SIZE}, minor=edge) == {Doubt.CUT_OFF, Doubt.SIZE}
    assert doubts_of(0.9, noted=edge, minor=edge) == {Doubt.CUT_OFF, Doubt.UNSURE}
    assert doubts_of(noted=edge) == edge


def test_a_faint_find_among_sure_tiles_of_its_row_is_a_tile() -> None:
    doubts = [NONE, NONE, FAINT, NONE]
    scores = np.full(4, CONFIG.tile + 0.01, np.float32)
    assert confirmed_by_rows(doubts, scores, [(0, 1, 2, 3)], CONFIG) == [NONE] * 4


@pytest.mark.parametrize(
    ("doubts", "row", "score"),
    [
        ([NONE, NONE, FAINT, NONE], (0, 1, 2), 0.5),  # too few sure ones in its row
        ([NONE, NONE, FAINT, FAINT], (0, 1, 2, 3), 0.5),  # a faint one confirms no other
        ([NONE, NONE, FAINT | {Doubt.UNSURE}, NONE], (0, 1, 2, 3), 0.5),
        ([NONE, NONE, FAINT, NONE], (0, 1, 2, 3), CONFIG.tile),  # the row alone tells of it
    ],
)
def test_a_faint_find_remains_in_doubt(
    doubts: list[frozenset[Doubt]], row: tuple[int, ...], score: float
) -> None:
    scores = np.full(len(doubts), score, np.float32)
    assert confirmed_by_rows(doubts, scores, [row], CONFIG) == doubts


def test_of_cards_no_column_confirms_a_faint_one() -> None:
    doubts = [NONE, NONE, FAINT, NONE, NONE]
    scores = np.full(5, CARDS.doubts.faint - 0.01, np.float32)
    assert confirmed_by_rows(doubts, scores, [(0, 1, 2, 3, 4)], CARDS.doubts) == doubts


def test_people_hear_of_tiles_cut_by_the_edge_though_all_are_surely_read() -> None:
    frame = Frame(np.full((80, 100, 3), 200, np.uint8), 100, 80)
    inside = np.array([[40, 20], [60, 20], [60, 50], [40, 50]], np.float32)
    told = [
        find_notices(frame, (TileReading(Tile(7, "R"), corners, 0.99),), CONFIG)
        for corners in (inside, inside - [50, 0])
    ]
    assert told == [(), (Notice.CUT_OFF,)]


@pytest.mark.parametrize(
    ("width", "unusual", "impossible"), [(20, False, False), (40, True, False), (60, True, True)]
)
def test_a_tile_twice_as_wide_as_those_around_is_unusual_but_possible(
    width: int, unusual: bool, impossible: bool
) -> None:
    face = np.array([[0, 0], [1, 0], [1, 1.4], [0, 1.4]], np.float32)
    widths, lefts = [20] * 5 + [width], [0, 30, 60, 90, 120, 200]
    quads = np.float32([face * size + [left, 0] for size, left in zip(widths, lefts, strict=True)])
    sure = np.arange(5)
    assert size_outliers(quads, sure)[5] == unusual
    assert size_outliers(quads, sure, CONFIG.possible_areas)[5] == impossible
