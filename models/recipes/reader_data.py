"""Makes the reader's training samples from scenes: white-balanced crops of faces at imprecise
quads, in all four directions, and crops of places without a face.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from models.recipes.samples import Sample, SceneSamples
from models.recipes.scenes import HIDDEN, NONE, POSITIVE, TrainingScene
from vision.crops import corner_offsets_between, crop_faces, white_balance
from vision.quads import Quad
from vision.reader import UNREADABLE

FROM_ONE = 12  # crops taken from one scene
# how much more often a comodín is drawn than a number: a set has two among 106 tiles, and their
# figures vary most
JOKER_WEIGHT = 4.0
BLANK_SHARE = 0.16  # of crops that show no face
SMALLEST = 9.0  # short side in pixels below which a face is not asked for

Crop = NDArray[np.float32]  # (h, w, 3) RGB, 0-255
Changes = tuple[tuple[float, Callable[[Crop, np.random.Generator], Crop]], ...]


def jittered(
    quad: NDArray[np.float32], rng: np.random.Generator, amount: float
) -> NDArray[np.float32]:
    """Imitate the detector's imprecision: shift and scale a quad (4, 2), then shift each corner by
    itself.

    `amount` is about how large the errors are, as a share of the tile's size.
    """
    centre = quad.mean(0)
    size = np.abs(quad - centre).mean() * 2
    whole = (
        (quad - centre) * np.exp(rng.normal(0, 0.6 * amount))
        + centre
        + rng.normal(0, 0.6 * amount, 2) * size
    )
    return np.asarray(whole + rng.normal(0, 0.7 * amount, (4, 2)) * size, np.float32)


def _nowhere(
    scene: TrainingScene, shape: tuple[int, ...], rng: np.random.Generator
) -> NDArray[np.float32] | None:
    """Choose at random a tile-shaped quad (4, 2) where no whole face lies: on the cloth, on the
    back of a tile, or across two faces. `shape` is the picture's, (h, w, 3).

    Returns None where the chosen place lies outside the picture or too near to a face.
    """
    width = float(np.exp(rng.uniform(np.log(14), np.log(120))))
    if len(scene.quads):
        model = scene.quads[rng.integers(len(scene.quads))]
        shift = rng.uniform(-1, 1, 2) * (np.ptp(model, axis=0) * rng.choice([0.9, 4.0]))
        quad = model + shift
    else:
        turn = rng.uniform(0, 2 * np.pi)
        box = np.array([[-1, -1.4], [1, -1.4], [1, 1.4], [-1, 1.4]]) * width / 2
        rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        quad = box @ rotation.T + rng.uniform(0, 1, 2) * (shape[1], shape[0])
    centre = quad.mean(0)
    if (centre < 0).any() or (centre >= (shape[1], shape[0])).any():
        return None
    size = np.abs(quad - centre).mean() * 2
    for other in scene.quads:
        if np.linalg.norm(other.mean(0) - centre) < 0.42 * size:
            return None
    return np.asarray(quad, np.float32)


def _saturated(crop: Crop, rng: np.random.Generator) -> Crop:
    grey = crop.mean(axis=2, keepdims=True)
    stronger = np.float32(np.exp(rng.normal(0, 0.25)))
    return np.asarray(np.clip(grey + (crop - grey) * stronger, 0, 255), np.float32)


def _toned(crop: Crop, rng: np.random.Generator) -> Crop:
    gamma = np.float32(np.exp(rng.normal(0, 0.25)))
    return np.asarray(np.float32(255) * (crop / np.float32(255)) ** gamma, np.float32)


def _veiled(crop: Crop, rng: np.random.Generator) -> Crop:
    """Overexpose a crop and lay a veil of stray light over it, so that ink fades towards white."""
    veil = rng.uniform(0, 0.6)
    lit = np.minimum(crop * rng.uniform(1.0, 1.35), 255) * (1 - veil) + 255 * veil
    return np.asarray(lit, np.float32)


def _bleached(crop: Crop, rng: np.random.Generator) -> Crop:
    """Make the ink in a crop absorb less light, as after years in the sun, a little differently in
    each colour channel.

    The bright part of the crop counts as the tile's body.
    """
    body = np.maximum(np.percentile(crop, 80, axis=(0, 1)), 1.0).astype(np.float32)
    left = rng.uniform(0.3, 0.9) * np.exp(rng.normal(0, 0.1, 3))
    seen = np.clip(crop / body, 0.004, None)
    faded = np.where(seen < 1, seen ** left.astype(np.float32), seen)
    return np.asarray(np.clip(faded * body, 0, 255), np.float32)


def _from_afar(crop: Crop, rng: np.random.Generator) -> Crop:
    """Shrink a crop to a width of 7-18 pixels and enlarge it again.

    Its height is reduced further at random, as in a view from low above the table.
    """
    height, width = crop.shape[:2]
    across = rng.uniform(7, 18)
    along = across * height / width * rng.uniform(0.35, 1.0)
    small = cv2.resize(crop, (round(across), max(5, round(along))), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height)), np.float32)


def _moved(crop: Crop, rng: np.random.Generator) -> Crop:
    """Blur a crop along a line of 3-15 pixels, as a camera in a moving hand does."""
    length, angle = rng.uniform(3, 15), rng.uniform(0, np.pi)
    side = int(length) // 2 * 2 + 3
    kernel = np.zeros((side, side), np.float32)
    reach = length / 2 * np.array([np.cos(angle), np.sin(angle)])
    middle = (side - 1) / 2
    start, end = ((middle + sign * reach) * 16 for sign in (-1, 1))
    ends = [tuple(np.rint(point).astype(int).tolist()) for point in (start, end)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_8, 4)
    kernel = kernel + kernel[::-1, ::-1]
    return np.asarray(cv2.filter2D(crop, -1, kernel / kernel.sum()), np.float32)


def _soft(crop: Crop, rng: np.random.Generator) -> Crop:
    across, along = rng.uniform(0.3, 1.8, 2)
    return np.asarray(cv2.GaussianBlur(crop, (0, 0), across, sigmaY=along), np.float32)


def _noisy(crop: Crop, rng: np.random.Generator) -> Crop:
    return np.asarray(crop + rng.normal(0, rng.uniform(1, 14), crop.shape), np.float32)


def _glaring(crop: Crop, rng: np.random.Generator) -> Crop:
    """Add a round patch of glare to a crop at a random place."""
    x, y = rng.uniform(0, 1, 2) * crop.shape[1::-1]
    r = rng.uniform(5, 22)
    ys, xs = np.mgrid[0 : crop.shape[0], 0 : crop.shape[1]]
    glow = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * r * r))[:, :, None]
    return np.asarray(crop + glow * rng.uniform(40, 200), np.float32)


# The changes in the order in which they are applied, each with its probability.
CHANGES: Changes = (
    (0.5, _saturated),
    (0.5, _toned),
    (0.1, _veiled),
    (0.12, _bleached),
    (0.1, _from_afar),
    (0.08, _moved),
    (0.25, _soft),
    (0.25, _noisy),
    (0.08, _glaring),
)


# Those of them that are as strong as a crop of a single face bears.
OF_ONE_FACE = (_from_afar, _moved)


def varied(
    crops: NDArray[np.uint8], rng: np.random.Generator, changes: Changes = CHANGES
) -> NDArray[np.uint8]:
    """Return n crops, (n, h, w, 3) RGB, each varied at random as other inks, cameras and compressed
    pictures would show it.
    """
    out = np.empty_like(crops)
    for i, crop in enumerate(crops):
        changed = np.asarray(crop, np.float32)
        for often, change in changes:
            if rng.random() < often:
                changed = change(changed, rng)
        out[i] = np.clip(changed, 0, 255)
    return out


@dataclass(frozen=True)
class Asked:
    """A quad, (4, 2) px, to crop at, and the right answer of each of the reader's heads there.

    `number`, `colour` and `turn` are numbers of classes; a head is not trained where its answer is
    negative. `corner_offsets` (4, 2) are not trained where they are NaN.
    """

    quad: Quad
    number: int = UNREADABLE
    colour: int = NONE
    turn: int = NONE
    # (4, 2) as `vision.crops.corner_offsets_between` gives them; NaN: not trained.
    corner_offsets: NDArray[np.float32] = field(
        default_factory=lambda: np.full((4, 2), np.nan, np.float32)
    )


NOTHING = Asked(np.array([[0, 0], [20, 0], [20, 28], [0, 28]], np.float32))


def _face(scene: TrainingScene, i: int, rng: np.random.Generator) -> Asked | None:
    """Choose at random an imprecise quad at face number `i` of the scene, turned in any of four
    directions, with the right answers there.

    A covered face counts as unreadable. Returns None where the face is too small.
    """
    quad, hidden = scene.quads[i], scene.seen[i] == HIDDEN
    sides = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
    if min(sides[0] + sides[2], sides[1] + sides[3]) / 2 < SMALLEST:
        return None
    turn = int(rng.choice(4, p=[0.6, 0.08, 0.24, 0.08]))
    true = np.roll(quad, turn, axis=0)
    off = jittered(true, rng, float(rng.choice([0.01, 0.025, 0.06])))
    if hidden:
        return Asked(off)
    no_top = scene.symmetric[i] and turn % 2 == 0
    return Asked(
        off,
        *scene.classes(i),
        NONE if no_top else turn,
        corner_offsets_between(off, true),
    )


def _blank(scene: TrainingScene, shape: tuple[int, ...], rng: np.random.Generator) -> Asked | None:
    mined = len(scene.blanks) and rng.random() < 0.7
    if mined:
        return Asked(jittered(np.asarray(rng.choice(scene.blanks), np.float32), rng, 0.04))
    away = _nowhere(scene, shape, rng)
    return None if away is None else Asked(away)


class ReaderCrops(SceneSamples):
    """Samples of the reader.

    Each is FROM_ONE crops of one scene, `picture` (FROM_ONE, 3, 64, 48), and the right answers of
    each head by its name, with a first axis of length FROM_ONE.
    """

    def sample(
        self, scene: TrainingScene, picture: NDArray[np.uint8], rng: np.random.Generator
    ) -> Sample:
        asked_for = np.isin(scene.seen, (POSITIVE, HIDDEN))
        if scene.half_seen is not None:
            asked_for |= scene.half_seen
        faces = rng.permutation(np.flatnonzero(asked_for)).tolist()
        weights = np.array([JOKER_WEIGHT if scene.faces[i] == "J" else 1.0 for i in faces])
        weights /= max(weights.sum(), 1.0)
        asked: list[Asked] = []
        for _ in range(200):
            if len(asked) == FROM_ONE:
                break
            if len(faces) and rng.random() > BLANK_SHARE:
                drawn = _face(scene, int(rng.choice(faces, p=weights)), rng)
            else:
                drawn = _blank(scene, picture.shape, rng)
            asked += [drawn] if drawn else []
        asked += [NOTHING] * (FROM_ONE - len(asked))  # hardly ever: a scene with nothing to ask
        crops = white_balance(varied(crop_faces(picture, [one.quad for one in asked]), rng))
        corner_offsets = np.stack([one.corner_offsets for one in asked]).reshape(-1, 8)
        return {
            "picture": np.ascontiguousarray(crops.transpose(0, 3, 1, 2)),
            "number": np.array([one.number for one in asked]),
            "colour": np.array([one.colour for one in asked]),
            "turn": np.array([one.turn for one in asked]),
            "corner_offsets": np.clip(corner_offsets, -0.6, 0.6).astype(np.float32),
        }
