"""Draws a random sample of mutants, tries each, and writes which survive."""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from queue import SimpleQueue

from tests.mutants.listing import Mutant, mutate, one_for_each_place, sites_of
from tests.mutants.report import read_reasons, summary, write_survivors
from tests.mutants.rooms import ROOMS, Room, room_of
from tests.mutants.running import Copy
from tests.mutants.tracing import Trace
from tests.places import PROJECT

RESULTS = PROJECT / "var" / "mutants.jsonl"
SAMPLE, SEED = 400, 12


def main() -> None:
    options = _options()
    files = options.files or [
        path for room in ROOMS if options.room in (None, room.name) for path in room.files()
    ]
    sites = [site for path in sorted(files) for site in sites_of(path)]
    drawn, most = sites, len(sites)
    if not options.files:
        drawn, most = one_for_each_place(sites, random.Random(options.seed)), options.sample
    mutants = list(islice(filter(None, map(mutate, drawn)), most))
    results = _earlier_results(mutants) if options.go_on else {}
    left = [mutant for mutant in mutants if mutant.identity not in results]
    print(f"{len(sites)} possible, {len(mutants)} drawn, {len(left)} to try", flush=True)
    _try_all(left, results, options)
    write_survivors(results)
    print(summary(results, read_reasons()))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="try every mutant of these files")
    parser.add_argument("--room", choices=[room.name for room in ROOMS], help="of this room alone")
    parser.add_argument("--sample", type=int, default=SAMPLE, help=f"default {SAMPLE}")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=60.0, help="begin no mutant after these")
    parser.add_argument("--go-on", action="store_true", help="keep the results of the last run")
    return parser.parse_args()


def _earlier_results(mutants: list[Mutant]) -> dict[str, bool]:
    if not RESULTS.is_file():
        return {}
    lines = [json.loads(line) for line in RESULTS.read_text("utf-8").splitlines()]
    known = {line["mutant"]: line["killed"] for line in lines}
    return {one.identity: known[one.identity] for one in mutants if one.identity in known}


def _try_all(left: list[Mutant], results: dict[str, bool], options: argparse.Namespace) -> None:
    """Trace the tests, then try the mutants, each worker in a copy of its own.

    Adds the outcomes to `results` and to the file that keeps them.
    """
    end = time.monotonic() + 60 * options.minutes
    RESULTS.parent.mkdir(exist_ok=True)
    mode = "a" if options.go_on else "w"
    with (
        tempfile.TemporaryDirectory() as folder,
        RESULTS.open(mode, encoding="utf-8") as file,
        ThreadPoolExecutor(options.workers) as pool,
    ):
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(options.workers):
            copies.put(Copy(Path(folder) / str(number)))
        began = time.monotonic()
        traces = _traces_of({room_of(mutant.path) for mutant in left}, copies, pool)
        print(f"tests traced in {time.monotonic() - began:.0f} s", flush=True)

        def attempt(mutant: Mutant) -> bool | None:
            if time.monotonic() > end:
                return None
            with _taken(copies) as copy:
                return copy.is_killed(mutant, traces[room_of(mutant.path)])

        running = {pool.submit(attempt, mutant): mutant for mutant in left}
        for done in as_completed(running):
            if done.exception():
                pool.shutdown(cancel_futures=True)
            killed, mutant = done.result(), running[done]
            if killed is None:
                continue
            results[mutant.identity] = killed
            file.write(json.dumps({"mutant": mutant.identity, "killed": killed}) + "\n")
            file.flush()
            if not killed:
                print(f"survives: {mutant.identity}", flush=True)


def _traces_of(
    rooms: set[Room], copies: SimpleQueue[Copy], pool: ThreadPoolExecutor
) -> dict[Room, list[Trace]]:
    """Trace every test file of the rooms; returns the traces by room."""

    def trace(room: Room, test: str) -> Trace:
        with _taken(copies) as copy:
            return copy.trace(test, room)

    running = {room: [pool.submit(trace, room, one) for one in room.test_files()] for room in rooms}
    return {room: [one.result() for one in traces] for room, traces in running.items()}


@contextmanager
def _taken(copies: SimpleQueue[Copy]) -> Iterator[Copy]:
    copy = copies.get()
    try:
        yield copy
    finally:
        copies.put(copy)


if __name__ == "__main__":
    main()
