"""Where the ends of columns are looked at, and the cards that are told to lie beyond."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.rulesets import ruleset
from engine.tiles import FACE_INDEX, JOKER
from tests.face_scores import Probabilities, log_probabilities
from tests.places import SAMPLES
from tests.vision.cards.test_marks import surely
from vision.cards.card import Card
from vision.cards.column_ends import (
    CARD,
    CLASSES,
    JOLLY,
    LIKELY,
    LIKELY_JOLLY,
    LIKELY_LONGER,
    LIKELY_LOOSE,
    NOTHING,
    PERHAPS,
    SURELY_JOLLY,
    Beyond,
    ColumnEnds,
    End,
    at_end,
    card_at,
    ends_of,
    with_cards_there,
    with_columns_there,
)
from vision.cards.known_marks import KnownMarks, NearMarks
from vision.cards.pipeline import CardTableReader
from vision.frame import Frame
from vision.modelfile import MANIFEST
from vision.pyramid import Picture
from vision.reading import Layout
from vision.seen import Rows, Seen

UPRIGHT = np.array([[0, 0], [100, 0], [100, 140], [0, 140]], np.float32)
MARK = np.array([[5, 5], [20, 5], [20, 30], [5, 30]], np.float32)
PICTURE = np.zeros((900, 900, 3), np.uint8)
NONE_KNOWN = KnownMarks([], [], np.zeros((0, 4, 2), np.float32))


def card(x: float, y: float) -> Card:
    """An upright card of 100 x 140 pixels with its upper left corner at `x`, `y`."""
    return Card(UPRIGHT + np.array([x, y], np.float32), np.array([[x + 12, y + 17]], np.float32))


def end(free: bool = True, number: int = 0) -> End:
    """The lower end of a column whose cards lie 30 pixels apart."""
    return End(number, free, card(300, 300), card(300, 330), MARK + np.array([300, 330], "f4"))


def marks_of(cards: list[Card]) -> NDArray[np.float32]:
    """The quads of the marks of upright cards, (n, 4, 2)."""
    return np.array([MARK + one.outline[0] for one in cards], np.float32)


class Told(ColumnEnds):
    """Tells one thing after another of every end it is asked about."""

    def __init__(self, *shown: Probabilities) -> None:
        self.shown, self.asked = list(shown), list[NDArray[np.float32]]()
        self.marks: Sequence[NearMarks] = []

    def look(
        self, picture: Picture, quads: NDArray[np.float32], marks: Sequence[NearMarks]
    ) -> NDArray[np.float32]:
        self.asked.append(quads)
        self.marks = marks
        shown = self.shown.pop(0) if len(quads) else {}
        return log_probabilities([shown] * len(quads), len(CLASSES))


@pytest.mark.parametrize(
    ("step", "middle", "right"),
    [
        ((0, 30), (350, 440), (140, 0)),
        ((0, -30), (350, 300), (-140, 0)),
        ((25, 0), (400, 370), (0, -140)),
        ((-25, 3), (300, 370), (0, 140)),
    ],
    ids=["down", "up", "to the right", "to the left"],
)
def test_an_end_is_looked_at_outwards_and_never_mirrored(
    step: tuple[float, float], middle: tuple[float, float], right: tuple[float, float]
) -> None:
    square = at_end(card(300 - step[0], 300 - step[1]), card(300, 300))
    assert square.mean(axis=0).tolist() == pytest.approx(middle)
    assert (square[1] - square[0]).tolist() == pytest.approx(right)
    down = square[3] - square[0]
    assert np.linalg.det([right, down]) == pytest.approx(140 * 140)
    assert float(down @ np.array(step)) > 0


@pytest.mark.parametrize(("nothing", "missed"), [(0.75, 0), (0.65, 1)])
def test_what_probably_is_nothing_is_no_card(nothing: float, missed: int) -> None:
    told = Told({NOTHING: nothing, CARD: 1 - nothing})
    assert len(told.perhaps_missed(PICTURE, [end()], NONE_KNOWN)) == missed


def test_where_no_column_is_there_is_no_end() -> None:
    assert ColumnEnds.perhaps_missed(Told(), PICTURE, [], NONE_KNOWN) == []


def test_a_card_beyond_an_end_lies_a_step_further() -> None:
    told = Told({JOLLY: 0.1, CARD: 0.8, NOTHING: 0.1})
    ends = [end(number=4), end(free=False, number=5)]
    one, two = told.perhaps_missed(PICTURE, ends, NONE_KNOWN)
    missed, other = one.end, two.end
    assert missed.mark.tolist() == (MARK + np.array([300, 360])).tolist()
    assert missed.last.middle.tolist() == [350, 430]
    assert (missed.column, missed.free, other.column, other.free) == (4, True, 5, False)
    assert one.jolly == pytest.approx(0.6, abs=1e-4)
    assert one.nothing == pytest.approx(0.1, abs=1e-4)
    assert [quads[0, :, 1].max() for quads in told.asked] == [540]


def test_the_marks_of_the_last_card_are_shown_as_its_own() -> None:
    """The covered card is the last one of the upper end: the marks of both show there."""
    cards = [card(300, 300), card(300, 330)]
    marks = marks_of(cards)
    told = Told({NOTHING: 1.0})
    upper = End(0, False, cards[1], cards[0], marks[0])
    told.perhaps_missed(PICTURE, [upper], KnownMarks([(0, 1)], cards, marks))
    (shown,) = told.marks
    assert shown.quads.tolist() == marks.tolist() and shown.own.tolist() == [True, False]


def test_a_card_beyond_the_edge_of_the_picture_is_not_missed() -> None:
    told = Told({CARD: 1.0}, {CARD: 1.0})
    assert len(told.perhaps_missed(PICTURE[:380], [end()], NONE_KNOWN)) == 1
    assert told.perhaps_missed(PICTURE[:370], [end()], NONE_KNOWN) == []


@pytest.mark.parametrize(
    ("place", "there"),
    [((303, 368), 2), ((300, 390), None), ((300, 340), None), ((330, 360), None)],
    ids=["there", "a step further", "between", "aside"],
)
def test_a_card_that_was_seen_is_not_missed(place: tuple[float, float], there: int | None) -> None:
    cards = [card(300, 300), card(300, 330), card(*place)]
    assert card_at(end().longer(), cards, marks_of(cards)) == there


def test_of_two_cards_near_the_place_it_is_the_nearer() -> None:
    cards = [card(300, 300), card(300, 330), card(300, 374), card(301, 360)]
    assert card_at(end().longer(), cards, marks_of(cards)) == 3


def test_a_card_whose_mark_was_seen_there_is_not_missed_wherever_it_seems_to_lie() -> None:
    cards = [card(300, 300), card(300, 330), card(260, 420)]
    marks = marks_of(cards)
    marks[2] = MARK + np.array([302, 362])
    assert card_at(end().longer(), cards, marks) == 2


def test_an_end_is_asked_about_unless_it_is_a_jolly_or_a_card_was_put_in_beside_it() -> None:
    cards = [card(300, 300 + 30 * k) for k in range(4)]
    marks = marks_of(cards)
    no_jolly = np.zeros(4, np.bool_)
    both = ends_of([(0, 1, 2)], [[0, 1, 2]], cards, marks, no_jolly)
    assert [(one.free, one.before, one.last) for one in both] == [
        (False, cards[1], cards[0]),
        (True, cards[1], cards[2]),
    ]
    assert [one.mark.tolist() for one in both] == marks[[0, 2]].tolist()
    (free,) = ends_of([(0, 1, 2)], [[0, 9, 1, 2]], cards, marks, no_jolly)
    assert free.free
    (covered,) = ends_of([(0, 1, 2)], [[0, 1, 2]], cards, marks, np.arange(4) == 2)
    assert not covered.free


@pytest.mark.parametrize(
    ("columns", "melds", "filled", "joined"),
    [
        ([[0, 1]], {(0, 1, 2)}, [[0, 1, 2]], {2}),
        ([[0, 5, 1]], {(0, 4, 1, 2)}, [[0, 5, 1, 2]], {2}),
        ([[0, 1]], set(), [[0, 1]], set()),
        ([[0, 1], [2, 3]], {(0, 1, 2)}, [[0, 1], [2, 3]], set()),
    ],
    ids=["joins the column", "one with a gap", "makes no meld", "is of another column"],
)
def test_a_card_that_was_seen_beyond_an_end(
    columns: list[list[int]],
    melds: set[tuple[int, ...]],
    filled: list[list[int]],
    joined: set[int],
) -> None:
    cards = [card(300, 300), card(300, 330), card(305, 365), card(340, 365)]
    beyond, marks = [Beyond(end().longer(), 0.5, LIKELY_LONGER)], marks_of(cards)
    told = with_cards_there(beyond, columns, cards, marks, [], melds.__contains__)
    assert told == ([], joined) and columns == filled


@pytest.mark.parametrize(
    ("place", "joins"), [((300, 396), True), ((300, 400), False)], ids=["a step off", "too far"]
)
def test_a_card_in_no_column_may_lie_a_step_away_from_where_it_should(
    place: tuple[float, float], joins: bool
) -> None:
    cards = [card(300, 300), card(300, 330), card(*place)]
    rows, beyond = [[0, 1]], [Beyond(end().longer(), SURELY_JOLLY, LIKELY_LONGER)]
    told = with_cards_there(beyond, rows, cards, marks_of(cards), [], {(0, 1, 2)}.__contains__)
    assert told == (([], {2}) if joins else (beyond, set()))
    assert rows == ([[0, 1, 2]] if joins else [[0, 1]])


@pytest.mark.parametrize("free", [True, False], ids=["the first goes on", "the second goes on"])
@pytest.mark.parametrize(
    ("off", "meld", "nothing", "joins"),
    [
        (6, (0, 1, 2, 3), 0.1, True),
        (6, (0, 1, 2, 3), PERHAPS, True),
        (40, (0, 1, 2, 3), 0.1, True),
        (64, (0, 1, 2, 3), 0.1, False),
        (6, (0, 1), LIKELY_LONGER, False),
    ],
    ids=["begins there", "perhaps goes on", "a step off", "begins elsewhere", "makes no meld"],
)
def test_a_column_that_begins_where_another_is_seen_to_go_on_is_its_second_part(
    off: float, meld: tuple[int, ...], nothing: float, joins: bool, free: bool
) -> None:
    cards = [card(300, 300), card(300, 330), card(300, 360 + off), card(300, 390 + off)]
    rows, marks = [[0, 1], [2, 3]], marks_of(cards)
    ends = [End(0, True, cards[0], cards[1], marks[1]), End(1, False, cards[3], cards[2], marks[2])]
    beyond = [Beyond(ends[0 if free else 1].longer(), 0.5, nothing)]
    told = with_columns_there(beyond, rows, cards, marks, {meld}.__contains__)
    assert told == (([], {2 if free else 1}) if joins else (beyond, set()))
    joined = [[0, 1, 2, 3], []] if free else [[], [0, 1, 2, 3]]
    assert rows == (joined if joins else [[0, 1], [2, 3]])


@pytest.mark.parametrize(
    ("is_meld", "nothing", "count"),
    [
        (True, LIKELY_LONGER, 1),
        (True, LIKELY_LONGER + 0.01, 0),
        (False, LIKELY, 1),
        (False, LIKELY + 0.01, 0),
    ],
)
def test_where_no_column_begins_a_card_has_to_be_likelier(
    is_meld: bool, nothing: float, count: int
) -> None:
    """More so beyond a meld, which needs no further card."""
    cards = [card(300, 300), card(300, 330)]
    beyond = [Beyond(end().longer(), 0.5, nothing)]
    told = with_columns_there(beyond, [[0, 1]], cards, marks_of(cards), lambda _: is_meld)
    assert told == (beyond[:count], set())


@pytest.mark.parametrize(
    ("free", "jolly", "nothing", "count"),
    [
        (False, SURELY_JOLLY, LIKELY_JOLLY, 1),
        (False, SURELY_JOLLY, LIKELY_JOLLY + 0.01, 0),
        (False, SURELY_JOLLY - 0.01, LIKELY_JOLLY, 0),
        (True, SURELY_JOLLY, LIKELY_JOLLY, 0),
    ],
    ids=["a jolly beneath", "hardly shows", "rather another card", "over the last card"],
)
def test_a_jolly_beneath_a_meld_may_be_less_likely(
    free: bool, jolly: float, nothing: float, count: int
) -> None:
    cards = [card(300, 300), card(300, 330)]
    beyond = [Beyond(end(free).longer(), jolly, nothing)]
    told = with_columns_there(beyond, [[0, 1]], cards, marks_of(cards), lambda _: True)
    assert told == (beyond[:count], set())


def test_both_ends_at_which_two_columns_meet_are_told_once_and_the_outer_one_goes_on() -> None:
    cards = [card(300, 300 + 30 * k) for k in range(4)]
    rows, marks = [[0, 1], [2, 3]], marks_of(cards)
    meet = [End(0, True, cards[0], cards[1], marks[1]), End(1, False, cards[3], cards[2], marks[2])]
    outer = End(1, True, cards[2], cards[3], marks[3])
    beyond = [Beyond(one.longer(), 0.5, LIKELY_LONGER) for one in (*meet, outer)]
    (left,), joined = with_columns_there(beyond, rows, cards, marks, lambda _: True)
    assert (left.end.column, left.end.free, left.jolly, joined) == (0, True, 0.5, {2})
    assert rows == [[0, 1, 2, 3], []]


def test_of_three_columns_in_line_two_are_joined() -> None:
    cards = [card(300, 300 + 30 * k) for k in range(6)]
    rows, marks = [[0, 1], [2, 3], [4, 5]], marks_of(cards)
    ends = [End(n, True, cards[2 * n], cards[2 * n + 1], marks[2 * n + 1]) for n in (0, 1)]
    beyond = [Beyond(one.longer(), 0.5, LIKELY_LONGER) for one in ends]
    left, _ = with_columns_there(beyond, rows, cards, marks, lambda _: True)
    assert [(one.end.column, one.end.free) for one in left] == [(0, True)]
    assert rows == [[0, 1, 2, 3], [], [4, 5]]


def test_a_card_somewhat_away_that_makes_no_meld_is_not_the_one_missed() -> None:
    cards = [card(300, 300), card(300, 330), card(300, 390)]
    rows, beyond = [[0, 1]], [Beyond(end().longer(), SURELY_JOLLY, LIKELY_LONGER)]
    assert with_cards_there(beyond, rows, cards, marks_of(cards), [], lambda _: False)[0] == beyond
    assert rows == [[0, 1]]


def test_a_card_that_was_not_seen_is_missed_once() -> None:
    cards = [card(300, 300), card(300, 330), card(300, 390), card(300, 420)]
    above = End(1, False, cards[3], cards[2], MARK + np.array([300, 390], np.float32))
    beyond = [Beyond(one.longer(), SURELY_JOLLY, LIKELY_LONGER) for one in (end(), above)]
    rows, marks = [[0, 1], [2, 3]], marks_of(cards)

    def missed(in_gaps: list[NDArray[np.float32]]) -> list[Beyond]:
        return with_cards_there(beyond, rows, cards, marks, in_gaps, lambda _: True)[0]

    assert missed([]) == beyond[:1]
    assert missed([MARK + np.array([301, 361], np.float32)]) == []
    assert rows == [[0, 1], [2, 3]]


@pytest.mark.parametrize(
    ("free", "jolly", "told"),
    [
        (True, SURELY_JOLLY, True),
        (True, SURELY_JOLLY - 0.01, False),
        (False, SURELY_JOLLY, True),
        (False, 0.01, True),
    ],
)
def test_a_card_that_was_not_seen_over_all_others_is_a_jolly(
    free: bool, jolly: float, told: bool
) -> None:
    """It would show both of its marks; that of a jolly may look like nothing known. Else the last
    card is in doubt.
    """
    cards = [card(300, 300), card(300, 330)]
    beyond = [Beyond(end(free).longer(), jolly, 0.0)]
    left = with_cards_there(beyond, [[0, 1]], cards, marks_of(cards), [], lambda _: True)
    assert left == ((beyond, set()) if told else ([], {1}))


class Elsewhere(ColumnEnds):
    """Tells of a jolly beyond the free end of the first column that is asked about, once."""

    def __init__(self) -> None:
        self.column: int | None = None

    def perhaps_missed(
        self, picture: Picture, ends: Sequence[End], known: KnownMarks
    ) -> list[Beyond]:
        free = next(end for end in ends if end.free)
        self.column = free.column
        return [Beyond(free.longer(), 0.99, LIKELY_LONGER)]


def test_a_card_that_was_missed_at_an_end_belongs_to_the_column_in_doubt() -> None:
    reader, photo = CardTableReader(), SAMPLES / "cards" / "melds-a.jpg"
    reader.column_ends = None
    before = reader.read(photo)
    reader.column_ends = told = Elsewhere()
    after = reader.read(photo)
    assert told.column is not None
    in_melds = [sum(len(meld.tiles) for meld in reading.melds) for reading in (before, after)]
    assert in_melds[1] == in_melds[0] + 1 and len(after.melds) == len(before.melds)
    (new,) = [tile for tile in after.tiles if tile.doubts]
    assert new.meld is not None and new.tile in (None, JOKER)


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        ({JOLLY: 0.98, CARD: 0.01, NOTHING: 0.005}, 2),
        ({JOLLY: 0.90, CARD: 0.09, NOTHING: 0.005}, 0),
        ({JOLLY: 0.97, CARD: 0.001, NOTHING: LIKELY_LOOSE + 0.01}, 0),
        ({CARD: 1.0}, 0),
    ],
    ids=["a jolly", "rather a jolly", "perhaps nothing", "another card"],
)
def test_of_loose_cards_only_a_sure_jolly_is_told_beyond_an_end(
    monkeypatch: pytest.MonkeyPatch, shown: Probabilities, told: int
) -> None:
    """Both ends of a column of three are looked at."""
    reader, cards = CardTableReader(), [card(300, 300 + 30 * step) for step in range(3)]
    monkeypatch.setattr(reader, "column_gaps", None)
    monkeypatch.setattr(reader, "column_ends", Told(shown))
    faces = surely("7B", "12R", "3Y")
    seen = Seen(np.full(3, 0.9, np.float32), marks_of(cards), faces, Rows([(0, 1, 2)]))
    frame = Frame(PICTURE, 900, 900, 1.0)
    after = reader.missed_cards.with_missed(frame, seen, cards, Layout.LOOSE, ruleset("burraco_it"))
    assert after.faces[3:].argmax(axis=1).tolist() == [FACE_INDEX[JOKER]] * told
    assert after.table.rows == [(3, 0, 1, 2, 4) if told else (0, 1, 2)]


def test_a_folder_may_lack_the_network(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text("{}")
    assert ColumnEnds.in_folder(tmp_path) is None
    assert CardTableReader().column_ends is not None


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_joining_columns_loses_no_card_and_tells_none_twice(data: st.DataObject) -> None:
    lengths = data.draw(st.lists(st.integers(2, 4), min_size=1, max_size=4))
    places = st.tuples(st.integers(200, 400), st.integers(200, 400))
    cards = [card(*data.draw(places)) for _ in range(sum(lengths))]
    bounds = [0, *np.cumsum(lengths).tolist()]
    rows = [[*range(first, last)] for first, last in pairwise(bounds)]
    marks, columns = marks_of(cards), [tuple(row) for row in rows]
    ends = ends_of(columns, rows, cards, marks, np.zeros(len(cards), np.bool_))
    beyond = [Beyond(one.longer(), 0.5, LIKELY_LONGER) for one in ends]
    left, joined = with_columns_there(beyond, rows, cards, marks, lambda _: True)
    assert sorted(chain(*rows)) == [*range(len(cards))]
    assert len(joined) == sum(not row for row in rows)
    assert all(rows[one.end.column] for one in left)
    assert len({(one.end.column, one.end.free) for one in left}) == len(left)
