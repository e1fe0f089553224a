"""Labelled scenes as the recipes use them: arrays of quads and faces beside the picture's path."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.tiles import COLOURS
from vision.cards.known_marks import NearMarks
from vision.quads import Quad
from vision.reader import JOKER

# How much of a tile is seen: it has to be found, counts neither way, or is background.
POSITIVE, UNSURE, HIDDEN = 2, 1, 0

# Share of a face on a rack from which it can mostly be read: the lower tiles cover its lower part.
READABLE_ON_RACK = 0.4

NONE = -1  # class of a head that is not trained

BLANKS = "blanks.json"
DIRECTIONS = "directions.json"
FINDS = "finds.json"
LABELS = "labels.jsonl"


@dataclass(frozen=True)
class TrainingScene:
    """One picture with its labels.

    `quads` (n, 4, 2) are its faces in pixels, with the corners TL, TR, BR, BL as one reads them;
    `faces` are their tiles in the engine's notation; `seen` (n,) is POSITIVE, UNSURE or HIDDEN for
    each.
    """

    path: Path
    quads: NDArray[np.float32]
    faces: tuple[str, ...]
    seen: NDArray[np.int8]
    symmetric: NDArray[np.bool_]  # the face looks the same upside down
    ignore: NDArray[np.float32]  # (m, 4) boxes x0, y0, x1, y1 in which labels are incomplete
    # (k, 4, 2) quads that look like faces and are none, see models.recipes.mine.
    blanks: NDArray[np.float32]
    # (n, 4, 2) corners of the card on which each index stands; of tiles (0, 4, 2).
    wholes: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32))
    # (n,) True for faces on racks that are partly covered and read all the same; None: for no face.
    half_seen: NDArray[np.bool_] | None = None
    known_inks: bool = True  # False: colours cannot be told from one picture and are not trained
    # (k, 4, 2) windows around the 6s and 9s of a rack, and (k,) which of these stand on their head,
    # see models.recipes.directions.
    windows: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32))
    upside_down: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    # (k, 4, 2) windows around finds, and for each (k, 3) what it shows, its colour and whether the
    # reader is in doubt, see models.recipes.finds; or around places in columns, see
    # models.recipes.columns.
    finds: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32))
    shown: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    marks: tuple[NearMarks, ...] = ()  # known around each place in columns

    def classes(self, number: int) -> tuple[int, int]:
        """Return the reader's classes of number and colour of face number `number`. The colour is
        NONE where it is not trained.
        """
        digits, colour = number_and_colour(self.faces[number])
        return digits, colour if self.known_inks else NONE

    def faces_at(self, quad: Quad) -> list[int]:
        """Return the numbers of the faces that may lie at a quad (4, 2): its middle lies in theirs,
        or theirs in it.
        """
        return [
            number
            for number, face in enumerate(self.quads)
            if lies_in_one(quad[None], face) or lies_in_one(face[None], quad)
        ]

    def jollies(self) -> NDArray[np.float32]:
        """Return the corners of the cards that are jollies, (n, 4, 2); none in a scene of tiles."""
        cards = zip(self.wholes, self.faces, strict=False)  # tiles have no corners of cards
        corners = [corners for corners, face in cards if face == "J"]
        return np.array(corners, np.float32).reshape(-1, 4, 2)

    def ignores(self, quad: Quad) -> bool:
        """Tell whether the middle of a quad (4, 2) lies where the labels are incomplete."""
        x, y = map(float, quad.mean(axis=0))
        return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in self.ignore)


def lies_in_one(quads: NDArray[np.float32], inner: Quad) -> bool:
    """Tell whether the middle of `inner` (4, 2) lies in one of `quads` (n, 4, 2)."""
    x, y = map(float, inner.mean(axis=0))
    return any(cv2.pointPolygonTest(quad, (x, y), False) >= 0 for quad in quads)


def _seen(tile: dict[str, object]) -> int:
    visible = float(tile.get("visible", 0.5 if tile.get("hidden_or_cut") else 1.0))  # type: ignore[arg-type]
    return POSITIVE if visible >= 0.6 else UNSURE if visible >= 0.25 else HIDDEN


def _half_seen(tile: dict[str, Any], record: dict[str, Any]) -> bool:
    """Tell whether a face stands on a rack, partly covered by other tiles but still mostly
    readable, and is not cut by the frame. `tile` is one of the `tiles` of `record`, a line of
    labels.jsonl.
    """
    if tile.get("row") is None or record["rows"][tile["row"]]["kind"] != "rack":
        return False
    corners = np.array(tile["corners"])
    inside = (corners > 0).all() and (corners < (record["width"], record["height"])).all()
    return bool(inside) and _seen(tile) == UNSURE and tile["visible"] >= READABLE_ON_RACK


def number_and_colour(face: str) -> tuple[int, int]:
    """Return the reader's classes of number and colour: `7R` gives (6, 0). The comodín has the
    number JOKER and the colour NONE.
    """
    return (JOKER, NONE) if face == "J" else (int(face[:-1]) - 1, COLOURS.index(face[-1]))


def load_scenes(folder: Path) -> list[TrainingScene]:
    """Load all scenes of a folder from its file LABELS, which lists the pictures; from its file
    BLANKS, which lists places that only look like faces; from its file DIRECTIONS, which lists
    windows around tiles of racks; and from its file FINDS, which lists windows around what was
    found or around places in columns. A folder may lack all files but the first.
    """
    mined, directions, finds = (
        json.loads((folder / name).read_text("utf-8")) if (folder / name).exists() else {}
        for name in (BLANKS, DIRECTIONS, FINDS)
    )
    scenes = []
    for line in (folder / LABELS).read_text("utf-8").splitlines():
        record = json.loads(line)
        tiles, found = record["tiles"], finds.get(record["photo"], [])
        scenes.append(
            TrainingScene(
                path=folder / record["photo"],
                quads=np.array([t["corners"] for t in tiles], np.float32).reshape(-1, 4, 2),
                faces=tuple(t["tile"] for t in tiles),
                seen=np.array([_seen(t) for t in tiles], np.int8),
                symmetric=np.array([bool(t.get("mirror_upright")) for t in tiles], np.bool_),
                ignore=np.array(record.get("ignore", []), np.float32).reshape(-1, 4),
                blanks=np.array(mined.get(record["photo"], []), np.float32).reshape(-1, 4, 2),
                wholes=np.array(
                    [t["card_corners"] for t in tiles if "card_corners" in t], np.float32
                ).reshape(-1, 4, 2),
                half_seen=np.array([_half_seen(t, record) for t in tiles], np.bool_),
                known_inks=bool(record.get("known_inks", True)),
                windows=np.array(
                    [window for window, _ in directions.get(record["photo"], [])], np.float32
                ).reshape(-1, 4, 2),
                upside_down=np.array(
                    [told for _, told in directions.get(record["photo"], [])], np.bool_
                ),
                finds=np.array([find[0] for find in found], np.float32).reshape(-1, 4, 2),
                shown=np.array([find[1:4] for find in found], np.int64).reshape(-1, 3),
                marks=tuple(_near_marks(find[4]) for find in found if len(find) > 4),
            )
        )
    return scenes


def _near_marks(listed: list[list[float]]) -> NearMarks:
    """Return marks as `models.recipes.columns.listed` lists them."""
    told = np.array(listed, np.float32).reshape(-1, 9)
    return NearMarks(told[:, :8].reshape(-1, 4, 2), told[:, 8] > 0)


def write_whole(path: Path, text: str) -> None:
    """Write a file under another name and then move it to `path`, so that an interrupted write
    leaves no half-written file at `path`.
    """
    beside = path.with_name(path.name + ".part")
    beside.write_text(text, "utf-8")
    beside.replace(path)


def mixed(
    rendered: list[TrainingScene], real: list[TrainingScene], share: float
) -> list[TrainingScene]:
    """Mix rendered scenes and photographs (`real`) into one list.

    The photographs are repeated so often that a scene drawn at random from the list is a photograph
    with about the probability `share`.
    """
    if not real:
        return rendered
    if not rendered:
        return real
    times = max(1, round(share / (1 - share) * len(rendered) / len(real)))
    return rendered + real * times
