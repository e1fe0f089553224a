"""The sample hand of cards: four photographs of one table of Italian Burraco at the end of a hand.
Side A has closed.

The pack is drawn here: pips and court pictures by polygons, ranks in Open Sans.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from datasets.cards.area import Area, Neatness, camera_over, piles, table_of
from datasets.cards.drawing import Draughtsman
from datasets.cards.scene import CardBank, paint_cards
from datasets.cards.style import IndexStyle, PackStyle
from datasets.samples.sets import BURAKO
from datasets.samples.staging import Shot, developed
from datasets.samples.surfaces import table_top
from datasets.scene.bank import FaceBank
from datasets.scene.camera import Camera
from datasets.scene.ground import shadow_on_table
from datasets.scene.paint import Canvas
from engine import SideName

RULES, PLAYERS, CLOSED_BY, MUERTO = "burraco_it", 4, "A", ("A", "B")
SCALE = 2.0  # painted so many times as large as the finished picture
WIDTH, HEIGHT = 1600, 1200
GREEN = (38, 96, 70)


def _columns(*melds: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(meld.split()) for meld in melds)


MELDS: dict[SideName, Area] = {
    "A": Area(
        _columns(
            "AH KH QH JH 10H 9H 8H",  # burraco pulito
            "9S 8S 7S * 5S 4S 3S",  # burraco sporco
            "KD KC KS KH",
            "7C 6C 5C 4C",
            "10D 10S 10C",
        )
    ),
    "B": Area(
        _columns(
            "QC JC 10C 9C 8C 7C 6C",  # burraco pulito
            "5D 5C 5H 2S",  # the 2 is wild
            "JD 10D 9D",
            "AS AC AD",
        )
    ),
}
LEFT: dict[SideName, Area] = {
    "A": Area(loose=("4D", "9H")),
    "B": Area(loose=("3H", "8D", "QS", "*")),
}
PACK = PackStyle(
    seed=5,
    width=62.0,
    height=88.0,
    art=None,
    index=IndexStyle(
        font="OpenSans-Bold",
        rank=9.5,
        narrow=0.8,
        weight=0.0,
        suit=7.5,
        gap=1.2,
        left=7.0,
        top=4.0,
        ten=0.75,
        four=False,
    ),
    own_pips=True,
    letters=("A", "J", "Q", "K"),
    inks={suit: (196, 26, 36) if suit in "HD" else (24, 24, 28) for suit in "HDCS"},
    paper=(250, 249, 245),
    suit_font="drawn",
    jolly_mark="JOLLY down",
    gloss=0.2,
    frame=0.0,
    dirt=0.0,
    pictograms=False,
)


NEAT = Neatness(step=0.3, beside=1.25, mess=0.7, turn=0.9)


@dataclass(frozen=True)
class CardSample:
    """A bundled picture of cards: its file's name, which cards lie on the table, and how the camera
    takes the picture.
    """

    name: str
    area: Area
    shot: Shot

    def render(self) -> np.ndarray:
        """Render the picture, (HEIGHT, WIDTH, 3) RGB."""
        rng, size = np.random.default_rng([31, self.shot.seed]), (PACK.width, PACK.height)
        laid = piles(rng, self.area, size, NEAT)
        pixels = round(WIDTH * SCALE), round(HEIGHT * SCALE)
        camera = camera_over(laid, size, pixels, elevation=self.shot.elevation, roll=self.shot.roll)
        light, image = self.shot.light(), self.shot.ground(camera)
        table = table_of(rng, laid, camera, size)
        canvas = Canvas(camera, light, image, np.zeros(image.shape[:2], np.uint8))
        shadow_on_table(image, camera, light, table.groups)
        blocks = [block for group in table.groups for block in group.blocks]
        pack = Draughtsman(PACK)
        paint_cards(canvas, blocks, CardBank((pack, pack), FaceBank.random(1)), rng)
        small = cv2.resize(canvas.image, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
        return developed(self.shot, small.astype(np.uint8), rng)


def _ground(camera: Camera) -> np.ndarray:
    return table_top(camera, "felt", GREEN, 0.1)


LAMP_LIT = Shot(
    WIDTH,
    HEIGHT,
    BURAKO,
    _ground,
    tile_px=0,
    elevation=66,
    exposure=1.04,
    ambient=0.55,
    noise=1.2,
    jpeg=84,
)
SAMPLES = (
    CardSample("melds-a.jpg", MELDS["A"], replace(LAMP_LIT, roll=-1.5, seed=1)),
    CardSample("melds-b.jpg", MELDS["B"], replace(LAMP_LIT, elevation=70, roll=2.0, seed=2)),
    CardSample("rack-a.jpg", LEFT["A"], replace(LAMP_LIT, elevation=62, roll=1.0, seed=3)),
    CardSample("rack-b.jpg", LEFT["B"], replace(LAMP_LIT, elevation=64, roll=-2.0, seed=4)),
)
