"""`python -m datasets.benchmark.own_set`: how much better a family's own set is read once it has
been taught.

For each odd set in `../shared/photos/strange_sets` the photographs of tables and racks are read and
counted several times: without teaching, after teaching with one photograph of the set's rows 1-13,
after teaching with two, and so on.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

from datasets.benchmark.command import asked_reader, bench_parser, print_rows, write_rows
from datasets.benchmark.counting import PictureCount, count_picture
from datasets.benchmark.measures import summarise
from datasets.benchmark.tables import Row
from datasets.labels import LabelledPicture
from datasets.photos import PhotosMissing, load_strange_set
from vision.own_set.examples import TileSet
from vision.own_set.teaching import teach
from vision.reading import Layout
from vision.tiles.pipeline import TableReader

SETS = ("S1",)
MEASURES = ("tiles_exact", "tiles_found", "silent", "doubtful", "photos_exact", "rows_equal")
COLUMNS = ("set", "taught_with", "measure", "value", "count", "of")


def main(arguments: list[str] | None = None) -> int:
    parser = bench_parser("datasets.benchmark.own_set", __doc__)
    asked = parser.parse_args(arguments)
    tables = asked_reader(asked)
    try:
        pictures = {name: load_strange_set(name) for name in SETS}
    except PhotosMissing as missing:
        print(f"left out: {missing}", file=sys.stderr)
        return 0
    rows = [row for name in SETS for row in bench(name, pictures[name], tables)]
    print_rows(COLUMNS, rows)
    write_rows(asked, "own_set.csv", COLUMNS, rows)
    return 0


def bench(name: str, pictures: Sequence[LabelledPicture], tables: TableReader) -> list[Row]:
    """Measure how well the reader `tables` reads photographs of the set `name`: untaught, and again
    after each further teaching photograph. Returns the rows of the result table, one for each
    measure and each number of teaching photographs.

    `pictures` are all labelled photographs of the set. Those of the tiles laid from 1 to 13
    (`is_lesson`) teach, the others are counted.
    """
    lessons = [picture for picture in pictures if is_lesson(picture)]
    others = [picture for picture in pictures if not is_lesson(picture)]
    tile_set, rows = TileSet(name), list[Row]()
    for count in range(len(lessons) + 1):
        if count:
            taught = teach(tables, lessons[count - 1].path or "")
            tile_set = tile_set.with_examples(face.example for face in taught.faces)
        knowing = tables.with_set(tile_set) if count else tables
        counted = list(map(partial(_counted, tables=knowing), others))
        rows += _rows(name, count, counted)
    return rows


def is_lesson(picture: LabelledPicture) -> bool:
    """Whether the photograph shows the set in rows from 1 to 13, so that it can teach the set."""
    return any(row.kind == "teach" for row in picture.rows)


def _counted(picture: LabelledPicture, tables: TableReader) -> PictureCount:
    layout = Layout.LOOSE if picture.rack else Layout.MELDS
    return count_picture(picture, tables.read(picture.path or "", layout).to_json())


def _rows(name: str, lessons: int, counted: Sequence[PictureCount]) -> list[Row]:
    return [
        {
            "set": name,
            "taught_with": str(lessons),
            "measure": measure.name,
            "value": "" if measure.value is None else f"{measure.value:.4f}",
            "count": str(measure.count),
            "of": str(measure.of),
        }
        for measure in summarise(counted)
        if measure.name in MEASURES
    ]


if __name__ == "__main__":
    sys.exit(main())
