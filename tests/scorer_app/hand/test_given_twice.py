"""What is asked about a hand of which two photographs show the same table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.sides import SIDES, SideName
from scorer_app.hand.intervals import intervals
from scorer_app.hand.merging import drop_photo
from scorer_app.hand.questions import Ask, questions
from scorer_app.hand.record import End, Place, Record
from scorer_app.hand.score import score_hand

from ..pictures import picture_of
from .test_edits import RULES, edited
from .test_merging import add_reading

TABLE: dict[str, Any] = picture_of("4B 5B 6B 7B", "9R 9B 9K", "10K 11K 12K").reading


def given_twice(place: Place) -> Record:
    once = add_reading(Record(), "p1", "A", Place.MELDS, TABLE)
    return add_reading(add_reading(once, "p2", "B", place, TABLE), "p3", "B", Place.MELDS, TABLE)


@pytest.mark.parametrize("place", [Place.MELDS, Place.RACK])
def test_a_photograph_given_again_is_asked_about_once_and_nothing_that_follows_from_it_is(
    place: Place,
) -> None:
    record = given_twice(place)
    asked = [question for question in questions(record, RULES) if question.ask is not Ask.END]
    assert [
        (question.ask, question.subject, question.duplicate_of, len(question.tiles))
        for question in asked
    ] == [
        (Ask.TWICE, "p2", "p1", 10),
        (Ask.TWICE, "p3", "p1", 10),
    ]
    assert all(question.needed for question in asked)
    apart = edited(*({"op": "tell_apart", "photo": photo} for photo in ("p2", "p3")), record=record)
    assert {question.ask for question in questions(apart, RULES)} == {Ask.COPIES, Ask.END}
    once = drop_photo(drop_photo(record, "p2"), "p3")
    assert {question.ask for question in questions(once, RULES)} == {Ask.END}


def test_what_was_removed_from_the_second_of_two_like_photographs_is_not_asked_about() -> None:
    record = drop_photo(given_twice(Place.MELDS), "p3")
    mine = [tile.id for tile in record.tiles.values() if tile.photo == "p2"]
    fewer = edited(*({"op": "remove_tile", "tile": name} for name in mine[4:]), record=record)
    assert {question.ask for question in questions(fewer, RULES)} == {Ask.END}


def asked_of_two(*rows: str, again: tuple[str, ...] = ()) -> set[Ask]:
    """Return what is asked about a hand with two photographs, in the second of which the tiles lie
    elsewhere.

    `again` are the rows of the second one, by default those of the first.
    """
    first, second = picture_of(*rows).reading, picture_of(*(again or rows)).reading
    moved = {
        **second,
        "tiles": [
            {**tile, "corners": [[x + 40, y] for x, y in tile["corners"]]}
            for tile in second["tiles"]
        ],
    }
    record = add_reading(Record(), "p1", "A", Place.MELDS, first)
    return {
        question.ask
        for question in questions(add_reading(record, "p2", "B", Place.MELDS, moved), RULES)
    }


PART = (
    *("4B 5B 6B 7B", "9R 9B 9K", "10K 11K 12K", "1Y 2Y 3Y"),
    *("5R 6R 7R", "8K 8R 8B", "10B 11B 12B 13B"),
)
CANASTA = "3K 4K 5K 6K 7K 8K 9K"


def seen_from_elsewhere(record: Record, *rows: str, side: SideName = "A") -> Record:
    """Add a second photograph of melds to a record, in which the tiles lie elsewhere."""
    reading = picture_of(*rows).reading
    for tile in reading["tiles"]:
        tile["corners"] = [[x + 40, y] for x, y in tile["corners"]]
    return add_reading(record, "p2", side, Place.MELDS, reading)


def test_of_a_part_of_the_table_and_then_all_of_it_the_whole_counts() -> None:
    part = add_reading(Record(), "p1", "A", Place.MELDS, picture_of(*PART).reading)
    record = seen_from_elsewhere(part, *PART, "1K 1R 1B")
    (asked,) = [one for one in questions(record, RULES) if one.ask is Ask.TWICE]
    assert (asked.subject, asked.duplicate_of) == ("p1", "p2")
    once = drop_photo(record, "p1")
    assert {question.ask for question in questions(once, RULES)} == {Ask.END}
    alone = add_reading(Record(), "p2", "A", Place.MELDS, picture_of(*PART, "1K 1R 1B").reading)
    assert score_hand(once, RULES).total("A") == score_hand(alone, RULES).total("A")
    apart = edited({"op": "tell_apart", "photo": "p1"}, record=record)
    assert Ask.TWICE not in {question.ask for question in questions(apart, RULES)}


def test_a_meld_of_which_the_later_photograph_shows_more_counts_in_full() -> None:
    shorter = add_reading(Record(), "p1", "A", Place.MELDS, picture_of(*PART, "3K 4K 5K").reading)
    (asked,) = [
        one
        for one in questions(seen_from_elsewhere(shorter, *PART, "3K 4K 5K 6K 7K"), RULES)
        if one.ask is Ask.TWICE
    ]
    assert asked.subject == "p1"


def test_where_each_of_two_photographs_shows_more_the_melds_that_both_show_are_asked_about() -> (
    None
):
    first = add_reading(Record(), "p1", "A", Place.MELDS, picture_of(*PART, "1K 1R 1B").reading)
    asks = {one.ask for one in questions(seen_from_elsewhere(first, *PART, "10R 11R 12R"), RULES)}
    assert Ask.AGAIN in asks and Ask.TWICE not in asks


def test_of_copies_for_both_sides_the_later_one_goes_whatever_it_shows() -> None:
    """Which side is the right one nobody knows."""
    part = add_reading(Record(), "p1", "A", Place.MELDS, picture_of(*PART).reading)
    both = seen_from_elsewhere(part, *PART, "1K 1R 1B", side="B")
    (asked,) = [one for one in questions(both, RULES) if one.ask is Ask.TWICE]
    assert asked.subject == "p2"


def test_what_a_photograph_shown_twice_may_change_includes_its_canasta() -> None:
    record = add_reading(Record(), "p1", "A", Place.MELDS, picture_of(CANASTA, PART[0]).reading)
    record = seen_from_elsewhere(record, CANASTA, PART[0], side="B")
    record = replace(record, end=End.STOCK_EXHAUSTED, muerto={"A": True, "B": True})
    (asked,) = [one for one in questions(record, RULES) if one.ask is Ask.TWICE]
    before, once = (score_hand(one, RULES) for one in (record, drop_photo(record, "p2")))
    assert asked.effect == before.total("B") - once.total("B") > 200
    spans = intervals(record, RULES)
    for side in SIDES:
        totals = sorted(score.total(side) for score in (before, once))
        assert spans[side] == (totals[0], totals[1])


def test_a_table_taken_twice_from_different_places_is_known_by_its_rows_if_there_are_enough() -> (
    None
):
    table = ("4B 5B 6B 7B", "9R 9B 9K", "10K 11K 12K", "1Y 2Y 3Y")
    assert asked_of_two(*table) == {Ask.TWICE, Ask.END}
    assert asked_of_two(*table, again=("7B 6B 5B 4B", "1Y 2Y 3Y", "12K 11K 10K", "9R 9B 9K")) == {
        Ask.TWICE,
        Ask.END,
    }
    assert asked_of_two(*table[1:3]) == {Ask.TWICE, Ask.END}
    assert asked_of_two(*table[:1]) == {Ask.END}  # both sides may have one meld alike
    assert Ask.TWICE not in asked_of_two(
        *table, again=("4B 5B 6B 7B", "9R 9B 9K", "10R 11R 12R", "1B 2B 3B")
    )
