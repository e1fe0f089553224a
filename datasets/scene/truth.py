"""The truth of a painted scene, as `datasets.labels` describes it: corners, visible shares,
rows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from datasets.labels import LabelledPicture, LabelledRow, LabelledTile
from datasets.scene.bank import FaceBank
from datasets.scene.blocks import Block, Group
from datasets.scene.paint import Canvas
from engine import judge_meld, ruleset
from engine import tiles as engine_tiles

RULES = "burako"
EDGE_PX = 3.0  # a tile this close to the frame may be cut by it
MOSTLY_SEEN = 0.75
GRAZING = 0.3  # cosine between a face's normal and the line of sight, below which it is hard to see
HARDLY_SEEN = 0.05  # a tile of which less can be seen is not labelled at all


def truth(
    canvas: Canvas,
    labelled: list[tuple[int, Block]],
    groups: list[Group],
    kinds: list[str],
    bank: FaceBank,
) -> LabelledPicture:
    """Return the truth of a painted scene whose tiles have the faces of `bank`.

    `labelled` holds the readable tiles, each with the number under which it was painted on the
    canvas; `groups` holds all that was painted, and `kinds` the kind of each row, by the row's
    number. Rows with nothing in the picture are left out, and the remaining rows are numbered anew
    from 0.
    """
    seen = [(block, _label(canvas, block, label, bank)) for label, block in labelled]
    kept = [(block, tile) for block, tile in seen if tile]
    numbers = sorted({block.row for block, _ in kept if block.row is not None})
    rows = []
    for number in numbers:
        members = [i for i, (block, _) in enumerate(kept) if block.row == number]
        whole = all(
            tile is not None and tile.counted for block, tile in seen if block.row == number
        )
        order = tuple(sorted(members, key=lambda i: kept[i][0].place))
        rows.append(_judged(order, [kept[i][1].tile for i in order], kinds[number], whole))
    tiles = tuple(replace(t, row=None if b.row is None else numbers.index(b.row)) for b, t in kept)
    height, width = canvas.labels.shape
    ignore = tuple(_box(canvas, b) for g in groups for b in g.blocks if b.printed)
    more: dict[str, Any] = {
        "style": str(bank.seed),
        "ignore": ignore,
        "rack": [row.kind for row in rows] == ["rack"],
    }
    return LabelledPicture("", "rendered", width, height, tiles, tuple(rows), **more)


def _judged(members: tuple[int, ...], tiles: list[str], kind: str, whole: bool) -> LabelledRow:
    """Make the label of a row. A meld that is wholly seen is judged by the rules of `burako`; any
    other row has no verdict.

    `tiles` are the notations of the row's tiles and `members` their indices in the picture, both in
    reading order. `kind` is what was laid, such as `meld` or `rack`.
    """
    if kind != "meld" or not whole:
        return LabelledRow(members, kind=kind, whole=whole)
    meld = judge_meld(engine_tiles(" ".join(tiles)), ruleset(RULES))
    kind = str(meld.kind.value) if meld.kind else kind
    return LabelledRow(members, meld.valid, meld.reason.value if meld.reason else None, kind, whole)


def _label(canvas: Canvas, block: Block, label: int, bank: FaceBank) -> LabelledTile | None:
    """Return the true values of a tile, which was painted under the number `label`: its corners,
    its row and how much of it can be seen. None where the middle of its face is outside the frame
    or less than HARDLY_SEEN of the face can be seen.
    """
    corners = canvas.camera.project(block.corners())
    middle = canvas.camera.project(block.centre)
    last = np.array(canvas.labels.shape[::-1]) - 1
    share = canvas.visible(label) * inside_share(corners, last) * _facing(canvas, block)
    if np.any(middle < 0) or np.any(middle > last) or share < HARDLY_SEEN:
        return None
    margin = float(min(corners.min(), (last - corners).min()))
    return LabelledTile(
        tile=str(block.tile),
        centre=(float(middle[0]), float(middle[1])),
        corners=corners.astype(np.float32),
        row=block.row,
        counted=share >= MOSTLY_SEEN and margin >= EDGE_PX,
        visible=round(min(share, 1.0), 3),
        mirror_upright=bank.texture(block.tile, block.copy).mirror_upright,
    )


def _facing(canvas: Canvas, block: Block) -> float:
    """Return how well the face of a block can be read at the angle at which the camera sees it: 1
    for most angles, falling to 0 where the face is seen edge on or from behind.
    """
    view = canvas.camera.position - block.centre
    return float(np.clip(block.axes[2] @ view / np.linalg.norm(view) / GRAZING, 0, 1))


def _box(canvas: Canvas, block: Block) -> tuple[float, float, float, float]:
    """Return the box x0, y0, x1, y1, in px, around a block, which is a solid such as a tile. The
    box is cut off at the picture's borders.
    """
    last = np.array(canvas.labels.shape[::-1]) - 1.0
    pixels = np.clip(canvas.camera.project(block.vertices()), 0, last)
    x0, y0, x1, y1 = (float(v) for v in (*pixels.min(axis=0), *pixels.max(axis=0)))
    return x0, y0, x1, y1


def inside_share(quad: np.ndarray, last: np.ndarray) -> float:
    """Return the share of a quad, (4, 2) px, that lies in the picture. It is measured as the share
    of 9 x 9 points, spread over the quad, that lie between (0, 0) and `last`, x and y of the
    picture's last pixel.
    """
    t = np.linspace(0, 1, 9)[:, None]
    top, bottom = quad[0] * (1 - t) + quad[1] * t, quad[3] * (1 - t) + quad[2] * t
    points = top[None] * (1 - t[:, None]) + bottom[None] * t[:, None]
    return float(np.mean(np.all((points >= 0) & (points <= last), axis=-1)))
