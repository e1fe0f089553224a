"""From scenes to networks that the product loads: a few steps of each recipe, also broken off and
resumed, and the export.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (extra `train`)")
pytest.importorskip("onnx", reason="onnx is not installed (extra `train`)")

import torch

from datasets.generate import main as generate
from models.recipes import (
    detector_data,
    reader_data,
    train_detector,
    train_direction,
    train_reader,
    train_second_look,
    training,
)
from models.recipes.export import main as export
from models.recipes.nets import DetectorNet, DirectionNet, ReaderNet, SecondLookNet
from models.recipes.scenes import load_scenes
from models.recipes.training import Task, load_rounds, load_weights, train
from models.recipes.warm import exported, unpacked
from vision.detector import Detector
from vision.errors import ModelError, Reason
from vision.modelfile import ENDING, MANIFEST, load_network
from vision.reader import Reader
from vision.tiles import second_look
from vision.tiles.rack_direction import RackDirection, windows
from vision.tiles.second_look import SecondLook

TEMPERATURES = {"number": 1.5, "colour": 1.25}
STEPS = 4


@dataclass(frozen=True)
class Recipe:
    net: type[torch.nn.Module]
    samples: type[Any]
    module: ModuleType
    scenes_a_step: int

    def run(self, task: Task) -> dict[str, Any]:
        """Train the network and return its checkpoint."""
        train(self.net, self.samples, self.module.losses, self.scenes_a_step, task)
        return torch.load(task.out / "checkpoint.pt", weights_only=True)


RECIPES = {
    "detector": Recipe(DetectorNet, detector_data.DetectorWindows, train_detector, 2),
    "reader": Recipe(ReaderNet, reader_data.ReaderCrops, train_reader, 1),
    "direction": Recipe(DirectionNet, train_direction.RackViews, train_direction, 3),
    "second_look": Recipe(SecondLookNet, train_second_look.Finds, train_second_look, 3),
}
ENTRIES = {name: name for name in RECIPES} | {"direction": "rack_direction"}


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """Let PyTorch use one thread: sums are then added in the same order on any machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Task:
    """Three small rendered scenes, in which every second face counts as a 6 on a rack that stands
    on its head and as a find in doubt, and very little to do.
    """
    folder = tmp_path_factory.mktemp("scenes")
    generate(
        [str(folder), "--count", "3", "--seed", "11", "--size", "256x224", "--tile-px", "20", "40"]
    )
    scenes = load_scenes(folder)
    assert len(scenes) == 3 and sum(len(scene.quads) for scene in scenes) > 5
    scenes = [
        replace(
            scene,
            windows=windows(scene.quads),
            upside_down=np.arange(len(scene.quads)) % 2 > 0,
            finds=second_look.AROUND.windows(scene.quads),
            shown=np.array(
                [(*scene.classes(face), face % 2) for face in range(len(scene.quads))]
            ).reshape(-1, 3),
        )
        for scene in scenes
    ]
    return Task(scenes, Path(), steps=STEPS, seed=5, workers=0, rendered=len(scenes))


@pytest.fixture(scope="module")
def trained(task: Task, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the folder of the checkpoint of each network after an unbroken run."""
    folders = {name: tmp_path_factory.mktemp(name) for name in RECIPES}
    for name, recipe in RECIPES.items():
        recipe.run(replace(task, out=folders[name]))
    return folders


@pytest.fixture(scope="module")
def models(trained: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("models")
    told = [
        argument
        for name, folder in trained.items()
        for argument in (f"--{name}", str(folder / "checkpoint.pt"))
    ]
    export([*told, "--out", str(out), "--temperatures", json.dumps(TEMPERATURES)])
    return out


# --- training ---


@pytest.mark.parametrize("name", RECIPES)
def test_a_run_broken_off_gives_the_weights_of_an_unbroken_one(
    name: str, task: Task, trained: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = RECIPES[name]
    monkeypatch.setattr(training, "CHECKPOINT_SECONDS", -1.0)  # after every step
    real, calls = recipe.module.losses, iter(range(STEPS))

    def power_cut(*given: Any) -> Any:
        if next(calls) == 2:
            raise InterruptedError
        return real(*given)

    monkeypatch.setattr(recipe.module, "losses", power_cut)
    with pytest.raises(InterruptedError):
        recipe.run(replace(task, out=tmp_path))
    assert torch.load(tmp_path / "checkpoint.pt", weights_only=True)["step"] == 2
    (tmp_path / "checkpoint.part").write_bytes(b"half a checkpoint")
    monkeypatch.setattr(recipe.module, "losses", real)
    resumed = recipe.run(replace(task, out=tmp_path))
    unbroken = torch.load(trained[name] / "checkpoint.pt", weights_only=True)
    assert resumed["step"] == unbroken["step"] == STEPS
    for kind in ("net", "averaged"):
        for key, value in unbroken[kind].items():
            assert torch.equal(value, resumed[kind][key]), f"{kind} {key}"


@pytest.mark.parametrize("name", RECIPES)
def test_training_changes_every_layer_and_lowers_the_loss(
    name: str, task: Task, trained: dict[str, Path]
) -> None:
    recipe = RECIPES[name]
    torch.manual_seed(task.seed)
    fresh, weights = recipe.net(), load_weights(trained[name] / "checkpoint.pt")
    start = fresh.state_dict()
    assert weights.keys() == start.keys()
    still = [
        key
        for key, value in start.items()
        if torch.equal(value, weights[key]) and "num_batches" not in key
    ]
    assert still == []
    learnt = recipe.net()
    learnt.load_state_dict(torch.load(trained[name] / "checkpoint.pt", weights_only=True)["net"])
    batch = next(recipe.samples(task.scenes, task.seed).batches(recipe.scenes_a_step))
    picture = batch["picture"].float() / 255
    # In training mode: four steps are too few for the running figures of batch normalisation.
    with torch.no_grad():
        before, after = (
            float(recipe.module.losses(net(picture), batch)[0]) for net in (fresh, learnt)
        )
    assert after < before


def test_a_finished_run_stays_as_it_is(task: Task, trained: dict[str, Path]) -> None:
    path = trained["reader"] / "checkpoint.pt"
    before = load_weights(path)
    RECIPES["reader"].run(replace(task, out=trained["reader"]))
    assert all(torch.equal(value, before[key]) for key, value in load_weights(path).items())


def test_a_later_round_begins_with_the_former_weights_and_tells_both(
    task: Task, trained: dict[str, Path], tmp_path: Path
) -> None:
    start = trained["reader"] / "checkpoint.pt"
    RECIPES["reader"].run(
        replace(task, out=tmp_path, start=start, steps=1, rate=0.0, photographs=2)
    )
    first, second = load_rounds(tmp_path / "checkpoint.pt")
    assert first == load_rounds(start)[0] and first["steps"] == STEPS and first["rendered"] == 3
    assert (second["steps"], second["photographs"]) == (1, 2)
    before, after = load_weights(start), load_weights(tmp_path / "checkpoint.pt")
    assert all(torch.equal(before[key], after[key]) for key in before if key.endswith("weight"))


def test_no_scenes_are_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        Task.from_arguments("", ["--out", str(tmp_path)])
    assert ended.value.code == 2
    assert "expected --scenes or --real with pictures in them, got none" in capsys.readouterr().err


# --- export ---


SHAPES = [
    ("detector", (1, 3, 96, 160)),
    ("detector", (2, 3, 64, 64)),
    ("reader", (5, 3, 64, 48)),
    ("direction", (5, 3, 60, 72)),
    ("second_look", (5, 3, 112, 96)),
]


@pytest.mark.parametrize(("name", "shape"), SHAPES)
def test_the_exported_network_answers_as_pytorch_does(
    name: str, shape: tuple[int, ...], trained: dict[str, Path], models: Path
) -> None:
    net = RECIPES[name].net().eval()
    net.load_state_dict(load_weights(trained[name] / "checkpoint.pt"))
    picture = np.random.default_rng(0).random(shape, np.float32)
    with torch.no_grad():
        expected = net(torch.from_numpy(picture))
    told = load_network(ENTRIES[name], {}, models).run(picture)
    for mine, theirs in zip(
        told, expected if isinstance(expected, tuple) else (expected,), strict=True
    ):
        # Weights are stored in half precision.
        np.testing.assert_allclose(mine, theirs.numpy(), atol=1e-2, rtol=1e-2)


@pytest.mark.parametrize("name", RECIPES)
def test_a_network_carries_what_its_entry_says(name: str, models: Path) -> None:
    entry = json.loads((models / MANIFEST).read_text("utf-8"))[ENTRIES[name]]
    metadata = {
        prop.key: json.loads(prop.value) for prop in unpacked(models / entry["file"]).metadata_props
    }
    assert metadata == {key: value for key, value in entry.items() if key not in ("file", "sha256")}
    (round_,) = metadata["provenance"]["rounds"]
    assert (round_["rendered"], round_["steps"]) == (3, STEPS) and metadata["provenance"][
        "torch"
    ] == torch.__version__
    if name == "reader":
        assert (
            metadata["temperatures"] == TEMPERATURES
            and metadata["input"] == [64, 48]
            and len(metadata["numbers"]) == 15
        )
    elif name == "direction":
        assert (metadata["input"], metadata["window"]) == ([72, 60], [3.0, 2.0])
    elif name == "second_look":
        assert metadata["input"] == [96, 112] and len(metadata["classes"]) == 16
    else:
        assert metadata["classes"] == ["tile face"] and metadata["input_multiple_of"] == 32


def test_the_product_loads_what_was_exported(models: Path) -> None:
    assert Detector(models).detect(np.zeros((96, 128, 3), np.uint8)).quads.shape[1:] == (4, 2)
    reader = Reader(models)
    number, colour, turn, corner_offsets, features = reader.read_crops(
        np.full((3, 64, 48, 3), 200, np.uint8)
    )
    assert reader.calibrated
    assert [head.shape for head in (number, colour, turn, corner_offsets, features)] == [
        (3, 15),
        (3, 4),
        (3, 4),
        (3, 8),
        (3, 1536),
    ]
    np.testing.assert_allclose(np.exp(number).sum(axis=1), 1, atol=1e-5)
    direction = RackDirection.in_folder(models)
    assert direction is not None
    told = direction.upright(
        np.zeros((96, 128, 3), np.uint8),
        reader.read(
            np.full((96, 128, 3), 200, np.uint8),
            np.array([[[10, 10], [40, 10], [40, 52], [10, 52]]], np.float32),
        ),
    )
    assert told.shape == (1, 2)
    looks_again = SecondLook.in_folder(models)
    assert looks_again is not None
    shown = looks_again.look(
        np.zeros((96, 128, 3), np.uint8),
        np.array([[[10, 10], [40, 10], [40, 52], [10, 52]]], np.float32),
    )
    assert shown.shape == (1, 16)


def test_a_file_that_was_tampered_with_is_refused(models: Path, tmp_path: Path) -> None:
    shutil.copytree(models, tmp_path / "models")
    path = tmp_path / "models" / f"reader{ENDING}"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(ModelError) as caught:
        Reader(tmp_path / "models")
    assert caught.value.reason is Reason.MODEL_MISMATCH and "SHA-256" in caught.value.what


def test_one_network_alone_may_be_exported_again(
    trained: dict[str, Path], models: Path, tmp_path: Path
) -> None:
    shutil.copytree(models, tmp_path / "models")
    export(
        ["--reader", str(trained["reader"] / "checkpoint.pt"), "--out", str(tmp_path / "models")]
    )
    old, new = (
        json.loads((folder / MANIFEST).read_text("utf-8"))
        for folder in (models, tmp_path / "models")
    )
    assert new["detector"] == old["detector"] and new["reader"]["temperatures"] == {}
    assert not Reader(tmp_path / "models").calibrated


@pytest.mark.parametrize(
    ("network", "name", "shape"),
    [
        ("direction", "rack_direction", (2, 3, 60, 72)),
        ("second_look", "second_look", (2, 3, 112, 96)),
    ],
)
def test_small_networks_are_stored_in_bytes_and_answer_nearly_the_same(
    trained: dict[str, Path],
    models: Path,
    network: str,
    name: str,
    shape: tuple[int, ...],
) -> None:
    checkpoint = trained[network] / "checkpoint.pt"
    weights = sum(weight.numel() for weight in load_weights(checkpoint).values())
    assert (models / f"{name}{ENDING}").stat().st_size < 1.2 * weights
    net = RECIPES[network].net()
    net.load_state_dict(load_weights(checkpoint))
    picture = np.random.default_rng(0).random(shape, np.float32)
    with torch.no_grad():
        before = net.eval()(torch.from_numpy(picture))
    told = load_network(name, {}, models).run(picture)
    for output, same in zip(told, before if isinstance(before, tuple) else [before], strict=True):
        np.testing.assert_allclose(output, same.numpy(), atol=0.05)


@pytest.mark.parametrize(
    ("option", "network", "name"),
    [
        ("--odd", "detector", "odd_detector"),
        ("--odd", "reader", "odd_reader"),
        ("--low", "detector", "low_detector"),
        ("--rack-detector", "detector", "rack_detector"),
    ],
)
def test_networks_for_special_tiles_have_names_of_their_own(
    trained: dict[str, Path],
    models: Path,
    tmp_path: Path,
    option: str,
    network: str,
    name: str,
) -> None:
    checkpoint = trained[network] / "checkpoint.pt"
    export([option, f"--{network}", str(checkpoint), "--out", str(tmp_path)])
    usual, special = models / f"{network}{ENDING}", tmp_path / f"{name}{ENDING}"
    assert json.loads((tmp_path / MANIFEST).read_text("utf-8")).keys() == {name}
    weights = sum(weight.numel() for weight in load_weights(checkpoint).values())
    assert (special.stat().st_size < 1.2 * weights) == (network == "detector")  # in bytes
    layers = zip(exported(special), exported(usual), strict=True)  # to train on from it
    for (weight, _), (same, _) in layers:
        assert float((weight - same).abs().max()) <= float(same.abs().max()) / 200
