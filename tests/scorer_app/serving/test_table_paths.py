"""The addresses of a watched table begin with its name; the process takes the name off before the
application sees the path.
"""

from __future__ import annotations

import urllib.request
from dataclasses import replace
from typing import Any

import pytest

from scorer_app.config import AppConfig
from scorer_app.serving.table_paths import by_table

from ..served import serving


def echo(environ: Any, start: Any) -> list[bytes]:
    """Answer, as an application, with the path and the query that it was asked for."""
    start("200 OK", [("Content-Type", "text/plain")])
    return [f"{environ['PATH_INFO']}?{environ['QUERY_STRING']}".encode("latin-1")]


@pytest.mark.parametrize("cluster", [False, True])
def test_a_cluster_takes_off_what_names_the_table(cluster: bool, config: AppConfig) -> None:
    path = by_table("a match", "/api/live/a%20match/state?version=1")
    plain = "/api/live/a match/state?version=1"
    with serving(echo, replace(config, cluster=cluster)) as base:

        def asked(path: str) -> str:
            with urllib.request.urlopen(base + path) as answer:
                return str(answer.read().decode())

        assert asked(path).endswith(plain)
        assert (asked(path) == plain) == cluster
        for other in ("/tables/", "/tables/xyz/state", "/api/tables/00/x"):
            assert asked(other) == other + "?"


def test_a_table_has_one_name_whoever_asks_and_it_tells_nothing() -> None:
    first, second = by_table("match-1", "/a"), by_table("match-1", "/b")
    assert first.removesuffix("/a") == second.removesuffix("/b")
    assert by_table("match-2", "/a") != first
    assert "match-1" not in first
