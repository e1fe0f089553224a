"""Finds that overlap: which are marks of two cards, and which are one mark found twice.

In a narrow fan the next card covers a part of a mark, and the detector often outlines that mark
whole. So finds of two cards overlap more than two finds that a detector would keep.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.tiles import FACE_INDEX, JOKER
from vision.detector import Detections, DetectorConfig
from vision.pyramid import Picture
from vision.quads import non_max_suppression, overlap
from vision.reader import FaceScores, Reader, face_scores

# Two finds that overlap more than usual are marks of two cards if they are read as different faces,
# with this probability at least, and neither as a jolly: a word may be found in parts.
SURELY_READ = 0.95
# One of them may be read with this probability alone, where the corners that the reader tells leave
# at most this overlap.
RATHER_READ, LITTLE = 0.55, 0.5


def found_once(found: Detections) -> tuple[Detections, Detections]:
    """Return the finds in two parts: those that a detector would keep, and those that overlap a
    surer one of these more than finds of two faces usually do.
    """
    kept = non_max_suppression(found.quads, found.scores, DetectorConfig.max_overlap)
    others = np.setdiff1d(np.arange(len(found)), kept)
    return found.take(np.sort(np.array(kept, np.intp))), found.take(others)


def with_marks_of_two(
    reader: Reader,
    picture: Picture,
    found: Detections,
    scores: FaceScores,
    overlapping: Detections,
) -> tuple[Detections, FaceScores]:
    """Return the finds, and what the reader sees on them, with those of the `overlapping` ones that
    are marks of other cards than the finds which they overlap. They are read after the others,
    which they would mislead. `picture` is (h, w, 3) RGB or its pyramid, and `scores` are what the
    reader sees on `found`.
    """
    if not len(overlapping):
        return found, scores
    of_overlapping = reader.read(picture, overlapping.quads, scores)
    both = scores.joined(of_overlapping)
    points = np.concatenate([found.points, overlapping.points])
    all_found = Detections(points, np.concatenate([found.scores, overlapping.scores]))
    kept = are_of_two(all_found, both, len(found))
    return all_found.take(kept), both.take(kept)


def are_of_two(found: Detections, scores: FaceScores, count: int) -> NDArray[np.intp]:
    """Return the indices of the first `count` finds, and of those further ones that are marks of
    other cards than all finds which they overlap more than usual.
    """
    faces = face_scores(scores.number, scores.colour)
    likeliest, sureness = faces.argmax(axis=1), np.exp(faces.max(axis=1))
    sureness[likeliest == FACE_INDEX[JOKER]] = 0
    kept = [*range(count)]
    for one in range(count, len(found)):
        near = [
            other
            for other in kept
            if overlap(found.quads[one], found.quads[other]) > DetectorConfig.max_overlap
        ]
        shared = np.array([overlap(scores.quads[one], scores.quads[other]) for other in near])
        least = np.where(shared <= LITTLE, RATHER_READ, SURELY_READ)
        less, more = np.sort([sureness[[one] * len(near)], sureness[near]], axis=0)
        two = (less >= least) & (more >= SURELY_READ) & (likeliest[near] != likeliest[one])
        if two.all():
            kept.append(one)
    return np.array(kept, np.intp)
