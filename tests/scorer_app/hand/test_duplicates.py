"""Which tiles of two photographs are the same tile."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.sides import SideName
from scorer_app.hand.duplicates import (
    _overlap,
    repeated_tiles,
    repeats,
    shown_again,
    shown_twice,
    tapped_before,
)
from scorer_app.hand.record import Corners, Place, Record, Row, Tile


@pytest.mark.parametrize(
    ("here", "there", "expected"),
    [
        ("4R 5R", "3R 4R 5R 6R", range(2)),  # all of it
        ("3R 4R 5R", "3R 4R 5R", range(3)),
        ("5R 6R 7R", "3R 4R 5R 6R", range(2)),  # its beginning, which ends the other
        ("3R 4R 5R", "4R 5R 6R", range(1, 3)),  # its end, which begins the other
        ("2R 3R 4R 5R 6R", "3R 4R 5R", range(0)),  # the middle is no end
        ("1B 2B", "3R 4R 5R", range(0)),
        ("5R", "4R", range(0)),
        ("4R 5R", "4R", range(1)),
        ("", "4R 5R", range(0)),
    ],
)
def test_an_end_or_all_of_a_row_lies_in_another(here: str, there: str, expected: range) -> None:
    assert _overlap([*here.split()], [*there.split()]) == expected


WIDTH = 30.0
TAPPED = "tapped"  # stands for a photograph where a person tapped the tiles in


def hand(*rows: str, shifts: dict[str, float] | None = None) -> Record:
    """Make a record of rows such as `A melds p1: 3R 4R 5R`, entered in this order.

    The tiles of a row may be of several photographs: `A rack p1: 3R p2: 4R`. Each photograph shows
    its own rows below one another, all of it `shifts` pixels to the right.
    """
    record, lines = Record(), dict[str, int]()
    for text in rows:
        side, place, *laid = text.split()
        names, photo = [], ""
        for at, word in enumerate(laid):
            if word.endswith(":"):
                photo = word.rstrip(":")
                lines[photo] = lines.get(photo, 0) + 1
                continue
            name, record = record.next_id("t")
            left, top = WIDTH * at + (shifts or {}).get(photo, 0.0), 100.0 * lines[photo]
            record = record.with_tiles([tile_of(name, word, photo, left, top)])
            names.append(name)
        name, record = record.next_id("r")
        row = Row(name, side_of(side), Place(place), tuple(names), ordered=True)
        record = replace(record, rows=(*record.rows, row))
    return record


def side_of(letter: str) -> SideName:
    return "A" if letter == "A" else "B"


def tile_of(name: str, face: str, photo: str, left: float, top: float) -> Tile:
    if photo == TAPPED:
        return Tile(name, face, confirmed=True)
    right, bottom = left + WIDTH, top + 1.4 * WIDTH
    corners: Corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Tile(name, face, photo, corners, read=face, confidence=0.9)


def faces_of(record: Record, names: list[str]) -> str:
    """Write tiles as ids with faces, so that a tile is not taken for its copy."""
    return " ".join(f"{name}={record.tiles[name].face}" for name in names)


@pytest.mark.parametrize(
    ("rows", "again"),
    [
        (["A melds p1: 3R 4R 5R 6R", "A melds p2: 4R 5R 6R 7R"], "t6=4R t7=5R t8=6R"),
        (["A melds p1: 3R 4R 5R 6R", "A melds p2: 7R 6R 5R 4R"], "t7=6R t8=5R t9=4R"),
        (["A melds p1: 3R 4R 5R 6R", "A melds p2: 4R 5R"], "t6=4R t7=5R"),
        (["A melds p1: 3R 4R 5R 6R", "A melds p2: 4R"], ""),  # any meld may hold a single tile
        (["A melds p1: 3R 4R 5R 6R", "A melds p2: 5R 6R 7R"], ""),  # two may be two melds' ends
        (["A melds p1: 3R 4R 5R", "B melds p2: 3R 4R 5R"], ""),
        (["A melds p1: 3R 4R 5R", "A pozo p2: 3R 4R 5R"], ""),
        (["A pozo p1: 3R 4R 5R", "A pozo p2: 3R 4R 5R"], ""),
        (["A melds p1: 3R 4R 5R", "A melds p2: 3R 4R tapped: 5R"], ""),  # a person put it there
        (["A melds p2: 3R 4R 5R", "A melds p1: 3R 4R 5R"], ""),  # p2 was read first
        (
            ["A melds p1: 3R 4R 5R", "A melds p1: 4R 5R 6R 7R", "A melds p2: 3R 4R 5R 6R 7R"],
            "t11=4R t12=5R t13=6R t14=7R",
        ),
        (
            ["A melds p1: 4R 5R 6R 7R", "A melds p1: 3R 4R 5R", "A melds p2: 3R 4R 5R 6R 7R"],
            "t11=4R t12=5R t13=6R t14=7R",
        ),
        (["A rack p1: 3R 9K 3R p2: 3R 3R 3R J 9K"], "t4=3R t5=3R t8=9K"),
        (["A rack tapped: 3R 9K p2: J 9K"], "t4=9K"),
        (["A rack p1: 3R 9K", "B rack p2: 3R 9K"], ""),
        (
            [
                "A melds p1: 3R 4R 5R",
                "A melds p1: 9B 9K 9Y",
                "A melds p2: 9Y 9K 9B",
                "A melds p2: 3R 4R 5R",
            ],
            "t9=9Y t10=9K t11=9B t13=3R t14=4R t15=5R",
        ),
    ],
)
def test_what_an_earlier_photograph_shows_in_the_same_order_is_repeated(
    rows: list[str], again: str
) -> None:
    record = hand(*rows)
    assert faces_of(record, repeated_tiles(record, "p2")) == again
    assert faces_of(record, repeats(record).get("p2", [])) == again


def test_only_photographs_that_repeat_tiles_are_listed() -> None:
    rows = ["A melds p2: 3R 4R 5R", "A melds p1: 3R 4R 5R", "A melds p3: 9B 9K 9Y"]
    assert repeats(hand(*rows)) == {"p1": ["t5", "t6", "t7"]}


def test_melds_that_two_photographs_of_a_side_show_are_shown_again() -> None:
    rows = [
        "A melds p1: 3R 4R 5R",
        "A melds tapped: 9R 9B 9K",
        "A melds p2: 5R 4R 3R",
        "A melds p2: 9R 9B 9K",
        "A melds p2: 4R 5R",
        "B melds p3: 3R 4R 5R",
        "A rack p4: 8K",
        "A rack p5: 8K",
    ]
    record = hand(*rows)
    assert shown_again(record) == {"p2": ["t9", "t10", "t11"]}
    assert shown_again(replace(record, told_apart=("p2",))) == {}


@pytest.mark.parametrize(
    ("second", "again"),
    [
        ("p2: 9R 8K 12B J 4Y 5Y 5Y", "t7=9R t8=8K t9=12B t10=J"),
        ("p2: 12B J 9R 8K", "t7=12B t8=J t9=9R t10=8K"),
        ("p2: 9R 8K 12B 4Y 5Y", ""),  # two players may have three alike left
        ("p2: 9R 8K 12B J 4Y 5Y 5Y 1B 1B", "t7=9R t8=8K t9=12B t10=J"),  # of a smaller one
        ("tapped: 9R 8K 12B J", ""),
    ],
)
def test_a_rack_of_which_two_photographs_show_parts_is_shown_again(second: str, again: str) -> None:
    record = hand(f"A rack p1: 3R 9R 8K 12B J 7R {second}")
    assert faces_of(record, shown_again(record).get("p2", [])) == again
    assert shown_again(replace(record, told_apart=("p2",))) == {}


@pytest.mark.parametrize(("last", "parts"), [("4B", []), ("9B", ["p2"])])
def test_of_two_long_racks_four_tiles_alike_make_no_parts_of_one(
    last: str, parts: list[str]
) -> None:
    record = hand(f"A rack p1: 3R 4R 5R 9R 8K 12B J 9B p2: 9R 8K 12B J 1B 2B 3B {last}")
    assert list(shown_again(record)) == parts


def test_of_a_rack_that_was_tapped_in_too_the_photographs_alone_are_compared() -> None:
    assert shown_again(hand("A rack tapped: 9R 8K 12B J p1: 3R 4R p2: 9R 8K 12B J")) == {}


@pytest.mark.parametrize(
    ("rows", "tapped"),
    [
        (["A melds tapped: 5R 3R 4R", "A melds p1: 3R 4R 5R 6R"], "t1=5R t2=3R t3=4R"),
        (["A melds tapped: 7R 5R 3R 4R 6R", "A melds p1: 4R 5R 6R"], "t7=4R t8=5R t9=6R"),
        (["A melds tapped: 3R 4R 9K", "A melds p1: 3R 4R 5R"], ""),
        (["A melds tapped: 3R 4R", "A melds p1: 3R 4R 5R"], "t1=3R t2=4R"),
        (["A melds p1: 3R 4R 5R", "A melds tapped: 3R 4R 5R"], ""),  # tapped in afterwards
        (["B melds tapped: 3R 4R 5R", "A melds p1: 3R 4R 5R"], ""),
        (["A pozo tapped: 3R 4R 5R", "A pozo p1: 3R 4R 5R"], ""),
        (["A melds tapped: 3R 4R 5R p2: 6R", "A melds p1: 3R 4R 5R"], ""),
        (["A melds p2: 6R tapped: 3R 4R 5R", "A melds p1: 3R 4R 5R"], ""),
        (
            ["A melds tapped: 3R 4R 5R", "A melds tapped: 3R 4R 5R", "A melds p1: 3R 4R 5R"],
            "t1=3R t2=4R t3=5R",
        ),
        (
            [
                "A melds tapped: 3R 4R 5R",
                "A melds tapped: 9B 9K 9Y",
                "A melds p1: 9K 9Y 9B",
                "A melds p1: 3R 4R 5R",
            ],
            "t1=3R t2=4R t3=5R t5=9B t6=9K t7=9Y",
        ),
        (
            ["A melds tapped: 3R 4R 5R 6R", "A melds p1: 3R 4R 5R", "A melds p1: 6R 3R 4R 5R"],
            "t1=3R t2=4R t3=5R t4=6R",
        ),
        (["A rack tapped: 3R 9K 3R p1: 3R J 9K"], "t1=3R t2=9K"),
        (["A rack p1: 3R tapped: 3R"], ""),
    ],
)
def test_what_a_person_had_tapped_in_is_known_again(rows: list[str], tapped: str) -> None:
    record = hand(*rows)
    assert faces_of(record, tapped_before(record, "p1")) == tapped


def test_a_photograph_given_again_is_known_by_its_tiles_places() -> None:
    rows = ["A melds p1: 3R 4R 5R 6R 7R", "B melds p2: 3R 4R 5R 6R 7R", "A rack p3: 3R 4R 5R 6R 7R"]
    assert shown_twice(hand(*rows)) == {"p2": "p1", "p3": "p1"}
    apart = replace(hand(*rows), told_apart=("p2",))
    assert shown_twice(apart) == {"p3": "p1"}
    far = hand(*rows, shifts={"p2": 0.34 * WIDTH, "p3": -0.32 * WIDTH})
    assert shown_twice(far) == {"p3": "p1"}


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("3R 4R 5R 6R 7R", "3R 4R 5R 6R 8R", True),  # four of five
        ("3R 4R 5R 6R 7R", "3R 4R 5R 9K 8R", False),
        ("3R 4R 5R 6R 7R", "3R 4R 5R 6R", True),
        ("3R 4R 5R 6R", "3R 4R 5R 6R 7R 8R", False),  # four of six
        ("3R 4R 5R 6R 7R 8R", "3R 4R 5R 6R", False),
        ("4R 3R 5R 6R 7R", "3R 4R 5R 6R 7R", False),  # two of them lie elsewhere
    ],
)
def test_four_of_five_tiles_at_the_same_place_are_enough(
    first: str, second: str, same: bool
) -> None:
    record = hand(f"A melds p1: {first}", f"A melds p2: {second}")
    assert shown_twice(record) == ({"p2": "p1"} if same else {})


def test_tiles_that_a_person_removed_count_among_those_that_are_missing() -> None:
    record = hand("A melds p1: 3R 4R 5R 6R", "A melds p2: 3R 4R 5R 6R")
    gone = [tile_of(f"t9{at}", "9K", "p2", 500.0, 500.0) for at in range(2)]
    assert shown_twice(replace(record, removed=(gone[0],))) == {"p2": "p1"}  # four of five
    assert shown_twice(replace(record, removed=(*gone,))) == {}
    others = [replace(tile, photo="p1") for tile in gone]
    assert shown_twice(replace(record, removed=(*others,))) == {"p2": "p1"}


def test_the_earlier_photograph_is_the_one_that_was_read_first() -> None:
    """Its tiles have the lower numbers, though the record may list them later."""
    many = " ".join(["9K"] * 8)
    record = hand(f"A melds p1: {many}", "A melds p2: 3R 4R 5R", "B melds p3: 3R 4R 5R")
    turned = replace(record, tiles=dict(reversed(record.tiles.items())))
    assert shown_twice(turned) == shown_twice(record) == {"p3": "p2"}


LONG = "3R 4R 5R 6R 7R 8R 9R"  # seven tiles


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ([LONG, "9B 9K 9Y 9R 9R"], [LONG, "9B 9K 9Y 9R 9R"], True),  # twelve
        ([LONG, "9B 9K 9Y 9R 9R"], [LONG, "9R 9R 9Y 9K 9B"], True),  # one from the other side
        (["3R 4R 5R", "9B 9K 9Y"], ["3R 4R 5R", "9Y 9K 9B"], True),  # six
        (["3R 4R 5R 6R 7R"], ["3R 4R 5R 6R 7R"], False),  # five: both sides may have them
        ([LONG, "9B 9K 9Y"], [LONG, "8B 8K 8Y"], False),  # seven of ten
        ([LONG, "9B 9K 9Y 9R 9R", "1K 1B 1Y"], [LONG, "9B 9K 9Y 9R 9R", "1K 1B 1R"], True),
        ([LONG, "9B 9K 9Y 9R 9R", "1K 1B 1Y 1R"], [LONG, "9B 9K 9Y 9R 9R", "8K 8B 8Y 8R"], False),
    ],
)
def test_taken_from_another_spot_a_photograph_is_known_by_its_rows(
    first: list[str], second: list[str], same: bool
) -> None:
    rows = [f"A melds p1: {row}" for row in first] + [f"B melds p2: {row}" for row in second]
    record = hand(*rows, shifts={"p2": 400.0})
    assert shown_twice(record) == ({"p2": "p1"} if same else {})
    aside = tuple(replace(row, place=Place.POZO) for row in record.rows)
    assert shown_twice(replace(record, rows=aside)) == {}


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("3R 9K 12B J", "J 12B 3R 9K", True),
        ("3R 9K 12B", "12B 9K 3R", True),
        ("3R 9K", "9K 3R", False),  # two players may have these two left
        ("3R 9K 12B J 5Y", "5Y 1B 9K 3R 12B", True),  # four of five
        ("3R 9K 12B J", "5Y 9K 3R 12B", False),
        ("3R 9K 12B J", "9K J 3R 12B 7R 8K", False),  # four of six
    ],
)
@pytest.mark.parametrize("side", ["A", "B"])
def test_taken_from_another_spot_a_rack_is_known_by_its_tiles(
    first: str, second: str, same: bool, side: str
) -> None:
    """Else its tiles would count twice without a question."""
    record = hand(f"A rack p1: {first}", f"{side} rack p2: {second}", shifts={"p2": 400.0})
    assert shown_twice(record) == ({"p2": "p1"} if same else {})
    laid = tuple(replace(row, place=Place.MELDS) for row in record.rows)
    assert shown_twice(replace(record, rows=laid)) == {}
