"""From the networks of tiles to those of cards: `python -m models.recipes.cards --out DIR --models
DIR [--minutes 150]`.

All stages together take about `--minutes`. Tables of cards are rendered. Both networks, detector
and reader, are trained on them side by side, beginning with the networks of tiles. Places that the
detector wrongly takes for indices are collected, and both networks are trained further. The
detector is trained once more, on scenes and on photographs of whole hands, and the mean of its
weights before and after this is taken. The reader's last layers are fitted to what the detector
finds on further scenes and hands. Temperatures are fitted on scenes and hands kept back. Both
networks are written as ONNX beside those of tiles in `--models`. At last they are made to compute
with whole numbers, which takes some minutes more. Every stage leaves its result in OUT, so a run
that was interrupted goes on with the same command.
"""

from __future__ import annotations

import json
from pathlib import Path

from datasets.cards import hands
from datasets.cards.area import Laid
from datasets.cards.generate import write_block
from datasets.cards.scene import CardConfig
from datasets.generate import Job, generate
from engine.pieces import Pieces
from models.recipes import calibrate, mine
from models.recipes.command import announce, run_command
from models.recipes.plan import FURTHER_SEED, KEPT_BACK_SEED, SEED, WORKERS, planned
from models.recipes.scenes import BLANKS, load_scenes
from models.recipes.stages import (
    Checkpoints,
    Round,
    averaged,
    beginning,
    export,
    let_compute_in_whole_numbers,
    refit,
)
from vision.kinds import CARDS

# Shares of the minutes; the rest goes to first checkpoints, mining, calibration and exports.
SCENES, BASE, TUNING, ON_HANDS = 0.25, 0.3, 0.18, 0.1
FURTHER = 4  # times as many scenes are trained on as the last layers are fitted on
A_HAND = 20  # scenes to each whole hand, of four photographs, that a network learns
HANDS_DRAWN = 4  # the detector sees a photograph of a hand so many times as often as a scene
HANDS_KEPT_BACK = 1 / 4  # hands for the temperatures, per hand that the last layers learn
BASE_RATE, TUNING_RATE, ON_HANDS_RATE = 1.5e-3, 1e-3, 6e-4
# More jollies than two packs hold, since jollies differ from pack to pack.
CONFIG = CardConfig(card_px=(90, 420), jollies=8)
STAGES = 8


def render(out: Path, seed: int, count: int) -> Path:
    generate(Job(out, seed, range(count), CONFIG), WORKERS, write_block)
    return out


def render_hands(out: Path, seed: int, count: int, laid: Laid = Laid.COLUMNS) -> Path:
    """Render `count` whole hands with cards, from the seed `seed`, into the folder `out`, and
    return the folder. `laid` tells how melds lie. Nothing is rendered where it already holds hands.
    """
    if not (out / hands.HANDS).exists():
        hands.render_all(out, count, seed, hands.HandConfig(laid=laid))
    return out


def with_detector_of_hands(
    out: Path, tuned: Checkpoints, scenes: Path, count: int, minutes: float
) -> Checkpoints:
    """Train the detector further for `minutes`, on the folder `scenes` of `count` scenes and on
    rendered photographs of whole hands, one hand for every A_HAND scenes.

    All results are written into the folder `out`. Returns the checkpoints `tuned` with another
    detector, whose weights are the mean of those before and after this training.
    """
    whole_hands = render_hands(out / "hands-of-detector", SEED, max(1, count // A_HAND))
    folders = (scenes, *[whole_hands] * HANDS_DRAWN)
    detector = ("detector",)
    further = Round(
        folders, out, minutes, ON_HANDS_RATE, start=tuned, kind=CARDS, networks=detector
    )
    return averaged(tuned, further.run(), out / "mean", CARDS)


def with_fitted_reader(out: Path, tuned: Checkpoints, scenes: int) -> Checkpoints:
    """Render `scenes` further scenes and some whole hands into folders in `out`, and fit the last
    layers of the tuned reader on them. Returns the checkpoints `tuned` with the fitted reader in
    place of the tuned one.
    """
    further = render(out / "further", FURTHER_SEED, max(1, scenes))
    whole_hands = render_hands(out / "hands", FURTHER_SEED, max(1, scenes // A_HAND))
    exported = export(tuned, out / "tuned", kind=CARDS)
    return refit(tuned, (further, whole_hands), exported, CARDS)


def run(out: Path, models: Path, minutes: float) -> None:
    announce(1, STAGES, f"rendering scenes, about {minutes * SCENES:.1f} min")
    plan = planned(out, minutes, SCENES, render)
    scenes = render(out / "scenes", SEED, plan.scenes)
    kept_back = render(out / "kept-back", KEPT_BACK_SEED, plan.kept_back)

    announce(2, STAGES, f"training both networks on {plan.scenes} scenes, {minutes * BASE:.1f} min")
    start = beginning(out / "beginning", models, scenes, Pieces.CARDS)
    based = Round((scenes,), out / "base", minutes * BASE, BASE_RATE, start=start, kind=CARDS).run()

    announce(3, STAGES, "mining what is no index")
    base = export(based, out / "base", kind=CARDS)
    if not (scenes / BLANKS).exists():
        blanks = mine.mine(scenes, base, CARDS)
        print(f"{blanks} places that look like indices and are none", flush=True)

    announce(4, STAGES, f"training both further, {minutes * TUNING:.1f} min")
    tuned = Round(
        (scenes,), out / "tuned", minutes * TUNING, TUNING_RATE, start=based, kind=CARDS
    ).run()

    announce(5, STAGES, f"training the detector on whole hands, {minutes * ON_HANDS:.1f} min")
    tuned = with_detector_of_hands(out / "on-hands", tuned, scenes, plan.scenes, minutes * ON_HANDS)

    announce(6, STAGES, "fitting the reader's last layers to what the detector finds")
    refitted = with_fitted_reader(out, tuned, plan.scenes // FURTHER)

    announce(7, STAGES, "fitting the temperatures")
    uncalibrated = export(refitted, out / "refitted", kind=CARDS)
    count = max(1, round(plan.scenes / FURTHER / A_HAND * HANDS_KEPT_BACK))
    other_hands = render_hands(out / "hands-kept-back", KEPT_BACK_SEED, count)
    unseen = [*load_scenes(kept_back), *load_scenes(other_hands)]
    fitted = json.dumps(calibrate.temperatures(unseen, uncalibrated, CARDS))

    announce(8, STAGES, f"writing both networks to {models}, temperatures {fitted}")
    export(refitted, models, fitted, CARDS)
    let_compute_in_whole_numbers(models)


def main() -> None:
    run_command(
        run, "models.recipes.cards", __doc__, "the networks of tiles; those of cards go there"
    )


if __name__ == "__main__":
    main()
