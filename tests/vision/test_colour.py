"""Inks are told apart by the colours of the whole table, under any lamp of which the white balance
leaves a trace.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.tiles import COLOURS
from tests.examples import examples
from vision.colour import (
    _ABSORBANCE,
    ColourConfig,
    _log_likelihood,
    colour_given_inks,
    ink_absorbances,
    ink_directions,
)
from vision.crops import CROP_HEIGHT, CROP_WIDTH
from vision.reader import log_softmax

# sRGB on a white body.
INKS = {"R": (190, 30, 40), "B": (30, 60, 170), "K": (35, 35, 40), "Y": (230, 130, 20)}

# Of red, blue, black and yellow, per mille.
RECORDED_COLOURS = (
    (987.3, 4.7, 2.7, 5.3),
    (261.8, 11.2, 172.0, 554.9),
    (10.8, 23.7, 953.0, 12.4),
    (2.8, 933.8, 45.5, 17.9),
    (17.8, 643.5, 21.3, 317.5),
    (257.1, 61.5, 622.1, 59.3),
    (883.0, 2.2, 54.7, 60.0),
    (928.4, 6.3, 2.7, 62.6),
)
RECORDED_ABSORBANCE = (0.4760, 1.2101, 0.8918)


def crop(ink: tuple[int, ...], share: float = 1.0, seed: int = 0) -> NDArray[np.uint8]:
    """Make a white face with a bar of ink; `share` below 1 thins the ink as blur does."""
    rng = np.random.default_rng(seed)
    picture = np.full((CROP_HEIGHT, CROP_WIDTH, 3), 231.0)
    picture[14:32, 18:30] += share * (np.array(ink) - 231.0)
    return np.clip(picture + rng.normal(0, 3, picture.shape), 0, 255).astype(np.uint8)


def cluster_inks(
    crops: NDArray[np.uint8], colour: NDArray[np.float32], numbered: NDArray[np.bool_]
) -> NDArray[np.float32]:
    inks = np.zeros((len(crops), 3))
    inks[numbered] = ink_directions(crops[numbered])
    return colour_given_inks(inks, colour, numbered)


def test_a_thinned_ink_keeps_its_direction() -> None:
    for ink in INKS.values():
        full, thin = ink_directions(np.stack([crop(ink), crop(ink, 0.6)]))
        assert float(full @ thin) > 0.97


def test_inks_lie_apart() -> None:
    directions = ink_directions(np.stack([crop(ink) for ink in INKS.values()]))
    likeness = directions @ directions.T - np.eye(4)
    assert likeness.max() < 0.97


@pytest.mark.parametrize("tint", [(1.0, 1.0, 1.0), (1.0, 0.93, 0.8), (0.85, 0.95, 1.0)])
def test_the_table_decides_what_one_tile_leaves_open(tint: tuple[float, ...]) -> None:
    """Of twelve tiles eleven are clear; the twelfth, which the network cannot tell, has the ink of
    its likes.
    """
    names = [*"RRRBBBKKKYY", "Y"]
    crops = np.stack(
        [crop(tuple(np.multiply(INKS[name], tint)), seed=i) for i, name in enumerate(names)]
    )
    shares = np.full((12, 4), 0.01)
    shares[np.arange(12), [COLOURS.index(name) for name in names]] = 0.97  # type: ignore[arg-type]
    shares[-1] = (0.40, 0.02, 0.20, 0.38)
    told = cluster_inks(crops, np.log(shares).astype(np.float32), np.ones(12, bool))
    assert [COLOURS[i] for i in told.argmax(axis=1)] == names
    np.testing.assert_allclose(np.exp(told).sum(axis=1), 1, atol=1e-3)


@pytest.mark.parametrize(("teal", "told"), [(8, "B"), (0, None)])
def test_teal_that_passes_for_black_is_told_by_the_black_beside_it(
    teal: int, told: str | None
) -> None:
    """To the network the teal is more likely black; where there is no teal, none is made of the
    black that is less sure.
    """
    inks = [INKS["K"]] * 8 + [(25, 62, 75)] * teal + [INKS["R"]] * 4 + [INKS["Y"]] * 4
    shares = np.array([[0.01, 0.02, 0.96, 0.01]] * 8 + [[0.01, 0.35, 0.63, 0.01]] * teal)
    shares[6:8] = (0.02, 0.18, 0.78, 0.02)
    shares = np.concatenate(
        [
            shares,
            np.tile([0.97, 0.01, 0.01, 0.01], (4, 1)),
            np.tile([0.01, 0.01, 0.01, 0.97], (4, 1)),
        ]
    )
    crops = np.stack([crop(ink, seed=i) for i, ink in enumerate(inks)])
    said = cluster_inks(crops, np.log(shares).astype(np.float32), np.ones(len(inks), bool)).argmax(
        axis=1
    )
    assert [COLOURS[i] for i in said] == [
        *"KKKKKKKK",
        *([told] if told else []) * teal,
        *"RRRRYYYY",
    ]


@pytest.mark.parametrize(
    ("network", "ink", "told"),
    [
        pytest.param(0.9995, (70, 58, 45), True, id="all but certain"),
        pytest.param(0.998, (70, 58, 45), False, id="less sure"),
        pytest.param(0.9995, INKS["K"], False, id="the comparison hardly leaves it possible"),
    ],
)
def test_what_the_network_is_all_but_certain_of_stands_if_the_other_tiles_leave_it_possible(
    network: float, ink: tuple[int, int, int], told: bool
) -> None:
    """A single tile taken for yellow, dark and greyish or plainly black, beside many black ones."""
    names = "K" * 24 + "RRRRRRBBBBBB"
    crops = [crop(INKS[name], seed=i) for i, name in enumerate(names)]
    crops.append(crop(ink, seed=99))
    shares = np.full((len(crops), 4), 0.002)
    shares[range(len(names)), [COLOURS.index(name) for name in names]] = 1.0
    shares[-1] = (1 - network) / 3
    shares[-1, COLOURS.index("Y")] = network
    said = log_softmax(np.log(shares).astype(np.float32))
    result = np.exp(cluster_inks(np.stack(crops), said, np.ones(len(crops), bool)))[-1]
    assert (result[COLOURS.index("Y")] > 0.99) == told


def test_what_was_measured_on_tables_is_answered_as_recorded() -> None:
    """The inks' figures were fitted to tables; a changed figure would change the colours of
    photographs. Eight doubtful tiles get the probabilities that were recorded when the figures were
    fitted.
    """
    angles = np.arange(8) * 0.45 + 0.2
    inks = np.stack([np.abs(np.sin(angles + turn)) + 0.2 for turn in (0.0, 1.1, 2.0)], axis=1)
    inks /= np.linalg.norm(inks, axis=1, keepdims=True)
    said = log_softmax(
        np.stack([3 * np.cos(angles * (2 + turn) + turn) for turn in range(4)], axis=1).astype(
            np.float32
        )
    )
    told = np.exp(colour_given_inks(inks, said, np.ones(8, bool)))
    np.testing.assert_allclose(1000 * told, RECORDED_COLOURS, atol=0.1)


def test_ink_is_measured_in_the_middle_of_a_crop() -> None:
    """The crop darkens from its middle to each edge. Its ink is measured as it was when the inks'
    figures were recorded.
    """
    down, across = np.mgrid[-1 : 1 : CROP_HEIGHT * 1j, -1 : 1 : CROP_WIDTH * 1j]
    light = 240 - 150 * np.maximum(np.abs(down), np.abs(across))[:, :, None] * (0.5, 1.0, 0.8)
    (absorbed,) = ink_absorbances(light[None].astype(np.uint8))
    np.testing.assert_allclose(absorbed, RECORDED_ABSORBANCE, atol=1e-4)


def test_the_darkest_pixels_of_a_crop_are_taken_for_ink(monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy promises the place of one value alone: on either side of it the others lie in any
    order, which here is the least favourable one.
    """

    def reversed_parts(values: NDArray[np.float32], at: int, axis: int) -> NDArray[np.intp]:
        order = np.argsort(values, axis=axis)
        return np.concatenate(
            [order[:, :at][:, ::-1], order[:, at : at + 1], order[:, :at:-1]], axis=axis
        )

    monkeypatch.setattr(np, "argpartition", reversed_parts)
    config = ColourConfig()
    down, across = config.border
    grey = np.random.default_rng(5).integers(0, 256, (4, CROP_HEIGHT, CROP_WIDTH, 1), np.uint8)
    inner = np.sort(grey[:, down:-down, across:-across].reshape(4, -1), axis=1)
    ink = inner[:, : int(config.ink_share * inner.shape[1])]
    for measured, darkest in zip(ink_absorbances(grey.repeat(3, axis=3)), ink, strict=True):
        np.testing.assert_allclose(measured, _ABSORBANCE[darkest].mean(), rtol=1e-5)


def test_a_table_of_one_ink_makes_nobody_surer() -> None:
    """Nothing on this table shows how the other inks look, so what the network leaves in doubt
    stays so.
    """
    crops = np.stack([crop((28, 60, 90), seed=i) for i in range(4)])
    said = np.log(np.tile([0.01, 0.60, 0.38, 0.01], (4, 1))).astype(np.float32)
    told = np.exp(cluster_inks(crops, said, np.ones(4, bool)))
    assert (told[:, 1:3].min(axis=1) > 0.03).all()


@pytest.mark.parametrize(("blue", "black", "at_least"), [(20, 4, 0.7), (12, 12, 0.4), (4, 20, 0.1)])
def test_between_two_inks_the_commoner_one_is_likelier(
    blue: int, black: int, at_least: float
) -> None:
    """The network cannot decide on a tile half blue and half black: it takes it for blue as often
    as tiles of the table are blue.
    """
    names = "B" * blue + "K" * black + "RRRRRRYYYYYY"
    shares = np.full((len(names) + 1, 4), 0.01)
    shares[np.arange(len(names)), [COLOURS.index(name) for name in names]] = 0.97
    shares[-1, [COLOURS.index("B"), COLOURS.index("K")]] = 0.49
    inks = [*(INKS[name] for name in names), (33, 45, 92)]
    crops = np.stack([crop(ink, seed=i) for i, ink in enumerate(inks)])
    told = np.exp(cluster_inks(crops, np.log(shares).astype(np.float32), np.ones(len(inks), bool)))
    assert at_least < told[-1, COLOURS.index("B")] < at_least + 0.2


def test_comodines_and_small_tables_are_left_alone() -> None:
    crops = np.stack([crop(INKS["R"]), crop(INKS["B"])])
    colour = np.log(np.full((2, 4), 0.25)).astype(np.float32)
    for numbered in ([True, False], [True, True]):
        np.testing.assert_array_equal(cluster_inks(crops, colour, np.array(numbered)), colour)
    assert cluster_inks(crops[:0], colour[:0], np.zeros(0, bool)).shape == (0, 4)


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(
    count=st.integers(3, 60),
    spread=st.sampled_from([0.1, 3.0, 30.0]),
    seed=st.integers(0, 2**32 - 1),
)
def test_whatever_is_shown_probabilities_come_out_in_any_order_of_the_tiles(
    count: int, spread: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    inks = rng.normal(size=(count, 3))
    inks[rng.random(count) < 0.1] = 0  # of a crop without any ink
    inks /= np.maximum(np.linalg.norm(inks, axis=1, keepdims=True), 1e-6)
    said = log_softmax(rng.normal(0, spread, (count, 4)).astype(np.float32))
    order, numbered = rng.permutation(count), np.ones(count, bool)
    told, again = (
        np.exp(colour_given_inks(inks[at], said[at], numbered)) for at in (np.arange(count), order)
    )
    np.testing.assert_allclose(told.sum(axis=1), 1, atol=1e-4)
    assert told.min() > 0  # no colour is ever ruled out
    np.testing.assert_allclose(again, told[order], atol=1e-3)


def test_the_unit_of_the_evidence_changes_nothing() -> None:
    """Twice the numbers with four times the variances are as much likelier under one ink than under
    another as before.
    """
    rng = np.random.default_rng(3)
    seen, centres = rng.normal(size=(6, 7)), rng.normal(size=(6, 4, 7))
    spread = rng.uniform(0.2, 3.0, (6, 4, 7))
    plain = _log_likelihood(seen, centres, spread)
    doubled = _log_likelihood(2 * seen, 2 * centres, 4 * spread)
    assert np.ptp(plain, axis=1).min() > 0.1
    np.testing.assert_allclose(doubled - plain, np.full((6, 4), (doubled - plain)[0, 0]))
