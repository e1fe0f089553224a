"""Trains networks on all photographs but those of one shoot, which are the pictures taken on one
occasion: `python -m models.recipes.folds --scenes DIR... --detector CKPT --reader CKPT --out FOLDS
[--minutes 3]`.

For each shoot of `rummikub_ivory` the two networks trained on renders are tuned, briefly and
gently, on the other shoots mixed with renders; FOLDS/SHOOT then holds models that never saw SHOOT,
for `python -m datasets.benchmark --folds FOLDS`. FOLDS/all holds models tuned on all shoots.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from models.recipes import real
from models.recipes.stages import Round, export

SHOOTS = ("rummy", "rummy2", "rummy3", "rummy4", "all")
REAL_SHARE = 0.4  # of the pictures of a tuning


def main() -> None:
    given = _options()
    start = {"detector": given.detector, "reader": given.reader}
    base = export(start, given.out / "base")
    for shoot in given.shoots:
        tuning = _without(shoot, base, start, given)
        export(tuning.run(), given.out / shoot, given.temperatures)
    if (given.out / SHOOTS[0]).is_dir():
        shutil.copytree(given.out / SHOOTS[0], given.out / real.BACKGROUND, dirs_exist_ok=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--detector", type=Path, required=True)
    parser.add_argument("--reader", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shoots", nargs="+", choices=SHOOTS, default=SHOOTS)
    parser.add_argument("--minutes", type=float, default=3, help="of each network and shoot")
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument(
        "--temperatures",
        default="{}",
        help="of the reader, as models.recipes.calibrate prints them",
    )
    return parser.parse_args()


def _without(shoot: str, base: Path, start: dict[str, Path], given: argparse.Namespace) -> Round:
    """Label the photographs of all shoots but `shoot` and BACKGROUND, and return the training, not
    yet run, that tunes two networks on them. `start` holds the checkpoints to begin from, under
    `detector` and `reader`. The reader in the folder `base` finds in which direction each tile
    reads; `given` holds the options of the command line.
    """
    labels = given.out / f"{shoot}-labels"
    real.label(labels, base, (shoot, real.BACKGROUND))
    runs = given.out / f"{shoot}-runs"
    scenes = tuple(given.scenes)
    return Round(scenes, runs, given.minutes, given.rate, labels, REAL_SHARE, start)


if __name__ == "__main__":
    main()
