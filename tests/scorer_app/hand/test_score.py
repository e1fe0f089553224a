"""Each line of a hand's score names the tiles it is about, so that the page can show them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.rulesets import BURAKO
from engine.sides import SIDES
from scorer_app.hand.record import Adjustment, End, Place, Record
from scorer_app.hand.score import score_hand
from scorer_app.hand.table_rules import TableRules

from .test_intervals import PURA, table

RULES = TableRules(BURAKO, 2)


def test_a_line_names_the_tiles_of_its_meld_or_rack_and_no_others() -> None:
    record = table("3B 4B 5B", PURA)
    record = table("7R 7B 7K", side="B", record=record)
    record = table("9K", "13Y", side="B", place=Place.RACK, record=record)
    short, pura, other, nine, king = (row.tiles for row in record.rows)
    found = {(line.side, line.kind, line.tiles) for line in score_hand(record, RULES).lines}
    assert found == {
        ("A", "meld", short),
        ("A", "meld", pura),
        ("A", "canasta", pura),
        ("A", "muerto_not_taken", ()),
        ("B", "meld", other),
        ("B", "hand", (*nine, *king)),
        ("B", "muerto_not_taken", ()),
    }


def test_the_line_of_a_canasta_alone_names_its_class() -> None:
    impura = "3Y 4Y J 6Y 7Y 8Y 9Y"
    record = table(impura, side="B", record=table("3B 4B 5B", PURA))
    told = [(line.side, line.kind, line.detail) for line in score_hand(record, RULES).lines]
    assert [one for one in told if one[2] is not None] == [
        ("A", "canasta", "pura"),
        ("B", "canasta", "impura"),
    ]


def test_closing_names_no_tile() -> None:
    record = table(PURA, record=Record(end=End.CLOSE, closed_by="A"))
    record = replace(record, muerto={"A": True, "B": True})
    lines = {line.kind: line.tiles for line in score_hand(record, RULES).lines if line.side == "A"}
    assert lines["close"] == ()
    assert len(lines["canasta"]) == 7


def test_a_notice_names_the_tiles_in_the_better_order() -> None:
    meld = RULES.judge(["3R", "4R", "5R", "2R"], ordered=True)
    assert meld is not None
    assert RULES.notices(meld, "es") == ["Con otro orden el 2 sería natural: 2R 3R 4R 5R."]


@pytest.mark.parametrize("end", [None, *End])
@pytest.mark.parametrize("taken", [None, True, False])
def test_a_muerto_counts_once_the_hand_has_ended_and_somebody_has_said(
    end: End | None, taken: bool | None
) -> None:
    record = table(PURA, side="B", record=table(PURA))
    record = replace(record, end=end, muerto={"A": taken, "B": None})
    record = replace(record, closed_by="B" if end is End.CLOSE else None)
    about = [
        (line.side, line.points)
        for line in score_hand(record, RULES).lines
        if "muerto" in line.kind
    ]
    of_closer = [("B", 100)] if end is End.CLOSE else []  # who closes has taken it
    of_side = [("A", 100 if taken else -100)] if end and taken is not None else []
    assert about == of_side + of_closer
    assert score_hand(record, RULES).provisional is (end is None)


def test_a_sheets_parts_and_totals_count_each_side_alone() -> None:
    record = table("9K", side="B", place=Place.RACK, record=table(PURA))
    told = (
        Adjustment("x90", "A", 7, "r", "adjustment"),
        Adjustment("x91", "B", -30, "s", "adjustment"),
    )
    score = score_hand(replace(record, adjustments=told), RULES)
    assert {side: score.total(side) for side in SIDES} == {
        "A": 45 + 200 - 100 + 7,
        "B": -10 - 100 - 30,
    }
    assert {side: score.part(side, "puntos") for side in SIDES} == {"A": 45, "B": -10}
    assert {side: score.part(side, "base") for side in SIDES} == {"A": 100, "B": -100}
    assert {side: score.part(side, "adjustment") for side in SIDES} == {"A": 7, "B": -30}
    (mine, theirs) = (line for line in score.lines if line.kind == "adjustment")
    assert (mine.id, mine.detail, theirs.id, theirs.detail) == ("x90", "r", "x91", "s")


def test_with_four_players_a_rack_is_what_the_closers_partner_has_left() -> None:
    """Whoever closes has no rack: with two players the side's rack contradicts the closing."""
    record = table("9K", place=Place.RACK, record=table(PURA))
    record = replace(record, end=End.CLOSE, closed_by="A", muerto={"A": True, "B": False})
    assert score_hand(record, RULES).reason is not None
    of_four = score_hand(record, TableRules(BURAKO, 4))
    assert of_four.reason is None
    assert of_four.part("A", "puntos") == 45 - 10
