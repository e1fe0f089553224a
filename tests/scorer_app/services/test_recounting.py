"""Hands scored by other rules as well: every difference is found once, with its reason."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from engine.rulesets import RULESETS
from engine.sides import SIDES
from scorer_app.hand.record import End, Place, Record
from scorer_app.hand.score import score_hand
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.recounting import Why, line_differences

from ..hand.test_intervals import table

PURA, IMPURA = "3R 4R 5R 6R 7R 8R 9R", "7B 7K 7Y 7R 7B J 7K"
TWOS = "2R 2B 2K"
SEMIPULITO = "1B 2B 3B 4B 5B 6B 7B J"


def hand(*melds: str, other: str = "3K 4K 5K", rack: str = "J 13Y 2K", **fields: object) -> Record:
    """Make a hand that side A closed with these melds."""
    record = table(*melds, record=Record(end=End.CLOSE, closed_by="A"))
    record = table(other, side="B", record=record)
    record = table(*rack.split(), side="B", place=Place.RACK, record=record)
    return replace(record, muerto={"A": True, "B": False}, **fields)


HANDS = {
    "pura": hand(PURA),
    "impura": hand(IMPURA, "1R 2R 3R"),
    "semipulito": hand(SEMIPULITO),
    "twos": hand(PURA, TWOS),
    "stock": hand(PURA, end=End.STOCK_EXHAUSTED, closed_by=None),
    "nothing": hand("3B 4B 5B", end=End.STOCK_EXHAUSTED, closed_by=None),
    "no canasta": hand("3B 4B 5B"),
    "wilds": hand(PURA, "2R 2B 2K 2Y J J 2R"),
}


def rules(name: str, **options: object) -> TableRules:
    return TableRules.of(name, options, 4)


def whys(record: Record, now: TableRules, other: TableRules) -> set[tuple[str, str, Why]]:
    return {(one.side, one.line.kind, one.why) for one in line_differences(record, now, other)}


@pytest.mark.parametrize("name", HANDS)
def test_the_differences_add_up_to_that_of_the_totals(name: str) -> None:
    record = HANDS[name]
    tables = [rules(one) for one in RULESETS]
    tables.append(rules("burako", all_against_without_canasta=True, void_without_canasta=True))
    for now, other in permutations(tables, 2):
        found = line_differences(record, now, other)
        scores = score_hand(record, now), score_hand(record, other)
        for side in SIDES:
            lines = [one for one in found if one.side == side]
            change = sum(one.after.points for one in lines if one.after) - sum(
                one.before.points for one in lines if one.before
            )
            assert change == scores[1].total(side) - scores[0].total(side)


def test_every_kind_of_difference_has_its_reason() -> None:
    burako, italy = rules("burako"), rules("burraco_it")
    dear = rules("burako", close_bonus=300, tile_values={"J": 30})
    found = whys(HANDS["pura"], burako, dear)
    assert found == {("A", "close", Why.PRICE), ("B", "hand", Why.VALUES)}
    assert ("A", "canasta", Why.CANASTA) in whys(HANDS["semipulito"], burako, italy)
    assert ("A", "muerto_taken", Why.ALONE) in whys(HANDS["pura"], burako, italy)
    against = rules("burako", all_against_without_canasta=True)
    assert ("B", "meld", Why.AGAINST) in whys(HANDS["pura"], burako, against)
    counts = rules("burako", void_without_canasta=False)
    assert {why for _, _, why in whys(HANDS["nothing"], burako, counts)} == {Why.HAND}


def test_tiles_that_are_worth_nothing_by_one_of_the_two_are_told_by_their_values() -> None:
    burako, against = rules("burako"), rules("burako", all_against_without_canasta=True)
    nothing = {"tile_values": {"3": 0, "4": 0, "5": 0, "2": 0, "J": 0, "13": 0}}
    free = rules("burako", **nothing)
    free_against = rules("burako", all_against_without_canasta=True, **nothing)
    values = {("B", "meld", Why.VALUES), ("B", "hand", Why.VALUES)}
    for two in ((burako, free), (free, burako), (against, free_against), (free_against, against)):
        assert values <= whys(HANDS["pura"], *two)


def test_values_name_each_number_once_with_both() -> None:
    cheap = rules("burako", tile_values={"J": 30, "13": 5})
    (line,) = line_differences(HANDS["pura"], rules("burako"), cheap)
    assert line.values == (("J", 50, 30), ("13", 10, 5))
    assert line.faces == ("J", "13Y", "2K")


def test_a_canasta_that_only_one_of_the_two_allows_is_told_with_its_meld() -> None:
    wilds = hand(PURA, "2R 2B 2K 2Y J J 2R")
    paid = rules("burako", special_canastas=[{"canasta": "wilds", "pura": 2000, "impura": 1000}])
    told = {one.by_other: one for one in line_differences(wilds, paid, rules("burako"))}
    back = {one.by_other: one for one in line_differences(wilds, rules("burako"), paid)}
    for one in (told[True], back[False]):
        assert (one.why, one.line.kind, one.faces[0]) == (Why.ILLEGAL, "canasta", "2R")
        assert one.illegal and one.illegal.reason
