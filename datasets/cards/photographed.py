"""Hands of cards laid with the faces of a real pack: `python -m datasets.cards.photographed OUT
--source FOLDER --count N --seed S`.

No photograph at hand shows a side's melds. In these hands the table, its light, the camera and the
jollies are rendered, as `datasets.cards.hands` does it, and the paper and print of all other cards
are real ones, cut out of labelled photographs (`datasets.cards.cut_out`). Faces that no photograph
shows well enough are not dealt. OUT holds what `datasets.cards.hands` writes, and its pictures are
not to be copied into the repository. Networks are not trained on them: they show how packs are read
that nobody drew.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from datasets.cards.area import Laid
from datasets.cards.cut_out import Face, cut_faces
from datasets.cards.drawing import CardFace, Draughtsman
from datasets.cards.hands import HandConfig, hands_parser, render_all
from datasets.cards.notation import CARDS, JOLLY
from datasets.cards.photos import FOLDERS, load_photographs
from datasets.cards.style import PackStyle
from datasets.photos import PhotosMissing
from datasets.pixels import resized
from vision.cards.pipeline import CardTableReader

FOUR = ("poker_cards", "four_corner_poker")  # packs with an index in all four corners
ENOUGH = 36  # faces of a pack from which hands can be dealt


class PhotographedPack(Draughtsman):
    """Draws cards with `faces`, one or more, that were cut out of photographs; jollies, of which
    there are none, are drawn in the look `style`, and show as many indices as that tells. `four`
    tells that all four corners of the other cards hold an index.
    """

    def __init__(self, style: PackStyle, faces: dict[str, Face], four: bool) -> None:
        super().__init__(replace(style, width=63.0, height=88.0, small_print=""))
        self.faces, self.four = faces, four
        indices = np.stack([face.index for face in faces.values()])
        beyond = indices.mean(axis=1, keepdims=True) > 0.5
        upper_left = np.sort(np.where(beyond, 1 - indices, indices), axis=1)
        box = np.median(upper_left, axis=0) * [self.style.width, self.style.height]
        (x0, y0), (x1, y1) = box.min(axis=0), box.max(axis=0)
        self.box = float(x0), float(y0), float(x1), float(y1)

    def face(self, card: str, copy: int = 0) -> CardFace:
        if card == JOLLY:
            return super().face(card, copy)
        rng = np.random.default_rng([self.style.seed, 34, copy, *card.encode()])
        canvas = resized(self.faces[card].picture, self.size).astype(np.float32)
        canvas *= np.array(self.style.paper, np.float32) / 255
        self._wear(canvas, rng)
        return CardFace(canvas.clip(0, 255).astype(np.uint8), self._quads(self.box, self.four))


def main(arguments: list[str] | None = None) -> int:
    parser = hands_parser("python -m datasets.cards.photographed", __doc__)
    parser.add_argument("--source", choices=FOLDERS, required=True, help="whose pack is laid")
    parser.add_argument("--photos", type=Path, help="folder of the labelled photographs")
    given = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    try:
        pictures = load_photographs(given.source, given.photos)
    except PhotosMissing as missing:
        print(missing, file=sys.stderr)
        return 1
    faces = cut_faces(pictures, CardTableReader())
    dealt = tuple(card for card in CARDS if card in faces)
    print(f"{len(dealt)} of {len(CARDS)} faces are dealt", flush=True)
    if len(dealt) < ENOUGH:
        print(f"expected {ENOUGH} faces of {given.source} at least to deal from", file=sys.stderr)
        return 1
    draw = partial(PhotographedPack, faces=faces, four=given.source in FOUR)
    config = HandConfig(draw=draw, faces=dealt, laid=Laid(given.laid))
    render_all(given.out, given.count, given.seed, config)
    return 0


if __name__ == "__main__":
    sys.exit(main())
