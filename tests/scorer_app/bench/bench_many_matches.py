"""How fast the pages are over a store with very many matches, of a home and of a public server:
`python -m tests.scorer_app.bench.bench_many_matches [MATCHES]`. One line a figure.

The store is SQLite, or the PostgreSQL that BURAKO_TEST_POSTGRESQL names: `python -m
tests.cluster.postgresql python -m tests.scorer_app.bench.bench_many_matches [MATCHES]`. Only the
matches that the store lacks are added, so that a PostgreSQL that keeps them can be measured again.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from sqlalchemy import func, insert, select, text

from scorer_app.config import AppConfig
from scorer_app.hand.counted import counted_record
from scorer_app.services.holdings import Role
from scorer_app.store import Hand, Holding, Match, Store
from scorer_app.store.tables import now

from ..served import Served
from .bench_client import Client
from .bench_page import tell

MATCHES = 1_000_000
GOAL = 200.0  # ms
AT_ONCE = 10_000  # rows of one statement
ROUNDS = 40
NAMES = ["Nosotros", "Ellos", "Los Pérez", "Visitas", "Marta y Juan", "Tíos", "Abuela", "Primos"]
PLAYED_IN = timedelta(days=60)  # all of them: a public server deletes older ones
OF_ONE_DEVICE = 10  # matches that a device holds on a public server
SECRETS = {"BURAKO_SECRET_KEY": "s" * 32, "BURAKO_ADMIN_TOKEN": "a" * 32}
Pages = dict[str, Callable[[], str]]


def fill(store: Store, matches: int) -> float:
    """Add the matches that the database lacks; return the seconds that took."""
    begun = time.perf_counter()
    (known,) = store.look(select(func.count().label("matches")).select_from(Match), {})
    for first in range(known.matches, matches, AT_ONCE):
        _add(store, range(first, min(first + AT_ONCE, matches)), PLAYED_IN / matches)
        print(f"filled to {first + AT_ONCE}", file=sys.stderr, flush=True)
    if store.can_listen:  # PostgreSQL looks at new tables by itself, but only within minutes
        with store.writing() as session:
            session.execute(text("ANALYZE"))
    return time.perf_counter() - begun


def _add(store: Store, numbers: range, apart: timedelta) -> None:
    generator = random.Random(numbers.start)
    record = counted_record({"A": (300, 245), "B": (0, -150)}).to_json()
    begun = now() - PLAYED_IN
    rows = [{"created": begun + number * apart, **_match(number, generator)} for number in numbers]
    with store.writing(durable=False) as session:
        session.execute(insert(Match), [{"touched": row["created"], **row} for row in rows])
        session.execute(insert(Hand), [_hand(row, record) for row in rows])
        session.execute(insert(Holding), [_holding(number) for number in numbers])


def _match(number: int, generator: random.Random) -> dict[str, Any]:
    a, b = generator.sample(NAMES, 2)
    return {
        "id": f"m{number}",
        "side_a": a,
        "side_b": b,
        "ruleset": "burako",
        "viewer_token": f"v{number}",
        "scorer_token": f"s{number}",
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


def _holding(number: int) -> dict[str, Any]:
    device = f"d{number // OF_ONE_DEVICE}"
    return {"device": device, "match_id": f"m{number}", "role": Role.SCORER}


def of_a_home(known: list[str]) -> Pages:
    """Return the addresses of the pages that a home's devices ask for."""
    anywhere = iter(known * 10)
    return {
        "first page": lambda: "/",
        "older matches": lambda: f"/matches/?shelf=played&after={next(anywhere)}",
        "archived matches": lambda: f"/matches/?shelf=archived&after={next(anywhere)}",
        "samples": lambda: "/matches/?shelf=samples",
        "a match": lambda: f"/matches/{next(anywhere)}",
        "a match's history": lambda: f"/matches/{next(anywhere)}/history",
        "a hand for programs": lambda: f"/api/hands/h{next(anywhere)}",
        "a tally for viewers": lambda: f"/v/v{next(anywhere)[1:]}",
        "a new match": lambda: "/matches/new?rules=burako",
        "statistics": lambda: "/matches/statistics",
        "settings": lambda: "/settings",
    }


def of_a_public_server(client: Client, known: list[str]) -> Pages:
    """Return the addresses of the pages that a device asks for which holds all matches in
    `known`.
    """
    for match in known:
        asked(client, f"/m/s{match[1:]}", 303)
    anywhere, links = iter(known * 10), iter(known * 10)
    return {
        "first page": lambda: "/",
        "one's own matches": lambda: f"/matches/?shelf=played&after={next(anywhere)}",
        "a match": lambda: f"/matches/{next(anywhere)}",
        "a match's links": lambda: f"/matches/{next(anywhere)}/links",
        "a match's history": lambda: f"/matches/{next(anywhere)}/history",
        "a hand for programs": lambda: f"/api/hands/h{next(anywhere)}",
        "a tally for viewers": lambda: f"/v/v{next(anywhere)[1:]}",
        "a link entered": lambda: f"/m/s{next(links)[1:]}",
        "another's match": lambda: "/matches/m0",
        "statistics": lambda: "/matches/statistics",
        "the admin's page": lambda: "/admin",
        "metrics": lambda: "/metrics",
    }


EXPECTED = {"a link entered": 303, "another's match": 404}


def measure(client: Client, pages: Pages) -> None:
    """Print the milliseconds that each page takes, asked for one after another."""
    for name, address in pages.items():
        status = EXPECTED.get(name, 200)
        times = [asked(client, address(), status) for _ in range(ROUNDS)]
        tell(f"{name}, median", median(times), "ms", None)
        tell(f"{name}, p95", quantiles(times, n=20)[-1], "ms", GOAL)


def asked(client: Client, path: str, status: int = 200) -> float:
    credential = b64encode(f"any:{SECRETS['BURAKO_ADMIN_TOKEN']}".encode()).decode()
    scheme = {"/admin": f"Basic {credential}", "/metrics": f"Bearer {'a' * 32}"}
    headers = {"Authorization": scheme[path]} if path in scheme else {}
    begun = time.perf_counter()
    answer = client.ask("GET", path, **headers)
    taken = (time.perf_counter() - begun) * 1000
    if answer.status != status:
        raise AssertionError(f"{path}: expected {status}, got {answer.status}")
    return taken


def main(arguments: list[str]) -> int:
    name = "tests.scorer_app.bench.bench_many_matches"
    parser = argparse.ArgumentParser(name, description=__doc__)
    parser.add_argument("matches", nargs="?", type=int, default=MATCHES)
    matches = parser.parse_args(arguments).matches
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        data.mkdir()
        database = os.environ.get("BURAKO_TEST_POSTGRESQL") or AppConfig(data_dir=data).database
        store = Store(database)
        seconds = fill(store, matches)
        tell(f"filling {store.engine.dialect.name} with {matches} matches", seconds, "s", None)
        store.close()
        generator = random.Random(7)
        known = [f"m{generator.randrange(matches)}" for _ in range(ROUNDS)]
        for mode in ("home", "public"):
            begun = time.perf_counter()
            server = Served(data, "--database", database, "--mode", mode, **SECRETS)
            tell(f"start of a server in mode {mode}", time.perf_counter() - begun, "s", None)
            client = Client(server.base)
            pages = of_a_home(known) if mode == "home" else of_a_public_server(client, known)
            measure(client, pages)
            server.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
