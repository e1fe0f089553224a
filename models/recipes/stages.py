"""The steps that trainings share, such as that of the networks of tiles (`models.recipes`), that
of the networks of cards (`models.recipes.cards`), and that of networks which never see the
photographs of one shoot (`models.recipes.folds`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.pieces import Pieces
from models.recipes.command import option_of
from vision.kinds import KINDS, TILES, Kind

NETWORKS = ("detector", "reader")
TRAINERS = {
    Pieces.TILES: {
        "detector": "train_detector",
        "reader": "train_reader",
        "direction": "train_direction",
        "second_look": "train_second_look",
    },
    Pieces.CARDS: {
        "detector": "train_card_detector",
        "reader": "train_reader",
        "second_look": "train_card_second_look",
        "column_ends": "train_column_ends",
        "column_gaps": "train_column_gaps",
    },
}

Checkpoints = Mapping[str, Path]  # the checkpoints of networks by their names in NETWORKS


@dataclass(frozen=True)
class Round:
    """One training of both networks, or of one of them, for `minutes` each, on the rendered scenes
    in the folders `scenes`. With `real`, a folder of labelled photographs, `real_share` of the
    pictures are drawn from there. The training begins from the checkpoints `start`, or with random
    weights where that is None; `rate` is its highest learning rate. Its results lie in the folder
    `out`.
    """

    scenes: tuple[Path, ...]
    out: Path
    minutes: float
    rate: float  # highest learning rate
    real: Path | None = None  # photographs as models.recipes.real labels them
    real_share: float = 0.0  # of photographs among the pictures drawn
    start: Checkpoints | None = None  # to begin from; None: with random weights
    kind: Kind = TILES
    networks: tuple[str, ...] = NETWORKS  # those that are trained

    @property
    def checkpoints(self) -> Checkpoints:
        trained = {net: self.out / net / "checkpoint.pt" for net in self.networks}
        return {**(self.start or {}), **trained}

    def command(self, net: str) -> list[str]:
        # On two cores, two networks of one thread side by side take 65-80 % of the time of one
        # after the other with two threads.
        half = max(1, (os.cpu_count() or 2) // 2)
        told: list[object] = ["--scenes", *self.scenes, "--out", self.out / net]
        told += ["--minutes", self.minutes, "--rate", self.rate]
        told += ["--threads", half, "--workers", max(1, half // 2)]
        if self.real is not None:
            told += ["--real", self.real, "--real-share", self.real_share]
        if self.start is not None:
            told += ["--from", self.start[net]]
        recipe = TRAINERS[self.kind.pieces][net]
        return [sys.executable, "-m", f"models.recipes.{recipe}", *map(str, told)]

    def run(self) -> Checkpoints:
        """Train the networks side by side, going on where an earlier run stopped. Returns the
        checkpoints of both networks; a network that is not trained keeps the checkpoint in `start`.

        Raises SystemExit where a training fails.
        """
        running = {net: subprocess.Popen(self.command(net)) for net in self.networks}
        try:
            while any(process.poll() is None for process in running.values()):
                failed = [net for net, process in running.items() if process.poll()]
                if failed:
                    raise SystemExit(f"training of the {' and '.join(failed)} failed")
                time.sleep(0.5)
        finally:
            for process in running.values():
                process.terminate()
                process.wait()
        return self.checkpoints


def beginning(
    out: Path, models: Path, scenes: Path, pieces: Pieces, networks: Kind = TILES
) -> Checkpoints:
    """Turn the `networks`, those of tiles that the training begins with, in the folder `models`
    into checkpoints in the folder `out`. The training is on other `pieces`, other sets of tiles or
    other views. Where both checkpoints are there already, they are taken as they are; otherwise
    `models.recipes.warm` makes both with pictures of the folder `scenes`.

    Raises SystemExit where the networks of tiles cannot be used.
    """
    begun = KINDS[pieces]
    checkpoints = {net: out / f"{getattr(begun, net)}.pt" for net in NETWORKS}
    if not all(path.exists() for path in checkpoints.values()):
        told = ["--models", str(models), "--scenes", str(scenes), "--out", str(out)]
        command = [sys.executable, "-m", "models.recipes.warm", *told, "--pieces", pieces.value]
        command += option_of(networks)
        if subprocess.run(command, check=False).returncode:
            raise SystemExit(f"expected the networks of tiles in {models}, could not begin there")
    return checkpoints


def export(
    checkpoints: Checkpoints, out: Path, temperatures: str = "{}", kind: Kind = TILES
) -> Path:
    """Write the networks of a kind of which there are `checkpoints` as ONNX to the folder `out`,
    and return the folder. `temperatures` are those of the reader's heads by name, as JSON.

    The networks are written by a process of their own, whose end frees the memory of PyTorch.
    Raises SystemExit where this process fails.
    """
    told = [argument for net, path in checkpoints.items() for argument in (f"--{net}", str(path))]
    told += ["--out", str(out), "--temperatures", temperatures, "--pieces", kind.pieces.value]
    command = [sys.executable, "-m", "models.recipes.export", *told]
    command += option_of(kind)
    if subprocess.run(command, check=False).returncode:
        raise SystemExit(f"export to {out} failed")
    return out


def let_compute_in_whole_numbers(models: Path) -> None:
    """Let readers and the detector of cards in the folder `models` compute with whole numbers, as
    `models.recipes.whole_numbers` does. It is done by a process of its own, whose end frees the
    memory. Raises SystemExit where this process fails.
    """
    print("the networks come to compute with whole numbers, some minutes more", flush=True)
    command = [sys.executable, "-m", "models.recipes.whole_numbers", "--models", str(models)]
    if subprocess.run(command, check=False).returncode:
        raise SystemExit(f"the networks in {models} could not be made to use whole numbers")


def averaged(before: Checkpoints, after: Checkpoints, out: Path, kind: Kind) -> Checkpoints:
    """Write the mean of two detectors, those of the checkpoints `before` and `after`, to the folder
    `out`. Returns the checkpoints `after` with the mean in place of their detector.

    Raises SystemExit where the mean cannot be written.
    """
    both = ["--before", str(before["detector"]), "--after", str(after["detector"])]
    command = [sys.executable, "-m", "models.recipes.average", *both, "--out", str(out)]
    if subprocess.run([*command, "--pieces", kind.pieces.value], check=False).returncode:
        raise SystemExit("averaging two detectors failed")
    return {**after, "detector": out / "checkpoint.pt"}


def refit(
    checkpoints: Checkpoints, scenes: Sequence[Path], models: Path, kind: Kind
) -> Checkpoints:
    """Fit the last layers of the reader to what the networks in the folder `models` find. Returns
    `checkpoints` with the checkpoint of the fitted reader in place of the reader's earlier one.

    `scenes` are folders that no network has seen. Where an earlier run has already fitted the
    reader, its result is returned. Raises SystemExit where the fitting fails.
    """
    out = models / "refit"
    fitted = {**checkpoints, "reader": out / "checkpoint.pt"}
    if fitted["reader"].exists():
        return fitted
    told = ["--scenes", *scenes, "--models", models, "--from", checkpoints["reader"], "--out", out]
    command = [sys.executable, "-m", "models.recipes.refit", *map(str, told)]
    if subprocess.run([*command, "--pieces", kind.pieces.value], check=False).returncode:
        raise SystemExit("fitting the last layers of the reader failed")
    return fitted
