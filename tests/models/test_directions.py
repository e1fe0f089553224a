"""Which tiles of a rack stand on their head, for the network that is trained to tell it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from models.recipes.directions import directions_on
from models.recipes.scenes import DIRECTIONS, POSITIVE, TrainingScene, load_scenes
from tests.face_scores import seen_on
from vision.reader import NINE, SIX, FaceScores
from vision.tiles.rack_direction import windows

FOUR = 3


def standing(*turned: bool) -> NDArray[np.float32]:
    """Return tiles side by side, (n, 4, 2); those that are `turned` stand on their head."""
    tile = np.array([[0, 0], [30, 0], [30, 42], [0, 42]], np.float32)
    quads = [tile + [34 * i, 20] for i in range(len(turned))]
    return np.array(
        [
            np.roll(quad, 2 * on_its_head, axis=0)
            for quad, on_its_head in zip(quads, turned, strict=True)
        ],
        np.float32,
    )


def scene(faces: list[str], *turned: bool, symmetric: bool = False) -> TrainingScene:
    count = len(faces)
    return TrainingScene(
        Path("rack.jpg"),
        standing(*turned),
        tuple(faces),
        np.full(count, POSITIVE, np.int8),
        np.full(count, symmetric),
        np.zeros((0, 4), np.float32),
        np.zeros((0, 4, 2), np.float32),
    )


def found(quads: NDArray[np.float32], numbers: list[int]) -> FaceScores:
    return seen_on(quads, [{number: 1.0} for number in numbers])


def test_a_six_on_its_head_is_told_by_the_other_tiles_of_its_rack() -> None:
    shown = scene(["4R", "6R", "9B", "4B"], False, True, False, False)
    told = directions_on(
        shown, found(standing(False, False, False, False), [FOUR, NINE, NINE, FOUR])
    )
    assert [on_its_head for _, on_its_head in told] == [True, False]
    seen = windows(standing(False, False, False, False))
    assert np.allclose([window for window, _ in told], seen[1:3], atol=0.1)


def test_a_window_stands_as_the_rack_does_however_its_tile_was_found() -> None:
    shown = scene(["4R", "6R", "9B", "4B"], False, True, False, False)
    quads = standing(False, True, True, False)
    told = directions_on(shown, found(quads, [FOUR, SIX, SIX, FOUR]))
    assert [on_its_head for _, on_its_head in told] == [True, False]
    assert all(window[0][1] < window[2][1] for window, _ in told)  # its top is above its bottom


@pytest.mark.parametrize(
    ("faces", "turned", "symmetric"),
    [
        (["6R", "9B"], (False, False), False),
        (["4R", "6R", "9B", "4B"], (False, True, True, False), False),
        (["4R", "6R", "9B", "4B"], (False, False, False, False), True),
        (["4R", "8R", "5B", "4B"], (False, False, False, False), False),
    ],
    ids=["two tiles", "half on their head", "faces without a direction", "no 6 and no 9"],
)
def test_racks_that_do_not_tell_a_direction_teach_nothing(
    faces: list[str], turned: tuple[bool, ...], symmetric: bool
) -> None:
    shown = scene(faces, *turned, symmetric=symmetric)
    assert directions_on(shown, found(shown.quads, [SIX] * len(faces))) == []


def test_what_was_collected_is_loaded_with_the_scenes(tmp_path: Path) -> None:
    lines = [
        {"photo": name, "tiles": [], "rows": [], "width": 9, "height": 9} for name in ("a", "b")
    ]
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, lines)))
    window = [[0, 0], [9, 0], [9, 9], [0, 9]]
    (tmp_path / DIRECTIONS).write_text(json.dumps({"b": [[window, True], [window, False]]}))
    first, second = load_scenes(tmp_path)
    assert first.windows.shape == (0, 4, 2) and first.upside_down.tolist() == []
    assert second.windows.tolist() == [window, window]
    assert second.upside_down.tolist() == [True, False]
