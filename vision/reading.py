"""What a photograph says, as frozen records, and their JSON (the public shape of `burako read`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.melds import Meld
from engine.tiles import Tile


class Layout(StrEnum):
    """What the photograph shows: a table, whose rows are mostly legal melds, or tiles that owe
    nothing to each other.
    """

    MELDS = "melds"
    LOOSE = "loose"


class Notice(StrEnum):
    """What a person should know about the photograph as a whole."""

    NO_TILES = "no_tiles"
    TOO_DARK = "too_dark"
    TOO_BLURRED = "too_blurred"
    TOO_SMALL = "too_small"
    CUT_OFF = "cut_off"
    FIRST_OF_MANY = "first_of_many"
    FEW_COLOURS = "few_colours"


class Doubt(StrEnum):
    """Why a person should look at a tile."""

    UNREAD = "unread"  # not legible: nothing is claimed
    UNSURE = "unsure"  # another reading is too likely
    REPAIRED = "repaired"  # the rules or the set's inventory decided against the eye
    FAINT = "faint"  # perhaps no tile at all
    COPIES = "copies"  # there are more tiles with this face than the set holds
    # alone, and much larger or smaller than the tiles around it: perhaps a picture of one
    SIZE = "size"
    # its row is no meld and lies on a ground of its own: printed on the lid of a box, say
    PRINTED = "printed"
    CUT_OFF = "cut_off"
    # the picture is in black and white or has a small palette: the colour is a guess
    FEW_COLOURS = "few_colours"


@dataclass(frozen=True)
class TileReading:
    """One face. `corners` (4, 2) x, y in pixels of the upright original, in the tile's reading
    direction.
    """

    tile: Tile | None  # None: a tile that could not be read
    corners: NDArray[np.float32]
    confidence: float
    doubts: frozenset[Doubt] = frozenset()
    alternatives: tuple[tuple[Tile, float], ...] = ()
    meld: int | None = None

    @property
    def doubtful(self) -> bool:
        return bool(self.doubts)

    def to_json(self) -> dict[str, Any]:
        tile = self.tile
        return {
            "tile": None if tile is None else str(tile),
            "number": None if tile is None else tile.number,
            "colour": None if tile is None else tile.colour,
            "joker": tile is not None and tile.joker,
            "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in self.corners],
            "confidence": round(self.confidence, 4),
            "doubtful": self.doubtful,
            "doubts": sorted(self.doubts),
            "alternatives": [[str(other), round(share, 4)] for other, share in self.alternatives],
            "meld": self.meld,
        }


@dataclass(frozen=True)
class MeldReading:
    """A row of tiles and the engine's verdict; no verdict where a tile is unread or the layout
    owes no melds.
    """

    tiles: tuple[int, ...]  # indices into TableReading.tiles, left to right as most of them read
    laid: tuple[Tile | None, ...]
    verdict: Meld | None
    doubtful: bool

    def to_json(self) -> dict[str, Any]:
        verdict = self.verdict
        return {
            "tiles": list(self.tiles),
            "laid": [None if tile is None else str(tile) for tile in self.laid],
            "valid": None if verdict is None else verdict.valid,
            "kind": verdict.kind if verdict else None,
            "canasta": verdict.canasta if verdict else None,
            "points": verdict.points if verdict else None,
            "reason": verdict.reason if verdict else None,
            "doubtful": self.doubtful,
        }


@dataclass(frozen=True)
class TableReading:
    """One photograph, read. Sizes in pixels of the upright original."""

    width: int
    height: int
    tiles: tuple[TileReading, ...]
    melds: tuple[MeldReading, ...]
    loose: tuple[int, ...]
    notices: tuple[Notice, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "width": self.width,
            "height": self.height,
            "tiles": [tile.to_json() for tile in self.tiles],
            "melds": [meld.to_json() for meld in self.melds],
            "loose": list(self.loose),
            "notices": [str(notice) for notice in self.notices],
            "seconds": {stage: round(value, 4) for stage, value in self.seconds.items()},
        }
