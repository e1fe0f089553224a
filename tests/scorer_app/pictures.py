"""Drawn stand-ins for photographs, each with the reading that a perfect reader would give.

The stand-in reader recognises each by its size in pixels.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from engine.melds import judge_meld
from engine.pieces import Pieces
from engine.rulesets import BURAKO, RuleSet
from engine.tiles import Tile
from scorer_app.services.reading_queue import ReadingFailed
from scorer_app.services.set_values import ChosenSet, SetError, SetTrouble
from vision.frame import Frame
from vision.own_set.teaching import TaughtPhoto
from vision.reading import Doubt, MeldReading, Notice, TableReading, TileReading

from .served import PATIENCE

TILE_WIDTH, TILE_HEIGHT, GAP = 70, 96, 6
INK = {
    "R": (190, 40, 30),
    "B": (30, 80, 170),
    "K": (30, 30, 28),
    "Y": (205, 130, 0),
    "J": (110, 50, 150),
}
_serial = 0


@dataclass(frozen=True)
class Picture:
    """A JPEG file and the JSON of its true reading."""

    data: bytes
    reading: dict[str, Any]
    size: tuple[int, int]


@dataclass
class RecordedReader:
    """A PhotoReader that knows the stand-ins; it finds no tiles on any other picture."""

    pictures: dict[tuple[int, int], Picture] = field(default_factory=dict)
    layouts: list[str] = field(default_factory=list)
    taught: TaughtPhoto | None = None  # what every photograph teaches
    ready: list[ChosenSet] = field(default_factory=list)
    chosen: list[ChosenSet | None] = field(default_factory=list)
    pieces: list[Pieces] = field(default_factory=list)
    begun: Event = field(default_factory=Event)
    go_on: Event = field(default_factory=Event)

    def __post_init__(self) -> None:
        self.go_on.set()

    def hold(self) -> None:
        """Let each reading that has `begun` wait for `go_on`."""
        self.go_on.clear()

    def add(self, picture: Picture) -> Picture:
        self.pictures[picture.size] = picture
        return picture

    def make_ready(self, chosen: ChosenSet) -> None:
        self.ready.append(chosen)

    def teach(self, frame: Frame) -> TaughtPhoto:
        if self.taught is None:
            raise SetError(SetTrouble.NO_ROW)
        return self.taught

    def read_photo(
        self, path: Path, layout: str, rules: RuleSet, chosen: ChosenSet | None, pieces: Pieces
    ) -> TableReading:
        self.begun.set()
        assert self.go_on.wait(PATIENCE)
        self.layouts.append(layout)
        self.chosen.append(chosen)
        self.pieces.append(pieces)
        try:
            with Image.open(path) as picture:
                size = picture.size
        except OSError as error:
            raise ReadingFailed("not_an_image") from error
        known = self.pictures.get(size)
        if known is None:
            return TableReading(*size, (), (), (), (Notice.NO_TILES,), {"total": 0.01})
        return reading_of(known.reading)


def reading_of(data: dict[str, Any]) -> TableReading:
    """Make the typed reading that `data` holds as JSON."""
    tiles = tuple(map(_tile_reading, data["tiles"]))
    melds = tuple(
        MeldReading(
            tuple(meld["tiles"]), tuple(tiles[at].tile for at in meld["tiles"]), None, False
        )
        for meld in data["melds"]
    )
    size = data.get("width", 0), data.get("height", 0)
    notices = tuple(map(Notice, data.get("notices", [])))
    return TableReading(*size, tiles, melds, tuple(data["loose"]), notices, data.get("seconds", {}))


def _tile_reading(entry: dict[str, Any]) -> TileReading:
    reasons = entry.get("doubts") or (["unsure"] if entry["doubtful"] else [])
    return TileReading(
        Tile.parse(entry["tile"]) if entry["tile"] else None,
        np.array(entry["corners"], np.float32),
        entry["confidence"],
        frozenset(map(Doubt, reasons)),
        tuple((Tile.parse(face), share) for face, share in entry["alternatives"]),
    )


def picture_of(*rows: str, loose: str = "", doubts: dict[str, list[str]] | None = None) -> Picture:
    """Draw tiles in rows on green felt.

    `doubts` maps a face as drawn to its possible readings, the first of which is in force ("" for
    unread).
    """
    global _serial
    _serial += 1
    size = (900 + _serial, 130 * (len(rows) + bool(loose)) + 60)
    image = Image.new("RGB", size, (38, 92, 70))
    entries: list[dict[str, Any]] = []
    melds = []
    for line, row in enumerate([*rows, *([loose] if loose else [])]):
        first = len(entries)
        step = TILE_WIDTH + (GAP if line < len(rows) else 3 * GAP + TILE_WIDTH // 2)
        for place, face in enumerate(row.split()):
            entries.append(
                _tile(image, 30 + place * step, 30 + line * 130, face, (doubts or {}).get(face))
            )
        if line < len(rows):
            melds.append(_meld(entries, range(first, len(entries))))
    in_rows = {index for meld in melds for index in meld["tiles"]}
    reading = {
        "width": size[0],
        "height": size[1],
        "tiles": entries,
        "melds": melds,
        "loose": [index for index in range(len(entries)) if index not in in_rows],
        "notices": [],
        "seconds": {"total": 0.12},
    }
    data = io.BytesIO()
    image.save(data, "JPEG", quality=92)
    return Picture(data.getvalue(), reading, size)


def _tile(image: Image.Image, x: int, y: int, face: str, doubt: list[str] | None) -> dict[str, Any]:
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((x + 3, y + 5, x + TILE_WIDTH + 3, y + TILE_HEIGHT + 5), 9, (20, 50, 38))
    draw.rounded_rectangle(
        (x, y, x + TILE_WIDTH, y + TILE_HEIGHT), 9, (247, 240, 220), (205, 190, 150), 2
    )
    ink, number = INK[face[-1]], "J" if face == "J" else face[:-1]
    font = ImageFont.load_default(44)
    draw.text((x + TILE_WIDTH / 2, y + 40), number, ink, font, anchor="mm")
    draw.ellipse(
        (x + TILE_WIDTH / 2 - 9, y + 66, x + TILE_WIDTH / 2 + 9, y + 84), outline=ink, width=4
    )
    read = face if doubt is None else doubt[0] or None
    right, bottom = x + TILE_WIDTH, y + TILE_HEIGHT
    return {
        "tile": read,
        "number": int(read[:-1]) if read and read != "J" else None,
        "colour": read[-1] if read and read != "J" else None,
        "joker": read == "J",
        "corners": [[x, y], [right, y], [right, bottom], [x, bottom]],
        "confidence": 0.99 if doubt is None else 0.55,
        "doubtful": doubt is not None,
        "alternatives": [[other, 0.2] for other in (doubt or [])[1:]],
    }


def _meld(entries: list[dict[str, Any]], indices: range) -> dict[str, Any]:
    faces = [entries[index]["tile"] for index in indices]
    meld = None if None in faces else judge_meld(tuple(map(Tile.parse, faces)), BURAKO)
    return {
        "tiles": list(indices),
        "laid": faces,
        "valid": meld and meld.valid,
        "kind": meld and meld.kind,
        "canasta": meld and meld.canasta,
        "points": meld.points if meld else 0,
        "reason": meld and meld.reason,
        "doubtful": None in faces,
    }
