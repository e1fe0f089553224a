"""From nothing to two trained networks of tiles: `python -m models.recipes --out DIR --models DIR
[--minutes 150]`. All stages together take about `--minutes`.

Scenes are rendered, and both networks, detector and reader, are trained on them side by side.
Places that the detector wrongly takes for faces are collected, and both networks are tuned on
renders and on the photographs beside the project. Temperatures are fitted on scenes kept back, and
both networks are written as ONNX with a manifest. At last the reader is made to compute with
whole numbers, which takes some minutes more. Every stage leaves its result in OUT, so a run
that was interrupted goes on with the same command.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from datasets.generate import Job, generate, write_block
from datasets.scene import SceneConfig
from models.recipes import calibrate, inks, mine
from models.recipes.command import announce, run_command
from models.recipes.plan import KEPT_BACK_SEED, SEED, WORKERS, planned
from models.recipes.real import labelled_photographs
from models.recipes.scenes import BLANKS, load_scenes
from models.recipes.stages import Round, export, let_compute_in_whole_numbers

# The share of the minutes that each stage gets.
SCENES, BASE, TUNING = 0.22, 0.5, 0.2  # the rest: mining, calibration, exports
BASE_RATE, TUNING_RATE = 2e-3, 7e-4
REAL_SHARE = 0.2  # of the pictures seen in tuning: experiment 15 of EXPERIMENTS.md
RARE = 0.15  # share of sets of `datasets.faces.rare_style`
CONFIG = SceneConfig(768, 768, tile_px=(24, 140), jpeg=False)
STAGES = 6


def render(out: Path, seed: int, count: int) -> Path:
    generate(Job(out, seed, range(count), CONFIG), WORKERS, partial(write_block, rare=RARE))
    return out


def run(out: Path, models: Path, minutes: float) -> None:
    announce(1, STAGES, f"rendering scenes, about {minutes * SCENES:.1f} min")
    plan = planned(out, minutes, SCENES, render)
    scenes = render(out / "scenes", SEED, plan.scenes)
    kept_back = render(out / "kept-back", KEPT_BACK_SEED, plan.kept_back)

    announce(2, STAGES, f"training both networks on {plan.scenes} scenes, {minutes * BASE:.1f} min")
    trained = Round((scenes,), out / "base", minutes * BASE, BASE_RATE).run()

    announce(3, STAGES, "mining what is no face")
    base = export(trained, out / "base")
    if not (scenes / BLANKS).exists():
        print(f"{mine.mine(scenes, base)} places that look like faces and are none", flush=True)

    announce(4, STAGES, f"tuning both, {minutes * TUNING:.1f} min")
    photographs = labelled_photographs(out / "photographs", base)
    tuned = Round(
        (scenes,), out / "tuned", minutes * TUNING, TUNING_RATE, photographs, REAL_SHARE, trained
    ).run()

    announce(5, STAGES, "fitting the temperatures")
    fitted = json.dumps(
        calibrate.temperatures(load_scenes(kept_back), export(tuned, out / "tuned"))
    )

    announce(6, STAGES, f"writing both networks to {models}, temperatures {fitted}")
    export(tuned, models, fitted)
    let_compute_in_whole_numbers(models)
    print(
        "for vision.colour.INKS, which goes with this reader:"
        f" {inks.fitted(load_scenes(kept_back), models)}",
        flush=True,
    )


def main() -> None:
    run_command(run, "models.recipes", __doc__, "folder the finished networks are written to")


if __name__ == "__main__":
    main()
