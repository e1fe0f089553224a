"""The store over PostgreSQL: the same tests as over SQLite.

`BURAKO_TEST_POSTGRESQL=postgresql+psycopg://user@host/database pytest
tests/scorer_app/test_postgresql.py`; each test has a schema of its own in that database.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from dataclasses import replace

import pytest
from sqlalchemy import create_engine, make_url
from sqlalchemy.schema import CreateSchema, DropSchema

from scorer_app.config import AppConfig

from ..services import test_matches, test_retention
from ..services.test_retention import keeper, photographed  # noqa: F401  (fixtures)
from ..web import test_hand_api
from . import test_store

URL = os.environ.get("BURAKO_TEST_POSTGRESQL", "")
if not URL:
    pytest.skip("BURAKO_TEST_POSTGRESQL names no database to try", allow_module_level=True)

for module in (test_hand_api, test_matches, test_retention, test_store):
    globals().update(
        {name: found for name, found in vars(module).items() if name.startswith("test_")}
    )


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
