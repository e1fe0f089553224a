"""Columns whose steps show that cards were missed, and packs with four indices a card."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.samples.__main__ import HAND
from datasets.samples.cards import LEFT, MELDS
from engine import SideName
from engine.pieces import Pieces, card_name
from engine.rulesets import ruleset
from engine.tiles import JOKER, Tile
from vision import Layout, open_reader
from vision.card_pipeline import CardTableReader, _with_read, _without_stray
from vision.cards.columns import Card, on_whole_cards
from vision.cards.from_marks import _each_card_once
from vision.cards.marks import corners_joined, one_card_each
from vision.cards.missed import seen_after_all, with_seen_cards
from vision.cards.sizes import sized_alike
from vision.cards.steps import Gap, find_gaps, gap_filler, seen_twice, without_a_place
from vision.frame import Frame, load
from vision.grouping import Indices
from vision.kinds import CARDS, TILES
from vision.pipeline import Rows, Seen, TableReader

from .test_cards import HEIGHT, MARK, WIDTH, card, mark, outline, placed, surely

STEP = 32.0
CHIP = 20  # pixels, its radius
RIGHT = np.array([[84, 4], [96, 4], [96, 24], [84, 24]], np.float64)  # a mark, top right


def right_mark(x: float, y: float) -> NDArray[np.float32]:
    return placed(RIGHT, x, y, 0)


def narrower(outlines: NDArray[np.float32], marks: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the outlines as a network would give them that takes the cards for half as wide as
    they are.
    """
    middle = marks.mean(axis=1)[:, None, :1]
    told = outlines.copy()
    told[..., :1] = middle + (outlines[..., :1] - middle) / 2
    return told


def joined(quads: list[NDArray[np.float32]], cards: list[NDArray[np.float32]], *faces: str) -> int:
    """Return how many cards are made of these marks when the network takes all cards for too
    narrow.
    """
    marks, scores = np.stack(quads), surely(*faces)
    outlines = sized_alike(marks, narrower(np.stack(cards), marks), scores)
    return len(one_card_each(marks, outlines, scores))


def test_both_upper_corners_of_each_card_in_a_column_are_one_card() -> None:
    faces = ["3R", "4R", "5R", "6R", "7R"]
    places = [(0.0, STEP * at) for at in range(5)]
    quads = [mark(*place) for place in places] + [right_mark(*place) for place in places]
    assert joined(quads, [outline(*place) for place in places] * 2, *faces, *faces) == 5


def test_equal_columns_side_by_side_stay_two() -> None:
    """The free card of each column also shows its opposite corner, which lies nearer to it than the
    other column does.
    """
    faces = ["3R", "4R", "5R", "6R"]
    places = [(x, STEP * at) for x in (0.0, 1.25 * WIDTH) for at in range(4)]
    free = [(x, STEP * 3, 180.0) for x in (0.0, 1.25 * WIDTH)]
    quads = [mark(*place) for place in places] + [mark(*place) for place in free]
    cards = [outline(*place) for place in places] + [outline(*place) for place in free]
    assert joined(quads, cards, *faces, *faces, "6R", "6R") == 8


@pytest.mark.parametrize(("rows", "cards"), [(6, 12), (5, 8)])
def test_many_marks_tell_that_a_pack_has_two_corners(rows: int, cards: int) -> None:
    """Two columns so near that the marks of equal cards may be both upper corners of one card. Of
    ten marks nothing is known, and they are taken for such.
    """
    places = [(x, STEP * at) for x in (0.0, 1.02 * WIDTH) for at in range(rows)]
    faces = ["3R", "4R", "5R", "6R", "7R", "8R"][:rows] + ["3R", "4R", *["9B", "10B", "11B", "12B"]]
    quads, outlines = [mark(*place) for place in places], [outline(*place) for place in places]
    told = surely(*faces[: 2 * rows])
    assert len(one_card_each(np.stack(quads), np.stack(outlines), told)) == cards


def test_a_free_card_of_a_pack_with_four_corners_is_one_card() -> None:
    upside_down = [placed(shape, 0, 0, 180) for shape in (MARK, RIGHT)]
    quads = [mark(), right_mark(0, 0), *upside_down]
    cards = [outline(), outline(), outline(degrees=180), outline(degrees=180)]
    assert joined(quads, cards, "3R", "3R", "3R", "3R") == 1


def test_a_mark_read_upside_down_in_a_free_corner_is_of_the_card() -> None:
    """An 8 is the same upside down, so the network placed its card below this one. The picture is
    taken from the side: the far edge is shorter.
    """
    low = placed(RIGHT, 0, 0, 180)
    marks = [mark(), right_mark(-12, 0), mark(degrees=180), np.roll(low, 2, axis=0)]
    told = [outline(), outline(), outline(degrees=180), outline(0, HEIGHT - 24)]
    quads, outlines, faces = np.stack(marks), np.stack(told), surely(*["8R"] * 4)
    assert one_card_each(quads, outlines, faces) == [[0, 1, 2], [3]]
    assert corners_joined(quads, outlines, faces, [[0, 1, 2], [3]]) == [[0, 1, 2, 3]]
    others = surely("8R", "8R", "8R", "9R")
    assert corners_joined(quads, outlines, others, [[0, 1, 2], [3]]) == [[0, 1, 2], [3]]


@pytest.mark.parametrize(("face", "cards"), [("8R", [[0, 1]]), ("J", [[0], [1]])])
def test_two_marks_each_in_a_corner_of_the_others_card_are_one_card(
    face: str, cards: list[list[int]]
) -> None:
    """Both upper marks of a card are seen, one of them read upside down: one card, but for jollies,
    which may be two that lie side by side.
    """
    quads = np.stack([mark(), np.roll(right_mark(0, 0), 2, axis=0)])
    outlines = np.stack([outline(), outline(0, 24 - HEIGHT, 180)])
    assert one_card_each(quads, outlines, surely(face, face)) == [[0], [1]]
    assert corners_joined(quads, outlines, surely(face, face), [[0], [1]]) == cards


def test_an_equal_card_below_in_the_column_stays_another() -> None:
    marks = [mark(), right_mark(0, 0), mark(0, STEP)]
    told = [outline(), outline(), outline(0, STEP)]
    quads, outlines, faces = np.stack(marks), np.stack(told), surely(*["8R"] * 3)
    assert corners_joined(quads, outlines, faces, [[0, 1], [2]]) == [[0, 1], [2]]


def test_the_size_of_a_jolly_is_that_of_the_cards_beside_it() -> None:
    """Its mark may be of any size, and tells nothing of the card's."""
    tall = placed(np.array([[4, 4], [12, 4], [12, 64], [4, 64]], np.float64), 0, STEP, 0)
    quads = np.stack([mark(), tall, mark(0, 2 * STEP)])
    outlines = np.stack([outline(0, STEP * at) for at in range(3)])
    sized = sized_alike(quads, outlines, surely("3R", "J", "5R"))
    assert np.ptp(sized[1], axis=0) == pytest.approx([WIDTH, HEIGHT], abs=1)


@pytest.mark.parametrize("down", [STEP, 400])
def test_a_jolly_in_a_column_lies_as_the_cards_beside_it(down: float) -> None:
    """The network takes the jolly to lie sideways, as its name does in the corner; it lies as the
    cards beside it. A jolly far from other cards stays as it is.
    """
    middle = mark(0, down).mean(axis=0)
    sideways = middle + (outline(0, down) - middle) @ np.array([[0, -1], [1, 0]])
    outlines = np.stack([outline(), sideways, outline(0, 2 * STEP)]).astype(np.float32)
    quads = np.stack([mark(), mark(0, down), mark(0, 2 * STEP)])
    sized = sized_alike(quads, outlines, surely("3R", "J", "5R"))
    across = sized[1, 1] - sized[1, 0]
    assert (abs(across[0]) > abs(across[1])) == (down == STEP)


def test_cards_with_larger_marks_are_no_larger() -> None:
    """Three of eight cards have marks half as large again, as of another pack."""
    places = [(150.0 * at, 0.0) for at in range(8)]
    scale = np.array([1, 1, 1.5, 1, 1.5, 1, 1.5, 1])[:, None, None]
    quads = np.stack([mark(*place) for place in places])
    quads = quads.mean(axis=1, keepdims=True) + scale * (quads - quads.mean(axis=1, keepdims=True))
    faces = surely("1R", "3R", "5R", "7R", "9R", "11R", "13R", "2B")
    sized = sized_alike(quads, np.stack([outline(*place) for place in places]), faces)
    widths = np.ptp(sized[..., 0], axis=1)
    assert widths.max() / widths.min() < 1.3


def gaps_in(column: list[Card], jolly: int | None = None) -> list[Gap]:
    are_jollies = np.arange(len(column)) == (-1 if jolly is None else jolly)
    return find_gaps([tuple(range(len(column)))], column, are_jollies)


def shrunk(seen: Card, size: float) -> Card:
    """Return the card scaled by `size`, its top left corner where it was."""
    corner = seen.outline[:1]
    outline, marks = (
        (corner + size * (points - corner)).astype(np.float32)
        for points in (seen.outline, seen.marks)
    )
    return Card(outline, marks)


def column_at(*steps: float) -> list[Card]:
    """Make the cards of a column; each of `steps` is a card's distance from its top, in steps."""
    return [card(0, STEP * step) for step in steps]


def test_a_wide_step_tells_of_a_card_that_was_missed() -> None:
    assert gaps_in(column_at(0, 1, 3, 4, 5)) == [Gap(0, 2, 0.5)]
    shares = [gap.share for gap in gaps_in(column_at(0, 1, 2, 5, 6))]
    assert shares == pytest.approx([1 / 3, 2 / 3])


def test_a_step_somewhat_wide_tells_of_a_card_only_where_one_lies() -> None:
    (gap,) = gaps_in(column_at(0, 1, 2.45, 3.45, 4.45))
    assert (gap.before, gap.wide) == (2, False)


@pytest.mark.parametrize("steps", [(0, 1, 2, 3), (0, 1.2, 2.1, 3.4), (0, 2, 3), (0, 1, 2, 9)])
def test_uneven_steps_and_short_columns_tell_nothing(steps: tuple[float, ...]) -> None:
    assert gaps_in(column_at(*steps)) == []


def test_a_wide_step_among_far_cards_is_told_by_their_size() -> None:
    """The cards grow along the column, as towards the camera. The wide step is 1.8 times the usual
    one on the table, but only 1.5 times in the picture.
    """
    sizes = np.array([0.75, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3])
    steps = (sizes[1:] + sizes[:-1]) / 2 * STEP * np.array([1.8, 1, 1, 1, 1, 1])
    assert steps.max() / np.median(steps) < 1.65
    places = np.concatenate([[0.0], steps.cumsum()])
    column = [shrunk(card(0, at), size) for at, size in zip(places, sizes, strict=True)]
    assert [(gap.before, gap.wide) for gap in gaps_in(column)] == [(1, True)]


def test_steps_around_a_jolly_are_told_by_the_cards_before_and_after() -> None:
    """The jolly's mark stands half a step aside, so no step beside it is wide; by the cards before
    and after it one card is missing.
    """
    column = column_at(0, 1.45, 3, 4, 5, 6)
    assert not any(gap.wide for gap in gaps_in(column))
    assert [gap.before for gap in gaps_in(column, jolly=1) if gap.wide] == [2]


def test_a_card_that_lies_in_the_gap_by_itself_fills_it() -> None:
    quads = np.stack([mark(), mark(0, 2 * STEP), mark(3, STEP), mark(70, STEP)])
    step = np.array([0, 2 * STEP], np.float32)
    assert gap_filler(quads, [2, 3], mark(0, STEP), step) == 2
    assert gap_filler(quads, [3], mark(0, STEP), step) is None
    assert gap_filler(quads, [], mark(0, STEP), step) is None


def test_two_of_a_face_on_one_level_of_a_column_are_one_card() -> None:
    """Two cards of one face lie on one level of a column: the right mark of a card with four
    indices was not joined to its left one. Without another card between them and a column of at
    least four the marks stay two cards.
    """
    cards = [*column_at(0, 1), card(80, STEP), *column_at(2, 3)]
    row = (0, 1, 2, 3, 4)
    assert seen_twice([row], cards, surely("4R", "5R", "5R", "6R", "7R")) == {2: 1}
    assert seen_twice([row], cards, surely("4R", "5R", "8R", "6R", "7R")) == {}
    even = column_at(0, 1, 2, 3, 4)
    assert seen_twice([row], even, surely("5R", "5R", "5R", "6R", "6R")) == {}
    assert seen_twice([row[:3]], cards, surely("4R", "5R", "5R", "6R", "7R")) == {}


@pytest.mark.parametrize(
    ("chances", "told"),
    [
        ((0.99, 0.6), {1: 0}),
        ((0.6, 0.99), {0: 1}),
        ((0.6, 0.6), {}),
        ((0.99, 0.96), {}),
    ],
)
def test_an_unsure_find_on_the_level_of_a_sure_card_is_none(
    chances: tuple[float, float], told: dict[int, int]
) -> None:
    """In a column no two cards lie side by side, whatever a mark in another corner is read as."""
    faces = surely("4R", "8R", "5R", "6R", "7R")
    for number, chance in enumerate(chances):
        likeliest = faces[number].argmax()
        faces[number] = np.log((1 - chance) / (faces.shape[1] - 1))
        faces[number, likeliest] = np.log(chance)
    row = tuple(range(5))
    cards = column_at(0, 0.25, 1, 2, 3)
    assert seen_twice([row], cards, faces) == told
    assert seen_twice([row], column_at(0, 1, 2, 3, 4), faces) == {}
    kept, marks, _columns = _each_card_once(cards, [[number] for number in row], faces)
    assert [len(one.marks) for one in kept] == [1] * (5 - len(told))
    assert marks == [[number] for number in row if number not in told]


def two_columns(*steps: float) -> list[Card]:
    """Make three cards at even steps, and the cards of a second column at these numbers of
    steps.
    """
    return [*column_at(0, 1, 2), *(card(300, STEP * step) for step in steps)]


def test_a_short_column_that_is_no_meld_is_compared_with_the_others() -> None:
    none = np.zeros(6, np.bool_)
    rows: list[Indices] = [(0, 1, 2), (3, 4)]
    assert find_gaps(rows, two_columns(0, 2), none, [1]) == [Gap(1, 1, 0.5, True, True)]
    assert find_gaps(rows, two_columns(0, 1.4), none, [1]) == [Gap(1, 1, 0.5, False, True)]
    assert find_gaps(rows, two_columns(0, 1.2), none, [1]) == []
    assert find_gaps(rows, two_columns(0, 2), none) == []
    # With a single step beside it nobody knows which of the two is the usual one.
    assert find_gaps([(0, 1), (3, 4)], two_columns(0, 2), none, [1]) == []
    # Nor where the cards beside it all lie on one place.
    on_one_place = [*column_at(0, 0, 0), *two_columns(0, 2)[3:]]
    assert find_gaps(rows, on_one_place, none, [1]) == []
    assert len(find_gaps([(0, 1, 2), (3, 4, 5)], two_columns(0, 1, 4), none, [1])) == 2


@pytest.mark.parametrize(
    ("column", "count"), [(("6R", "8R"), 6), (("6R", "9R"), 5), (("6R", "8B"), 5)]
)
def test_numbers_two_apart_and_a_somewhat_wide_step_tell_of_a_missed_card(
    reader: TableReader, column: tuple[str, str], count: int
) -> None:
    """A card is missed only where the column is a meld with one more: cards that lie over one
    another by chance are no melds.
    """
    assert isinstance(reader, CardTableReader)
    cards = two_columns(0, 1.4)
    quads = np.stack([card.outline[:1] + mark() - mark()[:1] for card in cards]) + np.float32(200)
    faces = surely("9R", "9B", "9K", *column)
    seen = Seen(np.ones(5, np.float32), quads, faces, Rows([(0, 1, 2), (3, 4)]))
    frame = Frame(np.full((700, 700, 3), 200, np.uint8), 700, 700, 1.0)
    told = reader._with_missed(frame, seen, cards, Layout.MELDS, ruleset("burraco_it"))
    assert len(told.quads) == count


@pytest.mark.parametrize(("first", "count"), [("4R", 4), ("J", 3)])
def test_beneath_a_jolly_no_card_is_looked_for(
    reader: TableReader, monkeypatch: pytest.MonkeyPatch, first: str, count: int
) -> None:
    """A jolly's outline is not told well enough to know what lies beyond its edge."""
    assert isinstance(reader, CardTableReader)
    step = np.float32([0, -STEP])
    monkeypatch.setattr("vision.card_pipeline.card_beneath", lambda *looked_at: step)
    cards = [card(200, 200 + STEP * number) for number in range(3)]
    quads = np.stack([mark(200, 200 + STEP * number) for number in range(3)])
    seen = Seen(np.ones(3, np.float32), quads, surely(first, "5R", "6R"), Rows([(0, 1, 2)]))
    frame = Frame(np.full((500, 500, 3), 200, np.uint8), 500, 500, 1.0)
    told = reader._with_missed(frame, seen, cards, Layout.MELDS, ruleset("burraco_it"))
    assert len(told.quads) == count


def test_a_card_that_the_reader_sees_in_a_gap_is_not_missed_if_it_was_seen() -> None:
    seen = np.stack([mark(0, STEP * step) for step in range(3)])
    in_gaps = np.stack([mark(0, STEP * 1.1), mark(0, STEP * 1.6), mark(300, 0)])
    assert seen_after_all(in_gaps, seen) == {0: 1}
    assert seen_after_all(in_gaps, seen[:0]) == {}


@pytest.mark.parametrize(
    ("rows", "card", "told"),
    [
        ([[0, 9, 1], [2, 3, 4]], 5, [[0, 5, 1], [2, 3, 4]]),  # in no column
        ([[0, 9, 1], [2, 3, 4]], 4, [[0, 4, 1], [2, 3]]),  # at either end of another column
        ([[0, 9, 1], [2, 3, 4]], 2, [[0, 2, 1], [3, 4]]),
        ([[0, 9, 1], [2, 3]], 3, [[0, 3, 1]]),  # a single card makes no column
        ([[0, 9, 1], [2, 3, 4]], 3, [[0, 9, 1], [2, 3, 4]]),  # it is in its own place
        ([[0, 9, 1], [2, 3, 4]], 1, [[0, 9, 1], [2, 3, 4]]),
    ],
)
def test_a_card_at_an_end_of_another_column_fills_the_gap_in_which_it_lies(
    rows: list[list[int]], card: int, told: list[list[int]]
) -> None:
    assert with_seen_cards(rows, {9: card}) == told


def test_of_the_missed_cards_those_seen_elsewhere_are_not_counted_again() -> None:
    quads = np.stack([mark(0, STEP * step) for step in (0, 2, 5, 6, 7)])
    table = Rows([(0, 1), (2, 3, 4)])
    seen = Seen(np.ones(5, np.float32), quads, surely("3R", "5R", "7B", "8B", "J"), table)
    read = np.stack([mark(0, STEP * 4), mark(0, STEP * 7)])
    told = _with_read(seen, [[0, 6, 1], [5, 2, 3, 4]], read, surely("6B", "J"))
    assert told.table.rows == [(0, 4, 1), (5, 2, 3)]
    assert told.joint_scores.tolist() == [1, 1, 1, 1, 1, 0]
    assert np.array_equal(told.quads, np.concatenate([quads, read[:1]]))
    assert np.array_equal(told.faces, np.concatenate([seen.faces, surely("6B")]))


def stray(joint_score: float, face: str | None) -> Seen:
    """Make a column of three cards, and after its first card a find outside it, which cannot be
    read if `face` is None.
    """
    faces = surely("3R", face or "J", "4R", "5R")
    if face is None:
        faces[1] = -np.log(faces.shape[1])
    quads = np.stack([mark(0, STEP * step) for step in range(4)])
    scores = np.array([0.9, joint_score, 0.3, 0.9], np.float32)
    return Seen(scores, quads, faces, Rows([(0, 2, 3)]))


@pytest.mark.parametrize(
    ("joint_score", "face", "is_card"),
    [(0.9, None, False), (0.3, "J", False), (0.6, "J", True), (0.3, "9R", True)],
)
def test_beside_melds_what_cannot_be_read_or_may_be_a_jolly_is_no_card(
    joint_score: float, face: str | None, is_card: bool
) -> None:
    seen = stray(joint_score, face)
    told = _without_stray(seen, Layout.MELDS, CARDS.doubts)
    if is_card:
        assert np.array_equal(told.quads, seen.quads)
        assert told.table.rows == [(0, 2, 3)]
    else:
        assert np.array_equal(told.quads, seen.quads[[0, 2, 3]])
        assert np.array_equal(told.faces, seen.faces[[0, 2, 3]])
        assert np.array_equal(told.joint_scores, seen.joint_scores[[0, 2, 3]])
        assert told.table.rows == [(0, 1, 2)]


@pytest.mark.parametrize(
    ("joint_score", "face", "count"),
    [(0.15, None, 3), (0.25, None, 4), (0.0, None, 4), (0.15, "J", 4), (0.15, "5R", 4)],
)
def test_a_faint_find_among_loose_cards_that_cannot_be_read_is_no_card(
    joint_score: float, face: str | None, count: int
) -> None:
    """One without any score was not found, but is asked for."""
    seen = stray(joint_score, face)
    told = _without_stray(seen, Layout.LOOSE, CARDS.doubts)
    assert len(told.quads) == count
    seen = replace(seen, table=Rows([(0, 1), (2, 3)]))
    told = _without_stray(seen, Layout.LOOSE, CARDS.doubts)
    assert told.table.rows == ([(1, 2)] if count == 3 else [(0, 1), (2, 3)])


def test_in_a_blurred_picture_nothing_is_dropped() -> None:
    seen = stray(0.9, None)
    seen.faces[[2, 3]] = seen.faces[1]
    assert len(_without_stray(seen, Layout.MELDS, CARDS.doubts).quads) == 4
    nothing = Seen(seen.joint_scores[:0], seen.quads[:0], seen.faces[:0], Rows([]))
    assert len(_without_stray(nothing, Layout.MELDS, CARDS.doubts).quads) == 0


def test_two_of_a_face_half_a_step_apart_by_themselves_are_one_card() -> None:
    rows: list[Indices] = [(0, 1, 2), (3, 4)]
    alike = surely("4R", "5R", "6R", "7R", "7R")
    unlike = surely("4R", "5R", "6R", "7R", "8R")
    assert seen_twice(rows, two_columns(0, 0.5), alike) == {4: 3}
    assert seen_twice(rows, two_columns(0, 0.5), unlike) == {}
    assert seen_twice(rows, two_columns(0, 1), alike) == {}
    assert seen_twice([(3, 4)], two_columns(0, 0.5), alike) == {}


def without_place(*steps: float, jolly: int) -> set[int]:
    column = column_at(*steps)
    return without_a_place([tuple(range(len(column)))], column, np.arange(len(column)) == jolly)


def test_a_jolly_between_two_cards_a_step_apart_is_none() -> None:
    assert without_place(0, 1, 1.5, 2, 3, 4, jolly=2) == {2}
    assert without_place(0, 1, 2, 3, 4, jolly=2) == set()
    assert without_place(0, 0.5, 1, jolly=1) == set()  # no other step tells the usual one
    column = column_at(0, 1, 1.5, 2, 3, 4)
    whole = np.stack([mark(0, 1.5 * STEP), mark(0, 1.5 * STEP, 180)]).mean(axis=1)
    column[2] = replace(column[2], marks=whole)
    assert without_a_place([(0, 1, 2, 3, 4, 5)], column, np.arange(6) == 2) == set()


def test_what_has_no_place_in_its_column_is_dropped() -> None:
    cards = column_at(0, 1, 1.5, 2, 3, 4)
    faces = surely("3R", "4R", "J", "5R", "6R", "7R")
    groups = [[number] for number in range(6)]
    kept, marks, columns = _each_card_once(cards, groups, faces)
    assert marks == [[0], [1], [3], [4], [5]]
    assert (len(kept), columns) == (5, [(0, 1, 2, 3, 4)])


def test_a_jolly_that_is_seen_twice_is_kept_once() -> None:
    cards = column_at(0, 0.25, 1, 2, 3)
    groups = [[number] for number in range(5)]
    kept, marks, columns = _each_card_once(cards, groups, surely("J", "J", "5R", "6R", "7R"))
    assert marks == [[0, 1], [2], [3], [4]]
    assert (len(kept), columns) == (4, [(0, 1, 2, 3)])
    assert [len(card.marks) for card in kept] == [2, 1, 1, 1]


def test_a_jolly_close_to_the_end_of_a_column_is_none() -> None:
    assert without_place(0, 1, 2, 2.3, jolly=3) == {3}
    assert without_place(0, 0.3, 1.3, 2.3, jolly=0) == {0}
    assert without_place(0, 1, 2, 2.6, jolly=3) == set()


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return open_reader(pieces=Pieces.CARDS)


@pytest.mark.parametrize("side", ["A", "B"])
def test_the_melds_of_the_sample_are_read_column_by_column(
    reader: TableReader, side: SideName
) -> None:
    reading = reader.read(HAND / "cards" / f"melds-{side.lower()}.jpg")
    names = [tile.tile and card_name(tile.tile) for tile in reading.tiles]
    read = [tuple(names[card] for card in meld.tiles) for meld in reading.melds]
    assert sorted(map(str, read)) == sorted(map(str, MELDS[side].columns))
    assert not any(tile.doubtful for tile in reading.tiles)


@pytest.mark.parametrize("side", ["A", "B"])
def test_what_is_left_in_the_sample_is_read(reader: TableReader, side: SideName) -> None:
    reading = reader.read(HAND / "cards" / f"rack-{side.lower()}.jpg", Layout.LOOSE)
    names = [tile.tile and card_name(tile.tile) for tile in reading.tiles]
    assert sorted(map(str, names)) == sorted(LEFT[side].loose)


def test_a_whole_run_has_no_place_for_a_missed_card(reader: TableReader) -> None:
    """A wide step in a set may hide a card; between the cards of a legal run there is none."""
    assert isinstance(reader, CardTableReader)
    cards = column_at(0, 1, 3, 4, 5)
    quads = np.stack([mark(0, STEP * step) for step in (0, 1, 3, 4, 5)]) + np.float32(200)
    frame = Frame(np.full((500, 500, 3), 200, np.uint8), 500, 500, 1.0)
    for faces, layout, count in (
        (("3R", "4R", "5R", "6R", "7R"), Layout.MELDS, 5),
        (("3R", "4R", "5R", "6R", "7R"), Layout.LOOSE, 6),
        (("3R", "4R", "6R", "7R", "8R"), Layout.MELDS, 6),
        (("3R", "3B", "3K", "3Y", "3R"), Layout.MELDS, 6),
        # A 2 may be wild and stand for the 3, but at the wide step no 3 is seen.
        (("1R", "2R", "4R", "5R", "6R"), Layout.MELDS, 6),
    ):
        seen = Seen(np.ones(5, np.float32), quads, surely(*faces), Rows([(0, 1, 2, 3, 4)]))
        told = reader._with_missed(frame, seen, cards, layout, ruleset("burraco_it"))
        assert len(told.quads) == count


@pytest.mark.parametrize(("layout", "told"), [(Layout.MELDS, JOKER), (Layout.LOOSE, None)])
def test_where_the_mark_of_a_card_cannot_be_seen_a_jolly_is_likeliest_in_a_meld(
    reader: TableReader, layout: Layout, told: Tile | None
) -> None:
    """A chip lies on the mark. A person is asked to look at the card, and where no melds lie no
    face is claimed.
    """
    frame = load(HAND / "cards" / "melds-a.jpg")
    (joker,) = (card for card in reader.read(frame).tiles if card.tile == JOKER)
    chip = joker.corners.mean(axis=0).astype(int).tolist()
    covered = cv2.circle(frame.pixels.copy(), chip, CHIP, (40, 110, 60), -1)
    cards = reader.read(replace(frame, pixels=covered), layout).tiles
    assert (cards[-1].tile, cards[-1].doubtful) == (told, True)
    assert not any(card.doubtful for card in cards[:-1])


def test_small_faces_are_other_ones_of_cards_than_of_tiles(reader: TableReader) -> None:
    assert reader.detector.config.small_face == CARDS.small_face < TILES.small_face


def test_a_faint_mark_on_a_card_seen_whole_is_no_card() -> None:
    """A faint mark on a card seen whole, such as the name printed on a jolly, is no card. On a card
    that shows one corner another card may lie, and a sure mark is a card anywhere.
    """
    marks = np.stack([mark(), mark(degrees=180)]).mean(axis=1)
    whole, corner = Card(outline(), marks), card(300)
    faint = Card(outline(20, 20), np.float32([[5, 5]]), sure=False)
    beside = Card(outline(20, 20), np.float32([[80, 5]]), sure=False)
    on_corner = Card(outline(300, 20), np.float32([[300, 5]]), sure=False)
    cards = [whole, corner, faint, beside, on_corner, replace(faint, sure=True)]
    assert on_whole_cards(cards).tolist() == [False, False, True, False, False, False]


def test_sizes_of_marks_tell_nothing_in_a_pack_with_large_and_small_ones() -> None:
    """Large marks left above, small ones right below; all cards are of one size."""
    places = [(150.0 * at, 0.0) for at in range(8)]
    quads = np.stack([mark(*place) for place in places])
    scale = np.where(np.arange(8) % 2, 2.0, 1.0)[:, None, None]
    quads = quads.mean(axis=1, keepdims=True) + scale * (quads - quads.mean(axis=1, keepdims=True))
    faces = surely("1R", "3R", "5R", "7R", "9R", "11R", "13R", "2B")
    sized = sized_alike(
        quads.astype(np.float32), np.stack([outline(*place) for place in places]), faces
    )
    assert np.ptp(sized[..., 0], axis=1) == pytest.approx(np.full(8, WIDTH), rel=0.03)
