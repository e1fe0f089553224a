"""Networks that compute with whole numbers answer nearly as they did before."""

from __future__ import annotations

import hashlib
import inspect
import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("torch", reason="PyTorch is not installed (extra `train`)")
pytest.importorskip("onnx", reason="onnx is not installed (extra `train`)")

import onnx
import torch

from models.recipes import whole_numbers
from models.recipes.export import main as export
from models.recipes.nets import CardDetectorNet, CardSecondLookNet, ReaderNet
from models.recipes.training import save_weights
from models.recipes.warm import exported, unpacked
from tests.places import PROJECT
from vision.errors import ModelError
from vision.modelfile import ENDING, MANIFEST, load_network

SIZES = {"detector": (96, 128), "reader": (64, 48), "second_look": (112, 96)}
NETS = {"detector": CardDetectorNet, "reader": ReaderNet, "second_look": CardSecondLookNet}
ENTRIES = {"detector": "card_detector", "reader": "card_reader"}  # that come to use whole numbers


def pictures(net: str, seed: int, count: int = 6) -> NDArray[np.float16]:
    """Return smooth pictures of the size that a network is given, (n, 3, h, w) RGB 0..1."""
    height, width = SIZES[net]
    generator = torch.Generator().manual_seed(seed)
    coarse = torch.rand(count, 3, height // 8, width // 8, generator=generator)
    smooth = torch.nn.functional.interpolate(coarse, (height, width), mode="bilinear")
    return np.asarray(smooth.numpy(), np.float16)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of networks with random weights, whose layers' values are of the size that training
    gives them.
    """
    folder = tmp_path_factory.mktemp("models")
    told = ["--pieces", "cards", "--out", str(folder)]
    for name, make in NETS.items():
        torch.manual_seed(1)
        net = make()
        with torch.no_grad():
            for layer in net.modules():
                if isinstance(layer, torch.nn.Conv2d):
                    layer.weight.normal_(0, float(2 / layer.weight[0].numel()) ** 0.5)
        net.train()(torch.tensor(pictures(name, 1).astype(np.float32)))  # their means and spreads
        checkpoint = folder / f"{name}.pt"
        save_weights(net, checkpoint)
        told += [f"--{name}", str(checkpoint)]
    export(told)
    return folder


def copy_of(models: Path, folder: Path) -> None:
    """Copy the networks in the folder `models`, with their manifest, into another."""
    for path in (*models.glob(f"*{ENDING}"), models / MANIFEST):
        shutil.copy(path, folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def props(path: Path) -> Sequence[onnx.StringStringEntryProto]:
    return list(unpacked(path).metadata_props)


def given_to(models: Path, folder: Path, scenes: int, hands: int) -> Mapping[str, object]:
    return {ENTRIES[name]: [pictures(name, seed) for seed in (2, 3)] for name in ENTRIES}


@pytest.fixture(scope="module")
def turned(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same networks, which compute with whole numbers."""
    folder = tmp_path_factory.mktemp("turned")
    copy_of(models, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole_numbers, "given_on_rendered", given_to)
        whole_numbers.main(["--models", str(folder)])
    return folder


@pytest.mark.parametrize("name", ENTRIES)
def test_it_answers_nearly_the_same(models: Path, turned: Path, name: str) -> None:
    batch = pictures(name, 4).astype(np.float32)
    before = load_network(ENTRIES[name], {}, models).run(batch)
    after = load_network(ENTRIES[name], {}, turned).run(batch)
    for one, other in zip(before, after, strict=True):
        assert one.shape == other.shape
        assert 0 < np.abs(one - other).mean() < 0.1 * one.std()


@pytest.mark.parametrize("name", ENTRIES)
def test_its_weights_leave_room_for_sums_of_two_products_in_sixteen_bits(
    turned: Path, name: str
) -> None:
    graph = unpacked(turned / f"{ENTRIES[name]}{ENDING}").graph
    whole = [
        onnx.numpy_helper.to_array(weight)
        for weight in graph.initializer
        if weight.data_type == onnx.TensorProto.INT8 and len(weight.dims) == 4
    ]
    assert len(whole) == {"detector": 14, "reader": 13}[name]
    assert max(np.abs(weight.astype(int)).max() for weight in whole) <= 64


@pytest.mark.parametrize("name", ENTRIES)
def test_layers_that_have_to_be_exact_have_the_weights_they_had(
    models: Path, turned: Path, name: str
) -> None:
    """Those at both ends, and those of a detector that work at the finest scale."""
    file = f"{ENTRIES[name]}{ENDING}"
    same = [
        torch.equal(weight, before)
        for (weight, _), (before, _) in zip(
            exported(turned / file), exported(models / file), strict=True
        )
    ]
    if name == "detector":  # stem and first of stage8; lateral8, merge8 and head
        assert same == [True] * 3 + [False] * 14 + [True] * 5
    else:  # the first layer and the linear ones
        assert same == [True] + [False] * 12 + [True] * 4 + [False] + [True] * 2


@pytest.mark.parametrize("name", ENTRIES)
def test_training_can_go_on_from_it(models: Path, turned: Path, name: str) -> None:
    file = f"{ENTRIES[name]}{ENDING}"
    for (weight, bias), (same, its_bias) in zip(
        exported(turned / file), exported(models / file), strict=True
    ):
        steps = same.abs().amax(dim=tuple(range(1, same.ndim)), keepdim=True) / 64
        assert bool(((weight - same).abs() <= 0.51 * steps + 1e-6).all())
        torch.testing.assert_close(bias, its_bias, atol=0.01, rtol=0.01)


def test_what_the_file_tells_of_itself_is_kept(models: Path, turned: Path) -> None:
    before, after = (
        json.loads((folder / MANIFEST).read_text("utf-8")) for folder in (models, turned)
    )
    made_on = {"seed": whole_numbers.SEED, "scenes": 32, "hands": 6}
    for name, entry in before.items():
        if name in ENTRIES.values():
            digest = hashlib.sha256((turned / entry["file"]).read_bytes()).hexdigest()
            entry |= {"sha256": digest, "whole_numbers": made_on}
        assert after[name] == entry
        told = {prop.key: json.loads(prop.value) for prop in props(turned / entry["file"])}
        assert told == {key: entry[key] for key in entry.keys() - {"file", "sha256"}}


def test_only_operators_of_the_standard_are_named(turned: Path) -> None:
    for name in ENTRIES.values():
        model = unpacked(turned / f"{name}{ENDING}")
        assert [each.domain for each in model.opset_import] == [""]


def test_a_run_goes_on_where_it_was_killed(
    models: Path, turned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was killed when the detector's file was replaced and the manifest was not."""
    copy_of(models, tmp_path)
    told = whole_numbers.tell_in_manifest
    monkeypatch.setattr(whole_numbers, "given_on_rendered", given_to)

    def killed(folder: Path, name: str) -> None:
        if whole_numbers.computes_in_whole_numbers(unpacked(folder / f"{name}{ENDING}")):
            raise KeyboardInterrupt

    monkeypatch.setattr(whole_numbers, "tell_in_manifest", killed)
    with pytest.raises(KeyboardInterrupt):
        whole_numbers.main(["--models", str(tmp_path)])
    with pytest.raises(ModelError):
        load_network("card_detector", {}, tmp_path)
    monkeypatch.setattr(whole_numbers, "tell_in_manifest", told)
    whole_numbers.main(["--models", str(tmp_path)])
    assert contents(tmp_path) == contents(turned)


def test_what_networks_are_given_is_noted_while_it_is_asked_for(models: Path) -> None:
    detector = load_network("card_detector", {}, models)
    other = load_network("card_second_look", {}, models)
    batch = pictures("detector", 5, count=1).astype(np.float32)
    with whole_numbers.noting() as noted:
        for _ in range(whole_numbers.BATCHES + 1):
            detector.run(batch)
        other.run(pictures("second_look", 5, count=1).astype(np.float32))
    detector.run(batch)
    assert noted.keys() == {"card_detector"}
    assert len(noted["card_detector"]) == whole_numbers.BATCHES
    np.testing.assert_array_equal(noted["card_detector"][0], batch.astype(np.float16))


def test_a_second_run_changes_nothing(turned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def render(*_: object) -> Mapping[str, object]:
        raise AssertionError("expected nothing to be rendered")

    monkeypatch.setattr(whole_numbers, "given_on_rendered", render)
    before = contents(turned)
    whole_numbers.main(["--models", str(turned)])
    assert contents(turned) == before


def test_a_network_that_nothing_is_known_of_is_left_as_it_is(
    models: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    copy_of(models, tmp_path)
    reader = f"card_reader{ENDING}"
    without = {
        name: batches
        for name, batches in given_to(tmp_path, tmp_path, 0, 0).items()
        if name != "card_reader"
    }
    monkeypatch.setattr(whole_numbers, "given_on_rendered", lambda *_: without)
    whole_numbers.main(["--models", str(tmp_path)])
    assert "card_reader finds nothing to do" in capsys.readouterr().out
    assert (tmp_path / reader).read_bytes() == (models / reader).read_bytes()
    assert load_network("card_detector", {}, tmp_path)


@pytest.mark.pictures
def test_ranges_of_each_such_network_are_measured_on_what_is_rendered(tmp_path: Path) -> None:
    given = whole_numbers.given_on_rendered(PROJECT / "models", tmp_path, scenes=8, hands=1)
    manifest = json.loads((PROJECT / "models" / MANIFEST).read_text("utf-8"))
    assert given.keys() == {"reader", "odd_reader", "card_detector", "card_reader"}
    for name, batches in given.items():
        assert batches, name
        for batch in batches:
            assert batch.ndim == 4 and batch.shape[1] == 3
            assert 0 <= batch.min() <= batch.max() <= 1
        if "input" in manifest[name]:
            assert {tuple(sorted(batch.shape[2:])) for batch in batches} == {
                tuple(sorted(manifest[name]["input"]))
            }


def test_onnxruntime_is_imported_with_its_telemetry_switched_off() -> None:
    told = "import sys, models.recipes.whole_numbers; sys.exit('onnxruntime' in sys.modules)"
    subprocess.run([sys.executable, "-c", told], cwd=PROJECT, check=True)
    source = inspect.getsource(whole_numbers.in_whole_numbers)
    assert source.index("silent_onnxruntime()") < source.index("from onnxruntime import")
