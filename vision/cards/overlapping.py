"""Finds that overlap: which are marks of two cards, and which are one mark found twice.

In a narrow fan the next card covers a part of a mark, and the detector often outlines that mark
whole. So finds of two cards overlap more than two finds that a detector would keep.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.tiles import FACE_INDEX, JOKER
from vision.detector import Detections, DetectorConfig
from vision.quads import overlap
from vision.reader import FaceScores, face_scores

# Two finds that overlap more than usual are marks of two cards if they are read as different faces,
# with this probability at least, and neither as a jolly: a word may be found in parts.
SURELY_READ = 0.95
# One of them may be read with this probability alone, where the corners that the reader tells leave
# at most this overlap.
RATHER_READ, LITTLE = 0.55, 0.5


def without_second_finds(found: Detections, scores: FaceScores) -> Detections:
    """Return the finds, with score 0 for those that overlap a surer one more than finds of two
    faces usually do, unless both are read as marks of two cards. `scores` are what the reader sees
    on each of them.
    """
    faces = face_scores(scores.number, scores.colour)
    likeliest, sureness = faces.argmax(axis=1), np.exp(faces.max(axis=1))
    sureness[likeliest == FACE_INDEX[JOKER]] = 0
    middles = found.quads.mean(axis=1)
    radii = np.linalg.norm(found.quads - middles[:, None], axis=2).max(axis=1)
    away = np.linalg.norm(middles[:, None] - middles, axis=2)
    touching = away < radii[:, None] + radii
    kept, left = list[int](), found.scores.copy()
    for one in np.argsort(-found.scores * scores.legible, kind="stable").tolist():
        near = [
            other
            for other in kept
            if touching[one, other]
            and overlap(found.quads[one], found.quads[other]) > DetectorConfig.max_overlap
        ]
        shared = np.array([overlap(scores.quads[one], scores.quads[other]) for other in near])
        least = np.where(shared <= LITTLE, RATHER_READ, SURELY_READ)
        less, more = np.sort([sureness[[one] * len(near)], sureness[near]], axis=0)
        two = (less >= least) & (more >= SURELY_READ) & (likeliest[near] != likeliest[one])
        if not two.all():
            left[one] = 0
        else:
            kept.append(one)
    return replace(found, scores=left)
