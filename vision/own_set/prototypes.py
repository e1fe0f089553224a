"""What the faces of one's own set look like to the reader network, and which of them a seen face is
like.

Every number, the comodín and "no face" has a prototype among the network's features: the mean of
the taught examples and of changed copies of them. The less the network can read the set by itself,
the more the prototypes count beside the network's answer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.tiles import COLOURS, Tile
from vision.own_set.discriminant import Discriminant
from vision.own_set.examples import TileSet
from vision.own_set.variants import bare_bodies, soft_copies, turned_by, varied
from vision.pyramid import RGB, Pyramid
from vision.quads import Quads, down
from vision.reader import (
    JOKER,
    NUMBER_CLASSES,
    SURELY_LEGIBLE,
    UNREADABLE,
    FaceScores,
    Reader,
    log_softmax,
)

MOST_COPIES = 11  # changed copies of an example
# Examples and copies together: bounds the time that teaching takes. With more than half as many
# examples there is one copy of each.
MOST_CROPS = 1200
SEED = 53
# Soft copies of an example at most, and of all examples together.
MOST_SOFT_COPIES, MOST_SOFT_CROPS = 10, 700
MOST_SOFT_BODIES = 53  # examples of which soft pictures of bare bodies are made
# Lowest log-probability that a prototype may give: where the network is not trusted, and where it
# reads the set by itself.
FAINTEST, FAINTEST_BESIDE_TRUSTED = -30.0, -6.0
# Where the network reads the set by itself, prototypes speak less the stranger a face is to all of
# them: in dim and soft photographs they take bare bodies for comodines. Above this strangeness what
# they say falls with its square. Above it, too, a face of a soft picture is compared with soft
# copies.
STRANGE = 3.0
# A picture is soft, out of focus or moved, where the median tile is stranger. On 39 rendered tables
# of 13 ordinary sets and ten photographs of a bleached one it lies below 3.5 or above 11.
SOFT = 6.0
FEWEST_TILES = 6  # that can tell whether a picture is soft
# Weight of the prototypes' log-probabilities in a soft picture. Network and prototypes look at the
# same features, and err together where these are blurred: with weight 1, 151 of 1,018 numbers told
# with 0.97 to 0.999 are wrong on 96 blurred tables of 21 rendered sets. A picture with fewer than
# FEWEST_TILES tiles never counts as soft.
HEARD_IF_SOFT = 0.2
# A face stranger than UNKNOWN, which the network reads otherwise, may be any face with probability
# UNSURE.
UNKNOWN, UNSURE = 12.0, 0.06
# A find less strange than LIKE_TAUGHT shows a taught face, and is LIKE_A_TILE times as likely a
# tile as without that. On tables of 28 rendered sets all 111 finds that are no tiles are stranger
# than 10, and 2,109 of 2,837 tiles less strange than 5; on 12 of them 921 of 1,107 less than 10.
LIKE_TAUGHT, LIKE_A_TILE = 5.0, 10.0
RATHER_LIKE_TAUGHT, RATHER_LIKE_A_TILE = 10.0, 4.0
# A picture is clear where the median tile is less strange. There a find stranger than UNLIKE_TAUGHT
# that lies more than APART heights of a tile from all that surely show a taught face is
# UNLIKE_A_TILE times as likely a tile as without that. In clear photographs of 148 hands, each of
# another rendered set, none of 5,794 numbers is stranger, and 610 of 648 finds that are no tiles.
# Half covered tiles are, but lie beside others. Of 212 comodines 21 are: of most of these sets no
# comodín was taught, or one with another figure.
CLEAR = 1.0
UNLIKE_TAUGHT, UNLIKE_A_TILE = 30.0, 0.1
APART, SURELY_A_TILE = 1.5, 0.9
# Share of the taught crops that the network reads by itself at which it is not trusted at all, and
# at which it is trusted fully.
UNTRUSTED, TRUSTED = 0.60, 0.97
# Share of their colours that the network reads by itself where it knows most inks: it may mistake
# one of the four (experiment 127 of models/EXPERIMENTS.md).
MOST_COLOURS = 0.6
# A face is looked at in other directions, too, if it is this many times as far from all prototypes
# as the median face: a comodín on its side can pass for a 4 that is surely read.
STRANGER = 3.0
# A comodín is shown in any direction, and then may look like a number: it has a prototype for each.
# These come after NUMBER_CLASSES; a quarter, a half and three quarters of a turn.
TURNED_JOKERS = tuple(range(len(NUMBER_CLASSES), len(NUMBER_CLASSES) + 3))
JOKERS = [JOKER, *TURNED_JOKERS]
FACES = [*range(UNREADABLE), *TURNED_JOKERS]
# Comodines are two of the tiles where each number is eight: by so much, natural logarithm, is one
# less likely than what it looks like says. The best of a comodín's four directions is taken, which
# makes it likelier by as much again.
JOKER_RARER = float(np.log(4))
BEST_DIRECTION = float(np.log(4))
# A comodín that no example shows counts as so strange, whatever the face. Of the tiles of 64 tables
# of sixteen rendered odd sets, the comodines are stranger than 5.8 to the taught numbers (one in
# two than 110), and 90 in 100 numbered tiles less strange than 1.9.
UNTAUGHT_JOKER = 4.0
PLAINLY_BETTER = 0.5  # of its distance, below which a direction is the right one


@dataclass(frozen=True, eq=False)
class Taught:
    """The taught crops, and what the network says of them. Among them are changed copies of the
    examples and pictures of bare bodies, both made by `vision.own_set.variants`.

    `number` (n,) are indices into NUMBER_CLASSES; a comodín turned in its crop has one of
    TURNED_JOKERS instead. `colour` (n,) are indices into COLOURS, -1 for a crop without a colour.
    `own` (n,) tells which crops are examples as they were taught. `crops` (n, 64, 48, 3) are RGB;
    `number_scores` (n, 15) and `colour_scores` (n, 4) are the network's log-probabilities, and
    `features` (n, 1536) its last feature map.
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
        """Let the network look at all examples of a set, at changed copies of them, and at pictures
        of bare bodies made from them. Return these crops with what the network says of them.
        """
        number, colour = _faces_of(tile_set)
        examples = np.stack([example.crop for example in tile_set.examples])
        jokers = examples[number == JOKER]
        crops = np.concatenate([examples, *(turned_by(jokers, turn) for turn in (1, 2, 3))])
        number = np.concatenate([number, np.repeat(TURNED_JOKERS, len(jokers))])
        colour = np.concatenate([colour, np.full(3 * len(jokers), -1)])
        copies = int(np.clip(MOST_CROPS // len(crops) - 1, 1, MOST_COPIES))
        changed = varied(crops, copies, np.random.default_rng(SEED))
        bare = bare_bodies(examples)
        everything = np.concatenate([crops, changed, bare])
        number_scores, colour_scores, _, _, features = reader.read_crops(everything)
        return cls(
            np.concatenate([number, number.repeat(copies), np.full(len(bare), UNREADABLE)]),
            np.concatenate([colour, colour.repeat(copies), np.full(len(bare), -1)]),
            np.arange(len(everything)) < len(examples),
            everything,
            number_scores,
            colour_scores,
            features,
        )


def _faces_of(tile_set: TileSet) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the numbers of a set's examples, (n,) indices into NUMBER_CLASSES, and their colours,
    (n,) indices into COLOURS, -1 for a comodín.
    """
    tiles = [Tile.parse(example.face) for example in tile_set.examples]
    number = [JOKER if tile.joker else (tile.number or 0) - 1 for tile in tiles]
    colour = [COLOURS.index(tile.colour) if tile.colour else -1 for tile in tiles]
    return np.array(number, np.intp), np.array(colour, np.intp)


def reads_by_itself(reader: Reader, tile_set: TileSet) -> bool:
    """Tell whether the reader mostly reads the examples of a set rightly without knowing the set:
    nearly all numbers, and most colours.
    """
    number, colour = _faces_of(tile_set)
    seen = reader.read_crops(np.stack([example.crop for example in tile_set.examples]))
    numbers, colours = (told.argmax(axis=1) for told in seen[:2])
    right = (colours == colour)[colour >= 0]
    return bool((numbers == number).mean() >= TRUSTED and right.sum() >= MOST_COLOURS * len(right))


@dataclass(frozen=True, eq=False)
class Prototypes:
    """Which number a face bears, by the examples of one set.

    `numbers` are the prototypes of the faces, and `soft` those of the faces as photographs out of
    focus or moved ones show them. `trust`, 0 to 1, is how much the network's own answer counts: 1
    where the network alone reads nearly all examples right, 0 where it reads many of them wrong.
    `soft` is None unless `trust` is 1: a set that the network cannot read is read worse with them.
    `clear` is whether they are for one picture, in which faces look as the taught ones do.
    """

    numbers: Discriminant
    trust: float
    soft: Discriminant | None = None
    clear: bool = False

    @classmethod
    def of(cls, taught: Taught, reader: Reader) -> Prototypes:
        """Fit the prototypes to the taught crops. `reader` looks at soft copies of them."""
        numbers = Discriminant.fit(taught.features, taught.number, len(NUMBER_CLASSES) + 3)
        right = taught.number_scores.argmax(axis=1) == taught.number
        accuracy = float(right[taught.own].mean())
        trust = float(np.clip((accuracy - UNTRUSTED) / (TRUSTED - UNTRUSTED), 0.0, 1.0))
        return cls(numbers, trust, _soft(taught, reader) if trust == 1 else None)

    def in_picture(self, tiles: FaceScores, *, odd: bool = False) -> Prototypes:
        """Return the prototypes for one picture: without the soft ones, unless the picture is soft.
        `tiles` are what the network sees on all that surely are tiles there. No picture counts as
        clear where the network does not read the set by itself, or where it is the one for `odd`
        sets: of 1,358 tiles of such sets three would be lost.
        """
        if self.soft is None or len(tiles) < FEWEST_TILES:
            return replace(self, soft=None)
        strange = np.median(self.numbers.strangeness(tiles.features, FACES))
        if strange > SOFT:
            return self
        return replace(self, soft=None, clear=not odd and bool(strange < CLEAR))

    def number_scores(self, scores: FaceScores) -> NDArray[np.float32]:
        """Return log-probabilities of the numbers, (n, 15), in the order of NUMBER_CLASSES, by
        network and prototypes together. `scores` are what the network sees on the n faces.

        To be called on what `in_picture` returns: prototypes with soft ones take every picture for
        a soft one.
        """
        likely, strange = self._nearest(scores.features)
        own = log_softmax(likely)
        known = (STRANGE / np.maximum(strange, STRANGE)) ** 2
        heard = 1 - self.trust * (1 - known)
        if self.soft is not None:
            heard *= HEARD_IF_SOFT
        network = np.maximum(scores.number, FAINTEST)
        faintest = FAINTEST + self.trust * (FAINTEST_BESIDE_TRUSTED - FAINTEST)
        own = np.maximum(own * heard[:, None], faintest)
        number = log_softmax((self.trust * network + own).astype(np.float32))
        unknown = strange > UNKNOWN
        unknown &= number.argmax(axis=1) != scores.number.argmax(axis=1)
        unsure = np.log((1 - UNSURE) * np.exp(number) + UNSURE / number.shape[1])
        return np.where(unknown[:, None], unsure, number).astype(np.float32)

    def _nearest(
        self, features: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the log-likelihoods of the numbers, (n, 15), and the strangeness, (n,), of n faces
        by those prototypes, usual or soft ones, that tell more of each face. `features` (n, m) are
        the network's.

        The soft ones tell of faces that are strange to the usual ones, nearer to the soft ones, and
        like a number there: what is blurred easily looks like a comodín.
        """
        likely, strange = _likelihoods(self.numbers, features), self.numbers.strangeness(features)
        if self.soft is None:
            return likely, strange
        softly, strange_to_soft = _likelihoods(self.soft, features), self.soft.strangeness(features)
        is_soft = (strange > STRANGE) & (strange_to_soft < strange)
        is_soft &= self.soft.log_likelihoods(features).argmax(axis=1) < JOKER
        return (
            np.where(is_soft[:, None], softly, likely),
            np.where(is_soft, strange_to_soft, strange),
        )

    def strangeness_to_soft(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return how far each of n faces, `features` (n, m), lies from the nearest soft face, (n,),
        in units as `Discriminant.strangeness` tells; infinity where there are no soft prototypes.
        """
        if self.soft is None:
            return np.full(len(features), np.inf, np.float32)
        return self.soft.strangeness(features, FACES)

    def tile_scores(
        self, detector_scores: NDArray[np.float32], scores: FaceScores
    ) -> NDArray[np.float32]:
        """Return how probable it is that each of n finds is a tile, (n,): the detector's answers,
        `detector_scores` (n,), raised for finds that look like taught faces, and lowered in a clear
        picture for those that do not. `scores` are what the reader sees on the finds.

        What is read as a comodín counts as unlike only where one was taught.
        """
        strange = self.numbers.strangeness(scores.features, FACES)
        odds = np.where(strange < RATHER_LIKE_TAUGHT, RATHER_LIKE_A_TILE, 1.0)
        odds[strange < LIKE_TAUGHT] = LIKE_A_TILE
        if self.clear:
            unlike = strange > UNLIKE_TAUGHT
            if not self.numbers.has_examples(JOKERS):
                unlike &= scores.number.argmax(axis=1) != JOKER
            taught = (strange < LIKE_TAUGHT) & (detector_scores > SURELY_A_TILE)
            odds[unlike & _lie_apart(scores.quads, taught)] = UNLIKE_A_TILE
        for_a_tile = odds * detector_scores
        return np.asarray(for_a_tile / (for_a_tile + 1 - detector_scores), np.float32)

    def compared(self, reader: Reader, picture: RGB, scores: FaceScores) -> FaceScores:
        """Return `scores` with the log-probabilities of the printed numbers replaced by those that
        network and prototypes give together.

        A face that is not read surely, or that is unlike all prototypes, is also looked at in the
        three other directions. The result has this face, its quad included, turned to a direction
        in which it is plainly more like a prototype, or in which it is read more surely and not
        plainly less like one. `picture` is (h, w, 3) RGB.
        """
        result = replace(scores, number=self.number_scores(scores))
        if not len(result):
            return result
        strange = self.numbers.strangeness(result.features, FACES)
        asked = (result.legible < SURELY_LEGIBLE) | (strange > STRANGER * np.median(strange))
        weak = np.flatnonzero(asked)[: reader.config.max_retried]
        pyramid = Pyramid(picture)
        for turn in (1, 2, 3):
            turned = reader.look(pyramid, np.roll(scores.quads[weak], -turn, axis=1))
            turned = replace(turned, number=self.number_scores(turned))
            there = self.numbers.strangeness(turned.features, FACES)
            surer = turned.legible > result.legible[weak]
            likelier = there < PLAINLY_BETTER * strange[weak]
            unlikely = there > strange[weak] / PLAINLY_BETTER
            better = np.flatnonzero((surer & ~unlikely) | likelier)
            result = result.with_replaced(weak[better], turned.take(better))
            strange[weak[better]] = there[better]
        return replace(result, quads=self._upright_jokers(result))

    def _upright_jokers(self, scores: FaceScores) -> NDArray[np.float32]:
        """Return the quads of the faces, (n, 4, 2). Where a comodín lies turned in its quad, the
        corners of the quad are renumbered so that the comodín is upright.
        """
        quads = scores.quads.copy()
        likely = self.numbers.log_likelihoods(scores.features)[:, JOKERS].argmax(axis=1)
        for face in np.flatnonzero((scores.number.argmax(axis=1) == JOKER) & (likely > 0)):
            quads[face] = np.roll(quads[face], -int(likely[face]), axis=0)
        return quads


def _soft(taught: Taught, reader: Reader) -> Discriminant:
    """Fit the prototypes of soft faces: of the numbers, the comodín in its four directions, and
    bare bodies.
    """
    rng = np.random.default_rng(SEED)
    examples = np.flatnonzero(taught.own)
    crops, number = taught.crops[examples], taught.number[examples]
    jokers = crops[number == JOKER]
    faces = np.concatenate([crops, *(turned_by(jokers, turn) for turn in (1, 2, 3))])
    number = np.concatenate([number, np.repeat(TURNED_JOKERS, len(jokers))])
    copies = int(np.clip(MOST_SOFT_CROPS // len(faces), 1, MOST_SOFT_COPIES))
    every = -(-len(crops) // MOST_SOFT_BODIES)
    bare = bare_bodies(crops[::every])
    soft = np.concatenate([soft_copies(faces, copies, rng), soft_copies(bare, 1, rng)])
    _, _, _, _, features = reader.read_crops(soft)
    classes = np.concatenate([number.repeat(copies), np.full(len(bare), UNREADABLE)])
    return Discriminant.fit(features, classes, len(NUMBER_CLASSES) + 3)


def _likelihoods(faces: Discriminant, features: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the log-likelihoods of the numbers, (n, 15), in the order of NUMBER_CLASSES, of n
    faces, `features` (n, m), by the prototypes `faces`.
    """
    likely = faces.log_likelihoods(features)
    if faces.has_examples(JOKERS):
        likely[:, JOKER] = likely[:, JOKERS].max(axis=1) - BEST_DIRECTION
    else:
        likely[:, JOKER] = faces.log_likelihood_at(UNTAUGHT_JOKER)
    likely[:, JOKER] -= JOKER_RARER
    return likely[:, : len(NUMBER_CLASSES)]


def _lie_apart(quads: Quads, tiles: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask (n,) of the quads (n, 4, 2) that lie farther than APART of the larger height
    from each of those in the mask `tiles` (n,).
    """
    middles, heights = quads.mean(axis=1), np.linalg.norm(down(quads), axis=1)
    away = np.linalg.norm(middles[:, None] - middles[tiles], axis=2)
    return np.asarray((away > APART * np.maximum(heights[:, None], heights[tiles])).all(axis=1))
