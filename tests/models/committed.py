"""The committed tables of figures, and the documents that tell them."""

from __future__ import annotations

import csv

from tests.places import PROJECT

RESULTS = PROJECT / "datasets" / "results"
Row = dict[str, str]


def table(name: str) -> list[Row]:
    with (RESULTS / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def text_of(document: str) -> str:
    """Return a document as one line."""
    return " ".join((PROJECT / document).read_text("utf-8").split())
