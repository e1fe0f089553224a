"""Networks that look at places of a picture, such as finds in doubt, and what they see of each: the
place upright in the middle, and some of what lies around it, in WIDTH x HEIGHT pixels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from vision.crops import cut_windows, white_balance
from vision.modelfile import has_network, load_network
from vision.pyramid import RGB, Picture
from vision.quads import across, down, drawn
from vision.reader import log_softmax

WIDTH, HEIGHT = 96, 112  # pixels


@dataclass(frozen=True)
class Around:
    """How much is seen around the middle of a find: `across` widths and `down` heights of it."""

    across: float
    down: float

    def windows(self, quads: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return for each of n quads, (n, 4, 2) in pixels, the quad of what is seen around it, in
        the direction in which it reads.
        """
        return drawn(quads.mean(axis=1), self.across * across(quads), self.down * down(quads))

    def balanced(self, views: RGB) -> RGB:
        """Return n views in colours that give what is pale at the place in the middle of each, such
        as the body of a tile, the same neutral white, (n, HEIGHT, WIDTH, 3) RGB.
        """
        rows, columns = _middle(HEIGHT, self.down), _middle(WIDTH, self.across)
        return white_balance(views, views[:, rows, columns])

    def seen(self, picture: Picture, quads: NDArray[np.float32]) -> RGB:
        """Return the balanced views, (n, HEIGHT, WIDTH, 3) RGB, of places with the quads (n, 4, 2),
        in pixels of the `picture`, (h, w, 3) RGB or its pyramid.
        """
        return self.balanced(views(picture, self.windows(quads)))


class SeesAround(ABC):
    """A network that sees places of a picture and what lies around them, loaded once. Safe to use
    from several threads at a time.
    """

    network: ClassVar[str]  # its name in the manifest

    def __init__(self, folder: Path | None = None) -> None:
        """Load the network from the folder `folder`, or the installed one where that is None.

        Raises ModelError when the file is missing or is not the expected one.
        """
        self._network = load_network(self.network, self.expected_metadata(), folder)

    @classmethod
    @abstractmethod
    def expected_metadata(cls) -> dict[str, Any]:
        """Return what the manifest has to say of the network. The size `input`, in pixels, and the
        `window`, in sizes of the place, are width and height, in this order.
        """

    @classmethod
    def in_folder(cls, folder: Path | None) -> Self | None:
        """Return the network in a folder, or None where its manifest lists none, as where a
        training has just made the detector and the reader.
        """
        return cls(folder) if has_network(cls.network, folder) else None


class TellsAround(SeesAround):
    """A network that tells which of some classes lies at a place. A subclass tells what it is shown
    of the place.
    """

    around: ClassVar[Around]
    classes: ClassVar[Sequence[str]]  # what it tells

    @classmethod
    def expected_metadata(cls) -> dict[str, Any]:
        """Return what the manifest has to say of the network, as `SeesAround` does."""
        return {
            "input": [WIDTH, HEIGHT],
            "window": [cls.around.across, cls.around.down],
            "classes": [*cls.classes],
        }

    def _told(self, shown: RGB) -> NDArray[np.float32]:
        """Return the log-probabilities of the k classes, (n, k), of n balanced views, (n, HEIGHT,
        WIDTH, c) with as many channels as the network sees.
        """
        if not len(shown):
            return np.zeros((0, len(self.classes)), np.float32)
        return log_softmax(self._network.run(batch_of(shown))[0])


class LooksAround(TellsAround):
    """A network that is shown places as the picture shows them. A subclass tells how each kind of
    pieces changes by what it tells.
    """

    def look(self, picture: Picture, quads: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the log-probabilities of the k classes, (n, k), at the n places `quads`, (n, 4, 2)
        in pixels of the `picture`, (h, w, 3) RGB or its pyramid.
        """
        return self._told(self.around.seen(picture, quads))


def batch_of(views: RGB) -> NDArray[np.float32]:
    """Return n views, (n, h, w, c), as a network is shown them: (n, c, h, w) in 0..1. The first
    three channels are RGB.
    """
    return np.ascontiguousarray(views.transpose(0, 3, 1, 2), np.float32) / np.float32(255)


def views(picture: Picture, windows: NDArray[np.float32]) -> RGB:
    """Return what lies in n windows, (n, 4, 2) in pixels of the `picture`, (h, w, 3) RGB
    or its pyramid: (n, HEIGHT, WIDTH, 3) RGB.
    """
    return cut_windows(picture, windows, (WIDTH, HEIGHT))


def _middle(pixels: int, shown: float) -> slice:
    """Return where, along one side of a view of so many `pixels`, the find lies; the side shows
    `shown` times the length of the find.
    """
    beside = (1 - 1 / shown) / 2
    return slice(round(pixels * beside), round(pixels * (1 - beside)))


def log_odds(probability: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the logarithm of the odds of each probability: at most 13.8 nats of either sign."""
    below_one = np.clip(probability, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(below_one) - np.log1p(-below_one), np.float32)
