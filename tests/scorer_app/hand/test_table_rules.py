"""The rules of one match, as a hand's record asks for them."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from engine.pieces import Pieces
from scorer_app.hand.record import DamagedRecord, NewerRecord, UnreadableRecord
from scorer_app.hand.table_rules import FACES, TableRules, may_begin_meld

RULES = TableRules.of("burako", {}, 4)


def test_rules_are_those_of_the_ruleset_with_its_options() -> None:
    assert (RULES.rules.id, RULES.players, RULES.pieces) == ("burako", 4, Pieces.TILES)
    of_two = TableRules.of("burraco_it", {"target": 1005}, 2, "cards")
    assert (of_two.rules.target, of_two.rules.players, of_two.players) == (1005, 2, 2)
    assert of_two.pieces is Pieces.CARDS


@pytest.mark.parametrize(
    ("ruleset", "options", "players", "pieces", "kind"),
    [
        ("canasta", {}, 4, "tiles", NewerRecord),
        ("burako", {"weather": 1}, 4, "tiles", NewerRecord),
        ("burako", {}, 4, "dice", NewerRecord),
        ("burako", {"target": "many"}, 4, "tiles", DamagedRecord),
        ("burako", {}, 3, "tiles", DamagedRecord),
        ("burako", {"hand_size": 30}, 4, "tiles", DamagedRecord),
        (7, {}, 4, "tiles", DamagedRecord),
        ("burako", [], 4, "tiles", DamagedRecord),
    ],
)
def test_rules_that_cannot_be_played_by_are_told_from_those_of_a_newer_version(
    ruleset: Any, options: Any, players: int, pieces: str, kind: type[UnreadableRecord]
) -> None:
    with pytest.raises(kind) as caught:
        TableRules.of(ruleset, options, players, pieces)
    assert type(caught.value) is kind and str(caught.value)


@pytest.mark.parametrize(
    ("ruleset", "options", "pieces"),
    [("x" * 500, {}, "tiles"), ("burako", {"x" * 500: 1}, "tiles"), ("burako", {}, "x" * 500)],
)
def test_what_is_told_of_unknown_rules_is_cut_off(ruleset: str, options: Any, pieces: str) -> None:
    with pytest.raises(NewerRecord) as caught:
        TableRules.of(ruleset, options, 4, pieces)
    assert len(str(caught.value)) == 300


def test_what_is_told_of_a_wrong_option_is_short_by_itself() -> None:
    with pytest.raises(DamagedRecord) as caught:
        TableRules.of("burako", {"target": "x" * 5000}, 4)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("row", "face", "grows"),
    [
        ("3R 4R 5R", "6R", True),
        ("5R 3R 4R", "2R", True),  # tapped in any order
        ("5R 3R 4R", "9K", False),
        ("3R 4R 5R", "9K", False),
        ("3R 4R", "9K", True),  # no meld yet
        ("3R 9K 7B", "J", True),
        ("3R 4R ?", "9K", True),  # nobody knows whether it is one
        ("9B 9K 9Y", "9R", True),
    ],
)
def test_a_meld_grows_by_what_leaves_it_one(row: str, face: str, grows: bool) -> None:
    faces = [None if one == "?" else one for one in row.split()]
    assert RULES.can_grow(faces, face) is grows


@pytest.mark.parametrize(
    ("row", "ordered", "laid"),
    [
        ("5R 3R 4R", False, "3R 4R 5R"),
        ("5R 3R 4R", True, "5R 3R 4R"),
        ("5R 3R 9K", False, "5R 3R 9K"),  # no order makes it a meld
        ("5R ? 4R", False, "5R 4R"),
        ("3R 5R J", False, "3R J 5R"),
    ],
)
def test_tapped_tiles_count_in_their_best_order(row: str, ordered: bool, laid: str) -> None:
    faces = [None if one == "?" else one for one in row.split()]
    assert " ".join(map(str, RULES.laid(faces, ordered))) == laid


MIDDLE = "3R 4R 5R 6R 7R 8R 9R 10R 11R 12R 13R"


@pytest.mark.parametrize(
    ("row", "paid"),
    [
        (f"1R {MIDDLE} J", "semipulito"),  # the comodín has a place at an end
        (f"J {MIDDLE} 1R", "semipulito"),
        (f"1R J {MIDDLE}", "sporco"),  # tapped as it lies
        (f"{MIDDLE} J 1R", "semipulito"),
    ],
)
def test_of_two_orders_with_as_many_wilds_the_tapped_or_the_better_one_counts(
    row: str, paid: str
) -> None:
    meld = TableRules.of("burraco_it", {}, 4).judge(row.split(), False)
    assert meld is not None and meld.canasta_class == paid


def test_a_row_with_an_unread_tile_is_not_judged() -> None:
    assert RULES.judge(["3R", None, "5R"], True) is None
    meld = RULES.judge(["3R", "5R", "4R"], True)
    assert meld is not None and not meld.valid
    sorted_meld = RULES.judge(["3R", "5R", "4R"], False)
    assert sorted_meld is not None and sorted_meld.valid
    assert RULES.sentence(meld, True, "es") and not RULES.sentence(sorted_meld, False, "es")
    assert RULES.points(["3R", None, "J"]) == 5 + 50
    assert not RULES.legal(["3R", "4R"], True)


def test_a_face_beyond_its_copies_is_listed_once() -> None:
    assert RULES.copies_too_many(["3R"] * 3 + ["9K"] * 2 + ["J"] * 2 + ["5B"] * 4) == ("3R", "5B")


def test_two_tiles_begin_a_meld_where_a_third_beside_them_makes_one() -> None:
    two_colours = [face for face in FACES if face[-1] in "RBJ"]
    for one, other in combinations_with_replacement(two_colours, 2):
        rows = product(((one, other), (other, one)), FACES)
        if (one, other) == ("J", "J"):  # whether two wilds begin one is for each ruleset to say
            assert may_begin_meld(one, other)
            continue
        makes_one = any(
            RULES.legal([third, *pair], True) or RULES.legal([*pair, third], True)
            for pair, third in rows
        )
        assert may_begin_meld(one, other) is makes_one, (one, other)
        assert may_begin_meld(other, one) is makes_one
    assert not may_begin_meld(None, "J") and not may_begin_meld("J", None)


@pytest.mark.parametrize(
    ("faces", "at"),
    [
        ("3R 4R 5R 9R 9B 9K", 3),
        ("3R 4R 5R 6R 9R 9B 9K", 4),
        ("3R 4R 5R 9R 9B", None),
        ("3R 4R 9R 9B", None),
        ("1R 9B 4K 5K 6K 7K", None),
    ],
)
def test_a_row_is_split_only_into_two_legal_melds(faces: str, at: int | None) -> None:
    assert RULES.split_at(faces.split(), ordered=True) == at
