"""The figures that the README and the model card tell are those of the committed tables."""

from __future__ import annotations

import csv
import re

import pytest

from tests.places import PROJECT

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
    assert [source for source, *_ in told] == list(dict.fromkeys(source for source, _ in table))
    for source, *figures in told:
        pictures, right, cards, exact, of_pictures, silent, extra, doubtful, reported = map(
            int, figures
        )
        assert (right, cards) == table[source, "cards_right"]
        assert (exact, of_pictures) == table[source, "photos_exact"] and pictures == of_pictures
        assert silent == table[source, "silent"][0] and extra == table[source, "extra"][0]
        assert (doubtful, reported) == table[source, "doubtful"]
