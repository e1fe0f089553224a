"""The table at rest: its melds, what lies loose, and what is only printed on something."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import Any

from engine.melds import Meld
from engine.sides import SideName
from engine.tiles import Tile
from vision.live.table.kinds import TileRow
from vision.quads import Quad


def row_to_json(row: TileRow) -> list[str | None]:
    """The tiles of the row in the engine's notation, None for a tile that could not be read."""
    return [None if tile is None else str(tile) for tile in row]


@dataclass(frozen=True)
class Moment:
    """The frame at which something was decided, and its size, to which all pixel coordinates
    refer.
    """

    time: float  # seconds of the clock that the frames came with
    frame: int  # counted from 0
    width: int
    height: int


@dataclass(frozen=True)
class LiveTile:
    """One tile of the stable table.

    `id` stays with the tile when it is moved. `corners` are (4, 2) frame pixels: top-left,
    top-right, bottom-right, bottom-left as one reads the tile. `confidence` is the probability of
    `tile`; `alternatives` are other tiles that it may be, each with its probability.
    """

    id: int
    tile: Tile | None  # None: not legible, nothing is claimed
    corners: Quad
    confidence: float
    doubtful: bool
    alternatives: tuple[tuple[Tile, float], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "tile": None if self.tile is None else str(self.tile),
            "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in self.corners],
            "confidence": round(self.confidence, 4),
            "doubtful": self.doubtful,
            "alternatives": [
                [str(tile), round(probability, 4)] for tile, probability in self.alternatives
            ],
        }


@dataclass(frozen=True)
class LiveMeld:
    """One meld of the stable table, its tiles in the order they lie, with the engine's verdict on
    it. `side` is None where no line between the sides is known.
    """

    id: int
    tiles: tuple[LiveTile, ...]
    side: SideName | None
    verdict: Meld | None  # None where a tile is unread
    accepted: bool = False  # the players let it lie although it is illegal

    @property
    def row(self) -> TileRow:
        """The meld's tiles in the order they lie, None for one that could not be read."""
        return tuple(tile.tile for tile in self.tiles)

    @property
    def doubtful(self) -> bool:
        """Whether a person should look at any of the meld's tiles."""
        return any(tile.doubtful for tile in self.tiles)

    def to_json(self) -> dict[str, Any]:
        verdict = self.verdict
        return {
            "id": self.id,
            "tiles": row_to_json(self.row),
            "side": self.side,
            "kind": verdict.kind if verdict else None,
            "legal": verdict.valid if verdict else None,
            "reason": verdict.reason if verdict else None,
            "canasta": verdict.canasta if verdict else None,
            "points": verdict.points if verdict else None,
            "doubtful": self.doubtful,
            "overruled": self.accepted,
            "details": [tile.to_json() for tile in self.tiles],
        }


@dataclass(frozen=True)
class StableTable:
    """The table as last understood. All corners are pixels of frames of `width` by `height`."""

    time: float  # seconds of the clock that the frames came with
    frame: int  # counted from 0
    width: int
    height: int
    melds: tuple[LiveMeld, ...] = ()
    loose: tuple[LiveTile, ...] = ()
    # Rows that are no melds but lie printed on something, such as the lid of the game's box.
    printed: tuple[tuple[LiveTile, ...], ...] = ()

    @property
    def tiles(self) -> tuple[LiveTile, ...]:
        """All tiles that are seen: in melds, loose and printed."""
        in_melds = chain(*(meld.tiles for meld in self.melds))
        return (*in_melds, *self.loose, *chain(*self.printed))

    def has_same_tiles(self, other: StableTable | None) -> bool:
        """Whether both tables hold the same melds on the same sides, the same loose tiles and the
        same printed rows, wherever in the picture they lie. False where `other` is None.
        """
        return other is not None and _content(self) == _content(other)

    def to_json(self) -> dict[str, Any]:
        return {
            "event": "table",
            "time": round(self.time, 3),
            "frame": self.frame,
            "width": self.width,
            "height": self.height,
            "melds": [meld.to_json() for meld in self.melds],
            "loose": row_to_json(tuple(tile.tile for tile in self.loose)),
            "loose_details": [tile.to_json() for tile in self.loose],
            "printed": [row_to_json(tuple(tile.tile for tile in row)) for row in self.printed],
            "printed_details": [[tile.to_json() for tile in row] for row in self.printed],
        }


def _content(table: StableTable) -> object:
    """Return what two tables are compared by: for each meld its tiles, its side and whether it is
    doubtful or accepted; the loose tiles; the printed rows.
    """
    melds = {}
    for meld in table.melds:
        melds[meld.id] = (meld.row, meld.side, meld.doubtful, meld.accepted)
    loose = Counter(tile.tile for tile in table.loose)
    printed = Counter(tuple(tile.tile for tile in row) for row in table.printed)
    return melds, loose, printed
