"""A cluster whose photographs wait in a queue in PostgreSQL: its configuration, its pages, and what
its tables hold.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from sqlalchemy import text

from scorer_app import create_app
from scorer_app.cli.config_file import read_config
from scorer_app.config import AppConfig
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of
from tests.scorer_app.pictures import RecordedReader

if TYPE_CHECKING:
    from tests.cluster.weed import Weed

KEY = "k" * 32


@pytest.fixture
def file(tmp_path: Path, s3: Weed) -> Iterator[Path]:
    """Return the configuration file of a cluster over an empty database, with one reader on a
    machine.
    """
    from tests.cluster.databases import empty_databases, in_schema

    with empty_databases(1) as (schema,):
        yield write_configuration(tmp_path, in_schema(schema).render_as_string(False), s3)


@pytest.fixture
def cluster(file: Path, tmp_path: Path) -> AppConfig:
    (tmp_path / "data").mkdir(exist_ok=True)
    return replace(read_config(file), secret_key=KEY, data_dir=tmp_path / "data")


@pytest.fixture
def pages(cluster: AppConfig, reader: RecordedReader) -> Iterator[Flask]:
    """A page process of a cluster whose photographs nobody reads."""
    app = create_app(cluster, reader)
    yield app
    close(app)


def write_configuration(folder: Path, database: str, s3: Weed) -> Path:
    file = folder / "cluster.toml"
    file.write_text(
        f'database = "{database}"\n'
        f'photos = "s3://burako/{secrets.token_hex(6)}"\n'
        f'endpoint = "{s3.endpoint}"\n'
        "processes = 1\n"
    )
    return file


def counted(app: Flask, what: str) -> Any:
    ((number,),) = parts_of(app).store.look(text(f"SELECT count(*) FROM {what}"), {})
    return number
