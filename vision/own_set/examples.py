"""A set of tiles as its owner taught it: pictures of its faces, each with the tile it shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from engine.tiles import FACES
from vision.crops import CROP_HEIGHT, CROP_WIDTH
from vision.pyramid import RGB

FACE_NAMES = tuple(str(face) for face in FACES)  # "1R" to "13Y", then "J"
MAX_PER_FACE = 8  # examples of one face that are kept of either origin
FEWEST_NUMBERS = 2  # with examples, a comodín counted as one: with fewer a set tells nothing


class Origin(StrEnum):
    """How it is known which tile an example shows."""

    TAUGHT = "taught"  # it stood at its place in a row of thirteen, or was named by a person
    SETTLED = "settled"  # a person decided so in a hand that was saved


def enough_to_read(faces: Iterable[str]) -> bool:
    """Tell whether examples of these faces, such as "7R", are enough for reading with the set."""
    return len({face.rstrip("RBKY") for face in faces}) >= FEWEST_NUMBERS


@dataclass(frozen=True, eq=False)
class FaceExample:
    """One picture of a face.

    `face` is the tile in the engine's notation, such as "7R", or "J". `crop` is (64, 48, 3) uint8
    RGB, white-balanced, upright, as `vision.crops` makes it.

    Raises ValueError for an unknown face or a crop of another size or type.
    """

    face: str
    crop: RGB
    origin: Origin = Origin.TAUGHT

    def __post_init__(self) -> None:
        if self.face not in FACE_NAMES:
            raise ValueError(f"expected one of the 53 faces, such as 7R or J, got {self.face!r}")
        expected = (CROP_HEIGHT, CROP_WIDTH, 3)
        if self.crop.shape != expected or self.crop.dtype != np.uint8:
            got = f"{self.crop.shape} of {self.crop.dtype}"
            raise ValueError(f"expected a crop of {expected} of uint8, got {got}")


@dataclass(frozen=True, eq=False)
class TileSet:
    """All examples of one set, oldest first; at most MAX_PER_FACE of a face and origin.

    `copies` maps a face, such as "7R", to the number of tiles with this face in the set. It holds
    only faces of which the set has lost tiles or has more than usual.
    """

    name: str
    examples: tuple[FaceExample, ...] = ()
    copies: Mapping[str, int] = field(default_factory=dict)

    def counts(self) -> dict[str, int]:
        """Return the number of examples of each face, such as "7R", in the order of
        `engine.tiles.FACES`. Faces without an example are left out.
        """
        counted = Counter(example.face for example in self.examples)
        return {face: counted[face] for face in FACE_NAMES if counted[face]}

    def with_examples(self, more: Iterable[FaceExample]) -> TileSet:
        """Return the set with `more` added as its newest examples.

        Whenever a face then has more than MAX_PER_FACE examples of one origin, the older of the two
        that look most alike is dropped. So what is kept is new and varied.
        """
        kept = list(self.examples)
        for example in more:
            kept.append(example)
            alike = [k for k in kept if (k.face, k.origin) == (example.face, example.origin)]
            if len(alike) > MAX_PER_FACE:
                dropped = _most_redundant(alike)
                kept = [k for k in kept if k is not dropped]
        return replace(self, examples=tuple(kept))


def _most_redundant(examples: list[FaceExample]) -> FaceExample:
    """Return the older of the two examples whose crops differ least from each other. `examples` are
    listed oldest first.
    """
    crops = np.stack([example.crop for example in examples]).astype(np.float32)
    difference = np.abs(crops[:, None] - crops[None]).mean(axis=(2, 3, 4))
    np.fill_diagonal(difference, np.inf)
    one, other = np.unravel_index(int(difference.argmin()), difference.shape)
    return examples[min(one, other)]
