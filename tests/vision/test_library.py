"""The example of how to use the library runs as it is printed, on a bundled photograph."""

from __future__ import annotations

import doctest
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import vision
from tests.places import SAMPLES


def test_the_library_example_reads_a_photograph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(SAMPLES / "melds-a.jpg", tmp_path / "table.jpg")
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testmod(vision, optionflags=doctest.ELLIPSIS)
    assert (failed, tried) == (0, 4)


def test_importing_the_library_loads_neither_networks_nor_opencv() -> None:
    check = "import sys, vision; print(*{'onnxruntime', 'cv2'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
