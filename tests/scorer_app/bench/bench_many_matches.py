"""How fast the pages are over a store with very many matches:
`python -m tests.scorer_app.bench.bench_many_matches [MATCHES]`. One line a figure.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from sqlalchemy import insert

from scorer_app.config import AppConfig
from scorer_app.hand.counted import counted_record
from scorer_app.store import Hand, Match, Store

from ..served import Served
from .bench_client import Client
from .bench_page import tell

MATCHES = 1_000_000
GOAL = 200.0  # ms
AT_ONCE = 10_000  # rows of one statement
ROUNDS = 40
NAMES = ["Nosotros", "Ellos", "Los Pérez", "Visitas", "Marta y Juan", "Tíos", "Abuela", "Primos"]
BEGUN = datetime(2020, 1, 1)


def fill(url: str, matches: int) -> list[str]:
    """Fill an empty database; return the ids of a few matches all over it."""
    store, generator = Store(url), random.Random(7)
    record = counted_record({"A": (300, 245), "B": (0, -150)}).to_json()
    for first in range(0, matches, AT_ONCE):
        rows = [_match(number, generator) for number in range(first, min(first + AT_ONCE, matches))]
        hands = [_hand(row, record) for row in rows]
        with store.writing(durable=False) as session:
            session.execute(insert(Match), rows)
            session.execute(insert(Hand), hands)
    store.close()
    return [f"m{generator.randrange(matches)}" for _ in range(ROUNDS)]


def _match(number: int, generator: random.Random) -> dict[str, Any]:
    moment = BEGUN + timedelta(minutes=number)
    a, b = generator.sample(NAMES, 2)
    return {
        "id": f"m{number}",
        "created": moment,
        "touched": moment,
        "side_a": a,
        "side_b": b,
        "ruleset": "burako",
        "viewer_token": f"v{number}",
        "archived": generator.random() < 0.1,
        "sample": generator.random() < 0.001,
    }


def _hand(match: dict[str, Any], record: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": f"h{match['id']}",
        "match_id": match["id"],
        "position": 1,
        "state": "saved",
        "record": record,
        "created": match["created"],
        "saved": match["created"],
    }


def measure(client: Client, known: list[str]) -> None:
    """Milliseconds of each page, asked for one after another."""
    anywhere = iter(known * 10)
    pages = {
        "first page": lambda: "/",
        "older matches": lambda: f"/matches/?shelf=played&after={next(anywhere)}",
        "archived matches": lambda: f"/matches/?shelf=archived&after={next(anywhere)}",
        "samples": lambda: "/matches/?shelf=samples",
        "a match": lambda: f"/matches/{next(anywhere)}",
        "a match's history": lambda: f"/matches/{next(anywhere)}/history",
        "a hand for programs": lambda: f"/api/hands/h{next(anywhere)}",
        "a tally for viewers": lambda: f"/v/v{next(anywhere)[1:]}",
        "a new match": lambda: "/matches/new",
        "statistics": lambda: "/matches/statistics",
        "settings": lambda: "/settings",
    }
    for name, address in pages.items():
        times = [asked(client, address()) for _ in range(ROUNDS)]
        tell(f"{name}, median", median(times), "ms", None)
        tell(f"{name}, p95", quantiles(times, n=20)[-1], "ms", GOAL)


def asked(client: Client, path: str) -> float:
    begun = time.perf_counter()
    answer = client.ask("GET", path)
    taken = (time.perf_counter() - begun) * 1000
    if answer.status != 200:
        raise AssertionError(f"{path}: expected 200, got {answer.status}")
    return taken


def main(arguments: list[str]) -> int:
    matches = int(arguments[0]) if arguments else MATCHES
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        data.mkdir()
        begun = time.perf_counter()
        known = fill(AppConfig(data_dir=data).database, matches)
        tell(f"filling in {matches} matches", time.perf_counter() - begun, "s", None)
        begun = time.perf_counter()
        server = Served(data)
        tell("start", time.perf_counter() - begun, "s", None)
        measure(Client(server.base), known)
        server.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
