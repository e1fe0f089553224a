"""From the usual networks of tiles to those of odd sets: `python -m models.recipes.odd --out DIR
--models DIR [--minutes 150]`.

All stages together take about `--minutes`. Scenes are rendered, most of them with sets that are
seldom met: tables, racks whose upper shelf covers tiles, and tables seen from low with small tiles.
Both networks, detector and reader, are trained on them side by side, beginning with the usual
networks. Places that the detector wrongly takes for faces are collected, and both are trained
further. Photographs beside the project are among the pictures of both trainings. Temperatures are
fitted on scenes kept back, and both networks are written as ONNX beside the usual ones in
`--models`. At last the reader is made to compute with whole numbers, which takes some minutes more.
Every stage leaves its result in OUT, so a run that was interrupted goes on with the same command.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from datasets.generate import Job, generate, write_block
from datasets.scene import SceneConfig
from datasets.scene.filling import anything
from engine.pieces import Pieces
from models.recipes import calibrate, mine
from models.recipes.command import announce, run_command
from models.recipes.plan import KEPT_BACK_SEED, SEED, WORKERS, planned
from models.recipes.real import labelled_photographs
from models.recipes.scenes import BLANKS, load_scenes
from models.recipes.stages import Round, beginning, export, let_compute_in_whole_numbers
from vision.kinds import ODD_TILES

# The share of the minutes that each stage gets; the rest goes to mining, calibration, exports.
SCENES, BASE, TUNING = 0.2, 0.4, 0.25
RATE = 6e-4
# Of the pictures, and of the sets of tiles: experiment 128 of EXPERIMENTS.md.
REAL_SHARE, RARE = 0.1, 0.8
RACKS, LOW = 0.2, 0.15  # further scenes of these two kinds for each scene of a table
TABLES = SceneConfig(768, 768, tile_px=(20, 140), elevation=(22, 90), jpeg=False)
HALF_COVERED = SceneConfig(
    768, 768, jpeg=False, fill=partial(anything, rack_share=0.9, rack_rise=(0.35, 1.05))
)
FROM_LOW = SceneConfig(768, 768, tile_px=(10, 44), elevation=(12, 45), jpeg=False)
STAGES = 6


def render(out: Path, seed: int, count: int, config: SceneConfig = TABLES) -> Path:
    generate(Job(out, seed, range(count), config), WORKERS, partial(write_block, rare=RARE))
    return out


def run(out: Path, models: Path, minutes: float) -> None:
    announce(1, STAGES, f"rendering scenes, about {minutes * SCENES:.1f} min")
    plan = planned(out, minutes, SCENES / (1 + RACKS + LOW), render)
    tables = render(out / "scenes", SEED, plan.scenes)
    racks = render(out / "racks", SEED + 10, max(1, round(plan.scenes * RACKS)), HALF_COVERED)
    low = render(out / "low", SEED + 20, max(1, round(plan.scenes * LOW)), FROM_LOW)
    kept_back = render(out / "kept-back", KEPT_BACK_SEED, plan.kept_back)
    scenes = (tables, racks, low)

    announce(2, STAGES, f"training both networks, {minutes * BASE:.1f} min")
    photographs = labelled_photographs(out / "photographs", models)
    start = beginning(out / "beginning", models, tables, Pieces.TILES)
    based = Round(
        scenes, out / "base", minutes * BASE, RATE, photographs, REAL_SHARE, start, ODD_TILES
    ).run()

    announce(3, STAGES, "mining what is no face")
    base = export(based, out / "base", kind=ODD_TILES)
    if not (tables / BLANKS).exists():
        blanks = mine.mine(tables, base, ODD_TILES)
        print(f"{blanks} places that look like faces and are none", flush=True)

    announce(4, STAGES, f"training both further, {minutes * TUNING:.1f} min")
    tuned = Round(
        scenes, out / "tuned", minutes * TUNING, RATE, photographs, REAL_SHARE, based, ODD_TILES
    ).run()

    announce(5, STAGES, "fitting the temperatures")
    uncalibrated = export(tuned, out / "tuned", kind=ODD_TILES)
    fitted = json.dumps(calibrate.temperatures(load_scenes(kept_back), uncalibrated, ODD_TILES))

    announce(6, STAGES, f"writing both networks to {models}, temperatures {fitted}")
    export(tuned, models, fitted, ODD_TILES)
    let_compute_in_whole_numbers(models)


def main() -> None:
    run_command(
        run,
        "models.recipes.odd",
        __doc__,
        "the usual networks of tiles; those of odd sets go there",
    )


if __name__ == "__main__":
    main()
