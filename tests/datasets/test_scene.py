"""Rendered scenes: their truth against their own pixels, and what a training set must be able to
rely on.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.faces import FaceStyle, random_style
from datasets.generate import main as generate
from datasets.labels import LabelledPicture, LabelledTile
from datasets.scene import FaceBank, SceneConfig, compose, photo, render_scene, surfaces
from datasets.scene.bank import Texture
from datasets.scene.blocks import flat
from datasets.scene.camera import Camera, random_camera
from datasets.scene.filling import melds_of_a_side, one_rack
from datasets.scene.light import random_light
from datasets.scene.paint import Canvas, paint_block
from datasets.scene.prints import MAKERS
from datasets.scene.table import Table
from datasets.scene.truth import truth

SMALL = SceneConfig(width=320, height=256, tile_px=(14, 40))
SEEDS = 9


class PlainFaces(FaceBank):
    """Faces that are easily told from grey surroundings: red with sharp corners, a blue upper left
    quarter and grey sides.
    """

    def texture(self, tile: str | None, copy: int = 0) -> Texture:
        face = np.zeros((128, 96, 4), np.uint8)
        face[...] = (220, 20, 20, 255)
        face[:64, :48] = (20, 20, 220, 255)
        return Texture(face, np.zeros((128, 96, 2), np.float32), False)


def plain_style() -> FaceStyle:
    style = random_style(np.random.default_rng(0))
    return replace(
        style, aspect=1.4, side_rgb=(90, 90, 90), thickness=0.3, gloss=0.0, corner_radius=0.001
    )


@pytest.fixture
def plain_scene(monkeypatch: pytest.MonkeyPatch) -> tuple[NDArray[np.uint8], LabelledPicture]:
    """Render tiles well apart, turned any way, with plain faces on grey, without light or camera
    faults.
    """

    def grey(
        rng: np.random.Generator, camera: Camera, things: NDArray[np.float64], prints: float
    ) -> NDArray[np.uint8]:
        return np.full((camera.height, camera.width, 3), 90, np.uint8)

    def apart(table: Table, rng: np.random.Generator) -> None:
        places = [(x, y) for x in (-160, -80, 0, 80, 160) for y in (-80, 0, 80)]
        table.lay(
            [
                table.tile(x, y, rng.uniform(-3, 3), f"{i % 13 + 1}R")
                for i, (x, y) in enumerate(places)
            ]
        )

    monkeypatch.setattr(compose, "paint_ground", grey)
    config = SceneConfig(
        width=640, height=480, tile_px=(40, 60), empty=0, easy=1, clean=True, fill=apart
    )
    monkeypatch.setattr(compose.things, "lay_clutter", lambda *_: None)
    return render_scene(np.random.default_rng(5), config, bank=PlainFaces(plain_style(), 1))


@cache
def small_bank() -> FaceBank:
    """Faces that are drawn once for all scenes."""
    return FaceBank.random(3, width=48)


def scenes(
    config: SceneConfig, count: int = SEEDS
) -> list[tuple[NDArray[np.uint8], LabelledPicture]]:
    return [
        render_scene(np.random.default_rng([1, seed]), config, bank=small_bank())
        for seed in range(count)
    ]


@pytest.fixture(scope="module")
def small_scenes() -> list[tuple[NDArray[np.uint8], LabelledPicture]]:
    """Small scenes in which anything may lie."""
    return scenes(SMALL)


def measured_corners(image: NDArray[np.uint8], tile: LabelledTile) -> NDArray[np.float64]:
    """Find a tile's corners from the pixels alone: where lines through the sides of the coloured
    area meet, (4, 2) px, TL, TR, BR, BL.
    """
    assert tile.corners is not None
    low = np.maximum(np.floor(tile.corners.min(axis=0)).astype(int) - 4, 0)
    high = np.ceil(tile.corners.max(axis=0)).astype(int) + 5
    region = image[low[1] : high[1], low[0] : high[0]].astype(np.float32)
    colour = region[..., 0] + region[..., 2] - 2 * region[..., 1]  # 200 on a face, 0 on grey
    fine = cv2.resize(colour, None, fx=8, fy=8, interpolation=cv2.INTER_LINEAR)
    outlines, _ = cv2.findContours(
        (fine > 100).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    points = (np.concatenate(outlines)[:, 0] + 0.5) / 8 - 0.5 + low
    lines = []
    for start, end in zip(tile.corners, np.roll(tile.corners, -1, axis=0), strict=True):
        along = (points - start) @ (end - start) / np.sum((end - start) ** 2)
        normal = np.array([start[1] - end[1], end[0] - start[0]]) / np.linalg.norm(end - start)
        away = np.abs((points - start) @ normal)
        vx, vy, x, y = cv2.fitLine(
            points[(away < 3) & (abs(along - 0.5) < 0.35)].astype(np.float32), 2, 0, 0.01, 0.01
        ).ravel()
        lines.append(np.cross([x, y, 1.0], [x + vx, y + vy, 1.0]))
    met = [np.cross(lines[i - 1], lines[i]) for i in range(4)]
    return np.array([m[:2] / m[2] for m in met])


def is_alone(tile: LabelledTile, picture: LabelledPicture) -> bool:
    """Whether a tile is fully seen, and no other tile's edge is near enough to be taken for its
    own.
    """
    assert tile.corners is not None
    others = [t.corners for t in picture.tiles if t is not tile and t.corners is not None]
    far = all(
        cv2.pointPolygonTest(o, tile.centre, True) < -1.1 * np.ptp(tile.corners, axis=0).max()
        for o in others
    )
    return tile.counted and tile.visible > 0.98 and far


def test_corners_are_where_the_pixels_are(
    plain_scene: tuple[NDArray[np.uint8], LabelledPicture],
) -> None:
    image, picture = plain_scene
    alone = [t for t in picture.tiles if is_alone(t, picture)]
    assert len(alone) >= 4
    for tile in alone:
        gaps = np.linalg.norm(tile.corners - measured_corners(image, tile), axis=1)
        assert gaps.max() < 0.7, f"{tile.tile}: {gaps}"


@pytest.mark.parametrize("fault", [photo._blurred, photo._resampled])
def test_no_camera_fault_moves_the_picture_off_its_truth(fault: Any) -> None:
    picture = np.full((256, 320, 3), 60, np.uint8)
    picture[90:150, 120:200] = 210
    ys, xs = np.mgrid[0:256, 0:320]
    changed = 0
    for seed in range(60):
        image = fault(np.random.default_rng(seed), picture, False)
        light = image.mean(axis=2) - 60.0
        middle = np.array([(light * xs).sum(), (light * ys).sum()]) / light.sum()
        assert np.abs(middle - (159.5, 119.5)).max() < 0.05, f"seed {seed}"
        changed += not np.array_equal(image, picture)
    assert changed > 8


def test_first_corner_is_the_upper_left_one_in_reading_direction(
    plain_scene: tuple[NDArray[np.uint8], LabelledPicture],
) -> None:
    image, picture = plain_scene
    for tile in picture.tiles:
        if not tile.counted or tile.corners is None:
            continue
        for corner, blue in zip(tile.corners, (True, False, False, False), strict=True):
            x, y = np.rint(0.5 * corner + 0.5 * np.asarray(tile.centre)).astype(int)
            assert (image[y, x, 2] > image[y, x, 0]) == blue


def test_same_seed_same_scene() -> None:
    bank = FaceBank.random(3, width=48)
    first, again = (render_scene(np.random.default_rng(8), SMALL, bank=bank) for _ in range(2))
    other = render_scene(np.random.default_rng(8), SMALL, bank=FaceBank.random(3, width=48))
    np.testing.assert_array_equal(first[0], again[0])
    np.testing.assert_array_equal(first[0], other[0])
    assert [t.tile for t in first[1].tiles] == [t.tile for t in other[1].tiles]
    assert not np.array_equal(first[0], render_scene(np.random.default_rng(9), SMALL, bank=bank)[0])


def test_truth_is_well_formed(
    small_scenes: list[tuple[NDArray[np.uint8], LabelledPicture]],
) -> None:
    seen = 0
    for image, picture in small_scenes:
        assert image.shape == (256, 320, 3) and image.dtype == np.uint8
        assert max(Counter(t.tile for t in picture.tiles).values(), default=0) <= 2
        for tile in picture.tiles:
            assert tile.corners is not None and tile.corners.shape == (4, 2)
            assert 0 <= tile.centre[0] <= 319 and 0 <= tile.centre[1] <= 255
            assert 0 < tile.visible <= 1
            if tile.counted:
                assert tile.visible >= 0.75
                assert tile.corners.min() >= 3 and np.all(tile.corners <= [316, 252])
        for number, row in enumerate(picture.rows):
            assert row.tiles and all(picture.tiles[i].row == number for i in row.tiles)
            assert (row.legal is None) == (row.kind in ("grid", "rack") or not row.whole)
        assert sum(len(r.tiles) for r in picture.rows) == sum(
            t.row is not None for t in picture.tiles
        )
        seen += len(picture.tiles)
    assert seen > 60


def test_rows_are_told_in_reading_order(
    small_scenes: list[tuple[NDArray[np.uint8], LabelledPicture]],
) -> None:
    checked = 0
    for _, picture in small_scenes:
        for row in picture.rows:
            if row.kind in ("rack", "grid") or not row.whole:
                continue
            quads = np.stack([c for i in row.tiles if (c := picture.tiles[i].corners) is not None])
            along = quads[:, 1] - quads[:, 0]
            rightwards = np.median(along, axis=0)
            if np.linalg.norm(rightwards) < 0.5 * np.linalg.norm(along[0]):
                continue  # half of the tiles stand on their heads
            checked += 1
            assert (quads[-1].mean(axis=0) - quads[0].mean(axis=0)) @ rightwards > 0
    assert checked > 5


@pytest.mark.pictures
def test_cameras_and_racks_are_as_asked_for() -> None:
    low = replace(SMALL, elevation=(12, 20), empty=0.0, fill=melds_of_a_side)
    for seed in range(4):
        stage = compose.set_stage(np.random.default_rng(seed), low, small_bank())
        assert 12 <= np.degrees(np.arcsin(-stage.camera.rotation[2, 2])) <= 20.01
        assert set(stage.table.rows) <= {"meld"}
    shown: list[float] = []
    for rise in (1.0, 0.5):
        racks = replace(SMALL, empty=0.0, fill=partial(one_rack, rack_rise=(rise, rise)))
        pictures = [picture for _, picture in scenes(racks, 4)]
        assert {row.kind for picture in pictures for row in picture.rows} == {"rack"}
        tiles = [tile for picture in pictures for tile in picture.tiles]
        shown.append(float(np.mean([tile.visible for tile in tiles])))
    assert shown[0] > shown[1] + 0.05


def test_empty_scenes_have_no_tile_to_read() -> None:
    for _, picture in scenes(replace(SMALL, empty=1.0), 4):
        assert picture.tiles == () and picture.rows == ()


def test_half_covered_tile_is_half_visible() -> None:
    rng = np.random.default_rng(2)
    camera = replace(random_camera(rng, 400, 300, 50, 26), distortion=0.0)
    straight_down = np.array([[1.0, 0, 0], [0, -1, 0], [0, 0, -1]])
    camera = replace(
        camera,
        position=np.array([0, 0, 2000.0]),
        rotation=straight_down,
        focal=4000.0,
        centre=(199.5, 149.5),
    )
    canvas = Canvas(
        camera,
        random_light(rng, True),
        np.zeros((300, 400, 3), np.uint8),
        np.zeros((300, 400), np.uint8),
    )
    bank = PlainFaces(plain_style(), 1)
    size = (26.0, 36.0, 6.0)
    below = flat(0, 0, 0, size, tile="7R", radius=0.1)
    above = flat(13, 0, 0, size, rest=6.0, tile="8R", radius=0.1)
    for label, block in ((1, below), (2, above)):
        paint_block(canvas, block, bank, label, rng)
    picture = truth(canvas, [(1, below), (2, above)], [], [], bank)
    covered, free = picture.tiles
    assert covered.visible == pytest.approx(0.5, abs=0.05) and not covered.counted
    assert free.visible == pytest.approx(1.0, abs=0.02) and free.counted


@pytest.mark.pictures
def test_more_comodines_than_two_all_differ() -> None:
    bank = FaceBank.random(3, width=48, jokers=6)
    faces = [bank.texture("J", copy).rgba.tobytes() for copy in range(7)]
    assert len(set(faces[:6])) == 6 and faces[6] == faces[0]
    many = replace(SMALL, jokers=40)
    seen = Counter(
        t.tile
        for seed in range(6)
        for t in render_scene(np.random.default_rng([1, seed]), many, bank=bank)[1].tiles
    )
    assert seen["J"] > 0.08 * seen.total()


@pytest.mark.pictures
def test_table_tops_are_pictures_and_depend_on_their_seed_alone() -> None:
    for maker in MAKERS:
        one, again, other = (maker(np.random.default_rng(seed)) for seed in (1, 1, 2))
        assert (
            one.dtype == np.uint8
            and one.ndim == 3
            and one.shape[2] == 3
            and one.shape[0] == one.shape[1]
        )
        np.testing.assert_array_equal(one, again)
        assert one.std() > 1 and not np.array_equal(one, other)


@pytest.fixture
def one_photograph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pretend that one desktop background, redder than blue, is installed; the machine's own are
    not seen in tests.
    """
    noise = np.random.default_rng(2).integers(0, 90, (800, 900, 3), np.uint8)
    cv2.imwrite(str(tmp_path / "background.png"), noise + np.array([0, 60, 120], np.uint8))
    cv2.imwrite(str(tmp_path / "icon.png"), noise[:20, :20])  # too small a file for a background
    monkeypatch.setattr(surfaces, "PHOTO_ROOTS", (str(tmp_path),))
    kept = (surfaces.photographs, surfaces.photograph)
    for cached in kept:
        cached.cache_clear()
    yield
    for cached in kept:
        cached.cache_clear()


@pytest.mark.usefixtures("one_photograph")
def test_a_background_that_is_installed_is_cropped_for_a_table_top() -> None:
    assert [Path(path).name for path in surfaces.photographs()] == ["background.png"]
    for seed in range(5):
        top = surfaces.photo_crop(np.random.default_rng(seed))
        assert top is not None and top.shape == (surfaces.SIDE, surfaces.SIDE, 3)
        assert top[..., 0].mean() > top[..., 2].mean() + 90


@pytest.mark.pictures
def test_generator_takes_up_where_it_stopped(tmp_path: Path) -> None:
    def labels(folder: Path, count: int) -> list[dict[str, object]]:
        generate([str(folder), "--count", str(count), "--seed", "4", "--size", "160x128"])
        return [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]

    labels(tmp_path / "a", 2)
    longer, at_once = labels(tmp_path / "a", 3), labels(tmp_path / "b", 3)
    assert longer == at_once and len(longer) == 3
    for line in at_once:
        name = str(line["photo"])
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
        assert cv2.imread(str(tmp_path / "a" / name)).shape == (128, 160, 3)


def test_generator_names_what_size_it_expected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        generate([str(tmp_path), "--count", "1", "--seed", "1", "--size", "wide"])
    assert "expected WIDTHxHEIGHT, got 'wide'" in capsys.readouterr().err
