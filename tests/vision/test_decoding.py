"""The joint decision gives legal rows where the networks waver, what they see where they do not,
and never a third copy.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.rulesets import RULESETS, ruleset
from engine.tiles import BY_NOTATION, FACE_INDEX, FACES
from tests.examples import examples
from vision.decoding import (
    DecodingConfig,
    alternatives,
    continues_misread_meld,
    decode_table,
    is_likely_meld,
)

RULES = ruleset("burako")


def seen(*tiles: dict[str, float]) -> NDArray[np.float32]:
    """Make log-probabilities of faces as given; the rest of each tile's probability is spread
    evenly.
    """
    scores = np.zeros((len(tiles), len(FACES)))
    for i, shares in enumerate(tiles):
        scores[i] = (1 - sum(shares.values())) / len(FACES)
        for face, share in shares.items():
            scores[i, FACE_INDEX[BY_NOTATION[face]]] += share
    return np.log(scores).astype(np.float32)


def read(scores: NDArray[np.float32], *rows: tuple[int, ...]) -> list[str]:
    return [str(FACES[face]) for face in decode_table(scores, rows, RULES).face]


def test_a_wavering_tile_follows_its_row_and_says_so() -> None:
    scores = seen({"6R": 0.98}, {"7R": 0.30, "1R": 0.55}, {"8R": 0.98})
    assert read(scores) == ["6R", "1R", "8R"]
    decoded = decode_table(scores, [(0, 1, 2)], RULES)
    assert [str(FACES[face]) for face in decoded.face] == ["6R", "7R", "8R"]
    assert decoded.repaired.tolist() == [False, True, False]


def test_a_clear_but_illegal_row_stays_as_it_was_seen() -> None:
    scores = seen({"6R": 0.999}, {"1B": 0.999}, {"8R": 0.999})
    decoded = decode_table(scores, [(0, 1, 2)], RULES)
    assert [str(FACES[face]) for face in decoded.face] == ["6R", "1B", "8R"]
    assert decoded.posterior[1].max() > 0.97
    assert not decoded.repaired.any()


@pytest.mark.parametrize(
    ("further_bonus", "doubted", "read_as"),
    [
        (0.0, 1, ["6R", "7B", "8R", "9R"]),
        (2.0, 1, ["6R", "7B", "8R", "9R"]),
        (0.0, 2, ["6R", "7B", "8B", "9R"]),
        (2.0, 2, ["6R", "7R", "8R", "9R"]),
    ],
)
def test_a_legal_row_that_changes_more_than_one_tile_may_be_likelier(
    further_bonus: float, doubted: int, read_as: list[str]
) -> None:
    red = {1: {"7R": 0.02, "7B": 0.95}, 2: {"7R": 0.1, "7B": 0.85}}[doubted]
    eight = {1: {"8R": 0.95}, 2: {"8R": 0.1, "8B": 0.85}}[doubted]
    scores = seen({"6R": 0.98}, red, eight, {"9R": 0.98})
    config = DecodingConfig(further_bonus=further_bonus)
    decoded = decode_table(scores, [(0, 1, 2, 3)], RULES, config)
    assert [str(FACES[face]) for face in decoded.face] == read_as


@pytest.mark.parametrize(
    ("per_two", "middle", "told"),
    [
        (0.0, {}, 0.2),  # a 7, a comodín, or a 2 of four colours
        (4.5, {}, 0.6),
        (4.5, {"2B": 0.99}, 0.0),
        (4.5, {"2B": 0.5, "7R": 0.45}, 0.45),
        (4.5, {"J": 0.9, "7R": 0.05}, 0.05),
    ],
)
def test_a_two_in_the_place_of_another_tile_may_be_less_likely(
    per_two: float, middle: dict[str, float], told: float
) -> None:
    """Where it is seen, it stays, and so does a comodín."""
    middle = middle or {face: 1 / 53 for face in ("7R", "2R", "2Y", "2B", "2K")}
    scores = seen({"6R": 0.99}, middle, {"8R": 0.99})
    config = DecodingConfig(legal_bonus=6.0, per_unseen_two=per_two, max_readings=16)
    decoded = decode_table(scores, [(0, 1, 2)], ruleset("burraco_it"), config)
    seven = decoded.posterior[1, FACE_INDEX[BY_NOTATION["7R"]]]
    assert float(seven) == pytest.approx(told, abs=0.1)


def test_a_two_in_its_own_place_is_as_likely_as_any_number() -> None:
    scores = seen({"1R": 0.99}, {}, {"3R": 0.99}, {"4R": 0.99})
    config = DecodingConfig(legal_bonus=6.0, per_unseen_two=4.5)
    decoded = decode_table(scores, [(0, 1, 2, 3)], ruleset("burraco_it"), config)
    two, other = (decoded.posterior[1, FACE_INDEX[BY_NOTATION[face]]] for face in ("2R", "2B"))
    assert two > 50 * other


def test_the_row_sharpens_what_it_agrees_with() -> None:
    scores = seen({"6R": 0.9}, {"7R": 0.6, "7Y": 0.35}, {"8R": 0.9})
    assert decode_table(scores, [(0, 1, 2)], RULES).posterior[1].max() > 0.9


def test_of_three_equal_tiles_the_least_sure_is_read_otherwise() -> None:
    scores = seen({"9K": 0.95}, {"9K": 0.6, "9B": 0.35}, {"9K": 0.9})
    decoded = decode_table(scores, [], RULES)
    assert [str(FACES[face]) for face in decoded.face] == ["9K", "9B", "9K"]
    assert decoded.repaired.tolist() == [False, True, False]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_of_several_tiles_in_doubt_the_least_sure_is_read_otherwise(order: tuple[int, ...]) -> None:
    looks = [{"9K": 0.95}, {"9K": 0.7, "9B": 0.25}, {"9K": 0.6, "9B": 0.35}]
    wanted = ["9K", "9K", "9B"]
    assert read(seen(*(looks[index] for index in order))) == [wanted[index] for index in order]


def test_the_least_sure_tile_is_the_one_whose_two_likeliest_faces_are_most_alike() -> None:
    """Its second face counts in comparison with its first, however likely both are."""
    looks = {"9K": 0.5, "9B": 0.3}, {"9K": 0.35, "9Y": 0.28}, {"9K": 0.95}
    assert read(seen(*looks)) == ["9K", "9Y", "9K"]


def test_three_comodines_do_not_exist_either() -> None:
    assert read(seen({"J": 0.9}, {"J": 0.8, "2R": 0.1}, {"J": 0.95})) == ["J", "2R", "J"]


@pytest.mark.parametrize(
    ("middle", "likely"),
    [({"7R": 0.9}, True), ({"7R": 0.3, "1R": 0.6}, True), ({"7R": 0.001, "1B": 0.99}, False)],
)
def test_what_would_be_decoded_as_a_meld_is_one(middle: dict[str, float], likely: bool) -> None:
    assert is_likely_meld(seen({"6R": 0.98}, middle, {"8R": 0.98}), RULES) is likely


def test_two_tiles_are_never_a_meld() -> None:
    assert not is_likely_meld(seen({"6R": 0.98}, {"7R": 0.98}), RULES)


@pytest.mark.parametrize(
    ("faces", "continues"),
    [
        pytest.param("6R 7R=1R 8R 9R", True, id="a 7 that looks like a 1"),
        pytest.param("6R 7R 8R 9R", False, id="nothing was misread"),
        pytest.param("6R 7R=1R 8R 4B", False, id="the last tile does not fit"),
        pytest.param("6R 1R 8R 9R", False, id="nothing suggests a 7"),
        pytest.param("7R=1R 8R 9R", False, id="two tiles are no row"),
    ],
)
def test_a_tile_continues_a_row_that_would_be_a_meld_but_for_one_misread(
    faces: str, continues: bool
) -> None:
    looks = []
    for face in faces.split():
        true, *read_as = face.split("=")
        looks.append({true: 0.01, read_as[0]: 0.98} if read_as else {true: 0.999})
    assert continues_misread_meld(seen(*looks), RULES) is continues


@settings(deadline=None, max_examples=examples(8))
@given(
    seed=st.integers(0, 2**31),
    rules=st.sampled_from(sorted(RULESETS)),
    rows=st.lists(st.integers(1, 40), min_size=1, max_size=4).filter(lambda rows: sum(rows) <= 106),
)
@example(seed=1, rules="burako", rows=[40, 40, 27])  # more tiles than the set has takes seconds
def test_rows_may_be_of_any_length(seed: int, rules: str, rows: list[int]) -> None:
    ends = np.cumsum(rows)
    shares = np.random.default_rng(seed).dirichlet([0.1] * len(FACES), int(ends[-1])) + 1e-9
    laid = [tuple(range(end - size, end)) for end, size in zip(ends.tolist(), rows, strict=True)]
    decoded = decode_table(np.log(shares / shares.sum(axis=1, keepdims=True)), laid, ruleset(rules))
    total = decoded.posterior.sum(axis=1)  # below 1 by what the inventory has ruled out
    assert (total > 0).all() and (total < 1.001).all()


def test_nothing_to_decode() -> None:
    assert decode_table(np.zeros((0, 53), np.float32), [], RULES).face.shape == (0,)


def test_alternatives_are_the_next_likeliest() -> None:
    posterior = np.exp(seen({"6R": 0.6, "8R": 0.3, "5R": 0.05}))[0]
    chosen = FACE_INDEX[BY_NOTATION["6R"]]
    named = [(str(tile), share) for tile, share in alternatives(posterior, chosen, 2)]
    assert [name for name, _ in named] == ["8R", "5R"]
    assert named[0][1] == pytest.approx(0.3, abs=0.01)


@settings(deadline=None, max_examples=examples(50))
@given(seed=st.integers(0, 10_000), count=st.integers(3, 7))
def test_order_of_rows_and_direction_do_not_matter(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    scores = np.log(rng.dirichlet(np.full(len(FACES), 0.05), 2 * count) + 1e-9).astype(np.float32)
    first, second = tuple(range(count)), tuple(range(count, 2 * count))
    plain = decode_table(scores, [first, second], RULES)
    other = decode_table(scores, [second[::-1], first[::-1]], RULES)
    np.testing.assert_allclose(plain.posterior, other.posterior, atol=1e-4)


@settings(deadline=None, max_examples=examples(50))
@given(seed=st.integers(0, 10_000))
def test_more_copies_than_the_set_holds_are_never_silent(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Eleven tiles, nearly all of six faces.
    scores = np.log(rng.dirichlet(np.full(6, 0.4), 11) + 1e-6)
    wide = np.full((11, len(FACES)), -12.0)
    wide[:, :6] = scores
    decoded = decode_table(wide.astype(np.float32), [(0, 1, 2, 3)], RULES)
    many = np.flatnonzero(np.bincount(decoded.face, minlength=len(FACES)) > 2)
    assert {*decoded.face[decoded.over_inventory]} == {*many}


def test_three_clear_tiles_stay_and_are_all_doubted() -> None:
    decoded = decode_table(
        seen({"9K": 0.9999}, {"9K": 0.9999}, {"9K": 0.9999}, {"3R": 0.9}), [], RULES
    )
    assert [str(FACES[face]) for face in decoded.face] == ["9K", "9K", "9K", "3R"]
    assert decoded.over_inventory.tolist() == [True, True, True, False]


@pytest.mark.parametrize(
    ("rows", "over_inventory"),
    [
        pytest.param([(3, 0, 5)], [0, 1, 2], id="all three where one lies in an illegal meld"),
        pytest.param([(3, 0, 4)], [1, 2], id="not the one in a legal meld"),
        pytest.param([(3, 0, 4), (6, 1, 7)], [2], id="nor two of them"),
        pytest.param(
            [(3, 0, 4), (6, 1, 7), (8, 2, 9)],
            [0, 1, 2],
            id="all three where each lies in a legal meld",
        ),
    ],
)
def test_a_third_copy_beside_legal_melds_is_the_doubtful_one(
    rows: list[tuple[int, ...]], over_inventory: list[int]
) -> None:
    clear = ["9K", "9K", "9K", "8K", "10K", "5B", "8K", "10K", "9R", "9B"]
    decoded = decode_table(seen(*({face: 0.9999} for face in clear)), rows, RULES)
    assert np.flatnonzero(decoded.over_inventory).tolist() == over_inventory


def test_pictures_of_tiles_are_none_of_the_sets() -> None:
    scores = seen({"9K": 0.9999}, {"9K": 0.9999}, {"9K": 0.9, "8K": 0.0999}, {"9K": 0.9999})
    decoded = decode_table(scores, [], RULES, pictures=[1, 3])
    assert [str(FACES[face]) for face in decoded.face] == ["9K"] * 4
    assert not decoded.over_inventory.any() and not decoded.repaired.any()
    assert [str(FACES[face]) for face in decode_table(scores, [], RULES, pictures=[3]).face] == [
        "9K",
        "9K",
        "8K",
        "9K",
    ]
