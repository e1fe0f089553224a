"""Writes checkpoints as ONNX, packed with gzip: `python -m models.recipes.export --detector
RUN/checkpoint.pt --reader RUN/checkpoint.pt [--pieces cards] [--odd | --low | --rack-detector]
[--out models]`.

The exporter folds batch normalisation into the convolutions. Classes, input size, temperatures and
provenance go into the metadata of the files, and together with their SHA-256 into the manifest
beside them. A network whose checkpoint is not named keeps its file and its entry in the manifest.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnx
import torch
from torch import nn

from engine.pieces import Pieces
from models.recipes.command import add_other_networks
from models.recipes.nets import (
    CardDetectorNet,
    CardSecondLookNet,
    ColumnNet,
    DetectorNet,
    DirectionNet,
    ReaderNet,
    SecondLookNet,
)
from models.recipes.training import load_rounds, load_weights
from vision import detector, reader
from vision.around import HEIGHT, WIDTH, TellsAround
from vision.cards.column_ends import ColumnEnds
from vision.cards.column_gaps import ColumnGaps
from vision.cards.second_look import CardSecondLook
from vision.crops import CROP_HEIGHT, CROP_WIDTH
from vision.kinds import KINDS, LOW_TILES, ODD_TILES, RACK_TILES, TILES, Kind
from vision.modelfile import ENDING, MANIFEST
from vision.tiles import rack_direction
from vision.tiles.second_look import SecondLook

OPSET = 17
LARGE = 256  # elements from which a weight is worth storing in less than single precision
# Networks whose weights are stored as whole numbers of one byte, so that all files of tiles
# together take less than 8 MB, and how many elements such a weight has at least. Of the usual
# detector only those of the largest layers are: with all of them its scores differ four times as
# much from the trained network's, and its corners ten times as much. Readers and the detector of
# cards are stored in half precision here, until models.recipes.whole_numbers lets them compute with
# such numbers.
IN_BYTES = {
    TILES.detector: 80_000,
    LOW_TILES.detector: LARGE,
    RACK_TILES.detector: LARGE,
    ODD_TILES.detector: LARGE,
    rack_direction.NETWORK: LARGE,
    SecondLook.network: LARGE,
    CardSecondLook.network: LARGE,
    ColumnEnds.network: LARGE,
    ColumnGaps.network: LARGE,
}

# Networks that look around a place, as they are trained and as they are used. For each kind of
# pieces, that which looks again at finds in doubt; and those which see columns of cards.
Looks = tuple[type[SecondLookNet], type[TellsAround]]
SECOND_LOOKS: dict[Pieces, Looks] = {
    Pieces.TILES: (SecondLookNet, SecondLook),
    Pieces.CARDS: (CardSecondLookNet, CardSecondLook),
}
COLUMN_ENDS: Looks = (ColumnNet, ColumnEnds)
COLUMN_GAPS: Looks = (ColumnNet, ColumnGaps)


def export_detector(checkpoint: Path, out: Path, kind: Kind) -> dict[str, Any]:
    """Write the detector in `checkpoint` to the folder `out` as ONNX. `kind` tells which pieces it
    finds. Returns the detector's entry in the manifest of the networks.
    """
    metadata = {
        **detector.expected_metadata(kind),
        "input_multiple_of": detector.INPUT_MULTIPLE,
        "provenance": provenance(checkpoint),
    }
    example, axes = torch.zeros(1, 3, 96, 128), {0: "n", 2: "h", 3: "w"}
    return _export(
        CardDetectorNet() if kind.tells_outline else DetectorNet(),
        checkpoint,
        example,
        ["centres_and_corners"],
        axes,
        metadata,
        out,
        kind.detector,
    )


def export_reader(
    checkpoint: Path, out: Path, temperatures: dict[str, float], kind: Kind
) -> dict[str, Any]:
    """Write the reader in `checkpoint`, which reads pieces of the given `kind`, to the folder `out`
    as ONNX. `temperatures` maps the names of its heads to their temperatures. Returns the reader's
    entry in the manifest.
    """
    example = torch.zeros(2, 3, CROP_HEIGHT, CROP_WIDTH)
    metadata = {
        **reader.EXPECTED_METADATA,
        "temperatures": temperatures,
        "provenance": provenance(checkpoint),
    }
    return _export(
        ReaderNet(),
        checkpoint,
        example,
        ["number", "colour", "turn", "corner_offsets", "features"],
        {0: "n"},
        metadata,
        out,
        kind.reader,
    )


def export_direction(checkpoint: Path, out: Path) -> dict[str, Any]:
    """Write the network in `checkpoint` that tells the direction of tiles on a rack to the folder
    `out` as ONNX. Returns its entry in the manifest.
    """
    metadata = {**rack_direction.EXPECTED_METADATA, "provenance": provenance(checkpoint)}
    example = torch.zeros(2, 3, rack_direction.HEIGHT, rack_direction.WIDTH)
    outputs, name = ["upside_down"], rack_direction.NETWORK
    return _export(DirectionNet(), checkpoint, example, outputs, {0: "n"}, metadata, out, name)


def export_look(checkpoint: Path, out: Path, looks: Looks) -> dict[str, Any]:
    """Write the network in `checkpoint`, one that looks around a place, to the folder `out` as
    ONNX. `looks` tells which it is. Returns its entry in the manifest.
    """
    untrained, used = looks
    net = untrained()
    metadata = {**used.expected_metadata(), "provenance": provenance(checkpoint)}
    example, outputs = torch.zeros(2, net.channels, HEIGHT, WIDTH), ["shown", "colour"]
    return _export(net, checkpoint, example, outputs, {0: "n"}, metadata, out, used.network)


def provenance(checkpoint: Path) -> dict[str, Any]:
    """Return where the weights of a checkpoint come from: `rounds`, a list of the rounds of
    training that the weights went through, as `load_rounds` returns it, and `torch`, the version of
    PyTorch.
    """
    return {"rounds": load_rounds(checkpoint), "torch": torch.__version__}


def _export(
    net: nn.Module,
    checkpoint: Path,
    example: torch.Tensor,
    outputs: list[str],
    axes: dict[int, str],
    metadata: Mapping[str, Any],
    out: Path,
    name: str,
) -> dict[str, Any]:
    net.load_state_dict(load_weights(checkpoint))
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        written = Path(folder) / f"{name}.onnx"
        # The tracing exporter announces its retirement; its graphs are the leaner ones.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net.eval(),
            (example,),
            str(written),
            dynamo=False,
            opset_version=OPSET,
            input_names=["picture"],
            output_names=outputs,
            dynamic_axes={"picture": axes, **{name: axes for name in outputs}},
        )
        model = onnx.load(written)
    if name in IN_BYTES:
        _in_bytes(model, IN_BYTES[name])
    in_half_precision(model)
    onnx.helper.set_model_props(model, {key: json.dumps(value) for key, value in metadata.items()})
    packed = gzip.compress(model.SerializeToString(), mtime=0)  # the same file on every day
    path = out / f"{name}{ENDING}"
    path.write_bytes(packed)
    return {"file": path.name, "sha256": hashlib.sha256(packed).hexdigest(), **metadata}


def in_half_precision(model: onnx.ModelProto) -> None:
    """Store large weights in half precision, in place.

    A Cast node behind each, folded at loading, makes the network compute in single precision.
    Scales of layers that compute with whole numbers are no weights, and are left as they are.
    """
    scales = {
        name
        for node in model.graph.node
        if node.op_type in ("QuantizeLinear", "DequantizeLinear")
        for name in node.input[1:]
    }
    for weight in list(model.graph.initializer):
        values = onnx.numpy_helper.to_array(weight)
        if values.dtype == np.float32 and values.size >= LARGE and weight.name not in scales:
            stored = f"{weight.name}.half"
            weight.CopyFrom(onnx.numpy_helper.from_array(values.astype(np.float16), stored))
            name = stored.removesuffix(".half")
            model.graph.node.insert(
                0, onnx.helper.make_node("Cast", [stored], [name], to=onnx.TensorProto.FLOAT)
            )


def _in_bytes(model: onnx.ModelProto, smallest: int) -> None:
    """Store weights of at least `smallest` elements as whole numbers of one byte, in place. Each
    output channel has a scale of its own.

    A Cast and a Mul node behind each, folded at loading, make the network compute in single
    precision.
    """
    for weight in list(model.graph.initializer):
        values = onnx.numpy_helper.to_array(weight)
        if values.dtype == np.float32 and values.size >= smallest and values.ndim > 1:
            name = weight.name
            stored, scale, told = f"{name}.byte", f"{name}.scale", f"{name}.told"
            axes = tuple(range(1, values.ndim))
            steps = np.maximum(np.abs(values).max(axis=axes, keepdims=True), 1e-12) / 127
            whole = np.rint(values / steps).astype(np.int8)
            weight.CopyFrom(onnx.numpy_helper.from_array(whole, stored))
            model.graph.initializer.append(
                onnx.numpy_helper.from_array(steps.astype(np.float32), scale)
            )
            node = onnx.helper.make_node
            model.graph.node.insert(0, node("Mul", [told, scale], [name]))
            model.graph.node.insert(0, node("Cast", [stored], [told], to=onnx.TensorProto.FLOAT))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--detector", type=Path)
    parser.add_argument("--reader", type=Path)
    parser.add_argument("--direction", type=Path)
    parser.add_argument("--second_look", type=Path)
    parser.add_argument("--column_ends", type=Path)
    parser.add_argument("--column_gaps", type=Path)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1])
    parser.add_argument(
        "--temperatures", type=json.loads, default={}, help='such as {"number": 1.2, "colour": 1.1}'
    )
    parser.add_argument(
        "--pieces", type=Pieces, choices=list(Pieces), default=Pieces.TILES, help="default tiles"
    )
    add_other_networks(parser)
    given = parser.parse_args(arguments)
    kind = given.other_networks or KINDS[given.pieces]
    given.out.mkdir(parents=True, exist_ok=True)
    manifest_path = given.out / MANIFEST
    manifest = json.loads(manifest_path.read_text("utf-8")) if manifest_path.exists() else {}
    if given.detector:
        manifest[kind.detector] = export_detector(given.detector, given.out, kind)
    if given.reader:
        manifest[kind.reader] = export_reader(given.reader, given.out, given.temperatures, kind)
    if given.direction:
        manifest[rack_direction.NETWORK] = export_direction(given.direction, given.out)
    for checkpoint, looks in (
        (given.second_look, SECOND_LOOKS[kind.pieces]),
        (given.column_ends, COLUMN_ENDS),
        (given.column_gaps, COLUMN_GAPS),
    ):
        if checkpoint:
            manifest[looks[1].network] = export_look(checkpoint, given.out, looks)
    manifest_path.write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
