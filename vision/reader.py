"""Reads crops of faces: calibrated log-probabilities of number, colour and direction."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.tiles import COLOURS
from vision.crops import CROP_HEIGHT, CROP_WIDTH, balance, crop_faces, shifted
from vision.modelfile import load_network
from vision.quads import is_sound

NUMBER_CLASSES = [*map(str, range(1, 14)), "J", "not readable"]
JOKER, UNREADABLE = 13, 14
TURNS = ["upright", "90 clockwise", "upside down", "270 clockwise"]
EXPECTED = {
    "numbers": NUMBER_CLASSES, "colours": list(COLOURS), "turns": TURNS, "input": [CROP_HEIGHT, CROP_WIDTH],
}
BATCH = 64  # crops a run: bounds memory, and keeps the caches warm
TURN_SURE = 0.5  # probability of another direction above which the quad is turned and read again


@dataclass(frozen=True)
class FaceScores:
    """Log-probabilities of n faces, and the quads they were read at, turned upright and corrected.

    number (n, 15): 1-13, comodín, not readable; colour (n, 4): R B K Y; turn (n, 4): of the quad as given here.
    crops (n, 64, 48, 3) RGB, balanced.
    """

    number: NDArray[np.float32]
    colour: NDArray[np.float32]
    turn: NDArray[np.float32]
    quads: NDArray[np.float32]
    crops: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.number)

    def take(self, which: NDArray[np.intp]) -> FaceScores:
        return FaceScores(
            self.number[which], self.colour[which], self.turn[which], self.quads[which], self.crops[which]
        )


class Reader:
    """Thread-safe: one session, no state between calls."""

    def __init__(self, folder: Path | None = None) -> None:
        self._network = load_network("reader", EXPECTED, folder)
        temperatures = self._network.facts.get("temperatures", {})
        self.calibrated = bool(temperatures)
        self._temperatures = [float(temperatures.get(head, 1.0)) for head in ("number", "colour", "turn")]

    def read(self, picture: NDArray[np.uint8], quads: NDArray[np.float32]) -> FaceScores:
        """Faces at (n, 4, 2) quads of an (h, w, 3) RGB picture, looked at twice: the first look corrects corners and
        direction, the second one reads.
        """
        quads = self._corrected(picture, quads)
        crops = balance(crop_faces(picture, quads))
        number, colour, turn, _ = self.read_crops(crops)
        return FaceScores(number, colour, turn, quads, crops)

    def _corrected(self, picture: NDArray[np.uint8], quads: NDArray[np.float32]) -> NDArray[np.float32]:
        number, _, turns, shifts = self.read_crops(balance(crop_faces(picture, quads)))
        corrected = quads.copy()
        for i, (quad, turn, shift) in enumerate(zip(quads, turns, shifts, strict=True)):
            if number[i, UNREADABLE] > np.log(0.5):
                continue  # no face, no corners
            better = shifted(quad, shift)
            corrected[i] = better if is_sound(better) else quad
            if turn.max() > np.log(TURN_SURE):
                corrected[i] = np.roll(corrected[i], -int(turn.argmax()), axis=0)
        return corrected

    def read_crops(self, crops: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        """Log-probabilities [number (n, 15), colour (n, 4), turn (n, 4)] and shifts (n, 8) of balanced RGB crops."""
        parts = [self._run(crops[at : at + BATCH]) for at in range(0, len(crops), BATCH)] or [self._empty()]
        return [np.concatenate(head) for head in zip(*parts, strict=True)]

    def _run(self, crops: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        batch = np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32) / np.float32(255)
        *logits, shifts = self._network.run(batch)
        return [*(log_softmax(head / t) for head, t in zip(logits, self._temperatures, strict=True)), shifts]

    @staticmethod
    def _empty() -> list[NDArray[np.float32]]:
        return [np.zeros((0, size), np.float32) for size in (len(NUMBER_CLASSES), len(COLOURS), len(TURNS), 8)]


def log_softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Along the last axis, without overflow."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))  # type: ignore[no-any-return]


def face_scores(number: NDArray[np.float32], colour: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, 53) log-probabilities in the order of `engine.tiles.FACES`: red 1-13, blue, black, yellow, comodín; and what is left
    to reach 1 is the probability of not being readable.
    """
    numbered = colour[:, :, None] + number[:, None, :JOKER]
    return np.concatenate([numbered.reshape(len(number), 52), number[:, JOKER : JOKER + 1]], axis=1)
