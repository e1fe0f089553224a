"""Each line of a hand's score names the tiles it is about, so that the page can show them."""

from __future__ import annotations

from dataclasses import replace

from engine.rulesets import BURAKO
from scorer_app.hand.record import End, Place, Record
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


def test_closing_names_no_tile() -> None:
    record = table(PURA, record=Record(end=End.CLOSE, closed_by="A"))
    record = replace(record, muerto={"A": True, "B": True})
    lines = {line.kind: line.tiles for line in score_hand(record, RULES).lines if line.side == "A"}
    assert lines["close"] == ()
    assert len(lines["canasta"]) == 7
