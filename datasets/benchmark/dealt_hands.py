"""`python -m datasets.benchmark.dealt_hands`: the score that `burako score` gives for whole hands
whose photographs all show one set of tiles, as a family's do, compared with the true score.

In the hands of `datasets.benchmark.scenes` each photograph shows a set of its own, so that a tile
may lie in three places at once. Here a set is dealt: the tables of both sides and the racks take
their tiles from it one after the other. The melds of half of the hands are all legal. Equal seeds
draw equal scenes wherever the same typefaces are installed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from tqdm import tqdm

from datasets.benchmark.command import bench_parser, write_rows
from datasets.benchmark.promise import (
    COLUMNS,
    Hand,
    Score,
    burako_score,
    has_canasta,
    is_legal,
    judge_hand,
    measures,
    tell,
    usable_rack,
    usable_table,
)
from datasets.benchmark.scenes import (
    RACK,
    TABLE,
    photographed,
    shows_melds_alone,
    smallest_side,
)
from datasets.labels import LabelledPicture
from datasets.scene import SceneConfig
from datasets.scene.bank import FaceBank
from datasets.scene.melds import Pack
from engine.sides import SIDES, SideName

EMPTY_RACK = 0.3  # share of sides with nothing left in the hand
TRIES = 30  # scenes drawn for one photograph before its hand is dealt anew
SMALLEST = 20.0  # pixels: least short side of a tile


def main(arguments: list[str] | None = None, score: Score | None = None) -> int:
    asked = _parser().parse_args(arguments)
    score = score or partial(burako_score, models=asked.models)
    with TemporaryDirectory() as folder:
        hands = tqdm(deal(asked.hands, asked.seed, Path(folder)), total=asked.hands)
        try:
            judged = [judge_hand(number, hand, score(hand)) for number, hand in enumerate(hands)]
        except subprocess.CalledProcessError as failed:
            problem = f"burako score ended with {failed.returncode}: {failed.stderr.strip()}"
            print(problem, file=sys.stderr)
            return 1
    results = list(chain.from_iterable(judged))
    tell(measures(results))
    write_rows(asked, "dealt_hands.csv", COLUMNS, [result.row() for result in results])
    return 0


def deal(hands: int, seed: int, folder: Path) -> Iterator[Hand]:
    """Yield hands, each dealt from a set of its own, with their photographs as files in `folder`.
    The melds of the first half are all legal.
    """
    for number in range(hands):
        rng = np.random.default_rng([seed, number])
        legal = number < hands // 2
        while (hand := _dealt(rng, legal, f"{number:02d}", folder)) is None:
            pass
        yield hand


def _dealt(rng: np.random.Generator, legal: bool, name: str, folder: Path) -> Hand | None:
    """Deal a hand whose photographs are called `name` and what they show. Return None where a
    photograph cannot be taken, or neither side has a canasta, so that the hand would be void.
    """

    def shows_melds(picture: LabelledPicture) -> bool:
        whole = usable_table(picture) and shows_melds_alone(picture)
        return whole and (is_legal(picture) or not legal)

    set_of_tiles = _SetOfTiles(rng)
    melds = dict[SideName, tuple[LabelledPicture, ...]]()
    racks = dict[SideName, LabelledPicture | None]()
    for side in SIDES:
        table = set_of_tiles.shown(TABLE, shows_melds, folder / f"{name}-melds-{side}.jpg")
        if table is None:
            return None
        melds[side] = (table,)
    for side in SIDES:
        racks[side] = None
        if rng.random() >= EMPTY_RACK:
            rack = set_of_tiles.shown(RACK, usable_rack, folder / f"{name}-rack-{side}.jpg")
            if rack is None:
                return None
            racks[side] = rack
    if not any(map(has_canasta, melds.values())):
        return None
    muerto = tuple(side for side in SIDES if rng.random() < 0.7)
    closes = [side for side in muerto if racks[side] is None and has_canasta(melds[side])]
    return Hand(melds, racks, muerto, closes[0] if closes else None)


class _SetOfTiles:
    """A set of tiles of a random design, and those of its tiles that lie in no photograph yet."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._bank = FaceBank.random(int(rng.integers(2**31)))
        self._pack = Pack(rng)

    def shown(
        self, config: SceneConfig, usable: Callable[[LabelledPicture], bool], path: Path
    ) -> LabelledPicture | None:
        """Render a photograph of tiles of this set as the file `path`, and return its labels; None
        where none of TRIES scenes is `usable` and shows all tiles large enough.
        """
        for _ in range(TRIES):
            pack = self._pack.copy()
            picture = photographed(self._rng, config, path, self._bank, pack)
            if usable(picture) and smallest_side(picture) >= SMALLEST:
                self._pack = pack
                return picture
        return None


def _parser() -> argparse.ArgumentParser:
    parser = bench_parser("datasets.benchmark.dealt_hands", __doc__)
    parser.add_argument("--hands", type=int, default=24, help="hands dealt (default 24)")
    parser.add_argument("--seed", type=int, default=1)
    return parser


if __name__ == "__main__":
    sys.exit(main())
