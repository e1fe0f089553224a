"""What may happen to the melds on a table."""

from __future__ import annotations

from enum import StrEnum


class Change(StrEnum):
    """Names of the events, a public interface."""

    MELD_LAID = "meld_laid"
    TILES_ADDED = "tiles_added"
    WILD_MOVED = "wild_moved"
    TILE_REMOVED = "tile_removed"
    TILE_MOVED = "tile_moved"
    TAKEN_BACK = "taken_back"
