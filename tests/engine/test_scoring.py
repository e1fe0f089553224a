"""Hands: itemised lines, closings, illegal melds accepted by the table, notices."""

import pytest

from engine import (
    IllegalMeld,
    LineKind,
    Notice,
    Reason,
    RuleSet,
    Side,
    notation,
    ruleset,
    score_hand,
    tiles,
    with_options,
)

BURAKO = ruleset("burako")
CANASTA = tiles("3R 4R 5R 6R 7R 8R 9R")
OTHER = Side((), (tiles("4B"), ()), muerto_taken=False)


def side(*melds: str, racks: tuple[str, ...] = ("", "9Y"), muerto: bool = True) -> Side:
    return Side(tuple(map(tiles, melds)), tuple(map(tiles, racks)), muerto)


def test_every_line_opens_into_its_tiles() -> None:
    hand = {"A": side("3R 4R 5R 6R 7R 8R 9R", "J 8B 8K", racks=("", "9Y 4B")), "B": OTHER}
    lines = score_hand(hand, "A", BURAKO).sides["A"].lines
    assert [(line.kind, line.points, notation(line.tiles), line.index) for line in lines] == [
        (LineKind.MELD, 45, "3R 4R 5R 6R 7R 8R 9R", 0),
        (LineKind.MELD, 70, "J 8B 8K", 1),
        (LineKind.CANASTA, 200, "3R 4R 5R 6R 7R 8R 9R", 0),
        (LineKind.CLOSE, 100, "", None),
        (LineKind.MUERTO_TAKEN, 100, "", None),
        (LineKind.HAND, -15, "9Y 4B", 1),
    ]


def test_base_and_puntos_are_told_apart() -> None:
    score = score_hand({"A": side("3R 4R 5R 6R 7R 8R 9R"), "B": OTHER}, "A", BURAKO).sides
    assert (score["A"].base, score["A"].puntos) == (200 + 100 + 100, 45 - 10)
    assert (score["B"].base, score["B"].puntos) == (-100, -5)


@pytest.mark.parametrize(
    ("closer", "reason"),
    [
        (side("3R 4R 5R", racks=("9B", "4B"), muerto=False), Reason.HAND_NOT_EMPTY),
        (side("3R 4R 5R", muerto=False), Reason.MUERTO_NOT_TAKEN),
        (side("3R 4R 5R"), Reason.NO_CANASTA),
        (side("3R 4R 5R 6R 7R 8R 9R", racks=("9B",)), Reason.HAND_NOT_EMPTY),
    ],
)
def test_the_first_failing_condition_is_named(closer: Side, reason: Reason) -> None:
    score = score_hand({"A": OTHER, "B": closer}, "B", BURAKO)
    assert (score.valid_close, score.reason, dict(score.sides)) == (False, reason, {})


def test_an_illegal_meld_stops_the_count() -> None:
    with pytest.raises(IllegalMeld, match=r"illegal meld of side B: 3R 4R 6R \(gap\)") as stopped:
        score_hand({"A": side("3R 4R 5R 6R 7R 8R 9R"), "B": side("3R 4R 6R")}, "A", BURAKO)
    assert (stopped.value.side, stopped.value.meld.reason) == ("B", Reason.GAP)


def test_an_accepted_illegal_meld_counts_its_tiles_and_makes_no_canasta() -> None:
    hand = {"A": side("3R 4R 5R 6R 7R 8R 10R"), "B": OTHER}
    score = score_hand(hand, None, ruleset("buraco"), accept_illegal=True)
    assert score.sides["A"].sum_of(LineKind.MELD) == 45
    assert score.sides["A"].sum_of(LineKind.CANASTA) == 0
    assert [(notice.notice, notice.side, notation(notice.tiles)) for notice in score.notices] == [
        (Notice.ACCEPTED_ILLEGAL, "A", "3R 4R 5R 6R 7R 8R 10R")
    ]
    assert score_hand(hand, "A", BURAKO, accept_illegal=True).reason is Reason.NO_CANASTA


@pytest.mark.parametrize("melds", [["5R 5R 5R"], ["3R 4R 5R", "5R 5B 5K"]])
def test_a_third_copy_is_a_notice(melds: list[str]) -> None:
    hand = {"A": side(*melds, racks=("5R", "")), "B": OTHER}
    score = score_hand(hand, None, ruleset("buraco"))
    assert score.sides["A"].total == 5 * sum(len(meld.split()) for meld in melds) - 5 + 100
    assert [
        notation(notice.tiles)
        for notice in score.notices
        if notice.notice is Notice.TOO_MANY_COPIES
    ] == ["5R"]


def test_what_melds_give_notice_of() -> None:
    score = score_hand({"A": side("2R 2B 2K", "3B 4B 5B 2B"), "B": OTHER}, None, ruleset("buraco"))
    assert [notice.notice for notice in score.notices] == [
        Notice.PIERNA_OF_TWOS,
        Notice.BETTER_ARRANGEMENT,
    ]


@pytest.mark.parametrize("rules", [BURAKO, ruleset("pagat")], ids=lambda rules: rules.id)
def test_a_void_hand_has_no_lines(rules: RuleSet) -> None:
    score = score_hand({"A": side("3R 4R 5R"), "B": OTHER}, None, rules)
    assert score.void and score.valid_close is None
    assert [one.total for one in score.sides.values()] == [0, 0]
    assert score.sides["A"].canastas(rules) == {"pura": 0, "impura": 0}


def test_a_muerto_counts_as_played_unless_it_is_said_not_to_be() -> None:
    rules = with_options(ruleset("buraco"), {"muerto_unplayed_penalty": 100})
    played = Side((), ((), ()), muerto_taken=True)
    unplayed = Side((), ((), ()), muerto_taken=True, muerto_played=False)
    score = score_hand({"A": played, "B": unplayed}, None, rules).sides
    assert (score["A"].total, score["B"].total) == (100, 0)
