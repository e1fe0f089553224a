"""Times the rules: `python -m datasets.benchmark.rules` prints one line for each figure, with its
limit. The time of 10,000 judged lines is the user and system time of the `burako judge` process,
its start included.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from engine import (
    FACE_INDEX,
    FACES,
    RULESETS,
    Side,
    Tile,
    best_candidates,
    ruleset,
    score_hand,
    tiles,
)

SEED = 20
LINES = 10_000
BURAKO = [str(Path(sys.executable).with_name("burako")), "judge", "--json"]
TABLE = [
    tiles(row)
    for row in (
        "3R 4R 5R 6R 7R 8R 9R",
        "1B 2B 3B 4B",
        "9K J 11K 12K",
        "5R 5B 5B",
        "13Y 13K 13R 13B 2K",
        "6Y 7Y 8Y 9Y 10Y",
        "12R 13R 1R",
        "4K 5K 6K",
        "8B 9B 10B 11B 12B 13B 1B",
        "7Y 7K 7K",
    )
]


def random_case(rng: random.Random, number: int) -> dict[str, object]:
    """Make a random case for `burako judge` about a meld: a run of 3 to 8 tiles, such a run whose
    first two tiles have changed places, a pierna of 3 or 4 tiles, or any 3 to 8 tiles. `number`
    becomes the case's `id`.
    """
    size, colour = rng.randint(3, 8), rng.choice("RBKY")
    low = rng.randint(1, 14 - size)
    run = [f"{low + step}{colour}" for step in range(size)]
    swapped = [run[1], run[0], *run[2:]]
    pierna = [f"{low}{each}" for each in "RBKY"[: rng.randint(3, 4)]]
    anything = [str(rng.choice(FACES)) for _ in range(size)]
    row = rng.choice((run, swapped, pierna, anything))
    kind = {"tiles": row, "ordered": rng.random() < 0.8}
    return {"id": number, "kind": "meld", "ruleset": rng.choice(list(RULESETS)), "input": kind}


def judged_lines(count: int) -> tuple[float, float]:
    """Run `burako judge` on `count` random cases. Returns its processor time and the elapsed time,
    both in seconds.
    """
    rng = random.Random(SEED)
    text = "".join(json.dumps(random_case(rng, number)) + "\n" for number in range(count))
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(BURAKO, input=text.encode(), stdout=subprocess.DEVNULL, check=True)
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def best_of(repeats: int, job: Callable[[], object]) -> float:
    """Run `job` `repeats` times, and return the processor time of the quickest run in seconds."""
    seconds = []
    for _ in range(repeats):
        started = time.process_time()
        job()
        seconds.append(time.process_time() - started)
    return min(seconds)


def score_table() -> object:
    side = Side(tuple(TABLE), (tiles("9B"), tiles("J 4Y")), muerto_taken=True)
    return score_hand({"A": side, "B": side}, None, ruleset("burako"))


def uncertain(tile: Tile, rng: random.Random) -> list[float]:
    """Make log-scores like a reader's for one tile, in the order of FACES: the true face is clear,
    and all other faces are about equally unlikely.
    """
    scores = [rng.gauss(-9, 1) for _ in FACES]
    scores[FACE_INDEX[tile]] = -0.01
    return scores


def read_rows(rows: list[list[list[float]]]) -> None:
    for row in rows:
        best_candidates(row, ruleset("burako"))


def main() -> None:
    rng = random.Random(SEED)
    rows = [[uncertain(tile, rng) for tile in row] for row in (*TABLE, *TABLE)]
    rows[0] = [uncertain(Tile(place % 13 + 1, "Y"), rng) for place in range(14)]
    figures = [
        (f"{LINES:,} lines of burako judge, process time", judged_lines(LINES)[0], 2.0),
        ("burako judge on one line, wall time", min(judged_lines(1)[1] for _ in range(5)), 0.150),
        ("a table of 20 melds judged and scored", best_of(50, score_table), 0.001),
        (f"{len(rows)} rows of up to 14 tiles read", best_of(10, lambda: read_rows(rows)), 0.010),
    ]
    for name, seconds, limit in figures:
        print(f"{name:<48} {1000 * seconds:9.2f} ms   limit {1000 * limit:6.0f} ms")


if __name__ == "__main__":
    main()
