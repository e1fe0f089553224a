"""Makes the detector's training samples from scenes. Each sample is a random window of 384 x 384
pixels of a picture, the map of centres that the network should give for it, and the corners at each
centre. A map has CELLS x CELLS cells of 8 x 8 pixels.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.recipes.samples import Sample, SceneSamples
from models.recipes.scenes import POSITIVE, UNSURE, TrainingScene

SIDE = 384  # pixels; a multiple of 32
STRIDE = 8
CELLS = SIDE // STRIDE
MINED_SHARE = 0.35  # of the windows of a scene whose mined places are known
SMALLEST = 11.0  # shortest side in network pixels below which a tile is not asked for


def _window(
    scene_size: tuple[int, int],
    quads: NDArray[np.float32],
    near: NDArray[np.float32],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Choose at random a 2x3 affine map from picture to window: a scale, a number of quarter turns
    and a place. `scene_size` is the picture's (width, height).

    `quads` (n, 4, 2) are all faces in the picture. The scale makes the median of their short sides
    13-180 px long. The scale is never below about 0.4, even where that median is then longer than
    180 px. The window lies near one of the quads `near`, which may be empty only if `quads` is; in
    a picture without faces it lies anywhere.
    """
    width, height = scene_size
    if len(quads):
        sides = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2)
        short = float(
            np.median(np.minimum(sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]) / 2)
        )
        smallest, largest = np.log(13.0 / short), np.log(180.0 / short)
        scale = np.exp(np.clip(rng.uniform(-0.7, 0.7), max(smallest, -0.9), max(largest, -0.9)))
        focus = near[rng.integers(len(near))].mean(0) + rng.uniform(-0.4, 0.4, 2) * SIDE / scale
    else:
        scale = rng.uniform(0.5, 1.3)
        focus = rng.uniform(0, 1, 2) * (width, height)
    half = SIDE / scale / 2
    for axis, size in enumerate((width, height)):  # stay inside where the picture is large enough
        focus[axis] = size / 2 if 2 * half >= size else np.clip(focus[axis], half, size - half)
    turn = rng.integers(4) * np.pi / 2
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    linear = np.array([[c, -s], [s, c]])
    return np.hstack([linear, (np.array([SIDE / 2, SIDE / 2]) - linear @ focus)[:, None]])


def _photometric(image: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return a window, (SIDE, SIDE, 3) RGB, with its exposure, gamma and channel gains changed at
    random, now and then blurred or with noise.
    """
    ramp = np.linspace(0, 1, 256)
    gains = np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.2))
    gamma = np.exp(rng.normal(0, 0.2))
    table = np.clip(ramp[:, None] ** gamma * gains, 0, 1) * 255
    image = np.asarray(cv2.LUT(image, table.astype(np.uint8).reshape(256, 1, 3)), np.uint8)
    if rng.random() < 0.15:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.3)), np.uint8)
    if rng.random() < 0.2:
        half = rng.normal(0, rng.uniform(2, 12), (SIDE // 2, SIDE // 2, 3)).astype(np.float32)
        noise = cv2.resize(half, (SIDE, SIDE)) if rng.random() < 0.5 else np.tile(half, (2, 2, 1))
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
    return image


def _share_inside(quad: NDArray[np.float32]) -> float:
    frame = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
    whole = abs(cv2.contourArea(quad))
    return float(cv2.intersectConvexConvex(quad, frame)[0] / whole) if whole > 1 else 0.0


def encode(
    quads: NDArray[np.float32],
    seen: NDArray[np.int8],
    symmetric: NDArray[np.bool_],
    points: NDArray[np.float32] | None = None,
) -> dict[str, NDArray[np.float32]]:
    """Make the targets of one window, arrays of CELLS x CELLS cells by name.

    `heat` is 1 at the centres of faces, with a Gaussian around them. `weight` is 0 where the
    network may answer anything, else 1. `corners` (2 k, CELLS, CELLS) holds k points in cells
    relative to the cell's centre: x and y of the first point, then of the next. `near` is the
    weight of the corner loss. `symmetric` is 1 where the face looks the same upside down.

    The faces are given by `quads` (n, 4, 2), in pixels of the window, by `seen` (n,), which is
    POSITIVE, UNSURE or HIDDEN for each, and by `symmetric` (n,), True where a face looks the same
    upside down. `points` (n, k, 2), in pixels of the window, are what the network learns to give
    for each face, by default its four corners.
    """
    points = quads if points is None else points
    heat = np.zeros((CELLS, CELLS), np.float32)
    weight = np.ones((CELLS, CELLS), np.float32)
    corners = np.zeros((2 * points.shape[1], CELLS, CELLS), np.float32)
    near = np.zeros((CELLS, CELLS), np.float32)
    either = np.zeros((CELLS, CELLS), np.float32)
    ys, xs = np.mgrid[0:CELLS, 0:CELLS].astype(np.float32) + 0.5
    # Whole numbers are the centres of pixels but the corners of cells: hence the half pixel.
    told = (points + 0.5) / STRIDE
    for quad, place, how, same in zip((quads + 0.5) / STRIDE, told, seen, symmetric, strict=True):
        share = _share_inside(quad * STRIDE)
        if how != POSITIVE or not _can_be_found(quad, share):
            if how >= UNSURE and share > 0.05:
                cv2.fillConvexPoly(weight, np.round(quad - 0.5).astype(np.int32), 0.0)
            continue
        bump = _bump(quad, xs, ys)
        mine = bump > np.maximum(near, 0.35)
        near[mine] = bump[mine]
        either[mine] = float(same)
        for k, (x, y) in enumerate(place):
            corners[2 * k][mine] = (x - xs)[mine]
            corners[2 * k + 1][mine] = (y - ys)[mine]
        heat = np.maximum(heat, bump)
    weight[heat > 0.35] = 1.0
    return {"heat": heat, "weight": weight, "corners": corners, "near": near, "symmetric": either}


def _short_side(quad: NDArray[np.float32]) -> float:
    sides = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
    short: float = min(sides[0] + sides[2], sides[1] + sides[3]) / 2
    return short


def _can_be_found(quad: NDArray[np.float32], share: float) -> bool:
    """Tell whether the detector is trained to find a face at `quad` (4, 2), in cells. `share` is
    the share of the face's area that lies in the window.

    The face's centre and at least 0.6 of its area must lie in the window, and its short side must
    be at least SMALLEST pixels long.
    """
    centre = quad.mean(0)
    inside = bool((centre >= 0).all() and (centre < CELLS).all())
    return inside and share >= 0.6 and bool(_short_side(quad) * STRIDE >= SMALLEST)


def _bump(
    quad: NDArray[np.float32], xs: NDArray[np.float32], ys: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return a Gaussian around the centre of a quad, as its values at the middles of all cells,
    (CELLS, CELLS). At the cell that holds the centre the value is 1. The Gaussian is wider for a
    larger quad.

    `quad` (4, 2) is in units of cells, and so are `xs` and `ys`, (CELLS, CELLS), the coordinates of
    the cells' middles.
    """
    centre = quad.mean(0)
    sigma = max(0.45, 0.09 * _short_side(quad))
    away = (xs - centre[0]) ** 2 + (ys - centre[1]) ** 2
    bump: NDArray[np.float32] = np.exp(-away / (2 * sigma**2))
    bump[int(min(centre[1], CELLS - 1)), int(min(centre[0], CELLS - 1))] = 1.0
    return bump


class DetectorWindows(SceneSamples):
    """Samples of the detector.

    Each is one random window, `picture` (1, 3, SIDE, SIDE), and its targets by the names that
    `encode` gives them, each with a first axis of length 1.
    """

    def sample(
        self, scene: TrainingScene, picture: NDArray[np.uint8], rng: np.random.Generator
    ) -> Sample:
        size = picture.shape[1], picture.shape[0]
        affine = _window(size, scene.quads, self.near(scene, rng), rng)
        shrink = abs(np.linalg.det(affine[:, :2])) < 0.64
        image = cv2.warpAffine(
            cv2.GaussianBlur(picture, (0, 0), 0.7) if shrink else picture,
            affine,
            (SIDE, SIDE),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=[int(v) for v in rng.integers(0, 256, 3)],
        )
        quads = (scene.quads @ affine[:, :2].T + affine[:, 2]).astype(np.float32)
        target = encode(quads, scene.seen, scene.symmetric, self.told(scene, quads, affine))
        for x0, y0, x1, y1 in scene.ignore:
            box = (
                np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) @ affine[:, :2].T + affine[:, 2]
            )
            cv2.fillConvexPoly(target["weight"], np.round(box / STRIDE - 0.5).astype(np.int32), 0.0)
        changed = _photometric(np.asarray(image, np.uint8), rng).transpose(2, 0, 1)
        return {
            "picture": np.ascontiguousarray(changed)[None],
            **{key: value[None] for key, value in target.items()},
        }

    def near(self, scene: TrainingScene, rng: np.random.Generator) -> NDArray[np.float32]:
        """Return quads (n, 4, 2), in pixels of the picture. The window lies near one of them,
        chosen later. This class returns the quads of all faces, or now and then those of places
        that a detector took for faces (`models.recipes.mine`); a subclass may choose others.
        """
        return scene.blanks if len(scene.blanks) and rng.random() < MINED_SHARE else scene.quads

    def told(
        self, scene: TrainingScene, quads: NDArray[np.float32], affine: NDArray[np.float64]
    ) -> NDArray[np.float32]:
        """Return the points that the network learns to give for each face, (n, k, 2) in pixels of
        the window. Here these are the four corners of the face.

        `quads` (n, 4, 2) are the faces in pixels of the window; `affine`, (2, 3), maps the picture
        to the window.
        """
        return quads


class CardWindows(DetectorWindows):
    """Samples of the detector of card indices. It learns eight points for each index: its four
    corners, then the four corners of its card.

    In pictures that show a jolly, about half of the windows are placed near one, since jollies
    differ from pack to pack.
    """

    def near(self, scene: TrainingScene, rng: np.random.Generator) -> NDArray[np.float32]:
        jollies = np.array([face == "J" for face in scene.faces], np.bool_)
        seen = jollies & (scene.seen == POSITIVE)
        return scene.quads[seen] if seen.any() and rng.random() < 0.5 else scene.quads

    def told(
        self, scene: TrainingScene, quads: NDArray[np.float32], affine: NDArray[np.float64]
    ) -> NDArray[np.float32]:
        wholes = scene.wholes @ affine[:, :2].T + affine[:, 2]
        return np.concatenate([quads, wholes.astype(np.float32)], axis=1)
