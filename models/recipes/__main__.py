"""From nothing to two trained networks: `python -m models.recipes --out DIR --models DIR
[--minutes 150]`.

Scenes are rendered, both networks trained on them side by side, what they wrongly take for
faces is mined, both are tuned on renders and the photographs of ../shared, temperatures fitted
on scenes kept back, and both written as ONNX with a manifest. Every stage leaves its result in
OUT, so a run that was broken off goes on with the same command.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from datasets.generate import SCENES_PER_SET, Job, generate, write_block
from datasets.photos import PhotosMissing
from datasets.scene import SceneConfig
from models.recipes import calibrate, inks, mine, real
from models.recipes.folds import BACKGROUND
from models.recipes.scenes import BLANKS, LABELS, load_scenes, write_whole
from models.recipes.stages import Round, export

# What part of the minutes each stage gets; of the scenes more than MOST_SCENES gave nothing.
SCENES, BASE, TUNING = 0.22, 0.5, 0.2  # the rest: mining, calibration, exports
MOST_SCENES = 12_000
KEPT_BACK = 1 / 40  # scenes for the temperatures, against those trained on
TRIAL = 4 * SCENES_PER_SET  # scenes after which the pace of rendering is known
BASE_RATE, TUNING_RATE = 2e-3, 7e-4
REAL_SHARE = 0.2  # of the pictures seen in tuning: experiment 15
SEED, KEPT_BACK_SEED = 300, 301
CONFIG = SceneConfig(768, 768, tile_px=(24, 140), jpeg=False)
WORKERS = 2


@dataclass(frozen=True)
class Plan:
    """How much of everything a training takes. It is kept in OUT/plan.json, so that a resumed run
    does the same.
    """

    minutes: float
    scenes: int
    kept_back: int


def render(out: Path, seed: int, count: int) -> Path:
    generate(Job(out, seed, range(count), CONFIG), WORKERS, write_block)
    return out


def planned(out: Path, minutes: float) -> Plan:
    """Return the plan of a run begun before, or make a new one after measuring the pace of
    rendering.
    """
    kept = out / "plan.json"
    if kept.exists():
        plan = Plan(**json.loads(kept.read_text("utf-8")))
        if plan.minutes != minutes:
            raise SystemExit(
                f"expected --minutes {plan.minutes:g}, as the run in {out} was begun, got"
                f" {minutes:g}"
            )
        return plan
    started = time.monotonic()
    render(out / "scenes", SEED, TRIAL)
    each = (time.monotonic() - started) / TRIAL
    affordable = int(60 * minutes * SCENES / each) // SCENES_PER_SET * SCENES_PER_SET
    scenes = min(max(affordable, TRIAL), MOST_SCENES)
    plan = Plan(minutes, scenes, max(TRIAL, round(scenes * KEPT_BACK)))
    write_whole(kept, json.dumps(asdict(plan)))
    return plan


def announce(number: int, what: str) -> None:
    print(f"\n{time.strftime('%H:%M')}  {number}/6  {what}", flush=True)


def labelled_photographs(out: Path, base: Path) -> Path | None:
    """Return the photographs with reading directions; None where there are none."""
    if not (out / LABELS).exists():
        try:
            real.label(out, base, (BACKGROUND,))
        except PhotosMissing as missing:
            print(f"tuning on rendered scenes alone: {missing}", flush=True)
            return None
    return out


def run(out: Path, models: Path, minutes: float) -> None:
    announce(1, f"rendering scenes, about {minutes * SCENES:.1f} min")
    plan = planned(out, minutes)
    scenes = render(out / "scenes", SEED, plan.scenes)
    kept_back = render(out / "kept-back", KEPT_BACK_SEED, plan.kept_back)

    announce(2, f"training both networks on {plan.scenes} scenes, {minutes * BASE:.1f} min")
    trained = Round((scenes,), out / "base", minutes * BASE, BASE_RATE).run()

    announce(3, "mining what is no face")
    base = export(trained, out / "base")
    if not (scenes / BLANKS).exists():
        print(f"{mine.mine(scenes, base)} places that look like faces and are none", flush=True)

    announce(4, f"tuning both, {minutes * TUNING:.1f} min")
    photographs = labelled_photographs(out / "photographs", base)
    tuned = Round(
        (scenes,), out / "tuned", minutes * TUNING, TUNING_RATE, photographs, REAL_SHARE, trained
    ).run()

    announce(5, "fitting the temperatures")
    fitted = json.dumps(
        calibrate.temperatures(load_scenes(kept_back), export(tuned, out / "tuned"))
    )

    announce(6, f"writing both networks to {models}, temperatures {fitted}")
    export(tuned, models, fitted)
    print(
        "for vision.colour.INKS, which goes with this reader:"
        f" {inks.fitted(load_scenes(kept_back), models)}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m models.recipes", description=__doc__)
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        help="folder of the run: scenes, checkpoints, in-between results",
    )
    parser.add_argument(
        "--models", type=Path, required=True, help="folder the finished networks are written to"
    )
    parser.add_argument(
        "--minutes",
        type=float,
        default=150,
        help="in all, roughly; 10 make a small run that shows every stage",
    )
    given = parser.parse_args()
    # So that the trainers are ended as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    run(given.out, given.models, given.minutes)


if __name__ == "__main__":
    main()
