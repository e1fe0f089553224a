"""Tile faces: they can be reproduced, each kind of set has all of them, and none can be mistaken
that a person would not mistake.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.faces import FaceStyle, Kind, draw_back, draw_face, jokers, random_style
from datasets.faces.drawing import digits_mask
from datasets.faces.fonts import FALLBACK, figure_masters, number, typefaces
from datasets.faces.inks import COLOURS, MIN_DISTANCE, golden_black, lab_distance, random_inks
from datasets.faces.jokers import FIGURES, TWO_HEADED, joker_figure
from datasets.faces.pictograms import draw_pictogram, random_pictogram
from datasets.faces.style import NineMark
from datasets.faces.survey import stroke_of_plain_figures

TILES = [f"{n}{colour}" for colour in COLOURS for n in range(1, 14)] + ["J"]
KINDS = list(Kind)
WIDTH = 64


def style_of(kind: Kind | None, seed: int) -> FaceStyle:
    return random_style(np.random.default_rng(seed), kind)


def overlap(a: np.ndarray, b: np.ndarray) -> float:
    """Intersection over union of two masks."""
    return float(np.minimum(a, b).sum() / max(1e-6, np.maximum(a, b).sum()))


def test_kinds_are_six_different_ones() -> None:
    assert len(KINDS) == 6
    assert {style_of(None, seed).kind for seed in range(120)} == set(KINDS)


def test_equal_seeds_give_equal_sets_and_faces() -> None:
    one, other = style_of(None, 5), style_of(None, 5)
    assert one == other and hash(one) == hash(other)
    for tile in ("7R", "J"):
        a = draw_face(one, tile, WIDTH, np.random.default_rng(1))
        b = draw_face(other, tile, WIDTH, np.random.default_rng(1))
        assert np.array_equal(a.albedo, b.albedo) and np.array_equal(a.relief, b.relief)
        assert np.array_equal(a.alpha, b.alpha)
    assert one != style_of(None, 6)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.value)
def test_every_tile_is_drawn_whole(kind: Kind) -> None:
    style, rng = style_of(kind, 11), np.random.default_rng(2)
    h = round(WIDTH * style.aspect)
    for face in [draw_face(style, tile, WIDTH, rng) for tile in TILES] + [
        draw_back(style, WIDTH, rng)
    ]:
        assert face.albedo.shape == (h, WIDTH, 3) and face.albedo.dtype == np.uint8
        assert face.relief.shape == face.alpha.shape == (h, WIDTH)
        assert face.relief.dtype == face.alpha.dtype == np.float32
        assert np.isfinite(face.relief).all() and np.abs(face.relief).max() < 0.3
        assert face.alpha.min() >= 0 and face.alpha.max() <= 1


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.value)
def test_styles_keep_to_what_sets_are_like(kind: Kind) -> None:
    for seed in range(25):
        style = style_of(kind, seed)
        assert 1.28 <= style.aspect <= 1.55
        assert 0.2 <= style.thickness <= 0.5
        assert 0 <= style.gloss <= 1
        assert 0.03 <= style.corner_radius <= 0.2
        # Digits in the upper half unless they fill the face.
        assert style.digits.height > 0.46 or style.digits.centre < 0.5
        assert len(style.jokers) == 2


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.value)
def test_inks_of_a_set_are_apart(kind: Kind) -> None:
    for seed in range(25):
        inks = style_of(kind, seed).inks
        assert min(lab_distance(a, b) for i, a in enumerate(inks) for b in inks[:i]) >= MIN_DISTANCE


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.value)
def test_digits_show_in_their_ink(kind: Kind) -> None:
    style = style_of(kind, 3)
    style = replace(style, body=replace(style.body, ink_wear=0.0, smudges=0.0, scratches=0.0))
    for index, colour in enumerate(COLOURS):
        face = draw_face(style, f"8{colour}", WIDTH, np.random.default_rng(4))
        ink = face.albedo[digits_mask(style, "8", WIDTH) > 0.98]
        assert len(ink) > 20
        seen = tuple(int(v) for v in np.median(ink, axis=0))
        assert min(range(4), key=lambda i: lab_distance(seen, style.inks[i])) == index


def test_a_turned_six_is_no_nine() -> None:
    for seed in range(150):
        style = style_of(None, seed)
        six = digits_mask(style, "6", WIDTH)
        unmarked = replace(style, digits=replace(style.digits, nine_mark=NineMark.NONE))
        if style.digits.nine_mark is not NineMark.NONE:
            # The dot or line is on the face.
            assert six.sum() > digits_mask(unmarked, "6", WIDTH).sum() + 3
        elif style.mark is None and style.name is None:
            assert overlap(six[::-1, ::-1], digits_mask(style, "9", WIDTH)) < 0.7, style


def test_every_number_of_a_set_looks_different() -> None:
    for seed in range(12):
        style = style_of(None, seed)
        masks = [digits_mask(style, str(n), WIDTH) for n in range(1, 14)]
        assert all(mask.sum() > 20 for mask in masks)
        assert max(overlap(a, b) for i, a in enumerate(masks) for b in masks[:i]) < 0.95


def test_corners_are_cut_and_the_rest_is_there() -> None:
    style = replace(style_of(Kind.BURAKO, 1), corner_radius=0.15)
    style = replace(style, body=replace(style.body, chips=0.0))
    alpha = draw_face(style, "1K", WIDTH, np.random.default_rng(0)).alpha
    assert alpha[0, 0] == alpha[0, -1] == alpha[-1, 0] == alpha[-1, -1] == 0
    assert alpha[len(alpha) // 2].min() >= 0.5
    assert alpha.mean() > 0.95


@pytest.mark.parametrize("figure", sorted(FIGURES))
def test_joker_figures_tell_up_from_down_unless_they_say_not(figure: str) -> None:
    cover = joker_figure(figure, ((200, 0, 0),) * 3, 96, 96)[..., 3]
    assert cover.mean() > 0.02
    alike = overlap(cover, cover[::-1, ::-1])
    assert alike > 0.9 if figure in TWO_HEADED else alike < 0.94


@pytest.mark.parametrize("figure", sorted(FIGURES))
def test_without_the_symbol_font_a_figure_still_is_what_it_is_said_to_be(
    figure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jokers, "font_files", dict)
    cover = joker_figure.__wrapped__(figure, ((200, 0, 0),) * 3, 96, 96)[..., 3]
    alike = overlap(cover, cover[::-1, ::-1])
    assert alike > 0.9 if figure in TWO_HEADED else alike < 0.94


def test_pictograms_show_something_and_depend_on_their_name_alone() -> None:
    rng, inks = np.random.default_rng(5), ((200, 0, 0), (0, 0, 200), (20, 20, 20))
    names = [random_pictogram(rng) for _ in range(60)]
    assert len(set(names)) > 55
    for name in names:
        layers = draw_pictogram(name, inks)
        assert (
            layers.shape[0] == layers.shape[1]
            and layers.shape[2] == 4
            and layers.dtype == np.float32
        )
        assert (
            layers.min() >= -0.01 and layers[..., 3].max() <= 1.001 and layers[..., 3].mean() > 0.02
        ), name
        np.testing.assert_array_equal(layers, draw_pictogram(name, inks))


@pytest.mark.parametrize(
    "name", ["", "emoji 1f921", "emoji clown full bare", "jester 1 full frame"]
)
def test_what_names_no_pictogram_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="expected 'source code printing frame'"):
        draw_pictogram(name, ((0, 0, 0),) * 3)


def test_golden_black_leaves_the_yellow_clearly_lighter() -> None:
    rng, changed = np.random.default_rng(3), 0
    for _ in range(40):
        inks = random_inks(rng, (245, 240, 230))
        red, blue, black, yellow = golden = golden_black(rng, inks)
        changed += golden != inks
        assert (red, blue, yellow) == (inks[0], inks[1], inks[3])
        assert min(lab_distance(black, other) for other in (red, blue, yellow)) >= MIN_DISTANCE
    assert changed > 20


def test_mirror_upright_is_claimed_only_for_faces_alike_when_turned() -> None:
    claimed = 0
    for seed in range(80):
        style = style_of(None, seed)
        style = replace(
            style, body=replace(style.body, smudges=0.0, scratches=0.0, ink_wear=0.0, speckle=0.0)
        )
        face = draw_face(style, "J", WIDTH, np.random.default_rng(seed))
        if face.mirror_upright:
            claimed += 1
            change = np.abs(face.albedo.astype(int) - face.albedo[::-1, ::-1])
            assert (change.max(axis=2) > 60).mean() < 0.06
    assert claimed


@pytest.mark.parametrize("tile", ["", "14R", "0K", "7G", "R7", "j", "7"])
def test_what_is_no_tile_is_refused(tile: str) -> None:
    with pytest.raises(ValueError, match="expected a tile"):
        draw_face(style_of(None, 0), tile, WIDTH, np.random.default_rng(0))


def test_without_fonts_there_is_still_a_face_and_a_message(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        faces = typefaces((tmp_path,))
    assert [face.stem for face in faces] == [FALLBACK]
    assert "0 of" in caplog.text and "fonts.txt" in caplog.text
    assert set(figure_masters(FALLBACK)) == set("0123456789")
    assert number(FALLBACK, "13", 0.1).max() == 255


def test_what_is_no_font_has_no_plain_figures(tmp_path: Path) -> None:
    broken = tmp_path / "broken.ttf"
    broken.write_bytes(b"not a font")
    assert stroke_of_plain_figures(broken) is None
