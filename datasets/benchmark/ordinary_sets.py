"""`python -m datasets.benchmark.ordinary_sets`: what one photograph of an ordinary set changes.

Sets are drawn at random as for training. Each is laid out in rows 1-13 and taught from that one
picture; random tables of it are then counted as any set is read and as the taught one is. Equal
seeds draw equal sets wherever the same typefaces are installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.benchmark.command import asked_reader, bench_parser, print_rows, write_rows
from datasets.benchmark.counting import PictureCount, count_picture
from datasets.benchmark.measures import Measure, summarise
from datasets.benchmark.tables import Row
from datasets.faces import FaceStyle, random_style
from datasets.labels import LabelledPicture
from datasets.samples.staging import Layout, Shot, photograph
from datasets.samples.surfaces import table_top
from datasets.scene import FaceBank, SceneConfig, render_scene
from datasets.scene.layout import Hand
from engine.tiles import COLOURS, NUMBERS
from vision.frame import Frame
from vision.own_set.examples import TileSet
from vision.own_set.teaching import TaughtPhoto, TeachingError, named_rows, teach
from vision.pipeline import TableReader

MEASURES = ("tiles_exact", "silent", "doubtful")
COLUMNS = ("measure", "untaught", "taught", "of", "sets_worse", "sets_better")
TABLES = 3  # rendered of each set
TABLE = SceneConfig(1280, 960, tile_px=(36, 64))
LINE = 46.0  # mm from one row of the taught picture to the next
LAID = Hand(along=0.5, across=0.8, turn=0.015, gap=2.6)
GROUNDS = (("felt", (40, 110, 60)), ("wood", (150, 110, 70)), ("cloth", (60, 70, 110)))
Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class SetCount:
    """The counts of the tables of one set, read untaught and taught."""

    seed: int
    untaught: tuple[PictureCount, ...]
    taught: tuple[PictureCount, ...]


def main(arguments: list[str] | None = None) -> None:
    parser = bench_parser("datasets.benchmark.ordinary_sets", __doc__)
    parser.add_argument("--sets", type=int, default=40)
    parser.add_argument("--seed", type=int, default=9000, help="of the first set")
    asked = parser.parse_args(arguments)
    tables = asked_reader(asked)
    seeds = range(asked.seed, asked.seed + asked.sets)
    counted = [count_set(seed, tables) for seed in tqdm(seeds, "sets")]
    for count in counted:
        print(count.seed, *(f"{_of(count.untaught, m)}->{_of(count.taught, m)}" for m in MEASURES))
    rows = summary(counted)
    print_rows(COLUMNS, rows)
    write_rows(asked, "ordinary_sets.csv", COLUMNS, rows)


def count_set(seed: int, tables: TableReader) -> SetCount:
    """Render, teach and read one set. One whose picture teaches nothing is read untaught twice."""
    style = random_style(np.random.default_rng([seed, 1]))
    pictures = list(_tables(seed, style))
    untaught = _counted(pictures, tables)
    try:
        lesson = _taught(seed, style, tables)
    except TeachingError:
        return SetCount(seed, untaught, untaught)
    tile_set = TileSet(str(seed)).with_examples(face.example for face in lesson.faces)
    return SetCount(seed, untaught, _counted(pictures, tables.with_set(tile_set)))


def summary(counted: Sequence[SetCount]) -> list[Row]:
    """Return one row a measure; a set is worse where fewer tiles are exact, or more in doubt."""
    rows = []
    for name in MEASURES:
        before = _measure(chain.from_iterable(one.untaught for one in counted), name)
        after = _measure(chain.from_iterable(one.taught for one in counted), name)
        gains = [_of(one.taught, name) - _of(one.untaught, name) for one in counted]
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


def _taught(seed: int, style: FaceStyle, tables: TableReader) -> TaughtPhoto:
    """Teach the set's picture; where the page would ask a person for the rows, they are named."""
    rng = np.random.default_rng([seed, 2])
    colours = [COLOURS[at] for at in rng.permutation(len(COLOURS))]
    ground, base = GROUNDS[int(rng.integers(len(GROUNDS)))]
    shot = Shot(
        1600,
        1200,
        style,
        partial(table_top, surface=ground, base=base, angle=0.3),
        tile_px=float(rng.uniform(80, 92)),
        elevation=float(rng.uniform(65, 85)),
        roll=float(rng.uniform(-4, 4)),
        warmth=float(rng.uniform(0.1, 0.8)),
        seed=seed,
    )

    def lay(layout: Layout) -> None:
        for at, colour in enumerate(colours):
            tiles = " ".join(f"{number}{colour}" for number in NUMBERS)
            layout.row(tiles, 0, 1.5 * LINE - at * LINE, hand=LAID)
        layout.loose("J", -60, -2.5 * LINE, 0)

    taught = teach(tables, Frame.of(photograph(shot, lay, 1.0)[0]))
    asked = not all(row.sure for row in taught.rows)
    return named_rows(taught, colours) if asked and len(taught.rows) == len(colours) else taught


def _tables(seed: int, style: FaceStyle) -> Iterator[tuple[Picture, LabelledPicture]]:
    bank = FaceBank.random(seed, style=style)
    for index in range(TABLES):
        yield render_scene(np.random.default_rng([seed, 0, index]), TABLE, bank=bank)


def _counted(
    pictures: Sequence[tuple[Picture, LabelledPicture]], tables: TableReader
) -> tuple[PictureCount, ...]:
    return tuple(
        count_picture(labels, tables.read(Frame.of(pixels)).to_json())
        for pixels, labels in pictures
    )


def _measure(pictures: Iterable[PictureCount], name: str) -> Measure:
    return next(measure for measure in summarise(pictures) if measure.name == name)


def _of(pictures: Sequence[PictureCount], name: str) -> int:
    return _measure(pictures, name).count or 0


if __name__ == "__main__":
    main()
