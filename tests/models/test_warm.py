"""A shipped network that is made the beginning of a training gives the same answers as before."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (extra `train`)")

import torch

from models.recipes.nets import CardDetectorNet, ReaderNet
from models.recipes.warm import rounds_of, warmed
from tests.places import PROJECT
from vision.modelfile import ENDING, load_network

MODELS = PROJECT / "models"


@pytest.mark.parametrize(
    ("name", "make", "size"),
    [("card_detector", CardDetectorNet, (96, 128)), ("card_reader", ReaderNet, (64, 48))],
)
def test_a_warmed_network_tells_what_the_shipped_one_does(
    name: str, make: type[torch.nn.Module], size: tuple[int, int]
) -> None:
    torch.manual_seed(3)
    coarse = torch.rand(8, 3, size[0] // 8, size[1] // 8)
    pictures = torch.nn.functional.interpolate(coarse, size, mode="bilinear")
    net = warmed(make(), MODELS / f"{name}{ENDING}", pictures).eval()
    with torch.no_grad():
        found = net(pictures)
    told = load_network(name, {}).run(pictures.numpy())
    ours = [found] if isinstance(found, torch.Tensor) else found
    for one, other in zip(ours, told, strict=True):
        difference = np.abs(one.numpy() - other).mean()
        assert difference < 0.02 * np.abs(other).mean()


def test_what_a_shipped_network_was_trained_on_is_known() -> None:
    manifest = json.loads((MODELS / "manifest.json").read_text("utf-8"))
    told = manifest["card_detector"]["provenance"]["rounds"]
    assert rounds_of(MODELS / f"card_detector{ENDING}") == told
    assert len(told) > 1
