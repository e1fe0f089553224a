"""From the usual detector of tiles to that for views from low above the table: `python -m
models.recipes.low --out DIR --models DIR [--minutes 150]`.

All stages together take about `--minutes`. Scenes are rendered: tables seen from low, and such with
a printed top. The detector is trained on them, beginning with the usual one. Places that it wrongly
takes for faces are collected, and it is trained further. Photographs beside the project are among
the pictures of both trainings. The mean of both is written as ONNX beside the usual networks in
`--models`: it invents less than either (experiment 138 of EXPERIMENTS.md). Every stage leaves its
result in OUT, so a run that was interrupted goes on with the same command.
"""

from __future__ import annotations

from pathlib import Path

from datasets.generate import Job, generate, write_block
from datasets.scene import SceneConfig
from engine.pieces import Pieces
from models.recipes import mine
from models.recipes.command import announce, run_command
from models.recipes.plan import SEED, WORKERS, planned
from models.recipes.real import labelled_photographs
from models.recipes.scenes import BLANKS
from models.recipes.stages import Checkpoints, Round, averaged, beginning, export
from vision.kinds import LOW_TILES

# The share of the minutes that each stage gets; the rest goes to mining and exports.
SCENES, BASE, TUNING = 0.25, 0.4, 0.3
RATE = 6e-4
REAL_SHARE = 0.12  # of the pictures: experiments 136 and 138 of EXPERIMENTS.md
PRINTS = 0.4  # further scenes with a printed top for each scene of a plain table
PLAIN = SceneConfig(768, 768, tile_px=(12, 70), elevation=(10, 42), jpeg=False)
PRINTED = SceneConfig(768, 768, tile_px=(16, 100), elevation=(12, 60), jpeg=False, prints=0.9)
STAGES = 5


def render(out: Path, seed: int, count: int, config: SceneConfig = PLAIN) -> Path:
    generate(Job(out, seed, range(count), config), WORKERS, write_block)
    return out


def run(out: Path, models: Path, minutes: float) -> None:
    announce(1, STAGES, f"rendering scenes, about {minutes * SCENES:.1f} min")
    plan = planned(out, minutes, SCENES / (1 + PRINTS), render)
    plain = render(out / "scenes", SEED, plan.scenes)
    printed = render(out / "prints", SEED + 10, max(1, round(plan.scenes * PRINTS)), PRINTED)

    photographs = labelled_photographs(out / "photographs", models)
    start = beginning(out / "beginning", models, plain, Pieces.TILES)

    def trained(name: str, share: float, start: Checkpoints) -> Checkpoints:
        return Round(
            (plain, printed),
            out / name,
            minutes * share,
            RATE,
            photographs,
            REAL_SHARE,
            start,
            LOW_TILES,
            ("detector",),
        ).run()

    announce(2, STAGES, f"training the detector, {minutes * BASE:.1f} min")
    based = trained("base", BASE, start)

    announce(3, STAGES, "mining what is no face")
    base = export(based, out / "base")
    for scenes in (plain, printed):
        if not (scenes / BLANKS).exists():
            print(f"{mine.mine(scenes, base)} places of {scenes.name}", flush=True)

    announce(4, STAGES, f"training it further, {minutes * TUNING:.1f} min")
    tuned = trained("tuned", TUNING, based)

    announce(5, STAGES, f"writing the mean of both detectors to {models}")
    mean = averaged(based, tuned, out / "mean", LOW_TILES)
    export({"detector": mean["detector"]}, models, kind=LOW_TILES)


def main() -> None:
    run_command(
        run,
        "models.recipes.low",
        __doc__,
        "the usual networks of tiles; the detector for views from low goes there",
    )


if __name__ == "__main__":
    main()
