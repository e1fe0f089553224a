"""The figures that the README and the model card tell are those of the committed tables."""

from __future__ import annotations

import csv
import json
import re
from typing import Any

import pytest

from tests.models.tables_told import MODEL_CARD, rows_with
from tests.places import PROJECT

MODELS = PROJECT / "models"
DETECTORS_INPUT = "any size"

FIGURES = re.compile(
    r"^\| `(\w+)`.* \| (\d+) of (\d+) \| (\d+) of (\d+) \| (\d+) \| (\d+) of (\d+) reported \|$",
    re.MULTILINE,
)

CARD_FIGURES = re.compile(
    r"^\| `(\w+)`: .* \((\d+) pictures\) \| (\d+) of (\d+) \| (\d+) of (\d+) \| (\d+) \| (\d+)"
    r" \| (\d+) of (\d+) reported \|$",
    re.MULTILINE,
)


def measured(table: str = "summary.csv") -> dict[tuple[str, str], tuple[int, int]]:
    """Map (source, measure) to its count and of how many, over all pictures of the source."""
    with (PROJECT / "datasets" / "results" / table).open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["group"] == "all" and row["count"]]
    return {(row["source"], row["measure"]): (int(row["count"]), int(row["of"])) for row in rows}


@pytest.mark.parametrize("document", ["README.md", "models/MODEL_CARD.md"])
def test_figures_told_are_the_figures_measured(document: str) -> None:
    told = FIGURES.findall((PROJECT / document).read_text("utf-8"))
    assert [source for source, *_ in told] == ["rummikub_ivory", "other_sets", "burako_renders"]
    table = measured()
    for source, *figures in told:
        tiles, of_tiles, photos, of_photos, silent, doubtful, reported = map(int, figures)
        assert (tiles, of_tiles) == table[source, "tiles_exact"]
        assert (photos, of_photos) == table[source, "photos_exact"]
        assert silent == table[source, "silent"][0]
        assert (doubtful, reported) == table[source, "doubtful"]


@pytest.mark.parametrize("document", ["README.md", "models/MODEL_CARD.md"])
def test_figures_of_cards_are_the_figures_measured(document: str) -> None:
    told = CARD_FIGURES.findall((PROJECT / document).read_text("utf-8"))
    table = measured("cards.csv")
    assert sorted(source for source, *_ in told) == sorted({source for source, _ in table})
    for source, *figures in told:
        pictures, right, cards, exact, of_pictures, silent, extra, doubtful, reported = map(
            int, figures
        )
        assert (right, cards) == table[source, "cards_right"]
        assert (exact, of_pictures) == table[source, "photos_exact"] and pictures == of_pictures
        assert silent == table[source, "silent"][0] and extra == table[source, "extra"][0]
        assert (doubtful, reported) == table[source, "doubtful"]


def manifest() -> dict[str, dict[str, Any]]:
    """Map the name of each network to its entry in the manifest."""
    entries: dict[str, dict[str, Any]] = json.loads((MODELS / "manifest.json").read_text("utf-8"))
    return entries


def megabytes(files: list[str]) -> float:
    return sum((MODELS / file).stat().st_size for file in files) / 1e6


def test_the_overview_lists_every_network_with_its_pieces_input_and_size() -> None:
    told = {row["file"].strip("`"): row for row in rows_with(MODEL_CARD, "file", "on disk")}
    entries = {entry["file"]: (name, entry) for name, entry in manifest().items()}
    assert set(told) == set(entries)
    for file, (name, entry) in entries.items():
        row, size = told[file], megabytes([file])
        asked = entry.get("input")
        assert row["pieces"] == ("cards" if name.startswith("card_") else "tiles")
        assert row["input"] == (f"{asked[0]} x {asked[1]}" if asked else DETECTORS_INPUT)
        assert row["on disk"] == (f"{size:.1f} MB" if size >= 0.1 else f"{size:.2f} MB")


def test_the_files_of_tiles_and_of_cards_are_as_large_as_told() -> None:
    cards = [entry["file"] for name, entry in manifest().items() if name.startswith("card_")]
    tiles = [entry["file"] for name, entry in manifest().items() if not name.startswith("card_")]
    text = " ".join((PROJECT / MODEL_CARD).read_text("utf-8").split())
    assert (
        f"those of tiles take {megabytes(tiles):.1f} MB together,"
        f" those of cards {megabytes(cards):.1f}."
    ) in text


def trained_on(network: str) -> list[tuple[int, int, float]]:
    """Return of each round of training the rendered pictures, the photographs and the minutes."""
    rounds = manifest()[network]["provenance"]["rounds"]
    return [(one["rendered"], one["photographs"], one.get("minutes", 0)) for one in rounds]


def test_what_networks_were_trained_on_is_what_the_manifest_says() -> None:
    text = " ".join((PROJECT / MODEL_CARD).read_text("utf-8").split())
    detector, reader = trained_on("detector"), trained_on("reader")
    photographs = max(count for _rendered, count, _minutes in reader)
    racks, on_racks = trained_on("rack_direction")[-1], trained_on("rack_detector")[-1]
    looks, odd = trained_on("second_look")[-1], trained_on("odd_reader")
    assert f"(the reader: {reader[-1][0]:,}), for the detector {detector[-1][0]:,} more" in text
    assert f"{photographs} photographs in four shoots" in text
    assert f"for {racks[2]:.0f} minutes from {racks[0]:,} rendered racks and no photograph" in text
    assert racks[1] == 0
    assert f"an hour and a half from {on_racks[0]:,} rendered racks" in text
    assert f"**Trained on** {looks[0]:,} rendered scenes and {looks[1]} photographs" in text
    assert f"for {looks[2]:.0f} minutes of a GPU" in text
    assert f"from {trained_on('odd_detector')[-1][0]:,} further scenes" in text
    assert f"the reader learned {odd[-1][2]:.0f} minutes more from {odd[-1][0]:,} scenes" in text


def test_no_network_of_cards_was_trained_on_a_photograph() -> None:
    text = " ".join((PROJECT / MODEL_CARD).read_text("utf-8").split())
    of_cards = [name for name in manifest() if name.startswith("card_")]
    assert all(count == 0 for name in of_cards for _rendered, count, _ in trained_on(name))
    assert "**no photograph was trained on**" in text
    look = trained_on("card_second_look")
    minutes = [sum(one[2] for one in trained_on(name)) for name in of_cards[-2:]]
    assert of_cards[-2:] == ["card_column_ends", "card_column_gaps"]
    assert (
        f"the second look on {look[-1][0]:,} photographs of 880 hands, for"
        f" {sum(one[2] for one in look):.0f} minutes on one thread"
    ) in text
    assert f"for {minutes[0]:.0f} and {minutes[1]:.0f} minutes" in text
