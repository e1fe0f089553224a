"""How fast the page answers, and how much memory it needs: `python -m
tests.scorer_app.bench.bench_page [PHOTOGRAPHS]`. One line a figure.

The server is a process of its own, as `burako serve` runs it. The clients are one thread of this
process, speaking HTTP over kept connections with as little work of their own as can be: what they
took would be counted as the server's.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine
from itertools import cycle, islice
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from PIL import Image

from tests.places import SAMPLES, SHARED

from ..hands import CANASTA
from ..served import Served
from .bench_client import Client, Device

TABLES, DEVICES = 4, 5  # of each table
PHOTOGRAPHS = 200
Times = dict[str, list[float]]


def tell(name: str, figure: float, unit: str, goal: float | None) -> None:
    verdict = "    " if goal is None else "ok  " if figure <= goal else "OVER"
    print(
        f"{verdict} {name}: {figure:.1f} {unit}" + ("" if goal is None else f" (goal {goal:g})"),
        flush=True,
    )


def tell_times(name: str, times: Times, goal: float | None) -> None:
    for kind, figures in times.items():
        tell(f"{name}, {kind}, median", median(figures), "ms", goal)
        tell(f"{name}, {kind}, p95", quantiles(figures, n=20)[-1], "ms", goal)


# --- pages and API ---


def answers(client: Client, server: Served, hands: list[str]) -> None:
    """Print how many milliseconds pages, reads and edits take, over hands of 68 tiles: for one
    device, then for five devices at each of four tables.

    "At a table's pace" each device asks about once a second, as people do. "In step": after an edit
    all pages that follow the hand ask at the same moment. "As fast as they can" each asks again at
    once: the server is then always busy with all 20, and the devices use the same processor as the
    server. The processor time of an answer tells how many an otherwise idle machine could give.
    """
    asyncio.run(_answers(client, server, hands))


async def _answers(client: Client, server: Served, hands: list[str]) -> None:
    devices = [
        await Device.connect(client, hand, number) for hand in hands for number in range(DEVICES)
    ]
    tell_times("alone", await together(devices[:1], 60, pause=0.0), 30)
    tell_times("20 devices at a table's pace", await together(devices, 15, pause=1.0), 30)
    tell_times("20 devices in step after an edit", await in_step(devices, 15), 30)
    tell_times(
        "20 devices reading as fast as they can",
        await together(devices, 24, pause=0.0, edits=False),
        30,
    )
    started, busy = time.perf_counter(), worked(server.process.pid)
    times = await together(devices, 24, pause=0.0)
    tell_times("20 devices as fast as they can", times, None)
    count = sum(map(len, times.values()))
    tell("answers a second", count / (time.perf_counter() - started), "", None)
    tell("processor time an answer", (worked(server.process.pid) - busy) / count * 1000, "ms", None)
    for device in devices:
        device.close()


async def together(devices: list[Device], requests: int, pause: float, edits: bool = True) -> Times:
    """Let all devices work at the same time, each through its requests in turn: the first page, the
    match, the hand, reading the hand and (with `edits`) editing it.

    Returns the times of each kind of request. `pause` is the mean time in seconds between two
    requests of a device.
    """
    times: Times = defaultdict(list)

    async def use(number: int, device: Device) -> None:
        chance = random.Random(number)
        await asyncio.sleep(chance.uniform(0, pause))
        kinds = [kind for kind in device.asks if edits or kind != "an edit"]
        for kind in islice(cycle(kinds), number % len(kinds), number % len(kinds) + requests):
            times[kind].append(await timed(device.asks[kind]))
            await asyncio.sleep(chance.uniform(0.5, 1.5) * pause)

    await asyncio.gather(*(use(number, device) for number, device in enumerate(devices)))
    return dict(sorted(times.items()))


async def in_step(devices: list[Device], rounds: int) -> Times:
    """Let one device edit its hand, then all read that hand at once; return the times of both."""
    times: Times = defaultdict(list)
    for _ in range(rounds):
        times["an edit"].append(await timed(devices[0].edit))
        times["reading it"] += await asyncio.gather(
            *(timed(lambda one=one: one.read(devices[0].hand)) for one in devices)
        )
        await asyncio.sleep(0.1)
    return times


async def timed(ask: Callable[[], Coroutine[Any, Any, None]]) -> float:
    started = time.perf_counter()
    await ask()
    return (time.perf_counter() - started) * 1000


# --- photographs ---


def photographs(client: Client) -> None:
    """Print the time from sending a 12 MP photograph to its reading, then that of the first page
    while four are read at once.
    """
    with Image.open(SAMPLES / "melds-a.jpg") as sample:
        out = io.BytesIO()
        sample.resize((4032, 3024)).save(out, "JPEG", quality=90)
    hand, times = client.begin(), []
    for turn in range(1, 6):
        started = time.perf_counter()
        client.photograph(hand, "A", out.getvalue())
        client.until_read(hand, turn)
        times.append((time.perf_counter() - started) * 1000)
    tell("12 MP photograph to its reading, median", median(times), "ms", 1000)
    for _ in range(4):
        client.photograph(hand, "A", out.getvalue())
    meanwhile = []
    for _ in range(50):
        started = time.perf_counter()
        client.ask("GET", "/")
        meanwhile.append((time.perf_counter() - started) * 1000)
    tell("the first page while four are read, p95", quantiles(meanwhile, n=20)[-1], "ms", 30)
    tell(
        "failed of four at once",
        sum(photo["state"] == "failed" for photo in client.until_read(hand, 9)["photos"]),
        "",
        0,
    )


def memory(client: Client, server: Served, count: int) -> None:
    """Print the megabytes that the server holds while `count` photographs are sent and read, a
    dozen a hand.

    They are real ones where there are any.
    """
    pictures = sorted((SHARED / "photos").glob("*/images/*.jp*g")) or sorted(SAMPLES.glob("*.jpg"))
    random.Random(5).shuffle(pictures)
    tell("memory after the first few", resident(server.process.pid), "MB", 600)
    for start in range(0, count, 12):
        hand, some = client.begin(), list(islice(cycle(pictures), start, min(count, start + 12)))
        for picture in some:
            client.photograph(hand, "A", picture.read_bytes())
        client.until_read(hand, len(some))
        if start % 48 == 36 or start + 12 >= count:
            tell(f"memory after {start + len(some)} more", resident(server.process.pid), "MB", 600)


def resident(process: int) -> float:
    """Return the megabytes held by the process; 0 where the system does not say (Windows)."""
    try:
        told = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(process)], capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return 0.0
    return int(told) / 1024


def worked(process: int) -> float:
    """Return the processor seconds that the process has had, to a hundredth; 0 where the system
    does not say (all but Linux).
    """
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# --- weight ---


def weight(client: Client, path: str) -> float:
    """Return the kilobytes that a browser receives for a first view: the page and all it loads."""
    seen, waiting = {}, [path]
    while waiting:
        address = waiting.pop()
        if address in seen:
            continue
        answer = client.ask("GET", address, **{"Accept-Encoding": "gzip"})
        seen[address] = len(answer.body)
        packed = answer.getheader("Content-Encoding") == "gzip"
        text = gzip.decompress(answer.body) if packed else answer.body
        here = address.rsplit("/", 1)[0]
        found = (
            re.findall(rb'(?:src|href)="(/static/[^"]+\.(?:js|css|svg))"', text)
            if "." not in address
            else []
        )
        inner = re.findall(rb'from "\./([\w.]+)"', text) if address.endswith(".js") else []
        waiting += [name.decode() for name in found] + [f"{here}/{name.decode()}" for name in inner]
    return sum(seen.values()) / 1024


def sample_hand(client: Client) -> str:
    """Make a new hand of the four bundled photographs, read: 68 tiles. Returns its id."""
    hand: str = client.ask("POST", "/samples").getheader("Location").rsplit("/", 1)[1]
    match = client.until_read(hand, 4)["match"]
    client.ask("POST", f"/matches/{match}/real")  # else the next one would be the same hand
    return hand


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("tests.scorer_app.bench.bench_page", description=__doc__)
    parser.add_argument("photographs", nargs="?", type=int, default=PHOTOGRAPHS)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        data.mkdir()
        server = Served(data)
        client = Client(server.base)
        taps = (
            {"op": "add_tile", "side": "A", "place": "melds", "face": face}
            for face in CANASTA.split()
        )
        hand = json.loads(client.edit(client.begin(), *taps).body)["id"]
        tell("first view, the first page", weight(client, "/"), "KB", 150)
        tell("first view, a hand", weight(client, f"/hands/{hand}"), "KB", 150)
        answers(client, server, [sample_hand(client) for _ in range(TABLES)])
        photographs(client)
        memory(client, server, asked.photographs)
        server.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
