"""Draws flat pictures and blocks, which are solids such as tiles, into the image, from far to near,
and keeps track of which block is seen in each pixel.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.pixels import resized
from datasets.scene.bank import FaceBank, Skin
from datasets.scene.blocks import Block
from datasets.scene.camera import NEAR, Array, Camera
from datasets.scene.light import Light

SHIFT = 4  # sub-pixel bits of OpenCV's polygon drawing


@dataclass
class Canvas:
    """The picture being painted, `image` (h, w, 3) RGB, and `labels` (h, w), the label of the tile
    that is seen in each pixel (0: no labelled tile).
    """

    camera: Camera
    light: Light
    image: NDArray[np.uint8]
    labels: NDArray[np.uint8]
    drawn: dict[int, int] = field(default_factory=dict)  # pixels of each label when it was drawn

    def polygon(self, points: Array, colour: Array) -> None:
        """Paint a convex polygon, (n, 2) px, in a colour, (3,) RGB 0..255, anti-aliased."""
        cv2.fillConvexPoly(self.image, fixed(points), tuple(map(float, colour)), cv2.LINE_AA, SHIFT)

    def cover(self, points: Array, label: int = 0) -> None:
        """Note that in the pixels of a convex polygon, (n, 2) px, the tile with this label is now
        seen; 0 stands for anything without a label.
        """
        middle = points.mean(axis=0)
        reach = np.linalg.norm(points - middle, axis=1, keepdims=True)
        inner = middle + (points - middle) * np.maximum(1 - 0.7 / np.maximum(reach, 1), 0)
        cv2.fillConvexPoly(self.labels, fixed(inner), int(label), cv2.LINE_8, SHIFT)
        if label:
            x0, y0, x1, y1 = clipped_box(inner, self.labels.shape)
            self.drawn[label] = int(np.count_nonzero(self.labels[y0:y1, x0:x1] == label))

    def visible(self, label: int) -> float:
        """Return the share 0..1 of the pixels painted under `label` that nothing has covered
        since.
        """
        return float(np.count_nonzero(self.labels == label)) / max(self.drawn.get(label, 0), 1)


def fixed(points: Array) -> NDArray[np.int32]:
    return np.ascontiguousarray(np.rint(np.clip(points, -8000, 8000) * (1 << SHIFT)), np.int32)


def clipped_box(points: Array, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Return the box x0, y0, x1, y1 around (n, 2) points in px, with a margin of a pixel, clipped
    to a picture of `shape`, (height, width). x1 and y1 are one beyond the last pixel.
    """
    low, high = np.floor(points.min(axis=0)) - 1, np.ceil(points.max(axis=0)) + 2
    x0, y0 = np.clip(low, 0, [shape[1], shape[0]]).astype(int)
    x1, y1 = np.clip(high, 0, [shape[1], shape[0]]).astype(int)
    return int(x0), int(y0), int(x1), int(y1)


def hull(points: Array) -> Array:
    return cv2.convexHull(points.astype(np.float32))[:, 0].astype(np.float64)


def paint_block(
    canvas: Canvas, block: Block, bank: FaceBank, label: int, rng: np.random.Generator
) -> None:
    """Paint the sides of a block and then, if the camera sees it, its face. `bank` has the face of
    a block without a skin of its own.

    `label` is the one under which the face is noted on the canvas; 0 for blocks that are no
    readable tiles.
    """
    camera = canvas.camera
    rings = block.rings()
    if camera.depths(rings).min() < NEAR:
        return
    pixels = camera.project(rings)
    outside = hull(pixels.reshape(-1, 2))
    x0, y0, x1, y1 = clipped_box(outside, canvas.labels.shape)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    tone = rng.normal(1, 0.01)
    skin = block.skin or bank.skin(block.tile, block.copy)
    _paint_sides(canvas, block, rings, pixels, outside, skin, tone)
    canvas.cover(outside)
    face_up = float(block.axes[2] @ (camera.position - block.centre)) > 0
    if face_up:
        shaded = shaded_texture(canvas, block, skin, tone, rng)
        paint_quad(canvas.image, shaded, camera.project(block.corners()))
        canvas.cover(pixels[0], label)


def _paint_sides(
    canvas: Canvas,
    block: Block,
    rings: Array,
    pixels: Array,
    outside: Array,
    skin: Skin,
    tone: float,
) -> None:
    """Paint the sides of a block, one segment of its rounded outline after another, each lit by its
    own normal.

    `rings` are the outlines of face and back in mm, (2, n, 3), `pixels` the same outlines in the
    picture, (2, n, 2) px, and `outside` is the convex hull of `pixels`. The sides have the colour
    `skin.side_rgb` times `tone`.
    """
    body = np.asarray(skin.side_rgb, float) * tone
    down = (
        -block.axes[2]
        if block.axes[2] @ (canvas.camera.position - block.centre) > 0
        else block.axes[2]
    )
    canvas.polygon(outside, np.clip(body * canvas.light.shade(down * [1, 1, 0.3]), 0, 255))
    normals, lengths = _outward_normals(block, rings[0])
    towards = np.einsum("ij,ij->i", normals, canvas.camera.position - rings[0])
    seen = np.flatnonzero((towards > 0) & (lengths > 1e-6))
    after = (seen + 1) % len(normals)
    quads = np.stack([pixels[0, seen], pixels[0, after], pixels[1, after], pixels[1, seen]], axis=1)
    colours = np.clip(body * canvas.light.shades(normals[seen])[:, None], 0, 255)
    _fill(canvas.image, quads, colours)
    if abs(block.axes[2][2]) > 0.5:  # darker where it meets the table
        wide = lengths[seen] > 4
        waist = quads[wide][:, [3, 2]] * 0.7 + quads[wide][:, [0, 1]] * 0.3
        _fill(
            canvas.image,
            np.concatenate([waist, quads[wide][:, [2, 3]]], axis=1),
            colours[wide] * 0.9,
        )


def _outward_normals(block: Block, ring: Array) -> tuple[Array, Array]:
    """Return the unit normal, (n, 3), and the length in mm, (n,), of each segment of `ring`, the
    outline of a block's face, (n, 3) mm.

    Segment i goes from point i to the next one.
    """
    normals = np.cross(np.roll(ring, -1, axis=0) - ring, block.axes[2])
    lengths = np.linalg.norm(normals, axis=1)
    normals /= np.maximum(lengths, 1e-9)[:, None]
    if np.sum(normals[0] * (ring[0] - block.centre)) < 0:
        normals = -normals
    return normals, lengths


def _fill(image: NDArray[np.uint8], polygons: Array, colours: Array) -> None:
    """Fill convex polygons, (k, n, 2) px, each with its colour, (k, 3) RGB."""
    for polygon, colour in zip(fixed(polygons), colours.tolist(), strict=True):
        cv2.fillConvexPoly(image, polygon, colour, cv2.LINE_AA, SHIFT)


def shaded_texture(
    canvas: Canvas, block: Block, skin: Skin, tone: float, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Return the face of `block`, (h, w, 4), RGB multiplied by alpha and then alpha, at about the
    size that the face has in the picture.

    The relief of the face is lit and the lamp is mirrored in it. `tone` is a factor of the
    brightness of the whole face.
    """
    quad = canvas.camera.project(block.corners())
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    texture = skin.texture.at_size(max(sides[0], sides[2]), max(sides[1], sides[3]))
    gain = canvas.light.slope_gain(block.axes)
    relief = 1 + np.clip(cv2.transform(texture.slopes, np.array([gain], np.float32)), -0.45, 0.45)
    shade = tone * canvas.light.shade(block.axes[2])
    lit = cv2.multiply(relief.reshape(texture.rgba.shape[:2]), shade)  # type: ignore[call-overload]  # takes numbers too
    out = np.asarray(
        cv2.multiply(texture.rgba, cv2.merge([lit, lit, lit, np.ones_like(lit)]), dtype=cv2.CV_8U),
        np.uint8,
    )
    gloss = canvas.light.glare * skin.gloss
    return _add_glare(canvas, block, out, gloss, rng) if gloss > 0.03 else out


def _add_glare(
    canvas: Canvas, block: Block, face: NDArray[np.uint8], gloss: float, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Return `face`, the picture of a block's face, (h, w, 4) RGBA, with the lamp's reflection
    added. A `gloss` of 1 mirrors the lamp fully.

    No two tiles lie exactly flat, so each mirrors the lamp at a slightly different place.
    """
    grid = np.linspace(-0.5, 0.5, 7)
    along, down = block.size[0] * block.axes[0], block.size[1] * block.axes[1]
    points = block.centre + grid[None, :, None] * along + grid[:, None, None] * down
    normal = block.axes[2] + rng.normal(0, 0.012, 3)
    seen = canvas.light.reflection(
        points, normal / np.linalg.norm(normal), canvas.camera.position, rough=0.12
    )
    if seen.max() < 0.02:
        return face
    seen = resized(seen * np.float32(gloss * 230), (face.shape[1], face.shape[0]), cv2.INTER_CUBIC)
    white = cv2.multiply(face[..., 3], np.clip(seen, 0, 255), scale=1 / 255, dtype=cv2.CV_8U)
    return np.asarray(
        cv2.add(face, cv2.merge([white, white, white, np.zeros_like(white)])), np.uint8
    )


def paint_quad(image: NDArray[np.uint8], rgba: NDArray[np.uint8], quad: Array) -> None:
    """Paint `rgba`, a picture of RGB multiplied by alpha with alpha last, (h, w, 4), onto the
    image, in place. `quad`, (4, 2) px, says where the corners TL, TR, BR, BL of `rgba` come to lie
    in the image: the outer corners of its corner pixels, not the centres of these pixels.
    """
    x0, y0, x1, y1 = clipped_box(quad, image.shape)
    if x1 <= x0 or y1 <= y0:
        return
    h, w = rgba.shape[:2]
    source = np.array(
        [[-0.5, -0.5], [w - 0.5, -0.5], [w - 0.5, h - 0.5], [-0.5, h - 0.5]], np.float32
    )
    matrix = cv2.getPerspectiveTransform(source, (quad - [x0, y0]).astype(np.float32))
    placed = cv2.warpPerspective(
        rgba, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
    )
    region = image[y0:y1, x0:x1]
    rest = cv2.cvtColor(255 - placed[..., 3], cv2.COLOR_GRAY2RGB)
    cv2.add(cv2.multiply(region, rest, scale=1 / 255), placed[..., :3], dst=region)
