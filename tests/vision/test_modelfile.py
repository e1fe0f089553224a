"""Folders of networks: what may be absent from them, and what is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.places import SAMPLES
from vision.detector import Detector
from vision.errors import ModelError, Reason
from vision.frame import load
from vision.kinds import LOW_TILES
from vision.modelfile import MANIFEST, default_folder, has_network


@pytest.fixture
def without_low(tmp_path: Path) -> Path:
    """Return a folder of the installed networks but that for views from low."""
    entries = json.loads((default_folder() / MANIFEST).read_text("utf-8"))
    del entries[LOW_TILES.detector]
    (tmp_path / MANIFEST).write_text(json.dumps(entries), "utf-8")
    shutil.copy(default_folder() / "detector.onnx", tmp_path)
    return tmp_path


def test_a_folder_may_lack_the_network_for_views_from_low(without_low: Path) -> None:
    assert has_network(LOW_TILES.detector) and not has_network(LOW_TILES.detector, without_low)
    picture = load(SAMPLES / "melds-a.jpg").pixels
    found, usual = Detector(without_low).detect(picture), Detector().detect(picture)
    np.testing.assert_array_equal(found.quads, usual.quads)


def test_a_network_that_the_manifest_names_has_to_be_there(without_low: Path) -> None:
    shutil.copy(default_folder() / MANIFEST, without_low)
    with pytest.raises(ModelError) as caught:
        Detector(without_low)
    assert caught.value.reason is Reason.MODEL_MISSING and "low_detector.onnx" in str(caught.value)


@pytest.mark.parametrize("content", ["[]", '"detector"', "{", "null"])
def test_a_manifest_of_another_form_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / MANIFEST).write_text(content, "utf-8")
    with pytest.raises(ModelError) as caught:
        Detector(tmp_path)
    assert caught.value.reason is Reason.MODEL_MISMATCH
