"""How far a long run is: whole lines, so that two runs side by side, a terminal and a log file all
stay legible.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

EVERY = 15.0  # seconds between two lines
WIDTH = 24  # characters of the bar

Item = TypeVar("Item")


def line(name: str, share: float, spent: float) -> str:
    """`name [####----]  50 %  1.2 min, 1.2 left`: `share` done in `spent` seconds; the rest is
    taken to go as fast.
    """
    share = min(max(share, 0.0), 1.0)
    left = f"{spent * (1 / share - 1) / 60:.1f} left" if share > 0 else "just begun"
    return (
        f"{name} [{'#' * round(share * WIDTH):-<{WIDTH}}] {share:4.0%}  {spent / 60:.1f} min,"
        f" {left}"
    )


def told(items: Iterable[Item], total: int, name: str) -> Iterator[Item]:
    """The items as they come, a line on standard error now and then and at the end."""
    started = last = time.monotonic()
    for done, item in enumerate(items, 1):
        yield item
        now = time.monotonic()
        if now - last >= EVERY or done == total:
            last = now
            print(
                f"{line(name, done / total, now - started)}, {done} of {total}",
                file=sys.stderr,
                flush=True,
            )
