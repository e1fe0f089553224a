"""`python -m datasets.loadtest DATABASE`: how much a cluster over this PostgreSQL carries.

DATABASE is the URL of a PostgreSQL server on which new schemas may be made; they are dropped again
at the end. `python -m tests.cluster.postgresql python -m datasets.loadtest` starts a server for the
test.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine, make_url
from sqlalchemy.schema import CreateSchema, DropSchema

from datasets.benchmark.tables import align
from datasets.loadtest.operations import costs
from datasets.loadtest.scaling import SLEEP, Measured, measure
from datasets.loadtest.scaling_law import fitted
from scorer_app.config import AppConfig
from vision import open_reader

SLOTS = (1, 2, 4, 8, 16, 32, 64)
PHOTOGRAPH = Path("scorer_app/web/static/samples/melds-a.jpg")
ENVIRONMENT = "BURAKO_TEST_POSTGRESQL"  # names the database that `tests.cluster.postgresql` starts


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m datasets.loadtest", description=__doc__)
    parser.add_argument("database", nargs="?", default=os.environ.get(ENVIRONMENT))
    parser.add_argument("--slots", nargs="*", type=int, default=list(SLOTS))
    parser.add_argument("--sleep", type=float, default=SLEEP, help="seconds that a reading takes")
    given = parser.parse_args(arguments)
    if not given.database:
        parser.error("expected the URL of a PostgreSQL")
    _print_costs(given.database)
    if given.slots:
        _print_scaling(given.database, given.slots, given.sleep)


def _print_costs(database: str) -> None:
    lines: list[tuple[str, ...]] = [
        ("operation", "page ms", "database ms", "bytes in", "bytes out", "questions")
    ]
    with _empty(database) as config:
        for cost in costs(config, PHOTOGRAPH):
            milliseconds = (f"{1000 * part:.1f}" for part in (cost.seconds, cost.database_seconds))
            counts = (str(cost.received), str(cost.sent), f"{cost.questions:.1f}")
            lines.append((cost.name, *milliseconds, *counts))
    print(align(lines))


def _print_scaling(database: str, slots: list[int], sleep: float) -> None:
    photograph, reading = PHOTOGRAPH.read_bytes(), open_reader().read(PHOTOGRAPH)
    measured: list[Measured] = []
    for count in slots:
        with _empty(database) as config:
            measured.append(measure(config, count, reading, photograph, sleep))
        print(f"{count} slots: {measured[-1].throughput:.1f} a second", file=sys.stderr)
    lines: list[tuple[str, ...]] = [
        ("slots", "processes", "photographs/s", "of ideal", "reader ms", "database ms")
    ]
    for one in measured:
        share = f"{one.throughput / (one.slots / sleep):.3f}"
        milliseconds = (f"{1000 * s:.1f}" for s in (one.readers_seconds, one.database_seconds))
        numbers = (str(one.slots), str(one.processes), f"{one.throughput:.1f}")
        lines.append((*numbers, share, *milliseconds))
    print(align(lines))
    law = fitted([one.slots for one in measured], [one.throughput for one in measured])
    print(f"rate {law.rate:.2f}/s, sigma {law.sigma:.5f}, kappa {law.kappa:.7f}")


@contextmanager
def _empty(database: str) -> Iterator[AppConfig]:
    """Make a new, empty schema in the database with the URL `database`, and yield the configuration
    of a cluster that uses it. The schema is dropped afterwards.
    """
    schema, server = f"load_{secrets.token_hex(6)}", create_engine(database)
    with server.begin() as connection:
        connection.execute(CreateSchema(schema))
    url = make_url(database).update_query_dict({"options": f"-csearch_path={schema}"})
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield AppConfig(
                data_dir=Path(folder),
                database_url=url.render_as_string(hide_password=False),
                cluster=True,
                secret_key=secrets.token_hex(32),
            )
    finally:
        with server.begin() as connection:
            connection.execute(DropSchema(schema, cascade=True))
        server.dispose()


if __name__ == "__main__":
    main()
