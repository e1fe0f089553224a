"""The renderer of playing cards: what is drawn on a card, and what the labels say of it. Nothing
here needs the artwork: a pack of our own drawing is asked for.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.cards import packs
from datasets.cards.drawing import Draughtsman, pip_places
from datasets.cards.generate import main
from datasets.cards.layout import Stock
from datasets.cards.notation import CARDS, JOLLY, tile_of
from datasets.cards.scene import CardBank, CardConfig, render_cards
from datasets.cards.style import PackStyle, pack_as_drawn, random_pack
from datasets.scene import things
from engine.tiles import FACES, Tile

SMALL = CardConfig(320, 288, card_px=(60, 90), empty=0.0)


@pytest.fixture(autouse=True)
def no_artwork(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(packs, "PACKS", ())
    packs.installed.cache_clear()
    yield
    packs.installed.cache_clear()


TRAINED_ON = packs.PACKS  # before the tests take them away


def test_no_network_is_trained_on_the_unseen_packs() -> None:
    assert not {pack.name for pack in packs.UNSEEN} & {pack.name for pack in TRAINED_ON}


@cache
def bank() -> CardBank:
    """Cards that are drawn once for all scenes."""
    return CardBank.random(3)


def scene(seed: int, config: CardConfig) -> tuple[NDArray[np.uint8], dict[str, Any]]:
    return render_cards(np.random.default_rng(seed), config, bank())


@pytest.fixture(scope="module")
def small_scenes() -> list[tuple[NDArray[np.uint8], dict[str, Any]]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packs, "PACKS", ())
        packs.installed.cache_clear()
        return [scene(seed, SMALL) for seed in range(8)]


@pytest.fixture
def style() -> PackStyle:
    drawn = random_pack(3)
    assert drawn.art is None and drawn.index is not None
    return replace(drawn, index=replace(drawn.index, four=False))


def test_every_card_has_a_tile_of_its_own() -> None:
    assert sorted(map(tile_of, [*CARDS, JOLLY])) == sorted(map(str, FACES))
    assert Tile.parse(tile_of("JH")) == Tile(11, "R")


@pytest.mark.parametrize("rank", range(1, 11))
def test_a_number_card_shows_as_many_pips(rank: int) -> None:
    assert len(pip_places(rank)) == rank


@pytest.mark.parametrize("card", ["AS", "10H", "QC", JOLLY])
def test_indices_lie_where_the_ink_is(style: PackStyle, card: str) -> None:
    face = Draughtsman(style).face(card)
    size = np.array(face.picture.shape[1::-1])
    assert len(face.indices) == 2
    for quad in face.indices:
        low, high = (quad.min(axis=0) * size).astype(int), (quad.max(axis=0) * size).astype(int)
        inside = face.picture[max(low[1], 0) : high[1], max(low[0], 0) : high[0]].astype(int)
        dark = np.abs(inside - np.array(style.paper)).max(axis=2) > 60
        assert 0.03 < dark.mean() < 0.8


def test_the_second_index_reads_from_the_other_end(style: PackStyle) -> None:
    one, other = Draughtsman(style).face("7D").indices
    assert np.allclose(one.mean(axis=0) + other.mean(axis=0), 1)
    assert one[0, 1] < one[3, 1] and other[0, 1] > other[3, 1]


def test_four_corners_are_four_indices(style: PackStyle) -> None:
    assert style.index is not None
    four = replace(style, index=replace(style.index, four=True))
    quads = Draughtsman(four).face("7D").indices
    middles = quads.mean(axis=1) > 0.5
    assert {tuple(middle) for middle in middles.tolist()} == {
        (left, top) for left in (False, True) for top in (False, True)
    }


def test_letters_of_other_countries_change_the_picture_alone(style: PackStyle) -> None:
    english = replace(style, letters=("A", "J", "Q", "K"))
    french = replace(style, letters=("A", "V", "D", "R"))
    cards = [Draughtsman(one).face("JS").picture for one in (english, french)]
    assert (cards[0] != cards[1]).any()
    assert (Draughtsman(english).face("9S").picture == Draughtsman(french).face("9S").picture).all()


@pytest.mark.parametrize("four", [False, True])
def test_small_words_are_printed_on_court_cards_and_aces(style: PackStyle, four: bool) -> None:
    assert style.index is not None
    plain = replace(style, index=replace(style.index, four=four), small_print="")
    printed = replace(plain, small_print="DONDOLO SPA")

    def changed(card: str) -> NDArray[np.bool_]:
        before, after = (Draughtsman(one).face(card).picture for one in (plain, printed))
        return np.asarray((before != after).any(axis=2))

    for card in ("AS", "KD", JOLLY):
        words = changed(card)
        assert 0.0005 < words.mean() < 0.05
        # They are printed head to head, but an index, whose paper is bare, may cover some.
        assert abs(words.sum() - (words & words[::-1, ::-1]).sum()) <= 0.5 * words.sum()
    assert not changed("7H").any()


def test_the_cards_of_a_deck_are_found_by_their_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each element of the file is a card on a clear ground, of which the clear part is cut off."""

    def shade(name: str) -> int:
        return sum(name.encode()) % 251

    def drawn(_path: Path, *options: str) -> NDArray[np.uint8]:
        picture = np.full((140, 100, 4), (shade(options[-1]), 0, 0, 255), np.uint8)
        picture[:20, :, 3] = 0
        return picture

    (tmp_path / "deck").mkdir()
    (tmp_path / "deck" / "any.svgz").write_bytes(gzip.compress(b"<svg/>"))
    monkeypatch.setattr(packs, "DECKS", tmp_path)
    monkeypatch.setattr(packs, "_drawn", drawn)
    deck = packs.Pack("deck", (0.05, 0.05, 0.15, 0.25), deck=True)
    named = {"7H": "7_heart", "QS": "queen_spade", "AC": "1_club", "10D": "10_diamond"}
    for card, name in named.items():
        assert (packs.face(deck, card)[..., 0] == shade(name)).all()
    assert (packs.back(deck)[..., 0] == shade("back")).all()
    height, width = packs.face(deck, "7H").shape[:2]
    assert height / width == pytest.approx(120 / 100, abs=0.01)


def test_a_pack_as_drawn_shows_its_artwork_alone() -> None:
    drawn = [pack_as_drawn(seed, packs.UNSEEN) for seed in range(60)]
    assert {style.art for style in drawn} == set(packs.UNSEEN)
    assert not any(style.index or style.own_pips or style.small_print for style in drawn)


def test_words_are_printed_on_as_many_packs_as_asked_for() -> None:
    assert all(random_pack(seed, printed=1.0).small_print for seed in range(20))
    some = sum(bool(random_pack(seed).small_print) for seed in range(200))
    assert 0 < some < 50


def test_a_stock_holds_two_packs_and_four_jollies() -> None:
    stock = Stock(np.random.default_rng(1))
    drawn = [stock.any() for _ in range(108)]
    assert sorted(drawn) == sorted([*CARDS, *CARDS, *[JOLLY] * 4])


@pytest.mark.pictures
def test_labels_of_a_scene(
    small_scenes: list[tuple[NDArray[np.uint8], dict[str, Any]]],
) -> None:
    lines = [line for _, line in small_scenes]
    assert all(image.shape == (288, 320, 3) for image, _ in small_scenes)
    assert sum(len(line["tiles"]) for line in lines) > 10
    for line in lines:
        seen = {entry["card"] for entry in line["tiles"] if entry["visible"] >= 0.6}
        assert seen == set(map(int, line["cards"]))
        for column in line["columns"]:
            assert column == sorted(column) and set(column) <= seen
        for entry in line["tiles"]:
            index = np.array(entry["corners"]).mean(axis=0)
            card = np.array(entry["card_corners"])
            nearest = int(np.linalg.norm(card - index, axis=1).argmin())
            assert nearest in (0, 1)  # the top of the card, as this index is read


@pytest.mark.pictures
def test_a_scene_may_show_many_jollies(
    small_scenes: list[tuple[NDArray[np.uint8], dict[str, Any]]],
) -> None:
    def jollies(pictures: list[tuple[NDArray[np.uint8], dict[str, Any]]]) -> int:
        return sum(list(line["cards"].values()).count(JOLLY) for _, line in pictures)

    many = [scene(seed, replace(SMALL, jollies=2000)) for seed in range(4)]
    assert jollies(many) >= 3 + jollies(small_scenes[:4])


def test_no_card_without_a_label_lies_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """With `no_cards` no unlabelled playing card is among the sheets that lie on the table: its
    index would count as a false find.
    """
    drawn = list[str]()
    made = things._sheet
    monkeypatch.setattr(things, "_sheet", lambda kind, at: (drawn.append(kind), made(kind, at))[1])
    rng = np.random.default_rng(6)
    for no_cards in (False, True):
        drawn.clear()
        for _ in range(40):
            things.sheet(rng, 0, 0, no_cards=no_cards)
        assert ("card" in drawn) != no_cards


@pytest.mark.pictures
def test_a_card_that_lies_below_others_shows_less_of_its_index(
    small_scenes: list[tuple[NDArray[np.uint8], dict[str, Any]]],
) -> None:
    shares = [entry["visible"] for _, line in small_scenes for entry in line["tiles"]]
    assert min(shares) < 0.25 and max(shares) == 1.0


@pytest.mark.pictures
def test_a_run_that_was_broken_off_goes_on(tmp_path: Path) -> None:
    told = ["--seed", "4", "--size", "160x128", "--card-px", "30", "40"]
    main([str(tmp_path), "--count", "2", *told])
    first = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text().splitlines()]
    main([str(tmp_path / "again"), "--count", "2", *told])
    again = (tmp_path / "again" / "labels.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in again] == first
    assert (tmp_path / "00001.jpg").read_bytes() == (tmp_path / "again" / "00001.jpg").read_bytes()
