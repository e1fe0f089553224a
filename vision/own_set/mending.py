"""Finds the faces of one's own set where the detector, which does not know the set, saw a part of
one, more than one, or nothing.

In a frame of ornaments the detector often takes a tile's middle for the whole tile. So other quads
are tried: where a small picture, in which ornaments fade, shows a face; where another detector
does; in the shape that the set's tiles have near by; and beside tiles. Of quads that overlap, the
one is kept that is least strange to the set.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.crops import quad_with_offsets
from vision.detector import Detections, Detector
from vision.faint import body_light
from vision.own_set.places import Places, overlapped
from vision.own_set.prototypes import Prototypes
from vision.own_set.shapes import TileShapes
from vision.pyramid import RGB, Pyramid
from vision.quads import Quads, across, areas, down
from vision.reader import FaceScores, Reader

SURELY = 100.0  # taken from the rank of a place that is kept in any case


@dataclass(frozen=True)
class MendingConfig:
    """When and where faces are looked for again. The figures were found on rendered sets with four
    kinds of ornamental frames around the faces. Each set was taught with two photographs.

    Lengths are in widths and heights of a tile, areas in areas of a tile at the same place; scores
    and probabilities lie between 0 and 1.
    """

    strange: float = 2.0  # strangeness up to which a place surely shows a face of the set
    # A place is amiss, perhaps not what it was taken for, if it is stranger than `strange`. Where
    # the network reads the set by itself, it is so only if its area also lies outside of `fitting`
    # or its face is also less legible than `legible`.
    fitting: tuple[float, float] = (0.8, 1.25)
    legible: float = 0.5
    # A set that the network cannot read by itself is looked at again in a smaller picture where
    # enough places are amiss.
    many: int = 3  # least number of places amiss
    many_share: float = 0.15  # least share of them among all places
    small: float = 0.45  # size of the smaller picture, as a share of the usual one
    score_in_small: float = 0.3  # least score of the detector there
    strange_elsewhere: float = 6.0  # greatest strangeness of a face that is found only there
    # Other quads are tried at a place amiss from this score of the detector on, at so many places.
    asked: float = 0.4
    most_asked: int = 32
    most_asked_of_legible: int = 6  # instead, where the network reads the set by itself
    # How far quads are moved, in parts of their sides: `far` where only a digit or a mark was
    # found, and `near`; and by how many degrees they are turned. Quads less strange than
    # `promising` are moved again, `rounds` times.
    far: float = 0.17
    near: float = 0.08
    turn: float = 7.0
    promising: float = 20.0
    rounds: int = 3
    # A newly tried place replaces the one that it overlaps if it is less than so many times as
    # strange as that one: the first limit is for places of any shape, the second for places that
    # have the shape of the set's tiles.
    plainly_less: float = 0.7
    in_their_shape: float = 1.08
    # Places looked at beside tiles.
    pitch: float = 1.05  # widths from the middle of the tile to that of the place
    # Two bodies are alike if their light differs by less: natural logarithm of R, G or B.
    alike: float = 0.3
    most_beside: int = 16  # places looked at
    strange_beside: float = 3.0  # greatest strangeness of a face there
    score_beside: float = 0.5  # detector's score that such a face gets
    # A place is no face, but a key of a calculator or a figure on a sheet for example, where all is
    # so: it is stranger than `no_face`, also to faces out of focus than `no_soft_face`, its area
    # lies outside of `usual_area`, and the light of its body differs from that of the tiles by more
    # than `alike`. To faces out of focus keys of four keyboards and calculators are stranger than
    # 10 but for a few, most of them than 20; of 25 quads on a sample's tiles that were made soft
    # and dark 18 are stranger than 5, and eight than 8.
    no_face: float = 5.0
    no_soft_face: float = 8.0
    usual_area: tuple[float, float] = (0.62, 1.7)
    # In a picture where faces look as the taught ones do, the light of the body is no matter where
    # the area lies outside of `possible_area`.
    possible_area: tuple[float, float] = (0.3, 3.3)


@dataclass(frozen=True, eq=False)
class Mending:
    """Looks again at one picture, (h, w, 3) RGB, of a table on which the set lies."""

    prototypes: Prototypes
    detector: Detector
    reader: Reader
    picture: RGB
    config: MendingConfig = MendingConfig()
    other_detector: Detector | None = None  # asked, too, where `detector` is that of odd sets
    on_rack: bool = False  # whether the tiles stand on a rack

    def mended(self, found: Detections, scores: FaceScores) -> tuple[Detections, FaceScores]:
        """Return the corrected finds together with newly found ones, the surest first, and what the
        reader sees on them. `scores` are what the reader saw on the finds in `found`.
        """
        places = Places.of(self.prototypes, scores, found.scores)
        amiss = np.count_nonzero(self._amiss(places))
        many = amiss >= max(self.config.many, self.config.many_share * len(found))
        if many and not self._legible:
            places = self._with_small_picture(places)
        if amiss and self.other_detector:
            found_too = self.other_detector.detect(self.picture, on_rack=self.on_rack)
            places = self._with_finds(places, found_too)
        places = self._with_usual_shapes(places)
        places = self._with_neighbours(places)
        places = places.take(np.flatnonzero(~self._are_no_faces(places)))
        places = places.take(np.argsort(-places.scores, kind="stable"))
        return Detections(places.quads, places.scores), places.seen

    @property
    def _legible(self) -> bool:
        """Whether the network reads the set without the set's examples. Where it does, the detector
        mostly finds the faces of the set, too.
        """
        return self.prototypes.trust == 1

    def _surely(self, places: Places) -> NDArray[np.bool_]:
        """Return a mask (n,) of the places that surely show a face of the set."""
        return np.asarray(places.strange <= self.config.strange)

    def _amiss(self, places: Places) -> NDArray[np.bool_]:
        """Return a mask (n,) of the places that are amiss: those that are strange. Where the
        network reads the set without its examples, a strange place is amiss only if it is hardly
        legible or of an unusual size, too. MendingConfig has the limits.
        """
        strange = ~self._surely(places)
        if not self._legible or not strange.any():
            return strange
        low, high = self.config.fitting
        area = self._relative_areas(places)
        fits = (area > low) & (area < high) & (places.seen.legible > self.config.legible)
        return np.asarray(strange & ~fits)

    def _shapes(self, places: Places) -> TileShapes | None:
        return TileShapes.of(places.quads[self._surely(places)])

    def _relative_areas(self, places: Places) -> NDArray[np.float64]:
        """Return the area of each place divided by the area of a tile there, (n,); all are 1 where
        tiles surely seen are too few to tell.
        """
        shapes = self._shapes(places)
        if shapes is None:
            return np.ones(len(places))
        usual = shapes.at(places.quads.mean(axis=1), across(places.quads))
        return np.asarray(areas(places.quads) / areas(usual))

    def _with_small_picture(self, places: Places) -> Places:
        """Return `places` with what is found in the picture made smaller."""
        config = self.config
        glance = self.detector.glance(self.picture, config.small, config.score_in_small)
        return self._with_finds(places, glance)

    def _with_finds(self, places: Places, finds: Detections) -> Places:
        """Return `places` with two changes after another search of the picture had these `finds`.
        Faces that are only among them are added, unless they are stranger than
        `MendingConfig.strange_elsewhere`. A place that is amiss is replaced if the face found there
        is plainly less strange.
        """
        config = self.config
        fine = places.quads[~self._amiss(places)]
        new = np.flatnonzero(~overlapped(finds.quads, fine))[: 2 * config.most_asked]
        seen = self.reader.read(self.picture, finds.quads[new])
        others = Places.of(self.prototypes, seen, finds.scores[new])
        known = overlapped(others.quads, places.quads)
        others = others.take(np.flatnonzero(known | (others.strange < config.strange_elsewhere)))
        return self._settled(places, others, config.plainly_less)

    def _with_usual_shapes(self, places: Places) -> Places:
        """Return the places after trying other quads for those that are amiss: quads in the shape
        that tiles of the set have near by. Of a place and the best quad tried for it, the less
        strange one is kept. At most `MendingConfig.most_asked` places are tried, or
        `most_asked_of_legible` where the network reads the set without its examples.
        """
        config, shapes = self.config, self._shapes(places)
        asked = np.flatnonzero(self._amiss(places) & (places.scores > config.asked))
        asked = asked[: config.most_asked_of_legible if self._legible else config.most_asked]
        if shapes is None or not len(asked):
            return places
        quads, sure = places.quads[asked], places.quads[self._surely(places)]
        middles = quads.mean(axis=1)
        away = np.linalg.norm(middles[:, None] - sure.mean(axis=1), axis=2)
        tried = list[Quads]()
        for way in (across(quads), across(sure[away.argmin(axis=1)])):
            shaped = shapes.at(middles, way)
            far = config.far * down(shaped)[:, None]
            tried += [shaped, shaped - far, shaped + far]
        best = self._least_strange(tried, places.scores[asked])
        return self._settled(places, self._moved(best, shapes), config.in_their_shape)

    def _with_neighbours(self, places: Places) -> Places:
        """Look for missed faces beside tiles, where the picture is about as light as the bodies of
        these tiles. Return `places` with a place for each face found; of places that overlap only
        one is kept.
        """
        config, shapes = self.config, self._shapes(places)
        if shapes is None:
            return places
        quads = self._free_beside(places)
        if not len(quads):
            return places
        new = self._look(quads, np.full(len(quads), config.score_beside, np.float32))
        new = self._moved(new, shapes)
        taught = new.strange < config.strange_beside
        taught &= new.seen.legible > config.legible
        return self._settled(places, new.take(np.flatnonzero(taught)), config.plainly_less)

    def _free_beside(self, places: Places) -> Quads:
        """Return m quads, (m, 4, 2), about one width beside tiles, where nothing was found and the
        picture is about as light as the body of the tile.
        """
        config = self.config
        tiles = np.tile(np.flatnonzero(self._surely(places)), 2)
        step = config.pitch * across(places.quads[tiles])[:, None]
        step[: len(tiles) // 2] *= -1
        quads = places.quads[tiles] + step
        last = np.array(self.picture.shape[1::-1]) - 1
        inside = ((quads >= 0) & (quads <= last)).all(axis=(1, 2))
        free = np.flatnonzero(inside)
        free = free[~overlapped(quads[free], places.quads)]
        light = body_light(self.picture, quads[free])
        own = body_light(self.picture, places.quads[tiles[free]])
        unlike = np.abs(light - own).max(axis=1)
        likest = np.argsort(unlike)[: config.most_beside]
        return np.asarray(quads[free[likest[unlike[likest] < config.alike]]])

    def _moved(self, places: Places, shapes: TileShapes) -> Places:
        """Return those places that are less strange than `MendingConfig.promising`, in another
        order. Each that does not surely show a face is moved to where it is least strange. `shapes`
        tells how large a tile looks at any place of the table.
        """
        config = self.config
        places = places.take(np.flatnonzero(places.strange < config.promising))
        for _ in range(config.rounds):
            asked = np.flatnonzero(~self._surely(places))
            if not len(asked):
                break
            around = _around(places.take(asked), shapes, config)
            tried = self._least_strange(around, places.scores[asked])
            better = np.flatnonzero(tried.strange < places.strange[asked])
            rest = np.setdiff1d(np.arange(len(places)), asked[better])
            places = places.take(rest).joined(tried.take(better))
        return places

    def _least_strange(self, tried: list[Quads], scores: NDArray[np.float32]) -> Places:
        """Let the reader look at several quads for each of n places. Return the n places, each at
        its least strange quad, with what the reader sees there. Each array of `tried`, (n, 4, 2),
        has one quad for each place. `scores` (n,) are the detector's scores of the places, which
        the returned places have whatever their quads.
        """
        count = len(scores)
        places = self._look(np.concatenate(tried), np.tile(scores, len(tried)))
        least = places.strange.reshape(len(tried), count).argmin(axis=0)
        return places.take(least * count + np.arange(count))

    def _look(self, quads: Quads, scores: NDArray[np.float32]) -> Places:
        seen = self.reader.look(Pyramid(self.picture), np.asarray(quads, np.float32))
        return Places.of(self.prototypes, seen, scores)

    def _settled(self, known: Places, others: Places, stranger: float) -> Places:
        """Join the places of `known` and `others`; of places that overlap keep one.

        A known place that surely shows a face is kept in any case. Otherwise the least strange
        place is kept; before they are compared, the strangeness of known places is multiplied by
        `stranger`.
        """
        rank = np.concatenate([stranger * known.strange, others.strange])
        rank[: len(known)][self._surely(known)] -= SURELY
        return known.joined(others).each_face_once(rank)

    def _are_no_faces(self, places: Places) -> NDArray[np.bool_]:
        """Return a mask (n,) of the places that are no faces: they are strange to the set, also as
        faces out of focus, of another size than its tiles, and plainly lighter or darker than the
        bodies of its tiles or, in a clear picture, larger or smaller than any tile there.
        """
        config = self.config
        area = self._relative_areas(places)
        odd = (places.strange > config.no_face) & _is_outside(area, config.usual_area)
        odd &= self.prototypes.strangeness_to_soft(places.seen.features) > config.no_soft_face
        if odd.any():
            tiles = body_light(self.picture, places.quads[self._surely(places)])
            light = body_light(self.picture, places.quads[odd])
            unlike = np.abs(light - np.median(tiles, axis=0)).max(axis=1) > config.alike
            impossible = _is_outside(area[odd], config.possible_area) & self.prototypes.clear
            odd[odd] = unlike | impossible
        return np.asarray(odd)


def _is_outside(values: NDArray[np.float64], limits: tuple[float, float]) -> NDArray[np.bool_]:
    low, high = limits
    return np.asarray((values < low) | (values > high))


def _around(places: Places, shapes: TileShapes, config: MendingConfig) -> list[Quads]:
    """Return quads to try near n places, as a list of (n, 4, 2) arrays with one quad for each
    place. The first array holds the shape of a tile at the corners that the reader sees. Two arrays
    hold this shape at the place's own quad, turned a little to either side. The others hold the
    place's own quad, moved a little.
    """
    quads = places.quads
    offsets = places.seen.corner_offsets
    told = np.array([quad_with_offsets(q, o) for q, o in zip(quads, offsets, strict=True)])
    way, tall = across(quads), down(quads)
    moves = [share * side for share in (config.near, config.far) for side in (way, tall)]
    return [
        shapes.at(told.mean(axis=1), across(told)),
        *(shapes.at(quads.mean(axis=1), _turned(way, sign * config.turn)) for sign in (1, -1)),
        *(quads + sign * move[:, None] for move in moves for sign in (1, -1)),
    ]


def _turned(ways: NDArray[np.float32], degrees: float) -> NDArray[np.float32]:
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(ways @ np.array([[cosine, sine], [-sine, cosine]]), np.float32)
