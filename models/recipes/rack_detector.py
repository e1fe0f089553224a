"""From the detector of tiles for views from low to that for racks: `python -m
models.recipes.rack_detector --out DIR --models DIR [--minutes 150]`.

All stages together take about `--minutes`. The scenes are racks, more than half of them on a
printed table top; `models.recipes.view_detectors` tells the stages. The detector is written as ONNX
beside the other networks in `--models`.
"""

from __future__ import annotations

from pathlib import Path

from models.recipes.command import run_command
from models.recipes.second_look import PICTURE, rack
from models.recipes.view_detectors import Scenes, train_detector_of
from vision.kinds import LOW_TILES, RACK_TILES

ON_RACKS = PICTURE(tile_px=(14, 70), empty=0.03, elevation=(12, 75), prints=0.6, fill=rack)
SCENES = (Scenes("scenes", ON_RACKS),)


def run(out: Path, models: Path, minutes: float) -> None:
    train_detector_of(RACK_TILES, LOW_TILES, SCENES, out, models, minutes)


def main() -> None:
    run_command(
        run,
        "models.recipes.rack_detector",
        __doc__,
        "the networks of tiles; the detector for racks goes there",
    )


if __name__ == "__main__":
    main()
