"""Cards of other sizes where columns are no melds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from engine.pieces import Pieces
from engine.rulesets import ruleset
from vision import Layout, open_reader
from vision.cards.from_marks import Marks
from vision.cards.other_sizes import (
    CHECKED_WITH,
    MOST_CHECKED,
    OTHER_SIZINGS,
    with_changes_in_doubt,
    with_disputed_in_doubt,
)
from vision.cards.pipeline import CardTableReader
from vision.cards.sizes import AS_ALL_TELL, Sizing
from vision.clock import Clock
from vision.frame import Frame
from vision.grouping import Indices
from vision.seen import Rows, Seen

from .test_marks import mark, surely

RULES = ruleset("burraco_it")
FACES = ("3R", "4R", "5R", "9K", "9B", "9Y", "6R")


def seen(*rows: Indices, cards: int = len(FACES), in_doubt: frozenset[int] = frozenset()) -> Seen:
    """Return the first of the cards FACES, each with its own mark, in these rows."""
    quads = np.stack([mark(100.0 * card, 100.0) for card in range(cards)])
    joint = np.ones(cards, np.float32)
    return Seen(joint, quads, surely(*FACES[:cards]), Rows([*rows]), in_doubt=in_doubt)


@pytest.mark.parametrize(
    ("before", "after", "doubtful"),
    [
        ([(0, 1, 2), (3, 4, 5)], [(0, 1, 2), (3, 4, 5)], set()),
        ([(3, 4, 5), (0, 1, 2)], [(2, 1, 0), (3, 4, 5)], set()),  # the same neighbours
        ([(0, 1, 2), (3, 4, 5)], [(0, 1, 2, 6), (3, 4, 5)], {2, 6}),
        ([(0, 1, 2, 6), (3, 4, 5)], [(0, 1, 6, 2), (3, 4, 5)], {1, 2, 6}),
        ([(0, 1, 2, 3, 4, 5)], [(0, 1, 2), (3, 4, 5)], {2, 3}),
    ],
)
def test_cards_that_have_other_neighbours_are_in_doubt(
    before: list[Indices], after: list[Indices], doubtful: set[int]
) -> None:
    told = with_changes_in_doubt(seen(*before), seen(*after, in_doubt=frozenset({0})))
    assert told.in_doubt == {0, *doubtful}
    assert [*told.table.rows] == after


def test_cards_that_were_not_known_before_are_in_doubt() -> None:
    told = with_changes_in_doubt(seen((0, 1), cards=3), seen((0, 1), cards=4))
    assert told.in_doubt == {3}


def test_what_is_told_no_longer_or_otherwise_leaves_a_doubt() -> None:
    before, gone = seen((0, 1, 2), (3, 4, 5)), seen((0, 1, 2), (3, 4, 5), cards=6)
    assert with_changes_in_doubt(before, gone).in_doubt == {5}, "the card nearest to the one gone"
    otherwise = replace(before, faces=surely(*FACES[:2], "5B", *FACES[3:]))
    assert with_changes_in_doubt(before, otherwise).in_doubt == {2}
    nothing = before.take(np.zeros(0, np.intp))
    assert with_changes_in_doubt(before, nothing).in_doubt == frozenset()


@pytest.fixture
def reader() -> CardTableReader:
    opened = open_reader(pieces=Pieces.CARDS)
    assert isinstance(opened, CardTableReader)
    return opened


def best(
    monkeypatch: pytest.MonkeyPatch,
    reader: CardTableReader,
    first: Seen,
    others: Callable[[Sizing], Seen],
) -> tuple[Seen, list[Sizing]]:
    """Return what `reader` makes of what is seen `first`, where `others` tells what is seen with
    each other way of sizing; and the ways that it tries.
    """
    tried = list[Sizing]()

    def sized(*given: object) -> Seen:
        way = given[-1]
        assert isinstance(way, Sizing)
        tried.append(way)
        return others(way)

    monkeypatch.setattr(reader, "_sized", sized)
    frame = Frame.of(np.zeros((200, 800, 3), np.uint8))
    none = reader.detector.detect(frame.pyramid)
    marks = Marks(none, reader.reader.read(frame.pyramid, none.quads), np.zeros(0, np.bool_))
    return reader._best_sized(frame, marks, first, RULES), tried


def test_the_sizes_with_which_fewest_cards_are_in_no_meld_are_taken(
    monkeypatch: pytest.MonkeyPatch, reader: CardTableReader
) -> None:
    first = seen((0, 1), (3, 4, 5), (2, 6))
    better = {
        OTHER_SIZINGS[1]: seen((0, 1, 2), (3, 4, 5)),
        OTHER_SIZINGS[2]: seen((0, 1, 2, 6), (3, 4, 5)),
    }
    told, tried = best(monkeypatch, reader, first, lambda way: better.get(way, first))
    assert [*told.table.rows] == [(0, 1, 2, 6), (3, 4, 5)]
    assert told.in_doubt == {1, 2}
    assert tried == [*OTHER_SIZINGS[:3]], "then nothing is left to be mended"


def test_sizes_that_part_a_meld_are_not_taken(
    monkeypatch: pytest.MonkeyPatch, reader: CardTableReader
) -> None:
    faces = ("3R", "4R", "5R", "6R", "7R", "8R", "9K", "9B", "9Y")
    quads = np.stack([mark(100.0 * card, 100.0) for card in range(len(faces))])
    whole = Rows([(0, 1, 2, 3, 4, 5)])
    first = Seen(np.ones(len(faces), np.float32), quads, surely(*faces), whole)
    parted = replace(first, table=Rows([(0, 1, 2), (3, 4, 5), (6, 7, 8)]))
    told, _tried = best(monkeypatch, reader, first, lambda _way: parted)
    assert [*told.table.rows] == [*whole.rows]
    longer = replace(first, table=Rows([(0, 1, 2, 3, 4, 5), (6, 7, 8)]))
    told, _tried = best(monkeypatch, reader, first, lambda _way: longer)
    assert [*told.table.rows] == [*longer.table.rows]


@pytest.mark.parametrize(
    ("rows", "asked"),
    [
        ([(0, 1, 2, 6), (3, 4, 5)], False),  # melds throughout
        ([(0, 3), (1, 4), (2, 5, 6)], False),  # none: the cards may lie by chance
        ([(0, 1, 2), (3, 4, 5)], True),  # one card in no column
    ],
)
def test_other_sizes_are_tried_only_beside_a_meld_where_cards_are_in_none(
    monkeypatch: pytest.MonkeyPatch, reader: CardTableReader, rows: list[Indices], asked: bool
) -> None:
    first = seen(*rows)
    told, tried = best(monkeypatch, reader, first, lambda _way: first)
    assert told == first if not asked else [*told.table.rows] == rows
    assert tried == ([*OTHER_SIZINGS] if asked else [])


def test_every_way_of_sizing_differs_from_the_usual_one() -> None:
    assert len({AS_ALL_TELL, *OTHER_SIZINGS}) == 1 + len(OTHER_SIZINGS)


def loose(**faces: str) -> Seen:
    """Return loose cards: the keys a, b, c tell in which places their marks stand."""
    quads = np.stack([mark(100.0 * ord(place), 100.0) for place in faces])
    return Seen(np.ones(len(faces), np.float32), quads, surely(*faces.values()), Rows([]))


@pytest.mark.parametrize(
    ("other", "disputed"),
    [
        ({"a": "3R", "b": "9K", "c": "5B"}, set()),
        ({"c": "3R", "a": "9K", "b": "5B"}, set()),  # the same faces
        ({"a": "3R", "b": "9K"}, {2}),  # one fewer
        ({"a": "3R", "b": "9K", "c": "6B"}, {2}),  # another face
        ({"a": "3R", "b": "9K", "c": "5B", "d": "5B"}, {2}),  # one more, beside the last
        ({"a": "3R", "c": "5B", "Z": "9K", "Y": "9K"}, {0, 1}),
    ],
)
def test_loose_cards_that_depend_on_their_size_are_in_doubt(
    other: dict[str, str], disputed: set[int]
) -> None:
    seen = loose(a="3R", b="9K", c="5B")
    told = with_disputed_in_doubt(seen, loose(**other))
    assert told.in_doubt == disputed
    assert np.array_equal(told.quads, seen.quads)


def test_where_nothing_was_seen_nothing_is_in_doubt() -> None:
    nothing = loose(a="3R").take(np.zeros(0, np.intp))
    assert not with_disputed_in_doubt(nothing, loose(a="3R")).in_doubt
    assert with_disputed_in_doubt(loose(a="3R"), nothing).in_doubt == {0}


@pytest.mark.parametrize("count", [MOST_CHECKED, MOST_CHECKED + 1])
def test_few_loose_cards_are_checked_with_other_sizes(
    monkeypatch: pytest.MonkeyPatch, reader: CardTableReader, count: int
) -> None:
    names = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:count]
    first = loose(**dict.fromkeys(names, "3R"))
    fewer = first.take(np.arange(1, count))
    tried = list[object]()

    def sized(*given: object) -> Seen:
        tried.append(given[-1])
        return first if given[-1] == AS_ALL_TELL else fewer

    monkeypatch.setattr(reader, "_sized", sized)
    frame = Frame.of(np.zeros((200, 300, 3), np.uint8))
    told = reader._see(frame, Layout.LOOSE, RULES, Clock())
    checked = count <= MOST_CHECKED
    assert tried == [AS_ALL_TELL, *(CHECKED_WITH if checked else ())]
    assert told.in_doubt == ({0} if checked else set())
