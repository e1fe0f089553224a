"""The interval in which a hand's totals lie while something about it is in doubt, compared with
brute force where that is possible.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.options import with_options
from engine.pieces import Pieces
from engine.rulesets import RULESETS
from engine.sides import SIDES, SideName
from scorer_app.hand.edits import apply
from scorer_app.hand.hypotheses import options
from scorer_app.hand.intervals import intervals, open_tiles, plausible_intervals
from scorer_app.hand.questions import MOST_WEIGHED, Ask, questions
from scorer_app.hand.reach import may_be_meld, reach_of
from scorer_app.hand.record import End, Place, Record, Row, Tile
from scorer_app.hand.repairs import repairs
from scorer_app.hand.score import score_hand
from scorer_app.hand.table_rules import FACES, TableRules
from tests.examples import examples

RULES = TableRules(replace(RULESETS["burako"], void_without_canasta=False), 2)
STRICT = TableRules(replace(RULESETS["buracco"]), 2)  # all counts against a side without a canasta
PURA = "3R 4R 5R 6R 7R 8R 9R"  # 45 + 200


def table(
    *rows: str, side: SideName = "A", place: Place = Place.MELDS, record: Record | None = None
) -> Record:
    """Make a record of rows written as seen: `7R` is sure, `7R/1R/J` doubtful with the first in
    force, `?/7R` unread and `7R/` perhaps no tile.
    """
    record = record or Record(end=End.STOCK_EXHAUSTED, muerto={"A": False, "B": False})
    for row in rows:
        names = []
        for text in row.split():
            face, *others = text.split("/")
            name, record = record.next_id("t")
            named = tuple((other, 0.3) for other in others if other)
            read, none = None if face == "?" else face, "" in others
            tile = Tile(
                name,
                read,
                confidence=0.7,
                alternatives=named,
                doubtful=text != read,
                perhaps_none=none,
            )
            record = record.with_tiles([tile])
            names.append(name)
        name, record = record.next_id("r")
        record = replace(
            record,
            rows=(*record.rows, Row(name, side, place, tuple(names), ordered=place is Place.MELDS)),
        )
    return record


def interval(record: Record, rules: TableRules = RULES, side: SideName = "A") -> tuple[int, int]:
    """Return the least and the most points of a side, not counting the 100 that it loses for the
    muerto it did not take.
    """
    low, high = intervals(record, rules)[side]
    return low + 100, high + 100


@pytest.mark.parametrize(
    ("place", "ordered", "user_arranged", "may_be"),
    [
        (Place.MELDS, False, True, True),
        (Place.POZO, True, False, True),
        (Place.POZO, True, True, False),
        (Place.POZO, False, False, False),
        (Place.RACK, True, False, False),
    ],
)
def test_a_row_set_aside_may_be_a_meld_as_the_photograph_shows_it(
    place: Place, ordered: bool, user_arranged: bool, may_be: bool
) -> None:
    """One of its tiles could not be read."""
    record = table("3R ?/4R 5R", place=place)
    row = replace(record.rows[0], ordered=ordered, user_arranged=user_arranged)
    assert may_be_meld(record, row, RULES) == may_be


CARDS = TableRules(replace(RULESETS["burraco_it"]), 2, pieces=Pieces.CARDS)


@pytest.mark.parametrize(
    ("rules", "aside", "user_arranged", "open_count"),
    [
        (CARDS, "12B 12B/11B", False, 1),
        (CARDS, "12B 12B/11B", True, 0),
        (CARDS, "12B 12B", False, 0),
        (RULES, "12B 12B/11B", False, 0),
    ],
    ids=["in doubt", "set aside by a person", "surely read", "tiles of the pozo"],
)
def test_cards_in_doubt_beside_the_melds_may_be_a_meld(
    rules: TableRules, aside: str, user_arranged: bool, open_count: int
) -> None:
    sure = intervals(table("3R 4R 5R"), rules)["A"]
    record = table(aside, place=Place.POZO, record=table("3R 4R 5R"))
    row = replace(record.rows[1], user_arranged=user_arranged)
    record = record.with_row(row)
    assert len(open_tiles(record, rules)) == open_count
    asked = [one for one in questions(record, rules) if one.ask is Ask.TILE]
    assert len(asked) == open_count
    worth = open_count * rules.points(["12B", "12B", "J"])  # and a jolly that was missed
    assert intervals(record, rules)["A"] == (sure[0], sure[1] + worth)


def test_a_side_without_melds_has_no_canasta_and_none_to_close_with() -> None:
    assert [holding.kind for holding in reach_of(Record(), "A", RULES)] == [(False, False, False)]


MISSED = 50  # points of a jolly by the rules of these tests


@pytest.mark.parametrize(
    ("row", "low", "high"),
    [
        ("3R 4R 5R", 15, 15),
        ("3R 4R 5R/J", 15, 60),
        ("8R 9R 10R/10B", 30, 30),  # other ink, same points: the meld was laid as one
        (f"{PURA} 10R/10K", 55, 255),  # the whole canasta hangs on it
        ("3R 4R 5R 6R 7R 8R 9R/", 35, 245),  # perhaps six tiles
        ("3R 4R 5R 6R/ 7R 8R 9R", 0, 245),  # two rows of three, or one that is no meld
        ("3R 4R ?/5R", 0, 60),  # any face at all, or none
        ("3R 4R 5R 6R 7R 8R ?", 35, 245),  # a 9R makes the canasta
        ("3R 9B ?", 0, 65),  # a meld with any third tile? with none: the two read are certain
        ("3R 4R 9K", 0, 30),  # the table lets it pass, or not, or the 9 is a 2
        ("6Y 8K", 0, 15),
        (f"{PURA} 4K", 0, 250),  # the 4 may only lie beside it
        ("11Y", 0, 10),
    ],
)
def test_one_row(row: str, low: int, high: int) -> None:
    assert interval(table(row)) == (low, high)


@pytest.mark.parametrize(
    ("row", "of_tiles", "of_cards"),
    [
        ("3R 4R 5R 7R 8R 9R", (0, 40), (0, 245)),  # a 6R makes the canasta
        ("4R 5R", (0, 10), (0, 60)),  # a jolly at either end
        ("3R 4R 5R 6R 7R 9R 8R", (0, 245), (0, 245)),  # a canasta in another order
        ("3R 4R 9K", (0, 30), (0, 30)),  # no further card makes a meld of these
    ],
)
def test_of_cards_that_make_no_meld_one_may_be_covered(
    row: str, of_tiles: tuple[int, int], of_cards: tuple[int, int]
) -> None:
    assert interval(table(row)) == of_tiles
    assert interval(table(row), replace(RULES, pieces=Pieces.CARDS)) == of_cards


@pytest.mark.parametrize(
    ("row", "of_tiles", "of_cards"),
    [
        # No meld, or seven 2s, of which two were missed, and their canasta pura.
        ("3R 4R 5R/6R 6R/7R 7R", (25, 25), (0, 340 + MISSED)),
        ("3R 4R ?/5R", (0, 60), (0, 60 + MISSED)),  # one of three
        ("3R 4R 5R 6R 7R 8R/8B 9R/9B", (45, 245), (45, 245 + MISSED)),  # two of seven
    ],
)
def test_where_much_of_a_column_is_in_doubt_all_of_it_is(
    row: str, of_tiles: tuple[int, int], of_cards: tuple[int, int]
) -> None:
    assert interval(table(row)) == of_tiles
    assert interval(table(row), replace(RULES, pieces=Pieces.CARDS)) == of_cards


@pytest.mark.parametrize(
    ("rows", "of_tiles", "of_cards"),
    [
        (["3R 4R 5R 6R/J 7R"], (25, 70), (25, 70 + MISSED)),  # in doubt, and so is the total
        (["3R 4R 5R 6R/7R 7R"], (25, 25), (25, 25)),  # the doubt changes nothing
        (["3R 4R 9K"], (0, 30), (0, 30)),  # no card is in doubt
        (["8R 9R 10R", "3R 4R 5R/J"], (45, 90), (45, 90 + MISSED)),  # once for a side
    ],
)
def test_of_cards_in_doubt_one_more_may_have_been_missed(
    rows: list[str], of_tiles: tuple[int, int], of_cards: tuple[int, int]
) -> None:
    assert interval(table(*rows)) == of_tiles
    assert interval(table(*rows), replace(RULES, pieces=Pieces.CARDS)) == of_cards


def test_no_card_of_the_other_side_is_missed_for_a_doubt_of_this_one() -> None:
    record = table("3R 4R 5R/J", "8R 9R 10R")
    other = replace(record.rows[1], side="B")
    record = replace(record, rows=(record.rows[0], other))
    spans = intervals(record, replace(RULES, pieces=Pieces.CARDS))
    assert spans["B"] == intervals(record, RULES)["B"]


def test_a_face_whose_probability_is_not_known_weighs_as_much_as_the_likeliest_other() -> None:
    tile = Tile("t1", "7R", doubtful=True, alternatives=(("1R", 0.3), ("J", 0.1)))
    assert dict(options(tile)) == pytest.approx({"7R": 1.0, "1R": 1.0, "J": 1 / 3})
    known = dict(options(replace(tile, confidence=0.6)))
    assert known == pytest.approx({"7R": 1.0, "1R": 0.5, "J": 1 / 6})


def test_doubts_of_several_rows_and_of_the_rack_add_up() -> None:
    record = table("3R 4R 5R/J", "8R 9R 10R/J", "8B 9B 10B/J")
    assert interval(record) == (15 + 30 + 30, 60 + 70 + 70)
    rack = table("J/2K 8R 9R/", place=Place.RACK, record=record)
    assert interval(rack) == (75 - 70, 200 - 30)


def test_what_a_person_said_is_not_in_doubt() -> None:
    record = table("3R 4R 9K", "3R 4R 5R/J")
    confirmed = record.with_tiles(
        [replace(tile, doubtful=False, confirmed=True) for tile in record.tiles.values()]
    )
    accepted = replace(confirmed, rows=tuple(replace(row, accepted=True) for row in confirmed.rows))
    arranged = replace(
        confirmed, rows=tuple(replace(row, user_arranged=True) for row in confirmed.rows)
    )
    assert interval(accepted) == (20 + 15, 20 + 15)
    # Whether the illegal meld counts is still asked, and a 2 is offered in place of its 9.
    assert interval(arranged) == (15, 30 + 15)


def test_without_any_canasta_the_hand_may_not_count_at_all() -> None:
    record = table("3R 4R 5R 6R 7R 8R 9R/9K")
    assert intervals(record, TableRules(RULESETS["burako"], 2)) == {"A": (0, 145), "B": (-100, 0)}
    assert intervals(record, STRICT)["A"] == (-45 - 100, 245 - 100)


def test_readings_with_which_the_closing_would_not_stand_are_left_out() -> None:
    record = table("3R 4R 5R 6R 7R 8R 9R/9K")
    closed = replace(record, end=End.CLOSE, closed_by="A", muerto={"A": True, "B": False})
    assert intervals(closed, RULES)["A"] == (445, 445)


def test_an_unanswered_muerto_is_as_open_as_a_tile() -> None:
    record = replace(table("3R 4R 5R"), muerto={"A": None, "B": False})
    assert intervals(record, RULES)["A"] == (15 - 100, 15 + 100)


def test_answering_every_question_leaves_one_total() -> None:
    record = table("3R 4R 5R/J", f"{PURA} 10R/10K 11R/", "4B 5B 6B/6K")
    asked = {question.subject for question in questions(record, RULES)}
    tiles = [
        replace(tile, doubtful=tile.id not in asked and tile.doubtful)
        for tile in record.tiles.values()
    ]
    low, high = interval(record.with_tiles(tiles))
    assert low == high


@pytest.mark.parametrize("more", [0, 1, 60])
def test_of_very_many_doubts_some_are_weighed_and_all_are_asked_about(
    more: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interval of a hand that was made to be slow takes no longer than that of a
    large table.
    """
    worked_out: list[Record] = []

    def counted(
        record: Record, rules: TableRules, unseen: Iterable[SideName] = ()
    ) -> dict[SideName, tuple[int, int]]:
        worked_out.append(record)
        return plausible_intervals(record, rules, unseen)

    monkeypatch.setattr("scorer_app.hand.questions.plausible_intervals", counted)
    record = table(" ".join(["1R/10R"] * (MOST_WEIGHED + more)), place=Place.RACK)
    record = replace(record, kept_copies={"1R": MOST_WEIGHED + more})
    asked = [one for one in questions(record, RULES) if one.ask is Ask.TILE]
    assert len(asked) == MOST_WEIGHED + more
    assert len(worked_out) == MOST_WEIGHED + (1 if more else 0)
    low, high = interval(record)
    # The ace counts 15 and the ten 10; a tile that is not weighed may change what all may change.
    assert [one.effect for one in asked] == [high - low] * more + [5] * MOST_WEIGHED


def test_three_unread_tiles_may_be_the_dearest_meld_that_the_rules_allow() -> None:
    """The dearest meld of three is a 1 (15), a natural 2 (20) and a comodín (30): the Italian rules
    allow one wild.
    """
    italian = TableRules(RULESETS["burraco_it"], 2)
    assert interval(table("? ? ?"), italian) == (0, 65)


def test_an_unread_tile_may_have_the_values_that_the_table_gives() -> None:
    of_table = with_options(RULES.rules, {"tile_values": {"5": 100, "6": 0, "13": 60}})
    rules, unread = TableRules(of_table, 2), table("?", place=Place.RACK)
    assert interval(unread) == (-50, 0)
    assert interval(unread, rules) == (-100, 0)
    assert interval(table("3R 4R ?"), rules)[1] == 5 + 5 + 100


def test_what_a_tile_can_change_is_told_apart_from_the_illegal_meld_beside_it() -> None:
    record = table("1R/10R", place=Place.RACK, record=table("3R 4R 9K"))
    record = replace(record, empty_racks=SIDES)
    effects = {one.ask: one.effect for one in questions(record, RULES)}
    assert effects == {Ask.TILE: 15 - 10, Ask.ROW: 5 + 5 + 10}


@pytest.mark.parametrize(
    ("melds", "rack", "expected"),
    [
        ("9R 9B 9K", "9R", (30 - 10, 30 - 10)),  # as many as the set has
        ("9R 10R 11R", "9R 9R", (30 - 20 - 10, 30 - 20 + 10)),  # one more, laid or held
        ("9R 10R 11R", "9R 9R 9R", (30 - 30 - 10 + 10, 30 - 30 + 20)),  # two more, both or one held
    ],
)
def test_a_copy_beyond_those_of_the_set_may_not_count(
    melds: str, rack: str, expected: tuple[int, int]
) -> None:
    record = table(rack, place=Place.RACK, record=table(melds))
    assert interval(record) == expected
    assert interval(record, side="B") == (0, 0)
    checked = replace(record, kept_copies={"9R": 4})
    assert (
        interval(checked)[0] == interval(checked)[1] == score_hand(record, RULES).total("A") + 100
    )


def test_copies_change_nothing_in_a_hand_that_is_void_in_any_case() -> None:
    void = TableRules(RULESETS["burako"], 2)
    assert intervals(table("7R 7R 7R"), void) == {"A": (0, 0), "B": (0, 0)}
    perhaps_void = table("3R 3R 3R", record=table(PURA.replace("9R", "1K/9R")))
    assert score_hand(perhaps_void, void).no_score
    low, high = intervals(replace(perhaps_void, kept_copies={"3R": 4}), void)["A"]
    assert low < high
    assert intervals(perhaps_void, void)["A"] == (low, high)


def test_a_canasta_is_in_doubt_where_one_of_its_tiles_is_there_too_often() -> None:
    record = table("9R 9Y 9B", record=table("9R 9B 9K", record=table(PURA)))
    whole = 45 + 30 + 30 + 200 + 100 - 100
    assert score_hand(record, RULES).total("A") + 100 == whole
    assert interval(record) == (whole - 10 - 200, whole)
    void = TableRules(RULESETS["burako"], 2)
    assert intervals(record, void)["A"] == (0, whole - 100)


def test_a_laid_tile_that_may_not_count_raises_the_total_where_laid_tiles_count_against() -> None:
    """By these rules all that a side without a canasta has laid counts against it."""
    rules = TableRules(RULESETS["buracco"], 2)
    rows = "8B 8R 8K", "8B 8Y 8R", "7B 8B 9B"
    record = table()
    for row in rows:
        record = table(row, record=record)
    low, high = intervals(record, rules)["A"]
    assert (low, high) == (score_hand(record, rules).total("A"), low + 10)


# --- against brute force ---

FACE = st.sampled_from(sorted(FACES))
MELDS = ["3R 4R 5R", "8B 9B J", PURA, "1K 1B 1Y", "2Y 3Y 4Y 5Y 6Y 7Y 8Y", "12K 13K 1K"]


@st.composite
def hands(draw: st.DrawFn) -> Record:
    """Draw a hand of up to two melds a side and a rack, with at most four tiles in doubt. The
    players have checked how many tiles of each face there are.
    """
    muerto = {side: draw(st.booleans()) for side in SIDES}
    record = replace(table(), muerto=muerto, kept_copies=dict.fromkeys(FACES, 99))
    left = 4
    for side, lying in product(SIDES, (Place.MELDS, Place.MELDS, Place.RACK)):
        row = (
            draw(st.sampled_from(MELDS)).split()
            if lying is Place.MELDS
            else draw(st.lists(FACE, max_size=3))
        )
        doubtful = draw(st.sets(st.integers(0, len(row) - 1), max_size=left)) if row else set()
        left -= len(doubtful)
        others = {place: draw(st.lists(FACE, min_size=1, max_size=2)) for place in doubtful}
        seen = ["/".join([face, *others.get(place, ())]) for place, face in enumerate(row)]
        record = table(" ".join(seen), side=side, place=lying, record=record) if row else record
    return record


@settings(deadline=None, max_examples=examples(20), suppress_health_check=[HealthCheck.too_slow])
@given(hands(), st.sampled_from([*map(TableRules, RULESETS.values(), [2] * len(RULESETS))]))
def test_of_melds_in_doubt_no_total_lies_outside_and_both_ends_are_reached(
    record: Record, rules: TableRules
) -> None:
    doubtful = [tile for tile in record.tiles.values() if tile.doubtful]
    choices = product(
        *(
            [replace(tile, face=face, confirmed=True) for face, _ in options(tile)]
            for tile in doubtful
        )
    )
    scores = [score_hand(record.with_tiles(choice), rules) for choice in choices]
    for side, span in intervals(record, rules).items():
        totals = [score.total(side) for score in scores]
        assert span == (min(totals), max(totals))


NEARLY_MELDS = ["3R 4R 9K", "6Y 7Y 8Y 9Y 10Y 11Y 3B", "8B 9B", "5R 6R 7R 9R 8R", "7R 7B 7K 8K"]


@settings(deadline=None, max_examples=examples(40), suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.sampled_from([*MELDS, *NEARLY_MELDS]), min_size=1, max_size=3),
    st.lists(FACE, max_size=2),
    st.sets(st.integers(0, 20), max_size=3),
    st.booleans(),
)
def test_what_is_offered_to_put_a_row_right_lies_within(
    rows: list[str], others: list[str], doubtful: set[int], void: bool
) -> None:
    seen = [row.split() for row in rows]
    places = [(row, place) for row in seen for place in range(len(row))]
    for at in doubtful & set(range(len(places))):
        row, place = places[at]
        row[place] = "/".join([row[place], *others])
    record = table(*(" ".join(row) for row in seen))
    rules = replace(RULES, rules=replace(RULES.rules, void_without_canasta=void))
    low, high = intervals(record, rules)["A"]
    for lying in record.rows:
        for repair in repairs(record, lying, rules):
            assert low <= score_hand(apply(record, repair.edit, rules), rules).total("A") <= high


ROW = st.lists(st.tuples(FACE, st.sampled_from(["", "", "/"])), min_size=1, max_size=5)


@settings(deadline=None, max_examples=examples(20), suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(ROW, min_size=1, max_size=2))
def test_illegal_rows_and_finds_that_may_be_none_are_within(
    rows: list[list[tuple[str, str]]],
) -> None:
    record = table(*(" ".join(face + mark for face, mark in row) for row in rows))
    low, high = interval(record)
    unsure = [tile for tile in record.tiles.values() if tile.perhaps_none]
    for gone in product((False, True), repeat=len(unsure)):
        left = record.with_tiles(
            replace(tile, face=None) for tile, none in zip(unsure, gone, strict=True) if none
        )
        legal = [
            RULES.legal([face for face in left.faces(row) if face], ordered=True)
            for row in left.rows
        ]
        for counted in product((False, True), repeat=len(left.rows)):
            kept = tuple(
                row
                for row, valid, counts in zip(left.rows, legal, counted, strict=True)
                if counts or valid
            )
            assert low <= score_hand(replace(left, rows=kept), RULES).total("A") + 100 <= high


@pytest.mark.parametrize("taken", [True, False])
@pytest.mark.parametrize("played", [True, False])
def test_every_answer_about_a_muerto_is_inside(taken: bool, played: bool) -> None:
    """Also that it was taken and nothing of it was played, where the rules count that."""
    told = {"muerto_penalty": 0, "muerto_unplayed_penalty": 100}
    rules = TableRules(replace(RULESETS["burraco_it"], **told), 4)
    asked = replace(table(PURA), muerto={"A": None, "B": False})
    unplayed = () if played or not taken else ("A",)
    said = replace(asked, muerto={"A": taken, "B": False}, muerto_unplayed=unplayed)
    low, high = intervals(asked, rules)["A"]
    assert low <= score_hand(said, rules).total("A") <= high and low < high
