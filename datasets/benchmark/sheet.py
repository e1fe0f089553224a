"""Draws a contact sheet of all tiles that were not read exactly. Silent errors, which the reading
does not mark as doubtful, come first.

The sheet shows pieces of photographs that may not be copied, so it is written to a folder that git
ignores.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.benchmark.counting import Judged, PictureCount
from datasets.benchmark.tables import failures
from datasets.labels import LabelledPicture
from vision.frame import load

CELL = 200  # pixels: side of a crop on the sheet
TEXT = 44  # pixels below it, for two lines
COLUMNS = 8
AT_MOST = 200  # cells on one sheet
CONTEXT = 2.2  # crop side over the size of a tile: neighbours explain many failures

BGR = NDArray[np.uint8]
RED, GREY = (40, 40, 220), (70, 70, 70)


def write_sheet(counted: dict[str, list[PictureCount]], path: Path) -> int:
    """Write the sheet of the tiles that were not read exactly, as a PNG file; silent errors come
    first. Returns how many tiles are on the sheet, at most AT_MOST. Where no tile was misread, no
    file is written.

    `counted` holds, by the name of the source, the counts of its photographs.
    """
    failed = [
        (judged, count)
        for counts in counted.values()
        for count in counts
        for judged in failures(count)
    ]
    failed.sort(key=lambda pair: not pair[0].silent)
    cells = [_cell(judged, count.picture) for judged, count in failed[:AT_MOST]]
    if cells:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, _grid(cells))
    return len(cells)


def _grid(cells: list[BGR]) -> BGR:
    blank = np.full_like(cells[0], 255)
    rows = [cells[start : start + COLUMNS] for start in range(0, len(cells), COLUMNS)]
    return np.vstack([np.hstack([*row, *[blank] * (COLUMNS - len(row))]) for row in rows])


def _cell(judged: Judged, picture: LabelledPicture) -> BGR:
    cell = np.full((CELL + TEXT, CELL, 3), 255, np.uint8)
    cell[:CELL] = _crop(judged.centre, picture)
    read = judged.read or ("-" if judged.confidence is None else "?")
    sure = "" if judged.confidence is None else f" {judged.confidence:.2f}"
    doubt = " doubt" if judged.doubtful else ""
    _write_line(
        cell, f"{judged.true or 'nothing'} > {read}{sure}{doubt}", 1, RED if judged.silent else GREY
    )
    _write_line(cell, f"{picture.name} {judged.outcome.value}", 2, GREY)
    return cell


def _write_line(cell: BGR, text: str, line: int, colour: tuple[int, int, int]) -> None:
    cv2.putText(
        cell, text, (4, CELL + 18 * line), cv2.FONT_HERSHEY_SIMPLEX, 0.45, colour, 1, cv2.LINE_AA
    )


def _crop(centre: tuple[float, float], picture: LabelledPicture) -> BGR:
    side = CONTEXT * tile_size(picture)
    scale = CELL / side
    shift = np.array(
        [[scale, 0, CELL / 2 - scale * centre[0]], [0, scale, CELL / 2 - scale * centre[1]]]
    )
    return np.asarray(
        cv2.warpAffine(_pixels(picture.path or ""), shift, (CELL, CELL), flags=cv2.INTER_AREA),
        np.uint8,
    )


@lru_cache(maxsize=2)
def _pixels(path: str) -> BGR:
    """Decode a picture upright, as the reader does, so that labelled places fit it: (h, w, 3)
    BGR.
    """
    return np.ascontiguousarray(load(path).pixels[:, :, ::-1])


def tile_size(picture: LabelledPicture) -> float:
    """Estimate the length in pixels of a tile's long side in the picture, from the tiles' corners
    or outlines. Where no tile has either, the distances between the centres tell it, or the
    picture's width if there are not two centres.
    """
    shapes = [tile.outline if tile.corners is None else tile.corners for tile in picture.tiles]
    sizes = [float(np.ptp(shape, axis=0).max()) for shape in shapes if shape is not None]
    if sizes:
        return float(np.median(sizes))
    centres = np.array([tile.centre for tile in picture.tiles]).reshape(-1, 2)
    if len(centres) < 2:
        return picture.width / 12
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2) + np.diag(
        np.full(len(centres), np.inf)
    )
    return 1.4 * float(np.median(apart.min(axis=1)))


def _write(path: Path, sheet: BGR) -> None:
    encoded, data = cv2.imencode(path.suffix or ".png", sheet)
    if not encoded:
        raise ValueError(f"expected a picture format OpenCV can write, got {path.suffix!r}")
    path.write_bytes(data.tobytes())
