"""`python -m datasets.benchmark.ordinary_sets`: how well the tiles of a set that looks like those
for sale are read before and after one photograph has taught the set.

Sets are made at random as for training. One picture of each set, laid out in rows 1-13, teaches the
set. Random tables of the set are read and counted twice, without and with what was taught; with
`--blurred` these tables are out of focus, and the picture that teaches is not. Equal seeds draw
equal sets wherever the same typefaces are installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from tqdm import tqdm

from datasets.benchmark.command import asked_reader, bench_parser, print_rows, write_rows
from datasets.benchmark.counting import PictureCount
from datasets.benchmark.measures import Measure, summarise
from datasets.benchmark.rendered_sets import counted, out_of_focus, tables_of, taught
from datasets.benchmark.tables import Row
from datasets.faces import random_style
from datasets.options import positive, seed_number
from vision.own_set.examples import TileSet
from vision.own_set.teaching import TeachingError
from vision.tiles.pipeline import TableReader

MEASURES = ("tiles_exact", "silent", "doubtful")
COLUMNS = ("measure", "untaught", "taught", "of", "sets_worse", "sets_better")


@dataclass(frozen=True)
class SetCount:
    """The counts of the tables of one set, drawn from `seed`, as they were read before and after
    the set was taught.
    """

    seed: int
    untaught: tuple[PictureCount, ...]
    taught: tuple[PictureCount, ...]


def main(arguments: list[str] | None = None) -> None:
    parser = bench_parser("datasets.benchmark.ordinary_sets", __doc__)
    parser.add_argument("--sets", type=positive, default=40)
    parser.add_argument("--seed", type=seed_number, default=9000, help="of the first set")
    parser.add_argument(
        "--blurred",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="blur the tables by a Gaussian of this share of a tile's shorter side (such as 0.1)",
    )
    asked = parser.parse_args(arguments)
    tables = asked_reader(asked)
    seeds = range(asked.seed, asked.seed + asked.sets)
    counts = [count_set(seed, tables, asked.blurred) for seed in tqdm(seeds, "sets")]
    for count in counts:
        print(count.seed, *(f"{_of(count.untaught, m)}->{_of(count.taught, m)}" for m in MEASURES))
    rows = summary(counts)
    print_rows(COLUMNS, rows)
    file = "ordinary_sets_blurred.csv" if asked.blurred else "ordinary_sets.csv"
    write_rows(asked, file, COLUMNS, rows)


def count_set(seed: int, tables: TableReader, blurred: float = 0.0) -> SetCount:
    """Make the set of this seed, and count how well the reader `tables` reads tables of the set
    before and after the set is taught to it. These are blurred by the share `blurred` of a tile's
    shorter side.

    Where the picture that should teach the set teaches nothing, both counts are the same.
    """
    style = random_style(np.random.default_rng([seed, 1]))
    pictures = list(tables_of(seed, style))
    if blurred:
        pictures = [(out_of_focus(*picture, blurred), picture[1]) for picture in pictures]
    untaught = counted(pictures, tables)
    try:
        lesson = taught(seed, style, tables)
    except TeachingError:
        return SetCount(seed, untaught, untaught)
    tile_set = TileSet(str(seed)).with_examples(face.example for face in lesson.faces)
    return SetCount(seed, untaught, counted(pictures, tables.with_set(tile_set)))


def summary(counts: Sequence[SetCount]) -> list[Row]:
    """Return a row of the result table for each of MEASURES.

    A row holds how many tiles the measure counts before and after teaching, and for how many sets
    teaching made the measure worse or better. A larger count is better for `tiles_exact`, and worse
    for the other measures.
    """
    rows = []
    for name in MEASURES:
        before = _measure(chain.from_iterable(one.untaught for one in counts), name)
        after = _measure(chain.from_iterable(one.taught for one in counts), name)
        gains = [_of(one.taught, name) - _of(one.untaught, name) for one in counts]
        gains = gains if name == "tiles_exact" else [-gain for gain in gains]
        rows.append(
            {
                "measure": name,
                "untaught": str(before.count),
                "taught": str(after.count),
                "of": str(after.of),
                "sets_worse": str(sum(gain < 0 for gain in gains)),
                "sets_better": str(sum(gain > 0 for gain in gains)),
            }
        )
    return rows


def _measure(pictures: Iterable[PictureCount], name: str) -> Measure:
    return next(measure for measure in summarise(pictures) if measure.name == name)


def _of(pictures: Sequence[PictureCount], name: str) -> int:
    return _measure(pictures, name).count or 0


if __name__ == "__main__":
    main()
