"""`/metrics` of processes that share one address: each tells the counts of all."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from ..scorer_app.conftest import until
from ..scorer_app.served import PATIENCE
from .databases import ADMIN_TOKEN, empty_databases, in_schema, shared_address

ASKED = 60


@pytest.fixture
def database() -> Iterator[str]:
    with empty_databases(1) as (schema,):
        yield in_schema(schema).render_as_string(hide_password=False)


def asked(base: str, path: str) -> str:
    request = urllib.request.Request(
        base + path, headers={"Authorization": f"Bearer {ADMIN_TOKEN}"}
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return str(answer.read().decode())


def values(base: str) -> dict[tuple[str, str], float]:
    """Return the value of each sample, by its name and its route."""
    families = text_string_to_metric_families(asked(base, "/metrics"))
    return {
        (sample.name, sample.labels.get("route", "")): sample.value
        for family in families
        for sample in family.samples
    }


@pytest.mark.parametrize("processes", [1, 2])
def test_counts_are_those_of_all_processes(database: str, tmp_path: Path, processes: int) -> None:
    with shared_address(database, tmp_path, processes) as base:
        for _ in range(ASKED):
            assert asked(base, "/healthz") == "ok\n"
        told = until(
            lambda: values(base), lambda told: told["burako_requests_total", "/healthz"] == ASKED
        )
        assert told["burako_request_seconds_count", "/healthz"] == ASKED
        assert told["burako_photographs_waiting", ""] == 0
        assert ("burako_streams", "") in told
        page = asked(base, "/admin")
        assert "Administración" in page
    lines = [json.loads(line) for line in (tmp_path / "log").read_text("utf-8").splitlines()]
    answered = [line for line in lines if line.get("route") == "/healthz"]
    assert len(answered) == ASKED
    assert len({line["request"] for line in answered}) == ASKED
