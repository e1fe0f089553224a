"""A photograph that is read once more leaves as it is what a person said, added, took away or
arranged.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.pieces import Pieces
from engine.sides import SideName
from engine.tiles import Tile
from scorer_app.hand import merging
from scorer_app.hand.intervals import intervals, open_tiles
from scorer_app.hand.merging import drop_photo
from scorer_app.hand.questions import Ask, questions
from scorer_app.hand.record import Place, Record
from vision.reading import Doubt, MeldReading, TableReading, TileReading

from ..pictures import picture_of, reading_of
from .test_edits import RULES, edited, rows_of, tapped

PHOTO = "p1"
READING: dict[str, Any] = picture_of("4B 5B 6B", "9R 9B 9K", loose="13Y").reading


def add_reading(
    record: Record,
    photo: str,
    side: SideName,
    place: Place,
    reading: dict[str, Any],
    **options: Any,
) -> Record:
    return merging.add_reading(record, photo, side, place, reading_of(reading), **options)


def read(record: Record, reading: dict[str, Any] = READING, **options: Any) -> Record:
    return add_reading(record, PHOTO, "A", Place.MELDS, reading, **options)


def named(record: Record, face: str) -> str:
    return next(name for name, tile in record.tiles.items() if tile.face == face)


def row_with(record: Record, face: str) -> str:
    return record.row_of(named(record, face)).id


def added(face: str, row: str, corners: list[list[int]]) -> dict[str, Any]:
    return {
        "op": "add_tile",
        "side": "A",
        "place": "melds",
        "face": face,
        "row": row,
        "photo": PHOTO,
        "corners": corners,
    }


def places_of(record: Record) -> list[str]:
    """List each row's side, place and faces, sorted, so that the order of the rows does not
    matter.
    """
    return sorted(f"{row.side} {row.place} {record.faces(row)}" for row in record.rows)


FREE_SPOT = [[600, 30], [670, 30], [670, 126], [600, 126]]


def test_read_again_untouched_it_is_the_same() -> None:
    once = read(Record())
    again = read(once)
    assert (again.tiles, rows_of(again)) == (once.tiles, rows_of(once))


def test_what_a_person_said_of_a_tile_stays_however_often_it_is_read() -> None:
    record = read(Record())
    tile = named(record, "9R")
    record = edited({"op": "set_tile", "tile": tile, "face": "8R"}, record=record)
    for _ in range(3):
        record = read(record)
        said = record.tiles[tile]
        assert (said.face, said.doubtful, said.confirmed) == ("8R", False, True)


@pytest.mark.parametrize(
    ("pair", "place"),
    [
        ("3K 4K", Place.MELDS),
        ("1R 13R", Place.MELDS),
        ("8B 8Y", Place.MELDS),
        ("J 4K", Place.MELDS),
        ("2K 9R", Place.MELDS),
        ("6Y 8K", Place.POZO),
        ("6Y 8Y", Place.POZO),
        ("12Y 1Y", Place.POZO),
    ],
)
def test_two_tiles_that_begin_no_meld_are_set_aside(pair: str, place: Place) -> None:
    record = read(Record(), picture_of("4B 5B 6B", pair, loose="13Y").reading)
    assert [(row.place, len(row.tiles)) for row in record.rows] == [
        (Place.MELDS, 3),
        (place, 2),
        (Place.POZO, 1),
    ]
    assert rows_of(read(record, picture_of("4B 5B 6B", pair, loose="13Y").reading)) == rows_of(
        record
    )


def test_two_cards_over_one_another_are_a_meld_to_be_asked_about() -> None:
    """They do not lie so by chance: a third one may be covered."""
    cards = replace(reading_of(picture_of("6Y 8K").reading), pieces=Pieces.CARDS)
    record = merging.add_reading(Record(), PHOTO, "A", Place.MELDS, cards)
    assert [row.place for row in record.rows] == [Place.MELDS]


def test_a_row_printed_on_a_box_is_set_aside_and_its_copies_are_nobodys() -> None:
    reading = picture_of("4B 5B 6B", "4B 5B 6B", "4B 9K 7R").reading
    for at in reading["melds"][2]["tiles"]:
        reading["tiles"][at] |= {"doubts": ["printed"], "doubtful": True}
    record = read(Record(), reading)
    assert [row.place for row in record.rows] == [Place.MELDS, Place.MELDS, Place.POZO]
    assert [
        question.ask for question in questions(record, RULES) if question.ask is not Ask.END
    ] == []
    assert intervals(record, RULES)["A"] == (30, 30)


def test_beside_an_unread_tile_a_pair_counts_only_perhaps() -> None:
    record = read(Record(), picture_of("4B 5B 6B", "7K 8K", doubts={"7K": ["", "7K"]}).reading)
    assert [row.place for row in record.rows] == [Place.MELDS, Place.POZO]
    assert [tile.face for tile in open_tiles(record, RULES)] == [None]
    assert intervals(record, RULES)["A"] == (15, 15 + 60)


def test_a_pair_of_which_nothing_is_beyond_doubt_lies_there_by_chance() -> None:
    """It may even begin a meld, as far as it was read: a bottle's label looked like such a pair."""
    for other in ("8K", "9R"):
        doubts = {"7K": ["", "7K"], other: ["3Y"]}
        record = read(Record(), picture_of("4B 5B 6B", f"7K {other}", doubts=doubts).reading)
        assert [row.place for row in record.rows] == [Place.MELDS, Place.POZO]
        assert open_tiles(record, RULES) == []
        assert intervals(record, RULES)["A"] == (15, 15)


def test_a_tile_added_by_hand_stays_in_its_row() -> None:
    record = read(Record())
    record = edited(added("7B", row_with(record, "6B"), FREE_SPOT), record=record)
    assert rows_of(read(record)) == [["4B", "5B", "6B", "7B"], ["9R", "9B", "9K"], ["13Y"]]


def test_what_the_reader_finds_at_last_where_a_person_added_it_is_one_tile() -> None:
    without = {**READING, "tiles": READING["tiles"][:2] + READING["tiles"][3:]}
    without["melds"] = [{"tiles": [0, 1]}, {"tiles": [2, 3, 4]}]
    without["loose"] = [5]
    record = read(Record(), without)
    record = edited(
        added("7B", row_with(record, "5B"), READING["tiles"][2]["corners"]), record=record
    )
    again = read(record)
    assert rows_of(again)[0] == ["4B", "5B", "7B"]
    assert (again.tiles[named(again, "7B")].read, len(again.tiles)) == ("6B", 7)


def test_a_tile_that_a_person_said_stays_in_its_row_though_it_is_seen_no_more() -> None:
    """Rows without such a tile follow the second reading."""
    record = read(Record())
    record = edited({"op": "set_tile", "tile": named(record, "6B"), "face": "7B"}, record=record)
    fewer = {
        **READING,
        "tiles": [tile for tile in READING["tiles"] if tile["tile"] != "6B"],
        "melds": [{"tiles": [0, 1]}, {"tiles": [2, 3]}],
        "loose": [4, 5],
    }
    again = read(record, fewer)
    assert sorted(map(str, rows_of(again))) == sorted(
        map(str, [["4B", "5B", "7B"], ["9R", "9B"], ["9K", "13Y"]])
    )


def test_a_tile_taken_away_does_not_come_back() -> None:
    record = read(Record())
    record = edited({"op": "remove_tile", "tile": named(record, "6B")}, record=record)
    assert rows_of(read(record))[0] == ["4B", "5B"]
    assert [tile.face for tile in record.removed] == ["6B"]


def test_arranged_rows_stay_arranged() -> None:
    record = read(Record())
    record = edited(
        {"op": "move_row", "row": row_with(record, "9R"), "side": "A", "place": "pozo"},
        {"op": "move_tile", "tile": named(record, "13Y"), "row": row_with(record, "4B")},
        {"op": "split_row", "row": row_with(record, "4B"), "at": 2},
        record=record,
    )
    again = read(record)
    assert [(row.place, again.faces(row)) for row in again.rows] == [
        (row.place, record.faces(row)) for row in record.rows
    ]


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "split_row", "row": "4B", "at": 1},
        {"op": "join_rows", "row": "9R", "into": "4B"},
        {"op": "move_row", "row": "9R", "side": "A", "place": "pozo"},
        {"op": "move_row", "row": "9R", "side": "A", "place": "rack"},
        {"op": "move_row", "row": "13Y", "side": "A", "place": "melds"},
        {"op": "move_tile", "tile": "6B", "row": "9R"},
    ],
    ids=str,
)
@pytest.mark.parametrize("tapped_on_the_rack", ["", "12K"])
def test_what_one_edit_arranged_a_second_reading_leaves(
    operation: dict[str, Any], tapped_on_the_rack: str
) -> None:
    """The cases name rows and tiles by a face in them."""
    record = edited(*tapped(tapped_on_the_rack, place="rack"), record=read(Record()))
    ids = {key: row_with(record, operation[key]) for key in ("row", "into") if key in operation}
    if "tile" in operation:
        ids["tile"] = named(record, operation["tile"])
    arranged = edited({**operation, **ids}, record=record)
    assert places_of(arranged) != places_of(record)
    assert places_of(read(arranged)) == places_of(arranged)


def test_a_tile_tapped_aside_joins_the_loose_ones_and_no_row_that_was_set_aside() -> None:
    record = read(Record())
    away = {"op": "move_row", "row": row_with(record, "9R"), "side": "A", "place": "pozo"}
    record = edited(away, *tapped("12K", place="pozo"), record=record)
    assert rows_of(record) == [["4B", "5B", "6B"], ["9R", "9B", "9K"], ["13Y", "12K"]]


def test_an_accepted_row_stays_accepted_until_it_reads_otherwise() -> None:
    record = read(Record())
    record = edited(
        {"op": "accept_row", "row": row_with(record, "9R"), "accepted": True}, record=record
    )
    assert read(record).row(row_with(record, "9R")).accepted
    longer = {
        **READING,
        "tiles": [*READING["tiles"], {**READING["tiles"][5], "corners": FREE_SPOT, "tile": "9Y"}],
    }
    longer["melds"] = [READING["melds"][0], {"tiles": [3, 4, 5, 7]}]
    grown = read(record, longer)
    assert grown.faces(grown.row(row_with(record, "9R"))) == ["9R", "9B", "9K", "9Y"]
    assert not grown.row(row_with(record, "9R")).accepted


OTHER = {"tile": "8K"}
CHANGED = [
    ({5: OTHER}, [0, 1, 2, 3, 4, 5, 6], ["9R", "9B", "8K"]),  # read otherwise
    ({}, [0, 1, 2, 3, 4, 6], ["9R", "9B"]),  # a tile of it is no longer found
]


@pytest.mark.parametrize(("other", "found", "expected"), CHANGED)
def test_an_accepted_row_that_reads_otherwise_is_asked_about_again(
    other: dict[int, Any], found: list[int], expected: list[str]
) -> None:
    record = read(Record())
    row = row_with(record, "9R")
    record = edited({"op": "accept_row", "row": row, "accepted": True}, record=record)
    tiles = [{**READING["tiles"][at], **other.get(at, {})} for at in found]
    nines = [at for at, index in enumerate(found) if index in (3, 4, 5)]
    melds = [READING["melds"][0], {"tiles": nines}]
    again = read(record, {**READING, "tiles": tiles, "melds": melds, "loose": [len(found) - 1]})
    assert (again.faces(again.row(row)), again.row(row).accepted) == (expected, False)


def test_an_accepted_row_is_asked_about_again_once_a_photograph_of_its_tiles_is_gone() -> None:
    record = read(Record())
    row = row_with(record, "9R")
    record = edited({"op": "add_tile", "face": "8K", "row": row}, record=record)
    record = edited({"op": "accept_row", "row": row, "accepted": True}, record=record)
    gone = drop_photo(record, PHOTO)
    assert (gone.faces(gone.row(row)), gone.row(row).accepted) == (["8K"], False)


def test_a_table_that_changed_keeps_no_tile_that_left_it() -> None:
    record = read(Record())
    record = edited(added("7B", row_with(record, "6B"), FREE_SPOT), record=record)
    assert rows_of(read(record, keep_unseen=False))[0] == ["4B", "5B", "6B"]


def test_a_photograph_that_goes_takes_all_it_showed() -> None:
    record = read(Record())
    record = edited({"op": "remove_tile", "tile": named(record, "6B")}, record=record)
    gone = drop_photo(record, PHOTO)
    assert (gone.tiles, gone.rows, gone.removed) == ({}, (), ())


places = st.sampled_from(range(7))


@given(
    st.lists(
        st.tuples(st.sampled_from(["remove_tile", "move", "set_tile", "aside", "split"]), places),
        max_size=6,
    )
)
def test_whatever_was_done_a_second_reading_changes_no_face_and_no_row(
    made: list[tuple[str, int]],
) -> None:
    record = read(Record())
    for name, place in made:
        tile = list(record.tiles)[place % len(record.tiles)] if record.tiles else None
        if tile is None:
            break
        row = record.row_of(tile)
        operations: dict[str, dict[str, Any]] = {
            "remove_tile": {"op": "remove_tile", "tile": tile},
            "move": {"op": "move_tile", "tile": tile, "row": "new", "side": "B", "place": "melds"},
            "set_tile": {"op": "set_tile", "tile": tile, "face": "J"},
            "aside": {"op": "move_row", "row": row.id, "side": row.side, "place": "pozo"},
            "split": {"op": "split_row", "row": row.id, "at": 1},
        }
        if name != "split" or len(row.tiles) > 1:
            record = edited(operations[name], record=record)
    again = read(record)
    assert {name: tile.face for name, tile in again.tiles.items()} == {
        name: tile.face for name, tile in record.tiles.items()
    }
    assert sorted(map(sorted, (row.tiles for row in again.rows))) == sorted(
        map(sorted, (row.tiles for row in record.rows))
    )


@pytest.mark.parametrize("doubt", list(Doubt))
def test_some_doubts_say_that_a_find_may_be_no_tile(doubt: Doubt) -> None:
    entry = TileReading(Tile(7, "R"), CORNERS, 0.9, frozenset({doubt}))
    (tile,) = merged(entry).tiles.values()
    no_tile = {Doubt.FAINT, Doubt.SIZE, Doubt.COPIES, Doubt.PRINTED, Doubt.OFF_RACK}
    assert (tile.doubtful, tile.perhaps_none) == (True, doubt in no_tile)


@pytest.mark.parametrize(
    ("face", "place", "pieces", "perhaps_none"),
    [
        ("J", Place.RACK, Pieces.TILES, True),
        ("J", Place.MELDS, Pieces.TILES, False),  # in a meld no tile shows its back
        ("7R", Place.RACK, Pieces.TILES, False),
        ("J", Place.RACK, Pieces.CARDS, False),  # nobody takes a back for a jolly
    ],
)
def test_a_comodin_in_doubt_on_a_rack_may_be_the_back_of_a_tile(
    face: str, place: Place, pieces: Pieces, perhaps_none: bool
) -> None:
    entry = TileReading(Tile.parse(face), CORNERS, 0.9, frozenset({Doubt.UNSURE}))
    (tile,) = merged(entry, place=place, pieces=pieces).tiles.values()
    assert tile.perhaps_none == perhaps_none


def test_keys_beside_a_rack_are_set_aside() -> None:
    tile = TileReading(Tile.parse("7R"), CORNERS, 0.99, frozenset())
    key = TileReading(Tile.parse("9K"), CORNERS + 100, 0.99, frozenset({Doubt.PRINTED}))
    record = merged(tile, key)
    assert [(row.place, record.faces(row)) for row in record.rows] == [
        (Place.RACK, ["7R"]),
        (Place.POZO, ["9K"]),
    ]
    assert {question.ask for question in questions(record, RULES)} == {Ask.END}


def test_melds_on_the_table_behind_a_rack_are_set_aside_however_sure_they_are() -> None:
    on_rack, behind = (
        TileReading(Tile.parse(face), CORNERS + off, 0.99) for face, off in (("7R", 0), ("9K", 100))
    )
    reading = TableReading(640, 480, (on_rack, behind), (), (0, 1), behind_rack=(1,))
    record = merging.add_reading(Record(), PHOTO, "A", Place.RACK, reading)
    assert [(row.place, record.faces(row)) for row in record.rows] == [
        (Place.RACK, ["7R"]),
        (Place.POZO, ["9K"]),
    ]


def test_a_meld_that_both_the_table_and_the_rack_behind_which_it_lies_show_counts_once() -> None:
    def loose(*faces: str) -> tuple[TileReading, ...]:
        return tuple(
            TileReading(Tile.parse(face), CORNERS + 60 * at, 0.99) for at, face in enumerate(faces)
        )

    three = MeldReading((0, 1, 2), (), None, doubtful=False)
    record = Record()
    for side, photo in (("A", "p1"), ("B", "p2")):
        reading = TableReading(640, 480, loose("7R", "8R", "9R"), (three,), ())
        record = merging.add_reading(record, photo, side, Place.MELDS, reading)
    behind = loose("5K", "7R", "8R", "9R")
    rack = TableReading(640, 480, behind, (), (0, 1, 2, 3), behind_rack=(1, 2, 3))
    record = merging.add_reading(record, PHOTO, "A", Place.RACK, rack)
    assert Ask.COPIES not in {question.ask for question in questions(record, RULES)}


def test_a_record_keeps_a_reading_to_what_matters() -> None:
    entry = TileReading(Tile(7, "R"), CORNERS, 0.98764, frozenset(), ((Tile(1, "R"), 0.01236),))
    (tile,) = merged(entry).tiles.values()
    assert (tile.face, tile.read, tile.confidence) == ("7R", "7R", 0.9876)
    assert (tile.photo, tile.alternatives) == (PHOTO, (("1R", 0.0124),))
    assert tile.corners == ((0.1, 0.0), (40.0, 0.0), (40.0, 56.0), (0.0, 56.0))
    assert (tile.doubtful, tile.perhaps_none, tile.confirmed) == (False, False, False)
    (unread,) = merged(TileReading(None, CORNERS, 0.2, frozenset({Doubt.UNREAD}))).tiles.values()
    assert (unread.face, unread.read, unread.doubtful) == (None, None, True)


CORNERS = np.array([[0.06, 0], [40.04, 0], [40, 56], [0, 55.96]], np.float32)


def merged(
    *entries: TileReading, place: Place = Place.RACK, pieces: Pieces = Pieces.TILES
) -> Record:
    """Make a record with the loose tiles of one photograph."""
    loose = tuple(range(len(entries)))
    reading = TableReading(640, 480, entries, (), loose, (), {}, pieces)
    return merging.add_reading(Record(), PHOTO, "A", place, reading)


@pytest.mark.parametrize(
    ("moved", "same"),
    [
        ((0, 0), True),
        ((19, 0), True),
        ((21, 0), False),
        ((0, 27), True),
        ((0, 28), True),  # on the very edge
        ((0, 29), False),
    ],
)
def test_a_tile_is_known_again_while_one_centre_lies_in_the_other(
    moved: tuple[int, int], same: bool
) -> None:
    first = merged(TileReading(Tile(7, "R"), CORNERS, 0.9))
    again = TileReading(Tile(8, "R"), (CORNERS + np.array(moved)).astype(np.float32), 0.9)
    reading = TableReading(640, 480, (again,), (), (0,), (), {})
    second = merging.add_reading(first, PHOTO, "A", Place.RACK, reading)
    assert (list(second.tiles) == list(first.tiles)) is same


def test_a_row_of_loose_tiles_is_in_no_order_and_a_meld_as_it_was_read() -> None:
    record = read(Record())
    assert [(row.place, row.ordered, row.user_arranged, row.accepted) for row in record.rows] == [
        (Place.MELDS, True, False, False),
        (Place.MELDS, True, False, False),
        (Place.POZO, False, False, False),
    ]
    rack = add_reading(Record(), PHOTO, "B", Place.RACK, picture_of("4B 5B", loose="13Y").reading)
    assert [(row.side, row.place, row.ordered) for row in rack.rows] == [("B", Place.RACK, False)]
    accepted = read(Record(), accepted=[1])
    assert [row.accepted for row in accepted.rows] == [False, True, False]
