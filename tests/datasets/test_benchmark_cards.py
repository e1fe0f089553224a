"""Counting of read cards against the truth, by fabricated readings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from datasets.benchmark.cards import count_cards, main, measures
from datasets.benchmark.tables import COLUMNS, read_table, write_table
from datasets.cards import photos as card_photos
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


def test_without_photographs_nothing_is_measured_and_the_earlier_table_stays(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(card_photos, "PHOTOS", tmp_path / "photos")
    (tmp_path / "cards.csv").write_text("earlier", "utf-8")
    assert main(["--out", str(tmp_path)]) == 0
    told = capsys.readouterr().err
    assert "poker_cards is left out" in told and "nothing was measured" in told
    assert (tmp_path / "cards.csv").read_text("utf-8") == "earlier"


@pytest.mark.parametrize("option", ["--photos", "--renders"])
def test_a_named_folder_without_pictures_is_refused_in_one_sentence(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = tmp_path / "nowhere", tmp_path / "results"
    sources = ["poker_cards"] if option == "--photos" else []
    assert main(["--sources", *sources, option, str(folder), "--out", str(out)]) == 1
    (sentence,) = capsys.readouterr().err.splitlines()
    assert sentence.startswith("expected the label") and str(folder) in sentence
    assert not out.exists()


def test_a_run_over_one_source_keeps_the_rows_of_the_others(tmp_path: Path) -> None:
    columns = COLUMNS["cards.csv"]
    earlier = [
        dict.fromkeys(columns, "") | {"source": source, "measure": "earlier"}
        for source in ("own_renders", "poker_cards")
    ]
    write_table(tmp_path / "cards.csv", columns, earlier)
    folder = tmp_path / "renders"
    folder.mkdir()
    Image.new("RGB", (640, 480)).save(folder / "0.png")
    line = '{"photo": "0.png", "cards": {"3": "AS"}, "columns": []}\n'
    (folder / "labels.jsonl").write_text(line, "utf-8")
    assert main(["--sources", "--renders", str(folder), "--out", str(tmp_path)]) == 0
    told = {(row["source"], row["measure"]) for row in read_table(tmp_path / "cards.csv")}
    assert ("poker_cards", "earlier") in told and ("own_renders", "cards_right") in told
    assert ("own_renders", "earlier") not in told


@needs_photographs
def test_the_photographs_of_cards_are_all_there() -> None:
    pictures = [
        picture
        for folder in FOLDERS
        for picture in load_photographs(folder, SHARED / "photos" / "cards")
    ]
    assert len(pictures) == 646 and sum(len(picture.cards) for picture in pictures) == 2638
    assert all(picture.path.exists() for picture in pictures)
