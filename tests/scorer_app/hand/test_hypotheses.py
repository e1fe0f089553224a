"""Which melds a row in doubt may stand for."""

from __future__ import annotations

from dataclasses import replace
from time import process_time
from typing import Any

import pytest

from engine.pieces import Pieces
from scorer_app.hand.hypotheses import options, versions
from scorer_app.hand.record import Tile
from scorer_app.hand.table_rules import TableRules

from .test_intervals import RULES, table


def shown(row: str, pieces: Pieces = Pieces.TILES, **said: Any) -> set[str]:
    """Return the possible melds of a row of side A, the melds of each possibility separated by
    bars.
    """
    record = table(row)
    laid = replace(record.rows[0], **said)
    record = replace(record, rows=(laid,))
    found = versions(record, laid, replace(RULES, pieces=pieces))
    return {" | ".join(" ".join(meld) for meld in version) or "-" for version in found}


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("3R 4R 5R", {"3R 4R 5R"}),
        ("3R 4R 9K", {"3R 4R 9K", "-"}),
        (
            "9K 3R 4R 5R 6R",
            {
                "9K 3R 4R 5R 6R",
                "-",
                "4R 5R 6R | 9K 3R",
                "4R 5R 6R",
                "3R 4R 5R 6R | 9K",
                "3R 4R 5R 6R",
            },
        ),
        (
            "3R 4R 5R 6R 9K",
            {
                "3R 4R 5R 6R 9K",
                "-",
                "3R 4R 5R | 6R 9K",
                "3R 4R 5R",
                "3R 4R 5R 6R | 9K",
                "3R 4R 5R 6R",
            },
        ),
        (
            "3R 4R 5R 9K 10K 11K",
            {
                "3R 4R 5R 9K 10K 11K",
                "-",
                "3R 4R 5R | 9K 10K 11K",
                "3R 4R 5R",
                "9K 10K 11K | 3R 4R 5R",
                "9K 10K 11K",
            },
        ),
    ],
)
def test_a_legal_part_at_either_end_of_an_illegal_row_may_be_a_meld(
    row: str, expected: set[str]
) -> None:
    assert shown(row) == expected


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("3R 4R 5R/", {"3R 4R 5R", "3R 4R", "-"}),
        ("9K 4R/ 5R", {"9K 4R 5R", "-", "9K 5R", "9K | 5R", "9K", "5R"}),
        (
            "3R 4R 5R 6R/ 7R 8R 9R",
            {
                "3R 4R 5R 6R 7R 8R 9R",
                "3R 4R 5R 7R 8R 9R",
                "3R 4R 5R | 7R 8R 9R",
                "7R 8R 9R | 3R 4R 5R",
                "3R 4R 5R",
                "7R 8R 9R",
                "-",
            },
        ),
    ],
)
def test_where_no_tile_may_lie_a_row_is_closed_up_or_ends(row: str, expected: set[str]) -> None:
    assert shown(row) == expected


@pytest.mark.parametrize(("said", "others"), [("accepted", set()), ("user_arranged", {"-"})])
def test_what_a_person_said_of_a_row_leaves_its_faces_open_alone(
    said: str, others: set[str]
) -> None:
    """Whether an illegal row that a person arranged counts is still to be answered."""
    assert shown("3R 4R 9K/10K", **{said: True}) == {"3R 4R 9K", "3R 4R 10K"} | others
    assert shown("3R 4R 5R/6R", **{said: True}) == {"3R 4R 5R", "3R 4R 6R"}


@pytest.mark.parametrize(
    ("row", "ordered", "expected"),
    [
        ("3R 5R 6R 4R", True, {"3R 5R 6R 4R", "-", "3R 4R 5R 6R"}),
        ("3R 4R 6R", True, {"3R 4R 6R", "-", "3R 4R 5R 6R", "3R 4R J 6R"}),
        ("3R 4R 6R", False, {"3R 4R 6R", "-"}),
        ("3R 4R 5R", True, {"3R 4R 5R"}),
    ],
)
def test_cards_that_make_no_meld_may_hide_one_or_lie_in_another_order(
    row: str, ordered: bool, expected: set[str]
) -> None:
    with_twos = {f"3R 4R 2{colour} 6R" for colour in "RBKY"}
    assert shown(row, Pieces.CARDS, ordered=ordered) - with_twos == expected


def test_a_card_may_be_hidden_at_either_end_of_a_column() -> None:
    assert {"5R 6R 7R", "6R 7R 8R"} < shown("6R 7R", Pieces.CARDS)


@pytest.mark.parametrize(
    ("row", "dearest", "natural"),
    [
        ("4R/5R 5R/6R", 110, 80),  # 2 2 2 J; 2 2 2 2
        ("3R 4R/5R 5R/6R", 130, 100),
        ("3R 4R/5R ?/6R 9R", 150, 120),  # never more than two wilds beside a natural 2
    ],
)
def test_a_column_hardly_read_may_be_the_dearest_cards_or_no_meld(
    row: str, dearest: int, natural: int
) -> None:
    found = [version.split() for version in shown(row, Pieces.CARDS)]
    alike = [each for each in found if len({face[:-1] for face in each}) == 1 and len(each) > 2]
    assert ["-"] in found
    assert max(RULES.points(each) for each in found if "|" not in each and each != ["-"]) == dearest
    assert max(RULES.points(each) for each in alike) == natural


@pytest.mark.parametrize("tiles", [15, 16, 60, 216])
def test_a_row_of_many_gaps_has_versions_that_can_be_counted(tiles: int) -> None:
    """With one unread tile after another in 38 tiles there were nine million."""
    row = " ".join(f"? {at % 13 + 1}{'RBKY'[at % 4]}" for at in range(tiles // 2))
    record = table(row)
    found = versions(record, record.rows[0], RULES)
    assert () in found and tuple((face,) for face in row.split() if face != "?") in found
    assert len(found) < 5000


def test_unread_tiles_of_a_table_without_limit_of_wilds_do_not_hold_up_the_page() -> None:
    rules = TableRules(replace(RULES.rules, wilds_per_meld=None), 4)
    record = table("? " * 14)
    before = process_time()
    assert versions(record, record.rows[0], rules)
    assert process_time() - before < 5  # seconds; without an end of the search 16


def test_of_a_column_hardly_read_the_dearest_melds_count_also_that_without_a_wild() -> None:
    """A column hardly read of eleven cards may have twelve or thirteen. Its dearest meld of each
    size counts, and the dearest in which no card acts as a wild, also with a 2 in its own place.
    """
    found = shown("3R 4R 5R 6R 7R 8R 9R 10R/10Y 11R/11Y 12R/12Y 13R/13Y", Pieces.CARDS)
    lengths = [len(version.split()) for version in found if "|" not in version]
    assert (lengths.count(12), lengths.count(13)) == (2, 2)
    assert " ".join(f"{number}R" for number in range(13, 0, -1)) in found


def whole_melds(row: str) -> list[str]:
    """Return the versions of a row that are one legal meld of as many tiles."""
    count = len(row.split())
    found = [version.split() for version in shown(row) if "|" not in version]
    return [" ".join(one) for one in found if len(one) == count and RULES.legal(one, True)]


def test_a_row_of_tiles_hardly_read_may_be_a_canasta() -> None:
    """Six of seven tiles are in doubt, and no faces that the reader names make a meld: the network
    was sure of none, so that the seven may be a canasta all the same.
    """
    row = "13Y/12Y 11K/13K 13R/12R 11B/12B 2R/7R J 13Y/12Y"
    dearest = max(whole_melds(row), key=lambda faces: RULES.points(faces.split()))
    meld = RULES.judge(dearest.split(), True)
    assert meld is not None and meld.canasta is not None
    assert "-" in shown(row)


@pytest.mark.parametrize(
    "row",
    [
        pytest.param("13Y/12Y 11K 13R 11B 2R J 13Y", id="one tile is in doubt"),
        pytest.param("13Y 11K 13R 11B 2R J 13Y", id="no tile is in doubt"),
    ],
)
def test_an_illegal_row_that_is_well_read_is_no_canasta(row: str) -> None:
    assert whole_melds(row) == []


def test_a_row_hardly_read_that_may_be_a_meld_is_no_other() -> None:
    assert set(whole_melds("3R 4R/9R 6K/5R 6R")) == {"3R 4R 5R 6R"}


def test_an_unlikely_face_is_no_option_and_what_may_be_none_weighs_a_quarter() -> None:
    tile = Tile("t1", "7R", doubtful=True, confidence=0.9)
    named = (("1R", 0.9 * 2e-3), ("7B", 0.9 * 1.9e-3), ("J", 0.0))
    assert [face for face, _ in options(replace(tile, alternatives=named))] == ["7R", "1R"]
    perhaps = replace(tile, perhaps_none=True, alternatives=(("1R", 0.09),))
    assert dict(options(perhaps)) == pytest.approx({"7R": 1.0, "": 0.25, "1R": 0.1})
    sure = replace(tile, confidence=0.2, alternatives=())  # less than "no tile" would weigh alone
    assert options(sure) == (("7R", 1.0),)
    assert options(replace(tile, doubtful=False, alternatives=named)) == (("7R", 1.0),)
    assert options(replace(tile, face=None, confirmed=True)) == (("", 1.0),)


def test_an_unread_tile_may_be_one_of_each_value_or_what_was_named_or_none() -> None:
    unread = Tile("t1", None, alternatives=(("9K", 0.5), ("1R", 0.1)))
    weights = {"9K": 1.0, "": 0.5, "1R": 0.2, "2R": 0.04, "3R": 0.04, "8R": 0.04, "J": 0.04}
    assert dict(options(unread)) == pytest.approx(weights)
    assert [face for face, _ in options(unread)][:3] == ["9K", "", "1R"]
