"""The example of how to use the library runs as it is printed, on a bundled photograph."""

from __future__ import annotations

import doctest
import shutil
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest

import vision
from tests.places import SAMPLES
from vision.own_set.examples import TileSet
from vision.own_set.knowledge import OwnSet


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


def test_the_reader_of_cards_takes_no_set_of_tiles() -> None:
    cards = vision.open_reader(pieces=vision.Pieces.CARDS)
    with pytest.raises(ValueError, match=r"expected a reader of 'tiles'.*got a reader of 'cards'"):
        cards.with_set(TileSet("ours"))
    for odd in (True, False):
        with pytest.raises(ValueError, match="got a reader of 'cards'"):
            cards.knowing(cast(OwnSet, None), odd=odd)
