"""What both recipes share: a run that ends by the clock, averages its weights, and can be interrupted and resumed."""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from models.recipes.scenes import TrainingScene, load_scenes, mixed

CHECKPOINT_SECONDS = 120.0
WARM_UP = 0.03  # share of the run
AVERAGING = 0.998  # decay a step of the weights' running mean, which is what gets exported


@dataclass(frozen=True)
class Task:
    """What a recipe is asked to do."""

    scenes: list[TrainingScene]
    out: Path
    minutes: float
    rate: float
    seed: int
    workers: int
    start: Path | None  # a checkpoint to begin from

    @classmethod
    def from_arguments(cls, description: str | None, arguments: Sequence[str] | None = None) -> Task:
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("--scenes", type=Path, nargs="+", default=[], help="folders of rendered scenes")
        parser.add_argument("--real", type=Path, nargs="+", default=[], help="folders made by models.recipes.real")
        parser.add_argument("--real-share", type=float, default=0.5)
        parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint")
        parser.add_argument("--minutes", type=float, default=45)
        parser.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--workers", type=int, default=1, help="processes that prepare samples")
        parser.add_argument("--threads", type=int, help="of the network; two runs of one thread each beat one run of two")
        parser.add_argument("--from", dest="start", type=Path)
        given = parser.parse_args(arguments)
        if given.threads:
            torch.set_num_threads(given.threads)
        rendered = [scene for folder in given.scenes for scene in load_scenes(folder)]
        real = [scene for folder in given.real for scene in load_scenes(folder)]
        scenes = mixed(rendered, real, given.real_share)
        if not scenes:
            parser.error("expected --scenes or --real with pictures in them, got none")
        return cls(scenes, given.out, given.minutes, given.rate, given.seed, given.workers, given.start)


class Run:
    """One training run of `net`. The clock counts the seconds spent inside this run, over all its resumptions."""

    def __init__(self, net: nn.Module, task: Task) -> None:
        task.out.mkdir(parents=True, exist_ok=True)
        self.path, self.seconds, self.rate = task.out / "checkpoint.pt", task.minutes * 60, task.rate
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = net.to(self.device, memory_format=torch.channels_last)
        self.averaged = torch.optim.swa_utils.AveragedModel(net, avg_fn=_running_mean, use_buffers=True)
        self.optimizer = torch.optim.AdamW(net.parameters(), lr=task.rate, weight_decay=0.02)
        self.step, self.spent, self.means = 0, 0.0, {}  # type: int, float, dict[str, float]
        if self.path.exists():
            self._resume()
        elif task.start is not None:
            fresh = _take_over(net, load_weights(task.start))
            print(f"from {task.start}" + (f", fresh: {', '.join(fresh)}" if fresh else ""), flush=True)
            self.averaged.module.load_state_dict(net.state_dict())
        self.last = self.saved = time.perf_counter()

    def _resume(self) -> None:
        state = torch.load(self.path, map_location=self.device, weights_only=True)
        self.net.load_state_dict(state["net"])
        self.averaged.load_state_dict(state["averaged"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.spent = state["step"], state["spent"]
        print(f"resumed at step {self.step}, {self.spent / 60:.1f} min spent", flush=True)

    @property
    def finished(self) -> bool:
        return self.spent >= self.seconds

    def autocast(self) -> contextlib.AbstractContextManager[object]:
        return torch.autocast(self.device.type, torch.bfloat16)

    def _learning_rate(self) -> float:
        """Linear warm-up, then a cosine to one hundredth."""
        done = min(self.spent / self.seconds, 1.0)
        return self.rate * (min(1.0, max(done, 1e-3) / WARM_UP)) * (0.01 + 0.99 * (1 + math.cos(math.pi * done)) / 2)

    def update(self, loss: Tensor, started: float, count: int, **shown: Tensor) -> None:
        """One optimiser step, one line of progress every 100 steps, a checkpoint every two minutes."""
        for group in self.optimizer.param_groups:
            group["lr"] = self._learning_rate()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimizer.step()
        self.averaged.update_parameters(self.net)
        self.step += 1
        now = time.perf_counter()
        self.spent, self.last, elapsed = self.spent + now - self.last, now, now - self.last
        for name, value in {**shown, "a second": torch.tensor(count / elapsed)}.items():
            figure = float(value.detach())
            self.means[name] = 0.98 * self.means.get(name, figure) + 0.02 * figure
        if self.step % 100 == 0:
            figures = "  ".join(f"{name} {value:.4f}" for name, value in self.means.items())
            print(f"step {self.step}  {self.spent / 60:.1f}/{self.seconds / 60:.0f} min  {figures}", flush=True)
        if now - self.saved > CHECKPOINT_SECONDS:
            self.save()

    def save(self) -> None:
        """Written beside and moved, so that an interruption leaves the former checkpoint whole."""
        state = {"net": self.net.state_dict(), "averaged": self.averaged.state_dict(),
                 "optimizer": self.optimizer.state_dict(), "step": self.step, "spent": self.spent}
        beside = self.path.with_suffix(".part")
        torch.save(state, beside)
        os.replace(beside, self.path)
        self.saved = time.perf_counter()

    def close(self) -> None:
        self.save()
        print(f"done: {self.path}, {self.step} steps", flush=True)


def _take_over(net: nn.Module, known: dict[str, Tensor]) -> list[str]:
    """Every weight of an earlier network that still fits; the names of those that begin anew."""
    own = net.state_dict()
    fitting = {name: value for name, value in known.items() if name in own and own[name].shape == value.shape}
    return net.load_state_dict(fitting, strict=False).missing_keys


def _running_mean(mean: Tensor, value: Tensor, steps: Tensor | int) -> Tensor:
    """Exponential, but a plain mean at first: else a short run would ship much of its random beginning."""
    share = max(1 - AVERAGING, 1 / (float(steps) / 3 + 1))
    return mean + (value - mean) * share


def load_weights(checkpoint: Path) -> dict[str, Tensor]:
    """The averaged weights of a checkpoint, as the bare network's state."""
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)["averaged"]
    return {name.removeprefix("module."): value for name, value in state.items() if name != "n_averaged"}
