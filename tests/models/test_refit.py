"""The last layers of a reader, fitted to what a detector finds."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("torch", reason="PyTorch is not installed (extra `train`)")

import torch

from models.recipes.nets import ReaderNet
from models.recipes.refit import Examples, refit, truth_of
from models.recipes.scenes import HIDDEN, NONE, POSITIVE, UNSURE, TrainingScene
from vision.reader import FEATURE_COUNT, JOKER, UNREADABLE


def square(x: float, y: float, half: float = 10.0) -> NDArray[np.float32]:
    corners = [[-half, -half], [half, -half], [half, half], [-half, half]]
    return np.array(corners, np.float32) + np.array([x, y], np.float32)


SCENE = TrainingScene(
    path=Path("none.jpg"),
    quads=np.stack([square(100, 100), square(200, 100), square(300, 100), square(215, 100)]),
    faces=("7R", "J", "8B", "2K"),
    seen=np.array([POSITIVE, POSITIVE, HIDDEN, UNSURE], np.int8),
    symmetric=np.zeros(4, np.bool_),
    ignore=np.array([[500, 0, 600, 100]], np.float32),
    blanks=np.zeros((0, 4, 2), np.float32),
    # the 7R lies on the first card, the jolly on the second; of the others no card is known
    wholes=np.stack([square(130, 130, 50), square(230, 130, 50), *np.zeros((2, 4, 2), np.float32)]),
)


def told(number: int) -> NDArray[np.float32]:
    """Return what a reader answers that takes a place for `number`: logarithms, (15,)."""
    return np.log(np.where(np.arange(15) == number, 0.86, 0.01)).astype(np.float32)


FIVE = told(4)


@pytest.mark.parametrize(
    ("quad", "truth"),
    [
        (square(103, 98), (6, 0)),
        (square(100, 100, 25), (6, 0)),  # far larger than the face in it
        (square(190, 100), (13, NONE)),
        (square(300, 100), None),  # covered
        (square(222, 100), None),  # half seen
        (square(150, 150), None),  # on a card, beside its index
        (square(550, 50), None),  # where nothing is asked
        (square(400, 300), (UNREADABLE, NONE)),
    ],
)
def test_the_truth_of_a_place(quad: NDArray[np.float32], truth: tuple[int, int] | None) -> None:
    assert truth_of(SCENE, quad, FIVE) == truth


def test_a_jolly_on_a_card_that_is_none_is_a_word() -> None:
    on_seven, on_jolly = square(150, 150), square(250, 150)
    assert truth_of(SCENE, on_seven, told(JOKER)) == (UNREADABLE, NONE)
    assert truth_of(SCENE, on_seven, told(UNREADABLE)) is None
    assert truth_of(SCENE, on_jolly, told(JOKER)) is None


def test_two_faces_in_one_quad_have_no_truth() -> None:
    assert truth_of(SCENE, square(150, 100, 70), FIVE) is None


def examples(number: int, place: int) -> Examples:
    """Make sixty-four places of one number whose features are large at the index `place`."""
    features = torch.rand(64, FEATURE_COUNT) * 0.1
    features[:, place] = 3.0
    colour = NONE if number == UNREADABLE else 2
    return Examples(features.half(), torch.full((64,), number), torch.full((64,), colour))


def joined(one: Examples, other: Examples) -> Examples:
    parts = ((one.features, other.features), (one.number, other.number), (one.colour, other.colour))
    return Examples(*(torch.cat(both) for both in parts))


def test_only_what_lies_behind_the_convolutions_learns() -> None:
    torch.manual_seed(1)
    torch.set_num_threads(1)
    net = ReaderNet().eval()
    before = copy.deepcopy(net)
    face, none = examples(4, 10), examples(UNREADABLE, 20)
    places = joined(face, none)
    refit(net, [face, none], face, steps=30)
    with torch.no_grad():
        was, told = (one.number(one.mix(places.features.float())) for one in (before, net))
    right = torch.arange(len(places)), places.number
    assert (told.log_softmax(1)[right] > was.log_softmax(1)[right]).float().mean() > 0.9
    changed = {
        name.split(".")[0]
        for name, weights in net.state_dict().items()
        if not torch.equal(weights, before.state_dict()[name])
    }
    assert changed == {"mix", "number", "colour"}
    assert not net.training and all(weights.requires_grad for weights in net.parameters())


def test_the_same_places_give_the_same_layers() -> None:
    torch.manual_seed(2)
    torch.set_num_threads(1)
    net, face = ReaderNet(), examples(4, 10)
    again = copy.deepcopy(net)
    for one in (net, again):
        refit(one, [face], face, steps=3)
    assert torch.equal(net.number.weight, again.number.weight)
