"""Finds the faces of pieces in a picture: of tiles, or the indices in the corners of cards.

One network looks at the whole picture. For each cell of a grid it tells how surely the centre of a
face lies there, and where the four corners of that face are, in the order one reads it; for cards
also where the corners of the whole card are.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.from_above import view_from_above
from vision.kinds import TILES, Kind
from vision.modelfile import has_network, load_network
from vision.pyramid import RGB, Picture, Pyramid, pyramid_of
from vision.quads import (
    are_convex,
    foreshortening,
    non_max_suppression,
    repair_degenerate_quads,
    sides,
)

STRIDE = 8  # pixels of the network's input a cell of its output covers
INPUT_MULTIPLE = 32  # width and height of the input are multiples of this, in pixels
# Share of an axis's length, 0-1, that runs up or down the picture, above which it is upright.
UPRIGHT = 0.8
PERHAPS = 0.25  # share of the faces that have to look flat for a view that may be from low


def expected_metadata(kind: Kind) -> dict[str, object]:
    """Return the entries that the metadata of a kind's detector network must have."""
    return {"classes": [kind.finds], "stride": STRIDE}


@dataclass(frozen=True)
class DetectorConfig:
    """How the picture is shown to the network. Sizes are in pixels of the network's input."""

    long_side: int = 1280  # the picture is brought to this size at most
    short_side: int = 960
    max_enlargement: float = 2.0  # of small pictures: faces below 12 px wide are not found
    threshold: float = 0.25  # score, 0-1, below which nothing is reported
    # If not None, the score down to which fainter finds are returned beside those reported. They do
    # not decide how the picture is looked at.
    faintest: float | None = None
    max_overlap: float = 0.45  # of two faces; faces of stacked tiles overlap less
    # If not None, finds that overlap a surer one by more, up to this, are returned as well.
    overlap_of_two: float | None = None
    sure_score: float = 0.5  # score above which a face is sure
    # Training pictures hold faces of 13 to 180 px. With fewer sure faces than `few_faces`, or a
    # median short side above `large_face`, the picture is looked at again at half the size, which
    # takes 9 ms.
    few_faces: int = 4
    large_face: float = 140.0
    # With a median short side below `small_face` the picture is looked at again in four enlarged
    # quarters, if a pixel of the input is at least `spare_pixels` times as wide as one of the
    # picture. Else quarters show no more detail, but they show faces in a size that the network
    # knows better: where three of four faces are below `tiny_face`, the finds in quarters are added
    # to those in the whole picture. On 69 rendered tables with a median below `tiny_face`, 1,451 of
    # 1,614 faces score above 0.4 with the quarters, 1,337 without. The median does not decide here,
    # since on a printed cloth half of what is found may be figures smaller than the tiles.
    small_face: float = 30.0
    spare_pixels: float = 1.15
    tiny_face: float = 22.0
    # Training pictures are taken from 25 degrees above the table and more, and `flattened` is the
    # sine of that angle: the shorter axis of a circle on a face over the longer one. Where the
    # median of that ratio is smaller, the picture is looked at again, stretched upright by at most
    # `max_stretch` until the ratio is `unflattened`. The stretched picture is at most `tall_side`
    # times `long_side` long.
    flattened: float = 0.42
    unflattened: float = 0.8
    max_stretch: float = 3.0
    tall_side: float = 1.6
    # Where a quarter of the faces have a ratio below `perhaps_low`, the network for views from low
    # is asked: far faces look flatter than near ones. It takes the place of the usual one where its
    # median is below `low`; or below `rather_low`, if that of the usual one is at least `misplaced`
    # more: the usual one misplaces the corners of faces seen from low, which then look less
    # flattened. Where both agree, the usual one is right. Neither can tell the ratio of faces whose
    # longer side is below `least_side`. The values were set on 80 tables rendered from 10-30
    # degrees and on S1 of the photographs `strange_sets` (experiments 138 and 181 of
    # models/EXPERIMENTS.md).
    perhaps_low: float = 0.85
    low: float = 0.56
    rather_low: float = 0.70
    misplaced: float = 0.12
    least_side: float = 15.0


@dataclass(frozen=True)
class Detections:
    """Faces found, the surest first.

    `points` is (n, k, 2) float32, x, y in pixels of the picture. The first four points are the
    corners of the face. For kinds of pieces whose network tells them, the four corners of the whole
    piece follow. Corners begin top-left and run clockwise, as one reads the piece. `scores` (n,)
    float32, 0-1, are the detector's: they tell how surely each face was found.
    """

    points: NDArray[np.float32]
    scores: NDArray[np.float32]

    @property
    def quads(self) -> NDArray[np.float32]:
        """The corners of the faces, (n, 4, 2), x, y in pixels of the picture."""
        return self.points[:, :4]

    @property
    def outlines(self) -> NDArray[np.float32]:
        """The corners of the whole pieces, (n, 4, 2), x, y in pixels of the picture. For tiles
        these are the corners of the face.
        """
        return self.points[:, -4:]

    def __len__(self) -> int:
        return len(self.quads)

    def take(self, indices: NDArray[np.intp]) -> Detections:
        """Return the finds with these indices."""
        return Detections(self.points[indices], self.scores[indices])


class Detector:
    """The detector network, loaded once, and where its kind of pieces has them, that for views from
    low above the table and that for racks. Safe to use from several threads at a time.
    """

    def __init__(
        self,
        folder: Path | None = None,
        config: DetectorConfig | None = None,
        kind: Kind = TILES,
    ) -> None:
        """Load the networks of `kind` from the folder `folder`, or the installed ones where that is
        None. Those for low views and for racks may be absent from the folder's manifest, as where a
        training has just made the usual one: then the usual one finds all.

        Raises ModelError when a file is missing or is not the expected one.
        """
        self.config = config or DetectorConfig(
            small_face=kind.small_face,
            tiny_face=kind.tiny_face,
            overlap_of_two=kind.overlap_of_two,
        )
        self._faces_alike = kind.faces_alike
        self._network = load_network(kind.detector, expected_metadata(kind), folder)
        self._for_low_views, self._for_racks = (
            Detector(folder, self.config, other)
            if other and has_network(other.detector, folder)
            else None
            for other in (kind.low_views, kind.on_racks)
        )

    def detect(
        self,
        picture: Picture,
        threshold: float | None = None,
        *,
        on_rack: bool = False,
        faintest: float | None = None,
    ) -> Detections:
        """Find the faces of pieces in an (h, w, 3) uint8 RGB picture, given with or without its
        pyramid, and return them.

        Faces with a score below `threshold`, 0-1, are left out. None stands for the threshold of
        the configuration. With `on_rack` the pieces stand on a rack: another network finds them, if
        there is one. If `faintest` is given, faces with scores from it to the threshold are
        returned as well.

        The network looks at the whole picture first. It then looks again at half the size if faces
        may be larger than those it knows, at four enlarged quarters if faces are small, and at the
        picture stretched upright if the table is seen from a low angle. From such an angle another
        network does all this, if there is one, and looks also at the table as seen from above. No
        rack counts as seen from a low angle: without a network for racks the usual one finds them.
        """
        if threshold is not None or faintest is not None:
            usual = self.config.threshold if threshold is None else threshold
            return self._with(usual, faintest).detect(picture, on_rack=on_rack)
        if self._for_racks and on_rack:
            return self._for_racks.detect(picture)
        levels = pyramid_of(picture)
        scale = self._usual_scale(levels.picture)
        found = self._detect_at(levels, scale)
        if self._for_low_views and not on_rack and self._may_be_low(found, scale):
            found_from_low = self._for_low_views._detect_at(levels, scale)
            if self._is_low(found, found_from_low, scale):
                found = self._for_low_views._looking_again(levels, scale, found_from_low)
                return self._for_low_views._with_view_from_above(levels.picture, found)
        return self._looking_again(levels, scale, found)

    def glance(self, picture: RGB, share: float, threshold: float) -> Detections:
        """Look once at the whole (h, w, 3) RGB picture, at `share` of the size at which `detect`
        looks at it first; return the faces with a score of at least `threshold`.

        The network does not know faces with ornamental frames, since no training picture shows
        any. Ornaments fade in a small picture, so such faces may be found there although they are
        not found in a large one.
        """
        scale = share * self._usual_scale(picture)
        return self._with(threshold)._detect_at(picture, scale)

    def _with(self, threshold: float, faintest: float | None = None) -> Detector:
        """Return this detector with other limits of scores."""
        other = copy(self)
        other.config = replace(self.config, threshold=threshold, faintest=faintest)
        if self._for_low_views:
            other._for_low_views = self._for_low_views._with(threshold, faintest)
        if self._for_racks:
            other._for_racks = self._for_racks._with(threshold, faintest)
        return other

    def _usual_scale(self, picture: RGB) -> float:
        """Return the factor by which the (h, w, 3) picture is resized for the first look at it."""
        height, width = picture.shape[:2]
        long, short = max(width, height), min(width, height)
        config = self.config
        return float(
            min(config.long_side / long, config.short_side / short, config.max_enlargement)
        )

    def _looking_again(self, levels: Pyramid, scale: float, found: Detections) -> Detections:
        """Return the faces after all further looks that `found`, those of the first look, give
        reason for. `scale` is the factor by which the picture was resized for that look.
        """
        if self._may_hold_larger_faces(found, scale):
            found = _merged([found, self._detect_at(levels, scale / 2)], self.config)
        reported = found.take(np.flatnonzero(found.scores >= self.config.threshold))
        if len(reported):
            found = self._with_small_faces(levels.picture, scale, found, reported)
        stretch = self._stretch(found) if self._faces_alike else 1.0
        if stretch > 1:
            found = _merged([found, self._detect_stretched(levels, stretch)], self.config)
        return found

    def _may_be_low(self, found: Detections, scale: float) -> bool:
        """Tell whether the picture may have been taken from low above the table, by the faces that
        the usual network `found`. `scale` is the factor by which the picture was resized for it.
        """
        flat = self._flat(found, scale)
        return bool(len(flat)) and float(np.quantile(flat, PERHAPS)) < self.config.perhaps_low

    def _is_low(self, usual: Detections, from_low: Detections, scale: float) -> bool:
        """Tell whether the picture is to be left to the network for views from low. `usual` are the
        faces that the usual network found, `from_low` those that the other one found. `scale` is
        the factor by which the picture was resized for both.
        """
        config = self.config
        flat_from_low = self._flat(from_low, scale)
        if not len(flat_from_low):
            return False
        told = float(np.median(flat_from_low))
        misplaced = float(np.median(self._flat(usual, scale))) - told >= config.misplaced
        return told < (config.rather_low if misplaced else config.low)

    def _flat(self, found: Detections, scale: float) -> NDArray[np.float64]:
        """Return how flat circles on the sure faces of those `found` look, (m,): the shorter over
        the longer axis. It is empty where no face is sure, or where they are too small to tell.
        `scale` is the factor by which the picture was resized when they were found.
        """
        sure = found.quads[found.scores > self.config.sure_score]
        if not len(sure) or np.median(np.maximum(*sides(sure))) * scale < self.config.least_side:
            return np.zeros(0)
        return foreshortening(sure)[0]

    def _with_view_from_above(self, picture: RGB, found: Detections) -> Detections:
        """Return the faces `found` and those found in the table as it looks from above."""
        sure = found.quads[found.scores > self.config.sure_score]
        view = view_from_above(sure, (picture.shape[1], picture.shape[0]))
        if view is None:
            return found
        seen = self._detect_at(view.of(picture), 1.0)
        seen = seen.take(np.flatnonzero(view.are_as_large_as_tiles(seen.quads)))
        in_picture = Detections(view.in_picture(seen.points), seen.scores)
        return _merged([found, in_picture], self.config)

    def _with_small_faces(
        self, picture: RGB, scale: float, found: Detections, reported: Detections
    ) -> Detections:
        """Return the finds after another look, in enlarged quarters, if the faces in `reported`,
        those of `found` above the threshold, are small or tiny for the network; otherwise `found`
        as it is. `scale` is the factor by which the picture was resized when they were found.
        """
        config = self.config
        short_sides = np.minimum(*sides(reported.quads)) * scale
        if 1 / scale >= config.spare_pixels:
            if float(np.median(short_sides)) < config.small_face:
                return self._detect_in_quarters(picture, min(2 * scale, 1.0), reported)
        elif float(np.quantile(short_sides, 0.75)) < config.tiny_face:
            enlarged = self._detect_in_quarters(picture, 2 * scale, reported)
            return _merged([found, enlarged], config)
        return found

    def _stretch(self, found: Detections) -> float:
        """Return how many times as high the picture has to be for faces seen from low above the
        table to look as they do from above; 1 where the camera was not so low.
        """
        config = self.config
        quads = found.quads[found.scores > config.sure_score]
        if not len(quads):
            return 1.0
        shares, upright = foreshortening(quads)
        share = float(np.median(shares))
        if share >= config.flattened or float(np.median(upright)) < UPRIGHT:
            return 1.0
        return min(config.unflattened / share, config.max_stretch)

    def _detect_stretched(self, levels: Pyramid, stretch: float) -> Detections:
        """Look once at the picture made `stretch` times as high; return the faces in pixels of the
        picture itself.
        """
        config = self.config
        height, width = levels.picture.shape[:2]
        usual = config.long_side / max(width, height)
        tall = config.tall_side * config.long_side / max(width, height * stretch)
        return self._detect_at(levels, min(usual, tall, config.max_enlargement), stretch)

    def _may_hold_larger_faces(self, found: Detections, scale: float) -> bool:
        """Tell by the faces `found` in the picture whether it may hold faces larger than those in
        training pictures. `scale` is the factor by which the picture was resized when they were
        found.
        """
        sure = found.quads[found.scores > self.config.sure_score]
        if len(sure) < self.config.few_faces:
            return True
        return float(np.median(np.minimum(*sides(sure)))) * scale > self.config.large_face

    def _detect_at(self, picture: Picture, scale: float, stretch: float = 1.0) -> Detections:
        """Look once at the picture, with its width resized by `scale` and its height by `scale` *
        `stretch`; return the faces in pixels of the picture itself.
        """
        level, factor = pyramid_of(picture).shrunk(1 / scale)
        resized = _resized(level, scale * factor, stretch)
        output = self._network.run(_network_input(resized))[0][0]
        config = self.config
        least = config.threshold if config.faintest is None else config.faintest
        points, scores = decode(output, least)
        # Width and height are rounded to whole pixels each, and so have a ratio of their own.
        ratios = np.divide(level.shape[1::-1], resized.shape[1::-1]).astype(np.float32) * factor
        in_picture = ((points + 0.5) * ratios - 0.5).astype(np.float32)
        return _merged([Detections(in_picture, scores)], config)

    def _detect_in_quarters(self, picture: RGB, scale: float, coarse: Detections) -> Detections:
        """Return the faces found in four overlapping parts of the picture, each resized by `scale`.
        Together the parts are the area that holds the faces found so far, `coarse`.

        A face that the inner border of one part cuts is whole in the neighbouring part, where it
        gets the better score.
        """
        margin = 3 * float(np.median(sides(coarse.quads)[1]))
        lowest, highest = coarse.quads.min(axis=(0, 1)), coarse.quads.max(axis=(0, 1))
        height, width = picture.shape[:2]
        x0, y0 = int(max(lowest[0] - margin, 0)), int(max(lowest[1] - margin, 0))
        x1, y1 = int(min(highest[0] + margin, width)), int(min(highest[1] + margin, height))
        parts = []
        for left, right in _overlapping_halves(x0, x1, margin):
            for top, bottom in _overlapping_halves(y0, y1, margin):
                found = self._detect_at(picture[top:bottom, left:right], scale)
                corner = np.array([left, top], np.float32)
                parts.append(Detections(found.points + corner, found.scores))
        return _merged(parts, self.config)


def _overlapping_halves(start: int, end: int, margin: float) -> list[tuple[int, int]]:
    """Split a range in pixels, from `start` to `end`, into two parts that share an eighth of it, or
    `margin` pixels if that is more; return the start and end of each.
    """
    middle, reach = (start + end) // 2, int(max((end - start) / 16, margin / 2))
    return [(start, min(middle + reach, end)), (max(middle - reach, start), end)]


def _resized(picture: RGB, scale: float, stretch: float) -> RGB:
    height, width = picture.shape[:2]
    size = max(round(width * scale), 1), max(round(height * scale * stretch), 1)
    interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return cv2.resize(picture, size, interpolation=interpolation)  # type: ignore[return-value]


def _network_input(picture: RGB) -> NDArray[np.float32]:
    """Return the picture as (1, 3, h, w), 0-1, padded with grey on the right and at the bottom to
    multiples of INPUT_MULTIPLE.
    """
    height, width = picture.shape[:2]
    padded = [-(-side // INPUT_MULTIPLE) * INPUT_MULTIPLE for side in (height, width)]
    batch = np.full((1, 3, *padded), 0.5, np.float32)
    np.multiply(picture.transpose(2, 0, 1), np.float32(1 / 255), out=batch[0, :, :height, :width])
    return batch


def decode(
    output: NDArray[np.float32], threshold: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the faces in the network's output: points (n, k, 2), x, y in pixels of the network's
    input, and scores (n,), 0-1.

    `output` is (1 + 2 k, h, w), with a value for each cell of a grid: the logit that the cell holds
    the centre of a face, then x and y of k points, first the face's four corners, in cells from the
    middle of the cell. A face is where the score reaches `threshold` and none of the eight
    neighbouring cells scores higher.
    """
    scores = 1 / (1 + np.exp(-output[0]))
    peaks = (scores >= threshold) & (scores >= cv2.dilate(scores, np.ones((3, 3), np.uint8)))
    rows, columns = np.nonzero(peaks)
    offsets = output[1:, rows, columns].T.reshape(len(rows), len(output) // 2, 2)
    middles = np.stack([columns, rows], axis=1)[:, None] + 0.5
    # The centre of the first pixel is 0, the left edge of the first cell -0.5.
    points = ((offsets + middles) * STRIDE - 0.5).astype(np.float32)
    return points, scores[rows, columns]


def _merged(parts: list[Detections], config: DetectorConfig) -> Detections:
    """Join the finds from several looks at one picture, all in its pixels.

    Of quads that overlap by more than `DetectorConfig.max_overlap`, as `vision.quads.overlap`
    measures it, the surest is kept, and with it those that may be of two; quads that are not convex
    are no faces and are left out.
    """
    points = np.concatenate([part.points for part in parts])
    scores = np.concatenate([part.scores for part in parts])
    points[:, :4] = repair_degenerate_quads(points[:, :4], scores)
    convex = are_convex(points[:, :4])
    points, scores = points[convex], scores[convex]
    kept = non_max_suppression(points[:, :4], scores, config.max_overlap)
    if config.overlap_of_two is not None:
        more = non_max_suppression(points[:, :4], scores, config.overlap_of_two)
        kept = sorted({*kept, *more}, key=lambda find: -scores[find])
    return Detections(points[kept], scores[kept])
