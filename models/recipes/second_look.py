"""From the usual networks of tiles to that which looks again at finds in doubt: `python -m
models.recipes.second_look --out DIR --models DIR [--minutes 150]`.

All stages together take about `--minutes`. Tables and racks are rendered, the usual networks in
`--models` find and read what lies there, the network is trained on the finds, and it is written as
ONNX beside those. Every stage leaves its result in OUT, so a run that was interrupted goes on with
the same command.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from datasets.generate import SCENES_PER_SET, Job, generate, write_block
from datasets.scene import SceneConfig, racks
from datasets.scene.filling import anything, melds_of_a_side, one_rack
from datasets.scene.table import Table
from models.recipes import finds
from models.recipes.command import announce, run_command
from models.recipes.plan import SEED, WORKERS, planned
from models.recipes.scenes import FINDS
from models.recipes.stages import Round, export

# The share of the minutes of these stages; collecting takes the rest.
SCENES, TRAINING = 0.22, 0.43
RATE = 2e-3
RARE = 0.1  # share of sets of a kind that is seldom met
COVERED = (0.45, 1.0)  # rise of the upper shelf where the lower one covers its tiles, in heights
STAGES = 4


def table(table: Table, rng: np.random.Generator) -> None:
    """Lay the melds of one side, or anything but a rack."""
    if rng.random() < 0.5:
        melds_of_a_side(table, rng)
    else:
        anything(table, rng, rack_share=0.0)


def rack(table: Table, rng: np.random.Generator) -> None:
    """Lay one rack; on every second one the lower shelf covers tiles of the upper one."""
    one_rack(table, rng, COVERED if rng.random() < 0.5 else racks.RISE)


# Four comodines in a set, each with a figure of its own.
PICTURE = partial(SceneConfig, 880, 680, easy=0.5, empty=0.0, jpeg=False, jokers=4)
CONFIGS = {
    "tables": PICTURE(tile_px=(14, 64), elevation=(15, 90), fill=table),
    "racks": PICTURE(tile_px=(14, 66), elevation=(20, 75), fill=rack),
}


def render(out: Path, seed: int, count: int) -> Path:
    """Render `count` scenes into two folders of `out`, half of them tables and half racks."""
    half = max(SCENES_PER_SET, count // 2 // SCENES_PER_SET * SCENES_PER_SET)
    for number, (name, config) in enumerate(CONFIGS.items()):
        job = Job(out / name, 10 * seed + number, range(half), config)
        generate(job, WORKERS, partial(write_block, rare=RARE))
    return out


def run(out: Path, models: Path, minutes: float) -> None:
    announce(1, STAGES, f"rendering scenes, about {minutes * SCENES:.1f} min")
    plan = planned(out, minutes, SCENES, render)
    scenes = render(out / "scenes", SEED, plan.scenes)
    folders = tuple(scenes / name for name in CONFIGS)

    announce(2, STAGES, "collecting what is found there")
    for folder in folders:
        if not (folder / FINDS).exists():
            print(
                f"{finds.collect(folder, models, racks=folder.name == 'racks')} finds", flush=True
            )

    announce(3, STAGES, f"training the network, {minutes * TRAINING:.1f} min")
    trained = Round(
        folders, out / "trained", minutes * TRAINING, RATE, networks=("second_look",)
    ).run()

    announce(4, STAGES, f"writing the network to {models}")
    export(trained, models)


def main() -> None:
    run_command(
        run,
        "models.recipes.second_look",
        __doc__,
        "the networks of tiles; the network that looks again goes there",
    )


if __name__ == "__main__":
    main()
