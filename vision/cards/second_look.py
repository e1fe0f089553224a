"""A second look at marks of cards that are in doubt, by a network that sees what lies around them.

The reader sees a mark alone. What stands in the corner of a jolly differs from pack to pack, so
that reader and detector are seldom sure of it: it may as well be a pip, a part of a court card or a
flower of the cloth. This network sees more than two widths of a mark, and with them the edges of
the card. It is trained on what the detector finds on rendered hands, by
`models.recipes.card_second_look`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.around import Around, LooksAround, log_odds
from vision.detector import Detections
from vision.pyramid import Picture
from vision.reader import JOKER, NUMBER_CLASSES, UNREADABLE, FaceScores, log_softmax

AROUND = Around(across=2.4, down=2.0)
# What it tells: the reader's classes, and that no mark is there.
CLASSES = (*NUMBER_CLASSES, "no mark")
NO_MARK = len(NUMBER_CLASSES)
# All limits and weights below were set on the rendered hands of seeds 17500, 17900 and 18000, which
# the network was not trained on (experiment 209 of models/EXPERIMENTS.md).
# What is looked at again: finds less legible than LEGIBLE or with a lower joint score than JOINT,
# unless that is below LEAST; what reads as a jolly, unless its joint score is below LEAST_OF_JOLLY;
# and what can hardly be read, less legible than UNREAD.
LEGIBLE, JOINT, LEAST = 0.985, 0.65, 0.05
LEAST_OF_JOLLY = 0.02
UNREAD = 0.6
MOST = 96  # finds that are looked at in one picture; printed cloths may have hundreds
# How much the log-probabilities of the reader and those of the second look count together.
READER, SECOND = 0.6, 0.5
# Of a find that the reader takes for a jolly's mark, or that it cannot read while the second look
# takes it for one with more than A_JOLLY, the detector's score changes, in log-odds. It falls by
# WEIGHT of what the second look is surer than NONE that no mark is there, by LOWER at most. It
# rises by WEIGHT of what it is surer than MARK that a jolly's is, by HIGHER at most. Other finds
# keep their score.
A_JOLLY = 0.9
NONE, MARK, WEIGHT, LOWER, HIGHER = 1.0, 3.5, 0.5, 3.0, 1.0
# From this on, in log-odds, a find surely is a jolly's mark, wherever it stands. Of words printed
# on other cards of 240 rendered hands (seeds 17500, 18000 to 18200) the surest is at 5.4 (with the
# weights of experiment 209).
SURELY = 7.0


class CardSecondLook(LooksAround):
    """The network that looks again at marks of cards."""

    network, around, classes = "card_second_look", AROUND, CLASSES

    def looked_again(
        self, picture: Picture, found: Detections, scores: FaceScores
    ) -> tuple[Detections, FaceScores, NDArray[np.bool_]]:
        """Return the finds that were `found`, and what the reader sees there, `scores`, after a
        second look at those in doubt, and which finds surely are marks of jollies, (n,). `picture`
        is (h, w, 3) RGB or its pyramid.
        """
        asked = _in_doubt(found.scores, scores)
        sure = np.zeros(len(found.scores), np.bool_)
        if not len(asked):
            return found, scores, sure
        shown = self.look(picture, scores.quads[asked])
        number, score = scores.number.copy(), found.scores.copy()
        second = shown[:, :NO_MARK].copy()
        second[:, UNREADABLE] = np.logaddexp(shown[:, UNREADABLE], shown[:, NO_MARK])
        jolly = number[asked].argmax(axis=1) == JOKER
        jolly |= (shown[:, JOKER] > np.log(A_JOLLY)) & (scores.legible[asked] < UNREAD)
        number[asked] = log_softmax(READER * number[asked] + SECOND * second)
        score[asked[jolly]] = _changed(score[asked[jolly]], np.exp(shown[jolly]))
        sure[asked] = log_odds(np.exp(shown[:, JOKER])) > SURELY
        return replace(found, scores=score), replace(scores, number=number), sure


def _in_doubt(detector_scores: NDArray[np.float32], scores: FaceScores) -> NDArray[np.intp]:
    """Return the indices of the finds to look at again, MOST at most: those with the highest joint
    scores.
    """
    legible, jolly = scores.legible, scores.number.argmax(axis=1) == JOKER
    joint = detector_scores * legible
    doubted = ((legible < LEGIBLE) | (joint < JOINT)) & (joint > LEAST)
    doubted |= jolly & (joint > LEAST_OF_JOLLY)
    doubted |= legible < UNREAD
    asked = np.flatnonzero(doubted)
    return asked[np.argsort(-joint[asked], kind="stable")[:MOST]]


def _changed(
    detector_scores: NDArray[np.float32], shown: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the detector's scores, (n,), after a second look that gives CLASSES the probabilities
    `shown` (n, 16).
    """
    falls = np.clip(WEIGHT * (log_odds(shown[:, NO_MARK]) - NONE), 0, LOWER)
    rises = np.clip(WEIGHT * (log_odds(shown[:, JOKER]) - MARK), 0, HIGHER)
    return np.asarray(1 / (1 + np.exp(falls - rises - log_odds(detector_scores))), np.float32)
