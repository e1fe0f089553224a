"""Reads crops of faces: calibrated log-probabilities of number, colour and direction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.tiles import COLOURS
from vision.crops import CROP_HEIGHT, CROP_WIDTH, balance, crop_faces, shifted
from vision.modelfile import load_network
from vision.pyramid import Pyramid
from vision.quads import are_sound, rivals

NUMBER_CLASSES = [*map(str, range(1, 14)), "J", "not readable"]
JOKER, UNREADABLE = 13, 14
TURNS = ["upright", "90 clockwise", "upside down", "270 clockwise"]
EXPECTED = {
    "numbers": NUMBER_CLASSES,
    "colours": list(COLOURS),
    "turns": TURNS,
    "input": [CROP_HEIGHT, CROP_WIDTH],
}
BATCH = 64  # crops a run: bounds memory, and keeps the caches warm
MOST_RIVALS = 24  # places without a face looked at again: a printed cloth may have hundreds
SHIFT_SEEN = 0.03  # of the face's size: the reader was trained on crops off by 1-7 %
NUMBER_SURE, COLOUR_SURE = 0.995, 0.98
TURN_SURE = 0.5  # probability of another direction above which the quad is turned and read again


@dataclass(frozen=True)
class FaceScores:
    """Log-probabilities of n faces, and the quads they were read at, turned upright and corrected.

    number (n, 15): 1-13, comodín, not readable; colour (n, 4): R B K Y; turn (n, 4): of the
    quad as given here. crops (n, 64, 48, 3) RGB, balanced; shift (n, 8): where the corners lie
    in them, see `vision.crops.shifted`.
    """

    number: NDArray[np.float32]
    colour: NDArray[np.float32]
    turn: NDArray[np.float32]
    quads: NDArray[np.float32]
    crops: NDArray[np.uint8]
    shift: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.number)

    @property
    def blank(self) -> NDArray[np.bool_]:
        """(n,) where no face is seen."""
        return np.asarray(self.number[:, UNREADABLE] > np.log(0.5))

    @property
    def legible(self) -> NDArray[np.float32]:
        """(n,) probability of the likeliest number, or of a comodín."""
        return np.asarray(np.exp(self.number[:, :UNREADABLE].max(axis=1)))

    def exchanged(self, where: NDArray[np.intp], other: FaceScores) -> FaceScores:
        """The same with the m faces of `other` in the m places `where`."""
        mine = self.take(np.arange(len(self)))
        for name in ("number", "colour", "turn", "quads", "crops", "shift"):
            getattr(mine, name)[where] = getattr(other, name)
        return mine

    def take(self, which: NDArray[np.intp]) -> FaceScores:
        return FaceScores(
            self.number[which],
            self.colour[which],
            self.turn[which],
            self.quads[which],
            self.crops[which],
            self.shift[which],
        )


class Reader:
    """Thread-safe: one session, no state between calls."""

    def __init__(self, folder: Path | None = None) -> None:
        self._network = load_network("reader", EXPECTED, folder)
        temperatures = self._network.facts.get("temperatures", {})
        self.calibrated = bool(temperatures)
        self._temperatures = [
            float(temperatures.get(head, 1.0)) for head in ("number", "colour", "turn")
        ]

    def read(self, picture: NDArray[np.uint8], quads: NDArray[np.float32]) -> FaceScores:
        """Faces at (n, 4, 2) quads, best found first, of an (h, w, 3) RGB picture, looked at
        twice: the first look corrects corners and direction, the second one reads.
        """
        pyramid = Pyramid(picture)
        look = self._with_rivals(pyramid, self._look(pyramid, quads))
        first = replace(look, quads=_corrected(look))
        again = np.flatnonzero(_worth_another_look(look))
        if not len(again):
            return first
        second = self._look(pyramid, first.quads[again])
        # The second look sees the corners better still: 3.9 % of the width against 4.0 % (median,
        # `burako_renders`).
        return self._turned(
            pyramid,
            first.exchanged(again, replace(second, quads=_corrected(second, turning=False))),
        )

    def _look(self, picture: Pyramid, quads: NDArray[np.float32]) -> FaceScores:
        crops = balance(crop_faces(picture, quads))
        number, colour, turn, shift = self.read_crops(crops)
        return FaceScores(number, colour, turn, quads, crops, shift)

    def _with_rivals(self, picture: Pyramid, look: FaceScores) -> FaceScores:
        """Where no face is seen the quad may be wrong: it is looked for once more as its
        neighbours suggest.
        """
        weak, models = np.flatnonzero(look.blank)[:MOST_RIVALS], np.flatnonzero(~look.blank)
        found = [(int(i), quad) for i in weak for quad in rivals(look.quads, int(i), models)]
        if not found:
            return look
        quads = np.stack([quad for _, quad in found])
        sound = np.flatnonzero(are_sound(quads))
        other = self._look(picture, quads[sound])
        best: dict[int, int] = {}
        for at, i in enumerate(found[asked][0] for asked in sound):
            if not other.blank[at] and (
                i not in best or other.number[at, UNREADABLE] < other.number[best[i], UNREADABLE]
            ):
                best[i] = at
        return look.exchanged(
            np.array([*best], np.intp), other.take(np.array([*best.values()], np.intp))
        )

    def _turned(self, picture: Pyramid, look: FaceScores) -> FaceScores:
        """A face that is hardly legible may have been seen in a wrong direction: it is looked at
        in the three others, too.
        """
        hardly = np.flatnonzero((look.legible < TURN_SURE) & ~look.blank)[:MOST_RIVALS]
        if not len(hardly):
            return look
        around = [
            self._look(picture, np.roll(look.quads[hardly], -turn, axis=1)) for turn in (1, 2, 3)
        ]
        legible = np.stack([look.legible[hardly], *(other.legible for other in around)])
        for turn, other in enumerate(around, start=1):
            better = np.flatnonzero(
                (legible.argmax(axis=0) == turn) & (legible.max(axis=0) > TURN_SURE)
            )
            look = look.exchanged(hardly[better], other.take(better))
        return look

    def read_crops(self, crops: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        """Log-probabilities [number (n, 15), colour (n, 4), turn (n, 4)] and shifts (n, 8) of
        balanced RGB crops.
        """
        parts = [self._run(crops[at : at + BATCH]) for at in range(0, len(crops), BATCH)] or [
            self._empty()
        ]
        return [np.concatenate(head) for head in zip(*parts, strict=True)]

    def _run(self, crops: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        batch = np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32) / np.float32(255)
        *logits, shifts = self._network.run(batch)
        return [
            *(log_softmax(head / t) for head, t in zip(logits, self._temperatures, strict=True)),
            shifts,
        ]

    @staticmethod
    def _empty() -> list[NDArray[np.float32]]:
        return [
            np.zeros((0, size), np.float32)
            for size in (len(NUMBER_CLASSES), len(COLOURS), len(TURNS), 8)
        ]


def _worth_another_look(look: FaceScores) -> NDArray[np.bool_]:
    """Faces whose crop was off, or that were not read surely: the others would only be read the
    same again.
    """
    off = (np.abs(look.shift).max(axis=1) > SHIFT_SEEN) | (look.turn.argmax(axis=1) > 0)
    unsure = (look.number.max(axis=1) < np.log(NUMBER_SURE)) | (
        look.colour.max(axis=1) < np.log(COLOUR_SURE)
    )
    return np.asarray((off | unsure) & ~look.blank)


def _corrected(look: FaceScores, *, turning: bool = True) -> NDArray[np.float32]:
    """The quads with their corners where the look saw them, turned upright."""
    corrected = look.quads.copy()
    for i in np.flatnonzero(~look.blank):  # no face, no corners
        corrected[i] = shifted(look.quads[i], look.shift[i])
    corrected = np.where(are_sound(corrected)[:, None, None], corrected, look.quads)
    if turning:
        for i in np.flatnonzero(~look.blank & (look.turn.max(axis=1) > np.log(TURN_SURE))):
            corrected[i] = np.roll(corrected[i], -int(look.turn[i].argmax()), axis=0)
    return corrected


def log_softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Along the last axis, without overflow."""
    below = logits - logits.max(axis=-1, keepdims=True)
    return below - np.log(np.exp(below).sum(axis=-1, keepdims=True))  # type: ignore[no-any-return]


def face_scores(number: NDArray[np.float32], colour: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, 53) log-probabilities in the order of `engine.tiles.FACES`: red 1-13, blue, black,
    yellow, comodín; and what is left to reach 1 is the probability of not being readable.
    """
    numbered = colour[:, :, None] + number[:, None, :JOKER]
    return np.concatenate([numbered.reshape(len(number), 52), number[:, JOKER : JOKER + 1]], axis=1)
