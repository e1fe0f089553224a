"""`python -m datasets.benchmark.odd_sets`: what teaching gains on sets unlike any that the networks
were trained on.

Three kinds of sets are made at random: sets of odd inks, old sets, and sets on which only a mark
tells a tile's colour. Tables of each set are read untaught, then after teaching with one rendered
photograph of rows 1-13, then after a second one, which shows the other copy of each tile. The
photographs that the program does not ask for again, as too small or blurred, are counted by
themselves as well. Equal seeds draw equal sets wherever the same typefaces are installed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from tqdm import tqdm

from datasets.benchmark.command import asked_reader, bench_parser, print_rows, write_rows
from datasets.benchmark.counting import PictureCount
from datasets.benchmark.measures import Measure, summarise
from datasets.benchmark.rendered_sets import counted, tables_of, taught
from datasets.benchmark.tables import Row
from datasets.faces.odd_style import Oddity, odd_style
from datasets.options import positive, seed_number
from vision.own_set.examples import TileSet
from vision.own_set.teaching import TeachingError
from vision.tiles.pipeline import TableReader

MEASURES = ("tiles_exact", "tiles_found", "silent", "doubtful")
COLUMNS = ("oddity", "taught_with", "photographs", "measure", "value", "count", "of")
LESSONS = 2


def main(arguments: list[str] | None = None) -> None:
    parser = bench_parser("datasets.benchmark.odd_sets", __doc__)
    parser.add_argument("--sets", type=positive, default=4, help="of each oddity")
    parser.add_argument("--seed", type=seed_number, default=9800, help="of the first set")
    asked = parser.parse_args(arguments)
    tables = asked_reader(asked)
    rows = list[Row]()
    for at, oddity in enumerate(Oddity):
        first = asked.seed + at * asked.sets
        seeds = range(first, first + asked.sets)
        counts = [count_set(oddity, seed, tables) for seed in tqdm(seeds, oddity.value)]
        rows += summary(oddity, counts)
    print_rows(COLUMNS, rows)
    write_rows(asked, "odd_sets.csv", COLUMNS, rows)


def count_set(
    oddity: Oddity, seed: int, tables: TableReader
) -> tuple[tuple[PictureCount, ...], ...]:
    """Render tables of the odd set of this seed, and count how they are read by the reader
    `tables`. Returns the counts of all tables three times: read with nothing taught, after one
    lesson, and after two.

    After a lesson that teaches nothing the counts are the same as before it.
    """
    style = odd_style(np.random.default_rng([seed, 1]), oddity)
    pictures = list(tables_of(seed, style))
    counts = [counted(pictures, tables)]
    tile_set = TileSet(str(seed))
    for copy in range(LESSONS):
        try:
            lesson = taught(seed, style, tables, copy, named=True)
        except TeachingError:
            counts.append(counts[-1])
            continue
        tile_set = tile_set.with_examples(face.example for face in lesson.faces)
        counts.append(counted(pictures, tables.with_set(tile_set)))
    return tuple(counts)


def summary(oddity: Oddity, counts: Sequence[tuple[tuple[PictureCount, ...], ...]]) -> list[Row]:
    """Return the rows of the result table for one oddity, over all its sets: after each number of
    lessons, from 0 to LESSONS, one row for each measure over all photographs, and one over those
    that are not asked for again. A lesson is a photograph that teaches the set. `counts` holds what
    `count_set` returned for each set.
    """
    rows = list[Row]()
    for lessons in range(LESSONS + 1):
        every = list(chain.from_iterable(one[lessons] for one in counts))
        kept = [count for count in every if not count.asks_again]
        for photographs, some in (("all", every), ("kept", kept)):
            rows += [
                _row(oddity, lessons, photographs, measure)
                for measure in summarise(some)
                if measure.name in MEASURES
            ]
    return rows


def _row(oddity: Oddity, lessons: int, photographs: str, measure: Measure) -> Row:
    return {
        "oddity": oddity.value,
        "taught_with": str(lessons),
        "photographs": photographs,
        "measure": measure.name,
        "value": "" if measure.value is None else f"{measure.value:.4f}",
        "count": str(measure.count),
        "of": str(measure.of),
    }


if __name__ == "__main__":
    main()
