"""What people said of a table is known again when another watch of it begins."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from engine.tiles import Tile
from tests.vision.live.doubles import STEP, DrawnTable, started
from vision.live import TableMemory, Watch
from vision.live.recall import LabelledTile, Point, Recall, labelled, let_lie
from vision.live.table.stable import LiveMeld, LiveTile
from vision.live.tracking.tracks import Track

LINE = ((0.0, 130.0), (640.0, 130.0))


def watched_anew(table: DrawnTable, memory: TableMemory | None = None) -> DrawnTable:
    """Begin another watch of a table, which takes over the memory of the one before through
    JSON.
    """
    known = memory or table.watch.memory
    data = msgspec.json.decode(msgspec.json.encode(known))
    kept = msgspec.convert(data, TableMemory)
    table.watch = Watch(table.eyes, "burako", memory=kept)
    return table


def corrected(table: DrawnTable, was: str, face: str) -> None:
    assert table.watch.table is not None
    track = next(tile.id for tile in table.watch.table.tiles if str(tile.tile) == was)
    table.watch.correct(track, Tile.parse(face))


def tiles(table: DrawnTable) -> list[str]:
    assert table.watch.table is not None
    return [str(tile.tile) for tile in table.watch.table.tiles]


def labels(table: DrawnTable) -> list[str]:
    assert table.watch.memory is not None
    return [one.face for one in table.watch.memory.labels]


@pytest.fixture
def table() -> DrawnTable:
    """A table with a line between the sides, one of whose tiles a person has corrected."""
    one = started(line=LINE, fps=5.0)
    corrected(one, "5R", "9R")
    return one


def test_the_line_and_the_corrections_hold_again(table: DrawnTable) -> None:
    assert table.melds() == ["3R 4R 9R", "6B 6K 6Y"]
    assert watched_anew(table).play(1.5) == []
    assert table.melds() == ["3R 4R 9R", "6B 6K 6Y"] and table.watch.line == LINE
    assert not any(tile.doubtful for tile in table.watch.table.tiles)  # type: ignore[union-attr]
    assert table.watch.memory == watched_anew(table).watch._memory


def test_what_people_said_is_kept_until_the_table_is_seen(table: DrawnTable) -> None:
    watched_anew(table).play(0.2)
    assert (labels(table), table.watch.table) == (["9R"], None)


def test_nothing_is_remembered_before_the_first_frame(table: DrawnTable) -> None:
    assert watched_anew(table).watch.memory is None


@pytest.mark.film
@pytest.mark.parametrize("change", ["gone", "elsewhere", "another"])
def test_a_correction_whose_tile_is_gone_is_let_go(table: DrawnTable, change: str) -> None:
    memory = table.watch.memory
    x, y = 100 + 2 * STEP, 60
    table.lift(x, y)
    if change != "gone":
        table.lay(*(("5R", x + 3 * STEP, y) if change == "elsewhere" else ("12B", x, y)))
    watched_anew(table, memory).play(1.5)
    table.play(30)
    assert "9R" not in tiles(table) and labels(table) == []


@pytest.mark.film
def test_a_tile_laid_later_in_that_place_is_not_taken_for_the_corrected_one(
    table: DrawnTable,
) -> None:
    memory, x = table.watch.memory, 100 + 2 * STEP
    table.lift(x, 60)
    watched_anew(table, memory).play(31)
    table.lay("5R", x, 60)
    table.play(2)
    assert table.melds() == ["3R 4R 5R", "6B 6K 6Y"]


@pytest.mark.film
def test_a_tile_that_a_hand_hides_at_first_is_known_again_when_it_is_seen(
    table: DrawnTable,
) -> None:
    table.hand = (190, 90)
    watched_anew(table).play(9)
    assert table.melds() == ["6B 6K 6Y"] and labels(table) == ["9R"]
    table.hand = None
    table.play(10)
    assert sorted(tiles(table)) == ["3R", "4R", "6B", "6K", "6Y", "9R"]


def test_a_corrected_tile_is_known_again_where_it_was_moved_to(table: DrawnTable) -> None:
    table.lift(150, 60)
    table.lay("5R", 400, 200)
    table.play(2)
    assert labels(table) == ["9R"]
    watched_anew(table).play(1.5)
    assert "9R" in tiles(table)


def test_a_meld_that_the_players_let_lie_is_let_lie_again() -> None:
    table = started()
    table.lay("9R", 175, 60)
    table.play(2)
    (meld,) = (one for one in table.watch.table.melds if len(one.row) == 4)  # type: ignore[union-attr]
    table.watch.accept(meld.id)
    watched_anew(table).play(1.5)
    lying = {len(one.row): one.accepted for one in table.watch.table.melds}  # type: ignore[union-attr]
    assert lying == {4: True, 3: False}


def test_frames_of_another_size_show_the_same_table(table: DrawnTable) -> None:
    memory = table.watch.memory
    table.zoom = 1.5
    watched_anew(table, memory).play(1.5)
    assert table.melds() == ["3R 4R 9R", "6B 6K 6Y"]
    assert table.watch.line == ((0.0, 195.0), (960.0, 195.0))


def test_frames_of_another_format_show_another_picture(table: DrawnTable) -> None:
    memory = table.watch.memory
    table.crop = (0, 0, 480, 360)
    watched_anew(table, memory).play(1.5)
    assert table.melds() == ["3R 4R 5R", "6B 6K 6Y"] and table.watch.line is None


def test_a_memory_that_says_the_same_need_not_be_kept_again(table: DrawnTable) -> None:
    memory = table.watch.memory
    assert memory is not None and memory.tells_as_much_as(memory)
    assert not memory.tells_as_much_as(None)
    table.play(1)
    assert table.watch.memory.tells_as_much_as(memory)  # type: ignore[union-attr]
    corrected(table, "6K", "7K")
    assert not table.watch.memory.tells_as_much_as(memory)  # type: ignore[union-attr]
    assert TableMemory(640, 360).tells_as_much_as(None)


@pytest.mark.parametrize(
    "damaged",
    [
        {"width": 0, "height": 360},
        {"width": 640, "height": 360, "labels": [{"face": "99R"}]},
        {
            "width": 640,
            "height": 360,
            "labels": [{"face": "X", "centre": [1, 2], "width": 9.0, "read": {}}],
        },
        {
            "width": 640,
            "height": 360,
            "labels": [{"face": "7R", "centre": [1, 2], "width": 0.0, "read": {}}],
        },
    ],
)
def test_a_damaged_memory_is_refused(damaged: object) -> None:
    with pytest.raises(ValueError):
        msgspec.convert(damaged, TableMemory)


def test_a_tile_has_a_width_be_it_ever_so_small() -> None:
    assert LabelledTile("9R", (1.0, 2.0), 0.5, {}).width == 0.5
    for width in (0.0, -1.0):
        with pytest.raises(ValueError, match=f"expected a width above 0, got {width}"):
            LabelledTile("9R", (1.0, 2.0), width, {})


WIDE = 20.0  # pixels


def seen(face: int, aside: float = 0.0, id: int = 1) -> Track:
    """Make the track of a red tile that reads as the number `face`, `aside` tile widths to the
    right of (110, 114).
    """
    left = 100 + aside * WIDE
    quad = np.array([[left, 100], [left + 20, 100], [left + 20, 128], [left, 128]], np.float32)
    number, colour = np.full(15, -12.0, np.float32), np.full(4, -12.0, np.float32)
    number[face - 1] = colour[0] = 0.0
    return Track(id, quad, number, colour, looks=1)


def said(face: str, **read: float) -> LabelledTile:
    return LabelledTile(face, (110.0, 114.0), WIDE, {name[1:] + "R": p for name, p in read.items()})


@pytest.mark.parametrize(
    ("label", "track", "known"),
    [
        (said("9R", n5=0.98), seen(5), True),  # as it was read then
        (said("9R", n5=0.98), seen(9), True),  # as it was said to be
        (said("3R", n5=0.98), seen(7), False),  # neither
        (said("9R", n5=0.98), seen(7), False),
        (said("9R", n5=0.9, n7=0.06), seen(7), True),
        (said("9R", n5=0.9, n7=0.04), seen(7), False),
        (said("9R", n5=0.98), seen(5, aside=0.34), True),
        (said("9R", n5=0.98), seen(5, aside=-0.36), False),
    ],
)
def test_a_tile_is_known_again_by_its_place_and_its_reading(
    label: LabelledTile, track: Track, known: bool
) -> None:
    assert label.is_seen_as(track) is known
    recall = Recall(TableMemory(640, 360, labels=(label,)))
    expected = {1: Tile.parse(label.face)} if known else {}
    assert recall.labels_of([track]) == expected
    assert recall.labels_of([track]) == {}  # what was found is not looked for again
    assert len(recall.labels) == (0 if known else 1)


def test_of_two_tiles_in_one_place_the_label_goes_to_one() -> None:
    recall = Recall(TableMemory(640, 360, labels=(said("9R", n5=0.98), said("9R", n5=0.98))))
    assert len(recall.labels_of([seen(5, id=1), seen(5, id=2), seen(5, id=3)])) == 2


def test_only_what_people_said_is_remembered_with_its_likeliest_readings() -> None:
    told = replace(seen(5), user_label=Tile(9, "R"))
    (label,) = labelled({2: seen(7, id=2), 1: told})
    assert (label.face, label.centre, label.width, label.read) == (
        "9R",
        (110.0, 114.0),
        20.0,
        {"5R": 1.0},
    )


@pytest.mark.parametrize(
    ("width", "height", "same"),
    [(1280, 720, True), (640, 360, True), (644, 360, True), (650, 360, False), (480, 360, False)],
)
def test_a_memory_holds_in_frames_of_the_same_format(width: int, height: int, same: bool) -> None:
    memory = TableMemory(
        640, 360, ((0.0, 180.0), (640.0, 180.0)), (said("9R", n5=1.0),), (((10.0, 20.0),),)
    )
    told, factor = memory.in_frames(width, height), width / 640
    assert (told.width, told.height, told.is_empty) == (width, height, not same)
    if same:
        assert told.line == ((0.0, 180.0 * factor), (640.0 * factor, 180.0 * factor))
        assert (told.labels[0].centre, told.labels[0].width) == (
            (110 * factor, 114 * factor),
            20 * factor,
        )
        assert told.accepted == (((10 * factor, 20 * factor),),)


def test_memories_say_the_same_while_nothing_moved_by_much() -> None:
    memory = TableMemory(640, 360, labels=(said("9R", n5=1.0),))
    for moved, same in ((3.1, True), (3.3, False)):
        label = replace(memory.labels[0], centre=(110.0 + moved, 114.0))
        assert replace(memory, labels=(label,)).tells_as_much_as(memory) is same
    assert not replace(memory, labels=(said("8R", n5=1.0),)).tells_as_much_as(memory)
    assert not replace(memory, line=LINE).tells_as_much_as(memory)
    assert not replace(memory, accepted=(((1.0, 2.0),),)).tells_as_much_as(memory)
    assert not memory.is_empty and TableMemory(640, 360).is_empty


def test_of_what_people_said_the_latest_is_kept_as_far_as_a_table_holds_it() -> None:
    """A table has at most two sets of 108 tiles, and melds of three tiles or more."""
    labels = tuple(replace(said("9R", n5=1.0), centre=(x / 2, 9.0)) for x in range(300))
    melds = tuple(((x / 2, 200.0),) for x in range(100))
    table = DrawnTable()
    table.watch = Watch(table.eyes, memory=TableMemory(640, 360, None, labels, melds))
    table.play(0.2)
    memory = table.watch.memory
    assert memory is not None
    assert (memory.labels, memory.accepted) == (labels[-216:], melds[-72:])


def test_places_are_remembered_to_a_tenth_of_a_pixel() -> None:
    track = replace(seen(5), user_label=Tile(9, "R"))
    moved = track.at((track.quad + np.float32([0.26, 0.34])).astype(np.float32))
    assert labelled({1: moved})[0].centre == (110.3, 114.3)


def test_the_likeliest_readings_are_kept_and_none_that_is_hardly_possible() -> None:
    def kept(*shares: float) -> dict[str, float]:
        number = np.full(15, -30.0, np.float32)
        number[: len(shares)] = np.log(shares)
        track = replace(seen(1), number=number, user_label=Tile(9, "R"))
        return labelled({1: track})[0].read

    assert kept(0.6, 0.3, 0.0914, 0.0086) == {"1R": 0.6, "2R": 0.3, "3R": 0.091}
    assert kept(0.05, 0.2, 0.15, 0.3, 0.19, 0.11) == {
        "4R": 0.3,
        "2R": 0.2,
        "5R": 0.19,
        "3R": 0.15,
        "6R": 0.11,
    }


def meld(*places: Point, accepted: bool = True, id: int = 1) -> LiveMeld:
    """Make a meld of tiles 20 wide and 30 high whose middles are `places`."""
    around = np.array([[-10, -15], [10, -15], [10, 15], [-10, 15]], np.float32)
    tiles = [
        LiveTile(at, None, around + np.float32(place), 1.0, False)
        for at, place in enumerate(places)
    ]
    return LiveMeld(id, tuple(tiles), None, None, accepted)


ROW: tuple[Point, ...] = ((100.0, 50.0), (121.0, 50.0), (142.0, 50.0))


@pytest.mark.parametrize(
    ("lying", "again"),
    [
        (ROW, True),
        (ROW[::-1], True),  # read from the other side
        (ROW[:2], False),
        ((*ROW, (163.0, 50.0)), False),
        (((100.0, 56.9), *ROW[1:]), True),  # a third of a width
        (((100.0, 57.1), *ROW[1:]), False),
        ((ROW[1], ROW[0], ROW[2]), False),
    ],
)
def test_a_meld_is_known_again_by_the_places_of_its_tiles(
    lying: tuple[Point, ...], again: bool
) -> None:
    recall = Recall(TableMemory(640, 360, accepted=(((9.0, 9.0),), ROW)))
    other = meld((300.0, 300.0), id=7)
    assert recall.accepted_among([other, meld(*lying, id=8)]) == ([8] if again else [])
    assert recall.accepted == ((((9.0, 9.0),),) if again else (((9.0, 9.0),), ROW))
    assert recall.accepted_among([meld(*lying, id=8)]) == []


def test_only_melds_that_the_players_let_lie_are_remembered_and_none_that_is_too_long() -> None:
    longest = meld(*((20.0 * at, 9.04) for at in range(26)))
    longer = meld(*((20.0 * at, 9.0) for at in range(27)))
    kept = let_lie([meld(*ROW, accepted=False), longest, longer, meld(*ROW)])
    assert kept == (tuple((20.0 * at, 9.0) for at in range(26)), ROW)


@pytest.mark.parametrize(("width", "height"), [(0, 360), (640, 0)])
def test_frames_have_a_size(width: int, height: int) -> None:
    with pytest.raises(ValueError, match=f"expected a size, got {width} x {height}"):
        TableMemory(width, height)
    assert TableMemory(1, 1).is_empty
