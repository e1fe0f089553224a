"""Sets that are seldom met, as they are rendered for training."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from datasets.faces import body as plastic
from datasets.faces import draw_face
from datasets.faces.ornaments import ornament_mask
from datasets.faces.random_style import random_style
from datasets.faces.rare_style import rare_style
from datasets.faces.style import Motif, Ornament
from datasets.generate import main
from models.recipes.scenes import NONE, load_scenes

WIDTH = 96
STYLES = [rare_style(np.random.default_rng(seed)) for seed in range(60)]


def test_equal_seeds_give_equal_sets() -> None:
    assert rare_style(np.random.default_rng(3)) == STYLES[3] != STYLES[4]


def test_all_three_kinds_of_rare_sets_are_made() -> None:
    framed = [s for s in STYLES if s.body.ornament or s.digits.ink]
    old = [s for s in STYLES if s.age]
    any_inks = [s for s in STYLES if not s.known_inks]
    assert len(framed) > 20 and len(old) > 3 and len(any_inks) > 3
    assert not any(s.age or not s.known_inks for s in framed)


def test_dark_numbers_have_a_mark_that_tells_the_colour() -> None:
    dark = [style for style in STYLES if style.digits.ink]
    assert len(dark) > 10
    assert all(style.mark is not None and style.mark.inked for style in dark)


def test_frames_of_rings_are_kept_for_the_benchmark() -> None:
    ornaments = [style.body.ornament for style in STYLES if style.body.ornament]
    assert {one.motif for one in ornaments} == set(Motif) - {Motif.RING}


@pytest.mark.parametrize("motif", Motif)
@pytest.mark.parametrize("filled", [True, False])
def test_ornaments_lie_along_the_edges_alone(motif: Motif, filled: bool) -> None:
    style = random_style(np.random.default_rng(1))
    mask = ornament_mask(style, Ornament(motif, 0.07, 0.09, 0.03, filled), WIDTH)
    assert mask.shape == plastic.shape_of(style, WIDTH)
    inside = round(0.12 * WIDTH)
    assert mask[inside:-inside, inside:-inside].max() == 0
    edges = mask[:inside], mask[-inside:], mask[:, :inside], mask[:, -inside:]
    assert all(0.03 < float(edge.mean()) < 0.8 for edge in edges)


def test_a_framed_face_shows_its_frame() -> None:
    style = next(style for style in STYLES if style.body.ornament)
    plain = draw_face(random_style(np.random.default_rng(1)), "7R", WIDTH, np.random.default_rng(0))
    framed = draw_face(style, "7R", WIDTH, np.random.default_rng(0))
    edge = slice(2, 10)
    assert framed.albedo[edge, 12:-12].std() > plain.albedo[edge, 12:-12].std() + 10


def test_colours_of_unknown_inks_are_not_trained(tmp_path: Path) -> None:
    told = ["--size", "160x120", "--tile-px", "20", "30"]
    main([str(tmp_path), "--count", "80", "--seed", "5", "--rare", "1", *told])
    lines = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text().splitlines()]
    known = [line.get("known_inks", True) for line in lines]
    assert 0 < known.count(False) < len(known)
    scenes = load_scenes(tmp_path)
    assert [scene.known_inks for scene in scenes] == known
    for scene in scenes:
        colours = {scene.classes(i)[1] for i, face in enumerate(scene.faces) if face != "J"}
        assert (colours == {NONE}) is (not scene.known_inks) or not colours
