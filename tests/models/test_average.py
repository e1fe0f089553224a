"""The mean of two checkpoints of one network."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (extra `train`)")

import torch
from torch import nn

from engine.pieces import Pieces
from models.recipes.average import average
from models.recipes.nets import CardDetectorNet, DetectorNet, ReaderNet
from models.recipes.training import load_rounds, load_weights, save_weights

ROUND = {"rendered": 3, "steps": 5}


def test_weights_that_cannot_be_written_leave_no_checkpoint_and_the_earlier_one_whole(
    tmp_path: Path,
) -> None:
    net, path = nn.Linear(2, 2), tmp_path / "checkpoint.pt"
    unwritable = [{"steps": lambda: 5}]
    with pytest.raises(Exception, match=r"pickle|lambda"):
        save_weights(net, path, unwritable)
    assert not path.exists()
    save_weights(net, path, [ROUND])
    with pytest.raises(Exception, match=r"pickle|lambda"):
        save_weights(net, path, unwritable)
    assert load_rounds(path) == [ROUND]


def written(net: nn.Module, fill: float, path: Path) -> Path:
    with torch.no_grad():
        for weights in net.parameters():
            weights.fill_(fill)
    save_weights(net, path, [ROUND] if fill else [])
    return path


@pytest.mark.parametrize(
    ("pieces", "network", "make"),
    [
        (Pieces.TILES, "detector", DetectorNet),
        (Pieces.CARDS, "detector", CardDetectorNet),
        (Pieces.CARDS, "reader", ReaderNet),
    ],
)
def test_every_weight_lies_between_both_and_the_later_rounds_are_told(
    tmp_path: Path, pieces: Pieces, network: str, make: type[nn.Module]
) -> None:
    before, after = (written(make(), fill, tmp_path / f"{fill}.pt") for fill in (0.0, 3.0))
    mean = average(before, after, tmp_path / "mean", pieces, network)
    names = {name for name, _weights in make().named_parameters()}
    weights = load_weights(mean)
    assert names and all(torch.allclose(weights[name], torch.tensor(1.5)) for name in names)
    assert load_rounds(mean) == [ROUND]
