"""What the copies that a set of tiles has tell of tiles in doubt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.rulesets import RULESETS
from scorer_app.hand.duplicates import shown_again
from scorer_app.hand.intervals import intervals
from scorer_app.hand.questions import Ask, questions
from scorer_app.hand.record import FACES, Place, Record
from scorer_app.hand.settled import has_impossible_copies, settled_by_copies
from scorer_app.hand.table_rules import TableRules

from .test_intervals import table

RULES = TableRules(replace(RULESETS["burako"], void_without_canasta=False), 2)


def doubted(*, others: str, confidence: float = 0.8, **shares: float) -> Record:
    """Make a record of a rack of B with a 6R in doubt, which may be one of the faces `shares`, and
    of a row of A with the tiles `others`.
    """
    record = table(others, record=table("6R/9R", side="B", place=Place.RACK))
    first, *rest = (replace(tile, photo="p") for tile in record.tiles.values())
    doubt = replace(first, confidence=confidence, alternatives=tuple(shares.items()))
    return record.with_tiles([doubt, *rest])


def is_settled(record: Record) -> bool:
    """Tell whether the first tile is in doubt no more, and nothing else has changed."""
    settled = settled_by_copies(record, RULES)
    plain = replace(record.tiles["t1"], doubtful=False, alternatives=())
    assert settled in (record, record.with_tiles([plain]))
    return settled != record


@pytest.mark.parametrize(
    ("others", "settled"),
    [
        ("9R 9K 9R", True),
        ("9R 9K 9B", False),  # one 9R is left
        ("9R 9K 9R/6R", False),  # one of the two is in doubt itself
        ("9R 9R 6R 6R", False),  # no 6R is left either: that is asked about as one too many
        ("9R 9R 1K 1K 1K", False),  # nothing can be told where the photographs show three 1K
    ],
)
def test_a_tile_cannot_be_what_lies_elsewhere_twice(others: str, settled: bool) -> None:
    assert is_settled(doubted(others=others, **{"9R": 0.19})) is settled


@pytest.mark.parametrize(("shown", "settled"), [(20, False), (60, True)])
def test_many_tiles_that_fit_one_set_tell_that_all_photographs_show_it(
    shown: int, settled: bool
) -> None:
    """With 20 tiles the two photographs may as well be of two sets."""
    others = [face for face in sorted(FACES - {"9R", "6R", "J"}) for _ in range(2)][: shown - 2]
    record = doubted(others=" ".join(["9R", "9R", *others]), **{"9R": 0.19})
    assert is_settled(record)
    doubt, *sure = record.tiles.values()
    parted = [replace(doubt, photo="q")]
    parted += [replace(tile, photo="pq"[at % 2]) for at, tile in enumerate(sure)]
    told = settled_by_copies(record.with_tiles(parted), RULES)
    assert (not told.tiles[doubt.id].doubtful) is settled


@pytest.mark.parametrize(
    ("shown", "photos", "more", "impossible"),
    [
        (80, "pq", "1B", True),
        (80, "pq", "", False),
        (80, "p", "1B", False),  # nothing else tells that one photograph was not put together
        (20, "pq", "1B", False),  # of two sets, perhaps
        (80, "pq", "1B 2B 3B 4B", False),
    ],
)
def test_one_set_has_no_face_more_often_than_it_has_it(
    shown: int, photos: str, more: str, impossible: bool
) -> None:
    once = [face for face in sorted(FACES - {"J"}) for _ in range(2)][:shown]
    record = table(" ".join([*once, *more.split()]))
    tiles = [
        replace(tile, photo=photos[at % len(photos)])
        for at, tile in enumerate(record.tiles.values())
    ]
    assert has_impossible_copies(record.with_tiles(tiles), RULES) is impossible


def test_tiles_set_aside_tell_nothing_of_one_set() -> None:
    """They are no copies either, so that of many faces none would seem to be shown too often."""
    once = [face for face in sorted(FACES - {"J"}) for _ in range(2)][:80]
    for counted, impossible in ((80, True), (20, False)):
        record = table(" ".join([*once[:counted], once[0]]))
        record = table(" ".join(once[counted:]), record=record, place=Place.POZO)
        tiles = [replace(tile, photo="pq"[at % 2]) for at, tile in enumerate(record.tiles.values())]
        assert has_impossible_copies(record.with_tiles(tiles), RULES) is impossible


def test_comodines_count_as_often_as_the_rules_have_them() -> None:
    jokers = RULES.copies("J")
    assert is_settled(doubted(others=" ".join(["J"] * jokers), J=0.19))
    assert not is_settled(doubted(others=" ".join(["J"] * (jokers - 1)), J=0.19))


@pytest.mark.parametrize(
    ("confidence", "shares"),
    [
        (0.8, {"9R": 0.1, "5R": 0.09}),  # it may also be a 5R
        (0.5, {"9R": 0.1}),  # what else it may be is not told
        (0.98, {"9R": 0.01}),  # its doubt is another
    ],
)
def test_what_else_a_tile_may_be_keeps_it_in_doubt(
    confidence: float, shares: dict[str, float]
) -> None:
    assert not is_settled(doubted(others="9R 9R", confidence=confidence, **shares))


def test_a_tile_that_may_be_none_stays_in_doubt() -> None:
    record = doubted(others="9R 9R", **{"9R": 0.19})
    assert not is_settled(record.with_tiles([replace(record.tiles["t1"], perhaps_none=True)]))


def test_a_tile_of_no_photograph_stays_in_doubt() -> None:
    """That of a hand from another server, which comes without its photographs."""
    record = doubted(others="9R 9R", **{"9R": 0.19})
    bare = record.with_tiles([replace(tile, photo=None) for tile in record.tiles.values()])
    assert not is_settled(bare)


def test_a_tile_of_a_meld_is_in_doubt_for_another_reason_from_093_on() -> None:
    def settled(confidence: float) -> bool:
        record = table("6R/9R 7R 8R", "9R 9K 9R")
        first, *rest = (replace(tile, photo="p") for tile in record.tiles.values())
        doubt = replace(first, confidence=confidence, alternatives=(("9R", 0.06),))
        return not settled_by_copies(record.with_tiles([doubt, *rest]), RULES).tiles["t1"].doubtful

    assert settled(0.92) and not settled(0.94)


def test_one_tile_in_two_photographs_is_not_two_copies() -> None:
    record = doubted(others="9R 10R 11R", **{"9R": 0.19})
    record = table("9R 10R 11R", record=record)
    again = [replace(tile, photo="q") for tile in list(record.tiles.values())[-3:]]
    record = record.with_tiles(again)
    doubt = record.tiles["t1"]
    assert shown_again(record).keys() == {"q"}
    assert settled_by_copies(record, RULES).tiles["t1"] == doubt
    assert settled_by_copies(replace(record, told_apart=("q",)), RULES).tiles["t1"] == doubt


def test_copies_that_the_players_have_confirmed_count() -> None:
    record = doubted(others="9R 9K 9R", **{"9R": 0.19})
    assert not is_settled(replace(record, kept_copies={"9R": 3}))
    too_many = doubted(others="9R 9R 1K 1K 1K", **{"9R": 0.19})
    assert not is_settled(replace(too_many, kept_copies={"1K": 3, "9R": 2}))


def test_what_is_settled_is_not_asked_and_leaves_no_interval() -> None:
    def asked(record: Record) -> bool:
        return Ask.TILE in [question.ask for question in questions(record, RULES)]

    shares = {"11R": 0.19}
    left, told = (doubted(others=row, **shares) for row in ("11K 11B 11R", "11R 11K 11R"))
    low, high = intervals(left, RULES)["B"]
    assert low < high and asked(left)
    low, high = intervals(told, RULES)["B"]
    assert low == high and not asked(told)
