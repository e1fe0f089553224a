"""The store over PostgreSQL: the same tests as over SQLite, and what only a database with several writers can get wrong.

`BURAKO_TEST_POSTGRESQL=postgresql+psycopg://user@host/database pytest tests/scorer_app/test_postgresql.py`; each test has a
schema of its own in that database.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import create_engine, make_url
from sqlalchemy.schema import CreateSchema, DropSchema

from scorer_app.config import AppConfig
from scorer_app.hands import KeyedEdit

from . import test_hand_api, test_matches, test_retention
from .conftest import Scorer
from .test_retention import keeper, photographed  # noqa: F401  (fixtures)

URL = os.environ.get("BURAKO_TEST_POSTGRESQL", "")
pytestmark = pytest.mark.skipif(not URL, reason="BURAKO_TEST_POSTGRESQL names no database to try")

for module in (test_hand_api, test_matches, test_retention):
    globals().update({name: found for name, found in vars(module).items() if name.startswith("test_")})


@pytest.fixture
def config(config: AppConfig) -> Iterator[AppConfig]:
    url, schema = make_url(URL), f"burako_{secrets.token_hex(6)}"
    server = create_engine(url)
    with server.begin() as connection:
        connection.execute(CreateSchema(schema))
    own = url.update_query_dict({"options": f"-csearch_path={schema}"})
    yield replace(config, database_url=own.render_as_string(hide_password=False))
    with server.begin() as connection:
        connection.execute(DropSchema(schema, cascade=True))
    server.dispose()


def at_once(count: int, job: Callable[[int], Any]) -> list[Any]:
    start = Barrier(count)

    def run(number: int) -> Any:
        start.wait(20)
        return job(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def test_edits_at_once_are_all_kept(scorer: Scorer, app: Flask) -> None:
    hand, hands = scorer.begin(), app.extensions["hands"]
    tap = {"op": "add_tile", "side": "A", "place": "rack", "face": "3R"}
    at_once(8, lambda number: hands.edit(hand, [KeyedEdit(f"tap {number}", tap)]))
    view = scorer.hand(hand)
    assert len(view["tiles"]) == 8
    assert view["version"] == 9


def test_a_hand_begun_at_once_by_many_is_one_hand(scorer: Scorer, app: Flask) -> None:
    match = scorer.hand(scorer.begin())["match"]
    first = app.extensions["hands"].begin(match)
    scorer.form(f"/hands/{first}/undone", undone="yes")
    begun = at_once(8, lambda _number: app.extensions["hands"].begin(match))
    assert len(set(begun)) == 1
    assert begun[0] != first


def test_changes_of_a_match_at_once_are_all_counted(scorer: Scorer, app: Flask) -> None:
    match, matches = scorer.hand(scorer.begin())["match"], app.extensions["matches"]
    before = matches.tally(match).match.version
    at_once(6, lambda number: matches.change(match, side_a=f"Side {number}"))
    assert matches.tally(match).match.version == before + 6
