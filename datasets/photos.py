"""Loads the labelled photographs: their folders have labels in three formats, and all become the
classes of `datasets.labels`.

The photographs are read where they lie, beside the project, and never copied into it. Without them
every loader raises `PhotosMissing`; benchmarks and tests then leave them out. `root` is the folder
that holds all photographs, by default PHOTOS. A *shoot* is a series of photographs of one set of
tiles, taken on one occasion, so that they resemble one another.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.labels import LabelledPicture, LabelledRow, LabelledTile

PHOTOS = Path(__file__).resolve().parents[1].parent / "shared" / "photos"
FRAME_MARGIN = 3.0  # pixels: what comes this near to the frame counts as cut by it

# The photographs of these shoots that show a rack; their labels do not say so. Numbers as in the
# file names.
IVORY_RACKS = {"rummy3": range(1, 21), "rummy4": range(86, 94)}


class PhotosMissing(FileNotFoundError):
    """The labelled photographs are not on this machine."""


def load_rummikub_ivory(root: Path | str | None = None) -> list[LabelledPicture]:
    """Load 230 photographs of one real set, taken in five shoots. Their labels give the outlines of
    the tiles, drawn by hand, and no rows.

    The labels give no corners either. `datasets.outlines.outline_quad` can fit corners to an
    outline, without a reading direction.
    """
    return [
        _ivory_picture(label, folder)
        for label, folder in _labels(root, "rummikub_ivory", "labels.jsonl")
    ]


def load_other_sets(root: Path | str | None = None) -> list[LabelledPicture]:
    """Load 6 photographs of sets and rooms that `rummikub_ivory` does not show, for validation
    only. Their labels give the approximate centres of the tiles and, for tables, the rows.
    """
    return [
        _other_picture(label, folder)
        for label, folder in _labels(root, "other_sets", "tiles.jsonl")
    ]


def load_burako_renders(root: Path | str | None = None) -> list[LabelledPicture]:
    """Load 29 photorealistic renders of Burako tables, which serve for validation alone. Their
    labels give the corners of the tiles, and the verdicts on the rows. `root` is the folder that
    holds the folders of photographs; None stands for PHOTOS.
    """
    return [
        _render_picture(label, folder)
        for label, folder in _labels(root, "burako_renders", "labels.jsonl")
    ]


def load_strange_set(name: str, root: Path | str | None = None) -> list[LabelledPicture]:
    """Load the photographs of one odd set, for validation only. A row of kind `teach` shows the
    set's faces in the order of their numbers.

    `name` is its folder in `strange_sets`, such as `S1`.
    """
    return [
        _render_picture(label, folder)
        for label, folder in _labels(root, f"strange_sets/{name}", "labels.jsonl")
    ]


SOURCES: dict[str, Callable[[Path | str | None], list[LabelledPicture]]] = {
    "rummikub_ivory": load_rummikub_ivory,
    "other_sets": load_other_sets,
    "burako_renders": load_burako_renders,
}


def _labels(
    root: Path | str | None, source: str, file: str
) -> Iterator[tuple[dict[str, Any], Path]]:
    folder = Path(root or PHOTOS) / source
    if not (folder / file).is_file():
        raise PhotosMissing(
            f"expected the labels of {source} in {folder / file}: no photographs on this machine"
        )
    for line in (folder / file).read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line), folder


def _common(label: dict[str, Any], folder: Path) -> dict[str, Any]:
    return {
        "name": Path(label["photo"]).stem,
        "source": folder.name,
        "width": label["width"],
        "height": label["height"],
        "path": str(folder / label["photo"]),
        "ignore": tuple(tuple(float(edge) for edge in box) for box in label.get("ignore", ())),
    }


def _ivory_picture(label: dict[str, Any], folder: Path) -> LabelledPicture:
    common, shoot = _common(label, folder), label["shoot"]
    number = common["name"].rpartition("-")[2]
    rack = number.isdigit() and int(number) in IVORY_RACKS.get(shoot, ())
    tiles = tuple(_outlined(tile, label["width"], label["height"]) for tile in label["tiles"])
    return LabelledPicture(tiles=tiles, shoot=shoot, rack=rack, **common)


def _outlined(tile: dict[str, Any], width: int, height: int) -> LabelledTile:
    outline = np.array(tile["outline"], dtype=np.float32)
    return LabelledTile(
        tile=tile["tile"],
        centre=_centroid(outline),
        outline=outline,
        counted=not touches_frame(outline, width, height),
    )


def _other_picture(label: dict[str, Any], folder: Path) -> LabelledPicture:
    common = _common(label, folder)
    tiles = tuple(
        LabelledTile(tile["tile"], (tile["x"], tile["y"]), row=tile.get("row"))
        for tile in label["tiles"]
    )
    rows = [
        tuple(i for i, tile in enumerate(tiles) if tile.row == row) for row in _row_numbers(tiles)
    ]
    cut_off = tuple((float(at["x"]), float(at["y"])) for at in label["cut_off"])
    return LabelledPicture(
        tiles=tiles,
        rows=tuple(LabelledRow(row, kind="meld") for row in rows),
        cut_off=cut_off,
        rack="rack" in common["name"],
        style=common["name"].partition("-")[0],
        **common,
    )


def _row_numbers(tiles: tuple[LabelledTile, ...]) -> list[int]:
    return sorted({tile.row for tile in tiles if tile.row is not None})


def _render_picture(label: dict[str, Any], folder: Path) -> LabelledPicture:
    common = _common(label, folder)
    tiles = tuple(_cornered(tile, label["width"], label["height"]) for tile in label["tiles"])
    rows = tuple(
        LabelledRow(
            tuple(row["tiles"]),
            row.get("legal"),
            row.get("reason"),
            row["kind"],
            row.get("whole", True),
        )
        for row in label["rows"]
    )
    rack = common["name"].startswith("rack")
    return LabelledPicture(tiles=tiles, rows=rows, rack=rack, style=label["style"], **common)


def _cornered(tile: dict[str, Any], width: int, height: int) -> LabelledTile:
    corners = np.array(tile["corners"], dtype=np.float32)
    seen = not tile.get("hidden_or_cut", False) and not touches_frame(corners, width, height)
    centre = corners.mean(axis=0)
    return LabelledTile(
        tile=tile["tile"],
        centre=(float(centre[0]), float(centre[1])),
        corners=corners,
        row=tile["row"],
        counted=seen,
    )


def touches_frame(points: np.ndarray, width: int, height: int) -> bool:
    """Tell whether any of the (n, 2) points lies outside the picture, or within FRAME_MARGIN pixels
    of its edge.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    return bool(
        low.min() <= FRAME_MARGIN
        or high[0] >= width - FRAME_MARGIN
        or high[1] >= height - FRAME_MARGIN
    )


def _centroid(outline: np.ndarray) -> tuple[float, float]:
    moments = cv2.moments(outline)
    return moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]
