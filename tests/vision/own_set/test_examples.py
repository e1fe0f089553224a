"""A set of tiles keeps varied examples of its faces, and refuses anything that is no example."""

import numpy as np
import pytest

from vision.crops import CROP_HEIGHT, CROP_WIDTH
from vision.own_set.examples import MAX_PER_FACE, FaceExample, Origin, TileSet


def example(face: str, grey: int, origin: Origin = Origin.TAUGHT) -> FaceExample:
    return FaceExample(face, np.full((CROP_HEIGHT, CROP_WIDTH, 3), grey, np.uint8), origin)


def test_counts_are_in_the_order_of_the_faces() -> None:
    tiles = TileSet("ours").with_examples([example("J", 1), example("2R", 2), example("2R", 90)])
    assert tiles.counts() == {"2R": 2, "J": 1}
    assert list(tiles.counts()) == ["2R", "J"]


def test_the_older_of_the_two_most_alike_examples_goes() -> None:
    greys = [10 * i for i in range(MAX_PER_FACE)]
    tiles = TileSet("ours").with_examples([example("7K", grey) for grey in greys])
    assert tiles.counts() == {"7K": MAX_PER_FACE}
    tiles = tiles.with_examples([example("7K", 31)])
    kept = [int(kept.crop[0, 0, 0]) for kept in tiles.examples]
    assert kept == [grey for grey in greys if grey != 30] + [31]


def test_learned_examples_never_push_out_taught_ones() -> None:
    taught = [example("7K", 10 * i) for i in range(MAX_PER_FACE)]
    learned = [example("7K", 10 * i + 1, Origin.SETTLED) for i in range(MAX_PER_FACE + 3)]
    tiles = TileSet("ours").with_examples(taught).with_examples(learned)
    assert tiles.examples[:MAX_PER_FACE] == tuple(taught)
    assert tiles.counts() == {"7K": 2 * MAX_PER_FACE}


@pytest.mark.parametrize("face", ["14R", "", "j", "J2", "7"])
def test_an_unknown_face_is_refused(face: str) -> None:
    with pytest.raises(ValueError, match="expected one of the 53 faces"):
        example(face, 0)


@pytest.mark.parametrize(
    "crop",
    [np.zeros((48, 64, 3), np.uint8), np.zeros((64, 48, 3), np.float32), np.zeros((64, 48))],
)
def test_a_crop_of_another_size_or_type_is_refused(crop: np.ndarray) -> None:
    with pytest.raises(ValueError, match="expected a crop"):
        FaceExample("7R", crop)
