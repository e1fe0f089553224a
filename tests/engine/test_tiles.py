"""Tiles, their notation and the sets."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    COLOURS,
    FACE_INDEX,
    FACES,
    JOKER,
    RULESETS,
    Tile,
    full_set,
    notation,
    ruleset,
    tiles,
    too_many_copies,
)


@given(st.lists(st.sampled_from(FACES)))
def test_notation_round_trips(row: list[Tile]) -> None:
    assert tiles(notation(row)) == tuple(row)


@given(st.text())
def test_only_the_53_notations_are_tiles(text: str) -> None:
    if text in map(str, FACES):
        assert str(Tile.parse(text)) == text
    else:
        with pytest.raises(ValueError, match="expected a tile"):
            Tile.parse(text)


@pytest.mark.parametrize(
    "text", ["14R", "0R", "7Q", "", "7r", " 7R", "R7", "JJ", "07R", "7", None, 7, ["7R"]]
)
def test_near_misses_say_what_came(text: object) -> None:
    with pytest.raises(ValueError) as error:
        Tile.parse(text)  # type: ignore[arg-type]
    assert repr(text) in str(error.value)


@pytest.mark.parametrize(
    ("number", "colour"), [(0, "R"), (14, "R"), (7, "G"), (None, "R"), (7, None)]
)
def test_impossible_tiles_cannot_be_made(number: int | None, colour: str | None) -> None:
    with pytest.raises(ValueError, match="expected a number"):
        Tile(number, colour)  # type: ignore[arg-type]


def test_faces_keep_their_order() -> None:
    assert notation(FACES[:3]) == "1R 2R 3R"
    assert (
        notation(FACES[:52:13]) == notation(Tile(1, colour) for colour in COLOURS) == "1R 1B 1K 1Y"
    )
    assert FACES[52] is JOKER and len(set(FACES)) == 53
    assert [FACE_INDEX[face] for face in FACES] == list(range(53))


def test_the_sets() -> None:
    assert len(full_set()) == 106 and len(full_set(jokers=4)) == 108
    assert Counter(full_set())[JOKER] == 2 and set(Counter(full_set(4)).values()) == {2, 4}


def test_a_third_copy_cannot_exist() -> None:
    assert too_many_copies(tiles("5R J 5R J 5R 6B"), ruleset("burako")) == tiles("5R")
    assert too_many_copies(tiles("J J J"), ruleset("burako")) == tiles("J")
    assert too_many_copies(tiles("J J J"), ruleset("burraco_it")) == ()
    assert all(too_many_copies(full_set(rules.jokers), rules) == () for rules in RULESETS.values())
