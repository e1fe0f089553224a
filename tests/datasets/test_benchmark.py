"""The counting of readings against truth, by fabricated examples: every rule by which the benchmark
counts.
"""

from __future__ import annotations

import dataclasses
import random

import cv2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.benchmark.counting import Outcome, PictureCount, count_picture
from datasets.benchmark.measures import (
    calibration_error,
    confusions,
    reliability,
    summarise,
    wilson,
)
from datasets.labels import LabelledPicture, LabelledRow, LabelledTile
from datasets.photos import SOURCES
from tests.places import needs_photographs

from .fabricated import box, picture, reading, seen, truth


def outcomes(count: PictureCount) -> list[str]:
    return sorted(judged.outcome.value for judged in count.tiles)


def silent(count: PictureCount) -> int:
    return sum(judged.silent for judged in count.tiles)


SEVEN = picture(truth("7R", 100, 100), truth("J", 200, 100))


def test_number_and_colour_right_is_exact_and_so_is_the_photo():
    count = count_picture(SEVEN, reading(seen("J", 203, 98), seen("7R", 100, 100)))
    assert outcomes(count) == ["exact", "exact"] and count.exact and silent(count) == 0


@pytest.mark.parametrize("read", ["7B", "1R", "J"])
def test_a_wrong_number_or_colour_is_wrong_and_silent(read):
    count = count_picture(SEVEN, reading(seen("J", 200, 100), seen(read, 100, 100)))
    assert outcomes(count) == ["exact", "wrong"] and silent(count) == 1 and not count.exact


def test_wrong_but_doubtful_is_not_silent():
    count = count_picture(SEVEN, reading(seen("J", 200, 100), seen("7B", 100, 100, doubtful=True)))
    assert outcomes(count) == ["exact", "wrong"] and silent(count) == 0


def test_unread_is_found_not_exact_and_not_silent():
    count = count_picture(SEVEN, reading(seen("J", 200, 100), seen(None, 100, 100, doubtful=True)))
    assert outcomes(count) == ["exact", "unread"] and silent(count) == 0 and not count.exact


def test_unread_without_doubt_is_silent():
    assert silent(count_picture(SEVEN, reading(seen("J", 200, 100), seen(None, 100, 100)))) == 1


def test_missed_is_silent():
    count = count_picture(SEVEN, reading(seen("J", 200, 100)))
    assert outcomes(count) == ["exact", "missed"] and silent(count) == 1


def test_a_doubtful_quad_over_the_place_of_a_missed_tile_is_a_doubt_there():
    close = picture(truth("7R", 100, 100), truth("8R", 120, 100))
    count = count_picture(close, reading(seen("8R", 118, 100, doubtful=True)))
    assert outcomes(count) == ["exact", "missed"] and silent(count) == 0


@pytest.mark.parametrize("notice", ["too_dark", "too_bright", "too_blurred", "too_small"])
def test_a_photo_that_says_it_cannot_be_read_misses_nothing_silently(notice):
    count = count_picture(SEVEN, reading(notices=(notice,)))
    assert outcomes(count) == ["missed", "missed"] and silent(count) == 0


@pytest.mark.parametrize("notice", ["no_tiles", "cut_off"])
def test_other_notices_excuse_nothing(notice):
    assert silent(count_picture(SEVEN, reading(notices=(notice,)))) == 2


def test_notices_do_not_excuse_what_was_read_wrongly():
    count = count_picture(
        SEVEN, reading(seen("7B", 100, 100), seen("J", 200, 100), notices=("too_dark",))
    )
    assert silent(count) == 1


@pytest.mark.parametrize("doubtful", [True, False])
def test_a_tile_where_none_lies_is_invented(doubtful):
    count = count_picture(
        SEVEN, reading(seen("7R", 100, 100), seen("J", 200, 100), seen("5K", 300, 200, doubtful))
    )
    assert outcomes(count) == ["exact", "exact", "invented"]
    assert silent(count) == (0 if doubtful else 1) and not count.exact


def test_a_second_answer_to_one_tile_is_invented_and_the_closer_one_answers():
    count = count_picture(
        picture(truth("7R", 100, 100)), reading(seen("1R", 110, 105), seen("7R", 101, 100))
    )
    assert outcomes(count) == ["exact", "invented"] and silent(count) == 1


def test_one_report_over_two_tiles_answers_one_of_them():
    close = picture(truth("7R", 100, 100), truth("8R", 130, 100))
    count = count_picture(close, reading(seen("7R", 110, 100, width=90)))
    assert outcomes(count) == ["exact", "missed"]


def test_a_quad_beside_the_centre_answers_nothing():
    count = count_picture(picture(truth("7R", 100, 100)), reading(seen("7R", 125, 100)))
    assert outcomes(count) == ["invented", "missed"] and silent(count) == 2


@pytest.mark.parametrize(
    "extra", [seen("5K", 21, 100), seen("5K", 100, 275), seen("5K", 378, 100), seen("5K", 30, 29)]
)
def test_what_is_reported_within_three_pixels_of_the_frame_is_not_invented(extra):
    assert count_picture(picture(), reading(extra)).tiles == ()


def test_a_whole_tile_four_pixels_from_the_frame_is_invented():
    assert outcomes(count_picture(picture(), reading(seen("5K", 24, 100)))) == ["invented"]


def test_ignore_boxes_excuse_true_and_reported_tiles():
    boxed = picture(truth("7R", 100, 100), ignore=((80.0, 80.0, 180.0, 180.0),))
    assert count_picture(boxed, reading()).tiles == ()
    assert count_picture(boxed, reading(seen("1R", 100, 100), seen("2R", 150, 150))).tiles == ()
    assert outcomes(count_picture(boxed, reading(seen("2R", 250, 150)))) == ["invented"]


def test_tiles_cut_off_excuse_what_is_reported_there():
    cut = picture(cut_off=((100.0, 100.0),))
    assert count_picture(cut, reading(seen("7R", 105, 100))).tiles == ()


@pytest.mark.parametrize(
    "reports", [(), (seen("1R", 100, 100),), (seen("1R", 100, 100), seen("7R", 115, 100))]
)
def test_an_uncounted_tile_counts_neither_way(reports):
    hidden = picture(truth("7R", 100, 100, counted=False))
    count = count_picture(hidden, reading(*reports))
    assert count.tiles == () and count.exact


def test_a_part_of_an_uncounted_tile_may_be_reported():
    hidden = picture(truth("7R", 100, 100, counted=False))
    assert count_picture(hidden, reading(seen("7R", 112, 115, width=15, height=20))).tiles == ()


def test_a_photo_without_tiles_is_exact_when_nothing_is_reported():
    assert count_picture(picture(), reading(notices=("no_tiles",))).exact


ROW = picture(
    truth("7R", 100, 100, row=0),
    truth("8R", 140, 100, row=0),
    truth("1R", 180, 100, row=0),
    truth("J", 300, 200),
    rows=(
        LabelledRow((0, 1, 2), legal=False, reason="gap", kind="escalera"),
        LabelledRow((3,), kind="loose"),
    ),
)
SEEN_ROW = (seen("1R", 180, 100), seen("8R", 140, 100), seen("7R", 100, 100), seen("J", 300, 200))


def meld(*tiles: int, valid: bool | None = False) -> dict:
    return {"tiles": list(tiles), "valid": valid}


@pytest.mark.parametrize(
    ("melds", "equal", "told"),
    [
        ((meld(2, 1, 0),), True, False),
        ((meld(0, 1, 2, valid=True),), True, True),
        ((meld(0, 1, 2, valid=None),), True, None),
        ((meld(0, 1),), False, None),
        ((meld(0, 1, 2, 3),), False, None),
        ((), False, None),
    ],
)
def test_a_row_is_equal_when_it_holds_the_same_tiles_and_only_then_has_a_verdict(
    melds, equal, told
):
    (row,) = count_picture(ROW, reading(*SEEN_ROW, melds=melds)).rows
    assert (row.equal, row.legal, row.told) == (equal, False, told)


def test_a_row_with_an_invented_tile_in_it_is_not_equal():
    (row,) = count_picture(
        ROW, reading(*SEEN_ROW, seen("2R", 220, 100), melds=(meld(0, 1, 2, 4),))
    ).rows
    assert not row.equal


def test_racks_have_rows_but_no_verdicts():
    (row,) = count_picture(
        dataclasses.replace(ROW, rack=True), reading(*SEEN_ROW, melds=(meld(0, 1, 2),))
    ).rows
    assert row.equal and row.legal is None


def test_rows_with_tiles_that_do_not_count_are_left_out():
    part_hidden = dataclasses.replace(ROW.tiles[0], counted=False)
    assert (
        count_picture(
            dataclasses.replace(ROW, tiles=(part_hidden, *ROW.tiles[1:])), reading(*SEEN_ROW)
        ).rows
        == ()
    )
    cut = dataclasses.replace(ROW.rows[0], whole=False)
    assert count_picture(dataclasses.replace(ROW, rows=(cut,)), reading(*SEEN_ROW)).rows == ()


def test_corner_error_is_relative_to_the_width_and_knows_the_reading_direction():
    shifted = count_picture(picture(truth("7R", 100, 100)), reading(seen("7R", 104, 103)))
    assert shifted.tiles[0].corner_error == pytest.approx(5 / 40)
    turned = seen("7R", 100, 100) | {"corners": [*box(100, 100)[2:], *box(100, 100)[:2]]}
    assert count_picture(picture(truth("7R", 100, 100)), reading(turned)).tiles[0].corner_error > 1


def test_three_corners_are_refused():
    with pytest.raises(ValueError, match="expected 4 corners"):
        count_picture(SEVEN, reading(seen("7R", 100, 100) | {"corners": box(0, 0)[:3]}))


def measures(*counts: PictureCount) -> dict[str, tuple[int | None, int]]:
    return {measure.name: (measure.count, measure.of) for measure in summarise(counts)}


def test_the_summary_adds_up():
    perfect = count_picture(SEVEN, reading(seen("7R", 100, 100), seen("J", 200, 100)))
    poor = count_picture(SEVEN, reading(seen("7B", 100, 100, doubtful=True), seen("5K", 300, 200)))
    rows = count_picture(ROW, reading(*SEEN_ROW, melds=(meld(0, 1, 2),)))
    summed = measures(perfect, poor, rows)
    assert summed["photos_exact"] == (2, 3)
    assert summed["tiles_exact"] == (6, 8) and summed["tiles_found"] == (7, 8)
    assert summed["wrong"] == (1, 8) and summed["invented"] == (1, 8) and summed["silent"] == (2, 8)
    assert summed["doubtful"] == (1, 8)  # of the 8 reported
    assert (
        summed["rows_equal"] == (1, 1)
        and summed["illegal_told"] == (1, 1)
        and summed["legal_told"] == (0, 0)
    )
    assert confusions(poor.tiles) == {("7R", "7B"): 1}


def test_invented_tiles_may_outnumber_true_ones():
    count = count_picture(
        picture(truth("7R", 100, 100)), reading(seen("1K", 200, 100), seen("2K", 300, 100))
    )
    (invented,) = (measure for measure in summarise([count]) if measure.name == "invented")
    assert (invented.count, invented.of, invented.high) == (2, 1, 1.0)


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_wilson_agrees_with_published_values(count, of, low, high):
    """Newcombe 1998 (Statistics in Medicine 17), table I, method 3: 81/263 and the ends."""
    assert wilson(count, of) == pytest.approx((low, high), abs=5e-5)


def test_wilson_refuses_more_than_all():
    with pytest.raises(ValueError, match="count=3, of=2"):
        wilson(3, 2)


def test_calibration_error_by_hand():
    tiles = [truth("7R", 50 + 60 * i, 100) for i in range(4)]
    reports = [seen("7R" if i < 2 else "1R", 50 + 60 * i, 100, confidence=0.75) for i in range(4)]
    judged = count_picture(picture(*tiles), reading(*reports)).tiles
    assert [(bin_.of, bin_.exact) for bin_ in reliability(judged)] == [(4, 0.5)]
    assert calibration_error(judged) == pytest.approx(0.25)
    assert calibration_error(()) is None


def perfect_reading(labelled: LabelledPicture) -> dict:
    """Return the JSON of a reader that makes no mistake on a picture."""
    tiles = [
        {"tile": tile.tile, "corners": _quad(tile), "confidence": 1.0, "doubtful": False}
        for tile in labelled.tiles
    ]
    return reading(*tiles, melds=[meld(*row.tiles, valid=row.legal) for row in labelled.rows])


def _quad(tile: LabelledTile) -> list[list[float]]:
    if tile.corners is not None:
        return tile.corners.tolist()
    if tile.outline is None:
        return box(*tile.centre, 10, 14)
    return cv2.boxPoints(cv2.minAreaRect(tile.outline)).tolist()


@needs_photographs
@pytest.mark.parametrize("source", SOURCES)
def test_a_perfect_reading_of_every_labelled_photograph_counts_perfectly(source):
    counted = [
        count_picture(labelled, perfect_reading(labelled)) for labelled in SOURCES[source](None)
    ]
    assert all(count.exact for count in counted)
    for measure in summarise(counted):
        if measure.name in (
            "photos_exact",
            "tiles_exact",
            "tiles_found",
            "rows_equal",
            "legal_told",
            "illegal_told",
        ):
            assert measure.count == measure.of, measure
        elif measure.name in ("wrong", "unread", "invented", "silent", "doubtful"):
            assert measure.count == 0, measure


@st.composite
def tables(draw: st.DrawFn) -> tuple[LabelledPicture, list[dict]]:
    """Draw a picture and arbitrary reports about it, with duplicates, doubts, inventions and unread
    tiles.
    """
    places = st.tuples(st.integers(20, 380), st.integers(20, 280))
    names = st.sampled_from(["7R", "1B", "J", "13K"])
    tiles = [
        truth(draw(names), *draw(places), counted=draw(st.booleans()))
        for _ in range(draw(st.integers(0, 5)))
    ]
    boxes = ((200.0, 0.0, 300.0, 300.0),) if draw(st.booleans()) else ()
    reports = [
        seen(draw(st.none() | names), *draw(places), doubtful=draw(st.booleans()))
        for _ in range(draw(st.integers(0, 6)))
    ]
    return picture(*tiles, ignore=boxes), reports


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_the_reports_never_matters(
    made: tuple[LabelledPicture, list[dict]], shuffle: random.Random
):
    labelled, reports = made
    shuffled = shuffle.sample(reports, len(reports))
    assert measures(count_picture(labelled, reading(*reports))) == measures(
        count_picture(labelled, reading(*shuffled))
    )


@given(tables())
def test_every_counted_tile_has_exactly_one_outcome(made: tuple[LabelledPicture, list[dict]]):
    labelled, reports = made
    count = count_picture(labelled, reading(*reports))
    true = [judged for judged in count.tiles if judged.outcome is not Outcome.INVENTED]
    assert len(true) == measures(count)["tiles_exact"][1]
    assert sum(judged.outcome is not Outcome.MISSED for judged in count.tiles) <= len(reports)
    assert not any(judged.silent for judged in count.tiles if judged.outcome is Outcome.EXACT)
