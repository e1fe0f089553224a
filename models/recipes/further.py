"""Trains a detector of tiles further: `python -m models.recipes.further VIEW --out DIR --models DIR
[--minutes 150] [--seed 302]`.

VIEW tells which detector: the usual one for `tables`, the one for tables seen from `low`, or the
one for `racks`. All stages together take about `--minutes`. Scenes of this view are rendered,
places that the detector wrongly takes for faces are collected, and it is trained on. The mean of
the detector before and after is written over the one in `--models`: it keeps more of what was found
well before (experiments 138 and 197 of EXPERIMENTS.md; for racks and low views 199 gained nothing).
Every stage leaves its result in the folder of the run, so a run that was interrupted goes on with
the same command. A run that is done is not done again, since it would write its older detector over
a newer one: a second run needs another folder and another `--seed`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from datasets.generate import Job, generate, write_block
from datasets.scene import SceneConfig
from datasets.scene.filling import anything, melds_of_a_side
from engine.pieces import Pieces
from models.recipes import mine
from models.recipes.command import announce, command_parser, exit_on_sigterm
from models.recipes.plan import FURTHER_SEED, WORKERS, planned
from models.recipes.rack_detector import ON_RACKS
from models.recipes.real import labelled_photographs
from models.recipes.scenes import BLANKS, write_whole
from models.recipes.second_look import PICTURE
from models.recipes.stages import Round, averaged, beginning, export
from models.recipes.view_detectors import REAL_SHARE, Scenes
from vision.kinds import LOW_TILES, RACK_TILES, TILES, Kind

# The share of the minutes that each stage gets; the rest goes to mining and exports.
RENDERING, TRAINING = 0.25, 0.6
RATE = 5e-4
RARE = 0.1  # share of sets of a kind that is seldom met
STAGES = 4
BEGUN, DONE = "begun.json", "done"  # files in the folder of a run


@dataclass(frozen=True)
class View:
    """A detector of tiles, and the scenes that it is trained further on."""

    kind: Kind
    scenes: tuple[Scenes, ...]


NO_RACK = partial(anything, rack_share=0.0)
VIEWS = {
    "tables": View(
        TILES,
        (
            Scenes("scenes", PICTURE(tile_px=(16, 140), prints=0.5, fill=anything)),
            Scenes(
                "melds",
                PICTURE(tile_px=(18, 80), elevation=(22, 90), prints=0.6, fill=melds_of_a_side),
                1.1,
            ),
        ),
    ),
    "low": View(
        LOW_TILES,
        (
            Scenes(
                "scenes",
                PICTURE(tile_px=(12, 70), empty=0.03, elevation=(9, 42), prints=0.4, fill=NO_RACK),
            ),
            Scenes(
                "melds",
                PICTURE(tile_px=(14, 84), elevation=(9, 40), prints=0.5, fill=melds_of_a_side),
                1.4,
            ),
        ),
    ),
    "racks": View(RACK_TILES, (Scenes("scenes", ON_RACKS),)),
}


def render(out: Path, seed: int, count: int, config: SceneConfig) -> Path:
    generate(Job(out, seed, range(count), config), WORKERS, partial(write_block, rare=RARE))
    return out


def run(view: View, out: Path, models: Path, minutes: float, seed: int = FURTHER_SEED) -> None:
    """Train the detector of a view further in about `minutes`, and write the mean of what it was
    and of what it is then to the folder `models`. Results of the stages lie in the folder `out`.

    Raises SystemExit where a stage fails, where the run was begun with another view, other minutes
    or another seed, and where it is done.
    """
    _begin_or_go_on(out, {"detector": view.kind.detector, "seed": seed})
    announce(1, STAGES, f"rendering scenes, about {minutes * RENDERING:.1f} min")

    def trial(out: Path, _seed: int, count: int) -> Path:
        return render(out, seed, count, view.scenes[0].config)

    plan = planned(out, minutes, RENDERING / sum(one.share for one in view.scenes), trial)
    folders = tuple(
        render(out / one.folder, seed + 10 * n, round(plan.scenes * one.share), one.config)
        for n, one in enumerate(view.scenes)
    )

    announce(2, STAGES, "mining what is no face")
    for folder in folders:
        if not (folder / BLANKS).exists():
            print(f"{mine.mine(folder, models, view.kind)} places of {folder.name}", flush=True)

    announce(3, STAGES, f"training the detector, {minutes * TRAINING:.1f} min")
    photographs = labelled_photographs(out / "photographs", models)
    start = beginning(out / "beginning", models, folders[0], Pieces.TILES, view.kind)
    trained = Round(
        folders,
        out / "trained",
        minutes * TRAINING,
        RATE,
        photographs,
        REAL_SHARE,
        start,
        view.kind,
        ("detector",),
    ).run()

    announce(4, STAGES, f"writing the mean of before and after to {models}")
    mean = averaged(start, trained, out / "mean", view.kind)
    export({"detector": mean["detector"]}, models, kind=view.kind)
    (out / DONE).touch()


def _begin_or_go_on(out: Path, asked: dict[str, str | int]) -> None:
    """Keep in the folder of a new run what is `asked` of it. Raises SystemExit where the run in the
    folder was begun with something else, or is done.
    """
    kept = out / BEGUN
    if not kept.exists():
        out.mkdir(parents=True, exist_ok=True)
        write_whole(kept, json.dumps(asked))
    begun = json.loads(kept.read_text("utf-8"))
    if begun != asked:
        raise SystemExit(f"expected {begun}, as the run in {out} was begun, got {asked}")
    if (out / DONE).exists():
        raise SystemExit(f"the run in {out} is done; a further one needs another --out and --seed")


def main() -> None:
    parser = command_parser(
        "models.recipes.further",
        __doc__,
        "the networks of tiles; the detector of the view is replaced there",
    )
    parser.add_argument("view", choices=VIEWS)
    parser.add_argument("--seed", type=int, default=FURTHER_SEED, help="of the scenes")
    given = parser.parse_args()
    exit_on_sigterm()
    run(VIEWS[given.view], given.out, given.models, given.minutes, given.seed)


if __name__ == "__main__":
    main()
