"""The only tile of a meld that is in doubt: what the others tell of its face."""

from __future__ import annotations

import numpy as np
import pytest

from engine.rulesets import RULESETS
from engine.tiles import FACE_INDEX, FACES, Tile
from vision.decoding import Decoded, decode_table
from vision.reading import Doubt
from vision.told_by_meld import ToldConfig, told_by_melds

RULES = RULESETS["burako"]
CONFIG = ToldConfig()
UNSURE, FAINT = Doubt.UNSURE, Doubt.FAINT


def left_of(row: str, shares: dict[str, float], *doubts: Doubt, sure: bool = True) -> set[Doubt]:
    """Return the doubts that are left about the tile of a row that is written in brackets. `shares`
    are the probabilities of its faces, and `doubts` those about it; the others are beyond doubt if
    `sure`.
    """
    texts = row.split()
    at = next(place for place, text in enumerate(texts) if text.startswith("["))
    faces = [FACE_INDEX[Tile.parse(text.strip("[]"))] for text in texts]
    posterior = np.zeros((len(faces), len(FACES)), np.float32)
    posterior[np.arange(len(faces)), faces] = 1
    posterior[at] = 0
    for face, share in shares.items():
        posterior[at, FACE_INDEX[Tile.parse(face)]] = share
    blank = np.zeros(len(faces), bool)
    decoded = Decoded(np.array(faces), posterior, blank, blank)
    told = [frozenset[Doubt]() for _ in faces]
    told[at] = frozenset(doubts)
    if not sure:
        told[at - 1] = frozenset({UNSURE})
    return set(told_by_melds(told, decoded, [tuple(range(len(faces)))], RULES)[at])


@pytest.mark.parametrize("doubts", [(UNSURE,), (UNSURE, FAINT), (FAINT,)])
def test_a_meld_tells_the_face_that_it_lacks(doubts: tuple[Doubt, ...]) -> None:
    assert left_of("3K [4K] 5K", {"4K": 0.85, "9K": 0.15}, *doubts) == set()


@pytest.mark.parametrize(
    ("row", "shares"),
    [
        pytest.param("3K [4K] 5K", {"4K": 0.75, "9K": 0.25}, id="perhaps an illegal meld"),
        pytest.param("3K [4K] 5K", {"4K": 0.85, "J": 0.15}, id="a comodín fits as well"),
        pytest.param("7R [7B] 7K", {"7B": 0.85, "7Y": 0.15}, id="another colour fits as well"),
        pytest.param("3K [4R] 5K", {"4R": 0.85, "4K": 0.15}, id="no meld"),
        pytest.param("3K [4K]", {"4K": 0.85, "9K": 0.15}, id="too short"),
    ],
)
def test_people_are_asked_about_what_a_meld_does_not_tell(
    row: str, shares: dict[str, float]
) -> None:
    assert left_of(row, shares, UNSURE) == {UNSURE}


@pytest.mark.parametrize("other", sorted(set(Doubt) - {UNSURE, FAINT}))
def test_other_doubts_stay(other: Doubt) -> None:
    assert left_of("3K [4K] 5K", {"4K": 0.85, "9K": 0.15}, UNSURE, other) == {UNSURE, other}


@pytest.mark.parametrize(
    ("row", "seen", "told"),
    [
        pytest.param("3K 9K 5K 6K", {"9K": 0.83, "4K": 0.17}, "4K", id="a 9 laid as a 4"),
        pytest.param("7R 7B 1K", {"1K": 0.83, "7K": 0.17}, "7K", id="a 1 laid as a 7"),
        pytest.param("3K 4K 5K 8R", {"8R": 0.83, "6K": 0.17}, "6K", id="another run's tile"),
    ],
)
def test_a_wrong_tile_that_somebody_laid_is_asked_about(
    row: str, seen: dict[str, float], told: str
) -> None:
    """The joint decision overrules what is seen, as a legal meld is likelier."""
    tiles = [Tile.parse(text) for text in row.split()]
    scores = np.full((len(tiles), len(FACES)), -12.0, np.float32)
    scores[np.arange(len(tiles)), [FACE_INDEX[tile] for tile in tiles]] = -1e-3
    wrong = tiles.index(Tile.parse(max(seen, key=lambda face: seen[face])))
    for face, share in seen.items():
        scores[wrong, FACE_INDEX[Tile.parse(face)]] = np.log(share)
    meld = tuple(range(len(tiles)))
    decoded = decode_table(scores, [meld], RULES)
    assert FACES[decoded.face[wrong]] == Tile.parse(told)
    doubts = [frozenset[Doubt]() for _ in tiles]
    doubts[wrong] = frozenset({UNSURE, Doubt.REPAIRED} if decoded.repaired[wrong] else {UNSURE})
    assert told_by_melds(doubts, decoded, [meld], RULES) == doubts


def test_two_tiles_in_doubt_do_not_tell_each_other() -> None:
    assert left_of("3K [4K] 5K", {"4K": 0.85, "9K": 0.15}, UNSURE, sure=False) == {UNSURE}


def test_a_wild_that_is_faint_may_be_no_tile() -> None:
    """A comodín goes on any meld, so that what is found beside one may seem to be one of its
    tiles.
    """
    shares = {"J": 0.9, "9B": 0.1}
    assert left_of("3K 4K [J]", shares, UNSURE) == set()
    assert left_of("3K 4K [J]", shares, UNSURE, FAINT) == {UNSURE, FAINT}
    assert left_of("3K 4K [2R]", {"2R": 0.9, "9B": 0.1}, FAINT) == {FAINT}


def test_the_limits_are_those_of_the_settings() -> None:
    least = CONFIG.face
    assert left_of("3K [4K] 5K", {"4K": least + 0.01, "9K": 0.99 - least}, UNSURE) == set()
    assert left_of("3K [4K] 5K", {"4K": least - 0.01, "9K": 1.01 - least}, UNSURE) == {UNSURE}
    fitting = CONFIG.of_legal
    assert left_of("3K [4K] 5K", {"4K": fitting + 0.01, "J": 0.99 - fitting}, UNSURE) == set()
    assert left_of("3K [4K] 5K", {"4K": fitting - 0.01, "J": 1.01 - fitting}, UNSURE) == {UNSURE}
