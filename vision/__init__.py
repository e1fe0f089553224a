"""Reads the tiles on a photograph of a Burako table.

>>> import vision
>>> reading = vision.open_reader().read("table.jpg")
>>> for row in sorted(reading.melds, key=lambda row: len(row.tiles), reverse=True):
...     print(*row.laid, "is legal" if row.verdict and row.verdict.valid else "is not legal")
5K 6K 7K J 9K 10K 11K 12K is legal
3R 4R 5R 6R 7R 8R 9R is legal
...
>>> [str(tile.tile) for tile in reading.tiles if tile.doubtful]
[]

`open_reader` gives a `TableReader`, whose `read` takes a path, the bytes of a file or a `Frame` of
pixels, and answers with a `TableReading`. For a rack or a heap: `read("rack.jpg", layout="loose")`.
What cannot be read raises `PhotoError`, whose `reason` says why.
`open_reader(pieces=Pieces.CARDS)` reads playing cards. The stages are in `vision.tiles.pipeline`,
those for cards in `vision.cards.pipeline`; `vision.live` watches a table through a camera.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from engine.pieces import Pieces
from vision.errors import ModelError, PhotoError, VisionError
from vision.reading import Doubt, Layout, MeldReading, Notice, TableReading, TileReading

if TYPE_CHECKING:
    from vision.tiles.pipeline import TableReader

__all__ = [
    "Doubt",
    "Layout",
    "MeldReading",
    "ModelError",
    "Notice",
    "PhotoError",
    "Pieces",
    "TableReading",
    "TileReading",
    "VisionError",
    "open_reader",
]


def open_reader(models: str | Path | None = None, pieces: Pieces = Pieces.TILES) -> TableReader:
    """Return the reader of tiles, or of cards, with the networks in the folder `models`, or with
    the installed ones where it is None.

    The networks are loaded at the first call and kept as long as the process runs; the reader may
    be used from several threads at a time. Raises ModelError when a network is missing or is not
    the one that the code was made for.
    """
    return _open(None if models is None else str(models), pieces)


@cache
def _open(models: str | None, pieces: Pieces) -> TableReader:
    from vision.cards.pipeline import CardTableReader
    from vision.tiles.pipeline import TableReader

    reader = CardTableReader if pieces is Pieces.CARDS else TableReader
    return reader(None if models is None else Path(models))
