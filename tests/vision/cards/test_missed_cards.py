"""Columns in which cards were missed: told by numbers and by what shows there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.pieces import Pieces
from engine.rulesets import ruleset
from engine.tiles import FACE_INDEX, FACES, JOKER, Tile
from vision import Layout, open_reader
from vision.cards.card import Card
from vision.cards.column_ends import CARD, JOLLY, LIKELY_LONGER, NOTHING, Beyond, ColumnEnds, End
from vision.cards.column_gaps import Between, ColumnGaps
from vision.cards.filling import FITTING, LEAST, with_jolly, with_read
from vision.cards.known_marks import KnownMarks
from vision.cards.marks import ANY_FACE
from vision.cards.pipeline import CardTableReader
from vision.cards.seen_after_all import A_JOLLY_ANYWAY, seen_after_all, with_seen_cards
from vision.cards.steps import Gap
from vision.decoding import decode_table
from vision.frame import Frame
from vision.grouping import Indices
from vision.pyramid import Picture
from vision.seen import Rows, Seen
from vision.tiles.pipeline import TableReader

from .test_column_gaps import Told
from .test_marks import card, mark, outline, surely
from .test_steps import STEP, column_at, two_columns


@pytest.mark.parametrize(
    ("column", "missed"),
    [
        (("6R", "8R"), 1),
        (("6R", "9R"), 0),
        (("6R", "8B"), 0),
        (("5R", "J", "8R"), 1),  # the jolly stands for the 6
        (("5R", "J", "7R"), 0),
    ],
)
def test_numbers_two_apart_and_a_somewhat_wide_step_tell_of_a_missed_card(
    reader: TableReader, monkeypatch: pytest.MonkeyPatch, column: tuple[str, ...], missed: int
) -> None:
    """A card is missed only where the column is a meld with one more: cards that lie over one
    another by chance are no melds.
    """
    assert isinstance(reader, CardTableReader)
    monkeypatch.setattr(reader, "column_gaps", None)
    monkeypatch.setattr(reader, "column_ends", None)  # all of the picture is as pale as paper
    cards = two_columns(*range(len(column) - 1), len(column) - 0.6)
    quads = np.stack([card.outline[:1] + mark() - mark()[:1] for card in cards]) + np.float32(200)
    faces = surely("9R", "9B", "9K", *column)
    rows: list[Indices] = [(0, 1, 2), tuple(range(3, len(cards)))]
    seen = Seen(np.ones(len(cards), np.float32), quads, faces, Rows(rows))
    frame = Frame(np.full((700, 700, 3), 200, np.uint8), 700, 700, 1.0)
    told = reader.missed_cards.with_missed(frame, seen, cards, Layout.MELDS, ruleset("burraco_it"))
    assert len(told.quads) == len(cards) + missed


def with_ends(
    reader: TableReader, cards: list[Card], names: tuple[str, ...], row: Indices
) -> tuple[Seen, CardTableReader]:
    """What was seen of upright cards, those of `row` in a column; and the reader of cards."""
    assert isinstance(reader, CardTableReader)
    quads = np.stack([mark() + one.outline[0] - outline()[0] for one in cards]).astype("f4")
    return Seen(np.ones(len(cards), np.float32), quads, surely(*names), Rows([row])), reader


def completed(reader: CardTableReader, seen: Seen, cards: list[Card]) -> Seen:
    frame = Frame(np.full((700, 700, 3), 200, np.uint8), 700, 700, 1.0)
    return reader.missed_cards.with_missed(frame, seen, cards, Layout.MELDS, ruleset("burraco_it"))


def test_cards_beyond_both_ends_and_one_in_a_gap_each_get_their_own_face(
    reader: TableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = [card(300, 250 + STEP * step) for step in (0, 1, 3, 4)]
    seen, reader = with_ends(reader, cards, ("5R", "6R", "8R", "9R"), (0, 1, 2, 3))

    class BothEnds(ColumnEnds):
        def perhaps_missed(
            self, picture: Picture, ends: Sequence[End], known: KnownMarks
        ) -> list[Beyond]:
            return [Beyond(one.longer(), 0.99 if one.free else 0.01, LIKELY_LONGER) for one in ends]

    monkeypatch.setattr(reader, "column_ends", BothEnds())
    told = completed(reader, seen, cards)
    (row,) = told.table.rows
    assert [one for one in row if one < 4] == [0, 1, 2, 3] and len(row) == 7 and row[3] >= 4
    assert (told.joint_scores[[row[0], row[3], row[-1]]] == 0).all()
    jolly, other = np.exp(told.faces[:, [FACE_INDEX[JOKER], FACE_INDEX[Tile(7, "R")]]]).T
    share = jolly / (jolly + FITTING * other)
    assert share[[row[0], row[-1]]] == pytest.approx([0.01, 0.99], abs=0.005)
    assert 0.2 < share[row[3]] < 0.8
    places = told.quads[list(row)].mean(axis=1)[:, 1]
    assert np.allclose(np.diff(places), STEP, atol=0.1 * STEP)


@pytest.mark.parametrize("free", [True, False])
def test_a_card_that_was_seen_beyond_an_end_joins_the_column_in_doubt(
    reader: TableReader, monkeypatch: pytest.MonkeyPatch, free: bool
) -> None:
    places = (0, 1, 2, 3) if free else (1, 2, 3, 0)
    cards = [card(300, 250 + STEP * step) for step in places]
    names = ("5R", "6R", "7R", "8R") if free else ("6R", "7R", "8R", "5R")
    seen, reader = with_ends(reader, cards, names, (0, 1, 2))

    class OneEnd(ColumnEnds):
        def perhaps_missed(
            self, picture: Picture, ends: Sequence[End], known: KnownMarks
        ) -> list[Beyond]:
            return [Beyond(one.longer(), 0.5, LIKELY_LONGER) for one in ends if one.free == free]

    monkeypatch.setattr(reader, "column_ends", OneEnd())
    told = completed(reader, seen, cards)
    assert told.table.rows == [(0, 1, 2, 3) if free else (3, 0, 1, 2)]
    assert len(told.quads) == 4 and told.in_doubt == {3}


@pytest.mark.parametrize("jolly", [0.0, 0.3, 1.0])
def test_an_unread_card_is_a_jolly_as_probably_as_its_surroundings_tell(jolly: float) -> None:
    faces = np.exp(with_jolly(ANY_FACE[0], jolly))
    assert faces.sum() == pytest.approx(1, abs=1e-4)
    assert faces[FACE_INDEX[JOKER]] == pytest.approx(min(max(jolly, LEAST), 1 - LEAST), abs=1e-3)


@pytest.mark.parametrize(("jolly", "told"), [(0.02, "5R"), (0.2, "5R"), (0.8, "J"), (0.99, "J")])
def test_an_unread_card_of_an_escalera_is_the_number_it_lacks_unless_a_jolly_is_likelier(
    reader: TableReader, monkeypatch: pytest.MonkeyPatch, jolly: float, told: str
) -> None:
    assert isinstance(reader, CardTableReader)
    monkeypatch.setattr(reader, "column_gaps", SeesACard(jolly))
    monkeypatch.setattr(reader, "column_ends", None)
    quads = np.stack([mark(0, STEP * step) for step in (0, 1, 3, 4, 5)]) + np.float32(200)
    faces = surely("3R", "4R", "6R", "7R", "8R")
    seen = Seen(np.ones(5, np.float32), quads, faces, Rows([(0, 1, 2, 3, 4)]))
    frame, rules = Frame(np.full((500, 500, 3), 200, np.uint8), 500, 500, 1.0), "burraco_it"
    cards = column_at(0, 1, 3, 4, 5)
    seen = reader.missed_cards.with_missed(frame, seen, cards, Layout.MELDS, ruleset(rules))
    decoded = decode_table(seen.faces, seen.table.rows, ruleset(rules), reader.decoding)
    assert seen.table.rows == [(0, 1, 5, 2, 3, 4)] and str(FACES[decoded.face[5]]) == told


def test_a_mark_that_is_surely_read_is_no_jolly_whatever_lies_around_it() -> None:
    (sure,) = surely("4R")
    for jolly in (0.0, 0.5, 1.0):
        assert with_jolly(sure, jolly).argmax() == FACE_INDEX[Tile(4, "R")]


def test_a_card_that_the_reader_sees_in_a_gap_is_not_missed_if_it_was_seen() -> None:
    seen = np.stack([mark(0, STEP * step) for step in range(3)])
    in_gaps = np.stack([mark(0, STEP * 1.1), mark(0, STEP * 1.6), mark(300, 0)])
    assert seen_after_all(in_gaps, seen) == {0: 1}
    assert seen_after_all(in_gaps, seen[:0]) == {}


PIERNA, ESCALERA = ("3R", "3B", "3K", "3Y", "3R"), ("3R", "4R", "6R", "7R", "8R")


@pytest.mark.parametrize(
    ("names", "down", "count"), [(PIERNA, 5, 5), (PIERNA, 17, 6), (ESCALERA, 5, 6)]
)
def test_where_another_corner_of_a_card_shows_no_card_was_missed(
    reader: TableReader,
    monkeypatch: pytest.MonkeyPatch,
    names: tuple[str, ...],
    down: float,
    count: int,
) -> None:
    """The card before the wide step shows both upper corners; a card in that gap would cover the
    right one, and show its own left one there. An escalera that lacks a number has a card there all
    the same.
    """
    assert isinstance(reader, CardTableReader)
    monkeypatch.setattr(reader, "column_ends", None)  # all of the picture is as pale as paper
    monkeypatch.setattr(reader, "column_gaps", SeesACard())
    cards = [card(200 + 80 * step, 200) for step in (0, 1, 3, 4, 5)]
    quads = np.stack([mark(200 + 80 * step, 200) for step in (0, 1, 3, 4, 5)])
    right = cards[1].marks + np.float32([80, down])
    cards[1] = replace(cards[1], marks=np.concatenate([cards[1].marks, right]))
    seen = Seen(np.ones(5, np.float32), quads, surely(*names), Rows([(0, 1, 2, 3, 4)]))
    frame = Frame(np.full((400, 800, 3), 200, np.uint8), 800, 400, 1.0)
    told = reader.missed_cards.with_missed(frame, seen, cards, Layout.MELDS, ruleset("burraco_it"))
    assert (len(told.quads), len(told.table.rows[0])) == (count, count)


@pytest.mark.parametrize(
    ("nothing", "steps", "missed"),
    [(0.03, (0, 1, 3, 4, 5), True), (0.6, (0, 1, 3, 4, 5), False), (0.03, (0, 1, 2, 3, 4), False)],
    ids=["one shows", "none shows", "even steps"],
)
def test_in_a_wide_step_of_a_fan_of_loose_cards_a_jolly_may_have_been_missed(
    reader: TableReader,
    monkeypatch: pytest.MonkeyPatch,
    nothing: float,
    steps: tuple[int, ...],
    missed: bool,
) -> None:
    """The cards of a fan turn, so that steps alone tell nothing."""
    assert isinstance(reader, CardTableReader)
    shown = [{NOTHING: nothing, JOLLY: 1 - nothing}] * 4
    monkeypatch.setattr(reader, "column_gaps", Told(*shown))
    poses = [(300.0 + STEP * step, 250.0, 8.0 * step) for step in steps]
    cards, quads = [card(*pose) for pose in poses], np.stack([mark(*pose) for pose in poses])
    faces = surely("4R", "9B", "12K", "9B", "1Y")
    seen = Seen(np.ones(5, np.float32), quads, faces, Rows([(0, 1, 2, 3, 4)]))
    frame = Frame(np.full((500, 700, 3), 200, np.uint8), 700, 500, 1.0)
    told = reader.missed_cards.with_missed(frame, seen, cards, Layout.LOOSE, ruleset("burraco_it"))
    assert told.table.rows == [(0, 1, 5, 2, 3, 4) if missed else (0, 1, 2, 3, 4)]
    assert told.faces[5:].argmax(axis=1).tolist() == [FACE_INDEX[JOKER]] * missed


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


def test_a_card_missed_beside_a_wild_2_is_no_second_2(
    reader: TableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last card seems to show two marks, one of which stands about where the missed card would
    have its own.
    """
    assert isinstance(reader, CardTableReader)
    monkeypatch.setattr(reader, "column_gaps", Told({NOTHING: 0.01, CARD: 0.99}))
    monkeypatch.setattr(reader, "column_ends", None)
    cards = column_at(0, 1, 2, 3, 4, 6)
    about_there = cards[5].marks - np.float32([9, STEP])
    cards[5] = replace(cards[5], marks=np.concatenate([cards[5].marks, about_there]))
    quads = np.stack([mark(0, STEP * step) for step in (0, 1, 2, 3, 4, 6)]) + np.float32(200)
    faces, row = surely("8B", "7B", "6B", "5B", "4B", "2B"), (0, 1, 2, 3, 4, 5)
    seen = Seen(np.ones(6, np.float32), quads, faces, Rows([row]))
    frame = Frame(np.full((600, 500, 3), 200, np.uint8), 500, 600, 1.0)
    rules = ruleset("burraco_it")
    seen = reader.missed_cards.with_missed(frame, seen, cards, Layout.MELDS, rules)
    assert seen.table.rows == [(0, 1, 2, 3, 4, 6, 5)]
    decoded = decode_table(seen.faces, seen.table.rows, rules, reader.decoding)
    assert str(FACES[decoded.face[6]]) == "3B"


def test_of_the_missed_cards_those_seen_elsewhere_are_not_counted_again() -> None:
    quads = np.stack([mark(0, STEP * step) for step in (0, 2, 5, 6, 7)])
    table = Rows([(0, 1), (2, 3, 4)])
    seen = Seen(np.ones(5, np.float32), quads, surely("3R", "5R", "7B", "8B", "J"), table)
    read = np.stack([mark(0, STEP * 4), mark(0, STEP * 7)])
    told = with_read(seen, [[0, 6, 1], [5, 2, 3, 4]], read, surely("6B", "J"))
    assert told.table.rows == [(0, 4, 1), (5, 2, 3)]
    assert told.joint_scores.tolist() == [1, 1, 1, 1, 1, 0]
    assert np.array_equal(told.quads, np.concatenate([quads, read[:1]]))
    assert np.array_equal(told.faces, np.concatenate([seen.faces, surely("6B")]))
    assert told.in_doubt == {4}, "it was moved from one column to the other"


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return open_reader(pieces=Pieces.CARDS)


class SeesACard(ColumnGaps):
    """Sees a card in every gap that steps tell, a jolly with the probability `jolly`."""

    def __init__(self, jolly: float = 0.99) -> None:
        self.asked, self.lacking, self.jolly = list[Between](), list[Between](), jolly

    def judged(
        self,
        picture: Picture,
        columns: Sequence[Indices],
        cards: Sequence[Card],
        gaps: Sequence[Gap],
        asked: Mapping[Between, float],
        lacking: Sequence[Between],
        known: KnownMarks,
    ) -> list[Gap]:
        self.asked += asked
        self.lacking += lacking
        return [replace(gap, jolly=self.jolly) for gap in gaps]


@pytest.mark.parametrize(
    ("names", "shows", "in_melds"),
    [
        (("3R", "4R", "5R", "6R", "7R"), False, False),
        (("3R", "3B", "3K", "3Y", "3R"), False, False),
        (("3R", "3B", "3K", "3Y", "3R"), True, True),
        # A wild 2 may stand for the 3, so the column is a meld without the card that shows.
        (("1R", "2R", "4R", "5R", "6R"), True, True),
        # No card makes it a meld.
        (("3R", "9B", "5K", "6R", "12Y"), True, False),
        # The column is no meld, and the numbers tell of one card between two.
        (("3R", "4R", "6R", "7R", "8R"), False, True),
    ],
)
@pytest.mark.parametrize("layout", list(Layout))
def test_a_wide_step_is_a_missed_card_where_one_shows_or_the_numbers_lack_one(
    reader: TableReader,
    monkeypatch: pytest.MonkeyPatch,
    names: tuple[str, ...],
    shows: bool,
    in_melds: bool,
    layout: Layout,
) -> None:
    assert isinstance(reader, CardTableReader)
    sees_a_card = SeesACard() if shows else None
    monkeypatch.setattr(reader, "column_gaps", sees_a_card)
    monkeypatch.setattr(reader, "column_ends", None)  # all of the picture is as pale as paper
    cards = column_at(0, 1, 3, 4, 5)
    quads = np.stack([mark(0, STEP * step) for step in (0, 1, 3, 4, 5)]) + np.float32(200)
    frame = Frame(np.full((500, 500, 3), 200, np.uint8), 500, 500, 1.0)
    seen = Seen(np.ones(5, np.float32), quads, surely(*names), Rows([(0, 1, 2, 3, 4)]))
    told = reader.missed_cards.with_missed(frame, seen, cards, layout, ruleset("burraco_it"))
    missed = in_melds if layout is Layout.MELDS else shows
    assert len(told.quads) == 5 + missed
    if missed:
        assert told.table.rows == [(0, 1, 5, 2, 3, 4)] and told.joint_scores[5] == 0
        assert told.quads[5].mean(axis=0) == pytest.approx(quads[1:3].mean(axis=(0, 1)), abs=5)
    if missed and shows:
        assert FACES[told.faces[5].argmax()] == JOKER
    if sees_a_card:
        assert (0, 2) in sees_a_card.asked


@pytest.mark.parametrize(
    ("jolly", "missed"), [(A_JOLLY_ANYWAY + 0.0005, 1), (A_JOLLY_ANYWAY - 0.001, 0)]
)
def test_only_a_sure_jolly_is_missed_where_a_mark_of_another_card_stands(
    reader: TableReader, monkeypatch: pytest.MonkeyPatch, jolly: float, missed: int
) -> None:
    """Such as a jolly of another column, to which its mark was joined."""
    assert isinstance(reader, CardTableReader)
    monkeypatch.setattr(reader, "column_gaps", SeesACard(jolly))
    monkeypatch.setattr(reader, "column_ends", None)
    steps, names = (0, 1, 3, 4), ("3R", "3B", "3K", "3Y", "J")
    quads = np.stack([mark(0, STEP * step) for step in (*steps, 9)]) + np.float32(200)
    stands = (quads[1] + quads[2]).mean(axis=0) / 2
    other = card(0, STEP * 9)
    other = replace(other, marks=np.stack([other.marks[0], stands]))
    seen = Seen(np.ones(5, np.float32), quads, surely(*names), Rows([(0, 1, 2, 3)]))
    told = completed(reader, seen, [*column_at(*steps), other])
    assert [str(FACES[face]) for face in told.faces[5:].argmax(axis=1)] == ["J"] * missed
    assert told.table.rows == [(0, 1, 5, 2, 3) if missed else (0, 1, 2, 3)]


@pytest.mark.parametrize(
    ("names", "steps"),
    [
        (("3R", "4R", "7R", "8R"), (0, 1, 4, 5)),
        (("3R", "5R", "6R", "7R", "9R"), (0, 2, 3, 4, 6)),
    ],
    ids=["in one gap", "in two gaps"],
)
def test_two_cards_that_show_in_a_run_are_told_though_it_is_no_meld_with_either_alone(
    reader: TableReader,
    monkeypatch: pytest.MonkeyPatch,
    names: tuple[str, ...],
    steps: tuple[int, ...],
) -> None:
    assert isinstance(reader, CardTableReader)
    monkeypatch.setattr(reader, "column_gaps", SeesACard())
    monkeypatch.setattr(reader, "column_ends", None)
    quads = np.stack([mark(0, STEP * step) for step in steps]) + np.float32(200)
    frame = Frame(np.full((500, 500, 3), 200, np.uint8), 500, 500, 1.0)
    row = tuple(range(len(names)))
    seen = Seen(np.ones(len(names), np.float32), quads, surely(*names), Rows([row]))
    told = reader.missed_cards.with_missed(
        frame, seen, column_at(*steps), Layout.MELDS, ruleset("burraco_it")
    )
    assert len(told.quads) == len(told.table.rows[0]) == len(names) + 2


def test_a_missed_card_that_is_in_no_column_any_more_is_left_out_wherever_its_mark_lies() -> None:
    """Where another corner of a card shows, the card that seemed to be missed is taken out of its
    column; the reader may then have moved its mark onto that of a card seen.
    """
    quads = np.stack([mark(0, STEP * step) for step in (0, 1, 2)])
    seen = Seen(np.ones(3, np.float32), quads, surely("3R", "4R", "5R"), Rows([(0, 1, 2)]))
    told = with_read(seen, [[0, 1, 2]], quads[1:2], surely("4R"))
    assert (told.table.rows, len(told.quads)) == ([(0, 1, 2)], 3)


@pytest.mark.parametrize(
    ("beside", "lacking"),
    [(("9R", "9B", "9K"), [(0, 2)]), (("9R", "10B", "12K"), [])],
    ids=["a meld", "no meld"],
)
def test_numbers_tell_of_a_missed_card_only_beside_a_meld(
    reader: TableReader,
    monkeypatch: pytest.MonkeyPatch,
    beside: tuple[str, ...],
    lacking: list[Between],
) -> None:
    """Loose cards may be two numbers apart by chance."""
    assert isinstance(reader, CardTableReader)
    gaps = SeesACard()
    monkeypatch.setattr(reader, "column_gaps", gaps)
    monkeypatch.setattr(reader, "column_ends", None)
    cards = two_columns(0, 1, 2)
    quads = np.stack([card.outline[:1] + mark() - mark()[:1] for card in cards]) + np.float32(200)
    rows: list[Indices] = [(0, 1, 2), (3, 4, 5)]
    faces = surely("4R", "5R", "7R", *beside)
    completed(reader, Seen(np.ones(6, np.float32), quads, faces, Rows(rows)), cards)
    assert gaps.lacking == lacking
