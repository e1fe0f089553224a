"""From the usual detector of tiles to that for views from low above the table: `python -m
models.recipes.low --out DIR --models DIR [--minutes 150]`.

All stages together take about `--minutes`. The scenes are tables seen from low, and such with a
printed top; `models.recipes.view_detectors` tells the stages. The detector is written as ONNX
beside the usual networks in `--models`.
"""

from __future__ import annotations

from pathlib import Path

from datasets.scene import SceneConfig
from models.recipes.command import run_command
from models.recipes.view_detectors import Scenes, train_detector_of
from vision.kinds import LOW_TILES, TILES

PLAIN = SceneConfig(768, 768, tile_px=(12, 70), elevation=(10, 42), jpeg=False)
PRINTED = SceneConfig(768, 768, tile_px=(16, 100), elevation=(12, 60), jpeg=False, prints=0.9)
SCENES = (Scenes("scenes", PLAIN), Scenes("prints", PRINTED, 0.4))


def run(out: Path, models: Path, minutes: float) -> None:
    train_detector_of(LOW_TILES, TILES, SCENES, out, models, minutes)


def main() -> None:
    run_command(
        run,
        "models.recipes.low",
        __doc__,
        "the usual networks of tiles; the detector for views from low goes there",
    )


if __name__ == "__main__":
    main()
