"""What a person is asked about: doubts about a tile, and what dispels them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import pytest

from engine.rulesets import ruleset
from engine.tiles import FACE_INDEX, FACES, JOKER, Tile
from vision.decoding import decode_table
from vision.doubts import DoubtConfig, all_doubts, tile_doubts, worth_asking
from vision.frame import Frame
from vision.kinds import CARDS, TILES
from vision.reading import Doubt
from vision.seen import Rows, Seen

CONFIG = DoubtConfig()
SURE: set[Doubt] = set()
FAINT = {Doubt.FAINT}


def doubts_of(
    confidence: float = 0.99,
    joint_score: float = 0.9,
    *,
    in_row: bool = False,
    noted: Collection[Doubt] = (),
) -> set[Doubt]:
    return set(
        tile_doubts(
            confidence,
            joint_score,
            in_row=in_row,
            noted=noted,
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


def test_in_a_row_a_less_sure_reading_is_enough() -> None:
    for confidence, in_row, alone in (
        (CONFIG.unsure_in_row, set(), {Doubt.UNSURE}),
        (CONFIG.unsure_in_row - 0.01, {Doubt.UNSURE}, {Doubt.UNSURE}),
    ):
        assert doubts_of(confidence, in_row=True) == in_row
        assert doubts_of(confidence) == alone


def test_cards_in_columns_have_no_lower_limit() -> None:
    assert CARDS.doubts.unsure_in_row == CARDS.doubts.unsure > TILES.doubts.unsure_in_row


def test_without_colours_the_colour_of_a_number_alone_is_a_guess() -> None:
    faces = [FACE_INDEX[Tile(7, "R")], FACE_INDEX[JOKER]]
    scores = np.full((2, len(FACES)), -9.0, np.float32)
    scores[[0, 1], faces] = 0
    quad = np.array([(20, 20), (60, 20), (60, 80), (20, 80)], np.float32)
    seen = Seen(np.full(2, 0.9, np.float32), np.stack([quad, quad + (100, 0)]), scores, Rows([]))
    frame = replace(Frame.of(np.full((100, 300, 3), 90, np.uint8)), few_colours=True)
    decoded = decode_table(scores, [], ruleset("burako"))
    assert all_doubts(frame, seen, [], decoded, True, CONFIG) == [{Doubt.FEW_COLOURS}, set()]


@pytest.mark.parametrize(
    ("face", "confidence", "joint_score", "doubts"),
    [
        (JOKER, 0.9995, 0.55, set()),
        (JOKER, 0.99, 0.65, set()),
        (JOKER, 0.99, 0.55, {Doubt.FAINT}),
        (JOKER, 0.98, 0.65, {Doubt.UNSURE, Doubt.FAINT}),
        (Tile(7, "R"), 0.99, 0.55, set()),
        (Tile(7, "R"), 0.98, 0.65, {Doubt.UNSURE}),
    ],
    ids=["surely read", "surely found", "hardly either", "unsure", "a seven", "an unsure seven"],
)
def test_what_hardly_is_a_jolly_may_be_no_card(
    face: Tile, confidence: float, joint_score: float, doubts: set[Doubt]
) -> None:
    """Tiles have no such limits."""
    rest = np.log((1 - confidence) / (len(FACES) - 1))
    scores = np.full((1, len(FACES)), rest, np.float32)
    scores[0, FACE_INDEX[face]] = np.log(confidence)
    quad = np.array([(20, 20), (60, 20), (60, 80), (20, 80)], np.float32)
    seen = Seen(np.array([joint_score], np.float32), quad[None], scores, Rows([]))
    frame = Frame.of(np.full((100, 100, 3), 90, np.uint8))
    decoded = decode_table(scores, [], ruleset("burraco_it"))
    assert all_doubts(frame, seen, [], decoded, False, CARDS.doubts) == [doubts]
    of_tile = doubts_of(confidence, joint_score)
    assert all_doubts(frame, seen, [], decoded, False, CONFIG) == [of_tile]


def test_what_other_stages_noted_is_doubtful() -> None:
    assert doubts_of(0.9, noted={Doubt.CUT_OFF}) == {Doubt.CUT_OFF, Doubt.UNSURE}


def asked_about(
    doubts: list[set[Doubt]],
    *,
    row: tuple[int, ...] = (),
    score: float = 0.5,
    config: DoubtConfig = CONFIG,
) -> list[set[Doubt]]:
    """Return the doubts worth asking about, of tiles with one joint score. The tiles with the
    indices `row` lie in a row.
    """
    scores = np.full(len(doubts), score, np.float32)
    told = worth_asking([frozenset(of_tile) for of_tile in doubts], scores, [row], config)
    return [set(of_tile) for of_tile in told]


def test_nobody_is_asked_about_a_tile_of_a_row_that_only_reaches_outside_the_picture() -> None:
    edge = {Doubt.CUT_OFF}
    assert asked_about([edge, edge, SURE], row=(1, 2)) == [edge, SURE, SURE]


@pytest.mark.parametrize("other", [doubt for doubt in Doubt if doubt is not Doubt.CUT_OFF])
def test_people_are_asked_about_all_else(other: Doubt) -> None:
    doubts = [{other}, {other, Doubt.CUT_OFF}]
    assert asked_about(doubts, row=(0, 1)) == doubts


def test_nobody_is_asked_about_a_faint_tile_among_sure_ones_of_its_row() -> None:
    cut_off = {Doubt.CUT_OFF}
    doubts = [SURE, cut_off, FAINT, SURE, FAINT]
    assert asked_about(doubts, row=(0, 1, 2, 3)) == [SURE, SURE, SURE, SURE, FAINT]


@pytest.mark.parametrize(
    ("doubts", "row", "score"),
    [
        ([SURE, SURE, FAINT, SURE], (0, 1, 2), 0.5),
        ([SURE, SURE, FAINT, FAINT], (0, 1, 2, 3), 0.5),
        ([SURE, SURE, FAINT | {Doubt.UNSURE}, SURE], (0, 1, 2, 3), 0.5),
        ([SURE, SURE, FAINT, SURE], (0, 1, 2, 3), CONFIG.tile),
    ],
    ids=["two sure ones", "two sure ones and a faint one", "not surely read", "too faint"],
)
def test_people_are_asked_about_other_faint_tiles(
    doubts: list[set[Doubt]], row: tuple[int, ...], score: float
) -> None:
    assert asked_about(doubts, row=row, score=score) == doubts


def test_people_are_asked_about_a_faint_card_whatever_its_column_shows() -> None:
    doubts = [SURE, SURE, FAINT, SURE, SURE]
    score = CARDS.doubts.faint - 0.01
    row = (0, 1, 2, 3, 4)
    assert asked_about(doubts, row=row, score=score, config=CARDS.doubts) == doubts
