"""Reads faces: how likely each number, colour and direction is. The index of a card is read as a
face whose number is its rank and whose colour is its suit.

One network looks at the crop of a face. It also tells where the corners of the face lie in the
crop, so that an imprecise quad is corrected and the face cropped again.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.tiles import COLOURS
from vision.crops import CROP_HEIGHT, CROP_WIDTH, crop_faces, quad_with_offsets, white_balance
from vision.errors import ModelError, Reason
from vision.kinds import TILES, Kind
from vision.modelfile import Network, load_network
from vision.pyramid import Picture, Pyramid, pyramid_of
from vision.quads import Quad, alternative_quads, are_convex

NUMBER_CLASSES = (*map(str, range(1, 14)), "J", "not readable")
SIX, NINE, JOKER, UNREADABLE = 5, 8, 13, 14  # indices into NUMBER_CLASSES
TURNS = ("upright", "90 clockwise", "upside down", "270 clockwise")
UPRIGHT, UPSIDE_DOWN = 0, 2  # indices into TURNS
EXPECTED_METADATA = MappingProxyType(
    {
        "numbers": [*NUMBER_CLASSES],
        "colours": list(COLOURS),
        "turns": [*TURNS],
        "input": [CROP_HEIGHT, CROP_WIDTH],  # other networks tell the width first
    }
)
FEATURE_COUNT = 1536  # values of the last feature map: 32 channels of 8 x 6 places
# Crops in one run of the network. A network keeps the memory that its largest run needed: with 64
# at once a server that reads tiles and cards held 86 MB more, and read no faster.
BATCH = 8
# Probability of the likeliest number or comodín from which a tile is surely legible: stages after
# this one look again at what is less legible, in other quads, in other directions or by another
# network.
SURELY_LEGIBLE = 0.97


@dataclass(frozen=True)
class ReaderConfig:
    """When a face is looked at again. Values are probabilities where no unit is given."""

    # Blank quads are looked at again at other places, and hardly legible faces in other directions:
    # at most so many of each. A printed tablecloth may have hundreds.
    max_retried: int = 24
    # Offset of a corner, in sizes of the face, above which the face is cropped again. The reader
    # is trained on crops that are off by 0.01 to 0.07.
    max_corner_offset: float = 0.03
    # Probabilities of the likeliest number and colour below which the face is looked at again.
    sure_number: float = 0.995
    sure_colour: float = 0.98
    sure_turn: float = 0.5  # of another direction above which the quad is turned


@dataclass(frozen=True)
class FaceScores:
    """What the network says of n faces. Probabilities are given as natural logarithms.

    `number` is (n, 15), in the order of NUMBER_CLASSES, and `colour` (n, 4), of red, blue, black
    and yellow. `turn` (n, 4), in the order of TURNS, is the direction of the face in its crop.
    `quads` (n, 4, 2), x, y in pixels of the picture, are where the faces lie, upright. `crops` (n,
    64, 48, 3) are RGB, white-balanced. `corner_offsets` (n, 8) tell how far the network sees the
    corners from where the crop has them: x and y of each corner, in widths and heights of the face.
    `features` (n, 1536) are the network's last feature map, by which faces of one's own set are
    compared.
    """

    number: NDArray[np.float32]
    colour: NDArray[np.float32]
    turn: NDArray[np.float32]
    quads: NDArray[np.float32]
    crops: NDArray[np.uint8]
    corner_offsets: NDArray[np.float32]
    features: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.number)

    @property
    def blank(self) -> NDArray[np.bool_]:
        """A mask (n,) of the quads in which no face is seen."""
        return np.asarray(self.number[:, UNREADABLE] > np.log(0.5))

    @property
    def legible(self) -> NDArray[np.float32]:
        """The probability, not its logarithm, of the likeliest number or comodín, (n,)."""
        return np.asarray(np.exp(self.number[:, :UNREADABLE].max(axis=1)))

    def take(self, which: NDArray[np.intp]) -> FaceScores:
        """Return a copy of the faces at these indices, in their order."""
        return FaceScores(*(getattr(self, field.name)[which] for field in fields(self)))

    def joined(self, other: FaceScores) -> FaceScores:
        """Return these faces followed by those of `other`."""
        names = [field.name for field in fields(self)]
        both = (np.concatenate([getattr(self, name), getattr(other, name)]) for name in names)
        return FaceScores(*both)

    def with_replaced(self, where: NDArray[np.intp], other: FaceScores) -> FaceScores:
        """Return a copy whose faces at the m indices `where` are the m faces of `other`."""
        result = self.take(np.arange(len(self)))
        for field in fields(self):
            getattr(result, field.name)[where] = getattr(other, field.name)
        return result


class Reader:
    """The reader network, loaded once. Safe to use from several threads at a time.

    `calibrated` tells whether the network came with the temperatures that make its probabilities
    agree with how often it is right. `fingerprint` is the SHA-256 of the network's file.
    """

    config: ClassVar[ReaderConfig] = ReaderConfig()

    def __init__(
        self,
        folder: Path | None = None,
        kind: Kind = TILES,
    ) -> None:
        """Load the network of `kind` from the folder `folder`, or the installed one where that is
        None.

        Raises ModelError when the file is missing or is not the expected one.
        """
        self._network = load_network(kind.reader, EXPECTED_METADATA, folder)
        self.fingerprint = str(self._network.metadata["sha256"])
        self._temperatures = _temperatures(self._network, kind.reader)
        self.calibrated = bool(self._network.metadata.get("temperatures"))

    def read(
        self, picture: Picture, quads: NDArray[np.float32], beside: FaceScores | None = None
    ) -> FaceScores:
        """Read the faces of a picture, (h, w, 3) RGB or its pyramid, at n quads, (n, 4, 2), given
        in the order of their scores, the surest first; return what is seen on them in the same
        order. Faces of the picture that were read before, `beside` them, tell how large faces are.

        Each face is looked at once; the quads are then corrected by what was seen, and faces whose
        crops were imprecise or which were not read surely are looked at again. The corners of the
        second look are better than those of the first: their median error is 3.9 % of the face's
        width against 4.0 % on `burako_renders`.
        """
        pyramid = pyramid_of(picture)
        look = self._retry_blank_faces(pyramid, self.look(pyramid, quads), beside)
        first = replace(look, quads=corrected_quads(look, self.config, turning=True))
        again = np.flatnonzero(_need_second_look(look, self.config))
        if not len(again):
            return first
        second = self.look(pyramid, first.quads[again])
        second = replace(second, quads=corrected_quads(second, self.config, turning=False))
        return self._retry_other_turns(pyramid, first.with_replaced(again, second))

    def turned_round(
        self, picture: Picture, scores: FaceScores, which: NDArray[np.intp]
    ) -> FaceScores:
        """Look again, upside down, at the m faces with the indices `which`, (m,). Return the scores
        of all faces after that.

        A face that is less legible upside down keeps its number; its quad and its crop are turned
        all the same.
        """
        first = scores.take(which)
        look = self.look(pyramid_of(picture), np.roll(first.quads, -2, axis=1))
        surer = (first.legible > look.legible)[:, None]
        number = np.where(surer, first.number, look.number)
        turn = np.where(surer, np.roll(first.turn, 2, axis=1), look.turn)
        return scores.with_replaced(which, replace(look, number=number, turn=turn))

    def look(self, picture: Pyramid, quads: NDArray[np.float32]) -> FaceScores:
        """Crop the faces at n quads, (n, 4, 2), of the picture and run the network on them once.
        Return what the network says of each face, in the order of `quads`. Unlike `read`, this
        neither corrects the quads nor looks at any face again.
        """
        crops = white_balance(crop_faces(picture, quads))
        number, colour, turn, corner_offsets, features = self.read_crops(crops)
        return FaceScores(number, colour, turn, quads, crops, corner_offsets, features)

    def _retry_blank_faces(
        self, picture: Pyramid, look: FaceScores, beside: FaceScores | None
    ) -> FaceScores:
        """Return `look` after trying again where no face was seen. The corners may be wrong at such
        a place, so other quads are tried there, which the neighbouring faces suggest, those
        `beside` them among these.

        If any of the quads suggested for a place show a face, the quad whose number is most surely
        readable is chosen, and what the network says of it replaces that place in the result.
        """
        blank = np.flatnonzero(look.blank)[: self.config.max_retried]
        known = look if beside is None else look.joined(beside)
        neighbours = np.flatnonzero(~known.blank)
        faces: list[int] = []
        suggested: list[Quad] = []
        for i in blank:
            alternatives = alternative_quads(known.quads, int(i), neighbours)
            suggested += alternatives
            faces += [int(i)] * len(alternatives)
        if not suggested:
            return look
        quads = np.stack(suggested)
        convex = np.flatnonzero(are_convex(quads))
        other = self.look(picture, quads[convex])
        unreadable = other.number[:, UNREADABLE]
        best: dict[int, int] = {}  # face -> index into `other`
        for at, face in enumerate(faces[k] for k in convex):
            if other.blank[at]:
                continue
            if face not in best or unreadable[at] < unreadable[best[face]]:
                best[face] = at
        where, taken = np.array([*best], np.intp), np.array([*best.values()], np.intp)
        return look.with_replaced(where, other.take(taken))

    def _retry_other_turns(self, picture: Pyramid, look: FaceScores) -> FaceScores:
        """Look again at the first `max_retried` hardly legible faces of `look`, with each quad
        turned in the three other directions. Return the look, in which these faces have the
        direction where they are most legible. A face that is not legible enough in any direction
        stays as it was, and so does one that looks like a comodín when turned, as blurred digits
        do.
        """
        sure = self.config.sure_turn
        weak = np.flatnonzero((look.legible < sure) & ~look.blank)[: self.config.max_retried]
        if not len(weak):
            return look
        turned = [
            self.look(picture, np.roll(look.quads[weak], -turn, axis=1)) for turn in (1, 2, 3)
        ]
        of_digits = [
            np.where(other.number.argmax(axis=1) == JOKER, 0, other.legible) for other in turned
        ]
        legible = np.stack([look.legible[weak], *of_digits])  # (4, m)
        best = np.where(legible.max(axis=0) > sure, legible.argmax(axis=0), 0)
        for turn, other in enumerate(turned, start=1):
            better = np.flatnonzero(best == turn)
            look = look.with_replaced(weak[better], other.take(better))
        return look

    def read_crops(self, crops: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        """Return what the network says of n crops, (n, 64, 48, 3) RGB, white-balanced.

        The result is a list of five arrays: number (n, 15), colour (n, 4), turn (n, 4), corner
        offsets (n, 8) and features (n, 1536), as in `FaceScores`. The first three are calibrated
        log-probabilities.
        """
        if not len(crops):
            sizes = (len(NUMBER_CLASSES), len(COLOURS), len(TURNS), 8, FEATURE_COUNT)
            return [np.zeros((0, size), np.float32) for size in sizes]
        batches = [self._run(crops[at : at + BATCH]) for at in range(0, len(crops), BATCH)]
        return [np.concatenate(parts) for parts in zip(*batches, strict=True)]

    def _run(self, crops: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        batch = np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32) / np.float32(255)
        *logits, corner_offsets, features = self._network.run(batch)
        calibrated = [
            log_softmax(head / temperature)
            for head, temperature in zip(logits, self._temperatures, strict=True)
        ]
        return [*calibrated, corner_offsets, features]


def _temperatures(network: Network, name: str) -> list[float]:
    """Return the temperatures of the reader network `name`: of number, colour and direction, 1 for
    each that its metadata do not tell. Raises ModelError for any that is no positive number.
    """
    told = network.metadata.get("temperatures", {})
    try:
        found = [float(told.get(head, 1.0)) for head in ("number", "colour", "turn")]
    except (AttributeError, TypeError, ValueError):
        found = []
    if not found or not all(0 < one < np.inf for one in found):
        raise ModelError(Reason.MODEL_MISMATCH, f"{name}.temperatures: {told!r}")
    return found


def _need_second_look(look: FaceScores, config: ReaderConfig) -> NDArray[np.bool_]:
    """Return a mask (n,) of the faces whose crops were imprecise or turned, or which were not read
    surely. It is False for quads in which no face is seen.
    """
    off = np.abs(look.corner_offsets).max(axis=1) > config.max_corner_offset
    turned = look.turn.argmax(axis=1) > 0
    unsure_number = look.number.max(axis=1) < np.log(config.sure_number)
    unsure_colour = look.colour.max(axis=1) < np.log(config.sure_colour)
    return np.asarray((off | turned | unsure_number | unsure_colour) & ~look.blank)


def corrected_quads(
    look: FaceScores, config: ReaderConfig, *, turning: bool
) -> NDArray[np.float32]:
    """Return the quads of the look, (n, 4, 2), with their corners where the network saw them.

    With `turning`, a quad whose face is surely not upright is turned upright. A quad in which no
    face is seen, or which would no longer be convex, stays as it is.
    """
    corrected = look.quads.copy()
    for i in np.flatnonzero(~look.blank):
        corrected[i] = quad_with_offsets(look.quads[i], look.corner_offsets[i])
    corrected = np.where(are_convex(corrected)[:, None, None], corrected, look.quads)
    if turning:
        sure = look.turn.max(axis=1) > np.log(config.sure_turn)
        for i in np.flatnonzero(~look.blank & sure):
            corrected[i] = np.roll(corrected[i], -int(look.turn[i].argmax()), axis=0)
    return corrected


def log_softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the log-probabilities for logits of any shape, normalised along the last axis, without
    overflow.
    """
    below = logits - logits.max(axis=-1, keepdims=True)
    normalised: NDArray[np.float32] = below - np.log(np.exp(below).sum(axis=-1, keepdims=True))
    return normalised


def face_scores(number: NDArray[np.float32], colour: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return log-probabilities of all faces, (n, 53), in the order of `engine.tiles.FACES`.

    `number` (n, 15) are log-probabilities in the order of NUMBER_CLASSES, and `colour` (n, 4) those
    of red, blue, black and yellow. The 53 probabilities of a face add up to 1 less the probability
    that it is not readable.
    """
    numbered = colour[:, :, None] + number[:, None, :JOKER]
    return np.concatenate([numbered.reshape(len(number), 52), number[:, JOKER : JOKER + 1]], axis=1)
