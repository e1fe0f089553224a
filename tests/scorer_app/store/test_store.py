"""The store: many threads that write at once, and tables that are exactly what their migrations
make.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from flask import Flask
from sqlalchemy import delete, select, text, update

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.hand.edits_of_tiles import AddTile
from scorer_app.hand.record import Place
from scorer_app.services.exchange import export_match, import_match, without_copies
from scorer_app.services.hand_log import KeyedOperation
from scorer_app.services.hand_rows import find_hand, working_record
from scorer_app.services.holdings import Role, hold
from scorer_app.services.sets import Sets
from scorer_app.services.shelves import Shelf, listed
from scorer_app.services.steps import StepKind
from scorer_app.store import Holding, Store, StoreUnavailable, migrations
from scorer_app.store.tables import Base, now
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, token_of
from ..hands import new_match, saved_hand, send, totals, when_read
from ..own_sets import example
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


def test_one_statement_that_writes_tells_of_its_rows(app: Flask) -> None:
    store = parts_of(app).store
    store.set_setting("kept", 1)
    put = text("UPDATE setting SET value = :value WHERE key = :key RETURNING key")
    told = [store.write_returning(put, {"key": key, "value": "2"}) for key in ("kept", "other")]
    assert [[row.key for row in rows] for rows in told] == [["kept"], []]
    assert store.setting("kept") == 2


def test_statements_of_one_change_are_kept_together_or_not_at_all(app: Flask) -> None:
    store, put = parts_of(app).store, text("UPDATE setting SET value = :value WHERE key = 'kept'")
    store.set_setting("kept", 1)
    with pytest.raises(StoreUnavailable), store.changing() as connection:
        connection.execute(put, {"value": "2"})
        connection.execute(text("SELECT nothing_of_that_name"))
    assert store.setting("kept") == 1
    with store.changing() as connection:
        connection.execute(put, {"value": "2"})
    assert store.setting("kept") == 2


@pytest.mark.parametrize(
    "value",
    [
        {"share": 0.1, "big": 2**70, "small": 5e-324, "name": "Ñandú \u2028", "none": None},
        [np.float64(0.1), StepKind.SAVED],  # what only one of the two libraries of JSON writes
    ],
)
def test_a_json_column_holds_what_it_was_given(app: Flask, value: Any) -> None:
    store = parts_of(app).store
    store.set_setting("kept", value)
    assert store.setting("kept") == value


def test_half_a_surrogate_pair_that_was_written_as_json_is_read(app: Flask) -> None:
    with parts_of(app).store.writing() as session:
        written = {"key": "kept", "value": '"\\ud800"'}
        session.execute(text("INSERT INTO setting (key, value) VALUES (:key, :value)"), written)
    assert parts_of(app).store.setting("kept") == "\ud800"


def test_a_connection_in_use_is_closed_when_it_comes_back_to_a_closed_store(app: Flask) -> None:
    """A thread may use a connection longer than the store is open. Unless it is closed then, Python
    warns of it when it is thrown away.
    """
    store = Store(parts_of(app).config.database)
    with store.reading() as session:
        connection = session.connection().connection.dbapi_connection
        assert connection is not None
        connection.cursor().close()
        store.close()
    with pytest.raises(store.engine.dialect.loaded_dbapi.Error, match="closed"):
        connection.cursor()


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


def test_matches_of_the_version_before_were_begun_here(
    app: Flask, scorer: Scorer, config: AppConfig, reader: RecordedReader
) -> None:
    """Copies of them are told from them, also in a file that the version before wrote."""
    _hand, match = saved_hand(scorer)
    copy = scorer.client.get(f"/matches/{match}/export.json").get_json()
    before = parts_of(app).matches.tally(match).match
    go_back(app, "0014")
    newer = create_app(config, reader)
    matches = parts_of(newer).matches
    assert totals(Scorer.of(newer).client, match) == ["445", "−150"]
    after = matches.tally(match).match
    assert (after.imported, after.created, after.touched) == (None, before.created, before.touched)
    twin = matches.tally(import_match(matches, copy))
    assert without_copies([twin, matches.tally(match)]) == [matches.tally(match)]
    close(newer)


def test_the_sets_of_the_version_before_keep_what_they_were_taught(
    app: Flask, sets: Sets, config: AppConfig, reader: RecordedReader
) -> None:
    taught = sets.teach("Casa", [example("7R")])
    brought = sets.create("De Ana", [example("7R"), example("8R")])
    go_back(app, "0015")
    newer = create_app(config, reader)
    found = Sets(parts_of(newer).store)
    assert [found.of_id(one.id).counts for one in (taught, brought)] == [
        {"7R": 1},
        {"7R": 1, "8R": 1},
    ]
    assert not any(row.imported for row in found.examples(brought.id))
    close(newer)


def test_copies_of_the_version_before_are_listed_by_the_day_of_their_match(
    app: Flask, scorer: Scorer, config: AppConfig, reader: RecordedReader
) -> None:
    matches = parts_of(app).matches
    copies = []
    for year in (2023, 2024):
        copy = export_match(matches, new_match(scorer))
        copy["match"]["created"] = f"{year}-05-03T21:14:07"
        copies.append(import_match(matches, copy))
    played_on, unplayed = copies
    scorer.begin(played_on)
    imported = matches.tally(unplayed).match.imported
    go_back(app, "0016")
    with parts_of(app).store.engine.connect() as connection:
        asked = text("SELECT touched = imported FROM match WHERE id = :id")
        assert connection.execute(asked, {"id": unplayed}).scalar()
    newer = create_app(config, reader)
    found = parts_of(newer).matches.tally(unplayed).match
    assert (found.touched, found.imported) == (found.created, imported)
    assert found.is_unplayed_copy
    assert not parts_of(newer).matches.tally(played_on).match.is_unplayed_copy
    close(newer)


def test_the_device_that_began_a_match_of_the_version_before_is_known(
    app: Flask, config: AppConfig, reader: RecordedReader
) -> None:
    """Where another device has shut it out already, nobody counts as the one that began it."""
    store, matches = parts_of(app).store, parts_of(app).matches
    names = {"side_a": "Ana", "side_b": "Caro", "ruleset": "burako"}
    begun, taken = (matches.create(holder="ana", **names) for _ in range(2))
    copy = export_match(matches, begun)
    copy["match"]["created"] = "2023-05-03T21:14:07"
    imported = import_match(matches, copy, "ana")
    with store.writing() as session:
        for match in (begun, taken, imported):
            hold(session, "beto", match, Role.SCORER)
        session.execute(delete(Holding).where(Holding.match_id == taken, Holding.device == "ana"))
        late = update(Holding).where(Holding.device == "beto")
        session.execute(late.values(since=now() + timedelta(hours=1)))
    go_back(app, "0017")
    newer = create_app(config, reader)
    with parts_of(newer).store.reading() as session:
        founders = session.execute(select(Holding.match_id, Holding.device).where(Holding.founder))
        assert set(map(tuple, founders)) == {(begun, "ana"), (imported, "ana")}
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
