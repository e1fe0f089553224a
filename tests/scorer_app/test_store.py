"""The store: many who write at once, and tables that are what their migrations make."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from flask import Flask

from scorer_app.hands import KeyedEdit
from scorer_app.store.tables import Base

from .conftest import Scorer


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


def test_the_migrations_make_the_tables_the_code_knows(app: Flask) -> None:
    with app.extensions["store"].engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
