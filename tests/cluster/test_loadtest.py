"""The load test of a cluster, over a queue of few photographs."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasets.loadtest import operations, scaling
from scorer_app.config import AppConfig
from tests.cluster.databases import empty_databases, in_schema
from tests.places import SAMPLES
from vision import open_reader

PHOTOGRAPH = SAMPLES / "melds-a.jpg"


def cluster(schema: str, folder: Path) -> AppConfig:
    address = in_schema(schema).render_as_string(hide_password=False)
    return AppConfig(data_dir=folder, database_url=address, cluster=True, secret_key="k" * 32)


def test_slots_that_sleep_read_all_photographs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scaling, "SECONDS", 2.0)
    monkeypatch.setattr(scaling, "SLOTS_OF_A_PROCESS", 2)
    with empty_databases(1) as (schema,):
        config = cluster(schema, tmp_path)
        told = scaling.measure(
            config, 3, open_reader().read(PHOTOGRAPH), PHOTOGRAPH.read_bytes(), 0.05
        )
    assert (told.slots, told.processes) == (3, 2)
    assert 0 < told.throughput <= 3 / 0.05
    assert told.readers_seconds > 0 and told.database_seconds > 0


def test_operations_cost_time_bytes_and_questions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "TIMES", 3)
    with empty_databases(1) as (schema,):
        found = {
            cost.name: cost for cost in operations.costs(cluster(schema, tmp_path), PHOTOGRAPH)
        }
    assert found["photograph sent"].received == PHOTOGRAPH.stat().st_size
    assert found["home page"].sent > 1000 and found["tap"].questions >= 2
    assert all(cost.seconds > 0 for cost in found.values())
