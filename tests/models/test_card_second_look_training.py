"""The network that looks again at marks of cards, trained for two steps and exported."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.cards.second_look import AROUND, NO_MARK, CardSecondLook
from vision.modelfile import MANIFEST

from .test_card_second_look_stages import scene

pytest.importorskip("torch", reason="PyTorch is not installed (extra `train`)")

from models.recipes.export import main as export
from models.recipes.nets import CardSecondLookNet
from models.recipes.train_card_second_look import CardFinds
from models.recipes.train_second_look import losses, with_finds
from models.recipes.training import Task, train


def test_the_product_loads_what_was_trained_and_exported(tmp_path: Path) -> None:
    picture = tmp_path / "table.jpg"
    noise = np.random.default_rng(1).integers(0, 255, (400, 600, 3), np.uint8)
    cv2.imwrite(str(picture), noise)
    found = scene(picture)
    found = replace(
        found, finds=AROUND.windows(found.quads), shown=np.array([[8, 3, 0], [13, -1, 1]])
    )
    task = Task([found], tmp_path / "run", steps=2, seed=5, workers=0, rendered=1)
    train(CardSecondLookNet, CardFinds, losses, 2, with_finds(task))
    checkpoint = str(tmp_path / "run" / "checkpoint.pt")
    export(["--second_look", checkpoint, "--pieces", "cards", "--out", str(tmp_path)])
    entries = json.loads((tmp_path / MANIFEST).read_text("utf-8"))
    assert (
        list(entries) == [CardSecondLook.network]
        and entries[CardSecondLook.network]["provenance"]["rounds"][0]["steps"] == 2
    )
    assert CardSecondLook(tmp_path).look(noise, found.quads).shape == (2, NO_MARK + 1)


def test_a_training_without_finds_is_refused() -> None:
    with pytest.raises(SystemExit, match="expected scenes with finds, got none"):
        with_finds(Task([scene()], Path(), steps=1, seed=1, workers=0, rendered=1))
