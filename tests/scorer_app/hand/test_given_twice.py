"""What is asked about a hand of which two photographs show the same table."""

from __future__ import annotations

from typing import Any

import pytest

from scorer_app.hand.merging import drop_photo
from scorer_app.hand.questions import Ask, questions
from scorer_app.hand.record import Place, Record

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
