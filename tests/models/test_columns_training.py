"""The networks that see columns of cards, trained for two steps and exported."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.cards.column_ends import CARD, CLASSES, JOLLY, ColumnEnds
from vision.cards.column_gaps import ColumnGaps
from vision.cards.known_marks import LooksAtColumns, NearMarks
from vision.modelfile import MANIFEST

from .test_card_second_look_stages import scene

pytest.importorskip("torch", reason="PyTorch is not installed (extra `train`)")

from models.recipes.export import main as export
from models.recipes.nets import ColumnNet
from models.recipes.train_column_ends import Ends
from models.recipes.train_column_gaps import Gaps
from models.recipes.train_second_look import losses, with_finds
from models.recipes.training import Task, train


@pytest.mark.parametrize(("samples", "network"), [(Ends, ColumnEnds), (Gaps, ColumnGaps)])
def test_the_product_loads_what_was_trained_and_exported(
    samples: type[Ends], network: type[LooksAtColumns], tmp_path: Path
) -> None:
    picture = tmp_path / "table.jpg"
    noise = np.random.default_rng(1).integers(0, 255, (400, 600, 3), np.uint8)
    cv2.imwrite(str(picture), noise)
    shown = scene(picture)
    squares = np.array([[[50, 50], [190, 50], [190, 190], [50, 190]]] * 2, np.float32)
    ends = samples.around.windows(squares)
    marks = NearMarks(squares[:1] / 4, np.ones(1, np.bool_))
    shown = replace(
        shown, finds=ends, shown=np.array([[CARD, -1, 0], [JOLLY, -1, 1]]), marks=(marks, marks)
    )
    task = Task([shown], tmp_path / "run", steps=2, seed=5, workers=0, rendered=1)
    train(ColumnNet, samples, losses, 2, with_finds(task))
    checkpoint = str(tmp_path / "run" / "checkpoint.pt")
    export(
        [
            f"--{network.network.removeprefix('card_')}",
            checkpoint,
            "--pieces",
            "cards",
            "--out",
            str(tmp_path),
        ]
    )
    (name,) = json.loads((tmp_path / MANIFEST).read_text("utf-8"))
    assert name == network.network
    assert network(tmp_path).look(noise, squares, [marks, marks]).shape == (2, len(CLASSES))
