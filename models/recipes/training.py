"""Training runs that average the network's weights over the steps, and go on where they were
interrupted.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from tqdm import tqdm

from models.recipes.samples import SceneSamples
from models.recipes.scenes import TrainingScene, load_scenes, mixed

CHECKPOINT_SECONDS = 120.0
WARM_UP = 0.03  # share of the run
AVERAGING = 0.998  # decay a step of the weights' running mean, which is what gets exported
PROGRESS = "{desc} {percentage:3.0f} % [{elapsed}, {remaining} left]{postfix}"
CLIP = 5.0  # largest norm of a step's gradient

# (the network's outputs, the batch) -> what to minimise, and the figures to show
Losses = Callable[[Any, dict[str, Tensor]], tuple[Tensor, dict[str, Tensor]]]


@dataclass(frozen=True)
class Task:
    """What a recipe trains on, where and for how long.

    The training ends after `steps` or, where `steps` is None, after `minutes`. `out` is the folder
    of its checkpoint.
    """

    scenes: list[TrainingScene]
    out: Path
    minutes: float = 45
    steps: int | None = None
    rate: float = 2e-3  # highest learning rate
    seed: int = 1
    workers: int = 1  # processes that prepare samples
    start: Path | None = None  # a checkpoint to begin from
    rendered: int = 0  # rendered pictures among the scenes, for the record
    photographs: int = 0  # photographs among the scenes, each counted once, for the record

    @classmethod
    def from_arguments(
        cls, description: str | None, arguments: Sequence[str] | None = None
    ) -> Task:
        """Read `arguments`, by default the command line, and load the scenes that they name.
        `description` is the text shown by --help.

        Ends the program where the folders named hold no pictures.
        """
        parser = _parser(description)
        given = parser.parse_args(arguments)
        if given.threads:
            torch.set_num_threads(given.threads)
        rendered = [scene for folder in given.scenes for scene in load_scenes(folder)]
        real = [scene for folder in given.real for scene in load_scenes(folder)]
        if not rendered + real:
            parser.error("expected --scenes or --real with pictures in them, got none")
        return cls(
            mixed(rendered, real, given.real_share),
            given.out,
            given.minutes,
            given.steps,
            given.rate,
            given.seed,
            given.workers,
            given.start,
            len(rendered),
            len(real),
        )


def _parser(description: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description)
    add = parser.add_argument
    add("--scenes", type=Path, nargs="+", default=[], help="folders of rendered scenes")
    add("--real", type=Path, nargs="+", default=[], help="folders made by models.recipes.real")
    add("--real-share", type=float, default=0.5)
    add("--out", type=Path, required=True, help="folder of the checkpoint")
    add("--minutes", type=float, default=Task.minutes)
    add("--steps", type=int, help="instead of --minutes: the same weights on any machine's clock")
    add("--rate", type=float, default=Task.rate, help="highest learning rate")
    add("--seed", type=int, default=Task.seed)
    add("--workers", type=int, default=Task.workers, help="processes that prepare samples")
    add(
        "--threads",
        type=int,
        help="of the network; two runs of one thread each beat one run of two",
    )
    add("--from", dest="start", type=Path)
    return parser


def train(
    make: type[nn.Module],
    samples: type[SceneSamples],
    losses: Losses,
    scenes_a_step: int,
    task: Task,
) -> None:
    """Train a network of class `make` until the task is done, and leave its checkpoint in
    `task.out`. Each step uses the samples of `scenes_a_step` scenes, drawn by the class `samples`.
    `losses` computes, from the network's outputs and the batch, the loss and the figures to show.
    """
    torch.manual_seed(task.seed)
    run = Run(make(), task)
    batches = samples(task.scenes, task.seed).batches(scenes_a_step, run.step, task.workers)
    while run.done < 1:
        batch = {
            key: value.to(run.device, non_blocking=True) for key, value in next(batches).items()
        }
        picture = batch["picture"].float().div(255).contiguous(memory_format=torch.channels_last)
        # The seed of dropout: a resumed run drops what an unbroken one would.
        torch.manual_seed(task.seed + run.step)
        with torch.autocast(run.device.type, torch.bfloat16, _computes_in_bfloat16(run.device)):
            outputs = run.net(picture)
        loss, figures = losses(outputs, batch)
        run.update(loss, {**figures, "loss": loss}, len(picture))
    run.save()
    print(f"done: {run.path}, {run.step} steps", flush=True)


def _computes_in_bfloat16(device: torch.device) -> bool:
    """Tell whether the device computes in bfloat16 as fast as in full precision. On processors
    without instructions for it a step takes many times as long.
    """
    return device.type != "cpu" or torch.ops.mkldnn._is_mkldnn_bf16_supported()  # type: ignore[no-any-return]


class Run:
    """One training run of `net`.

    `spent` counts the seconds of training, including those before an interruption.
    """

    def __init__(self, net: nn.Module, task: Task) -> None:
        task.out.mkdir(parents=True, exist_ok=True)
        self.task, self.path = task, task.out / "checkpoint.pt"
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = net.to(self.device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.averaged = torch.optim.swa_utils.AveragedModel(
            net, avg_fn=_running_mean, use_buffers=True
        )
        self.optimizer = torch.optim.AdamW(net.parameters(), lr=task.rate, weight_decay=0.02)
        self.step, self.spent = 0, 0.0
        self.means: dict[str, float] = {}
        # The rounds of training of the weights that this run began from.
        self.before: list[dict[str, Any]] = []
        if self.path.exists():
            self._resume()
        elif task.start is not None:
            self._begin_from(task.start)
        self.last = self.saved = time.perf_counter()
        self._bar = tqdm(total=100, desc=task.out.name, unit="%", bar_format=PROGRESS)

    def _resume(self) -> None:
        state = _load(self.path)
        self.net.load_state_dict(state["net"])
        self.averaged.load_state_dict(state["averaged"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step = state["step"]
        self.spent = state["spent"]
        self.before = state.get("rounds", [])[:-1]
        print(f"resumed at step {self.step}, {self.spent / 60:.1f} min spent", flush=True)

    def _begin_from(self, start: Path) -> None:
        fresh = _take_over(self.net, load_weights(start))
        print(f"from {start}" + (f", fresh: {', '.join(fresh)}" if fresh else ""), flush=True)
        self.averaged.module.load_state_dict(self.net.state_dict())
        self.before = load_rounds(start)

    @property
    def done(self) -> float:
        """The share of the task that is done, 0 to 1; it may end a little above 1."""
        return (
            self.step / self.task.steps
            if self.task.steps
            else self.spent / (60 * self.task.minutes)
        )

    def _learning_rate(self) -> float:
        """Return the learning rate: linear warm-up, then a cosine down to a hundredth of the
        highest.
        """
        done = min(self.done, 1.0)
        return (
            self.task.rate
            * (min(1.0, max(done, 1e-3) / WARM_UP))
            * (0.01 + 0.99 * (1 + math.cos(math.pi * done)) / 2)
        )

    def update(self, loss: Tensor, figures: dict[str, Tensor], count: int) -> None:
        """Make one step of the optimiser with the gradient of `loss`; now and then show progress
        and write a checkpoint.

        `figures` are the figures to show by name, each a mean over the step's samples; `count` is
        how many pictures the step used.
        """
        for group in self.optimizer.param_groups:
            group["lr"] = self._learning_rate()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.net.parameters(), CLIP)
        self.optimizer.step()
        self.averaged.update_parameters(self.net)
        self.step += 1
        now = time.perf_counter()
        self.spent, self.last, elapsed = self.spent + now - self.last, now, now - self.last
        for name, figure in {
            **{key: float(value.detach()) for key, value in figures.items()},
            "a second": count / elapsed,
        }.items():
            self.means[name] = 0.98 * self.means.get(name, figure) + 0.02 * figure
        self._bar.set_postfix({"step": self.step, **self.means}, refresh=False)
        self._bar.update(100 * min(self.done, 1.0) - self._bar.n)
        if now - self.saved > CHECKPOINT_SECONDS:
            self.save()

    def save(self) -> None:
        """Write the checkpoint from which an interrupted run goes on."""
        task = self.task
        this = {
            "rendered": task.rendered,
            "photographs": task.photographs,
            "steps": self.step,
            "minutes": round(self.spent / 60, 1),
            "rate": task.rate,
            "seed": task.seed,
        }
        state = {
            "net": self.net.state_dict(),
            "averaged": self.averaged.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "spent": self.spent,
            "rounds": [*self.before, this],
        }
        _save(state, self.path)
        self.saved = time.perf_counter()


def _take_over(net: nn.Module, known: dict[str, Tensor]) -> list[str]:
    """Load into `net` the weights that an earlier network had, `known`, as far as name and shape
    fit. Returns the names of the weights of `net` that were not loaded.
    """
    own = net.state_dict()
    fitting = {
        name: value
        for name, value in known.items()
        if name in own and own[name].shape == value.shape
    }
    return list(net.load_state_dict(fitting, strict=False).missing_keys)


def _running_mean(mean: Tensor, value: Tensor, steps: Tensor | int) -> Tensor:
    """Return the next running mean of a weight: `mean`, the running mean so far, moved towards the
    new `value` by a share. As the number of `steps` grows, the share falls to a small fixed one.

    With the small share from the start, a short run would ship much of its random beginning.
    """
    share = max(1 - AVERAGING, 1 / (float(steps) / 3 + 1))
    return mean + (value - mean) * share


def _load(checkpoint: Path) -> dict[str, Any]:
    state: dict[str, Any] = torch.load(checkpoint, map_location="cpu", weights_only=True)
    return state


def load_weights(checkpoint: Path) -> dict[str, Tensor]:
    """Load the averaged weights of a checkpoint, by name as `load_state_dict` of the network takes
    them.
    """
    return {
        name.removeprefix("module."): value
        for name, value in _load(checkpoint)["averaged"].items()
        if name != "n_averaged"
    }


def save_weights(net: nn.Module, checkpoint: Path, rounds: Sequence[dict[str, Any]] = ()) -> None:
    """Write the weights of a network as a checkpoint that a run can begin from.

    `rounds` describes the rounds of training that the weights went through, the oldest first: a
    dictionary for each round, as `Run` writes it into its checkpoint.
    """
    averaged = {f"module.{name}": value for name, value in net.state_dict().items()}
    _save({"averaged": averaged, "rounds": list(rounds)}, checkpoint)


def _save(state: dict[str, Any], checkpoint: Path) -> None:
    """Write a checkpoint under another name and then move it into place, so that an interruption
    or a full disk leaves the previous checkpoint whole, or none.
    """
    beside = checkpoint.with_suffix(".part")
    torch.save(state, beside)
    os.replace(beside, checkpoint)


def load_rounds(checkpoint: Path) -> list[dict[str, Any]]:
    """Return the rounds of training that the weights of a checkpoint went through, the oldest
    first; empty where that was not recorded. A round is a dictionary with the numbers of pictures
    and steps, the minutes, the learning rate and the seed.
    """
    return list(_load(checkpoint).get("rounds", []))
