"""The tables of the documents of the networks, cell by cell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.places import PROJECT

MODEL_CARD, MEASUREMENTS = "models/MODEL_CARD.md", "models/MEASUREMENTS.md"
Row = dict[str, str]
NUMBER = re.compile(r"\d[\d,]*")
SEED = re.compile(r"\b(?:9[1-9]|[123]\d\d)\d\d\b")  # 9100 to 39999


def tables(document: str) -> Iterator[list[Row]]:
    """Yield each table of a document: its rows, each of which maps a column's title to a cell."""
    text = (PROJECT / document).read_text("utf-8")
    for block in re.findall(r"^\|.*\n(?:\|.*\n)+", text, re.MULTILINE):
        titles, _line, *rows = (
            [cell.strip() for cell in line[1:-1].split("|")] for line in block.splitlines()
        )
        assert len(set(titles)) == len(titles), f"{document}: two columns of {titles} are alike"
        yield [dict(zip(titles, cells, strict=True)) for cells in rows]


def rows_with(document: str, *titles: str) -> list[Row]:
    """Return the rows of all tables of a document that have all these columns."""
    return [row for rows in tables(document) for row in rows if set(titles) <= set(row)]


def numbers(cell: str) -> tuple[int, ...]:
    """Return the whole numbers of a cell, as of `1,710 of 2,040`, but for those in brackets."""
    counted = re.sub(r"\([^)]*\)", "", cell)
    return tuple(int(number.replace(",", "")) for number in NUMBER.findall(counted))


def seeds(label: str) -> list[int]:
    """Return the seeds that a label such as `9900, 10200 to 10400` names, in their order. Those of
    tiles follow each other, of cards each hundredth is one.
    """
    named: list[int] = []
    end = 0
    for found in SEED.finditer(label):
        seed = int(found.group())
        step = 100 if seed % 100 == 0 else 1
        is_range = named and label[end : found.start()] == " to "
        named += range(named[-1] + step, seed + 1, step) if is_range else [seed]
        end = found.end()
    return named
