"""From the networks of tiles to those of cards: `python -m models.recipes.cards --out DIR
--models DIR [--minutes 150]`.

Tables of cards are rendered, both networks of tiles made a beginning for those of cards and
trained on them side by side, temperatures fitted on scenes kept back, and both written as ONNX
beside the networks of tiles in `--models`. Every stage leaves its result in OUT, so a run that was
broken off goes on with the same command.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

from datasets.cards.generate import write_block
from datasets.cards.scene import CardConfig
from datasets.generate import Job, generate
from models.recipes import calibrate
from models.recipes.plan import KEPT_BACK_SEED, SEED, planned
from models.recipes.scenes import load_scenes
from models.recipes.stages import NETWORKS, Checkpoints, Round, export
from vision.kinds import CARDS

SCENES, TRAINING = 0.25, 0.68  # parts of the minutes; the rest: a beginning, calibration, exports
RATE = 1.5e-3
CONFIG = CardConfig(card_px=(90, 420))
WORKERS = 2


def render(out: Path, seed: int, count: int) -> Path:
    generate(Job(out, seed, range(count), CONFIG), WORKERS, write_block)
    return out


def beginning(out: Path, models: Path, scenes: Path) -> Checkpoints:
    """Make checkpoints to begin from of the networks of tiles in `models`. Raises SystemExit."""
    checkpoints = {net: out / f"card_{net}.pt" for net in NETWORKS}
    if not all(path.exists() for path in checkpoints.values()):
        told = ["--models", str(models), "--scenes", str(scenes), "--out", str(out)]
        command = [sys.executable, "-m", "models.recipes.warm", *told]
        if subprocess.run(command, check=False).returncode:
            raise SystemExit(f"expected the networks of tiles in {models}, could not begin there")
    return checkpoints


def announce(number: int, what: str) -> None:
    print(f"\n{time.strftime('%H:%M')}  {number}/4  {what}", flush=True)


def run(out: Path, models: Path, minutes: float) -> None:
    announce(1, f"rendering scenes, about {minutes * SCENES:.1f} min")
    plan = planned(out, minutes, SCENES, render)
    scenes = render(out / "scenes", SEED, plan.scenes)
    kept_back = render(out / "kept-back", KEPT_BACK_SEED, plan.kept_back)

    announce(2, f"training both networks on {plan.scenes} scenes, {minutes * TRAINING:.1f} min")
    start = beginning(out / "beginning", models, scenes)
    trained = Round(
        (scenes,), out / "trained", minutes * TRAINING, RATE, start=start, kind=CARDS
    ).run()

    announce(3, "fitting the temperatures")
    uncalibrated = export(trained, out / "trained", kind=CARDS)
    fitted = json.dumps(calibrate.temperatures(load_scenes(kept_back), uncalibrated, CARDS))

    announce(4, f"writing both networks to {models}, temperatures {fitted}")
    export(trained, models, fitted, CARDS)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m models.recipes.cards", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument(
        "--models", type=Path, required=True, help="the networks of tiles; those of cards go there"
    )
    parser.add_argument("--minutes", type=float, default=150, help="in all, roughly")
    given = parser.parse_args()
    # So that the trainers are ended as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    run(given.out, given.models, given.minutes)


if __name__ == "__main__":
    main()
