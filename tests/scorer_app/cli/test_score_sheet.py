"""The sheet of `burako score`: its intervals, doubts and remarks, made of records of hands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.pieces import Pieces
from engine.rulesets import RULESETS, ruleset
from engine.sides import SideName
from scorer_app.cli.score_sheet import Noticed, Sheet
from scorer_app.hand.merging import add_reading
from scorer_app.hand.record import FACES, End, Place, Record
from scorer_app.hand.score import score_hand
from scorer_app.hand.table_rules import TableRules
from vision.reading import Notice

from ..hand.test_intervals import PURA, table
from ..pictures import picture_of, reading_of
from .commands import SCORED, burako


def test_photographs_of_a_side_that_overlap_are_no_score_without_doubt() -> None:
    record = Record(end=End.STOCK_EXHAUSTED, muerto={"A": False, "B": False})
    for photo, rows in (("a", ["3R 4R 5R", "9R 9B 9K"]), ("b", ["9R 9B 9K", "7B 7K 7Y"])):
        reading = reading_of(picture_of(*rows).reading)
        record = add_reading(record, f"{photo}.jpg#1", "A", Place.MELDS, reading)
    sheet = Sheet.of(record, (), TableRules(ruleset("burako"), 4), "en")
    assert sheet.open
    assert sheet.to_json()["again"] == [{"photo": "b.jpg", "tiles": ["9R", "9B", "9K"]}]
    assert "b.jpg: Tiles that another photo shows too (3)" in sheet.in_words()


def test_a_tile_that_is_there_more_often_than_in_the_set_is_a_notice_and_no_doubt() -> None:
    """A set of one's own may have more tiles: the notice says so, and the score ends as counted."""
    rules = TableRules(ruleset("burako"), 4)
    sheets = [Sheet.of(table(row), (), rules, "en") for row in ("7R 7R 7B", "7R 7R 7B 7R")]
    assert [sheet.open for sheet in sheets] == [False, False]
    assert [sheet.to_json()["notices"] for sheet in sheets] == [[], ["too_many_copies"]]
    assert sheets[1].doubtful == ()
    spans = sheets[1].to_json()["interval"]
    assert all(low == high for low, high in spans.values())


def test_a_tile_that_is_there_too_often_is_a_doubt_where_the_photographs_show_one_set() -> None:
    rules, faces = TableRules(ruleset("burako"), 4), sorted(FACES - {"J"})
    record = table(*(" ".join(faces[at : at + 4] * 2) for at in range(0, 40, 4)), "10B")
    tiles = [replace(tile, photo="pq"[at % 2]) for at, tile in enumerate(record.tiles.values())]
    sheet = Sheet.of(record.with_tiles(tiles), (), rules, "en")
    assert "too_many_copies" in sheet.to_json()["notices"]
    assert sheet.open and any(low < high for low, high in sheet.interval.values())


@pytest.mark.parametrize(
    ("melds", "notice", "place", "is_open"),
    [
        ("3R 4R 5R", Notice.TOO_BLURRED, Place.MELDS, True),
        ("3R 4R 5R", Notice.TOO_SMALL, Place.MELDS, True),
        ("3R 4R 5R", Notice.TOO_SMALL, Place.RACK, False),
        ("3R 4R 5R", Notice.CUT_OFF, Place.MELDS, False),
        ("3R 4R 5R/5Y", None, Place.MELDS, True),
        ("3R 4R 5R", None, Place.MELDS, False),
    ],
)
def test_a_hand_is_not_surely_void_where_a_canasta_may_not_have_been_read(
    melds: str, notice: Notice | None, place: Place, is_open: bool
) -> None:
    notices = [Noticed("a.jpg", notice, "A", place)] if notice else []
    rules = TableRules(ruleset("burako"), 4)
    sheet = Sheet.of(table(melds), notices, rules, "en")
    answer = sheet.to_json()
    assert answer["no_score"]
    low, high = answer["interval"]["A"]
    assert (low, high > 200) == (0, is_open)
    assert is_open or high == 0
    told = sheet.in_words().splitlines()
    assert told[0] == answer["message"]
    spans = [answer["interval"][side] for side in "AB"]
    expected = [f"between {low} and {high}" if low < high else f"{low}" for low, high in spans]
    assert told[1:3] == [f"A: {expected[0]}", f"B: {expected[1]}"]


@pytest.mark.parametrize(
    ("notice", "least"),
    [
        (Notice.NO_TILES, -100 - 11 * 50),
        (Notice.OTHER_PIECES, -100 - 11 * 50),
        (Notice.CUT_OFF, -100),
        (None, -100),
    ],
)
def test_a_photograph_of_a_rack_in_which_nothing_was_found_may_show_any_tiles(
    notice: Notice | None, least: int
) -> None:
    """A score sheet may lie on them."""
    record = replace(table(PURA), muerto={"A": True, "B": False})
    notices = [Noticed("b.jpg", notice, "B", Place.RACK)] if notice else []
    sheet = Sheet.of(record, notices, TableRules(ruleset("burako"), 4), "en")
    assert sheet.interval["B"] == (least, -100)
    low, high = sheet.interval["A"]
    assert low == high


def test_the_copies_of_a_photograph_that_is_given_twice_are_no_doubts_of_their_own() -> None:
    rules = TableRules(ruleset("burako"), 4)
    record = Record(end=End.STOCK_EXHAUSTED, muerto={"A": True, "B": True})
    reading = reading_of(picture_of("7R 7B 7K", "8R 8B 8K", "7R 8R 9R").reading)
    for name in ("a.jpg#Amelds0", "b.jpg#Amelds1"):
        record = add_reading(record, name, "A", Place.MELDS, reading)
    sheet = Sheet.of(record, (), rules, "en")
    assert (len(sheet.copies), sheet.doubtful, sheet.open) == (1, (), True)


@pytest.mark.parametrize(
    ("pieces", "face", "told"),
    [
        (Pieces.TILES, "11R", "Some tiles were set aside and do not count. 11R"),
        (Pieces.CARDS, "JH", "Some cards were set aside and do not count. JH"),
    ],
)
def test_a_tile_that_lies_apart_on_a_photograph_of_melds_is_told_as_not_counted(
    pieces: Pieces, face: str, told: str
) -> None:
    """It may belong to the meld beside it, and nothing about it is in doubt."""
    reading = reading_of(picture_of("3R 4R 5R", loose="11R").reading)
    record = Record(end=End.STOCK_EXHAUSTED, muerto={"A": True, "B": True})
    record = add_reading(record, "a.jpg#Amelds0", "A", Place.MELDS, reading)
    rules = TableRules(ruleset("buracco"), 4, pieces)
    sheet = Sheet.of(record, (), rules, "en")
    (aside,) = sheet.to_json()["set_aside"]
    assert (aside["photo"], aside["read"], sheet.open) == ("a.jpg", "11R", False)
    assert aside.get("card", face) == face
    assert f"a.jpg: {told}" in sheet.in_words().splitlines()


def test_melds_of_which_nothing_counts_are_no_score_without_doubt() -> None:
    """Each tile lies by itself, as cards do that were thrown down."""
    rules = TableRules(ruleset("buracco"), 4)
    record = Record(end=End.STOCK_EXHAUSTED, muerto={"A": True, "B": True})
    sheets = []
    for at, picture in enumerate((picture_of(PURA, loose="2B"), picture_of(loose="1R 9K"))):
        reading = reading_of(picture.reading)
        record = add_reading(record, f"{at}.jpg#Amelds{at}", "A", Place.MELDS, reading)
        sheets.append(Sheet.of(record, (), rules, "en"))
    assert [(len(sheet.aside), sheet.open) for sheet in sheets] == [(1, False), (3, True)]


@pytest.mark.parametrize("closed_by", [None, "A"])
@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_what_a_photograph_that_cannot_be_read_may_show_is_inside_the_interval(
    ruleset_id: str, closed_by: SideName | None
) -> None:
    """A canasta pura of seven tiles, whether a hand without canasta is void or not."""
    end = End.CLOSE if closed_by else End.STOCK_EXHAUSTED
    told: dict[str, Any] = {"end": end, "closed_by": closed_by, "muerto": {"A": True, "B": False}}
    rules = TableRules(ruleset(ruleset_id), 4)
    notices = [Noticed("a.jpg", Notice.NO_TILES, "A", Place.MELDS)]
    sheet = Sheet.of(replace(Record(), **told), notices, rules, "en")
    low, high = sheet.interval["A"]
    lying = score_hand(replace(table("3R 4R 5R 6R 7R 8R 9R"), **told), rules)
    assert sheet.open and low < lying.total("A") <= high


MISSED = 200 + 7 * 20  # points of a canasta pura of 2s


@pytest.mark.parametrize(
    ("row", "taken", "reason", "low", "high"),
    [
        # A hand without a canasta is void where nobody closed, and pays 100 for closing. The
        # closing stands with one that was missed, at best one of seven 2s.
        ("3R 4R 5R", True, "no_canasta", 0, 15 + 100 + 100 + MISSED),
        ("3R 4R 5R 6B/6R 7R 8R 9R", True, "no_canasta", 0, 245 + 100 + 100),
        ("3R 4R 5R 6R 7R 8R/8B", True, "no_canasta", 0, 35 + 100 + 100 + MISSED),
        (PURA, False, "muerto_not_taken", 245 - 100, 245 + 100 + 100),
    ],
)
def test_a_closing_that_the_rules_refuse_is_no_score_without_doubt(
    row: str, taken: bool, reason: str, low: int, high: int
) -> None:
    record = replace(table(row), end=End.CLOSE, closed_by="A", muerto={"A": taken, "B": False})
    rules = TableRules(ruleset("burako"), 4)
    sheet = Sheet.of(record, (), rules, "en")
    answer = sheet.to_json()
    assert (answer["reason"], sheet.open, "A" in answer) == (reason, True, False)
    assert answer["interval"]["A"] == [low, high]
    told = sheet.in_words().splitlines()
    assert told[0] == answer["message"]
    advice = {
        "no_canasta": "Look again: a tile may be missed or misread, or nobody closed.",
        "muerto_not_taken": "Who took a muerto? Say so with --muerto: A, or A,B if both did.",
    }
    assert told[1] == advice[reason]
    assert told[2] == f"A: between {low} and {high}"


@pytest.mark.parametrize(
    ("rules", "language", "told"),
    [
        ("burako", "it", "burraco pulito"),
        ("burako", "es", "canasta pura"),
        ("burraco_it", "en", "burraco pulito"),
    ],
)
def test_a_canasta_has_the_name_on_the_sheet_that_it_has_on_the_page(
    rules: str, language: str, told: str
) -> None:
    sheet = Sheet.of(table(PURA), (), TableRules(ruleset(rules), 4), language)
    assert f"  {told:<24}    200  {PURA}" in sheet.in_words().splitlines()


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("7R 7R 7B 7R", "There are not that many copies of 7R: check the reading."),
        ("2R 2B 2K", "A set of twos: it stands, though it is unusual (2R 2B 2K)."),
        # Nobody has said that the table accepted it.
        (
            "9K 9B 13Y",
            "This meld does not stand: 9K 9B 13Y. Its tiles count, it makes no canasta.",
        ),
    ],
)
def test_what_the_hand_gives_notice_of_is_told_in_words(row: str, told: str) -> None:
    """Two photographs that show one tile give it twice: each of them is read without a doubt."""
    rules = TableRules(ruleset("buracco"), 4)
    sheet = Sheet.of(table(row), (), rules, "en")
    assert told in sheet.in_words().splitlines()


@pytest.mark.parametrize(
    ("players", "end", "closed_by", "rack", "told"),
    [
        (4, End.CLOSE, "A", "5R", ["B"]),
        (4, End.CLOSE, "A", "", ["B", "the partner of the player who closed"]),
        (2, End.CLOSE, "A", "", ["B"]),
        (2, End.CLOSE, "A", "5R", []),  # the closing is not allowed, and nothing counts
        (4, End.STOCK_EXHAUSTED, None, "5R", ["B"]),
        (4, End.STOCK_EXHAUSTED, None, "", ["A", "B"]),
    ],
)
def test_a_rack_that_nobody_showed_is_told_to_count_as_empty(
    players: int, end: End, closed_by: SideName | None, rack: str, told: list[str]
) -> None:
    racks = [rack] if rack else []
    shown = table(*racks, place=Place.RACK, record=table(PURA))
    record = replace(shown, end=end, closed_by=closed_by, muerto={"A": True, "B": False})
    rules = TableRules(ruleset("buraco"), players)
    sheet = Sheet.of(record, (), rules, "en")
    lines = [f"The rack of {one} was not shown: it counts as empty." for one in told]
    assert [line for line in sheet.in_words().splitlines() if "not shown" in line] == lines
    answer = sheet.to_json()
    assert answer["unshown_racks"] == [one for one in told if one in ("A", "B")]
    assert answer["partner_unshown"] is any("partner" in one for one in told)


def test_a_void_hand_and_a_hand_whose_racks_were_shown_lack_none() -> None:
    rules = TableRules(ruleset("burako"), 4)
    void = replace(table("3R 4R 5R"), end=End.STOCK_EXHAUSTED, closed_by=None)
    assert Sheet.of(void, (), rules, "en").to_json()["unshown_racks"] == []
    assert "atril" not in burako("score", *SCORED).stdout
