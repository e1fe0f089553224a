"""What the faces of one's own set look like to the reader network, and which face is like them.

Every number, the comodín and "no face" has a prototype among the network's features: the mean of
the taught examples and of changed copies of them. The prototypes join the network's own answer as
far as the network cannot read the set by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.tiles import COLOURS, Tile
from vision.crops import RGB
from vision.own_set.discriminant import Discriminant
from vision.own_set.examples import TileSet
from vision.own_set.variants import bare_bodies, varied
from vision.pyramid import Pyramid
from vision.reader import JOKER, NUMBER_CLASSES, UNREADABLE, FaceScores, Reader, log_softmax

MOST_COPIES = 11  # changed copies of an example
MOST_CROPS = 1200  # examples and copies together: bounds the time that teaching takes
SEED = 53
FAINTEST = -30.0  # log-probability below which a prototype says nothing more
# Share of the taught crops that the network reads by itself at which it is not trusted at all, and
# at which it is trusted fully.
UNTRUSTED, TRUSTED = 0.60, 0.97
LOOK_AGAIN = 0.97  # probability of the likeliest number below which a face is turned, too


@dataclass(frozen=True, eq=False)
class Taught:
    """The taught crops, their changed copies and bare bodies, and what the network says of them.

    `number` (n,) are indices into NUMBER_CLASSES, `colour` (n,) into COLOURS, -1 where there is
    none; `own` (n,) tells which crops are examples as they were taught. `crops` and the scores and
    features are as in `FaceScores`.
    """

    number: NDArray[np.intp]
    colour: NDArray[np.intp]
    own: NDArray[np.bool_]
    crops: RGB
    number_scores: NDArray[np.float32]
    colour_scores: NDArray[np.float32]
    features: NDArray[np.float32]

    @classmethod
    def of(cls, tile_set: TileSet, reader: Reader) -> Taught:
        """Let the network look at all examples, their changed copies and bare bodies."""
        tiles = [Tile.parse(example.face) for example in tile_set.examples]
        number = np.array([JOKER if tile.joker else (tile.number or 0) - 1 for tile in tiles])
        colour = np.array([COLOURS.index(tile.colour) if tile.colour else -1 for tile in tiles])
        crops = np.stack([example.crop for example in tile_set.examples])
        copies = int(np.clip(MOST_CROPS // len(crops) - 1, 1, MOST_COPIES))
        changed = varied(crops, copies, np.random.default_rng(SEED))
        bare = bare_bodies(crops)
        everything = np.concatenate([crops, changed, bare])
        number_scores, colour_scores, _, _, features = reader.read_crops(everything)
        return cls(
            np.concatenate([number, number.repeat(copies), np.full(len(bare), UNREADABLE)]),
            np.concatenate([colour, colour.repeat(copies), np.full(len(bare), -1)]),
            np.arange(len(everything)) < len(crops),
            everything,
            number_scores,
            colour_scores,
            features,
        )


@dataclass(frozen=True, eq=False)
class Prototypes:
    """Which number a face bears, by the examples of one set.

    `trust`, 0 to 1, is how far the network's own answer counts.
    """

    numbers: Discriminant
    trust: float

    @classmethod
    def of(cls, taught: Taught) -> Prototypes:
        """Fit the prototypes to the taught crops."""
        numbers = Discriminant.fit(taught.features, taught.number, len(NUMBER_CLASSES))
        right = taught.number_scores.argmax(axis=1) == taught.number
        accuracy = float(right[taught.own].mean())
        return cls(
            numbers, float(np.clip((accuracy - UNTRUSTED) / (TRUSTED - UNTRUSTED), 0.0, 1.0))
        )

    def number_scores(self, scores: FaceScores) -> NDArray[np.float32]:
        """Return log-probabilities of the numbers, (n, 15), by network and prototypes together."""
        own = log_softmax(self.numbers.log_likelihoods(scores.features))
        network = np.maximum(scores.number, FAINTEST)
        return log_softmax(np.float32(self.trust) * network + np.maximum(own, FAINTEST))

    def compared(self, reader: Reader, picture: RGB, scores: FaceScores) -> FaceScores:
        """Return the scores with their numbers by network and prototypes together.

        A face that is not surely read is looked at in the three other directions, too, and taken
        in the one in which it is read most surely. `picture` is (h, w, 3) RGB.
        """
        result = replace(scores, number=self.number_scores(scores))
        weak = np.flatnonzero(result.legible < LOOK_AGAIN)[: reader.config.max_retried]
        if not len(weak):
            return result
        pyramid = Pyramid(picture)
        for turn in (1, 2, 3):
            turned = reader.look(pyramid, np.roll(scores.quads[weak], -turn, axis=1))
            turned = replace(turned, number=self.number_scores(turned))
            better = np.flatnonzero(turned.legible > result.legible[weak])
            result = result.with_replaced(weak[better], turned.take(better))
        return result
