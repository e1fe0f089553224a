"""Trains a detector of tiles for views of one kind, beginning with a detector that is there
already: that for views from low above the table (`models.recipes.low`) or that for racks
(`models.recipes.rack_detector`).

Scenes are rendered and the detector is trained on them. Places that it wrongly takes for faces are
collected, and it is trained further. Photographs beside the project are among the pictures of both
trainings. The mean of both is written: it invents less than either (experiment 138 of
EXPERIMENTS.md). Every stage leaves its result in the folder of the run, so a run that was
interrupted goes on with the same command.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from datasets.generate import Job, generate, write_block
from datasets.scene import SceneConfig
from engine.pieces import Pieces
from models.recipes import mine
from models.recipes.command import announce
from models.recipes.plan import SEED, WORKERS, planned
from models.recipes.real import labelled_photographs
from models.recipes.scenes import BLANKS
from models.recipes.stages import Checkpoints, Round, averaged, beginning, export
from vision.kinds import Kind

# The share of the minutes that each stage gets; the rest goes to mining and exports.
RENDERING, BASE, TUNING = 0.25, 0.4, 0.3
RATE = 6e-4
REAL_SHARE = 0.12  # of the pictures: experiments 136 and 138 of EXPERIMENTS.md
STAGES = 5


@dataclass(frozen=True)
class Scenes:
    """Scenes of one configuration, rendered into a folder of the run."""

    folder: str  # its name
    config: SceneConfig
    share: float = 1.0  # how many of these are rendered for each scene of the first folder


def render(out: Path, seed: int, count: int, config: SceneConfig) -> Path:
    generate(Job(out, seed, range(count), config), WORKERS, write_block)
    return out


def train_detector_of(
    kind: Kind, begin_with: Kind, scenes: Sequence[Scenes], out: Path, models: Path, minutes: float
) -> None:
    """Train the detector of `kind` in about `minutes`, beginning with that of the kind `begin_with`
    in the folder `models`, and write it to the same folder. `scenes` are what it is trained on.
    Results of the stages lie in the folder `out`.

    Raises ValueError where the first folder of scenes is not called `scenes`, in which the pace of
    rendering is tried. Raises SystemExit where a stage fails, or where the run was begun with other
    minutes.
    """
    if scenes[0].folder != "scenes":
        raise ValueError(f"the first folder of scenes: expected scenes, got {scenes[0].folder}")
    announce(1, STAGES, f"rendering scenes, about {minutes * RENDERING:.1f} min")

    def trial(out: Path, seed: int, count: int) -> Path:
        return render(out, seed, count, scenes[0].config)

    plan = planned(out, minutes, RENDERING / sum(one.share for one in scenes), trial)
    counts = [max(1, round(plan.scenes * one.share)) for one in scenes]
    folders = tuple(
        render(out / one.folder, SEED + 10 * n, count, one.config)
        for n, (one, count) in enumerate(zip(scenes, counts, strict=True))
    )

    photographs = labelled_photographs(out / "photographs", models)
    start = beginning(out / "beginning", models, folders[0], Pieces.TILES, begin_with)

    def trained(name: str, share: float, start: Checkpoints) -> Checkpoints:
        return Round(
            folders,
            out / name,
            minutes * share,
            RATE,
            photographs,
            REAL_SHARE,
            start,
            kind,
            ("detector",),
        ).run()

    announce(2, STAGES, f"training the detector, {minutes * BASE:.1f} min")
    based = trained("base", BASE, start)

    announce(3, STAGES, "mining what is no face")
    base = export(based, out / "base")
    for folder in folders:
        if not (folder / BLANKS).exists():
            print(f"{mine.mine(folder, base)} places of {folder.name}", flush=True)

    announce(4, STAGES, f"training it further, {minutes * TUNING:.1f} min")
    tuned = trained("tuned", TUNING, based)

    announce(5, STAGES, f"writing the mean of both detectors to {models}")
    mean = averaged(based, tuned, out / "mean", kind)
    export({"detector": mean["detector"]}, models, kind=kind)
