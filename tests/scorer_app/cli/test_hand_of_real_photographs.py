"""A hand of real photographs, scored by a person with a pencil and by the program, line by line.

The readings are written down here, so that the score is tested without the photographs; where these
are present, what is read from them must be the same.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from engine.rulesets import ruleset
from scorer_app.cli.judge_answers import answer_hand
from scorer_app.cli.score import DONE, main
from tests.places import SHARED

PHOTOS = SHARED / "photos" / "other_sets" / "images"
MELDS = {
    "A": ["5Y 6Y 7Y 8Y", "9R 9B 9Y", "1B 2B 3B", "7K 7B 7R"],
    "B": [
        "9R 10R 11R 12R 13R",
        "8K 9K 10K",
        "12K 12B 12Y",
        "8B 9B 10B J",
        "2R 3R 4R",
        "11B 12B 13B",
        "2B 2K 2Y",
        "4B 5B 6B",
        "5R 5Y 5B",
        "9K 10K 11K",
        "9Y 10Y 11Y 12Y 13Y",
    ],
}
RACKS = {
    "A": "2B 5B 7B 8B 10B 5Y 13Y 2R 5R 11R 13R 11K 13K",
    "B": "J 4K 8K 11K 3Y 4Y 8Y 3B 6B 7B 10R 11R",
}
# With pencil: 1 = 15, 2 = 20, 3-7 = 5, 8-13 = 10, comodín 50; the stock ran out, A has taken the
# muerto, nobody has a canasta.
POINTS = {"A": [25, 30, 40, 15], "B": [50, 30, 30, 80, 30, 30, 60, 15, 15, 30, 50]}
IN_HAND = {"A": -130, "B": -130}
MUERTO = {"A": 100, "B": -100}
TOTAL = {"A": 110 + 100 - 130, "B": 420 - 100 - 130}


def lines(answer: dict[str, Any], side: str) -> Counter[tuple[str, int, tuple[str, ...]]]:
    """Return kind, points and tiles of each line of a side's score, in any order."""
    return Counter(
        (line["kind"], line["points"], tuple(sorted(line["tiles"])))
        for line in answer[side]["lines"]
    )


def pencilled(side: str) -> Counter[tuple[str, int, tuple[str, ...]]]:
    kind = "muerto_taken" if MUERTO[side] > 0 else "muerto_not_taken"
    return Counter(
        [
            *(
                ("meld", points, tuple(sorted(row.split())))
                for row, points in zip(MELDS[side], POINTS[side], strict=True)
            ),
            (kind, MUERTO[side], ()),
            ("hand", IN_HAND[side], tuple(sorted(RACKS[side].split()))),
        ]
    )


@pytest.mark.parametrize("side", ["A", "B"])
def test_the_engine_counts_as_the_pencil_does(side: str) -> None:
    teams = {
        name: {
            "melds": [row.split() for row in MELDS[name]],
            "hands": [RACKS[name].split()],
            "muerto_taken": name == "A",
        }
        for name in MELDS
    }
    case = {"players": 2, "end": "stock_exhausted", "closed_by": None, "teams": teams}
    answer = answer_hand(case, ruleset("buraco"), "es")
    assert lines(answer, side) == pencilled(side)
    assert answer[side]["total"] == TOTAL[side]


@pytest.mark.pictures
@pytest.mark.skipif(not PHOTOS.is_dir(), reason="the labelled photographs are not on this machine")
def test_the_photographs_give_the_same_sheet(capsys: pytest.CaptureFixture[str]) -> None:
    named = {
        "--melds-a": "ivory-board-1",
        "--melds-b": "ivory-board-2",
        "--rack-a": "ivory-rack-1",
        "--rack-b": "ivory-rack-2",
    }
    photos = [
        part for option, name in named.items() for part in (option, str(PHOTOS / f"{name}.jpeg"))
    ]
    assert main([*photos, "--rules", "buraco", "--players", "2", "--muerto", "A", "--json"]) == DONE
    answer = json.loads(capsys.readouterr().out)
    assert answer["doubtful"] == []
    for side in ("A", "B"):
        assert lines(answer, side) == pencilled(side)
        assert answer["interval"][side] == [TOTAL[side], TOTAL[side]]
