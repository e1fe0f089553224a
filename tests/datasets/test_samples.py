"""The committed samples: what their labels say is one consistent hand, and rendering again gives
the same truth.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.generate import picture_line
from datasets.labels import LabelledPicture
from datasets.samples import hand, scenes, staging
from datasets.samples.__main__ import HAND, SCENES
from datasets.samples.sets import FIGURES, TYPEFACES
from datasets.samples.staging import Sample
from datasets.scene import surfaces
from engine import full_set, judge_meld, notation, ruleset, tiles
from scorer_app.cli.judge_answers import answer_hand

RULES = ruleset("burako")
HAND_LINE: dict[str, Any] = json.loads((HAND / "hand.json").read_text("utf-8"))
SCENE_LINES: list[dict[str, Any]] = [
    json.loads(line) for line in (SCENES / "labels.jsonl").read_text("utf-8").splitlines()
]
FOUND = [(HAND, line) for line in HAND_LINE["photos"]] + [(SCENES, line) for line in SCENE_LINES]
KIB = 1024
# Counted with pencil and paper from the tiles' printed values.
BY_HAND = {
    "A": {
        "meld_tiles": 320,
        "canasta_bonus": 300,
        "close_bonus": 100,
        "muerto": 100,
        "hand_tiles": -35,
        "total": 785,
    },
    "B": {
        "meld_tiles": 205,
        "canasta_bonus": 100,
        "close_bonus": 0,
        "muerto": -100,
        "hand_tiles": -130,
        "total": 75,
    },
}


def name_of(found: tuple[Path, dict[str, Any]]) -> str:
    return str(found[1]["photo"])


def laid(line: dict[str, Any], row: dict[str, Any]) -> str:
    return " ".join(line["tiles"][index]["tile"] for index in row["tiles"])


def assert_same_truth(again: LabelledPicture, line: dict[str, Any]) -> None:
    """Check that both are equal but for `visible`, which is counted in pixels and so depends on the
    size at which a picture is painted.
    """
    fresh = json.loads(json.dumps(picture_line(again)))
    assert [tile["tile"] for tile in fresh["tiles"]] == [tile["tile"] for tile in line["tiles"]]
    assert [tile["hidden_or_cut"] for tile in fresh["tiles"]] == [
        tile["hidden_or_cut"] for tile in line["tiles"]
    ]
    for tile, told in zip(fresh["tiles"], line["tiles"], strict=True):
        np.testing.assert_allclose(tile["corners"], told["corners"], atol=0.1)
    for key in ("rows", "width", "height", "ignore"):
        assert fresh[key] == line[key]


@pytest.mark.parametrize("found", FOUND, ids=name_of)
def test_photograph_is_as_labelled(found: tuple[Path, dict[str, Any]]) -> None:
    folder, line = found
    data = (folder / line["photo"]).read_bytes()
    assert cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR).shape == (
        line["height"],
        line["width"],
        3,
    )
    assert len(data) <= (260 if folder == HAND else 120) * KIB
    for tile in line["tiles"]:
        corners = np.array(tile["corners"])
        assert np.all(corners >= 0) and np.all(corners <= [line["width"] - 1, line["height"] - 1])
        assert not tile["hidden_or_cut"]
        assert cv2.contourArea(corners.astype(np.float32), oriented=True) > 0, (
            "corners run clockwise as one reads"
        )


@pytest.mark.parametrize("found", FOUND, ids=name_of)
def test_rows_are_judged_as_the_engine_judges_them(found: tuple[Path, dict[str, Any]]) -> None:
    _, line = found
    for number, row in enumerate(line["rows"]):
        assert all(line["tiles"][index]["row"] == number for index in row["tiles"])
        if row["kind"] == "rack":
            assert row["legal"] is None
            continue
        meld = judge_meld(tiles(laid(line, row)), RULES)
        assert meld.valid and (row["legal"], row["kind"]) == (True, meld.kind)


@pytest.mark.parametrize("line", SCENE_LINES, ids=lambda line: str(line["photo"]))
def test_no_scene_shows_a_third_copy(line: dict[str, Any]) -> None:
    assert max(Counter(tile["tile"] for tile in line["tiles"]).values(), default=0) <= 2


def test_one_scene_has_nothing_to_read() -> None:
    assert [line["photo"] for line in SCENE_LINES if not line["tiles"]] == ["nothing_to_read.jpg"]


def test_the_hand_is_part_of_one_set() -> None:
    seen = Counter(tile["tile"] for line in HAND_LINE["photos"] for tile in line["tiles"])
    assert seen <= Counter(notation(full_set()).split())
    assert seen.total() == 68


def test_the_photographs_show_the_hand_that_is_scored() -> None:
    for line in HAND_LINE["photos"]:
        if line["place"] == "melds":
            assert tuple(laid(line, row) for row in line["rows"]) == hand.MELDS[line["side"]]
        else:
            told = " ".join(hand.RACKS[line["side"]]).replace(".", "").split()
            assert sorted(tile["tile"] for tile in line["tiles"]) == sorted(told)
    kinds = [judge_meld(tiles(row), RULES).canasta for row in hand.MELDS["A"]]
    assert kinds == ["pura", "impura", None, None, None, None]


def test_the_score_is_what_the_engine_counts() -> None:
    score = answer_hand(hand.hand_case(), RULES, "es")
    assert score["valid_close"] is True
    assert {side: {key: score[side][key] for key in BY_HAND[side]} for side in BY_HAND} == BY_HAND


@pytest.mark.parametrize(
    "sample",
    [
        hand.SAMPLES[0],
        *(
            pytest.param(one, marks=pytest.mark.pictures)
            for one in (*hand.SAMPLES[1:], *scenes.SCENES)
        ),
    ],
    ids=lambda one: one.name,
)
def test_a_picture_rendered_again_has_the_same_truth_and_no_photograph_in_it(
    sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is committed shows nothing that others photographed."""

    def refuse(*_: object) -> None:
        raise AssertionError("a photograph was asked for")

    monkeypatch.setattr(surfaces, "photograph", refuse)
    monkeypatch.setattr(cv2, "imread", refuse)
    # Lamp and lens change no truth; of the picture itself nothing is asked here.
    monkeypatch.setattr(staging, "developed", lambda shot, scene, rng: scene)
    line = next(line for _, line in FOUND if line["photo"] == sample.name)
    _, picture = sample.render(scale=0.25)
    assert_same_truth(picture, line)


def test_words_and_numbers_come_from_typefaces_free_to_redistribute() -> None:
    for sample in (*hand.SAMPLES, *scenes.SCENES):
        style = sample.shot.style
        assert style.digits.typeface in TYPEFACES
        assert style.name is None or style.name.typeface in TYPEFACES
        assert all(joker.figure in FIGURES for joker in style.jokers)
