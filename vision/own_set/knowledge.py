"""All that is known of one's own set, worked out from its examples for the reader at hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.tiles import COLOURS, NUMBERS
from vision.detector import Detections, Detector
from vision.own_set.examples import TileSet, enough_to_read
from vision.own_set.inks import SetInks
from vision.own_set.mending import Mending
from vision.own_set.prototypes import Prototypes, Taught
from vision.own_set.same_set import Typeface
from vision.pyramid import RGB
from vision.reader import JOKER, FaceScores, Reader

# Numbers taught of an ink that help on every table. With one or two rows of a rendered set of odd
# inks 36 and 63 of 84 tiles are read rightly, 2 without; with a tile or two of each ink fewer are.
NEARLY_A_ROW = 10
FEWEST_TILES = 6  # that can tell whether the table shows another set
# Of 24 sets, each read with each other's examples: 3 of 85 tables of the same set are taken for
# another set, all three dim and out of focus, and 5.5 % of 1,955 tables of another set for the same
# one.
STRANGE_FACES = 5.0  # features this far away are another set's, whatever the inks
RATHER_STRANGE_FACES, STRANGE_INKS = 1.5, 0.5  # and so are these together
# A poor photograph makes the faces of a set look strange, and hard to read to the same degree. A
# set counts as another only where the strangeness exceeds this times the square root of how
# illegible the faces are.
STRANGE_FOR_ILLEGIBLE = 148.0
# Where the network reads the set by itself, that nothing of the set counts is only said to be for
# another set if the numbers look unlike those taught, too: that, times the fourth root of how far
# the inks are from the set's, reaches UNLIKE times the fifth root of how illegible the faces are.
# Of 96 rendered sets, each taught with one photograph and read with others of them, 12 of 308
# photographs of the same set are said to show another one (41 without this, 27 of them racks), and
# 441 of 7,103 of another set are not (224).
UNLIKE = 0.36
LEAST_ILLEGIBLE = 1e-4  # added to the share that is illegible
# Tiles taken for another set's that are less than PERHAPS times as strange as this set's own look
# at most are of this set after all with the probability AFTER_ALL. Of 66 tables of 24 rendered odd
# sets one was taken for another set's, 1.6 times as strange: 11 of its 13 tiles were told in a
# wrong colour, surely. Of 56 tables of other sets, read with six of odd inks, six are less strange.
PERHAPS, AFTER_ALL = 2.0, 0.2


@dataclass(frozen=True, eq=False)
class OwnSet:
    """What is known of the numbers and inks of one set. An own set does not change once it is made.

    `tells_others` is whether other sets can be told from it, since it has examples of every number
    and every ink. A number or an ink that no example shows looks as strange as those of another
    set. `by_rows` is whether nearly a whole row was taught of each ink that has examples.
    """

    prototypes: Prototypes
    inks: SetInks
    typeface: Typeface
    tells_others: bool
    by_rows: bool

    @classmethod
    def of(cls, tile_set: TileSet, reader: Reader) -> OwnSet:
        """Work out from the examples of `tile_set` what `reader` needs for reading with the set. It
        takes some seconds of processor time: 3 with 53 examples, 8 with 848. Raises ValueError for
        a set with examples of fewer than two numbers.
        """
        if not enough_to_read(tile_set.counts()):
            raise ValueError(
                f"expected examples of at least two numbers, got {list(tile_set.counts())}"
            )
        taught = Taught.of(tile_set, reader)
        faces = tile_set.counts()
        numbers = {face.rstrip("RBKY") for face in faces}
        colours = Counter(face[-1] for face in faces if face != "J")
        return cls(
            Prototypes.of(taught, reader),
            SetInks.of(taught),
            Typeface.of(tile_set.examples),
            tells_others=len(colours) == len(COLOURS) and numbers >= set(map(str, NUMBERS)),
            by_rows=bool(colours) and min(colours.values()) >= NEARLY_A_ROW,
        )

    def is_on_table(self, scores: FaceScores, surely_tiles: NDArray[np.bool_]) -> bool:
        """Tell whether the tiles in a picture look like those of this set.

        `scores` are what the reader sees on the n finds; `surely_tiles` (n,) tells which finds are
        certainly tiles. With few such tiles the answer is True: nothing then speaks against the set
        that was chosen. The answer is True also for a set of which only some rows were taught. Of
        any other set with few examples it is False if these help little.
        """
        tiles = np.flatnonzero(surely_tiles)
        is_part = self.by_rows and not self.tells_others
        if len(tiles) < FEWEST_TILES or is_part:
            return True
        seen = scores.take(tiles)
        faces, usual = self._strangeness(seen)
        return faces < usual or (
            faces < STRANGE_FACES and self._strangeness_of_inks(seen) < STRANGE_INKS
        )

    def has_other_numbers(self, tiles: FaceScores) -> bool:
        """Tell whether n tiles that look strange beside this set are another set's, and not this
        set's in a poor photograph. `tiles` are what the reader sees on them.
        """
        if self.prototypes.trust < 1:
            return True
        unlike = self.typeface.unlike(tiles)
        if unlike is None:
            return False
        inks = self._strangeness_of_inks(tiles)
        return bool(unlike * inks**0.25 >= UNLIKE * _illegible(tiles) ** 0.2)

    def _strangeness_of_inks(self, tiles: FaceScores) -> float:
        """Return how far the inks of those of n `tiles` that bear a number are from the set's."""
        numbered = tiles.number.argmax(axis=1) < JOKER
        return self.inks.strangeness(tiles.crops[numbered]) if numbered.any() else float("inf")

    def _strangeness(self, tiles: FaceScores) -> tuple[float, float]:
        """Return how strange the median one of n `tiles` looks beside the taught faces, and how
        strange those of the set itself look at most where faces are as legible as here.
        """
        faces = float(np.median(self.prototypes.numbers.strangeness(tiles.features)))
        of_illegible = STRANGE_FOR_ILLEGIBLE * float(np.sqrt(_illegible(tiles)))
        return faces, max(RATHER_STRANGE_FACES, of_illegible)

    def in_picture(self, tiles: FaceScores, *, odd: bool = False) -> OwnSet:
        """Return what counts of this knowledge in one picture; faces of a soft picture are compared
        with soft copies of the taught ones. `tiles` are what the reader sees on all that surely are
        tiles there; `odd` says that it is the reader for odd sets.
        """
        return replace(self, prototypes=self.prototypes.in_picture(tiles, odd=odd))

    @property
    def is_well_taught(self) -> bool:
        """Whether all numbers and inks were taught, or nearly a row of each ink that was taught. A
        set of which less was taught helps on few tables.
        """
        return self.tells_others or self.by_rows

    def helps_with(self, scores: FaceScores) -> bool:
        """Tell whether faces that lie on one table are read better with this set than without it.

        `scores` are what the reader sees on these faces. A set that is not well taught helps only
        where enough of them look like it.
        """
        if self.is_well_taught:
            return True
        everything = np.ones(len(scores), bool)
        return len(scores) >= FEWEST_TILES and self.is_on_table(scores, everything)

    def mended(
        self,
        detector: Detector,
        reader: Reader,
        picture: RGB,
        found: Detections,
        scores: FaceScores,
        other_detector: Detector | None = None,
        *,
        on_rack: bool = False,
    ) -> tuple[Detections, FaceScores]:
        """Look again for faces of the set of which the detector saw only a part or nothing. Return
        the finds after that, and what the reader sees on them.

        `picture` is (h, w, 3) RGB; `scores` are what the reader saw on the finds in `found`. The
        `other_detector`, if there is one, is asked where the first one seems to have erred;
        `on_rack` tells it that the tiles stand on a rack.
        """
        mending = Mending(
            self.prototypes,
            detector,
            reader,
            picture,
            other_detector=other_detector,
            on_rack=on_rack,
        )
        return mending.mended(found, scores)

    def compared(self, reader: Reader, picture: RGB, scores: FaceScores) -> FaceScores:
        """Return `scores` with other log-probabilities of the printed numbers, for which the
        network's reading and the set's examples are weighed together. A face that is read better
        in another direction is turned.

        `picture` is (h, w, 3) RGB. The log-probabilities of the colours stay those of the network;
        `table_colours` and `coloured` find the set's own colours from the scores returned here.
        """
        return self.prototypes.compared(reader, picture, scores)

    def coloured(self, scores: FaceScores) -> FaceScores:
        """Return the scores with the colours replaced: each tile, judged by itself, has the colour
        that the owner of the set gives its ink.
        """
        return replace(scores, colour=self.inks.tile_colours(scores))

    def perhaps_coloured(
        self, faces: NDArray[np.float32], scores: FaceScores
    ) -> NDArray[np.float32]:
        """Return `faces`, the log-probabilities (n, 53) of tiles that look like another set's, with
        both colours likely where this set's inks tell another one: the tiles may be of this set
        after all, in a bad light. `scores` are what this set's reader sees on the tiles.

        Nothing changes where the tiles look much stranger than those of this set do. It is no use
        for a set in whose inks the network sees the right colours by itself.
        """
        if not len(faces):
            return faces
        strange, usual = self._strangeness(scores)
        if strange >= PERHAPS * usual:
            return faces
        each = faces[:, : len(COLOURS) * JOKER].reshape(len(faces), len(COLOURS), JOKER)
        number = np.logaddexp.reduce(each, axis=1)
        colour = np.logaddexp.reduce(each, axis=2)
        own = self.table_colours(scores)
        own_faces = (own[:, :, None] + number[:, None]).reshape(len(faces), -1)
        either = np.logaddexp(
            faces[:, :-1] + np.log1p(-AFTER_ALL), own_faces + np.log(AFTER_ALL)
        ).astype(np.float32)
        other = own.argmax(axis=1) != colour.argmax(axis=1)
        result = faces.copy()
        result[other, :-1] = either[other]
        return result

    def tile_scores(
        self, detector_scores: NDArray[np.float32], scores: FaceScores
    ) -> NDArray[np.float32]:
        """Return how probable it is that each of n finds is a tile, (n,), from the detector's
        answers `detector_scores` (n,) and from how much the finds look like taught faces. `scores`
        are what the reader sees on the finds, as `compared` returns it.
        """
        return self.prototypes.tile_scores(detector_scores, scores)

    def table_colours(self, scores: FaceScores) -> NDArray[np.float32]:
        """Return log-probabilities of red, blue, black and yellow, (n, 4), for tiles that lie on
        one table. `scores` are what the reader sees on the n tiles, as `compared` returns it.
        """
        return self.inks.table_colours(scores, scores.number.argmax(axis=1) < JOKER)


def _illegible(tiles: FaceScores) -> float:
    """Return how illegible the median one of n tiles is, 0 to 1, at least LEAST_ILLEGIBLE."""
    return 1 - float(np.median(tiles.legible)) + LEAST_ILLEGIBLE
