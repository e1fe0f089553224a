"""Empty databases in the PostgreSQL of `make test-cluster`, and page processes over one."""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import URL, create_engine, make_url, text
from sqlalchemy.schema import CreateSchema, DropSchema

from ..scorer_app.served import PATIENCE, Served

ADDRESS = os.environ.get("BURAKO_TEST_POSTGRESQL", "")
if not ADDRESS:
    pytest.skip(
        "`make test-cluster` starts the PostgreSQL that this needs", allow_module_level=True
    )
KEY = "the same for all processes of a test"
ADMIN_TOKEN = "nobody guesses the words of this token"


def in_schema(schema: str) -> URL:
    return make_url(ADDRESS).update_query_dict({"options": f"-csearch_path={schema}"})


@contextmanager
def empty_databases(count: int) -> Iterator[list[str]]:
    """Make `count` empty schemas and yield their names."""
    names = [f"burako_{secrets.token_hex(6)}" for _ in range(count)]
    server = create_engine(ADDRESS)
    with server.begin() as connection:
        for name in names:
            connection.execute(CreateSchema(name))
    yield names
    with server.begin() as connection:
        for name in names:
            connection.execute(DropSchema(name, cascade=True))
    server.dispose()


@contextmanager
def own_database() -> Iterator[str]:
    """Make an empty database in which nobody else's notifications are heard, and yield its
    address.
    """
    name = f"burako_{secrets.token_hex(6)}"
    server = create_engine(ADDRESS, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE template0"))
    yield make_url(ADDRESS).set(database=name).render_as_string(hide_password=False)
    with server.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    server.dispose()


@contextmanager
def page_processes(database: str, folder: Path, count: int = 2) -> Iterator[list[Served]]:
    """Run `count` servers over one database, each with a folder of its own, and yield them."""
    with ExitStack() as ending:
        started = []
        for number in range(count):
            data = folder / f"page-{number}" / "data"
            data.parent.mkdir()
            one = Served(data, "--database", database, BURAKO_SECRET_KEY=KEY)
            ending.callback(one.kill)
            started.append(one)
        yield started


@contextmanager
def shared_address(database: str, folder: Path, processes: int) -> Iterator[str]:
    """Run a server of several processes and yield its address; it logs to `log` in the folder."""
    file = folder / "cluster.toml"
    file.write_text(f"database = {json.dumps(database)}\nprocesses = {processes}\n")
    run = "import sys; from scorer_app.cli.main import main; sys.exit(main())"
    options = ["--host", "127.0.0.1", "--port", "0", "--data", str(folder / "data")]
    known = {"BURAKO_SECRET_KEY": KEY, "BURAKO_ADMIN_TOKEN": ADMIN_TOKEN}
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-c", run, "serve", "--config", str(file), *options],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=os.environ | known,
        )
        assert server.stdout
        for line in server.stdout:
            found = re.search(r"http://127\S+(?=/)", line)
            if found:
                break
        else:
            raise AssertionError(f"it told no address: {(folder / 'log').read_text('utf-8')}")
        address, port = found.group().rsplit(":", 1)
        for own in range(1, processes + 1) if processes > 1 else ():  # ended sooner, one complains
            with urllib.request.urlopen(f"{address}:{int(port) + own}/readyz", timeout=PATIENCE):
                pass
        yield found.group()
        server.send_signal(signal.SIGTERM)
        server.wait(PATIENCE)
        server.stdout.close()
