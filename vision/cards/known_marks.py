"""The marks of the cards that were found, as networks that look at columns are shown them: a strip
of paper without such a mark belongs to a card that was missed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.around import HEIGHT, WIDTH, TellsAround
from vision.cards.card import Card
from vision.grouping import Indices
from vision.pyramid import Picture

# How bright marks are drawn, of 255: those of the cards beside the place that is looked at, and
# those of others.
OWN, OTHERS = 255, 128
_VIEW = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32) - np.float32(0.5)
_FINER = 4  # binary places of a pixel in which OpenCV is told where corners lie


@dataclass(frozen=True, eq=False)
class NearMarks:
    """The k marks that show in a view: their `quads` (k, 4, 2), x and y in pixels of the picture,
    and which of them are `own`, (k,): of the cards beside the place that is looked at.
    """

    quads: NDArray[np.float32]
    own: NDArray[np.bool_]

    def drawn(self, window: NDArray[np.float32]) -> NDArray[np.uint8]:
        """Return the marks as the view of a window, (4, 2) in pixels of the picture, shows them:
        (HEIGHT, WIDTH), OWN or OTHERS where a mark lies and 0 elsewhere.
        """
        view = np.zeros((HEIGHT, WIDTH), np.uint8)
        places = np.round(_in_view(window, self.quads) * (1 << _FINER)).astype(np.int32)
        for own in (False, True):
            for quad in places[self.own == own]:
                cv2.fillConvexPoly(view, quad, OWN if own else OTHERS, shift=_FINER)
        return view


class KnownMarks:
    """All marks of the cards that lie in columns. Cards that lie in none are not counted as known:
    such a card may belong where a network is asked what lies there.
    """

    def __init__(
        self, columns: Iterable[Indices], cards: Sequence[Card], surest: NDArray[np.float32]
    ) -> None:
        """Know the marks of `columns`, which hold indices of n `cards`, given the quad of the
        surest mark of each card, (n, 4, 2): its others are as large.
        """
        known = sorted({*chain(*columns)})
        moved = [_marks_of(cards[card], surest[card]) for card in known]
        self._cards = [cards[card] for card in known for _ in cards[card].marks]
        self._quads = np.concatenate([np.zeros((0, 4, 2), np.float32), *moved])

    def near(
        self, window: NDArray[np.float32], own: Collection[Card], without: Collection[Card] = ()
    ) -> NearMarks:
        """Return the marks that show in a window, (4, 2) in pixels. Those of the cards `own` lie
        beside the place that is looked at. Those of the cards `without` are left out.
        """
        places = _in_view(window, self._quads)
        shows = ((places.max(axis=1) > 0) & (places.min(axis=1) < _VIEW[2])).all(axis=1)
        shows &= np.array([card not in without for card in self._cards], np.bool_)
        of_own = np.array([card in own for card in self._cards], np.bool_)
        return NearMarks(self._quads[shows], of_own[shows])


class LooksAtColumns(TellsAround):
    """A network that is shown places in columns of cards, and as a fourth channel the marks that
    are known there.
    """

    @classmethod
    def expected_metadata(cls) -> dict[str, Any]:
        """Return what the manifest has to say of the network, as `SeesAround` does. `known_marks`
        tells how bright marks are drawn.
        """
        return {**super().expected_metadata(), "known_marks": {"own": OWN, "others": OTHERS}}

    def look(
        self, picture: Picture, quads: NDArray[np.float32], marks: Sequence[NearMarks]
    ) -> NDArray[np.float32]:
        """Return the log-probabilities of the k classes, (n, k), at the n places `quads`, (n, 4, 2)
        in pixels of the `picture`, (h, w, 3) RGB or its pyramid, around each of which its `marks`
        show.
        """
        seen = self.around.seen(picture, quads)
        return self._told(with_marks(seen, self.around.windows(quads), marks))


def with_marks(
    seen: NDArray[np.uint8], windows: NDArray[np.float32], marks: Sequence[NearMarks]
) -> NDArray[np.uint8]:
    """Return n views, (n, HEIGHT, WIDTH, 3), of `windows`, (n, 4, 2), with the `marks` of each as a
    fourth channel: (n, HEIGHT, WIDTH, 4).
    """
    drawn = [near.drawn(window) for near, window in zip(marks, windows, strict=True)]
    channel = np.array(drawn, np.uint8).reshape(-1, HEIGHT, WIDTH, 1)
    return np.concatenate([seen, channel], axis=3)


def _marks_of(card: Card, surest: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the quads of all k marks of a card, (k, 4, 2), of which the first is `surest`."""
    return np.asarray(surest + (card.marks - card.marks[0])[:, None], np.float32)


def _in_view(window: NDArray[np.float32], quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the quads (k, 4, 2) in pixels of the view of a window, (4, 2)."""
    if not len(quads):
        return quads
    to_view = cv2.getPerspectiveTransform(window.astype(np.float32), _VIEW)
    points = cv2.perspectiveTransform(quads.reshape(1, -1, 2), to_view)
    return np.asarray(points.reshape(-1, 4, 2), np.float32)
