"""Writes labelled pictures of rendered scenes: python -m datasets.generate OUT --count N --seed S
[--workers 2].

Writes OUT/00000.jpg ... and OUT/labels.jsonl, one line a picture, with the keys that the labels of
photographs have: `photo`, `width`, `height`, `tiles` (`tile`, `corners` TL, TR, BR, BL in reading
direction, `row`, `visible`, `hidden_or_cut`, `mirror_upright`), `rows` (`kind`, `tiles`, `legal`,
`reason`, `whole`), `ignore` boxes. `datasets.labels` explains what these keys mean. Picture number
i depends on the seed and i alone. So a run that was interrupted can be continued with the same
command, and a finished one extended with a larger `--count`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.faces.rare_style import rare_style
from datasets.labels import LabelledPicture, LabelledRow, LabelledTile
from datasets.scene import FaceBank, SceneConfig, render_scene
from datasets.scene.filling import RACK_SHARE, anything
from datasets.scene.photo import encoded
from datasets.scene.racks import RISE

# consecutive pictures that show the same set of tiles: drawing its faces takes as long as a scene
SCENES_PER_SET = 8


Config = TypeVar("Config")
Pieces = TypeVar("Pieces")  # a set of tiles or packs of cards, as drawn
Rendered = tuple[NDArray[np.uint8], dict[str, Any]]  # (h, w, 3) RGB, and its line of labels.jsonl


@dataclass(frozen=True)
class Job(Generic[Config]):
    """The pictures numbered `indices` of a run, to be rendered into the folder `out`. They are the
    whole run or one block of it: consecutive pictures of the same set of tiles or the same packs of
    cards.
    """

    out: Path
    seed: int
    indices: range
    config: Config  # how the pictures are made


def picture_line(picture: LabelledPicture) -> dict[str, Any]:
    """Make the line of labels.jsonl for a picture, as a dictionary that JSON can hold."""
    return {
        "photo": picture.name,
        "style": picture.style,
        "width": picture.width,
        "height": picture.height,
        "tiles": [_tile_entry(t) for t in picture.tiles],
        "rows": [_row_entry(r) for r in picture.rows],
        "ignore": [[round(v, 1) for v in box] for box in picture.ignore],
        "notes": picture.notes,
    }


def _tile_entry(tile: LabelledTile) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "tile": tile.tile,
        "row": tile.row,
        "visible": tile.visible,
        "hidden_or_cut": not tile.counted,
    }
    if tile.mirror_upright:
        entry["mirror_upright"] = True
    if tile.corners is not None:
        entry["corners"] = [[round(float(v), 2) for v in corner] for corner in tile.corners]
    return entry


def _row_entry(row: LabelledRow) -> dict[str, Any]:
    return {"kind": row.kind, **vars(row), "tiles": list(row.tiles)}


def part(block: Job[Config]) -> Path:
    """Return the path of the file that keeps the labels of the pictures of `block`, one block of a
    run, until all blocks of the run are rendered.
    """
    return block.out / "parts" / f"{block.indices.start:07d}-{block.indices.stop:07d}.jsonl"


def write_block(job: Job[SceneConfig], rare: float = 0.0) -> None:
    """Render and write one block: the pictures `job.indices`, all of one set of tiles. `rare` is
    the probability that it is one of the sets of `datasets.faces.rare_style`.

    The line of each picture of a set whose colours nobody could name has `known_inks`: false.
    """

    def draw_set(seed: int) -> FaceBank:
        rng = np.random.default_rng([seed, 3])
        style = rare_style(rng) if rng.random() < rare else None
        return FaceBank.random(seed, style=style, jokers=job.config.jokers)

    def render(rng: np.random.Generator, bank: FaceBank) -> Rendered:
        image, picture = render_scene(rng, job.config, bank=bank)
        inks = {} if bank.style.known_inks else {"known_inks": False}
        return image, {**picture_line(picture), **inks}

    write_pictures(job, draw_set, render)


def write_pictures(
    job: Job[Config],
    draw_set: Callable[[int], Pieces],
    render: Callable[[np.random.Generator, Pieces], Rendered],
) -> None:
    """Render the pictures of one job, which all show the same set, and write them and their labels.

    `draw_set` makes, from a seed, the tiles or cards that all these pictures show. `render` makes
    one picture of them, (h, w, 3) RGB, and its line of labels.jsonl.
    """
    cv2.setNumThreads(1)
    block = job.indices.start // SCENES_PER_SET
    seed = int(np.random.SeedSequence([job.seed, 1, block]).generate_state(1)[0] >> 1)
    pieces = draw_set(seed)
    lines = []
    for index in job.indices:
        image, line = render(np.random.default_rng([job.seed, 0, index]), pieces)
        name = f"{index:05d}.jpg"
        (job.out / name).write_bytes(encoded(image, int(line["notes"]["jpeg"])))
        lines.append(json.dumps({"photo": name} | line | {"photo": name}))
    partial = part(job).with_suffix(".tmp")
    partial.write_text("\n".join(lines) + "\n")
    partial.replace(part(job))


def blocks(job: Job[Config]) -> Iterator[Job[Config]]:
    for start in range(job.indices.start, job.indices.stop, SCENES_PER_SET):
        yield replace(job, indices=job.indices[start : start + SCENES_PER_SET])


def _each(
    todo: list[Job[Config]], workers: int, write: Callable[[Job[Config]], None]
) -> Iterator[None]:
    if workers == 1 or len(todo) < 2:
        yield from map(write, todo)
        return
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        yield from pool.imap_unordered(write, todo)


def generate(job: Job[Config], workers: int, write: Callable[[Job[Config]], None]) -> None:
    """Render those blocks of a job that are not yet there, in `workers` processes. Then join the
    labels of all blocks to labels.jsonl, in the order of the pictures. `write` renders and writes
    one block: the job with the `indices` of this block's pictures.
    """
    (job.out / "parts").mkdir(parents=True, exist_ok=True)
    whole = list(blocks(job))
    missing = [block for block in whole if not part(block).exists()]
    for _ in tqdm(
        _each(missing, workers, write), f"rendering, sets of {SCENES_PER_SET}", len(missing)
    ):
        pass
    (job.out / "labels.jsonl").write_text("".join(part(block).read_text() for block in whole))


def size(text: str) -> tuple[int, int]:
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected WIDTHxHEIGHT, got {text!r}") from None
    return width, height


def parser_of(module: str, description: str) -> argparse.ArgumentParser:
    """Return a parser for `python -m MODULE` with the options that all commands that render
    pictures share.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--size", type=size, default=(768, 768), help="WIDTHxHEIGHT in pixels")
    return parser


def main(arguments: list[str] | None = None) -> None:
    given = _parser().parse_args(arguments)
    width, height = given.size
    rise = (given.rack_rise[0], given.rack_rise[1])
    config = SceneConfig(
        width,
        height,
        tile_px=(given.tile_px[0], given.tile_px[1]),
        jpeg=False,
        jokers=given.jokers,
        elevation=(given.elevation[0], given.elevation[1]),
        prints=given.prints,
        fill=partial(anything, rack_share=given.racks, rack_rise=rise),
    )
    write = partial(write_block, rare=given.rare)
    generate(Job(given.out, given.seed, range(given.count), config), given.workers, write)


def _parser() -> argparse.ArgumentParser:
    parser = parser_of("datasets.generate", "Renders labelled pictures of tile tables.")
    parser.add_argument(
        "--tile-px", type=float, nargs=2, default=SceneConfig.tile_px, metavar=("LOW", "HIGH")
    )
    parser.add_argument(
        "--jokers",
        type=int,
        default=SceneConfig.jokers,
        help="comodines in the pack; above 2 all of them differ",
    )
    parser.add_argument(
        "--elevation",
        type=float,
        nargs=2,
        default=SceneConfig.elevation,
        metavar=("LOW", "HIGH"),
        help="of the camera, degrees",
    )
    parser.add_argument(
        "--rare", type=float, default=0.0, help="share of sets of a kind that is seldom met"
    )
    parser.add_argument(
        "--prints",
        type=float,
        default=SceneConfig.prints,
        help="share of table tops with a print that a reader may take for tiles",
    )
    parser.add_argument(
        "--racks", type=float, default=RACK_SHARE, help="share of scenes with a rack"
    )
    parser.add_argument(
        "--rack-rise",
        type=float,
        nargs=2,
        default=RISE,
        metavar=("LOW", "HIGH"),
        help="of its upper shelf, in heights of a tile: below 1 tiles cover others",
    )
    return parser


if __name__ == "__main__":
    main()
