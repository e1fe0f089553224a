"""Leave one shoot out: `python -m models.recipes.folds --scenes DIR... --detector CKPT --reader CKPT --out FOLDS [--minutes 3]`.

For each shoot of `rummikub_ivory` the two networks trained on renders are tuned, briefly and gently, on the other shoots mixed
with renders; FOLDS/SHOOT then holds models that never saw SHOOT, for `python -m datasets.benchmark --folds FOLDS`. The shoot named
`all` leaves nothing out: what it gives is what ships.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

SHOOTS = ("rummy", "rummy2", "rummy3", "rummy4", "all")
BACKGROUND = "rummyBackground"  # no tiles in it: never trained on, so any fold may judge it


def start(module: str, *arguments: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", f"models.recipes.{module}", *map(str, arguments)])


def run(module: str, *arguments: object) -> None:
    if start(module, *arguments).wait():
        raise SystemExit(f"{module} failed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--detector", type=Path, required=True)
    parser.add_argument("--reader", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shoots", nargs="+", choices=SHOOTS, default=SHOOTS)
    parser.add_argument("--minutes", type=float, default=3, help="of each network and shoot")
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--temperatures", default="{}", help="of the reader, as models.recipes.calibrate prints them")
    given = parser.parse_args()
    base = given.out / "base"
    run("export", "--detector", given.detector, "--reader", given.reader, "--out", base)
    for shoot in given.shoots:
        real, work = given.out / f"{shoot}-labels", given.out / f"{shoot}-runs"
        run("real", real, "--models", base, "--leave-out", shoot, BACKGROUND)
        tuning = [
            start(
                f"train_{net}", "--scenes", *given.scenes, "--real", real, "--real-share", 0.4, "--from", getattr(given, net),
                "--out", work / net, "--minutes", given.minutes, "--rate", given.rate, "--threads", 1,
            )
            for net in ("detector", "reader")
        ]
        if any(process.wait() for process in tuning):
            raise SystemExit(f"tuning without {shoot} failed")
        run("export", "--detector", work / "detector" / "checkpoint.pt", "--reader", work / "reader" / "checkpoint.pt",
            "--temperatures", given.temperatures, "--out", given.out / shoot)
    if (given.out / SHOOTS[0]).is_dir():
        shutil.copytree(given.out / SHOOTS[0], given.out / BACKGROUND, dirs_exist_ok=True)


if __name__ == "__main__":
    main()
