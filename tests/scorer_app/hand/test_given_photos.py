"""Which photographs add nothing to a hand or should be taken again, and by which answers this is
right.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scorer_app.hand.edits import apply, read_edit
from scorer_app.hand.edits_of_hand import MOST_PHOTOS, KeepBlurred, NothingCounts
from scorer_app.hand.fields import EditRefused
from scorer_app.hand.given_photos import MANY_DOUBTS, Cause, GivenPhoto, poor_photos, unused_photos
from scorer_app.hand.merging import drop_photo
from scorer_app.hand.questions import Ask, Question, about_photos, questions
from scorer_app.hand.record import Place, Record

from .test_duplicates import hand
from .test_intervals import RULES

MELDS = GivenPhoto("p9", "A", Place.MELDS)
RACK = GivenPhoto("p9", "A", Place.RACK)


@pytest.mark.parametrize(
    ("photo", "rows", "expected"),
    [
        (MELDS, [], Cause.NOTHING),
        (MELDS, ["A melds p1: 3R 4R 5R"], Cause.NOTHING),
        (replace(MELDS, failed=True), [], Cause.FAILED),
        (replace(MELDS, other_pieces=True), [], Cause.OTHER_PIECES),
        (RACK, [], Cause.NOTHING),
        (MELDS, ["A pozo p9: 3R 9K"], Cause.ASIDE),
        (MELDS, ["A pozo p9: 3R", "A melds p9: 9R 9B 9K"], None),
        (replace(MELDS, failed=True), ["A melds p9: 9R 9B 9K"], None),  # it was read before
        (RACK, ["A rack p9: 9R"], None),
    ],
)
def test_a_photograph_of_which_nothing_counts_is_named_with_the_reason(
    photo: GivenPhoto, rows: list[str], expected: Cause | None
) -> None:
    found = {} if expected is None else {"p9": expected}
    assert unused_photos(hand(*rows), [photo]) == found


ASIDE = hand("A pozo p9: 3R 9K")
BESIDE = hand("A melds p1: 3R 4R 5R")
FAILED = replace(MELDS, failed=True)
TAPPED: dict[str, Any] = {"op": "add_tile", "side": "A", "face": "7K"}


@pytest.mark.parametrize(
    ("record", "photo", "edit", "answered"),
    [
        (Record(), MELDS, {"op": "nothing_counts", "photo": "p9"}, True),
        (Record(), FAILED, {"op": "nothing_counts", "photo": "p9"}, True),
        (ASIDE, MELDS, {"op": "nothing_counts", "photo": "p9"}, True),
        (Record(), MELDS, {"op": "nothing_counts", "photo": "p8"}, False),
        (Record(), FAILED, TAPPED | {"place": "melds"}, True),
        (Record(), FAILED, TAPPED | {"place": "rack"}, False),
        (Record(), RACK, TAPPED | {"place": "rack"}, True),
        (BESIDE, FAILED, TAPPED | {"row": "r4"}, False),
        (Record(), RACK, {"op": "empty_rack", "side": "A"}, True),
        (Record(), RACK, {"op": "empty_rack", "side": "B"}, False),
        (Record(), MELDS, {"op": "empty_rack", "side": "A"}, False),
        (Record(), replace(RACK, failed=True), {"op": "empty_rack", "side": "A"}, False),
        (ASIDE, MELDS, {"op": "move_row", "row": "r3", "side": "A", "place": "pozo"}, True),
        (hand("A pozo p9: 3R"), MELDS, {"op": "remove_tile", "tile": "t1"}, True),
    ],
)
def test_what_a_person_says_answers_it(
    record: Record, photo: GivenPhoto, edit: dict[str, Any], answered: bool
) -> None:
    assert unused_photos(record, [photo])
    still_asked = bool(unused_photos(apply(record, read_edit(edit), RULES), [photo]))
    assert still_asked is not answered


def test_it_is_a_needed_question_with_the_tiles_set_aside() -> None:
    (asked,) = about_photos(ASIDE, [MELDS], [])
    assert (asked.ask, asked.needed, asked.subject) == (Ask.PHOTO, True, "p9")
    assert (asked.tiles, asked.cause) == (("t1", "t2"), Cause.ASIDE)
    assert about_photos(replace(ASIDE, counted=True), [MELDS], []) == []


def test_a_photograph_given_twice_is_asked_about_once() -> None:
    record = hand("A pozo p1: 3R 9K 5B 6Y", "A pozo p2: 3R 9K 5B 6Y")
    photos = [GivenPhoto(name, "A", Place.MELDS) for name in ("p1", "p2")]
    others = questions(record, RULES)
    assert [one.ask for one in others] == [Ask.TWICE]
    assert [one.subject for one in about_photos(record, photos, others)] == ["p1"]


def test_a_photograph_that_is_removed_is_forgotten_and_the_list_is_bounded() -> None:
    record = NothingCounts(photo="p9").change(Record(), RULES)
    assert drop_photo(record, "p9") == Record()
    full = replace(record, nothing_counts=tuple(f"p{at}" for at in range(MOST_PHOTOS)))
    assert apply(full, NothingCounts(photo="p9"), RULES).nothing_counts.count("p9") == 1
    with pytest.raises(EditRefused):
        apply(full, NothingCounts(photo="one more"), RULES)


BLURRED = replace(MELDS, blurred=True)
READ = hand("A melds p9: 3R 4R 5R")


@pytest.mark.parametrize(
    ("photo", "record", "asked"),
    [
        (BLURRED, READ, True),
        (MELDS, READ, False),
        (BLURRED, BESIDE, False),  # nothing of it counts, which is another question
        (BLURRED, ASIDE, False),
        (BLURRED, apply(READ, KeepBlurred(photo="p9"), RULES), False),
        (replace(BLURRED, is_new=False), READ, False),
    ],
)
def test_a_blurred_photograph_of_which_tiles_count_is_a_doubt(
    photo: GivenPhoto, record: Record, asked: bool
) -> None:
    assert [*poor_photos(record, [photo], ())] == ["p9"] * asked
    found = [
        (one.subject, one.cause) for one in about_photos(record, [photo], []) if not one.needed
    ]
    assert found == [("p9", Cause.BLURRED)] * asked


LONG = hand(
    "A melds p9: 3R 4R 5R 6R 7R 8R 9R",
    "A melds p9: 9B 9K 9Y",
    "A melds p9: 1B 1K 1Y",
    "A pozo p9: 2R 2B 2K",
    "B melds p8: 10R 10B 10K",
)


# The first seven tiles may be none, as the figures of a cloth.
ON_CLOTH = replace(
    LONG,
    tiles={
        name: replace(tile, perhaps_none=at < 7)
        for at, (name, tile) in enumerate(LONG.tiles.items())
    },
)


@pytest.mark.parametrize(
    ("photo", "record", "doubts", "asked"),
    [
        (MELDS, LONG, range(8), True),
        (MELDS, ON_CLOTH, range(13), False),  # figures are taken out together
        (MELDS, LONG, range(13), True),
        (MELDS, LONG, range(MANY_DOUBTS - 1), False),  # a few answers are soon given
        (MELDS, LONG, range(6, 19), False),  # seven of them count in the photograph
        (MELDS, hand("A melds p9:" + " 9R" * 17), range(8), False),  # not half of them
        (replace(MELDS, is_new=False), LONG, range(13), False),
        (MELDS, apply(LONG, KeepBlurred(photo="p9"), RULES), range(13), False),
        (replace(MELDS, blurred=True), LONG, range(13), False),  # which is said instead
    ],
)
def test_a_photograph_that_leaves_most_of_its_tiles_in_doubt_is_asked_about_before_them(
    photo: GivenPhoto, record: Record, doubts: range, asked: bool
) -> None:
    names = [*record.tiles]
    about_tiles = [Question(Ask.TILE, 5, False, names[at]) for at in doubts]
    causes = [one.cause for one in about_photos(record, [photo], about_tiles)]
    assert (Cause.DOUBTFUL in causes) == asked


def test_a_blurred_photograph_that_was_kept_is_forgotten_with_its_tiles() -> None:
    kept = apply(READ, KeepBlurred(photo="p9"), RULES)
    assert Record.from_json(kept.to_json()) == kept
    assert drop_photo(kept, "p9").kept_blurred == ()
    with pytest.raises(EditRefused):
        apply(READ, KeepBlurred(photo="p8"), RULES)


def test_a_record_from_before_blurred_photographs_were_kept_is_read() -> None:
    stored = READ.to_json()
    del stored["kept_blurred"]
    assert Record.from_json(stored) == READ
