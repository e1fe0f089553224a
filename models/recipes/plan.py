"""How many scenes are rendered for a training of a given number of minutes. The plan is kept in the
folder of the run.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from datasets.generate import SCENES_PER_SET
from models.recipes.scenes import write_whole

MOST_SCENES = 12_000  # more of them gained nothing
KEPT_BACK = 1 / 40  # scenes for the temperatures, for each scene trained on
TRIAL = 4 * SCENES_PER_SET  # scenes after which the pace of rendering is known
SEED, KEPT_BACK_SEED, FURTHER_SEED = 300, 301, 302
WORKERS = 2  # processes that render

Render = Callable[[Path, int, int], Path]  # folder, seed, number of scenes -> the folder


@dataclass(frozen=True)
class Plan:
    """How many scenes a training of `minutes` renders to train on, and how many more it keeps back
    to fit the temperatures.

    The plan is kept in OUT/plan.json, so that a resumed run uses the same numbers.
    """

    minutes: float
    scenes: int
    kept_back: int


def planned(out: Path, minutes: float, share: float, render: Render) -> Plan:
    """Return the plan of the run in the folder `out` where it was begun before, else make a new
    one.

    A new plan gives `share` of the minutes to rendering. To learn how many scenes can be rendered
    in this time, the first few scenes are rendered by `render`, a function of folder, seed and
    number of scenes. Raises SystemExit where the run was begun with other minutes.
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
    affordable = int(60 * minutes * share / each) // SCENES_PER_SET * SCENES_PER_SET
    scenes = min(max(affordable, TRIAL), MOST_SCENES)
    plan = Plan(minutes, scenes, max(TRIAL, round(scenes * KEPT_BACK)))
    write_whole(kept, json.dumps(asdict(plan)))
    return plan
