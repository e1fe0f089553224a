"""Melds keep their identity, whatever is found late, exchanged or accepted."""

from __future__ import annotations

import pytest

from engine.reasons import Reason
from engine.rulesets import ruleset
from engine.tiles import Tile, tiles
from vision.live.table.melds import MeldRegistry
from vision.live.table.referee import Ruling
from vision.live.table.rows import TrackRow

BURAKO = ruleset("burako")


def test_a_tile_found_late_joins_or_makes_a_meld_in_silence() -> None:
    tiles = {i: Tile(i, "R") for i in (3, 4, 5, 6)}
    registry = MeldRegistry(ruleset("burako"))
    registry.begin([(4, 5)], {i: tiles[i] for i in (4, 5)}, set())
    registry.adopt([(3, 4, 5)], tiles, {3}, set())
    assert [meld.tracks for meld in registry.present()] == [(3, 4, 5)]
    registry.adopt([(3, 4, 5, 6)], tiles, {6}, set())
    assert [meld.tracks for meld in registry.present()] == [(3, 4, 5, 6)]
    assert registry.update([(3, 4, 5, 6)], tiles, set()) == []


def test_a_tile_that_is_gone_is_reported_although_others_are_found_late() -> None:
    tiles = {i: Tile(i, "R") for i in (3, 4, 5, 6)}
    registry = MeldRegistry(ruleset("burako"))
    registry.begin([(4, 5, 6)], tiles, set())
    rest = {i: tiles[i] for i in (4, 5)}
    registry.adopt([(4, 5)], rest, set(), set())
    assert [ruling.tiles for ruling in registry.update([(4, 5)], rest, set())] == [(Tile(6, "R"),)]


@pytest.mark.parametrize(
    ("instead", "names"), [("9B", []), ("8B", ["tiles_added", "tile_removed"])]
)
def test_a_tile_seen_anew_or_exchanged_for_its_like_is_nothing_to_report(
    instead: str, names: list[str]
) -> None:
    registry = MeldRegistry(BURAKO)
    laid = dict(enumerate(tiles("9B J 11B 12B")))
    registry.begin([(0, 1, 2, 3)], laid, set())
    (other,) = tiles(instead)
    rulings = registry.update([(4, 1, 2, 3)], {1: laid[1], 2: laid[2], 3: laid[3], 4: other}, set())
    assert [ruling.kind.value for ruling in rulings] == names
    assert registry.present()[0].tracks == (4, 1, 2, 3)


# Track 3 is the red 3, and so on; 23 the blue 3, 40 a comodín.
FACES: dict[int, Tile | None] = {
    **{number: Tile(number, "R") for number in range(1, 14)},
    **{number + 20: Tile(number, "B") for number in range(1, 14)},
    40: tiles("J")[0],
}


def among(rows: list[TrackRow]) -> dict[int, Tile | None]:
    """Map the tracks of the rows to their tiles."""
    return {track: FACES[track] for row in rows for track in row}


def begun(*rows: TrackRow, heaped: set[int] | None = None) -> MeldRegistry:
    registry = MeldRegistry(BURAKO)
    registry.begin(rows, among([*rows]), heaped or set())
    return registry


def laid(
    registry: MeldRegistry, *rows: TrackRow, heaped: set[int] | None = None
) -> list[tuple[str, int, str, Reason | None]]:
    """Show the registry all rows of the table, and return its rulings as `told` does."""
    return told(registry.update(rows, among([*rows]), heaped or set()))


def told(rulings: list[Ruling]) -> list[tuple[str, int, str, Reason | None]]:
    """Return each ruling as its kind, meld, tiles and reason."""
    found = []
    for each in rulings:
        assert each.verdict is not None
        named = " ".join(map(str, each.tiles))
        found.append((each.kind.value, each.meld_id, named, each.verdict.reason))
    return found


def melds(registry: MeldRegistry) -> dict[int, TrackRow]:
    return {meld.id: meld.tracks for meld in registry.present()}


@pytest.mark.parametrize(
    ("row", "heaped", "is_meld"),
    [
        ((3, 4), set(), False),  # too short
        ((3, 4, 5), {3, 4, 5}, True),  # legal, wherever it lies
        ((3, 4, 9), set(), True),
        ((3, 4, 9), {3, 7, 8}, True),
        ((3, 4, 9, 11), {3, 4}, True),  # no more than half
        ((3, 4, 9), {3, 4}, False),
    ],
)
def test_what_lies_on_the_first_table_is_a_meld_unless_it_lies_as_in_a_pozo(
    row: TrackRow, heaped: set[int], is_meld: bool
) -> None:
    registry = begun(row, heaped=heaped)
    assert melds(registry) == ({1: row} if is_meld else {})
    assert all(registry.is_in_meld(track) is is_meld for track in row)
    assert all(map(registry.is_known, row)) and not registry.is_known(30)


def test_melds_are_numbered_as_they_come_and_keep_their_numbers() -> None:
    registry = begun((3, 4, 5), (7, 8), (23, 24, 25))
    assert melds(registry) == {1: (3, 4, 5), 2: (23, 24, 25)}
    assert laid(registry, (3, 4, 5), (23, 24, 25), (9, 10, 11), (30, 31, 32)) == [
        ("meld_laid", 3, "9R 10R 11R", None),
        ("meld_laid", 4, "10B 11B 12B", None),
    ]
    laid(registry, *registry.rows(), (12, 13))
    registry.open_short((12, 13))
    assert laid(registry, *registry.rows(), (26, 27, 28)) == [("meld_laid", 6, "6B 7B 8B", None)]
    assert registry.rows()[0] == registry.row_of(1) == (3, 4, 5)


def test_a_row_is_legal_as_it_is_read() -> None:
    registry = begun((3, 4, 5), (3, 4, 9))
    assert registry.is_legal((3, 4, 5)) and not registry.is_legal((3, 4, 9))
    unread = {**FACES, 4: None}
    assert not registry.is_legal((3, 4, 5), unread)
    assert registry.is_legal((3, 40, 5), FACES)


def test_tiles_laid_one_by_one_make_a_meld_only_where_it_is_legal_and_in_no_heap() -> None:
    def then(*row: int, known: tuple[int, ...], heaped: set[int]) -> bool:
        registry = begun(*((track,) for track in known))
        return bool(laid(registry, row, heaped=heaped))

    assert then(3, 4, 5, known=(3, 4), heaped=set())
    assert not then(3, 4, 5, known=(3, 4), heaped={4})
    assert not then(3, 4, 9, known=(3, 4), heaped=set())
    assert then(3, 4, 9, known=(), heaped={3, 4, 9})  # laid together, right or wrong
    assert then(3, 4, 5, 9, known=(9,), heaped={9})
    assert not then(3, 4, known=(), heaped=set())


def test_of_tiles_taken_from_melds_a_new_one_is_laid_together() -> None:
    registry = begun((3, 4, 5, 6), (23, 24, 25, 26))
    happened = laid(registry, (3, 4, 5), (23, 24, 25), (6, 26, 40))
    assert ("tile_moved", 3, "6R 6B", None) in happened or melds(registry)[3] == (6, 26, 40)
    assert melds(registry) == {1: (3, 4, 5), 2: (23, 24, 25), 3: (6, 26, 40)}


def test_what_nobody_touched_joins_the_one_meld_it_lies_in() -> None:
    registry = begun((3, 4, 5), (7, 8, 9), (23,))
    registry.adopt([(3, 4, 5, 6, 7, 8, 9)], FACES, {6}, set())
    assert melds(registry) == {1: (3, 4, 5), 2: (7, 8, 9)}  # of two melds it is nobody's
    registry.adopt([(23, 24, 25)], FACES, set(), set())
    assert melds(registry) == {1: (3, 4, 5), 2: (7, 8, 9)}  # nothing of it was found late
    registry.adopt([(23, 24, 25)], FACES, {24, 25}, set())
    assert melds(registry) == {1: (3, 4, 5), 2: (7, 8, 9), 3: (23, 24, 25)}
    registry.adopt([(26, 27, 31)], FACES, {26, 27, 31}, {26, 27})
    assert 4 not in melds(registry)


def test_two_tiles_left_alone_are_a_meld_that_is_too_short_until_it_grows() -> None:
    registry = begun((3, 4))
    assert told([*registry.open_short((3, 4))]) == [("meld_laid", 1, "3R 4R", Reason.TOO_SHORT)]
    assert melds(registry) == {1: (3, 4)}
    assert laid(registry, (3, 4, 5)) == [("tiles_added", 1, "5R", None)]


def test_melds_of_what_is_no_tile_are_forgotten() -> None:
    registry = begun((3, 4, 5), (7, 8, 9), (23, 24, 25))
    registry.forget({3, 4, 5, 6, 7, 8})
    assert melds(registry) == {2: (7, 8, 9), 3: (23, 24, 25)}


def test_what_is_accepted_of_a_meld_is_held_against_nobody_and_all_else_is() -> None:
    registry = begun((3, 4, 5))
    assert laid(registry, (3, 4, 5, 7)) == [("tiles_added", 1, "7R", Reason.GAP)]
    registry.accept(1, accepted=True)
    assert laid(registry, (3, 4, 5, 7, 9)) == [("tiles_added", 1, "9R", None)]
    assert laid(registry, (3, 4, 5, 7)) == [("tile_removed", 1, "9R", Reason.TILE_REMOVED)]


def test_a_meld_that_is_accepted_no_more_has_to_go_back_to_what_it_was() -> None:
    registry = begun((3, 4, 5))
    laid(registry, (3, 4, 5, 7))
    registry.accept(1, accepted=True)
    registry.accept(1, accepted=True)  # said twice
    registry.accept(1, accepted=False)
    assert registry.present()[0].accepted is None
    assert laid(registry, (3, 4, 5)) == [("taken_back", 1, "7R", None)]


def test_a_new_meld_that_is_accepted_no_more_has_to_go_again() -> None:
    registry = begun()
    laid(registry, (3, 4, 9))
    registry.accept(1, accepted=True)
    registry.accept(1, accepted=True)  # said twice
    registry.accept(1, accepted=False)
    assert laid(registry, (3, 4, 5)) == [("taken_back", 1, "5R 9R", None)]
    laid(registry, (3, 4, 5), (23, 24, 29))
    registry.accept(2, accepted=True)
    registry.accept(2, accepted=False)
    assert laid(registry, (3, 4, 5)) == [("taken_back", 2, "3B 4B 9B", None)]


def test_what_is_forgiven_is_the_row_that_later_changes_are_judged_by() -> None:
    registry = begun((3, 4, 5))
    laid(registry, (3, 4, 5, 7))
    registry.accept(1, accepted=True)
    laid(registry, (3, 4, 5, 7, 9))
    assert laid(registry, (3, 4, 5, 7, 9, 11)) == [("tiles_added", 1, "11R", None)]
    assert registry.present()[0].legal_before is None


def test_what_is_accepted_of_a_meld_ends_where_it_is_legal() -> None:
    registry = begun((3, 4, 5))
    laid(registry, (3, 4, 5, 7))
    registry.accept(1, accepted=True)
    assert laid(registry, (3, 4, 5, 6, 7)) == [("tiles_added", 1, "6R", None)]
    assert registry.present()[0].accepted is None
    assert laid(registry, (3, 4, 5, 6, 7, 9)) == [("tiles_added", 1, "9R", Reason.GAP)]


def test_a_correction_puts_right_what_was_only_misread() -> None:
    registry = begun((3, 4, 5))
    misread = {**among([(3, 4, 5, 6)]), 6: Tile(8, "R")}
    assert told(registry.update([(3, 4, 5, 6)], misread, set()))[0][3] is Reason.GAP
    still_wrong = {**misread, 6: Tile(9, "R")}
    assert registry.correct(still_wrong, 6, Tile(9, "R")) == []
    assert told(registry.correct(misread, 6, Tile(6, "R"))) == [("taken_back", 1, "6R", None)]
    assert laid(registry, (3, 4, 5, 6, 7)) == [("tiles_added", 1, "7R", None)]


def test_a_correction_may_show_that_a_meld_is_illegal() -> None:
    registry = begun((3, 4, 5), (23, 24, 25), (9,))
    seen = among(registry.rows())
    assert registry.correct(seen, 9, Tile(10, "R")) == []  # in no meld
    assert registry.correct(seen, 25, Tile(5, "B")) == []
    corrected = {**seen, 5: Tile(11, "R")}
    assert told(registry.correct(corrected, 5, Tile(11, "R"))) == [
        ("tiles_added", 1, "11R", Reason.GAP)
    ]
    assert told(registry.update([(3, 4), (23, 24, 25)], corrected, set())) == [
        ("taken_back", 1, "11R", None)
    ]


def test_a_correction_of_a_meld_that_the_players_accept_is_held_against_nobody() -> None:
    registry = begun((3, 4, 5))
    laid(registry, (3, 4, 5, 7))
    registry.accept(1, accepted=True)
    other = {**among([(3, 4, 5, 7, 8)]), 7: Tile(7, "B")}
    assert registry.correct(other, 7, Tile(7, "B")) == []
    assert registry.present()[0].accepted is Reason.MIXED
    assert told(registry.update([(3, 4, 5, 7, 8)], other, set())) == [
        ("tiles_added", 1, "8R", None)
    ]
    unread = {**other, 4: None}
    assert registry.correct(unread, 7, Tile(7, "B")) == []
    assert registry.present()[0].accepted is Reason.MIXED


def test_an_accepted_meld_that_a_correction_makes_legal_needs_no_acceptance_any_more() -> None:
    registry = begun((3, 4, 5))
    laid(registry, (3, 4, 5, 7))
    registry.accept(1, accepted=True)
    right = {**among([(3, 4, 5, 7)]), 7: Tile(6, "R")}
    assert registry.correct(right, 7, Tile(6, "R")) == []
    (meld,) = registry.present()
    assert (meld.accepted, meld.legal_before, meld.legal_before_accepted) == (None, None, None)


def test_a_wrong_tile_that_was_found_anew_is_taken_back_without_an_alarm() -> None:
    registry = begun((3, 4, 5))
    laid(registry, (3, 4, 5, 7))
    anew = {**among([(3, 4, 5)]), 50: FACES[7]}
    assert registry.update([(3, 4, 5, 50)], anew, set()) == []
    assert laid(registry, (3, 4, 5)) == [("taken_back", 1, "7R", None)]


def test_a_wrong_tile_beside_an_unread_one_is_taken_back_without_an_alarm() -> None:
    registry = begun((3, 4, 5))
    laid(registry, (3, 4, 5, 7))
    unread = {**among([(3, 4, 5, 7)]), 60: None}
    (ruling,) = registry.update([(3, 4, 5, 7, 60)], unread, set())
    assert (ruling.kind.value, ruling.verdict) == ("tiles_added", None)
    (ruling,) = registry.update([(3, 4, 5, 7)], among([(3, 4, 5, 7)]), set())
    assert (ruling.kind.value, ruling.verdict) == ("tile_removed", None)
    assert laid(registry, (3, 4, 5)) == [("taken_back", 1, "7R", None)]
    assert laid(registry, (3, 4, 5, 6)) == [("tiles_added", 1, "6R", None)]


def test_a_row_with_an_unread_tile_is_nothing_that_a_meld_has_to_go_back_to() -> None:
    registry = begun((3, 4, 5), (23, 24, 25))
    laid(registry, (3, 4, 5, 9), (23, 24, 25))
    unread = {**among([*registry.rows()]), 60: None}
    registry.update([(3, 4, 5, 9), (23, 24, 25, 60)], unread, set())
    registry.update([(3, 4, 5, 60), (23, 24, 25, 9)], unread, set())
    assert [meld.legal_before for meld in registry.present()] == [tuple(tiles("3R 4R 5R")), None]


def test_melds_are_numbered_from_where_those_of_an_earlier_table_ended() -> None:
    tiles = {i: Tile(i, "R") for i in (3, 4, 5)}
    earlier = MeldRegistry(BURAKO)
    earlier.begin([(3, 4, 5)], tiles, set())
    later = MeldRegistry(BURAKO, earlier.next_id)
    later.begin([(3, 4, 5)], tiles, set())
    assert [meld.id for meld in (*earlier.present(), *later.present())] == [1, 2]
