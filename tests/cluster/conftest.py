"""Fixtures of the tests of several processes: an S3 store, and the application."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.cluster.queued import cluster, file, pages  # noqa: F401  (fixtures)
from tests.scorer_app.conftest import (  # noqa: F401  (fixtures)
    app,
    client,
    compiled_routes,
    compiled_statements,
    compiled_templates,
    config,
    empty_database,
    reader,
    scorer,
)

if TYPE_CHECKING:
    from tests.cluster.weed import Weed

ADDRESS = os.environ.get("BURAKO_TEST_POSTGRESQL", "")
# `make test-cluster` has the libraries that these tests load; `make test` does without.
collect_ignore_glob = [] if ADDRESS else ["*.py"]


@pytest.fixture(scope="session")
def running_weed() -> Iterator[Weed]:
    from tests.cluster.weed import weed

    with weed() as store:
        yield store


@pytest.fixture
def s3(running_weed: Weed, monkeypatch: pytest.MonkeyPatch) -> Iterator[Weed]:
    """A running S3 store, with its keys in the environment. It is started again if a test has
    stopped it.
    """
    from tests.cluster.weed import KEYS

    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    yield running_weed
    if not running_weed.runs:
        running_weed.start()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Let a run fail in which a test was skipped although the programs that it needs were
    started.
    """
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if ADDRESS and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
