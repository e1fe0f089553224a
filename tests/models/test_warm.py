"""A shipped network that is made the beginning of a training gives the same answers as before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (extra `train`)")
pytest.importorskip("onnx", reason="onnx is not installed (extra `train`)")

import onnx
import torch

from models.recipes.nets import CardDetectorNet, ReaderNet
from models.recipes.warm import rounds_of, unpacked, warmed
from tests.places import PROJECT
from vision.modelfile import ENDING, load_network, silent_onnxruntime

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
    rounded = load_network(name, {}).run(pictures.numpy())
    told = without_rounding(MODELS / f"{name}{ENDING}").run(None, {"picture": pictures.numpy()})
    ours = [found] if isinstance(found, torch.Tensor) else found
    for one, other, used in zip(ours, told, rounded, strict=True):
        difference = np.abs(one.numpy() - other).mean()
        assert difference < 0.005 * np.abs(other).mean()
        assert np.abs(one.numpy() - used).mean() < 0.1 * np.abs(other).mean()


def without_rounding(path: Path) -> Any:  # an onnxruntime.InferenceSession
    """Open a shipped network in which layers with whole numbers get and give any number, not only
    those of their steps.
    """
    model = unpacked(path)
    stored = {each.name: onnx.numpy_helper.to_array(each) for each in model.graph.initializer}
    rounding = {
        node.output[0]: node for node in model.graph.node if node.op_type == "QuantizeLinear"
    }
    assert rounding
    for node in model.graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in rounding:
            number, _scale, zero = rounding[node.input[0]].input
            # Steps that begin with 0 cut off what is negative: no Relu is left there.
            kept = "Identity" if stored[zero] else "Relu"
            node.CopyFrom(onnx.helper.make_node(kept, [number], [node.output[0]]))
    return silent_onnxruntime().InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )


def test_what_a_shipped_network_was_trained_on_is_known() -> None:
    manifest = json.loads((MODELS / "manifest.json").read_text("utf-8"))
    told = manifest["card_detector"]["provenance"]["rounds"]
    assert rounds_of(MODELS / f"card_detector{ENDING}") == told
    assert len(told) > 1
