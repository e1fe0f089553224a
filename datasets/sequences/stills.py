"""Turns labelled photographs into games: tiles come and go while a camera watches, and the tiles
that are not there are painted over with their surroundings.

In this way the live referee also watches tables, lights and tiles of another renderer, or of a real
camera, of which only single pictures exist.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import pi
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces.style import TILE_MM
from datasets.pixels import resized
from datasets.scene.camera import Camera, aimed_camera
from datasets.scene.light import Light, random_light
from datasets.scene.photo import decoded
from datasets.sequences.plan import Beat, Row
from engine import judge_meld
from engine.changes import Change, judge_change
from engine.reasons import Reason
from engine.rulesets import RuleSet
from engine.tiles import Tile

Quad = NDArray[np.float64]
# Margins in parts of a tile's size: BODY is hidden around a tile that is not there (its sides and
# shadow), RIM is kept around one that is.
BODY, RIM = 0.32, 0.06


@dataclass(frozen=True)
class StillTile:
    """A tile of a photograph; `quad` holds its corners TL, TR, BR, BL as one reads it, (4, 2)
    pixels.
    """

    tile: str
    quad: Quad


@dataclass
class StillRow:
    """A row of a photograph. The first `count` tiles of `all_pieces` are shown.

    `owed` is how many tiles were shown before a player took some away; the next beat with this row
    puts them back. It is None where none were taken. `side` is always None, since a photograph does
    not tell whose row it is.
    """

    all_pieces: tuple[StillTile, ...]
    count: int
    owed: int | None = None
    side: str | None = None

    @property
    def pieces(self) -> tuple[StillTile, ...]:
        return self.all_pieces[: self.count]

    @property
    def row(self) -> Row:
        return tuple(piece.tile for piece in self.pieces)


@dataclass
class StillGame:
    """A game on a photograph: its rows grow tile by tile, are laid and taken.

    `rows` are the whole melds of the photograph, and `pozo` holds all its other tiles.
    """

    rng: np.random.Generator
    rules: RuleSet
    camera: Camera
    rows: list[StillRow]
    pozo: list[StillTile]

    @property
    def melds(self) -> list[StillRow]:
        return [row for row in self.rows if row.pieces]

    def pieces(self) -> list[StillTile]:
        return [piece for row in self.rows for piece in row.pieces] + self.pozo

    def beat(self) -> Beat | None:
        """Change one row, chosen at random, and return what was done; None where nothing changed.

        The whole row is laid or taken, a tile or two are added or taken at its end, or what was
        taken from it before is put back.
        """
        laid = self.rows[int(self.rng.integers(len(self.rows)))]
        size, before = len(laid.all_pieces), laid.row
        if before and not judge_meld(_tiles(before), self.rules).valid:
            return None  # an illegal row is left as it is
        if laid.owed is not None:
            laid.count, laid.owed = laid.owed, None
            return Beat(None, self._place(laid), added=laid.row[len(before) :], note="put back")
        if not before:
            laid.count = size if size < 5 else int(self.rng.integers(3, size + 1))
        elif laid.count < size and self.rng.random() < 0.75:
            laid.count = min(size, laid.count + int(self.rng.integers(1, 3)))
        else:
            laid.owed = laid.count
            laid.count = (
                max(3, laid.count - int(self.rng.integers(1, 3))) if self.rng.random() < 0.7 else 0
            )
        return self._told(laid, before) if laid.row != before else None

    def _told(self, laid: StillRow, before: Row) -> Beat:
        added, removed = laid.row[len(before) :], before[laid.count :]
        old, new = ((_tiles(row),) if row else () for row in (before, laid.row))
        verdict = judge_change(Change(old, new, added=_tiles(added)), self.rules)
        # Nobody sees where a wild goes that is taken off: it counts as any other tile taken.
        reason = Reason.TILE_REMOVED if verdict.reason is Reason.WILD_WITHDRAWN else verdict.reason
        return Beat(
            None,
            self._place(laid),
            added,
            removed,
            (),
            verdict.legal,
            reason,
            "row was " + " ".join(before),
        )

    def _place(self, laid: StillRow) -> tuple[float, float]:
        """Return the middle of a row on the table, (x, y) in mm."""
        middle = np.mean([piece.quad for piece in laid.all_pieces], axis=(0, 1))
        x, y = self.camera.table_points(middle[None])[0].tolist()
        return x, y


@dataclass
class StillTable:
    """A table made of a photograph, (h, w, 3) RGB, as if the camera had looked straight down.

    Its scale in millimetres comes from the median width of the tiles in the photograph.
    """

    photograph: NDArray[np.uint8]
    everything: tuple[StillTile, ...]  # all tiles in the photograph
    camera: Camera
    light: Light

    @cached_property
    def bare(self) -> NDArray[np.uint8]:
        """The table without tiles, (h, w, 3) RGB: each tile is painted over with its surroundings.

        The filling is computed at half the size, which is quicker, and then enlarged.
        """
        half = tuple(side // 2 for side in self.photograph.shape[1::-1])
        mask = cv2.resize(self._mask(self.everything, BODY), half, interpolation=cv2.INTER_NEAREST)
        small = cv2.resize(self.photograph, half, interpolation=cv2.INTER_AREA)
        filled = cv2.inpaint(small, mask, 3, cv2.INPAINT_TELEA)
        return cv2.resize(
            filled, self.photograph.shape[1::-1], interpolation=cv2.INTER_LINEAR
        ).astype(np.uint8)

    def picture(self, game: StillGame) -> NDArray[np.uint8]:
        """Return the photograph, (h, w, 3) RGB, with the bare table in place of the tiles that are
        not shown in the game at the moment.
        """
        shown = {id(piece) for piece in game.pieces()}
        hidden = self._mask([piece for piece in self.everything if id(piece) not in shown], BODY)
        hidden[self._mask([piece for piece in self.everything if id(piece) in shown], RIM) > 0] = 0
        return np.where(hidden[..., None] > 0, self.bare, self.photograph).astype(np.uint8)

    def _mask(self, pieces: Sequence[StillTile], margin: float) -> NDArray[np.uint8]:
        mask = np.zeros(self.photograph.shape[:2], np.uint8)
        for piece in pieces:
            cv2.fillConvexPoly(mask, np.round(_grown(piece.quad, margin)).astype(np.int32), 255)
        return mask

    def corners(self, piece: StillTile) -> Quad:
        return piece.quad

    def points(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.camera.project(np.column_stack([table, np.zeros(len(table))]))


def still(
    raw: Mapping[str, Any],
    folder: Path,
    rng: np.random.Generator,
    rules: RuleSet,
    size: tuple[int, int],
) -> tuple[StillTable, StillGame]:
    """Make a table and a game on it from one photograph in `folder`; `raw` is its line of
    `labels.jsonl`, and `rules` are those that the game is played by.

    The photograph is scaled to fit `size`: its longer side is then at most `size[0]` px, its
    shorter side at most `size[1]` px, whichever way the camera was held.
    """
    picture = decoded((folder / raw["photo"]).read_bytes())
    scale = min(size[0] / max(picture.shape[:2]), size[1] / min(picture.shape[:2]))
    width, height = (int(side * scale) // 2 * 2 for side in picture.shape[1::-1])
    picture = resized(picture, (width, height))
    tiles = [StillTile(tile["tile"], np.array(tile["corners"]) * scale) for tile in raw["tiles"]]
    rows = [
        StillRow(tuple(tiles[i] for i in row["tiles"]), 0)
        for row in raw["rows"]
        if _is_playable(row, raw["tiles"])
    ]
    for row in rows:
        row.count = 0 if rng.random() < 0.4 else len(row.all_pieces)
    used = {id(piece) for row in rows for piece in row.all_pieces}
    tile_px = float(np.median([np.linalg.norm(tile.quad[1] - tile.quad[0]) for tile in tiles]))
    camera = aimed_camera(
        width, height, elevation=pi / 2, roll=0.0, fov=1.0, tile_px=tile_px, tile_mm=TILE_MM
    )
    table = StillTable(picture, tuple(tiles), camera, random_light(rng, easy=True))
    return table, StillGame(
        rng, rules, camera, rows, [tile for tile in tiles if id(tile) not in used]
    )


def stills(folder: Path) -> list[dict[str, Any]]:
    """List the lines of `labels.jsonl` of those photographs in `folder` that show a table with
    melds and no rack.
    """
    lines = [json.loads(line) for line in (folder / "labels.jsonl").read_text("utf-8").splitlines()]
    return [raw for raw in lines if _is_table(raw)]


def _is_table(raw: Mapping[str, Any]) -> bool:
    """Whether a photograph shows no rack and at least two whole melds to play with. `raw` is its
    line of `labels.jsonl`.
    """
    return (
        all(row["kind"] != "rack" for row in raw["rows"])
        and sum(_is_playable(row, raw["tiles"]) for row in raw["rows"]) >= 2
    )


def _is_playable(row: Mapping[str, Any], tiles: Sequence[Mapping[str, Any]]) -> bool:
    whole = (
        bool(row.get("whole")) and row["kind"] in ("escalera", "pierna") and len(row["tiles"]) >= 3
    )
    return whole and not any(tiles[i].get("hidden_or_cut") for i in row["tiles"])


def _grown(quad: Quad, part: float) -> Quad:
    return np.asarray(quad.mean(axis=0) + (quad - quad.mean(axis=0)) * (1 + 2 * part))


def _tiles(row: Sequence[str]) -> tuple[Tile, ...]:
    return tuple(map(Tile.parse, row))
