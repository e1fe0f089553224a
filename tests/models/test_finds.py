"""What lies at the finds that the network for a second look is trained on."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from models.recipes import finds
from models.recipes.finds import finds_on, shown_at
from models.recipes.scenes import (
    FINDS,
    HIDDEN,
    NONE,
    POSITIVE,
    UNSURE,
    TrainingScene,
    load_scenes,
)
from tests.face_scores import seen_on
from tests.places import SAMPLES
from vision.detector import Detections
from vision.quads import Quad
from vision.reader import JOKER, NINE, UNREADABLE, FaceScores
from vision.tiles.second_look import AROUND, NO_TILE

TILE = np.array([[0, 0], [30, 0], [30, 42], [0, 42]], np.float32)
SIZE = (120, 400)  # height and width of the picture


def at(place: float) -> Quad:
    return np.asarray(TILE + [40 * place + 10, 30], np.float32)


def scene() -> TrainingScene:
    """Tiles side by side: a 4, a 9, a comodín, one that is covered, one that one reader could read
    and another could not, and one on a rack, half of which is covered. Beyond them nothing is
    labelled.
    """
    seen = [POSITIVE, POSITIVE, POSITIVE, HIDDEN, UNSURE, UNSURE]
    return TrainingScene(
        Path("table.jpg"),
        np.array([at(place) for place in range(6)]),
        ("4R", "9B", "J", "7K", "8Y", "8Y"),
        np.array(seen, np.int8),
        np.zeros(6, np.bool_),
        np.array([[330, 0, 400, 120]], np.float32),
        np.zeros((0, 4, 2), np.float32),
        half_seen=np.array([False, False, False, False, False, True]),
    )


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        (0, (3, 0)),
        (0.2, (3, 0)),
        (1, (NINE, 1)),
        (2, (JOKER, NONE)),
        (3, (UNREADABLE, NONE)),
        (4, None),
        (5, (7, 3)),
        (0.5, None),
        (7, (NO_TILE, NONE)),
        (8.5, None),
    ],
    ids=[
        "tile",
        "beside it",
        "another one",
        "comodín",
        "covered",
        "half covered",
        "half covered on a rack",
        "two tiles",
        "nothing",
        "no labels",
    ],
)
def test_what_lies_at_a_find(place: float, shown: tuple[int, int] | None) -> None:
    wide = np.array([[-10, 0], [10, 0], [10, 0], [-10, 0]]) if place == 0.5 else 0
    assert shown_at(scene(), np.asarray(at(place) + wide, np.float32), inside=True) == shown


def test_at_the_edge_of_a_picture_lie_tiles_without_a_label() -> None:
    assert shown_at(scene(), at(7), inside=False) is None
    assert shown_at(scene(), at(0), inside=False) == (3, 0)


def seen(quads: NDArray[np.float32], legible: list[float]) -> FaceScores:
    """See a red 4 on each quad, with these probabilities."""
    return seen_on(quads, [{3: one, UNREADABLE: 1 - one} for one in legible], {0: 0.997})


def test_finds_that_the_product_would_ask_about_are_in_doubt() -> None:
    quads = np.array([at(0), at(0), at(0), at(7), at(7)])
    scores = np.array([0.9, 0.9, 0.45, 0.3, 0.7], np.float32)
    told = finds_on(
        scene(), SIZE, Detections(quads, scores), seen(quads, [0.99, 0.9, 0.99, 0.1, 0.1])
    )
    assert [doubt for *_, doubt in told] == [0, 1, 1, 0, 1]
    assert [shown for _, shown, _, _ in told] == [3, 3, 3, NO_TILE, NO_TILE]
    assert np.allclose([window for window, *_ in told], AROUND.windows(quads), atol=0.1)


def test_a_find_of_which_the_truth_is_not_known_teaches_nothing() -> None:
    quads = np.array([at(4), at(8.5)])
    scores = np.array([0.9, 0.9], np.float32)
    assert finds_on(scene(), SIZE, Detections(quads, scores), seen(quads, [0.9, 0.9])) == []


def test_what_was_collected_is_loaded_with_the_scenes(tmp_path: Path) -> None:
    """The bundled photograph of a rack has no labels here, so that all its tiles are finds at which
    no tile is labelled.
    """
    (tmp_path / "rack.jpg").write_bytes((SAMPLES / "rack-b.jpg").read_bytes())
    lines = [{"photo": "rack.jpg", "tiles": [], "rows": [], "width": 9, "height": 9}]
    lines.append({**lines[0], "photo": "other.jpg", "ignore": [[0, 0, 9999, 9999]]})
    (tmp_path / "other.jpg").write_bytes((SAMPLES / "rack-b.jpg").read_bytes())
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, lines)))
    count = finds.collect(tmp_path, None, racks=True)
    assert count > 5 and len(json.loads((tmp_path / FINDS).read_text("utf-8"))) == 2
    rack, other = load_scenes(tmp_path)
    assert rack.finds.shape == (count, 4, 2) and other.finds.shape == (0, 4, 2)
    assert rack.shown[:, 0].tolist() == [NO_TILE] * count and other.shown.shape == (0, 3)
