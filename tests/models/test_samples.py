"""What the networks are trained on: shapes, colour order, and labels that stay on their pixels
however a sample is changed.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (extra `train`)")

import torch

from models.recipes.detector_data import CELLS, SIDE, STRIDE, CardWindows, DetectorWindows, encode
from models.recipes.reader_data import FROM_ONE, ReaderCrops, _bleached, _from_afar, _moved
from models.recipes.samples import SceneSamples
from models.recipes.scenes import HIDDEN, NONE, POSITIVE, UNSURE, number_and_colour
from vision.crops import FACE_IN_CROP, FACE_SIZE
from vision.detector import decode
from vision.reader import UNREADABLE

from .painted import FACES, is_blue, painted_scene, turned

SAMPLES = 24


def random(*seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def pixel(picture: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Return the RGB value of a (3, h, w) picture at (x, y)."""
    x, y = np.rint(point).astype(int)
    return picture[:, y, x]


def patch(picture: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Return the mean RGB value around (x, y) of a (3, h, w) picture."""
    x, y = np.rint(point).astype(int)
    return picture[:, y - 2 : y + 3, x - 2 : x + 3].mean(axis=(1, 2))


def inside(quad: np.ndarray, limit: tuple[int, int], margin: float = 2) -> bool:
    return bool((quad >= margin).all() and (quad <= np.array(limit) - 1 - margin).all())


# --- both ---


@pytest.mark.parametrize("samples", [DetectorWindows, ReaderCrops])
def test_a_sample_depends_on_seed_and_index_alone(
    samples: type[SceneSamples], tmp_path: Path
) -> None:
    scenes = [painted_scene(tmp_path)]
    first, again, other = samples(scenes, 4), samples(scenes, 4), samples(scenes, 5)
    again[0]  # what was asked before must not matter
    for key, value in first[3].items():
        assert torch.equal(value.nan_to_num(), again[3][key].nan_to_num()), key
    assert not torch.equal(first[3]["picture"], other[3]["picture"])
    assert not torch.equal(first[3]["picture"], first[2]["picture"])


@pytest.mark.parametrize("samples", [DetectorWindows, ReaderCrops])
def test_batches_go_on_where_they_were_left(samples: type[SceneSamples], tmp_path: Path) -> None:
    data = samples([painted_scene(tmp_path)], 4)
    whole = data.batches(2)
    next(whole)
    second, resumed = next(whole), next(data.batches(2, first=1))
    for key, value in second.items():
        assert torch.equal(value.nan_to_num(), resumed[key].nan_to_num()), key


def test_a_picture_that_is_gone_is_named(tmp_path: Path) -> None:
    scene = painted_scene(tmp_path)
    scene.path.unlink()
    with pytest.raises(FileNotFoundError, match=r"expected .*painted\.png"):
        DetectorWindows([scene], 1)[0]


# --- the detector's ---


def as_output(sample: dict[str, np.ndarray]) -> np.ndarray:
    """Return the output, (9, h, w), of a network that has learned this sample by heart."""
    heat = np.clip(sample["heat"], 1e-6, 1 - 1e-6)
    return np.concatenate([np.log(heat / (1 - heat))[None], sample["corners"]])


def test_detector_windows_have_the_networks_shapes(tmp_path: Path) -> None:
    sample = DetectorWindows([painted_scene(tmp_path)], 1)[0]
    assert sample["picture"].shape == (1, 3, SIDE, SIDE) and sample["picture"].dtype == torch.uint8
    assert sample["corners"].shape == (1, 8, CELLS, CELLS)
    for key in ("heat", "weight", "near", "symmetric"):
        assert sample[key].shape == (1, CELLS, CELLS)
        assert float(sample[key].min()) >= 0 and float(sample[key].max()) <= 1


@pytest.mark.parametrize("degrees", [0, 33, 90, 200])
def test_the_detectors_decoder_undoes_the_encoding(degrees: float) -> None:
    quads = np.stack(
        [turned((100.3, 120.7), 40, degrees), turned((250.0, 260.0), 62, degrees + 50)]
    )
    target = encode(quads, np.array([POSITIVE, POSITIVE]), np.array([False, False]))
    found, scores = decode(as_output(target), 0.9)
    order = np.argsort(found.mean(axis=1)[:, 0])
    np.testing.assert_allclose(found[order], quads, atol=1e-2)
    assert (scores > 0.99).all()


def test_what_is_hardly_seen_is_not_asked_for() -> None:
    quads = np.stack([turned((100, 100), 50, 0), turned((280, 280), 50, 0)])
    target = encode(quads, np.array([UNSURE, HIDDEN]), np.array([False, False]))
    assert not target["heat"].any() and not target["near"].any()
    assert target["weight"][100 // STRIDE, 100 // STRIDE] == 0  # neither way
    assert target["weight"][280 // STRIDE, 280 // STRIDE] == 1  # background


def test_corners_lie_on_their_pixels_in_every_window(tmp_path: Path) -> None:
    """Cut out, scaled, turned and changed in colour: the first corner is still the blue
    quarter's.
    """
    data = DetectorWindows([painted_scene(tmp_path)], 2)
    checked = 0
    for index in range(SAMPLES):
        sample = {key: value[0].numpy() for key, value in data[index].items()}
        for quad in decode(as_output(sample), 0.99)[0]:
            if not inside(quad, (SIDE, SIDE)):
                continue
            centre = quad.mean(axis=0)
            blue = [
                is_blue(pixel(sample["picture"], centre + 0.6 * (corner - centre)))
                for corner in quad
            ]
            assert blue == [True, False, False, False]
            if inside(centre + 1.15 * (quad - centre), (SIDE, SIDE)):
                for corner in quad[1:]:
                    near, far = (
                        pixel(sample["picture"], centre + k * (corner - centre)).sum(dtype=int)
                        for k in (0.85, 1.15)
                    )
                    assert near > 1.3 * far, "light just inside the corner, dark just outside"
            checked += 1
    assert checked > SAMPLES


def test_some_windows_of_tiles_lie_near_places_mined_as_none(tmp_path: Path) -> None:
    scene = painted_scene(tmp_path)
    assert DetectorWindows([scene], 0).near(scene, random(1)) is scene.quads
    mined = replace(scene, blanks=scene.quads[:1] + 40)
    windows = DetectorWindows([mined], 0)
    chosen = [windows.near(mined, random(index)) is mined.blanks for index in range(300)]
    assert 0.25 < np.mean(chosen) < 0.45


def test_every_other_window_of_cards_lies_near_a_jolly(tmp_path: Path) -> None:
    scene = painted_scene(tmp_path)
    count = len(scene.faces)
    faces = ("J", "J", "7R", "1B", "10Y")
    seen = np.array([POSITIVE, HIDDEN, *scene.seen[2:]], np.int8)
    data = CardWindows([], 1)
    drawn = [data.near(replace(scene, faces=faces, seen=seen), random(9, n)) for n in range(400)]
    of_jollies = [quads for quads in drawn if len(quads) == 1]
    assert all(np.array_equal(quads[0], scene.quads[0]) for quads in of_jollies)
    assert {len(quads) for quads in drawn} == {1, count}
    assert 150 < len(of_jollies) < 250
    hidden = replace(scene, faces=faces, seen=np.full(count, HIDDEN, np.int8))
    assert all(len(data.near(hidden, random(9, n))) == count for n in range(20))


def test_an_ignored_box_is_asked_for_neither_way(tmp_path: Path) -> None:
    scene = replace(
        painted_scene(tmp_path), ignore=np.array([[-4000, -4000, 4000, 4000]], np.float32)
    )
    assert not DetectorWindows([scene], 1)[0]["weight"].any()


# --- the reader's ---


def crops_of(tmp_path: Path, hidden: tuple[int, ...] = ()) -> dict[str, np.ndarray]:
    data = ReaderCrops([painted_scene(tmp_path, hidden)], 3)
    samples = [data[index] for index in range(SAMPLES)]
    return {key: np.concatenate([sample[key].numpy() for sample in samples]) for key in samples[0]}


def test_reader_crops_have_the_networks_shapes(tmp_path: Path) -> None:
    crops = crops_of(tmp_path)
    assert (
        crops["picture"].shape == (SAMPLES * FROM_ONE, 3, 64, 48)
        and crops["picture"].dtype == np.uint8
    )
    assert crops["corner_offsets"].shape == (SAMPLES * FROM_ONE, 8)
    pairs = {(int(n), int(c)) for n, c in zip(crops["number"], crops["colour"], strict=True)}
    assert pairs == {number_and_colour(face) for face in FACES} | {(UNREADABLE, NONE)}
    assert set(crops["turn"].tolist()) == {NONE, 0, 1, 2, 3}


def test_turn_and_corner_offsets_tell_where_the_face_lies_in_its_crop(tmp_path: Path) -> None:
    crops = crops_of(tmp_path)
    told = []
    for picture, turn, corner_offsets in zip(
        crops["picture"], crops["turn"], crops["corner_offsets"], strict=True
    ):
        if turn == NONE:
            assert np.isnan(corner_offsets).all()
            continue
        corners = FACE_IN_CROP + corner_offsets.reshape(4, 2) * FACE_SIZE
        if not inside(corners, (48, 64), 0):
            continue
        centre = corners.mean(axis=0)
        quarters = np.stack(
            [patch(picture, centre + 0.5 * (corner - centre)) for corner in corners]
        )
        # A face turned clockwise has its first corner at the second of the crop.
        told.append(int((quarters[:, 2] - quarters[:, 0]).argmax()) == turn)
    assert len(told) > 50 and np.mean(told) > 0.97  # a few lie under a patch of glare


def test_a_body_is_brought_to_white(tmp_path: Path) -> None:
    crops = crops_of(tmp_path)
    faces = crops["picture"][crops["turn"] == 0].astype(float)
    body = faces[:, :, 44:54, 26:38].mean(axis=(0, 2, 3))  # lower right of an upright face
    assert body.min() > 200 and np.ptp(body) < 12


def test_half_seen_faces_are_read(tmp_path: Path) -> None:
    scene = painted_scene(tmp_path)
    unsure = np.full(len(scene.quads), UNSURE, np.int8)
    half = np.array([True, False, False, False, False])
    data = ReaderCrops([replace(scene, seen=unsure, half_seen=half)], 1)
    numbers = np.concatenate([data[i]["number"].numpy() for i in range(4)])
    assert set(numbers.tolist()) == {number_and_colour(FACES[0])[0], UNREADABLE}


def test_bleached_ink_keeps_its_body() -> None:
    crop = np.full((64, 48, 3), 220, np.float32)
    crop[20:40, 15:30] = (180, 30, 40)
    faded = _bleached(crop, np.random.default_rng(2))
    assert np.abs(faded[50, 40] - 220).max() < 1
    assert (faded[30, 20] >= crop[30, 20]).all() and faded[30, 20, 1] > 45


@pytest.mark.parametrize("change", [_from_afar, _moved])
def test_changes_of_sharpness_keep_the_face_where_it_is(change: Any) -> None:
    crop = np.full((64, 48, 3), 200, np.float32)
    crop[24:40, 16:32] = 20
    for seed in range(5):
        changed = change(crop, np.random.default_rng(seed))
        assert changed.shape == crop.shape
        dark = 200 - changed[..., 0]
        y, x = (np.arange(size) + 0.5 for size in (64, 48))
        assert abs((dark.sum(axis=1) @ y) / dark.sum() - 32) < 1.5
        assert abs((dark.sum(axis=0) @ x) / dark.sum() - 24) < 1.5
        assert dark.max() <= 180.1 and (dark > 5).sum() > (crop[..., 0] < 100).sum()


def test_covered_faces_cannot_be_read(tmp_path: Path) -> None:
    crops = crops_of(tmp_path, hidden=(0, 1, 2, 3, 4))
    assert (
        (crops["number"] == UNREADABLE).all()
        and (crops["colour"] == NONE).all()
        and (crops["turn"] == NONE).all()
    )
