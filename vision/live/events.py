"""What the live referee tells: changes with their verdicts, and the stable table after them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.changes import ChangeVerdict
from engine.explain import explain_change
from engine.melds import Meld
from engine.messages import Language
from engine.reasons import Reason
from engine.rulesets import RuleSet
from engine.tiles import Tile
from vision.live.changes import Change
from vision.live.sentences import Remark, say
from vision.quads import Quad

Row = tuple[Tile | None, ...]  # None: a tile that could not be read


def written(row: Row) -> list[str | None]:
    return [None if tile is None else str(tile) for tile in row]


def spoken(row: Row) -> str:
    return " ".join("?" if tile is None else str(tile) for tile in row)


@dataclass(frozen=True)
class LiveEvent:
    """One change. `tiles`: those added, taken or moved; `row`: the meld after it; `box`: x0, y0,
    x1, y1 in frame pixels.
    """

    time: float
    frame: int
    change: Change
    tiles: Row
    row: Row
    meld: int | None  # identity of the meld, which it keeps as it grows
    side: str | None
    verdict: ChangeVerdict | None  # None: a tile of it could not be read, so nothing is judged
    doubtful: bool
    rules: RuleSet = field(repr=False)
    box: tuple[int, int, int, int] | None = None

    @property
    def legal(self) -> bool:
        """True as well where nothing could be judged: an unread tile is asked about, not held
        against anybody.
        """
        return self.verdict is None or self.verdict.legal

    @property
    def reason(self) -> Reason | None:
        return None if self.verdict is None else self.verdict.reason

    @property
    def alarming(self) -> bool:
        """Worth a sound: illegal, and no doubt about the tiles."""
        return not self.legal and not self.doubtful

    def message(self, language: Language = "es") -> str:
        """What happened, then the verdict; a question where a tile involved is doubtful."""
        tiles, row = spoken(self.tiles), spoken(self.row)
        gone = self.change is Change.TAKEN_BACK and not self.row
        told = say(Remark.TAKEN_AWAY if gone else self.change, language, tiles=tiles, row=row)
        if self.verdict is not None and self.change is not Change.TAKEN_BACK:
            told = f"{told} {explain_change(self.verdict, self.rules, language)}".rstrip()
        return (
            f"{told} {say(Remark.ASK, language, tiles=tiles, row=row)}" if self.doubtful else told
        )

    def to_json(self, language: Language = "es") -> dict[str, Any]:
        return {
            "time": round(self.time, 3),
            "frame": self.frame,
            "event": self.change.value,
            "tiles": written(self.tiles),
            "meld": written(self.row),
            "meld_id": self.meld,
            "side": self.side,
            "legal": self.legal,
            "reason": self.reason,
            "doubtful": self.doubtful,
            "box": self.box,
            "message": self.message(language),
        }


@dataclass(frozen=True)
class LiveTile:
    """A tile of the stable table. `corners` (4, 2) frame pixels in the tile's reading direction."""

    id: int
    tile: Tile | None
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
            "alternatives": [[str(tile), round(share, 4)] for tile, share in self.alternatives],
        }


@dataclass(frozen=True)
class LiveMeld:
    """`verdict` None where a tile is unread; `overruled`: the table lets it stand although it is
    illegal.
    """

    id: int
    tiles: tuple[LiveTile, ...]
    side: str | None
    verdict: Meld | None
    overruled: bool = False

    @property
    def row(self) -> Row:
        return tuple(tile.tile for tile in self.tiles)

    @property
    def doubtful(self) -> bool:
        return any(tile.doubtful for tile in self.tiles)

    def to_json(self) -> dict[str, Any]:
        verdict = self.verdict
        return {
            "id": self.id,
            "tiles": written(self.row),
            "side": self.side,
            "kind": verdict.kind if verdict else None,
            "legal": verdict.valid if verdict else None,
            "reason": verdict.reason if verdict else None,
            "canasta": verdict.canasta if verdict else None,
            "points": verdict.points if verdict else None,
            "doubtful": self.doubtful,
            "overruled": self.overruled,
            "details": [tile.to_json() for tile in self.tiles],
        }


@dataclass(frozen=True)
class StableTable:
    """The table as last understood; `width` and `height` of the frames that corners refer to.
    `printed`: rows that are no melds but lie printed on something, the lid of the game's box
    say.
    """

    time: float
    frame: int
    width: int
    height: int
    melds: tuple[LiveMeld, ...] = ()
    loose: tuple[LiveTile, ...] = ()
    printed: tuple[tuple[LiveTile, ...], ...] = ()

    def to_json(self, language: Language = "es") -> dict[str, Any]:
        return {
            "event": "table",
            "time": round(self.time, 3),
            "frame": self.frame,
            "width": self.width,
            "height": self.height,
            "melds": [meld.to_json() for meld in self.melds],
            "loose": written(tuple(tile.tile for tile in self.loose)),
            "loose_details": [tile.to_json() for tile in self.loose],
            "printed": [written(tuple(tile.tile for tile in row)) for row in self.printed],
            "printed_details": [[tile.to_json() for tile in row] for row in self.printed],
        }

    @property
    def tiles(self) -> tuple[LiveTile, ...]:
        """All that is seen, in melds or not."""
        return (*chain(*(meld.tiles for meld in self.melds)), *self.loose, *chain(*self.printed))

    def same_tiles(self, other: StableTable | None) -> bool:
        """Whether both show the same melds and loose tiles, wherever exactly they lie."""
        return other is not None and self._summary() == other._summary()

    def _summary(self) -> object:
        melds = [
            (meld.id, meld.row, meld.side, meld.doubtful, meld.overruled) for meld in self.melds
        ]
        loose = sorted(spoken((tile.tile,)) for tile in self.loose)
        return (
            sorted(melds, key=lambda each: each[0]),
            loose,
            sorted(spoken(tuple(t.tile for t in row)) for row in self.printed),
        )


def box_of(quads: list[NDArray[np.float32]]) -> tuple[int, int, int, int] | None:
    """The upright box around quads, whole pixels."""
    if not quads:
        return None
    points = np.concatenate(quads)
    x0, y0, x1, y1 = (int(v) for v in (*np.floor(points.min(axis=0)), *np.ceil(points.max(axis=0))))
    return x0, y0, x1, y1
