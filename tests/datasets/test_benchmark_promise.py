"""The promise benchmark: it draws hands from labelled pictures, knows their true score, and judges
a program that answers as the test tells it.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter

import numpy as np
import pytest

from datasets.benchmark import promise
from datasets.benchmark.promise import (
    Hand,
    arguments_of,
    draw_hands,
    is_legal,
    judge_hand,
    measures,
    usable_rack,
    usable_table,
)
from datasets.labels import LabelledPicture, LabelledRow, LabelledTile
from tests.places import needs_photographs


def picture(name: str, *rows: str, rack: bool = False, kind: str = "escalera") -> LabelledPicture:
    tiles, laid = [], []
    for y, row in enumerate(rows):
        start = len(tiles)
        tiles += [
            LabelledTile(tile, (50.0 * x + 30, 60.0 * y + 40)) for x, tile in enumerate(row.split())
        ]
        laid.append(LabelledRow(tuple(range(start, len(tiles))), kind=kind))
    return LabelledPicture(
        name, "made", 900, 500, tuple(tiles), () if rack else tuple(laid), f"{name}.jpg", rack=rack
    )


CANASTA = picture("canasta", "3R 4R 5R 6R 7R 8R 9R", "1K 1B 1Y")
SMALL = picture("small", "10K 11K 12K")
RACK = picture("rack", "J 2B 5Y", rack=True)


def hand(closed_by=None, rack_a=None) -> Hand:
    return Hand({"A": (CANASTA,), "B": (SMALL,)}, {"A": rack_a, "B": RACK}, ("A",), closed_by)


def test_the_true_score_by_hand():
    """A: 5 x 5 + 2 x 10 = 45, 3 x 15 = 45, canasta pura 200, muerto 100, closing 100. B: 30, -100,
    -(50 + 20 + 5).
    """
    assert hand("A").truth() == {"A": 45 + 45 + 200 + 100 + 100, "B": 30 - 100 - 75}
    assert hand(None, RACK).truth()["A"] == 45 + 45 + 200 + 100 - 75


def test_the_command_is_the_contracts():
    assert arguments_of(hand("A")) == [
        *("--rules", "burako", "--players", "2", "--json", "--melds-a", "canasta.jpg"),
        *("--melds-b", "small.jpg", "--rack-b", "rack.jpg", "--muerto", "A", "--closed-by", "A"),
    ]


def test_tables_with_hidden_melds_are_not_drawn():
    assert usable_table(CANASTA) and not usable_table(RACK)
    assert not usable_table(picture("pozo", "3R 4R 5R", kind="pozo"))
    hidden = dataclasses.replace(SMALL.tiles[0], counted=False)
    assert not usable_table(dataclasses.replace(SMALL, tiles=(hidden, *SMALL.tiles[1:])))
    assert usable_rack(RACK) and not usable_rack(dataclasses.replace(CANASTA, rack=True))


def test_an_illegal_meld_counts_as_the_tables():
    gap = picture("gap", "3R 5R 6R", "8K 9K 10K")
    assert usable_table(gap) and not is_legal(gap) and is_legal(CANASTA)
    drawn = Hand({"A": (CANASTA,), "B": (gap,)}, {"A": None, "B": None}, ("A", "B"), "A")
    assert not drawn.legal and drawn.truth()["B"] == 15 + 30 + 100


def test_every_table_takes_its_turn():
    tables = [picture(f"table{i}", "3R 4R 5R 6R 7R 8R 9R") for i in range(7)]
    drawn = Counter(
        photos[0].name
        for hand in draw_hands([*tables, RACK], 21, seed=2)
        for photos in hand.melds.values()
    )
    assert set(drawn.values()) == {6}


def test_the_racks_of_a_hand_are_of_one_shoot_and_its_models_read_it():
    racks = [dataclasses.replace(RACK, name=shoot, shoot=shoot) for shoot in ("one", "two")]
    hands = draw_hands([CANASTA, SMALL, *racks], 30, seed=1)
    assert {hand.shoot for hand in hands} == {None, "one", "two"}
    assert all(len({rack.shoot for rack in hand.racks.values() if rack}) <= 1 for hand in hands)


def test_no_photograph_shows_the_racks_of_both_sides():
    others = [dataclasses.replace(RACK, name=f"rack-{number}") for number in range(2)]
    for racks in ([RACK], [RACK, *others]):
        hands = draw_hands([CANASTA, SMALL, *racks], 40, seed=5)
        shown = [[rack.name for rack in hand.racks.values() if rack] for hand in hands]
        assert all(len(set(names)) == len(names) for names in shown)
        assert {name for names in shown for name in names} == {rack.name for rack in racks}


def test_draws_are_seeded_and_end_as_the_rules_allow():
    pictures = [CANASTA, SMALL, RACK]
    hands = draw_hands(pictures, 40, seed=3)
    assert hands == draw_hands(pictures, 40, seed=3) != draw_hands(pictures, 40, seed=4)
    assert {hand.closed_by is None for hand in hands} == {True, False}
    assert all(set(hand.truth()) == {"A", "B"} for hand in hands)


def test_too_few_photographs_are_told():
    with pytest.raises(ValueError, match="got 1 and 0"):
        draw_hands([SMALL], 1, seed=1)


def answer(a: int, b: int, spread: int = 0, doubtful: int = 0) -> dict:
    return {
        "A": {"total": a},
        "B": {"total": b},
        "interval": {"A": [a - spread, a + spread], "B": [b - spread, b + spread]},
        "doubtful": [{}] * doubtful,
    }


def test_hands_are_exact_when_both_sides_are_and_intervals_are_asked_of_each():
    a, b = hand("A").truth().values()
    results = [
        *judge_hand(0, hand("A"), answer(a, b)),
        *judge_hand(1, hand("A"), answer(a, b + 5, spread=5, doubtful=1)),
        *judge_hand(2, hand("A"), answer(a, b + 5)),
        *judge_hand(3, hand("A"), {"valid_close": False, "reason": "no_canasta"}),
    ]
    told = {measure.name: (measure.count, measure.of) for measure in measures(results)}
    assert told["hands_exact"] == (1, 4) and told["sides_exact"] == (4, 8)
    assert told["true_inside_interval"] == (5, 8)
    assert told["hands_open"] == (1, 4) and told["hands_sure_and_wrong"] == (2, 4)
    assert told["exact_where_no_doubt"] == (3, 6)
    assert told["tables_always_exact"] == (0, 2)


@needs_photographs
def test_a_program_that_knows_the_truth_keeps_the_promise(tmp_path, capsys):
    def knowing(drawn: Hand) -> dict:
        return answer(*drawn.truth().values())

    assert promise.main(["--hands", "25", "--out", str(tmp_path)], score=knowing) == 0
    shares = re.findall(r"(\w+) +(\d+)/(\d+)", capsys.readouterr().out)
    failures = ("hands_open", "hands_sure_and_wrong")
    assert all(int(count) == (0 if name in failures else int(of)) for name, count, of in shares)
    assert sum(int(of) for name, _, of in shares if name == "hands_exact") == 25
    assert len((tmp_path / "promise.csv").read_text(encoding="utf-8").splitlines()) == 51


def test_the_scores_drawn_vary():
    totals = [
        sum(drawn.truth().values()) for drawn in draw_hands([CANASTA, SMALL, RACK], 30, seed=1)
    ]
    assert np.ptp(totals) > 100


def test_absent_photographs_are_left_out_with_a_message(tmp_path, capsys):
    assert promise.main(["--photos", str(tmp_path)], score=lambda drawn: {}) == 0
    assert capsys.readouterr().err.startswith("left out: expected the labels")
