"""What a photograph says: frozen records, and their JSON, which is what `burako read` prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.melds import Meld
from engine.pieces import Pieces, card_name
from engine.tiles import Tile


class Layout(StrEnum):
    """What the photograph shows."""

    MELDS = "melds"  # a table, whose rows are mostly legal melds
    LOOSE = "loose"  # a rack or a heap, whose tiles are independent of each other


class Notice(StrEnum):
    """What a person should know about the photograph as a whole."""

    NO_TILES = "no_tiles"
    TOO_DARK = "too_dark"
    TOO_BRIGHT = "too_bright"  # the light has burnt out the ink of a tile
    TOO_BLURRED = "too_blurred"
    TOO_SMALL = "too_small"  # the tiles have too few pixels
    CUT_OFF = "cut_off"  # a tile reaches outside the picture
    FIRST_OF_MANY = "first_of_many"  # the file holds several pictures, and this is the first
    FEW_COLOURS = "few_colours"
    OTHER_SET = "other_set"  # the tiles are not of the set that was chosen
    OTHER_PIECES = "other_pieces"  # cards where tiles were expected, or tiles for cards


class Doubt(StrEnum):
    """Why a person should look at a tile."""

    UNREAD = "unread"  # not legible: no face is claimed
    UNSURE = "unsure"  # another face is too likely
    REPAIRED = "repaired"  # the rules or the set's inventory overruled what is seen
    FAINT = "faint"  # perhaps no tile at all
    COPIES = "copies"  # more tiles show this face than the set holds
    # It is in no row, and much larger or smaller than the tiles around: perhaps a picture of one.
    SIZE = "size"
    # It lies among keys, as of a keyboard, or its row is no meld and lies on a ground of its own,
    # as on the lid of a box, or it lies beside a rack and is turned against it.
    PRINTED = "printed"
    # It lies well in front of a rack or behind it: it may be a picture of a tile, or a tile of
    # another rack.
    OFF_RACK = "off_rack"
    CUT_OFF = "cut_off"  # it reaches outside the picture, and is loose or doubtful otherwise
    # The picture is in black and white or has a small palette: the colour is a guess.
    FEW_COLOURS = "few_colours"


@dataclass(frozen=True)
class TileReading:
    """One tile that was found: its face, where it lies, and the reasons to doubt it."""

    tile: Tile | None  # None where it could not be read
    # (4, 2): x, y in pixels of the upright original; top-left, top-right, bottom-right, bottom-left
    # as one reads the tile
    corners: NDArray[np.float32]
    confidence: float  # probability of the likeliest face, 0-1
    doubts: frozenset[Doubt] = frozenset()
    alternatives: tuple[tuple[Tile, float], ...] = ()  # other faces, best first: probability 0-1
    meld: int | None = None  # index into TableReading.melds, None for a loose tile

    @property
    def doubtful(self) -> bool:
        """Whether a person should look at the tile."""
        return bool(self.doubts)

    def to_json(self) -> dict[str, Any]:
        """Return the entry of this tile in the JSON of `burako read`."""
        tile = self.tile
        return {
            "tile": None if tile is None else str(tile),
            "number": None if tile is None else tile.number,
            "colour": None if tile is None else tile.colour,
            "joker": tile is not None and tile.joker,
            "corners": [[round(x, 1), round(y, 1)] for x, y in self.corners.tolist()],
            "confidence": round(self.confidence, 4),
            "doubtful": self.doubtful,
            "doubts": sorted(self.doubts),
            "alternatives": [[str(other), round(share, 4)] for other, share in self.alternatives],
            "meld": self.meld,
        }


@dataclass(frozen=True)
class MeldReading:
    """A row of tiles, and the verdict on it."""

    tiles: tuple[int, ...]  # indices into TableReading.tiles, left to right as most of them read
    laid: tuple[Tile | None, ...]  # the tiles themselves, None for those unread
    verdict: Meld | None  # None where a tile is unread or the layout has no melds
    doubtful: bool  # whether one of its tiles is

    def to_json(self) -> dict[str, Any]:
        """Return the entry of this row in the JSON of `burako read`."""
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
    """All that one photograph says: the tiles, the rows in which they lie, and what a person should
    know about the picture. `melds` are all rows of two tiles or more, legal or not; `loose` are the
    indices of the tiles in no row. `seconds` holds the time of each stage, by name, and in total.
    """

    width: int  # pixels of the upright original
    height: int
    tiles: tuple[TileReading, ...]
    melds: tuple[MeldReading, ...]  # every row of two tiles or more, legal or not
    loose: tuple[int, ...]  # indices of the tiles in no row
    notices: tuple[Notice, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)  # by stage, and in total
    pieces: Pieces = Pieces.TILES
    # Indices of the tiles of melds that lie on the table behind the rack that was photographed.
    behind_rack: tuple[int, ...] = ()

    def named(self, tile: TileReading) -> dict[str, Any]:
        """Return the entry of a tile in the JSON of `burako read`; that of a card has the card's
        own name, too.
        """
        entry = tile.to_json()
        if self.pieces is not Pieces.CARDS:
            return entry
        return {**entry, "card": None if tile.tile is None else card_name(tile.tile)}

    def to_json(self) -> dict[str, Any]:
        """Return all that `burako read` prints as JSON, except the name of the photograph."""
        return {
            "width": self.width,
            "height": self.height,
            "tiles": [self.named(tile) for tile in self.tiles],
            "melds": [meld.to_json() for meld in self.melds],
            "loose": list(self.loose),
            "notices": [str(notice) for notice in self.notices],
            "seconds": {stage: round(value, 4) for stage, value in self.seconds.items()},
            **({"behind_rack": list(self.behind_rack)} if self.behind_rack else {}),
        }
