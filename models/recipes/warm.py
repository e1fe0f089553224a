"""Turns shipped networks into checkpoints that other training begins from: `python -m
models.recipes.warm --models models --scenes DIR... --out DIR [--pieces tiles] [--networks-of
cards] [--odd | --low | --rack-detector]`.

The checkpoints, for the option `--from` of a recipe, are `card_detector.pt` and `card_reader.pt`,
or with `--pieces tiles` `detector.pt` and `reader.pt`. They hold the weights of the networks of
tiles or, with `--networks-of cards`, of those of cards.

In an exported network batch normalisation is folded into the convolutions. To train on, each
convolution gets a normalisation again, whose gain and bias are the spread and the mean of the
convolution's output on pictures of `--scenes`. The convolution and its normalisation together give
the same output as the exported convolution.
"""

from __future__ import annotations

import argparse
import gzip
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from engine.pieces import Pieces
from models.recipes.command import add_other_networks
from models.recipes.detector_data import CardWindows, DetectorWindows
from models.recipes.nets import CardDetectorNet, DetectorNet, ReaderNet
from models.recipes.reader_data import ReaderCrops
from models.recipes.samples import SceneSamples
from models.recipes.scenes import load_scenes
from models.recipes.training import save_weights
from vision.kinds import KINDS
from vision.modelfile import ENDING

BATCH = 24  # scenes on which means and spreads are measured


def unpacked(path: Path) -> onnx.ModelProto:
    """Return the network in the file `path`, which is ONNX packed with gzip."""
    return onnx.load_model_from_string(gzip.decompress(path.read_bytes()))


def exported(path: Path) -> list[tuple[Tensor, Tensor]]:
    """Return weight and bias of every convolution and linear layer of an exported network, in the
    order of computation.
    """
    graph = unpacked(path).graph
    stored = {each.name: onnx.numpy_helper.to_array(each) for each in graph.initializer}
    for node in graph.node:
        if node.op_type == "Cast" and node.input[0] in stored:
            stored[node.output[0]] = stored[node.input[0]].astype(np.float32)
        elif node.op_type == "Mul" and stored.keys() >= set(node.input):  # weights of one byte
            stored[node.output[0]] = stored[node.input[0]] * stored[node.input[1]]
        elif node.op_type == "DequantizeLinear" and node.input[0] in stored:
            stored[node.output[0]] = _dequantised(*(stored[name] for name in node.input))
    layers = [node for node in graph.node if node.op_type in ("Conv", "Gemm")]
    return [
        (torch.tensor(stored[node.input[1]]), torch.tensor(stored[node.input[2]]))
        for node in layers
    ]


def _dequantised(
    whole: NDArray[np.integer], scale: NDArray[np.float32], zero: NDArray[np.integer]
) -> NDArray[np.float32]:
    """Return the weights that whole numbers stand for. `scale` and `zero` hold one number for each
    index of the first axis of `whole`, or one for all.
    """
    each = (-1, *[1] * (whole.ndim - 1))
    steps = whole.astype(np.int32) - zero.astype(np.int32).reshape(each)
    return (steps * scale.reshape(each)).astype(np.float32)


def rounds_of(path: Path) -> list[dict[str, Any]]:
    """Return the rounds of training that an exported network went through, the oldest first: of
    each round what `Run.save` notes of it, such as `steps` and `minutes`.
    """
    told = {each.key: each.value for each in unpacked(path).metadata_props}
    rounds: list[dict[str, Any]] = json.loads(told["provenance"])["rounds"]
    return rounds


def warmed(net: nn.Module, path: Path, pictures: Tensor) -> nn.Module:
    """Fill `net` with the weights of the exported network in the file `path`, layer by layer where
    the shapes agree, and return `net`.

    The gains and biases of the normalisations of `net` are measured on `pictures` (n, 3, h, w), RGB
    0..1.
    """
    net.train()
    layers = [each for each in net.modules() if isinstance(each, nn.Conv2d | nn.Linear)]
    norms = _norms(net)
    hooks = []
    for layer, (weight, bias) in zip(layers, exported(path), strict=True):
        if layer.weight.shape != weight.shape:
            continue
        with torch.no_grad():
            layer.weight.copy_(weight)
            if layer.bias is not None:
                layer.bias.copy_(bias)
        if layer in norms:
            hooks.append(norms[layer].register_forward_pre_hook(_keeping(bias)))
    with torch.no_grad():
        net(pictures)
    for hook in hooks:
        hook.remove()
    return net


def _norms(net: nn.Module) -> dict[nn.Module, nn.BatchNorm2d]:
    """Return a map from each convolution in a network that a normalisation follows to this
    normalisation.
    """
    found: dict[nn.Module, nn.BatchNorm2d] = {}
    for block in net.modules():
        if isinstance(block, nn.Sequential):
            for one, following in pairwise(block):
                if isinstance(one, nn.Conv2d) and isinstance(following, nn.BatchNorm2d):
                    found[one] = following
    return found


def _keeping(bias: Tensor):  # type: ignore[no-untyped-def]
    """Return a hook to call before a normalisation computes. The hook sets the gain and the bias of
    the normalisation so that the outputs are the inputs plus `bias`.
    """

    def measure(norm: nn.BatchNorm2d, inputs: tuple[Tensor, ...]) -> None:
        values = inputs[0].transpose(0, 1).flatten(1)
        mean, spread = values.mean(1), values.var(1, unbiased=False)
        with torch.no_grad():
            norm.weight.copy_((spread + norm.eps).sqrt())
            norm.bias.copy_(mean + bias)
            if norm.running_mean is not None and norm.running_var is not None:
                norm.running_mean.copy_(mean)
                norm.running_var.copy_(spread)

    return measure


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--pieces", type=Pieces, choices=list(Pieces), default=Pieces.CARDS, help="default cards"
    )
    parser.add_argument(
        "--networks-of",
        type=Pieces,
        choices=list(Pieces),
        default=Pieces.TILES,
        help="which shipped networks to begin with; default tiles",
    )
    add_other_networks(parser)
    return parser


def _untrained(pieces: Pieces) -> tuple[tuple[str, nn.Module, type[SceneSamples]], ...]:
    """Return two triples, for the detector and for the reader of a kind of pieces: the name,
    `detector` or `reader`, the untrained network, and the class of the samples that it is trained
    on.
    """
    detector: tuple[str, nn.Module, type[SceneSamples]] = (
        ("detector", CardDetectorNet(), CardWindows)
        if pieces is Pieces.CARDS
        else ("detector", DetectorNet(), DetectorWindows)
    )
    return detector, ("reader", ReaderNet(), ReaderCrops)


def main() -> None:
    given = _parser().parse_args()
    scenes = [scene for folder in given.scenes for scene in load_scenes(folder)]
    given.out.mkdir(parents=True, exist_ok=True)
    shipped = given.other_networks or KINDS[given.networks_of]
    begun = KINDS[given.pieces]
    for name, net, samples in _untrained(given.pieces):
        batch = next(samples(scenes, 1).batches(BATCH))["picture"].float().div(255)
        path = given.models / f"{getattr(shipped, name)}{ENDING}"
        # Training of networks of other pieces does not count as training of these.
        rounds = rounds_of(path) if shipped.pieces is begun.pieces else []
        save_weights(warmed(net, path, batch), given.out / f"{getattr(begun, name)}.pt", rounds)


if __name__ == "__main__":
    main()
