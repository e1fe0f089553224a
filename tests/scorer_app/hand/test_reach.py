"""The least and the most that a side may have on the table and on its rack."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.rulesets import RULESETS
from scorer_app.hand.reach import Holding, reach_of
from scorer_app.hand.record import Place, Record
from scorer_app.hand.table_rules import TableRules

from .test_intervals import PURA, RULES, table

IMPURA = "3R 4R J 6R 7R 8R 9R"
PURA_TO_CLOSE = replace(RULES, rules=replace(RULESETS["burako"], close_requires="pura"))
ANY_TO_CLOSE = replace(RULES, rules=replace(RULESETS["burako"], close_requires=None))


def told(record: Record, rules: TableRules = RULES) -> list[tuple[str, str, tuple[bool, ...]]]:
    """List each possibility of side A: its melds, its rack, and the facts that the other side's
    score depends on.
    """

    def written(tiles: tuple[object, ...]) -> str:
        return " ".join(map(str, tiles))

    holdings: list[Holding] = reach_of(record, "A", rules)
    return [("; ".join(map(written, one.melds)), written(one.rack), one.kind) for one in holdings]


def on_rack(faces: str) -> Record:
    return table(faces, place=Place.RACK)


@pytest.mark.parametrize(
    ("rack", "racks"),
    [
        ("3R 4R", ["3R 4R"]),
        ("J/3R/11R", ["3R", "J"]),  # whatever is likeliest: the cheapest and the dearest face
        ("11R/J/3R", ["3R", "J"]),
        ("11R/J/3R 4B 9Y/1Y", ["3R 4B 9Y", "J 4B 1Y"]),
        ("11R/", ["", "11R"]),  # perhaps no tile
    ],
)
def test_each_tile_of_a_rack_is_its_cheapest_face_or_its_dearest(
    rack: str, racks: list[str]
) -> None:
    found = told(on_rack(rack))
    assert [(melds, on) for melds, on, _kind in found] == [("", each) for each in racks]
    assert [kind for *_, kind in found] == [(False, False, bool(each)) for each in racks]


@pytest.mark.parametrize(
    ("row", "rules", "kind"),
    [
        ("3R 4R 5R", RULES, (False, False, False)),
        (PURA, PURA_TO_CLOSE, (True, True, False)),
        (IMPURA, PURA_TO_CLOSE, (True, False, False)),
        (IMPURA, ANY_TO_CLOSE, (True, True, False)),
        ("3R 4R 5R", ANY_TO_CLOSE, (False, False, False)),
    ],
)
def test_a_canasta_allows_closing_where_it_is_of_the_kind_the_rules_ask_for(
    row: str, rules: TableRules, kind: tuple[bool, ...]
) -> None:
    assert told(table(row), rules) == [(row, "", kind)]


def test_one_canasta_is_enough_for_the_side_and_every_meld_is_counted() -> None:
    both = table("9B 9K 9Y", PURA)
    ((melds, _rack, kind),) = told(both)
    assert melds == f"9B 9K 9Y; {PURA}" and kind == (True, True, False)
    other = table("4B 4K 4Y", side="B", record=both)
    assert told(other) == told(both)


def test_for_each_state_of_the_canastas_both_ends_are_kept() -> None:
    found = told(table("3R 4R 5R 6R 7R 8R 9R/"))
    assert {kind for *_, kind in found} == {(False, False, False), (True, True, False)}
    with_rack = told(table("11R/", place=Place.RACK, record=table("3R 4R 5R")))
    assert with_rack == [
        ("3R 4R 5R", "", (False, False, False)),
        ("3R 4R 5R", "11R", (False, False, True)),
    ]
