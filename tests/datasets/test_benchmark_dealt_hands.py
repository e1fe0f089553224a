"""The benchmark of hands whose photographs all show one set of tiles."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.benchmark import dealt_hands, promise, scenes
from datasets.benchmark.dealt_hands import Dealt
from datasets.benchmark.promise import Hand, is_legal
from datasets.benchmark.tables import read_table
from engine.sides import SIDES
from engine.tiles import COLOURS, FACES, Colour

HANDS, SEED = 2, 5


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> list[Dealt]:
    """Deal two hands of small photographs."""
    small: dict[str, Any] = {"width": 480, "height": 360, "tile_px": (14, 20), "easy": 1.0}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(dealt_hands, "TABLE", replace(scenes.TABLE, **small))
        patched.setattr(dealt_hands, "RACK", replace(scenes.RACK, **small))
        patched.setattr(dealt_hands, "SMALLEST", 8.0)
        return list(dealt_hands.deal(HANDS, SEED, tmp_path_factory.mktemp("dealt")))


@pytest.fixture(scope="module")
def hands(dealt: list[Dealt]) -> list[Hand]:
    return [one.hand for one in dealt]


def shown(hand: Hand) -> Counter[str]:
    racks = [rack for rack in hand.racks.values() if rack]
    pictures = [*(table for side in SIDES for table in hand.melds[side]), *racks]
    assert all(Path(str(picture.path)).is_file() for picture in pictures)
    return Counter(tile.tile for picture in pictures for tile in picture.tiles)


@pytest.mark.pictures
def test_no_tile_lies_in_two_photographs(hands: list[Hand]) -> None:
    assert len(hands) == HANDS
    for hand in hands:
        assert max(shown(hand).values()) == 2 and shown(hand).total() > 20
        assert len({table.style for side in SIDES for table in hand.melds[side]}) == 1
    assert all(is_legal(table) for side in SIDES for table in hands[0].melds[side])


@pytest.mark.pictures
def test_the_scores_are_compared_with_the_true_ones(
    dealt: list[Dealt], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first hand is scored rightly, of the second one side is not."""

    def score(one: Dealt) -> dict[str, Any]:
        told = dict(one.hand.truth())
        told["A"] += 0 if one is dealt[0] else 5
        spans = {side: [total, total] for side, total in told.items()}
        totals = {side: {"total": total} for side, total in told.items()}
        return {**totals, "interval": spans, "doubtful": []}

    monkeypatch.setattr(dealt_hands, "deal", lambda *_asked: iter(dealt))
    asked = ["--hands", str(HANDS), "--seed", str(SEED), "--out", str(tmp_path)]
    assert dealt_hands.main(asked, score) == 0
    rows = read_table(tmp_path / "dealt_hands.csv")
    wrong = [(row["hand"], row["side"]) for row in rows if row["read"] != row["true"]]
    assert (len(rows), wrong) == (2 * HANDS, [("1", "A")])


@pytest.mark.pictures
def test_a_set_is_taught_by_one_photograph_and_its_hand_read_with_it(
    dealt: list[Dealt], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `burako set teach` learned is what `burako score` reads with."""
    taught: list[dict[str, Any]] = []
    read_with: list[str] = []

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        done = promise.run_burako(*arguments)
        taught.append(json.loads(done.stdout.splitlines()[-1]))
        return done

    def score(hand: Hand, models: Path | None, further: list[str]) -> dict[str, Any]:
        read_with.extend(further)
        return promise.burako_score(hand, models, further=further)

    monkeypatch.setattr(dealt_hands, "deal", lambda *_asked: iter(dealt[:1]))
    monkeypatch.setattr(dealt_hands, "run_burako", run)
    monkeypatch.setattr(dealt_hands, "burako_score", score)
    assert dealt_hands.main(["--taught", "--out", str(tmp_path)]) == 0
    assert set(taught[0]["faces"]) == set(map(str, FACES)) and taught[0]["missing"] == []
    assert read_with[:2] == ["--set", taught[0]["set"]]
    assert len(read_table(tmp_path / "dealt_hands_taught.csv")) == len(SIDES)


@pytest.mark.pictures
def test_a_hand_whose_set_cannot_be_taught_is_read_without_it(
    dealt: list[Dealt], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The photograph of the rows is of a hand without any row."""

    def blank(*_asked: object) -> tuple[NDArray[np.uint8], list[Colour]]:
        return np.full((240, 320, 3), 90, np.uint8), list(COLOURS)

    monkeypatch.setattr(dealt_hands, "deal", lambda *_asked: iter(dealt[:1]))
    monkeypatch.setattr(dealt_hands, "lesson", blank)
    assert dealt_hands.main(["--taught", "--out", str(tmp_path)]) == 0
    assert len(read_table(tmp_path / "dealt_hands_taught.csv")) == len(SIDES)
