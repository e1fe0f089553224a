"""A second look at finds that are in doubt, by a network that sees what lies around them.

The reader sees a face alone, cut out close to its edge. A tile has an edge, lies among others and
throws a shadow; a picture printed on a box, or the back of a tile, lacks one or the other. This
network sees nearly two widths of a tile in more pixels. It is trained on what the detector finds in
rendered scenes, by `models.recipes.second_look`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.around import Around, LooksAround, log_odds
from vision.detector import Detections
from vision.doubts import DoubtConfig
from vision.pyramid import Picture
from vision.reader import (
    JOKER,
    NINE,
    NUMBER_CLASSES,
    SIX,
    SURELY_LEGIBLE,
    UNREADABLE,
    FaceScores,
    Reader,
    log_softmax,
)

AROUND = Around(across=1.92, down=1.6)
# What it tells: the reader's classes, of which a 6 and a 9 are one, and that no tile is there.
CLASSES = (*NUMBER_CLASSES, "no tile")
NO_TILE = len(NUMBER_CLASSES)
# What is looked at again: finds that are not surely legible or have a lower joint score than JOINT,
# and comodines, since what looks like a comodín may be anything. Where the joint score is below
# LEAST and the detector's below SURELY, nobody will ask about the find.
JOINT, LEAST, SURELY = DoubtConfig.faint, 0.1, 0.6
# Finds less legible than CHECKED, the MOST_CHECKED least legible of them, are looked at, too. They
# stay as they are where the second look gives their face AGREED or more of what it gives to any
# face, or sees none. On 576 rendered pictures of eight seeds that leaves 1,228 of 1,241 tiles as
# they are, two of them misread; of the 13 others five were misread.
CHECKED, AGREED, MOST_CHECKED = 0.999, 0.75, 16
# Where more finds are in doubt, none of these is looked at: a printed tablecloth may have hundreds.
MOST = 32
# On a rack, finds with this score of the detector or more are looked at, though it reports only
# those above its threshold.
FAINTEST_ON_RACK = 0.15
# How much the log-probabilities of the reader and those of the second look count together, where
# both tell the same or one of them sees no face.
READER, SECOND = 0.3, 0.6
# The probability that the second look is right where they dispute: of 102 such finds that show a
# face, on eleven seeds of rendered scenes, it is for 51, and the reader for 21.
IN_DISPUTE = 0.7
# Where the second look is surer than SURE, in log-odds, that a tile is there, or that none is, the
# detector's score is raised or lowered by WEIGHT of what it is surer, by FARTHEST at most.
SURE, WEIGHT, FARTHEST = 2.0, 0.5, 2.5
# Where a find in doubt is no tile with more than this probability, as a key or a picture on a box,
# the others are looked at as well, and change where they are none with more than this. Of 14,552
# tiles on eleven seeds of rendered scenes that the reader was sure of, none looks so.
NONE = 0.9


class SecondLook(LooksAround):
    """The network that looks again at tiles."""

    network, around, classes = "second_look", AROUND, CLASSES

    def looked_again(
        self,
        reader: Reader,
        picture: Picture,
        found: Detections,
        scores: FaceScores,
        faint: Detections,
        least: float,
    ) -> tuple[Detections, FaceScores]:
        """Return the finds that were `found` and what the `reader` sees there, `scores`, after a
        second look at what is in doubt. Those of the `faint` finds are added whose score of the
        detector is then `least` or more. `picture` is (h, w, 3) RGB or its pyramid.
        """
        known = scores
        surer, scores = self.judged(picture, found.scores, scores)
        found = replace(found, scores=surer)
        if not len(faint):
            return found, scores
        seen = reader.read(picture, faint.quads, beside=known)
        surer, seen = self.judged(picture, faint.scores, seen)
        tiles = np.flatnonzero(surer >= least)
        points = np.concatenate([found.points, faint.points[tiles]])
        scores = scores.joined(seen.take(tiles))
        return Detections(points, np.concatenate([found.scores, surer[tiles]])), scores

    def judged(
        self, picture: Picture, detector_scores: NDArray[np.float32], scores: FaceScores
    ) -> tuple[NDArray[np.float32], FaceScores]:
        """Return the detector's scores, (n,), and the reader's of n finds, after looking again at
        those in doubt. `picture` is (h, w, 3) RGB or its pyramid.
        """
        doubted, nearly = _in_doubt(detector_scores, scores), _nearly_sure(detector_scores, scores)
        asked = np.append(doubted, nearly)
        if not len(asked):
            return detector_scores, scores
        shown = self.look(picture, scores.quads[asked])
        stays = np.isin(asked, nearly) & _agree(scores.number[asked], shown)
        asked, shown = asked[~stays], shown[~stays]
        others = np.setdiff1d(np.flatnonzero(detector_scores > JOINT), asked)
        if (shown[:, NO_TILE] > np.log(NONE)).any() and len(others) <= 2 * MOST:
            seen = self.look(picture, scores.quads[others])
            none = seen[:, NO_TILE] > np.log(NONE)
            asked, shown = np.append(asked, others[none]), np.append(shown, seen[none], axis=0)
        number, found = scores.number.copy(), detector_scores.copy()
        number[asked] = _together(number[asked], shown)
        there = log_odds(-np.expm1(shown[:, NO_TILE]))
        surer = np.sign(there) * np.maximum(np.abs(there) - SURE, 0)
        odds = log_odds(found[asked]) + np.clip(WEIGHT * surer, -FARTHEST, FARTHEST)
        found[asked] = 1 / (1 + np.exp(-odds))
        return found, replace(scores, number=number)


def _in_doubt(detector_scores: NDArray[np.float32], scores: FaceScores) -> NDArray[np.intp]:
    """Return the indices of the finds to look at again."""
    legible = scores.legible
    joint = detector_scores * legible
    doubted = (legible < SURELY_LEGIBLE) | (joint < JOINT) | (scores.number.argmax(axis=1) == JOKER)
    doubted &= (joint > LEAST) | (detector_scores > SURELY)
    return np.flatnonzero(doubted & (doubted.sum() <= MOST))


def _nearly_sure(detector_scores: NDArray[np.float32], scores: FaceScores) -> NDArray[np.intp]:
    """Return the indices of the finds with a number that is nearly beyond doubt, the least legible
    first.
    """
    legible = scores.legible
    nearly = (
        (legible >= SURELY_LEGIBLE) & (legible < CHECKED) & (detector_scores * legible >= JOINT)
    )
    nearly &= scores.number.argmax(axis=1) != JOKER
    return np.flatnonzero(nearly)[np.argsort(legible[nearly], kind="stable")][:MOST_CHECKED]


def _agree(number: NDArray[np.float32], shown: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds to whose face by the reader, `number` (n, 15), a second look,
    `shown` (n, 16), gives AGREED or more of what it gives to any face, or on which it rather sees
    none.
    """
    face = number[:, :UNREADABLE].argmax(axis=1)
    face = np.where(face == NINE, SIX, face)
    told = np.take_along_axis(shown, face[:, None], axis=1)[:, 0]
    any_face = np.logaddexp.reduce(shown[:, :UNREADABLE], axis=1)
    return np.asarray((told - any_face >= np.log(AGREED)) | (any_face < np.log(0.5)))


def _together(number: NDArray[np.float32], shown: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return log-probabilities of the numbers, (n, 15), that count both what the reader tells,
    `number` (n, 15), and what a second look `shown` (n, 16) does. Where they dispute which face it
    is, either may be right. How likely a 6 is beside a 9 remains as the reader tells it.
    """
    either = np.logaddexp(number[:, SIX], number[:, NINE])
    first, second = number.copy(), shown[:, :NO_TILE].copy()
    first[:, SIX], first[:, NINE] = either, -np.inf
    second[:, UNREADABLE] = np.logaddexp(shown[:, UNREADABLE], shown[:, NO_TILE])
    result = log_softmax(READER * first + SECOND * second)
    likeliest = np.stack([first.argmax(axis=1), second.argmax(axis=1)])
    dispute = (likeliest[0] != likeliest[1]) & (likeliest != UNREADABLE).all(axis=0)
    both = np.logaddexp(first + np.log(1 - IN_DISPUTE), second + np.log(IN_DISPUTE))
    result[dispute] = both[dispute]
    for digit in (NINE, SIX):
        result[:, digit] = result[:, SIX] + number[:, digit] - either
    return result
