"""Small JPEGs of a watched table: its latest frame, and the tiles of each event."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.live import LiveEvent, LiveMeld, LiveTile, StableTable

FOLLOWED_SIDE = 1280  # longest side of the latest frame as pages get it, pixels
THUMBNAIL = (288, 168)  # largest width and height, pixels
AROUND = 1.2  # margin around the tiles of an event, in widths of a tile
OUTLINE = "#ffb000"


def as_jpeg(frame: NDArray[np.uint8], quality: int = 80) -> bytes:
    """Encode a (h, w, 3) RGB or (h, w) grey frame as JPEG, made smaller if its longer side has more
    than FOLLOWED_SIDE pixels. `quality` is that of JPEG, from 0 to 95.
    """
    image = Image.fromarray(frame)
    image.thumbnail((FOLLOWED_SIDE, FOLLOWED_SIDE), reducing_gap=2.0)
    return _encoded(image, quality)


def thumbnail(
    frame: NDArray[np.uint8],
    event: LiveEvent,
    before: StableTable | None,
    after: StableTable | None,
) -> bytes | None:
    """Cut the tiles that came, went or moved in an event out of a frame, with their surroundings,
    and outline them.

    `frame` is (h, w, 3) RGB; `before` and `after` are the tables before and after the event.
    Returns a JPEG; None where it is not known where the tiles lie, or where they lie outside the
    frame.
    """
    tiles = _concerned(event, _meld(before, event.meld_id), _meld(after, event.meld_id))
    if not tiles:
        return None
    corners = [tuple(map(tuple, tile.corners.tolist())) for tile in tiles]
    xs, ys = ([point[axis] for quad in corners for point in quad] for axis in (0, 1))
    margin = AROUND * max(
        abs(corners[0][1][0] - corners[0][0][0]), abs(corners[0][1][1] - corners[0][0][1])
    )
    height, width = frame.shape[:2]
    left, top = max(int(min(xs) - margin), 0), max(int(min(ys) - margin), 0)
    right, bottom = min(int(max(xs) + margin), width), min(int(max(ys) + margin), height)
    if right - left < 2 or bottom - top < 2:  # outside the frame, after the camera was nudged
        return None
    image = Image.fromarray(frame[top:bottom, left:right]).convert("RGB")
    scale = min(THUMBNAIL[0] / image.width, THUMBNAIL[1] / image.height, 2.0)
    image = image.resize(
        (max(round(image.width * scale), 1), max(round(image.height * scale), 1)),
        Image.Resampling.LANCZOS,
    )
    pen = ImageDraw.Draw(image)
    for quad in corners:
        pen.polygon(
            [((x - left) * scale, (y - top) * scale) for x, y in quad], outline=OUTLINE, width=3
        )
    return _encoded(image, 80)


def _meld(table: StableTable | None, name: int | None) -> LiveMeld | None:
    return next((meld for meld in table.melds if meld.id == name), None) if table else None


def _concerned(event: LiveEvent, before: LiveMeld | None, after: LiveMeld | None) -> list[LiveTile]:
    """Return the tiles to show for an event that changed the meld `before` into the meld `after`.
    `before` is None for a new meld, and `after` is None for a meld that is gone.

    If the meld lay there before and tiles were added to it, the added tiles are returned. Otherwise
    the tiles that left the meld are returned; where none left it, those whose faces the event
    names; and where it names none of them, all tiles of the meld.
    """
    was, now = _tiles_of(before), _tiles_of(after)
    if was and (came := now.keys() - was.keys()):
        return [tile for name, tile in now.items() if name in came]
    if left := was.keys() - now.keys():
        return [tile for name, tile in was.items() if name in left]
    named = [tile for tile in now.values() if tile.tile in event.tiles]
    return named or list(now.values())


def _tiles_of(meld: LiveMeld | None) -> dict[int, LiveTile]:
    """Map the ids of a meld's tiles to the tiles. The result is empty where `meld` is None."""
    return {tile.id: tile for tile in meld.tiles} if meld else {}


def _encoded(image: Image.Image, quality: int) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality)
    return out.getvalue()
