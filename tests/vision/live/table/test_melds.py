"""The melds keep their identity, whatever is found late, exchanged or accepted."""

from __future__ import annotations

import pytest

from engine.rulesets import ruleset
from engine.tiles import Tile, tiles
from vision.live.table.melds import MeldRegistry

BURAKO = ruleset("burako")


def test_a_tile_found_late_joins_or_makes_a_meld_in_silence() -> None:
    tiles = {i: Tile(i, "R") for i in (3, 4, 5, 6)}
    registry = MeldRegistry(ruleset("burako"))
    registry.begin([(4, 5)], {i: tiles[i] for i in (4, 5)}, set())
    registry.adopt([(3, 4, 5)], tiles, {3}, set())
    assert [meld.tracks for meld in registry.present()] == [(3, 4, 5)]
    registry.adopt([(3, 4, 5, 6)], tiles, {6}, set())
    assert [meld.tracks for meld in registry.present()] == [(3, 4, 5, 6)]
    assert registry.update([(3, 4, 5, 6)], tiles, set()) == []


def test_a_tile_that_is_gone_is_reported_although_others_are_found_late() -> None:
    tiles = {i: Tile(i, "R") for i in (3, 4, 5, 6)}
    registry = MeldRegistry(ruleset("burako"))
    registry.begin([(4, 5, 6)], tiles, set())
    rest = {i: tiles[i] for i in (4, 5)}
    registry.adopt([(4, 5)], rest, set(), set())
    assert [ruling.tiles for ruling in registry.update([(4, 5)], rest, set())] == [(Tile(6, "R"),)]


@pytest.mark.parametrize(
    ("instead", "names"), [("9B", []), ("8B", ["tiles_added", "tile_removed"])]
)
def test_a_tile_seen_anew_or_exchanged_for_its_like_is_nothing_to_report(
    instead: str, names: list[str]
) -> None:
    registry = MeldRegistry(BURAKO)
    laid = dict(enumerate(tiles("9B J 11B 12B")))
    registry.begin([(0, 1, 2, 3)], laid, set())
    (other,) = tiles(instead)
    rulings = registry.update([(4, 1, 2, 3)], {1: laid[1], 2: laid[2], 3: laid[3], 4: other}, set())
    assert [ruling.kind.value for ruling in rulings] == names
    assert registry.present()[0].tracks == (4, 1, 2, 3)
