"""The benchmark of hands whose photographs all show one set of tiles."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from datasets.benchmark import dealt_hands, scenes
from datasets.benchmark.promise import Hand, is_legal
from datasets.benchmark.tables import read_table
from engine.sides import SIDES

HANDS, SEED = 2, 5


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> list[Hand]:
    """Deal two hands of small photographs."""
    small: dict[str, Any] = {"width": 480, "height": 360, "tile_px": (14, 20), "easy": 1.0}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(dealt_hands, "TABLE", replace(scenes.TABLE, **small))
        patched.setattr(dealt_hands, "RACK", replace(scenes.RACK, **small))
        patched.setattr(dealt_hands, "SMALLEST", 8.0)
        return list(dealt_hands.deal(HANDS, SEED, tmp_path_factory.mktemp("dealt")))


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
    hands: list[Hand], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first hand is scored rightly, of the second one side is not."""

    def score(hand: Hand) -> dict[str, Any]:
        told = dict(hand.truth())
        told["A"] += 0 if hand is hands[0] else 5
        spans = {side: [total, total] for side, total in told.items()}
        totals = {side: {"total": total} for side, total in told.items()}
        return {**totals, "interval": spans, "doubtful": []}

    monkeypatch.setattr(dealt_hands, "deal", lambda *_asked: iter(hands))
    asked = ["--hands", str(HANDS), "--seed", str(SEED), "--out", str(tmp_path)]
    assert dealt_hands.main(asked, score) == 0
    rows = read_table(tmp_path / "dealt_hands.csv")
    wrong = [(row["hand"], row["side"]) for row in rows if row["read"] != row["true"]]
    assert (len(rows), wrong) == (2 * HANDS, [("1", "A")])
