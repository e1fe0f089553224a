"""The parts of the recipes that need no training: loading scenes, mining, directions of
photographs, temperatures and inks.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from models.recipes import inks
from models.recipes.calibrate import best_temperature, samples, temperatures
from models.recipes.mine import THRESHOLD, blanks_of, mine
from models.recipes.real import directions
from models.recipes.scenes import (
    HIDDEN,
    NONE,
    POSITIVE,
    UNSURE,
    TrainingScene,
    load_scenes,
    mixed,
    number_and_colour,
)
from tests.places import PROJECT, SCENES
from vision.colour import INKS
from vision.detector import Detector, DetectorConfig
from vision.frame import load
from vision.kinds import CARDS
from vision.modelfile import ENDING, MANIFEST, default_folder
from vision.reader import JOKER, UNREADABLE, Reader

from .painted import painted_scene


@pytest.fixture(scope="module")
def uncalibrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the networks of the repository, but without temperatures."""
    folder = tmp_path_factory.mktemp("models")
    for path in default_folder().glob(f"*{ENDING}"):
        shutil.copy(path, folder)
    manifest = json.loads((default_folder() / MANIFEST).read_text("utf-8"))
    manifest["reader"]["temperatures"] = {}
    (folder / MANIFEST).write_text(json.dumps(manifest), "utf-8")
    return folder


def test_number_and_colour_are_the_readers_classes() -> None:
    assert [number_and_colour(face) for face in ("1R", "13Y", "7B", "10K")] == [
        (0, 0),
        (12, 3),
        (6, 1),
        (9, 2),
    ]
    assert number_and_colour("J") == (JOKER, NONE)


def test_of_half_covered_faces_those_on_racks_are_asked_for(tmp_path: Path) -> None:
    def tile(row: int | None, visible: float, right: float = 30) -> dict[str, object]:
        corners = [[20, 20], [right, 20], [right, 34], [20, 34]]
        return {"tile": "6R", "corners": corners, "visible": visible, "row": row}

    tiles = [
        tile(0, 0.5),
        tile(0, 0.3),  # too little of it
        tile(0, 0.5, right=101),  # cut by the frame, its digit perhaps
        tile(1, 0.5),  # on the table, under whatever it may be
        tile(None, 0.5),
        tile(0, 1.0),  # seen as a whole, and asked for as such
    ]
    rows = [{"kind": "rack", "tiles": [0, 1, 2, 5]}, {"kind": "meld", "tiles": [3]}]
    line = {"photo": "a.jpg", "width": 100, "height": 100, "tiles": tiles, "rows": rows}
    (tmp_path / "labels.jsonl").write_text(json.dumps(line) + "\n")
    (scene,) = load_scenes(tmp_path)
    assert scene.half_seen is not None
    assert scene.half_seen.tolist() == [True, False, False, False, False, False]


def test_scenes_are_loaded_as_labelled(tmp_path: Path) -> None:
    corners = [[0, 0], [10, 0], [10, 14], [0, 14]]
    tiles = [
        {"tile": face, "corners": corners, "visible": share}
        for face, share in (("7R", 1.0), ("J", 0.4), ("1K", 0.1))
    ]
    tiles.append({"tile": "8Y", "corners": corners, "hidden_or_cut": True, "mirror_upright": True})
    (tmp_path / "labels.jsonl").write_text(
        json.dumps({"photo": "a.jpg", "tiles": tiles, "ignore": [[1, 2, 3, 4]]}) + "\n"
    )
    (tmp_path / "blanks.json").write_text(json.dumps({"a.jpg": [corners]}))
    (scene,) = load_scenes(tmp_path)
    assert scene.path == tmp_path / "a.jpg" and scene.faces == ("7R", "J", "1K", "8Y")
    assert scene.seen.tolist() == [POSITIVE, UNSURE, HIDDEN, UNSURE]
    assert scene.symmetric.tolist() == [False, False, False, True]
    assert (
        scene.quads.shape == (4, 4, 2)
        and scene.blanks.shape == (1, 4, 2)
        and scene.ignore.tolist() == [[1, 2, 3, 4]]
    )


@pytest.mark.parametrize("share", [0.2, 0.5, 0.75])
def test_photographs_are_mixed_in_by_their_share(share: float, tmp_path: Path) -> None:
    rendered, real = painted_scene(tmp_path), painted_scene(tmp_path)
    together = mixed([rendered] * 300, [real] * 7, share)
    assert sum(scene is real for scene in together) / len(together) == pytest.approx(
        share, abs=0.02
    )
    assert mixed([rendered], [], share) == [rendered] and mixed([], [real], share) == [real]


@pytest.mark.parametrize("temperature", [0.7, 1.4, 2.5])
def test_a_known_temperature_is_found(temperature: float) -> None:
    rng = np.random.default_rng(1)
    logits = rng.normal(0, 3, (20_000, 15)).astype(np.float32)
    # The largest of logits + Gumbel noise is a draw from their softmax.
    noise = rng.gumbel(size=logits.shape)
    truth = (logits / temperature + noise).argmax(axis=1)
    truth[::5] = NONE
    logits[::5] = 1e3  # what is not asked must not count
    assert best_temperature(logits, truth) == pytest.approx(temperature, rel=0.06)


def test_without_anything_asked_nothing_is_scaled() -> None:
    assert best_temperature(np.zeros((3, 15), np.float32), np.full(3, NONE)) == 1.0


def test_calibration_sees_the_truth_of_what_is_found(uncalibrated: Path) -> None:
    scene = next(scene for scene in load_scenes(SCENES) if scene.path.name == "top_down.jpg")
    scores, truth = samples(scene, Detector(uncalibrated), Reader(uncalibrated))
    faces = truth[:, 0] != UNREADABLE
    assert faces.sum() >= 0.95 * len(scene.quads)
    assert (scores.number.argmax(axis=1) == truth[:, 0])[faces].mean() > 0.9
    asked = truth[:, 1] != NONE
    assert (scores.colour.argmax(axis=1) == truth[:, 1])[asked].mean() > 0.9


def test_temperatures_are_fitted_to_bare_networks_only(uncalibrated: Path) -> None:
    scenes = load_scenes(SCENES)[:2]
    fitted = temperatures(scenes, uncalibrated)
    assert fitted.keys() == {"number", "colour"} and all(
        0.5 <= value <= 4 for value in fitted.values()
    )
    with pytest.raises(ValueError, match="expected a reader exported without temperatures"):
        temperatures(scenes, None)


def test_inks_are_where_the_tables_have_them() -> None:
    """The inks are drawn at random, with known centres and known spread between tables and between
    the tiles of one table; the fit finds these figures.
    """
    rng = np.random.default_rng(3)
    centres = rng.normal(0, 5, (4, 7))
    between = rng.uniform(0.2, 1, 7)
    within = rng.uniform(0.1, 0.4, 7)
    tables = []
    for _ in range(400):
        truth = np.repeat(np.arange(4), 12)
        moved = centres + rng.normal(0, np.sqrt(between), (4, 7))
        tables.append((moved[truth] + rng.normal(0, np.sqrt(within), (len(truth), 7)), truth))
    found = inks.fit(tables)
    np.testing.assert_allclose(found.average, centres, atol=0.2)
    np.testing.assert_allclose(found.between, between + within / 12 + inks.LEAST, rtol=0.15)
    np.testing.assert_allclose(found.within, within + inks.LEAST, rtol=0.15)


def test_an_ink_never_seen_is_told() -> None:
    with pytest.raises(ValueError, match="4 tiles of each ink, got none with Y"):
        inks.fit([(np.zeros((12, 7)), np.repeat(np.arange(3), 4))])


def test_evidence_of_a_rendered_scene_lies_near_the_shipped_inks() -> None:
    scene = next(scene for scene in load_scenes(SCENES) if scene.path.name == "top_down.jpg")
    shown, truth = inks.table(scene, Detector(), Reader())
    away = ((shown[:, None] - INKS.average) ** 2 / (INKS.between + INKS.within)).sum(axis=2)
    assert len(truth) > 10 and (away.argmin(axis=1) == truth).mean() > 0.9


@pytest.mark.pictures
def test_mined_blanks_are_no_labelled_face(tmp_path: Path) -> None:
    for path in SCENES.iterdir():
        shutil.copy(path, tmp_path)
    # nothing is labelled on the first: all that is found there is a blank
    (tmp_path / "labels.jsonl").write_text(
        "\n".join(
            json.dumps({**json.loads(text), **({"tiles": []} if i == 0 else {})})
            for i, text in enumerate((SCENES / "labels.jsonl").read_text().splitlines())
        )
    )
    count = mine(tmp_path, None)
    scenes = load_scenes(tmp_path)
    assert count == sum(len(scene.blanks) for scene in scenes) and len(scenes[0].blanks) > 10
    for scene in scenes:
        for blank in scene.blanks:
            gaps = np.linalg.norm(scene.quads.mean(axis=1) - blank.mean(axis=0), axis=1)
            assert (gaps > 0.3 * np.ptp(blank, axis=0).max()).all()


def test_what_may_be_an_index_of_a_labelled_card_is_not_mined() -> None:
    """Faces found beside labelled cards are mined as blanks; on a labelled card they may be
    indices, and are left out. What looks like a jolly may be one's on a jolly alone.
    """
    path = PROJECT / "tests" / "data" / "cards" / "table.jpg"
    height, width = load(path).pixels.shape[:2]
    everywhere = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float32)
    none = np.zeros((0, 4, 2), np.float32)
    detector = Detector(None, DetectorConfig(threshold=THRESHOLD), kind=CARDS)
    reader = Reader(None, kind=CARDS)

    def mined(wholes: NDArray[np.float32], *faces: str) -> int:
        flags = np.zeros(0, np.bool_)
        boxes = np.zeros((0, 4), np.float32)
        seen = flags.astype(np.int8)
        scene = TrainingScene(path, none, faces, seen, flags, boxes, none, wholes)
        return len(blanks_of(scene, detector, reader))

    assert mined(none) > 10 and mined(everywhere, "J") < mined(none) / 2
    assert mined(everywhere, "J") < mined(everywhere, "7R") < mined(none)


@pytest.mark.pictures
def test_outlines_are_turned_to_their_reading_direction() -> None:
    reader, rng, right, total = Reader(), np.random.default_rng(3), 0, 0
    for scene in load_scenes(SCENES):
        clear = [
            i
            for i in range(len(scene.quads))
            if scene.seen[i] == POSITIVE and not scene.symmetric[i]
        ]
        if not clear:
            continue
        quads = scene.quads[clear]
        rolled = np.stack([np.roll(quad, int(rng.integers(4)), axis=0) for quad in quads])
        found = directions(load(scene.path).pixels, rolled, [scene.faces[i] for i in clear], reader)
        right += int((found == quads).all(axis=(1, 2)).sum())
        total += len(quads)
    assert total > 100 and right / total > 0.97
