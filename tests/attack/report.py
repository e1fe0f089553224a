"""The report of one part of the attack: how often it tried, and what it found."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass
class Report:
    """How often a part of the attack tried, the faults it found, and the figures it measured."""

    part: str
    tried: int = 0
    faults: list[str] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)
    left_out: str = ""

    def expect(self, holds: bool, fault: str) -> None:
        """Note `fault` unless the promise `holds`."""
        if not holds:
            self.faults.append(fault)

    def lines(self) -> list[str]:
        """Describe the part for a person: one line for it, and one more for each of the first
        faults.
        """
        figures = ", ".join(f"{name} {value:g}" for name, value in self.figures.items())
        outcome = f"left out: {self.left_out}" if self.left_out else f"{len(self.faults)} faults"
        head = f"{self.part}: {self.tried} tried, {outcome}"
        return [f"{head}; {figures}" if figures else head, *(f"  {f}" for f in self.faults[:20])]


class Deadline:
    """The end of a part's time, on the monotonic clock."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def is_over(self) -> bool:
        return time.monotonic() >= self._end

    def wait(self) -> None:
        """Wait until the time is over."""
        time.sleep(max(0.0, self._end - time.monotonic()))

    def left(self) -> float:
        """Seconds left, never below zero."""
        return max(0.0, self._end - time.monotonic())
