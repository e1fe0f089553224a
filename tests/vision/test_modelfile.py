"""Folders of networks: what may be absent from them, and what is refused."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.places import SAMPLES
from vision.detector import Detector
from vision.errors import ModelError, Reason
from vision.frame import load
from vision.kinds import LOW_TILES, RACK_TILES
from vision.modelfile import ENDING, MANIFEST, default_folder, has_network, load_network


@pytest.fixture
def usual_alone(tmp_path: Path) -> Path:
    """Return a folder of the usual detector, without those for views from low and for racks."""
    entries = json.loads((default_folder() / MANIFEST).read_text("utf-8"))
    del entries[LOW_TILES.detector], entries[RACK_TILES.detector]
    (tmp_path / MANIFEST).write_text(json.dumps(entries), "utf-8")
    shutil.copy(default_folder() / f"detector{ENDING}", tmp_path)
    return tmp_path


def test_a_folder_may_lack_the_networks_for_views_from_low_and_for_racks(usual_alone: Path) -> None:
    for special in (LOW_TILES.detector, RACK_TILES.detector):
        assert has_network(special) and not has_network(special, usual_alone)
    picture = load(SAMPLES / "melds-a.jpg").pixels
    found, usual = Detector(usual_alone).detect(picture), Detector().detect(picture)
    np.testing.assert_array_equal(found.quads, usual.quads)
    on_rack = Detector(usual_alone).detect(picture, on_rack=True)
    np.testing.assert_array_equal(on_rack.quads, usual.quads)


def test_a_folder_may_lack_one_of_them(usual_alone: Path) -> None:
    installed, entries = default_folder(), json.loads((default_folder() / MANIFEST).read_text())
    named = {name: entries[name] for name in ("detector", RACK_TILES.detector)}
    (usual_alone / MANIFEST).write_text(json.dumps(named), "utf-8")
    shutil.copy(installed / f"{RACK_TILES.detector}{ENDING}", usual_alone)
    picture = load(SAMPLES / "rack-a.jpg").pixels
    told = Detector(usual_alone).detect(picture, on_rack=True)
    np.testing.assert_array_equal(told.quads, Detector().detect(picture, on_rack=True).quads)


@pytest.mark.parametrize(("of_cards", "count"), [(False, 8), (True, 5)], ids=["tiles", "cards"])
def test_the_networks_of_a_kind_take_less_than_eight_megabytes(of_cards: bool, count: int) -> None:
    entries = json.loads((default_folder() / MANIFEST).read_text("utf-8"))
    files = [one["file"] for name, one in entries.items() if name.startswith("card_") == of_cards]
    assert len(files) == count
    assert sum((default_folder() / file).stat().st_size for file in files) < 8_000_000


@pytest.mark.parametrize("special", [LOW_TILES.detector, RACK_TILES.detector])
def test_a_network_that_the_manifest_names_has_to_be_there(usual_alone: Path, special: str) -> None:
    entries = json.loads((default_folder() / MANIFEST).read_text("utf-8"))
    named = {name: entries[name] for name in ("detector", special)}
    (usual_alone / MANIFEST).write_text(json.dumps(named), "utf-8")
    with pytest.raises(ModelError) as caught:
        Detector(usual_alone)
    assert caught.value.reason is Reason.MODEL_MISSING and f"{special}{ENDING}" in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [b"no gzip", gzip.compress(b"no network"), gzip.compress(b"cut short")[:-9]],
    ids=["not packed", "no network", "cut short"],
)
def test_a_file_that_is_no_packed_network_is_refused(tmp_path: Path, content: bytes) -> None:
    entry = {"file": "odd.onnx.gz", "sha256": hashlib.sha256(content).hexdigest()}
    (tmp_path / MANIFEST).write_text(json.dumps({"odd": entry}), "utf-8")
    (tmp_path / "odd.onnx.gz").write_bytes(content)
    with pytest.raises(ModelError) as caught:
        load_network("odd", {}, tmp_path)
    assert caught.value.reason is Reason.MODEL_MISMATCH
    assert "odd.onnx.gz: expected a network" in str(caught.value)


def test_the_size_of_an_input_is_height_and_width_of_readers_and_the_reverse_of_others() -> None:
    entries = json.loads((default_folder() / MANIFEST).read_text("utf-8"))
    sized = {name: entry for name, entry in entries.items() if "input" in entry}
    for name, entry in sized.items():
        shape = load_network(name, {}).session.get_inputs()[0].shape
        one, other = entry["input"]
        height, width = (other, one) if "window" in entry else (one, other)
        channels = 4 if "known_marks" in entry else 3
        assert shape[1:] == [channels, height, width], name
    assert sum("known_marks" in entry for entry in sized.values()) == 2
    assert {"reader", "card_reader", "odd_reader", "rack_direction", "second_look"} <= sized.keys()


@pytest.mark.parametrize("content", ["[]", '"detector"', "{", "null"])
def test_a_manifest_of_another_form_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / MANIFEST).write_text(content, "utf-8")
    with pytest.raises(ModelError) as caught:
        Detector(tmp_path)
    assert caught.value.reason is Reason.MODEL_MISMATCH
