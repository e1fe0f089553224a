"""The store: many who write at once, and tables that are what their migrations make."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from flask import Flask

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.hand.edits_of_tiles import AddTile
from scorer_app.hand.record import Place
from scorer_app.services.hand_log import KeyedOperation
from scorer_app.services.hand_rows import find_hand, working_record
from scorer_app.services.shelves import Shelf, listed
from scorer_app.store import Store, migrations
from scorer_app.store.tables import Base
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, token_of
from ..hands import new_match, saved_hand, send, totals, when_read
from ..pictures import RecordedReader, picture_of


def at_once(count: int, job: Callable[[int], Any]) -> list[Any]:
    start = Barrier(count)

    def run(number: int) -> Any:
        start.wait(20)
        return job(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def test_edits_at_once_are_all_kept(scorer: Scorer, app: Flask) -> None:
    hand, hands = scorer.begin(), parts_of(app).hands
    tap = AddTile(face="3R", side="A", place=Place.RACK)
    at_once(8, lambda number: hands.edit(hand, [KeyedOperation(f"tap {number}", tap)]))
    view = scorer.hand(hand)
    assert len(view["tiles"]) == 8
    assert view["version"] == 9


def test_a_hand_begun_at_once_by_many_is_one_hand(scorer: Scorer, app: Flask) -> None:
    match = scorer.hand(scorer.begin())["match"]
    first = parts_of(app).hands.begin(match)
    scorer.form(f"/hands/{first}/undone", undone="yes")
    begun = at_once(8, lambda _number: parts_of(app).hands.begin(match))
    assert len(set(begun)) == 1
    assert begun[0] != first


def test_changes_of_a_match_at_once_are_all_counted(scorer: Scorer, app: Flask) -> None:
    match, matches = scorer.hand(scorer.begin())["match"], parts_of(app).matches
    before = matches.tally(match).match.version
    at_once(6, lambda number: matches.change(match, side_a=f"Side {number}"))
    assert matches.tally(match).match.version == before + 6


def test_what_is_looked_at_together_is_of_one_moment(scorer: Scorer, app: Flask) -> None:
    """A record read a statement later than its version must not be a newer one."""
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "3R")
    with parts_of(app).store.reading() as session:
        found = find_hand(session, hand)
        scorer.tap(hand, "A", "melds", "4R")
        assert [tile.face for tile in working_record(found).tiles.values()] == ["3R"]


def test_the_migrations_make_the_tables_the_code_knows(app: Flask) -> None:
    with parts_of(app).store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_newest_tables_are_opened_without_the_library_that_migrates(
    config: AppConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def upgrade(*_arguments: object) -> None:
        raise AssertionError("migrated what has the newest tables")

    Store(config.database).close()
    monkeypatch.setattr(command, "upgrade", upgrade)
    Store(config.database).close()


def test_tables_of_the_first_version_are_brought_up_to_date_with_their_photographs(
    app: Flask, scorer: Scorer, reader: RecordedReader, config: AppConfig
) -> None:
    hand, picture = scorer.begin(), reader.add(picture_of("3R 4R 5R"))
    send(scorer, hand, "A", "melds", picture, key="first")
    send(scorer, hand, "A", "rack", picture)
    before = when_read(scorer, hand)
    go_back(app, "0001")
    newer = create_app(config, reader)
    client = newer.test_client()
    device = Scorer(client, token_of(client))
    assert device.hand(hand) == before
    for _ in range(2):
        send(device, hand, "B", "melds", picture, key="first")
    assert len(device.hand(hand)["photos"]) == 3
    close(newer)


def test_matches_of_the_version_before_keep_their_totals_and_may_be_put_away(
    app: Flask, scorer: Scorer, config: AppConfig, reader: RecordedReader
) -> None:
    hand, match = saved_hand(scorer)
    go_back(app, "0005")
    newer = create_app(config, reader)
    device = Scorer.of(newer)
    assert totals(device.client, match) == ["445", "−150"]
    device.form(f"/matches/{match}/archive", archived="yes")
    assert parts_of(newer).matches.tally(match).match.archived
    device.form(f"/hands/{hand}/undone", undone="yes")
    assert totals(device.client, match) == ["0", "0"]
    close(newer)


def test_matches_of_the_version_before_are_played_with_tiles(
    app: Flask, scorer: Scorer, config: AppConfig, reader: RecordedReader
) -> None:
    _hand, match = saved_hand(scorer)
    go_back(app, "0007")
    newer = create_app(config, reader)
    device = Scorer.of(newer)
    assert totals(device.client, match) == ["445", "−150"]
    assert parts_of(newer).matches.tally(match).match.pieces == "tiles"
    close(newer)


def test_matches_of_the_version_before_are_listed_by_when_they_were_played_last(
    app: Flask, scorer: Scorer, config: AppConfig, reader: RecordedReader
) -> None:
    _hand, played = saved_hand(scorer)
    unplayed = new_match(scorer)
    last = parts_of(app).hands.begin(played)
    go_back(app, "0008")
    newer = create_app(config, reader)
    shown = listed(parts_of(newer).matches, Shelf.PLAYED, 20).tallies
    assert [tally.match.id for tally in shown] == [played, unplayed]
    assert shown[0].draft_id == last
    close(newer)


def go_back(app: Flask, revision: str) -> None:
    alembic = Config()
    alembic.set_main_option("script_location", str(Path(migrations.__file__).parent))
    with (
        parts_of(app).store.engine.connect().execution_options(burako_writes="FULL") as connection,
        connection.begin(),
    ):
        alembic.attributes["connection"] = connection
        command.downgrade(alembic, revision)
