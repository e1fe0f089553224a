"""Types that all modules of this package use: the kinds of change, and a row of tiles as it was
read.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from engine.tiles import Tile

TileRow: TypeAlias = tuple[Tile | None, ...]  # in the order they lie; None could not be read


class ChangeKind(StrEnum):
    """What may happen to the melds on a table. The values are the event names in JSON."""

    MELD_LAID = "meld_laid"
    TILES_ADDED = "tiles_added"
    WILD_MOVED = "wild_moved"
    TILE_REMOVED = "tile_removed"
    TILE_MOVED = "tile_moved"
    TAKEN_BACK = "taken_back"  # something illegal was put right
