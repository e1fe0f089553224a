"""Counts requests, and shows the counts in Prometheus' text format.

The library for that comes with the extra `cluster`. Where several processes share a listening
address, a scrape reaches any one of them. The processes then keep their counts in files of one
folder, which PROMETHEUS_MULTIPROC_DIR names, and each process answers with the sums over all
processes.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, g, request

from scorer_app.services.overview import overview
from scorer_app.services.scratch import delete_abandoned, scratch_folder
from scorer_app.web.parts import parts_of

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry, Metric

SHARED = "PROMETHEUS_MULTIPROC_DIR"
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)  # seconds of a request
_KEY = "burako_metrics"
_OF_PROCESS = re.compile(r"gauge_live\w+_(\d+)\.db")


class Metrics:
    """The counts of one application. Raises ImportError where the library prometheus_client is not
    installed.
    """

    def __init__(self, app: Flask) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self._app = app
        self._own = CollectorRegistry()
        self.requests = Counter(
            "burako_requests",
            "Requests answered",
            ["method", "route", "status"],
            registry=self._own,
        )
        self.seconds = Histogram(
            "burako_request_seconds",
            "Time to the beginning of an answer",
            ["route"],
            buckets=BUCKETS,
            registry=self._own,
        )
        self.streams = Gauge(
            "burako_streams",
            "Open event streams",
            registry=self._own,
            multiprocess_mode="livesum",
        )

    def count(self, response: Response, seconds: float) -> None:
        """Count an answered request, and the `seconds` that the answer took."""
        route = str(request.url_rule or "none")
        self.requests.labels(request.method, route, response.status_code).inc()
        self.seconds.labels(route).observe(seconds)

    def told(self) -> bytes:
        """Return all counts in Prometheus' text format. Raises StoreUnavailable."""
        from prometheus_client import generate_latest

        told: bytes = generate_latest(self._registry())
        return told

    def broken(self) -> int:
        """Return how many requests failed through a fault of the server."""
        counted: float = sum(
            sample.value
            for metric in self._registry().collect()
            if metric.name == "burako_requests"
            for sample in metric.samples
            if sample.labels.get("status", "")[:1] == "5" and sample.name.endswith("_total")
        )
        return round(counted)

    def _registry(self) -> CollectorRegistry:
        from prometheus_client import CollectorRegistry, ProcessCollector

        self.streams.set(parts_of(self._app).event_bus.open_streams)
        shown = CollectorRegistry()
        if SHARED in os.environ:
            _sharing().MultiProcessCollector(shown)
        else:
            shown.register(self._own)
            ProcessCollector(registry=shown)
        shown.register(_Work(self._app))
        return shown


class _Work:
    """Metrics about the work of all processes, read from the database at each scrape."""

    def __init__(self, app: Flask) -> None:
        self._app = app

    def collect(self) -> Iterator[Metric]:
        from prometheus_client.metrics_core import GaugeMetricFamily

        work = overview(parts_of(self._app).store)
        yield GaugeMetricFamily(
            "burako_photographs_waiting", "Photographs to be read", work.waiting
        )
        yield GaugeMetricFamily(
            "burako_photographs_longest_wait_seconds",
            "Since the first of them came",
            work.longest_wait,
        )
        failed = GaugeMetricFamily(
            "burako_photographs_failed", "Photographs kept unread", labels=["problem"]
        )
        for problem, count in work.failed.items():
            failed.add_metric([problem], count)
        yield failed
        yield GaugeMetricFamily(
            "burako_matches_played", "Matches played in the last day", work.played
        )


def install(app: Flask) -> None:
    """Count the requests of an application. Nothing is counted without an admin token, which is
    needed to see the counts, or without the library prometheus_client.
    """
    if parts_of(app).config.admin_token is None:
        return
    try:
        metrics = Metrics(app)
    except ImportError:
        return
    app.extensions[_KEY] = metrics
    _forget_the_dead()

    @app.before_request
    def begin() -> None:
        g.begun = time.perf_counter()

    @app.after_request
    def count(response: Response) -> Response:
        metrics.count(response, time.perf_counter() - g.get("begun", time.perf_counter()))
        return response


@contextmanager
def shared_by_processes(parent: Path) -> Iterator[None]:
    """Let processes that are started within the context keep their counts together, in a new folder
    in `parent`. Folders that a killed server left there are deleted.
    """
    delete_abandoned(parent)
    with scratch_folder(parent) as folder:
        os.environ[SHARED] = str(folder)
        yield
        del os.environ[SHARED]


def metrics_of(app: Flask) -> Metrics | None:
    """Return the counts of an application; None where it counts nothing."""
    found: Metrics | None = app.extensions.get(_KEY)
    return found


def _forget_the_dead() -> None:
    """Drop the gauges of processes that have ended, such as their open streams; the requests that
    they counted stay.
    """
    if SHARED not in os.environ:
        return
    for path in Path(os.environ[SHARED]).iterdir():
        found = _OF_PROCESS.fullmatch(path.name)
        if found and not _is_running(int(found[1])):
            with suppress(FileNotFoundError):  # another process that starts now was quicker
                _sharing().mark_process_dead(int(found[1]))


def _sharing() -> Any:
    """Return the module of the library that sums up the counts of several processes. The module has
    no type annotations.
    """
    return import_module("prometheus_client.multiprocess")


def _is_running(process: int) -> bool:
    if sys.platform == "win32":  # where signal 0 would end the process
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, PermissionError):  # the latter: another user's process has its id
        return False
    return True
