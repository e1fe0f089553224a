"""Rendered hands of cards, and the counting of what was read of them."""

from __future__ import annotations

import json
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from datasets.cards import hands
from datasets.cards.area import Area, Laid, Neatness, piles
from datasets.cards.hands import FEWEST, HANDS, MOST, RULES, IndexHidden, deal, main, render
from engine.inventory import too_many_copies
from engine.melds import judge_meld
from engine.pieces import Pieces, face_of_card
from models.recipes.scenes import load_scenes
from tests.scorer_app.bench.bench_card_hands import SideResult, judge, load_hands, measures, truth
from vision.reading import MeldReading, TableReading, TileReading
from vision.tiles.pipeline import TableReader

CORNERS = np.array([[0, 0], [10, 0], [10, 16], [0, 16]], np.float32)


class ReadsTheTruth:
    """A reader that knows each photograph's cards; `otherwise` says which cards it takes for which
    others.
    """

    def __init__(self, shots: list[Any], otherwise: dict[str, str] | None = None) -> None:
        self.of = {shot.path: shot for shot in shots}
        self.otherwise = otherwise or {}

    def read(self, path: Path, **_given: object) -> TableReading:
        shot, tiles, melds = self.of[path], list[TileReading](), list[MeldReading]()
        for column in (*shot.columns, shot.loose):
            first = len(tiles)
            for card in column:
                place = CORNERS + [20 * len(tiles), 0]
                tile = face_of_card(self.otherwise.get(card, card))
                tiles.append(TileReading(tile, place.astype(np.float32), 0.99, frozenset(), ()))
            rows = tuple(range(first, len(tiles)))
            if column is not shot.loose:
                melds.append(MeldReading(rows, tuple(tiles[i].tile for i in rows), None, False))
        loose = tuple(range(len(tiles) - len(shot.loose), len(tiles)))
        return TableReading(100, 100, tuple(tiles), tuple(melds), loose, (), {}, Pieces.CARDS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("hands")
    main([str(out), "--count", "1", "--seed", "3", "--size", "640x480"])
    return out


@pytest.mark.parametrize(("count", "seed"), [("0", "3"), ("1", "-1")])
def test_no_hand_and_a_negative_seed_are_wrong_usage(
    count: str, seed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(tmp_path / "hands"), "--count", count, "--seed", seed])
    assert ended.value.code == 2 and "expected a whole number from" in capsys.readouterr().err
    assert not (tmp_path / "hands").exists()


@pytest.mark.parametrize("seed", range(6))
def test_a_hand_is_of_legal_melds_out_of_two_packs(seed: int) -> None:
    hand = deal(np.random.default_rng(seed))
    cards = [face_of_card(card) for area in hand.values() for card in area.cards()]
    assert FEWEST <= len(cards) <= MOST and not too_many_copies(cards, RULES)
    for area in hand.values():
        for column in area.columns:
            assert judge_meld(tuple(map(face_of_card, column)), RULES).valid


@pytest.mark.parametrize("seed", range(3))
def test_melds_may_lie_as_columns_as_rows_or_as_fans(seed: int) -> None:
    """A card of a column lies below the one before it and one of a row to the right; those of a
    fan are turned clockwise.
    """
    area, width = Area((("3R", "4R", "5R", "6R"), ("9K", "9R", "*")), ("7H",)), 63.0
    for laid in Laid:
        rng = np.random.default_rng(seed)
        found = piles(rng, area, (width, 88.0), Neatness.random(rng), laid)
        assert [tuple(cards) for _poses, cards in found] == [*area.columns, area.loose]
        for poses, _cards in found[:2]:
            right, up, turned = np.diff(poses, axis=0).T
            if laid is Laid.COLUMNS:
                assert (up < -10).all() and (np.abs(right) < 10).all()
            elif laid is Laid.ROWS:
                assert (right > 5).all() and (np.abs(up) < 10).all()
            else:
                assert (turned < np.radians(-2)).all()
        xs = [np.array(poses)[:, 0] for poses, _cards in found]
        ys = [np.array(poses)[:, 1] for poses, _cards in found]
        middle = np.array([np.concatenate(xs), np.concatenate(ys)])
        assert middle.min(axis=1) + middle.max(axis=1) == pytest.approx([0, 0], abs=1e-6)


def test_a_hand_that_cannot_be_laid_is_dealt_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = list[Area]()

    def photographed(_rng: object, area: Area, *_given: object) -> tuple[Any, dict[str, Any]]:
        tried.append(area)
        if len(tried) == 2:
            raise IndexHidden("one index stays hidden")
        return np.zeros((6, 8, 3), np.uint8), {"tiles": [], "notes": {"jpeg": "80"}}

    monkeypatch.setattr(hands, "photograph", photographed)
    line, labels = render(tmp_path, 3, 0)
    rng = np.random.default_rng([3, 0])
    first, second = deal(rng), deal(rng)
    shown = [area for area in second.values() if area.cards()]
    assert tried == [*first.values()][:2] + shown
    assert [photo["columns"] for photo in line["photos"].values()] == [one.columns for one in shown]
    assert {path.name for path in tmp_path.iterdir()} == {label["photo"] for label in labels}


def test_a_rendered_hand_tells_its_photographs(folder: Path) -> None:
    (line,) = (folder / HANDS).read_text("utf-8").splitlines()
    told = json.loads(line)
    assert {"000-melds-a.jpg", "000-melds-b.jpg"} <= told["photos"].keys()
    assert all((folder / name).is_file() for name in told["photos"])


def test_every_index_of_its_photographs_is_labelled(folder: Path) -> None:
    (line,) = (folder / HANDS).read_text("utf-8").splitlines()
    shown = {
        name: Counter(str(face_of_card(card)) for card in chain(*area["columns"], area["loose"]))
        for name, area in json.loads(line)["photos"].items()
    }
    labelled = {scene.path.name: Counter(scene.faces) for scene in load_scenes(folder)}
    assert labelled.keys() == shown.keys()
    # Of a card that lies free two or four indices are seen.
    assert all(labelled[name] >= cards for name, cards in shown.items())


def test_a_hand_read_right_is_exact_and_sure(folder: Path) -> None:
    ((number, shots, muerto),) = load_hands(folder)
    reader = cast(TableReader, ReadsTheTruth(shots))
    results = judge(number, shots, muerto, reader)
    assert {result.side: result.true for result in results} == truth(shots, muerto)
    assert all(result.exact and result.sure for result in results)


def test_a_card_read_otherwise_is_missing_and_extra(folder: Path) -> None:
    ((number, shots, muerto),) = load_hands(folder)
    card = shots[0].columns[0][0]
    other = "KD" if card != "KD" else "KS"
    reader = cast(TableReader, ReadsTheTruth(shots, {card: other}))
    results = judge(number, shots, muerto, reader)
    assert any(card in result.missing and other in result.extra for result in results)


def test_what_is_sure_and_wrong_is_counted() -> None:
    side = SideResult(0, 40, "A", 100, 90, 90, 90, 0, ("QS",), ())
    other = SideResult(0, 40, "B", 50, 50, 40, 60, 2, (), ())
    told = {measure.name: (measure.count, measure.of) for measure in measures([side, other])}
    assert told == {
        "cards_right": (39, 40),
        "hands_exact": (0, 1),
        "true_inside_interval": (1, 2),
        "sure": (1, 2),
        "sure_and_wrong": (1, 2),
    }
