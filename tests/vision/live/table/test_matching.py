"""Which row each meld has after a change, and what happened to the meld."""

from __future__ import annotations

import pytest

from engine.tiles import Tile, tiles
from vision.live.table.matching import MeldRows, TableMeld, claim_rows
from vision.live.table.referee import MeldChange
from vision.live.table.rows import TrackRow

# Track 3 is the red 3, and so on; 23 the blue 3.
FACES: dict[int, Tile | None] = {
    **{number: Tile(number, "R") for number in range(1, 14)},
    **{number + 20: Tile(number, "B") for number in range(1, 14)},
}


def claimed(
    rows: list[TrackRow], melds: dict[int, TrackRow], new: bool = True, **gone: str
) -> dict[int, TrackRow]:
    """Return which meld claims which row, where `melds` are the known ones with their tracks.

    `new` lets rows of several tiles be new melds. `gone` names melds without tracks, `m9` for the
    id 9, with the tiles of their last legal state.
    """
    known = {id: TableMeld(id, row) for id, row in melds.items()}
    for name, laid in gone.items():
        known[int(name[1:])] = TableMeld(int(name[1:]), (), legal_before=tiles(laid))
    meld_of = {track: id for id, row in melds.items() for track in row}
    return claim_rows(rows, FACES, known, meld_of, lambda row: new and len(row) > 1, 50)


@pytest.mark.parametrize(
    ("rows", "melds", "expected"),
    [
        ([(3, 4, 5)], {1: (3, 4, 5)}, {1: (3, 4, 5)}),
        ([(7, 8), (3, 4, 5, 6)], {1: (3, 4, 5)}, {1: (3, 4, 5, 6), 50: (7, 8)}),
        ([(7, 8), (10, 11)], {}, {50: (7, 8), 51: (10, 11)}),
        ([(3, 4), (5, 6, 7)], {1: (3, 4, 5, 6, 7)}, {1: (5, 6, 7), 50: (3, 4)}),  # the larger part
        ([(3, 4, 5, 6, 7)], {1: (3, 4), 2: (5, 6, 7)}, {2: (3, 4, 5, 6, 7)}),
        ([(3, 4, 6), (5, 7, 8)], {1: (3, 4, 5), 2: (6, 7, 8)}, {1: (3, 4, 6), 2: (5, 7, 8)}),
        ([(3, 7, 8), (4, 5)], {1: (3, 4, 5), 2: (7, 8)}, {2: (3, 7, 8), 1: (4, 5)}),
        ([(9,)], {1: (3, 4, 5)}, {}),  # a tile alone is no new meld
    ],
)
def test_melds_claim_the_rows_that_they_share_most_tiles_with(
    rows: list[TrackRow], melds: dict[int, TrackRow], expected: dict[int, TrackRow]
) -> None:
    assert claimed(rows, melds) == expected


def test_a_meld_that_was_gone_comes_back_with_all_its_tiles() -> None:
    assert claimed([(4, 3, 5)], {}, m8="9K 9B 9Y", m9="3R 4R 5R") == {9: (4, 3, 5)}
    assert claimed([(3, 4, 5, 6)], {}, m9="3R 4R 5R") == {9: (3, 4, 5, 6)}
    assert claimed([(3, 4, 5, 6)], {}, new=False, m9="3R 4R 5R") == {}  # as in a pozo
    assert claimed([(4, 5, 6, 7)], {}, m9="3R 4R 5R") == {50: (4, 5, 6, 7)}
    assert claimed([(3, 4, 5, 6)], {}, m8="3R 4R 5R", m9="3R 4R 5R 6R") == {9: (3, 4, 5, 6)}
    assert claimed([(3, 4)], {}, new=False, m9="3R 4R 5R") == {}
    # Laid twice over, the first row is the one that came back.
    both = claimed([(3, 4, 5), (23, 24, 25)], {}, m9="3R 4R 5R", m10="3B 4B 5B")
    assert both == {9: (3, 4, 5), 10: (23, 24, 25)}
    again = claimed([(3, 4, 5), (5, 4, 3)], {}, m9="3R 4R 5R")
    assert again == {9: (3, 4, 5), 50: (5, 4, 3)}


def changes(before: dict[int, TrackRow], after: dict[int, TrackRow]) -> MeldRows:
    """Make the value that holds the rows of melds before and after a change.

    Tracks in no row of `after` have disappeared.
    """
    here = {track for row in after.values() for track in row}
    return MeldRows(
        melds={id: TableMeld(id, row) for id, row in before.items()},
        rows=after,
        meld_of={track: id for id, row in before.items() for track in row},
        tiles_before=FACES,
        tiles={track: FACES[track] for track in here},
    )


def told(change: MeldChange) -> dict[str, str]:
    parts = ("before", "after", "added", "moved_in", "removed", "reordered")
    rows = {part: " ".join(map(str, getattr(change, part))) for part in parts}
    return {part: row for part, row in rows.items() if row}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((3, 4, 5), (3, 4, 5), None),
        ((3, 4, 5), (5, 4, 3), None),  # seen from the other side
        ((), (3, 4, 5), {"after": "3R 4R 5R", "added": "3R 4R 5R"}),
        ((3, 4), (3, 4, 5), {"before": "3R 4R", "after": "3R 4R 5R", "added": "5R"}),
        ((3, 4, 5), (3, 4), {"before": "3R 4R 5R", "after": "3R 4R", "removed": "5R"}),
        ((3, 4, 5), (), {"before": "3R 4R 5R", "removed": "3R 4R 5R"}),
        (
            (3, 4, 5),
            (3, 4, 25),
            {"before": "3R 4R 5R", "after": "3R 4R 5B", "added": "5B", "removed": "5R"},
        ),
    ],
)
def test_what_happened_to_one_meld(
    before: TrackRow, after: TrackRow, expected: dict[str, str] | None
) -> None:
    rows = {7: after} if after else {}
    found = changes({7: before}, rows).changes()
    assert {id: told(change) for id, change in found.items()} == ({7: expected} if expected else {})


def test_a_tile_exchanged_for_its_like_is_neither_added_nor_removed() -> None:
    rows = changes({7: (3, 4, 5)}, {7: (3, 4, 12)})
    alike = FACES | {12: FACES[5]}
    again = MeldRows(rows.melds, rows.rows, rows.meld_of, FACES, alike)
    assert told(again.changes()[7]) == {"before": "3R 4R 5R", "after": "3R 4R 5R"}


def test_melds_between_which_tiles_went_are_judged_together() -> None:
    before = {1: (3, 4, 5), 2: (7, 8, 9), 3: (23, 24, 25), 4: (30, 31, 32), 5: (1, 2)}
    after = {4: (30, 31, 32), 1: (3, 4), 2: (5, 7, 8), 6: (9, 10, 11), 3: (23, 24), 5: (1, 2, 26)}
    rows = changes(before, after)
    found = rows.changes()
    assert sorted(found) == [1, 2, 3, 5, 6]
    groups = [[change.meld_id for change in group] for group in rows.linked(found)]
    assert groups == [[1, 2, 6], [3], [5]]
    assert told(found[2])["moved_in"] == "5R" and told(found[6])["moved_in"] == "9R"
    assert "removed" not in told(found[1]) and told(found[3])["removed"] == "5B"
    alone = {id: change for id, change in found.items() if id != 2}
    assert [[one.meld_id for one in group] for group in rows.linked(alone)] == [[1], [3], [5], [6]]
