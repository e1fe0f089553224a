"""Two equal cards of a meld whose marks were joined as those of one card are parted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.pieces import Pieces
from engine.rulesets import ruleset
from engine.tiles import FACES
from vision import Layout, open_reader
from vision.cards.card import Card
from vision.cards.equal_cards import (
    ASIDE,
    FROM,
    NEAR,
    EqualCards,
    equal_cards,
    places_of_equal,
    with_equal_cards_parted,
)
from vision.cards.filling import Missed
from vision.cards.pipeline import CardTableReader
from vision.frame import Frame
from vision.seen import Rows, Seen
from vision.tiles.pipeline import TableReader

from .test_marks import card, mark, surely
from .test_missed_cards import SeesACard

APART = 60  # pixels between neighbours of a row
MARK = mark()  # 20 pixels wide and 24 high or so
WIDTH = float(np.linalg.norm(MARK[1] - MARK[0]))


def row_at(*steps: int) -> list[Card]:
    return [card(200 + APART * step, 200) for step in steps]


def with_mark(one: Card, step: float, down: float = 0) -> Card:
    """The card with one mark more, so many steps to the right of its own."""
    more = one.marks[:1] + np.array([APART * step, down], np.float32)
    return replace(one, marks=np.concatenate([one.marks, more]))


def missed_at(step: int, jolly: float | None = 0.1) -> Missed:
    places = row_at(step)[0].marks
    return Missed(MARK + places[0] - MARK.mean(axis=0), jolly, places)


@pytest.mark.parametrize(
    ("aside", "found"), [(0.0, True), (0.9, True), (1.1, False)], ids=["there", "near", "too far"]
)
def test_a_mark_where_an_equal_card_was_missed_is_its_mark(aside: float, found: bool) -> None:
    cards = row_at(0, 1, 3)
    cards[0] = with_mark(cards[0], 2 + NEAR * aside * WIDTH / APART)
    told = equal_cards([[0, 1, 3, 2]], cards, [missed_at(2)], {(0, 1, 0, 2)}.__contains__)
    assert told == ([EqualCards(0, 0, 1)] if found else [])


@pytest.mark.parametrize(("jolly", "found"), [(None, 1), (0.4, 1), (0.6, 0)])
def test_where_a_jolly_shows_no_equal_card_was_missed(jolly: float | None, found: int) -> None:
    cards = row_at(0, 1, 3)
    cards[0] = with_mark(cards[0], 2)
    assert len(equal_cards([[0, 1, 3, 2]], cards, [missed_at(2, jolly)], lambda _: True)) == found


def test_a_card_is_parted_once_at_most() -> None:
    cards = row_at(0, 3)
    cards[0] = with_mark(with_mark(cards[0], 1.0), 2.0)
    missed = [missed_at(1), missed_at(2)]
    assert len(equal_cards([[0, 2, 3, 1]], cards, missed, lambda _: True)) == 1


def test_the_only_mark_of_a_card_and_one_of_another_column_stay() -> None:
    cards = [*row_at(0, 1, 3), with_mark(row_at(1)[0], 1)]
    assert equal_cards([[0, 1, 3, 2]], cards[:3], [missed_at(1)], lambda _: True) == []
    rows = [[0, 1, 4, 2], [3]]
    assert equal_cards(rows, cards, [missed_at(2)], lambda _: True) == []


@pytest.mark.parametrize(
    ("step", "down", "places"),
    [
        (2, 0, [(0, 2)]),
        (1 + 2 * FROM - 0.05, 0, []),
        (3 - 2 * FROM + 0.05, 0, []),
        (2, 2 * APART * (ASIDE - 0.02), [(0, 2)]),
        (2, 2 * APART * (ASIDE + 0.02), []),
        (4, 0, []),
    ],
    ids=["between", "at the one", "at the other", "little aside", "aside", "beyond the last"],
)
def test_an_equal_card_may_lie_where_another_of_its_column_shows_a_mark(
    step: float, down: float, places: list[tuple[int, int]]
) -> None:
    cards = row_at(0, 1, 3)
    cards[0] = with_mark(cards[0], step, down)
    assert places_of_equal([(0, 1, 2)], cards, lambda _: True) == places


def test_no_equal_card_is_looked_for_where_it_makes_no_meld_or_the_mark_is_of_a_neighbour() -> None:
    cards = row_at(0, 1, 3)
    cards[0] = with_mark(cards[0], 2)
    assert places_of_equal([(0, 1, 2)], cards, {(0, 1, 0, 2)}.__contains__) == [(0, 2)]
    assert places_of_equal([(0, 1, 2)], cards, {(0, 1, 2, 2)}.__contains__) == []
    assert places_of_equal([(0, 1, 2)], row_at(0, 1, 3), lambda _: True) == []


@settings(max_examples=100, deadline=None)
@given(
    steps=st.lists(st.integers(0, 6), min_size=2, max_size=6),
    further=st.lists(st.tuples(st.integers(0, 5), st.integers(1, 4)), max_size=6),
    missing=st.lists(st.integers(0, 6), min_size=1, max_size=4),
)
def test_each_card_that_is_parted_keeps_a_mark(
    steps: list[int], further: list[tuple[int, int]], missing: list[int]
) -> None:
    cards = row_at(*steps)
    for number, step in further:
        cards[number % len(cards)] = with_mark(cards[number % len(cards)], step)
    missed = [missed_at(step) for step in missing]
    row = [*range(len(cards) + len(missed))]
    quads = np.stack([MARK + one.marks[0] - MARK.mean(axis=0) for one in cards]).astype("f4")
    names = [f"{1 + number}R" for number in range(len(cards))]
    seen = Seen(np.ones(len(cards), np.float32), quads, surely(*names), Rows([tuple(row)]))
    equal = equal_cards([row], cards, missed, lambda _: True)
    marks = np.stack([one.mark for one in missed])
    _, fewer, _ = with_equal_cards_parted(seen, cards, marks, equal)
    assert len({pair.card for pair in equal}) == len({pair.missed for pair in equal}) == len(equal)
    parted = sum(len(one.marks) for one in cards) - len(equal)
    assert sum(len(one.marks) for one in fewer) == parted and all(len(one.marks) for one in fewer)


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return open_reader(pieces=Pieces.CARDS)


@pytest.mark.parametrize("surest", [0, 1], ids=["its other mark", "its surest mark"])
@pytest.mark.parametrize(
    ("names", "parted"),
    [(("8R", "8B", "8K", "8Y"), True), (("5R", "6R", "8R", "9R"), False)],
    ids=["a pierna", "an escalera"],
)
def test_a_column_gets_the_equal_card_where_that_makes_a_meld(
    reader: TableReader,
    monkeypatch: pytest.MonkeyPatch,
    names: tuple[str, ...],
    parted: bool,
    surest: int,
) -> None:
    """An escalera holds no two equal cards: there the mark is another corner of the card, and no
    card was missed.
    """
    assert isinstance(reader, CardTableReader)
    monkeypatch.setattr(reader, "column_gaps", SeesACard(jolly=0.1))
    monkeypatch.setattr(reader, "column_ends", None)
    cards = row_at(0, 1, 3, 4)
    cards[0] = with_mark(cards[0], 2)
    own, other = cards[0].marks.copy()
    if surest == 1:
        cards[0] = replace(cards[0], marks=cards[0].marks[::-1].copy())
    quads = np.stack([MARK + one.marks[0] - MARK.mean(axis=0) for one in cards]).astype("f4")
    seen = Seen(np.ones(4, np.float32), quads, surely(*names), Rows([(0, 1, 2, 3)]))
    frame = Frame(np.full((500, 800, 3), 200, np.uint8), 800, 500, 1.0)
    told = reader.missed_cards.with_missed(frame, seen, cards, Layout.MELDS, ruleset("burraco_it"))
    faces = [str(FACES[face]) for face in told.faces.argmax(axis=1)]
    if not parted:
        assert faces[:4] == [*names] and told.faces[0].argmax() not in told.faces[4:].argmax(axis=1)
        return
    assert told.table.rows == [(0, 1, 4, 2, 3)] and faces == [*names, names[0]]
    assert told.quads[[0, 4]].mean(axis=1) == pytest.approx(np.stack([own, other]), abs=0.01)
    assert told.in_doubt == {0} and told.joint_scores[4] == 0
