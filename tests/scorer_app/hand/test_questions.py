"""Which questions a hand raises, in which order, and what each says."""

from __future__ import annotations

from dataclasses import astuple, replace

import pytest

from engine.options import with_options
from engine.pieces import Pieces
from engine.rulesets import RULESETS
from engine.sides import SIDES
from scorer_app.hand.edits import apply
from scorer_app.hand.edits_of_hand import DropRepeats, KeepCopies, TellApart
from scorer_app.hand.edits_of_tiles import AddTile, RemoveTile, SetTile
from scorer_app.hand.intervals import intervals
from scorer_app.hand.merging import add_reading
from scorer_app.hand.questions import left_open, questions
from scorer_app.hand.record import End, Place, Record
from scorer_app.hand.table_rules import TableRules

from ..pictures import picture_of, reading_of
from .test_duplicates import hand
from .test_intervals import PURA, RULES, table

NOBODY = End.STOCK_EXHAUSTED


def asked(record: Record, rules: TableRules = RULES) -> list[str]:
    """Write each question as a line: what it asks, its effect, `!` where it must be answered, its
    subject, its tiles, what it repeats and its choices.

    Whatever is empty is left out.
    """
    found = []
    for question in questions(record, rules):
        ask, effect, needed, subject, tiles, original, choices, _cause = astuple(question)
        ids = [",".join(tiles), original and f"of {original}", "/".join(choices)]
        parts = [f"{ask} {effect}{'!' if needed else ''}", subject, *ids]
        found.append(" ".join(part for part in parts if part))
    return found


def ended(record: Record, end: End = NOBODY, **said: object) -> Record:
    known = replace(record, end=end, muerto={"A": False, "B": False}, empty_racks=SIDES)
    return replace(known, **said)  # type: ignore[arg-type]


def test_nothing_is_asked_before_there_is_a_meld_or_a_rack() -> None:
    assert asked(Record()) == []
    assert asked(hand("A pozo p1: 3R")) == []
    assert asked(hand("A rack p1: 3R")) == ["end 100!"]
    assert asked(replace(ended(hand("A melds p1: 3R 9K")), counted=True)) == []


def test_the_end_is_asked_first_then_the_muertos_then_the_racks() -> None:
    record = hand(f"A melds p1: {PURA}")
    assert asked(record) == ["end 200!"]  # closing pays 100, and implies the muerto, 100 more
    closed = replace(record, end=End.CLOSE, closed_by="A")
    assert asked(closed) == ["muerto 200! B"]
    assert asked(replace(closed, muerto={"A": None, "B": True})) == ["rack 0! B"]
    nobody = replace(record, end=NOBODY)
    assert asked(nobody) == ["muerto 200! A", "muerto 200! B"]
    answered = replace(nobody, muerto={"A": True, "B": False})
    assert asked(answered) == ["rack 0! A", "rack 0! B"]
    assert asked(replace(answered, empty_racks=("A",))) == ["rack 0! B"]
    shown = hand(f"A melds p1: {PURA}", "B rack p2: 9K")
    assert asked(ended(shown, empty_racks=())) == ["rack 0! A"]


def test_the_end_and_the_muerto_are_worth_what_the_table_gives() -> None:
    record = hand(f"A melds p1: {PURA}")
    closed = replace(record, end=End.CLOSE, closed_by="A")
    options = {"close_bonus": 150, "muerto_penalty": 50, "muerto_unplayed_penalty": 300}
    of_table = TableRules(with_options(RULES.rules, options), 2)
    assert (asked(record, of_table), asked(closed, of_table)) == (["end 250!"], ["muerto 300! B"])
    italian = TableRules(RULESETS["burraco_it"], 2)
    assert asked(closed, italian) == ["muerto 100! B"]


def test_a_closing_that_the_rules_do_not_allow_names_the_ends_that_they_do() -> None:
    record = hand("A melds p1: 3R 4R 5R", f"B melds p1: {PURA}")
    closed = ended(record, End.CLOSE, closed_by="A", muerto={"A": True, "B": None})
    assert asked(closed) == ["closing 100! no_canasta B/stock_exhausted"]


def test_a_doubtful_tile_that_decides_whether_the_closing_is_allowed_is_asked_about() -> None:
    """Read as a comodín the tile leaves an impura, with which nobody closes here; as a 6 it makes
    a pura, and A has 45 + 200 + 100 + 100.
    """
    pura = TableRules(with_options(RULES.rules, {"close_requires": "pura"}), 2)
    row = table("3R 4R 5R J/6R 7R 8R 9R")
    closed = ended(row, End.CLOSE, closed_by="A", muerto={"A": True, "B": False})
    assert asked(closed, pura) == ["tile 445 t4 t4", "closing 100! no_canasta stock_exhausted"]
    said = closed.with_tiles([replace(closed.tiles["t4"], confirmed=True, doubtful=False)])
    assert asked(said, pura) == ["closing 100! no_canasta stock_exhausted"]
    not_taken = replace(closed, muerto={"A": False, "B": False})
    assert asked(not_taken, pura) == ["closing 100! muerto_not_taken stock_exhausted"]


def test_a_hand_without_tiles_that_somebody_ended_is_asked_what_any_other_is() -> None:
    closed = ended(Record(), End.CLOSE, closed_by="B", muerto={"A": True, "B": True})
    assert asked(closed) == ["closing 100! no_canasta stock_exhausted"]
    aside = ended(hand("A pozo p1: 3R"), muerto={"A": None, "B": None}, empty_racks=())
    assert asked(aside) == ["muerto 200! A", "muerto 200! B"]
    assert asked(replace(aside, muerto={"A": True, "B": False})) == ["rack 0! A", "rack 0! B"]


def test_a_hand_without_a_score_is_not_asked_about_muertos_and_racks() -> None:
    strict = TableRules(RULESETS["burako"], 2)
    record = replace(hand("A melds p1: 3R 4R 5R"), end=NOBODY)
    assert asked(record, strict) == []
    assert asked(record) == ["muerto 200! A", "muerto 200! B"]


def test_a_hand_that_was_void_is_in_doubt_where_other_rules_count_it() -> None:
    strict = TableRules(RULESETS["burako"], 2)
    record = replace(hand("A melds p1: 3R 4R 5R"), end=NOBODY)
    assert left_open(record, strict) is None
    doubts = left_open(record, RULES)
    assert doubts is not None and doubts.count == 2
    assert doubts.spans == {"A": (-85, 115), "B": (-100, 100)}
    told = replace(record, muerto={"A": True, "B": False})
    assert (doubts := left_open(told, RULES)) and doubts.count == 2  # the racks
    empty = replace(record, empty_racks=("A", "B"))
    assert left_open(empty, RULES) is not None
    assert left_open(replace(empty, muerto=told.muerto), RULES) is None
    free = TableRules(with_options(RULES.rules, {"muerto_bonus": False, "muerto_penalty": 0}), 2)
    assert left_open(empty, free) is None  # the muerto is worth nothing
    assert left_open(record, free) is not None


def test_the_largest_change_comes_first_and_what_changes_nothing_is_not_asked() -> None:
    record = table("9K/8K 8R/", place=Place.RACK, record=table("3R 4R 5R/J", "7R 7B 7K/7Y"))
    assert asked(ended(record)) == ["tile 45 t3 t3", "tile 10 t10 t10"]
    assert left_open(ended(record), RULES) is not None
    assert left_open(ended(table("3R 4R 5R")), RULES) is None
    assert left_open(ended(table("7R 7B 7K/7Y")), RULES) is None


def test_doubts_of_a_meld_that_change_the_score_only_together_are_asked_about() -> None:
    """Else the hand would count without a question, though two tiles may make it a canasta."""
    record = ended(table("3R 4R 5R 6B/6R 7R 8R 9B/9R", "12K 12B 12R/12Y 12Y/12R"))
    accepted = tuple(replace(row, accepted=True) for row in record.rows)
    record = replace(record, rows=accepted)
    assert asked(record) == ["tile 200 t4 t4", "tile 200 t7 t7"]
    assert asked(apply(record, SetTile("t4", "6B"), RULES)) == []
    made = apply(record, SetTile("t4", "6R"), RULES)
    assert asked(made)[0] == "tile 200 t7 t7"


def test_a_column_of_cards_hardly_read_is_asked_about_until_its_interval_is_one_number() -> None:
    """Its cards in doubt have no likely other face; but it may have been another column."""
    rules = replace(RULES, pieces=Pieces.CARDS)
    record = ended(table("3R 4R/5R 5R/6R 6R/7R 7R 8R 9R"))
    alone = [
        replace(tile, alternatives=((tile.face or "", 1.0),))
        for tile in record.tiles.values()
        if tile.doubtful
    ]
    record = record.with_tiles(alone)
    low, high = intervals(record, rules)["A"]
    assert high - low > 100
    first, *others = asked(record, rules)
    assert first.startswith("tile ") and len(others) == 2
    # With two of seven in doubt the column is read well enough.
    record = apply(record, SetTile(alone[0].id, alone[0].face), rules)
    assert asked(record, rules) == [] and left_open(record, rules) is None
    low, high = intervals(record, rules)["A"]
    assert low == high


def test_an_unread_tile_must_be_answered_even_where_it_changes_nothing() -> None:
    record = table("?/8K", place=Place.RACK)
    confirmed = record.with_tiles([replace(record.tiles["t1"], alternatives=(("8K", 1.0),))])
    (question,) = asked(ended(confirmed))
    assert question.startswith("tile ") and question.endswith("! t1 t1")


def test_each_illegal_meld_that_nobody_accepted_is_asked_about_with_its_worth() -> None:
    record = ended(hand("A melds p1: 3R 4R 9K", "B melds p1: 8R 8B J", "B melds p2: 9R 10B"))
    assert asked(record) == ["row 20! r4 t1,t2,t3", "row 20! r11 t9,t10"]
    accepted = tuple(replace(row, accepted=row.id == "r4") for row in record.rows)
    assert asked(replace(record, rows=accepted)) == ["row 20! r11 t9,t10"]


def test_copies_beyond_those_of_the_set_are_asked_about_face_by_face() -> None:
    rows = ["A melds p1: 3R 4R 5R", "B melds p1: 3R 4R 5R", "B rack p1: 3R 9K 5R"]
    record = ended(hand(*rows))
    assert asked(record) == ["copies 5! 3R t1,t5,t9", "copies 5! 5R t3,t7,t11"]
    assert asked(replace(record, kept_copies={"3R": 3})) == ["copies 5! 5R t3,t7,t11"]
    picture = record.with_tiles([replace(record.tiles["t9"], perhaps_none=True)])
    assert asked(picture)[0] == "copies 5! 3R t1,t5,t9"  # of a rack it counts
    aside = hand(*rows[:2], "B pozo p1: 3R 9K")  # the pozo may lie in the photographs of both sides
    assert asked(ended(aside)) == []
    assert asked(ended(hand(*rows, "B pozo p1: 3R")))[0] == "copies 5! 3R t1,t5,t9"


def test_the_answer_about_a_row_changes_no_points_of_a_hand_that_is_void_in_any_case() -> None:
    void = TableRules(RULESETS["burako"], 2)  # where nobody has a canasta
    record = hand("A melds p1: 3R 4R 6B")
    ((low, high),) = {*intervals(ended(record), void).values()}
    assert (low, high) == (0, 0)
    assert [one.split(" r")[0] for one in asked(ended(record), void)] == ["row 0!"]
    with_canasta = hand(f"A melds p1: {PURA}", "A melds p1: 3R 4R 6B")
    told = intervals(ended(with_canasta), void)["A"]
    assert [one.split(" r")[0] for one in asked(ended(with_canasta), void)] == ["row 15!"]
    assert told[1] - told[0] == 5 + 5 + 20  # the 6 may be a 2


def test_copies_of_a_hand_that_is_void_in_any_case_are_not_asked_about() -> None:
    void = TableRules(RULESETS["burako"], 2)  # where nobody has a canasta
    rows = ["A melds p1: 3R 4R 5R", "B melds p1: 3R 4R 5R", "B rack p1: 3R 9K"]
    assert asked(ended(hand(*rows)), void) == []
    with_canasta = hand(*rows, f"A melds p1: {PURA.replace('R', 'K')}")
    assert asked(ended(with_canasta), void) == ["copies 5! 3R t1,t5,t9"]
    may_be_one = table(PURA.replace("R", "K") + "/11K", record=ended(hand(*rows)))
    assert "copies 5! 3R t1,t5,t9" in asked(may_be_one, void)


def test_copies_are_asked_about_anew_where_the_hand_gets_one_more() -> None:
    record = hand("A melds p1: 3R 3R 3R", "B melds p1: 9K 9Y 9B")
    kept = apply(record, KeepCopies(face="3R"), RULES)
    assert asked(ended(kept)) == []
    other = apply(kept, AddTile(face="9R", row="r8"), RULES)
    assert asked(ended(other)) == []
    more = apply(kept, AddTile(face="3R", side="B", place=Place.RACK), RULES)
    assert asked(ended(more)) == ["copies 5! 3R t1,t2,t3,t9"]
    seen = reading_of(picture_of("10R 11R 12R", loose="3R").reading)
    assert asked(ended(add_reading(kept, "p2", "B", Place.RACK, seen)))[0].startswith("copies 5!")


def test_copies_that_were_checked_are_remembered_while_there_are_no_more_of_them() -> None:
    record = hand("A melds p1: 3R 3R 3R", "B melds p1: 9K 9Y 9B")
    kept = apply(record, KeepCopies(face="3R"), RULES)
    other = apply(kept, SetTile("t1", "3B"), RULES)
    assert asked(ended(apply(other, SetTile("t1", "3R"), RULES))) == []
    more = apply(kept, AddTile(face="3R", row="new", side="B", place=Place.RACK), RULES)
    assert intervals(ended(more), RULES)["B"] == (30 - 5 - 100, 30 - 100)
    without = apply(more, RemoveTile("t9"), RULES)
    assert asked(ended(without)) == []


def test_melds_of_two_photographs_that_overlap_are_asked_about() -> None:
    """Each of them counts, so that the score has these melds twice."""
    first = ["A melds p1: 3R 4R 5R", "A melds p1: 9R 9B 9K"]
    record = ended(hand(*first, "A melds p2: 9R 9B 9K", "A melds p2: 7B 7K 7Y", "B rack p3: 8K"))
    assert asked(record) == ["again 30! p2 t9,t10,t11"]
    once = apply(record, DropRepeats("p2"), RULES)
    assert asked(once) == []
    assert asked(apply(record, TellApart("p2"), RULES)) == []


def test_photographs_of_parts_of_one_rack_are_asked_about() -> None:
    record = ended(hand("B rack p1: 3R 9R 8K 12B J 7R p2: 9R 8K 12B J 5Y"))
    record = replace(record, empty_racks=("A",))
    assert asked(record) == ["again 80! p2 t7,t8,t9,t10"]
    once = apply(record, DropRepeats("p2"), RULES)
    assert (asked(once), [*once.tiles]) == ([], ["t1", "t2", "t3", "t4", "t5", "t6", "t11"])
    assert asked(apply(record, TellApart("p2"), RULES)) == []


def test_each_photograph_that_shows_tapped_tiles_is_asked_about() -> None:
    rows = [
        "A melds tapped: 3R 4R 5R",
        "B rack tapped: 8K p2: 8K",
        "A melds p1: 3R 4R 5R",
    ]
    record = ended(hand(*rows))
    of_first, of_second = "tapped 15! p1 t1,t2,t3", "tapped 10! p2 t5"
    assert asked(record) == [of_first, of_second]
    assert asked(replace(record, compared=("p1",))) == [of_second]
    assert asked(replace(record, compared=("p2",))) == [of_first]


@pytest.mark.parametrize("place", ["melds", "pozo"])
def test_a_photograph_given_twice_is_asked_about_before_all_else_and_counts_once(
    place: str,
) -> None:
    again = hand("A melds p1: 3R 4R 5R J", f"A {place} p2: 3R 4R 5R J", "B rack p3: 3R 13K 3R")
    worth = 65 if place == "melds" else 0  # what was set aside counts nothing
    assert asked(ended(again)) == [
        f"twice {worth}! p2 t6,t7,t8,t9 of p1",
        "copies 5! 3R t1,t11,t13",
    ]


def test_how_the_hand_ended_is_worth_what_any_answer_changes() -> None:
    """Without a canasta nobody can have closed, and a hand in which nobody closed is void."""
    strict = TableRules(RULESETS["burako"], 2)
    cheap, dear = hand("A melds p1: 3R 4R 5R"), hand("A melds p1: 10R 11R 12R 13R 1R J")
    assert [asked(one, strict)[-1] for one in (cheap, dear)] == ["end 100!", "end 105!"]
