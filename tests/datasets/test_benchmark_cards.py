"""Counting of read cards against the truth, by fabricated readings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from datasets.benchmark.cards import count_cards, measures
from datasets.cards.photos import FOLDERS, CardPicture, load_photographs, load_renders
from datasets.photos import PhotosMissing
from tests.places import SHARED, needs_photographs

TABLE = CardPicture(Path("table.jpg"), ("AS", "2S", "7H"), (("AS", "2S"),))


def reading(*cards: str | None, doubtful: int = 0, melds: tuple[list[int], ...] = ()) -> Any:
    return {
        "tiles": [{"card": card, "doubtful": i < doubtful} for i, card in enumerate(cards)],
        "melds": [{"tiles": meld} for meld in melds],
        "seconds": {"total": 0.1},
    }


def test_all_right_is_exact_whatever_the_order() -> None:
    count = count_cards(TABLE, reading("7H", "2S", "AS", melds=([1, 2],)))
    assert (count.right, count.exact, count.silent, count.columns_right) == (3, True, 0, 1)


@pytest.mark.parametrize(
    ("cards", "silent"),
    [
        (("AS", "2S"), 1),
        (("AS", "2S", "7D"), 1),
        (("AS", "2S", "7H", "7H"), 1),
        (("AS", None, None), 2),
    ],
)
def test_what_differs_is_silent_unless_doubted(cards: tuple[str | None, ...], silent: int) -> None:
    assert count_cards(TABLE, reading(*cards)).silent == silent
    assert count_cards(TABLE, reading(*cards, doubtful=silent)).silent == 0
    assert not count_cards(TABLE, reading(*cards, doubtful=silent)).exact


def test_a_column_with_a_card_too_many_is_not_right() -> None:
    count = count_cards(TABLE, reading("AS", "2S", "7H", melds=([0, 1, 2],)))
    assert count.exact and count.columns_right == 0


def test_nothing_is_called_extra_where_not_all_is_listed() -> None:
    some = CardPicture(Path("edge.jpg"), ("AS",), all_listed=False)
    assert count_cards(some, reading("AS", "KD")).exact


def test_measures_add_up() -> None:
    counts = [count_cards(TABLE, reading("AS", "2S", "7H")), count_cards(TABLE, reading("AS"))]
    told = {measure.name: (measure.count, measure.of) for measure in measures(counts)}
    assert told["cards_right"] == (4, 6) and told["photos_exact"] == (1, 2)
    assert told["silent"] == (2, 6) and told["columns_right"] == (0, 2)


def test_rendered_labels_are_loaded(tmp_path: Path) -> None:
    line = '{"photo": "0.jpg", "cards": {"3": "AS", "5": "*"}, "columns": [[3, 5]]}\n'
    (tmp_path / "labels.jsonl").write_text(line, "utf-8")
    (picture,) = load_renders(tmp_path)
    assert picture.cards == ("AS", "*") and picture.columns == (("AS", "*"),)


def test_missing_photographs_are_told(tmp_path: Path) -> None:
    with pytest.raises(PhotosMissing, match="poker_cards"):
        load_photographs("poker_cards", tmp_path)


@needs_photographs
def test_the_photographs_of_cards_are_all_there() -> None:
    pictures = [
        picture
        for folder in FOLDERS
        for picture in load_photographs(folder, SHARED / "photos" / "cards")
    ]
    assert len(pictures) == 646 and sum(len(picture.cards) for picture in pictures) == 2638
    assert all(picture.path.exists() for picture in pictures)
