"""Python's collector of reference cycles, in a process that goes on for days."""

from __future__ import annotations

import gc

NEW_OBJECTS = 20_000  # after which cycles are looked for among them


def spare_the_collector() -> None:
    """Exempt everything that the start has made from garbage collection, and look at new objects
    less often.

    Looking through it over and over took an eighth of the time of each edit, 70 ms at once, and a
    ninth of what a reader of photographs does besides the networks.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
