"""Which cards beside a column of cards belong to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.pieces import Pieces
from engine.rulesets import ruleset
from vision import open_reader
from vision.cards.card import Card
from vision.cards.from_marks import FAINTEST_AT_END, FaintMarks
from vision.cards.marks import confirmed, one_card_each
from vision.cards.melds import (
    beyond_ends,
    inside_gaps,
    with_cards_in_line,
    with_cards_over,
    with_columns_in_line,
    with_jollies_beyond,
    with_loose_cards,
    with_melds_of_loose_cards,
)
from vision.cards.pipeline import CardTableReader
from vision.grouping import Indices
from vision.seen import Rows, Seen

from .test_marks import HEIGHT, card, mark, outline, surely
from .test_steps import STEP, column_at


def in_order(row: Indices) -> bool:
    """Stand in for the rules: legal is a row of three cards or more, numbered down the column."""
    return len(row) > 2 and list(row) == sorted(row)


NO_JOLLIES = np.zeros(4, np.bool_)


def test_a_card_beside_a_column_that_makes_it_a_meld_belongs_to_it() -> None:
    cards = [*column_at(0, 1, 2), card(300, 0), card(300, STEP)]
    assert with_loose_cards([(0, 1), (3, 4)], cards, in_order) == [(0, 1, 2), (3, 4)]
    assert with_loose_cards([(0, 2)], cards, in_order) == [(0, 1, 2)]
    assert with_loose_cards([(1, 2)], cards, in_order) == [(0, 1, 2)]


def test_a_card_aside_of_a_column_or_one_that_makes_no_meld_stays_loose() -> None:
    aside = [*column_at(0, 1), card(80, 2 * STEP)]
    assert with_loose_cards([(0, 1)], aside, in_order) == [(0, 1)]
    assert with_loose_cards([(0, 1)], column_at(1, 2, 0), in_order) == [(0, 1)]
    assert with_loose_cards([(0, 1, 2)], column_at(0, 1, 2, 3), in_order) == [(0, 1, 2)]


def test_a_mark_one_step_beyond_either_end_is_told() -> None:
    marks = np.stack([mark(0, -STEP), mark(200, 0), mark(2, 2 * STEP)]).mean(axis=1)
    (before, after) = beyond_ends((0, 1), column_at(0, 1), marks)
    assert before[:2] == (0, False) and after[:2] == (2, True)
    assert np.allclose(before[2], [0, -STEP]) and np.allclose(after[2], [0, STEP])
    assert beyond_ends((0, 1), column_at(0, 1), marks[1:2]) == []
    assert beyond_ends((0, 1), column_at(0, 1), marks[:0]) == []


def test_no_mark_beyond_a_card_seen_whole_is_told() -> None:
    marks = np.stack([mark(0, -STEP), mark(0, 2 * STEP)]).mean(axis=1)
    under, free = column_at(0, 1)
    both_ends = np.stack([mark(0, STEP), mark(0, STEP, 180)]).mean(axis=1)
    found = beyond_ends((0, 1), [under, replace(free, marks=both_ends)], marks)
    assert [(number, at_free_end) for number, at_free_end, _step in found] == [(0, False)]


@pytest.mark.parametrize("free", [True, False])
def test_cards_in_line_with_a_column_belong_to_it_whatever_they_are(free: bool) -> None:
    """Two single cards lie in line with a column, and one card between was missed."""
    steps = (0, 1, 2, 4, 6) if free else (6, 5, 4, 2, 0)
    cards = column_at(*((0, 1, 2) if free else (4, 5, 6)))
    cards += [card(3, STEP * step) for step in steps[3:]]
    row: Indices = (0, 1, 2)
    assert with_cards_in_line([row], cards) == [(*row, 3, 4) if free else (4, 3, *row)]


@pytest.mark.parametrize(
    ("x", "laid"),
    [(60, [(0, 1, 2, 3)]), (5, [(0, 1, 2)]), (100, [(0, 1, 2)])],
)
def test_a_card_over_a_meld_that_makes_it_longer_belongs_to_it(
    x: float, laid: list[Indices]
) -> None:
    """What lies just on a card of the meld is a mark on it; a card farther away lies by itself."""
    cards = [*column_at(0, 1, 2), card(x, 2 * STEP)]
    assert with_cards_over([(0, 1, 2)], cards, [3], NO_JOLLIES, in_order) == laid
    assert with_cards_over([(0, 1, 2)], cards, [], NO_JOLLIES, in_order) == [(0, 1, 2)]
    assert with_cards_over([(0, 1)], cards, [3], NO_JOLLIES, in_order) == [(0, 1)]


@pytest.mark.parametrize(
    ("step", "is_jolly", "belongs"), [(2, False, True), (2, True, False), (1, False, False)]
)
def test_a_card_seen_whole_on_the_free_card_of_a_meld_belongs_to_it(
    step: int, is_jolly: bool, belongs: bool
) -> None:
    """One on a covered card does not, nor a jolly: words in two corners look like its marks."""
    seen = card(5, step * STEP)
    corners = np.stack([mark(5, step * STEP), mark(5, step * STEP, 180)]).mean(axis=1)
    cards = [*column_at(0, 1, 2), replace(seen, marks=corners)]
    jollies = np.array([False, False, False, is_jolly])

    def any_order(row: Indices) -> bool:
        return len(row) > 2

    (row,) = with_cards_over([(0, 1, 2)], cards, [3], jollies, any_order)
    assert (3 in row) == belongs


@pytest.mark.parametrize(
    ("x", "steps", "laid"),
    [(45, 4.4, [(0, 1, 2, 3)]), (70, 4.4, [(0, 1, 2)]), (45, -2.4, [(0, 1, 2)])],
)
def test_a_card_beyond_a_meld_and_somewhat_aside_that_makes_it_longer_belongs_to_it(
    x: float, steps: float, laid: list[Indices]
) -> None:
    """One farther aside does not, nor one at the end at which it would make no meld."""
    cards = [*column_at(0, 1, 2), card(x, STEP * steps)]
    assert with_cards_in_line([(0, 1, 2)], cards) == [(0, 1, 2)]
    assert with_cards_over([(0, 1, 2)], cards, [3], NO_JOLLIES, in_order) == laid


def test_a_faint_mark_that_makes_a_card_makes_no_second_one() -> None:
    quads = np.stack([mark(), mark(300, 0)])
    faint = FaintMarks(quads, np.array([0.2, 0.3], np.float32), surely("J", "J"))
    one = Card(outline(), quads[:1].mean(axis=1))
    both = Card(outline(300, 0), quads.mean(axis=1))
    assert faint.without([one, both]).joint_scores.tolist() == faint.joint_scores[1:].tolist()
    assert len(faint.without([one, card(300, 0)]).joint_scores) == 0
    nothing = FaintMarks(quads[:0], faint.joint_scores[:0], faint.faces[:0])
    assert len(nothing.without([one]).quads) == 0


@pytest.mark.parametrize("apart", [1.0, 3.0])
def test_two_cards_with_a_faint_jolly_between_them_are_a_meld_in_doubt(apart: float) -> None:
    """Two that lie far from it are not."""
    reader = open_reader(pieces=Pieces.CARDS)
    assert isinstance(reader, CardTableReader)
    laid = [card(), card(0, apart * 0.8 * HEIGHT)]
    quads = np.stack([one.outline[:1] + mark() - mark()[:1] for one in laid])
    faces = surely("7R", "9R")
    seen = Seen(np.ones(2, np.float32), quads, faces, Rows([]))
    jolly = FaintMarks(quads.mean(axis=0)[None], np.array([0.2], np.float32), surely("J"))
    told, cards = reader._as_melds(seen, laid, jolly, ruleset("burraco_it"))
    is_meld = apart == 1.0
    assert [sorted(row) for row in told.table.rows] == ([[0, 1, 2]] if is_meld else [])
    assert len(cards) == len(told.joint_scores) == (3 if is_meld else 2)
    assert told.in_doubt == ({0, 1, 2} if is_meld else set())


def test_a_card_that_is_joined_to_a_meld_it_lies_over_is_in_doubt() -> None:
    reader = open_reader(pieces=Pieces.CARDS)
    assert isinstance(reader, CardTableReader)
    laid = [*column_at(0, 1, 2), card(60, 2 * STEP)]
    quads = np.stack([one.outline[:1] + mark() - mark()[:1] for one in laid])
    faces = surely("3R", "4R", "5R", "6R")
    seen = Seen(np.ones(4, np.float32), quads, faces, Rows([(0, 1, 2)]))
    none = FaintMarks(quads[:0], np.zeros(0, np.float32), faces[:0])
    told, _cards = reader._as_melds(seen, laid, none, ruleset("burraco_it"))
    assert told.table.rows == [(0, 1, 2, 3)]
    assert told.in_doubt == {3}


@pytest.mark.parametrize(("x", "steps"), [(60, 3), (0, 5), (0, 0.9), (200, 1)])
def test_cards_aside_far_away_or_between_are_by_themselves(x: float, steps: float) -> None:
    cards = [*column_at(0, 1, 2), card(x, STEP * steps)]
    assert with_cards_in_line([(0, 1, 2)], cards) == [(0, 1, 2)]


def test_loose_cards_near_one_another_that_are_a_meld_are_told_as_one() -> None:
    cards = [*column_at(0, 1, 2), card(30, 10, 8), card(60, 40, -5), card(45, 75, 4), card(300, 0)]
    assert with_melds_of_loose_cards([(0, 1, 2)], cards, in_order) == [(0, 1, 2), (3, 4, 5)]
    assert with_melds_of_loose_cards([(0, 1, 2), (4, 5)], cards, in_order)[2:] == []
    apart = [*cards[:4], card(460, 40), card(620, 75)]
    assert with_melds_of_loose_cards([(0, 1, 2)], apart, in_order) == [(0, 1, 2)]

    def never(_row: Indices) -> bool:
        return False

    assert with_melds_of_loose_cards([], cards, never) == []


def test_a_jolly_whose_mark_stands_where_the_next_card_has_its_mark_belongs_to_the_meld() -> None:
    """Its outline is told wrongly: another mark of it is a word."""
    cards = column_at(0, 1, 2)
    here = mark(2, 3 * STEP).mean(axis=0)
    jolly = Card(outline(40, 3.5 * STEP, 70), np.stack([here, here + 90]))
    assert with_jollies_beyond([(0, 1, 2)], [*cards, jolly], [3], in_order) == [(0, 1, 2, 3)]
    assert with_jollies_beyond([(0, 1, 2)], [*cards, jolly], [], in_order) == [(0, 1, 2)]
    assert with_jollies_beyond([(2, 1, 0)], [*cards, jolly], [3], in_order) == [(2, 1, 0)]
    away = replace(jolly, marks=jolly.marks + [0, 0.6 * STEP])
    assert with_jollies_beyond([(0, 1, 2)], [*cards, away], [3], in_order) == [(0, 1, 2)]


def test_columns_of_which_one_covers_the_end_of_the_other_are_one() -> None:
    cards = column_at(0, 1, 2, 3, 4, 5)
    none = np.zeros(6, np.bool_)
    assert with_columns_in_line([(3, 4, 5), (0, 1, 2)], cards, none) == [(0, 1, 2, 3, 4, 5)]
    assert with_columns_in_line([(0, 1), (4, 5), (2, 3)], cards, none) == [(0, 1, 2, 3, 4, 5)]


def test_a_jolly_that_seems_to_lie_elsewhere_does_not_part_a_column() -> None:
    """The jolly seems to lie elsewhere than it does; the cards before and after it are two steps
    apart.
    """
    cards = [*column_at(0, 1), card(70, 1.3 * STEP), *column_at(3, 4)]
    jolly = np.arange(5) == 2
    assert with_columns_in_line([(0, 1, 2), (3, 4)], cards, jolly) == [(0, 1, 2, 3, 4)]
    without = np.zeros(5, np.bool_)
    assert with_columns_in_line([(0, 1, 2), (3, 4)], cards, without) == [(0, 1, 2), (3, 4)]


@pytest.mark.parametrize(("x", "further"), [(0, 6.5), (60, 2), (0, -1), (0, 1.2)])
def test_columns_that_lie_apart_stay_two(x: float, further: float) -> None:
    """The second column lies a card's height away or more, to the side, before the first one, or
    over it.
    """
    cards = [*column_at(0, 1), card(x, STEP * further), card(x, STEP * (further + 1))]
    assert len(with_columns_in_line([(0, 1), (2, 3)], cards, np.zeros(4, np.bool_))) == 2


def test_a_column_that_begins_where_another_ends_goes_on() -> None:
    """Its first card hardly lies over the last one of the other."""
    cards = [*column_at(0, 1), card(0, STEP * 5.3), card(0, STEP * 6.3)]
    none = np.zeros(4, np.bool_)
    assert with_columns_in_line([(0, 1), (2, 3)], cards, none) == [(0, 1, 2, 3)]


def test_columns_of_one_card_but_for_jollies_are_left_alone() -> None:
    cards, jollies = column_at(0, 1, 2, 3), np.array([False, True, False, False])
    assert len(with_columns_in_line([(0, 1), (2, 3)], cards, jollies)) == 2


def test_a_mark_in_the_middle_of_a_wide_step_is_told() -> None:
    marks = np.stack([mark(0, 2 * STEP), mark(60, 2 * STEP)]).mean(axis=1)
    (found,) = inside_gaps((0, 1, 2), column_at(0, 1, 3), marks)
    assert found[:2] == (0, 2) and np.allclose(found[2], [0, STEP])
    assert inside_gaps((0, 1, 2), column_at(0, 1, 3), marks[1:]) == []
    assert inside_gaps((0, 1, 2), column_at(0, 1, 3), marks[:0]) == []
    assert inside_gaps((0, 1, 2), column_at(0, 2, 4), marks) == []  # all steps are alike
    assert inside_gaps((0, 1), column_at(1, 3), marks) == []  # nothing tells the usual step


def test_two_marks_across_a_card_that_both_tell_it_confirm_each_other() -> None:
    quads = np.stack([mark(), mark(degrees=180), mark(300, 0), mark(600, 0), mark(600, 90, 180)])
    told = [
        outline(),
        outline(degrees=180),
        outline(300, 0),
        outline(600, 0),
        outline(600, 90, 180),
    ]
    assert confirmed(quads, np.stack(told)).tolist() == [True, True, False, False, False]
    assert confirmed(quads[:0], np.stack(told)[:0]).tolist() == []


def test_a_third_mark_is_no_corner_of_a_card_that_shows_both() -> None:
    """A card of the same face lies beside, nearly where a third corner would be."""
    quads = np.stack([mark(), mark(degrees=180), mark(80, 40)])
    outlines = np.stack([outline(), outline(degrees=180), outline(80, 40)])
    assert one_card_each(quads, outlines, surely("2K", "2K", "2K")) == [[0, 1], [2]]


@pytest.mark.parametrize(("face", "cards"), [("J", 4), ("4R", 3)])
def test_a_meld_has_perhaps_a_jolly_in_a_wide_step(face: str, cards: int) -> None:
    """Another faint mark there is no jolly: it is left to the step that looks at the gap itself."""
    reader = open_reader(pieces=Pieces.CARDS)
    assert isinstance(reader, CardTableReader)
    quads = np.stack([mark(0, STEP * step) for step in (0, 1, 3)])
    seen = Seen(np.ones(3, np.float32), quads, surely("9R", "9B", "9K"), Rows([(0, 1, 2)]))
    faint = FaintMarks(mark(0, 2 * STEP)[None], np.array([0.2], np.float32), surely(face))
    told, _cards = reader._as_melds(seen, column_at(0, 1, 3), faint, ruleset("burraco_it"))
    assert [len(row) for row in told.table.rows] == [cards]
    if cards == 4:
        assert told.table.rows == [(0, 1, 3, 2)]


@pytest.mark.parametrize(
    ("face", "score", "step", "cards"),
    [
        ("J", 0.2, 3, 4),
        ("J", FAINTEST_AT_END * 0.9, 3, 3),
        ("9Y", 0.2, 3, 3),
        ("6R", 0.2, 3, 3),
        ("2R", 0.2, -1, 4),
        ("2R", FAINTEST_AT_END * 0.9, -1, 3),
        ("9Y", 0.2, -1, 3),
    ],
)
def test_a_meld_goes_on_perhaps_with_a_jolly_or_on_the_bare_table(
    face: str, score: float, step: float, cards: int
) -> None:
    """A faint mark beyond the end of a meld is added as a jolly, if it is not too faint. Any other
    card that makes the meld longer is added where the mark lies on no card.
    """
    reader = open_reader(pieces=Pieces.CARDS)
    assert isinstance(reader, CardTableReader)
    laid = column_at(0, 1, 2)
    quads = np.stack([mark(0, STEP * step) for step in range(3)])
    seen = Seen(np.ones(3, np.float32), quads, surely("3R", "4R", "5R"), Rows([(0, 1, 2)]))
    faint = FaintMarks(mark(0, step * STEP)[None], np.array([score], np.float32), surely(face))
    told, all_cards = reader._as_melds(seen, laid, faint, ruleset("burraco_it"))
    assert [len(row) for row in told.table.rows] == [cards]
    assert len(all_cards) == len(told.quads) == cards


@pytest.mark.parametrize(
    ("face", "score", "cards"), [("5R", 0.05, 3), (None, 0.05, 2), (None, 0.2, 3)]
)
def test_what_completes_a_meld_is_fainter_where_its_face_is_read(
    face: str | None, score: float, cards: int
) -> None:
    reader = open_reader(pieces=Pieces.CARDS)
    assert isinstance(reader, CardTableReader)
    quads = np.stack([mark(0, STEP * step) for step in range(2)])
    seen = Seen(np.ones(2, np.float32), quads, surely("3R", "4R"), Rows([(0, 1)]))
    faces = surely(face) if face else np.full((1, 53), -np.log(53), np.float32)
    faint = FaintMarks(mark(0, 2 * STEP)[None], np.array([score], np.float32), faces)
    told, _cards = reader._as_melds(seen, column_at(0, 1), faint, ruleset("burraco_it"))
    assert [len(row) for row in told.table.rows] == [cards]


def test_two_marks_confirm_each_other_only_where_they_are_alike() -> None:
    quads = np.stack([mark(), mark(degrees=180)])
    told = np.stack([outline(), outline(degrees=180)])
    assert confirmed(quads, told, np.array([[True, True], [True, True]])).all()
    assert not confirmed(quads, told, np.array([[True, False], [False, True]])).any()
