"""Scenes into reader samples: balanced crops of faces at imprecise quads, in all four directions, and of what is no face."""

from __future__ import annotations

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import Dataset

from models.recipes.scenes import HIDDEN, POSITIVE, TrainingScene
from vision.crops import balance, crop_faces, shift_between

JOKER, UNREADABLE = 13, 14
COLOUR_ORDER = "RBKY"
NONE = -1  # no loss for this head
FROM_ONE = 12  # crops taken from one scene
JOKER_WEIGHT = 4.0  # against a numbered face: a set has two comodines among 106 tiles, and their figures vary most
BLANK_SHARE = 0.10  # of crops that show no face
SMALLEST = 9.0  # short side in pixels below which a face is not asked for


def number_and_colour(face: str) -> tuple[int, int]:
    """`7R` -> (6, 0); the comodín's colour is not asked for."""
    return (JOKER, NONE) if face == "J" else (int(face[:-1]) - 1, COLOUR_ORDER.index(face[-1]))


def _jitter(quad: NDArray[np.float32], rng: np.random.Generator, amount: float) -> NDArray[np.float32]:
    """The detector's imprecision: shift, scale and each corner for itself, in shares of the tile's sides."""
    centre = quad.mean(0)
    size = np.abs(quad - centre).mean() * 2
    whole = (quad - centre) * np.exp(rng.normal(0, 0.6 * amount)) + centre + rng.normal(0, 0.6 * amount, 2) * size
    return (whole + rng.normal(0, 0.7 * amount, (4, 2)) * size).astype(np.float32)


def _nowhere(scene: TrainingScene, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float32] | None:
    """A tile-shaped quad where no whole face lies: on the cloth, on a back, or astride two faces."""
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
    return quad.astype(np.float32)


def _photometric(crops: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Per crop: saturation, gamma, a blur or noise now and then, as cameras and compressors leave them."""
    out = np.empty_like(crops)
    for i, crop in enumerate(crops):
        if rng.random() < 0.5:
            grey = crop.mean(axis=2, keepdims=True)
            crop = np.clip(grey + (crop - grey) * np.exp(rng.normal(0, 0.25)), 0, 255)
        if rng.random() < 0.5:
            crop = 255.0 * (np.asarray(crop, np.float32) / 255.0) ** np.exp(rng.normal(0, 0.25))
        crop = np.asarray(crop, np.float32)
        if rng.random() < 0.2:
            crop = cv2.GaussianBlur(crop, (0, 0), rng.uniform(0.4, 1.4))
        if rng.random() < 0.25:
            crop = crop + rng.normal(0, rng.uniform(1, 14), crop.shape)
        if rng.random() < 0.08:  # a patch of glare
            x, y, r = rng.uniform(0, crop.shape[1]), rng.uniform(0, crop.shape[0]), rng.uniform(5, 22)
            ys, xs = np.mgrid[0 : crop.shape[0], 0 : crop.shape[1]]
            glow = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * r * r))[:, :, None] * rng.uniform(40, 200)
            crop = crop + glow
        out[i] = np.clip(crop, 0, 255)
    return out


class ReaderCrops(Dataset[dict[str, Tensor]]):
    """Each item: FROM_ONE crops of one random scene. Seeded by (seed, index)."""

    def __init__(self, scenes: list[TrainingScene], per_epoch: int, seed: int) -> None:
        self.scenes, self.per_epoch, self.seed = scenes, per_epoch, seed

    def __len__(self) -> int:
        return self.per_epoch

    def __getitem__(self, index: int) -> dict[str, Tensor]:
        cv2.setNumThreads(0)
        rng = np.random.default_rng((self.seed, index))
        scene = self.scenes[rng.integers(len(self.scenes))]
        picture = cv2.cvtColor(cv2.imread(str(scene.path)), cv2.COLOR_BGR2RGB)
        quads, numbers, colours, turns, shifts = [], [], [], [], []
        faces = [i for i in rng.permutation(len(scene.quads)) if scene.seen[i] in (POSITIVE, HIDDEN)]
        weights = np.array([JOKER_WEIGHT if scene.faces[i] == "J" else 1.0 for i in faces])
        weights /= max(weights.sum(), 1.0)
        for _ in range(200):
            if len(quads) == FROM_ONE:
                break
            if len(faces) and rng.random() > BLANK_SHARE:
                i = int(rng.choice(faces, p=weights))
                quad, hidden = scene.quads[i], scene.seen[i] == HIDDEN
                sides = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
                if min(sides[0] + sides[2], sides[1] + sides[3]) / 2 < SMALLEST:
                    continue
                number, colour = (UNREADABLE, NONE) if hidden else number_and_colour(scene.faces[i])
                turn = int(rng.choice(4, p=[0.6, 0.08, 0.24, 0.08]))
                true = np.roll(quad, turn, axis=0)
                quad = _jitter(true, rng, rng.choice([0.01, 0.03, 0.07]))
                shift = np.full((4, 2), np.nan) if hidden else shift_between(quad, true)
                told = NONE if hidden or (scene.symmetric[i] and turn % 2 == 0) else turn
            else:
                mined = len(scene.blanks) and rng.random() < 0.7
                away = _jitter(rng.choice(scene.blanks), rng, 0.04) if mined else _nowhere(scene, picture.shape, rng)
                if away is None:
                    continue
                quad, number, colour, told, shift = away, UNREADABLE, NONE, NONE, np.full((4, 2), np.nan)
            quads.append(quad)
            numbers.append(number)
            colours.append(colour)
            turns.append(told)
            shifts.append(shift)
        while len(quads) < FROM_ONE:  # hardly ever: a scene with nothing to ask
            quads.append(np.array([[0, 0], [20, 0], [20, 28], [0, 28]], np.float32))
            numbers.append(UNREADABLE)
            colours.append(NONE)
            turns.append(NONE)
            shifts.append(np.full((4, 2), np.nan))
        crops = balance(_photometric(crop_faces(picture, quads), rng))
        return {
            "crops": torch.from_numpy(np.ascontiguousarray(crops.transpose(0, 3, 1, 2))),
            "number": torch.tensor(numbers), "colour": torch.tensor(colours), "turn": torch.tensor(turns),
            "shift": torch.from_numpy(np.clip(np.stack(shifts), -0.6, 0.6).reshape(-1, 8).astype(np.float32)),
        }
