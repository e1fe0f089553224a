"""`python -m datasets.benchmark.dealt_hands`: the score that `burako score` gives for whole hands
whose photographs all show one set of tiles, as a family's do, compared with the true score.

In the hands of `datasets.benchmark.scenes` each photograph shows a set of its own, so that a tile
may lie in three places at once. Here a set is dealt: the tables of both sides and the racks take
their tiles from it one after the other. The melds of half of the hands are all legal. Equal seeds
draw equal scenes wherever the same typefaces are installed.

With `--taught`, one photograph of the rows 1-13 of each set, whose colours are named, teaches the
set with `burako set teach`, and its hand is read with it. A set of which the photograph teaches
nothing is named, and its hand is read without it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from tqdm import tqdm

from datasets.benchmark.command import bench_parser, write_rows
from datasets.benchmark.promise import (
    COLUMNS,
    Hand,
    burako_score,
    has_canasta,
    is_legal,
    judge_hand,
    measures,
    run_burako,
    tell,
    usable_rack,
    usable_table,
)
from datasets.benchmark.rendered_sets import lesson
from datasets.benchmark.scenes import (
    RACK,
    TABLE,
    photographed,
    shows_melds_alone,
    smallest_side,
)
from datasets.labels import LabelledPicture
from datasets.options import positive, seed_number
from datasets.scene import SceneConfig
from datasets.scene.bank import FaceBank
from datasets.scene.melds import Pack
from datasets.scene.photo import encoded
from engine.sides import SIDES, SideName

EMPTY_RACK = 0.3  # share of sides with nothing left in the hand
TRIES = 30  # scenes drawn for one photograph before its hand is dealt anew
SMALLEST = 20.0  # pixels: least short side of a tile
SET = "dealt"  # name under which `burako` keeps a taught set
LESSON_QUALITY = 92  # of the JPEG that teaches a set
FAILED = 1  # exit status of `burako` for a photograph of which it can make nothing
Score = Callable[["Dealt"], dict[str, Any]]  # a dealt hand in, the JSON of `burako score` out


def main(arguments: list[str] | None = None, score: Score | None = None) -> int:
    asked = _parser().parse_args(arguments)
    score = score or partial(_score, models=asked.models, teaches=asked.taught)
    with TemporaryDirectory() as folder:
        hands = tqdm(deal(asked.hands, asked.seed, Path(folder)), total=asked.hands)
        try:
            judged = [
                judge_hand(number, dealt.hand, score(dealt)) for number, dealt in enumerate(hands)
            ]
        except subprocess.CalledProcessError as failed:
            problem = f"burako ended with {failed.returncode}: {failed.stderr.strip()}"
            print(problem, file=sys.stderr)
            return 1
    results = list(chain.from_iterable(judged))
    tell(measures(results))
    table = "dealt_hands_taught.csv" if asked.taught else "dealt_hands.csv"
    write_rows(asked, table, COLUMNS, [result.row() for result in results])
    return 0


@dataclass(frozen=True)
class Dealt:
    """A hand, and the faces of the set from which it was dealt."""

    hand: Hand
    bank: FaceBank


def _score(dealt: Dealt, models: Path | None, teaches: bool) -> dict[str, Any]:
    """Return the JSON of `burako score` for a dealt hand, read with its set if `teaches`."""
    if not teaches:
        return burako_score(dealt.hand, models)
    with TemporaryDirectory() as folder:
        return burako_score(dealt.hand, models, further=_taught(dealt.bank, Path(folder), models))


def _taught(bank: FaceBank, folder: Path, models: Path | None) -> list[str]:
    """Teach the set of a hand, which is kept in `folder`. Returns the arguments by which `burako`
    reads with the set; none where its photograph teaches nothing, which is said.

    Raises CalledProcessError where something else is wrong.
    """
    pixels, colours = lesson(bank.seed, bank.style)
    photo = folder / "rows.jpg"
    photo.write_bytes(encoded(pixels, LESSON_QUALITY))
    own_set = ["--data", str(folder / "data")]
    named = ["--models", str(models)] if models else []
    told = ["--rows", ",".join(colours), "--json", *own_set, *named]
    done = run_burako("set", "teach", SET, str(photo), *told)
    if done.returncode == FAILED and done.stdout:
        print(f"not taught: {done.stdout.strip()}", file=sys.stderr)
        return []
    done.check_returncode()
    return ["--set", SET, *own_set]


def deal(hands: int, seed: int, folder: Path) -> Iterator[Dealt]:
    """Yield hands, each dealt from a set of its own, with their photographs as files in `folder`.
    The melds of the first half are all legal.
    """
    for number in range(hands):
        rng = np.random.default_rng([seed, number])
        legal = number < hands // 2
        while (dealt := _dealt(rng, legal, f"{number:02d}", folder)) is None:
            pass
        yield dealt


def _dealt(rng: np.random.Generator, legal: bool, name: str, folder: Path) -> Dealt | None:
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
    hand = Hand(melds, racks, muerto, closes[0] if closes else None)
    return Dealt(hand, set_of_tiles.bank)


class _SetOfTiles:
    """A set of tiles of a random design, and those of its tiles that lie in no photograph yet."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self.bank = FaceBank.random(int(rng.integers(2**31)))
        self._pack = Pack(rng)

    def shown(
        self, config: SceneConfig, usable: Callable[[LabelledPicture], bool], path: Path
    ) -> LabelledPicture | None:
        """Render a photograph of tiles of this set as the file `path`, and return its labels; None
        where none of TRIES scenes is `usable` and shows all tiles large enough.
        """
        for _ in range(TRIES):
            pack = self._pack.copy()
            picture = photographed(self._rng, config, path, self.bank, pack)
            if usable(picture) and smallest_side(picture) >= SMALLEST:
                self._pack = pack
                return picture
        return None


def _parser() -> argparse.ArgumentParser:
    parser = bench_parser("datasets.benchmark.dealt_hands", __doc__)
    parser.add_argument("--hands", type=positive, default=24, help="hands dealt (default 24)")
    parser.add_argument("--seed", type=seed_number, default=1)
    parser.add_argument("--taught", action="store_true", help="teach each set with one photograph")
    return parser


if __name__ == "__main__":
    sys.exit(main())
