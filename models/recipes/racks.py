"""From the networks of tiles to that which tells the direction of a 6 or a 9 on a rack:
`python -m models.recipes.racks --out DIR --models DIR [--minutes 150]`.

All stages together take about `--minutes`; the network that is installed was trained with 40. Racks
are rendered, most of whose tiles are 6s and 9s and a quarter of whose tiles stand on their head.
The networks in `--models` find and read them, the network is trained on what is seen around them,
and it is written as ONNX beside those. Every stage leaves its result in OUT, so a run that was
interrupted goes on with the same command.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from datasets.generate import Job, generate, write_block
from datasets.scene import SceneConfig, racks
from datasets.scene.filling import one_rack
from datasets.scene.table import Table
from engine.tiles import FACES as ALL_FACES
from models.recipes import directions
from models.recipes.command import announce, run_command
from models.recipes.plan import SEED, WORKERS, planned
from models.recipes.scenes import DIRECTIONS
from models.recipes.stages import Round, export

SCENES, TRAINING = 0.4, 0.3  # the share of the minutes that these stages get; the rest: collecting
RATE = 2e-3
TURNED = 0.25  # share of tiles that stand on their head
OTHERS = 0.25  # share of the other faces that are left in the set
COVERED = (0.45, 1.0)  # rise of the upper shelf where the lower one covers its tiles, in heights
STAGES = 4


def sixes_and_nines(table: Table, rng: np.random.Generator) -> None:
    """Lay one rack with more 6s and 9s than a set has beside so many others. Every second rack has
    shelves so near that the lower one covers tiles of the upper one.
    """
    for face in map(str, ALL_FACES):
        if face not in directions.FACES and rng.random() > OTHERS:
            while table.pack.take(face):
                pass
    one_rack(table, rng, COVERED if rng.random() < 0.5 else racks.RISE, TURNED)


CONFIG = SceneConfig(
    880,
    680,
    tile_px=(14, 62),
    easy=0.7,
    empty=0.0,
    jpeg=False,
    elevation=(20, 75),
    fill=sixes_and_nines,
)


def render(out: Path, seed: int, count: int) -> Path:
    generate(Job(out, seed, range(count), CONFIG), WORKERS, write_block)
    return out


def run(out: Path, models: Path, minutes: float) -> None:
    announce(1, STAGES, f"rendering racks, about {minutes * SCENES:.1f} min")
    plan = planned(out, minutes, SCENES, render)
    scenes = render(out / "scenes", SEED, plan.scenes)

    announce(2, STAGES, "collecting 6s and 9s")
    if not (scenes / DIRECTIONS).exists():
        print(f"{directions.collect(scenes, models)} tiles", flush=True)

    announce(3, STAGES, f"training the network, {minutes * TRAINING:.1f} min")
    trained = Round(
        (scenes,), out / "trained", minutes * TRAINING, RATE, networks=("direction",)
    ).run()

    announce(4, STAGES, f"writing the network to {models}")
    export(trained, models)


def main() -> None:
    run_command(
        run,
        "models.recipes.racks",
        __doc__,
        "the networks of tiles; the network for 6s and 9s on racks goes there",
    )


if __name__ == "__main__":
    main()
