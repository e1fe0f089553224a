"""Checkpoints to ONNX: `python -m models.recipes.export --detector RUN/checkpoint.pt --reader RUN/checkpoint.pt [--out models]`.

Batch normalisation is folded by the exporter; classes, input size, temperatures and the SHA-256 go into the manifest beside
the files, and into the files' own metadata. Whichever of the two checkpoints is not named keeps its present file and entry.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import warnings
from pathlib import Path
from typing import Any

import onnx
import torch
from torch import nn

from models.recipes.nets import DetectorNet, ReaderNet
from models.recipes.training import load_weights
from vision import detector, reader
from vision.modelfile import MANIFEST

OPSET = 17


def export_detector(checkpoint: Path, out: Path) -> dict[str, Any]:
    net = DetectorNet()
    net.load_state_dict(load_weights(checkpoint))
    path = out / "detector.onnx"
    _write(net, torch.zeros(1, 3, 96, 128), path, ["centres_and_corners"], {0: "n", 2: "h", 3: "w"})
    return _entry(path, detector.EXPECTED)


def export_reader(checkpoint: Path, out: Path, temperatures: dict[str, float]) -> dict[str, Any]:
    net = ReaderNet()
    net.load_state_dict(load_weights(checkpoint))
    path = out / "reader.onnx"
    height, width = reader.EXPECTED["input"]
    _write(net, torch.zeros(2, 3, height, width), path, ["number", "colour", "turn", "shift"], {0: "n"})
    return _entry(path, {**reader.EXPECTED, "temperatures": temperatures})


def _write(net: nn.Module, example: torch.Tensor, path: Path, outputs: list[str], axes: dict[int, str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracing exporter announces its retirement; its graphs are the leaner ones
        torch.onnx.export(
            net.eval(), (example,), str(path), dynamo=False, opset_version=OPSET, input_names=["picture"],
            output_names=outputs, dynamic_axes={"picture": axes, **{name: axes for name in outputs}},
        )


def _entry(path: Path, facts: dict[str, Any]) -> dict[str, Any]:
    model = onnx.load(path)
    onnx.helper.set_model_props(model, {key: json.dumps(value) for key, value in facts.items()})
    onnx.save(model, path)
    return {"file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest(), **facts}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--detector", type=Path)
    parser.add_argument("--reader", type=Path)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--temperatures", type=json.loads, help='such as {"number": 1.2, "colour": 1.1}')
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    manifest_path = arguments.out / MANIFEST
    manifest = json.loads(manifest_path.read_text("utf-8")) if manifest_path.exists() else {}
    if arguments.detector:
        manifest["detector"] = export_detector(arguments.detector, arguments.out)
    if arguments.reader:
        manifest["reader"] = export_reader(arguments.reader, arguments.out, arguments.temperatures or {})
    manifest_path.write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
