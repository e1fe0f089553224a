"""Lets readers and the detector of cards compute with whole numbers of one byte: `python -m
models.recipes.whole_numbers --models models [--scenes 32] [--hands 6]`. Readers take half the time
then, and the detector two thirds.

It renders photographs of tables, racks and hands of cards, reads them with the networks in the
folder, and notes what each of these networks is given. From the first BATCHES of it for each kind
of photograph follow the smallest and the largest value of each layer, which are 255 steps apart
from then on. A network that computes with whole numbers already is left as it is. The temperatures
stay: the logits of a reader differ by a hundredth of their spread.

This is quantisation after training, with one scale for each layer's values and one for each output
channel of its weights (Krishnamoorthi, "Quantizing deep convolutional networks for efficient
inference", 2018), as onnxruntime does it. Weights lie between -64 and 64: processors with AVX2 that
lack VNNI add two products of bytes in 16 bits, and 2 x 255 x 64 = 32,640 still fits there. So all
processors come to the same sums. Training that begins from such a network begins from these
weights.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import numpy as np
import onnx
from numpy.typing import NDArray
from tqdm import tqdm

from models.recipes import cards, second_look
from models.recipes.export import in_half_precision
from models.recipes.scenes import load_scenes, write_whole
from models.recipes.warm import unpacked
from vision import open_reader
from vision.cards.pipeline import CardTableReader
from vision.kinds import CARDS, ODD_TILES, TILES
from vision.modelfile import ENDING, MANIFEST, Network, has_network, silent_onnxruntime
from vision.reading import Layout
from vision.tiles.pipeline import TableReader

SEED = 304
MADE_ON = "whole_numbers"  # key of the metadata that tells on what the ranges were measured
BATCHES = 60  # that are noted of what a network is given in photographs of one kind
LAYERS = ("Conv", "Relu", "Add", "Resize")  # that compute with whole numbers
# Parts of the detector of cards that go on computing in single precision, since its scores and
# corners hang on them most. It takes 62 ms in single precision, 40 with these parts so, and 29
# without. Its corners are off by 0.02 cells, of 8 pixels, with these parts in single precision, and
# by 0.04 without (experiment 220 of models/EXPERIMENTS.md).
EXACT = ("/stem/", "/stage8/stage8.0/", "/lateral8/", "/merge8/", "/head/")
# Networks that come to compute with whole numbers, and those whose pictures tell their ranges.
# Networks of the same shape share their pictures, since those for odd sets are seldom asked. The
# detectors of tiles are left as they are: what they find of tiles in doubt, and of things that are
# none, changes with their corners (experiment 220).
READERS = (TILES.reader, ODD_TILES.reader)
RANGES = {
    TILES.reader: READERS,
    ODD_TILES.reader: READERS,
    CARDS.detector: (CARDS.detector,),
    CARDS.reader: (CARDS.reader,),
}

Batch = NDArray[np.float16]  # (n, 3, h, w), RGB 0..1; in half precision, to fit the memory


@contextmanager
def noting() -> Iterator[Mapping[str, list[Batch]]]:
    """While the context lasts, note the first BATCHES batches that each network of RANGES is
    given, by its name.
    """
    noted: dict[str, list[Batch]] = defaultdict(list)
    run = Network.run

    def run_and_note(network: Network, batch: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        name = network.metadata["file"].removesuffix(ENDING)
        if name in RANGES and len(noted[name]) < BATCHES:
            noted[name].append(batch.astype(np.float16))
        return run(network, batch)

    with mock.patch.object(Network, "run", run_and_note):
        yield noted


def given_on_rendered(
    models: Path, folder: Path, scenes: int, hands: int
) -> dict[str, list[Batch]]:
    """Render `scenes` tables and racks and `hands` hands of cards into `folder`, and read them with
    the networks in the folder `models`. Returns on what the ranges of each network in RANGES are
    measured, by its name.
    """
    second_look.render(folder, SEED, scenes)
    tiles = open_reader(models)
    read: list[tuple[str, TableReader, Layout]] = [
        ("tables", tiles, Layout.MELDS),
        ("racks", tiles, Layout.LOOSE),
    ]
    if has_network(CARDS.detector, models):
        cards.render_hands(folder / "hands", SEED, hands)
        read.append(("hands", CardTableReader(models), Layout.MELDS))
    given: dict[str, list[Batch]] = defaultdict(list)
    for name, reader, layout in read:
        with noting() as noted:
            for scene in tqdm(load_scenes(folder / name), f"reading {name}"):
                reader.read(scene.path, layout)
        for network, batches in noted.items():
            given[network] += batches
    of_all = {
        name: [batch for one in told for batch in given[one]] for name, told in RANGES.items()
    }
    return {name: batches for name, batches in of_all.items() if batches}


def in_whole_numbers(model: onnx.ModelProto, batches: Sequence[Batch]) -> onnx.ModelProto:
    """Return a network that answers nearly as `model` does, and computes with whole numbers but for
    what is small or has to be exact: layers that look at the picture itself, layers that give the
    network's answers, linear ones, and those in EXACT.

    `batches` are what the ranges of the layers' values are measured on.
    """
    runtime = silent_onnxruntime()
    from onnxruntime import quantization

    class Given(quantization.CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            self.left = iter(batches)

        def get_next(self) -> dict[str, NDArray[np.float32]] | None:
            batch = next(self.left, None)
            return None if batch is None else {model.graph.input[0].name: batch.astype(np.float32)}

    with TemporaryDirectory() as folder:
        folded, quantised = Path(folder) / "folded.onnx", Path(folder) / "quantised.onnx"
        options = runtime.SessionOptions()
        # Computes weights that are stored in half precision, and adds no layers of its own.
        options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.optimized_model_filepath = str(folded)
        runtime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        ends = {each.name for each in (*model.graph.input, *model.graph.output)}
        kept = [
            node.name
            for node in onnx.load(folded).graph.node
            if ends & {*node.input, *node.output} or node.name.startswith(EXACT)
        ]
        silent = logging.root.manager.disable
        logging.disable(logging.WARNING)  # onnxruntime advises steps that were taken here
        try:
            quantization.quantize_static(
                folded,
                quantised,
                Given(),
                quant_format=quantization.QuantFormat.QDQ,
                op_types_to_quantize=list(LAYERS),
                nodes_to_exclude=kept,
                per_channel=True,
                reduce_range=True,
                activation_type=quantization.QuantType.QUInt8,
                weight_type=quantization.QuantType.QInt8,
            )
        finally:
            logging.disable(silent)
        made = onnx.load(quantised)
    _put_in_order(made.graph, [node.name for node in model.graph.node])
    # Operators of other domains, which onnxruntime names as well, are not used.
    standard = [each for each in made.opset_import if not each.domain]
    del made.opset_import[:]
    made.opset_import.extend(standard)
    del made.metadata_props[:]
    made.metadata_props.extend(model.metadata_props)
    return made


def _put_in_order(graph: onnx.GraphProto, names: Sequence[str]) -> None:
    """Put the nodes of a graph, in place, into the order of those that it was made of, by their
    `names`: `models.recipes.warm` knows layers by their order.
    """
    nodes = list(graph.node)
    named = {node.name: node for node in nodes if node.name}
    makers = {output: node for node in nodes for output in node.output}
    ordered: dict[str, onnx.NodeProto] = {}  # by the names of their first outputs

    def add(node: onnx.NodeProto) -> None:
        if node.output[0] not in ordered:
            for needed in node.input:
                if needed in makers:
                    add(makers[needed])
            ordered[node.output[0]] = node

    for node in (*(named[name] for name in names if name in named), *nodes):
        add(node)
    copies = [onnx.NodeProto.FromString(node.SerializeToString()) for node in ordered.values()]
    del graph.node[:]
    graph.node.extend(copies)


def computes_in_whole_numbers(model: onnx.ModelProto) -> bool:
    """Tell whether a network computes with whole numbers already."""
    return any(node.op_type == "QuantizeLinear" for node in model.graph.node)


def replace(path: Path, batches: Sequence[Batch], made_on: Mapping[str, int]) -> None:
    """Replace the network in the file `path` by one that computes with whole numbers. `made_on`
    tells on what the ranges were measured, and is kept in its metadata under MADE_ON.
    """
    model = in_whole_numbers(unpacked(path), batches)
    in_half_precision(model)
    told = {each.key: each.value for each in model.metadata_props}
    onnx.helper.set_model_props(model, {**told, MADE_ON: json.dumps(made_on)})
    written = path.with_name(f"{path.name}.part")
    written.write_bytes(gzip.compress(model.SerializeToString(), mtime=0))
    written.replace(path)


def tell_in_manifest(models: Path, name: str) -> None:
    """Bring the entry of the network `name` in the manifest of the folder `models` up to what its
    file is, if that computes with whole numbers and the entry does not say so yet.
    """
    manifest = json.loads((models / MANIFEST).read_text("utf-8"))
    path = models / manifest[name]["file"]
    told = {each.key: each.value for each in unpacked(path).metadata_props}
    if MADE_ON in told and MADE_ON not in manifest[name]:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        manifest[name] |= {"sha256": digest, MADE_ON: json.loads(told[MADE_ON])}
        write_whole(models / MANIFEST, json.dumps(manifest, indent=2) + "\n")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m models.recipes.whole_numbers", description=__doc__
    )
    parser.add_argument("--models", type=Path, required=True, help="folder of the networks")
    parser.add_argument("--scenes", type=int, default=32, help="tables and racks; default 32")
    parser.add_argument("--hands", type=int, default=6, help="hands of cards; default 6")
    asked = parser.parse_args(arguments)
    manifest = json.loads((asked.models / MANIFEST).read_text("utf-8"))
    files = {name: asked.models / manifest[name]["file"] for name in RANGES if name in manifest}
    for name in files:  # a run that was killed may have replaced a file and not told it
        tell_in_manifest(asked.models, name)
    left = [name for name, path in files.items() if not computes_in_whole_numbers(unpacked(path))]
    if not left:
        return
    with TemporaryDirectory() as folder:
        given = given_on_rendered(asked.models, Path(folder), asked.scenes, asked.hands)
    made_on = {"seed": SEED, "scenes": asked.scenes, "hands": asked.hands}
    for name in left:
        if name not in given:
            print(f"{name} finds nothing to do on rendered photographs and stays as it is")
            continue
        replace(files[name], given[name], made_on)
        tell_in_manifest(asked.models, name)
        print(f"{name} computes with whole numbers", flush=True)


if __name__ == "__main__":
    main()
