"""Makes one labelled picture of cards on a table, with the same kinds of camera, light, ground and
photographic faults as the scenes of tiles (`datasets.scene`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards.drawing import CardFace, Draughtsman
from datasets.cards.layout import COLUMN, Dealer, Stock, fill
from datasets.cards.notation import tile_of
from datasets.cards.style import PackStyle, random_pack
from datasets.scene import hands, photo, things
from datasets.scene.bank import FaceBank, Skin, plain_texture
from datasets.scene.blocks import Block, rounded_rectangle
from datasets.scene.camera import Array, random_camera
from datasets.scene.ground import add_table_glare, darken_shape, paint_ground, shadow_on_table
from datasets.scene.light import light_map, random_light
from datasets.scene.melds import Pack
from datasets.scene.paint import Canvas, fixed, hull, paint_block
from datasets.scene.table import Table
from datasets.scene.truth import inside_share

CORNER = 3.2  # radius of a card's corners, mm
EDGE_PX = 3.0  # an index this close to the frame may be cut by it
READABLE = 0.6  # share of an index that must be seen for its card to count as shown


@dataclass(frozen=True)
class CardConfig:
    """How a scene of cards is made. `card_px` is the range, in pixels, from which the width of a
    card at the picture's middle is chosen.
    """

    width: int = 768
    height: int = 768
    card_px: tuple[float, float] = (62, 340)
    easy: float = 0.5  # share of scenes with even light and hardly a fault of the camera
    empty: float = 0.06  # share of scenes without any face-up card
    jollies: int = 4  # in the two packs; more of them teach their many marks sooner


@dataclass
class CardBank:
    """The two packs on a table. Their faces are drawn when they are first asked for."""

    packs: tuple[Draughtsman, Draughtsman]
    clutter: FaceBank  # tiles printed on things that lie beside the cards
    _faces: dict[tuple[str, int], tuple[CardFace, Skin]] = field(default_factory=dict)

    @classmethod
    def random(
        cls,
        seed: int,
        pack: Callable[[int], PackStyle] = random_pack,
        draw: Callable[[PackStyle], Draughtsman] = Draughtsman,
    ) -> CardBank:
        """Choose the packs of a scene at random: in four cases of five the same pack twice, else
        two different ones. `pack` makes the look of a pack from a seed, and `draw` its cards.
        """
        rng = np.random.default_rng([seed, 22])
        first = draw(pack(seed))
        second = first if rng.random() < 0.8 else draw(pack(seed + 1))
        return cls((first, second), FaceBank.random(seed))

    @property
    def style(self) -> PackStyle:
        return self.packs[0].style

    def face(self, card: str | None, copy: int) -> tuple[CardFace, Skin]:
        """Return two things: the face of a card, or the pack's back where `card` is None; and the
        skin (`datasets.scene.bank`) with which a block that shows this side is painted.

        `copy` says which of the two packs the card is from, 0 or 1.
        """
        key = (card or "back", copy)
        if key not in self._faces:
            self._faces[key] = self._drawn(card, copy)
        return self._faces[key]

    def _drawn(self, card: str | None, copy: int) -> tuple[CardFace, Skin]:
        pack = self.packs[copy]
        face = (
            CardFace(pack.back(copy), np.zeros((0, 4, 2)))
            if card is None
            else pack.face(card, copy)
        )
        h, w = face.picture.shape[:2]
        alpha = np.zeros((h, w), np.uint8)
        outline = rounded_rectangle(w, h, CORNER / self.style.width * w) + [w / 2, h / 2]
        cv2.fillPoly(alpha, [fixed(outline)], 255, cv2.LINE_AA, 4)
        side = tuple((np.array(self.style.paper) * 0.93).tolist())
        return face, Skin(plain_texture(face.picture, alpha), side, self.style.gloss)


def render_cards(
    rng: np.random.Generator, config: CardConfig, bank: CardBank
) -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """Render a table of cards and return the picture, (h, w, 3) RGB, with its line of labels.jsonl.

    In this line, `tiles` holds an entry for each corner index that is seen: `tile` in the engine's
    notation, `corners` TL, TR, BR, BL as one reads the index, `visible` the share of the index that
    is seen, 0-1, `card` the number of its card and `card_corners` the four corners of the whole
    card in the same order, in pixels like `corners`. `cards` maps the number of each readable card
    to its name, such as `7H`; a card is readable where one of its indices is. `columns` holds a
    list for each column of two or more readable cards: their numbers, the most covered card first.
    """
    easy = bool(rng.random() < config.easy)
    low, high = config.card_px
    style = bank.style
    card_px = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    camera = random_camera(rng, config.width, config.height, card_px, style.width)
    size = (style.width, style.height, 0.3)
    table = Table(rng, camera, size, CORNER, Pack(rng, 2), limit=250)
    if rng.random() >= config.empty:
        fill(Dealer(table, Stock(rng, config.jollies)))
    return photographed_table(rng, table, bank, easy)


def photographed_table(
    rng: np.random.Generator,
    table: Table,
    bank: CardBank,
    easy: bool,
    *,
    with_hands: bool = True,
) -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """Lay other things beside the cards of `table` and take a photograph. Returns the picture, (h,
    w, 3) RGB, and its line of labels.jsonl, whose keys `render_cards` explains.

    An `easy` photograph has even light and hardly a fault of the camera; without `with_hands` no
    hand reaches over the cards.
    """
    camera, card_groups = table.camera, list(table.groups)
    if rng.random() < (0.3 if easy else 0.75):
        things.lay_clutter(table, bank.clutter, int(rng.integers(1, 7)), no_cards=True)
    light = random_light(rng, easy)
    image = paint_ground(rng, camera, table.extent())
    canvas = Canvas(camera, light, image, np.zeros(image.shape[:2], np.uint8))
    if rng.random() < 0.4:
        add_table_glare(
            image, camera, light, light.glare * rng.uniform(0.05, 0.6), rng.uniform(0.05, 0.8)
        )
    shadow_on_table(image, camera, light, table.groups)
    blocks = [block for group in card_groups for block in group.blocks]
    paint_cards(canvas, blocks, bank, rng)
    _paint_clutter(canvas, table, len(card_groups), bank, rng)
    if with_hands and rng.random() < (0.05 if easy else 0.2):
        hands.paint_hand(canvas, hands.random_hand(rng, *table.spot(0.9)))
    line = _labels(canvas, blocks, table.rows, bank)
    image = photo.photographed(rng, canvas.image, light_map(rng, camera, easy), easy)
    line["notes"] = {"jpeg": str(photo.drawn_quality(rng, easy))}
    return image, line


def paint_cards(
    canvas: Canvas, blocks: list[Block], bank: CardBank, rng: np.random.Generator
) -> None:
    """Paint the cards in the order of `blocks`, so that later cards cover earlier ones. A card that
    lies on others casts a slight shadow on them.
    """
    depth = float(rng.uniform(0.05, 0.4))
    for label, block in enumerate(blocks, start=1):
        _, skin = bank.face(block.tile, block.copy)
        shown = Block(**{**vars(block), "skin": skin})
        if block.rest > 0.1 and canvas.camera.depths(block.vertices()).min() > 60:
            shape = hull(canvas.camera.project(block.vertices()))
            darken_shape(canvas.image, shape, sigma=float(rng.uniform(0.8, 2.0)), strength=depth)
        paint_block(canvas, shown, bank.clutter, label if label < 255 else 0, rng)


def _paint_clutter(
    canvas: Canvas, table: Table, first: int, bank: CardBank, rng: np.random.Generator
) -> None:
    eye = canvas.camera.position
    groups = sorted(
        table.groups[first:], key=lambda g: -float(np.hypot(*(g.anchor()[:2] - eye[:2])))
    )
    for group in groups:
        for block in group.blocks:
            paint_block(canvas, block, bank.clutter, 0, rng)


def _labels(
    canvas: Canvas, blocks: list[Block], kinds: list[str], bank: CardBank
) -> dict[str, Any]:
    entries: list[dict[str, Any]] = []
    shown: dict[int, str] = {}
    for number, block in enumerate(blocks):
        if block.tile is None or canvas.camera.depths(block.corners()).min() < 60:
            continue
        for entry in _indices(canvas, block, number + 1, bank):
            entries.append({**entry, "card": number})
            if entry["visible"] >= READABLE:
                shown[number] = block.tile
    columns: dict[int, list[int]] = {}
    for number, block in enumerate(blocks):
        if number in shown and block.row is not None and kinds[block.row] == COLUMN:
            columns.setdefault(block.row, []).append(number)
    height, width = canvas.labels.shape
    return {
        "style": str(bank.style.seed),
        "width": width,
        "height": height,
        "tiles": entries,
        "cards": {str(number): card for number, card in shown.items()},
        "columns": [column for column in columns.values() if len(column) > 1],
        "ignore": [],
    }


def _indices(canvas: Canvas, block: Block, label: int, bank: CardBank) -> Iterable[dict[str, Any]]:
    """Yield an entry for each corner index of one card, unless hardly anything of the index is
    seen. An entry is one of the list `tiles` in a line of labels.jsonl, but lacks the key `card`.
    `label` is the number under which the card was painted.
    """
    face, _ = bank.face(block.tile, block.copy)
    last = np.array(canvas.labels.shape[::-1]) - 1
    w, h, _ = block.size
    for quad in face.indices:
        corners = _projected(canvas, block, (quad - 0.5) * [w, h])
        turned = bool(quad[0, 1] > quad[3, 1])
        whole = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
        card = _projected(canvas, block, -whole if turned else whole)
        share = _seen_share(canvas, corners, label) * inside_share(corners, last)
        middle = corners.mean(axis=0)
        if share < 0.02 or np.any(middle < 0) or np.any(middle > last):
            continue
        margin = float(min(corners.min(), (last - corners).min()))
        yield {
            "tile": tile_of(str(block.tile)),
            "corners": corners.round(2).tolist(),
            "visible": round(share if margin > -EDGE_PX else min(share, 0.59), 3),
            "card_corners": card.round(2).tolist(),
        }


def _projected(canvas: Canvas, block: Block, points: Array) -> Array:
    """Project (n, 2) points of a card's face, given in mm to the right of its middle and down from
    it, to (n, 2) pixels of the picture.
    """
    return canvas.camera.project(block.centre + points @ block.axes[:2])


def _seen_share(canvas: Canvas, corners: Array, label: int) -> float:
    """Return how much of an index is seen: the share of its pixels within the frame that show its
    own card and no other thing. `corners`, (4, 2) px, are the corners of the index, and `label` is
    the number under which the card was painted.

    Only the inner three quarters of the index count, in width and in height, since its corners may
    lie a little beyond its card's edge.
    """
    middle = corners.mean(axis=0)
    inner = middle + (corners - middle) * 0.75
    low = np.floor(inner.min(axis=0)).astype(int)
    size = np.ceil(inner.max(axis=0)).astype(int) - low + 1
    if size.max() > 2000:
        return 0.0
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, fixed(inner - low), 1, cv2.LINE_8, 4)
    h, w = canvas.labels.shape
    x0, y0, x1, y1 = (
        max(low[0], 0),
        max(low[1], 0),
        min(low[0] + size[0], w),
        min(low[1] + size[1], h),
    )
    if x1 <= x0 or y1 <= y0:
        return 0.0
    part = mask[y0 - low[1] : y1 - low[1], x0 - low[0] : x1 - low[0]]
    asked = int(part.sum())
    own = int(((canvas.labels[y0:y1, x0:x1] == label) & (part > 0)).sum())
    return own / asked if asked else 0.0
