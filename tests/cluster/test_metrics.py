"""`/metrics` of processes that share one address: each tells the counts of all."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from prometheus_client.parser import text_string_to_metric_families

from scorer_app.config import AppConfig
from scorer_app.web import metrics

from ..scorer_app.conftest import until
from ..scorer_app.served import PATIENCE
from .databases import ADMIN_TOKEN, empty_databases, in_schema, shared_address

ASKED = 60


@pytest.fixture
def database() -> Iterator[str]:
    with empty_databases(1) as (schema,):
        yield in_schema(schema).render_as_string(hide_password=False)


@pytest.fixture
def config(config: AppConfig) -> AppConfig:
    return replace(config, admin_token=ADMIN_TOKEN)


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


@pytest.mark.parametrize("kill", [ProcessLookupError, PermissionError])
def test_the_streams_of_a_process_that_ended_are_dropped_even_if_another_users_has_its_id(
    app: Flask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kill: type[OSError]
) -> None:
    def refuse(process: int, _number: int) -> None:
        raise kill(f"process {process}")

    (tmp_path / "gauge_livesum_4711.db").touch()
    (tmp_path / "counter_4711.db").touch()
    monkeypatch.setenv(metrics.SHARED, str(tmp_path))
    monkeypatch.setattr("os.kill", refuse)
    metrics.install(app)
    assert [path.name for path in tmp_path.glob("*_4711.db")] == ["counter_4711.db"]


def test_two_processes_that_start_at_once_may_drop_the_same_ended_one(
    app: Flask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def end(process: int, _number: int) -> None:
        (tmp_path / f"gauge_livesum_{process}.db").unlink()
        raise ProcessLookupError(process)

    def dropped_already(process: int) -> None:
        (tmp_path / f"gauge_livesum_{process}.db").unlink()

    (tmp_path / "gauge_livesum_4711.db").touch()
    monkeypatch.setenv(metrics.SHARED, str(tmp_path))
    monkeypatch.setattr("os.kill", end)
    monkeypatch.setattr("prometheus_client.multiprocess.mark_process_dead", dropped_already)
    metrics.install(app)
    assert not list(tmp_path.glob("gauge_livesum_4711.db"))
