"""`python -m datasets.benchmark.scenes`: the score that `burako score` gives for whole hands of
rendered scenes of a fresh seed, compared with the true score; and how well the reader's confidence
matches its errors on the scenes.

Three slices are measured separately: ordinary tables and racks, photographed as a family does it
(tiles of 20-60 pixels seen from 35 degrees or more); low ones, seen from 10-30 degrees above the
table; and hard ones (seen from low, far away, blurred, racks half covered). Every photograph shows
a set of tiles of its own. Hands are made of the photographs of a slice as
`datasets.benchmark.promise` makes them. Photographs of the ordinary slice that the program asks to
be taken again are left out of hands, since a family would take them again, and are counted
(`photos_asked_again`). Equal seeds draw equal scenes wherever the same typefaces are installed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from tqdm import tqdm

from datasets.benchmark.command import bench_parser, write_rows
from datasets.benchmark.counting import MELD_KINDS, PictureCount, count_picture
from datasets.benchmark.measures import Measure, share, summarise
from datasets.benchmark.plots import plot_reliability
from datasets.benchmark.promise import COLUMNS as SIDE_COLUMNS
from datasets.benchmark.promise import (
    Score,
    SideResult,
    burako_score,
    draw_both_kinds,
    judge_hand,
    measures,
    tell,
)
from datasets.benchmark.tables import COLUMNS, Row, reliability_rows
from datasets.labels import LabelledPicture
from datasets.options import positive, seed_number
from datasets.scene import SceneConfig, render_scene
from datasets.scene.bank import FaceBank
from datasets.scene.filling import melds_of_a_side, one_rack
from datasets.scene.melds import Pack
from datasets.scene.photo import encoded
from engine.rulesets import MINIMUM_MELD
from vision import open_reader
from vision.frame import load
from vision.reading import Layout
from vision.tiles.pipeline import TableReader

SUMMARY_COLUMNS = ("slice", "melds", "measure", "count", "of", "low", "high")
TILE_MEASURES = ("photos_exact", "tiles_exact", "silent", "doubtful")
RELIABILITY = "scenes_reliability.csv"


@dataclass(frozen=True)
class Slice:
    """A group of scenes that is measured by itself. The configurations in `tables` take turns when
    tables are rendered, and those in `racks` when racks are rendered.
    """

    tables: tuple[SceneConfig, ...]
    racks: tuple[SceneConfig, ...]
    smallest: float = 0.0  # pixels: a scene with a tile whose short side is less is drawn anew
    taken_again: bool = False  # no hand holds a photograph that the program wants taken again


# Of 1280 x 960 pixels, as telephones send them on: enough for tiles of 20 pixels and more.
PHOTOGRAPH = SceneConfig(1280, 960, empty=0.0, jpeg=False)
TABLE = replace(PHOTOGRAPH, fill=melds_of_a_side, tile_px=(28, 60), elevation=(35, 90), easy=0.9)
RACK = replace(PHOTOGRAPH, fill=one_rack, tile_px=(30, 90), elevation=(25, 75), easy=0.9)
HALF_COVERED = partial(one_rack, rack_rise=(0.45, 1.0))
SLICES = {
    "ordinary": Slice((TABLE,), (RACK,), smallest=20.0, taken_again=True),
    "low": Slice(
        (
            replace(TABLE, elevation=(10, 22), tile_px=(30, 90), easy=0.8),
            replace(TABLE, elevation=(15, 30), tile_px=(20, 60), easy=0.8),
        ),
        (replace(RACK, elevation=(10, 30), easy=0.8),),
    ),
    "hard": Slice(
        (
            replace(TABLE, elevation=(12, 30), tile_px=(28, 70), easy=0.4),
            replace(TABLE, tile_px=(9, 20), easy=0.4),
            replace(TABLE, easy=0.0),
        ),
        (replace(RACK, fill=HALF_COVERED, easy=0.4), replace(RACK, tile_px=(14, 30), easy=0.2)),
    ),
}


def main(arguments: list[str] | None = None, score: Score | None = None) -> None:
    asked = _parser().parse_args(arguments)
    score = score or partial(burako_score, models=asked.models)
    reader = open_reader(asked.models)
    sides: list[Row] = []
    summary: list[Row] = []
    reliable: list[Row] = []
    for name in asked.slices:
        counted, again, results = measured(name, asked, reader, score)
        reliable += reliability_rows(name, counted)
        sides += [{"slice": name, **result.row()} for result in results]
        summary += summary_of(name, counted, again, results)
    write_rows(asked, "scenes.csv", ("slice", *SIDE_COLUMNS), sides)
    write_rows(asked, "scenes_summary.csv", SUMMARY_COLUMNS, summary)
    write_rows(asked, RELIABILITY, COLUMNS["reliability.csv"], reliable)
    if asked.plots and not asked.dry_run:
        plot_reliability(asked.out / RELIABILITY)


def measured(
    name: str, asked: argparse.Namespace, reader: TableReader, score: Score
) -> tuple[list[PictureCount], int, list[SideResult]]:
    """Render and read the photographs of the slice named `name`, and score hands made of them.
    `asked` holds the options of the command line; `score` runs `burako score` on a hand and returns
    its JSON.

    Returns the verdicts on each photograph's tiles and melds, the number of photographs that the
    program asks to be taken again, and the result of each side of each hand.
    """
    kinds = SLICES[name]
    with TemporaryDirectory() as folder:
        pictures = list(render(kinds, asked.hands, asked.seed, Path(folder)))
        read = [read_one(picture, reader) for picture in tqdm(pictures, f"{name}, read")]
        counted = list(map(count_picture, pictures, read))
        played = [
            count.picture
            for count in counted
            if shows_melds_alone(count.picture) and not (count.asks_again and kinds.taken_again)
        ]
        results = play(played, asked.hands, asked.seed, score)
    return counted, sum(count.asks_again for count in counted), results


def render(kinds: Slice, hands: int, seed: int, folder: Path) -> Iterable[LabelledPicture]:
    """Render scenes of the slice `kinds` as JPEG files in the folder: first `2 * hands` tables,
    then `hands` racks. Yield the labels of each picture.
    """
    for what, configs, number in (
        ("table", kinds.tables, 2 * hands),
        ("rack", kinds.racks, hands),
    ):
        for index in tqdm(range(number), f"rendering, {what}s"):
            rng = np.random.default_rng([seed, what == "rack", index])
            path, config = folder / f"{what}-{index:03d}.jpg", configs[index % len(configs)]
            picture = photographed(rng, config, path)
            while smallest_side(picture) < kinds.smallest:
                picture = photographed(rng, config, path)
            yield picture


def photographed(
    rng: np.random.Generator,
    config: SceneConfig,
    path: Path,
    bank: FaceBank | None = None,
    pack: Pack | None = None,
) -> LabelledPicture:
    """Render a scene as the JPEG file `path` and return its labels. `bank` and `pack` are the set
    of tiles and those of its tiles that may be laid, by default a random set and all of its tiles.
    """
    pixels, picture = render_scene(rng, config, bank=bank, pack=pack)
    path.write_bytes(encoded(pixels, int(picture.notes["jpeg"])))
    return replace(picture, name=path.stem, path=str(path))


def smallest_side(picture: LabelledPicture) -> float:
    """Return the length in pixels of the shortest side of any tile; infinity where the corners of
    no tile are known.
    """
    shortest = np.inf
    for tile in picture.tiles:
        if tile.corners is not None:
            sides = np.linalg.norm(tile.corners - np.roll(tile.corners, 1, axis=0), axis=1)
            shortest = min(shortest, float(sides.min()))
    return shortest


def shows_melds_alone(picture: LabelledPicture) -> bool:
    """Tell whether every row of the picture, apart from racks and discarded tiles, is long enough
    to be a meld; True where there is no such row.

    Of a shorter row nobody could say to which side it belongs.
    """
    return all(len(row.tiles) >= MINIMUM_MELD for row in picture.rows if row.kind in MELD_KINDS)


def read_one(picture: LabelledPicture, reader: TableReader) -> dict[str, Any]:
    """Read a photograph as `burako read` does, and return the JSON of the reading."""
    layout = Layout.LOOSE if picture.rack else Layout.MELDS
    return reader.read(load(str(picture.path)), layout).to_json()


def play(
    pictures: Sequence[LabelledPicture], hands: int, seed: int, score: Score
) -> list[SideResult]:
    """Make `hands` hands at random from the photographs, score each with `score`, and compare the
    scores with the true ones. Returns a result for each side of each hand.
    """
    drawn = draw_both_kinds(pictures, hands, seed)
    judged = [judge_hand(number, hand, score(hand)) for number, hand in enumerate(tqdm(drawn))]
    return list(chain.from_iterable(judged))


def summary_of(
    name: str, counted: Sequence[PictureCount], again: int, results: Sequence[SideResult]
) -> list[Row]:
    """Print the measures of the slice of scenes called `name`, for its photographs and for its
    hands, and return the measures as rows. `counted` holds the count of each photograph, `results`
    the result of each side of each hand. `again` is how many photographs the program asks to have
    taken again.
    """
    tiles = [measure for measure in summarise(counted) if measure.name in TILE_MEASURES]
    tiles.insert(0, share("photos_asked_again", again, len(counted)))
    kinds = {
        "": results,
        "legal": [result for result in results if result.legal],
        "illegal among them": [result for result in results if not result.legal],
    }
    rows = []
    for melds, some in kinds.items():
        told = [*(() if melds else tiles), *measures(some)]
        print(f"\n{name}{': melds ' + melds if melds else ''}")
        tell(told)
        rows += [_row(name, melds, measure) for measure in told if measure.count is not None]
    return rows


def _row(name: str, melds: str, measure: Measure) -> Row:
    told = {
        "slice": name,
        "melds": melds,
        "measure": measure.name,
        "count": str(measure.count),
        "of": str(measure.of),
    }
    ends = {"low": measure.low, "high": measure.high}
    return told | {end: "" if at is None else f"{at:.4f}" for end, at in ends.items()}


def _parser() -> argparse.ArgumentParser:
    parser = bench_parser("datasets.benchmark.scenes", __doc__)
    parser.add_argument("--hands", type=positive, default=24, help="of each slice (default 24)")
    parser.add_argument("--seed", type=seed_number, default=9700)
    parser.add_argument("--slices", nargs="+", choices=list(SLICES), default=list(SLICES))
    parser.add_argument("--plots", action="store_true", help="draw the reliability")
    return parser


if __name__ == "__main__":
    main()
